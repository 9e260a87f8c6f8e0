"""Templates on the entry page: begin from one, keep one, and what "submit and next" takes over from it."""

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import templates
from app.desk.drafts.templates import Template, Templates
from app.store.store_errors import StoreError
from app.ui.entry.drafts.open_drafts import OpenDrafts
from app.ui.entry.drafts.screen import Screen
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.text.labels import ampersands, text_label, visible


class TemplatesMenu(QObject):
    """Remembers which template each draft was begun from, also beyond the end of the program; `label` says it."""

    def __init__(self, theme: Theme, screen: Screen, open_drafts: OpenDrafts, page: QWidget) -> None:
        super().__init__(page)
        self._screen, self._drafts, self._page = screen, open_drafts, page
        self.known = Templates()
        self._begun: dict[str, str] = {}  # the template's name, by the draft's
        self._noted: set[str] = set()  # of these the journal knows it
        self.label = text_label("", "label", wrap=True)
        self.label.hide()
        self._menu = QMenu(page)
        self._menu.setAccessibleName("Templates")
        self._begin, self._gone = QMenu("New orders &begin with", self._menu), QMenu("&Delete", self._menu)
        made = button("Templates", self.show_menu, key="Alt+T", tip="Opens a menu")
        self.button = with_icon(made, theme, "file-text")

    # What is in force

    async def load(self, desk: Desk) -> None:
        """Read the templates of this desk."""
        self.known = await templates.load(desk)
        self._begun = {**self.known.begun, **self._begun}
        self._noted |= self.known.begun.keys()
        self.show_current()

    def forget(self) -> None:
        """Another desk: its templates are not known yet, and what is asked about one concerns the desk before."""
        for each in self._page.findChildren(TemplateDialog):
            each.close()
        self.known, self._begun, self._noted = Templates(), {}, set()

    @property
    def current(self) -> Template | None:
        """The template that the order on screen was begun from."""
        return self._of(self._screen.keeper.draft_id)

    def _of(self, draft_id: str) -> Template | None:
        return self.known.named(self._begun.get(draft_id, ""))

    def show_current(self) -> None:
        """Say which template is in force for the order on screen."""
        current = self.current
        words = "" if current is None else f"Begun from {current.name}"
        if current is not None and current == self.known.default:
            words = f"{words}, as every new order of this connection"
        self.label.setText(visible(words))
        self.label.setVisible(bool(words))

    def note(self) -> None:
        """The draft on screen is kept now: keep with it which template it was begun from."""
        draft_id = self._screen.keeper.draft_id
        name = self._begun.get(draft_id)
        if name is not None and draft_id not in self._noted:
            self._noted.add(draft_id)
            self._screen.tasks.write(f"template of {draft_id}", self._note(self._screen.desk, draft_id, name))

    async def _note(self, desk: Desk, draft_id: str, name: str) -> None:
        try:
            await templates.note_begun(desk, draft_id, name)
        except StoreError as error:
            self._noted.discard(draft_id)
            self._screen.bar.say("warn", f"Which template this draft was begun from was not kept. {error.sentence}")

    def _begin_from(self, draft_id: str, name: str) -> None:
        self._begun[draft_id] = name
        self._noted.discard(draft_id)
        self.show_current()

    def blank(self) -> OrderDraft:
        """What a new order begins with at this desk."""
        return templates.begin(self.known.default)

    def note_blank(self, draft_id: str) -> None:
        """This draft was begun as a new order."""
        if self.known.default is not None:
            self._begin_from(draft_id, self.known.default.name)

    def next_after(self, draft_id: str, sent: OrderDraft) -> OrderDraft:
        """The order that follows one that was begun under this draft's name."""
        return templates.next_after(self._of(draft_id), sent)

    def hand_on(self, old_id: str, new_id: str) -> None:
        """The order that follows is under the same template."""
        if old_id in self._begun:
            self._begin_from(new_id, self._begun[old_id])

    def next_asked(self) -> str | None:
        """The first field that the template asks for and that is empty still."""
        template = self.current
        if template is None:
            return None
        there = set(templates.filled(self._screen.form.draft(), template.asked))
        return next((path for path in template.asked if path not in there), None)

    # The menu

    def show_menu(self) -> None:
        """Open the menu below its button; nothing waits for it."""
        menu = self.menu()
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))
        menu.setActiveAction(menu.actions()[0])

    def menu(self) -> QMenu:
        """What can be done with the templates there are."""
        self._menu.clear()
        for place, each in enumerate(self.known.all, 1):
            key = f"&{place} " if place < 10 else ""
            self._add(self._menu, f"{key}{ampersands(each.name)}", partial(self.start, each))
        if self.known.all:
            self._menu.addSeparator()
        self._add(self._menu, "&Save as template…\tCtrl+Shift+S", self.ask_save)
        if self.known.all:
            self._add_choices()
        return self._menu

    def _add_choices(self) -> None:
        default = self.known.default
        for each in (self._begin, self._gone):
            each.clear()
            self._menu.addMenu(each)
        choices = [("&Blank", None), *((ampersands(template.name), template) for template in self.known.all)]
        for text, choice in choices:
            action = self._add(self._begin, text, partial(self._choose_default, choice))
            action.setCheckable(True)
            action.setChecked(choice == default)
        for template in self.known.all:
            self._add(self._gone, ampersands(template.name), partial(self._delete, template))

    def _add(self, menu: QMenu, text: str, act: "partial[None] | object") -> QAction:
        action = QAction(text, menu)
        action.triggered.connect(act)
        menu.addAction(action)
        return action

    # What it does

    def start(self, template: Template, *_checked: bool) -> None:
        """A new order from a template; what was typed stays in its draft."""
        self._screen.held.write("show draft", self._start(template))

    async def _start(self, template: Template) -> None:
        if await self._drafts.begin(templates.begin(template)):
            self._begin_from(self._screen.keeper.draft_id, template.name)
            self._screen.go_to_first()

    def ask_save(self) -> None:
        """Ask for a name and for what is fixed; while that is asked, show it again."""
        if open_now := [each for each in self._page.findChildren(TemplateDialog) if each.isVisible()]:
            open_now[0].raise_()
            open_now[0].activateWindow()
            return
        dialog = TemplateDialog(
            self._page,
            self._screen.form.draft(),
            {each.name for each in self.known.all},
            partial(self._save, self._screen.keeper.draft_id),
            self.current,
        )
        dialog.default.setChecked(self.current is not None and self.current == self.known.default)
        dialog.show()

    def _save(self, draft_id: str, template: Template, default: bool) -> None:
        self._begin_from(draft_id, template.name)
        begins = " New orders begin with it." if default else ""
        self._write(template, default, f"Template {template.name} is kept.{begins}")

    def _choose_default(self, template: Template | None, *_checked: bool) -> None:
        if template is not None:
            self._write(template, True, f"New orders begin with {template.name}.")
        elif self.known.default is not None:
            self._write(self.known.default, False, "New orders begin blank.")

    def _write(self, template: Template, default: bool, said: str) -> None:
        self._screen.tasks.write("templates", self._keep(self._screen.desk, template, default, said))

    async def _keep(self, desk: Desk, template: Template, default: bool, said: str) -> None:
        try:
            await templates.save(desk, template, default=default)
            await self.load(desk)
        except StoreError as error:
            self._screen.bar.say("bad", f"The template was not kept. {error.sentence}")
            return
        self._screen.bar.say("good", said)

    def _delete(self, template: Template, *_checked: bool) -> None:
        self._screen.tasks.write("templates", self._remove(self._screen.desk, template))

    async def _remove(self, desk: Desk, template: Template) -> None:
        was_default = template == self.known.default
        try:
            await templates.delete(desk, template.name)
            await self.load(desk)
        except StoreError as error:
            self._screen.bar.say("bad", f"The template was not deleted. {error.sentence}")
            return
        back = partial(self._write, template, was_default, f"Template {template.name} is there again.")
        self._screen.bar.say("", f"Template {template.name} was deleted.", "Undo", back, topic="deleted", undoes=True)
