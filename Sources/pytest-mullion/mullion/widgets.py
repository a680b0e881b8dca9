"""Reads the widgets of a window, which ``mullionctl widgets`` gets from the program's accessibility."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterator, List, NamedTuple, Optional

from .errors import MullionError, NotYet, hidden
from .model import Rect

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden


class WidgetState(NamedTuple):
    """What a widget was like at one moment."""

    id: str
    role: str
    name: str
    text: Optional[str]
    value: Optional[str]
    states: FrozenSet[str]
    frame: Rect
    """In points of its window."""

    @classmethod
    def of(cls, item: Dict[str, Any]) -> WidgetState:
        """The widget of the printed object."""
        frame = item.get("frame")
        value = item.get("value")
        return cls(
            str(item["id"]), item["role"], item.get("name") or "", item.get("text"),
            f"{value:g}" if isinstance(value, (int, float)) else value, frozenset(item.get("states", [])),
            Rect.of(frame) if frame else Rect(0, 0, 0, 0))

    @property
    def is_shown(self) -> bool:
        """Whether it has a place in its window."""
        return self.frame.width > 0 and self.frame.height > 0 and "showing" in self.states

    @property
    def is_enabled(self) -> bool:
        """Whether it takes input."""
        return "sensitive" in self.states

    @property
    def is_checked(self) -> bool:
        """Whether it is on; programs call buttons that stay down pressed."""
        return "checked" in self.states or "pressed" in self.states

    def __str__(self) -> str:
        text = f'{self.role} "{self.name}"'
        if self.text and self.text != self.name:
            text += f' with the text "{self.text}"'
        return text + f" at {self.frame}" + (f" ({', '.join(sorted(self.states))})" if self.states else "")


def read_widgets(mullion: Mullion, window: int) -> List[WidgetState]:
    """All widgets of a window, parents before children; raises NotYet while the program has told of none."""
    words = [mullion.server.program, "--control", mullion.server.control_socket, "--json", "widgets", str(window)]
    try:
        done = subprocess.run(
            words, env=mullion.server.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        raise NotYet("mullionctl widgets did not answer within 30 s") from None
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 2:
        raise MullionError(message)
    if done.returncode != 0:
        raise NotYet(message)
    answer = json.loads(done.stdout)
    return [WidgetState.of(item) for item in _flat(answer["widgets"])]


def _flat(items: List[Dict[str, Any]]) -> Iterator[Dict[str, Any]]:
    for item in items:
        yield item
        yield from _flat(item.get("children") or [])
