"""The steps of a test for its report: what it has done and expected, in order, with their times."""

from __future__ import annotations

import functools
import json
import os
import re
import threading
import time
from pathlib import Path
from typing import IO, Any, Callable, Dict, Optional, TypeVar, cast

from . import notes
from .errors import hidden
from .words import printable

__tracebackhide__ = hidden

Method = TypeVar("Method", bound=Callable[..., Any])

_NAME = "steps.jsonl"
"""The file in the folder of notes: an object with the title, then one for each step."""
_MOST, _LONGEST = 2000, 300
"""The most steps that are noted, and the most characters of each."""


class Steps:
    """Notes steps for the report of a server's run, if it makes one. Steps within others are not noted."""

    def __init__(self, environment: Dict[str, str], title: str) -> None:
        folder = environment.get(notes.VARIABLE)
        self._file: Optional[IO[str]] = None
        self._depth = threading.local()
        self._count = 0
        if folder:
            try:
                self._file = open(Path(folder) / _NAME, "a", encoding="utf-8", buffering=1)
            except OSError:
                # The report does without.
                pass
        self._write({"title": title, "pid": os.getpid()})

    def perform(self, text: Callable[[], str], body: Callable[[], Any]) -> Any:
        """Calls ``body``, and notes when that was, how long it took, and whether it failed."""
        depth: int = getattr(self._depth, "value", 0)
        if depth > 0 or self._file is None:
            return body()
        self._depth.value = depth + 1
        begin = time.monotonic()
        failed = True
        try:
            result = body()
            failed = False
            return result
        finally:
            self._depth.value = depth
            self._count += 1
            if self._count <= _MOST:
                self._write({
                    "text": printable(text())[:_LONGEST], "time": round(begin * 1e6),
                    "duration": round((time.monotonic() - begin) * 1e6), "failed": failed})

    def close(self) -> None:
        """Call it when the test has ended."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, item: Dict[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(item) + "\n")
        except OSError:
            self._file = None


def step(method: Method) -> Method:
    """Notes the calls of a method. Its object has ``mullion``, which has the steps."""

    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        mullion = getattr(self, "mullion", self)

        def text() -> str:
            words = [*map(_shown, arguments), *(f"{name}={_shown(value)}" for name, value in options.items())]
            return f"{self}.{method.__name__}({', '.join(words)})"

        return mullion.steps.perform(text, lambda: method(self, *arguments, **options))

    return cast(Method, call)


def _shown(value: object) -> str:
    if isinstance(value, re.Pattern):
        return f"/{value.pattern}/"
    if isinstance(value, (str, int, float, list, tuple, dict, type(None), os.PathLike)):
        text = json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, str) else str(value)
        return text if len(text) <= 80 else text[:79] + "…"
    return str(value)
