"""All sentences about values that are typed into a form or an editor."""

from app.translation import translate, translate_plural

# JSON and XML as texts
TOO_DEEP = translate("This is nested too deeply to be a record.")
NOT_TEXT = translate("These bytes are no text, so they are no JSON.")
EMPTY = translate("Nothing is typed yet.")
XML_EMPTY = translate("Nothing is typed yet, so this is no XML.")
XML_FORBIDDEN = translate("XML with entities or a document type is not sent.")

# Values
REQUIRED = translate("Required.")
NOT_KNOWN = translate("This field is not known here.")
TEXT = translate("Must be text.")
WHOLE = translate("Must be a whole number.")
NUMBER = translate("Not a number. Write it as 12 or 12.5.")
FLAG = translate("Must be true or false.")
RECORD = translate("Must be a record.")
LIST = translate("Must be a list.")
NULL = translate("Must be null.")
NOTHING_FITS = translate("Fits none of the choices.")
FITS_SEVERAL = translate("Fits several of the choices; it must fit one only.")
DATE = translate("Not a date. Write it as YYYY-MM-DD.")
MOMENT = translate("Not a date and time. Write it as 2026-01-31T14:05:00.")
TIME = translate("Not a time. Write it as 14:05:00.")
UUID = translate("Not a UUID: 32 letters and digits in five groups.")
EMAIL = translate("Not an e-mail address.")
NOT_BASE64 = translate("Not Base64.")
TWICE_IN_LIST = translate("The same as an earlier element; each must differ.")

SAMPLE_TEXT = translate("text")


def no_such_number(name: str) -> str:
    """NaN or Infinity stands where a number should."""
    return translate("JSON has no number {name}.", name=name)


def twice(name: str) -> str:
    """A record has two members of one name."""
    return translate("“{name}” is there twice in one record.", name=name)


def ends_early(line: int) -> str:
    """The text ends before the value does."""
    return translate("The text ends too early, in line {line}: a bracket or a quote is not closed.", line=line)


def wrong_at(line: int, column: int, sign: str) -> str:
    """A character cannot stand where it does."""
    return translate("No JSON from line {line}, column {column} on: “{sign}”.", line=line, column=column, sign=sign)


def no_xml(line: int, column: int) -> str:
    """The text is no XML from a place on."""
    return translate("No XML from line {line}, column {column} on.", line=line, column=column)


def one_of(choices: str) -> str:
    """The value must be one of the allowed ones."""
    return translate("Must be one of {choices}.", choices=choices)


def must_be(choice: str) -> str:
    """There is one allowed value."""
    return translate("Must be {choice}.", choice=choice)


def too_long(most: int, count: int) -> str:
    """A text has too many characters."""
    return translate("At most {most} characters; this has {count}.", most=most, count=count)


def too_short(least: int, count: int) -> str:
    """A text has too few characters."""
    return translate_plural(
        "At least {count} character; this has {found}.", "At least {count} characters; this has {found}.", least,
        found=count,
    )  # fmt: skip


def other_pattern(pattern: str) -> str:
    """A text does not match the pattern."""
    return translate("Must match the pattern {pattern}.", pattern=pattern)


def at_least(bound: object) -> str:
    """A number is below its least."""
    return translate("Cannot be less than {bound}.", bound=bound)


def at_most(bound: object) -> str:
    """A number is above its greatest."""
    return translate("Cannot be more than {bound}.", bound=bound)


def above(bound: object) -> str:
    """A number must be above a bound."""
    return translate("Must be greater than {bound}.", bound=bound)


def below(bound: object) -> str:
    """A number must be below a bound."""
    return translate("Must be less than {bound}.", bound=bound)


def multiple_of(step: object) -> str:
    """A number is no multiple."""
    return translate("Must be a multiple of {step}.", step=step)


def too_few(least: int) -> str:
    """A list has too few elements."""
    return translate_plural("At least {count} element is needed.", "At least {count} elements are needed.", least)


def too_many(most: int) -> str:
    """A list has too many elements."""
    return translate_plural("At most {count} element is allowed.", "At most {count} elements are allowed.", most)


def too_few_members(least: int) -> str:
    """A record has too few members."""
    return translate_plural("At least {count} field is needed.", "At least {count} fields are needed.", least)


def too_many_members(most: int) -> str:
    """A record has too many members."""
    return translate_plural("At most {count} field is allowed.", "At most {count} fields are allowed.", most)
