"""What the practice service keeps on disk: one SQLite file in its data directory, by apsw."""
