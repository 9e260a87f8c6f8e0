"""Opens a data directory by the options: locks it, checks its file, and fills it with clients and a world."""

import secrets
from collections.abc import Mapping
from random import Random

import apsw

from app.practice.bearer_tokens import Tokens
from app.practice.clock import start_clock
from app.practice.database import fill
from app.practice.database.clients import MAIN, OTHER, Client, keep_clients
from app.practice.database.practice_schema import (
    FolderDamaged,
    check_file,
    lock_folder,
    open_file,
    read_meta,
    write_meta,
)
from app.practice.options import FIRST_AUDITS, FIRST_ORDERS, Options
from app.practice.running_service import RunningService

_FILE = "practice.sqlite"


def open_service(options: Options) -> tuple[RunningService, apsw.Connection]:
    """The service of a data directory, filled, and the lock that keeps other processes out of it.

    Raises FolderInUse and FolderDamaged.
    """
    options.data.mkdir(parents=True, exist_ok=True)
    try:
        # The lock comes first: a second process must neither check nor fill a file that is in use.
        lock = lock_folder(options.data)
        return _opened(options), lock
    except (apsw.Error, ValueError) as error:
        raise FolderDamaged(options.data, error) from error


def _opened(options: Options) -> RunningService:
    path = options.data / _FILE
    connection = open_file(path)
    check_file(connection, path)
    seed = _seed(connection, options.seed)
    clock = start_clock(options.clock, read_meta(connection, "clock"), options.epoch)
    now = clock.now()
    clients = keep_clients(connection)
    _fill(connection, seed, clients, options, now)
    service = RunningService(
        folder=options.data,
        connection=connection,
        seed=seed,
        clock=clock,
        switches=options.switches,
        clients=clients,
        tokens=Tokens(options.token_life),
        chance=Random(seed),
        ready_until=int(read_meta(connection, "ready_until") or now),
        patience=options.patience,
    )
    service.let_arrive(now)
    write_meta(connection, "clock", clock.saved_state())
    return service


def _fill(connection: apsw.Connection, seed: int, clients: Mapping[str, Client], options: Options, now: int) -> None:
    """Make what the options want of the world, and at the first start the little that every world has."""
    first = read_meta(connection, "ready_until") is None
    orders = FIRST_ORDERS if first and options.orders is None else options.orders
    audits = FIRST_AUDITS if first and options.audits is None else options.audits
    if orders is not None:
        fill.fill_orders(connection, seed, clients[MAIN], orders, now)
    if first:
        fill.fill_others(connection, seed, clients.values(), now)
        fill.fill_audits(connection, clients[OTHER], 5, now)
        write_meta(connection, "ready_until", str(now))
    if audits is not None:
        fill.fill_audits(connection, clients[MAIN], audits, now)


def _seed(connection: apsw.Connection, wanted: int | None) -> int:
    """The seed of the data directory. An existing world keeps its seed, whatever `wanted` says."""
    kept = read_meta(connection, "seed")
    if kept is not None:
        return int(kept)
    seed = wanted if wanted is not None else secrets.randbits(31)
    write_meta(connection, "seed", str(seed))
    return seed
