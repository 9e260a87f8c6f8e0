"""Text in widgets: the one factory of labels, times, key names, announcements. Begin with `labels`."""
