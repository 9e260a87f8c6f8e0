"""Cuts a region out of a picture and scales it: the visible region of a photo that is zoomed in."""

from concurrent.futures import ThreadPoolExecutor

from PIL import Image

from app.imaging.pixels import Region, Size

_GAP = 2.0  # a picture is first reduced quickly to this many times the wanted size, then scaled well
HELPER = ThreadPoolExecutor(1)  # scales on another processor while the main thread decodes or scales


def taken_within(region: Region | None, full: Size) -> Region:
    """The region, cut to the picture and of at least one pixel; the whole picture for None."""
    if region is None:
        return Region(0, 0, *full)
    left, top = (min(max(each, 0), most - 1) for each, most in ((region.left, full.width), (region.top, full.height)))
    right, bottom = min(region.left + region.width, full.width), min(region.top + region.height, full.height)
    return Region(left, top, max(right - left, 1), max(bottom - top, 1))


def whole_size(size: Size, region: Region, full: Size) -> Size:
    """The size of the whole picture at the scale at which the region has this `size`."""
    return Size(-(-full.width * size.width // region.width), -(-full.height * size.height // region.height))


def cut_out(picture: Image.Image, box: tuple[int, int, int, int], share: float, target: tuple[int, int]) -> Image.Image:
    """Cut `box` out and scale it to `target`. The picture was decoded to this `share` of the file's size."""
    if share == 1.0 and target == (box[2] - box[0], box[3] - box[1]):
        return picture.crop(box)
    return _resized(picture, reduced_box(box, share, picture.size), target)


def reduced_box(
    box: tuple[int, int, int, int], share: float, size: tuple[int, int]
) -> tuple[float, float, float, float]:
    """`box` in a picture of this `size`, which was decoded to this `share` of the file's size."""
    # A reduced picture rounds its size up, so its last row and column may lie beyond the box.
    return box[0] * share, box[1] * share, min(box[2] * share, size[0]), min(box[3] * share, size[1])


def are_halves_alike(box: tuple[float, float, float, float], target: tuple[int, int]) -> bool:
    """Whether `box` can be scaled in parts: one that shrinks very much is quickly reduced first, by parts unequally."""
    left, upper, right, lower = box
    return right - left < 2 * _GAP * target[0] and lower - upper < 2 * _GAP * target[1]


def _resized(picture: Image.Image, box: tuple[float, float, float, float], target: tuple[int, int]) -> Image.Image:
    """Scale `box` to `target` on two processors, since a person waits for the photo.

    Each half reads rows across the border, so that no seam is seen.
    """
    width, height = target
    left, upper, right, lower = box
    if height < 2 or not are_halves_alike(box, target):
        return _made(picture, box, target)
    border = height // 2
    middle = upper + (lower - upper) * border / height
    below = HELPER.submit(_made, picture, (left, middle, right, lower), (width, height - border))
    made = Image.new(picture.mode, target, None)  # memory is not cleared: every row is written below
    made.paste(_made(picture, (left, upper, right, middle), (width, border)), (0, 0))
    made.paste(below.result(), (0, border))
    return made


def _made(picture: Image.Image, box: tuple[float, float, float, float], target: tuple[int, int]) -> Image.Image:
    return picture.resize(target, Image.Resampling.HAMMING, box=box, reducing_gap=_GAP)
