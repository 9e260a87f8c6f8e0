"""One file on the page: read, mapped, checked, looked up, corrected. It knows no widget.

Invariants: the sheet is changed by one piece of work at a time. What a person types while a larger change is under way
waits and is made after it, in the order in which it was typed. A verdict that an edit or a write of the outbox made
stale is looked for anew.
"""

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.contract.draft import OrderDraft
from app.desk.bulk.files.file_tables import FileTrouble, ReadOptions, Table
from app.desk.bulk.mapping import kept_mappings
from app.desk.bulk.mapping.cell_forms import EXCHANGED
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.mapping.match_columns import Matched, find_forms
from app.desk.bulk.outcome import import_verdicts
from app.desk.bulk.outcome.import_verdicts import Asking, ImportVerdict, ImportVerdicts
from app.desk.bulk.rows import open_file
from app.desk.bulk.rows.cell_issues import CellIssue
from app.desk.bulk.rows.import_sheet import Edit, ImportSheet, Place
from app.desk.bulk.rows.open_file import OpenFile
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.known.known_facilities import KnownFacilities, known_facilities
from app.runtime.tasks import Tasks
from app.store.journal import own_evidence
from app.store.store_errors import StoreError
from app.ui.bulk import bulk_page_words as words

Read = Callable[[ReadOptions, Progress], Awaitable[Table]]
# A change of so many cells is made at once; a larger one on a thread.
_AT_ONCE = 300
_TELL_MS = 100
_LOOK_MS = 200
_OUTBOX_MS = 1_000  # while orders leave, the journal changes several times a second
_NOTHING = ReadOptions()


@dataclass(frozen=True, slots=True)
class _Change:
    """A change to make: `make` returns it as data; `size` is about how many cells it touches."""

    make: Callable[[], Edit]
    size: int


