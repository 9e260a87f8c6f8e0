"""The sentences about saved views, of orders and of audits, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from app.translation import translate, translate_plural

# The views above a list

VIEWS = translate("Views")
EDIT_VIEWS = translate("Views: choose, save, change")
UNSAVED_CHANGES = translate("This view has unsaved changes. Alt+V saves them.")


def orders_in_view(view: str, count: int) -> str:
    """A view of orders, for a screen reader."""
    return translate_plural("{view}, {count:,} order", "{view}, {count:,} orders", count, view=view)


def audits_in_view(view: str, count: int) -> str:
    """A view of audits, for a screen reader."""
    return translate_plural("{view}, {count:,} audit", "{view}, {count:,} audits", count, view=view)


def more_views(count: int) -> str:
    """The button for the views that have no room."""
    return translate_plural("{count} more ▾", "{count} more ▾", count)


def more_views_spoken(count: int) -> str:
    """The same button, for a screen reader."""
    return translate_plural("{count} more view", "{count} more views", count)


# Their menu

SAVE_AS_NEW = translate("Save as new view…")
RESET_VIEW = translate("Reset view")
MOVE_LEFT = translate("Move left")
MOVE_RIGHT = translate("Move right")
RESTORE_DEFAULTS = translate("Restore default views")


def update_view(view: str) -> str:
    """The changes are saved into the view."""
    return translate("Update “{view}”", view=view)


def rename_view(view: str) -> str:
    """A dialog asks for another name."""
    return translate("Rename “{view}”…", view=view)


def delete_view(view: str) -> str:
    """The view is deleted; that can be undone."""
    return translate("Delete “{view}”", view=view)


# The dialog for a name

NEW_VIEW = translate("Save as new view")
RENAME = translate("Rename view")
NAME_OF_VIEW = translate("Name of the view")

# The palette

NEXT_VIEW = translate("Next view")
PREVIOUS_VIEW = translate("Previous view")

# The message bar

UNDO = translate("Undo")


def updated(view: str) -> str:
    """The changes are saved."""
    return translate("“{view}” is updated.", view=view)


def deleted(view: str) -> str:
    """The view is deleted, and can be brought back."""
    return translate("The view “{view}” is deleted.", view=view)


def deleted_before_rename(view: str) -> str:
    """The view was deleted while its new name was typed."""
    return translate("The view “{view}” is deleted, so it was not renamed.", view=view)


def not_changed(why: str) -> str:
    """A change of the views failed; `why` is a sentence."""
    return translate("The views were not changed. {why}", why=why)


def choice_not_saved(why: str) -> str:
    """The next start opens with another view; `why` is a sentence."""
    return translate("The chosen view was not saved. {why}", why=why)


# The team

FROM_TEAM = translate("From the team…")


def share_view(name: str) -> str:
    """The entry of the menu."""
    return translate("Share {name} with the team", name=name)


def stop_sharing_view(name: str) -> str:
    """The entry of the menu."""
    return translate("Stop sharing {name}", name=name)


def taken_over(name: str, person: str) -> str:
    """A view of somebody else is among this desk's now."""
    return translate("The view {name} was taken over from {person}.", name=name, person=person)


def not_understood(name: str, person: str) -> str:
    """A view of somebody else cannot be read by this version."""
    return translate("The view {name} of {person} cannot be read by this Waybill.", name=name, person=person)
