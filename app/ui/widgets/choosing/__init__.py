"""Choosing from a floating list: chips of a filter, offers below a field."""
