"""Code 128 (ISO/IEC 15417), code sets B and C: the bars that scanners in the practice world could really read."""

from PIL import Image, ImageDraw

_WIDTHS = (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122"
    "123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323"
    "131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131"
    "213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122"
    "141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112"
    "124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141"
    "411131211412211214211232"
)
START_B, START_C, TO_B, TO_C = 104, 105, 100, 99
STOP = "2331112"


def symbols(text: str) -> list[int]:
    """The symbol values of printable ASCII text: start, data, check. Long runs of digits use code set C.

    Raises ValueError for characters outside 32..126 and for an empty text.
    """
    if not text or any(not 32 <= ord(mark) <= 126 for mark in text):
        raise ValueError("Code 128 here holds one or more printable ASCII characters")
    values: list[int] = []
    at, in_c = 0, False
    while at < len(text):
        run = _digits(text, at)
        if not in_c and run >= (4 if at == 0 or at + run == len(text) else 6):
            if run % 2 and at:  # an odd digit stays in B, the even rest goes to C
                values.append(ord(text[at]) - 32)
                at += 1
            values.append(START_C if not values else TO_C)
            in_c = True
        elif in_c and run < 2:
            values.append(TO_B)
            in_c = False
        elif not values:
            values.append(START_B)
        if in_c:
            values.append(int(text[at : at + 2]))
            at += 2
        else:
            values.append(ord(text[at]) - 32)
            at += 1
    check = (values[0] + sum(place * value for place, value in enumerate(values[1:], 1))) % 103
    return [*values, check]


def widths(text: str) -> list[int]:
    """Widths of bars and gaps in turn, in modules, beginning with a bar; without the quiet zones."""
    drawn = "".join(_WIDTHS[value * 6 : value * 6 + 6] for value in symbols(text)) + STOP
    return [int(width) for width in drawn]


def barcode(text: str, module: int, height: int) -> Image.Image:
    """The bars as a one-channel image, black on white, with quiet zones of ten modules. Sizes in pixels."""
    row = widths(text)
    image = Image.new("L", ((sum(row) + 20) * module, height), 255)
    draw = ImageDraw.Draw(image)
    x = 10 * module
    for place, width in enumerate(row):
        if place % 2 == 0:
            draw.rectangle((x, 0, x + width * module - 1, height), fill=0)
        x += width * module
    return image


def _digits(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end].isdigit():
        end += 1
    return end - at
