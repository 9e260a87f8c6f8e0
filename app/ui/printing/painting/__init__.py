"""Paints laid out pages: onto the screen, into a PDF, for a printer. Begin with `page_painter`."""
