"""How high a score is, on whatever scale the provider has: it says none, so what was seen tells."""

GOOD_FROM, LOW_BELOW = 0.85, 0.7
_TOPS = (1.0, 5.0, 10.0, 100.0)


def part_of(score: float, top: float) -> float:
    """A score as a part of the highest one, from 0 to 1."""
    return min(max(score / top, 0.0), 1.0) if top > 0 else 0.0


def top_of(highest: float | None) -> float:
    """The highest score there may be: the smallest usual one that holds what was seen."""
    return next((top for top in _TOPS if highest is not None and highest <= top), highest or 100.0)


def figure(score: float) -> str:
    """`81.5`, `81` for a whole one, `0.85` where scores are small, `97,312.5` where they are large."""
    places = 2 if abs(score) < 10 else 1
    return f"{score:,.{places}f}".rstrip("0").rstrip(".")


def mean_figure(mean: float, top: float) -> str:
    """A mean that stands below others: as many digits in each."""
    return f"{mean:,.{1 if top > 10 else 2}f}"
