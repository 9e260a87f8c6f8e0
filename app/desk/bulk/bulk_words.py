"""The sentences of the bulk import."""

from datetime import datetime

from app.desk.text.typed_dates import exact_moment
from app.translation import translate, translate_plural

# Files

PASTED = translate("Pasted text")
UTF_8, UTF_16, UTF_16_BE = (
    translate("Unicode (UTF-8)"),
    translate("Unicode (UTF-16)"),
    translate("Unicode (UTF-16, big end)"),
)
WESTERN, CENTRAL = translate("Western European (Windows)"), translate("Central European (Windows)")
CYRILLIC, GREEK, TURKISH = translate("Cyrillic (Windows)"), translate("Greek (Windows)"), translate("Turkish (Windows)")
MACINTOSH, DOS = translate("Western European (Macintosh)"), translate("Western European (DOS)")
JAPANESE, KOREAN = translate("Japanese (Shift-JIS)"), translate("Korean")
CHINESE, CHINESE_TRADITIONAL = translate("Chinese (GB 18030)"), translate("Chinese, traditional (Big5)")
COMMA, SEMICOLON, TAB = translate("comma"), translate("semicolon"), translate("tab")
BAR, CARET = translate("vertical bar"), translate("caret")

NO_TEXT = translate("This file holds no text that can be read. Save it as CSV or XLSX, and drop it again.")
NO_ROWS = translate("There are no rows below the titles.")
OPEN_QUOTE = translate("A quotation mark in this row is not closed, so its cells may be cut in the wrong places.")
CELL_TOO_LONG = translate("This cell is longer than a cell of a spreadsheet can be. A quotation mark may be missing.")
WORKBOOK_TROUBLE: dict[str, str] = {
    "password": translate("The workbook is protected by a password. Save it without one, and drop it again."),
    "too large": translate("The workbook is too large to be unpacked. Save the sheet as CSV, and drop that."),
    "unreadable": translate("The workbook cannot be read: it is damaged, or no workbook. Save it anew as XLSX."),
    "too long": translate(
        "Reading the workbook took too long, so it was given up. Save the sheet as CSV, and drop that."
    ),
    "died": translate("The workbook could not be read, and may be too large. Save the sheet as CSV, and drop that."),
}


def file_too_large(name: str) -> str:
    """A file of more bytes than are read."""
    return translate("{name} is larger than 256 MB. Split it, and drop the parts.", name=name)


def file_empty(name: str) -> str:
    """A file without a byte."""
    return translate("{name} is empty.", name=name)


def file_unreadable(name: str, why: str) -> str:
    """The system refused the file; `why` is the end of a sentence."""
    return translate("{name} cannot be read. {why}", name=name, why=why)


def file_is_markup(name: str) -> str:
    """A web page or other XML that is named as a table."""
    return translate(
        "{name} is a web page or XML. Open it in a spreadsheet, save it as XLSX, and drop that.", name=name
    )


def too_many_rows(count: int) -> str:
    """More rows than an import takes."""
    return translate("There are {count:,} rows, and one import takes 100,000. Split the file.", count=count)


def too_many_columns(count: int) -> str:
    """More columns than an import takes."""
    return translate("There are {count:,} columns, and one import takes 1,000.", count=count)


def encoding_found(name: str, *, sure: bool) -> str:
    """How the bytes were read as letters."""
    if sure:
        return translate("Letters: {name}.", name=name)
    return translate("Letters: {name}, as far as can be told. Look at a name with an accent.", name=name)


def separator_found(name: str, *, sure: bool) -> str:
    """What stands between the cells."""
    if sure:
        return translate("Between cells: {name}.", name=name)
    return translate("Between cells: {name}, as far as can be told. Look at the columns.", name=name)


def sheet_found(name: str, count: int, *, sure: bool) -> str:
    """Which sheet of a workbook was read."""
    if sure:
        return translate("Sheet “{name}” of {count}.", name=name, count=count)
    return translate(
        "Sheet “{name}” of {count}. Others have rows too: look whether this is the one.", name=name, count=count
    )


def header_found(number: int | None, *, sure: bool) -> str:
    """Where the titles stand; None without titles."""
    if number is None:
        return translate("No row of titles was found: columns are called by their letters.")
    if sure:
        return translate("Titles: row {number}.", number=number)
    return translate("Titles: row {number}, as far as can be told.", number=number)


def errors_somewhere(count: int) -> str:
    """Cells of the workbook show errors of the spreadsheet, and were read as blank."""
    return translate_plural(
        "{count} cell of the workbook shows an error, and was read as blank. Look for it in the spreadsheet.",
        "{count} cells of the workbook show errors, and were read as blank. Look for them in the spreadsheet.",
        count,
    )


