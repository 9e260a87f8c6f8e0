"""Sentences with values and numbers."""

import pytest

from app.translation import translate, translate_plural


def test_values_are_put_in_and_never_read_as_a_pattern() -> None:
    assert translate("{name} is full.", name="{0} {count}") == "{0} {count} is full."


def test_a_sentence_without_values_stays_as_it_is() -> None:
    assert translate("Braces { stay.") == "Braces { stay."


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 orders wait."), (1, "1 order waits."), (2, "2 orders wait."), (12_000, "12,000 orders wait.")],
)
def test_the_form_fits_the_number(count: int, said: str) -> None:
    assert translate_plural("{count} order waits.", "{count:,} orders wait.", count) == said


def test_a_plural_takes_other_values_too() -> None:
    said = translate_plural("{count} order of {who} waits.", "{count} orders of {who} wait.", 2, who="Ana")
    assert said == "2 orders of Ana wait."
