"""The words of records whose shape the contract does not give."""

from app.translation import translate

TOO_DEEP = translate("This answer is nested too deeply to be kept for later.")
