"""Words typed into the filter as fast as a scanner types, over 100,000 orders: the last one is still found.

Every key asks the store anew and gives up the question before. The provider is not there: what is searched is what was
last seen.
"""

import random
import re
from pathlib import Path

import pytest

from tests.bench.many_orders import FIRST_NUMBER, filled, made
from tests.support.window import Window, WindowFactory

pytestmark = pytest.mark.anew

_ORDERS, _WORDS = 100_000, 300
_SEED = 5
_WANTED = 61_803


def words(chance: random.Random) -> list[str]:
    """What stands in orders, whole or begun, and what stands in none."""
    known = [each for _, each in zip(range(2_000), made(2_000, _SEED), strict=False)]
    found = []
    for _ in range(_WORDS):
        order = chance.choice(known)
        text = chance.choice((order.consignee_name, order.phone, order.pos, order.city, order.crn, order.zip, "zzq"))
        assert text is not None
        found.append(text[: chance.randrange(1, 12)].strip() or "a")
    return found


def found_references(window: Window) -> list[str]:
    """The references on the first rows of the table."""
    tables = window.seek("Orders", "table")
    rows = tables[0].rows(5) if tables else []
    return [cell for row in rows for cell in row if re.fullmatch(r"CRN-\d{7}", cell)]


def test_the_last_of_300_words_is_still_found(open_window: WindowFactory, tmp_path: Path) -> None:
    folder = filled(_ORDERS, tmp_path)
    (folder / "practice").write_text("no folder, so the service does not start")
    window = open_window(folder)
    window.wait_for(lambda: len(found_references(window)) == 5, "orders of the store")
    chance = random.Random(_SEED)
    window.keys("ctrl+f")
    for word in words(chance):
        delay = str(chance.randrange(13))  # milliseconds between two keys
        window.desktop.do("type", "--clearmodifiers", "--delay", delay, "--", word)
        window.desktop.do("key", "--clearmodifiers", "ctrl+a")
    wanted = f"CRN-{_WANTED:07}"
    window.keys_for(wanted)
    window.wait_for(lambda: found_references(window) == [wanted], f"{wanted} alone")
    assert (
        int(next(cell for cell in window.find("Orders", "table").rows(1)[0] if re.fullmatch(r"7\d{7}", cell)))
        == FIRST_NUMBER + _WANTED
    )
    assert "mistake" not in window.words()
    window.close()
