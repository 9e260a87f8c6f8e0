"""One audit, opened: questions, photos, and what an auditor says of them. Begin with `opened_audit`."""
