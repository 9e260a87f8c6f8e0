"""*Today*: what needs somebody now, the worst first, and what was put off or done for the day.

Begin with `board`. Imports `desk.reasons`, `desk.sending`, `desk.audits`, `desk.loads` and `desk.forecast`; imported by
the page of today and by what counts it on the rail.
"""
