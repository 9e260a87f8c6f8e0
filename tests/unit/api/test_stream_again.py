"""A reply that is the one known is not passed on; any other comes whole and in its order, however it ends."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from hashlib import blake2b

import pytest

from app.api.errors import ApiError, BrokenReply
from app.api.lists import stream
from app.api.lists.stream import Tally, batches_of, told_apart

PIECES = (b'[{"OrderNumber": 1},', b' {"OrderNumber": 2}', b"]")
DIGEST = blake2b(b"".join(PIECES), digest_size=16).digest()


async def source(*pieces: bytes, error: ApiError | None = None) -> AsyncGenerator[bytes, None]:
    for piece in pieces:
        yield piece
    if error is not None:
        raise error


async def passed(pieces: AsyncIterator[bytes]) -> list[bytes]:
    return [piece async for piece in pieces]


@pytest.mark.parametrize("known", [None, b"another"])
def test_another_reply_comes_as_it_is_with_its_digest(known: bytes | None) -> None:
    tally = Tally()
    assert asyncio.run(passed(told_apart(source(*PIECES), tally, known))) == list(PIECES)
    assert (tally.digest, tally.same) == (DIGEST, False)
    tally.restart()
    assert tally == Tally()


def test_the_same_reply_brings_no_row_and_is_no_broken_one() -> None:
    async def run(tally: Tally) -> list[list[object]]:
        parts = told_apart(source(*PIECES), tally, DIGEST)
        return [batch async for batch in batches_of(parts, lambda value, _: value, tally)]

    tally = Tally()
    assert asyncio.run(run(tally)) == []
    assert (tally.same, tally.seen, tally.delivered) == (True, 0, 0)


def test_what_is_too_long_to_be_held_back_comes_as_it_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HELD", 30)
    tally, came = Tally(), list[bytes]()

    async def run() -> None:
        async def told() -> AsyncGenerator[bytes, None]:
            for piece in PIECES:
                assert came == (list(PIECES[:2]) if piece == PIECES[2] else [])
                yield piece

        async for piece in told_apart(told(), tally, DIGEST):
            came.append(piece)

    asyncio.run(run())
    assert came == list(PIECES)
    assert (tally.digest, tally.same) == (DIGEST, False), "it was read already"


@pytest.mark.parametrize("known", [None, DIGEST])
def test_what_came_before_trouble_is_passed_on(known: bytes | None) -> None:
    tally, came = Tally(), list[bytes]()

    async def run() -> None:
        async for piece in told_apart(source(*PIECES[:2], error=BrokenReply("It broke off.")), tally, known):
            came.append(piece)

    with pytest.raises(BrokenReply):
        asyncio.run(run())
    assert came == list(PIECES[:2])
    assert (tally.digest, tally.same) == (b"", False)
