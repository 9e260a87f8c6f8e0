"""The window as a whole: start, pages, keys, notices, undo, closing. Begin with `shell`.

Imports every page; imported by `assembly`, `bootstrap` and `ui/still` alone.
"""
