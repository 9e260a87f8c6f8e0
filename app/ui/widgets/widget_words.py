"""The sentences of the widgets, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from typing import Literal

from app.translation import translate, translate_plural

TRY_AGAIN = translate("Try again")
SHOW_IN_FOLDER = translate("Show in folder")
STOP = translate("Stop")
NAME = translate("Name")
COPY, COPY_ALL = translate("Copy"), translate("Copy all of it")


def beside(*parts: str) -> str:
    """Facts beside each other in one line, without those that are empty."""
    return " · ".join(part for part in parts if part)


# Standing buttons

TOOLS, MORE_TOOLS, MORE_TOOLS_TIP = translate("Actions"), translate("More ▾"), translate("More actions")


def tip_with_key(tip: str, key: str) -> str:
    """What a button does, and the key that does the same."""
    return translate("{tip} ({key})", tip=tip, key=key)


def title_with_key(title: str, key: str) -> str:
    """A button that names its key."""
    return translate("{title}  {key}", title=title, key=key)


# Fields

REQUIRED = translate("Required.")


def required_label(label: str) -> str:
    """The label of a field that must be filled in."""
    return translate("{label} · required", label=label)


def used_of_limit(used: int, limit: int) -> str:
    """The counter of a field that is nearly full."""
    return translate("{used:,} of {limit:,}", used=used, limit=limit)


def too_much_pasted(most: int) -> str:
    """A paste that no field takes."""
    return translate("Nothing was pasted: a field takes at most {most:,} characters at once.", most=most)


# Grids of rows

NOTHING_TO_PASTE = translate("There is nothing to paste.")
EMPTY_CELL = translate("empty")
DUPLICATE_ROW, REMOVE_ROW = translate("Duplicate row of {grid}"), translate("Remove row of {grid}")
MOVE_ROW_UP, MOVE_ROW_DOWN = translate("Move row up of {grid}"), translate("Move row down of {grid}")
UNDO_IN, REDO_IN = translate("Undo in {grid}"), translate("Redo in {grid}")


def rows_removed(rows: int) -> str:
    """Rows were removed, and how to undo that."""
    return translate_plural(
        "{count:,} row removed. Ctrl+Z undoes that.", "{count:,} rows removed. Ctrl+Z undoes that.", rows
    )


def rows_pasted(rows: int) -> str:
    """Rows were pasted, and how to undo that."""
    return translate_plural(
        "{count:,} row pasted. Ctrl+Z undoes that.", "{count:,} rows pasted. Ctrl+Z undoes that.", rows
    )


def errors_here(errors: int) -> str:
    """How many cells of a grid are wrong."""
    return translate_plural("{count:,} error here.", "{count:,} errors here.", errors)


def more_errors_here(errors: int) -> str:
    """How many more cells are wrong than the current one."""
    return translate_plural("{count:,} more error here.", "{count:,} more errors here.", errors)


def too_many_rows(rows: int, most: int) -> str:
    """A block that is too long to paste."""
    return translate("Nothing was pasted: {rows:,} rows are more than {most:,} at once.", rows=rows, most=most)


def cell_too_long(most: int) -> str:
    """A block with a cell that is too long."""
    return translate("Nothing was pasted: a cell holds more than {most:,} characters.", most=most)


def block_too_wide(columns: int, fitting: int) -> str:
    """A block with more columns than there are from the current cell on."""
    return translate_plural(
        "Nothing was pasted: the block is {columns} columns wide, and {count} fits from this cell on.",
        "Nothing was pasted: the block is {columns} columns wide, and {count} fit from this cell on.",
        fitting,
        columns=columns,
    )


WITHOUT_TITLE = translate("without a title")


def columns_left_out(titles: str) -> str:
    """Columns of a pasted table that the grid does not have."""
    return translate("Left out, as no column has this name: {titles}.", titles=titles)


def cell_name(column: str, grid: str, row: int) -> str:
    """The field for the current cell, as a screen reader says it."""
    return translate("{column} of {grid}, row {row}", column=column, grid=grid, row=row)


def editor_name(column: str, row: int) -> str:
    """The editor of an open cell, as a screen reader says it."""
    return translate("{column}, row {row}", column=column, row=row)


def no_row_of(grid: str) -> str:
    """The field for the current cell, where there is none."""
    return translate("No row of {grid}", grid=grid)


# Suggestions and chips

SUGGESTIONS_HELP = translate("Down chooses · Enter or Tab takes it · Esc closes")
SUGGESTIONS_NAME = translate("Suggestions")
LOOKING = translate("Looking…")
STILL_LEARNING = translate("No match yet. Waybill is still learning from the orders it fetched.")
NOT_THESE, NOT_THIS = translate("Not these"), translate("Not this")


def suggestions_known(count: int) -> str:
    """How many suggestions there are, as a screen reader says it."""
    return translate_plural("{count} suggestion.", "{count} suggestions.", count)


def suggestions_unreadable(reason: str) -> str:
    """The cache could not be read."""
    return translate("Earlier entries cannot be read. {reason}", reason=reason)


def a_piece(values: str) -> str:
    """Volume and weight of one piece."""
    return translate("{values} a piece", values=values)


def filter_by(field: str) -> str:
    """The panel of a chip, as a screen reader says it."""
    return translate("Filter by {field}", field=field)


def find_in(field: str) -> str:
    """The search field of a chip's panel."""
    return translate("Find in {field}", field=field)


