"""A count with its word, in the right number."""


def counted(count: int, one: str, many: str = "") -> str:
    """`1 audit`, `2,480 audits`; `many` where the word takes more than an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