def row_too_long(cells: int, titles: int) -> str:
    """A row with more cells than titles."""
    return translate(
        "This row has {cells} cells, and there are {titles} titles. A separator may stand within a cell.",
        cells=cells,
        titles=titles,
    )


def row_too_short(cells: int, titles: int) -> str:
    """A row with fewer cells than titles, in a file where nearly all rows are complete."""
    return translate("This row ends early: {cells} of {titles} cells.", cells=cells, titles=titles)


# Mapping

FACILITY_BY_ADDRESS = translate("No column names the facility: the consignee's address determines it.")
SEVERAL_ROWS = translate("Rows with the same reference are one order.")
NO_MAPPING_FILE = translate("This is no file of a mapping of columns.")


def column_by_content(title: str, field: str) -> str:
    """A column was matched by what stands in it."""
    return translate("“{title}” was taken as {field} because of its cells.", title=title, field=field)


def value_translated(field: str, old: str, new: str) -> str:
    """A value of the file stands for a code."""
    return translate("{field}: “{old}” is read as {new}.", field=field, old=old, new=new)


def decimal_found(sign: str) -> str:
    """How numbers are written; empty if in both ways."""
    if not sign:
        return translate("Numbers are written with a point in some cells and with a comma in others.")
    return translate("Numbers: {example}.", example=f"12{sign}5")


def dates_found(order: str) -> str:
    """How dates are written; empty if in both ways."""
    if order == "mdy":
        return translate("Dates: month before day.")
    if order == "dmy":
        return translate("Dates: day before month.")
    return translate("Dates have the day first in some cells and the month first in others.")


def remembered(name: str) -> str:
    """The mapping was used before for these titles."""
    if name:
        return translate("Columns as in “{name}”.", name=name)
    return translate("Columns as the last time.")


# Cells

OTHER_DECIMAL = translate("Written with another decimal sign than the other numbers of the file.")
LOST_LETTERS = translate("Letters were lost here: the file was read with the wrong encoding, or is damaged.")
MISREAD = translate("Looks like letters that were read with the wrong encoding.")


NO_RESULT = translate("This formula has no value yet. Open the file in a spreadsheet, save it, and drop it again.")


def two_numbers(text: str, first: str, second: str) -> str:
    """A number that can be read in two ways."""
    return translate(
        "{text} can be {first} or {second}. Choose the decimal sign.", text=text, first=first, second=second
    )


def two_days(text: str, first: str, second: str) -> str:
    """A date that can be read in two ways."""
    return translate(
        "{text} can be {first} or {second}. Choose the order of dates.", text=text, first=first, second=second
    )


def perhaps_exchanged(text: str, day: str, other: str) -> str:
    """A date that was read in the order of the file's dates, and is over by now.

    Other dates told that order, a person chose it, or it is kept from a file of the same kind.
    """
    return translate(
        "{text} is read as {day}, which is over, in the order of dates above the table. It can be {other}.",
        text=text,
        day=day,
        other=other,
    )


def other_date_order(text: str, day: str) -> str:
    """A date that cannot have the order of the file's dates, wherever that is from."""
    return translate(
        "{text} does not have the order of dates above the table. It can only be {day}.", text=text, day=day
    )


def serial_day(text: str, day: str) -> str:
    """A day as the number that a spreadsheet keeps it as."""
    return translate("{text} is a spreadsheet's number for {day}.", text=text, day=day)


def time_left_out(time: str) -> str:
    """A date with a time of day."""
    return translate("An order has a day only: the time {time} is left out.", time=time)


def shortened(text: str) -> str:
    """A number such as 7.71E+05."""
    return translate("A spreadsheet shortened this number to {text}, and its last digits are lost.", text=text)


def digits_lost(text: str) -> str:
    """A number of more digits than a spreadsheet keeps."""
    return translate(
        "A spreadsheet keeps 15 digits of a number, and this has more: the last ones of {text} are lost.", text=text
    )


def became_a_day(text: str) -> str:
    """A text that a spreadsheet took for a date."""
    return translate("A spreadsheet took this for a date: {text}.", text=text)


def may_be_a_day(text: str) -> str:
    """A text that looks like a date made by a spreadsheet."""
    return translate("A spreadsheet may have taken this for a date: {text}.", text=text)


def became_a_number(text: str, bare: str) -> str:
    """A code that was written as a number with a fraction."""
    return translate("A program took this for a number: {text} may be {bare}.", text=text, bare=bare)


