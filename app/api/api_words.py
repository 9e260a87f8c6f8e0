"""Every sentence about a call that did not end well, except what the provider itself says.

Two sentences may stand beside each other, with a blank between them; none is made of pieces.
"""

import math

from app.translation import translate, translate_plural

LOOK_UP = translate("Whether it arrived is not known: look it up before sending it again.")
NOT_ACCEPTED = translate("The provider does not accept the access it has just granted (401).")
NOT_ALLOWED = translate("The provider does not allow this: the access it granted does not include it (403).")
NOTHING_THERE = translate("The provider knows no such thing (404).")
TOO_LATE = translate("Not sent: too long had passed when it was about to leave.")
CLOSING = translate("Waybill is closing this connection: nothing was sent.")
WRONG_CLIENT = translate("The provider does not accept this client id with this secret.")
PROXY_UNUSABLE = translate("The proxy that this computer is set to use is of a kind that Waybill cannot use.")
PROXY_WANTS_LOGIN = translate(
    "The proxy asks for a login (407). Enter its address, user and password under this connection in Settings."
)

# Answers that cannot be understood
CONTRADICTION = translate("The provider's answer says both that it worked and that it failed, so neither is certain.")
WORKED_WITH_PROBLEM = translate(
    "The provider's answer says that it worked and describes a problem, so neither is certain."
)
NOT_TEXT = translate("The provider's answer is not text: something stands between, or it was garbled.")
WEB_PAGE = translate("A web page came where the provider's answer should be: something stands between.")
WEB_PAGE_FOR_STATUS = translate("A web page came where order status should be: check the address.")
NOT_XML = translate("The provider's answer is not valid XML.")
NOT_JSON = translate("The provider's answer is not valid JSON, or not all of it came.")
NO_LIST = translate("The provider's answer is not a list that Waybill can read.")
RECORD_NOT_JSON = translate("The provider's answer holds a record that is not valid JSON.")
RECORD_NOT_XML = translate("The provider's answer holds a record that is not valid XML, or one that is too large.")
RECORD_TOO_LARGE = translate("The provider's answer holds a record too large to be one.")
CAME_TOO_SLOWLY = translate("The provider's answer stopped in the middle: the rest did not come in time.")
BADLY_COMPRESSED = translate("The provider's answer is compressed in a way that cannot be undone.")
BROKE_OFF = translate("The provider's answer broke off in the middle.")

# Calls made by hand
NO_PATH = translate("A path begins with a slash.")

# Addresses
NO_BLANKS = translate("An address holds no spaces, no ?, no # and no user name.")
NO_NAME = translate("That is not a name the provider could know.")
ENDLESS_REDIRECTION = translate("The address of this file leads from one redirection to the next without an end.")
REDIRECTED_WRONG = translate("The address of this file redirects to something that cannot be opened.")
NO_ADDRESS = translate("The record names no address that could be opened.")
ADDRESS_UNREADABLE = translate("Waybill opens web addresses only; the one in this record cannot be read.")


def not_an_address(typed: str) -> str:
    """`typed` is no http(s) address."""
    return translate("“{typed}” is not an address: it must begin with https:// and a host name.", typed=typed)


def foreign_scheme(scheme: str) -> str:
    """A record names an address of another scheme than http and https."""
    return translate("Waybill opens web addresses only; the one in this record begins with {scheme}:.", scheme=scheme)


def no_file(status: int) -> str:
    """The address of a file answers with another status than 200."""
    return translate("The address of this file gives no file ({status}).", status=status)


def failed(status: int) -> str:
    """A status of 500 and more."""
    return translate("The provider failed while handling this ({status}).", status=status)


def write_redirected(status: int) -> str:
    """A write was answered with a status of 300 to 399."""
    return translate("The provider's address answered with a redirection ({status}).", status=status)


def read_redirected(status: int) -> str:
    """A read was answered with a status of 300 to 399."""
    return translate(
        "The provider's address answers with a redirection ({status}): check it in Settings.", status=status
    )


def not_taken(status: int) -> str:
    """A write was turned back because there are too many."""
    return translate("The provider takes no more for now ({status}): this was not taken.", status=status)


def too_busy(status: int) -> str:
    """The provider asks to be asked later."""
    return translate("The provider is too busy to answer ({status}).", status=status)


def asks_to_wait(seconds: float) -> str:
    """How long the provider asks to wait."""
    return translate_plural("It asks to wait {count} s.", "It asks to wait {count} s.", math.ceil(seconds))


def refused(status: int) -> str:
    """A status of 400 to 499 without words of the provider's own."""
    return translate("The provider refused this without saying why ({status}).", status=status)


def strange_status(status: int) -> str:
    """A status that HTTP does not know."""
    return translate("The provider answered with a status that means nothing ({status}).", status=status)


def no_answer(address: str) -> str:
    """The request left, and no answer came within its time."""
    return translate("{address} gave no answer in time.", address=address)


def broken_connection(address: str) -> str:
    """The request left, and the connection ended before an answer."""
    return translate("{address} broke the connection off without an answer.", address=address)


def scopes_refused(scopes: str) -> str:
    """The token service knows the client and refuses these scopes."""
    return translate(
        "The provider knows this client, but does not grant it what was asked for: {scopes}.", scopes=scopes
    )


def access_refused(why: str) -> str:
    """The token service refused for another reason: a status, and its error code."""
    return translate("The provider refused to grant access ({why}). The client id or the secret may be wrong.", why=why)


def answer_too_large(kib: int) -> str:
    """An answer is longer than any of its kind."""
    return translate("The provider's answer is larger than {kib:,} KiB, which cannot be right.", kib=kib)


def cut_off(kib: int) -> str:
    """An answer is longer than Waybill reads; only its beginning is shown."""
    return translate("The answer is longer than {kib:,} KiB; the rest was left out.", kib=kib)


def list_too_large(kib: int) -> str:
    """A list that is short by nature is longer than any of its kind."""
    return translate("The provider's list is larger than {kib:,} KiB, which cannot be right.", kib=kib)


def list_broke_off(rows: int) -> str:
    """A list ended early, after so many rows were handed out."""
    return translate_plural(
        "The provider's list broke off after {count} row.", "The provider's list broke off after {count:,} rows.", rows
    )


def no_order(number: int) -> str:
    """The provider answers 404 for an order's number."""
    return translate("The provider knows no order {number}.", number=number)


def not_an_order(number: int) -> str:
    """The answer for an order's number is no order."""
    return translate("The provider's answer about order {number} is not an order.", number=number)


def proxy_forbids(place: str, status: int) -> str:
    """A proxy does not let this computer reach an address."""
    return translate(
        "The proxy does not let this computer reach {place} ({status}): whoever runs the proxy has to allow it.",
        place=place,
        status=status,
    )


def proxy_fails(place: str, status: int) -> str:
    """A proxy could not reach an address itself."""
    return translate(
        "The proxy could not reach {place} ({status}): check the address, or ask whoever runs the proxy.",
        place=place,
        status=status,
    )


def proxy_at(place: str) -> str:
    """A proxy by its host and port, at the beginning of a sentence."""
    return translate("The proxy {place}", place=place)
