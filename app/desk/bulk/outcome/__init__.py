"""Verdicts, sending, receipt, cancelling by file, the watched folder. Begin with `import_verdicts`."""
