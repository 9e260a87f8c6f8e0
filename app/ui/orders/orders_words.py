"""The sentences of the orders page, its panels and its dialogs, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from collections.abc import Collection, Sequence

from app.translation import translate, translate_plural

_NAMED_COLUMNS = 6  # more of them are counted

# The page, its palette entries and menus

READING = translate("Reading the orders last seen…")
REFRESH_PROGRESS = translate("Refresh progress")
FILTER_ORDERS = translate("Filter orders")
EXPORT_SHOWN = translate("Export the orders shown")
EXPORT_TOOL, PRINT_TOOL, COLUMNS_TOOL = translate("Export…"), translate("Print…"), translate("Columns…")
PRINT_SELECTED = translate("Print a sheet of each selected order, or labels of one")
NEW_ORDER = translate("New order")
PASTE_ORDERS = translate("Paste references or numbers")
PASTE_ORDERS_ENTRY = translate("Paste references or numbers…")
ATTENTION_RULES = translate("Rules for “Needs attention”")
ATTENTION_RULES_ENTRY = translate("Rules for “Needs attention”…")
ARRANGE_COLUMNS = translate("Arrange columns")
ARRANGE_COLUMNS_ENTRY = translate("Arrange columns…")
RESET_COLUMNS = translate("Reset columns")
STOP = translate("Stop")
OPEN = translate("Open")


def sort_by_column(column: str) -> str:
    """A line in the menu of a heading."""
    return translate("Sort by {column}", column=column)


def hide_column(column: str) -> str:
    """A line in the menu of a heading."""
    return translate("Hide {column}", column=column)


def sorting_by(column: str, done: int, total: int) -> str:
    """How far the first sorting by a column is; `done` is 0 where that is not known yet."""
    if not done:
        return translate_plural(
            "Sorting by {column} for the first time: {count:,} order…",
            "Sorting by {column} for the first time: {count:,} orders…",
            total,
            column=column,
        )
    return translate_plural(
        "Sorting by {column} for the first time: {done:,} of {count:,} order…",
        "Sorting by {column} for the first time: {done:,} of {count:,} orders…",
        total,
        column=column,
        done=done,
    )


def write_is_listed(reference: str, number: int) -> str:
    """The provider lists the order whose story was shown."""
    return translate("{reference} is now listed as order {number}.", reference=reference, number=number)


def listed_title(view: str) -> str:
    """The title of an exported list."""
    return translate("Orders, {view}", view=view)


SELECTED_TITLE = translate("Orders, selected")
FILTERED_TITLE = translate("Orders, filtered")

# What a filter finds on other lists

SHOW_IT = translate("Show it")


def found_on_list(list_name: str, orders: int) -> str:
    """The filter finds nothing on the list that is shown, and orders on another one."""
    if list_name == "open":
        return translate_plural("{count:,} open order matches it.", "{count:,} open orders match it.", orders)
    if list_name == "completed":
        return translate_plural("{count:,} completed order matches it.", "{count:,} completed orders match it.", orders)
    return translate_plural("{count:,} order on no list matches it.", "{count:,} orders on no list match it.", orders)


def more_on_list(list_name: str, orders: int) -> str:
    """The filter finds orders on the list that is shown, and these on another one."""
    if list_name == "open":
        return translate_plural("+{count:,} open", "+{count:,} open", orders)
    if list_name == "completed":
        return translate_plural("+{count:,} completed", "+{count:,} completed", orders)
    return translate_plural("+{count:,} on no list", "+{count:,} on no list", orders)


MORE_FOUND_TIP = translate("The filter finds these too. Press to show all of them.")

# What a search has found in columns that are not in sight

_SEARCHED_FIELDS = {
    "crn": translate("reference"),
    "number": translate("number"),
    "pos": translate("PO"),
    "bol": translate("BOL"),
    "consignee_name": translate("consignee"),
    "phone": translate("phone"),
    "street": translate("street"),
    "city": translate("city"),
    "zip": translate("ZIP"),
    "facility_name": translate("facility"),
    "facility_id": translate("facility code"),
    "brand": translate("brand"),
    "manufacturer": translate("manufacturer"),
    "remarks": translate("remarks"),
}


def matches_elsewhere(found: Sequence[tuple[str, str]]) -> str:
    """The columns by their names, each with the value that a search has found there."""
    return " · ".join(translate("{field} {value}", field=_SEARCHED_FIELDS[name], value=value) for name, value in found)


# The filter line and its chips

FILTER_EXAMPLE = translate(
    "Filter by number, reference, PO, BOL, name, city, ZIP, phone, or type status:dso late  (Ctrl+F)"
)
FILTERS = translate("Filters")
MORE = translate("More ▾")
MORE_FILTERS = translate("More filters")
SHOW_NOT_ONLY_PASTED = translate("Show all orders again, not only the pasted ones")


def problems(first: str, more: int) -> str:
    """What is wrong with a filter: the first problem is a sentence, more of them are counted."""
    if not more:
        return first
    return translate_plural(
        "{first} And {count:,} more problem.", "{first} And {count:,} more problems.", more, first=first
    )


def filter_instead(piece: str) -> str:
    """The button that puts a piece into the filter in place of one that is not understood."""
    return translate("Filter by {piece}", piece=piece)


def filter_by(field: str) -> str:
    """The tooltip of a chip that filters by nothing yet."""
    return translate("Filter by {field}", field=field)


def filter_by_value(piece: str) -> str:
    """A line in the menu of a row; `piece` is what is put into the filter."""
    return translate("Filter by {piece}", piece=piece)


def selected(count: int) -> str:
    """The bar above the table while several rows are selected."""
    return translate_plural("{count:,} selected:", "{count:,} selected:", count)


SELECTION_ACTIONS = translate("What is done with the selected orders")
CLEAR_SELECTION = translate("Clear the selection")
CANCEL_THESE, PRINT_THESE, EXPORT_THESE, WATCH_THESE, COPY_THESE = (
    translate("Cancel…"),
    translate("Print…"),
    translate("Export…"),
    translate("Watch"),
    translate("Copy"),
)


def chip_tip(words: str) -> str:
    """The tooltip of a chip that filters."""
    return translate("{words}. Press Delete to remove it.", words=words)


def pasted_chip(orders: int) -> str:
    """The chip for pasted orders that are too many for the line."""
    return translate_plural("Pasted: {count:,} ×", "Pasted: {count:,} ×", orders)


def pasted_chip_spoken(orders: int) -> str:
    """The same chip, for a screen reader."""
    return translate_plural(
        "Pasted: {count:,}. Press to show all orders again",
        "Pasted: {count:,}. Press to show all orders again",
        orders,
    )


# Pasted references and numbers

SHOW_THESE = translate("Show these orders")
PASTE_FIELD = translate("References or numbers, one per line")
PASTE_EXAMPLE = translate("Paste references or order numbers: one per line, or separated by commas")
NOT_FOUND = translate("Not found")
COPY_NOT_FOUND = translate("Copy those not found")
NOTHING_PASTED = translate("Paste at least one reference or number.")


def too_many_pasted(texts: int, most: int) -> str:
    """More was pasted than a filter can hold."""
    return translate_plural(
        "{count:,} text was pasted. At most {most:,} can be shown at a time.",
        "{count:,} texts were pasted. At most {most:,} can be shown at a time.",
        texts,
        most=most,
    )


def pasted_found(found: int, total: int) -> str:
    """How many of the pasted texts are orders; the others are listed below."""
    if found == total:
        return translate("{found:,} of {total:,} found.", found=found, total=total)
    return translate("{found:,} of {total:,} found. Not found:", found=found, total=total)


# Rules of attention

RULES_TITLE = translate("Rules: what needs somebody")
ANY_RULE = translate("Something is listed when one of these holds. The worst rule comes first.")
PERCENT = translate(" %")
DEFAULT_RULES = translate("Reset rules")


def days_of_rule(rule: str) -> str:
    """The field for the days of a rule."""
    return translate("Days of {rule}", rule=rule)


def days_suffix(days: int) -> str:
    """Stands after the number in the field of a rule."""
    return translate_plural(" day", " days", days)


def score_of_rule(rule: str) -> str:
    """The field for the score of a rule."""
    return translate("Score of {rule}", rule=rule)


def rule_finds(count: int, *, on: bool) -> str:
    """How much a rule finds, or would find if it were on."""
    if on:
        return translate_plural("finds {count:,}", "finds {count:,}", count)
    return translate_plural("would find {count:,}", "would find {count:,}", count)


def rule_not_saved(why: str) -> str:
    """A rule was changed; `why` is a sentence."""
    return translate("The rules were not saved. {why}", why=why)


# Watched orders


def order_numbered(number: int) -> str:
    """An order without a reference, at the beginning of a sentence."""
    return translate("Order {number}", number=number)


def watched(orders: int, name: str) -> str:
    """Changes of these orders are told from now on; `name` is that of a single one."""
    if orders == 1:
        return translate("{order} is watched.", order=name)
    return translate_plural("{count:,} order is watched.", "{count:,} orders are watched.", orders)


def not_watched(orders: int, name: str) -> str:
    """Changes of these orders are not told any more; `name` is that of a single one."""
    if orders == 1:
        return translate("{order} is not watched any more.", order=name)
    return translate_plural(
        "{count:,} order is not watched any more.", "{count:,} orders are not watched any more.", orders
    )


def watch_not_saved(why: str) -> str:
    """Orders were to be watched, or not any more; `why` is a sentence."""
    return translate("The watched orders were not saved. {why}", why=why)


def watch_not_compared(why: str) -> str:
    """Watched orders may have changed; `why` is a sentence."""
    return translate("Watched orders could not be compared. {why}", why=why)


def watched_changed(orders: int) -> str:
    """The heading of a notice."""
    return translate_plural("A watched order has changed", "{count:,} watched orders have changed", orders)


def watched_state(order: str, state: str) -> str:
    """One of the orders in a notice."""
    return translate("{order}: {state}", order=order, state=state)


def watched_and_more(named: str, more: int) -> str:
    """The orders in a notice; those that have no room are counted."""
    if not more:
        return named
    return translate_plural("{named} and {count:,} more", "{named} and {count:,} more", more, named=named)


def watched_message(heading: str, named: str) -> str:
    """The notice as a message in the window."""
    return translate("{heading}. {named}.", heading=heading, named=named)


# One order

DELIVERED_IN_TIME = translate("Delivered in time")
NO_COMMODITIES = translate("No commodities")
NO_NOTES = translate("No notes")
UNNAMED = translate("unnamed")


def delivered_late(days: int) -> str:
    """The order was delivered after the day on which it was due."""
    return translate_plural("Delivered {count:,} day late", "Delivered {count:,} days late", days)


def days_late(days: int) -> str:
    """The order is not delivered yet, and was due so many days ago."""
    return translate_plural("{count:,} day late", "{count:,} days late", days)


def due(day: str, days: int) -> str:
    """The order is due on this day, in so many days."""
    if days == 0:
        return translate("Due today")
    if days == 1:
        return translate("Due tomorrow")
    return translate_plural("Due {day}, in {count:,} day", "Due {day}, in {count:,} days", days, day=day)


def happened_at(moment: str, person: str) -> str:
    """When something happened to the order, and by whom, where the provider says so."""
    return translate("{moment} by {person}", moment=moment, person=person) if person else moment


def scheduled_for(moment: str, days_after_requested: int) -> str:
    """When the order is to be delivered, and how many days later that is than requested."""
    if not days_after_requested:
        return moment
    return translate_plural(
        "{moment}, {count:,} day after the requested day",
        "{moment}, {count:,} days after the requested day",
        days_after_requested,
        moment=moment,
    )


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
NOT_TOLD = translate("The provider has not reported this.")
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


# Status bar and count of orders

NEVER_REFRESHED = translate("never refreshed")
REFRESHING = translate("Refreshing…")


def as_of(at: str, since: str, list_name: str) -> str:
    """How old the shown orders are, and from which day on."""
    if list_name == "completed":
        return translate("as of {at} · delivered since {since}", at=at, since=since)
    return translate("as of {at} · imported since {since}", at=at, since=since)


def as_of_with_slower(at: str, slower: str, since: str, list_name: str) -> str:
    """As `as_of`, where some dates are as old as `slower`."""
    if list_name == "completed":
        return translate(
            "as of {at}, older dates as of {slower} · delivered since {since}", at=at, slower=slower, since=since
        )
    return translate(
        "as of {at}, older dates as of {slower} · imported since {since}", at=at, slower=slower, since=since
    )


def with_older_dates(age: str) -> str:
    """The list also holds orders of dates that were fetched long before."""
    return translate("{age}; older ones as last seen", age=age)


def count_of_orders(count: int, *, exact: bool) -> str:
    """How many orders are shown. Until they are counted, the largest possible count."""
    if exact:
        return translate_plural("{count:,} order", "{count:,} orders", count)
    return translate_plural("up to {count:,} order", "up to {count:,} orders", count)


def count_with_older(orders: str, older: int, before: str) -> str:
    """How many of the counted orders are of dates that are not fetched any more."""
    return translate("{orders}, {older:,} of them from before {before}", orders=orders, older=older, before=before)


def count_with_outbox(orders: str, outbox: int, *, more: bool) -> str:
    """How many rows of the outbox stand before the orders; `more` than that if they were not all read."""
    if more:
        return translate("{orders}, over {outbox:,} in the outbox", orders=orders, outbox=outbox)
    return translate("{orders}, {outbox:,} in the outbox", orders=orders, outbox=outbox)


def status(orders: str, age: str) -> str:
    """The status bar without a connection."""
    return translate("{orders} · {age}", orders=orders, age=age)


def status_with_selected(status: str, selected: int) -> str:
    """The status bar while several rows are selected."""
    return translate_plural("{count:,} selected · {status}", "{count:,} selected · {status}", selected, status=status)


def status_next(orders: str, age: str, seconds: int, *, resting: bool) -> str:
    """The status bar before the next refresh; `resting` if the provider asked to wait until then."""
    left = f"{seconds // 60}:{seconds % 60:02}"
    if resting:
        return translate(
            "{orders} · {age} · the provider asked to wait, next refresh {left}", orders=orders, age=age, left=left
        )
    return translate("{orders} · {age} · next refresh {left}", orders=orders, age=age, left=left)


def status_stopped(orders: str, age: str) -> str:
    """The status bar after a refresh that a person stopped."""
    return translate("{orders} · {age} · refresh stopped", orders=orders, age=age)


def status_on_demand(orders: str, age: str) -> str:
    """The status bar where orders are refreshed by hand only."""
    return translate("{orders} · {age} · refreshed on demand only", orders=orders, age=age)


# Refresh

REFRESH_STOPPED_ALL_KNOWN = translate(
    "Refresh stopped. Orders received so far are shown. All dates were fetched before."
)
EARLIER_SHOWN = translate("What was seen before is still shown.")
REFRESH_ANYWAY = translate("Refresh anyway")
CONTINUE_REFRESH = translate("Continue")
TRY_AGAIN = translate("Try again")
FETCH_THEM = translate("Fetch them")
SHOW_THEM = translate("Show them")


def waiting_until(at: str) -> str:
    """The provider asked to wait in the middle of a refresh."""
    return translate("The provider asked to wait until {at}. The refresh continues then.", at=at)


def received(orders: int) -> str:
    """How many orders a refresh of one or two windows has brought."""
    return translate_plural("Refreshing, {count:,} order received…", "Refreshing, {count:,} orders received…", orders)


def received_by_window(orders: int, done: int, windows: int) -> str:
    """How many orders a refresh has brought, and how many of its windows of dates are done."""
    return translate_plural(
        "Refreshing, {count:,} order received, {done:,} of {windows:,} date ranges…",
        "Refreshing, {count:,} orders received, {done:,} of {windows:,} date ranges…",
        orders,
        done=done,
        windows=windows,
    )


def stopped_before(dates: str) -> str:
    """A stopped refresh: both lists lack the same dates, or one list lacks some."""
    return translate(
        "Refresh stopped. Orders received so far are shown. Orders of {dates} were not fetched yet.", dates=dates
    )


def stopped_before_each(opened: str, completed: str) -> str:
    """A stopped refresh: the two lists lack different dates."""
    return translate(
        "Refresh stopped. Orders received so far are shown. Open orders of {opened} and completed orders of "
        "{completed} were not fetched yet.",
        opened=opened,
        completed=completed,
    )


def not_refreshed(reason: str, dates: str) -> str:
    """Why some dates were not refreshed; `reason` is a sentence."""
    return translate("{reason} Orders of {dates} were not refreshed.", reason=reason, dates=dates)


def more_reasons(count: int) -> str:
    """More reasons than are named."""
    return translate_plural(
        "And {count:,} more reason for other days.", "And {count:,} more reasons for other days.", count
    )


def unreadable(records: int, dates: str) -> str:
    """Records of the provider that could not be read."""
    return translate_plural(
        "{count:,} record in the provider's list of {dates} could not be read and is not shown.",
        "{count:,} records in the provider's list of {dates} could not be read and are not shown.",
        records,
        dates=dates,
    )


def more_dates(named: str, more: int) -> str:
    """More dates than are named."""
    return translate_plural(
        "{named} and {count:,} more date range", "{named} and {count:,} more date ranges", more, named=named
    )


def from_to(first: str, last: str) -> str:
    """A range of days."""
    return translate("{first} to {last}", first=first, last=last)


# Orders that left the open list


def left_open_list(orders: int) -> str:
    """Orders that are on neither list."""
    return translate_plural(
        "{count:,} order left the open list and is not in the completed one.",
        "{count:,} orders left the open list and are not in the completed one.",
        orders,
    )


def asked_for_next(orders: int) -> str:
    """Orders that a later refresh looks up by number."""
    return translate_plural(
        "{count:,} of them is looked up at the next refreshes.",
        "{count:,} of them are looked up at the next refreshes.",
        orders,
    )


def count_with_unexplained(shown: str, orders: int) -> str:
    """The count above the table, where the provider's list may be wrong."""
    return translate_plural(
        "{shown} · {count:,} left the list unexplained",
        "{shown} · {count:,} left the list unexplained",
        orders,
        shown=shown,
    )


