"""Audits as last seen, and their questions once they were asked for. Begin with `audit_store`."""
