"""Helpers of the tests of suggestions: a page on a desk with known values, typing, and the offers."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.desk.desk import Desk
from app.desk.known import known_data
from app.store.cache import known_values as kept
from app.store.cache.known_values import Body, Kind, Lesson
from app.ui.entry.entry_page import EntryPage
from tests.support.loop import RunningLoop

RIVERA: Body = {
    "consigneeName": "J. Rivera",
    "streetAddress": "12 Beale Street",
    "streetAddress2": "Apt 4",
    "city": "Memphis",
    "state": "TN",
    "zip": "38103",
    "phone1": "901-555-0142",
    "phone2": "",
    "email": "j@example.com",
}
OTHER: Body = RIVERA | {"streetAddress": "9 Pine Road", "streetAddress2": "", "phone1": "212-777-9999"}
SOFA: Body = {"code": "SOFA", "description": "Sofa, three seats", kept.SAMPLES: "37.25/130"}


def teach(loop: RunningLoop, desk: Desk, kind: Kind, *bodies: Body) -> None:
    """Let the desk know these, the last one best."""
    lessons = [
        Lesson(kind, str(sorted(body.items())) if kind == "consignee" else _key(body), body, whole=True)
        for body in bodies
    ]
    loop.run(desk.cache.write(kept.learn, desk.profile.id, lessons, sent=True))


def _key(body: Body) -> str:
    return (body.get("code") or body["zip"]).lower()


def learn(loop: RunningLoop, desk: Desk) -> None:
    """Learn all there is."""
    while loop.run(known_data.learn_some(desk)):
        pass


def go(page: EntryPage, path: str) -> QLineEdit:
    """Put the keyboard into a field."""
    page.form.go_to(path)
    editor = page.form.fields[path].editor
    assert isinstance(editor, QLineEdit)
    return editor


def type_in(page: EntryPage, path: str, words: str) -> None:
    """Type into a field, key by key."""
    QTest.keyClicks(go(page, path), words)


def press(*keys: Qt.Key) -> None:
    """Press keys where the keyboard is."""
    for key in keys:
        widget = QApplication.focusWidget()
        assert widget is not None
        QTest.keyClick(widget, key)


def offered(loop: RunningLoop, page: EntryPage) -> list[str]:
    """What is offered, once the answer has come."""
    loop.until(lambda: not page.tasks.running("known"))
    return page.suggestions.shown_texts
