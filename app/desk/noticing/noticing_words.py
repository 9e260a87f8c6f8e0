"""The sentences of desktop notices."""

from collections.abc import Callable, Sequence

from app.desk.noticing.notice_choices import Kind
from app.translation import translate, translate_plural

PRACTICE = translate("In practice: nothing has left this computer.")


def refused(count: int, cancels: int) -> str:
    """Heading: of `count` refused writes, `cancels` are cancellations."""
    if not cancels:
        return translate_plural("An order was refused", "{count:,} orders were refused", count)
    if cancels == count:
        return translate_plural("A cancellation was refused", "{count:,} cancellations were refused", count)
    return translate("{count:,} orders and cancellations were refused", count=count)


def in_doubt(count: int, cancels: int) -> str:
    """Heading: of `count` writes in doubt, `cancels` are cancellations."""
    if not cancels:
        return translate_plural("An order is in doubt", "{count:,} orders are in doubt", count)
    if cancels == count:
        return translate_plural("A cancellation is in doubt", "{count:,} cancellations are in doubt", count)
    return translate("{count:,} orders and cancellations are in doubt", count=count)


def watched(count: int) -> str:
    """Heading: so many watched orders have changed."""
    return translate_plural("A watched order has changed", "{count:,} watched orders have changed", count)


def soon(count: int) -> str:
    """Heading: so many orders are about to be late."""
    return translate_plural("An order is about to be late", "{count:,} orders are about to be late", count)


def low_audit(count: int) -> str:
    """Heading: so many audits scored low."""
    return translate_plural("An audit scored low", "{count:,} audits scored low", count)


COUNTED: dict[Kind, Callable[[int], str]] = {"watched": watched, "soon": soon, "low-audit": low_audit}


def several(count: int) -> str:
    """Heading: things of several kinds."""
    return translate_plural("{count:,} thing needs you", "{count:,} things need you", count)


def named(called: Sequence[str], more: int) -> str:
    """What a notice is about, by references or numbers, and how many more there are (perhaps less than one)."""
    listed = ", ".join(called)
    if more <= 0:
        return listed
    return translate_plural("{listed} and {count:,} more", "{listed} and {count:,} more", more, listed=listed)


def click(count: int) -> str:
    """What to do about a notice that names nothing."""
    return translate_plural("Click to see it.", "Click to see them.", count)
