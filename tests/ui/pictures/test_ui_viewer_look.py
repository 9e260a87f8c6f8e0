"""Zoom and place of photos, and the region decoded for them: properties for every size and place."""

from math import isclose

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.desk.files.album import Key
from app.imaging.pixels import Region, Size
from app.ui.viewer.look import (
    LARGEST_SCALE,
    SMALLEST_SCALE,
    Box,
    Look,
    SizeF,
    clamped,
    fitting,
    panned,
    placed,
    scale_of,
    seen,
    turned_place,
    turned_size,
    upright_place,
    zoomed,
)
from app.ui.viewer.visible_regions import PIXEL_BUDGET, VisibleRegions, choose_region, covers, place_of, upright_box

sides = st.integers(1, 9_000)
pictures = st.builds(SizeF, sides, sides)
rooms = st.builds(SizeF, st.integers(40, 4_000), st.integers(40, 4_000))
fractions = st.floats(0, 1)
looks = st.builds(Look, st.one_of(st.none(), st.floats(SMALLEST_SCALE, LARGEST_SCALE)), fractions, fractions)
turns = st.sampled_from([0, 90, 180, 270])
SLACK = 1e-6


@given(looks, pictures, rooms)
def test_there_is_no_gap_at_an_edge_and_a_smaller_photo_is_in_the_middle(look: Look, size: SizeF, room: SizeF) -> None:
    box = placed(look, size, room)
    for begin, length, space in ((box.left, box.width, room.width), (box.top, box.height, room.height)):
        if length > space:
            assert begin <= 0
            assert begin + length >= space - SLACK * length
        else:
            assert isclose(begin, (space - length) / 2, abs_tol=SLACK)


@given(looks, pictures, rooms, st.floats(0.3, 3), fractions, fractions)
def test_the_point_under_the_pointer_stays_unless_an_edge_would_come_in(
    look: Look, size: SizeF, room: SizeF, factor: float, x: float, y: float
) -> None:
    pointer = (x * room.width, y * room.height)
    before = placed(look, size, room)
    after_look = zoomed(clamped(look, size, room), size, room, factor, pointer)
    after = placed(after_look, size, room)
    for at, begin, length, end, longer, space in (
        (pointer[0], before.left, before.width, after.left, after.width, room.width),
        (pointer[1], before.top, before.height, after.top, after.height, room.height),
    ):
        under = end + (at - begin) / length * longer
        at_an_edge = longer <= space or isclose(end, 0, abs_tol=1e-3) or isclose(end + longer, space, abs_tol=1e-3)
        assert at_an_edge or isclose(under, at, abs_tol=1e-3)


@given(looks, pictures, rooms, st.floats(0.01, 100), fractions, fractions)
def test_zoom_has_its_ends_and_the_farthest_is_fit(
    look: Look, size: SizeF, room: SizeF, factor: float, x: float, y: float
) -> None:
    found = zoomed(look, size, room, factor, (x * room.width, y * room.height))
    near = scale_of(found, size, room)
    assert near <= LARGEST_SCALE
    assert found.zoom is None or found.zoom >= min(fitting(size, room), SMALLEST_SCALE) or factor > 1
    if factor < 1 and scale_of(look, size, room) * factor <= fitting(size, room):
        assert found.zoom is None


@given(looks, pictures, rooms, st.floats(-5_000, 5_000), st.floats(-5_000, 5_000))
def test_a_photo_follows_the_hand_to_its_edges(look: Look, size: SizeF, room: SizeF, dx: float, dy: float) -> None:
    look = clamped(look, size, room)
    before, after = placed(look, size, room), placed(panned(look, size, room, dx, dy), size, room)
    expected = min(0.0, max(room.width - before.width, before.left + dx)) if before.width > room.width else before.left
    assert isclose(after.left, expected, abs_tol=1e-3)
    expected = (
        min(0.0, max(room.height - before.height, before.top + dy)) if before.height > room.height else before.top
    )
    assert isclose(after.top, expected, abs_tol=1e-3)


