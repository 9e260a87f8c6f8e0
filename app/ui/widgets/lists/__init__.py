"""Tables and lists of whole rows. Begin with `row_table`; `paged_model` is a model over a query, and
`loaded_pages` holds its pages."""
