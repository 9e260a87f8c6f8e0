"""Scanning barcodes into an order. Begin with `scan_panel`."""
