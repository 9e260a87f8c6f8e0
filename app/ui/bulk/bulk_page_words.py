"""The sentences of the Import page: what a file holds, what sending it would do, and why the rest stays here.

Invariant: a function here returns whole sentences, made from plain values and records. It decides but the words.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.desk.bulk.files.file_tables import NO_HEADER
from app.desk.bulk.mapping.column_mapping import ColumnUse
from app.desk.bulk.order_fields import BY_PATH, title_of
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.bulk.outcome.import_verdicts import Asking, ImportVerdict, ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.files.stoppable_work import Progress
from app.desk.sending.payload_differences import Difference
from app.translation import translate, translate_plural
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import clock
from app.ui.widgets.widget_words import beside

_LISTED = 8
_ROWS_NAMED = 6

TRY_AGAIN, STOP, CANCEL, TAKE = translate("Try again"), translate("Stop"), translate("Cancel"), translate("Take over")
NOTHING_TO_PASTE = translate("There is no table in the clipboard.")
WORK_PROGRESS = translate("Progress of the import")

# The start

START_HEADING = translate("Import orders from a file")
START_SENTENCE = translate(
    "Drop a spreadsheet or a text file anywhere in this window. Every row is checked and shown before anything is sent."
)
OPEN_FILE, PASTE_TABLE = translate("Open a file…"), translate("Paste a table")
PASTE_TIP = translate("Rows copied from a spreadsheet (Ctrl+V)")
SAVE_SAMPLE = translate("Save a sample file…")
OPEN_TITLE, SAMPLE_TITLE = translate("Open a file of orders"), translate("Save a sample file")
SAMPLE_NAME = translate("waybill-sample")
PASTED = translate("Pasted table")
STOP_READING = translate("Stop reading")
READING = translate("The file is being read.")
READING_STOPPED = translate("Reading was stopped.")
STRIP_NAME = translate("Receipt")
FOLDER_FILES = translate("In the watched folder")
OPEN_IT = translate("Open")
TABLE_FILES = {
    ".csv": translate("CSV"),
    ".tsv": translate("Text with tabs"),
    ".tab": translate("Text with tabs"),
    ".txt": translate("Text"),
    ".xlsx": translate("Excel workbook"),
    ".xlsm": translate("Excel workbook with macros"),
    ".xlsb": translate("Excel binary workbook"),
    ".xls": translate("Excel 97 workbook"),
    ".ods": translate("OpenDocument spreadsheet"),
}


ALL_TABLES = translate("Spreadsheets and text files")


def reading(name: str) -> str:
    """A file is being read."""
    return translate("Reading {name}…", name=name)


def reading_progress(progress: Progress) -> str:
    """How far reading and checking are."""
    if not progress.total:
        return READING
    return translate_plural(
        "{done:,} of {count:,} row", "{done:,} of {count:,} rows", progress.total, done=progress.done
    )


def not_read(name: str) -> str:
    """A file could not be read; why stands below."""
    return translate("{name} was not read", name=name)


FILES_WAIT = translate("Files that wait")
LEAVE_WAITING = translate("Leave the files that wait")
LEAVE_OTHERS, OPEN_NEXT = translate("Leave the rest"), translate("Open the next")


def files_wait(name: str, count: int) -> str:
    """Files that were dropped with the open one."""
    return translate_plural(
        "{name} opens once this file is sent or closed.",
        "{count:,} files wait. {name} opens once this file is sent or closed.",
        count,
        name=name,
    )


def files_wait_still(name: str, count: int) -> str:
    """The same, where the file before them could not be read."""
    return translate_plural("{name} waits.", "{count:,} files wait, {name} first.", count, name=name)


PUT_ASIDE = translate("Put aside")


def put_aside_called(name: str) -> str:
    """The button that puts a file of the watched folder aside, as a screen reader says it."""
    return translate("Put {name} aside", name=name)


def more_over(count: int) -> str:
    """Files of the watched folder that are not shown."""
    return translate_plural("One more file is done.", "{count:,} more files are done.", count)


def open_called(name: str) -> str:
    """The button of a file, as a screen reader says it."""
    return translate("Open {name}", name=name)


def sample_written(name: str) -> str:
    """The sample file is there."""
    return translate("{name} has every column that Waybill knows, with two orders.", name=name)


def lose_question(name: str) -> str:
    """Another file is opened over one that a person has worked on."""
    return translate("Put {name} away?", name=name)


def lose_consequence(corrections: int, left_out: int) -> str:
    """What would be lost: cells that were corrected, the decisions about orders that were left out, or both."""
    corrected = translate_plural(
        "The correction that you made here is lost.",
        "The {count:,} corrections that you made here are lost.",
        corrections,
    )
    decided = translate_plural(
        "Waybill forgets that you left out {count:,} order.",
        "Waybill forgets that you left out {count:,} orders.",
        left_out,
    )
    said = [*([corrected] if corrections else []), *([decided] if left_out else [])]
    return " ".join([*said, translate("The file itself stays as it is.")])


LOSE, KEEP = translate("Put it away"), translate("Keep it open")
OPEN_AGAIN, FORGET_IT = translate("Open it again"), translate("Forget it")


def kept_file(name: str, count: int, left_out: int) -> str:
    """A file that was open when Waybill was closed, with corrected cells, orders left out, or both."""
    if not count:
        return translate_plural(
            "{name} was open with {count:,} order left out. What was sent of it is not sent again.",
            "{name} was open with {count:,} orders left out. What was sent of it is not sent again.",
            left_out,
            name=name,
        )
    if left_out:
        return translate_plural(
            "{name} was open with {count:,} corrected cell, and with orders left out. What was sent of it is not sent "
            "again.",
            "{name} was open with {count:,} corrected cells, and with orders left out. What was sent of it is not sent "
            "again.",
            count,
            name=name,
        )
    return translate_plural(
        "{name} was open with {count:,} corrected cell. What was sent of it is not sent again.",
        "{name} was open with {count:,} corrected cells. What was sent of it is not sent again.",
        count,
        name=name,
    )


def put_back(corrections: int, left_out: int) -> str:
    """A person has opened a file by hand that was open when Waybill was closed. Said of then: it stays true."""
    if not corrections:
        return translate_plural(
            "This file was open before: {count:,} order was left out again.",
            "This file was open before: {count:,} orders were left out again.",
            left_out,
        )
    if left_out:
        return translate_plural(
            "This file was open before: {count:,} correction was put back, and orders were left out again.",
            "This file was open before: {count:,} corrections were put back, and orders were left out again.",
            corrections,
        )
    return translate_plural(
        "This file was open before: {count:,} correction was put back.",
        "This file was open before: {count:,} corrections were put back.",
        corrections,
    )


def changed_since(name: str) -> str:
    """What a person did to the file before a restart does not fit it any more."""
    return translate(
        "{name} has changed since it was open here, so what was corrected or left out then does not fit it. Open it "
        "anew.",
        name=name,
    )


def corrections_not_kept(why: str) -> str:
    """The journal does not hold the corrections and the decisions to leave orders out."""
    return translate("What you corrected or left out stands here, but a crash would lose it. {why}", why=why)


# What was found

FOUND_NAME = translate("How the file was read")
FACT_TIP = translate("Press to change it.")
ENCODING, SEPARATOR, SHEET = translate("Encoding"), translate("Separator"), translate("Sheet")
TITLE_ROW, DECIMAL, DATES, ROWS_ARE = (
    translate("Titles"), translate("Decimal sign"), translate("Dates"), translate("Rows"),
)  # fmt: skip
DECIMALS = {".": translate("Decimal point, 12.5"), ",": translate("Decimal comma, 12,5")}
DATE_ORDERS = {
    "ymd": translate("Dates 2026-12-31"),
    "mdy": translate("Dates 12/31/2026"),
    "dmy": translate("Dates 31.12.2026"),
}
ROWS_OF = {"one": translate("Each row is an order"), "several": translate("Rows of one reference are one order")}
_TITLES_SHOWN = 5


def sheet(name: str) -> str:
    """A sheet of a workbook."""
    return translate("Sheet {name}", name=name)


def titles_at(row: int) -> str:
    """Where the titles are; `row` counts from 0."""
    return translate("No titles") if row == NO_HEADER else translate("Titles in row {row}", row=row + 1)


def titles_in(row: int, cells: Sequence[str]) -> str:
    """A row that may hold the titles, with its first cells."""
    shown = ", ".join(each.strip() for each in cells[:_TITLES_SHOWN] if each.strip())
    return f"{titles_at(row)}: {shown}" if shown else titles_at(row)


def open_form(name: str) -> str:
    """A way of writing that the file leaves open."""
    return translate("{name}: choose", name=name)


def fact_spoken(name: str, text: str) -> str:
    """The button of a fact, as a screen reader says it."""
    return translate("{name}: {text}", name=name, text=text)


# Columns

NOT_USED = translate("Not used")
NOT_USED_DETAIL = translate("the column stays out of the orders")
HEADER_NAME = translate("Fields of the columns")
HEADER_TIP = translate("Press a column, or Alt+Down in it, to say which field it is.")
MISSING, MISSING_NAME = translate("Still without a column:"), translate("Required fields without a column")
MISSING_TIP = translate("Choose its column, or one value for every order.")
REQUIRED_NO_COLUMN = translate("required, no column yet")
TYPE_TO_NARROW = translate("Type to narrow the list")
IS_NOW = translate("this column now")
ONE_VALUE, ONE_VALUE_DETAIL = translate("One value for every order…"), translate("no column is needed then")
VALUES_MEAN, VALUES_DETAIL = translate("What its values mean…"), translate("a small table")
_HOW = {
    "name": translate("Matched by its title."),
    "synonym": translate("Matched by another name of the field."),
    "content": translate("Matched by what its cells hold."),
    "remembered": translate("Remembered from a file with these titles."),
    "person": translate("Chosen by you."),
}


def field_of_use(use: ColumnUse) -> str:
    """The field of a column; a repeated one has its number: `Commodity 2`."""
    if not use.path:
        return NOT_USED
    return f"{title_of(use.path)} {use.group + 1}" if use.group else title_of(use.path)


def untitled(number: int) -> str:
    """A column without a title."""
    return translate("Column {number}", number=number)


def column_spoken(sheet: ImportSheet, column: int) -> str:
    """A column as a screen reader says it."""
    mapping, title = sheet.mapping, sheet.titles[column].strip() or untitled(column + 1)
    use = mapping.columns[column] if column < len(mapping.columns) else ColumnUse()
    return translate("{field}, column {title}", field=field_of_use(use), title=title)


def column_tip(sheet: ImportSheet, column: int) -> str:
    """The tooltip of a column: what it is and how that was found."""
    mapping = sheet.mapping
    use = mapping.columns[column] if column < len(mapping.columns) else ColumnUse()
    parts = [column_spoken(sheet, column), _HOW[use.how] if use.path else "", HEADER_TIP]
    return "\n".join(each for each in parts if each)


def which_field(title: str) -> str:
    """The panel of a column."""
    return translate("Which field is “{title}”?", title=title)


def which_column(field: str) -> str:
    """The panel of a field."""
    return translate("Where does “{field}” come from?", field=field)


def samples(texts: Sequence[str]) -> str:
    """The first values of a column."""
    return translate("It holds: {values}", values=" · ".join(texts)) if texts else translate("Its cells are empty.")


def taken_by(titles: Sequence[str]) -> str:
    """Which columns are this field already."""
    return translate("now “{title}”", title="”, “".join(titles))


def now_is(field: str) -> str:
    """What a column is now."""
    return translate("now {field}", field=field)


def missing_spoken(field: str) -> str:
    """The button of a missing field, as a screen reader says it."""
    return translate("{field}, required, without a column", field=field)


# Mappings

MAPPING, MAPPING_TIP = translate("Columns"), translate("Fixed values, and mappings that are kept")
MAPPING_FILE = translate("Mapping of columns")
FIXED_VALUES = translate("One value for every order")
FIXED_VALUES_MENU = translate("One value for every order…")
FIXED_VALUES_HELP = translate("It counts where the file has no column for the field, or an empty cell.")
FROM_TEMPLATE, NO_TEMPLATE = translate("Values of a template"), translate("None")
MATCH_ANEW = translate("Match the columns anew")
KEEP_MAPPING, USE_MAPPING = translate("Keep under a name…"), translate("Use")
DELETE_MAPPING = translate("Delete")
EXPORT_MAPPING, IMPORT_MAPPING = translate("Save as a file to hand on…"), translate("Take from a file…")
EXPORT_MAPPING_TITLE, IMPORT_MAPPING_TITLE = translate("Save the mapping"), translate("Take a mapping from a file")
NO_MAPPING_YET = translate("Open a file first")
NAME_MAPPING, NAME_OF_MAPPING = translate("Keep the mapping"), translate("Name of the mapping")
NAME_EMPTY = translate("A mapping needs a name.")
VALUES_NAME, ADD_VALUE = translate("Values"), translate("Add a value")
FILE_SAYS, IT_MEANS = translate("The file says"), translate("It means")
VALUES_HELP = translate("A value without a meaning is taken as it stands.")
DELIVERIES = [("", translate("Not given")), ("HOME", "HOME"), ("STORE", "STORE"), ("BUILD", "BUILD")]
FLAGS = [("", translate("Not given")), ("true", translate("Yes")), ("false", translate("No"))]


def name_too_long(most: int) -> str:
    """A name of a mapping that is too long."""
    return translate("A name has at most {most} characters.", most=most)


def values_of(field: str) -> str:
    """The title of the table of values."""
    return translate("What the values of “{field}” mean", field=field)


def mapping_kept(name: str, *, replaced: bool) -> str:
    """A mapping is kept under a name."""
    return (
        translate("The mapping {name} was changed.", name=name)
        if replaced
        else translate("The mapping {name} is kept.", name=name)
    )


MAPPING_OF_CLOSED_FILE = translate("The columns stay as they are: the mapping was chosen for another file.")


def mapping_used(name: str) -> str:
    """A kept mapping is in force."""
    return translate("The columns are mapped as in {name}.", name=name)


def mapping_deleted(name: str) -> str:
    """A kept mapping is gone."""
    return translate("The mapping {name} was deleted.", name=name)


def mapping_written(name: str) -> str:
    """A mapping is a file now."""
    return translate("The mapping is in {name}.", name=name)


# The grid

GRID_NAME = translate("Rows of the file")
VERDICT, SAME_ORDER = translate("Verdict"), translate("↳ same order")
EMPTY_CELL, NOTHING = translate("empty"), translate("nothing")
CLOSE_FILE = translate("Close the file")


def file_title(name: str, rows: int, orders: int) -> str:
    """What is open."""
    if rows == orders:
        return translate_plural("{name}: {count:,} order", "{name}: {count:,} orders", orders, name=name)
    return translate_plural(
        "{name}: {count:,} order (rows: {rows:,})", "{name}: {count:,} orders (rows: {rows:,})", orders,
        name=name, rows=rows,
    )  # fmt: skip


NO_FILE_OPEN = translate("No file is open")


def status(title: str, plan: str) -> str:
    """The status bar while a file is open: what it is, and what sending it would do."""
    return beside(title, plan)


def in_the_file(text: str) -> str:
    """What the file says in a cell that was corrected."""
    return translate("Corrected. The file says: {text}", text=text or EMPTY_CELL)


def cell_editor(title: str, row: int) -> str:
    """The editor of a cell, as a screen reader says it."""
    return translate("{title}, row {row}", title=title, row=row)


def too_much_to_copy(cells: int) -> str:
    """A selection that is too large for the clipboard."""
    return translate("Nothing was copied: {cells:,} cells are too many at once.", cells=cells)


def block_too_large(rows: int, columns: int, below: int, beside: int) -> str:
    """A pasted block without room for it."""
    return translate(
        "Nothing was pasted: the block is {rows:,} × {columns} cells, and {below:,} × {beside} are free "
        "from this cell on.",
        rows=rows, columns=columns, below=below, beside=beside,
    )  # fmt: skip


def cells_changed(count: int) -> str:
    """Several cells were changed at once, and how to undo that."""
    return translate_plural(
        "{count:,} cell changed. Ctrl+Z takes that back.", "{count:,} cells changed. Ctrl+Z takes that back.", count
    )


# Days that may have been read the wrong way round


def send_days(count: int) -> str:
    """Whether to send orders with a day that is over."""
    return translate_plural(
        "Send {count:,} order with a date that is over?", "Send {count:,} orders with a date that is over?", count
    )


SEND_DAYS_CONSEQUENCE = translate(
    "With day and month the other way round the date would be still to come. The order of dates stands above the table."
)
SEND_DAYS, LOOK_AT_DAYS = translate("Send anyway"), translate("Look at them")

# Find and replace

FIND_NAME, FIND, REPLACE_BY = translate("Find and replace"), translate("Find"), translate("Replace by")
FIND_NEXT, REPLACE_ALL = translate("Find next"), translate("Replace all")
THIS_COLUMN, WHOLE_CELLS = translate("In this column"), translate("Whole cells")
CLOSE_FIND = translate("Close find and replace")
NOT_FOUND = translate("Not found.")


def replaced(count: int) -> str:
    """How many cells were changed."""
    return translate_plural("{count:,} cell changed.", "{count:,} cells changed.", count) if count else NOT_FOUND


# Verdicts

REMARKS, LEFT_OUT = "remarks", "left"
TABS_NAME = translate("Orders by verdict")
TAB_TITLES: dict[str, str] = {
    "all": translate("All"),
    "blocked": translate("To correct"),
    "create": translate("New"),
    "update": translate("Changes"),
    "unchanged": translate("Unchanged"),
    REMARKS: translate("To look at"),
    "twice": translate("Twice"),
    "second": translate("Second order"),
    "refused": translate("Refused"),
    "unknown": translate("Cannot tell"),
    LEFT_OUT: translate("Left out"),
}


class VerdictLook(NamedTuple):
    """How a verdict is shown: its sign, its word, its colour token, and the tone of a label."""

    glyph: str
    word: str
    ink: str
    tone: Tone


_LOOKS: dict[str, VerdictLook] = {
    "create": VerdictLook("+", translate("New order"), "good", "good"),
    "update": VerdictLook("±", translate("Changes an order"), "accent", ""),
    "unchanged": VerdictLook("=", translate("Unchanged"), "ink_soft", "soft"),
    "blocked": VerdictLook("!", translate("To correct"), "bad", "bad"),
    "twice": VerdictLook("!", translate("Twice in the file"), "bad", "bad"),
    "second": VerdictLook("!", translate("Second order"), "warn", "warn"),
    "refused": VerdictLook("✕", translate("Refused before"), "bad", "bad"),
    "unknown": VerdictLook("?", translate("Cannot tell"), "warn", "warn"),
}
_LEFT_LOOK = VerdictLook("○", translate("Left out"), "ink_soft", "soft")
_SENT_LOOK = VerdictLook("✓", translate("Sent as you decided"), "accent", "")
_PENDING = VerdictLook("…", translate("Being looked up"), "ink_soft", "soft")


def verdict_look(verdicts: ImportVerdicts, key: int) -> VerdictLook:
    """How the verdict on an order is shown, after what a person decided."""
    found, decided = verdicts.found.get(key), verdicts.decided.get(key, "")
    if found is None:
        return _PENDING
    if decided == "leave":
        return _LEFT_LOOK
    return _SENT_LOOK if decided == "send" and not found.sends else _LOOKS[found.kind]


def verdict_sentence(found: ImportVerdict) -> str:
    """The reason of a verdict, and when the provider said so."""
    if found.asked_at is None:
        return found.sentence
    return f"{found.sentence} {translate('Answered at {time}.', time=clock(found.asked_at))}"


def difference(each: Difference) -> str:
    """A field that sending would change."""
    before, after = each.before or NOTHING, each.after or NOTHING
    return translate("{field}: {before} → {after}", field=title_of(each.path), before=before, after=after)


# One order beside the grid

PANE_NAME = translate("The order of this row")
NO_ORDER_HERE = translate("No order here")
NO_REFERENCE = translate("No reference yet")
OPEN_IN_FORM, GO_TO_CELL = translate("Open in the form"), translate("Go to the cell")
SEND_ANYWAY, LEAVE_OUT, AS_BEFORE = translate("Send it all the same"), translate("Leave it out"), translate("Undo that")
MEND_TIP = translate("Puts it into this cell and into all cells of the column with the same remark.")


def in_rows(numbers: Sequence[int]) -> str:
    """Which rows of the file an order is."""
    shown = ", ".join(f"{each:,}" for each in numbers[:_ROWS_NAMED])
    if len(numbers) > _ROWS_NAMED:
        shown = translate("{rows} and {count:,} more", rows=shown, count=len(numbers) - _ROWS_NAMED)
    return (
        translate("Row {rows} of the file", rows=shown)
        if len(numbers) == 1
        else translate("Rows {rows} of the file", rows=shown)
    )


def send_alike(count: int) -> str:
    """Decide for all that stand as this order does."""
    return translate("Send all {count:,} alike", count=count)


def leave_alike(count: int) -> str:
    """Decide for all that stand as this order does."""
    return translate("Leave out all {count:,} alike", count=count)


def issue_heading(sign: str, path: str) -> str:
    """The field of an issue, with its sign."""
    return f"{sign} {title_of(path) if path else translate('The order')}"


def more_issues(count: int) -> str:
    """Issues that are not listed."""
    return translate_plural("and 1 more", "and {count:,} more", count)


def put(proposal: str) -> str:
    """The button that mends a cell."""
    return translate("Put {text}", text=proposal)


# What sending would do

NOTHING_TO_SEND_YET = translate("Nothing to send")
NEXT_WRONG = translate("Next to correct")
CHECKING = translate("Checking the orders…")
STORING = translate("Storing the import…")
SENDING_STOPPED = translate("Nothing was sent.")
ASK_AGAIN = translate("Ask again")


class Sends(NamedTuple):
    """How many orders would be sent: new ones, changes, and those that a person decided to send."""

    new: int
    changes: int
    decided: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.new + self.changes + self.decided


class Plan(NamedTuple):
    """The title of the button, a sentence about the whole, and why the rest stays here."""

    title: str
    summary: str
    rest: str
    tone: Tone


def sends_of(verdicts: ImportVerdicts, counts: dict[str, int]) -> Sends:
    """What would be sent as things stand. Only orders about which a person decided are looked at one by one."""
    new, changes, decided = counts.get("create", 0), counts.get("update", 0), 0
    for key, decision in verdicts.decided.items():
        found = verdicts.found.get(key)
        if found is None or not decision:
            continue
        new -= decision == "leave" and found.kind == "create"
        changes -= decision == "leave" and found.kind == "update"
        decided += decision == "send" and not found.sends and found.may_send
    return Sends(new, changes, decided)


def plan(sends: Sends, counts: dict[str, int], orders: int, *, left: int, known: int) -> Plan:
    """What the primary button would do."""
    rest = " ".join(_rest(counts, left, orders - known))
    if sends.total:
        return Plan(_send_title(sends), "", rest, "")
    if orders and counts.get("unchanged", 0) == orders:
        same = translate_plural(
            "Nothing to send: the order is as this file says.",
            "Nothing to send: all {count:,} orders are as this file says.",
            orders,
        )
        return Plan(NOTHING_TO_SEND_YET, same, "", "good")
    return Plan(NOTHING_TO_SEND_YET, "", rest, "")


def _send_title(sends: Sends) -> str:
    parts = [
        translate_plural("{count:,} new", "{count:,} new", sends.new) if sends.new else "",
        translate_plural("{count:,} change", "{count:,} changes", sends.changes) if sends.changes else "",
        translate_plural("{count:,} as you decided", "{count:,} as you decided", sends.decided)
        if sends.decided
        else "",
    ]
    what = ", ".join(each for each in parts if each)
    return translate_plural("Send {count:,} order: {what}", "Send {count:,} orders: {what}", sends.total, what=what)


def _rest(counts: dict[str, int], left: int, unknown_yet: int) -> list[str]:
    """Why orders stay here, a sentence for each reason."""
    found = []
    if count := counts.get("blocked", 0):
        found.append(
            translate_plural("{count:,} has to be corrected first.", "{count:,} have to be corrected first.", count)
        )
    if count := counts.get("twice", 0):
        found.append(
            translate_plural(
                "{count:,} has a reference that is twice in the file.",
                "{count:,} have a reference that is twice in the file.",
                count,
            )
        )
    if count := counts.get("second", 0):
        found.append(
            translate_plural(
                "{count:,} would become a second order.",
                "{count:,} would become second orders.",
                count,
            )
        )
    if count := counts.get("refused", 0):
        found.append(
            translate_plural("{count:,} was refused as it stands.", "{count:,} were refused as they stand.", count)
        )
    if count := counts.get("unknown", 0):
        found.append(
            translate_plural(
                "For {count:,} order it is not known what sending would do.",
                "For {count:,} orders it is not known what sending would do.",
                count,
            )
        )
    if count := counts.get("unchanged", 0):
        found.append(translate_plural("{count:,} is unchanged.", "{count:,} are unchanged.", count))
    if left:
        found.append(translate_plural("You left {count:,} out.", "You left {count:,} out.", left))
    if unknown_yet:
        found.append(
            translate_plural("{count:,} is still being looked up.", "{count:,} are still being looked up.", unknown_yet)
        )
    return found


def asking(asking: Asking) -> str:
    """How far the questions to the provider are."""
    if asking.waits_until is not None:
        return translate("The provider asks for a pause until {time}.", time=clock(asking.waits_until))
    if not asking.total:
        return translate("Asking the provider…")
    return translate("Asking the provider: {done:,} of {total:,}", done=asking.done, total=asking.total)


def not_all_asked(why: str) -> str:
    """The provider could not be asked about all orders."""
    return translate("Not every order could be looked up. {why}", why=why)


def not_stored(why: str) -> str:
    """Nothing was sent, as the journal could not be written."""
    return translate("Nothing was sent, and the file stays open. {why}", why=why)


def show_tab(title: str) -> str:
    """A command of the palette."""
    return translate("Show: {title}", title=title)


ON_ITS_WAY = translate("Sent with this file just now. The import goes on by itself.")
SHOW_IMPORTS = translate("Show the imports")


def rest_stays(sent: int, left: int) -> str:
    """The import was begun, and the rest of the file stays open."""
    first = translate_plural("{count:,} order is on its way.", "{count:,} orders are on their way.", sent)
    return f"{first} {translate_plural('{count:,} stays here.', '{count:,} stay here.', left)}"


# One order in the form

TAKE_INTO_FILE, BACK_UNCHANGED = translate("Take into the import"), translate("Back")
LEAVE_FORM = translate("Leave the form?")
LEAVE_FORM_CONSEQUENCE = translate("What you typed in the form is not taken into the import.")
LEAVE, KEEP_TYPING = translate("Leave it"), translate("Keep typing")


def form_title(reference: str, numbers: Sequence[int]) -> str:
    """The order in the form."""
    return f"{reference or NO_REFERENCE} · {in_rows(numbers)}"


def errors(count: int) -> str:
    """How many issues the form shows."""
    return (
        translate_plural("{count:,} to correct", "{count:,} to correct", count)
        if count
        else translate("Nothing to correct")
    )


def not_taken(paths: Sequence[str]) -> str:
    """Fields that no cell can say. A field of a list is one whose value a cell would be divided at."""
    fixed: list[str] = []
    lists: list[str] = []
    for path in paths:
        line = BY_PATH[path].line if path in BY_PATH else ""  # a list as a whole is no field
        (lists if line else fixed).append(title_of(line or path))
    said = []
    if fixed:
        named = ", ".join(dict.fromkeys(fixed))
        said.append(
            translate("Not taken into the file: {fields}. A fixed value stands there for every order.", fields=named)
        )
    if lists:
        named = ", ".join(dict.fromkeys(lists))
        said.append(
            translate(
                "Not taken into the file: {fields}. A semicolon, bar or line break parts the values of a cell.",
                fields=named,
            )
        )
    return " ".join(said)


# Imports

IMPORTS = translate("Imports")
PAUSE, GO_ON, STOP_IMPORT = translate("Pause"), translate("Go on"), translate("Stop the import")
RECEIPT, SHOW_IN_OUTBOX = translate("Save the receipt…"), translate("Show in the outbox")
RECEIPT_TITLE = translate("Save the receipt")


class BatchLook(NamedTuple):
    """How an import is shown."""

    sentence: str
    tone: Tone


def batch_look(shown: BatchSummary) -> BatchLook:
    """How an import stands, in one line."""
    parts = [_STATES[shown.state], translate("{done:,} of {total:,} sent.", done=shown.accepted, total=shown.total)]
    if shown.needs_person:
        parts.append(translate_plural("{count:,} needs you.", "{count:,} need you.", shown.needs_person))
    if shown.under_way:
        parts.append(translate_plural("{count:,} is on its way.", "{count:,} are on their way.", shown.under_way))
    if shown.waiting:
        parts.append(translate_plural("{count:,} waits.", "{count:,} wait.", shown.waiting))
    if shown.not_sent:
        parts.append(translate_plural("{count:,} was not sent.", "{count:,} were not sent.", shown.not_sent))
    if shown.note:
        parts.append(shown.note)
    tone: Tone = "warn" if shown.needs_person else "good" if shown.state == "done" else ""
    return BatchLook(" ".join(each for each in parts if each), tone)


_STATES = {
    "running": translate("▶ Being sent."),
    "paused": translate("◔ Paused."),
    "stopped": translate("○ Stopped."),
    "done": translate("✓ Done."),
}


def import_called(name: str) -> str:
    """An import, as a screen reader says it."""
    return translate("Import {name}", name=name)


def import_unchanged(name: str, why: str) -> str:
    """What was asked of an import was not done."""
    return translate("The import {name} goes on as it was. {why}", name=name, why=why)


def stop_question(name: str) -> str:
    """The question before an import is stopped."""
    return translate("Stop the import of {name}?", name=name)


def stop_consequence(left: int) -> str:
    """What stopping does."""
    return translate_plural(
        "{count:,} order that has not left is not sent. What was sent stays sent.",
        "{count:,} orders that have not left are not sent. What was sent stays sent.",
        left,
    )


def stopped(name: str, count: int) -> str:
    """An import was stopped."""
    return translate_plural(
        "The import of {name} was stopped. {count:,} order was not sent.",
        "The import of {name} was stopped. {count:,} orders were not sent.",
        count,
        name=name,
    )


def receipt_name(name: str) -> str:
    """The name of a receipt's file."""
    return translate("{name}-receipt", name=name)