# Files

ALL_FILES = translate("All files (*)")
REPLACE = translate("Replace")
STOP_TIP = translate("Stop; nothing is written")
STOPPING = translate("Stopping…")
FILE_PROGRESS = translate("Progress of the file")
STOPPED_UNWRITTEN = translate("Stopped; nothing was written.")
STILL_MAKING = translate("Another file is still being made. Wait for it, or stop it.")

Saved = Literal["document", "photo"]
_SAVE_INTO = {
    "document": ("Save the document into", "Save {count:,} documents into"),
    "photo": ("Save the photo into", "Save {count:,} photos into"),
}
_SAVING_ONE = {"document": translate("Saving the document…"), "photo": translate("Saving the photo…")}
_SAVING = {
    "document": translate("Saving documents, {place:,} of {total:,}…"),
    "photo": translate("Saving photos, {place:,} of {total:,}…"),
}
_ARE_IN = {
    "document": ("{count:,} document is in {folder}.", "{count:,} documents are in {folder}."),
    "photo": ("{count:,} photo is in {folder}.", "{count:,} photos are in {folder}."),
}
SAVING_STOPPED_FIRST = translate("Stopped; nothing was saved.")
SAVING_STOPPED = translate("Stopped; the others were not saved.")


def replace_question(file_name: str) -> str:
    """The question before a file is overwritten."""
    return translate("Replace {file_name}?", file_name=file_name)


def file_exists_in(folder: object) -> str:
    """Why that is asked."""
    return translate("There is a file of this name in {folder}.", folder=folder)


def file_under_way(file_name: str, progress: str) -> str:
    """A file that is being made, for the question before the window closes."""
    return translate("{file_name}: {progress}", file_name=file_name, progress=progress)


OPEN_FILE = translate("Open file")


def file_not_opened(target: object) -> str:
    """No program of the system opened the file that was made."""
    return translate("No program could open it. The file is {target}.", target=target)


def folder_not_opened(target: object) -> str:
    """The system could not show where a file is."""
    return translate("The folder could not be opened. The file is {target}.", target=target)


def folder_not_shown(folder: object) -> str:
    """The system could not show a folder."""
    return translate("The folder could not be opened. It is {folder}.", folder=folder)


def save_into(what: Saved, count: int) -> str:
    """The title of the dialog that asks for a folder."""
    return translate_plural(*_SAVE_INTO[what], count)


