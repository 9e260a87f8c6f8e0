"""Which column of a file is which field of an order. Begin with `column_mapping`, then `match_columns`."""
