"""`python -m tests.faults.sender_child DIR FACTS SEED`: a desk without a window that is killed again and again.

Opens the journal in DIR, recovers, queues the orders that are not in it yet and sends what is queued. FACTS is a JSON
object: the provider's three addresses, id, secret, and how many `orders` there are. Prints a line after each step:
`sending N` before recovering, `recovered N`, `queued REFERENCE`, `done`.
"""

import asyncio
import json
import random
import sys
from datetime import datetime
from pathlib import Path

from app.api.provider import Addresses, Credentials, open_provider
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal.profile_store import Profile
from tests.faults.workbench import databases
from tests.support.desks import QUICK, submission

PROFILE = "killed"
Facts = dict[str, str]


def order(seed: int, number: int) -> OrderSubmission:
    """The order with this number: its contents follow from the seed."""
    chance = random.Random(f"{seed}/{number}")
    name = f"Consignee {number} {chance.choice(('Núñez', 'Ōkami', 'Smith', '☃'))}"
    note = "x" * chance.randrange(1, 254)
    return submission(f"R-{number}", name, deliveryInstructions=note)


def profile(facts: Facts) -> Profile:
    """The connection to the oracle."""
    return Profile(
        id=PROFILE,
        name="Killed",
        kind="test",
        base_url=facts["base_url"],
        info_base_url=facts["info_base_url"],
        auth_url=facts["auth_url"],
        client_id=facts["client_id"],
    )


def say(words: str) -> None:
    """A line that is on its way before the next step begins."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


async def work(folder: Path, facts: Facts, seed: int) -> None:
    """One life of the child, up to its end or a kill."""
    journal, cache, reader = databases(folder)
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    credentials = Credentials(facts["client_id"], facts["client_secret"])
    async with open_provider(places, credentials, deadlines=QUICK) as provider:
        desk = Desk(profile(facts), journal, cache, reader, datetime.now, provider)
        say(f"sending {(await outbox.counts(desk))['sending']}")
        say(f"recovered {await outbox.recover(desk)}")
        known = {each.reference for each in await outbox.writes(desk, (), 1_000_000)}
        for number in range(int(facts["orders"])):
            made = order(seed, number)
            if made.orderReferenceNumber not in known:
                await outbox.queue_submission(desk, made, None)
                say(f"queued {made.orderReferenceNumber}")
        await outbox.drain(desk)
        say("done")
    for each in (journal, reader, cache):
        await each.close()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])))
