"""Audits as last seen, and their questions once they were fetched. Begin with `audit_store`."""
