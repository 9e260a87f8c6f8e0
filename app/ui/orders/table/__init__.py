"""The table of orders: columns as data, a model over a query, painting. Begin with `column_list`."""