def list_shrank(now: int, at: str, before: int) -> str:
    """The provider's list is suspiciously short, compared with an earlier one."""
    return translate(
        "The provider's list of open orders now has {now:,}; at {at} it had {before:,}.", now=now, at=at, before=before
    )


def list_lacks(now: int, missing: int) -> str:
    """The provider's list is suspiciously short; the size of an earlier one is not known."""
    return translate(
        "The provider's list of open orders now has {now:,}; {missing:,} more were in it before.",
        now=now,
        missing=missing,
    )


def on_no_list(orders: int) -> str:
    """What the provider has not said of the missing orders."""
    return translate_plural(
        "{count:,} of them is on no other list: nothing says that it is completed or cancelled.",
        "{count:,} of them are on no other list: nothing says that they are completed or cancelled.",
        orders,
    )


def open_by_number(orders: int) -> str:
    """Missing orders that the provider calls open when asked by number."""
    return translate_plural("{count:,} is open by its number.", "{count:,} are open by their number.", orders)


def not_found_by_number(orders: int) -> str:
    """Missing orders that the provider does not find by number."""
    return translate_plural(
        "{count:,} could not be found by number.", "{count:,} could not be found by number.", orders
    )


def still_to_look_up(orders: int) -> str:
    """Missing orders that were not looked up by number yet."""
    return translate_plural("{count:,} is still to be looked up.", "{count:,} are still to be looked up.", orders)


