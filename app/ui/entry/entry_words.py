"""The sentences of the entry page, its form and its dialogs, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from collections.abc import Sequence
from datetime import date

from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

UNDO = translate("Undo")
REQUIRED = translate("Required.")
GO_BACK = translate("Go back to the form")


def with_more(shown: Sequence[str], left: int, between: str = " ") -> str:
    """A list of which only the beginning is shown; `left` entries are counted."""
    more = [translate_plural("and {count:,} more", "and {count:,} more", left)] if left > 0 else []
    return between.join([*shown, *more])


# Drafts

NEW_ORDER = translate("New order")
CHANGE_ORDER = translate("Change order")
ANY_ORDER = translate("Order")  # whether it is new cannot be told
REOPEN_DRAFT, REOPEN_TIP = translate("Reopen draft"), translate("Reopen the draft that was closed last")
CLOSE_DRAFT, CLOSE_TIP = translate("Close draft"), translate("Close the draft on screen; it can be reopened")
PRINT, PRINT_TIP = translate("Print…"), translate("Print labels, or a sheet of the order")
NOTHING_TYPED = translate("Nothing was typed yet")
DRAFT_NOT_SAVED = translate("Draft not saved")
DRAFT_CLOSED = translate("Draft closed. Ctrl+Shift+T reopens it.")
DRAFT_CLOSED_AND_CHANGED = translate(
    "Draft closed. Ctrl+Shift+T reopens it. What was changed after that is in the form, as a new draft."
)
NO_CLOSED_DRAFT = translate("No closed draft can be reopened.")
WAITING_FOR_DISK = translate("Waiting for the disk. What you type now appears once it is done.")
CHANGED_AFTER_SENDING = translate("What was changed after that is in the form, as a new draft.")


def status(drafts: int, saved: str, issues: int) -> str:
    """The status bar on this page: `drafts` are those that the journal lists, `saved` is about the one on screen."""
    return beside(
        saved,
        translate_plural("{count:,} thing to do", "{count:,} things to do", issues) if issues else "",
        translate_plural("{count:,} draft open", "{count:,} drafts open", drafts) if drafts else "",
    )


def draft_saved(at: str) -> str:
    """When the draft on screen was saved last."""
    return translate("Draft saved {at}", at=at)


def could_not_save_draft(reason: str) -> str:
    """The draft on screen is not on the disk."""
    return translate("The draft could not be saved, but stays in the form. {reason}", reason=reason)


def tab_tip(changed_at: str, *, repeated: bool) -> str:
    """When a draft changed, and whether another open draft has its reference."""
    if repeated:
        return translate("Changed {at}. Another open draft has the same reference.", at=changed_at)
    return translate("Changed {at}", at=changed_at)


def drafts_not_listed(reason: str) -> str:
    """The journal could not be read."""
    return translate("The open drafts could not be listed. {reason}", reason=reason)


def draft_not_opened(reason: str) -> str:
    """The journal could not be read."""
    return translate("The draft could not be opened. {reason}", reason=reason)


def draft_not_closed(reason: str) -> str:
    """The journal could not be written."""
    return translate("The draft could not be closed. {reason}", reason=reason)


def order_not_sent(reason: str) -> str:
    """The order could not be queued."""
    return translate("The order was not sent and stays in the form. {reason}", reason=reason)


# Orders taken into the form

ORDER_GONE = translate("This order is no longer stored here. Refresh the orders and try again.")


def provider_says(words: str) -> str:
    """The provider's words beside a field."""
    return translate("The provider says: {words}", words=words)


def differs_at_provider(fields: str) -> str:
    """The provider's record differs from the draft: somebody else may have changed the order."""
    return translate(
        "The provider's record differs by now: {fields}. Sending replaces it with this draft.", fields=fields
    )


def field_value(field: str, value: str) -> str:
    """One field and its value."""
    return translate("{field}: {value}", field=field, value=value or translate("nothing"))


# Templates

