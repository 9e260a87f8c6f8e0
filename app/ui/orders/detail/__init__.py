"""One order beside the table. Begin with `order_detail`."""
