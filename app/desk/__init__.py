"""What a desk does: drafts, sending, cancelling, looking up, refreshing what is seen. No window and no wire here."""