# Data that comes only when asked for

NOTES_AND_DOCUMENTS_UNKNOWN = translate(
    "Documents and notes of some of these orders are not known yet; a dash stands for them."
)
DOCUMENTS_UNKNOWN = translate("Documents of some of these orders are not known yet; a dash stands for them.")
NOTES_UNKNOWN = translate("Notes of some of these orders are not known yet; a dash stands for them.")


def parts_unknown(parts: Collection[str]) -> str:
    """Which parts the shown columns lack of some orders."""
    if len(parts) > 1:
        return NOTES_AND_DOCUMENTS_UNKNOWN
    return DOCUMENTS_UNKNOWN if "documents" in parts else NOTES_UNKNOWN


def documents_unknown(orders: int) -> str:
    """Why a filter by documents may not find all orders."""
    return translate_plural(
        "The documents of {count:,} order are not known yet, so the filter can neither find it nor rule it out.",
        "The documents of {count:,} orders are not known yet, so the filter can neither find them nor rule them out.",
        orders,
    )


# Dates panel

RETRY_MISSING = translate("Retry missing dates")
DATES_NAME = translate("Dates of both lists; Enter retries a missing one")
DATES_TIP = translate("Which dates are known, which are missing and why")
LIST_TITLES = {
    "open": translate("Open orders, by import"),
    "completed": translate("Completed orders, by delivery"),
}
NOT_FETCHED_YET = translate("Not fetched yet")
NOT_FETCHED = translate("Not fetched")
NEVER_SEEN = translate("Nothing of these dates was seen yet.")