NEW_ORDERS_BEGIN_BLANK = translate("New orders begin blank.")
TEMPLATE_EXPLAINED = translate(
    "Ticked fields are fixed: every order begun from this template has them. The others are filled in each time."
)
BEGIN_EVERY_ORDER = translate("Begin every new order of this connection with it")
REPLACES_TEMPLATE = translate("Replaces the template of this name.")


def begun_from(template: str, *, default: bool) -> str:
    """The template of the draft on screen."""
    if default:
        return translate("Begun from {template}, the default for new orders", template=template)
    return translate("Begun from {template}", template=template)


def template_saved(template: str, *, default: bool) -> str:
    """A template was stored."""
    if default:
        return translate("Template {template} saved. New orders begin with it.", template=template)
    return translate("Template {template} saved.", template=template)


def new_orders_begin_with(template: str) -> str:
    """Another default was chosen."""
    return translate("New orders begin with {template}.", template=template)


def template_deleted(template: str) -> str:
    """A template was deleted."""
    return translate("Template {template} deleted.", template=template)


def template_restored(template: str) -> str:
    """A deletion was undone."""
    return translate("Template {template} restored.", template=template)


def template_not_saved(reason: str) -> str:
    """The journal could not be written."""
    return translate("The template was not saved. {reason}", reason=reason)


def template_not_deleted(reason: str) -> str:
    """The journal could not be written."""
    return translate("The template was not deleted. {reason}", reason=reason)


def template_of_draft_not_saved(reason: str) -> str:
    """The draft itself is saved."""
    return translate("The template of this draft was not saved with it. {reason}", reason=reason)


# The rail

NOTHING = translate("nothing")
SUBMIT_AND_NEXT = translate("Submit and next")
SUBMIT_AND_NEXT_ASKS = translate("Submit and next…")
SEND_AND_NEXT = translate("Send and next")
SEND_AND_NEXT_ASKS = translate("Send and next…")
FILLED_IN_ACCEPTED = translate("Filled-in values accepted.")
AGAINST_RETURNED = translate("Compared with what the provider returns:")
AGAINST_RETURNED_SAME = translate("Compared with what the provider returns: nothing differs.")


def did_you_mean(day: date) -> str:
    """A text that is no date, and the day that may have been meant."""
    return translate("Not a date. Did you mean {month}/{day}?", month=day.month, day=day.day)


LAST_SCANS = translate("Last scans")


def issue_line(place: str, sentence: str) -> str:
    """One line of the list of issues."""
    return translate("{place}: {sentence}", place=place, sentence=sentence)


def more_issues(count: int) -> str:
    """How many issues the list leaves out."""
    return translate_plural("… and {count:,} more", "… and {count:,} more", count)


def changed_field(place: str, before: str, after: str) -> str:
    """What sending would change in one field."""
    return translate("{place}: {before} → {after}", place=place, before=before or NOTHING, after=after or NOTHING)


def more_changes(count: int) -> str:
    """How many changed fields the rail leaves out."""
    return translate_plural("and {count:,} more", "and {count:,} more", count)


def against_sent(sender: str) -> str:
    """The heading of the differences from what was last sent, by this desk or by `sender` of the team."""
    if sender:
        return translate("Compared with what {sender} last sent:", sender=sender)
    return translate("Compared with what this desk last sent:")


def against_sent_same(sender: str) -> str:
    """Nothing differs from what was last sent, by this desk or by `sender` of the team."""
    if sender:
        return translate("Compared with what {sender} last sent: nothing differs.", sender=sender)
    return translate("Compared with what this desk last sent: nothing differs.")


def not_compared(not_returned: str) -> str:
    """Fields of which the provider returns nothing."""
    return translate(
        "The provider returns no {not_returned}: of these the order will have only what is entered here.",
        not_returned=not_returned,
    )


def changes_unreadable(reason: str) -> str:
    """The journal could not be read."""
    return translate("The changes could not be compared. {reason}", reason=reason)


# The form

CODE_WAITS = translate("A code waits in the scan field. Press Enter there to add it, or empty the field.")
FACILITY_BY_ADDRESS = translate("The provider picks it by the consignee's ZIP. The code may stay empty.")
FACILITY_BY_CODE = translate("You name it by its code. Ctrl+Shift+F lists those for this ZIP and bill-to.")
ASKING_FACILITIES = translate("Asking the provider for its facilities…")
UNUSUAL_ZIP = translate("Not a usual ZIP.")
UNUSUAL_STATE = translate("Not a usual state.")
UNUSUAL_EMAIL = translate("Not a usual email address.")


