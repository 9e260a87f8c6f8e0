"""The words of the views of text."""

from app.translation import translate, translate_plural

FIND, FIND_NAME = translate("Find"), translate("Find in this text")
NEXT, PREVIOUS = translate("Next (Enter)"), translate("Previous (Shift+Enter)")
CLOSE_FIND = translate("Close the search (Esc)")
NOT_FOUND = translate("Not found")
LAID_OUT = translate("What was pasted was one long line. It stands over several lines now; Ctrl+Z takes that back.")
LINE_BROKEN = "⏎"  # at the end of a line that was broken to show it


def found(place: int, count: int) -> str:
    """Which of the places is shown."""
    return translate("{place:,} of {count:,}", place=place, count=count)


def more_than(count: int) -> str:
    """There are more places than are gone through."""
    return translate("more than {count:,}", count=count)


def too_long_to_paste(most: int) -> str:
    """A text that is too long."""
    return translate("Nothing was pasted: the text is longer than {most:,} characters.", most=most)


def line_too_long(most: int) -> str:
    """A line that is too long."""
    return translate("Nothing was pasted: a line of it is longer than {most:,} characters and no JSON.", most=most)


def lines_broken(count: int, most: int) -> str:
    """Lines are shown broken."""
    return translate_plural(
        "{count:,} line is longer than {most:,} characters and shown over several lines. A saved file has it as it is.",
        "{count:,} lines are longer than {most:,} characters and shown over several lines. A saved file has them as "
        "they are.",
        count,
        most=most,
    )


def cut_off(shown: str, whole: str) -> str:
    """A text of which the beginning is shown."""
    return translate("The first {shown} of {whole} are shown. A saved file has all of it.", shown=shown, whole=whole)
