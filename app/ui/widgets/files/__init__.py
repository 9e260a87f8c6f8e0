"""Files and folders: asking where to, progress, stop, showing the result. Begin with `file_strip`."""
