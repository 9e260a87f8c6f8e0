"""Work with a team, in Settings: where its database is, as whom, a test leg by leg, joining and leaving.

Invariant: a team is joined only after a test went the whole way. What was typed stays in the fields until then.
"""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from app.background.team_connector import TeamConnector
from app.desk.desk import Desk
from app.store.journal.team.team_choice import TeamChoice
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import set_tone, text_label, visible

if TYPE_CHECKING:
    from app.store.team.try_team import TeamTrial

_TOPIC = "team"
_PORT = "5432"
_LARGEST_PORT = 65_535
_MOST_PERSON = 100
_REQUIRED = ("host", "port", "database", "user", "person")
# The field beside which the trouble of a leg stands.
_FIELD_OF_LEG = {
    "name": "host",
    "connection": "host",
    "certificate": "authorities",
    "password": "password",
    "database": "database",
    "tables": "database",
    "desk": "person",
}


class TeamSection(QFrame):
    """Hidden until the connector is there, which comes after the first paint."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page = page
        self._team: TeamConnector | None = None
        self._desk: Desk | None = None
        self.state_label = text_label("", wrap=True)
        self.people_label = text_label("", "soft", wrap=True)
        self.fields: dict[str, Field] = {
            name: Field(
                label, required=name in _REQUIRED, hint=words.TEAM_HINTS.get(name, ""), secret=name == "password"
            )
            for name, label in words.TEAM_FIELDS.items()
        }
        self.waits_box = QCheckBox(words.TEAM_WAITS)
        self.consignees_box = QCheckBox(words.SHARE_CONSIGNEES)
        self.consignees_box.clicked.connect(self._on_consignees)  # by a person only
        self.consignees_label = text_label(words.SHARE_CONSIGNEES_HELP, "soft", wrap=True)
        self.legs_label = text_label("", wrap=True, selectable=True)
        self.join_button = button(words.JOIN_TEAM, self._open)
        self.change_button = button(words.CHANGE_TEAM, self._open)
        self.retry_button = button(words.TRY_TEAM_NOW, self._try_now)
        self.leave_button = button(words.LEAVE_TEAM, self._on_leave)
        self.test_button = button(words.TEST_TEAM, self._on_test)
        self.save_button = button(words.SAVE_TEAM, self._on_save)
        self.close_button = button(words.TEAM_GO_BACK, self._close, kind="quiet")
        for each in (self.consignees_box, self.consignees_label):
            each.hide()
        self._form = self._lay_out_form()
        self.setLayout(
            column(
                text_label(words.TEAM, "heading"),
                text_label(words.TEAM_HELP, "soft", wrap=True),
                self.state_label,
                self.people_label,
                self.consignees_box,
                self.consignees_label,
                row(self.join_button, self.change_button, self.retry_button, self.leave_button, None, gap=SPACE_2),
                self._form,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self._form.hide()
        self.hide()

    def _lay_out_form(self) -> QWidget:
        # At the top, so that the editors stay on one line however long the sentence below one of them is.
        places = row(*(column(self.fields[name], None) for name in ("host", "port", "database")), gap=SPACE_3)
        for at, share in enumerate((4, 1, 2)):
            places.setStretch(at, share)
        names = row(*(column(self.fields[name], None) for name in ("user", "password", "person")), gap=SPACE_3)
        buttons = row(self.close_button, None, self.test_button, self.save_button, gap=SPACE_2)
        return holding(
            column(places, names, self.fields["authorities"], self.waits_box, buttons, self.legs_label, gap=SPACE_1)
        )

    def take(self, team: TeamConnector) -> None:
        """Show how this desk stands with its team."""
        self._team = team
        team.changed.connect(self.show_state)
        self.show()
        self.show_state()

    def take_desk(self, desk: Desk) -> None:
        """Another connection is in force, for which consignees are shared or not."""
        self._desk = desk
        self.consignees_box.hide()  # so that it is read anew
        self.show_state()

    def show_state(self) -> None:
        """How the connection to the team stands."""
        team = self._team
        if team is None:
            return
        joined = team.choice is not None
        self.join_button.setVisible(not joined and self._form.isHidden())
        self.change_button.setVisible(joined and self._form.isHidden())
        self.leave_button.setVisible(joined)
        self._show_consignees(joined=joined)
        state, trouble = team.state, team.trouble
        if state is not None and state.trouble is not None:
            trouble = state.trouble.sentence
        self.retry_button.setVisible(joined and bool(trouble))
        if team.choice is None:
            self._say("soft", words.WORKS_ALONE)
        elif trouble:
            self._say("warn", words.team_trouble(trouble))
        elif state is None or not state.connected:
            self._say("soft", words.TEAM_CONNECTING)
        else:
            self._say("good", words.team_connected(team.choice.person, state.waiting, state.behind))
        others = sorted({each.person for each in state.desks} - {team.choice.person}) if state and team.choice else []
        self.people_label.setText(visible(words.team_people(others)) if others else "")
        self.people_label.setVisible(bool(others))

    # Known consignees

    def _show_consignees(self, *, joined: bool) -> None:
        state = None if self._team is None else self._team.state
        copies = state is None or state.settings is None or state.settings.payloads
        # For practice there is no team: its orders are nobody else's business.
        shown = joined and self._desk is not None and self._desk.team is not None
        if shown and self.consignees_box.isHidden() and self._desk is not None:
            self._page.tasks.read("shares consignees", self._read_consignees(self._desk))
        for each in (self.consignees_box, self.consignees_label):
            each.setVisible(shown)
        self.consignees_box.setEnabled(copies or self.consignees_box.isChecked())
        self.consignees_label.setText(words.SHARE_CONSIGNEES_HELP if copies else words.NO_CONSIGNEES_HERE)

    async def _read_consignees(self, desk: Desk) -> None:
        from app.desk.team import sharing  # not loaded for a desk without a team

        shared = await sharing.shares_consignees(desk)
        if not self._page.tasks.running("share consignees"):  # else a person has just chosen
            self.consignees_box.setChecked(shared)

    def _on_consignees(self, on: bool) -> None:
        if self._desk is not None:
            self._page.tasks.write("share consignees", self._share_consignees(self._desk, on))

    async def _share_consignees(self, desk: Desk, on: bool) -> None:
        from app.desk.team import sharing

        try:
            await sharing.share_consignees(desk, on=on)
        except StoreError as error:
            self.consignees_box.setChecked(not on)
            self._page.bar.say("bad", words.consignees_unchanged(error.sentence), topic=_TOPIC)
            return
        self._page.bar.say("good", words.CONSIGNEES_SHARED if on else words.CONSIGNEES_NOT_SHARED, topic=_TOPIC)

    def _say(self, tone: str, sentence: str) -> None:
        self.state_label.setText(visible(sentence))
        set_tone(self.state_label, "good" if tone == "good" else "warn" if tone == "warn" else "soft")

    # The form

    def _open(self) -> None:
        assert self._team is not None
        choice = self._team.choice
        for name, field in self.fields.items():
            field.set_text(str(getattr(choice, name)) if choice is not None and name != "password" else "")
            field.set_issue("")
        if choice is None:
            self.fields["port"].set_text(_PORT)
        self.fields["password"].set_required(required=choice is None)
        self.fields["password"].set_note(words.TEAM_PASSWORD_KEPT if choice is not None else "")
        self.waits_box.setChecked(choice is not None and choice.waits)
        self._show_legs(None)
        self._form.show()
        self.show_state()
        self.fields["host"].editor.setFocus()

    def _close(self) -> None:
        # A result that comes later would be shown in a form that is closed.
        self._page.tasks.cancel("test team")
        self._form.hide()
        self.show_state()
        (self.change_button if self._team is not None and self._team.choice else self.join_button).setFocus()

    def _typed(self) -> tuple[TeamChoice, str] | None:
        """The choice as typed, and the password; None if a field is missing or wrong, which is said beside it."""
        texts = {name: field.text().strip() for name, field in self.fields.items() if name != "password"}
        password = self.fields["password"].text()
        issues = {name: words.REQUIRED for name in _REQUIRED if not texts[name]}
        port = int(texts["port"]) if texts["port"].isascii() and texts["port"].isdigit() else 0
        if texts["port"] and not 0 < port <= _LARGEST_PORT:
            issues["port"] = words.TEAM_PORT_WRONG
        if len(texts["person"]) > _MOST_PERSON:
            issues["person"] = words.TEAM_PERSON_LONG
        if not password and (self._team is None or self._team.choice is None):
            issues["password"] = words.REQUIRED
        self._show_issues(issues)
        if issues:
            return None
        choice = TeamChoice(
            texts["host"], port, texts["database"], texts["user"], texts["person"], texts["authorities"],
            self.waits_box.isChecked(),
        )  # fmt: skip
        return choice, password

    def _show_issues(self, issues: dict[str, str]) -> None:
        for name, field in self.fields.items():
            field.set_issue(issues.get(name, ""))
            if name in issues:
                field.show_issue_now()
        if issues:
            self.fields[next(iter(issues))].editor.setFocus()

    def _on_test(self) -> None:
        if (typed := self._typed()) is not None:
            self._page.tasks.read("test team", self._test(*typed))

    async def _test(self, choice: TeamChoice, password: str) -> bool:
        assert self._team is not None
        self._busy(busy=True)
        try:
            trial = await self._team.examine(choice, password)
        except StoreError as error:
            self._page.bar.say("bad", error.sentence, topic=_TOPIC)
            return False
        finally:
            self._busy(busy=False)
        self._show_legs(trial)
        if trial.trouble is not None:
            self._show_issues({_FIELD_OF_LEG.get(trial.trouble.leg, "host"): trial.trouble.sentence})
        return trial.trouble is None

    def _show_legs(self, trial: "TeamTrial | None") -> None:
        lines: list[str] = []
        if trial is not None:
            from app.store.team.try_team import LEGS  # loaded by the test, and not before

            lines = [words.team_leg(each, went_well=trial.went_well(each)) for each in LEGS]
            if trial.trouble is None and trial.clock is not None:
                lines.append(words.team_found(list(trial.people), trial.clock.ahead_ms / 1000))
        self.legs_label.setText(visible("\n".join(lines)))
        self.legs_label.setVisible(bool(lines))

    def _busy(self, *, busy: bool) -> None:
        for each in (self.test_button, self.save_button, *self.fields.values()):
            each.setEnabled(not busy)
        if busy:
            self.legs_label.setText(words.TEAM_TESTING)
            self.legs_label.show()

    def _on_save(self) -> None:
        if (typed := self._typed()) is not None:
            self._page.tasks.write("join team", self._join(*typed))

    async def _join(self, choice: TeamChoice, password: str) -> None:
        assert self._team is not None
        if not await self._test(choice, password):
            return
        try:
            place = await self._team.join(choice, password)
        except StoreError as error:
            self._page.bar.say("bad", words.team_not_joined(error.sentence), topic=_TOPIC)
            return
        self._close()
        caveat = words.SECRET_IN_MEMORY if place == "memory" else ""
        self._page.bar.say("warn" if caveat else "good", words.team_joined(choice.person, caveat), topic=_TOPIC)

    def _try_now(self) -> None:
        assert self._team is not None
        self._team.try_now()

    def _on_leave(self) -> None:
        self._page.tasks.write("leave team", self._leave())

    async def _leave(self) -> None:
        assert self._team is not None
        if not await confirmed(self, words.ASK_LEAVE_TEAM, words.LEAVE_TEAM_WARNING, words.LEAVE_TEAM):
            return
        try:
            await self._team.leave()
        except StoreError as error:
            self._page.bar.say("bad", words.team_not_left(error.sentence), topic=_TOPIC)
            return
        self._form.hide()
        self.show_state()
        self._page.bar.say("good", words.TEAM_LEFT, topic=_TOPIC)
