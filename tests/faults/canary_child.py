"""`python -m tests.faults.canary_child DIR SEED COUNT`: a desk that fails in every way it can, with a canary on board.

Everything that may be written is written below DIR: `data` holds the journal and the cache, `logs` every record of
every logger at its lowest level, `reports` what the sink told, `tmp` temporary files, `shared` what a person would pass
on: exported connections, and all that tests of a connection say. In the end it fails as a whole.

In every run the secret is typed into a form of the console too, as a value, in JSON and in a text that is broken off:
before the connection is there, when nobody can tell that it is one, and after.

Every second child works through a proxy, whose password is a secret too.
"""

import asyncio
import logging
import random
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.api.addresses import Addresses, Credentials
from app.api.network.transport import Transport
from app.api.provider import open_provider
from app.desk.connections import connection, connection_files
from app.desk.console.calls import call_history, kept_drafts
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.copied_request import FORMS, copied
from app.desk.console.calls.named_requests import keep, requests_folder
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.calls.send_call import CannotBeSent, send
from app.desk.console.console_operations import operations
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sync import order_sync
from app.runtime.sink import Sink
from app.store.console.console_file import ConsoleFile
from tests.faults.f03_dropped import STAGES
from tests.faults.f16_malformed import KINDS
from tests.faults.workbench import CANCEL, STATUS, SUBMIT, Bench, bench
from tests.support.connect_proxy import start_connect_proxy
from tests.support.desks import submission
from tests.support.fault_server import TOKEN, start_fault_server
from tests.support.faults import Answer, Fault, answered, json_answer

SECRET = "canary-secret-5e1f0c"
CONSIGNEE = "Canary Consignee Quill"
PROXY_USER, PROXY_PASSWORD = "desk", "canary-password-a91c07"
_ECHO = json_answer({"title": CONSIGNEE, "detail": f"{CONSIGNEE} has no zip.", "errors": {CONSIGNEE: [CONSIGNEE]}}, 400)
_ECHO_SECRET = json_answer({"error": SECRET, "error_description": f"wrong secret {SECRET}"}, 400)
_ECHO_READ = Answer(200, f'{{"secret": "{SECRET}", "who": "{CONSIGNEE}"}}'.encode(), headers=(("X-Secret", SECRET),))
_FACILITIES = next(each for each in operations(None) if each.name == "facilities")
_QUICK_STAGES = [name for name in STAGES if name not in ("too late", "too slow")]


def fault(chance: random.Random) -> Fault:
    """A failure of any kind; some repeat what they were sent."""
    if chance.random() < 0.2:
        return answered(_ECHO)
    if chance.random() < 0.3:
        return answered(KINDS[chance.choice(tuple(KINDS))][0](chance, CONSIGNEE))
    return STAGES[chance.choice(_QUICK_STAGES)](chance)


async def fail(made: Bench, chance: random.Random, number: int, sink: Sink, known: Sequence[str]) -> None:
    """One failing run: the provider's faults, and sometimes one of our own with the consignee in its words.

    `known` are the secrets of this connection, which are typed too.
    """
    made.new_case(f"case-{number}")
    for path in (SUBMIT, CANCEL, STATUS, "/orders/open"):
        made.script.then(path, *(fault(chance) for _ in range(chance.randrange(3))))
    if chance.random() < 0.2:
        made.server.tokens.revoke()
        made.script.then(TOKEN, answered(chance.choice((_ECHO_SECRET, Answer(500), Answer(401, SECRET.encode())))))
    await outbox.queue_submission(made.desk, submission(f"R-{number}", CONSIGNEE), None)
    try:
        await outbox.drain(made.desk, _breaks if chance.random() < 0.3 else lambda: None)
    except LookupError as error:
        sink.report(error, "Sending")
    await outbox.queue_cancellation(made.desk, f"R-{number}")
    await order_sync.refresh(made.desk, "open", 2)
    made.script.then("/Facilities", answered(_ECHO_READ) if chance.random() < 0.5 else fault(chance))
    await call_by_hand(made.desk, number)
    await type_secrets(made.desk, number, known)
    await made.settle_down(rounds=1)


async def call_by_hand(desk: Desk, number: int) -> None:
    """A call of the console, kept, copied and written to a file."""
    made = RequestDraft(_FACILITIES.key, (("ZipCode", CONSIGNEE),))
    await send(desk, _FACILITIES, made, Answers())
    texts = [copied(desk, _FACILITIES, made, Answers(), form) for form in FORMS]
    requests_folder(desk).joinpath(f"copied-{number}").write_text("\n".join(texts), encoding="utf-8")
    keep(requests_folder(desk), _FACILITIES, made, f"Case {number}")


