"""A claim on a reference, from before its last look until its outcome is in the journal.

Invariant: while a desk has the claim, no other desk of its team begins an attempt with this reference. Without a team
nothing is asked and nothing waits.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app.desk.desk import Desk
from app.desk.team_side import Claimed


@asynccontextmanager
async def claimed(desk: Desk, reference: str) -> AsyncGenerator[Claimed]:
    """Hold the claim on a reference for the time of the block."""
    team = desk.team
    if team is None:
        yield Claimed("alone")
        return
    found = await team.claim(reference)
    try:
        yield found
    finally:
        # Also after an error: otherwise the others would wait until the claim ends by itself. Where no answer came in
        # time, the claim may have been got all the same.
        if found.state in ("got", "unclaimed") and not found.keep:
            team.give_back(reference)
        else:
            team.tell()
