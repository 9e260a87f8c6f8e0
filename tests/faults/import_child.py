"""`python -m tests.faults.import_child DIR FACTS FILE`: a desk without a window that imports a file and is killed.

Opens the journal in DIR and recovers. If no import is in it, it reads FILE, checks it, looks what would be sent, and
freezes that; then it sends what can be sent. FACTS is a JSON object with the provider's three addresses, id and secret.
Prints a line after each step: `recovered`, `frozen`, `done`.
"""

import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path

from app.api.provider import Addresses, Credentials, open_provider
from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.outcome import import_batch, import_verdicts
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.outcome.watched_folder import open_sheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.sending import outbox, settling
from tests.faults.sender_child import Facts, profile, say
from tests.faults.workbench import databases
from tests.support.desks import QUICK


async def work(folder: Path, facts: Facts, file: Path) -> None:
    """One life of the child, up to its end or a kill."""
    journal, cache, reader = databases(folder)
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    credentials = Credentials(facts["client_id"], facts["client_secret"])
    async with open_provider(places, credentials, deadlines=QUICK) as provider:
        desk = Desk(profile(facts), journal, cache, reader, datetime.now, provider)
        await outbox.recover(desk)
        say("recovered")
        if not await import_batch.summaries(desk):
            await freeze(desk, file)
        say("frozen")
        await settling.settle(desk)
        await import_batch.run(desk)
        await outbox.drain(desk)
        (about,) = await import_batch.summaries(desk)
        say(f"waiting {about.waiting}")
        say("done")
    for each in (journal, reader, cache):
        await each.close()


async def freeze(desk: Desk, file: Path) -> int | None:
    """Read, check and freeze a file; None if nothing of it would be sent."""
    sheet, _ = await open_sheet(desk, file, ReadOptions(), Progress())
    verdicts = ImportVerdicts()
    await import_verdicts.look_here(desk, sheet, verdicts, Progress())
    return await import_batch.freeze(desk, sheet, verdicts, Progress())


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), json.loads(sys.argv[2]), Path(sys.argv[3])))