def row_place(rows: str, row: int, column: str) -> str:
    """The place of an issue in a list."""
    return translate("{rows}, row {row}, {column}", rows=rows, row=row, column=column)


def filled_in_for(glyph: str, consignee: str) -> str:
    """The note of a field that was filled in with a consignee."""
    return translate(
        "{glyph} Filled in by Waybill from earlier orders for {consignee}.", glyph=glyph, consignee=consignee
    )


def filled_in(name: str, detail: str, replaced: int) -> str:
    """A suggestion was taken; `replaced` counts the fields that held another text."""
    if not replaced:
        return translate("Filled in {name}, {detail}.", name=name, detail=detail)
    return translate_plural(
        "Filled in {name}, {detail}. {count:,} field held something else.",
        "Filled in {name}, {detail}. {count:,} fields held something else.",
        replaced,
        name=name,
        detail=detail,
    )


def and_last_facility(detail: str, facility: str) -> str:
    """The detail of a consignee whose facility was filled in too."""
    return translate("{detail}, and the facility of its last order, {facility}", detail=detail, facility=facility)


def filled_in_usual(count: str, commodity: str, values: str) -> str:
    """Volume and weight of a freight line were filled in."""
    return translate(
        "Filled in the usual figures for {count} {commodity}: {values}.",
        count=count,
        commodity=commodity,
        values=values,
    )


def usual_unreadable(commodity: str, reason: str) -> str:
    """The cache could not be read."""
    return translate("The usual figures for {commodity} cannot be read. {reason}", commodity=commodity, reason=reason)


def hidden_characters(shown: str) -> str:
    """A text that holds characters nobody sees."""
    return translate("Holds hidden characters: {shown}", shown=shown)


def reads(grouped: str) -> str:
    """A number in groups."""
    return translate("Reads {grouped}", grouped=grouped)


def phone_digits(count: int, usual: int) -> str:
    """A phone number that is too short."""
    return translate_plural("Has {count} digit, not {usual}.", "Has {count} digits, not {usual}.", count, usual=usual)


def on_weekend(day: str) -> str:
    """A date in words."""
    return translate("{day} · a weekend", day=day)


def facility_not_named(code: str, asked: str) -> str:
    """A code that is not in the provider's list; `asked` names the ZIP and bill-to."""
    if asked:
        return translate("Facility code: the provider did not name {code} for {asked}.", code=code, asked=asked)
    return translate("Facility code: the provider did not name {code}.", code=code)


def facilities_failed(asked: str, reason: str) -> str:
    """The provider could not be asked."""
    if asked:
        return translate(
            "The facilities for {asked} could not be loaded. {reason} Ctrl+Shift+F asks again.",
            asked=asked,
            reason=reason,
        )
    return translate("The facilities could not be loaded. {reason} Ctrl+Shift+F asks again.", reason=reason)


def facilities_as_of(asked: str, at: str, reason: str) -> str:
    """The provider could not be asked; the facilities of an earlier answer are offered."""
    if asked:
        return translate("{reason} Facilities for {asked} as of {at}.", reason=reason, asked=asked, at=at)
    return translate("{reason} All facilities as of {at}.", reason=reason, at=at)


def no_facility(asked: str, at: str) -> str:
    """The provider's list is empty."""
    if asked:
        return translate("The provider named no facility for {asked}. Asked at {at}.", asked=asked, at=at)
    return translate("The provider named no facility. Asked at {at}.", at=at)


def facilities(asked: str, at: str) -> str:
    """How to choose from the provider's list."""
    if asked:
        return translate(
            "Facilities for {asked}, asked at {at}. Down chooses, Enter or Tab takes it.", asked=asked, at=at
        )
    return translate("All facilities: no ZIP and no bill-to is typed yet. Down chooses, Enter or Tab takes it.")


