"""The one way set-up gives up: a sentence for a person, and an exit status for a machine."""


class CannotGoOn(Exception):
    """`str()` is the whole of what is printed; `status` is the exit status."""

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status
