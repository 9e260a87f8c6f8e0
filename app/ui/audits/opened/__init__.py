"""One audit, opened: its questions, its photos, and the review of a person. Begin with `opened_audit`."""
