"""Choosing from what floats below a field: chips of a filter, suggestions, known values of the desk, a calendar."""
