"""The photo viewer: one, two or four photos side by side that move together, the film strip, and the tools.

By keys: 1 fits, 2 shows 100 %, 3 shows 200 %, + and - go nearer and farther; C shows one, two or four; R and Shift+R
turn, G is the loupe, V, B and T draw an arrow, a box, words, Backspace takes the last mark away; Ctrl with the arrow
keys changes the light and Ctrl+0 puts it back. On a photo itself the arrow keys move what is seen, or the pointer of
the tool in the hand, and Enter is its button. The page that opens the viewer gives A and D their meaning.
"""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.desk.audits.audit_reviews import Mark, PhotoReview
from app.desk.files.album import Key, prefetch_order
from app.imaging.pixels import Pixels
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.theme.tokens import VIEWER_LOW
from app.ui.viewer.film_strip import FilmStrip
from app.ui.viewer.look import LIGHT_STEP, Look
from app.ui.viewer.mark_text import MarkTextLine
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_facts import PhotoFacts
from app.ui.viewer.photo_pane import PhotoPane
from app.ui.viewer.viewer_tools import LightBar, Tools
from app.ui.viewer.viewer_words import NO_PHOTO_HERE, NO_PHOTOS, NOT_KNOWN_YET, file_words, place_words
from app.ui.viewer.visible_regions import PIXEL_BUDGET, VisibleRegions
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.layout import column, holding

_SIDES = (1, 2, 4)
_AHEAD = 4  # photos that may be shown next
_ZOOM_STEP = 1.25
_SETTLED_MS = 120  # after the last change of the panes' size: at each of them every photo would be decoded anew


