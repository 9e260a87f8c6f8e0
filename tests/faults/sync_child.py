"""`python -m tests.faults.sync_child DIR FACTS SINCE`: a desk without a window that fetches a year, and may be killed.

Goes on where the child before it ended: windows that came whole since SINCE are not asked for again. Prints one JSON
line when it comes to its end: what it says is missing, and how many orders it received.
"""

import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path

from app.api.provider import Addresses, Credentials, Deadlines, open_provider
from app.api.retry import Budget
from app.desk.desk import Desk
from app.desk.sync import order_sync
from app.desk.sync.window_plan import LISTED, all_jobs, find_gaps, stale_jobs
from tests.faults.sender_child import Facts, profile
from tests.faults.workbench import databases
from tests.faults.year_world import DAYS

# As in the program, but for the rests between the tries of a call.
_QUICK = Deadlines(silence=5.0, reads=Budget(attempts=4, seconds=60.0, first=0.01, longest=0.1))


async def work(folder: Path, facts: Facts, since: datetime) -> None:
    """One life of the child, up to its end or a kill."""
    journal, cache, reader = databases(folder)
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    credentials = Credentials(facts["client_id"], facts["client_secret"])
    async with open_provider(places, credentials, deadlines=_QUICK) as provider:
        desk = Desk(profile(facts), journal, cache, reader, datetime.now, provider)
        await order_sync.check_clock(desk)
        jobs = all_jobs(LISTED, desk.now(), DAYS)
        results = await order_sync.fetch(
            desk, stale_jobs(jobs, await order_sync.read_coverage(desk), since, desk.now())
        )
        named = [gap for result in results.values() for gap in result.missing]
        kept = find_gaps(jobs, await order_sync.read_coverage(desk), desk.now())
    for each in (journal, cache, reader):
        await each.close()
    told = {
        "orders": sum(result.orders for result in results.values()),
        "said": [[gap.list, gap.start.isoformat(), gap.end.isoformat(), gap.sentence] for gap in named],
        "kept": [[gap.list, gap.start.isoformat(), gap.end.isoformat(), gap.sentence] for gap in kept],
    }
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), json.loads(sys.argv[2]), datetime.fromisoformat(sys.argv[3])))