def received_so_far(orders: int) -> str:
    """Orders of one window that have come."""
    return translate_plural("{count:,} received so far…", "{count:,} received so far…", orders)


def window_failed(tries: int, error: str, last: str) -> str:
    """Why a window was not fetched; `last` is when it was tried last, empty if that is not known."""
    if tries > 1 and last:
        return translate("Failed {tries:,} times, last {last}: {error}", tries=tries, last=last, error=error)
    if tries > 1:
        return translate("Failed {tries:,} times: {error}", tries=tries, error=error)
    if last:
        return translate("Failed, last {last}: {error}", last=last, error=error)
    return translate("Failed: {error}", error=error)


def shown_as_of(at: str) -> str:
    """How old the shown orders of a failed window are."""
    return translate("Shown as of {at}.", at=at)


def window_known(orders: int | None, at: str) -> str:
    """How many orders a window has (None: not known), and how old they are."""
    if orders is None:
        return translate("as of {at}", at=at)
    return translate_plural("{count:,} order, as of {at}", "{count:,} orders, as of {at}", orders, at=at)


def window_left(orders: int | None, at: str) -> str:
    """As `window_known`, of dates that are not fetched any more."""
    if orders is None:
        return translate("as of {at}, not fetched any more", at=at)
    return translate_plural(
        "{count:,} order, as of {at}, not fetched any more",
        "{count:,} orders, as of {at}, not fetched any more",
        orders,
        at=at,
    )


