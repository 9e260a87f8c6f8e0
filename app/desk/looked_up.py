"""The answer of the provider to a look-up of an order's status, as a desk remembers it for the rest of a run."""

from dataclasses import dataclass
from datetime import datetime

from app.contract.codes import ManagementStatus


@dataclass(frozen=True, slots=True)
class LookUp:
    """The answer to a look-up: when it came, what it proves in words, and the status if it proves one."""

    at: datetime
    sentence: str
    status: ManagementStatus | None = None
    proven: bool = False
    system_number: int | None = None
