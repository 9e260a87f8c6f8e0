"""What can go wrong while keeping things, each with the sentence a person reads.

    StoreError                  something could not be read or kept
    ├── NotOpened               the file could not be opened at all (rights, folder gone, held by another program)
    ├── NotSaved                a change was refused by the disk; nothing of it was kept
    ├── SchemaTooNew            the file was written by a newer Waybill; it is left untouched
    ├── JournalDamaged          the journal cannot be trusted; it is left untouched
    ├── WrongState              a step that the state of a draft, write or profile does not allow
    └── SecretError             the keyring would not do what was asked
        └── KeyringSilent       it did not answer in time

Anything else that leaves this room (an SQL mistake, a broken constraint) is a fault in the program.
"""

import apsw


class StoreError(Exception):
    """Something could not be read or kept; `sentence` says what happened and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotOpened(StoreError):
    """The file could not be opened; nothing in it was changed."""


class NotSaved(StoreError):
    """The disk refused a change; all of it was undone."""


class SchemaTooNew(StoreError):
    """The file belongs to a newer version of the program; it was not changed."""


class JournalDamaged(StoreError):
    """The journal fails its own checks; it was not changed. `why` names the check in a few words."""

    def __init__(self, sentence: str, why: str = "it is damaged") -> None:
        super().__init__(sentence)
        self.why = why


class WrongState(StoreError):
    """The step asked for is not allowed from the state the thing is in; nothing was changed."""


class SecretError(StoreError):
    """The keyring refused, or did not keep what it was given."""


class KeyringSilent(SecretError):
    """The keyring did not answer in time; whether it acts later is not known."""


_DISK_WORDS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "The disk is full, so nothing of this was saved. Make room and try again."),
    (apsw.ReadOnlyError, "The file may not be written to, so nothing of this was saved."),
    (apsw.BusyError, "Another program is holding the file, so nothing of this was saved. Try again."),
    (apsw.LockedError, "The file is locked, so nothing of this was saved. Try again."),
    (apsw.IOError, "The disk reported an error, so nothing of this was saved."),
    (apsw.CantOpenError, "The file could not be opened, so nothing of this was saved."),
    (apsw.NoMemError, "This computer ran out of memory, so nothing of this was saved."),
)


def disk_sentence(error: apsw.Error) -> str | None:
    """The sentence for an error of the disk or the system; None when the program itself is at fault."""
    for kind, sentence in _DISK_WORDS:
        if isinstance(error, kind):
            return sentence
    return None


def is_damage(error: apsw.Error) -> bool:
    """Whether SQLite says that the file itself is broken or is no database."""
    return isinstance(error, apsw.CorruptError | apsw.NotADBError)
