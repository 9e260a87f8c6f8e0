"""The one gallery of photos and documents of the window, created on first use.

Invariant: WindowGallery imports and starts nothing before a page asks for a picture, so the first paint stays light.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.ui.base.deferred_imports import import_lock

if TYPE_CHECKING:
    from app.ui.base.gallery import Gallery


class WindowGallery:
    """Creates the gallery and hands it the desk in use."""

    def __init__(self, sink: Sink, folder: Path) -> None:
        self._sink, self.folder = sink, folder
        self._tasks = Tasks(sink, "picture files")
        self._desk: Desk | None = None
        self._gallery: Gallery | None = None

    def gallery(self) -> "Gallery":
        """The one gallery of the window."""
        if self._gallery is None:
            with import_lock:
                from app.store.picture_files import PictureFiles
                from app.ui.base.gallery import Gallery
            self._gallery = Gallery(self._sink, PictureFiles(self.folder))
            if self._desk is not None:
                self._gallery.take_desk(self._desk)
        return self._gallery

    @property
    def busy(self) -> bool:
        """Whether pictures are on their way."""
        return self._gallery is not None and self._gallery.busy

    def take_desk(self, desk: Desk) -> None:
        """Show the pictures of `desk` from now on."""
        self._desk = desk
        if self._gallery is not None:
            self._gallery.take_desk(desk)

    def try_again(self) -> None:
        """Fetch the failed pictures anew, as the provider can be reached again."""
        if self._gallery is not None:
            self._gallery.try_again()

    def wipe(self) -> None:
        """Delete all pictures that were fetched."""
        self._tasks.write("wipe", self.gallery().wipe())

    def forget_profile(self, profile_id: str) -> None:
        """Delete the pictures that were fetched for a profile."""
        self._tasks.write(f"forget {profile_id}", self.gallery().forget_profile(profile_id))

    async def aclose(self, patience: float) -> None:
        """Cancel the work under way and end the processes, all within `patience` seconds."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._tasks.aclose(patience))
            if self._gallery is not None:
                group.create_task(self._gallery.aclose(patience))
