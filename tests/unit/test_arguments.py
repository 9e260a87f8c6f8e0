"""The command line: what it makes of words and links, and how it refuses what makes no sense."""

from pathlib import Path

import pytest

from app.arguments import Arguments, read_arguments, read_link


def test_without_words_everything_is_as_usual() -> None:
    assert read_arguments([]) == Arguments()


def test_words_and_a_link_go_together(tmp_path: Path) -> None:
    assert read_arguments(["--data-dir", str(tmp_path), "waybill:order/CRN-1"]) == Arguments(
        data_dir=tmp_path, reference="CRN-1"
    )


@pytest.mark.parametrize("more", [[], ["--safe"], ["--time-to-ready"], ["--json"]])
def test_a_usual_start_is_read_as_the_parser_reads_it(tmp_path: Path, more: list[str]) -> None:
    words = ["--data-dir", str(tmp_path), *more]
    assert read_arguments(words) == read_arguments([*words, "--"]), "two dashes end the options: only the parser knows"


def test_a_usual_start_makes_no_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("argparse.ArgumentParser")
    assert read_arguments([]) == Arguments()
    assert read_arguments(["--data-dir", str(tmp_path)]) == Arguments(tmp_path)
    with pytest.raises(AttributeError):
        read_arguments(["--safe"])


def test_an_option_in_the_place_of_a_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        read_arguments(["--data-dir", "--time-to-ready"])
    assert left.value.code == 2
    assert "expected one argument" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("link", "reference"),
    [
        ("", ""),
        ("waybill:order/CRN-20481", "CRN-20481"),
        ("waybill://order/CRN-20481", "CRN-20481"),
        ("WAYBILL://Order/CRN-20481/", "CRN-20481"),
        ("waybill:order/A%20%2F%23%C3%A4", "A /#ä"),
        ("waybill:order/A/B", "A/B"),
        ("waybill:order/A?from=mail", "A"),
        ("waybill:order/", None),
        ("waybill:order/%20", None),
        ("waybill:delete/A", None),
        ("https://order/A", None),
        ("order/A", None),
    ],
)
def test_a_link_names_an_order_by_its_reference(link: str, reference: str | None) -> None:
    assert read_link(link) == reference


def test_a_link_that_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        read_arguments(["waybill:delete/A"])
    assert left.value.code == 2
    assert (
        "waybill:delete/A is no link that Waybill knows: it would begin with waybill:order/" in capsys.readouterr().err
    )
