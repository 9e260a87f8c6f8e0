"""The sentences about newer versions of the program."""

from datetime import date
from pathlib import Path

from app.translation import translate

# The list
NO_LIST = translate("What lies at the address is no list of versions of Waybill. Check the address.")
NOT_SIGNED = translate(
    "The list of versions is not signed with the key that is believed here. It may be forged, or whoever makes it has "
    "changed the key. Nothing of it was used."
)
MISTAKE_IN_LIST = translate("The list of versions is signed, but it has a mistake. Tell whoever makes it.")
OLDER_LIST = translate(
    "The list of versions is older than one that was seen here before. Somebody may hold back the newer one. Nothing "
    "of it was used."
)
NO_KEY = translate("A key has 44 letters and digits and ends with =, as it was given by whoever makes the list.")
NO_KEY_GIVEN = translate("No key is known here that the list of versions has to be signed with.")


def list_expired(day: date) -> str:
    """The list was good until `day`."""
    return translate(
        "The list of versions was good until {day}. Somebody may hold back the newer one, or the date of this computer "
        "is wrong. Nothing of it was used.",
        day=day.isoformat(),
    )


# Fetching


REPLACED = translate(
    "The package that was fetched is not the one that the list names. It may have been replaced, and was deleted."
)
CHANGED_SINCE = translate("The package was changed after it was checked, and was deleted. It can be fetched again.")
BROKE_OFF = translate("The package came in part only. What is there is kept, and the next try goes on from there.")


def no_room(folder: Path, megabytes: int) -> str:
    """The disk has no room for the package."""
    return translate(
        "The disk has no room for the package: {megabytes:,} MB are needed in {folder}.",
        megabytes=megabytes,
        folder=folder,
    )


def not_written(folder: Path, why: str) -> str:
    """The package could not be written, for a reason of the system's."""
    return translate("The package cannot be written in {folder}: {why}.", folder=folder, why=why)


# Handing over

HANDED_TO_SYSTEM = translate(
    "The system's installer shows the package. Once it is installed, Waybill offers to start anew."
)


def by_hand_deb(path: str) -> str:
    """No program that installs a .deb was found; `path` as a shell reads it."""
    return translate("Install it in a terminal: sudo apt install {path}\nThen Waybill offers to start anew.", path=path)


def by_hand_archive(path: Path) -> str:
    """A .tar.xz."""
    return translate("Unpack {path} in place of the folder of this version, and start waybill in it.", path=path)


def by_hand_stick(path: Path) -> str:
    """A .zip for a stick."""
    return translate(
        "Close Waybill, unpack {path}, and move the folder “data” of this version into the new folder.", path=path
    )


def by_hand_mac(path: Path) -> str:
    """A disk image."""
    return translate("Close Waybill, open {path}, and draw Waybill into Applications.", path=path)


def by_hand_wheel(path: str) -> str:
    """A wheel; `path` as a shell reads it."""
    return translate("Close Waybill, and install it in a terminal: pipx install --force {path}", path=path)


def not_started(program: str) -> str:
    """The system's installer did not start."""
    return translate("{program} did not start. Show the package in its folder, and open it there.", program=program)


# The administrator's file


def address_unusable(why: str) -> str:
    """The address that the administrator gave for updates."""
    return translate("Its address for updates cannot be used. {why}", why=why)


def key_unusable(why: str) -> str:
    """The key that the administrator gave for updates."""
    return translate("Its key for updates cannot be used. {why}", why=why)
