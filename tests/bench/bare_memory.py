"""The yardstick of S9: what a bare PySide6 window holds once it is painted. Prints that in MiB and ends."""

import sys

from PySide6.QtWidgets import QApplication

from tests.bench.bare_window import Bare
from tests.bench.pulse import resident_mib


class Weighed(Bare):
    """Prints the memory of the process once the window is painted."""

    def say(self) -> None:
        print(resident_mib(), flush=True)
        QApplication.quit()


def main() -> int:
    application = QApplication(sys.argv)
    window = Weighed()
    window.resize(1280, 800)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
