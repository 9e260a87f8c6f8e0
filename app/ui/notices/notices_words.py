"""The sentences about desktop notices: who shows them here."""

from app.translation import translate

OPEN = translate("Open")  # what a click on a notice does
OPEN_WINDOW = translate("Open Waybill")
OPEN_SETTINGS = translate("Settings of notices")
ASKING = translate("Asking the desktop whether it shows notices.")
BY_TRAY = translate("The system shows them.")
NOBODY = translate(
    "Nothing on this desktop shows notices. Everything else works without: what needs you stands in Today and in the "
    "outbox."
)
FAILED = translate("The desktop did not take the last notice.")
TRIAL_HEADING = translate("This is a notice of Waybill")
TRIAL_BODY = translate("A click on it opens the settings of notices.")


def shown_by(server: str) -> str:
    """The name and version of the program that shows notices."""
    return translate("{program} shows them.", program=server)
