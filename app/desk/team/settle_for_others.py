"""A person of this desk decides about a write in doubt of another desk, whose own person may be away.

Nothing changes here but the log: the other desk takes the decision into its journal when it reads the log
(`desk/sending/settling`), as if it had been made there.
"""

from app.desk.desk import Desk
from app.store.journal.team import team_log
from app.store.sqlite.text_values import to_moment
from app.store.store_errors import WrongState
from app.store.team.team_file import OthersWrite
from app.translation import translate

_KIND, _VERSION = "settlement", 1


async def settle_for(desk: Desk, write: OthersWrite, *, arrived: bool) -> None:
    """Tell the team that this attempt arrived, or did not. Raises `WrongState` if it is not in doubt, `StoreError`."""
    if desk.team is None or write.state != "in_doubt" or write.tried_at is None:
        raise WrongState(translate("This is not in doubt any more."))
    body = {
        "place": write.place,
        "kind": write.kind,
        "reference": write.reference,
        "queued_at": to_moment(write.queued_at),
        "sha256": write.sha256,
        "tried_at": to_moment(write.tried_at),
        "arrived": arrived,
    }
    subject = " ".join(str(body[name]) for name in ("place", "reference", "queued_at", "tried_at"))
    await desk.journal.write(team_log.append, _KIND, _VERSION, subject, body)
    desk.team.tell()
