"""Desks for tests: real databases in the test's own folder, and a real provider on loopback behind them.

`desk` works for the fault server and `practice_desk` for the practice service, both under pytest-asyncio's loop;
`window_desk` and `window_practice_desk` are the same under the window's loop. `order_draft` is an order that may be
sent.
"""

from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from app.api.network.transport import Transport
from app.api.provider import Addresses, Credentials, Deadlines, Provider, open_provider
from app.api.retry import Budget
from app.contract.check import check_draft
from app.contract.draft import ConsigneeDraft, FreightDraft, OrderDraft
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.store.cache.schema.cache_schema import CACHE
from app.store.console.console_file import ConsoleFile
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.sqlite.database import Database
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.support.practice_process import PracticeProcess

QUICK = Deadlines(reads=Budget(attempts=2, seconds=5.0, first=0.005, longest=0.01))


def order_draft(reference: str, name: str = "J. Rivera", **fields: str) -> OrderDraft:
    """An order with everything that is required and nothing more; `fields` are further ones of the order itself."""
    consignee = ConsigneeDraft(name, "12 Beale Street", "", "Memphis", "TN", "38103", "901-555-0142")
    draft = OrderDraft(
        orderReferenceNumber=reference,
        useConsigneeAddressToDetermineFaclityCode="true",
        consignee=consignee,
        freightDetails=[FreightDraft("CHAIR", "2", "12.5")],
    )
    for field, value in fields.items():
        setattr(draft, field, value)
    return draft


def submission(reference: str, name: str = "J. Rivera", **fields: str) -> OrderSubmission:
    """A submission that has passed the check."""
    checked = check_draft(order_draft(reference, name, **fields))
    assert isinstance(checked, OrderSubmission), checked
    return checked


def set_clock(desk: Desk, span: timedelta) -> None:
    """Set the computer's clock forward, or back. It is not later or earlier for that."""
    clock = desk.now
    desk.now = lambda: clock() + span


def let_time_pass(desk: Desk, span: timedelta) -> None:
    """Let time pass by every clock of the desk."""
    set_clock(desk, span)
    ticks = desk.timing.ticks
    desk.timing.ticks = lambda: ticks() + span.total_seconds()


def profile_of(server: FaultServer) -> Profile:
    """The connection to a fault server."""
    at = server.addresses
    return Profile(
        id="acme",
        name="Acme Freight",
        kind="test",
        base_url=at["base_url"],
        info_base_url=at["info_base_url"],
        auth_url=at["auth_url"],
        client_id=server.tokens.client_id,
    )


def provider_of(
    server: FaultServer, *, secret: str = "", deadlines: Deadlines = QUICK, transport: Transport | None = None
) -> Provider:
    """A client of a fault server, with the right secret unless another is given."""
    credentials = Credentials(server.tokens.client_id, secret or server.tokens.client_secret)
    return open_provider(Addresses(**server.addresses), credentials, deadlines=deadlines, transport=transport)


def practice_profile(facts: dict[str, str], who: str = "") -> Profile:
    """The connection to a practice service as one of its clients: empty, `other_` or `limited_`."""
    return Profile(
        id=f"practice-{who}",
        name="Practice",
        kind="practice",
        base_url=facts["base_url"],
        info_base_url=facts["info_base_url"],
        auth_url=facts["auth_url"],
        client_id=facts[f"{who}client_id"],
    )


def practice_provider(facts: dict[str, str], who: str = "") -> Provider:
    """A client of a practice service."""
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    return open_provider(places, Credentials(facts[f"{who}client_id"], facts[f"{who}client_secret"]), deadlines=QUICK)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Database]:
    """A journal of one's own."""
    database = Journal(tmp_path / "journal.sqlite3")
    yield database
    database.close_now()


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Database]:
    """A cache of one's own, to write to."""
    database = Database(tmp_path / "cache.sqlite3", CACHE)
    yield database
    database.close_now()


@pytest.fixture
def reader(tmp_path: Path, cache: Database) -> Iterator[Database]:
    """A second connection to the cache, to read from."""
    cache.read_now(lambda c: None)  # it is there before a second connection opens it
    database = Database(tmp_path / "cache.sqlite3", CACHE)
    yield database
    database.close_now()


@pytest.fixture
def console(tmp_path: Path) -> Iterator[ConsoleFile]:
    """A file of calls made by hand, of one's own."""
    file = ConsoleFile(tmp_path / "console.sqlite3")
    yield file
    file.close_now()


@pytest.fixture
def profile(fault_server: FaultServer) -> Profile:
    """The connection to this test's fault server."""
    return profile_of(fault_server)


@pytest.fixture
def offline_desk(profile: Profile, journal: Database, cache: Database, reader: Database, console: ConsoleFile) -> Desk:
    """A desk that is not connected."""
    return Desk(profile, journal, cache, reader, datetime.now, console=console)


@pytest_asyncio.fixture
async def desk(offline_desk: Desk, fault_server: FaultServer) -> AsyncIterator[Desk]:
    """A desk on this test's fault server, for a coroutine test."""
    async with provider_of(fault_server) as provider:
        offline_desk.provider = provider
        yield offline_desk


@pytest_asyncio.fixture
async def practice_desk(
    practice: PracticeProcess, journal: Database, cache: Database, reader: Database, console: ConsoleFile
) -> AsyncIterator[Desk]:
    """A desk on the shared practice service, for a coroutine test."""
    async with practice_provider(practice.facts) as provider:
        yield Desk(practice_profile(practice.facts), journal, cache, reader, datetime.now, provider, console=console)


@pytest.fixture
def window_desk(loop: RunningLoop, offline_desk: Desk, fault_server: FaultServer) -> Iterator[Desk]:
    """A desk on this test's fault server, under the window's loop."""
    offline_desk.provider = provider = provider_of(fault_server)
    yield offline_desk
    loop.run(provider.aclose())
    loop.rest()  # its connections are closed in the loop's next turn


@pytest.fixture
def window_practice_desk(
    loop: RunningLoop,
    practice: PracticeProcess,
    journal: Database,
    cache: Database,
    reader: Database,
    console: ConsoleFile,
) -> Iterator[Desk]:
    """A desk on the shared practice service, under the window's loop."""
    provider = practice_provider(practice.facts)
    yield Desk(practice_profile(practice.facts), journal, cache, reader, datetime.now, provider, console=console)
    loop.run(provider.aclose())
    loop.rest()  # its connections are closed in the loop's next turn