# Controls of fetching

HORIZON_NAME = translate("How far back orders are fetched")
INTERVAL_NAME = translate("How often orders are refreshed")
# "Fetch" and not "Show": orders of earlier dates, fetched before, stay in the list.
HORIZONS = (
    (7, translate("Fetch 7 days")),
    (30, translate("Fetch 30 days")),
    (90, translate("Fetch 90 days")),
    (365, translate("Fetch a year")),
)
INTERVALS = (
    (60, translate("Every minute")),
    (120, translate("Every 2 min")),
    (300, translate("Every 5 min")),
    (900, translate("Every 15 min")),
    (0, translate("On demand")),
)


def fetch_days(days: int) -> str:
    """A horizon that is none of the usual ones."""
    return translate_plural("Fetch {count:,} day", "Fetch {count:,} days", days)


def every_seconds(seconds: int) -> str:
    """An interval that is none of the usual ones."""
    return translate_plural("Every second", "Every {count:,} s", seconds)


# An empty table

NO_MATCH_HERE = translate("No order here matches this filter")
NO_MATCH = translate("No order matches this filter")
NONE_WATCHED = translate("No order here is watched")
HOW_TO_WATCH = translate("Select an order and press Ctrl+B: it stands here then, and its changes are told.")
CLEAR_FILTER = translate("Clear the filter")
NONE_SEEN = translate("No orders seen yet")
REFRESH_STOPPED = translate("Refresh stopped")
NONE_RECEIVED = translate("None of these orders was received by then.")
ASKING = translate("Asking the provider…")
READING_ORDER = translate("Reading…")
NONE_FETCHED = translate("No orders could be fetched")
NO_ORDERS = {
    "open": translate("No open orders"),
    "completed": translate("No completed orders"),
    "other": translate("No other orders"),
}


def none_for(days: int) -> str:
    """The provider was asked and has none."""
    return translate_plural(
        "The provider has none for the last day.", "The provider has none for the last {count:,} days.", days
    )


# Actions on selected rows

# By the name of the action: the title for one row, and for several.
ACTION_TITLES = {
    "open": (translate("Open"), translate("Open")),
    "change": (translate("Change order"), translate("Change order")),
    "clone": (translate("Clone"), translate("Clone")),
    "case file": (translate("Case file…"), translate("Case file…")),
    "load": (translate("Show its load"), translate("Show its load")),
    "slots": (translate("Delivery slots…"), translate("Delivery slots…")),
    "facilities": (translate("Facilities for its ZIP"), translate("Facilities for its ZIP")),
    "look up": (translate("Look up status"), translate("Look up statuses")),
    "refresh": (translate("Refresh this order"), translate("Refresh these orders")),
    "watch": (translate("Watch, or stop watching"), translate("Watch, or stop watching")),
    "seen": (translate("Mark as seen"), translate("Mark as seen")),
    "copy table": (translate("Copy as table"), translate("Copy as table")),
    "copy text": (translate("Copy as text"), translate("Copy as text")),
    "copy references": (translate("Copy reference"), translate("Copy references")),
    "print": (translate("Print…"), translate("Print these…")),
    "export": (translate("Export…"), translate("Export these…")),
    "cancel": (translate("Cancel order…"), translate("Cancel orders…")),
}

