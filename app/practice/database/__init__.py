"""The one SQLite file of the practice service, read and written with apsw. Begin reading at `practice_schema`."""
