"""The data of a removed connection is deleted from the cache, all of it and nothing else."""

from dataclasses import replace

import pytest

from app.desk.connections import profiles
from app.desk.connections.profiles import forget_gone
from app.desk.desk import Desk
from app.desk.known import known_data
from app.store.cache import fetched_windows, forget, order_query, order_store
from app.store.cache.index import segments, sort_order
from app.store.cache.order_rows import OrderQuery
from app.store.journal.profile_store import Profile
from app.store.sqlite.plain_rows import rows, value
from tests.support.order_facts import ASKED, facts, some

pytestmark = pytest.mark.asyncio


async def _fill(desk: Desk, profile: str, count: int = 30) -> None:
    for place, first in (("open", 1_000), ("completed", 5_000)):
        await desk.cache.write(order_store.store_orders, profile, place, some(count, first=first), ASKED)  # type: ignore[arg-type]
        await desk.cache.write(fetched_windows.finish_window, profile, place, ASKED, ASKED, ASKED, count)  # type: ignore[arg-type]
    while await desk.cache.write(segments.index_some):
        pass


async def _held(desk: Desk, profile: str) -> tuple[int, int, int]:
    """How many orders a profile has, how many a search finds, and how many windows."""
    return (
        await desk.cache.read(order_query.count_orders, OrderQuery(profile, None)),
        await desk.cache.read(order_query.count_orders, OrderQuery(profile, None, "main st")),
        await desk.cache.read(value, "SELECT count(*) FROM windows WHERE profile = ?", (profile,)),
    )


async def test_orders_of_a_removed_connection_go_a_few_at_a_time(
    offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget, "STEP", 7)
    for profile in ("gone", "kept", offline_desk.profile.id, profiles.PRACTICE_ID):
        await _fill(offline_desk, profile)
    await offline_desk.cache.write(sort_order.prepare_sort, "carrier_phone")
    await profiles.save(offline_desk.journal, replace(offline_desk.profile, id="kept"))
    await forget_gone(offline_desk)
    assert await _held(offline_desk, "gone") == (0, 0, 0)
    for profile in ("kept", offline_desk.profile.id, profiles.PRACTICE_ID):
        assert await _held(offline_desk, profile) == (60, 60, 2)
    held = await offline_desk.cache.read(forget.profiles_with_data)
    assert sorted(held) == sorted({"kept", offline_desk.profile.id, profiles.PRACTICE_ID})
    for table in (*order_store.KEYED_TABLES, "prepared_carrier_phone"):
        found = await offline_desk.cache.read(rows, f"SELECT count(*) FROM {table} WHERE id >> 40 IN "  # noqa: S608
                                              "(SELECT partition FROM partitions WHERE profile = 'gone')")  # fmt: skip
        assert found == [(0,)], table


async def test_one_that_is_connected_again_meanwhile_keeps_the_rest(
    offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget, "STEP", 7)
    await _fill(offline_desk, "gone")
    forget_some = forget.forget_step
    steps: list[str] = []

    def step(c: object, profile: str) -> bool:
        steps.append(profile)
        return forget_some(c, profile)  # type: ignore[arg-type]

    monkeypatch.setattr(forget, "forget_step", step)
    all_profiles, asked = profiles.all_profiles, []

    async def back_after_two(journal: object) -> list[Profile]:
        asked.append(1)
        found = await all_profiles(journal)  # type: ignore[arg-type]
        return [*found, replace(offline_desk.profile, id="gone")] if len(asked) > 2 else found

    monkeypatch.setattr("app.desk.connections.profiles.all_profiles", back_after_two)
    await forget_gone(offline_desk)
    assert steps == ["gone", "gone"]
    assert (await _held(offline_desk, "gone"))[0] == 60 - 14


async def test_what_was_learnt_of_it_goes_too(offline_desk: Desk) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="gone"))
    await other.cache.write(
        order_store.store_orders, "gone", "open", [facts(1, extra={"Consignee": {"Name": "Ana"}})], ASKED
    )
    while await known_data.learn_some(other):
        pass
    assert "gone" in await offline_desk.cache.read(forget.profiles_with_data)
    await forget_gone(offline_desk)
    assert await offline_desk.cache.read(forget.profiles_with_data) == []