NOTHING_SELECTED = translate("No order is selected.")
NO_ORDER_OPEN = translate("No order is open beside the list. Enter opens the selected one.")
NO_REFERENCE_FOR_LOAD = translate("This order has no reference, so no submission can be found that names its load.")
ONE_AT_A_TIME = translate("This can be done with one order at a time.")
IN_OUTBOX = translate("This order is in the outbox. Its actions are beside the table.")
NO_REFERENCE_TO_CHANGE = translate("This order has no reference, and only orders with one can be changed.")


MAIL_TIP = translate("Write to this address with the program that the system has for it")


def write_to(address: str) -> str:
    """A mail address that can be clicked, for a screen reader."""
    return translate("Write to {address}", address=address)


def show_on_map(who: str) -> str:
    """The button that opens the map site a person has chosen."""
    return translate("{who}: show the address on the map", who=who)


HERE = translate("On this desk")
LOAD = translate("Load")
SLOTS_NAME = translate("Delivery slots")
SHOW_LOAD = translate("Show the load")
STATUS_TITLE = translate("Status of orders")
REFRESH_TITLE = translate("Refreshing orders")
NO_REFERENCE_TO_CANCEL = translate("The order has no reference, and only orders with one can be cancelled.")
CLOSED_ALREADY = translate("The order is closed already.")


def closed_for_change(reference: str) -> str:
    """Why a closed order cannot be changed, and what to do instead."""
    return translate("{reference} is closed and cannot be changed. Clone it for a new order.", reference=reference)


def too_many_selected(rows: int, most: int) -> str:
    """An action has a limit."""
    return translate("{rows:,} rows are selected. This can be done with {most:,} at a time.", rows=rows, most=most)


def copy_only(column: str) -> str:
    """A line of the menu of a row."""
    return translate("Copy only {column}", column=column)


def copied_rows(rows: int, form: str) -> str:
    """Rows are on the clipboard, as a "table" or as "text"."""
    if form == "table":
        return translate_plural("Copied {count:,} row as a table.", "Copied {count:,} rows as a table.", rows)
    return translate_plural("Copied {count:,} row as text.", "Copied {count:,} rows as text.", rows)


def copied_column(rows: int, column: str) -> str:
    """One column of some rows is on the clipboard."""
    return translate_plural(
        "Copied {column} of {count:,} row.", "Copied {column} of {count:,} rows.", rows, column=column
    )


def copied(what: str) -> str:
    """One value is on the clipboard."""
    return translate("Copied {what}.", what=what)


def order_named(number: int, reference: str) -> str:
    """An order in the middle of a sentence."""
    return reference or translate("order {number}", number=number)


def asking_about(order: str) -> str:
    """The provider is asked about one order."""
    return translate("Asking the provider about {order}…", order=order)


def no_load_named(order: str) -> str:
    """The load of an order was asked for, and this desk's submissions name none."""
    return translate("No submission from this desk names a load for {order}.", order=order)


def answer(order: str, sentence: str, at: str) -> str:
    """The provider's answer about one order, and when it was asked."""
    return translate("{order}: {sentence} Asked at {at}.", order=order, sentence=sentence, at=at)


def asked_at(at: str) -> str:
    """When the provider was asked about several orders."""
    return translate("Asked at {at}.", at=at)


# Cancelling

STILL_LOADING = translate("The list is still loading. Nothing was cancelled.")
OUT_OF_SIGHT = translate("The selected row was out of sight. Look at it first, then cancel it.")
SHOWN_NOT_IN_LIST = translate("The order beside the table is not in the list. Nothing was cancelled.")
NONE_CANCELLABLE = translate("None of the selected orders can be cancelled: each is closed or has no reference.")
NOT_CANCELLABLE = translate("The order cannot be cancelled: it is closed or has no reference.")
CANCELLATIONS_TITLE = translate("Cancellations")
IN_THE_OUTBOX = translate("In the outbox.")
THE_CONSIGNEE = translate("the consignee")

CANCEL_CONSEQUENCE = translate(
    "The cancellation leaves in ten seconds and can be undone until then. After that the order would have to be "
    "entered again."
)


def cancel_which(reference: str, consignee: str) -> str:
    """The question before one cancellation."""
    return translate("Cancel order {reference} for {consignee}?", reference=reference, consignee=consignee)


def order_for(reference: str, consignee: str) -> str:
    """One of several orders, as the question lists them."""
    return translate("{reference} for {consignee}", reference=reference, consignee=consignee)


def and_more(orders: int) -> str:
    """More orders than the question lists."""
    return translate_plural("and {count:,} more", "and {count:,} more", orders)


