"""What each operation of services.md does."""
