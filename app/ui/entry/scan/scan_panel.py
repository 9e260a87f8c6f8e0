"""Scanning barcodes: the field, the last scan, the current commodity and group, and a bar per commodity.

A refused scan is shown, spoken and heard, and the field is empty for the next one. Each scan is one undo step of the
rows, and so is a pasted column.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.contract.check import read_row
from app.contract.draft import BarcodeDraft
from app.contract.order_rules import BARCODES
from app.desk.drafts import drafts_words
from app.desk.drafts.scanning import Tally, codes_in, current_code, mismatches, next_lacking, read_scan, tallies
from app.ui.entry import entry_words
from app.ui.entry.scan.scan_field import MOST_AT_ONCE, ScanField
from app.ui.entry.scan.tally_bars import TallyBars
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.grid.grid import RowsEditor
from app.ui.widgets.layout import column, row
from app.ui.widgets.sounds import SOUNDS
from app.ui.widgets.text.labels import Tone, announce, restyle, set_tone, text_label, visible

_NAMED = 3
_PART = 24
_ENDLESS = re.compile(rf"\S{{{2 * _PART + 3},}}")


class ScanPanel(QWidget):
    """Reads the freight's rows and adds barcodes. `others` are known commodity codes, also outside the freight."""

    said = Signal(str)  # the sentence about a scan; empty where another order is in the form
    taken = Signal()  # a scan has added a barcode
    waiting = Signal()  # whether a code waits in the field has changed

    def __init__(self, theme: Theme, freight: RowsEditor, barcodes: RowsEditor) -> None:
        super().__init__()
        self._freight, self._barcodes = freight.model, barcodes
        self._chosen = self._group = ""
        self._group_next = self._waits = False
        # What the panel shows: it is laid out anew only where something of it changed, since a scanner types quickly.
        self._shown: tuple[object, ...] = ()
        self._counted: tuple[tuple[int, int], list[Tally]] = (-1, -1), []
        self.others: frozenset[str] = frozenset()
        self.field = ScanField()
        self.field.setAccessibleName(entry_words.SCAN_BARCODES)
        self._label = text_label(entry_words.SCAN_BARCODES, "label")
        self._label.setBuddy(self.field)
        self._now = text_label("", "strong")
        self._last = text_label("", "soft", wrap=True)
        self._last.setMinimumHeight(self._last.fontMetrics().lineSpacing())
        self.group_button = with_icon(
            button(entry_words.BEGIN_GROUP, self._toggle_group, tip="Ctrl+G"), theme, "package"
        )
        self.bars = TallyBars(theme)
        line = row(self.field, self.group_button, gap=SPACE_2)
        line.setStretch(0, 1)
        head = row(self._label, None, self._now)
        self.setLayout(column(head, line, self._last, self.bars, gap=SPACE_1))
        self.field.scanned.connect(self._on_scanned)
        self.field.command.connect(self._on_command)
        self.field.inputRejected.connect(self._on_too_much)
        self.field.textChanged.connect(self._on_text)
        self.bars.chosen.connect(self._choose)
        self.refresh()

    @property
    def pending(self) -> str:
        """A code in the field that was not added yet."""
        return self.field.text().strip()

    @property
    def current(self) -> str:
        """The commodity of the next scan."""
        rows = self._barcodes.model.rows
        return current_code(self.counted, self._chosen, rows[-1].commodity.strip() if rows else "")

    @property
    def counted(self) -> list[Tally]:
        """Scanned pieces against the freight's count, by commodity; counted once for each version of the rows."""
        versions = self._freight.version, self._barcodes.model.version
        if self._counted[0] != versions:
            self._counted = versions, tallies(self._freight.rows, self._barcodes.model.rows)
        return self._counted[1]

    def mismatches(self) -> list[Tally]:
        """The commodities whose scans differ from the freight's count."""
        return mismatches(self.counted) if self._barcodes.model.rows else []

    @property
    def last(self) -> str:
        """The sentence about the last scan."""
        return self._last.text()

    def new_row(self) -> BarcodeDraft:
        """A row for a barcode that is typed into the grid."""
        return BarcodeDraft(commodity=self.current, count="1", groupBarcode=self._group)

    def forget(self) -> None:
        """Another order is in the form: nothing was scanned yet."""
        self._chosen = self._group = ""
        self._group_next = False
        self.field.clear()
        self._last.setText("")
        self.said.emit("")
        self._mark(False)
        self.refresh()

    def refresh(self) -> None:
        """Count again after a change of the freight or the barcodes."""
        barcodes = self._barcodes.model
        shown = (
            self._freight.version,
            barcodes.version,
            self._chosen,
            self._group,
            self._group_next,
            self._last.text(),
        )
        if shown == self._shown:
            return
        self._shown, current = shown, self.current
        self.bars.show_tallies(self.counted, current)
        self._now.setText(_short(entry_words.scanning(current, self._group)))
        self.field.setPlaceholderText(entry_words.SCAN_GROUP if self._group_next else "")
        words = entry_words.END_GROUP if self._group else entry_words.BEGIN_GROUP
        self.group_button.setText(f" {words}")
        self.group_button.setAccessibleName(words)
        self.field.setAccessibleDescription(f"{self._now.text()}. {self._last.text()} {entry_words.SCAN_KEYS}")

    # What comes from the field

    def _on_scanned(self, codes: list[str]) -> None:
        if self._group_next:
            self._begin_group(codes[0].strip())
            codes = codes[1:]
        if any(code.count("\t") > 1 for code in codes):
            self._take_table(codes)
        elif len(codes) == 1:
            self._take(codes[0])
        elif codes:
            self._take_all(codes)

    def _on_too_much(self) -> None:
        self._refuse(entry_words.too_much(MOST_AT_ONCE))

    def _known(self) -> set[str]:
        return {item.barcode.strip() for item in self._barcodes.model.rows}

    def _take(self, code: str) -> None:
        codes = codes_in(self._freight.rows)
        found = read_scan(code, codes, self._known(), self.current, self._group, self.others)
        if found.outcome == "refused":
            self._refuse(found.sentence)
            return
        self._chosen = found.commodity
        if found.row is None:
            self._say("good", f"✓ {found.sentence}")
            return
        self._barcodes.append(found.row)
        SOUNDS.play("taken")
        self.taken.emit()
        taken = next(each for each in self.counted if each.commodity == found.row.commodity)
        if taken.left < 0 < taken.wanted:
            self._say("warn", f"! {entry_words.over_the_freight(found.sentence, taken.words)}")
            return
        self._say("good", f"✓ {self._hand_over(found.sentence, self.counted) if taken.full else found.sentence}")

    def _hand_over(self, scanned: str, counted: Sequence[Tally]) -> str:
        """Leave a full commodity if another one lacks scans. Returns the sentence about the scan."""
        chosen = next((each for each in counted if each.commodity == self._chosen), None)
        following = next_lacking(counted, self._chosen)
        if chosen is None or not chosen.full or not following:
            return scanned
        self._chosen = ""  # so that removing the last barcode leads back to its commodity
        return entry_words.full(scanned, chosen.commodity, following)

    def _take_all(self, codes: Sequence[str]) -> None:
        """Add a pasted column as one undo step."""
        known, rows, refused = self._known(), [], []
        freight, counted, current = codes_in(self._freight.rows), {e.commodity: e for e in self.counted}, self.current
        for code in codes:
            found = read_scan(code, freight, known, current, self._group, self.others)
            if found.outcome == "refused":
                refused.append(found.sentence)
                continue
            current = self._chosen = found.commodity
            if found.row is not None:
                rows.append(found.row)
                known.add(found.row.barcode)
                taken = counted[found.row.commodity]
                taken = counted[taken.commodity] = replace(taken, scanned=taken.scanned + 1)
                if (
                    taken.full
                    and taken.commodity == current
                    and (following := next_lacking([*counted.values()], current))
                ):
                    current, self._chosen = following, ""
        if rows:
            self._barcodes.model.change(len(self._barcodes.model.rows), 0, rows)
            self._barcodes.grid.scrollToBottom()
        if not refused:
            SOUNDS.play("taken")
            self._say("good", f"✓ {entry_words.added(len(rows))}")
            return
        left = max(len(refused) - _NAMED, 0)
        self._refuse(entry_words.added_and_refused(len(rows), len(refused), refused[:_NAMED], left))

    def _take_table(self, lines: Sequence[str]) -> None:
        """Put the rows of a pasted table into the grid as they are: it has more columns than a scan."""
        count, words = self._barcodes.append_block("\n".join(lines))
        if count:
            self._say("good", f"✓ {words}")
        else:
            self._refuse(words)

    def _on_command(self, wanted: str) -> None:
        match wanted:
            case "next":
                self._step(1)
            case "previous":
                self._step(-1)
            case "group":
                self._toggle_group()
            case "remove":
                self._remove_last()
            case "undo":
                self._barcodes.undo()
                self._say("", entry_words.UNDONE)
            case "redo":
                self._barcodes.redo()
                self._say("", entry_words.REDONE)

    def _remove_last(self) -> None:
        rows = self._barcodes.model.rows
        if not rows:
            self._refuse(entry_words.NO_BARCODE)
            return
        code = rows[-1].barcode
        self._barcodes.model.change(len(rows) - 1, 1, [])
        self._say("", entry_words.removed(code))

    def _step(self, by: int) -> None:
        codes = codes_in(self._freight.rows)
        if not codes:
            self._refuse(drafts_words.NO_FREIGHT)
            return
        self._choose(codes[(codes.index(self.current) + by) % len(codes)])

    def _choose(self, code: str) -> None:
        self._chosen = code
        self._say("", drafts_words.now_scanning(code))
        self.field.setFocus()

    # Groups

    def _toggle_group(self) -> None:
        self.field.setFocus()
        if self._group or self._group_next:
            ended, self._group, self._group_next = self._group, "", False
            self._say("", entry_words.group_ended(ended) if ended else entry_words.NO_GROUP)
            return
        self._group_next = True
        self._say("", entry_words.SCAN_GROUP_FIRST)

    def _begin_group(self, code: str) -> None:
        issues = read_row(BARCODES, BarcodeDraft("-", "-", "1", "", code)).issues
        if issues:
            self._refuse(drafts_words.code_and_issue(code, issues[0].sentence))
            return
        self._group, self._group_next = code, False
        self._say("good", f"✓ {entry_words.group_begun(code)}")

    # The sentence about the last scan

    def _refuse(self, sentence: str) -> None:
        self._say("bad", f"✕ {sentence}")
        self._mark(True)
        SOUNDS.play("wrong")

    def _say(self, tone: Tone, words: str) -> None:
        set_tone(self._last, tone)
        self._last.setText(_short(words))
        self.said.emit(_short(words))
        self._mark(False)
        self.refresh()
        announce(self.field, visible(words))

    def _on_text(self, text: str) -> None:
        if text:
            self._mark(False)
        if bool(text.strip()) != self._waits:
            self._waits = not self._waits
            self.waiting.emit()

    def _mark(self, wrong: bool) -> None:
        if bool(self.field.property("wrong")) != wrong:
            self.field.setProperty("wrong", wrong)
            restyle(self.field)


def _short(text: str) -> str:
    """The text with each endless word shortened in its middle, so that it does not widen the form."""
    return _ENDLESS.sub(lambda word: f"{word[0][:_PART]}…{word[0][-_PART:]}", visible(text))
