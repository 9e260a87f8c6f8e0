"""The plot of scores over time, and the ranking of facilities or vendors. Begin with `score_plot`."""
