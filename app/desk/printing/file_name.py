"""A file name made of an order's reference, that every system takes (pitfall 24)."""

import re

_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 60


def pdf_name(reference: str, what: str) -> str:
    """`order-CRN-20481-labels.pdf`; what a file name cannot hold becomes an underscore."""
    safe = _OTHER.sub("_", reference).replace("..", "_").strip("._")[:_LONGEST]
    return "-".join(part for part in ("order", safe, what) if part) + ".pdf"
