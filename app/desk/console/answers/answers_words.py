"""All sentences about the content of an answer."""

from app.translation import translate, translate_plural

NOT_JSON = translate("The answer says that it is JSON, and is none.")
NOT_XML = translate("The answer says that it is XML, and is none.")
NOT_TEXT = translate("These bytes are no text.")
WHOLE_BODY = translate("The whole body")
VALUE = translate("Value")
SHEET = translate("Answer")
EMPTY_RECORD = translate("empty record")
EMPTY_LIST = translate("empty list")


def fields(count: int) -> str:
    """How many fields a record has."""
    return translate_plural("{count} field", "{count:,} fields", count)


def elements(count: int) -> str:
    """How many elements a list has."""
    return translate_plural("{count} element", "{count:,} elements", count)