def left_out_of_question(orders: int) -> str:
    """Selected orders that cannot be cancelled."""
    return translate_plural(
        "{count:,} selected order is closed or has no reference, and is left out.",
        "{count:,} selected orders are closed or have no reference, and are left out.",
        orders,
    )


def rows_out_of_sight(rows: int) -> str:
    """Selected rows that a person does not see just now."""
    return translate_plural(
        "{count:,} of the selected rows is out of sight in the list.",
        "{count:,} of the selected rows are out of sight in the list.",
        rows,
    )


def left_out(why: str) -> str:
    """The result of an order that was not cancelled; `why` is a sentence."""
    return translate("Left out. {why}", why=why)


def not_cancelled(why: str) -> str:
    """The result of a cancellation that the journal refused; `why` is a sentence."""
    return translate("Not cancelled. {why}", why=why)


def cancellation_not_sent(reference: str, why: str) -> str:
    """A cancellation that the journal refused; `why` is a sentence."""
    return translate("The cancellation of {reference} was not sent. {why}", reference=reference, why=why)


# Results of an action on several orders

RESULT = translate("Result")
RESULTS_NAME = translate("Result for each order")
STILL_UNDOABLE = translate("They can still be undone.")


def undo_within(seconds: int, key: str) -> str:
    """The button that undoes cancellations."""
    return translate("Undo ({seconds})  {key}", seconds=seconds, key=key)


def done_so_far(done: int, total: int, to_check: int) -> str:
    """The standing of an action that goes on."""
    if to_check:
        return translate_plural(
            "{done:,} of {total:,}, {count:,} to check…",
            "{done:,} of {total:,}, {count:,} to check…",
            to_check,
            done=done,
            total=total,
        )
    return translate("{done:,} of {total:,}…", done=done, total=total)


def done_at_last(done: int, total: int, to_check: int) -> str:
    """The standing of an action that has ended, perhaps because a person stopped it."""
    if done < total and to_check:
        return translate_plural(
            "Stopped after {done:,} of {total:,}, {count:,} to check.",
            "Stopped after {done:,} of {total:,}, {count:,} to check.",
            to_check,
            done=done,
            total=total,
        )
    if done < total:
        return translate("Stopped after {done:,} of {total:,}.", done=done, total=total)
    if to_check:
        return translate_plural(
            "{done:,} of {total:,}, {count:,} to check.",
            "{done:,} of {total:,}, {count:,} to check.",
            to_check,
            done=done,
            total=total,
        )
    return translate("{done:,} of {total:,}.", done=done, total=total)


# One order beside the table

NOT_IN_LIST = translate("The list as shown does not hold this order, so nothing is done with it from here.")
WATCH_NAME = translate("Watch this order, so that its changes are told (Ctrl+B)")
UNWATCH_NAME = translate("Stop watching this order: its changes are told (Ctrl+B)")
CASE_FILE_NAME = translate("Case file: all that is known, in one file")
DOCUMENTS = translate("Documents")
ASKING_FOR_ORDER = translate("Asking the provider for the order…")

PART_NOT_FETCHED = translate("Not fetched yet; comes once the provider can be reached.")
PART_NOT_TOLD = translate("The provider has not reported this; ask again with F5.")
SENT_FROM_HERE = translate("Sent from this desk")
HISTORY = translate("History")
FIRST_SEEN = translate("Seen for the first time, as far as this desk has kept it.")
EARLIER_NOT_SHOWN = translate("Earlier changes are kept, and not shown here.")
SHOW_ALL_CHANGES = translate("Show all")


def value_changed(title: str, before: str, after: str) -> str:
    """What the provider said of a value before and after; an empty one was not said."""
    if not before:
        return translate("{title} is now {after}", title=title, after=after)
    if not after:
        return translate("{title} was {before}, and is not said any more", title=title, before=before)
    return translate("{title} moved from {before} to {after}", title=title, before=before, after=after)


def changed_titles(column: str) -> str:
    """The title of a value that no column of the table shows."""
    return {
        "folders": translate("Kinds of documents"),
        "list": translate("List"),
        "status": translate("Status"),
    }.get(column, column.replace("_", " "))


RIGHT_NOW = translate("Right now")
SENT_BY_TEAM = translate("Sent by the team")
TWO_VERSIONS = translate("Two versions of this order")
STILL_SAVING = translate("Documents are still being saved. Wait for them, or stop.")


def order_title(number: int) -> str:
    """The heading of an order without a reference."""
    return translate("Order {number}", number=number)


def order_number(number: int) -> str:
    """The provider's number, below the reference."""
    return translate("Number {number}", number=number)


def document_count(documents: int) -> str:
    """The title of the button that goes to the documents."""
    return translate_plural("{count:,} document", "{count:,} documents", documents) if documents else DOCUMENTS


def document_button_name(documents: int) -> str:
    """The same button, as a screen reader says it."""
    if not documents:
        return NO_DOCUMENTS
    return translate_plural("Go to the document", "Go to the {count:,} documents", documents)


def documents_heading(documents: int) -> str:
    """The heading above the tiles."""
    return translate("Documents {count}", count=documents) if documents else DOCUMENTS


