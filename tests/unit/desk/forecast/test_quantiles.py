"""A quantile is the smallest number at or below which so many tenths of the counted numbers lie."""

import math
from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given

from app.desk.forecast.quantiles import count_from, quantile

numbers = st.lists(st.integers(0, 60), min_size=1, max_size=80)


@given(numbers, st.integers(1, 10))
def test_nearest_rank(found: list[int], tenths: int) -> None:
    rank = math.ceil(len(found) * tenths / 10)
    assert quantile(Counter(found), tenths) == sorted(found)[rank - 1]


@given(numbers, st.integers(1, 9), st.integers(0, 9))
def test_quantiles_grow_and_move_with_the_numbers(found: list[int], tenths: int, more: int) -> None:
    counted = Counter(found)
    assert quantile(counted, tenths) <= quantile(counted, tenths + 1) <= max(found)
    assert quantile(Counter(each + more for each in found), tenths) == quantile(counted, tenths) + more
    assert quantile(Counter({each: count * 3 for each, count in counted.items()}), tenths) == quantile(counted, tenths)


@given(numbers, st.integers(0, 70))
def test_numbers_from_a_least_one(found: list[int], least: int) -> None:
    assert count_from(Counter(found), least) == sum(each >= least for each in found)


@pytest.mark.parametrize(("counted", "tenths"), [({}, 5), ({3: 0}, 5), ({3: 1}, 0), ({3: 1}, 11)])
def test_there_is_no_quantile_of_nothing(counted: dict[int, int], tenths: int) -> None:
    with pytest.raises(ValueError, match="nothing"):
        quantile(counted, tenths)
