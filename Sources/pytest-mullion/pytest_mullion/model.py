"""Values of the control API."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

from .words import printable


class Point(NamedTuple):
    """A place, in points: x to the right, y down."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"{self.x:g},{self.y:g}"


class Rect(NamedTuple):
    """A rectangle, in points."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> Point:
        """Its middle."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def contains(self, other: Rect) -> bool:
        """Whether the other is inside, but for 2 points, as places of widgets are rounded."""
        return (
            self.x - 2 <= other.x and other.x + other.width <= self.x + self.width + 2
            and self.y - 2 <= other.y and other.y + other.height <= self.y + self.height + 2)

    @classmethod
    def of(cls, json: Dict[str, float]) -> Rect:
        """The rectangle of the control API's object."""
        return cls(json["x"], json["y"], json["width"], json["height"])

    def __str__(self) -> str:
        return f"{self.x:g},{self.y:g} {self.width:g}×{self.height:g}"


class WindowState(NamedTuple):
    """What a window was like at one moment."""

    id: int
    title: str
    application: int
    application_name: str
    screen: Optional[str]
    """The name of its screen; None while it waits for one, because that was unplugged."""
    frame: Rect
    """In points of its screen."""
    level: float
    visible: bool
    key: bool

    @classmethod
    def of(cls, json: Dict[str, Any]) -> WindowState:
        """The window of the control API's object."""
        return cls(
            json["id"], json["title"], json["application"], json["applicationName"], json.get("screenName"),
            Rect.of(json["frame"]), json["level"], json["visible"], json["key"])

    def __str__(self) -> str:
        place = f"on {printable(self.screen)} at {self.frame}" if self.screen else "on no screen"
        words = [place, "visible" if self.visible else "not visible"]
        if self.key:
            words.append("key")
        name = f'window {self.id} "{printable(self.title)}" of {printable(self.application_name)}, '
        return name + ", ".join(words)
