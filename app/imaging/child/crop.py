"""A region of a picture in place of the whole: what is in sight of a photo that is looked at from near."""

from concurrent.futures import ThreadPoolExecutor

from PIL import Image

from app.imaging.pixels import Region, Size

_GAP = 2.0  # how many times the wanted size a picture may be shrunk to quickly, before it is done well
_BESIDE = ThreadPoolExecutor(1)  # makes the lower half of a picture while the upper one is made


def taken_within(region: Region | None, full: Size) -> Region:
    """The region as far as it lies within the picture, a pixel at the least; all of it where none is named."""
    if region is None:
        return Region(0, 0, *full)
    left, top = (min(max(each, 0), most - 1) for each, most in ((region.left, full.width), (region.top, full.height)))
    right, bottom = min(region.left + region.width, full.width), min(region.top + region.height, full.height)
    return Region(left, top, max(right - left, 1), max(bottom - top, 1))


def whole_size(size: Size, region: Region, full: Size) -> Size:
    """How large all of it would be if the region were as large as `size`."""
    return Size(-(-full.width * size.width // region.width), -(-full.height * size.height // region.height))


def cut_out(picture: Image.Image, box: tuple[int, int, int, int], share: float, target: tuple[int, int]) -> Image.Image:
    """What lies in `box` of the file, made as large as `target`; the picture has this share of the file's size."""
    if share == 1.0 and target == (box[2] - box[0], box[3] - box[1]):
        return picture.crop(box)
    # The last row and column of a smaller one may stand for less than the others do.
    left, upper = box[0] * share, box[1] * share
    right, lower = min(box[2] * share, picture.width), min(box[3] * share, picture.height)
    return _resized(picture, (left, upper, right, lower), target)


def _resized(picture: Image.Image, box: tuple[float, float, float, float], target: tuple[int, int]) -> Image.Image:
    """What lies in `box` as large as `target`, on two processors: somebody waits for a photo.

    The halves look at the picture's rows across their border, so that none is seen. What is made very much smaller is
    made smaller quickly first, which two halves would not do alike.
    """
    width, height = target
    left, upper, right, lower = box
    if height < 2 or right - left >= 2 * _GAP * width or lower - upper >= 2 * _GAP * height:
        return _made(picture, box, target)
    border = height // 2
    middle = upper + (lower - upper) * border / height
    below = _BESIDE.submit(_made, picture, (left, middle, right, lower), (width, height - border))
    made = Image.new(picture.mode, target, None)  # its memory as it is: every row is written
    made.paste(_made(picture, (left, upper, right, middle), (width, border)), (0, 0))
    made.paste(below.result(), (0, border))
    return made


def _made(picture: Image.Image, box: tuple[float, float, float, float], target: tuple[int, int]) -> Image.Image:
    return picture.resize(target, Image.Resampling.HAMMING, box=box, reducing_gap=_GAP)
