"""EXIF's eight orientations, and the turn that makes each upright; also the time and the camera of a photo."""

from PIL import Image

from app.imaging.pixels import Region, Size

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_ORIENTATION, _TIME, _MAKE, _MODEL, _MORE, _TAKEN = 0x0112, 0x0132, 0x010F, 0x0110, 0x8769, 0x9003


class Camera:
    """The facts of the EXIF record; all of them empty if the record is broken."""

    def __init__(self, image: Image.Image) -> None:
        self.orientation, self.taken, self.camera = 1, "", ""
        try:
            record = image.getexif()
            found = record.get(_ORIENTATION)
            self.orientation = found if isinstance(found, int) and 1 <= found <= 8 else 1
            self.taken = _words(record.get_ifd(_MORE).get(_TAKEN) or record.get(_TIME))
            self.camera = _words(record.get(_MODEL) or record.get(_MAKE))
        # `decode` answers that the picture is too large.
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # whatever a stranger's record breaks, the picture is still wanted
            return

    @property
    def lying(self) -> bool:
        """Whether width and height change places."""
        return self.orientation >= 5

    def upright(self, image: Image.Image) -> Image.Image:
        """The picture, turned upright."""
        turn = _TURNS.get(self.orientation)
        return image if turn is None else image.transpose(turn)

    def upright_row(self, top: int, rows: int, height: int) -> int:
        """Where a band of these rows, of a picture that is not lying, begins when the picture is upright."""
        return height - top - rows if self.orientation in (3, 4) else top

    def stored(self, size: Size) -> tuple[int, int]:
        """Width and height in the file of a picture that has this size when it is upright."""
        return (size.height, size.width) if self.lying else (size.width, size.height)

    def box_of(self, region: Region, full: Size) -> tuple[int, int, int, int]:
        """Where a region of the upright picture stands in the file: left, upper, right and lower edge."""
        across = region.left, region.left + region.width
        down = region.top, region.top + region.height
        if self.orientation in (2, 3, 6, 7):
            across = full.width - across[1], full.width - across[0]
        if self.orientation in (3, 4, 7, 8):
            down = full.height - down[1], full.height - down[0]
        columns, rows = (down, across) if self.lying else (across, down)
        return columns[0], rows[0], columns[1], rows[1]


def _words(value: object) -> str:
    return "".join(each for each in value if each.isprintable()).strip()[:200] if isinstance(value, str) else ""
