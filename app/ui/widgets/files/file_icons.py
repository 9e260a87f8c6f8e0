"""Icons and types of files by their names alone, for Qt's own file dialog.

Qt's own provider opens each file whose name does not tell its type and reads its first bytes, on the window's thread: a
drive that does not answer, or a file that nobody ever writes to, holds the window.
"""

from PySide6.QtCore import QFileInfo, QMimeDatabase, QMimeType
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileIconProvider

_BY_NAME = QMimeDatabase.MatchMode.MatchExtension


class FileIcons(QFileIconProvider):
    """Opens no file. Qt asks on the window's thread only: the thread that reads a folder asks for no icon."""

    def __init__(self) -> None:
        super().__init__()
        self._types = QMimeDatabase()
        self._icons: dict[str, QIcon] = {}

    def icon(self, about: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        """The icon of a place, of a folder or of a file."""
        if not isinstance(about, QFileInfo):
            return super().icon(about)
        if about.isDir():
            return super().icon(self.IconType.Drive if about.isRoot() else self.IconType.Folder)
        name = self._type_of(about).iconName()
        if name not in self._icons:
            found = QIcon.fromTheme(name)
            self._icons[name] = super().icon(self.IconType.File) if found.isNull() else found
        return self._icons[name]

    def type(self, about: QFileInfo) -> str:
        """The type of a folder or of a file in words."""
        found = self._types.mimeTypeForName("inode/directory") if about.isDir() else self._type_of(about)
        return found.comment() or found.name()

    def _type_of(self, about: QFileInfo) -> QMimeType:
        return self._types.mimeTypeForFile(about.fileName(), _BY_NAME)
