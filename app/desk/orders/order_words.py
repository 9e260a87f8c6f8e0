"""The words of watched orders and of an order's documents."""

from app.translation import translate

DOCUMENT = translate("Document")
UNNAMED_DOCUMENT = translate("Document without a name")


def kind_with_code(kind: str, code: str) -> str:
    """A kind of document beside the provider's code: `Proof of delivery (POD)`."""
    return translate("{kind} ({code})", kind=kind, code=code)


def too_many_watched(most: int) -> str:
    """No more orders can be watched."""
    return translate("No more than {most:,} orders can be watched. Stop watching some first.", most=most)
