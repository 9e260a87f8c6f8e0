"""Marks text fields whose Ctrl+Z undoes more than their own letters, so that it is never taken from them."""


class KeepsUndo:
    """Mixed into such a field."""
