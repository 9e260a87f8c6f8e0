"""The outbox page, and what is said of a write anywhere in the window. Begin with `outbox_page`."""
