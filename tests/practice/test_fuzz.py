"""Schema-driven fuzzing: the practice service's own published descriptions, every operation, no 500."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.practice_calls import Caller
from tests.support.practice_process import ROOT, PracticeFactory, PracticeProcess

EXAMPLES = 15
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "unsupported_method,allow_header_conformance,ignored_auth"
)


def fuzz(running: PracticeProcess, prefix: str, work: Path) -> subprocess.CompletedProcess[str]:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{running.facts['base_url']}{prefix}/swagger/v1/swagger.json",
        *("--header", f"Authorization: Bearer {Caller(running.facts).token()}"),
        *("--checks", CHECKS),
        *("--phases", "examples,coverage,fuzzing"),
        *("--max-examples", str(EXAMPLES)),
        *("--seed", "5"),
        *("--generation-database", ":memory:"),
        *("--suppress-health-check", "all"),
        *("--warnings", "off"),
    ]
    # Few variables, because each request goes through all of them twice, looking for a proxy.
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ} | {
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
        # Its tables of letters take seconds to make, and are kept where pytest keeps them.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis"),
    }
    return subprocess.run(
        command, cwd=work, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize("prefix", ["/OrderManagementApi", "/OrderInformationApi"])
def test_fuzzing_finds_no_server_error(practice_factory: PracticeFactory, tmp_path: Path, prefix: str) -> None:
    done = fuzz(practice_factory("--switch", "import-queue=0"), prefix, tmp_path)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