@given(looks, pictures, pictures, rooms)
def test_zoom_and_place_hold_from_photo_to_photo(look: Look, one: SizeF, other: SizeF, room: SizeF) -> None:
    """The place in the middle is the same spot of either, as far as their edges allow; coming back nothing moved."""
    assert clamped(look, one, room) == clamped(clamped(look, one, room), one, room)
    for size in (one, other):
        box, at = placed(look, size, room), clamped(look, size, room)
        if box.width > room.width:
            assert isclose((room.width / 2 - box.left) / box.width, at.x, abs_tol=1e-6)


@given(looks, pictures, rooms)
def test_the_visible_part_is_what_lies_in_the_pane(look: Look, size: SizeF, room: SizeF) -> None:
    box, region = placed(look, size, room), seen(look, size, room)
    left, top = box.left + region.left * box.width, box.top + region.top * box.height
    assert isclose(left, max(box.left, 0), abs_tol=1e-3)
    assert isclose(top, max(box.top, 0), abs_tol=1e-3)
    assert isclose(region.width * box.width, min(box.width, room.width), abs_tol=1e-3)
    assert isclose(region.height * box.height, min(box.height, room.height), abs_tol=1e-3)


@given(fractions, fractions, turns)
def test_turned_and_upright_are_each_others_way_back(x: float, y: float, turned: int) -> None:
    there = turned_place(*upright_place(x, y, turned), turned)
    assert isclose(there[0], x, abs_tol=1e-9)
    assert isclose(there[1], y, abs_tol=1e-9)


def test_a_turn_to_the_right_brings_the_upper_left_corner_to_the_upper_right() -> None:
    assert [turned_place(0, 0, turned) for turned in (0, 90, 180, 270)] == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert turned_size(SizeF(4, 3), 90) == SizeF(3, 4)
    assert turned_size(SizeF(4, 3), 180) == SizeF(4, 3)


def test_light_goes_as_far_as_it_goes() -> None:
    assert Look().lit(500, -500) == Look(brightness=100, contrast=-100)
    assert Look(2.0, 0.1, 0.9).at(None) == Look()


# Which region is decoded

large = st.builds(Size, st.integers(200, 20_000), st.integers(200, 12_000))


def _key(
    look: Look, full: Size, room: SizeF, turned: int, most: int, sights: VisibleRegions | None = None
) -> Key | None:
    known = sights or VisibleRegions()
    known.learn("a.jpg", full)
    return known.key("a.jpg", turned, look, room, most)


@given(looks, large, rooms, turns, st.integers(50_000, 4_000_000))
def test_the_decoded_region_covers_the_view_as_sharp_as_the_screen(
    look: Look, full: Size, room: SizeF, turned: int, most: int
) -> None:
    key = _key(look, full, room, turned, most)
    size = turned_size(SizeF(*full), turned)
    near = scale_of(look, size, room)
    if key is None:
        assert near <= fitting(size, room) or fitting(size, room) == 1
        return
    region = key.region or Region(0, 0, *full)
    assert region.left >= 0
    assert region.top >= 0
    assert region.left + region.width <= full.width
    assert region.top + region.height <= full.height
    box = placed(look, size, room)
    assert covers(place_of(key, full, box, turned), look, size, room)
    have = key.box or Size(region.width, region.height)
    assert have.width >= region.width * min(near, 1) - 1
    assert have.height >= region.height * min(near, 1) - 1


@given(looks, large, rooms, turns, st.integers(50_000, 4_000_000))
@example(Look(0.02, 0.0, 0.0), Size(2_337, 2_601), SizeF(40, 40), 0, 50_000)
@example(Look(0.02, 0.0, 0.0), Size(2_337, 2_610), SizeF(40, 40), 0, 50_000)
def test_the_decoded_region_keeps_its_budget_or_is_little_more_than_the_view(
    look: Look, full: Size, room: SizeF, turned: int, most: int
) -> None:
    key = _key(look, full, room, turned, most)
    if key is None:
        return
    region = key.region or Region(0, 0, *full)
    have = key.box or Size(region.width, region.height)
    # The size that is decoded is at most twice as wide as what is seen. No decoder makes a photo smaller than an
    # eighth: of a photo seen smaller still, the visible part at an eighth is what it takes.
    wider = max(2.0, 1 / (8 * scale_of(look, turned_size(SizeF(*full), turned), room)))
    in_sight = (room.width + 20) * (room.height + 20) * wider * wider
    assert have.width * have.height <= max(most, in_sight * 1.3**2) * 1.1 + 40_000


