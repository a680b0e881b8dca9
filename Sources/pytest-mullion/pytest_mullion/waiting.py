"""Conditions that the server itself waits for, with ``GET /v1/wait`` of mullion-control(7)."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from .control import Call, in_parts
from .errors import Hopeless, MullionError, NotYet, ProblemError, hidden

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden

Answer = Dict[str, Any]
"""The answer of ``GET /v1/wait``: the condition in words, and what fulfilled it."""


class ServerWait:
    """One wait of the server; meanwhile, the crash of a program is noticed as well."""

    PATIENCE = 30
    """Seconds by which an answer may be later than promised."""

    def __init__(self, mullion: Mullion, timeout: float, conditions: List[Dict[str, object]]) -> None:
        self._mullion = mullion
        self._timeout = timeout
        self._items: List[Tuple[str, object]] = [item for condition in conditions for item in _items(condition)]

    def run(self) -> Answer:
        """Waits; raises NotYet with the actual state when the time is up or a program has crashed."""
        try:
            return in_parts(self._timeout, 408, self._ask)
        except ProblemError as error:
            if error.status != 408:
                raise
            raise Hopeless(_unmet(error.body) + f"\nafter {self._timeout:g} s") from None

    def _ask(self, seconds: float) -> Answer:
        answer: Future[bytes] = Future()
        query = [*self._items, ("timeout", f"{seconds * 1000:g}")]
        call = self._mullion.control.send("GET", "/wait", query=query, timeout=seconds + self.PATIENCE)
        reader = threading.Thread(target=self._read, args=[call, answer], name="mullion-wait", daemon=True)
        reader.start()
        try:
            return self._mullion.changes.retry(lambda: self._check(answer), seconds + self.PATIENCE)
        finally:
            # A wait that is given up would go on in the server.
            call.cancel()
            reader.join()

    def _read(self, call: Call, answer: Future[bytes]) -> None:
        try:
            answer.set_result(call.read())
        except MullionError as error:
            answer.set_exception(error)
        self._mullion.changes.post()

    def _check(self, answer: Future[bytes]) -> Answer:
        if answer.done():
            found: Answer = json.loads(answer.result())
            return found
        for app in self._mullion.apps:
            if app.has_failed_unexpectedly:
                raise Hopeless(f"{app.name} has crashed")
        raise NotYet("the server does not answer")


def _items(condition: Dict[str, object]) -> List[Tuple[str, object]]:
    """The query items, which begin with the name of the condition."""
    return [(name, _word(name, value)) for name, value in condition.items() if value is not None]


def _word(name: str, value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return value
    if not isinstance(value, re.Pattern):
        kind = type(value).__name__
        raise TypeError(f"{name} is of the type {kind}; use a text, a number, True, False or a pattern of re")
    if not isinstance(value.pattern, str):
        raise TypeError(f"{name} is a pattern of bytes; use one of text")
    if value.flags & ~(re.IGNORECASE | re.UNICODE):
        raise TypeError(f"{name} is a pattern with flags; use re.IGNORECASE or none")
    return f"/{value.pattern}/" + ("i" if value.flags & re.IGNORECASE else "")


def _unmet(problem: Dict[str, Any]) -> str:
    """The conditions that do not hold, and the actual state, nearest first."""
    lines: List[str] = []
    for unmet in problem.get("unmet", []):
        lines.append(f"{unmet['condition']}: {unmet['reason']}")
        lines += [f"  {item['text']}" for item in unmet["instead"]]
    return "\n".join(lines) or str(problem.get("detail"))