def unreadable_facilities(count: int) -> str:
    """Facilities that cannot be suggested."""
    return translate_plural(
        "{count:,} came without a code that Waybill can read.",
        "{count:,} came without a code that Waybill can read.",
        count,
    )


# Scanning

SCAN_BARCODES = translate("Scan barcodes")
SCAN_KEYS = translate(
    "Enter adds. Ctrl+Up and Ctrl+Down change the commodity, Ctrl+G begins a group, Backspace removes the last one."
)
BEGIN_GROUP = translate("Begin group")
END_GROUP = translate("End group")
ENTER_FREIGHT_FIRST = translate("Enter the freight first")
SCAN_GROUP = translate("Scan the group's own barcode")
SCAN_GROUP_FIRST = translate("Scan the group's own barcode. What is scanned after it belongs to the group.")
NO_GROUP = translate("No group was begun.")
NO_BARCODE = translate("There is no barcode to remove.")
UNDONE = translate("The last change of barcodes was undone.")
REDONE = translate("The change of barcodes was redone.")
EMPTY_ROW = translate("An empty row")


def scanning(commodity: str, group: str) -> str:
    """The commodity and the group of the next scan."""
    if not commodity:
        return (
            translate("{words} · group {group}", words=ENTER_FREIGHT_FIRST, group=group)
            if group
            else ENTER_FREIGHT_FIRST
        )
    if group:
        return translate("Scanning {commodity} · group {group}", commodity=commodity, group=group)
    return translate("Scanning {commodity}", commodity=commodity)


def group_ended(group: str) -> str:
    """The next scan has no group."""
    return translate("Group {group} has ended.", group=group)


def group_begun(group: str) -> str:
    """The next scans belong to this group."""
    return translate("Group {group} has begun.", group=group)


def too_much(most: int) -> str:
    """A paste that is too large."""
    return translate("Nothing was added: more than {most:,} characters at once.", most=most)


def removed(code: str) -> str:
    """The last barcode was removed."""
    return translate("{code} was removed. Ctrl+Z puts it back.", code=code or EMPTY_ROW)


def added(count: int) -> str:
    """Pasted barcodes."""
    return translate_plural("{count:,} added.", "{count:,} added.", count)


def added_and_refused(added: int, count: int, refused: Sequence[str], left: int) -> str:
    """Pasted barcodes of which some were refused; `left` of these are not named."""
    words = " ".join(refused)
    if not left:
        return translate_plural(
            "{added:,} added. {count:,} refused: {words}", "{added:,} added. {count:,} refused: {words}", count,
            added=added, words=words,
        )  # fmt: skip
    return translate_plural(
        "{added:,} added. {count:,} refused: {words} And {left:,} more.",
        "{added:,} added. {count:,} refused: {words} And {left:,} more.",
        count,
        added=added,
        words=words,
        left=left,
    )


def over_the_freight(scanned: str, tally: str) -> str:
    """A barcode was added, and more were scanned than the freight says."""
    return translate("{scanned}. More than the freight says: {tally}.", scanned=scanned, tally=tally)


def full(scanned: str, commodity: str, following: str) -> str:
    """A commodity is scanned in full, and the next one follows."""
    return translate(
        "{scanned}. {commodity} is full: now scanning {following}.",
        scanned=scanned,
        commodity=commodity,
        following=following,
    )


def tally(scanned: str, wanted: str) -> str:
    """The figure of a bar."""
    return translate("{scanned} of {wanted}", scanned=scanned, wanted=wanted)


def tally_line(commodity: str, figure: str, *, current: bool) -> str:
    """A bar as a screen reader reads it."""
    if current:
        return translate("{commodity}: {figure}, being scanned", commodity=commodity, figure=figure)
    return translate("{commodity}: {figure}", commodity=commodity, figure=figure)


def template_taken_over(name: str, person: str) -> str:
    """A template of somebody else is among this desk's now."""
    return translate("The template {name} was taken over from {person}.", name=name, person=person)


def template_not_understood(name: str, person: str) -> str:
    """A template of somebody else cannot be read by this version."""
    return translate("The template {name} of {person} cannot be read by this Waybill.", name=name, person=person)
