"""What the process that prints through Qt is asked for, as both sides of its standard input know it."""

from dataclasses import dataclass

from app.desk.printing.page_marks import Page


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be printed, where; without a name it is asked which printers there are."""

    name: str = ""
    title: str = ""
    pages: tuple[Page, ...] = ()
