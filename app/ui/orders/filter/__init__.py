"""What the filter of orders is typed and chosen with: line, chips, pasted orders, views. Begin with `filter_line`.

Imported by `orders_page` only. Each widget works on the text in the line; what is asked for is `query_state`.
"""
