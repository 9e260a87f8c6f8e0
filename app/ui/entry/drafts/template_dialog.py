"""Keeping what stands in the form as a template: its name, and which fields are fixed. It blocks nothing."""

import re
from collections.abc import Callable, Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QListWidget, QListWidgetItem, QWidget

from app.contract.draft import OrderDraft
from app.desk.drafts import templates
from app.desk.drafts.templates import Template
from app.ui.entry.form.entry_form import issue_place
from app.ui.entry.form.layout_data import FACILITY_CHOICES, SECTIONS, USE_ADDRESS
from app.ui.theme.tokens import OFFER_WIDTH, ROW_HEIGHT, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_EXPLAINED = "Ticked fields are fixed: every order begun from this template holds them. The others are asked each time."
_BLANKS = re.compile(r"[ \t\r\n]+")
_DEFAULT = "Begin every new order of this connection with it"
_PATH = Qt.ItemDataRole.UserRole
_ALWAYS_ASKED = ("orderReferenceNumber",)
# What is another in nearly every order, and so is not ticked at first.
_EACH_TIME = ("consignee.", "poNumber", "shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_ORDER = [
    path
    for section in SECTIONS
    for path in (*(plan.path for line in section.lines for plan in line), *([section.rows] if section.rows else []))
]


class TemplateDialog(QDialog):
    """Stands beside the window. `save` is handed the template and whether new orders begin with it."""

    def __init__(
        self,
        parent: QWidget,
        draft: OrderDraft,
        names: Collection[str],
        save: Callable[[Template, bool], object],
        current: Template | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save as template")
        self.setMinimumWidth(OFFER_WIDTH)
        self._draft, self._names, self._save = draft, names, save
        self.name = Field("Name of the template", required=True)
        self.fields = QListWidget()
        self.fields.setAccessibleName("Fixed fields")
        set_list_rows(self.fields)
        self.fields.setFrameShape(QFrame.Shape.NoFrame)
        self.fields.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fields.setMinimumHeight(6 * ROW_HEIGHT)
        self._list_fields(current)
        self.default = QCheckBox(_DEFAULT)
        self.default.setAccessibleName(_DEFAULT)
        self.save_button = button("Save template", self.keep, kind="primary")
        self.save_button.setDefault(True)
        self.name.changed.connect(self._say_what_it_replaces)
        self.setLayout(
            column(
                text_label("Save as template", "title"),
                self.name,
                text_label(_EXPLAINED, "soft", wrap=True),
                self.fields,
                self.default,
                row(None, button("Close", self.reject), self.save_button, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        if current is not None:
            self.name.put(current.name)
        self.name.editor.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        layout = self.layout()
        assert layout is not None
        # Qt gives a dialog at most two thirds of the screen, and takes the words that wrap for one line.
        self.setMinimumHeight(layout.totalMinimumHeightForWidth(self.width()))

    def _list_fields(self, current: Template | None) -> None:
        for path in sorted(templates.filled(self._draft), key=_place):
            words = f"{issue_place(path)}: {_said(path, templates.value_at(self._draft, path))}"
            item = QListWidgetItem(visible(words))
            item.setToolTip(plain_tooltip(words))
            item.setData(_PATH, path)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            fixed = not path.startswith(_EACH_TIME) if current is None else path in current.fixed
            item.setCheckState(Qt.CheckState.Checked if fixed else Qt.CheckState.Unchecked)
            self.fields.addItem(item)
        if self.fields.count():
            self.fields.setCurrentRow(0)

    def chosen(self) -> tuple[list[str], list[str]]:
        """The paths that are ticked, and those that are not."""
        items = [self.fields.item(at) for at in range(self.fields.count())]
        fixed = [each.data(_PATH) for each in items if each.checkState() == Qt.CheckState.Checked]
        return fixed, [each.data(_PATH) for each in items if each.data(_PATH) not in fixed]

    def _say_what_it_replaces(self) -> None:
        taken = self.name.text().strip() in self._names
        self.name.set_note("Takes the place of the template of this name." if taken else "")
        self.name.set_issue("" if self.name.text().strip() else "Required.")

    def keep(self) -> None:
        """Hand the template over; without a name it stays open."""
        name = self.name.text().strip()
        if not name:
            self.name.set_issue("Required.")
            self.name.show_issue_now()
            self.name.editor.setFocus()
            return
        fixed, asked = self.chosen()
        self._save(templates.made_of(name, self._draft, fixed, [*_ALWAYS_ASKED, *asked]), self.default.isChecked())
        self.accept()


def _place(path: str) -> int:
    """Where the eye meets a field in the form."""
    return _ORDER.index(path) if path in _ORDER else len(_ORDER)


def _said(path: str, value: object) -> str:
    """A field's content in one line."""
    if path == USE_ADDRESS:
        return dict(FACILITY_CHOICES).get(str(value), str(value))
    if isinstance(value, list):
        lines = [" ".join(str(part) for part in each.values() if part) for each in value if isinstance(each, dict)]
        return ", ".join(line for line in lines if line)
    return _BLANKS.sub(" ", str(value)).strip(" ")  # and nothing else that Python takes for a blank: it is shown
