"""What leaves this computer in a report names nobody."""

import getpass
import socket
from pathlib import Path

import pytest

from app.ui.reports.without_names import without_names


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("GET https://api.acme.example/orders?x=1 failed", "GET (address) failed"),
        ("mail josefina.rivera@acme.example now", "mail (e-mail) now"),
        ("10.20.30.40 refused", "(address) refused"),
        ("Authorization: Bearer abcdefgh-1", "Authorization: (secret)"),
        ("sent Basic YWNtZTpzZWNyZXQ= there", "sent Basic (secret) there"),
        ("client_secret: hunter2", "client_secret: (secret)"),
        ("password=hunter2 sent", "password=(secret) sent"),
        ("key eyJhbGciOiJIUzI1NiIsInR5cCI6 end", "key (long text) end"),
        ("call 901-555-0142 or +1 (901) 555 0142", "call (number) or (number)"),
    ],
)
def test_it_is_taken_out(said: str, left: str) -> None:
    assert without_names(said) == left


@pytest.mark.parametrize(
    "said",
    [
        "2026-11-22 20:56:27,123 INFO waybill.practice: up",
        "Waybill 0.1.0, Python 3.13.2, Qt 6.11.3",
        "  desk/sending/send_queue.py:112 in drain",
        "1920 × 1080 at 100 %",
        "Secrets are kept in the system's keyring (Secret Service).",
        "journal 12.3 MB, cache 512.0 MB",
    ],
)
def test_what_names_nobody_stays(said: str) -> None:
    assert without_names(said) == said


def test_this_user_and_this_computer_are_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "Josefina")
    monkeypatch.setattr(socket, "gethostname", lambda: "desk-7")
    monkeypatch.setattr(Path, "home", lambda: Path("/people/josefina"))
    said = "/people/josefina/x of josefina on DESK-7; josefinas"
    assert without_names(said) == "~/x of (user) on (computer); josefinas"
