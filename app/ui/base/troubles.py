"""Says in a message bar why work could not be done, for as long as that is so."""

from app.ui.widgets.bars.message_bar import MessageBar


class Troubles:
    """What cannot be done now, by the work's name. Whatever else the bar was given to say is left there."""

    def __init__(self, bar: MessageBar) -> None:
        self._bar = bar

    def tell(self, where: str, sentence: str) -> None:
        """This work failed, or, with an empty sentence, was done after all: then its sentence goes."""
        if sentence:
            self._bar.say("bad", sentence, topic=f"trouble: {where}")
        else:
            self._bar.withdraw(f"trouble: {where}")
