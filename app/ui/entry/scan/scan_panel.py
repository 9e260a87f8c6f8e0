"""Scanning into the barcodes: the field, what was scanned last, the current commodity and group, a bar per commodity.

What is refused is said, shown and heard, and the field is empty again for the next scan. Every scan is one step of the
barcodes' rows, and so is a pasted column.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.contract.check import read_row
from app.contract.draft import BarcodeDraft
from app.contract.order_rules import BARCODES
from app.desk.drafts.scanning import Tally, codes_in, current_code, mismatches, next_lacking, read_scan, tallies
from app.ui.entry.scan.scan_field import MOST_AT_ONCE, ScanField
from app.ui.entry.scan.tally_bars import TallyBars
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.grid.grid import RowsEditor
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import Tone, announce, restyle, set_tone, text_label, visible

_NAMED = 3
_PART = 24
_ENDLESS = re.compile(rf"\S{{{2 * _PART + 3},}}")
_KEYS = "Enter adds. Ctrl+Up and Ctrl+Down change the commodity, Ctrl+G begins a group, Backspace takes the last off."


class ScanPanel(QWidget):
    """Reads the freight's rows and adds to the barcodes' rows. `others` are codes of commodities known elsewhere."""

    waiting = Signal()  # whether a code waits in the field has changed

    def __init__(self, theme: Theme, freight: RowsEditor, barcodes: RowsEditor) -> None:
        super().__init__()
        self._freight, self._barcodes = freight.model, barcodes
        self._wished = self._group = ""
        self._group_next = self._waits = False
        self._shown: tuple[object, ...] = ()
        self._counted: tuple[tuple[int, int], list[Tally]] = (-1, -1), []
        self.others: frozenset[str] = frozenset()
        self.field = ScanField()
        self.field.setAccessibleName("Scan barcodes")
        self._label = text_label("Scan barcodes", "label")
        self._label.setBuddy(self.field)
        self._now = text_label("", "strong")
        self._last = text_label("", "soft", wrap=True)
        self._last.setMinimumHeight(self._last.fontMetrics().lineSpacing())
        self.group_button = with_icon(button("Begin group", self._toggle_group, tip="Ctrl+G"), theme, "package")
        self.bars = TallyBars(theme)
        line = row(self.field, self.group_button, gap=SPACE_2)
        line.setStretch(0, 1)
        head = row(self._label, None, self._now)
        self.setLayout(column(head, line, self._last, self.bars, gap=SPACE_1))
        self.field.scanned.connect(self._on_scanned)
        self.field.asked.connect(self._on_asked)
        self.field.inputRejected.connect(self._on_too_much)
        self.field.textChanged.connect(self._on_text)
        self.bars.chosen.connect(self._choose)
        self.refresh()

    @property
    def pending(self) -> str:
        """A code that stands in the field and is not on the order yet."""
        return self.field.text().strip()

    @property
    def current(self) -> str:
        """The commodity that the next scan is of."""
        rows = self._barcodes.model.rows
        return current_code(self.counted, self._wished, rows[-1].commodity.strip() if rows else "")

    @property
    def counted(self) -> list[Tally]:
        """Scanned against the freight's count, by commodity; counted once for rows that stay."""
        versions = self._freight.version, self._barcodes.model.version
        if self._counted[0] != versions:
            self._counted = versions, tallies(self._freight.rows, self._barcodes.model.rows)
        return self._counted[1]

    def mismatches(self) -> list[Tally]:
        """The commodities of which other than the freight's pieces were scanned."""
        return mismatches(self.counted) if self._barcodes.model.rows else []

    @property
    def last(self) -> str:
        """What is said of the last scan."""
        return self._last.text()

    def new_row(self) -> BarcodeDraft:
        """A barcode's row as it is before a code was put into it."""
        return BarcodeDraft(commodity=self.current, count="1", groupBarcode=self._group)

    def forget(self) -> None:
        """Another order: nothing was scanned yet."""
        self._wished = self._group = ""
        self._group_next = False
        self.field.clear()
        self._last.setText("")
        self._mark(False)
        self.refresh()

    def refresh(self) -> None:
        """The freight or the barcodes have changed: count again."""
        barcodes = self._barcodes.model
        shown = (
            self._freight.version,
            barcodes.version,
            self._wished,
            self._group,
            self._group_next,
            self._last.text(),
        )
        if shown == self._shown:
            return
        self._shown, current = shown, self.current
        self.bars.show_tallies(self.counted, current)
        now = f"Scanning {current}" if current else "Enter the freight first"
        self._now.setText(_short(f"{now} · group {self._group}" if self._group else now))
        self.field.setPlaceholderText("Scan the group's own barcode" if self._group_next else "")
        words = "End group" if self._group else "Begin group"
        self.group_button.setText(f" {words}")
        self.group_button.setAccessibleName(words)
        self.field.setAccessibleDescription(f"{self._now.text()}. {self._last.text()} {_KEYS}")

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
        self._refuse(f"Nothing was added: more than {MOST_AT_ONCE:,} characters at once.")

    def _known(self) -> set[str]:
        return {item.barcode.strip() for item in self._barcodes.model.rows}

    def _take(self, code: str) -> None:
        codes = codes_in(self._freight.rows)
        found = read_scan(code, codes, self._known(), self.current, self._group, self.others)
        if found.outcome == "refused":
            self._refuse(found.sentence)
            return
        self._wished = found.commodity
        if found.row is None:
            self._say("good", f"✓ {found.sentence}")
            return
        self._barcodes.append(found.row)
        taken = next(each for each in self.counted if each.commodity == found.row.commodity)
        if taken.left < 0 < taken.wanted:
            self._say("warn", f"! {found.sentence}. More than the freight says: {taken.words}.")
            return
        more = self._hand_over(self.counted) if taken.full else ""
        self._say("good", f"✓ {found.sentence}{more}")

    def _hand_over(self, counted: Sequence[Tally]) -> str:
        """Nothing more is chosen of a commodity that is full, where another lacks scans; what to say of it."""
        chosen = next((each for each in counted if each.commodity == self._wished), None)
        following = next_lacking(counted, self._wished)
        if chosen is None or not chosen.full or not following:
            return ""
        self._wished = ""  # so that taking the last one off leads back to it
        return f". {chosen.commodity} is full: now scanning {following}."

    def _take_all(self, codes: Sequence[str]) -> None:
        """A pasted column is one step."""
        known, rows, refused = self._known(), [], []
        freight, counted, current = codes_in(self._freight.rows), {e.commodity: e for e in self.counted}, self.current
        for code in codes:
            found = read_scan(code, freight, known, current, self._group, self.others)
            if found.outcome == "refused":
                refused.append(found.sentence)
                continue
            current = self._wished = found.commodity
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
                    current, self._wished = following, ""
        if rows:
            self._barcodes.model.change(len(self._barcodes.model.rows), 0, rows)
            self._barcodes.grid.scrollToBottom()
        added = f"{len(rows):,} added."
        if not refused:
            self._say("good", f"✓ {added}")
            return
        more = f" And {len(refused) - _NAMED:,} more." if len(refused) > _NAMED else ""
        self._refuse(f"{added} {len(refused):,} refused: {' '.join(refused[:_NAMED])}{more}")

    def _take_table(self, lines: Sequence[str]) -> None:
        """A pasted table, wider than a code and its commodity, is no scan: its rows stand in the grid as they are."""
        count, words = self._barcodes.append_block("\n".join(lines))
        if count:
            self._say("good", f"✓ {words}")
        else:
            self._refuse(words)

    def _on_asked(self, wanted: str) -> None:
        match wanted:
            case "next":
                self._step(1)
            case "previous":
                self._step(-1)
            case "group":
                self._toggle_group()
            case "take off":
                self._take_off()
            case "undo":
                self._barcodes.undo()
                self._say("", "The last change of barcodes was taken back.")
            case "redo":
                self._barcodes.redo()
                self._say("", "The change of barcodes was made again.")

    def _take_off(self) -> None:
        rows = self._barcodes.model.rows
        if not rows:
            self._refuse("There is no barcode to take off.")
            return
        code = rows[-1].barcode
        self._barcodes.model.change(len(rows) - 1, 1, [])
        self._say("", f"{code or 'An empty row'} was taken off. Ctrl+Z puts it back.")

    def _step(self, by: int) -> None:
        codes = codes_in(self._freight.rows)
        if not codes:
            self._refuse("The freight has no commodity yet. Enter the freight first.")
            return
        self._choose(codes[(codes.index(self.current) + by) % len(codes)])

    def _choose(self, code: str) -> None:
        self._wished = code
        self._say("", f"Now scanning {code}.")
        self.field.setFocus()

    # Groups

    def _toggle_group(self) -> None:
        self.field.setFocus()
        if self._group or self._group_next:
            ended, self._group, self._group_next = self._group, "", False
            self._say("", f"Group {ended} has ended." if ended else "No group was begun.")
            return
        self._group_next = True
        self._say("", "Scan the group's own barcode. What is scanned after it belongs to the group.")

    def _begin_group(self, code: str) -> None:
        issues = read_row(BARCODES, BarcodeDraft("-", "-", "1", "", code)).issues
        if issues:
            self._refuse(f"{code}: {issues[0].sentence}")
            return
        self._group, self._group_next = code, False
        self._say("good", f"✓ Group {code} has begun.")

    # Saying it

    def _refuse(self, sentence: str) -> None:
        self._say("bad", f"✕ {sentence}")
        self._mark(True)
        QApplication.beep()

    def _say(self, tone: Tone, words: str) -> None:
        set_tone(self._last, tone)
        self._last.setText(_short(words))
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
