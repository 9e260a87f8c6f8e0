"""Saved views of a list: orders and audits choose, save, name and move theirs in the same way.

Begin with `views_controller`. Imported by the two pages; it knows neither.
"""
