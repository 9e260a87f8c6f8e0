"""Everything that can go wrong with stored data, as one small tree.

    StoreError                  has `.sentence`, what a person reads
    ├── NotOpened               the file could not be opened (rights, missing folder, another program has it)
    ├── NotSaved                the disk refused a change; nothing of it was kept
    ├── SchemaTooNew            a newer Waybill wrote the file; it was not changed
    ├── JournalDamaged          the journal is damaged; it was not changed
    ├── WrongState              the state of a draft, write or profile does not allow this step
    └── SecretError             the keyring refused, or did not store a secret
        └── KeyringSilent       the keyring did not answer in time

`store/sqlite/file_errors` says what SQLite's own errors are. Any other exception from `app/store` (a mistake in SQL, a
broken constraint) is a fault of the program.
"""


class StoreError(Exception):
    """Data could not be read or stored; `sentence` says what happened, and what to do if a person can do something."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotOpened(StoreError):
    """The file could not be opened; it was not changed."""


class NotSaved(StoreError):
    """The disk refused a change; all of the change was undone."""


class SchemaTooNew(StoreError):
    """The file belongs to a newer version of the program; it was not changed."""


class JournalDamaged(StoreError):
    """The journal is damaged; it was not changed. `why` names the check that failed, in a few words."""

    def __init__(self, sentence: str, why: str = "it is damaged") -> None:
        super().__init__(sentence)
        self.why = why


class WrongState(StoreError):
    """The state of a draft, write or profile does not allow this step; nothing was changed."""


class SecretError(StoreError):
    """The keyring refused, or did not store the secret that it was given."""


class KeyringSilent(SecretError):
    """The keyring did not answer in time. It may still carry out the call later."""