def receipt_progress(progress: Progress) -> str:
    """How far a receipt is."""
    if not progress.total:
        return translate("Writing the receipt…")
    return translate("Writing the receipt, row {done:,} of {total:,}…", done=progress.done, total=progress.total)


def receipt_written(rows: int, name: str) -> str:
    """The receipt is there."""
    return translate_plural(
        "{name} says how {count:,} row ended.", "{name} says how all {count:,} rows ended.", rows, name=name
    )


# Cancelling by a file

CANCEL_INSTEAD = translate("Cancel at the provider…")
CANCEL_INSTEAD_TIP = translate("Cancels the orders whose references this file holds")
CANCEL_NAME = translate("Orders to cancel")
REFERENCE_COLUMN = translate("Column of the references")
BACK_TO_START = translate("Close the file")
CANCEL_NOTHING = translate("Nothing to cancel")
WHICH_COLUMN = translate("Which column holds the references?")
WHICH_COLUMN_SENTENCE = translate("Choose it above. Nothing is cancelled before you have seen every row.")
LOOKING_UP = translate("Looking the references up…")
NO_REFERENCES = translate("No row of this column holds a reference")
NO_REFERENCES_SENTENCE = translate("Choose another column above.")
KEEP_THEM = translate("Keep them")
CANCEL_TITLES = (
    translate("Row"), translate("Reference"), translate("What happens"), translate("Consignee"), translate("Why"),
)  # fmt: skip
CANCEL_LOOKS: dict[str, tuple[str, str, str]] = {
    "open": ("✕", translate("Is cancelled"), "ink"),
    "not listed": ("✕", translate("Is cancelled"), "ink"),
    "closed": ("○", translate("Closed"), "ink_soft"),
    "cancelled": ("○", translate("Cancelled already"), "ink_soft"),
    "waits": ("◔", translate("Waits already"), "ink_soft"),
    "twice": ("○", translate("Twice in the file"), "ink_soft"),
    "wrong": ("!", translate("No reference"), "bad"),
}


def cancel_by(name: str) -> str:
    """The title of the face."""
    return translate("Cancel orders by {name}", name=name)


def cancel_orders(count: int) -> str:
    """The button that cancels."""
    if not count:
        return CANCEL_NOTHING
    return translate_plural("Cancel {count:,} order…", "Cancel {count:,} orders…", count)


def cancel_summary(count: int, of: int) -> str:
    """How many of the rows are cancelled."""
    return translate("Rows that would be cancelled: {count:,} of {of:,}.", count=count, of=of)


def cancel_question(count: int) -> str:
    """The question before orders are cancelled."""
    return translate_plural("Cancel {count:,} order?", "Cancel {count:,} orders?", count)


def cancel_consequence(references: Sequence[str]) -> str:
    """What cancelling does, with the first references."""
    named = ", ".join(references[:_LISTED])
    more = len(references) - _LISTED
    if more > 0:
        named = translate("{named} and {count:,} more", named=named, count=more)
    return translate("{named}. You can take it back for ten seconds.", named=named)
