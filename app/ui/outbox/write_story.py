"""The whole story of one write: how it stands, every attempt, the provider's replies and the exact bytes."""

import json
from collections.abc import Callable
from datetime import datetime

from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QSizePolicy, QStackedWidget

from app.store.journal.records import AttemptRow, WriteRow, WriteState, WriteStory
from app.ui.outbox.state_words import KIND_WORDS, OUTCOME_WORDS, look_of, resend_line, verdict_line
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DETAIL_MIN_WIDTH, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.layout import column, holding, row, rule
from app.ui.widgets.text.labels import Tone, set_tone, text_label, visible
from app.ui.widgets.text.times import clock, moment

Act = Callable[[WriteRow], object]
# What withdrawing is called, in the states in which it is possible.
_WITHDRAWING: dict[WriteState, str] = {"queued": "Take back", "in_doubt": "Withdraw", "rejected": "Put away"}


class StoryPane(QFrame):
    """Shows one write; each action is visible only where it makes sense."""

    def __init__(
        self,
        theme: Theme,
        *,
        look_up: Act,
        send: Act,
        correct: Act,
        again: Act,
        clone: Act,
        withdraw: Act,
        arrived: Act,
        printing: Act,
        close: Act,
        find: Act,
    ) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setMinimumWidth(DETAIL_MIN_WIDTH)
        self.setAccessibleName("What was sent")
        self._row: WriteRow | None = None
        self._acts = {
            "look up": look_up,
            "send": send,
            "correct": correct,
            "again": again,
            "clone": clone,
            "withdraw": withdraw,
            "arrived": arrived,
            "print": printing,
            "close": close,
            "find": find,
        }
        self.title = text_label("", "title", selectable=True)
        self.state_label = text_label("", "strong")
        self.note_label = text_label("", wrap=True, selectable=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Attempts, replies and exact content")
        self.text.setTabChangesFocus(True)
        self._actions = QStackedWidget()
        self._actions.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)  # room is for the text
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.look_up_button = with_icon(button("Look it up", self._on("look up"), key="Ctrl+L"), theme, "search")
        self.send_button = with_icon(button("Send now", self._on("send")), theme, "send")
        self.correct_button = with_icon(button("Correct and send again", self._on("correct")), theme, "square-pen")
        self.again_button = with_icon(button("Enter again", self._on("again")), theme, "copy")
        self.clone_button = with_icon(button("Clone", self._on("clone"), key="Ctrl+D"), theme, "copy-plus")
        self.arrived_button = with_icon(button("It arrived", self._on("arrived")), theme, "check")
        self.withdraw_button = with_icon(
            button("Withdraw", self._on("withdraw"), kind="danger"), theme, "rotate-ccw", "bad"
        )
        self.print_button = with_icon(button("Print…", self._on("print"), key="Ctrl+P"), theme, "printer")
        close = icon_button(theme, "x", "Close", self._on("close"))
        self.find_button = button("Show it in the list", self._on("find"))
        small = (self.again_button, self.clone_button, self.print_button)
        first = (self.look_up_button, self.send_button, self.arrived_button, self.correct_button)
        # Two faces: nothing is done with what the rows beside it do not hold.
        lines = (row(*first, None, gap=SPACE_1), row(*small, None, self.withdraw_button, gap=SPACE_1))
        self._actions.addWidget(holding(column(*lines, gap=SPACE_2)))
        gone = text_label("The rows beside this do not hold it any more.", "soft", wrap=True)
        self._actions.addWidget(holding(column(gone, row(self.find_button, None), gap=SPACE_2)))
        head = column(
            row(self.title, None, close),
            self.state_label,
            self.note_label,
            self._actions,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_2),
            gap=SPACE_2,
        )
        self.bar = MessageBar(theme)
        body = column(self.text, margin=(SPACE_4, SPACE_2, SPACE_4, SPACE_3))
        self.setLayout(column(holding(head), rule(), body))
        self.bar.float_over(self, self.text)

    def _on(self, name: str) -> Callable[[], None]:
        def act() -> None:
            if self._row is not None:
                self._acts[name](self._row)

        return act

    @property
    def shown_id(self) -> int | None:
        """The write that is shown."""
        return None if self._row is None else self._row.id

    def show_story(
        self, told: WriteStory, *, blocked: bool = False, paused_until: datetime | None = None, pause_reason: str = ""
    ) -> None:
        """Show a write; `blocked`, `paused_until` and `pause_reason` as for `look_of`."""
        each = told.row
        if self._row is None or (self._row.id, self._row.state) != (each.id, each.state):
            self.bar.clear()  # what was said is of another write, or of the time before
        self._row = each
        glyph, tone, word, meaning = look_of(
            each, blocked=blocked, paused_until=paused_until, pause_reason=pause_reason
        )
        self.title.setText(visible(each.reference))
        self.state_label.setText(f"{glyph} {KIND_WORDS[each.kind]} · {word}")
        set_tone(self.state_label, tone)
        self.note_label.setText(visible(" ".join(part for part in (each.note, meaning) if part)))
        queued = each.state == "queued"
        self.send_button.setVisible((queued or each.state == "in_doubt") and not each.damaged)
        _name(self.send_button, _sending_words(each))
        self.arrived_button.setVisible(each.state == "in_doubt")
        self.withdraw_button.setVisible(each.state in _WITHDRAWING)
        _name(self.withdraw_button, "Withdraw" if each.damaged else _WITHDRAWING.get(each.state, ""))
        self.again_button.setVisible(each.kind == "submit" and each.state in ("accepted", "confirmed", "withdrawn"))
        self.print_button.setVisible(each.kind == "submit")
        self.clone_button.setVisible(each.kind == "submit")
        self.correct_button.setVisible(each.state == "rejected" and each.draft_id is not None)
        self.text.setPlainText(visible(story_text(told)))
        self.show()

    @property
    def is_listed(self) -> bool:
        """Whether the rows beside it hold the write."""
        return self._actions.currentIndex() == 0

    def show_listed(self, listed: bool) -> None:
        """Whether the rows beside it hold the write. Where they do not, nothing is done with it, and that is said."""
        self._actions.setCurrentIndex(0 if listed else 1)

    def say(self, tone: Tone, sentence: str) -> None:
        """Say what an action came to, until the write stands otherwise."""
        self.bar.say(tone, sentence, stays=True)

    def put_away(self) -> None:
        """Show nothing."""
        self._row = None
        self.hide()


