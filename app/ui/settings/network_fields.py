"""The part of the connection form about the way to the provider: proxy, private authorities, formats.

Folded away while all of it is as usual. What a test found wrong opens it, and stands beside its field.
"""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.api.errors import BadAddress
from app.api.network.transport import DIRECT, SYSTEM, check_proxy, check_proxy_user, with_scheme
from app.store.journal.profile_store import Profile
from app.translation import translate
from app.ui.settings import settings_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.layout import column, holding, row

_ADDRESS = "address"  # the proxy is the one whose address is typed


class NetworkFields(QFrame):
    """`changed` fires at every key. `file_asked` asks for a file of authorities, `file_named` says which one is named
    now."""

    changed = Signal()
    file_asked = Signal()
    file_named = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.proxy = ChoiceField(translate("Proxy"), words.PROXIES)
        self.authorities = ChoiceField(translate("Trusted certificate authorities"), words.AUTHORITIES)
        self.replies = ChoiceField(translate("Answers are asked for in"), words.FORMATS)
        self.replies.set_note(words.REPLIES_NOTE)
        self.sends = ChoiceField(translate("Orders are sent in"), words.FORMATS)
        self.sends.set_note(words.SENDS_NOTE)
        self.fields: dict[str, Field] = {
            "proxy": Field(words.FIELDS["proxy"], required=True, hint="http://proxy.example:8080"),
            "proxy_user": Field(words.FIELDS["proxy_user"], hint=words.OPTIONAL),
            "proxy_password": Field(words.FIELDS["proxy_password"], secret=True),
            "authorities": Field(words.FIELDS["authorities"], required=True, hint=words.AUTHORITIES_HINT),
        }
        self._login = ("", "")  # the proxy and the user that the form was opened with
        self._kept = ("", "")  # those whose password is kept, as far as is known: another proxy is not shown it
        self._named = ""  # the file that was asked about last
        self._file_trouble = ("", "")  # a file, and what is wrong with it
        self.unfold_button = button(words.UNFOLD, self._toggle, kind="quiet")
        with_icon(self.unfold_button, theme, "settings")
        self.unfold_button.setCheckable(True)
        self.choose_button = button(translate("Choose file…"), self.file_asked.emit)
        with_icon(self.choose_button, theme, "folder-open")
        self._lay_out()
        for each in (self.proxy, self.authorities, self.replies, self.sends):
            each.changed.connect(self._on_changed)
        for field in self.fields.values():
            field.changed.connect(self._on_changed)

    def _lay_out(self) -> None:
        # At the top, so that the editors stay on one line however long the sentence below one of them is.
        login = row(*(column(self.fields[name], None) for name in ("proxy_user", "proxy_password")), gap=SPACE_3)
        self._proxy_part = holding(column(self.fields["proxy"], login, gap=SPACE_1))
        file = row(self.fields["authorities"], column(SPACE_2 * 2 + 2, self.choose_button, None), gap=SPACE_2)
        self._file_part = holding(file)
        ways = row(self.proxy, self.authorities, gap=SPACE_3)
        formats = row(column(self.sends, None), column(self.replies, None), gap=SPACE_3)
        self._folded = holding(column(ways, self._proxy_part, self._file_part, formats, gap=SPACE_1))
        self.setLayout(column(row(self.unfold_button, None), self._folded, gap=SPACE_1))

    def begin(self, profile: Profile | None) -> None:
        """Show what a connection has, or what is usual. A saved password is not shown, and stays if none is typed."""
        proxy = profile.proxy if profile else SYSTEM
        own = proxy not in (SYSTEM, DIRECT)
        self.proxy.set_text(_ADDRESS if own else proxy)
        self.fields["proxy"].set_text(proxy if own else "")
        self.fields["proxy_user"].set_text(profile.proxy_user if profile and own else "")
        self.fields["proxy_password"].set_text("")
        self._login = (proxy, profile.proxy_user) if profile and own and profile.proxy_user else ("", "")
        self._kept = self._login
        self.fields["proxy_password"].set_note("")
        authorities = profile.authorities if profile else ""
        self.authorities.set_text("file" if authorities else "")
        self.fields["authorities"].set_text(authorities)
        self.fields["authorities"].set_note("")
        self.replies.set_text(profile.replies if profile else "json")
        self.sends.set_text(profile.sends if profile else "json")
        self._show_parts()
        self._unfold(own or proxy == DIRECT or bool(authorities) or "xml" in (self.replies.text(), self.sends.text()))
        self._named = authorities
        if authorities:
            self.file_named.emit(authorities)

    def show_kept(self, *, password: bool) -> None:
        """Whether the password for the login that the form was opened with is kept."""
        if self._login[1]:
            self._kept = self._login if password else ("", "")
            self.fields["proxy_password"].set_note(words.ONE_KEPT if password else words.NONE_KEPT)

    def lock(self, *, given: bool) -> None:
        """Of a `given` connection the password of its login alone can be typed, if it has a login."""
        password = self.fields["proxy_password"]
        for each in (self.proxy, self.authorities, self.replies, self.sends, self.choose_button, *self.fields.values()):
            each.setEnabled(not given or each is password)
        self.setEnabled(not given or bool(self._login[1]))

    def values(self) -> dict[str, str]:
        """The chosen values, by the fields of `Profile`."""
        own = self.proxy.text() == _ADDRESS
        return {
            "proxy": with_scheme(self.fields["proxy"].text()) if own else self.proxy.text(),
            "proxy_user": self.fields["proxy_user"].text().strip() if own else "",
            "authorities": self._file(),
            "replies": self.replies.text(),
            "sends": self.sends.text(),
        }

    def _file(self) -> str:
        return self.fields["authorities"].text().strip() if self.authorities.text() == "file" else ""

    @property
    def password(self) -> str:
        """The password of the proxy as typed."""
        return self.fields["proxy_password"].text() if self.proxy.text() == _ADDRESS else ""

    def held(self) -> tuple[str, ...]:
        """All that can be typed and chosen here."""
        return (*self.values().values(), self.password)

    def set_file(self, path: str) -> None:
        """A person chose a file."""
        self.authorities.put("file")
        self.fields["authorities"].put(path)

    def set_shown_file(self, path: str, sentence: str) -> None:
        """Show a file and what it holds, without looking into it."""
        self._named = path
        self.fields["authorities"].set_text(path)
        self.say_of_file(path, sentence, wrong=False)

    def say_of_file(self, path: str, sentence: str, *, wrong: bool) -> None:
        """Say what is in the file that is named, unless another one is named by now."""
        if path != self._file():
            return
        self._file_trouble = (path, sentence) if wrong else ("", "")
        self.fields["authorities"].set_note("" if wrong else sentence)
        self.changed.emit()

    def check(self) -> tuple[list[Field], list[Field]]:
        """Mark what is empty or wrong; the fields that are empty, and those that are wrong."""
        missing, wrong = [], []
        own, file = self.proxy.text() == _ADDRESS, self.authorities.text() == "file"
        needed = {"proxy": own, "proxy_password": own and self._password_needed(), "authorities": file}
        for name, field in self.fields.items():
            text, issue = field.text().strip(), ""
            if not text and needed.get(name):
                issue = words.REQUIRED
                missing.append(field)
            elif own and text and (issue := _issue(name, text)):
                wrong.append(field)
            elif name == "authorities" and file and text == self._file_trouble[0]:
                issue = self._file_trouble[1]
                wrong.append(field)
            field.set_issue(issue)
        return missing, wrong

    def _password_needed(self) -> bool:
        now = (self.values()["proxy"], self.values()["proxy_user"])
        return bool(now[1]) and now != self._kept

    def mark(self, wrong: Mapping[str, str]) -> None:
        """Show what a test found wrong, beside its field."""
        for name, field in self.fields.items():
            field.set_notice(wrong.get(name, ""))
        # The proxy of this computer has no field: what is wrong with it stands at the choice.
        self.proxy.set_notice("" if self.proxy.text() == _ADDRESS else wrong.get("proxy", ""))
        if wrong.keys() & self.fields.keys():
            self._unfold(True)

    def _on_changed(self) -> None:
        self._show_parts()
        path = self._file()
        # Asked about once for each name: every key in the other fields comes here too.
        if path and path != self._named:
            self.file_named.emit(path)
        self._named = path
        self.changed.emit()

    def _show_parts(self) -> None:
        self._proxy_part.setVisible(self.proxy.text() == _ADDRESS)
        self._file_part.setVisible(self.authorities.text() == "file")

    def _toggle(self) -> None:
        self._unfold(self.unfold_button.isChecked())

    def _unfold(self, on: bool) -> None:
        self.unfold_button.setChecked(on)
        self._folded.setVisible(on)


def _issue(name: str, text: str) -> str:
    try:
        if name == "proxy":
            check_proxy(text)
        elif name == "proxy_user":
            check_proxy_user(text)
    except BadAddress as error:
        return error.sentence
    return ""