def zero_lost(text: str, whole: str) -> str:
    """A code that lost a zero in front."""
    return translate("A zero in front may be lost: {text} may be {whole}.", text=text, whole=whole)


def state_in_full(text: str, code: str) -> str:
    """The name of a state in place of its two letters."""
    return translate("{text} is written {code}.", text=text, code=code)


def spreadsheet_error(text: str) -> str:
    """A cell with an error of the spreadsheet."""
    return translate("The spreadsheet shows an error here: {text}.", text=text)


def stands_for_nothing(text: str) -> str:
    """A text that programs write for a missing value."""
    return translate("Programs write “{text}” for a missing value. Clear it if there is none.", text=text)


def other_number_of_parts(parts: int, wanted: int) -> str:
    """Two cells with lists of different lengths."""
    return translate("This cell has {parts} parts, and the one beside it {wanted}.", parts=parts, wanted=wanted)


def rows_disagree(field: str, text: str) -> str:
    """Two rows of one order say different things."""
    return translate("{field}: the first row of this order says “{text}”.", field=field, text=text)


def same_row(number: int) -> str:
    """A row that stands in the file twice."""
    return translate("The same as row {number}. Both are lines of the order.", number=number)


def about_field(field: str, sentence: str) -> str:
    """An issue on a cell that is not the field's own."""
    return translate("{field}: {sentence}", field=field, sentence=sentence)


# Verdicts

KIND_TITLES: dict[str, str] = {
    "create": translate("Create"),
    "update": translate("Update"),
    "unchanged": translate("Unchanged"),
    "blocked": translate("Blocked"),
    "twice": translate("Twice in this file"),
    "second": translate("Would make a second order"),
    "refused": translate("Refused before"),
    "unknown": translate("Cannot tell"),
}
CREATE_HERE = translate("Nobody here knows this reference. The provider is asked before it is sent.")
CREATE_ASKED = translate("The provider has no order with this reference.")
SAME_AS_SENT = translate("The same as this desk last sent.")
SAME_AS_SHOWN = translate("The provider shows the same, as far as it shows anything.")
SAME_IN_OUTBOX = translate("The same is in the outbox already.")
WAITS_IN_OUTBOX = translate("Another version is in the outbox. This one is sent after it.")
SAME_IN_IMPORT = translate("The same waits in an import that is under way.")
OTHER_IN_IMPORT = translate("Another version waits in an import that is under way. This one is sent after it.")
CHANGES_SENT = translate("Changes the order that this desk last sent.")
CHANGES_SHOWN = translate("Changes the open order that the provider shows.")
CHANGES_UNSEEN = translate("Changes an open order that this desk has not seen.")


def same_as_last_file(changed: str) -> str:
    """The file says what it said before, and the order was changed at this desk since."""
    return translate(
        "The file says the same as last time. The order was changed at this desk since, {changed}.", changed=changed
    )


def unchanged_since(person: str, at: datetime) -> str:
    """Somebody else of the team sent the same."""
    return translate("Unchanged since {person} sent it, {when}.", person=person, when=moment(at))


def same_waits(person: str) -> str:
    """The same is in somebody else's outbox."""
    return translate("The same is in the outbox of {person} already.", person=person)


def changed_since_file(person: str, at: datetime) -> str:
    """The file says what it said before, and somebody else of the team changed the order since."""
    return translate(
        "The file says the same as last time. {person} has sent another version since, {when}.",
        person=person,
        when=moment(at),
    )


def changes_theirs(person: str, at: datetime) -> str:
    """It changes what somebody else of the team sent."""
    return translate("Changes the order that {person} sent, {when}.", person=person, when=moment(at))


def waits_theirs(person: str) -> str:
    """Another version is in somebody else's outbox."""
    return translate("Another version is in the outbox of {person}.", person=person)


def cancelled_by(person: str, at: datetime) -> str:
    """Somebody else of the team cancelled the order."""
    return translate(
        "{person} cancelled the order, {when}. Sending would make a second one.", person=person, when=moment(at)
    )


def blocked(count: int) -> str:
    """The order has issues."""
    return translate_plural("{count} thing to correct.", "{count} things to correct.", count)


def twice_same(number: int) -> str:
    """The same order stands in the file before."""
    return translate("The same as row {number}, which is sent once.", number=number)


def twice_other(number: int) -> str:
    """Another order with the same reference is in the file."""
    return translate("Row {number} has the same reference and says something else. Correct one of them.", number=number)


def second_order(status: str) -> str:
    """The order is closed."""
    return translate("The order is closed ({status}). Sending would make a second one.", status=status)


