"""Fetching as the page shows it: progress, age of the data, missing days. Begin with `fetching`."""
