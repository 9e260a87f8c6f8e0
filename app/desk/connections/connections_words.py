"""The sentences about connections, permissions, saved views, and the safety of the journal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.contract.codes import (
    SCOPE_INFO_AUDITS,
    SCOPE_INFO_ORDERS,
    SCOPE_INTEGRATION,
    SCOPE_ORDERS,
    SCOPE_QUOTES,
)
from app.translation import translate, translate_plural

if TYPE_CHECKING:  # the repair of a journal is not imported before the first paint
    from app.store.journal.recovery.journal_repair import RestoreReport

# Permissions

# What each scope is for.
PURPOSES: dict[str, str] = {
    SCOPE_INFO_ORDERS: translate("See open and completed orders"),
    SCOPE_ORDERS: translate("Submit and cancel orders, look up their status, list facilities"),
    SCOPE_INFO_AUDITS: translate("See audits and their photos"),
    SCOPE_QUOTES: translate("Submit quotes"),
    SCOPE_INTEGRATION: translate("Import orders, read integration reference data"),
}
# What is missing without it.
_WITHOUT: dict[str, str] = {
    SCOPE_INFO_ORDERS: translate("The orders page stays as it was last seen."),
    SCOPE_ORDERS: translate("Orders can be written here but not sent."),
    SCOPE_INFO_AUDITS: translate("Audits cannot be shown."),
    SCOPE_QUOTES: translate("Quotes cannot be sent."),
    SCOPE_INTEGRATION: translate("Reference data cannot be read."),
}
_SERVICES = {"base_url": translate("order management"), "info_base_url": translate("order information")}
GRANTED = translate("Granted and tried.")
NOT_ACCEPTED_THERE = translate("The service there does not accept the access that was just granted: check the address.")
NO_PERMISSION = translate("The provider grants this client none of the five permissions.")


def not_granted(scope: str) -> str:
    """The provider does not grant a scope."""
    return f"{translate('Not granted.')} {_WITHOUT[scope]}"


def refused_when_used(scope: str) -> str:
    """The provider granted a scope, and refused a call that needs it."""
    return f"{translate('Granted, but refused when used.')} {_WITHOUT[scope]}"


def could_not_be_tried(error: str) -> str:
    """A call that needs the scope failed; `error` is the sentence of the client."""
    return translate("Granted, but could not be tried. {error}", error=error)


def address_does_not_work(field: str) -> str:
    """A scope could not be tried because of the address in this field of a profile."""
    return translate("Granted, but could not be tried: the {service} address does not work.", service=_SERVICES[field])


def another_service(field: str) -> str:
    """Something else answers at the address in this field of a profile."""
    return translate("What answers there is not the {service} service: check the address.", service=_SERVICES[field])


# Addresses

IS_INFORMATION_ADDRESS = translate("This looks like the order information address: it belongs into the next field.")
IS_MANAGEMENT_ADDRESS = translate("This looks like the order management address: it belongs into the field before.")
IS_TOKEN_ADDRESS = translate("This looks like the authorisation address: it belongs into its own field.")
IS_SERVICE_ADDRESS = translate("This looks like the address of a service: tokens are asked for elsewhere.")


def prefix_missing(prefix: str) -> str:
    """The information address stands without its prefix."""
    return translate("Its prefix is missing: it usually ends in {prefix}.", prefix=prefix)


# Files of connections

NO_CONNECTIONS_IN_FILE = translate("It holds no connections that Waybill has exported.")


def too_many_connections(most: int) -> str:
    """A file holds more connections than anybody has."""
    return translate("It holds more than {most} connections.", most=most)


def entry_number(number: int) -> str:
    """A connection in a file that has no name."""
    return translate("number {number}", number=number)


# The legs of a test


def token_lasts(seconds: float) -> str:
    """How long a token lasts."""
    return translate_plural("lasts {count:,} second", "lasts {count:,} seconds", round(seconds))


def scopes_granted(granted: int, all_: int) -> str:
    """How many of the permissions were granted."""
    return translate("{granted} of {all} granted", granted=granted, all=all_)


def clock_agrees(ahead: float) -> str:
    """This computer's clock is right, within the seconds that can be told."""
    if abs(ahead) < 2.0:
        return translate("agrees with the provider's")
    count = round(abs(ahead))
    if ahead > 0:
        return translate_plural(
            "{count} second ahead of the provider's", "{count} seconds ahead of the provider's", count
        )
    return translate_plural("{count} second behind the provider's", "{count} seconds behind the provider's", count)


