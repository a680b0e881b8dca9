"""A picture of a screen or a window."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Optional, Tuple, Union

from .control import Control
from .errors import hidden
from .files import write

__tracebackhide__ = hidden


class Picture:
    """A PNG."""

    def __init__(self, png: bytes) -> None:
        self.png = png
        """The file's bytes."""

    @classmethod
    def take(
        cls, control: Control, request: str, path: Optional[Union[str, Path]], max_edge: Optional[int] = None
    ) -> Picture:
        """Takes a picture, reduced so that no edge has more pixels, and saves it if there is a path."""
        picture = cls(control.request("GET", request, query={} if max_edge is None else {"maxEdge": max_edge}))
        if path is not None:
            picture.save(path)
        return picture

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height in pixels."""
        # The header chunk is always the first one.
        width, height = struct.unpack(">II", self.png[16:24])
        return width, height

    def save(self, path: Union[str, Path]) -> None:
        """Writes the file, and the folders that lead to it."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, self.png)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self.png == other.png

    def __hash__(self) -> int:
        return hash(self.png)

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Picture {width}×{height}>"
