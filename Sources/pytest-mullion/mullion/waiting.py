"""Conditions that the server itself waits for, with ``GET /v1/wait`` of mullion-control(7)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from .errors import Hopeless, MullionError, NotYet, ProblemError, hidden

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden

Answer = Dict[str, Any]
"""The answer of ``GET /v1/wait``: the condition in words, and what fulfilled it."""


class ServerWait:
    """One wait, on a thread: meanwhile, the crash of a program is noticed as well."""

    PATIENCE = 30
    """Seconds by which an answer may be later than promised."""

    def __init__(self, mullion: Mullion, timeout: float, conditions: List[Dict[str, object]]) -> None:
        self._mullion = mullion
        self._timeout = timeout
        self._answer: Optional[Answer] = None
        self._error: Optional[MullionError] = None
        self._items: List[Tuple[str, object]] = [item for condition in conditions for item in _items(condition)]
        self._items.append(("timeout", f"{timeout * 1000:g}"))

    def run(self) -> Answer:
        """Waits; raises NotYet with what there is instead when the time is up or a program has crashed."""
        threading.Thread(target=self._ask, name="mullion-wait", daemon=True).start()
        return self._mullion.changes.retry(self._check, self._timeout + self.PATIENCE)

    def _ask(self) -> None:
        try:
            self._answer = self._mullion.control.json(
                "GET", "/wait", query=self._items, timeout=self._timeout + self.PATIENCE)
        except MullionError as error:
            self._error = error
        self._mullion.changes.post()

    def _check(self) -> Answer:
        if self._answer is not None:
            return self._answer
        if isinstance(self._error, ProblemError) and self._error.status == 408:
            raise Hopeless(_unmet(self._error.body) + f"\nafter {self._timeout:g} s")
        if self._error is not None:
            raise self._error
        for app in self._mullion.apps:
            if app.has_failed_unexpectedly:
                raise Hopeless(f"{app.name} has crashed")
        raise NotYet("the server does not answer")


def _items(condition: Dict[str, object]) -> List[Tuple[str, object]]:
    """The query items, which begin with the name of the condition."""
    flags = {True: "true", False: "false"}
    return [(name, flags[value] if isinstance(value, bool) else value)
            for name, value in condition.items() if value is not None]


def _unmet(problem: Dict[str, Any]) -> str:
    """What does not hold, and what there is instead, nearest first."""
    lines: List[str] = []
    for unmet in problem.get("unmet", []):
        lines.append(f"{unmet['condition']}: {unmet['reason']}")
        lines += [f"  {item['text']}" for item in unmet["instead"]]
    return "\n".join(lines) or str(problem.get("detail"))
