"""The sentences of printing, in one place to be reviewed and translated.

Invariant: each function returns whole sentences; `translate` puts the values in. Field names and button titles stand at
their widgets.
"""

from pathlib import Path

from app.translation import translate, translate_plural

# The panel

DRAFT = translate("Draft, not sent")
NOT_KNOWN = translate("This order is not known here any more, so there is nothing to print.")
ACTUAL_SIZE = translate("Print a PDF at its actual size (100 %), not fitted to the page: only then do the bars scan.")
ASKING_PRINTERS = translate("Asking which printers there are…")
NO_PRINTER = translate("No printer is installed on this computer. A PDF can still be saved.")
STILL_PRINTING = translate("This is still under way. Stop it, or wait until it has ended, to print another order.")
STOPPED = translate("Stopped. Nothing was saved or printed.")
LOOKING = translate("Looking what fits…")
NOTHING_TO_PRINT = translate("Nothing to print")
NO_LABELS = {
    "each": translate("This order has no barcodes, so there are no labels to print."),
    "group": translate("No barcode of this order belongs to a group, so there are no group labels to print."),
}


def labels_title(reference: str) -> str:
    """The title of a file of labels."""
    return translate("Labels of order {reference}", reference=reference)


def labels_words(count: int) -> str:
    """`12 labels`."""
    return translate_plural("{count:,} label", "{count:,} labels", count)


def pages_words(count: int) -> str:
    """`3 pages`."""
    return translate_plural("{count:,} page", "{count:,} pages", count)


def all_labels(count: int, pages: str) -> str:
    """Every label can be printed; `pages` is empty for a roll."""
    if not pages:
        return translate_plural("{count:,} label.", "{count:,} labels.", count)
    return translate_plural("{count:,} label on {pages}.", "{count:,} labels on {pages}.", count, pages=pages)


def some_labels(count: int, total: int, pages: str) -> str:
    """Some labels cannot be printed: how many can. The list of the others follows."""
    labels, refused = labels_words(total), total - count
    some = (
        translate("{count:,} of {labels} can be printed on {pages}.", count=count, labels=labels, pages=pages)
        if pages
        else translate("{count:,} of {labels} can be printed.", count=count, labels=labels)
    )
    return f"{some} {translate_plural('This one cannot:', 'These cannot:', refused)}"


def refused_label(place: int, barcode: str, why: str) -> str:
    """A barcode that cannot be printed."""
    return translate("{place:,} · {barcode}: {why}", place=place, barcode=barcode, why=why)


def more_refused(count: int) -> str:
    """The end of a list that would be too long."""
    return translate_plural("… and {count:,} more", "… and {count:,} more", count)


def sheet_pages(count: int, paper: str) -> str:
    """How many pages the order sheet takes."""
    return translate_plural("{count:,} page of {paper}.", "{count:,} pages of {paper}.", count, paper=paper)


def orders_title(count: int) -> str:
    """The title of the panel, and of a file, for several orders."""
    return translate_plural("{count:,} order", "{count:,} orders", count)


def sheets_of(orders: int, pages: int, paper: str) -> str:
    """How many pages the sheets of several orders take."""
    return translate_plural(
        "{orders:,} sheets on {count:,} page of {paper}.",
        "{orders:,} sheets on {count:,} pages of {paper}.",
        pages,
        orders=orders,
        paper=paper,
    )


def first_page(count: int) -> str:
    """The caption of the preview."""
    return translate("Page 1 of {count:,}", count=count)


def first_label_page(count: int, stock: str) -> str:
    """The caption of the preview of labels."""
    return translate("Page 1 of {count:,} · {stock}", count=count, stock=stock)


def place_of_sheet(place: int) -> str:
    """The first label that is still on a sheet."""
    return translate("{place} of the sheet", place=place)


def saved(printed: str, target: Path) -> str:
    """A PDF was written; `printed` is `12 labels`."""
    return translate("{printed} saved to {file}.", printed=printed, file=target)


def sent(printed: str, printer: str) -> str:
    """The pages were handed over to a printer."""
    return translate("{printed} sent to {printer}.", printed=printed, printer=printer)


def pages_done(done: int, total: int) -> str:
    """How far saving or printing is."""
    return translate_plural("{done:,} of {count:,} page", "{done:,} of {count:,} pages", total, done=done)


def handing_over(done: int, total: int) -> str:
    """The printer has the pages, so that printing cannot be stopped any more."""
    return translate("Handing over to the printer: {pages}", pages=pages_done(done, total))


def would_be_broken_off(order: str, pages: str) -> str:
    """What closing the window would stop."""
    return translate("{order}: {pages}", order=order, pages=pages)


# Files and printers

DISK_ERROR = translate("the disk reported an error")
FIRST_PAGE_FAILED = translate(
    "The first page could not be begun. Look whether the printer is switched on and connected."
)
PAGE_FAILED = translate("A page could not be begun; those before it may have been printed.")
PRINTERS_SILENT = translate(
    "The print system of this computer does not answer, so its printers are not known. A PDF can still be saved."
)
PRINTERS_UNKNOWN = translate("Which printers there are could not be found out. A PDF can still be saved.")
REFUSED_BY_SPOOLER = translate("the spooler refused it")


def not_opened(target: Path, why: str) -> str:
    """The file could not be opened for writing."""
    return translate("{file} could not be written: {why}.", file=target, why=why)


def not_written(target: Path, why: str) -> str:
    """The disk failed while the file was written."""
    return translate("{file} could not be written: {why}. Nothing was saved.", file=target, why=why)


def printer_gone(name: str) -> str:
    """The printer was removed since it was chosen."""
    return translate("The printer {name} is not there any more.", name=name)


def printer_error(name: str) -> str:
    """The printer took the pages and then failed: nobody knows what is on paper."""
    return translate("The printer {name} reported an error. Look whether anything was printed.", name=name)


def printer_silent(name: str) -> str:
    """The printer does not answer: nobody knows what is on paper."""
    return translate("The printer {name} does not answer. Look whether anything was printed.", name=name)


def printing_ended(name: str) -> str:
    """The process that prints ended too early: nobody knows what is on paper."""
    return translate(
        "Printing ended before all was handed over. Look whether anything was printed by {name}.", name=name
    )


def command_failed(name: str, why: str) -> str:
    """The command that prints could not be started."""
    return translate("{name} was given nothing: {why}.", name=name, why=why)


def not_printed(name: str, why: str) -> str:
    """The spooler refused the pages."""
    return translate("Nothing was printed by {name}: {why}.", name=name, why=why)


def photos_missing(count: int) -> str:
    """Photos that a report shows a reason in place of."""
    return translate_plural(
        "{count:,} picture could not be shown; the report says why in its place.",
        "{count:,} pictures could not be shown; the report says why in their places.",
        count,
    )
