"""Makes text fit: breaks it into lines, sets it smaller, or shortens it with an ellipsis."""

from app.desk.printing.page_marks import Ruler, Style, Words

_SMALLEST = 0.7  # of the size that was asked for


def one_line(text: str, ruler: Ruler) -> str:
    """The text on one line; line breaks and tabs are shown as signs."""
    return ruler.shown(text.strip()).replace("\n", "␊").replace("\t", "␉")


def wrapped(text: str, width: float, style: Style, ruler: Ruler) -> list[str]:
    """The text in lines of at most `width` mm, broken between words where that is possible; every character stays."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph
        while ruler.width(rest, style) > width:
            end = _longest(rest, width, style, ruler)
            blank = rest.rfind(" ", 0, end + 1)
            cut = blank + 1 if blank > 0 else end
            lines.append(rest[:cut].rstrip(" "))
            rest = rest[cut:]
        lines.append(rest)
    return lines


def _longest(text: str, width: float, style: Style, ruler: Ruler) -> int:
    """How many characters from the beginning fit, at least one."""
    # Doubled first: a text may be very long, and the width of a long text takes its time to measure.
    low, high = 1, min(len(text), 8)
    while high < len(text) and ruler.width(text[:high], style) <= width:
        low, high = high, min(len(text), high * 2)
    while low < high:
        middle = (low + high + 1) // 2
        if ruler.width(text[:middle], style) <= width:
            low = middle
        else:
            high = middle - 1
    return low


def fitted(text: str, width: float, style: Style, ruler: Ruler, *, middle: bool = False) -> tuple[str, Style]:
    """The text on one line of `width` mm, set smaller down to seven tenths, then shortened at the end or in the
    middle."""
    natural = ruler.width(text, style)
    if natural <= width:
        return text, style
    # A little less than the proportion: type does not shrink evenly with its size.
    smaller = style.sized(style.size * max(_SMALLEST, width / natural * 0.99))
    if ruler.width(text, smaller) <= width:
        return text, smaller
    room = max(1, _longest(text, width - ruler.width("…", smaller), smaller, ruler))
    if not middle:
        return f"{text[:room]}…", smaller
    half = room // 2
    return f"{text[: room - half]}…{text[len(text) - half :]}", smaller


def both_ends(
    left: str, right: str, box: tuple[float, float, float], style: Style, ruler: Ruler, *, middle: bool = False
) -> list[Words]:
    """A line with one text at its left end and one at its right end; `box` is x, baseline and width."""
    x, y, width = box
    gap = style.size
    room = max(width * 0.45, width - gap - ruler.width(left, style))
    end, end_style = fitted(right, room, style, ruler) if right else ("", style)
    taken = ruler.width(end, end_style) + gap if end else 0.0
    start, start_style = fitted(left, width - taken, style, ruler, middle=middle)
    made = [Words(x, y, start, start_style)] if start else []
    if end:
        made.append(Words(x + width - ruler.width(end, end_style), y, end, end_style))
    return made