def test_a_photo_that_is_too_large_even_at_an_eighth_is_decoded_at_an_eighth() -> None:
    key = _key(Look(0.02, 0.0, 0.0), Size(2_457, 2_465), SizeF(40, 40), 0, 50_000)
    assert key is not None
    assert key.box == Size(308, 309)


@given(looks, large, rooms, turns, st.integers(50_000, 4_000_000), st.floats(-30, 30), st.floats(-30, 30))
def test_a_region_stays_while_the_view_moves_within_it(
    look: Look, full: Size, room: SizeF, turned: int, most: int, dx: float, dy: float
) -> None:
    sights, size = VisibleRegions(), turned_size(SizeF(*full), turned)
    look = clamped(look, size, room)
    first = _key(look, full, room, turned, most, sights)
    assert _key(look, full, room, turned, most, sights) == first
    moved = panned(look, size, room, dx, dy)
    then = _key(moved, full, room, turned, most, sights)
    if first is None or then is None:
        assert first is then is None
        return
    box = placed(moved, size, room)
    assert covers(place_of(then, full, box, turned), moved, size, room)


def test_a_photo_of_twelve_megapixels_is_panned_a_good_way_before_another_part_is_needed() -> None:
    full, room, sights = Size(4_000, 3_000), SizeF(1_600, 1_000), VisibleRegions()
    look, parts = Look(1.0), set[Key | None]()
    for _ in range(100):
        parts.add(_key(look, full, room, 0, PIXEL_BUDGET // 5, sights))
        look = panned(look, SizeF(*full), room, -12, 0)
    assert len(parts) <= 4  # 1,200 pixels on


def test_from_afar_a_part_is_decoded_smaller_and_a_small_photo_whole() -> None:
    full = Size(16_000, 12_000)
    key = choose_region("a.jpg", full, Box(0.25, 0.25, 0.5, 0.5), 8, 1_000_000, None)
    assert key.region is not None
    assert key.box == Size(key.region.width // 8, key.region.height // 8)
    assert choose_region("a.jpg", Size(800, 600), Box(0, 0, 0.5, 0.5), 1, 1_000_000, None) == Key("a.jpg")
    assert choose_region("a.jpg", Size(1_601, 1_200), Box(0, 0, 1, 1), 2, 1_000_000, None) == Key(
        "a.jpg", Size(801, 600)
    )


def test_a_photo_that_fits_or_is_unknown_or_forgotten_has_no_region() -> None:
    sights = VisibleRegions()
    assert sights.key("a.jpg", 0, Look(1.0), SizeF(100, 100), 9_999) is None
    sights.learn("a.jpg", Size(900, 700))
    assert sights.key("a.jpg", 0, Look(), SizeF(100, 100), 9_999) is None
    assert sights.key("a.jpg", 0, Look(1.0), SizeF(2_000, 2_000), 9_999) is None
    assert sights.key("a.jpg", 0, Look(1.0), SizeF(100, 100), 9_999) is not None
    assert sights.key_under("a.jpg", Box(0, 0, 0.1, 0.1), 2.0, 9_999) is not None
    sights.keep(())
    assert sights.key("a.jpg", 0, Look(1.0), SizeF(100, 100), 9_999) is None


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_part_of_the_turned_photo_is_one_of_the_upright_one(turned: int) -> None:
    box = upright_box(Box(0.1, 0.2, 0.3, 0.4), turned)
    full = Size(1_000, 1_000)
    key = Key("a.jpg", None, region=Region(*(round(each * 1_000) for each in box)))
    assert place_of(key, full, Box(0, 0, 1, 1), turned) == pytest.approx(Box(0.1, 0.2, 0.3, 0.4))
