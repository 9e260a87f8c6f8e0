"""Where a connection leads decides where its outbox goes: nothing of it is hidden or sent elsewhere unsaid.

A connection is removed only once its outbox has ended. One that is pointed at another provider or client takes along
what has not left, if a person says so; what may have arrived keeps it where it is, since only that provider knows.
"""

from collections.abc import Awaitable, Callable, Sequence

from app.desk.connections import profiles
from app.desk.connections.unfinished_work import unfinished
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.sqlite.database import Database
from app.ui.base.page import Page
from app.ui.widgets.confirm import confirmed

Keep = Callable[[Database, Profile], Awaitable[None]]


class Leading:
    """Asks in the page's name; `show_outbox` shows the outbox of the connection with this id."""

    def __init__(self, page: Page, journal: Journal, show_outbox: Callable[[str], object]) -> None:
        self._page, self._journal, self._show_outbox = page, journal, show_outbox

    async def may_be_removed(self, profile: Profile) -> bool:
        """Whether nothing of it is on its way or needs a person, and a person says so. Raises `StoreError`."""
        left = await unfinished(self._journal, profile.id)
        if left.writes:
            self._refuse(profile, f"{profile.name} was not removed: {left.words} in its outbox. Settle that first.")
            return False
        drafts = f", with {left.drafts:,} open draft{'' if left.drafts == 1 else 's'}," if left.drafts else ""
        return await confirmed(
            self._page,
            f"Remove the connection {profile.name}?",
            "Its secret is deleted from this computer, and so are the orders, audits and pictures that were fetched "
            f"through it. What was sent through it{drafts} stays in the journal, and is there again once the same "
            "order management address and client id are connected again.",
            "Remove",
        )

    async def way_to_keep(self, before: Profile | None, profile: Profile) -> Keep | None:
        """How a connection is to be kept; None when it stays as it was `before`. Raises `StoreError`."""
        if before is None or profiles.same_place(before, profile):
            return profiles.save
        left = await unfinished(self._journal, profile.id)
        if left.may_be_there:
            words = (
                f"{before.name} was not changed: {left.words} in its outbox. Only the provider before knows of that."
            )
            self._refuse(before, f"{words} Settle it first, or make a new connection.")
            return None
        if left.queued and not await confirmed(
            self._page,
            f"Send what {before.name} has queued to the new place?",
            f"{left.queued:,} in its outbox {'has' if left.queued == 1 else 'have'} not left for {_place(before)}. "
            f"From now on that goes to {_place(profile)}.",
            "Send it there",
        ):
            return None
        return profiles.move

    def _refuse(self, profile: Profile, words: str) -> None:
        def show() -> None:
            self._show_outbox(profile.id)

        self._page.bar.say("warn", words, "Show its outbox", show)


def _place(profile: Profile) -> str:
    return f"{profile.base_url} as client {profile.client_id}"


def twin_words(profile: Profile, others: Sequence[Profile]) -> str:
    """What has to be said when another connection leads to the same place; empty when none does."""
    twins = [each.name for each in others if each.id != profile.id and profiles.same_place(each, profile)]
    if not twins:
        return ""
    return (
        f" {twins[0]} leads to the same provider as the same client. Each has an outbox of its own and does not know "
        "what was sent by the other: use one of them."
    )
