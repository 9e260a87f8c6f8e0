"""The sentences about pictures and files, in one place to be reviewed and translated."""

from pathlib import Path

from app.translation import translate

NOT_CONNECTED = translate("Not connected: this picture was not fetched before.")
PICTURE_GONE = translate("The provider does not have this picture any more, or never had it.")
DISK_FULL = translate("the disk is full.")
NOT_ALLOWED = translate("it is not allowed there, or another program has the file open.")
NO_FOLDER = translate("the folder is not there.")
DISK_ERROR = translate("the disk reported an error.")


def file_appeared(name: str) -> str:
    """Another program made a file of this name meanwhile."""
    return translate("There is a file {name} by now, and it was left as it is. Choose another name.", name=name)


def not_written(name: str, folder: Path, why: str) -> str:
    """The file could not be written."""
    return translate("{name} could not be written into {folder}: {why}", name=name, folder=folder, why=why)


def one_not_written(folder: Path, why: str) -> str:
    """One of several files could not be written; its name stands before this sentence."""
    return translate("It could not be written into {folder}: {why}", folder=folder, why=why)
