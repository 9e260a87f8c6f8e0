"""The table of orders: columns as data, a model of loaded pages, painting. Begin with `column_list`."""
