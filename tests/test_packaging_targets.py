"""One set of tests on every target, packages made twice: the parts that need no packing."""

import os
import select
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import pytest
from devtools.errors import CannotGoOn
from trials import copies, flows, packed_start, twice, windows_trial

REPORT = """<testsuites><testsuite>
<testcase classname="tests.e2e.test_flow_order" name="one" time="2.5"/>
<testcase classname="tests.e2e.test_flow_order" name="two" time="1.4"><failure/></testcase>
<testcase classname="tests.e2e.test_flow_places" name="share"><skipped/></testcase>
<testcase classname="tests.e2e.test_flow_places" name="long"/>
</testsuite></testsuites>"""


def test_the_table_says_what_ran_where(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT, encoding="utf-8")
    told = flows.told(report)
    assert told == {"test_flow_order": "1 failed, 1 passed (4 s)", "test_flow_places": "1 passed, 1 left out (0 s)"}
    lines = flows.table({"source": told, "windows": {"test_flow_order": "2 passed"}}).splitlines()
    assert lines == [
        "| tests | source | windows |",
        "| --- | --- | --- |",
        "| test_flow_order | 1 failed, 1 passed (4 s) | 2 passed |",
        "| test_flow_places | 1 passed, 1 left out (0 s) | – |",
    ]


def test_a_run_that_left_no_report_passed_nothing(tmp_path: Path) -> None:
    assert flows.told(tmp_path / "none.xml") == {}


def test_the_flows_are_among_the_end_to_end_tests(capsys: pytest.CaptureFixture[str]) -> None:
    names = {each.name for each in flows.chosen(every=False)}
    assert {"test_flow_order.py", "test_flow_starts.py"} <= names
    assert names < {each.name for each in flows.chosen(every=True)}
    assert flows.run(["--targets"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["source", "linux", "windows"]
    with pytest.raises(CannotGoOn, match="There is no target macos"):
        flows.run(["macos"])


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of packages: one package the same, a zip with one other member, one package made only once."""
    made = tmp_path / "first", tmp_path / "second"
    for number, folder in enumerate(made):
        folder.mkdir()
        (folder / "same.deb").write_bytes(b"deb")
        (folder / "SHA256SUMS").write_text(str(number))
        with zipfile.ZipFile(folder / "stick.zip", "w") as archive:
            archive.writestr(zipfile.ZipInfo("alike"), "x")
            archive.writestr(zipfile.ZipInfo("dated"), str(number))
    (made[0] / "once.tar.xz").write_bytes(b"xz")
    return made


def test_packages_that_differ_are_named_with_what_differs(
    folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert twice.compare(*folders) == 1
    once, same, stick = capsys.readouterr().out.splitlines()
    assert once == "once.tar.xz: made only once"
    assert same.startswith("same.deb: the same (")
    assert stick == "stick.zip: DIFFERENT in dated"


def test_packages_that_are_the_same_pass(folders: tuple[Path, Path]) -> None:
    (folders[0] / "once.tar.xz").unlink()
    for folder in folders:
        (folder / "stick.zip").unlink()
    assert twice.compare(*folders) == 0
    (folders[0] / "setup.exe").write_bytes(b"one moment")
    (folders[1] / "setup.exe").write_bytes(b"two moments")
    assert twice.compare(*folders) == 1


def test_a_copy_is_what_git_knows_and_a_later_one_has_a_step_more(tmp_path: Path) -> None:
    copy = copies.later(tmp_path / "later")
    assert (copy / "packaging" / "dev.py").exists()
    assert not (copy / ".venv").exists()
    said = subprocess.run(
        [sys.executable, "-c", "from app.version import VERSION; "
         "from app.store.journal.schema.journal_schema import JOURNAL; print(VERSION, JOURNAL.version)"],
        cwd=copy, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    from app.store.journal.schema.journal_schema import JOURNAL

    assert said == [copies.LATER, str(JOURNAL.version + 1)]


def test_what_was_built_in_a_later_copy_is_kept_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    for name in ("dist/waybill", "build/packed-dist.json", "app/of_yesterday.py", "left.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    copies.later(folder)
    assert (folder / "dist/waybill").exists()
    assert (folder / "build/packed-dist.json").exists()
    assert not (folder / "app/of_yesterday.py").exists()
    assert not (folder / "left.txt").exists()


HOLDER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from devtools import places, turns
places.BUILD = Path(sys.argv[2])
print("here", flush=True)
with turns.turn("packing"):
    print("mine", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="only the release packs on Windows, one package after the other")
def test_of_two_that_pack_one_waits(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(root / "packaging"), str(tmp_path)]

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def line(process: "subprocess.Popen[bytes]") -> bytes:
        assert process.stdout is not None
        return process.stdout.readline()

    with start() as ahead:
        assert (line(ahead), line(ahead)) == (b"here\n", b"mine\n")
        with start() as behind:
            assert line(behind) == b"here\n"
            assert behind.stdout is not None
            assert not select.select([behind.stdout], [], [], 0.2)[0]
            ahead.kill()  # the turn ends with its process
            assert line(behind) == b"mine\n"
            behind.kill()


def test_the_program_may_not_be_larger_than_a_bare_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, size in (("small", 1_000), ("large", 300_000)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "content").write_bytes(Random(1).randbytes(size))
    small, large = (lambda: tmp_path / "small"), (lambda: tmp_path / "large")
    systems = packed_start.System("light", small, large), packed_start.System("heavy", large, small)
    monkeypatch.setattr(packed_start, "SYSTEMS", systems)
    assert packed_start.size(["light"]) == 0
    assert packed_start.size([]) == 1
    assert "heavy: 0.3 MB against 0.0 MB of a bare window" in capsys.readouterr().out
    with pytest.raises(CannotGoOn, match="There is no system macos; there are light, heavy"):
        packed_start.size(["macos"])


def test_a_word_that_names_neither_a_trial_nor_tests_is_refused() -> None:
    with pytest.raises(CannotGoOn, match=r"There is no trial tests/nowhere\.py, and no file of tests"):
        windows_trial.run(["selftest", "tests/nowhere.py::test_a"])
