"""Audits as a desk works with them: fetched, filtered, judged and reviewed. Begin with `audit_sync`.

Imports `desk.filter` (typed dates), `desk.connections` (saved views) and the cache; imported by reports and pages.
"""
