"""The forecast about an order, as reasons beside those that its row tells.

Invariant: a rule that is off says nothing, and neither does a forecast that has not been made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from app.desk.desk import Desk
from app.desk.forecast.forecast_words import ground_words
from app.desk.forecast.likely_late import Ground, last_forecast
from app.desk.forecast.stuck import Usual, usual_of
from app.desk.reasons import reasons_words
from app.desk.reasons.order_reasons import Reason
from app.desk.reasons.reason_rules import PLACES, Rule
from app.store.cache.order_rows import OrderLine


@dataclass(frozen=True, slots=True)
class Foretold:
    """The grounds of the orders that are likely late, by number, and how long orders usually wait."""

    grounds: Mapping[int, Ground] = field(default_factory=dict)
    usual: Usual = field(default_factory=lambda: Usual({}))

    def with_reasons(self, line: OrderLine, found: tuple[Reason, ...], today: date) -> tuple[Reason, ...]:
        """The reasons that were found of an order and those of the forecast, the worst first."""
        ground, stuck = self.grounds.get(line.number), self.usual.reason(line, today)
        more = [*([foretold_reason(ground)] if ground is not None else ()), *([stuck] if stuck is not None else ())]
        return tuple(sorted((*found, *more), key=_place)) if more else found


def foretold_reason(ground: Ground) -> Reason:
    """The reason of an order that is likely late, the worse the more orders like it took longer."""
    share = ground.longer * 100 // ground.cases
    return Reason("likely-late", reasons_words.LIKELY_LATE, ground_words(ground).rstrip("."), ground.since, share)


def last_foretold(desk: Desk, rules: Sequence[Rule]) -> Foretold | None:
    """The last forecast of this connection, by the rules that are on; None before there is one.

    Nothing is computed: *Today*, its count and `why:` make the forecast.
    """
    kept = last_forecast(desk)
    if kept is None:
        return None
    on = {rule.name for rule in rules if rule.on}
    grounds = kept.found if "likely-late" in on else {}
    return Foretold(grounds, usual_of(kept.forecast) if "stuck" in on else Usual({}))


def _place(reason: Reason) -> int:
    return PLACES[reason.rule]
