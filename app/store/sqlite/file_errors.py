"""The meaning of SQLite's errors for a person: trouble of the disk, damage, or a fault of the program."""

import apsw

from app.translation import translate

_DISK_SENTENCES: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, translate("The disk is full, so nothing of this was saved. Make room and try again.")),
    (apsw.ReadOnlyError, translate("The file may not be written to, so nothing of this was saved.")),
    (apsw.BusyError, translate("Another program is holding the file, so nothing of this was saved. Try again.")),
    (apsw.LockedError, translate("The file is locked, so nothing of this was saved. Try again.")),
    (apsw.IOError, translate("The disk reported an error, so nothing of this was saved.")),
    (apsw.CantOpenError, translate("The file could not be opened, so nothing of this was saved.")),
    (apsw.NoMemError, translate("This computer ran out of memory, so nothing of this was saved.")),
)


def disk_sentence(error: apsw.Error) -> str | None:
    """The sentence for an error of the disk or the system; None for a fault of the program."""
    for kind, sentence in _DISK_SENTENCES:
        if isinstance(error, kind):
            return sentence
    return None


def is_damage(error: apsw.Error) -> bool:
    """Whether SQLite reports that the file is damaged or no database."""
    return isinstance(error, apsw.CorruptError | apsw.NotADBError)
