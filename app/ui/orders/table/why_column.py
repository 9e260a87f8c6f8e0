"""The reasons of the rows that the table shows: what *Today* and `why:` say of them, in a column and beside the table.

Invariant: rules and watched orders are those of the connection in use; before they are read, no row has a reason.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from app.desk.reasons.reason_rules import Rule
from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.orders.table.column_kinds import Line
from app.ui.widgets.text import times

if TYPE_CHECKING:
    from app.desk.forecast.foretold import Foretold
    from app.desk.reasons.order_reasons import Reason

_MOST = 2_000  # rows whose reasons are kept: a table paints each of its cells again and again
_BAD = frozenset({"vanished", "overdue", "damaged", "undelivered"})


class ReasonsInForce:
    """The rules and watched orders of the connection in use, and the reasons of the rows asked about lately."""

    def __init__(self) -> None:
        self._rules: Sequence[Rule] = ()
        self._watched: Collection[int] = frozenset()
        self._foretold: Foretold | None = None
        self._known: dict[int, tuple[OrderLine, object, tuple[Reason, ...]]] = {}

    def take(self, rules: Sequence[Rule], watched: Collection[int]) -> None:
        """Judge by these from now on."""
        self._rules = [rule for rule in rules if rule.on]
        self._watched = frozenset(watched)
        self._foretold = None
        self._known = {}

    def foretell(self, foretold: "Foretold | None") -> bool:
        """Say what the forecast says too; returns whether it says something else than before."""
        if foretold == self._foretold:
            return False
        self._foretold, self._known = foretold, {}
        return True

    def of(self, line: Line) -> "tuple[Reason, ...]":
        """The reasons of a row, the worst first; none for a row of the outbox."""
        if isinstance(line, OutboxLine) or not self._rules:
            return ()
        today, known = times.today(), self._known.get(line.number)
        if known is not None and known[0] is line and known[1] == today:
            return known[2]
        from app.desk.reasons.order_reasons import reasons_of  # the first paint does without it

        found = reasons_of(line, self._rules, today, self._watched)
        if self._foretold is not None:
            found = self._foretold.with_reasons(line, found, today)
        if len(self._known) >= _MOST:
            self._known = {}
        self._known[line.number] = line, today, found
        return found


IN_FORCE = ReasonsInForce()


def why_text(line: Line) -> str:
    """The worst reason of a row; empty if nothing is wrong."""
    found = IN_FORCE.of(line)
    return found[0].sentence if found else ""


def why_exact(line: Line) -> str:
    """All reasons of a row, a line each."""
    return "\n".join(reason.sentence for reason in IN_FORCE.of(line))


def why_ink(line: Line) -> str:
    """The colour token of the worst reason."""
    found = IN_FORCE.of(line)
    return "ink" if not found else "bad" if found[0].rule in _BAD else "warn"
