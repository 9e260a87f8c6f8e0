"""The profiles of this installation: kept, changed and removed. Practice is always there and needs no set-up.

Invariant: what was sent through a removed connection stays in the journal. Its orders and audits leave the cache,
unless it is in use or was added again.
"""

from dataclasses import dataclass

from app.desk.desk import Desk
from app.store.journal import profile_store, setting_store
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database

PRACTICE_ID = "practice"
ADMINISTRATOR = "administrator"  # the setting that holds what the administrator's file said (`given_connections`)
_LAST_USED = "profile.last_used"
_APPEARANCE = "appearance"
_SIZES = "sizes"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """How many writes are in these states, and how many drafts are open. `queued` includes the held writes.

    They decide whether a connection may be removed, or get another address.
    """

    queued: int = 0
    sending: int = 0
    in_doubt: int = 0
    rejected: int = 0
    drafts: int = 0

    @property
    def writes(self) -> int:
        """How many writes are unfinished."""
        return self.queued + self.sending + self.in_doubt + self.rejected

    @property
    def may_be_there(self) -> bool:
        """Whether a write may have arrived at the provider and is not settled."""
        return bool(self.sending or self.in_doubt)


def practice_profile() -> Profile:
    """The practice profile as it stands before its service has said where it answers."""
    return Profile(
        id=PRACTICE_ID, name="Practice", kind="practice", base_url="", info_base_url="", auth_url="", client_id=""
    )


async def all_profiles(journal: Database) -> list[Profile]:
    """Practice first, then the connections by name."""
    return [practice_profile(), *await journal.read(profile_store.all_profiles)]


async def save(journal: Database, profile: Profile) -> None:
    """Keep a connection, new or changed. Raises `StoreError`."""
    await journal.write(profile_store.save_profile, profile)


async def keep_scopes(journal: Database, profile: Profile) -> None:
    """Keep what a test of a kept connection has found out. Raises `StoreError`."""
    await journal.write(profile_store.save_scopes, profile)


async def move(journal: Database, profile: Profile) -> None:
    """Keep one that leads elsewhere now. Raises `WrongState` while what it sent before is not settled."""
    await journal.write(profile_store.move_profile, profile)


async def id_again(journal: Database, profile: Profile) -> str:
    """The id for a new connection: that of one that was removed, if it was the same, so that its history is back."""
    return await journal.read(profile_store.reusable_id, profile) or profile.id


async def remove(journal: Database, profile: Profile) -> None:
    """Forget a connection. Raises `StoreError`: `WrongState` while something of it has not ended."""
    await journal.write(profile_store.remove_profile, profile)


async def unfinished(journal: Database, profile_id: str) -> Unfinished:
    """Count the unfinished writes and drafts of a connection. Raises `StoreError`."""
    from app.store.journal import draft_store, write_store  # nothing is removed before the first paint

    counted = await journal.read(write_store.counts, profile_id)
    drafts = await journal.read(draft_store.open_draft_names, profile_id)
    return Unfinished(counted["queued"], counted["sending"], counted["in_doubt"], counted["rejected"], len(drafts))


async def forget_gone(desk: Desk) -> None:
    """Delete the orders and audits of every removed connection, in steps. Raises `StoreError`.

    A connection that is added again meanwhile keeps the rest.
    """
    from app.store.cache import forget  # nothing is forgotten before the first paint

    for profile in await desk.reader.read(forget.profiles_with_data):
        more = True
        while more and profile not in await _in_use(desk):
            more = await desk.cache.write(forget.forget_step, profile)


async def _in_use(desk: Desk) -> set[str]:
    # Asked before each step: a person may add the connection again while its orders are being deleted.
    return {desk.profile.id, *(each.id for each in await all_profiles(desk.journal))}


def same_place(one: Profile, other: Profile) -> bool:
    """Whether both lead to the same provider as the same client."""
    return profile_store.same_place(one, other.base_url, other.client_id)


async def last_used(journal: Database) -> Profile:
    """The profile that was in use last, or practice."""
    wanted = await journal.read(setting_store.read_setting, _LAST_USED, PRACTICE_ID)
    found = {each.id: each for each in await all_profiles(journal)}
    return found.get(str(wanted), practice_profile())


async def chose_none(journal: Database) -> bool:
    """Whether nobody has chosen a connection here yet."""
    return await journal.read(setting_store.read_setting, _LAST_USED) is None


async def remember_used(journal: Database, profile_id: str) -> None:
    """Open with this profile the next time."""
    await journal.write(setting_store.write_setting, _LAST_USED, profile_id)


async def pages_off(journal: Database) -> frozenset[str]:
    """The names of the pages that the administrator has switched off, and "notices" if those are."""
    said = await journal.read(setting_store.read_setting, ADMINISTRATOR)
    off = said.get("off") if isinstance(said, dict) else None
    return frozenset(each for each in off if isinstance(each, str)) if isinstance(off, list) else frozenset()


async def appearance(journal: Database) -> str:
    """The appearance that was chosen: system, light or dark."""
    return str(await journal.read(setting_store.read_setting, _APPEARANCE, "system"))


async def remember_appearance(journal: Database, chosen: str) -> None:
    """Open with this appearance the next time."""
    await journal.write(setting_store.write_setting, _APPEARANCE, chosen)


async def sizes(journal: Database) -> tuple[int, bool]:
    """The size of text in per cent, and whether rows stand closer, as they were chosen."""
    saved = await journal.read(setting_store.read_setting, _SIZES)
    found = saved if isinstance(saved, dict) else {}
    text = found.get("text")
    return text if isinstance(text, int) else 100, found.get("compact") is True


async def remember_sizes(journal: Database, text: int, *, compact: bool) -> None:
    """Open with these sizes the next time."""
    await journal.write(setting_store.write_setting, _SIZES, {"text": text, "compact": compact})