def saving(what: Saved, place: int, total: int) -> str:
    """How far saving is."""
    return _SAVING_ONE[what] if total == 1 else _SAVING[what].format(place=place, total=total)


def saved_one(file_name: str, folder: str) -> str:
    """One file is saved."""
    return translate("{file_name} is in {folder}.", file_name=file_name, folder=folder)


def saved_many(what: Saved, count: int, folder: str) -> str:
    """Several files are saved."""
    return translate_plural(*_ARE_IN[what], count, folder=folder)


def not_saved(name: str, why: str) -> str:
    """A file that was not saved; `why` is a sentence."""
    return translate("{name} was not saved: {why}", name=name, why=why)


def more_not_saved(count: int) -> str:
    """More files were not saved than are named."""
    return translate_plural("{count:,} more was not saved.", "{count:,} more were not saved.", count)


# Pictures

CUT_OFF = translate("The end of this file is missing.")
LOADING_PICTURE = translate("Loading the picture")
NO_PICTURE = translate("No picture")

# The window

PRACTICE = translate("Practice: nothing leaves this computer")
CLOSE_MESSAGE = translate("Close this message")
GO_BACK = translate("Go back")
UNDO = translate("Undo")


# Tables of records

COPY_AS_TABLE = translate("Copy selected rows as a table")


def search_in(table: str) -> str:
    """The search line above a table."""
    return translate("Search in {table}", table=table)


def rows_shown(shown: int, of: int, left_out: int) -> str:
    """How many rows a search has left; `left_out` fields are not shown."""
    rows = translate_plural("{count:,} row", "{count:,} rows", of)
    if shown != of:
        rows = translate("{shown:,} of {rows}", shown=shown, rows=rows)
    if not left_out:
        return rows
    return translate_plural(
        "{rows}, without {count:,} more field", "{rows}, without {count:,} more fields", left_out, rows=rows
    )


def copy_value(title: str) -> str:
    """The entry of a menu that copies one value of a row."""
    return translate("Copy: {title}", title=title)


def writing_records(done: int, total: int) -> str:
    """How far the export of rows is."""
    return translate("Exporting row {done:,} of {total:,}", done=min(done + 1, total), total=total)


def records_written(rows: int, name: str, cut: int) -> str:
    """Rows were written into this file; `cut` texts did not fit into a cell."""
    written = translate_plural("{count:,} row in {name}.", "{count:,} rows in {name}.", rows, name=name)
    if not cut:
        return written
    return translate_plural(
        "{written} {count:,} text was longer than a cell and is cut.",
        "{written} {count:,} texts were longer than a cell and are cut.",
        cut,
        written=written,
    )


# Phone numbers


def phone_button(phone: str, *, calls: bool) -> str:
    """The button of a phone number: what it does stands in its words."""
    return translate("Call {phone}", phone=phone) if calls else translate("Copy {phone}", phone=phone)


def phone_tip(*, calls: bool) -> str:
    """What a click on a phone number does."""
    if calls:
        return translate("Give this number to the phone program of this computer")
    return translate("Copy this number. Settings can let the phone program of this computer call it.")


def phone_copied(phone: str, name: str) -> str:
    """The number is in the clipboard; `name` is whose it is, perhaps empty."""
    return translate("{whose} is copied.", whose=_whose(phone, name))


def phone_handed_over(phone: str, name: str) -> str:
    """The system took the number; whether a program calls it is not known."""
    return translate("This computer was asked to call {whose}. The number is copied.", whose=_whose(phone, name))


def phone_not_taken(phone: str, name: str) -> str:
    """The system has no program for phone numbers."""
    return translate("No program of this computer takes calls. {whose} is copied.", whose=_whose(phone, name))


def _whose(phone: str, name: str) -> str:
    return translate("{phone} ({name})", phone=phone, name=name) if name else phone
