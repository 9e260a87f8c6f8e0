"""The dialog that saves the draft on screen as a template: its name, and which fields are fixed. It is not modal."""

import re
from collections.abc import Callable, Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QListWidget, QListWidgetItem, QWidget

from app.contract.draft import OrderDraft
from app.contract.order_rules import USE_ADDRESS
from app.desk.drafts import templates
from app.desk.drafts.templates import Template
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import issue_place
from app.ui.entry.form.layout_data import FACILITY_CHOICES, SECTIONS
from app.ui.theme.theme import SIZES
from app.ui.theme.tokens import OFFER_WIDTH, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_BLANKS = re.compile(r"[ \t\r\n]+")
_PATH = Qt.ItemDataRole.UserRole
_ALWAYS_ASKED = ("orderReferenceNumber",)
# Fields that differ in nearly every order, so they are not ticked at first.
_EACH_TIME = ("consignee.", "poNumber", "shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_ORDER = [
    path
    for section in SECTIONS
    for path in (*(plan.path for line in section.lines for plan in line), *([section.rows] if section.rows else []))
]


class TemplateDialog(QDialog):
    """`save` is called with the template, and with whether new orders begin with it."""

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
        self.setWindowTitle(translate("Save as template"))
        self.setMinimumWidth(OFFER_WIDTH)
        self._draft, self._names, self._on_save = draft, names, save
        self.name = Field(translate("Name of the template"), required=True)
        self.fields = QListWidget()
        self.fields.setAccessibleName(translate("Fixed fields"))
        set_list_rows(self.fields)
        self.fields.setFrameShape(QFrame.Shape.NoFrame)
        self.fields.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fields.setMinimumHeight(6 * SIZES.row_height)
        self._list_fields(current)
        self.default = QCheckBox(entry_words.BEGIN_EVERY_ORDER)
        self.default.setAccessibleName(entry_words.BEGIN_EVERY_ORDER)
        self.save_button = button(translate("Save template"), self.save, kind="primary")
        self.save_button.setDefault(True)
        self.name.changed.connect(self._show_name_note)
        self.setLayout(
            column(
                text_label(translate("Save as template"), "title"),
                self.name,
                text_label(entry_words.TEMPLATE_EXPLAINED, "soft", wrap=True),
                self.fields,
                self.default,
                row(None, button(translate("Close"), self.reject), self.save_button, gap=SPACE_2),
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
        # Qt gives a dialog at most two thirds of the screen, and counts text that wraps as one line.
        self.setMinimumHeight(layout.totalMinimumHeightForWidth(self.width()))

    def _list_fields(self, current: Template | None) -> None:
        for path in sorted(templates.filled(self._draft), key=_place):
            words = entry_words.field_value(issue_place(path), _shown(path, templates.value_at(self._draft, path)))
            item = QListWidgetItem(visible(words))
            item.setToolTip(plain_tooltip(words))
            item.setData(_PATH, path)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setSizeHint(QSize(0, SIZES.row_height))
            fixed = not path.startswith(_EACH_TIME) if current is None else path in current.fixed
            item.setCheckState(Qt.CheckState.Checked if fixed else Qt.CheckState.Unchecked)
            self.fields.addItem(item)
        if self.fields.count():
            self.fields.setCurrentRow(0)

    def fixed_and_asked(self) -> tuple[list[str], list[str]]:
        """The paths that are ticked, and those that are not."""
        items = [self.fields.item(at) for at in range(self.fields.count())]
        fixed = [each.data(_PATH) for each in items if each.checkState() == Qt.CheckState.Checked]
        return fixed, [each.data(_PATH) for each in items if each.data(_PATH) not in fixed]

    def _show_name_note(self) -> None:
        taken = self.name.text().strip() in self._names
        self.name.set_note(entry_words.REPLACES_TEMPLATE if taken else "")
        self.name.set_issue("" if self.name.text().strip() else entry_words.REQUIRED)

    def save(self) -> None:
        """Hand the template over. Without a name the dialog stays open."""
        name = self.name.text().strip()
        if not name:
            self.name.set_issue(entry_words.REQUIRED)
            self.name.show_issue_now()
            self.name.editor.setFocus()
            return
        fixed, asked = self.fixed_and_asked()
        self._on_save(templates.made_of(name, self._draft, fixed, [*_ALWAYS_ASKED, *asked]), self.default.isChecked())
        self.accept()


def _place(path: str) -> int:
    """The place of a field in the form, from top to bottom."""
    return _ORDER.index(path) if path in _ORDER else len(_ORDER)


def _shown(path: str, value: object) -> str:
    """A field's content in one line."""
    if path == USE_ADDRESS:
        return dict(FACILITY_CHOICES).get(str(value), str(value))
    if isinstance(value, list):
        lines = [" ".join(str(part) for part in each.values() if part) for each in value if isinstance(each, dict)]
        return ", ".join(line for line in lines if line)
    return _BLANKS.sub(" ", str(value)).strip(" ")  # other characters that Python takes for blanks stay: they are shown