def clock_is_off(ahead: float) -> str:
    """This computer's clock is wrong, or the provider's is."""
    count = round(abs(ahead) / 60)
    if ahead > 0:
        return translate_plural(
            "This computer's clock is {count:,} minute ahead of the provider's. Have it set by the network.",
            "This computer's clock is {count:,} minutes ahead of the provider's. Have it set by the network.",
            count,
        )
    return translate_plural(
        "This computer's clock is {count:,} minute behind the provider's. Have it set by the network.",
        "This computer's clock is {count:,} minutes behind the provider's. Have it set by the network.",
        count,
    )


# Saved views

VIEW_NEEDS_NAME = translate("A view needs a name.")


def view_name_too_long(longest: int, length: int) -> str:
    """The name of a view is too long."""
    return translate("A name has at most {longest} letters; this one has {length}.", longest=longest, length=length)


def view_name_taken(name: str) -> str:
    """Another view has the name."""
    return translate("There is a view called “{name}” already.", name=name)


def too_many_views(most: int) -> str:
    """No further view can be saved."""
    return translate("No more than {most} views can be kept.", most=most)


# The journal


def not_wiped(errors: str) -> str:
    """Deleted writes left traces on the disk; `errors` are sentences of the store."""
    return translate(
        "It is out of the journal, but traces of it are still on the disk: {errors} Choose “Delete…” again to "
        "wipe them.",
        errors=errors,
    )


def writes_counted(count: int) -> str:
    """A number of writes."""
    return translate_plural("{count:,} write", "{count:,} writes", count)


def drafts_counted(count: int) -> str:
    """A number of drafts."""
    return translate_plural("{count:,} draft", "{count:,} drafts", count)


def restored(report: "RestoreReport") -> str:
    """The journal in use is not the one of before."""
    parts = [translate("The journal was made anew because {why}.", why=report.why)]
    if report.writes or report.drafts or report.requests:
        parts.append(
            translate(
                "It holds {writes} and {drafts} of the one before.",
                writes=writes_counted(report.writes),
                drafts=drafts_counted(report.drafts),
            )
        )
    else:
        parts.append(translate("Nothing could be read of the one before: the outbox and the drafts begin empty."))
    if report.in_doubt:
        parts.append(
            translate_plural("In doubt now: {count:,} write.", "In doubt now: {count:,} writes.", len(report.in_doubt))
        )
    if report.requests_in_doubt:
        parts.append(
            translate_plural(
                "In doubt: {count:,} request (quote, truck, slot).",
                "In doubt: {count:,} requests (quotes, trucks, slots).",
                len(report.requests_in_doubt),
            )
        )
    if report.missing:
        parts.append(
            translate_plural(
                "Missing, to be looked up: {count:,} order.",
                "Missing, to be looked up: {count:,} orders.",
                len(report.missing),
            )
        )
    if report.requests_missing:
        parts.append(
            translate_plural(
                "Missing, to be asked about: {count:,} request (quote, truck, slot).",
                "Missing, to be asked about: {count:,} requests (quotes, trucks, slots).",
                len(report.requests_missing),
            )
        )
    parts.append(translate("The file before is kept as {file}.", file=report.aside))
    return " ".join(parts)


def administrators_file(why: str) -> str:
    """The sentence about a mistake in the administrator's file."""
    return translate("The administrator's file of this computer: {why}", why=why)


def unusable_connections(names: Sequence[str]) -> str:
    """Connections of a file that cannot be used."""
    return translate("These connections cannot be used: {names}.", names=", ".join(names))


def unknown_off(names: Sequence[str]) -> str:
    """Words of the file that name nothing that can be switched off."""
    return translate("There is nothing of this name to switch off: {names}.", names=", ".join(names))


def not_moved_by_administrator(name: str, why: str) -> str:
    """A given connection that leads elsewhere now, and cannot yet."""
    return translate(
        "The administrator changed where the connection {name} leads. It leads where it led until then. {why}",
        name=name,
        why=why,
    )
