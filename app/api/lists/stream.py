"""A long list turned into batches while it arrives, in slices short enough that a window stays alive.

Invariants: never more than one batch, one piece of text and one unfinished element are held, and of a reply that may be
the same as before `HELD` bytes; the event loop gets its turn after each `SLICE` seconds of work; an element that cannot
be used is counted, not fatal; a list that ends before its closing bracket is a BrokenReply, raised after everything
whole has been delivered.
"""

import asyncio
import codecs
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import blake2b
from types import TracebackType
from typing import Generic, Self, TypeVar

from app.api import api_words
from app.api.errors import ApiError, BrokenReply
from app.api.lists.array import ArrayReader, decoded
from app.api.lists.xml_list import XmlListReader
from app.contract.xml_records import Shape, decoder_of

BATCH = 200  # rows
SLICE = 0.002  # seconds
LIST_CAP = 64 * 1024 * 1024  # bytes of a list that is asked for as a whole
HELD = 8 * 1024 * 1024  # bytes of a reply that are held back to see whether it is the same as before
LINGER = 0.25  # seconds that a row waits at most for its batch to fill while the provider is slow

T = TypeVar("T")
Convert = Callable[[object, str], T | None]  # an element and its own text → its row; None is no row
Quick = Callable[[str], T | None]  # the text of a record → its row, if the record is exactly as announced; else None


@dataclass(slots=True)
class Tally:
    """The count of a list so far: elements seen, rows handed out, elements rejected and why the first was, bytes.

    `digest` is that of the whole reply once it has come; `same` that it was the one known, so that nothing was read.
    """

    seen: int = 0
    delivered: int = 0
    rejected: int = 0
    first_rejection: str = ""
    received_bytes: int = 0
    digest: bytes = b""
    same: bool = False

    def restart(self) -> None:
        """Forget an attempt that handed nothing out."""
        self.seen = self.rejected = self.received_bytes = 0
        self.first_rejection, self.digest, self.same = "", b"", False

    def reject(self, value: object) -> None:
        """Count an element that is no usable record; says its kind, never its content."""
        self.rejected += 1
        if not self.first_rejection:
            kind = "a record that cannot be read" if isinstance(value, dict) else "not a record"
            self.first_rejection = f"element {self.seen}: {kind}"


