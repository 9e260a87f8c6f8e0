"""The dialog for the rules by which orders need attention: each can be switched off, most have a limit in days.

Invariant: a change holds at once and is saved for this connection; there is nothing to confirm.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QLabel, QSpinBox, QWidget

from app.desk.desk import Desk
from app.desk.reasons.reason_rules import ALL_RULES, LONGEST, Rule, save_rule
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.theme.tokens import ATTENTION_WIDTH, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible


class AttentionDialog(QDialog):
    """`changed` is called when rules were saved, `failed` with a sentence when they were not and this is closed."""

    def __init__(
        self,
        parent: QWidget,
        tasks: Tasks,
        desk: Desk,
        rules: tuple[Rule, ...],
        changed: Callable[[], object],
        failed: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(ATTENTION_WIDTH)
        # Callables and no signals: a rule may still be saved when the dialog is closed and deleted.
        self._tasks, self._desk, self._changed, self._failed = tasks, desk, changed, failed
        self._closed = False
        self._rules = {each.name: each for each in rules}
        self.switches: dict[str, QCheckBox] = {}
        self.limits: dict[str, QSpinBox] = {}
        self.sentences: dict[str, QLabel] = {}
        self.trouble = text_label("", "error", wrap=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_3)
        grid.setColumnStretch(1, 1)
        for at, rule in enumerate(rules):
            self._add(grid, at, rule)
        close = button(translate("Close"), self.accept)
        reset = button(words.DEFAULT_RULES, self._reset)
        self.setLayout(
            column(
                text_label(words.NEEDS_ATTENTION, "title"),
                text_label(words.ANY_RULE, "soft"),
                grid,
                self.trouble,
                row(reset, None, close),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )

    def _add(self, grid: QGridLayout, at: int, rule: Rule) -> None:
        switch = self.switches[rule.name] = QCheckBox(rule.title)
        switch.setChecked(rule.on)
        switch.setAccessibleDescription(rule.words())
        switch.toggled.connect(partial(self._on_switch, rule.name))
        sentence = self.sentences[rule.name] = text_label(rule.words(), "soft", wrap=True)
        grid.addWidget(switch, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(sentence, at, 1)
        if rule.days:
            limit = self.limits[rule.name] = QSpinBox()
            limit.setRange(1, LONGEST)
            limit.setValue(rule.days)
            limit.setSuffix(words.days_suffix(rule.days))
            limit.setAccessibleName(words.days_of_rule(rule.title))
            limit.setEnabled(rule.on)
            limit.valueChanged.connect(partial(self._on_limit, rule.name))
            grid.addWidget(limit, at, 2, Qt.AlignmentFlag.AlignTop)

    def _on_switch(self, name: str, on: bool) -> None:
        if name in self.limits:
            self.limits[name].setEnabled(on)
        self._set_rule(replace(self._rules[name], on=on))

    def _on_limit(self, name: str, days: int) -> None:
        self.limits[name].setSuffix(words.days_suffix(days))
        self._set_rule(replace(self._rules[name], days=days))

    def _set_rule(self, rule: Rule) -> None:
        self._rules[rule.name] = rule
        self.sentences[rule.name].setText(visible(rule.words()))
        self.switches[rule.name].setAccessibleDescription(rule.words())
        self._tasks.write("keep rules", self._save())

    async def _save(self) -> None:
        # A second write of this name is dropped while the first runs, so the first goes on until all is saved.
        saved: dict[str, Rule] = {}
        while saved != self._rules:
            saved = dict(self._rules)
            try:
                for rule in saved.values():
                    await save_rule(self._desk, rule)
            except StoreError as error:
                self._say(words.rule_not_saved(error.sentence))
                return
        self._changed()

    def _say(self, sentence: str) -> None:
        if self._closed:
            self._failed(sentence)
        else:
            self.trouble.setText(visible(sentence))

    def done(self, result: int) -> None:
        self._closed = True
        super().done(result)

    def _reset(self) -> None:
        for rule in ALL_RULES:
            self.switches[rule.name].setChecked(rule.on)
            if rule.name in self.limits:
                self.limits[rule.name].setValue(rule.days)
