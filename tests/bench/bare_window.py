"""The yardstick of S1: the least a PySide6 program can do before its window is painted."""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow


class Bare(QMainWindow):
    """Says that it was painted, once, and ends."""

    said = False

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.said:
            self.said = True
            QTimer.singleShot(0, self.say)

    def say(self) -> None:
        print("painted", flush=True)
        QApplication.quit()


def main() -> int:
    application = QApplication(sys.argv)
    window = Bare()
    window.resize(1280, 800)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
