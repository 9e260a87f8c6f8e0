"""Drafts on the page: kept while typing, side by side, begun from templates or other orders. Begin with `keeper`."""
