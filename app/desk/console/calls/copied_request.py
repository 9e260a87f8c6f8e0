"""A call as text for another tool, with the token left out: the tool takes it from a variable.

Quoting is exact: what the other tool sends is byte for byte the body that Waybill would send, to the same address.
"""

import shlex
from dataclasses import replace
from typing import Literal

from app.api.addresses import Addresses
from app.api.raw_call import RawRequest, address_of
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.build_request import build
from app.desk.console.calls.http_file import TOKEN_LINE
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import JSON, ConsoleOperation
from app.desk.desk import Desk

Form = Literal["curl", "powershell", "python", "http"]
FORMS: tuple[Form, ...] = ("curl", "powershell", "python", "http")
TOKEN = "WAYBILL_TOKEN"  # noqa: S105 (the name of a variable)


def copied(desk: Desk, operation: ConsoleOperation, draft: RequestDraft, answers: Answers, form: Form) -> str:
    """The call as a command of a POSIX shell, of PowerShell, as a Python program that needs no package, or as a `.http`
    file. The token is $WAYBILL_TOKEN, $env:WAYBILL_TOKEN, or {{token}}."""
    profile = desk.profile
    at = Addresses(profile.base_url, profile.info_base_url, profile.auth_url)
    request = build(operation, draft, answers).request
    # What the connection would ask for is put in, because the other tool does not know the connection.
    if not request.accept:
        usual = JSON if desk.provider is None else desk.provider.raw.accept(request.service)
        request = replace(request, accept=usual)
    root = at.management_root if request.service == "management" else at.information_root
    return _WRITERS[form](request, address_of(root, request))


def _headers(request: RawRequest) -> list[tuple[str, str]]:
    kind = [("Content-Type", request.content_type)] if request.body is not None else []
    return [("Accept", request.accept), *request.headers, *kind]


def _text(request: RawRequest) -> str:
    return (request.body or b"").decode()


def _curl(request: RawRequest, address: str) -> str:
    # --globoff: brackets in an address mean themselves. --data-raw: an @ at the start of a body does too.
    method = ["--head"] if request.method == "HEAD" else ["--request", request.method]
    parts = [["curl", "--globoff", *method, address]]
    parts += [["--header", f"{name}: {value}"] for name, value in _headers(request)]
    lines = [" ".join(shlex.quote(word) for word in part) for part in parts]
    # Double quotes here alone: within single quotes the shell would send the variable's name.
    lines.append(f'--header "Authorization: Bearer ${TOKEN}"')
    if request.body is not None:
        lines.append(f"--data-raw {shlex.quote(_text(request))}")
    return " \\\n  ".join(lines)


def _powershell(request: RawRequest, address: str) -> str:
    # Invoke-WebRequest and not curl.exe: older versions of PowerShell lose the quotes of a program's arguments. The
    # body is bytes: the same versions would send a text in Latin-1.
    # PowerShell has an option of its own for the content type, below.
    given = [(name, value) for name, value in _headers(request) if name != "Content-Type"]
    headers = "; ".join(f"{_powershell_text(name)} = {_powershell_text(value)}" for name, value in given)
    token = f"'Authorization' = \"Bearer $env:{TOKEN}\""
    lines = [
        f"Invoke-WebRequest -UseBasicParsing -Method {request.method} -Uri {_powershell_text(address)}",
        f"-Headers @{{ {headers}; {token} }}",
    ]
    if request.body is not None:
        lines.append(f"-ContentType {_powershell_text(request.content_type)}")
        lines.append(f"-Body ([Text.Encoding]::UTF8.GetBytes({_powershell_text(_text(request))}))")
    return " `\n  ".join(lines)


def _powershell_text(text: str) -> str:
    """PowerShell ends a quoted text at curly quotes too; each is doubled to stand for itself."""
    return "'" + "".join(sign * 2 if sign in "'‘’‚‛" else sign for sign in text) + "'"


def _python(request: RawRequest, address: str) -> str:
    headers = "".join(f"        {name!r}: {value!r},\n" for name, value in _headers(request))
    body = f"    data={_python_text(_text(request))}.encode(),\n" if request.body is not None else ""
    return (
        "import os\n"
        "import urllib.error\n"
        "import urllib.request\n"
        "\n"
        "request = urllib.request.Request(\n"
        f"    {address!r},\n"
        f"{body}"
        "    headers={\n"
        f"{headers}"
        f'        "Authorization": "Bearer " + os.environ["{TOKEN}"],\n'
        "    },\n"
        f"    method={request.method!r},\n"
        ")\n"
        "try:\n"
        "    answer = urllib.request.urlopen(request)\n"
        # urllib raises for 400 and above; the answer of a refused call is what a person wants to read.
        "except urllib.error.HTTPError as error:\n"
        "    answer = error\n"
        "with answer:\n"
        "    print(answer.status, answer.reason)\n"
        '    print(answer.read().decode(errors="replace"))\n'
    )


def _python_text(text: str) -> str:
    """A text as Python writes it, a line of it a line."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return repr(text)
    return "(\n" + "".join(f"        {line!r}\n" for line in lines) + "    )"


def _http(request: RawRequest, address: str) -> str:
    lines = [f"{request.method} {address}", *(f"{name}: {value}" for name, value in _headers(request)), TOKEN_LINE, ""]
    return "\n".join([*lines, *([_text(request)] if request.body is not None else [])]) + "\n"


_WRITERS = {"curl": _curl, "powershell": _powershell, "python": _python, "http": _http}
