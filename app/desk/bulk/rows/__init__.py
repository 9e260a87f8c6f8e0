"""The rows of an import: orders, issues on cells, corrections. Begin with `import_sheet`."""
