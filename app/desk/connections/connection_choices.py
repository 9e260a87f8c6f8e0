"""A person's choices for one connection, kept among the settings of the journal: the columns of a list, watched rules.

Light on purpose: the first paint of the window goes through here, so nothing heavy is imported.
"""

from app.desk.desk import Desk
from app.store.journal import setting_store


def _key(desk: Desk, name: str) -> str:
    return f"{name}/{desk.profile.id}"


async def read_choice(desk: Desk, name: str, default: object = None) -> object:
    """The choice for this connection under `name`, anything that JSON can hold."""
    return await desk.journal.read(setting_store.read_setting, _key(desk, name), default)


async def keep_choice(desk: Desk, name: str, chosen: object) -> None:
    """Keep a choice in place of the one before it. Raises `StoreError`."""
    await desk.journal.write(setting_store.write_setting, _key(desk, name), chosen)
