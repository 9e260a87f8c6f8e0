"""The sentences of the orders page, its panels and its dialogs, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from collections.abc import Sequence

from app.translation import translate, translate_plural

_NAMED_COLUMNS = 6  # more of them are counted

# Export

FINDING_ORDERS = translate("Finding the orders to export…")
WRITING_FILE = translate("Writing the file…")


def exporting_page(page: int, total: int) -> str:
    """How far the PDF of a list is."""
    return translate("Exporting page {page:,} of {total:,}…", page=page, total=total)


def exporting_order(order: int, total: int) -> str:
    """How far a spreadsheet is."""
    return translate("Exporting order {order:,} of {total:,}…", order=order, total=total)


def exported(orders: int, file_name: str) -> str:
    """How many orders a file holds."""
    return translate_plural(
        "{count:,} order is in {file_name}.", "{count:,} orders are in {file_name}.", orders, file_name=file_name
    )


def split_into_sheets(sheets: int, rows: int) -> str:
    """A workbook needed several sheets; `rows` fit on one."""
    return translate_plural(
        "They fill {count:,} sheet, because a sheet holds {rows:,} rows.",
        "They fill {count:,} sheets, because a sheet holds {rows:,} rows.",
        sheets,
        rows=rows,
    )


def orders_gone(orders: int) -> str:
    """Orders left the store while the file was written."""
    return translate_plural(
        "{count:,} order went away meanwhile and was left out.",
        "{count:,} orders went away meanwhile and were left out.",
        orders,
    )


def texts_cut(texts: int) -> str:
    """A cell of a spreadsheet has a longest text."""
    return translate_plural(
        "{count:,} text was longer than a cell holds and lost the end.",
        "{count:,} texts were longer than a cell holds and lost the end.",
        texts,
    )


def no_room_for(columns: Sequence[str]) -> str:
    """The paper is narrower than the columns."""
    return translate("There was no room on the paper for {columns}.", columns=_listed(columns))


def file_appeared(file_name: str) -> str:
    """A file of the chosen name came to be after the person had chosen it."""
    return translate("{file_name} now exists. The file was left unchanged.", file_name=file_name)


def _listed(columns: Sequence[str]) -> str:
    if len(columns) == 1:
        return columns[0]
    if len(columns) > _NAMED_COLUMNS:
        return translate_plural(
            "{names} and {count:,} other column",
            "{names} and {count:,} other columns",
            len(columns) - _NAMED_COLUMNS + 1,
            names=", ".join(columns[: _NAMED_COLUMNS - 1]),
        )
    return translate("{names} and {last}", names=", ".join(columns[:-1]), last=columns[-1])


# Case file

GATHERING = translate("Gathering the facts of the order…")
CASE_TITLE = translate("Save the case file")
NOT_TOLD = translate("The provider has not told.")
NO_DOCUMENTS = translate("No documents")


def writing_page(page: int, total: int) -> str:
    """How far the pages of a case file are."""
    return translate("Writing page {page:,} of {total:,}…", page=page, total=total)


def packing_file(file: int, total: int) -> str:
    """How far the ZIP of a case file is."""
    return translate("Packing file {file:,} of {total:,}…", file=file, total=total)


def searching_audits(done: int, total: int) -> str:
    """How many audits were searched for the order."""
    return translate("Searching audits for the order, {done:,} of {total:,}…", done=done, total=total)


def case_order(number: int, reference: str) -> str:
    """The order as a case file names it."""
    if not reference:
        return translate("order {number}", number=number)
    return translate("order {reference} ({number})", reference=reference, number=number)


def case_heading(title: str) -> str:
    """The title inside the PDF."""
    return translate("Case file of {title}", title=title)


def case_made(file_name: str) -> str:
    """The case file is written."""
    return translate("The case file is in {file_name}.", file_name=file_name)


def not_packed(document: str, why: str) -> str:
    """A document that is missing in the ZIP; `why` is a sentence."""
    return translate("{document} is not in it: {why}", document=document, why=why)


def more_not_packed(files: int) -> str:
    """More files are missing than were named."""
    return translate_plural("{count:,} more file is missing in it.", "{count:,} more files are missing in it.", files)


def audits_unread(audits: int) -> str:
    """Audits whose content this desk never read."""
    if not audits:
        return ""
    return translate_plural(
        "{count:,} audit was never opened on this desk; whether it names this order is not known.",
        "{count:,} audits were never opened on this desk; whether one of them names this order is not known.",
        audits,
    )
