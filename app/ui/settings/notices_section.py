"""Notices in Settings: of what, when not, what may stand in them, who shows them here. Each choice counts at once."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import time

from PySide6.QtWidgets import QCheckBox, QFrame

from app.desk.audits.audit_views import read_scale
from app.desk.audits.scores import figure
from app.desk.noticing.notice_choices import KINDS, Kind, NoticeChoices, keep_choices, read_choices
from app.desk.reasons.reason_rules import LOW_AUDIT, load_rules
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.notices.notice_service import NoticeService
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import set_tone, text_label, visible

_TOPIC = "notices"
_HALF_HOURS = [time(half // 2, half % 2 * 30) for half in range(48)]


def _shown(moment: time) -> str:
    return moment.isoformat("minutes")


class NoticesSection(QFrame):
    """Hidden until notices have begun, which is after the first paint."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page = page
        self._service: NoticeService | None = None
        self._choices = NoticeChoices()
        self.kind_boxes: Mapping[Kind, QCheckBox] = {kind: QCheckBox(words.NOTICE_KINDS[kind]) for kind in KINDS}
        self.quiet_box = QCheckBox(words.QUIET_HOURS)
        offered = [(_shown(each), _shown(each)) for each in _HALF_HOURS]
        self.quiet_from = ChoiceField(words.QUIET_FROM, offered)
        self.quiet_to = ChoiceField(words.QUIET_TO, offered)
        self.whole_day_label = text_label("", "soft", wrap=True)
        self.references_box = QCheckBox(words.NOTICE_REFERENCES)
        for box in (*self.kind_boxes.values(), self.quiet_box, self.references_box):
            box.toggled.connect(self._on_chosen)
        for field in (self.quiet_from, self.quiet_to):
            field.show_whole()
            field.changed.connect(self._on_chosen)
        self.state_label = text_label("", "soft", wrap=True)
        self.trial_button = button(words.SHOW_NOTICE, self._on_trial)
        hours = row(self.quiet_from, self.quiet_to, self.whole_day_label, gap=SPACE_3)
        hours.setStretch(2, 1)
        standing = row(self.state_label, self.trial_button, gap=SPACE_3)
        standing.setStretch(0, 1)
        self.setLayout(
            column(
                text_label(words.NOTICES, "heading"),
                text_label(words.NOTICES_HELP, "soft", wrap=True),
                *self.kind_boxes.values(),
                SPACE_2,
                self.quiet_box,
                hours,
                self.references_box,
                text_label(words.NOTICE_REFERENCES_HELP, "soft", wrap=True),
                standing,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self.hide()

    def reload(self) -> None:
        """Show anew what is chosen: the rules of *Today* may have changed."""
        if self._service is not None:
            self._on_changed()

    def take(self, service: NoticeService) -> None:
        """Show what is chosen, and who shows notices."""
        self._service = service
        service.changed.connect(self._on_changed)
        self.show()
        self._on_changed()

    def _on_changed(self) -> None:
        self._page.tasks.read("notice choices", self._load())

    async def _load(self) -> None:
        before = self._choices
        kept = await read_choices(self._page.desk.journal)
        # A choice that a person made meanwhile, or that is being kept, is newer than what was read.
        if self._choices is before and not self._page.tasks.running(_TOPIC):
            self._choices = kept
        rules = await load_rules(self._page.desk)
        low = next(each for each in rules if each.name == LOW_AUDIT)
        scale = await read_scale(self._page.desk, rules)
        self.kind_boxes["low-audit"].setText(words.low_audit_kind(figure(scale.low), on=low.on))
        self._draw()

    def _draw(self) -> None:
        choices, service = self._choices, self._service
        boxes = {self.quiet_box: choices.quiet, self.references_box: choices.references}
        boxes |= {box: kind in choices.kinds for kind, box in self.kind_boxes.items()}
        for box, on in boxes.items():
            box.blockSignals(True)  # what is kept is shown, and not kept again
            box.setChecked(on)
            box.blockSignals(False)
            box.setEnabled(not choices.off)
        for field, moment in ((self.quiet_from, choices.quiet_from), (self.quiet_to, choices.quiet_to)):
            field.set_text(_shown(moment))
            field.setEnabled(choices.quiet and not choices.off)
        same = choices.quiet_from == choices.quiet_to
        self.whole_day_label.setText(words.QUIET_ALL_DAY if choices.quiet and same else "")
        if service is None:
            return
        can_show = service.desktop.can_show
        self.state_label.setText(words.NOTICES_OFF if choices.off else visible(service.desktop.sentence))
        set_tone(self.state_label, "soft" if can_show or choices.off else "warn")
        self.trial_button.setVisible(can_show and not choices.off)

    def _on_chosen(self) -> None:
        self._choices = replace(
            self._choices,
            kinds=frozenset(kind for kind, box in self.kind_boxes.items() if box.isChecked()),
            quiet=self.quiet_box.isChecked(),
            quiet_from=time.fromisoformat(self.quiet_from.text()),
            quiet_to=time.fromisoformat(self.quiet_to.text()),
            references=self.references_box.isChecked(),
        )
        self._draw()
        self._page.tasks.write(_TOPIC, self._keep())

    async def _keep(self) -> None:
        kept: NoticeChoices | None = None
        try:
            while kept != self._choices:  # a further choice may have been made while one was kept
                kept = self._choices
                await keep_choices(self._page.desk.journal, kept)
        except StoreError as error:
            self._page.bar.say("bad", words.notices_not_kept(error.sentence), topic=_TOPIC)
            return
        self._page.bar.withdraw(_TOPIC)
        if self._service is not None:
            self._service.noticer.choose_anew()

    def _on_trial(self) -> None:
        if self._service is not None:
            self._service.show_trial()
