"""How far this computer's clock is from the provider's, as the Date of its answers says."""

import time
from collections.abc import Callable

import httpx2

from app.api.answers import http_date


class HeardClock:
    """Follows the answers of one provider. `difference` is in seconds, positive where this computer is ahead.

    A Date counts whole seconds and was written some time before it came, so the difference is right within two seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._heard: tuple[str, float] | None = None

    async def hear(self, response: httpx2.Response) -> None:
        """The library's hook for each answer: keeps its Date, and reads it only when somebody asks."""
        said = response.headers.get("date")
        if said is not None and "age" not in response.headers:  # an answer with an Age was kept by somebody between
            self._heard = said, self._clock()

    @property
    def difference(self) -> float | None:
        """Seconds that this computer's clock is ahead of the provider's; None while no answer has said the time."""
        if self._heard is None:
            return None
        said, at = self._heard
        moment = http_date(said)
        return None if moment is None else at - moment.timestamp() - 0.5