class Batches(Generic[T]):
    """The rows of a list, a batch at a time; close it (`async with`) when leaving early.

    `tally` is live. Nothing is sent before the first batch is asked for. Once a batch has been handed out, an error
    is final: the caller requests the whole list again.
    """

    def __init__(self, source: AsyncGenerator[list[T], None], tally: Tally) -> None:
        self._source = source
        self.tally = tally

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> list[T]:
        return await self._source.__anext__()

    async def aclose(self) -> None:
        """End the transfer."""
        await self._source.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def all(self, cap: int = LIST_CAP) -> list[T]:
        """Every row at once, for lists that are short by nature; BrokenReply once the reply exceeds `cap` bytes."""
        rows: list[T] = []
        async with self:
            async for batch in self:
                rows += batch
                if self.tally.received_bytes > cap:
                    raise BrokenReply(api_words.list_too_large(cap // 1024))
        return rows


async def batches_of(
    chunks: AsyncIterator[bytes],
    convert: Convert[T],
    tally: Tally,
    *,
    quick: Quick[T] | None = None,
    size: int = BATCH,
    clock: Callable[[], float] = time.perf_counter,
    xml: Shape | None = None,
) -> AsyncGenerator[list[T], None]:
    """Batches of up to `size` rows out of the bytes of one JSON array, or of one list in XML with records of a shape.

    `quick` is asked first, where an element is told apart without being decoded; `convert` where that gives None.
    """
    reader: ArrayReader | XmlListReader = ArrayReader() if xml is None else XmlListReader(xml)
    batch, since = list[T](), clock()
    # `aclosing` at each level: a generator that is dropped half-way is closed only when the collector finds it, and the
    # connection below it would stay taken until then.
    async with aclosing(_rows(chunks, _Elements(reader, convert, quick, tally), clock)) as slices:
        async for rows in slices:
            batch += rows
            while len(batch) >= size or (batch and clock() - since > LINGER):
                full, batch = batch[:size], batch[size:]
                tally.delivered += len(full)
                yield full
                since = clock()
    if batch:
        tally.delivered += len(batch)
        yield batch
    if not reader.complete and not tally.same:
        raise BrokenReply(
            api_words.list_broke_off(tally.delivered),
            broke_off=True,
        )


async def told_apart(chunks: AsyncIterator[bytes], tally: Tally, known: bytes | None) -> AsyncGenerator[bytes, None]:
    """Pass the chunks on, and their digest to the tally; no chunk where the digest is the one known.

    To see that, they are held back until the last has come, or more than `HELD`; what came before trouble is passed on.
    """
    digest, held, size = blake2b(digest_size=16), list[bytes](), 0
    holding = known is not None
    try:
        async for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            held.append(chunk)
            holding = holding and size <= HELD
            while held and not holding:
                yield held.pop(0)
    except ApiError:
        for chunk in held:
            yield chunk
        raise
    tally.digest = digest.digest()
    tally.same = holding and tally.digest == known
    if not tally.same:
        for chunk in held:
            yield chunk


@dataclass(slots=True)
class _Elements(Generic[T]):
    """Turns the elements that a reader has into rows."""

    reader: ArrayReader | XmlListReader
    convert: Convert[T]
    quick: Quick[T] | None
    tally: Tally

    def rows(self) -> Iterator[T | None]:
        """A row for each element at hand, or None for what is none."""
        while self.quick is not None and (texts := self.reader.whole()):
            for raw in texts:
                self.tally.seen += 1
                row = self.quick(raw)
                yield self._converted(decoded(raw), raw) if row is None else row
        while (element := self.reader.next()) is not None:
            value, raw = element
            self.tally.seen += 1
            row = None if self.quick is None else self.quick(raw)
            yield self._converted(value, raw) if row is None else row

    def _converted(self, value: object, raw: str) -> T | None:
        row = self.convert(value, raw)
        if row is None:
            self.tally.reject(value)
        return row


async def _rows(
    chunks: AsyncIterator[bytes], elements: _Elements[T], clock: Callable[[], float]
) -> AsyncGenerator[list[T], None]:
    """The rows of each slice of work, after which the loop has had its turn, and of what a piece of text ends with."""
    began = clock()
    in_xml = isinstance(elements.reader, XmlListReader)
    async with aclosing(_texts(chunks, elements.tally, in_xml=in_xml)) as texts:
        async for text, last in texts:
            elements.reader.feed(text, last=last)
            rows: list[T] = []
            for row in elements.rows():
                if row is not None:
                    rows.append(row)
                if clock() - began >= SLICE:
                    # The loop takes a turn after each slice, so that keys and painting go on while a long list is
                    # parsed.
                    await asyncio.sleep(0)
                    began = clock()
                    yield rows
                    rows = []
            yield rows


async def _texts(chunks: AsyncIterator[bytes], tally: Tally, *, in_xml: bool) -> AsyncGenerator[tuple[str, bool], None]:
    """The text of the chunks, each with whether it is the last.

    A byte that is no UTF-8 becomes the replacement mark, visible in one name, instead of costing the whole list.
    """
    # Incremental, because a chunk may end in the middle of a character; with "sig", because some servers begin with a
    # mark.
    decoder: codecs.IncrementalDecoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    async for chunk in chunks:
        if in_xml and not tally.received_bytes:
            decoder = decoder_of(chunk)  # only XML says at its beginning how it is encoded
        tally.received_bytes += len(chunk)
        yield _decoded(decoder, chunk), False
    yield _decoded(decoder, b"", final=True), True


def _decoded(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> str:
    """The next text. Some Japanese codecs refuse bytes that they cannot make a character of, also as marks."""
    try:
        return decoder.decode(chunk, final=final)
    except UnicodeError:
        broken = BrokenReply(api_words.NOT_TEXT)
    # `broken` is raised out here: the decoder's error holds the reply's text, and would be its context.
    raise broken
