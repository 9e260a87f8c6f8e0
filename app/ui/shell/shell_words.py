"""What the window says of itself: its connection, its own faults, and what closing it would lose."""

from app.translation import translate, translate_plural

TRY_AGAIN = translate("Try again")
BEGIN_TOUR = translate("First minutes: a tour in practice")
CLOSE = translate("Close")
KEYS = translate("Keys")
FIND_KEY = translate("Find a key or what it does")
NO_SUCH_KEY = translate("No key does that. Ctrl+K finds every action by its name.")

# The window before the main window: a start that failed or waits

NEWER_BUILD = translate("A new version of Waybill was installed. This window goes on with the one before.")
START_ANEW = translate("Start the new version")
PAGE_IS_OFF = translate("Your administrator has switched this page off on this computer.")
CLOSE_WAYBILL = translate("Close Waybill")
OPEN_FOLDER = translate("Open the folder")
REPORT_COPIED = translate("Report copied.")
STOP_WAITING = translate("Stop waiting")


def folder_not_opened(folder: str) -> str:
    """The system has no program that shows folders."""
    return translate("No program opens folders here. The folder is {folder}.", folder=folder)


def start_report(heading: str, lines: str) -> str:
    """The report of a start that failed, to copy."""
    return translate("Waybill: {heading}\n{lines}", heading=heading, lines=lines)


# The connection in use

NOT_CONNECTED = translate("Not connected yet")
RESTART_PRACTICE = translate("Restart practice")
SHOW_IN_SETTINGS = translate("Show in Settings")


def folder_trouble(why: str) -> str:
    """The watched folder cannot be read, so its files are not imported."""
    return translate("Watched folder: {why}", why=why)


def connected(at: str) -> str:
    """The provider answered at this time."""
    return translate("✓ Connected, last answer {at}", at=at)


def silent(since: str, why: str) -> str:
    """No refresh of the orders has succeeded since this time. Other calls may have been answered."""
    return translate("! No refresh since {since}. {why}", since=since, why=why)


def connection_unchanged(why: str) -> str:
    """Another connection was chosen, and the one before stays in use."""
    return translate("The connection was not changed. {why}", why=why)


def typed_stays(why: str) -> str:
    """Why a page cannot be left."""
    return translate("What you typed could not be kept, and stays in its page. {why}", why=why)


def next_start(why: str) -> str:
    """The choice of a connection could not be stored."""
    return translate("The next start opens the connection before this one. {why}", why=why)


# Faults of the program

COPY_REPORT = translate("Copy report")


def fault(where: str) -> str:
    """An error that nothing expected."""
    return translate(
        "Waybill made a mistake of its own ({where}). What was typed and sent is kept. "
        "The report names lines of the program and none of your data.",
        where=where,
    )


def report(where: str, lines: str) -> str:
    """The report to copy."""
    return translate("Waybill: {where} failed\n{lines}", where=where, lines=lines)


# Closing the window: what was typed

NOT_KEPT = translate("What you typed could not be kept")
DISK_SILENT = translate("The disk has not answered for three seconds, so nobody knows whether what you typed is kept.")
COPY_TYPED = translate("Copy what was typed")
CLOSE_ANYWAY = translate("Close anyway")
GO_BACK = translate("Go back")


def would_lose(why: str, *, copied: bool) -> str:
    """What closing now would lose."""
    if copied:
        return translate(
            "{why} If Waybill is closed now, what was typed since it was last kept is lost. "
            "It has been copied: paste it into a file of your own.",
            why=why,
        )
    return translate("{why} If Waybill is closed now, what was typed since it was last kept is lost.", why=why)


# Closing the window: cancellations that can still be undone

OFFLINE = translate("There is no connection now: what is to be sent leaves once Waybill is opened again and has one.")
KEEP_OPEN = translate("Keep Waybill open")


def about_to_be_sent(count: int) -> str:
    """The heading above the orders."""
    return translate_plural("1 cancellation is about to be sent", "{count:,} cancellations are about to be sent", count)


def more(count: int) -> str:
    """The last line of a list of orders, for those it does not name."""
    return translate_plural("and 1 more", "and {count:,} more", count)


def send_now(count: int) -> str:
    """The button that sends them."""
    return translate_plural("Send it now", "Send them now", count)


def undo_cancellations(count: int) -> str:
    """The button that undoes them."""
    return translate_plural("Undo the cancellation", "Undo the cancellations", count)


def cancellations_unchanged(why: str) -> str:
    """Cancellations were neither sent nor undone."""
    return translate("The cancellations stand as they stood. {why}", why=why)


# Closing the window: files that are being written

STILL_WRITING = translate("Waybill is still writing")
STOPS_WRITING = translate("Closing Waybill stops this. No half-written file is left, and files that are finished stay.")
STOP_AND_CLOSE = translate("Stop and close")
KEEP_WRITING = translate("Keep writing")

# Files dropped on the window

DROP_HERE = translate("Drop it to import its orders")
DROP_KINDS = translate("CSV and other text files, XLSX, XLS, ODS. Nothing is sent before you have seen every row.")


def newer_version(version: str) -> str:
    """The list of versions names a newer one."""
    return translate("Version {version} of Waybill is there.", version=version)
