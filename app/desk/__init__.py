"""The work of a desk: drafts, sending, cancelling, looking up, refreshing what is seen. No window and no wire here."""
