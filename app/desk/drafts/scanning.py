"""Reads a scan as a barcode of the current commodity or as a change of commodity, or refuses it.

Invariant: a scan adds no row that the contract would refuse, because it is read by the same code as a typed row. A
scanner types exactly, so commodity codes differ by case unless only one fits.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from operator import attrgetter
from typing import Literal

from app.contract.check import read_row
from app.contract.draft import BarcodeDraft, FreightDraft
from app.contract.order_rules import BARCODES
from app.desk.drafts import drafts_words

Outcome = Literal["added", "commodity", "refused"]
_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Scan:
    """The outcome of a scan: `row` is the row to add, `commodity` the current commodity from now on."""

    outcome: Outcome
    sentence: str
    commodity: str
    row: BarcodeDraft | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many pieces of a commodity were scanned, and how many the freight says."""

    commodity: str
    scanned: Decimal
    wanted: Decimal

    @property
    def left(self) -> Decimal:
        """How many are still to be scanned; below zero when too many were."""
        return self.wanted - self.scanned

    @property
    def full(self) -> bool:
        """Whether all pieces were scanned; never where the freight names no number of them."""
        return self.wanted > 0 >= self.left

    @property
    def words(self) -> str:
        """`5 scanned, the freight says 2`, for a commodity of which not all or too many were."""
        scanned = f"{self.scanned.normalize():,f}" if self.scanned else drafts_words.NONE_SCANNED
        return drafts_words.scanned_of(scanned, f"{self.wanted.normalize():,f}")


def codes_in(freight: Iterable[FreightDraft]) -> list[str]:
    """The commodity codes of the freight, each once, in its order."""
    return [code for code in dict.fromkeys(line.commodity.strip() for line in freight) if code]


def read_scan(
    typed: str,
    codes: Sequence[str],
    barcodes: Collection[str],
    current: str,
    group: str = "",
    others: Collection[str] = (),
) -> Scan:
    """Read `typed` on an order with these commodity `codes` and `barcodes`; `others` are other known commodity codes.

    A pasted line may name its commodity behind a tab. Each sentence names the code that was scanned.
    """
    text, _, own = (part.strip() for part in typed.partition("\t"))
    # Before the barcodes: staff scan a label with the commodity's code to say what comes next.
    if not own and (code := _code(text, codes)):
        return Scan("commodity", drafts_words.now_scanning(code), code)
    if not codes:
        return _refused(text, drafts_words.NO_FREIGHT, current)
    # A known code that is no commodity of this order would otherwise become a barcode.
    if not own and text in others:
        return Scan("refused", drafts_words.commodity_not_in_freight(text), current)
    commodity = _code(own, codes) or own or current
    if commodity not in codes:
        return _refused(text, drafts_words.not_in_freight(commodity), current)
    if text in barcodes:
        return Scan("refused", drafts_words.already_scanned(text), current)
    row = BarcodeDraft(commodity=commodity, barcode=text, count="1", groupBarcode=group)
    issues = read_row(BARCODES, row).issues
    if issues:
        return _refused(text, issues[0].sentence, current)
    return Scan("added", f"{text} · {commodity}", current or commodity, row)


def _refused(text: str, sentence: str, current: str) -> Scan:
    """A refusal whose sentence is about the order: of several scans in a row a person has to know which one it was."""
    return Scan("refused", drafts_words.code_and_issue(text, sentence), current)


def current_code(counted: Sequence[Tally], chosen: str, last: str) -> str:
    """The commodity that the next scan is of: the one chosen, else that of the `last` barcode, else the first.

    One that is full hands over to the next that lacks scans. A full one is scanned on only where it was chosen, or
    where none lacks any.
    """
    codes = {each.commodity: each for each in counted}
    if chosen in codes:
        return chosen
    if last in codes:
        return (codes[last].full and next_lacking(counted, last)) or last
    return next_lacking(counted, "") or (counted[0].commodity if counted else "")


def next_lacking(counted: Sequence[Tally], after: str) -> str:
    """The first commodity behind this one, and then from the beginning, that lacks scans; empty when none does."""
    at = next((at for at, each in enumerate(counted) if each.commodity == after), -1)
    round_about = (*counted[at + 1 :], *counted[: at + 1])
    return next((each.commodity for each in round_about if each.left > 0), "")


def mismatches(counted: Iterable[Tally]) -> list[Tally]:
    """The commodities of which other than the freight's pieces were scanned, as far as it names a number of them."""
    return [each for each in counted if each.left and each.wanted > 0]


def tallies(freight: Iterable[FreightDraft], barcodes: Iterable[BarcodeDraft]) -> list[Tally]:
    """Scanned against the freight's count, by commodity; what is no number counts nothing."""
    wanted, scanned = _counted(freight), _counted(barcodes)
    return [Tally(code, scanned.get(code, Decimal(0)), each) for code, each in wanted.items() if code]


_CODE_AND_COUNT = attrgetter("commodity", "count")


def _counted(rows: Iterable[FreightDraft] | Iterable[BarcodeDraft]) -> dict[str, Decimal]:
    """The sum of the counts by commodity. Rows that are alike are added at once: there may be thousands."""
    found: dict[str, Decimal] = {}
    for (commodity, count), times in Counter(map(_CODE_AND_COUNT, rows)).items():
        code = commodity.strip()
        found[code] = found.get(code, Decimal(0)) + number(count) * times
    return found


@lru_cache(4096)
def number(typed: str) -> Decimal:
    """The number, 0 for what is none or lies beyond all freight."""
    try:
        found = Decimal(typed.strip() or "0")
    except InvalidOperation:
        return Decimal(0)
    return found if found.is_finite() and abs(found.adjusted()) < _MOST_DIGITS else Decimal(0)


def _code(text: str, codes: Sequence[str]) -> str:
    """The commodity code that `text` is, in any case if only one fits; empty if it is none."""
    if text in codes:
        return text
    # Two codes may differ by case alone: then neither is guessed.
    alike = [each for each in codes if each.casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else ""