def _sending_words(each: WriteRow) -> str:
    if each.state != "queued":
        return "Send again…"
    if each.held is not None:
        return "Send all the same…"
    return "Send without asking…" if each.waits_unasked else "Send now"


def _name(made: QPushButton, words: str) -> None:
    made.setText(f" {words}")
    made.setAccessibleName(words)


def story_text(told: WriteStory) -> str:
    """The story as plain text that can be read, selected and passed on."""
    lines = [f"Queued {moment(told.row.queued_at)}"]
    lines += [line for line in (verdict_line(told.row),) if line]
    for place, attempt in enumerate(told.attempts, 1):
        lines += [line for line in (resend_line(told.row, attempt),) if line]
        lines += _attempt_lines(place, attempt)
    if not told.attempts:
        lines.append("It was never sent." if told.row.state == "withdrawn" else "Not sent yet.")
    if told.row.damaged:
        lines += ["", "What is left of it. It is damaged, not what was queued, and is not sent:"]
    else:
        lines += ["", _heading(told)]
    return "\n".join([*lines, _pretty(told.payload)])


def _heading(told: WriteStory) -> str:
    if told.row.state in ("queued", "sending"):
        return "Exactly what is sent:"
    return "Exactly what was sent:" if told.attempts else "Exactly what was to be sent:"


def _attempt_lines(place: int, attempt: AttemptRow) -> list[str]:
    began = clock(attempt.started_at)
    if attempt.outcome is None or attempt.ended_at is None:
        return [f"Attempt {place}: began {began}, under way"]
    status = "" if attempt.http_status is None else f", HTTP {attempt.http_status}"
    span = f"{began} to {clock(attempt.ended_at)}"
    if attempt.repeats:
        times = "once more" if attempt.repeats == 1 else f"{attempt.repeats:,} times more"
        span = f"{began}, and {times} until {moment(attempt.ended_at)}"
    lines = [f"Attempt {place}: {span}, {OUTCOME_WORDS[attempt.outcome]}{status}"]
    if attempt.sentence:
        lines.append(f"  {attempt.sentence}")
    if attempt.reply:
        lines.append("  Reply:")
        lines += [f"    {line}" for line in _pretty(attempt.reply).splitlines()]
    return lines


def _pretty(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    try:
        laid_out = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):  # no JSON, or nested deeper than anybody reads
        return text
    return laid_out.encode("utf-8", "replace").decode()  # half characters can be written in JSON, but not shown
