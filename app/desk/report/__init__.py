"""Reports: what a person found in audits, and all that is known of an order, laid out for paper. No Qt, no wire."""
