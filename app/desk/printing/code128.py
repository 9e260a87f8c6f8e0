"""Code 128 as the widths of its bars and gaps, encoded by zxing-cpp.

Invariant: a scanner types the encoded text again letter for letter, so only printable ASCII is encoded. Code 128 could
also carry control characters and, by a shift that many scanners ignore, Western European letters.
"""

from itertools import groupby

from app.desk.printing import paper_words as words

QUIET = 10  # modules of white before and after the bars (ISO/IEC 15417)
_NAMED = 8  # how many offending characters are named


class CannotEncode(ValueError):
    """The text has no Code 128 that scans; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def widths(text: str) -> tuple[int, ...]:
    """Widths in modules of bar, gap, bar … bar, without the quiet zones. Raises `CannotEncode`."""
    if not text:
        raise CannotEncode(words.NO_TEXT)
    wrong = [each for each in dict.fromkeys(text) if not " " <= each <= "~"]
    if wrong:
        raise CannotEncode(_what_is_wrong(wrong))
    # Deferred: nobody prints before the first paint.
    from zxingcpp import BarcodeFormat, create_barcode

    try:
        picture = create_barcode(text, BarcodeFormat.Code128).to_image(1, add_hrt=False, add_quiet_zones=False)
    except ValueError as error:
        raise CannotEncode(words.too_many_characters(len(text))) from error
    pixels = memoryview(picture)  # type: ignore[arg-type]  # a buffer, which its stub does not say
    top_row = bytes(pixels)[: picture.shape[1]]  # a pixel a module
    return tuple(len(list(run)) for _, run in groupby(top_row))


def _what_is_wrong(wrong: list[str]) -> str:
    control = [each for each in wrong if not each.isprintable()]
    if control:
        return words.hidden_characters([f"U+{ord(each):04X}" for each in control[:_NAMED]])
    return words.wrong_characters(wrong[:_NAMED])
