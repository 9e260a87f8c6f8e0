"""Every key of the program, by the place where it works, as F1 shows them.

A key's words name the keys that belong with it, each written out, so that a test finds every key of the window here.
"""

Keys = tuple[tuple[str, str], ...]

EVERYWHERE: Keys = (
    ("F1", "This list"),
    ("Ctrl+K", "Search or command: orders by any number, actions, pages, views"),
    ("Ctrl+1", "Orders; Ctrl+2 to Ctrl+5 for new order, outbox, audits, settings"),
    ("Ctrl+N", "New order"),
    ("Alt+Z", "Undo what was done last, as a message offers it: a cancellation, a deleted view, what was filled in"),
    ("Ctrl+Z", "The same, unless a field, rows or audits have something of their own to undo"),
    ("Ctrl+Q", "Close Waybill"),
)
FORM: Keys = (
    ("Ctrl+Return", "What the button says: submit the order, send the change, or ask before it is sent"),
    ("Ctrl+Shift+Return", "The same, and the next order keeps what the template fixes"),
    ("Alt+A", "Accept what Waybill filled in; typing over it does too"),
    ("F4", "Next field that the template asks for, or that is not right yet"),
    ("Alt+1", "First section; Alt+2 to Alt+6 for the others, Alt+4 to scan"),
    ("Ctrl+Space", "What is known and fits the field; Down chooses, Enter or Tab takes it"),
    ("Ctrl+Shift+F", "Facilities for the ZIP and bill-to"),
    ("Alt+Down", "Calendar of a date; a date may be typed as +3, fri or 12/24"),
    ("Alt+T", "Templates"),
    ("Ctrl+Shift+S", "Keep what stands in the form as a template"),
    ("Ctrl+P", "Print labels or a sheet"),
    ("Ctrl+PgDown", "Next open draft; Ctrl+PgUp for the one before"),
    ("Ctrl+W", "Close the draft"),
    ("Ctrl+Shift+T", "Reopen the draft that was closed last"),
)
ROWS: Keys = (
    ("Insert", "A new row below; Enter on the last row adds one"),
    ("Ctrl+D", "Duplicate; Alt+Up and Alt+Down move, Ctrl+Delete removes"),
    ("Ctrl+V", "Paste a block from a spreadsheet; in the scan field a column of barcodes"),
    ("Ctrl+Z", "Undo the last change of them; Ctrl+Y makes it again"),
    ("Ctrl+Tab", "Leave the rows; Ctrl+Shift+Tab leaves backwards"),
    ("Ctrl+Down", "In the scan field: the next commodity; Ctrl+Up for the one before"),
    ("Ctrl+G", "In the scan field: begin a group, or end it"),
    ("Backspace", "In the empty scan field: take off what was scanned last"),
)
ORDERS: Keys = (
    ("Ctrl+F", "Filter; in the table it is enough to type"),
    ("F5", "Refresh; Ctrl+F5 stops, Shift+F5 refreshes the selected orders alone"),
    ("F7", "Dates: which are known, which are missing and why"),
    ("F8", "Columns: show, hide, move, size, sort"),
    ("Ctrl+PgDown", "The next view; Ctrl+PgUp for the one before"),
    ("Alt+V", "The views: choose one, save what is shown as one, change them"),
    ("Menu", "What can be done with the selected rows"),
    ("Ctrl+C", "Copy the selected rows as a table; Ctrl+Alt+C as text"),
    ("Ctrl+Shift+V", "Show the orders whose references or numbers were copied"),
    ("Ctrl+Shift+E", "Export what the table shows; Ctrl+Alt+E the selected orders"),
    ("Ctrl+B", "Watch the selected orders, or no longer"),
    ("Ctrl+Shift+M", "Mark the selected orders as seen"),
    ("Ctrl+Delete", "Cancel the order shown, or all that are selected; in a field it deletes a word"),
)
ORDER: Keys = (
    ("Ctrl+E", "Change it"),
    ("Ctrl+D", "Clone it"),
    ("Ctrl+L", "Look up its status"),
    ("Ctrl+P", "Print its labels or a sheet"),
    ("Ctrl+Shift+P", "Case file: all that is known of it"),
    ("Ctrl+Shift+C", "Copy its reference"),
    ("Alt+Down", "The next order; Alt+Up for the one before"),
    ("Alt+D", "Its documents; Enter shows one"),
    ("F11", "In a document: more room; Left and Right for its neighbours, PgDown for its next page"),
    ("Ctrl+S", "In a document: save it into a folder"),
    ("Escape", "Close the document, then the order"),
)
OUTBOX: Keys = (
    ("Ctrl+L", "Look up the status of what was sent"),
    ("Ctrl+D", "A new order like it"),
    ("Ctrl+P", "Print its labels or a sheet"),
)
AUDITS: Keys = (
    ("Ctrl+PgDown", "In the list: the next view; Ctrl+PgUp for the one before, Alt+V to save or change them"),
    ("Alt+W", "In the list: the lowest score first, or the newest"),
    ("Alt+T", "In the list: narrow it by type; Alt+F facility, Alt+N vendor, Alt+S score, Alt+D days, Alt+R review"),
    ("S", "Next question; W for the one before, X shows low and failed answers alone"),
    ("D", "Next photo; A for the one before"),
    ("Shift+S", "Next audit; Shift+W for the one before"),
    ("E", "Reviewed, and on to the next that is not"),
    ("F", "Flag the photo; Shift+F the audit"),
    ("Q", "Note about the audit; Shift+Q about the photo"),
    ("Z", "The question over all audits"),
    ("O", "The order of the audit"),
    ("Ctrl+Z", "Undo what was said last; Ctrl+Y says it again"),
    ("Ctrl+P", "PDF report"),
    ("Ctrl+Shift+E", "Table of the list, or of the answers"),
    ("Ctrl+Shift+S", "Save the photos into a folder"),
    ("Ctrl+Shift+P", "Case file of the order that the audit names"),
)
PHOTOS: Keys = (
    ("1", "Fit; 2 shows 100 %, 3 shows 200 %, + and - go nearer and farther"),
    ("C", "One, two or four side by side"),
    ("R", "Turn right; Shift+R left"),
    ("G", "Loupe"),
    ("L", "Light; Ctrl with the arrow keys changes it, Ctrl+0 puts it back"),
    ("V", "Draw an arrow, B a box, T words; arrow keys and Enter do too, Backspace takes the last away"),
    ("Shift+T", "Fetch the photo again"),
    ("F11", "The whole screen"),
)
LEFT = (
    ("Everywhere", EVERYWHERE),
    ("The form of an order", FORM),
    ("Rows and barcodes in it", ROWS),
    ("Photos", PHOTOS),
)
RIGHT = (("Orders", ORDERS), ("The order shown", ORDER), ("Outbox", OUTBOX), ("Audits", AUDITS))
