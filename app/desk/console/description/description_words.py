"""All sentences about the provider's description."""

from app.translation import translate, translate_plural

NO_RECORD = translate("This is no description of a service: it is not a JSON record.")
NO_DIALECT = translate("This is no description of a service: it does not say which version of OpenAPI it is.")
NO_OPERATIONS = translate("This description names no operation.")
TOO_LARGE = translate("The description is too large to be read.")
SEVERAL_CHOICES = translate("The description gives several choices at once; a form offers the first.")
TUPLE = translate("The description gives each element of this list a shape of its own; a form offers them as a choice.")
TOO_MANY_MEMBERS = translate("The description has more fields than a form can show; the rest is for the JSON editor.")
TOO_MANY_VALUES = translate("The description allows more values than can be offered.")
TOO_MUCH = translate("The description is too large from here on; use the JSON editor.")
TOO_NESTED = translate("The description leads from one record to the next without an end; use the JSON editor.")
CONDITIONS = translate("The description has conditions that a form does not show; the provider checks them.")
NO_CONTENT = translate("Nothing was ever fetched.")


def unknown_dialect(dialect: str) -> str:
    """The version is none that is known; it was read as the nearest one."""
    return translate("The description is in OpenAPI {dialect}, which is read as 3.1.", dialect=dialect)


def no_such_place(reference: str) -> str:
    """A reference leads nowhere."""
    return translate("The description refers to {reference}, which it does not have.", reference=reference)


def elsewhere(reference: str) -> str:
    """A reference leads to another file or address, which is never asked for."""
    return translate("The description refers to {reference}, outside of itself; that is not read.", reference=reference)


def unreadable_operation(method: str, path: str) -> str:
    """An operation is no record."""
    return translate("The description of {method} {path} cannot be read.", method=method, path=path)


def unreadable_prefix(prefix: str) -> str:
    """What stands before all paths is no path."""
    return translate("The description puts {prefix} before all paths, which is no path; it is left out.", prefix=prefix)


def operations_left_out(count: int) -> str:
    """There are more operations than can be offered."""
    return translate_plural(
        "{count} operation of the description is left out: there are too many.",
        "{count:,} operations of the description are left out: there are too many.",
        count,
    )
