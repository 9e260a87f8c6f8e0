"""Orders into files: tables, a PDF list, a case file. Begin with `order_export`."""
