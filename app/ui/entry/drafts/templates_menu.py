"""Templates on the entry page: the menu of templates, the default, and the template that each draft was begun from.

The page puts drafts on screen; this part reports a choice by its signals and is told by `show_draft` what is on screen.
"""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import templates
from app.desk.drafts.templates import Template, Templates
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.text.labels import ampersands, text_label, visible

if TYPE_CHECKING:
    from app.store.team.team_file import SharedThing
    from app.ui.base.team_sharing import TeamSharing

_LONGEST_NAME = 60  # of a template that is taken over


class TemplatesMenu(QObject):
    """`label` names the template of the draft on screen. Which template a draft was begun from is stored with it."""

    chosen = Signal(object)  # the `Template` that a new order begins with
    save_chosen = Signal()  # the draft on screen is to become a template

    def __init__(self, theme: Theme, tasks: Tasks, bar: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._tasks, self._bar, self._window = tasks, bar, window
        self._desk: Desk | None = None
        self._draft_id = ""
        self.known = Templates()
        self._begun: dict[str, str] = {}  # template name by draft id
        self._stored: set[str] = set()  # the draft ids of `_begun` that the journal holds
        self.label = text_label("", "label", wrap=True)
        self.label.hide()
        self._menu = QMenu(window)
        self._menu.setAccessibleName(translate("Templates"))
        self._default_menu = QMenu(translate("New orders &begin with"), self._menu)
        self._delete_menu = QMenu(translate("&Delete"), self._menu)
        self._share_menu = QMenu(translate("S&hare with the team"), self._menu)
        self._stop_menu = QMenu(translate("S&top sharing"), self._menu)
        made = button(translate("Templates"), self.show_menu, key="Alt+T", tip=translate("Opens a menu"))
        self.button = with_icon(made, theme, "file-text")

    # The templates of a desk, and of each draft

    def take_desk(self, desk: Desk) -> None:
        """Another desk, whose templates are not known yet. An open dialog is about the desk before, so it closes."""
        for dialog in self._window.findChildren(TemplateDialog):
            dialog.close()
        self._desk = desk
        self.known, self._begun, self._stored = Templates(), {}, set()

    async def load(self, desk: Desk) -> None:
        """Read the templates of this desk."""
        self.known = await templates.load(desk)
        # What was begun while they were read stands over what the journal says.
        self._begun = {**self.known.begun, **self._begun}
        self._stored |= self.known.begun.keys()
        self._show_current()

    @property
    def current(self) -> Template | None:
        """The template that the draft on screen was begun from."""
        return self._template_of(self._draft_id)

    def _template_of(self, draft_id: str) -> Template | None:
        return self.known.named(self._begun.get(draft_id, ""))

    def show_draft(self, draft_id: str) -> None:
        """Name the template of this draft, which is on screen now."""
        self._draft_id = draft_id
        self._show_current()

    def _show_current(self) -> None:
        current = self.current
        default = current is not None and current == self.known.default
        words = "" if current is None else entry_words.begun_from(current.name, default=default)
        self.label.setText(visible(words))
        self.label.setVisible(bool(words))

    def on_saved(self) -> None:
        """The draft on screen is in the journal now: store its template beside it."""
        draft_id, name = self._draft_id, self._begun.get(self._draft_id)
        # After the draft itself: the store keeps only the entries of drafts that are open in the journal.
        if self._desk is not None and name is not None and draft_id not in self._stored:
            self._stored.add(draft_id)
            self._tasks.write(f"template of {draft_id}", self._store_begun(self._desk, draft_id, name))

    async def _store_begun(self, desk: Desk, draft_id: str, name: str) -> None:
        try:
            await templates.note_begun(desk, draft_id, name)
        except StoreError as error:
            self._stored.discard(draft_id)
            self._bar.say("warn", entry_words.template_of_draft_not_saved(error.sentence))

    def set_template(self, draft_id: str, name: str) -> None:
        """This draft was begun from the template of this name."""
        self._begun[draft_id] = name
        self._stored.discard(draft_id)
        self._show_current()

    def blank(self) -> OrderDraft:
        """The draft that a new order of this desk begins with."""
        return templates.begin(self.known.default)

    def on_blank(self, draft_id: str) -> None:
        """This draft was begun as a new order."""
        if self.known.default is not None:
            self.set_template(draft_id, self.known.default.name)

    def next_after(self, draft_id: str, sent: OrderDraft) -> OrderDraft:
        """The order that follows one that was sent from this draft."""
        return templates.next_after(self._template_of(draft_id), sent)

    def hand_on(self, old_id: str, new_id: str) -> None:
        """The draft that follows has the same template."""
        if old_id in self._begun:
            self.set_template(new_id, self._begun[old_id])

    def next_asked(self, draft: OrderDraft) -> str | None:
        """The path of the first field that the template asks for and that is still empty."""
        template = self.current
        if template is None:
            return None
        filled = set(templates.filled(draft, template.asked))
        return next((path for path in template.asked if path not in filled), None)

    # The menu

    def show_menu(self) -> None:
        """Open the menu below its button; nothing waits for it."""
        menu = self.menu()
        # `popup` and not `exec`, which would nest an event loop (pitfall 2).
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))
        menu.setActiveAction(menu.actions()[0])

    def menu(self) -> QMenu:
        """The menu as it is now; it is filled anew each time."""
        self._menu.clear()
        for place, each in enumerate(self.known.all, 1):
            key = f"&{place} " if place < 10 else ""
            self._add(self._menu, f"{key}{ampersands(each.name)}", partial(self._choose, each))
        if self.known.all:
            self._menu.addSeparator()
        self._add(self._menu, f"{translate('&Save as template…')}\tCtrl+Shift+S", self.save_chosen.emit)
        if self.known.all:
            self._add_choices()
        if self._desk is not None and self._desk.team is not None:
            self._add_team()
        return self._menu

    def _add_team(self) -> None:
        self._menu.addSeparator()
        for menu, act in ((self._share_menu, self._share), (self._stop_menu, self._stop_sharing)):
            menu.clear()
            if self.known.all:
                self._menu.addMenu(menu)
            for template in self.known.all:
                self._add(menu, ampersands(template.name), partial(act, template))
        self._add(self._menu, translate("&From the team…"), self._offer_shared)

    def _sharing(self) -> "TeamSharing":
        from app.desk.team.sharing import TEMPLATE  # not loaded for a desk without a team
        from app.ui.base.team_sharing import TeamSharing

        assert self._desk is not None
        return TeamSharing(self._window, self._tasks, self._bar, self._desk, TEMPLATE)

    def _share(self, template: Template, *_checked: bool) -> None:
        self._sharing().share(template.name, templates.record_of(template))

    def _stop_sharing(self, template: Template, *_checked: bool) -> None:
        self._sharing().stop(template.name)

    def _offer_shared(self, *_checked: bool) -> None:
        self._sharing().offer(self.button.mapToGlobal(QPoint(0, self.button.height())), self._take)

    def _take(self, thing: "SharedThing") -> None:
        if self._desk is not None:
            self._tasks.write("templates", self._take_over(self._desk, thing))

    async def _take_over(self, desk: Desk, thing: "SharedThing") -> None:
        from app.desk.team.sharing import content_of, free_name

        name = free_name(thing, [each.name for each in self.known.all], _LONGEST_NAME)
        template = templates.read_shared(name, content_of(thing))
        if template is None:
            self._bar.say("warn", entry_words.template_not_understood(thing.name, thing.person))
            return
        await self._store(desk, template, False, entry_words.template_taken_over(name, thing.person))

    def _add_choices(self) -> None:
        default = self.known.default
        for each in (self._default_menu, self._delete_menu):
            each.clear()
            self._menu.addMenu(each)
        blank: list[tuple[str, Template | None]] = [(translate("&Blank"), None)]
        for text, choice in [*blank, *((ampersands(template.name), template) for template in self.known.all)]:
            action = self._add(self._default_menu, text, partial(self._choose_default, choice))
            action.setCheckable(True)
            action.setChecked(choice == default)
        for template in self.known.all:
            self._add(self._delete_menu, ampersands(template.name), partial(self._delete, template))

    def _add(self, menu: QMenu, text: str, act: "partial[None] | object") -> QAction:
        action = QAction(text, menu)
        action.triggered.connect(act)
        menu.addAction(action)
        return action

    def _choose(self, template: Template, *_checked: bool) -> None:
        self.chosen.emit(template)

    # Saving and deleting

    def ask_save(self, draft: OrderDraft) -> None:
        """Ask for a name and for the fixed fields. A dialog that is open already comes to the front."""
        if open_now := [each for each in self._window.findChildren(TemplateDialog) if each.isVisible()]:
            open_now[0].raise_()
            open_now[0].activateWindow()
            return
        save = partial(self._save, self._draft_id)
        dialog = TemplateDialog(self._window, draft, {each.name for each in self.known.all}, save, self.current)
        dialog.default.setChecked(self.current is not None and self.current == self.known.default)
        dialog.show()

    def _save(self, draft_id: str, template: Template, default: bool) -> None:
        self.set_template(draft_id, template.name)
        self._write(template, default, entry_words.template_saved(template.name, default=default))

    def _choose_default(self, template: Template | None, *_checked: bool) -> None:
        if template is not None:
            self._write(template, True, entry_words.new_orders_begin_with(template.name))
        elif self.known.default is not None:
            self._write(self.known.default, False, entry_words.NEW_ORDERS_BEGIN_BLANK)

    def _write(self, template: Template, default: bool, sentence: str) -> None:
        if self._desk is not None:
            self._tasks.write("templates", self._store(self._desk, template, default, sentence))

    async def _store(self, desk: Desk, template: Template, default: bool, sentence: str) -> None:
        try:
            await templates.save(desk, template, default=default)
            await self.load(desk)
        except StoreError as error:
            self._bar.say("bad", entry_words.template_not_saved(error.sentence))
            return
        self._bar.say("good", sentence)

    def _delete(self, template: Template, *_checked: bool) -> None:
        if self._desk is not None:
            self._tasks.write("templates", self._remove(self._desk, template))

    async def _remove(self, desk: Desk, template: Template) -> None:
        was_default = template == self.known.default
        try:
            await templates.delete(desk, template.name)
            await self.load(desk)
        except StoreError as error:
            self._bar.say("bad", entry_words.template_not_deleted(error.sentence))
            return
        undo = partial(self._write, template, was_default, entry_words.template_restored(template.name))
        sentence = entry_words.template_deleted(template.name)
        self._bar.say("", sentence, entry_words.UNDO, undo, topic="deleted", undoes=True)
