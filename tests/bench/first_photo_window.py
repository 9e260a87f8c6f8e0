"""A real window that shows photos of 12 megapixels of which it has the bytes. Started by `s8_first_photo` as a process
of its own: FOLDER FACTS ROUNDS. Prints one JSON line and ends.
"""

import asyncio
import json
import sys
import time

from PySide6.QtCore import QBuffer, QByteArray, QSize, Qt
from PySide6.QtGui import QImage, QImageReader
from PySide6.QtWidgets import QApplication

from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels, Size
from app.practice.photos.painter import photo_jpeg
from app.runtime.loop import run
from app.runtime.memory import set_libraries_aside
from app.ui.theme.theme import Theme
from app.ui.widgets.picture import PictureView

_SIZE = (1600, 1000)
_PHOTOS = 4
_WAYS = (1, 6, 1, 3)


def by_qt(data: bytes, box: QSize) -> QImage:
    """Qt's scaled decode."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"jpeg"))
    reader.setAutoTransform(True)
    stored = reader.size()
    turned = bool(reader.transformation().value & 4)  # a quarter turn
    room = box.transposed() if turned else box
    reader.setScaledSize(stored.scaled(room, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    assert not image.isNull()
    return image


async def main(application: QApplication, rounds: int) -> int:
    photos = [photo_jpeg(number, orientation=_WAYS[number]) for number in range(_PHOTOS)]
    theme = Theme(application, "light")
    view = PictureView(theme, "Photo")
    theme.dress(view)
    view.resize(*_SIZE)
    view.show()
    await asyncio.sleep(0.5)  # the window system has given it its size
    set_libraries_aside()
    imaging, room = Imaging(), view.wanted_size()
    times: dict[str, list[float]] = {"ours": [], "yardstick": []}

    async def ours(data: bytes) -> None:
        found = await imaging.decode(data, Size(*room))
        assert isinstance(found, Pixels)
        view.show_pixels(found)
        view.repaint()

    async def yardstick(data: bytes) -> None:
        by_qt(data, QSize(*room))

    for turn in range(-1, rounds):
        for number, data in enumerate(photos):
            pair = [("ours", ours), ("yardstick", yardstick)]
            for name, act in pair if (turn + number) % 2 else reversed(pair):
                began = time.perf_counter()
                await act(data)
                if turn >= 0:
                    times[name].append((time.perf_counter() - began) * 1000)
    await imaging.aclose()
    print(json.dumps({"photos": _PHOTOS, "room": room, **times}), flush=True)
    view.hide()
    return 0


if __name__ == "__main__":
    qt = QApplication(["bench"])
    sys.exit(run(qt, lambda: main(qt, int(sys.argv[3]))))
