"""Laid out pages for tests: a ruler that knows no fonts, and the texts of a page."""

from collections.abc import Iterable, Iterator

from app.desk.printing.page_marks import Bars, Mark, Page, Style, Words


class PlainRuler:
    """Every character is six tenths as wide as it is high; a character that cannot be shown becomes a question mark."""

    def shown(self, text: str) -> str:
        """Control characters made visible, line breaks and tabs kept."""
        return "".join(each if each.isprintable() or each in "\n\t" else "¿" for each in text)

    def width(self, text: str, style: Style) -> float:
        """In mm."""
        return len(text) * style.size * 0.6


def marks(pages: Iterable[Page]) -> Iterator[Mark]:
    """Everything that stands on the pages."""
    return (mark for page in pages for block in page.blocks for mark in block.marks)


def texts(pages: Iterable[Page]) -> list[str]:
    """All words, in the order in which they are painted."""
    return [mark.text for mark in marks(pages) if isinstance(mark, Words)]


def bars(pages: Iterable[Page]) -> list[Bars]:
    """All barcodes."""
    return [mark for mark in marks(pages) if isinstance(mark, Bars)]
