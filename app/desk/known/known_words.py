"""The words of looking up facilities."""

from app.translation import translate

TOO_LONG = translate("The ZIP or the bill-to is too long to look up facilities.")


def criteria(zip_code: str, bill_to: str) -> str:
    """By what facilities are looked up, as part of a sentence; empty if by nothing."""
    if zip_code and bill_to:
        return translate("ZIP {zip} and bill-to {bill_to}", zip=zip_code, bill_to=bill_to)
    if zip_code:
        return translate("ZIP {zip}", zip=zip_code)
    return translate("bill-to {bill_to}", bill_to=bill_to) if bill_to else ""
