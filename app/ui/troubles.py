"""Says in a message bar why work could not be done, for as long as that is so."""

from app.ui.widgets.bars import MessageBar
from app.ui.widgets.labels import visible


class Troubles:
    """What cannot be done now, by the work's name. Whatever else the bar was given to say meanwhile is left there."""

    def __init__(self, bar: MessageBar) -> None:
        self._bar = bar
        self._sentences: dict[str, str] = {}

    def tell(self, where: str, sentence: str) -> None:
        """This work failed, or, with an empty sentence, was done after all: then its sentence goes."""
        before = self._sentences.pop(where, "")
        if sentence:
            self._sentences[where] = sentence
            self._bar.say("bad", sentence)
        elif before and self._bar.text == visible(before) and before not in self._sentences.values():
            self._bar.clear()
            if self._sentences:  # other work cannot be done still
                self._bar.say("bad", next(reversed(self._sentences.values())))

    def forget(self) -> None:
        """The bar is cleared by its owner: nothing of it is said again."""
        self._sentences.clear()
