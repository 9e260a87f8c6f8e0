"""Orders out of the store into files: CSV and XLSX with guarded cells, and a list laid out for paper. No Qt."""
