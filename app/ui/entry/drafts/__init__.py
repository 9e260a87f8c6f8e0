"""Drafts on the page: autosave, type-ahead, the tabs of open drafts, and templates. Begin with `autosave`."""
