"""A freight paper as a picture: letterhead, bars of the order number, addresses, a table of items, a signature.

Sizes are in pixels of a 150 dpi sheet (8.27 by 11 inches). Invariant: text from outside is drawn as one line of
plain characters and never wider than its box.
"""

from dataclasses import dataclass
from datetime import datetime
from random import Random

from PIL import Image, ImageDraw, ImageFont

from app.practice.photos.drawing.noise import Colour
from app.practice.photos.drawing.printed_bars import barcode
from app.practice.photos.scenes.handwriting import circle, signature, tick

WIDTH, HEIGHT, EDGE = 1240, 1650, 80
INK, SOFT, RULE = (24, 24, 28), (92, 92, 98), (120, 120, 126)
PENS: tuple[Colour, ...] = ((22, 38, 128), (22, 38, 128), (26, 26, 34))
COMPANY: tuple[Colour, ...] = ((18, 62, 110), (122, 32, 36), (20, 92, 74), (58, 58, 64), (150, 84, 16))


@dataclass(frozen=True)
class DocumentFacts:
    """The words of a paper. `items`: commodity, description and count; `when`: the date of issue."""

    order_number: str
    crn: str
    consignee_name: str
    address_lines: tuple[str, ...]
    facility: str
    carrier: str
    items: tuple[tuple[str, str, int], ...]
    when: datetime


@dataclass(frozen=True)
class Form:
    """The words of one kind of paper: title, column heads after the description, words at its foot."""

    title: str
    code: str
    heads: tuple[str, ...]
    foot: str
    signed: bool = True
    checks: tuple[str, ...] = ()
    remark: str = ""


class Page:
    """A sheet being written, from top to bottom."""

    def __init__(self, rng: Random) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), (255, 255, 255))
        self.draw = ImageDraw.Draw(self.image)
        self.rng = rng
        self.pen = rng.choice(PENS)
        self.y = float(EDGE)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        colour: Colour = INK,
        *,
        most: float = 1e9,
        bold: bool = False,
    ) -> float:
        """One line of text; shortened with dots where it would pass `most` pixels. Returns its width."""
        font = ImageFont.load_default(size)
        line = plain(words[:200])
        while line and self.draw.textlength(line, font=font) > most:
            line = line[:-2].rstrip() + "…" if len(line) > 2 else ""
        self.draw.text((x, y), line, colour, font, stroke_width=1 if bold and size >= 36 else 0)
        return self.draw.textlength(line, font=font)

    def rule(self, y: float, width: int = 2, colour: Colour = RULE) -> None:
        """Draw a line across the page at height `y`."""
        self.draw.line((EDGE, y, WIDTH - EDGE, y), fill=colour, width=width)

    def ink(self, mask: Image.Image, x: float, y: float) -> None:
        """Something written by hand."""
        self.image.paste(self.pen, (int(x), int(y)), mask)


def plain(words: str) -> str:
    """Text as one printable line."""
    return "".join(mark if mark.isprintable() else " " for mark in words)


def draw_page(form: Form, facts: DocumentFacts, rng: Random) -> Image.Image:
    """The whole sheet, RGB, upright."""
    page = Page(rng)
    _letterhead(page, form, facts)
    _parties(page, facts)
    _table(page, form, facts)
    if form.checks:
        _checks(page, form)
    if form.remark:
        page.text(EDGE, page.y, "Remarks:", 22, SOFT)
        page.text(EDGE + 110, page.y - 4, form.remark, 28, page.pen, most=WIDTH - 2 * EDGE - 110)
        page.rule(page.y + 34, 1)
    _foot(page, form, facts)
    return page.image


def _letterhead(page: Page, form: Form, facts: DocumentFacts) -> None:
    tone = page.rng.choice(COMPANY)
    page.draw.polygon([(EDGE, 92), (EDGE + 74, 92), (EDGE + 54, 152), (EDGE - 20, 152)], fill=tone)
    page.draw.polygon([(EDGE + 84, 92), (EDGE + 104, 92), (EDGE + 84, 152), (EDGE + 64, 152)], fill=tone)
    page.text(EDGE + 124, 88, facts.carrier, 46, tone, most=560, bold=True)
    page.text(EDGE + 126, 142, "Final mile and line haul", 20, SOFT)
    page.text(EDGE, 186, form.title, 40, INK, bold=True, most=620)
    page.text(EDGE, 238, f"{form.code}   ·   {facts.when:%Y-%m-%d %H:%M}   ·   Page 1 of 1", 20, SOFT)
    code = "".join(mark for mark in facts.order_number if 32 <= ord(mark) <= 126) or "0"
    bars = barcode(code, 3 if len(code) < 12 else 2, 92).convert("RGB")
    left = WIDTH - EDGE - bars.width
    page.image.paste(bars, (left, 92))
    page.text(left + 30, 188, facts.order_number, 24, most=bars.width - 30)
    page.y = 282.0
    page.rule(page.y, 3, tone)


