"""The photo viewer: one, two or four photos side by side that move together, the film strip, and the tools.

By keys: 1 fits, 2 shows 100 %, 3 shows 200 %; C shows one, two or four; R and Shift+R turn, G is the loupe, V, B and T
draw an arrow, a box, words, Backspace takes the last mark away; Ctrl with the arrow keys changes the light and Ctrl+0
puts it back. On a photo itself the arrow keys move what is seen. Whoever holds the viewer gives A and D their meaning.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.desk.pictures import Key, ahead
from app.desk.reviewing import Mark, MarkKind, PhotoReview
from app.imaging.pixels import Pixels
from app.ui.page import Room
from app.ui.pictures import Gallery
from app.ui.theme.tokens import SPACE_1, SPACE_2, WORDS_SIZE
from app.ui.viewer.light_bar import LightBar
from app.ui.viewer.look import LIGHT_STEP, Look
from app.ui.viewer.pane import PhotoPane
from app.ui.viewer.photo import Photo
from app.ui.viewer.strip import FilmStrip
from app.ui.widgets.buttons import button, icon_button, shortcut, with_icon
from app.ui.widgets.labels import text_label, visible
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.times import moment

_SIDES = (1, 2, 4)
_TOOLS: tuple[tuple[MarkKind, str, str, str], ...] = (
    ("arrow", "move-up-right", "Draw an arrow", "V"),
    ("box", "square", "Draw a box", "B"),
    ("text", "type", "Write on the photo", "T"),
)


class PhotoViewer(QWidget):
    """`moved` tells the photo that is the current one, `said` what was drawn on a photo or how it was turned,
    `full_asked` that the whole screen is wanted, or no longer."""

    moved = Signal(object)
    said = Signal(str, object)
    full_asked = Signal()

    def __init__(self, room: Room, owner: str = "viewer") -> None:
        super().__init__()
        assert room.pictures is not None
        self._owner = owner  # who wants pictures: there may be more than one viewer
        self._room, self._pictures = room, room.pictures
        self._gallery: Gallery | None = None
        self.photos: tuple[Photo, ...] = ()
        self._reviews: dict[str, PhotoReview] = {}
        self._at, self._way, self._sides = 0, 1, 1
        self._look = Look()
        self._blank: Mark | None = None
        self.panes = [PhotoPane(room.theme, room.pictures) for _ in range(max(_SIDES))]
        self.strip = FilmStrip(room.theme, room.pictures)
        self.facts = text_label("", "soft")
        self.words = QLineEdit(self)
        self.words.setAccessibleName("Words to write on the photo")
        self.words.hide()
        self._build()
        self._keys()

    def _build(self) -> None:
        self.light = LightBar(self._room.theme)
        self.light.changed.connect(self._on_light)
        self.light.hide()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        for place, pane in enumerate(self.panes):
            self._grid.addWidget(pane, place // 2, place % 2)
            pane.looked.connect(self._on_looked)
            pane.drew.connect(self._on_drew)
            pane.words_asked.connect(self._ask_words)
            pane.pressed.connect(self._on_pressed)
            pane.again.connect(self.fetch_again)
            pane.resized.connect(self._want)
        self.strip.chosen.connect(self.go)
        self.strip.scrolled.connect(self._want)
        self.words.editingFinished.connect(self._keep_words)
        below = row(self.facts, margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1))
        tools = holding(self._tools(), "surface")
        whole = column(tools, self.light, self._grid, holding(below, "surface"), self.strip)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self._show_sides()

    def _tools(self) -> QHBoxLayout:
        theme = self._room.theme
        self.near = [
            button("Fit", self.fit, kind="quiet", tip="The whole photo  (1)"),
            button("100 %", self.whole, kind="quiet", tip="(2)"),
            button("200 %", self.double, kind="quiet", tip="(3)"),
        ]
        self.side = with_icon(
            button("1", self.next_sides, kind="quiet", tip="One photo, two or four side by side  (C)"),
            theme,
            "columns-2",
        )
        left = icon_button(theme, "rotate-ccw", "Turn to the left  (Shift+R)", self.turn_left)
        right = icon_button(theme, "rotate-cw", "Turn to the right  (R)", self.turn_right)
        self.glass = icon_button(theme, "zoom-in", "Loupe  (G)", self._toggle_loupe)
        self.tools: dict[MarkKind, QPushButton] = {
            kind: icon_button(theme, icon, f"{words}  ({key})", self._on_tool) for kind, icon, words, key in _TOOLS
        }
        self.lighting = icon_button(theme, "contrast", "Brightness and contrast  (L)", self._toggle_light)
        for each in (self.glass, self.lighting, *self.tools.values()):
            each.setCheckable(True)
        again = icon_button(theme, "refresh-cw", "Fetch this photo again  (Shift+T)", self.fetch_again)
        full = icon_button(theme, "expand", "Full screen  (F11)", self.full_asked.emit)
        return row(
            *self.near, self.side, left, right, self.glass, *self.tools.values(), self.lighting, None, again, full,
            margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1), gap=SPACE_1,
        )  # fmt: skip

    def _keys(self) -> None:
        for key, act in (
            ("1", self.fit),
            ("2", self.whole),
            ("3", self.double),
            ("C", self.next_sides),
            ("R", self.turn_right),
            ("Shift+R", self.turn_left),
            ("G", self.glass.click),
            ("L", self.lighting.click),
            ("Shift+T", self.fetch_again),
            ("Backspace", self.take_mark_away),
            ("Ctrl+Up", self.brighter),
            ("Ctrl+Down", self.darker),
            ("Ctrl+Left", self.flatter),
            ("Ctrl+Right", self.harder),
            ("Ctrl+0", self.as_it_is),
            ("F11", self.full_asked.emit),
        ):
            shortcut(self, key, act)
        for kind, _, _, key in _TOOLS:
            shortcut(self, key, self.tools[kind].click)

    # What is shown

    def take_desk(self) -> None:
        """The gallery shows another desk's pictures now."""
        if self._gallery is None:
            self._gallery = self._pictures()
            self._gallery.came.connect(self._on_came)
        self.show_photos(())

    def show_photos(self, photos: Sequence[Photo]) -> None:
        """Show these; the place stays if the same photo is still at it."""
        before = self.photo
        self.photos = tuple(photos)
        self._reviews = {each.address: each.review for each in photos}
        if before is None or self._at >= len(self.photos) or self.photos[self._at].address != before.address:
            self._at, self._way = 0, 1
        self._show()

    @property
    def photo(self) -> Photo | None:
        """The current photo."""
        return self.photos[self._at] if self._at < len(self.photos) else None

    def put_review(self, address: str, review: PhotoReview) -> None:
        """Show what was said of a photo."""
        self._reviews[address] = review
        self.photos = tuple(replace(each, review=self._reviews[each.address]) for each in self.photos)
        self._show()

    def go(self, at: int) -> None:
        """Go to the photo at a place of the strip; the look holds."""
        if 0 <= at < len(self.photos) and at != self._at:
            self._way = 1 if at > self._at else -1
            self._at = at
            self._show()
            self.moved.emit(self.photos[at])

    def go_to_place(self, place: int) -> None:
        """Go to the first photo of an answer, if it has one."""
        at = next((at for at, each in enumerate(self.photos) if each.place == place), None)
        if at is not None:
            self.go(at)

    def photo_before(self) -> None:
        """The photo before this one."""
        self.go(self._at - 1)

    def photo_after(self) -> None:
        """The photo after this one."""
        self.go(self._at + 1)

    def _show(self) -> None:
        self._keep_words()
        places = self._places()
        for pane, at in zip(self.panes, [*places, *[-1] * len(self.panes)], strict=False):
            photo = self.photos[at] if 0 <= at < len(self.photos) else None
            pane.current = self._sides > 1 and at == self._at
            pane.look = self._look
            pane.show_photo(photo, PhotoReview() if photo is None else self._reviews[photo.address])
        self.strip.show_photos(self.photos, places)
        self.strip.setVisible(len(self.photos) > 1)
        self._want()
        self._say_facts()

    def _places(self) -> range:
        """The photos on the screen: the current one and those after it, the last ones at the end."""
        first = max(min(self._at, len(self.photos) - self._sides), 0)
        return range(first, min(first + self._sides, len(self.photos)))

    def _want(self) -> None:
        """Tell the gallery what is on the screen and what will be."""
        if self._gallery is None:
            return
        panes = [each for each in self.panes[: self._sides] if each.photo is not None]
        shown = [key for each in panes for key in each.wanted()]
        next_ones: list[Key] = []
        if panes:
            box = panes[0].fit_key().box
            addresses = [each.address for each in self.photos]
            next_ones = [Key(address, box) for address in ahead(addresses, self._at, self._way)]
        self._gallery.want(self._owner, shown, self.strip.keys_in_sight() if self.photos else (), next_ones)
        for each in panes:
            each.refresh()

    def _on_came(self, key: Key) -> None:
        for each in self.panes[: self._sides]:
            if each.photo is not None and key.address == each.photo.address:
                each.refresh()
        self.strip.viewport().update()
        self._say_facts()

    def _say_facts(self) -> None:
        photo, pixels = self.photo, self._current_pane().pixels
        if photo is None:
            self.facts.setText("")
            return
        told = [f"{self._at + 1} of {len(self.photos)}", photo.address.rpartition("/")[2] or photo.address]
        if isinstance(pixels, Pixels):
            facts = pixels.facts
            told += [f"{facts.full.width:,} × {facts.full.height:,}", facts.format, taken(facts.taken), facts.camera]
            told += ["the end of the file is missing"] if facts.cut_off else []
        self.facts.setText(visible(" · ".join(part for part in told if part)))

    def _current_pane(self) -> PhotoPane:
        return self.panes[min(self._at - self._places().start, self._sides - 1) if self.photos else 0]

    # How it is looked at

    def _on_looked(self, look: Look) -> None:
        self._look = look
        for each in self.panes:
            each.look = look
        self.light.show_light(look.brightness, look.contrast)
        self._want()

    def fit(self) -> None:
        """The whole photo."""
        self._on_looked(self._look.at(None))

    def whole(self) -> None:
        """A pixel of the screen for each of the photo's."""
        self._on_looked(self._look.at(1.0))

    def double(self) -> None:
        """Twice as near."""
        self._on_looked(self._look.at(2.0))

    def next_sides(self) -> None:
        """One photo, two or four side by side."""
        self._sides = _SIDES[(_SIDES.index(self._sides) + 1) % len(_SIDES)]
        self._show_sides()
        self._show()

    def _show_sides(self) -> None:
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < self._sides)
        self.side.setText(f" {self._sides}")
        self.side.setAccessibleName(f"Photos side by side: {self._sides}")

    def _toggle_loupe(self) -> None:
        for each in self.panes:
            each.loupe = self.glass.isChecked()
        self._want()

    def brighter(self) -> None:
        """A step brighter."""
        self._light(LIGHT_STEP, 0)

    def darker(self) -> None:
        """A step darker."""
        self._light(-LIGHT_STEP, 0)

    def harder(self) -> None:
        """A step more contrast."""
        self._light(0, LIGHT_STEP)

    def flatter(self) -> None:
        """A step less contrast."""
        self._light(0, -LIGHT_STEP)

    def as_it_is(self) -> None:
        """Brightness and contrast as the photo has them."""
        self._on_looked(self._look.lit(0, 0))

    def _toggle_light(self) -> None:
        self.light.setVisible(self.lighting.isChecked())

    def _on_light(self, brightness: int, contrast: int) -> None:
        self._on_looked(self._look.lit(brightness, contrast))

    def _light(self, brightness: int, contrast: int) -> None:
        self._on_looked(self._look.lit(self._look.brightness + brightness, self._look.contrast + contrast))

    # What is said of a photo

    def turn_right(self) -> None:
        """Turn the current photo by a quarter; that is kept."""
        self._turn(90)

    def turn_left(self) -> None:
        """The other way."""
        self._turn(270)

    def _turn(self, by: int) -> None:
        photo = self.photo
        if photo is not None:
            review = self._reviews[photo.address]
            self.said.emit(photo.address, replace(review, turned=(review.turned + by) % 360))

    def take_mark_away(self) -> None:
        """Take the last mark of the current photo away."""
        photo = self.photo
        if photo is not None and self._reviews[photo.address].marks:
            review = self._reviews[photo.address]
            self.said.emit(photo.address, replace(review, marks=review.marks[:-1]))

    def fetch_again(self) -> None:
        """Fetch the current photo anew."""
        if self._gallery is not None and self.photo is not None:
            for key in self._current_pane().wanted():
                self._gallery.again(key)
            self._current_pane().refresh()

    def _on_tool(self) -> None:
        """One tool at most is in the hand."""
        pressed = next((kind for kind, each in self.tools.items() if each is self.sender()), None)
        for kind, each in self.tools.items():
            each.setChecked(each.isChecked() and kind == pressed)
        tool = pressed if pressed is not None and self.tools[pressed].isChecked() else None
        for pane in self.panes:
            pane.tool = tool
            pane.setCursor(Qt.CursorShape.ArrowCursor if tool is None else Qt.CursorShape.CrossCursor)

    def _on_pressed(self) -> None:
        pane = self.sender()
        place = next((at for at, each in enumerate(self.panes) if each is pane), 0)
        self.go(self._places().start + place)

    def _on_drew(self, mark: Mark) -> None:
        photo = self.photo
        if photo is not None:
            review = self._reviews[photo.address]
            self.said.emit(photo.address, replace(review, marks=(*review.marks, mark)))

    def _ask_words(self, place: QPoint, blank: Mark) -> None:
        pane = self._current_pane()
        self._blank = blank
        self.words.setParent(pane)
        self.words.setGeometry(_inside(pane, place))
        self.words.clear()
        self.words.show()
        self.words.setFocus()

    def _keep_words(self) -> None:
        blank, self._blank = self._blank, None
        if blank is None:
            return
        text = self.words.text().strip()
        self.words.hide()
        if text:
            self._on_drew(replace(blank, text=text))


def _inside(pane: QWidget, place: QPoint) -> QRect:
    """A line to type in at a place of the pane, moved so that it is seen whole."""
    width, height = WORDS_SIZE
    left = min(max(place.x(), 0), max(pane.width() - width, 0))
    top = min(max(place.y(), 0), max(pane.height() - height, 0))
    return QRect(left, top, width, height)


def taken(told: str) -> str:
    """When a camera says a photo was taken, as other times are written; its own words where they are no time."""
    try:
        return moment(datetime.strptime(told, "%Y:%m:%d %H:%M:%S"))
    except ValueError:
        return told
