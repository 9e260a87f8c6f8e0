"""The form that connects to a provider: three addresses, id and secret, tested before they are kept.

What does not work is said beside its field, and kept only by a button that says so: the provider may be down today.
"""

import uuid
from collections.abc import Sequence
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from app.api.addresses import check_address, is_loopback
from app.api.errors import BadAddress
from app.desk.connections.connection import CapabilityCard
from app.store.journal.profile_store import Profile, ProfileKind
from app.ui.settings.capability_card import FIELDS, CardView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import set_tone, text_label, visible

_ADDRESSES = ("base_url", "info_base_url", "auth_url")
_FAILED = "Nothing was saved; what you typed stays here."
_ALL_THE_SAME = (
    f"{_FAILED} Correct what is marked and try again. "
    "Or save it all the same: orders then wait in the outbox until it works."
)
KINDS = [("production", "Production"), ("test", "Test system")]


class ConnectForm(QFrame):
    """`test_asked` and `save_asked` carry the profile and the secret as typed.

    `save_asked` also says whether it is to be kept as it is: it was just tested, or a person wants it all the same.
    """

    test_asked = Signal(Profile, str)
    save_asked = Signal(Profile, str, bool)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self._id = ""
        self._asked: tuple[str, ...] = ()  # what the test under way is about
        self._tested: tuple[str, ...] = ()  # what a test found to be good
        self._failed: tuple[str, ...] = ()  # what a test found not to work
        self._missing_said = False  # the sentence shown names the fields that are not filled in
        self._complete = False  # and whether it could try everything
        self._pressed: QPushButton | None = None  # what began the test or the saving that is under way
        self.kept: Profile | None = None  # the connection that is being changed
        self._begun: tuple[str, ...] = ()  # what the fields held when it was opened
        self._scopes: tuple[str, ...] = ()
        self.heading = text_label("", "heading")
        self.name = Field("Name of this connection", required=True, hint="Acme Freight")
        self.kind = ChoiceField("Kind", KINDS)
        hints = {"base_url": "https://…", "info_base_url": "https://…/OrderInformationApi", "auth_url": "https://…"}
        self.fields: dict[str, Field] = {
            name: Field(label, required=True, hint=hints.get(name, ""), secret=name == "client_secret")
            for name, label in FIELDS.items()
        }
        self.card = CardView()
        self.said = text_label("", wrap=True)
        self.secret_words = text_label("", "label", wrap=True)
        self.open_lines = text_label("", wrap=True)
        set_tone(self.open_lines, "warn")
        self.test_button = with_icon(button("Test connection", self._on_test), theme, "plug")
        self.save_button = button("Save and use", self._on_save, kind="primary")
        self.anyway_button = button("Save all the same", self._on_save_anyway)
        close = button("Go back", self.closed.emit, kind="quiet")
        self._lay_out(close)
        self.kind.changed.connect(self._on_changed)
        for each in (self.name, *self.fields.values()):
            each.changed.connect(self._on_changed)

    def _lay_out(self, close: QPushButton) -> None:
        names = row(self.name, self.kind, gap=SPACE_3)
        names.setStretch(0, 2)
        names.setStretch(1, 1)
        keys = row(self.fields["client_id"], self.fields["client_secret"], gap=SPACE_3)
        self.setLayout(
            column(
                self.heading, names, self.fields["base_url"], self.fields["info_base_url"], self.fields["auth_url"],
                keys, self.open_lines, self.secret_words, self.said,
                # above what a test finds, which is long: what can be done about it stays where it is
                row(close, None, self.anyway_button, self.test_button, self.save_button, gap=SPACE_2),
                SPACE_2, self.card,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_1,
            )
        )  # fmt: skip

    def begin(self, profile: Profile | None, secret_words: str) -> None:
        """A new connection, or changing one; a kept secret is not shown and stays unless another is typed."""
        self.kept = profile
        self._id = profile.id if profile else uuid.uuid4().hex
        self._asked = self._tested = self._failed = ()
        self._scopes = profile.scopes if profile else ()
        self.heading.setText("Change the connection" if profile else "Connect to your provider")
        self.name.set_text(profile.name if profile else "")
        self.kind.set_text(profile.kind if profile else "production")
        for name in (*_ADDRESSES, "client_id"):
            self.fields[name].set_text(getattr(profile, name) if profile else "")
        self.fields["client_secret"].set_text("")
        self.secret_words.setText(visible(secret_words))
        self.busy(False)
        self.said.setText("")
        self.card.hide()
        self.check()
        self._offer_all_the_same()
        self._begun = self._held()
        self.name.editor.setFocus()

    def _held(self) -> tuple[str, ...]:
        return (self.name.text(), self.kind.text(), *(each.text() for each in self.fields.values()))

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that would be gone with the form."""
        return self._held() != self._begun

    def profile(self) -> Profile:
        """What is typed."""
        texts = {name: each.text().strip() for name, each in self.fields.items() if name != "client_secret"}
        kind: ProfileKind = "test" if self.kind.text() == "test" else "production"
        return Profile(id=self._id, name=self.name.text().strip(), kind=kind, scopes=self._scopes, **texts)

    def _typed(self) -> tuple[str, ...]:
        """What a test is about: the addresses, the id and the secret."""
        return tuple(each.text().strip() for each in self.fields.values())

    def check(self) -> str:
        """Say beside the fields what is missing or wrong; all of it in a sentence, empty when nothing is."""
        missing, wrong = [], []
        for each in (self.name, *self.fields.values()):
            optional = each is self.fields["client_secret"] and self.kept is not None
            empty = not each.text().strip() and not optional
            each.set_issue("Required." if empty else "")
            missing += [each.editor.accessibleName()] if empty else []
        for name in _ADDRESSES:
            text = self.fields[name].text().strip()
            if text and (issue := _issue(text, name)):
                self.fields[name].set_issue(issue)
                wrong.append(self.fields[name].editor.accessibleName())
        self._warn_of_open_lines()
        parts = (("Still to fill in", missing), ("To put right", wrong))
        return " ".join(f"{words}: {', '.join(names)}." for words, names in parts if names)

    def _warn_of_open_lines(self) -> None:
        """Without TLS the secret and every order could be read on the way; only this computer itself is no way."""
        texts = [self.fields[name].text().strip() for name in _ADDRESSES]
        bare = [_host(text) for text in texts if text.lower().startswith("http://")]
        places = sorted({place for place in bare if place and not is_loopback(place)})
        words = f"Not encrypted on the way to {', '.join(places)}: use an address with https://" if places else ""
        self.open_lines.setText(visible(words))
        self.open_lines.setVisible(bool(words))

    def show_card(self, card: CapabilityCard) -> None:
        """Show what a test found, and put what is wrong beside the field it concerns."""
        self.busy(False)
        self.card.show_card(card)
        for (name, each), asked in zip(self.fields.items(), self._asked or self._typed(), strict=True):
            each.set_notice(card.wrong.get(name, "") if each.text().strip() == asked else "")
        self._scopes = card.scopes if card.connected else self._scopes_before()
        self._tested, self._failed = (self._asked, ()) if card.works else ((), self._asked)
        self._complete = card.complete
        if not card.works:
            self._say(_ALL_THE_SAME if self._failed == self._typed() else _FAILED, bad=True)
        else:
            self._say("" if self._tested == self._typed() else "What is typed has changed since this test.")
        self._offer_all_the_same()
        self._give_focus([name for name in card.wrong if name in self.fields] if not card.works else [])

    @property
    def reserve(self) -> str:
        """What has to be said when the connection is kept as the last test left it; empty when all is well."""
        if self._failed:
            return " It does not work yet: test it here once what was marked is put right."
        return "" if self._complete else " Not everything could be tried: test it again here later."

    def _scopes_before(self) -> tuple[str, ...]:
        """What this client was granted earlier; another client may be granted something else."""
        same = self.kept is not None and self.kept.client_id == self.fields["client_id"].text().strip()
        return self.kept.scopes if self.kept is not None and same else ()

    def _offer_all_the_same(self) -> None:
        self.anyway_button.setVisible(bool(self._failed) and self._failed == self._typed())

    def busy(self, busy: bool) -> None:
        """While a test runs."""
        buttons = (self.test_button, self.save_button, self.anyway_button)
        if busy:
            self._pressed = next((each for each in buttons if each.hasFocus()), None)
            if self._pressed is not None:
                # A button that is disabled would hand the keyboard to whatever is next in the window. Here it waits
                # on nothing, so that a key pressed twice does nothing either.
                self.setFocus()
        for each in buttons:
            each.setEnabled(not busy)
        if busy:
            self._say("Asking the provider…")

    def _give_focus(self, wrong: Sequence[str] = ()) -> None:
        """The keyboard goes to the first field at fault, else back to the button that was pressed; it stays where a
        person has put it meanwhile."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or not self.hasFocus():
            return
        at_fault = next((each for name, each in self.fields.items() if name in wrong), None)
        (pressed if at_fault is None else at_fault.editor).setFocus()

    def _say(self, words: str, *, bad: bool = False) -> None:
        self._missing_said = False
        set_tone(self.said, "bad" if bad else "soft")
        self.said.setText(visible(words))

    def say_trouble(self, words: str) -> None:
        """Say why saving failed."""
        self.busy(False)
        self._say(words, bad=True)
        self._give_focus()

    def _on_changed(self) -> None:
        left = self.check()
        if self._missing_said:
            self._say(left, bad=True)  # it names no field that was filled in since
            self._missing_said = bool(left)
        self._offer_all_the_same()

    def _ready(self) -> bool:
        missing = self.check()
        for each in (self.name, *self.fields.values()):
            each.show_issue_now()
        if missing:
            self._say(missing, bad=True)
            self._missing_said = True
            next(each for each in (self.name, *self.fields.values()) if each.shown).editor.setFocus()
        return not missing

    def _on_test(self) -> None:
        if self._ready():
            self.busy(True)
            self._asked = self._typed()
            self.test_asked.emit(self.profile(), self.fields["client_secret"].text())

    def _on_save(self) -> None:
        """A connection is tested before it is kept, unless this very one just was."""
        self._ask_to_save(as_it_is=bool(self._tested) and self._tested == self._typed())

    def _on_save_anyway(self) -> None:
        self._ask_to_save(as_it_is=True)

    def _ask_to_save(self, *, as_it_is: bool) -> None:
        if self._ready():
            self.busy(True)
            self._asked = self._typed()
            self.save_asked.emit(self.profile(), self.fields["client_secret"].text(), as_it_is)


def _issue(address: str, name: str) -> str:
    """What is wrong with an address as it is typed."""
    if not address.lower().startswith(("https://", "http://")):
        return "An address begins with https://"
    try:
        check_address(address, name)
    except BadAddress as error:
        return error.sentence
    return ""


def _host(address: str) -> str:
    """The host of an address, empty while it is half typed."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
