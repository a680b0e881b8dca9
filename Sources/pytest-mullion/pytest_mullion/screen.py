"""One screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union
from urllib.parse import quote

from .clock import microseconds
from .errors import hidden
from .input import Report, inject
from .model import Rect
from .picture import Picture
from .steps import step
from .words import printable

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden


class Screen:
    """A screen by its name, which stays the same when it is unplugged and plugged in again."""

    def __init__(self, mullion: Mullion, name: str) -> None:
        self.mullion = mullion
        self.name = name

    @property
    def path(self) -> str:
        """Its path in the control API."""
        return f"/screens/{quote(self.name, safe='')}"

    @property
    def bounds(self) -> Rect:
        """Its bounds in points, which follow its orientation."""
        return Rect.of(self.properties()["bounds"])

    def properties(self) -> Any:
        """All properties, as in ``GET /v1/screens/{screen}`` of mullion-control(7)."""
        return self.mullion.control.json("GET", self.path)

    # Changes.

    @step
    def unplug(self) -> None:
        """Unplugs it; its windows wait for it."""
        self.mullion.control.json("DELETE", self.path)

    def rotate(self, orientation: str, duration: Optional[Union[float, str]] = None) -> None:
        """Rotates it to portrait, portraitUpsideDown, landscapeLeft or landscapeRight, within seconds."""
        self.change(
            orientation=orientation, **({} if duration is None else {"duration": microseconds(duration) / 1_000_000}))

    def scale(self, scale: float) -> None:
        """Sets its number of pixels per point."""
        self.change(scale=scale)

    def mode(self, mode: str) -> None:
        """Switches it to another of its modes, such as "1280x720@50"."""
        self.change(mode=mode)

    @step
    def change(self, **properties: object) -> None:
        """Changes properties, as ``PATCH /v1/screens/{screen}`` of mullion-control(7)."""
        self.mullion.control.json("PATCH", self.path, properties)

    # Input, at points of the screen, for any window at that place.

    def click(self, x: float, y: float, button: str = "left") -> Report:
        """Clicks the pointer; fails if no window is there."""
        return self.input({"type": "click", "x": x, "y": y, "button": button})

    def tap(self, x: float, y: float) -> Report:
        """Taps with a finger; fails if no window is there."""
        return self.input({"type": "tap", "x": x, "y": y})

    def hover(self, x: float, y: float) -> Report:
        """Moves the pointer, whether a window is there or not."""
        return self.input({"type": "hover", "x": x, "y": y}, must_hit=False)

    def drag(
        self, start: Tuple[float, float], end: Tuple[float, float], by: str = "pointer", drop: Optional[bool] = None
    ) -> Report:
        """Drags the pointer, or with ``by="touch"`` a finger; fails if no window is there. ``drop`` as for windows."""
        kind = {} if drop is None else {"drop": drop}
        points = [{"x": point[0], "y": point[1]} for point in (start, end)]
        return self.input({"type": "drag", "from": points[0], "to": points[1], "by": by, **kind})

    def scroll(self, x: float, y: float, dx: float, dy: float) -> Report:
        """Scrolls at a point, by distances in points; positive ones move the content up and to the left."""
        return self.input({"type": "scroll", "x": x, "y": y, "deltaX": dx, "deltaY": dy})

    @step
    def input(self, event: Any, must_hit: bool = True) -> Report:
        """Injects an event of mullion-control(7) on this screen."""
        return inject(self.mullion.control, {"screen": self.name, **event}, must_hit=must_hit)

    # Pictures.

    @step
    def screenshot(self, path: Optional[Union[str, Path]] = None, max_edge: Optional[int] = None) -> Picture:
        """Its framebuffer in native orientation; also saved if there is a path."""
        return Picture.take(self.mullion.control, self.path + "/screenshot.png", path, max_edge)

    def __str__(self) -> str:
        return f"screen {printable(self.name)}"

    def __repr__(self) -> str:
        return f"<{self}>"
