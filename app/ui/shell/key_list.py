"""Every key of the program, by the place where it works, as F1 shows them.

Invariant: the list names every shortcut of the window, each written out. A line also names the keys that belong with
its own key, and a test compares the list with the shortcuts of the widgets.
"""

from collections.abc import Callable, Collection, Sequence

from app.translation import translate

Keys = tuple[tuple[str, str], ...]

EVERYWHERE: Keys = (
    ("F1", translate("This list")),
    ("Ctrl+K", translate("Search or command: orders by any number, actions, pages, views")),
    ("Ctrl+T", translate("Today: what needs somebody")),
    ("Ctrl+1", translate("Orders; Ctrl+2 to Ctrl+9 for the pages below it, Ctrl+0 for the tenth")),
    ("Ctrl+Shift+I", translate("Insights")),
    ("Ctrl+,", translate("Settings")),
    ("Ctrl+N", translate("New order")),
    ("F6", translate("To the tour of the first minutes, while it is shown")),
    (
        "Alt+Z",
        translate(
            "Undo what was done last, as a message offers it: a cancellation, a deleted view, what was filled in"
        ),
    ),
    ("Ctrl+Z", translate("Undo as Alt+Z does, unless a field, rows or audits have a change of their own to undo")),
    ("Ctrl+Q", translate("Close Waybill")),
)
FORM: Keys = (
    ("Ctrl+Return", translate("What the button says: submit the order, send the change, or ask before it is sent")),
    ("Ctrl+Shift+Return", translate("Submit, and keep what the template fixes for the next order")),
    ("Alt+A", translate("Accept what Waybill filled in; typing over it does too")),
    ("F4", translate("Next field that the template asks for, or that is not right yet")),
    ("Alt+1", translate("First section; Alt+2 to Alt+6 for the others, Alt+4 to scan")),
    ("Ctrl+Space", translate("What is known and fits the field; Down chooses, Enter or Tab takes it")),
    ("Ctrl+Shift+F", translate("Facilities for the ZIP and bill-to")),
    ("Alt+Down", translate("Calendar of a date; a date may be typed as +3, fri or 12/24")),
    ("Alt+T", translate("Templates")),
    ("Ctrl+Shift+S", translate("Keep what stands in the form as a template")),
    ("Ctrl+P", translate("Print labels or a sheet")),
    ("Ctrl+PgDown", translate("Next open draft; Ctrl+PgUp for the one before")),
    ("Ctrl+W", translate("Close the draft")),
    ("Ctrl+Shift+T", translate("Reopen the draft that was closed last")),
)
ROWS: Keys = (
    ("Insert", translate("A new row below; Enter on the last row adds one")),
    ("Ctrl+D", translate("Duplicate; Alt+Up and Alt+Down move, Ctrl+Delete removes")),
    ("Ctrl+V", translate("Paste a block from a spreadsheet; in the scan field a column of barcodes")),
    ("Ctrl+Z", translate("Undo the last change of them; Ctrl+Y makes it again")),
    ("Ctrl+Tab", translate("Leave the rows; Ctrl+Shift+Tab leaves backwards")),
    ("Ctrl+Down", translate("In the scan field: the next commodity; Ctrl+Up for the one before")),
    ("Ctrl+G", translate("In the scan field: begin a group, or end it")),
    ("Backspace", translate("In the empty scan field: take off what was scanned last")),
)
ORDERS: Keys = (
    ("Ctrl+F", translate("Filter; in the table it is enough to type; Down goes from the filter to the rows")),
    ("F5", translate("Refresh; Ctrl+F5 stops, Shift+F5 refreshes the selected orders alone")),
    ("F7", translate("Dates: which are known, which are missing and why")),
    ("F8", translate("Columns: show, hide, move, size, sort")),
    ("Ctrl+PgDown", translate("The next view; Ctrl+PgUp for the one before")),
    ("Alt+V", translate("The views: choose one, save what is shown as one, change them")),
    ("Menu", translate("What can be done with the selected rows")),
    ("Ctrl+C", translate("Copy the selected rows as a table; Ctrl+Alt+C as text")),
    ("Ctrl+Shift+V", translate("Show the orders whose references or numbers were copied")),
    ("Ctrl+Shift+E", translate("Export what the table shows; Ctrl+Alt+E the selected orders")),
    ("Ctrl+Shift+L", translate("The load of the selected order")),
    ("Ctrl+Shift+F", translate("The facilities for the ZIP of the selected order")),
    ("Ctrl+P", translate("Print a sheet of each selected order, or labels of one")),
    ("Ctrl+B", translate("Watch the selected orders, or no longer")),
    ("Ctrl+Shift+M", translate("Mark the selected orders as seen")),
    ("Ctrl+Delete", translate("Cancel the order shown, or all that are selected; in a field it deletes a word")),
)
ORDER: Keys = (
    ("Ctrl+E", translate("Change it")),
    ("Ctrl+D", translate("Clone it")),
    ("Ctrl+L", translate("Look up its status")),
    ("Ctrl+P", translate("Print its labels or a sheet")),
    ("Ctrl+Shift+S", translate("Delivery slots: in them F5 gets them, Ctrl+Enter reserves one")),
    ("Ctrl+Shift+P", translate("Case file: all that is known of it")),
    ("Ctrl+Shift+C", translate("Copy its reference")),
    ("Alt+Down", translate("The next order; Alt+Up for the one before")),
    ("Alt+D", translate("Its documents; Enter shows one")),
    ("Escape", translate("Close the document, then the order")),
)
DOCUMENT: Keys = (
    ("1", translate("Fit; 2 shows 100 %, 3 shows 200 %, + and - or the wheel go nearer and farther")),
    ("R", translate("Turn right; Shift+R left")),
    ("D", translate("Next document; A for the one before. Left and Right too, where all of it is seen")),
    ("Left", translate("Where a part is seen: the arrow keys move it, and so does the mouse")),
    ("PgDown", translate("Its next page; PgUp for the one before")),
    ("Shift+T", translate("Fetch it again")),
    ("F11", translate("More room")),
    ("Ctrl+S", translate("Save it into a folder")),
)
TODAY: Keys = (
    ("L", translate("Look up the order of the line; C copies the phone number or calls it")),
    ("E", translate("Change the order of the line, or correct one that was refused")),
    ("S", translate("Snooze the line until a time; D is done with it for today, B shows it again")),
    ("Return", translate("Show what the line is about")),
    ("Alt+R", translate("The rules by which lines are found")),
)
OUTBOX: Keys = (
    ("Ctrl+L", translate("Look up the status of what was sent")),
    ("Ctrl+Return", translate("Send it now; what may have arrived already is asked about first")),
    ("Ctrl+Delete", translate("Withdraw it, or put away what was refused; in a field it deletes a word")),
    ("Ctrl+E", translate("Correct a refused order in the form, and send it again")),
    ("Ctrl+Shift+E", translate("Export the lines shown")),
    ("Ctrl+D", translate("A new order like it")),
    ("Ctrl+P", translate("Print its labels or a sheet")),
)
IMPORT: Keys = (
    ("Ctrl+O", translate("Open a file; Ctrl+V reads a table that was copied, a file may be dropped on any page")),
    ("Ctrl+Return", translate("What the button says: send the orders of the file, or cancel them")),
    ("F4", translate("The next cell to correct; Shift+F4 for the one before")),
    ("Alt+Down", translate("In a column: which field it is")),
    ("Alt+M", translate("Columns: one value for every order, mappings that are kept")),
    ("Alt+I", translate("How the file was read: encoding, titles, numbers, dates")),
    ("Ctrl+D", translate("Fill the selected cells with the topmost one, or with the one above")),
    ("Ctrl+H", translate("Find and replace; Ctrl+F finds, F3 goes to the next, Shift+F3 to the one before")),
    ("Ctrl+Z", translate("Undo the last change of cells; Ctrl+Y makes it again")),
    ("Ctrl+PgDown", translate("The orders of the next verdict; Ctrl+PgUp for the one before")),
    ("Ctrl+E", translate("The order of the row in the form; Enter on its verdict does too")),
    ("Ctrl+W", translate("Close the file")),
)
AUDITS: Keys = (
    (
        "Ctrl+PgDown",
        translate("In the list: the next view; Ctrl+PgUp for the one before, Alt+V to save or change them"),
    ),
    ("Alt+W", translate("In the list: the lowest score first, or the newest")),
    (
        "Alt+T",
        translate(
            "In the list: narrow it by type; Alt+F facility, Alt+N vendor, Alt+S score, Alt+D days, Alt+R review"
        ),
    ),
    ("Shift+Right", translate("In the plot: several weeks; Enter shows the audits of these, Escape those of all")),
    ("S", translate("Next question; W for the one before, X shows low and failed answers alone")),
    ("D", translate("Next photo; A for the one before")),
    ("Shift+S", translate("Next audit; Shift+W for the one before")),
    ("E", translate("Reviewed, and on to the next that is not")),
    ("F", translate("Flag the photo; Shift+F the audit")),
    ("Q", translate("Note about the audit; Shift+Q about the photo")),
    ("Z", translate("The question over all audits")),
    ("O", translate("The order of the audit")),
    ("Ctrl+Z", translate("Undo the last change of a review, and show it; Ctrl+Y makes it again")),
    ("Ctrl+P", translate("PDF report")),
    ("Ctrl+Shift+E", translate("Table of the list, or of the answers")),
    ("Ctrl+Shift+S", translate("Save the photos into a folder")),
    ("Ctrl+Shift+P", translate("Case file of the order that the audit names")),
)
LOADS: Keys = (
    ("Ctrl+F", translate("Another load; Enter gets its overage, Down goes to the loads of your orders")),
    ("F5", translate("Get its overage again")),
    ("Return", translate("In a row: open the order that it names")),
    ("Ctrl+Shift+E", translate("Export the overage")),
)
FACILITIES: Keys = (
    ("Ctrl+PgDown", translate("The next kind; Ctrl+PgUp for the one before")),
    ("Ctrl+F", translate("What to look up; Enter does it")),
    ("F5", translate("Look it up again")),
    ("Return", translate("In a row: the open orders of a facility, or the order")),
    ("Ctrl+Shift+E", translate("Export what is shown")),
)
REQUESTS: Keys = (
    ("Ctrl+Return", translate("Send it; what is wrong is said first")),
    ("Alt+N", translate("A new one; Alt+Z brings back what stood in the form")),
    ("Ctrl+Shift+S", translate("Keep what stands in the form as a template")),
    ("Ctrl+F", translate("What was sent; Enter shows it")),
    ("Ctrl+D", translate("Again with changes; Escape goes back to the form")),
)
PHOTOS: Keys = (
    ("1", translate("Fit; 2 shows 100 %, 3 shows 200 %, + and - go nearer and farther")),
    ("C", translate("One, two or four side by side")),
    ("R", translate("Turn right; Shift+R left")),
    ("G", translate("Loupe")),
    ("L", translate("Light; Ctrl with the arrow keys changes it, Ctrl+0 puts it back")),
    ("V", translate("Draw an arrow, B a box, T words; arrow keys and Enter do too, Backspace takes the last away")),
    ("Shift+T", translate("Fetch the photo again")),
    ("F11", translate("The whole screen")),
)
CONSOLE: Keys = (
    (
        "Ctrl+Return",
        translate("What the button says: ask, send, or hand the order to the outbox; while one waits, stop"),
    ),
    (
        "Alt+1",
        translate("Find an operation; Alt+2 to Alt+6 for the form, the JSON, the answer, the requests, the history"),
    ),
    ("F4", translate("What is not right yet")),
    ("Ctrl+Space", translate("What is known and fits the field; after {{ the values of earlier answers")),
    ("Ctrl+I", translate("Insert a value of an earlier answer in the JSON")),
    ("Alt+L", translate("Lay out the JSON")),
    ("Alt+M", translate("Copy as cURL, Python or .http file; an example; empty the form")),
    ("Ctrl+F", translate("Find in the answer; Enter goes on, Shift+Enter back, Escape closes it")),
    ("Ctrl+C", translate("Copy what is chosen in the answer; Ctrl+Shift+C as a value for a next request")),
    ("Ctrl+S", translate("Save the answer as a file; Ctrl+Shift+E exports its table")),
    ("Alt+C", translate("In the history: compare with the call before; Del forgets a call")),
    ("Ctrl+Shift+S", translate("Keep the request under a name; in the list F2 renames it, Del removes it")),
)
INSIGHTS: Keys = (
    ("Alt+D", translate("The days of the plots; Alt+F facility, Alt+T delivery type")),
    ("Return", translate("At a mark of a plot: its rows. Arrow keys go from mark to mark, Home and End to the ends")),
    ("F5", translate("Read the plots again")),
    ("Ctrl+P", translate("The weekly page as a PDF")),
)
SETTINGS: Keys = (("Ctrl+Return", translate("In the form of a connection: test it, save it and use it")),)
LEFT = (
    (translate("Everywhere"), EVERYWHERE),
    (translate("The form of an order"), FORM),
    (translate("Rows and barcodes in it"), ROWS),
    (translate("Photos"), PHOTOS),
)
RIGHT = (
    (translate("Today"), TODAY),
    (translate("Orders"), ORDERS),
    (translate("The order shown"), ORDER),
    (translate("A document of it"), DOCUMENT),
    (translate("Outbox"), OUTBOX),
    (translate("Import"), IMPORT),
    (translate("Audits"), AUDITS),
    (translate("Loads"), LOADS),
    (translate("Facilities"), FACILITIES),
    (translate("Quotes and trucks"), REQUESTS),
    (translate("Console"), CONSOLE),
    (translate("Insights"), INSIGHTS),
    (translate("Settings"), SETTINGS),
)