def cancelled_here(when: str) -> str:
    """This desk cancelled the order."""
    return translate("This desk cancelled the order, {when}. Sending would make a second one.", when=when)


CANCELLATION_WAITS = translate(
    "A cancellation of the order is in the outbox. This leaves after it, and would make a second order."
)
CANCELLATION_IN_DOUBT = translate(
    "Whether the provider took this desk's cancellation is in doubt. If it did, sending makes a second order."
)


def cancellation_waits(person: str) -> str:
    """Somebody else of the team has a cancellation that the provider has not answered."""
    return translate(
        "A cancellation of the order is in the outbox of {person}. Once it is taken, sending makes a second order.",
        person=person,
    )


def refused_before(said: str) -> str:
    """The provider refused these very contents; `said` are its words."""
    return translate("The provider refused exactly this. It said: {said}", said=said)


def moment(at: datetime) -> str:
    """A moment within a sentence."""
    return exact_moment(at)


def asking_stopped(why: str) -> str:
    """The provider could not be asked about all orders."""
    return translate("Not all orders could be asked about. {why}", why=why)


# Sending

STATES: dict[str, str] = {
    "waiting": translate("Not in the outbox yet"),
    "queued": translate("Waits in the outbox"),
    "held": translate("Waits for you"),
    "sending": translate("Being sent"),
    "accepted": translate("Accepted"),
    "confirmed": translate("Confirmed"),
    "rejected": translate("Refused"),
    "in_doubt": translate("In doubt"),
    "withdrawn": translate("Withdrawn"),
    "not sent": translate("Not sent"),
    "overtaken": translate("Not sent: changed at this desk since"),
    "stopped": translate("Not sent: the import was stopped"),
}
PAUSED_BY_PERSON = translate("Paused.")
STOPPED_BY_PERSON = translate("Stopped.")
WITHDRAWN_BY_STOP = translate("The import was stopped before this was sent.")
WITHDRAWN_ALIKE = translate("Withdrawn with all like it.")
ORDERS_SHEET = translate("Orders")

# Receipt

VERDICT_TITLE, OUTCOME_TITLE = translate("Waybill verdict"), translate("Waybill outcome")
NUMBER_TITLE, TIME_TITLE = translate("Waybill order number"), translate("Waybill time")
WORDS_TITLE = translate("Waybill words")
# The titles of the columns that a receipt adds behind those of the file.
RECEIPT_TITLES = (VERDICT_TITLE, OUTCOME_TITLE, NUMBER_TITLE, TIME_TITLE, WORDS_TITLE)

# Cancelling by file

CANCEL, CANCEL_NOT = translate("Cancel"), translate("Not cancelled")
CANCEL_OPEN = translate("Open.")
CANCEL_NOT_LISTED = translate("Not in the lists of this desk. The provider is asked before it is cancelled.")
CANCEL_WAITS = translate("A cancellation of it is in the outbox already.")
CANCEL_DONE = translate("Cancelled from this desk already.")
CANCEL_NONE = translate("No reference in this row.")


def cancel_closed(status: str) -> str:
    """The order is closed."""
    return translate("Closed already: {status}.", status=status)


def cancel_twice(number: int) -> str:
    """The reference stands in the file before."""
    return translate("The same reference as row {number}.", number=number)


# Watched folder

FOLDER_GONE = translate("The folder cannot be read.")
TAKEN_ELSEWHERE = translate("Another Waybill has taken this file.")
STILL_GROWING = translate("Still being written.")
FILE_WAITS = translate("Waits for you.")
FILE_SENT = translate("Being sent. The receipt follows.")
FILE_DONE = translate("Done. The receipt is beside it.")
FILE_UNCHANGED = translate("Nothing in it has changed, so nothing was sent.")
FILE_LEFT = translate("Put aside.")


def mark_not_made(name: str, why: str) -> str:
    """The mark of a file could not be written beside it."""
    return translate(
        "Waybill writes a mark beside each file that it takes, and could not write that of {name}. {why}",
        name=name,
        why=why,
    )


def file_under_way(done: int, total: int) -> str:
    """How far a file of the watched folder is."""
    return translate("Being sent: {done:,} of {total:,}.", done=done, total=total)


def file_needs_person(count: int) -> str:
    """Orders of a file of the watched folder wait for a person."""
    return translate_plural(
        "{count} order waits for you in the outbox.", "{count} orders wait for you in the outbox.", count
    )


def receipt_name(stem: str) -> str:
    """The name of a receipt, without its suffix."""
    return translate("{stem} receipt", stem=stem)