class ImportSession(QObject):
    """`changed`: cells, issues or verdicts are others; several changes at a time. `edited` carries an edit that was
    made, undone or done again. `decided`: orders were left out, or are not any more. `failed` carries a name and a
    sentence."""

    began = Signal(str)
    failed = Signal(str, str)
    stopped = Signal()
    opened = Signal()
    locked = Signal(bool)  # the orders are being made anew; nothing can be changed meanwhile
    mapped = Signal()
    changed = Signal()
    edited = Signal(object)
    decided = Signal()
    put_back = Signal(int, int)  # corrections and left-out orders that a file had again which was opened by hand
    trouble = Signal(str)  # why verdicts are missing; empty once they are not

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._desk: Desk | None = None
        self._read: Read | None = None
        self.name = ""
        self.kept = ""  # the digest of the file, if the journal held it when it was opened
        self.progress = Progress()
        self.asking = Asking()
        self.matched: Matched | None = None
        self.sheet: ImportSheet | None = None
        self.verdicts = ImportVerdicts()
        self.remarks: set[int] = set()  # the orders with a doubt about a cell
        self._waiting: deque[_Change] = deque()
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._stale: dict[int, int] = {}  # the orders whose verdicts are to be looked for anew, by their last edition
        self._edition = 0
        self._looking = 0  # looks for verdicts that are under way
        self._last_change = 0  # of the journal, when the writes of the outbox were last compared with the orders
        self._wrong: list[int] | None = None
        self._alike: Counter[tuple[str, object]] | None = None
        self._tell = self._timer(_TELL_MS, self._tell_changed)
        self._look_later = self._timer(_LOOK_MS, self._look_again)
        self._outbox_later = self._timer(_OUTBOX_MS, self._start_outbox_look)

    def _timer(self, after_ms: int, act: Callable[[], object]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(after_ms)
        made.timeout.connect(act)
        return made

    # A file comes and goes

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk: a file that was open is closed."""
        self._desk = desk
        self.close()

    def close(self) -> None:
        """Put the file away."""
        for name in ("file", "check", "look", "ask"):
            self._tasks.cancel(name)
        self.ignore_outbox()
        self.progress.stop = self.asking.stop = True
        self._read = self.sheet = self.matched = None
        self._forget()
        self.name = ""

    def _forget(self) -> None:
        self.verdicts, self.remarks, self._wrong = ImportVerdicts(), set(), None
        self._waiting.clear()
        self._done, self._undone, self._stale = [], [], {}

    @property
    def table(self) -> Table | None:
        """The file as it was read."""
        return None if self.sheet is None else self.sheet.table

    def open(self, read: Read, name: str, options: ReadOptions = _NOTHING, again: OpenFile | None = None) -> None:
        """Read a file, or a text, in place of the one before. `again` is what an earlier start left of it."""
        self._read, self.name = read, name
        self.asking.stop = True
        self._tasks.cancel("ask")
        self._tasks.read("file", self._open(read, name, options, again))

    def read_anew(self, options: ReadOptions) -> None:
        """Read the same file in another way. Corrections are lost."""
        if self._read is not None:
            self.open(self._read, self.name, options)

    def stop(self) -> None:
        """Stop reading."""
        self.progress.stop = True

    async def _open(self, read: Read, name: str, options: ReadOptions, before: OpenFile | None) -> None:
        self.progress = Progress()
        self.began.emit(name)
        by_hand = options == _NOTHING and before is None
        try:
            table = await read(options, self.progress)
            await self._tasks.ended("remember")  # this file may have the titles of the one before
            if by_hand:
                before = await open_file.kept(self._in_force, table.digest)
                # Read twice at most: only the file tells how a person read it, or its like, the last time.
                again = await self._reading_of(table, before)
                if again is not None:
                    table = await read(again, self.progress)
            matched = await self._match(table, before)
            sheet = ImportSheet(table, matched.mapping, await known_facilities(self._in_force))
            await in_thread(partial(sheet.check_all, self.progress), self.progress)
        except FileTrouble as error:
            self.failed.emit(name, error.sentence)
        except StoreError as error:
            self.failed.emit(name, error.sentence)
        except Stopped:
            self.stopped.emit()
        else:
            self.sheet, self.matched = sheet, matched
            self._forget()
            self.kept = "" if before is None else before.digest
            self._count_remarks(sheet.orders)
            self.opened.emit()
            if before is not None:
                await self._put_back(before)
                if by_hand and (self.corrections or self.left_out()):
                    self.put_back.emit(self.corrections, len(self.left_out()))
            await self._look_at_all()

    async def _reading_of(self, table: Table, before: OpenFile | None) -> ReadOptions | None:
        """How the file is to be read again; None where it was read so already."""
        if before is None:
            return await kept_mappings.reading_for(self._in_force, table)
        return before.options if before.options != table.read_with else None

    async def _put_back(self, before: OpenFile) -> None:
        """Correct and leave out what an earlier start did."""
        # Before the corrections: at no moment may an order be sent that was left out.
        self.verdicts.decided.update(dict.fromkeys(before.left_out, "leave"))
        if before.cells:
            # As an edit like any other: it can be undone, and its verdicts are looked for.
            self.change(partial(open_file.corrections, before), before.count)
            await self._tasks.ended("edit")
        self._drop_decisions()

    def _drop_decisions(self) -> None:
        """Drop the decisions about orders that are not there."""
        orders = {} if self.sheet is None else self.sheet.orders
        self.verdicts.decided = {key: each for key, each in self.verdicts.decided.items() if key in orders}

    async def _match(self, table: Table, before: OpenFile | None) -> Matched:
        """The mapping of a file; that of an earlier start fits only the very same file."""
        if before is None:
            return await kept_mappings.mapping_for(self._in_force, table)
        if table.digest != before.digest:
            raise FileTrouble(words.changed_since(before.name))
        return find_forms(table, open_file.mapping_of(before, table))

    @property
    def _in_force(self) -> Desk:
        assert self._desk is not None
        return self._desk

    # The mapping

    def map(self, mapping: ColumnMapping) -> None:
        """Map the columns in another way: the orders are made and checked anew."""
        if self.sheet is not None:
            self._tasks.cancel("ask")
            self.locked.emit(True)
            self._tasks.read("check", self._map(self.sheet, mapping))

    async def _map(self, sheet: ImportSheet, mapping: ColumnMapping) -> None:
        self.progress = Progress()
        try:
            await self._tasks.ended("edit")  # one change at a time
            matched = find_forms(sheet.table, mapping)
            sheet.set_mapping(matched.mapping)
            self.matched = matched
            self.mapped.emit()
            await in_thread(partial(sheet.check_all, self.progress), self.progress)
        except Stopped:
            return
        finally:
            self.locked.emit(False)
        self.verdicts.found.clear()
        # A decision outlives another mapping where its order does: a person must not decide a hundred times anew.
        self._drop_decisions()
        self._stale.clear()
        self._count_remarks(sheet.orders, anew=True)
        self._tell_changed()
        await self._tasks.ended("remember")  # a second one would be dropped while the first runs
        self._tasks.write("remember", self._remember(sheet.table, matched.mapping))
        await self._look_at_all()

    # Facilities

    def look_at_facilities(self) -> None:
        """Doubt codes anew if other facilities are known by now, such as after a look-up on another page."""
        if self.sheet is not None:
            self._tasks.read("facilities", self._look_at_facilities(self.sheet))

    async def _look_at_facilities(self, sheet: ImportSheet) -> None:
        known = await known_facilities(self._in_force)
        # One change of the sheet at a time. A larger one under way is not waited for: the next look finds the same.
        if sheet is self.sheet and not known.same_as(sheet.facilities) and not self._is_busy:
            self._tasks.write("edit", self._doubt_anew(sheet, known))

    async def _doubt_anew(self, sheet: ImportSheet, known: KnownFacilities) -> None:
        await in_thread(partial(sheet.know, known), Progress())
        if sheet is self.sheet:
            self._count_remarks(sheet.orders, anew=True)
            self._tell_changed()
        await self._make_changes()  # edits typed meanwhile wait for this task: it runs under their name

    async def _remember(self, table: Table, mapping: ColumnMapping) -> None:
        await kept_mappings.remember(self._in_force, table, mapping)

    # Verdicts

    async def _look_at_all(self) -> None:
        # Before the look: a write that is changed meanwhile is compared afterwards.
        self._last_change = await self._in_force.journal.read(own_evidence.last_change)
        await self._look(None)

    async def _look(self, keys: Iterable[int] | None) -> None:
        """Look for verdicts, here first and then at the provider."""
        sheet = self.sheet
        if sheet is None:
            return
        # A number and no flag: another look may begin before this one has ended.
        self._looking += 1
        try:
            await import_verdicts.look_here(self._in_force, sheet, self.verdicts, Progress(), keys)
        finally:
            self._looking -= 1
        self._tell_changed()
        self.ask()

    @property
    def is_looking(self) -> bool:
        """Whether verdicts are still to come that need no network: what would be sent is not known yet."""
        return bool(self._looking) or self._look_later.isActive()

    def ask(self) -> None:
        """Ask the provider about what the stores do not know."""
        if self.sheet is not None:
            self.asking.stop = True
            self.asking = Asking()
            self._tasks.read("ask", self._ask(self.sheet, self.asking))
            self._tell_changed()

    def stop_asking(self) -> None:
        """Ask the provider about no more orders."""
        self.asking.stop = True

    @property
    def is_asking(self) -> bool:
        """Whether the provider is being asked."""
        return self._tasks.running("ask") and not self.asking.stop

    async def _ask(self, sheet: ImportSheet, asking: Asking) -> None:
        await import_verdicts.ask_provider(self._in_force, sheet, self.verdicts, asking, self._on_verdict)
        self.trouble.emit(asking.trouble)
        self._tell_changed()

    def _tell_changed(self) -> None:
        self._alike = None
        self.changed.emit()

    def _on_verdict(self, _key: int) -> None:
        if not self._tell.isActive():
            # The more orders there are, the longer it takes to count them all.
            self._tell.start(max(_TELL_MS, len(self.verdicts.found) // 50))

    def _look_again(self) -> None:
        if self._looking:
            self._look_later.start()  # the look under way began before the edit: its verdicts would come later
        elif self._stale and self.sheet is not None:
            self._tasks.read("look", self._look_stale())
        else:
            self._tell_changed()  # an edit that touched no order

    async def _look_stale(self) -> None:
        """Look for the verdicts that edits made stale. They stay stale until they are found, so none is forgotten."""
        # A copy: edits go on while this waits for the stores.
        looked_for = dict(self._stale)
        await self._look(looked_for.keys())
        for key, edition in looked_for.items():
            if self._stale.get(key) == edition:
                del self._stale[key]
            else:
                # The row was edited while this look was under way, which may have seen the values of before.
                self.verdicts.found.pop(key, None)

    def look_at_outbox(self) -> None:
        """Look anew for the verdicts of orders whose writes in the outbox have changed."""
        # Not started anew: while orders leave it would never end.
        if self.sheet is not None and not self._outbox_later.isActive():
            self._outbox_later.start()

    def ignore_outbox(self) -> None:
        """Break off a look at the outbox. What it would have found is found by the next one."""
        self._outbox_later.stop()
        self._tasks.cancel("outbox")

    def _start_outbox_look(self) -> None:
        if self.sheet is not None:
            self._tasks.read("outbox", self._look_at_outbox(self._in_force, self.sheet))

    async def _look_at_outbox(self, desk: Desk, sheet: ImportSheet) -> None:
        latest, references = await desk.journal.read(
            own_evidence.references_changed, desk.profile.id, self._last_change
        )
        if sheet is not self.sheet:
            return
        self._last_change = latest
        # A verdict that is not found yet is being looked for: the look may have read the journal before this change.
        touched = [key for key, order in sheet.orders.items() if order.reference in references]
        if touched:
            self._edition += 1
            self._stale.update(dict.fromkeys(touched, self._edition))
            self._look_later.start()

    # Corrections

    @property
    def can_undo(self) -> bool:
        """Whether a correction can be undone."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a correction that was undone can be redone."""
        return bool(self._undone)

    @property
    def corrections(self) -> int:
        """How many corrections were made and stand."""
        return len(self._done)

    def change(self, make: Callable[[ImportSheet], Edit], size: int) -> None:
        """Make a change of about `size` cells, as one step to undo."""
        if self.sheet is None:
            return
        change = _Change(partial(make, self.sheet), size)
        # At once only where nothing waits: a key typed after a paste must not be made before it.
        if size <= _AT_ONCE and not self._waiting and not self._is_busy:
            edit = change.make()
            self._after(edit, self.sheet.apply(edit))
            return
        self._waiting.append(change)
        self._tasks.write("edit", self._make_changes())

    @property
    def _is_busy(self) -> bool:
        return self._tasks.running("edit") or self._tasks.running("check")

    async def _make_changes(self) -> None:
        while self._waiting and (sheet := self.sheet) is not None:
            change = self._waiting.popleft()

            def work(change: _Change = change, sheet: ImportSheet = sheet) -> tuple[Edit, frozenset[int]]:
                edit = change.make()
                return edit, sheet.apply(edit)

            made = await in_thread(work, Progress())
            # Another file may be open by now: what was changed in the one before is no correction of this one.
            if sheet is self.sheet:
                self._after(*made)

    def _after(self, edit: Edit, touched: frozenset[int]) -> None:
        if edit.after or edit.added:
            self._done.append(edit)
            self._undone.clear()
        self._tell_of(edit, touched)

    def corrected(self) -> list[Place]:
        """The cells that were corrected, and stand so."""
        return sorted({place for edit in self._done for place in edit.after})

    def undo(self) -> None:
        """Take the latest correction back."""
        if self.sheet is not None and self._done and not self._is_busy:
            edit = self._done.pop()
            self._undone.append(edit)
            self._tell_of(edit, self.sheet.undo(edit))

    def redo(self) -> None:
        """Redo the correction that was undone last."""
        if self.sheet is not None and self._undone and not self._is_busy:
            edit = self._undone.pop()
            self._done.append(edit)
            self._tell_of(edit, self.sheet.apply(edit))

    def put_draft(self, key: int, draft: OrderDraft) -> tuple[str, ...]:
        """Write what the form says into the cells; the paths that no cell can say."""
        assert self.sheet is not None
        edit, unsaid = self.sheet.put_draft(key, draft)
        # Where a larger change is under way, the cells are written after it, as they stand then.
        self.change(partial(_of_draft, key, draft), len(edit.after))
        return unsaid

    def _tell_of(self, edit: Edit, touched: frozenset[int]) -> None:
        assert self.sheet is not None
        orders = self.sheet.orders
        for key in touched:
            self.verdicts.found.pop(key, None)
            # A yes was to what the order said; that a person left it out stays true.
            if key not in orders or self.verdicts.decided.get(key) == "send":
                self.verdicts.decided.pop(key, None)
        self._count_remarks(touched)
        self._edition += 1
        self._stale.update(dict.fromkeys(touched, self._edition))
        self._look_later.start()
        if edit.added:
            self.mapped.emit()
        self.edited.emit(edit)
        self._tell_changed()

    def _count_remarks(self, keys: Iterable[int], *, anew: bool = False) -> None:
        assert self.sheet is not None
        if anew:
            self.remarks.clear()
        self._wrong = None
        for key in keys:
            order = self.sheet.orders.get(key)
            self.remarks.discard(key)
            if order is not None and any(each.grade == "doubt" for each in order.issues):
                self.remarks.add(key)

    def doubtful_days(self) -> list[CellIssue]:
        """The days that are over, and would be to come the other way round: one of each order that is sent, by row."""
        orders = {} if self.sheet is None else self.sheet.orders
        sent = (orders[key] for key in self.remarks if key in orders and self.verdicts.is_sent(key))
        found = (next((each for each in order.issues if each.rule == EXCHANGED), None) for order in sent)
        return sorted((each for each in found if each is not None), key=lambda each: each.row)

    def wrong_rows(self) -> list[int]:
        """The rows with a cell that keeps their order from being sent, ascending."""
        if self._wrong is None:
            orders = () if self.sheet is None else self.sheet.orders.values()
            self._wrong = sorted({each.row for order in orders for each in order.issues if each.grade == "wrong"})
        return self._wrong

    def alike_count(self, key: int) -> int:
        """How many orders have the verdict of this one for the same reason, itself among them; 0 without a verdict."""
        found = self.verdicts.found
        if key not in found:
            return 0
        if self._alike is None:
            self._alike = Counter((each.kind, each.status) for each in found.values())
        return self._alike[found[key].kind, found[key].status]

    def decide(self, keys: Iterable[int], decision: import_verdicts.Decision) -> int:
        """Decide whether orders are sent; how many were decided about."""
        found = self.verdicts.decide(keys, decision)
        self.decided.emit()
        self._tell_changed()
        return found

    def left_out(self) -> list[int]:
        """The keys of the orders that a person left out, ascending."""
        return sorted(key for key, each in self.verdicts.decided.items() if each == "leave")

    def note_sent(self, keys: Iterable[int]) -> int:
        """Note that these orders are under way; returns how many others are neither unchanged nor left out."""
        assert self.sheet is not None
        verdicts = self.verdicts
        for key in keys:
            verdicts.decided.pop(key, None)
            verdicts.found[key] = ImportVerdict("unchanged", words.ON_ITS_WAY)
            verdicts.looked.pop(key, None)  # what was sent just now is no other's change of this order
        self._tell_changed()
        return sum(
            (verdict := verdicts.found.get(key)) is None
            or (verdict.kind != "unchanged" and verdicts.decided.get(key) != "leave")
            for key in self.sheet.orders
        )


def _of_draft(key: int, draft: OrderDraft, sheet: ImportSheet) -> Edit:
    return sheet.put_draft(key, draft)[0]
