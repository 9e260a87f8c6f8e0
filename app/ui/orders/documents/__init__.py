"""An order's documents: tiles, and one of them large. Begin with `document_tiles`."""
