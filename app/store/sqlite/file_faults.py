"""What a file's trouble is called, as a person should read it: damaged, full, broken off."""

import contextlib
from pathlib import Path

import apsw

from app.store.sqlite.opening import Schema, damage_mark
from app.store.store_errors import JournalDamaged, NotSaved, StoreError, disk_sentence, is_damage


def in_words(error: apsw.Error, path: Path, schema: Schema, *, repaired: bool) -> Exception:
    """The error for whoever asked; a mistake of the program stays what it is.

    Damage leaves a mark beside the file, so that the next start looks closer. `repaired` says that it is mended then.
    """
    if is_damage(error):
        return _damaged(path, schema, repaired=repaired)
    if isinstance(error, apsw.InterruptError):
        return StoreError("Looking this up was broken off.")
    sentence = disk_sentence(error)
    return error if sentence is None else NotSaved(sentence)


def _damaged(path: Path, schema: Schema, *, repaired: bool) -> StoreError:
    if not repaired and not schema.disposable:
        return JournalDamaged(f"The {schema.name} {path} is damaged. Nothing was changed. Keep the file.")
    with contextlib.suppress(OSError):  # without the mark the next start meets the damage once more
        damage_mark(path).touch()
    if not schema.disposable:
        return JournalDamaged(
            f"The {schema.name} {path} is damaged, so nothing of this was saved. Close Waybill and start it again: the "
            "damaged file is kept, and what can be read of it and of its copy is brought back."
        )
    return StoreError(
        f"The {schema.name} {path} is damaged. It holds only what can be fetched again: close Waybill and start it "
        "again, and it is made anew."
    )