async def type_secrets(desk: Desk, number: int, known: Sequence[str]) -> None:
    """The secrets typed where they do not belong; what stands in a form is kept, and a call with them is refused."""
    held = desk.provider
    assert held is not None
    for word in known:
        typed = RequestDraft(_FACILITIES.key, (("ZipCode", f"{CONSIGNEE} {number} {word}"),), f'{{"a": "{word}')
        desk.provider = None
        try:
            await kept_drafts.keep(desk, typed)
        finally:
            desk.provider = held
        await kept_drafts.read(desk)  # as the page does once the connection is there
        await kept_drafts.keep(desk, typed)
        try:
            await send(desk, _FACILITIES, typed, Answers())
        except CannotBeSent:
            pass
        else:
            raise AssertionError(f"a call with {word} was sent")
    await kept_drafts.keep(desk, RequestDraft(_FACILITIES.key, (("ZipCode", f"{CONSIGNEE} {number}"),)))


async def unpack_history(desk: Desk, file: Path) -> None:
    """The history in plain text beside its file, where answers lie compressed: so that the search sees them."""
    calls = await call_history.latest(desk, most=10_000)
    answers = [await call_history.answer_of(desk, each.id) for each in calls]
    bodies = b"\n".join(each.body + repr(each).encode() for each in answers if each is not None)
    await asyncio.to_thread(file.write_bytes, repr(calls).encode() + bodies)
    forms = await kept_drafts.read(desk)
    await asyncio.to_thread(file.with_name("forms.txt").write_text, repr(forms), encoding="utf-8")


def copy_as_killed(folder: Path) -> None:
    """Copy the console's file as it lies there while it is open: so a program that is killed leaves it."""
    copies = folder / "killed"
    copies.mkdir()
    for each in folder.glob("console.sqlite3*"):
        shutil.copyfile(each, copies / each.name)


def _breaks() -> None:
    try:
        raise ValueError(f"{CONSIGNEE} {SECRET}")
    except ValueError as error:
        raise LookupError(CONSIGNEE, SECRET) from error


async def share(folder: Path, made: Bench, transports: tuple[Transport, ...]) -> None:
    """What a person passes on when something does not work: the connection as a file, and what its tests said."""
    profile = replace(made.desk.profile, proxy=transports[0].proxy, proxy_user=PROXY_USER)
    (folder / "shared" / "connections.json").write_bytes(connection_files.as_file([profile]))
    with (folder / "shared" / "tests.txt").open("w", encoding="utf-8") as told:
        for transport in transports:
            for secret in (SECRET, f"{SECRET}-wrong"):
                credentials = Credentials(made.server.tokens.client_id, secret)
                card = await connection.examine(
                    Addresses(**made.server.addresses), credentials, datetime.now, transport
                )
                print(card, transport, credentials, file=told)


async def work(folder: Path, seed: int, count: int, sink: Sink) -> None:
    """`count` failing runs."""
    sink.install(asyncio.get_running_loop())
    with start_fault_server() as server, start_connect_proxy(f"{PROXY_USER}:{PROXY_PASSWORD}") as proxy:
        server.tokens.client_secret = SECRET
        console = ConsoleFile(folder / "data" / "console.sqlite3")
        right = Transport(proxy.address, PROXY_USER, PROXY_PASSWORD)
        wrong_login = replace(right, proxy_password=f"{PROXY_PASSWORD}-wrong")
        transport, known = (None, (SECRET,)) if seed // 50 % 2 else (right, (SECRET, PROXY_PASSWORD))
        async with bench(server, folder / "data", transport=transport) as made:
            made.desk.console = console
            requests_folder(made.desk).mkdir()
            for number in range(count):
                await fail(made, random.Random(f"{seed}/{number}"), number, sink, known)
            await unpack_history(made.desk, folder / "data" / "history.txt")
            await asyncio.to_thread(copy_as_killed, folder / "data")
            await console.close()
            wrong = Credentials(server.tokens.client_id, SECRET + "-wrong")
            for transport in (Transport(), right, wrong_login):
                async with open_provider(Addresses(**server.addresses), wrong, transport=transport) as provider:
                    made.desk.provider = provider
                    await outbox.drain(made.desk)
            await share(folder, made, (right, wrong_login))
            logging.getLogger("asyncio").debug("%d runs", count)


def main(folder: Path, seed: int, count: int) -> None:
    """Set everything up that writes, and fail."""
    for name in ("data", "logs", "tmp", "shared"):
        (folder / name).mkdir()
    records = logging.FileHandler(folder / "logs" / "all.log", encoding="utf-8")
    records.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.DEBUG, handlers=[records])
    sink = Sink()
    with (folder / "reports").open("w", encoding="utf-8") as reports:
        sink.failed.connect(lambda where, text: reports.write(f"{where}\n{text}\n"))
        asyncio.run(work(folder, seed, count, sink))
        sink.install()
        print("ran", count, flush=True)
        try:
            _breaks()
        except LookupError:
            sys.excepthook(*sys.exc_info())
    _breaks()  # what the interpreter itself would print goes to the sink instead


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
