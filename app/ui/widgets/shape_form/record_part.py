"""A record: its named members as fields and parts, and the members that have no name in the shape as rows."""

from collections.abc import Generator, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.shapes import ANY, Member, Shape
from app.ui.theme.tokens import SPACE_1, SPACE_3
from app.ui.widgets.field import AlignedLabels
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.folded_part import FoldedPart
from app.ui.widgets.shape_form.form_part import Finding, Kit, Part, Place
from app.ui.widgets.shape_form.members_part import MembersPart
from app.ui.widgets.text.labels import set_tip

_END = object()


class RecordPart(FoldedPart):
    """Parts are made some at once and the rest soon. Until a part is there, its value is the one that was put."""

    def __init__(self, kit: Kit, shape: Shape, place: Place) -> None:
        self._parts: dict[str, Part] = {}
        self._others: MembersPart | None = None
        self._found: list[Finding] = []  # the issues, for parts that are not there yet
        self._at = (0, 0)  # where the next part goes: line and column of the grid
        self._labels: list[QLabel] = []  # of the line that is being filled
        self._building: Generator[None, None, None] | None = None
        super().__init__(kit, shape, place)

    def make_body(self) -> QWidget:
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_1)
        for place in range(self.kit.columns):
            self._grid.setColumnStretch(place, 1)
        return body

    def fits(self, value: Value | Absent) -> bool:
        return isinstance(value, dict)

    def empty(self) -> Value:
        return {}

    def show_value(self, value: Value) -> None:
        assert isinstance(value, dict)
        self._source = value
        if self._building is None:
            self._building = self._build()
            self.kit.build(self, self._building)
            return
        for name, part in self._parts.items():
            part.put(value.get(name, ABSENT))
        if self._others is not None:
            self._others.put(self._unnamed())
        elif self._unnamed():
            self._add_others()

    def body_value(self) -> Value | Absent:
        """The record: what it had, with the fields of the form as they are now."""
        source = self._source if isinstance(self._source, dict) else {}
        now: dict[str, Value | Absent] = dict(source)
        if self._others is not None:
            now |= dict.fromkeys(self._unnamed(), ABSENT)
            now |= self._others.members()
        now |= {name: part.value() for name, part in self._parts.items()}
        return {name: value for name, value in now.items() if value is not ABSENT}

    def mistakes(self) -> Iterable[Finding]:
        if not self.is_open:
            return
        for name, part in self._parts.items():
            yield from (((name, *path), sentence) for path, sentence in part.mistakes())
        if self._others is not None:
            yield from self._others.mistakes()

    def show_inner(self, found: list[Finding]) -> None:
        self._found = found
        for name in self._parts:
            self._show_of(name)
        if self._others is not None:
            self._others.show_issues([each for each in found if each[0][0] not in self._parts])

    def show_issues_now(self) -> None:
        for part in (*self._parts.values(), *([self._others] if self._others is not None else [])):
            part.show_issues_now()

    def enter(self, path: Path) -> None:
        while (path[0] not in self._parts if path else not self._parts) and self._make_next():
            pass
        name = path[0] if path else next(iter(self._parts), "")
        part = self._parts.get(str(name), self._others)
        if part is not None:
            part.go_to(path[1:] if part is not self._others else path)

    # Making the parts

    def _make_next(self) -> bool:
        """Make the next part now; False if all are there."""
        return self._building is not None and next(self._building, _END) is not _END

    def _build(self) -> Generator[None, None, None]:
        for member in self.shape.members:
            if not member.read_only:
                self._add_part(member)
                yield
        if self.shape.others is not None or self._unnamed():
            self._add_others()

    def _add_part(self, member: Member) -> None:
        label = member.shape.title or words.in_words(member.name)
        part = self.kit.make(self.kit, member.shape, Place(member.name, label, member.required, self.place.depth + 1))
        if part.label is not None:
            set_tip(part.label, " · ".join(each for each in (member.name, member.shape.description) if each))
        self._parts[member.name] = part
        source = self._source if isinstance(self._source, dict) else {}
        part.put(source.get(member.name, ABSENT))
        self._place(part)
        self._connect(part)
        self._show_of(member.name)

    def _add_others(self) -> None:
        label = words.OTHERS if self.shape.members or self.place.label else ""
        place = Place("", label, required=not self.shape.members, depth=self.place.depth + 1)
        self._others = MembersPart(self.kit, self.shape.others or ANY, place)
        self._others.put(self._unnamed())
        self._place(self._others)
        self._connect(self._others)

    def _connect(self, part: Part) -> None:
        part.changed.connect(self.changed)
        part.went.connect(self.went)

    def _place(self, part: Part) -> None:
        self._put_in_grid(part)
        part.widget.show()  # Qt would do so in the next turn only, and until then the Tab key passes it by

    def _put_in_grid(self, part: Part) -> None:
        line, place = self._at
        if part.wide or part.label is None:
            line += place > 0
            self._grid.addWidget(part.widget, line, 0, 1, self.kit.columns)
            self._end_line(line)
            return
        self._grid.addWidget(part.widget, line, place, Qt.AlignmentFlag.AlignTop)
        self._labels.append(part.label)
        self._at = (line, place + 1)
        if place + 1 == self.kit.columns:
            self._end_line(line)

    def _end_line(self, line: int) -> None:
        """The next part stands below; the editors of this line stand on one level."""
        if len(self._labels) > 1:
            AlignedLabels(self._labels, self)
        self._at, self._labels = (line + 1, 0), []

    def _show_of(self, name: str) -> None:
        self._parts[name].show_issues([(path[1:], said) for path, said in self._found if path[0] == name])

    def _unnamed(self) -> dict[str, Value]:
        source = self._source if isinstance(self._source, dict) else {}
        return {name: value for name, value in source.items() if self.shape.member(name) is None}