class PhotoViewer(QWidget):
    """`moved` carries the photo that became the current one, or None at an answer without a photo; `review_changed` an
    address and its new review.
    `full_asked` asks to fill the screen, or to give it back."""

    moved = Signal(object)
    review_changed = Signal(str, object)
    full_asked = Signal()

    def __init__(self, services: PageServices, owner: str = "viewer") -> None:
        super().__init__()
        assert services.pictures is not None
        self._owner = owner  # who wants pictures: there may be more than one viewer
        self._services, self._pictures = services, services.pictures
        self._gallery: Gallery | None = None
        self.photos: tuple[Photo, ...] = ()
        self._reviews: dict[str, PhotoReview] = {}
        self._at, self._way, self._sides = 0, 1, 1
        self._bare: int | None = None  # the place of the current answer, where it has no photo
        self._known = True  # whether there are photos
        self._first = 0  # the first of those on the screen
        self._look = Look()
        self._regions = VisibleRegions()
        self.panes = [PhotoPane(services.theme, services.pictures, self._regions) for _ in range(max(_SIDES))]
        self.strip = FilmStrip(services.theme, services.pictures)
        self.facts = PhotoFacts(services.theme)
        self.mark_text = MarkTextLine(self)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLED_MS)
        self._settling.timeout.connect(self._want)
        self._build()
        self._keys()

    def _build(self) -> None:
        self.light = LightBar(self._services.theme)
        self.light.changed.connect(self._on_light)
        self.light.hide()
        self.tools = Tools(self._services.theme)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        for place, pane in enumerate(self.panes):
            self._grid.addWidget(pane, place // 2, place % 2)
            pane.look_changed.connect(self._on_looked)
            pane.mark_drawn.connect(self._on_drew)
            pane.text_asked.connect(self._ask_words)
            pane.pressed.connect(self._on_pressed)
            pane.refetch_asked.connect(self.refetch)
            pane.loupe_moved.connect(self._want)
            pane.tools_dropped.connect(self.tools.drop_tools)
            pane.resized.connect(self._settling.start)
        self.strip.chosen.connect(self.go)
        self.strip.entered.connect(self._give_keys)
        self.strip.scrolled.connect(self._want)
        self.mark_text.entered.connect(self._on_drew)
        for signal, act in (
            (self.tools.zoom_asked, self.look_at),
            (self.tools.sides_asked, self.next_sides),
            (self.tools.turn_asked, self._turn),
            (self.tools.tool_changed, self._on_tool),
            (self.tools.light_toggled, self.light.setVisible),
            (self.tools.refetch_asked, self.refetch),
            (self.tools.full_asked, self._ask_full),
        ):
            signal.connect(act)
        whole = column(holding(column(self.tools), "surface"), self.light, self._grid, self.facts, self.strip)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self._show_sides()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.be_low(self.height() < VIEWER_LOW)

    def _keys(self) -> None:
        self.tools.add_keys(self)
        for key, act in (
            ("+", self.zoom_in),
            ("=", self.zoom_in),  # the same key without Shift
            ("-", self.zoom_out),
            ("Backspace", self.remove_last_mark),
            ("Ctrl+Up", self.brighter),
            ("Ctrl+Down", self.darker),
            ("Ctrl+Left", self.less_contrast),
            ("Ctrl+Right", self.more_contrast),
            ("Ctrl+0", self.reset_light),
        ):
            shortcut(self, key, act)

    # What is shown

    def take_desk(self) -> None:
        """The gallery shows another desk's pictures now."""
        if self._gallery is None:
            self._gallery = self._pictures()
            self._gallery.loaded.connect(self._on_loaded)
        self._regions.keep(())
        self.show_photos(())

    def show_photos(self, photos: Sequence[Photo], *, known: bool = True) -> None:
        """Show these; the place stays if the same photo is still at it. Not `known`: whether there are any."""
        self._known = known
        before = self.photos[self._at] if self._at < len(self.photos) else None
        self.photos, self._bare = tuple(photos), None
        self._reviews = {each.address: each.review for each in photos}
        if before is None or self._at >= len(self.photos) or self.photos[self._at].address != before.address:
            self._at, self._way = 0, 1
        self._show()

    @property
    def _none_words(self) -> str:
        if not self._known:
            return NOT_KNOWN_YET
        return NO_PHOTOS if self._bare is None else NO_PHOTO_HERE

    @property
    def photo(self) -> Photo | None:
        """The current photo; None at an answer without a photo."""
        return self.photos[self._at] if self._bare is None and self._at < len(self.photos) else None

    def put_review(self, address: str, review: PhotoReview) -> None:
        """Show the review of a photo."""
        self._reviews[address] = review
        self.photos = tuple(replace(each, review=self._reviews[each.address]) for each in self.photos)
        self._show()

    def go(self, at: int) -> None:
        """Go to the photo at a place of the strip; the look holds."""
        if 0 <= at < len(self.photos) and (at != self._at or self._bare is not None):
            self._way = 1 if at > self._at or self._at_bare_before(at) else -1
            self._at, self._bare = at, None
            self._show()
            self.moved.emit(self.photos[at])

    def go_to_place(self, place: int) -> None:
        """Go to the first photo of an answer. An answer without one shows none: the photo of another answer would seem
        to be its own."""
        at = next((at for at, each in enumerate(self.photos) if each.place == place), None)
        if at is not None:
            self.go(at)
        elif self.photos and self._bare != place:
            self._bare = place
            # The photo before it, so that the photo after it is one step on; the first one where there is none before.
            self._at = max(sum(each.place < place for each in self.photos) - 1, 0)
            self._show()
            self.moved.emit(None)

    def photo_before(self) -> None:
        """The photo before this one, or before the answer without a photo."""
        here = self._bare is not None and self.photos[self._at].place < self._bare
        self.go(self._at if here else self._at - 1)

    def photo_after(self) -> None:
        """The photo after this one, or after the answer without a photo."""
        self.go(self._at if self._at_bare_before(self._at) else self._at + 1)

    def _at_bare_before(self, at: int) -> bool:
        """Whether the current answer has no photo, and stands before the photo at a place of the strip."""
        return self._bare is not None and self.photos[at].place > self._bare

    def _show(self) -> None:
        # Before the panes change: a text that is being typed belongs to the photo that is shown now.
        self.mark_text.keep()
        places = self._places()
        self._first = places.start
        for pane, at in zip(self.panes, [*places, *[-1] * len(self.panes)], strict=False):
            photo = self.photos[at] if 0 <= at < len(self.photos) else None
            pane.current = self._sides > 1 and at == self._at and self._bare is None
            pane.says_none = not places and pane is self.panes[0]
            pane.none_words = self._none_words
            pane.look = self._look
            pane.show_photo(photo, PhotoReview() if photo is None else self._reviews[photo.address])
        self.strip.show_photos(self.photos, places, self._at)
        self.strip.setVisible(len(self.photos) > 1)
        if any(pane.hasFocus() for pane in self.panes):
            self._give_keys()
        self._want()
        self._show_facts()

    def _places(self) -> range:
        """The photos on the screen. They stay as long as the current one is among them, so that none moves away under
        the pointer."""
        first = min(max(self._first, self._at - self._sides + 1), self._at)
        first = max(min(first, len(self.photos) - self._sides), 0)
        if self._bare is not None and self._sides == 1:
            return range(first, first)
        return range(first, min(first + self._sides, len(self.photos)))

    def _give_keys(self) -> None:
        """Give the keyboard, and the pointer of a tool, to the current photo."""
        now = self._current_pane()
        pointed = any(each.by_keys for each in self.panes)
        for each in self.panes:
            if each is not now:
                each.stop_pointing()
        now.setFocus()
        if pointed and (now.tool is not None or now.loupe):
            now.point()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._want()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._want()

    def _want(self) -> None:
        """Tell the gallery which pictures are needed now and next; none while the viewer is hidden."""
        # The request that is waiting for the panes to settle is made now.
        self._settling.stop()
        if self._gallery is None:
            return
        panes = self.panes[: self._sides]
        if not self.photos or not self.isVisible():
            self._gallery.want(self._owner)
            return
        shown = [key for each in panes for key in each.wanted()]
        self._gallery.want(self._owner, shown, self.strip.keys_in_sight(), self._next_keys(panes[0]))
        for each in panes:
            each.refresh()

    def _next_keys(self, pane: PhotoPane) -> list[Key]:
        """The pictures that may be shown next: the whole photos, and the regions that would be visible."""
        addresses = [each.address for each in self.photos]
        places = self._places() or range(self._at, self._at + 1)
        next_ones = prefetch_order(addresses, places[-1] if self._way > 0 else places.start, self._way)
        # Regions of other photos are forgotten, so that a long evening of paging does not gather them.
        self._regions.keep({*next_ones, *(addresses[at] for at in places)})
        found: list[Key] = []
        for address in next_ones:
            turned = self._reviews[address].turned
            found.append(pane.fit_key_of(address, turned))
            sight = self._regions.key(address, turned, self._look, pane.room(), pane.pixel_budget)
            found += [] if sight is None else [sight]
        return found

    def _on_loaded(self, key: Key) -> None:
        if self._gallery is None or not self.isVisible():
            return
        found = self._gallery.look(key)
        if isinstance(found, Pixels):
            self._regions.learn(key.address, found.facts.full)
        for each in self.panes[: self._sides]:
            if each.photo is not None and key.address == each.photo.address:
                each.refresh()
        self._want()  # the size of the photo is known now, so its visible region can be asked for
        self.strip.viewport().update()
        self._show_facts()

    def _show_facts(self) -> None:
        photo, pane = self.photo, self._current_pane()
        if photo is None:
            self.facts.show_lines("" if self._bare is None else NO_PHOTO_HERE, "")
            return
        self.facts.show_lines(
            place_words(self._at + 1, len(self.photos), photo.caption),
            file_words(photo, pane.pixels, pane.trouble),
        )

    def _current_pane(self) -> PhotoPane:
        return self.panes[min(self._at - self._places().start, self._sides - 1) if self.photos else 0]

    # Zoom and light

    def _on_looked(self, look: Look) -> None:
        self._look = look
        for each in self.panes:
            each.look = look
        self.light.show_light(look.brightness, look.contrast)
        self._want()

    def fit(self) -> None:
        """Fit the photo into its pane."""
        self.look_at(None)

    def whole(self) -> None:
        """Show the photo at 100 %."""
        self.look_at(1.0)

    def look_at(self, zoom: float | None) -> None:
        """Set the zoom: pixels of the screen for one of the photo; None fits the photo into its pane."""
        self._on_looked(self._look.at(zoom))

    def zoom_in(self) -> None:
        """Zoom in a step, around the middle."""
        self._zoom(_ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom out a step."""
        self._zoom(1 / _ZOOM_STEP)

    def _zoom(self, factor: float) -> None:
        pane = self._current_pane()
        pane.zoom_at(factor, QPointF(pane.width() / 2, pane.height() / 2))

    def next_sides(self) -> None:
        """Show one photo, two or four side by side, in turn."""
        had_keys = any(pane.hasFocus() for pane in self.panes)
        self._sides = _SIDES[(_SIDES.index(self._sides) + 1) % len(_SIDES)]
        self._show_sides()
        self._show()
        if had_keys:
            self._give_keys()

    def _show_sides(self) -> None:
        for place, pane in enumerate(self.panes):
            pane.pixel_budget = PIXEL_BUDGET // (self._sides + _AHEAD)
            pane.setVisible(place < self._sides)
        self._grid.activate()  # so that photos are wanted in the size they will have
        self.tools.show_sides(self._sides)

    def _on_tool(self) -> None:
        tool, loupe = self.tools.tool(), self.tools.loupe.isChecked()
        for pane in self.panes:
            pane.set_tool(tool, loupe=loupe)
        if tool is not None or loupe:
            pane = self._current_pane()
            pane.setFocus()
            next((each for each in self.panes if each.isVisible() and each.underMouse()), pane).point()
        self._want()

    def brighter(self) -> None:
        """Brighter, by a step."""
        self._step_light(LIGHT_STEP, 0)

    def darker(self) -> None:
        """Darker, by a step."""
        self._step_light(-LIGHT_STEP, 0)

    def more_contrast(self) -> None:
        """More contrast, by a step."""
        self._step_light(0, LIGHT_STEP)

    def less_contrast(self) -> None:
        """Less contrast, by a step."""
        self._step_light(0, -LIGHT_STEP)

    def reset_light(self) -> None:
        """Set brightness and contrast back to those of the photo."""
        self._on_looked(self._look.lit(0, 0))

    def _on_light(self, brightness: int, contrast: int) -> None:
        self._on_looked(self._look.lit(brightness, contrast))

    def _step_light(self, brightness: int, contrast: int) -> None:
        self._on_looked(self._look.lit(self._look.brightness + brightness, self._look.contrast + contrast))

    # The review of a photo

    def _turn(self, by: int) -> None:
        """Turn the current photo to the right; its review keeps the turn."""
        photo = self.photo
        if photo is not None:
            review = self._reviews[photo.address]
            self.review_changed.emit(photo.address, replace(review, turned=(review.turned + by) % 360))

    def remove_last_mark(self) -> None:
        """Remove the last mark of the current photo."""
        photo = self.photo
        if photo is not None and self._reviews[photo.address].marks:
            review = self._reviews[photo.address]
            self.review_changed.emit(photo.address, replace(review, marks=review.marks[:-1]))

    def refetch(self) -> None:
        """Fetch the current photo anew."""
        if self._gallery is not None and self.photo is not None:
            for key in self._current_pane().wanted():
                self._gallery.retry(key)
            self._current_pane().refresh()

    def _on_pressed(self) -> None:
        pane = self.sender()
        place = next((at for at, each in enumerate(self.panes) if each is pane), 0)
        self.go(self._places().start + place)

    def _on_drew(self, address: str, mark: Mark) -> None:
        """Add a mark to a photo, which need not be the current one any more."""
        review = self._reviews.get(address)
        if review is not None:
            self.review_changed.emit(address, replace(review, marks=(*review.marks, mark)))

    def _ask_words(self, place: QPoint, address: str, blank: Mark) -> None:
        pane = self.sender()
        assert isinstance(pane, PhotoPane)
        self.mark_text.ask(pane, place, address, blank)

    def _ask_full(self) -> None:
        self.full_asked.emit()
        self._current_pane().setFocus()  # the widget that had the keyboard may be hidden now
