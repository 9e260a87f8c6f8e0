"""Scores over time, and facilities or vendors beside each other. Begin with `score_plot`."""
