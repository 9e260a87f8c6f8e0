"""All sentences about a call made by hand, before and after it is sent."""

from datetime import datetime

from app.translation import translate, translate_plural

# What forbids a call
NO_BODY = translate("A body is needed: type it.")
SECRET_INSIDE = translate(
    "This holds the client secret, a token or the password of the proxy. Take it out: Waybill sends them by itself, "
    "and to nobody else."
)
BODY_IN_READ = translate("This operation takes no body.")
NOT_XML_HERE = translate("This operation takes no XML.")
UNSENDABLE = translate("This holds a character that cannot be sent. Type it again.")
NOT_IN_XML = translate("This holds a character that XML cannot hold.")
ORDER_AS_JSON = translate("The outbox takes an order as JSON: type it as JSON.")
ORDER_WRONG = translate("An order that is not right is not sent. Correct what is marked.")
QUOTE_EXPRESSION = translate("A value of an answer stands in quotes: “{{name.body.id}}” becomes the value itself.")
DOT_IN_PATH = translate("This part of a path cannot be . or ..")

# What is told of a call
TO_OUTBOX = translate("This is handed to the outbox, which sends it once and looks it up if the answer is missing.")
CANCEL_TO_OUTBOX = translate("This is handed to the outbox. It can be undone there for ten seconds.")
OUTBOX_SENDS = {
    "json": translate("The outbox sends it as JSON, as this connection is set."),
    "xml": translate("The outbox sends it as XML, as this connection is set."),
}
WRITES_ONCE = translate("This is sent once and is not in the outbox: if the answer is missing, look up what happened.")
UNKNOWN_SCOPE = translate("Which scope this needs is not said.")
NOT_IN_CONTRACT = translate("Only the provider's description has this operation.")
DEPRECATED = translate("The provider says that this operation will go away.")

# The question before a call
SEND_IT = translate("Send it")
SEND_ANYWAY = translate("Send it as it is")

SEND_ONCE_MORE = translate("Send it once more")

# What became of a call
STOPPED = translate("Stopped before it was known whether it had left.")
UNDER_WAY = translate("This was being sent, and Waybill has seen no answer to it. It may have arrived.")
STOPPED_READ = translate("Stopped.")
HANDED_OVER = translate("Handed to the outbox.")

# Expressions
NO_NAME = translate("Begin with the name of an answer.")
NO_PART = translate("After the name comes status, headers or body.")
BAD_STEP = translate('A path goes on with .member, [0] or ["a member"].')
NO_HEADER_NAME = translate("After headers comes the name of one header.")

# Files
NAME_NEEDED = translate("A request needs a name.")
NOT_OURS = translate("This is no request that Waybill can read: it names no operation.")
NO_REQUEST_LINE = translate("This file has no line with a method and an address.")
NOT_A_TEXT = translate("This file is no text.")
TOO_LARGE = translate("This file is too large to be a request.")


def not_connected(trouble: str) -> str:
    """There is no provider; `trouble` is a sentence."""
    return translate("Not sent: {trouble}", trouble=trouble)


def scope_missing(scopes: str) -> str:
    """None of the scopes that an operation needs was granted."""
    return translate(
        "The provider did not grant what this needs: {scopes}. Test the connection again in Settings once it has.",
        scopes=scopes,
    )


def parameter_needed(name: str) -> str:
    """A parameter that must be there is not."""
    return translate("{name} is needed.", name=name)


def header_unfit(name: str) -> str:
    """A header holds a character that no header can hold."""
    return translate("{name} goes as a header, which holds plain letters, digits and signs only.", name=name)


def format_unknown(formats: str) -> str:
    """None of the accepted formats can be written."""
    return translate("This operation takes {formats}, which Waybill cannot write.", formats=formats)


def not_json(sentence: str) -> str:
    """The body is no JSON; `sentence` says where."""
    return translate("The body is no JSON. {sentence}", sentence=sentence)


def sends_mistakes(count: int) -> str:
    """The body or the parameters do not fit their shape in so many places."""
    return translate_plural(
        "This does not fit the description in {count} place.",
        "This does not fit the description in {count} places.",
        count,
    )


def acts_on_production(deed: str, connection: str, subject: str) -> str:
    """A call that writes goes to a production connection. `deed` is what it does, `subject` what it concerns."""
    if subject:
        return translate(
            "{deed} ({subject}) at “{connection}”, for real?", deed=deed, subject=subject, connection=connection
        )
    return translate("{deed} at “{connection}”, for real?", deed=deed, connection=connection)


def may_be_there(at: datetime) -> str:
    """Just this call was sent before, and nobody knows whether it arrived."""
    return translate(
        "Just this was sent on {day} at {time}, and nobody knows whether it arrived. Send it once more?",
        day=f"{at:%Y-%m-%d}",
        time=f"{at:%H:%M:%S}",
    )


def goes_all_the_same(notice: str) -> str:
    """The provider asked for a pause; `notice` says until when. A call by hand does not wait for that."""
    return translate("{notice}; this call goes at once.", notice=notice)


def answer_missing(name: str) -> str:
    """An expression names an answer that there is none of."""
    return translate("There is no answer named {name} yet.", name=name)


def value_missing(expression: str) -> str:
    """An answer does not have the value."""
    return translate("The answer has no {expression}.", expression=expression)


def not_single(expression: str) -> str:
    """A value that is a record or a list is put into a text."""
    return translate("{expression} is a record or a list, which cannot stand in a text.", expression=expression)


def answer_unreadable(name: str) -> str:
    """The body of an answer is neither JSON nor XML."""
    return translate("The answer named {name} has no record in its body.", name=name)


def answer_too_large(name: str) -> str:
    """The body of an answer is too long to be held for expressions."""
    return translate("The answer named {name} is too large to take values from.", name=name)


def name_taken(name: str) -> str:
    """There is a request of this name already."""
    return translate("There is a request named “{name}” already.", name=name)


def unknown_operation(line: str) -> str:
    """A file names an operation that is not known."""
    return translate("This request is for {line}, which is no operation known here.", line=line)


def other_path(line: str) -> str:
    """The address of a file is none of its operation."""
    return translate("The address in this file is not one of {line}.", line=line)


def not_read(file: str, why: str) -> str:
    """A file could not be read from the disk."""
    return translate("{file} could not be read: {why}.", file=file, why=why)


def not_removed(file: str, why: str) -> str:
    """A file could not be deleted or renamed."""
    return translate("{file} could not be changed: {why}.", file=file, why=why)


def not_taken(file: str, sentence: str) -> str:
    """A file was not imported; `sentence` says why."""
    return translate("{file}: {sentence}", file=file, sentence=sentence)
