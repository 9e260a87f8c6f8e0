"""Batches out of bytes: sizes, counting, the loop's turn, memory, and what a broken list leaves behind."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.errors import BrokenReply
from app.api.lists.stream import LINGER, SLICE, Batches, Tally, batches_of
from app.contract.xml_records import INFORMATION


def keep_records(value: object, raw: str) -> tuple[dict[str, object], str] | None:
    return (value, raw) if isinstance(value, dict) else None


async def chunks(data: bytes, size: int = 65_536) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def rows(number: int) -> bytes:
    return json.dumps(
        [{"OrderNumber": each, "Remarks": "é" * 20} for each in range(number)], ensure_ascii=False
    ).encode()


async def collect(data: bytes, size: int = 65_536) -> tuple[list[int], list[dict[str, object]], Tally]:
    tally, sizes, got = Tally(), [], []
    async for batch in batches_of(chunks(data, size), keep_records, tally):
        sizes.append(len(batch))
        got += [value for value, _ in batch]
    return sizes, got, tally


def test_batches_are_of_two_hundred_and_miss_nothing() -> None:
    sizes, got, tally = asyncio.run(collect(rows(1_050)))
    assert sizes == [200, 200, 200, 200, 200, 50]
    assert [each["OrderNumber"] for each in got] == list(range(1_050))
    assert (tally.seen, tally.delivered, tally.rejected) == (1_050, 1_050, 0)
    assert tally.received_bytes == len(rows(1_050))


@settings(max_examples=50)
@given(st.integers(1, 300), st.text(min_size=1, max_size=20))
def test_bytes_cut_inside_a_character_give_the_same_text(size: int, name: str) -> None:
    data = json.dumps([{"Name": name}] * 3, ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert asyncio.run(collect(data, size))[1] == [{"Name": name}] * 3


def test_a_mark_at_the_start_and_a_byte_that_is_no_utf8_cost_nothing_else() -> None:
    data = b"\xef\xbb\xbf" + b'[{"Name": "Jos\xe9"}, {"Name": "ok"}]'
    assert asyncio.run(collect(data))[1] == [{"Name": "Jos\ufffd"}, {"Name": "ok"}]


@pytest.mark.parametrize("encoding", ["hex", "utf-32", "iso-2022-jp"])
def test_no_declared_encoding_makes_a_list_fail_as_anything_but_a_broken_reply(encoding: str) -> None:
    async def read(data: bytes) -> list[object]:
        tally = Tally()
        return [
            each async for batch in batches_of(chunks(data), keep_records, tally, xml=INFORMATION) for each, _ in batch
        ]

    head = f'<?xml version="1.0" encoding="{encoding}"?><ArrayOfOrder><Order><CRN>R-1</CRN></Order>'.encode()
    assert asyncio.run(read(head + b"</ArrayOfOrder>")) == [{"CRN": "R-1"}]
    with pytest.raises(BrokenReply):
        asyncio.run(read(head + b"\x1b$$$$$$$$$"))


def test_what_is_no_record_is_counted_and_the_first_is_named_by_place_not_content() -> None:
    _, got, tally = asyncio.run(collect(b'[{"a": 1}, "secret", 3, {"b": 2}, null]'))
    assert got == [{"a": 1}, {"b": 2}]
    assert tally.rejected == 3
    assert tally.first_rejection == "element 2: not a record"


def test_a_list_cut_short_delivers_what_is_whole_and_then_says_so() -> None:
    got = 0

    async def run() -> None:
        nonlocal got
        async for batch in batches_of(chunks(rows(500)[:-10]), keep_records, Tally()):
            got += len(batch)

    with pytest.raises(BrokenReply, match="499 rows") as caught:
        asyncio.run(run())
    assert got == 499
    assert caught.value.broke_off


@pytest.mark.parametrize("data", [b"", b"   ", b"\xef\xbb\xbf"])
def test_an_empty_answer_is_no_empty_list(data: bytes) -> None:
    with pytest.raises(BrokenReply):
        asyncio.run(collect(data))


def test_an_empty_list_is_one() -> None:
    assert asyncio.run(collect(b" [ ] "))[0] == []


def test_the_loop_gets_its_turn_after_each_slice_even_when_no_byte_is_waited_for() -> None:
    """By a clock that says each element takes a quarter of a slice: four elements a turn."""
    ticks = count()

    async def run() -> int:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        clock = lambda: next(ticks) * SLICE / 4  # noqa: E731
        async for _ in batches_of(chunks(rows(1_000)), keep_records, Tally(), clock=clock):
            pass
        task.cancel()
        return turns

    assert asyncio.run(run()) >= 240


def test_rows_do_not_wait_for_a_full_batch_while_the_provider_is_slow() -> None:
    times: Iterator[float] = (each * LINGER for each in count())

    async def run() -> list[int]:
        slow = chunks(rows(10), 120)
        source = batches_of(slow, keep_records, Tally(), clock=lambda: next(times))
        return [len(batch) async for batch in source]

    assert max(asyncio.run(run())) < 10


@pytest.mark.slow
def test_a_long_list_is_never_held_whole() -> None:
    """100 MB go through; what is held at once stays in the order of a batch and a piece."""
    record = json.dumps({"OrderNumber": 1, "Remarks": "x" * 3_000}).encode() + b","

    async def source() -> AsyncGenerator[bytes, None]:
        yield b"["
        piece = record * 21
        for _ in range(1_700):
            yield piece
        yield record[:-1] + b"]"

    async def run() -> tuple[int, int]:
        tally = Tally()
        tracemalloc.start()
        async for _ in batches_of(source(), keep_records, tally):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak, tally.received_bytes

    peak, through = asyncio.run(run())
    assert through > 100_000_000
    assert peak < 6_000_000


def test_leaving_early_ends_the_source() -> None:
    closed = []

    async def source() -> AsyncGenerator[bytes, None]:
        try:
            async for chunk in chunks(rows(5_000)):
                yield chunk
        finally:
            closed.append(True)

    async def run() -> None:
        tally = Tally()
        async with Batches(batches_of(source(), keep_records, tally), tally) as batches:
            async for _ in batches:
                break

    asyncio.run(run())
    assert closed == [True]


def test_a_list_asked_for_as_a_whole_has_a_limit() -> None:
    async def run(cap: int) -> int:
        tally = Tally()
        return len(await Batches(batches_of(chunks(rows(2_000)), keep_records, tally), tally).all(cap))

    assert asyncio.run(run(10_000_000)) == 2_000
    with pytest.raises(BrokenReply, match="larger"):
        asyncio.run(run(20_000))


def test_what_is_read_quickly_and_what_is_not_come_in_their_order() -> None:
    """Every third is not as announced, every seventh is no row at all."""

    def quick(raw: str) -> int | None:
        number = int(json.loads(raw)["OrderNumber"])
        return None if number % 3 == 0 else number

    def convert(value: object, raw: str) -> int | None:
        assert value == json.loads(raw)
        number = int(json.loads(raw)["OrderNumber"])
        assert number % 3 == 0
        return None if number % 7 == 0 else number

    async def run(data: bytes, size: int) -> tuple[list[int], Tally]:
        tally = Tally()
        batches = batches_of(chunks(data, size), convert, tally, quick=quick)
        return [row async for batch in batches for row in batch], tally

    records = [{"OrderNumber": each, "Remarks": "é" * 20} for each in range(3_000)]
    expected = [each for each in range(3_000) if each % 21]
    for layout in ({"separators": (",", ":")}, {"indent": 1}):
        data = json.dumps(records, ensure_ascii=False, **layout).encode()
        for size in (700, 65_536, len(data)):
            got, tally = asyncio.run(run(data, size))
            assert got == expected
            assert (tally.seen, tally.delivered, tally.rejected) == (3_000, len(expected), 3_000 - len(expected))
