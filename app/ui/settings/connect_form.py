"""The form that connects to a provider: three addresses, id and secret, tested before they are saved.

Invariant: a connection that does not work is saved only by the button that says so: the provider may be down today.
Trouble stands beside the field that it concerns.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from app.api.addresses import check_address, is_loopback
from app.api.errors import BadAddress
from app.contract.codes import Format
from app.desk.connections.address_help import addresses_in, doubt
from app.desk.connections.connection import CapabilityCard
from app.store.journal.profile_store import Profile, ProfileKind
from app.translation import translate
from app.ui.settings import settings_words as words
from app.ui.settings.capability_card import CardView
from app.ui.settings.network_fields import NetworkFields
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.connection_colour import show_colours
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import set_tone, text_label, visible

_ADDRESSES = ("base_url", "info_base_url", "auth_url")
_PASTED = 8  # letters that come at once: a paste, a drop, a screen reader


@dataclass(frozen=True, slots=True)
class Typed:
    """A connection as typed. A secret that was not typed is empty: the one that is kept stays."""

    profile: Profile
    secret: str = field(repr=False)
    proxy_password: str = field(repr=False)


class ConnectForm(QFrame):
    """`test_asked` and `save_asked` carry what is typed.

    `save_asked` also says whether to save without another test: this was just tested, or a person wants it anyway.
    """

    test_asked = Signal(Typed)
    save_asked = Signal(Typed, bool)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self._id = ""
        self._asked: tuple[str, ...] = ()  # what the test under way tests
        self._tested: tuple[str, ...] = ()  # what a test found to work
        self._failed: tuple[str, ...] = ()  # what a test found not to work
        self._at_fault: list[Field] = []  # the fields that are empty or wrong
        self._missing_said = False  # the sentence that is shown names empty fields
        self._complete = False  # the test could try everything
        self._pressed: QPushButton | None = None  # the button that began what is under way
        self.kept: Profile | None = None  # the connection that is being changed; None for a new one
        self._begun: tuple[str, ...] = ()  # the texts of the fields when the form was opened
        self._scopes: tuple[str, ...] = ()
        self._theme = theme
        self._lengths = dict.fromkeys(_ADDRESSES, 0)  # of the addresses, before the latest change
        self._secret_kept: bool | None = None  # None while that is not known
        self.heading = text_label("", "heading")
        self.given_words = text_label(words.GIVEN_FORM, "soft", wrap=True)
        self.name = Field(translate("Name of this connection"), required=True, hint="Acme Freight")
        self.kind = ChoiceField(translate("Kind"), words.KINDS)
        self.colour = ChoiceField(translate("Colour"), words.COLOURS)
        self.network = NetworkFields(theme)
        hints = {"base_url": "https://…", "info_base_url": "https://…/OrderInformationApi", "auth_url": "https://…"}
        self.fields: dict[str, Field] = {
            name: Field(words.FIELDS[name], required=True, hint=hints.get(name, ""), secret=name == "client_secret")
            for name in (*_ADDRESSES, "client_id", "client_secret")
        }
        for name, example in words.EXAMPLES.items():
            self.fields[name].set_note(example)
            self.fields[name].changed.connect(partial(self._on_address, name))
        self.card = CardView()
        self.said = text_label("", wrap=True)
        self.secret_words = text_label("", "label", wrap=True)
        self.unencrypted = text_label("", wrap=True)
        set_tone(self.unencrypted, "warn")
        self.test_button = with_icon(button(translate("Test connection"), self._on_test), theme, "plug")
        self.save_button = button(translate("Save and use"), self._on_save, kind="primary", key="Ctrl+Return")
        self.anyway_button = button(translate("Save anyway"), self._on_save_anyway)
        close = button(translate("Go back"), self.closed.emit, kind="quiet")
        self._lay_out(close)
        self._paint_colours()
        theme.changed.connect(self._paint_colours)
        for choice in (self.kind, self.colour, self.network):
            choice.changed.connect(self._on_changed)
        for each in (self.name, *self.fields.values()):
            each.changed.connect(self._on_changed)

    def _lay_out(self, close: QPushButton) -> None:
        names = row(self.name, self.kind, self.colour, gap=SPACE_3)
        names.setStretch(0, 2)
        names.setStretch(1, 1)
        names.setStretch(2, 1)
        keys = row(self.fields["client_id"], self.fields["client_secret"], gap=SPACE_3)
        self.setLayout(
            column(
                self.heading, self.given_words, names, self.fields["base_url"], SPACE_1,
                self.fields["info_base_url"], SPACE_1, self.fields["auth_url"], SPACE_1,
                keys, self.network, self.unencrypted, self.secret_words, self.said,
                # The buttons stand above the long result of a test, so that they stay where they are.
                row(close, None, self.anyway_button, self.test_button, self.save_button, gap=SPACE_2),
                SPACE_2, self.card,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_1,
            )
        )  # fmt: skip

    def _paint_colours(self) -> None:
        show_colours(self.colour.editor, self._theme, {name: name for name, _ in words.COLOURS})

    def begin(self, profile: Profile | None, secret_words: str, colour: str = "", *, given: bool = False) -> None:
        """Open the form for a new connection, which gets `colour`, or for a change. A saved secret is not shown, and
        stays if none is typed; `show_kept` follows. Of a `given` connection the secrets alone can be changed."""
        self.kept = profile
        self._id = profile.id if profile else uuid.uuid4().hex
        self._asked = self._tested = self._failed = ()
        self._scopes = profile.scopes if profile else ()
        self._secret_kept = None
        self.given_words.setVisible(given)
        self.heading.setText(translate("Change the connection") if profile else translate("Connect to your provider"))
        self.name.set_text(profile.name if profile else "")
        self.kind.set_text(profile.kind if profile else "production")
        self.colour.set_text(profile.colour if profile else colour)
        self.network.begin(profile)
        for name in (*_ADDRESSES, "client_id"):
            self.fields[name].set_text(getattr(profile, name) if profile else "")
        secret = self.fields["client_secret"]
        secret.set_text("")
        secret.set_note("")
        secret.set_required(required=profile is None)
        # The next change is compared with these lengths: what stands in the fields by now is no paste.
        self._lengths = {name: len(self.fields[name].text()) for name in _ADDRESSES}
        self.secret_words.setText(visible(secret_words))
        self.busy(False)
        self.said.setText("")
        self.card.hide()
        self.check()
        self._offer_to_save_anyway()
        self._begun = self._held()
        for each in (self.name, self.kind, self.colour, *self.fields.values()):
            each.setEnabled(not given or each is secret)
        self.network.lock(given=given)
        (secret if given else self.name).editor.setFocus()

    def show_kept(self, *, secret: bool, password: bool) -> None:
        """Say which secrets of the connection are kept: one that came by a file has none yet."""
        self._secret_kept = secret
        field = self.fields["client_secret"]
        field.set_required(required=not secret)
        field.set_note(words.ONE_KEPT if secret else words.NONE_KEPT)
        self.network.show_kept(password=password)
        self._on_changed()
        # The keyring may have taken its time: the keyboard stays where a person has put it, or typed, meanwhile.
        if self._at_fault and self.name.editor.hasFocus() and not self.unsaved:
            self._at_fault[0].editor.setFocus()

    def say_of_secret(self, sentence: str) -> None:
        """Say why it is not known whether a secret is kept."""
        self.fields["client_secret"].set_note(sentence, doubtful=True)

    def _held(self) -> tuple[str, ...]:
        chosen = (self.name.text(), self.kind.text(), self.colour.text())
        return (*chosen, *(each.text() for each in self.fields.values()), *self.network.held())

    @property
    def unsaved(self) -> bool:
        """Whether the form holds something that is not saved."""
        return self._held() != self._begun

    def profile(self) -> Profile:
        """The connection as typed."""
        texts = {name: each.text().strip() for name, each in self.fields.items() if name != "client_secret"}
        kind: ProfileKind = "test" if self.kind.text() == "test" else "production"
        network = self.network.values()
        replies: Format = "xml" if network.pop("replies") == "xml" else "json"
        sends: Format = "xml" if network.pop("sends") == "xml" else "json"
        return Profile(
            id=self._id, name=self.name.text().strip(), kind=kind, scopes=self._scopes, colour=self.colour.text(),
            replies=replies, sends=sends, **texts, **network,
        )  # fmt: skip

    def _as_typed(self) -> Typed:
        return Typed(self.profile(), self.fields["client_secret"].text(), self.network.password)

    def _typed(self) -> tuple[str, ...]:
        """The subject of a test: the addresses, the id, the secret and the way."""
        return (*(each.text().strip() for each in self.fields.values()), *self.network.held())

    def check(self) -> str:
        """Mark the fields that are empty or wrong; the sentence that names them, empty if there are none."""
        missing: list[Field] = []
        wrong: list[Field] = []
        for each in (self.name, *self.fields.values()):
            optional = each is self.fields["client_secret"] and self.kept is not None and self._secret_kept is not False
            empty = not each.text().strip() and not optional
            each.set_issue(words.REQUIRED if empty else "")
            missing += [each] if empty else []
        for name in _ADDRESSES:
            text = self.fields[name].text().strip()
            if text and (issue := _issue(text, name)):
                self.fields[name].set_issue(issue)
                wrong.append(self.fields[name])
            elif text:
                self.fields[name].set_issue(doubt(name, text))  # said, and no hindrance: it could be right
        network_missing, network_wrong = self.network.check()
        missing, wrong = [*missing, *network_missing], [*wrong, *network_wrong]
        self._at_fault = [*missing, *wrong]
        self._warn_of_unencrypted()
        parts = [words.still_to_fill_in([each.editor.accessibleName() for each in missing])] if missing else []
        parts += [words.to_put_right([each.editor.accessibleName() for each in wrong])] if wrong else []
        return " ".join(parts)

    def _warn_of_unencrypted(self) -> None:
        """Warn of addresses without TLS that lead to another computer: the secret and every order could be read."""
        texts = [self.fields[name].text().strip() for name in _ADDRESSES]
        bare = [_host(text) for text in texts if text.lower().startswith("http://")]
        places = sorted({place for place in bare if place and not is_loopback(place)})
        self.unencrypted.setText(visible(words.not_encrypted(places) if places else ""))
        self.unencrypted.setVisible(bool(places))

    def show_card(self, card: CapabilityCard) -> None:
        """Show the result of a test, and mark the fields that do not work."""
        self.busy(False)
        self.card.show_card(card)
        asked = self._asked or self._typed()
        # A field that was changed since the test began gets no result of the test.
        for (name, each), then in zip(self.fields.items(), asked, strict=False):
            each.set_notice(card.wrong.get(name, "") if each.text().strip() == then else "")
        self.network.mark(card.wrong if asked[len(self.fields) :] == self.network.held() else {})
        self._scopes = card.scopes if card.connected else self._scopes_before()
        self._tested, self._failed = (self._asked, ()) if card.works else ((), self._asked)
        self._complete = card.complete
        if not card.works:
            self._say(words.NOT_SAVED_BUT_MAY_BE if self._failed == self._typed() else words.NOT_SAVED, bad=True)
        else:
            self._say("" if self._tested == self._typed() else words.TYPED_SINCE_TEST)
        self._offer_to_save_anyway()
        self._give_focus([name for name in card.wrong if name in self._all_fields()] if not card.works else [])

    def _all_fields(self) -> dict[str, Field]:
        return {**self.fields, **self.network.fields}

    @property
    def reserve(self) -> str:
        """The fault that the last test found, to be told once the connection is saved; empty if it works."""
        if self._failed:
            return words.NOT_WORKING_YET
        return "" if self._complete else words.NOT_ALL_TRIED

    def _scopes_before(self) -> tuple[str, ...]:
        """The scopes that this client was granted earlier; another client may get others."""
        same = self.kept is not None and self.kept.client_id == self.fields["client_id"].text().strip()
        return self.kept.scopes if self.kept is not None and same else ()

    def _offer_to_save_anyway(self) -> None:
        self.anyway_button.setVisible(bool(self._failed) and self._failed == self._typed())

    def busy(self, busy: bool) -> None:
        """While a test runs."""
        buttons = (self.test_button, self.save_button, self.anyway_button)
        if busy:
            self._pressed = next((each for each in buttons if each.hasFocus()), None)
            if self._pressed is not None:
                # Qt hands the keyboard of a disabled button to the next widget, where a second press of the key would
                # act. On the form itself the second press does nothing.
                self.setFocus()
        for each in buttons:
            each.setEnabled(not busy)
        if busy:
            self._say(translate("Asking the provider…"))

    def _give_focus(self, wrong: Sequence[str] = ()) -> None:
        """The keyboard goes to the first field at fault, else back to the button that was pressed; it stays where a
        person has put it meanwhile."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or not self.hasFocus():
            return
        at_fault = next((each for name, each in self._all_fields().items() if name in wrong), None)
        (pressed if at_fault is None else at_fault.editor).setFocus()

    def _say(self, sentence: str, *, bad: bool = False) -> None:
        self._missing_said = False
        set_tone(self.said, "bad" if bad else "soft")
        self.said.setText(visible(sentence))

    def say_trouble(self, sentence: str) -> None:
        """Say why the test or the saving failed."""
        self.busy(False)
        self._say(sentence, bad=True)
        self._give_focus()

    def _on_address(self, name: str) -> None:
        """A pasted text may hold more than one address; a text that is typed letter by letter is one address."""
        text = self.fields[name].text()
        grown, self._lengths[name] = len(text) - self._lengths[name], len(text)
        if grown < _PASTED:
            return
        found = addresses_in(text, name)
        own = found.pop(name, text.strip())  # what belongs elsewhere is not taken out of the field that was chosen
        filled = []
        for other, address in found.items():
            if not self.fields[other].text().strip():
                self.fields[other].put(address)
                filled.append(words.FIELDS[other])
        if own != text.strip():
            self.fields[name].put(own)
        if filled:
            self._say(words.filled_from_paste(filled))

    def _on_changed(self) -> None:
        left = self.check()
        if self._missing_said:
            self._say(left, bad=True)  # without the fields that have been filled in since
            self._missing_said = bool(left)
        self._offer_to_save_anyway()

    def _ready(self) -> bool:
        missing = self.check()
        for each in (self.name, *self._all_fields().values()):
            each.show_issue_now()
        if missing:
            self._say(missing, bad=True)
            self._missing_said = True
            all_fields = (self.name, *self._all_fields().values())
            next(each for each in all_fields if each in self._at_fault).editor.setFocus()
        return not missing

    def _on_test(self) -> None:
        if self._ready():
            self.busy(True)
            self._asked = self._typed()
            self.test_asked.emit(self._as_typed())

    def _on_save(self) -> None:
        """Save after a test, unless exactly this was just tested."""
        self._ask_to_save(as_it_is=bool(self._tested) and self._tested == self._typed())

    def _on_save_anyway(self) -> None:
        self._ask_to_save(as_it_is=True)

    def _ask_to_save(self, *, as_it_is: bool) -> None:
        if self._ready():
            self.busy(True)
            self._asked = self._typed()
            self.save_asked.emit(self._as_typed(), as_it_is)


def _issue(address: str, name: str) -> str:
    """The fault of an address; empty for none."""
    if not address.lower().startswith(("https://", "http://")):
        return words.ADDRESS_BEGINS
    try:
        check_address(address, name)
    except BadAddress as error:
        return error.sentence
    return ""


def _host(address: str) -> str:
    """The host of an address; empty for one that is half typed."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
