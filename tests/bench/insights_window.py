"""The plots of insights over a filled store, each beside one GROUP BY over the same columns of the same file.

Started by `s16_insights` as a process of its own, with a data folder and a number of rounds. Each group of plots is
timed from asked for until its cards are painted, turn and turn about with its yardstick. Prints one JSON line.
"""

# ruff: noqa: S608 (the statements are this module's own words; every value is bound)

import json
import sys
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import apsw
from PySide6.QtWidgets import QApplication

from app.desk.forecast.likely_late import Forecast, open_orders
from app.desk.forecast.step_cases import PERIOD, cases_of
from app.desk.insights.insight_choice import InsightChoice
from app.desk.insights.order_plots import OrderPlots
from app.desk.insights.plot_data import Plot
from app.store.cache.counts.step_times import count_steps, promised_orders
from app.store.cache.schema.cache_schema import CACHE
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from app.ui.insights.plot_card import PlotCard
from app.ui.theme.theme import Theme
from tests.bench.harness import Timed, alternate
from tests.bench.s16_insights import TODAY
from tests.bench.world import PRACTICE

LATER = "likely late, cases known"  # they are kept for a quarter of an hour
_DAY = "CAST(julianday(substr({}, 1, 10)) - julianday(substr({}, 1, 10)) AS INTEGER)"
_PAIRS = (
    ("received_at", "imported_at"),
    ("loaded_at", "received_at"),
    ("delivered_at", "loaded_at"),
    ("delivered_at", "received_at"),
    ("delivered_at", "imported_at"),
)
_DELIVERED = "partition = (SELECT partition FROM partitions WHERE list = 'completed') AND delivered_at >= ?"
YARDSTICKS = {
    "on time": (
        "SELECT facility_id, strftime('%W', delivered_at), late_by > 0, count(*) FROM orders"
        f" WHERE {_DELIVERED} GROUP BY 1, 2, 3"
    ),
    "open": (
        "SELECT state, substr(imported_at, 1, 10), count(*) FROM orders"
        " WHERE partition = (SELECT partition FROM partitions WHERE list = 'open') AND imported_at >= ? GROUP BY 1, 2"
    ),
    "steps": (
        f"SELECT facility_id, {', '.join(_DAY.format(*each) for each in _PAIRS)}, count(*) FROM orders"
        f" WHERE {_DELIVERED} GROUP BY 1, 2, 3, 4, 5, 6"
    ),
    "likely late": (
        f"SELECT facility_id, delivery_type, {_DAY.format('requested_delivery', 'received_at')},"
        f" {_DAY.format('delivered_at', 'received_at')}, count(*) FROM orders"
        f" WHERE {_DELIVERED} GROUP BY 1, 2, 3, 4"
    ),
}


def main() -> None:
    """Time every group."""
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2])
    application = QApplication([])
    theme = Theme(application, "light")
    path = DataDir(folder).cache
    cache = Database(path, CACHE)
    bare = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    today, choice = TODAY.date(), InsightChoice()
    orders = OrderPlots(cache.read_separately_now, PRACTICE, choice, today)
    first, _ = choice.span(today)
    cards: dict[str, PlotCard] = {}
    groups: dict[str, Callable[[], list[Plot]]] = {
        "on time": orders.on_time,
        "open": lambda: [orders.open_by_age()],
        "steps": orders.steps,
    }

    def painted(make: Callable[[], list[Plot]]) -> Timed:
        def timed() -> float:
            began = time.perf_counter()
            for plot in make():
                if plot.name not in cards:
                    cards[plot.name] = PlotCard(theme)
                    theme.dress(cards[plot.name])
                    cards[plot.name].resize(540, 480)
                card = cards[plot.name]
                card.show_plot(plot)
                card.grab()
            return (time.perf_counter() - began) * 1000

        return timed

    def cases() -> Forecast:
        counted = cache.read_separately_now(count_steps, PRACTICE, today - PERIOD, today, _nothing)
        return Forecast(cases_of(today - PERIOD, today, counted), today)

    def likely(forecast: Forecast | None) -> float:
        began = time.perf_counter()
        judge = forecast or cases()
        query = open_orders(PRACTICE, today)
        for order in cache.read_separately_now(promised_orders, query, today, date.max, _nothing):
            judge.likely_late(order)
        return (time.perf_counter() - began) * 1000

    def yardstick(name: str) -> Timed:
        since = {"open": date.min, "likely late": today - PERIOD, LATER: today - PERIOD}.get(name, first)
        statement = YARDSTICKS["likely late" if name == LATER else name]

        def timed() -> float:
            began = time.perf_counter()
            bare.execute(statement, (since.isoformat(),)).fetchall()
            return (time.perf_counter() - began) * 1000

        return timed

    found = {}
    known = cases()
    for name in (*YARDSTICKS, LATER):
        ours = painted(groups[name]) if name in groups else partial(likely, known if name == LATER else None)
        result = alternate(ours, yardstick(name), rounds)
        found[name] = (result.ours, result.yardstick)
    bare.close()
    cache.close_now()
    print(json.dumps(found), flush=True)


def _nothing() -> None:
    pass


if __name__ == "__main__":
    main()
