"""Draws the program's icon in the sizes that systems ask for. Run by the packing environment's Python, which has Qt.

python -m releasing.icons SVG FOLDER      FOLDER/16.png … FOLDER/256.png, FOLDER/waybill.ico, FOLDER/waybill.icns
"""

import sys
from pathlib import Path

SIZES = (16, 24, 32, 48, 64, 128, 256)


def main(words: list[str]) -> int:
    """Draw; the exit status."""
    import io

    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice, Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    source, folder = Path(words[0]), Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QGuiApplication([])
    renderer = QSvgRenderer(str(source))
    drawn = []
    for size in (*SIZES, 512):
        picture = QImage(size, size, QImage.Format.Format_ARGB32)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter)
        painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")  # type: ignore[call-overload]
        drawn.append(Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGBA"))
        drawn[-1].save(folder / f"{size}.png", optimize=True)
    *smaller, largest, huge = drawn
    largest.save(folder / "waybill.ico", sizes=[(size, size) for size in SIZES], append_images=smaller)
    huge.save(folder / "waybill.icns", append_images=[*smaller, largest])
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
