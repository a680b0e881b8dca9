"""Waiting for something to happen instead of asking again and again."""

from __future__ import annotations

import enum
import threading
import time
from typing import Callable, Dict, Optional, TypeVar

from .errors import Hopeless, NotYet, hidden

__tracebackhide__ = hidden

Result = TypeVar("Result")


class Change(enum.Flag):
    """What has happened. An attempt must not cause what it waits for, such as moving the pointer and its events."""

    STATE = enum.auto()
    """Windows or screens have changed, or a program has started or ended."""
    PICTURE = enum.auto()
    """A picture may have changed."""
    OUTPUT = enum.auto()
    """A program has written something."""
    INPUT = enum.auto()
    """Input was injected or delivered. It changes no state by itself, only by what programs do with it."""


class Changes:
    """Counts changes, and wakes threads that wait for one."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._counts: Dict[Change, int] = {kind: 0 for kind in Change}

    def count(self, kinds: Change = Change.STATE) -> int:
        """How many changes of these kinds there were so far."""
        return sum(count for kind, count in self._counts.items() if kind & kinds)

    def post(self, kind: Change = Change.STATE) -> None:
        """Counts one more."""
        with self._condition:
            self._counts[kind] += 1
            self._condition.notify_all()

    def wait(self, seen: int, deadline: float, kinds: Change = Change.STATE) -> bool:
        """Waits until there are more than were seen; returns False at the deadline, a time of ``time.monotonic``."""
        with self._condition:
            while self.count(kinds) <= seen:
                left = deadline - time.monotonic()
                if left <= 0 or not self._condition.wait(left):
                    return self.count(kinds) > seen
            return True

    def retry(
        self, attempt: Callable[[], Result], timeout: float, kinds: Change = Change.STATE,
        every: Optional[float] = None,
    ) -> Result:
        """Calls ``attempt`` after each change until it does not raise ``NotYet``, and raises that after the timeout.

        ``every``, in seconds, is for what changes without an event: it is attempted at least that often.
        """
        deadline = time.monotonic() + timeout
        while True:
            seen = self.count(kinds)
            now = time.monotonic()
            try:
                return attempt()
            except Hopeless:
                raise
            except NotYet:
                if now >= deadline:
                    raise
            self.wait(seen, deadline if every is None else min(deadline, now + every), kinds)
