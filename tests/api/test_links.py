"""Photos and documents at any address: the token stays at home, and nothing but the web is opened."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.api.errors import ApiError, BadAddress, BrokenReply, NotAllowed, NotFound, NotSent
from tests.api.conftest import Open
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer, answered, drop_before, truncated

pytestmark = pytest.mark.asyncio
PHOTO = Answer(200, b"\xff\xd8\xff photo", "image/jpeg")
Servers = Callable[[], FaultServer]


def redirect(to: str, status: int = 302) -> Answer:
    return Answer(status, b"moved", "text/plain", (("Location", to),))


def tokens_seen(server: FaultServer) -> list[str]:
    return [each.headers["authorization"] for each in server.seen() if "authorization" in each.headers]


async def test_each_form_of_address_finds_the_photo_with_the_token(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(f"{INFORMATION}/download/audit/a 1.jpg", PHOTO)
    forms = [
        "a 1.jpg",
        "a%201.jpg",
        "/download/audit/a%201.jpg",
        "download/audit/a 1.jpg",
        f"{INFORMATION}/download/audit/a 1.jpg",
        f"{fault_server.origin}{INFORMATION}/download/audit/a%201.jpg",
        f"//127.0.0.1:{fault_server.port}{INFORMATION}/download/audit/a%201.jpg",
    ]
    async with open_on(fault_server) as provider:
        for form in forms:
            reply = await provider.information.fetch(form)
            assert (reply.body, reply.content_type) == (PHOTO.body, "image/jpeg")
        assert (await provider.information.audit_image("a 1.jpg")).body == PHOTO.body
    photos = [each for each in fault_server.seen() if each.path.endswith(".jpg")]
    assert len(photos) == len(forms) + 1
    assert {each.headers["authorization"] for each in photos} == {"Bearer token-1"}


@pytest.mark.parametrize(
    "name",
    [
        "a b.jpg",
        "a#1.jpg",
        "100%.jpg",
        "ü 日本.jpg",
        "a+b&c=d.jpg",
        "[x](1).jpg",
        "it's.jpg",
        "a\u202eb.jpg",
        "%.jpg",
        "5%2g",
    ],
)
async def test_a_name_is_asked_for_letter_for_letter(fault_server: FaultServer, open_on: Open, name: str) -> None:
    fault_server.serve(f"{INFORMATION}/download/audit/{name}", PHOTO)
    async with open_on(fault_server) as provider:
        for form in (name, f"/download/audit/{name}", f"download/audit/{name}"):
            assert (await provider.information.fetch(form)).body == PHOTO.body
        assert (await provider.information.audit_image(name)).body == PHOTO.body


async def test_a_rooted_path_is_tried_below_the_prefix_and_then_as_it_is(
    fault_server: FaultServer, open_on: Open
) -> None:
    fault_server.serve("/download/audit/a.jpg", PHOTO)
    async with open_on(fault_server) as provider:
        assert (await provider.information.fetch("/download/audit/a.jpg")).body == PHOTO.body
        with pytest.raises(NotFound):
            await provider.information.fetch("/download/audit/b.jpg")


async def test_twenty_foreign_and_redirecting_addresses_never_see_the_token(
    fault_servers: Servers, open_on: Open
) -> None:
    """F12 in small: whatever the address, whatever the hops, the stranger sees no token."""
    home, stranger = fault_servers(), fault_servers()
    away = stranger.origin
    stranger.serve("/a.jpg", PHOTO)
    for status in (301, 302, 303, 307, 308):
        home.serve(f"/out/{status}", redirect(f"{away}/a.jpg", status))
        stranger.serve(f"/hop/{status}", redirect("/a.jpg", status))
    home.serve("/out/slashes", redirect(f"//127.0.0.1:{stranger.port}/a.jpg"))
    home.serve("/out/user", redirect(f"http://desk:pw@127.0.0.1:{stranger.port}/a.jpg"))
    home.serve("/out/far", redirect(f"{away}/back"))
    stranger.serve("/back", redirect(f"{home.origin}/again"))
    home.serve("/again", redirect(f"{away}/a.jpg"))
    addresses = [
        f"{away}/a.jpg",
        f"//127.0.0.1:{stranger.port}/a.jpg",
        f"http://127.0.0.1:{home.port}@127.0.0.1:{stranger.port}/a.jpg",
        f"http://token:x@127.0.0.1:{stranger.port}/a.jpg",
        f"HTTP://LOCALHOST:{stranger.port}/a.jpg",
        f"http://localhost:{home.port}/again",
        *(f"/out/{status}" for status in (301, 302, 303, 307, 308)),
        *(f"{away}/hop/{status}" for status in (301, 302, 303, 307, 308)),
        *(f"/out/{kind}" for kind in ("slashes", "user", "far")),
        f"{away}/back",
    ]
    assert len(addresses) == 20
    async with open_on(home) as provider:
        for address in addresses:
            assert (await provider.information.fetch(address)).body == PHOTO.body
    assert len(stranger.seen("/a.jpg")) == 20
    assert tokens_seen(stranger) == []
    assert [each for each in home.seen("/again") if "authorization" in each.headers] == []
    assert [each for each in home.seen("/out/301") if "authorization" not in each.headers] == []


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "/etc/../../x\\y", "data:,x", "ftp://127.0.0.1/x", "{path}", "file://localhost{path}", ""],
)
async def test_no_file_of_this_computer_is_opened(
    fault_server: FaultServer, open_on: Open, tmp_path: Path, address: str
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("canary")
    async with open_on(fault_server) as provider:
        with pytest.raises((BadAddress, NotFound)):
            await provider.information.fetch(address.format(path=secret))
        fault_server.serve("/out", redirect(f"file://{secret}"))
        with pytest.raises(BadAddress, match="begins with file:"):
            await provider.information.fetch("/out")


@pytest.mark.parametrize(
    "location", ["http://", "http://[", "data:,x", "\\\\host\\x", "http://h:99999/", "javascript:x"]
)
async def test_a_redirection_to_nonsense_ends(fault_server: FaultServer, open_on: Open, location: str) -> None:
    fault_server.serve("/out", redirect(location))
    async with open_on(fault_server) as provider:
        with pytest.raises(ApiError):
            await provider.information.fetch("/out")
    assert len(fault_server.seen("/out")) <= 6


async def test_redirections_without_an_end_end(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve("/round", redirect("/round"))
    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply, match="without an end"):
            await provider.information.fetch("/round")
    assert len(fault_server.seen("/round")) == 6


async def test_a_redirection_that_names_no_place_gives_no_file(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve("/out", Answer(302))
    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply):
            await provider.information.fetch("/out")


@pytest.mark.parametrize(
    ("answer", "kind"), [(Answer(401), NotAllowed), (Answer(403), NotAllowed), (Answer(404), NotFound)]
)
async def test_a_stranger_that_refuses_is_named(
    fault_servers: Servers, open_on: Open, answer: Answer, kind: type[ApiError]
) -> None:
    home, stranger = fault_servers(), fault_servers()
    stranger.plan(answered(answer), "/a.jpg", times=None)
    async with open_on(home) as provider:
        with pytest.raises(kind):
            await provider.information.fetch(f"{stranger.origin}/a.jpg")
    assert len(stranger.seen("/a.jpg")) == 1
    assert home.tokens.issued == 0


async def test_a_file_is_asked_for_again_when_it_broke_off(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve("/a.jpg", PHOTO)
    fault_server.plan(truncated(3), "/a.jpg")
    fault_server.plan(drop_before(), "/a.jpg")
    async with open_on(fault_server) as provider:
        assert (await provider.information.fetch("/a.jpg")).body == PHOTO.body


async def test_a_file_has_a_largest_size(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve("/a.jpg", Answer(200, b"x" * (64 * 1024 * 1024 + 1), "image/jpeg"))
    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply, match="larger than"):
            await provider.information.fetch("/a.jpg")


async def test_a_stranger_that_is_not_there_was_not_sent_to(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        with pytest.raises(NotSent, match="could not be reached"):
            await provider.information.fetch("http://waybill.invalid/a.jpg")