def last_told(age: str) -> str:
    """How old the shown data is: `age` is like "4 minutes ago"."""
    return translate("As told {age}", age=age)


def shown_as_last_seen(why: str) -> str:
    """The order could not be fetched; `why` is a sentence."""
    return translate("{why} Shown as last seen.", why=why)


def unknown_here(number: int) -> str:
    """The store does not hold the order, and there is no connection."""
    return translate("Order {number} is not known here", number=number)


def never_fetched(why: str) -> str:
    """Why an order is not known here; `why` is a sentence."""
    return translate("The order was not fetched before. {why}", why=why)


def cannot_show(number: int) -> str:
    """The provider does not give the order."""
    return translate("Order {number} cannot be shown", number=number)


def copy_from(section: str) -> str:
    """The copy button of a section."""
    return translate("Copy from {section}", section=section)


def all_of(section: str) -> str:
    """The first line of a section's copy menu."""
    return translate("All of {section}", section=section)


def labelled(label: str, value: str) -> str:
    """A value with its label, in one line."""
    return translate("{label}: {value}", label=label, value=value)


def show_in_outbox(kind: str) -> str:
    """The button that shows a write in the outbox; `kind` is like "update"."""
    return translate("Show {kind} in the outbox", kind=kind)


def by_person(state: str, person: str) -> str:
    """A write of somebody in the team, in the history of an order."""
    return translate("{state}, by {person}", state=state, person=person)


def is_changing(people: Sequence[str]) -> str:
    """Others of the team have the order in their form."""
    return translate_plural(
        "✎ {people} is changing this order.",
        "✎ {people} are changing this order.",
        len(people),
        people=", ".join(people),
    )


def both_sent(person: str) -> str:
    """Two desks sent an order while neither could know of the other."""
    return translate(
        "! {person} and this desk both sent it, and neither knew of the other: one could not reach the team's "
        "database. The provider has what arrived last. Agree on one, and send that again.",
        person=person,
    )


def versions_not_compared(person: str) -> str:
    """Two versions whose contents are not both known here."""
    return translate("What {person} sent is not known here, so the versions are not compared.", person=person)


def two_versions(own: str, person: str, theirs: str) -> str:
    """A field that differs between two versions; an empty value is said as such."""
    nothing = translate("nothing")
    return translate(
        "This desk: {own}. {person}: {theirs}.", own=own or nothing, person=person, theirs=theirs or nothing
    )


def more_versions(count: int) -> str:
    """Fields that differ and are not listed."""
    return translate_plural("{count} more field differs.", "{count} more fields differ.", count)


def kind_and_state(kind: str, state: str) -> str:
    """A write of this desk in the history of an order."""
    return translate("{kind}: {state}", kind=kind, state=state)


# Documents

NO_PICTURES = translate("Pictures cannot be shown in this window.")


def place_of(place: int, total: int) -> str:
    """Which of several documents is shown."""
    return translate("{place:,} of {total:,}", place=place, total=total)


def page_of(page: int, total: int) -> str:
    """Which page of a document is shown."""
    return translate("page {page:,} of {total:,}", page=page, total=total)


# The columns dialog and the cells of the table

COLUMNS_HELP = translate(
    "Space shows and hides · Alt+Up, Alt+Down move · Alt+Left, Alt+Right make narrower, wider · Esc closes"
)
FIND_COLUMN = translate("Find a column")
NO_COLUMN = translate("No column matches.")
COLUMN_HIDDEN = translate("Hidden")
NOT_KNOWN_YET = translate("Not known yet. It comes when the order is opened.")
NO_STATE = translate("No state given")
YES, NO = translate("Yes"), translate("No")
CHANGED = translate("Changed since you last looked.")


def column_standing(place: int, total: int, width: int) -> str:
    """Where the current column is, and its width in pixels."""
    return translate("Column {place} of {total}, {width} wide", place=place, total=total, width=width)


def changed_columns(titles: str) -> str:
    """Which columns of an order changed."""
    return translate("Changed since you last looked: {titles}.", titles=titles)


def late_by(days: int) -> str:
    """A cell of the column Late."""
    return translate_plural("{count:,} day", "{count:,} days", days)


def late_exactly(days: int, due: str, delivered: str, *, scheduled: bool, told: bool) -> str:
    """Why an order is late. `delivered` is empty without a day of delivery; `told`: it is delivered all the same."""
    late = late_by(days)
    if scheduled and delivered:
        return translate(
            "{late} late: scheduled for {due}, delivered {delivered}", late=late, due=due, delivered=delivered
        )
    if delivered:
        return translate(
            "{late} late: requested for {due}, delivered {delivered}", late=late, due=due, delivered=delivered
        )
    if scheduled and told:
        return translate("{late} late: scheduled for {due}, its delivery day was not reported", late=late, due=due)
    if told:
        return translate("{late} late: requested for {due}, its delivery day was not reported", late=late, due=due)
    if scheduled:
        return translate("{late} late: scheduled for {due}, not delivered yet", late=late, due=due)
    return translate("{late} late: requested for {due}, not delivered yet", late=late, due=due)
