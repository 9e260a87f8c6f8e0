"""Imports: the rows of a file as they were sent, the exact bytes of each order, and the write that it became.

Invariants:
- An import is fed only once all its bytes are stored (`begin`, `add_orders`, `add_rows`, then `launch`). One of
  cancellations is fed whole as it is launched.
- An order becomes a write in the transaction that stores which write it became: it becomes one write at most.
- An order is not fed once its reference was written after the order was looked at (`overtaken`): by a person, or by an
  import that was launched since. What an import brought that was there already is older, also where it had to wait.

`import_orders.place` is the place of the order's first row in the sheet. All functions take the connection first and
run through `Database.read` or `Database.write`.
"""

# ruff: noqa: S608 (statements are put together from this module's own words; every value is bound)

import hashlib
import json
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeVar

import apsw

from app.store.journal import own_evidence, write_store
from app.store.journal.records import UNSETTLED, VERSION_MARK, WriteKind, WriteRow
from app.store.journal.team import team_log
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import read_moment, storable, to_moment
from app.store.store_errors import WrongState
from app.translation import translate

T = TypeVar("T")
ImportState = Literal["freezing", "running", "paused", "stopped", "done"]
OVERTAKEN, STOPPED = "overtaken", "stopped"
ROWS_OF_A_BLOCK = 500
_LIVE = "('queued', 'sending', 'in_doubt', 'accepted', 'confirmed')"
_UNSETTLED = f"({', '.join(repr(state) for state in UNSETTLED)})"
_ALL = -1  # as the limit of a statement
_WAITING = "write_id IS NULL AND skipped IS NULL"
_ENDED = translate("This import has ended.")


class ImportRow(NamedTuple):
    """An import without its rows. Moments are in UTC."""

    id: int
    profile: str
    name: str
    kind: WriteKind
    state: ImportState
    note: str
    digest: str
    titles: tuple[str, ...]
    begun_at: datetime
    changed_at: datetime


class Newest(NamedTuple):
    """The newest write and the newest import of any connection, by id; 0 where there is none. `clock`: of the newest
    news of the team, 0 without a team."""

    write: int
    imported: int
    clock: int = 0


class FrozenOrder(NamedTuple):
    """An order of an import: its place, the exact bytes, what was the newest when it was looked at, and the verdict
    that a person said yes to."""

    place: int
    reference: str
    payload: bytes
    newest: Newest
    agreed: str | None = None


class KnownWrites(NamedTuple):
    """This desk's writes about a reference: the latest write that was not withdrawn, the submission that counts, and
    the latest submission that came from a file. The last two have their bytes; None where there is none."""

    latest: WriteRow
    sent: tuple[WriteRow, bytes] | None
    filed: bytes | None
    refused: bytes | None  # the bytes of `latest` where the provider refused it


class FileRow(NamedTuple):
    """A row of the file as it was frozen: its number in the file, the place of its order (-1: none is sent), the title
    of the verdict, the sentence, the cells, and the letters of their kinds (empty where all are texts)."""

    number: int
    place: int
    verdict: str
    sentence: str
    cells: tuple[str, ...]
    kinds: str = ""


# Freezing


def begin(
    c: apsw.Connection, profile: str, name: str, kind: WriteKind, digest: str, titles: Sequence[str], now: datetime
) -> int:
    """Begin to store an import; its id. What was begun before and not launched is deleted: its program has ended.

    So imports of a connection are stored one after the other (`Desk.freezing`), and their ids are in the order in
    which they were launched.
    """
    for (unfinished,) in rows(c, "SELECT id FROM imports WHERE state = 'freezing' AND profile = ?", (profile,)):
        delete(c, unfinished)
    c.execute(
        """
        INSERT INTO imports (profile, name, kind, state, note, digest, titles, begun_at, changed_at)
        VALUES (?1, ?2, ?3, 'freezing', '', ?4, ?5, ?6, ?6)
        """,
        (profile, storable(name), kind, digest, _json(list(titles)), to_moment(now)),
    )
    return c.last_insert_rowid()


