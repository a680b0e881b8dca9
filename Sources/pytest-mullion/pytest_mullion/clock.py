"""The server's clock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Union

from .errors import MullionError, hidden
from .steps import step as noted

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden

_UNITS = {"us": 1, "ms": 1_000, "s": 1_000_000}


class Clock:
    """The clock that frames and timestamps follow; with ``clock="manual"`` only the test steps it."""

    def __init__(self, mullion: Mullion) -> None:
        self.mullion = mullion

    @property
    def now(self) -> int:
        """The time, in microseconds."""
        return int(self._get()["now"])

    @property
    def is_manual(self) -> bool:
        """Whether only the test steps it."""
        return bool(self._get()["mode"] == "manual")

    @noted
    def step(self, duration: Union[float, str]) -> None:
        """Advances from frame to frame, by seconds, or by a text such as "16ms"; programs settle before each."""
        self._patch({"step": microseconds(duration)})

    @noted
    def until_idle(self, limit: Union[float, str] = 10) -> None:
        """Advances until no frame is due and no key repeats; fails with the reason at the limit."""
        self._patch({"until": "idle", "limit": microseconds(limit)})

    def __str__(self) -> str:
        return "clock"

    def _get(self) -> Any:
        return self.mullion.control.json("GET", "/clock")

    def _patch(self, body: object) -> None:
        self.mullion.control.json("PATCH", "/clock", body, timeout=600)


def microseconds(duration: Union[float, str]) -> int:
    """A duration in seconds, or a text with a unit, in microseconds."""
    if not isinstance(duration, str):
        return round(duration * 1_000_000)
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(us|ms|s)", duration)
    if match is None:
        raise MullionError(f'"{duration}" is not a duration; use seconds, or a text such as "16ms", "2.5s" or "500us"')
    return round(float(match[1]) * _UNITS[match[2]])
