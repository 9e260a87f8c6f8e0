"""Reports laid out for paper: audits with their photos and reviews, and the case file of an order. No Qt, no wire.

Begin with `audit_reports`. Imports `desk.printing`, `desk.audits` and `desk.files`; imported by the pages.
"""
