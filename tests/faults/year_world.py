"""A client's year of orders, made from a seed and served on loopback: every request gets the same answer."""

import json
import random
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache

from app.desk.sync.window_plan import LISTED, Listed
from tests.support.fault_server import INFORMATION, Answer, FaultServer, Seen

Record = dict[str, object]
DAYS = 365
_OPEN_SHARE = 0.1
_PATHS: dict[Listed, str] = {"open": "/orders/open", "completed": "/orders/completed"}


class Year:
    """`size` orders over the days up to today: about a tenth of them open, by import; the others completed, by
    delivery."""

    def __init__(self, size: int, seed: int, today: date) -> None:
        self.size, self.seed, self.today = size, seed, today
        self.days = [today - timedelta(days=back) for back in range(DAYS + 1)]
        self._bodies = lru_cache(64)(self._body)

    def day(self, name: Listed, day: date) -> list[Record]:
        """The orders of one day of one list."""
        back = (self.today - day).days
        if not 0 <= back <= DAYS:
            return []
        first, last = (self.size * at // (DAYS + 1) for at in (back, back + 1))
        chance = random.Random(f"{self.seed}/{back}")
        found = []
        for number in range(first + 1, last + 1):
            is_open = chance.random() < _OPEN_SHARE
            record = self._record(number, day, chance, is_open=is_open)
            if is_open == (name == "open"):
                found.append(record)
        return found

    def _record(self, number: int, day: date, chance: random.Random, *, is_open: bool) -> Record:
        moment = datetime.combine(day, datetime.min.time()) + timedelta(seconds=chance.randrange(86_400))
        imported = moment if is_open else moment - timedelta(days=6)
        record: Record = {
            "OrderNumber": number,
            "CRN": f"CRN-{number:07}",
            "PO": [f"PO-{chance.randrange(10**6)}"],
            "Consignee": {
                "Name": chance.choice(("J. Rivera", "Núñez & Sons", "李 小龍", "O'Brien")),
                "Phone": f"901-555-{chance.randrange(10**4):04}",
                "Address": {"StreetAddress1": f"{number % 900} Beale St", "City": "Memphis", "State": "TN"},
            },
            "DateImported": imported.isoformat(),
            "StatusId": "AVL" if is_open else "CMP",
            "Commodities": [{"CommodityCode": "SOFA", "Count": chance.randrange(1, 5)}],
        }
        if not is_open:
            record |= {"DateActualDelivery": moment.isoformat(), "ProofOfDelivery": [{"Folder": "POD"}]}
        return record

    def _body(self, name: Listed, day: date) -> str:
        return ",".join(json.dumps(each, ensure_ascii=False) for each in self.day(name, day))

    def serve(self, server: FaultServer) -> None:
        """Let the server answer both lists from this year."""
        for name in LISTED:
            server.serve(INFORMATION + _PATHS[name], self._answer(name))

    def _answer(self, name: Listed) -> Callable[[Seen], Answer]:
        def answer(seen: Seen) -> Answer:
            start, end = (datetime.fromisoformat(seen.query[each]) for each in ("StartDate", "EndDate"))
            days = [start.date() + timedelta(days=at) for at in range((end.date() - start.date()).days + 1)]
            bodies = [body for day in days if (body := self._bodies(name, day))]
            return Answer(200, f"[{','.join(bodies)}]".encode())

        return answer


def asked_for(seen: Seen) -> tuple[Listed, datetime] | None:
    """The list and the first moment of a request for a window; None for any other request."""
    for name, path in _PATHS.items():
        if seen.path.endswith(path):
            return name, datetime.fromisoformat(seen.query["StartDate"])
    return None
