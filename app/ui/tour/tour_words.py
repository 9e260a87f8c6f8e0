"""The sentences of the tour."""

from app.translation import translate

NAME = translate("First minutes")
COMMAND = translate("First minutes: a tour in practice")
OFFER = translate("New here? Five short tasks in practice show how Waybill is worked. Nothing leaves this computer.")
BEGIN = translate("Begin the tour")
NOT_NOW = translate("Not now")
SHOW_PAGE = translate("Show me where")
SKIP = translate("Skip this task")
LEAVE = translate("Leave the tour")
END = translate("End the tour")
CONNECT = translate("Connect to your provider")
ONLY_IN_PRACTICE = translate("The tour is in practice, and this connection is a provider's.")
USE_PRACTICE = translate("Use practice")
LEFT = translate("The tour waits where you left it: F1 or Ctrl+K goes on with it.")
ALL_DONE = translate("That was the tour")
ALL_DONE_SENTENCE = translate(
    "F1 lists the keys of each page, and Ctrl+K finds any order or action. Practice stays here for trying things out."
)
# Title and sentence of each task.
TASKS = {
    "find": (
        translate("Find an order"),
        translate(
            "On Orders, type part of a name, a phone number or a reference into the filter. Enter opens the order."
        ),
    ),
    "enter": (
        translate("Enter an order"),
        translate(
            "Ctrl+N begins one; or choose an order on Orders, and Ctrl+D makes another like it. F4 goes to what is "
            "still missing, and Ctrl+Enter submits the order."
        ),
    ),
    "scan": (
        translate("Scan a barcode"),
        translate(
            "Choose an order on Orders and copy it with Ctrl+D: it has freight then. Alt+4 goes to the scan field. "
            "Type a code and Enter, as a scanner does."
        ),
    ),
    "cancel": (
        translate("Cancel an order, and take it back"),
        translate("Open an order on Orders. Ctrl+Delete cancels it, and Ctrl+Z takes that back for ten seconds."),
    ),
    "review": (
        translate("Review an audit"),
        translate("On Audits, Down and Enter open one with its photos. E marks it as reviewed and goes on."),
    ),
}


def step(number: int, of: int, title: str) -> str:
    """The heading of a task."""
    return translate("{number} of {of} · {title}", number=number, of=of, title=title)


def done(title: str) -> str:
    """Before the next task: the one that has just been done."""
    return translate("✓ Done: {title}.", title=title)


def not_kept(why: str) -> str:
    """How far the tour is could not be stored; `why` is a sentence."""
    return translate("How far the tour is was not kept. {why}", why=why)
