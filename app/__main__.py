"""Waybill's way in: read the arguments, look for a display, hand over to bootstrap."""

import sys

from app.arguments import read_arguments


def main() -> int:
    """Run what was asked for; the exit status."""
    if sys.argv[1:2] == ["--practice-process"]:
        # The packed program is one executable: it is its own practice service.
        from app.practice.__main__ import main as practice

        return practice(sys.argv[2:])
    if sys.argv[1:2] == ["--imaging-process"]:
        # and its own decoder of pictures
        from app.imaging.__main__ import main as imaging

        return imaging(sys.argv[2:])
    if sys.argv[1:2] == ["--printing-process"]:
        # and what asks the system's printers, which may hang
        from app.ui.printing.printers.qt_printer import main as printing

        return printing()
    if sys.argv[1:2] == ["--workbook-process"]:
        # and what reads workbooks, which may be bombs
        from app.desk.bulk.files.workbook_process import main as workbook

        return workbook(sys.argv[2:])
    arguments = read_arguments(sys.argv[1:])
    if arguments.team_setup is not None:
        from app.team_setup import run_team_setup

        return run_team_setup(arguments.team_setup)
    from app import bootstrap

    return bootstrap.start(arguments)


if __name__ == "__main__":
    sys.exit(main())