def add_orders(c: apsw.Connection, import_id: int, orders: Sequence[FrozenOrder]) -> None:
    """Store the bytes of orders that are to be sent. Raises `WrongState` once the import is launched."""
    _expect(c, import_id, "freezing")
    c.executemany(
        """
        INSERT INTO import_orders (import, place, reference, payload, sha256, agreed, last_write, last_import,
                                   last_clock)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
            (import_id, place, reference, payload, hashlib.sha256(payload).hexdigest(), agreed, *newest)
            for place, reference, payload, newest, agreed in orders
        ],
    )


def add_rows(c: apsw.Connection, import_id: int, first: int, found: Sequence[FileRow]) -> None:
    """Store rows of the file, the first of which has this place in the sheet. At most `ROWS_OF_A_BLOCK`."""
    body = zlib.compress(_json([list(each) for each in found]).encode(), 6)
    c.execute("INSERT INTO import_rows (import, first, body) VALUES (?, ?, ?)", (import_id, first, body))


def launch(c: apsw.Connection, import_id: int, now: datetime) -> None:
    """All is stored: the import runs."""
    _expect(c, import_id, "freezing")
    _set_state(c, import_id, "running", "", now)


def launch_cancellations(c: apsw.Connection, import_id: int, now: datetime, undo: timedelta) -> dict[int, str]:
    """All is stored: queue every cancellation of the import, to be undone until `undo` is over; the references by
    write.

    In the transaction that launches it: one that was launched alone would be fed later, with nobody there to undo it.
    """
    launch(c, import_id, now)
    about = import_row(c, import_id)
    _feed_one(c, (import_id, about.kind), about.profile, now, _ALL, undo)
    _end_if_done(c, import_id, about.profile, now)
    return write_ids(c, import_id)


def newest(c: apsw.Connection) -> Newest:
    """The newest write, the newest import that was launched, and the newest news of the team."""
    write = int(value(c, "SELECT coalesce(max(id), 0) FROM writes"))
    imported = int(value(c, "SELECT coalesce(max(id), 0) FROM imports WHERE state <> 'freezing'"))
    return Newest(write, imported, int(value(c, "SELECT clock FROM team_state") or 0))


def journal_name(c: apsw.Connection) -> str:
    """Which journal this is: a text that no other journal has, but a copy."""
    return str(value(c, "SELECT journal FROM tally"))


class Decided(NamedTuple):
    """When a person decided about the contents of a write, in UTC; the clock of the newest news of the team then, None
    where that is not known; and the digest of the contents."""

    at: datetime
    clock: int | None
    sha256: str


def decided(c: apsw.Connection, write_id: int) -> Decided:
    """When the contents of a write were decided: when it was queued, and of an order of a file when that was looked at,
    which may be hours before its turn came. Raises `WrongState` for an unknown id."""
    found = row(
        c,
        """
        SELECT coalesce(imports.begun_at, queued_at), last_clock, writes.sha256 FROM writes
        LEFT JOIN import_orders ON write_id = writes.id LEFT JOIN imports ON imports.id = import
        WHERE writes.id = ?
        """,
        (write_id,),
    )
    if found is None:
        raise WrongState(translate("This is not in the outbox any more."))
    at, looked, digest = found
    clock = team_log.first_clock(c, write_id) if looked is None else looked
    return Decided(read_moment(at), clock or None, str(digest))


# Feeding


def feed(c: apsw.Connection, profile: str, now: datetime, room: int, undo: timedelta) -> list[int]:
    """Queue the next orders of the running imports, so that at most `room` are on their way; the writes' ids.

    Cancellations are queued all at once, to be undone together until `undo` is over. Imports that have ended are
    marked.
    """
    fed: list[int] = []
    for import_id, kind in rows(
        c, "SELECT id, kind FROM imports WHERE profile = ? AND state = 'running' ORDER BY id", (profile,)
    ):
        # A person may have released more than a portion holds: then there is no room, and less than none.
        free = max(room - _on_their_way(c, profile), 0) if kind == "submit" else _ALL
        if free:
            fed += _feed_one(c, (import_id, kind), profile, now, free, undo)
        _end_if_done(c, import_id, profile, now)
    return fed


def _feed_one(
    c: apsw.Connection, of: tuple[int, WriteKind], profile: str, now: datetime, count: int, undo: timedelta
) -> list[int]:
    import_id, kind = of
    fed: list[int] = []
    not_before = None if kind == "submit" else now.astimezone() + undo
    # Orders that are skipped make room for others, which nobody would ask for otherwise.
    while waiting := _next_waiting(c, import_id, _ALL if count == _ALL else count - len(fed)):
        for place, reference, payload, digest, agreed, *looked in waiting:
            # What the disk changed since is not what a person agreed to.
            damaged = hashlib.sha256(payload).hexdigest() != digest
            if damaged or _is_overtaken(c, profile, reference, Newest(*looked)):
                _skip(c, import_id, place, STOPPED if damaged else OVERTAKEN)
                continue
            write = write_store.queue_write(
                c, profile, kind, reference, payload, now, agreed=agreed, not_before=not_before
            )
            # The write has the bytes from now on.
            c.execute(
                "UPDATE import_orders SET write_id = ?, payload = NULL WHERE import = ? AND place = ?",
                (write, import_id, place),
            )
            fed.append(write)
    return fed


def _next_waiting(c: apsw.Connection, import_id: int, count: int) -> list[tuple[Any, ...]]:
    return rows(
        c,
        f"""
        SELECT place, reference, payload, sha256, agreed, last_write, last_import, last_clock FROM import_orders
        WHERE import = ? AND {_WAITING} ORDER BY place LIMIT ?
        """,
        (import_id, count),
    )


def _skip(c: apsw.Connection, import_id: int, place: int, why: str) -> None:
    c.execute("UPDATE import_orders SET skipped = ? WHERE import = ? AND place = ?", (why, import_id, place))


def _on_their_way(c: apsw.Connection, profile: str) -> int:
    """How many writes of imports wait to be sent, or are being sent."""
    return int(
        value(
            c,
            """
            SELECT count(*) FROM writes JOIN import_orders ON import_orders.write_id = writes.id
            WHERE writes.profile = ? AND state IN ('queued', 'sending') AND held IS NULL
            """,
            (profile,),
        )
    )


def _is_overtaken(c: apsw.Connection, profile: str, reference: str, looked: Newest) -> bool:
    """Whether the order was written since it was looked at, by a person or by an import that was launched since.

    What an import brought that was there already is older, also where it was queued later because it had to wait.
    """
    found = value(
        c,
        f"""
        SELECT 1 FROM writes LEFT JOIN import_orders ON import_orders.write_id = writes.id
        WHERE writes.profile = ?1 AND writes.reference = ?2 AND writes.id > ?3 AND state IN {_LIVE}
          AND (import_orders.import IS NULL OR import_orders.import > ?4)
        LIMIT 1
        """,
        (profile, reference, looked.write, looked.imported),
    )
    return found is not None


def _end_if_done(c: apsw.Connection, import_id: int, profile: str, now: datetime) -> None:
    if value(c, f"SELECT 1 FROM import_orders WHERE import = ? AND {_WAITING} LIMIT 1", (import_id,)) is not None:
        return
    open_write = value(
        c,
        f"""
        SELECT 1 FROM writes JOIN import_orders ON import_orders.write_id = writes.id
        WHERE writes.profile = ? AND state IN {_UNSETTLED} AND import_orders.import = ? LIMIT 1
        """,
        (profile, import_id),
    )
    if open_write is None:
        _set_state(c, import_id, "done", "", now)


# A person decides


def pause(c: apsw.Connection, import_id: int, note: str, now: datetime) -> None:
    """Feed no more until `resume`. Raises `WrongState` for an import that does not run."""
    _expect(c, import_id, "running")
    _set_state(c, import_id, "paused", note, now)


def resume(c: apsw.Connection, import_id: int, now: datetime) -> None:
    """Go on. Raises `WrongState` for an import that is not paused."""
    _expect(c, import_id, "paused")
    _set_state(c, import_id, "running", "", now)


def stop(c: apsw.Connection, import_id: int, note: str, sentence: str, now: datetime) -> int:
    """End an import: orders that are not in the outbox are skipped, and those queued there are withdrawn with the
    sentence. Returns how many orders that were. Raises `WrongState` for an import that has ended."""
    _expect(c, import_id, "running", "paused")
    c.execute(
        f"UPDATE import_orders SET skipped = ?, payload = NULL WHERE import = ? AND {_WAITING}", (STOPPED, import_id)
    )
    ended = c.changes()
    queued = rows(
        c,
        """
        SELECT writes.id FROM import_orders JOIN writes ON writes.id = write_id
        WHERE import = ? AND state = 'queued' AND held IS NULL
        """,
        (import_id,),
    )
    for (write,) in queued:
        write_store.settle(c, write, "withdrawn", sentence, now, seen="queued")
    _set_state(c, import_id, "stopped", note, now)
    return ended + len(queued)


def pause_all(c: apsw.Connection, note: str, now: datetime, profile: str | None = None) -> None:
    """Pause all running imports, or those of one connection, and drop the yeses of orders that were not fed yet:
    the connection leads elsewhere, or the folder was copied."""
    running = "SELECT id FROM imports WHERE state IN ('running', 'paused') AND profile = coalesce(?1, profile)"
    c.execute(f"UPDATE import_orders SET agreed = NULL WHERE import IN ({running}) AND {_WAITING}", (profile,))
    c.execute(
        """
        UPDATE imports SET state = 'paused', note = ?2, changed_at = ?3
        WHERE state = 'running' AND profile = coalesce(?1, profile)
        """,
        (profile, note, to_moment(now)),
    )


def alike(c: apsw.Connection, write_id: int) -> list[int]:
    """The writes of the same import that wait for a person for the same reason as this one, itself among them."""
    found = rows(
        c,
        f"""
        SELECT other.id FROM import_orders mine
        JOIN import_orders theirs ON theirs.import = mine.import AND theirs.write_id IS NOT NULL
        JOIN writes this ON this.id = mine.write_id
        JOIN writes other ON other.id = theirs.write_id
        WHERE mine.write_id = ?1 AND other.state = this.state AND other.kind = this.kind
          AND (other.held IS NULL) = (this.held IS NULL)
          AND {_why("other")} = {_why("this")}
          AND (this.held IS NOT NULL OR this.state IN ('in_doubt', 'rejected'))
        ORDER BY other.id
        """,
        (write_id,),
    )
    return [each for (each,) in found]


def _why(write: str) -> str:
    # Each order has a version of its own that somebody else sent; the reason to hold is the same.
    verdict, mark = f"{write}.verdict", f"'{VERSION_MARK}'"
    return f"coalesce(substr({verdict}, 1, instr({verdict} || {mark}, {mark}) - 1), '')"


# Reading


def imports_page(c: apsw.Connection, profile: str, limit: int) -> list[ImportRow]:
    """The imports of a connection, the latest first."""
    found = rows(c, f"{_IMPORT} WHERE profile = ? AND state <> 'freezing' ORDER BY id DESC LIMIT ?", (profile, limit))
    return [_import_row(values) for values in found]


def import_row(c: apsw.Connection, import_id: int) -> ImportRow:
    """One import. Raises `WrongState` for an unknown id."""
    found = row(c, f"{_IMPORT} WHERE id = ?", (import_id,))
    if found is None:
        raise WrongState(translate("There is no such import."))
    return _import_row(found)


def import_of(c: apsw.Connection, write_id: int) -> int | None:
    """The import that a write belongs to."""
    found: int | None = value(c, "SELECT import FROM import_orders WHERE write_id = ?", (write_id,))
    return found


def has_running(c: apsw.Connection, profile: str) -> bool:
    """Whether an import of the connection runs."""
    return value(c, "SELECT 1 FROM imports WHERE profile = ? AND state = 'running' LIMIT 1", (profile,)) is not None


def has_unfinished(c: apsw.Connection, profile: str) -> bool:
    """Whether an import of the connection runs or is paused."""
    found = value(c, "SELECT 1 FROM imports WHERE profile = ? AND state IN ('running', 'paused') LIMIT 1", (profile,))
    return found is not None


def order_counts(c: apsw.Connection, import_id: int) -> dict[str, int]:
    """How many orders of an import are in each state: those of a write, `held`, `waiting`, `overtaken`, `stopped`."""
    return dict(
        rows(
            c,
            f"""
            SELECT {_STATE}, count(*) FROM import_orders LEFT JOIN writes ON writes.id = write_id
            WHERE import = ? GROUP BY 1
            """,
            (import_id,),
        )
    )


class OrderOutcome(NamedTuple):
    """How an order of an import stands: the state as in `order_counts`, the latest sentence, when it changed, and the
    reply that ended it."""

    reference: str
    state: str
    sentence: str
    changed_at: datetime | None
    reply: bytes | None


def order_outcomes(c: apsw.Connection, import_id: int) -> dict[int, OrderOutcome]:
    """How each order of an import stands, by its place."""
    found = rows(
        c,
        f"""
        SELECT place, import_orders.reference, {_STATE}, coalesce(writes.note, ''), writes.changed_at,
               (SELECT reply FROM attempts WHERE attempts.write_id = writes.id ORDER BY id DESC LIMIT 1)
        FROM import_orders LEFT JOIN writes ON writes.id = import_orders.write_id WHERE import = ?
        """,
        (import_id,),
    )
    return {
        place: OrderOutcome(reference, state, note, None if at is None else read_moment(at), reply)
        for place, reference, state, note, at, reply in found
    }


def write_ids(c: apsw.Connection, import_id: int) -> dict[int, str]:
    """The writes of an import so far, each with its reference."""
    return dict(
        rows(c, "SELECT write_id, reference FROM import_orders WHERE import = ? AND write_id IS NOT NULL", (import_id,))
    )


def walk(
    c: apsw.Connection,
    import_id: int,
    work: Callable[[ImportRow, dict[int, OrderOutcome], Iterator[FileRow]], T],
) -> T:
    """Do `work` with an import, the outcomes of its orders, and the rows of the file in their order.

    For a connection of one's own: the rows are read while `work` takes them.
    """
    return work(import_row(c, import_id), order_outcomes(c, import_id), _file_rows(c, import_id))


def _file_rows(c: apsw.Connection, import_id: int) -> Iterator[FileRow]:
    for (body,) in c.execute("SELECT body FROM import_rows WHERE import = ? ORDER BY first", (import_id,)):
        for number, place, verdict, sentence, cells, kinds in json.loads(zlib.decompress(body)):
            yield FileRow(number, place, verdict, sentence, tuple(cells), kinds)


def known_writes(c: apsw.Connection, profile: str, references: Collection[str]) -> dict[str, KnownWrites]:
    """This desk's writes about these references, at the provider where the connection leads now."""
    moved = own_evidence.last_before_move(c, profile)
    # A write without an attempt counts too: it will be sent to where the connection leads now.
    since = "coalesce((SELECT max(id) FROM attempts WHERE write_id = writes.id) > :moved, 1)" if moved else ":moved = 0"
    found = rows(
        c,
        f"""
        SELECT writes.reference, max(writes.id),
               max(writes.id) FILTER (WHERE writes.kind = 'submit' AND state IN {_LIVE}),
               max(writes.id) FILTER (WHERE writes.kind = 'submit' AND state IN {_LIVE} AND import IS NOT NULL)
        FROM json_each(:references) wanted
        JOIN writes ON writes.profile = :profile AND writes.reference = wanted.value
             AND state <> 'withdrawn' AND {since}
        LEFT JOIN import_orders ON import_orders.write_id = writes.id
        GROUP BY writes.reference
        """,
        {"references": _json(list(references)), "profile": profile, "moved": moved},
    )
    return {reference: _known(c, *ids) for reference, *ids in found}


def _known(c: apsw.Connection, latest: int, sent: int | None, filed: int | None) -> KnownWrites:
    (last,) = write_store.writes_by_id(c, (latest,))
    count = None if sent is None else write_store.writes_by_id(c, (sent,))[0]
    return KnownWrites(
        last,
        None if count is None or (body := _sound_bytes(c, count.id)) is None else (count, body),
        None if filed is None else _sound_bytes(c, filed),
        _sound_bytes(c, latest) if last.state == "rejected" and last.kind == "submit" else None,
    )


def _sound_bytes(c: apsw.Connection, write_id: int) -> bytes | None:
    payload, digest = row(c, "SELECT payload, sha256 FROM writes WHERE id = ?", (write_id,)) or (b"", "")
    return bytes(payload) if hashlib.sha256(payload).hexdigest() == digest else None


def waiting_orders(c: apsw.Connection, profile: str, references: Collection[str]) -> dict[str, bytes]:
    """The bytes of these orders in the latest import that has not fed them yet."""
    found = rows(
        c,
        f"""
        WITH wanted(name) AS (SELECT value FROM json_each(:references))
        SELECT reference, payload FROM imports JOIN import_orders ON import = imports.id
        WHERE profile = :profile AND kind = 'submit' AND state IN ('running', 'paused') AND {_WAITING}
          AND reference IN (SELECT name FROM wanted)
        ORDER BY import
        """,
        {"references": _json(list(references)), "profile": profile},
    )
    # By import, so that of several the latest stays in the dict.
    return {reference: bytes(payload) for reference, payload in found}


# Forgetting


def delete(c: apsw.Connection, import_id: int) -> None:
    """Delete an import with its rows; its writes stay."""
    # Children first: they refer to the import, and foreign keys are on.
    for table in ("import_rows", "import_orders"):
        c.execute(f"DELETE FROM {table} WHERE import = ?", (import_id,))
    c.execute("DELETE FROM imports WHERE id = ?", (import_id,))


def forget_before(c: apsw.Connection, moment: datetime) -> int:
    """Delete the imports that ended before `moment`; how many there were."""
    old = rows(
        c,
        "SELECT id FROM imports WHERE state IN ('stopped', 'done', 'freezing') AND changed_at < ?",
        (to_moment(moment),),
    )
    for (import_id,) in old:
        delete(c, import_id)
    return len(old)


_IMPORT = """
    SELECT id, profile, name, kind, state, note, digest, titles, begun_at, changed_at FROM imports
"""
_STATE = """
    CASE WHEN skipped IS NOT NULL THEN skipped WHEN write_id IS NULL THEN 'waiting'
         WHEN state = 'queued' AND held IS NOT NULL THEN 'held' ELSE coalesce(state, 'forgotten') END
"""


def _import_row(values: tuple[Any, ...]) -> ImportRow:
    key, profile, name, kind, state, note, digest, titles, begun, changed = values
    named = tuple(json.loads(titles))
    return ImportRow(key, profile, name, kind, state, note, digest, named, read_moment(begun), read_moment(changed))


def _set_state(c: apsw.Connection, import_id: int, state: ImportState, note: str, now: datetime) -> None:
    c.execute(
        "UPDATE imports SET state = ?, note = ?, changed_at = ? WHERE id = ?",
        (state, note, to_moment(now), import_id),
    )


def _expect(c: apsw.Connection, import_id: int, *states: ImportState) -> None:
    if import_row(c, import_id).state not in states:
        raise WrongState(_ENDED)


def _json(data: object) -> str:
    return storable(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
