"""What there is, for the messages of failures."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, List

from .errors import MullionError, ProblemError
from .words import printable

if TYPE_CHECKING:
    from .session import Mullion


def situation(mullion: Mullion, near: str = "") -> str:
    """Windows, screens, programs, and programs that do not answer; the windows whose titles are near first."""
    lines: List[str] = []
    try:
        lines += _windows(mullion, near)
        lines += _screens(mullion)
        lines += _programs(mullion)
        lines += _waiting(mullion)
    except MullionError as error:
        lines += _programs(mullion) + [str(error)]
    return "\n".join(lines)


def hanging(mullion: Mullion) -> List[str]:
    """The programs that do not react."""
    try:
        mullion.await_settled(0.5)
    except ProblemError as error:
        return error.hanging
    return []


def _windows(mullion: Mullion, near: str) -> List[str]:
    windows = mullion.windows()
    if not windows:
        return ["windows: none"]
    windows.sort(key=lambda window: -difflib.SequenceMatcher(None, near, window.title).ratio())
    return ["windows:"] + [f"  {window}" for window in windows]


def _screens(mullion: Mullion) -> List[str]:
    names = [screen.name for screen in mullion.display.screens]
    lines = ["screens: " + (printable(", ".join(names)) or "none")]
    if mullion.clock.is_manual:
        lines.append(f"clock: manual, at {mullion.clock.now / 1e6:g} s; programs wait for it to be stepped")
    return lines


def _programs(mullion: Mullion) -> List[str]:
    if not mullion.apps:
        return ["programs: none was launched"]
    lines = [line for app in mullion.apps for line in app.condition.splitlines()]
    return ["programs:"] + [f"  {line}" for line in lines]


def _waiting(mullion: Mullion) -> List[str]:
    """Who does not answer, which a program in an endless loop does not."""
    try:
        mullion.await_settled(0.5)
    except ProblemError as error:
        return [error.detail]
    return []