def _parties(page: Page, facts: DocumentFacts) -> None:
    top, middle = page.y + 18, WIDTH / 2
    page.text(EDGE, top, "SHIP FROM", 18, SOFT)
    page.text(EDGE, top + 26, f"Facility {facts.facility}", 26, most=480)
    page.text(EDGE, top + 60, f"Order {facts.order_number}", 24, most=480)
    page.text(EDGE, top + 92, f"Reference (CRN) {facts.crn}", 24, most=480)
    page.text(middle, top, "CONSIGNEE", 18, SOFT)
    page.text(middle, top + 26, facts.consignee_name, 26, most=500, bold=True)
    for row, line in enumerate(facts.address_lines[:4]):
        page.text(middle, top + 60 + row * 30, line, 24, most=500)
    page.y = top + 192
    page.draw.rectangle((EDGE - 14, top - 8, middle - 24, page.y - 10), outline=RULE, width=1)
    page.draw.rectangle((middle - 14, top - 8, WIDTH - EDGE, page.y - 10), outline=RULE, width=1)


def _table(page: Page, form: Form, facts: DocumentFacts) -> None:
    """Rows of items; the last columns are filled in by hand."""
    widths = [130.0] * len(form.heads)
    start = WIDTH - EDGE - sum(widths)
    columns = [EDGE, EDGE + 60, EDGE + 270, *(start + sum(widths[:place]) for place in range(len(widths)))]
    top = page.y + 14
    page.draw.rectangle((EDGE - 14, top, WIDTH - EDGE, top + 40), fill=(228, 229, 232))
    for x, head in zip(columns, ("#", "Commodity", "Description", *form.heads), strict=True):
        page.text(x, top + 9, head, 20, SOFT, most=200)
    y = top + 52
    rows = facts.items[: 14 if not form.checks else 9]
    for place, (commodity, description, count) in enumerate(rows, 1):
        page.text(columns[0], y, str(place), 22)
        page.text(columns[1], y, commodity, 22, most=200)
        page.text(columns[2], y, description, 22, most=start - columns[2] - 12)
        page.text(columns[3], y, str(count), 24)
        for x in columns[4:]:
            _by_hand(page, x, y, count)
        page.rule(y + 36, 1, (196, 196, 200))
        y += 46
    if len(rows) < len(facts.items):
        page.text(columns[2], y, f"and {len(facts.items) - len(rows)} more lines", 22, SOFT)
        y += 46
    total = sum(item[2] for item in facts.items)
    page.text(columns[2], y + 6, "Total pieces", 24, bold=True)
    page.text(columns[3], y + 6, str(total), 26, bold=True)
    page.y = y + 70


def _by_hand(page: Page, x: float, y: float, count: int) -> None:
    chance = page.rng.random()
    if chance < 0.78:
        page.ink(tick(page.rng, (44, 34)), x + page.rng.uniform(0, 26), y - 4)
    elif chance < 0.92:
        page.text(x + 12, y - 6, str(max(0, count - page.rng.randrange(2))), 34, page.pen)
        page.ink(circle(page.rng, (64, 48)), x - 6, y - 8)


def _checks(page: Page, form: Form) -> None:
    """Questions with three boxes, one of them ticked."""
    for question in form.checks:
        page.text(EDGE, page.y, question, 23, most=700)
        chosen = page.rng.choice((0, 0, 0, 1, 2))
        for place, answer in enumerate(("Yes", "Partly", "No")):
            x = 820 + place * 120
            page.draw.rectangle((x, page.y + 2, x + 24, page.y + 26), outline=INK, width=2)
            page.text(x + 34, page.y, answer, 22, SOFT)
            if place == chosen:
                page.ink(tick(page.rng, (46, 40)), x - 6, page.y - 12)
        page.y += 48
    page.y += 16


def _foot(page: Page, form: Form, facts: DocumentFacts) -> None:
    top = HEIGHT - 300
    for row, line in enumerate(_wrapped(page, form.foot, WIDTH - 2 * EDGE, 17)[:3]):
        page.text(EDGE, top - 84 + row * 24, line, 17, SOFT)
    if not form.signed:
        page.text(EDGE, top + 60, f"Printed for {facts.carrier}", 20, SOFT, most=700)
        return
    for x, words in (
        (EDGE, "Received by (signature)"),
        (WIDTH / 2 + 20, "Driver"),
        (WIDTH - EDGE - 210, "Date and time"),
    ):
        page.draw.line((x, top + 128, x + (420 if x == EDGE else 210), top + 128), fill=INK, width=2)
        page.text(x, top + 136, words, 18, SOFT)
    page.ink(signature(page.rng, (400, 150)), EDGE + page.rng.uniform(0, 20), top - 14 + page.rng.uniform(-6, 10))
    page.ink(signature(page.rng, (190, 84)), WIDTH / 2 + 24, top + 40)
    page.text(WIDTH - EDGE - 206, top + 88 + page.rng.uniform(-4, 4), f"{facts.when:%d/%m/%y %H:%M}", 27, page.pen)
    page.text(EDGE, top + 164, facts.consignee_name, 22, INK, most=420)


def _wrapped(page: Page, words: str, most: float, size: float) -> list[str]:
    font = ImageFont.load_default(size)
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if page.draw.textlength(longer, font=font) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
