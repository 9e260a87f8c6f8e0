"""Where newer versions are looked for, and whose signature is believed there.

The key has to come by another way than the list, or whoever forges the list forges the key with it: from the
administrator's file, which no ordinary user can write; from whoever packed the program, inside it; or typed by a person
who was given it. A key that is taken from the first list and kept (pinned at first use) would be the forger's for good
where the first list is forged, so there is none of that.

Keys of the administrator count alone, so that one that was lost ends with a line in the file. A person's counts only
where no other is known. Several keys at once are for the time in which a key is changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.api.addresses import check_address
from app.api.errors import BadAddress
from app.desk.updates import updates_words as words
from app.desk.updates.version_list import UpdateTrouble, key_of
from app.resource_folder import RESOURCES
from app.store.journal import setting_store
from app.store.sqlite.database import Database

ADDRESS = "updates.address"  # the field of a BadAddress
BUILT_IN = RESOURCES / "updates" / "keys.txt"  # put there by the packer (packaging/waybill.spec)
_TYPED, _GIVEN, _SEEN = "updates", "updates.given", "updates.seen"
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Source:
    """`address` is that of the list itself. `given`: by the administrator, so that nobody changes it here."""

    address: str
    keys: tuple[str, ...]
    given: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """Where newer versions are looked for. `source` None: nowhere. `off`: the administrator wants none at all."""

    source: Source | None = None
    off: bool = False
    wants_key: bool = True  # whether a person who gives an address has to give a key too


def built_in_keys() -> tuple[str, ...]:
    """The keys that the packer put inside. Reads a small file."""
    try:
        lines = BUILT_IN.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return ()
    return tuple(key_of(line) for line in lines)


async def settled(journal: Database, built_in: Sequence[str]) -> Settled:
    """The source that the administrator has given, else the one that a person has typed."""
    given = await journal.read(setting_store.read_setting, _GIVEN)
    typed = await journal.read(setting_store.read_setting, _TYPED)
    if isinstance(given, dict) and given.get("off") is True:
        return Settled(off=True, wants_key=not built_in)
    source = _source(given, tuple(built_in), given=True) or _source(typed, tuple(built_in), given=False)
    return Settled(source, wants_key=not built_in)


def _source(kept: object, built_in: tuple[str, ...], *, given: bool) -> Source | None:
    if not isinstance(kept, dict) or not kept.get("address"):
        return None
    own = tuple(str(each) for each in kept.get("keys", ()))
    keys = (own or built_in) if given else (built_in or own)
    return Source(str(kept["address"]), keys, given)


async def choose(journal: Database, address: str, key: str) -> None:
    """Keep what a person typed. Raises `BadAddress`, `UpdateTrouble` and `StoreError`."""
    plain = checked_address(address)
    keys = [key_of(key)] if key.strip() else []
    await journal.write(setting_store.write_setting, _TYPED, {"address": plain, "keys": keys})


async def forget(journal: Database) -> None:
    """Ask for nothing any more. Raises `StoreError`."""
    await journal.write(setting_store.write_setting, _TYPED, None)


def checked_address(address: str) -> str:
    """The address without blanks around it. Raises `BadAddress`."""
    plain = address.strip()
    if len(plain) > _LONGEST:
        raise BadAddress(words.NO_LIST, ADDRESS)
    check_address(plain, ADDRESS)
    return plain


async def take_given(journal: Database, entry: object, *, off: bool) -> list[str]:
    """Take over the part `updates` of the administrator's file; sentences about what cannot be used.

    Raises `StoreError`.
    """
    said: list[str] = []
    kept: dict[str, object] | None = {"off": True} if off else None
    if not off and entry is not None:
        try:
            kept = _given(entry)
        except BadAddress as error:
            said.append(words.address_unusable(error.sentence))
        except UpdateTrouble as error:
            said.append(words.key_unusable(error.sentence))
    if await journal.read(setting_store.read_setting, _GIVEN) != kept:
        await journal.write(setting_store.write_setting, _GIVEN, kept)
    return said


def _given(entry: object) -> dict[str, object]:
    parts = entry if isinstance(entry, dict) else {}
    address, key = parts.get("address", ""), parts.get("key", [])
    keys = key if isinstance(key, list) else [key]
    return {"address": checked_address(str(address)), "keys": [key_of(str(each)) for each in keys]}


async def highest_seen(journal: Database, keys: Sequence[str]) -> int:
    """The highest number of a list that one of these keys signed."""
    seen = await journal.read(setting_store.read_setting, _SEEN)
    numbers = [seen.get(key) for key in keys] if isinstance(seen, dict) else []
    return max((each for each in numbers if isinstance(each, int)), default=0)


async def remember_seen(journal: Database, key: str, number: int) -> None:
    """A list of this number, signed with this key, was seen. Raises `StoreError`."""
    if number > await highest_seen(journal, [key]):
        await journal.write(setting_store.put_entry, _SEEN, key, number)
