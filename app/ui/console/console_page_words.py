"""The words of the console.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from datetime import datetime

from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

CONSOLE = translate("Console")

# The lists on the left

OPERATIONS, REQUESTS, HISTORY = translate("Operations"), translate("Requests"), translate("History")
FIND_OPERATION = translate("Find an operation")
EMPTY_SEARCH = translate("Empty the search")
NO_OPERATION = translate("No operation matches")
NO_OPERATION_SENTENCE = translate("Search by method, path, name, or the name of a parameter.")
FIND_REQUEST = translate("Find a request")
FIND_CALL = translate("Find in what was called")
NO_CALLS = translate("Nothing was called yet")
NO_CALLS_SENTENCE = translate("Each call is kept here with its answer, without the token.")
NO_CALL_FOUND = translate("No call matches")
NO_CALL_FOUND_SENTENCE = translate("The search looks in paths, bodies and answers.")
NO_REQUESTS = translate("No request is kept yet")
NO_REQUESTS_SENTENCE = translate(
    "Keep the request on screen under a name with Ctrl+Shift+S. Each is a file of its own."
)
SERVICES = {
    "management": translate("Order management"),
    "information": translate("Order information"),
}
NEW_BY_DESCRIPTION = translate("only in the provider's description")
DEPRECATED = translate("deprecated")
WRITES = translate("writes")
READS = translate("reads")
ASK_DESCRIPTION = translate("Ask for the descriptions anew")
ASKING_DESCRIPTION = translate("Asking for the descriptions of the services…")
SHOW_CALL, FORGET_CALL = translate("Show this call"), translate("Forget this call")
FORGET_ALL = translate("Forget all calls…")
COMPARE_CALL = translate("Compare with the one before")
OPEN_FOLDER, RENAME, REMOVE = translate("Open folder"), translate("Rename…"), translate("Remove…")
IMPORT = translate("Import…")
KEEP = translate("Keep request…")
MORE = translate("More")
COLUMNS_OF_HISTORY = (translate("When"), translate("Status"), translate("Call"))
NO_ANSWER = translate("none")
OUTBOX = translate("outbox")
IN_DOUBT = translate("in doubt")
NO_ANSWER_CAME = translate("No answer came")
ANSWER_UNKNOWN = translate("It may have arrived")

# The request

CHOOSE = translate("Choose an operation")
CHOOSE_SENTENCE = translate(
    "On the left stand all operations of both services. Type in the field above them to find one."
)
FORM, BOTH, JSON = translate("Form"), translate("Form and JSON"), translate("JSON")
PARAMETERS = translate("Parameters")
BODY = translate("Body")
JSON_EDITOR = translate("Body as JSON")
LAY_OUT = translate("Lay out")
NO_PARAMETERS = translate("This operation takes nothing: it can be asked as it is.")
SHAPE_NOT_SAID = translate(
    "Nobody says what belongs in this body. It is checked for being JSON, and sent as it stands."
)
FROM_DESCRIPTION = translate("Form by the provider's description.")
FROM_CONTRACT = translate("Form by the contract.")
SENT_AS, ASKED_FOR = translate("Sent as"), translate("Answer as")
XML_TYPED = translate("This body is XML. It is sent as it stands, and the form is out of step with it.")
USE_FORM, GO_THERE = translate("Take the form instead"), translate("Show the mistake")
FORM_WAITS = translate("The form shows the last JSON without a mistake.")
INSERT_VALUE = translate("Insert a value of an earlier answer")
EXAMPLE = translate("Fill in an example")
CLEAR = translate("Empty the form")

STOP = translate("Stop")
STOPPING = translate("Stopping…")
ASKING = translate("Waiting for the answer…")
SUBMIT_ORDER, CANCEL_ORDER = translate("Submit order"), translate("Cancel order")
KEEP_AS_IS = translate("Send nothing")
READY = translate("Ready.")
JSON_WRONG = translate("The JSON has a mistake.")
COPIES = {
    "curl": translate("cURL command"),
    "powershell": translate("PowerShell command"),
    "python": translate("Python program"),
    "http": translate(".http file"),
}
TOKEN_LEFT_OUT = translate("The token is left out: the copy takes it from a variable.")
STOPPED_READ = translate("Stopped before an answer came.")
STOPPED_WRITE = translate("Stopped. It may have arrived at the provider all the same; look before it is sent again.")

# The answer

ANSWER = translate("Answer")
REQUEST = translate("Request")
NO_ANSWER_YET = translate("No answer yet")
NO_ANSWER_YET_SENTENCE = translate("Ctrl+Enter does what the button above says. The answer stands here then.")
TREE, TABLE, TEXT, HEADERS, CHANGES = (
    translate("Tree"),
    translate("Table"),
    translate("Text"),
    translate("Headers"),
    translate("Changes"),
)
TREE_COLUMNS = (translate("Name"), translate("Value"))
HEADER_COLUMNS = (translate("Header"), translate("Value"))
CHANGE_COLUMNS = (translate("Field"), translate("Before"), translate("Now"))
EMPTY_BODY = translate("The answer has no body")
NO_TABLE = translate("No list of records in this answer")
NO_TREE = translate("This answer is no record")
NO_CHANGES = translate("Nothing differs")
NOTHING_BEFORE = translate("No earlier answer to compare with")
NOTHING_BEFORE_SENTENCE = translate("Call this operation again, and what has changed stands here.")
COMPARED_WITH = translate("Compared with")
WHICH_LIST = translate("Which list")
A_PICTURE = translate("A picture came")
SOME_BYTES = translate("What came is no text")
SAVE_FILE_SENTENCE = translate("Save it as a file to look at it.")
SAVE, SAVE_TIP = translate("Save…"), translate("Save the answer as a file (Ctrl+S)")
EXPORT = translate("Export the table")
SAVE_ANSWER, EXPORT_TABLE = translate("Save the answer"), translate("Export the table")
FIND = translate("Find")
COPY_VALUE, COPY_PATH, COPY_EXPRESSION = (
    translate("Copy value"),
    translate("Copy path"),
    translate("Copy as value for a next request"),
)
WRITING_FILE = translate("Writing the file…")
READING_ANSWER = translate("Reading the answer…")
ABSENT_FIELD = translate("not there")
CUT = translate("The answer was longer than Waybill reads; its end is missing.")
PHASES = {
    "wait": translate("waited"),
    "connect": translate("connected"),
    "tls": translate("TLS"),
    "send": translate("sent"),
    "first byte": translate("first byte"),
    "body": translate("body"),
}
IN_OUTBOX = translate("In the outbox")
IN_OUTBOX_SENTENCE = translate("The outbox sends it, looks before it does, and says how it ended.")
SHOW_IN_OUTBOX = translate("Show in outbox")

# Named requests

NAME_OF_REQUEST = translate("Name of the request")
NOTE_OF_REQUEST = translate("Note")
KEEP_TITLE, RENAME_TITLE = translate("Keep this request"), translate("Rename this request")
NAME_TAKEN = translate("There is a request of this name.")
REPLACES = translate("Takes the place of the request of this name.")
REMOVE_REQUEST = translate("Remove the request")
REQUEST_FILES = translate("Requests (*.http)")


def operation_read(method: str, path: str, name: str, how: str) -> str:
    """An operation as a screen reader says it."""
    return translate("{method} {path}, {name}, {how}", method=method, path=path, name=name, how=how)


def group_read(group: str, service: str, count: int) -> str:
    """A group as a screen reader says it."""
    return translate_plural(
        "{group} of {service}, {count} operation", "{group} of {service}, {count} operations", count, group=group,
        service=service,
    )  # fmt: skip


def operations_found(count: int) -> str:
    """How many operations the search leaves."""
    return translate_plural("{count} operation", "{count} operations", count)


def described(service: str, at: str) -> str:
    """When a description was fetched."""
    return translate("{service}: description of {at}", service=service, at=at)


def not_described(service: str) -> str:
    """No description was ever fetched."""
    return translate("{service}: no description; forms by the contract", service=service)


def not_described_because(service: str, reason: str) -> str:
    """No description was fetched, and why."""
    return translate("{service}: no description. {reason}", service=service, reason=reason)


def button_of_read(method: str, path: str) -> str:
    """The button that makes a call which changes nothing."""
    return translate("Ask {method} {path}", method=method, path=path)


def button_of_write(method: str, path: str) -> str:
    """The button that makes a call which changes something."""
    return translate("Send {method} {path}", method=method, path=path)


def sent_as(note: str, format_name: str) -> str:
    """The note below the body, where it is sent in another format than JSON."""
    return translate("{note} Sent as {format_name}.", note=note, format_name=format_name)


def wrong_places(count: int, first: str) -> str:
    """What is not right yet, beside the button."""
    if count == 1:
        return first
    return translate("{first} And {more:,} more.", first=first, more=count - 1)


def mistake_at(place: str, sentence: str) -> str:
    """A mistake and its place."""
    return translate("{place}: {sentence}", place=place, sentence=sentence)


def json_wrong(sentence: str) -> str:
    """The mistake in the JSON, above the form."""
    return translate("{sentence} The form shows what was before it.", sentence=sentence)


def scopes_needed(scopes: str) -> str:
    """What a token must be granted for a call."""
    return translate("Needs {scopes}", scopes=scopes)


def status_line(status: int, reason: str) -> str:
    """The status of an answer."""
    return f"{status} {reason}".strip()


def took(duration: str, size: str) -> str:
    """Time and size of an answer."""
    return translate("{duration} · {size}", duration=duration, size=size)


def milliseconds(seconds: float) -> str:
    """A time as people read it."""
    if seconds < 1:
        return translate("{count:,} ms", count=round(seconds * 1000))
    return translate("{count:,.1f} s", count=seconds)


def letters(count: int) -> str:
    """The length of a text."""
    return translate_plural("{count:,} character", "{count:,} characters", count)


def size_of(count: int) -> str:
    """A size as people read it."""
    if count < 1_000:
        return translate_plural("{count:,} byte", "{count:,} bytes", count)
    if count < 1_000_000:
        return translate("{count:,.1f} kB", count=count / 1_000)
    return translate("{count:,.1f} MB", count=count / 1_000_000)


def phase(name: str, duration: str) -> str:
    """One phase of the time a call took."""
    return translate("{name} {duration}", name=PHASES.get(name, name), duration=duration)


def hidden_places(count: int) -> str:
    """Secrets that the answer repeated."""
    return translate_plural(
        "A secret stood in {count} place of the answer and was left out.",
        "A secret stood in {count} places of the answer and was left out.",
        count,
    )


def exported(rows: int, name: str) -> str:
    """A table was written."""
    return translate_plural("{count:,} row is in {name}.", "{count:,} rows are in {name}.", rows, name=name)


def saved(name: str, size: str) -> str:
    """An answer was written."""
    return translate("The answer is in {name}, {size}.", name=name, size=size)


def saved_cut(name: str) -> str:
    """An answer was written that is not whole."""
    return translate("The beginning of the answer is in {name}; its end was never read.", name=name)


def copy_as(form: str) -> str:
    """A copy of the call for another tool."""
    return translate("Copy as {what}", what=COPIES[form])


def copied_as(what: str) -> str:
    """A call was copied."""
    return translate("Copied as {what}. The token is left out.", what=what)


def columns_left_out(count: int) -> str:
    """A table that is too wide."""
    return translate_plural("{count:,} more column is left out.", "{count:,} more columns are left out.", count)


def rows_shown(rows: int, columns: int) -> str:
    """The size of a table."""
    return translate("Rows: {rows:,} · columns: {columns:,}", rows=rows, columns=columns)


def changes_found(count: int) -> str:
    """How many fields differ."""
    return translate_plural("{count:,} field differs", "{count:,} fields differ", count)


def call_title(at: datetime, status: str) -> str:
    """An earlier call, in a list to choose from."""
    return f"{at:%Y-%m-%d %H:%M:%S} · {status}"


def forget_question(count_known: str) -> str:
    """The question before the history is emptied."""
    return translate("Forget all calls of {connection}?", connection=count_known)


FORGET_CONSEQUENCE = translate("The requests and answers that were kept are deleted. Named requests stay.")
FORGET = translate("Forget all")


def remove_question(name: str) -> str:
    """The question before a named request is removed."""
    return translate("Remove the request {name}?", name=name)


def remove_consequence(file: str) -> str:
    """What happens then."""
    return translate("The file {file} is deleted.", file=file)


def kept_as(name: str) -> str:
    """A request was kept."""
    return translate("Kept as {name}.", name=name)


def imported(count: int) -> str:
    """Requests were taken in."""
    return translate_plural("{count} request was taken in.", "{count} requests were taken in.", count)


def draft_not_kept(why: str) -> str:
    """What is typed could not be stored; `why` is a sentence."""
    return translate("What is typed here could not be saved. {why}", why=why)


def drafts_not_read(why: str) -> str:
    """What was typed before could not be read; `why` is a sentence."""
    return translate("What was typed here before could not be read. {why}", why=why)


def left_call(method: str, path: str) -> str:
    """A call that is under way, for the question before the window closes."""
    return translate("{method} {path} waits for its answer.", method=method, path=path)


# The status bar

NO_CALL_YET = translate("No call was made here yet")
HANDED_OVER = translate("handed to the outbox")


def answered(status: int) -> str:
    """What the provider said."""
    return translate("answered with {status}", status=status)


def status(method: str, path: str, said: str) -> str:
    """The last call, and what became of it."""
    return beside(translate("{method} {path}", method=method, path=path), said)
