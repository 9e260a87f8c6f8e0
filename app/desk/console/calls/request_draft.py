"""A call as a person has filled it in: texts only, kept as typed, so that any draft can be stored and shown again."""

from dataclasses import dataclass

JSON, XML = "application/json", "application/xml"


@dataclass(frozen=True, slots=True)
class RequestDraft:
    """A filled form. `parameters` are those that are given, in order; a name may come several times for a list.

    `body` is JSON as typed, or XML as typed where it begins with `<`; `{{name.body…}}` in any text stands for a value
    of an earlier answer. `body_format` is the media type that leaves: JSON that is typed leaves as XML where it is XML.
    `accept` is the media type asked for, empty for what the connection asks for everywhere.
    """

    operation: str  # ConsoleOperation.key
    parameters: tuple[tuple[str, str], ...] = ()
    body: str = ""
    body_format: str = JSON
    accept: str = ""
