"""Code 128 as the widths of its bars and gaps, encoded by zxing-cpp.

Only what a scanner types again letter for letter is encoded: printable ASCII. Code 128 could carry control characters
and, by a shift that many scanners ignore, Western European letters; both would come back as something else.
"""

from itertools import groupby

QUIET = 10  # modules of white before and after the bars (ISO/IEC 15417)
_NAMED = 8  # so many offending characters are named


class CannotEncode(ValueError):
    """The text has no Code 128 that scans; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def widths(text: str) -> tuple[int, ...]:
    """Widths in modules of bar, gap, bar … bar, without the quiet zones. Raises `CannotEncode`."""
    if not text:
        raise CannotEncode("There is no text to make a barcode of.")
    wrong = [each for each in dict.fromkeys(text) if not " " <= each <= "~"]
    if wrong:
        raise CannotEncode(_what_is_wrong(wrong))
    # Not needed before somebody prints, so not loaded before that.
    from zxingcpp import BarcodeFormat, create_barcode

    try:
        picture = create_barcode(text, BarcodeFormat.Code128).to_image(1, add_hrt=False, add_quiet_zones=False)
    except ValueError as error:
        raise CannotEncode(f"Its {len(text)} characters are too many for one Code 128.") from error
    pixels = memoryview(picture)  # type: ignore[arg-type]  # a buffer, which its stub does not say
    top_row = bytes(pixels)[: picture.shape[1]]  # a pixel a module
    return tuple(len(list(run)) for _, run in groupby(top_row))


def _what_is_wrong(wrong: list[str]) -> str:
    control = [each for each in wrong if not each.isprintable()]
    if control:
        codes = ", ".join(f"U+{ord(each):04X}" for each in control[:_NAMED])
        return f"It holds a hidden character ({codes}), which a scanner would not type again."
    named = " ".join(wrong[:_NAMED])
    return f"Code 128 holds plain English letters, digits and signs; it cannot hold {named}"