# What is said first to whoever asks on a page.
BY_PAGE: dict[str, tuple[Keys, ...]] = {
    "today": (TODAY,),
    "orders": (ORDERS, ORDER, DOCUMENT),
    "entry": (FORM, ROWS),
    "outbox": (OUTBOX,),
    "bulk": (IMPORT,),
    "audits": (AUDITS, PHOTOS),
    "loads": (LOADS,),
    "facilities": (FACILITIES,),
    "quotes": (REQUESTS,),
    "trucks": (REQUESTS,),
    "console": (CONSOLE,),
    "insights": (INSIGHTS,),
    "settings": (SETTINGS,),
}


# Lines that lead to another page, which they name.
LEADS_TO: dict[str, tuple[tuple[Keys, str], ...]] = {
    "today": ((EVERYWHERE, "Ctrl+T"),),
    "insights": ((EVERYWHERE, "Ctrl+Shift+I"),),
    "loads": ((ORDERS, "Ctrl+Shift+L"),),
    "facilities": ((ORDERS, "Ctrl+Shift+F"),),
}
# A group of two pages is called by the one that is left when the other is switched off.
_ONE_OF_TWO = {"quotes": translate("Quotes"), "trucks": translate("Trucks")}


def sides_for(page: str, off: Collection[str] = ()) -> tuple[list[tuple[str, Keys]], list[tuple[str, Keys]]]:
    """The groups of the left and the right side, those of this page first, without what works on pages `off` alone."""
    first = BY_PAGE.get(page, ())
    left, right = ([each for group in side if (each := _kept(*group, off)) is not None] for side in (LEFT, RIGHT))
    here = [_kept(*each, off) for each in (*LEFT, *RIGHT) if each[1] in first]
    shown = [each for each in here if each is not None]
    return [*shown, *(each for each in left if each not in shown)], [each for each in right if each not in shown]


def _kept(heading: str, keys: Keys, off: Collection[str]) -> tuple[str, Keys] | None:
    """The group without lines that lead to pages that are off; None where all of its pages are."""
    pages = [name for name, groups in BY_PAGE.items() if keys in groups]
    on = [name for name in pages if name not in off]
    if pages and not on:
        return None
    if len(on) < len(pages) and on[0] in _ONE_OF_TWO:
        heading = _ONE_OF_TWO[on[0]]
    gone = {key for name in off for group, key in LEADS_TO.get(name, ()) if group is keys}
    return heading, tuple(line for line in keys if line[0] not in gone)


def found(groups: Sequence[tuple[str, Keys]], typed: str, shown: Callable[[str], str]) -> list[tuple[str, Keys]]:
    """The lines that hold every typed word in heading, key (as `shown` writes it) or words; without empty groups."""
    sought = typed.casefold().split()
    narrowed = (
        (
            heading,
            tuple(
                (key, words)
                for key, words in keys
                if all(each in f"{heading} {shown(key)} {words}".casefold() for each in sought)
            ),
        )
        for heading, keys in groups
    )
    return [each for each in narrowed if each[1]]
