"""Parts of pictures, for masks and crops."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Tuple, Union

from .errors import Missing, MullionError, hidden
from .model import Rect
from .screen import Screen
from .widget import Widget
from .widgets import WidgetState, read_widgets
from .window import Window

__tracebackhide__ = hidden

Area = Union[Tuple[int, int, int, int], Window, Widget]
"""A part of a picture: x, y, width and height in its pixels, a window, or a widget where it is now."""


Readings = Dict[int, List[WidgetState]]
"""The widgets of windows, which several masks have in common."""


def words(mask: Area, subject: Union[Screen, Window], view: Dict[str, bool], readings: Readings) -> List[str]:
    """All that a mask covers, as ``word`` has it: every window or widget that fits.

    Raises NotYet if there is none in the picture.
    """
    if isinstance(mask, Window):
        found = mask.matches()
        if not found:
            raise Missing(f"there is no {mask}")
        return [f"window:{state.id}" for state in found]
    if not isinstance(mask, Widget):
        return [word(mask, subject, view)]
    window = mask.window.state()
    if window.id not in readings:
        readings[window.id] = read_widgets(mask.mullion, window)
    states = mask.among(readings[window.id])
    if not states:
        # With the nearest ones.
        mask.state()
    transform = _transform(mask, subject, view)
    places = [_pixels(_part(state, subject), transform) for state in states]
    areas = [place for place in places if place is not None]
    if not areas:
        raise Missing(f"{mask} is not in the picture of {subject}")
    return [_text(area) for area in areas]


def word(area: Area, subject: Union[Screen, Window], view: Dict[str, bool]) -> str:
    """The area in a picture of the subject, as the control API has it; ``view`` is how the picture is taken."""
    if isinstance(area, Window):
        return f"window:{area.state().id}"
    if isinstance(area, Widget):
        part = _part(area.state(), subject)
        place = None if part is None else _pixels(part, _transform(area, subject, view))
        if place is None:
            raise Missing(f"{area} is not in the picture of {subject}")
        return _text(place)
    return _text(area)


def _text(area: Tuple[int, int, int, int]) -> str:
    return ",".join(str(number) for number in area)


def _part(state: WidgetState, subject: Union[Screen, Window]) -> Optional[Rect]:
    """What the picture has of a widget, in points of its window."""
    return state.part if isinstance(subject, Screen) else state.part_in_window


def _transform(widget: Widget, subject: Union[Screen, Window], view: Dict[str, bool]) -> List[float]:
    return _of_screen(widget, subject, view) if isinstance(subject, Screen) else _of_window(widget, subject, view)


def _pixels(part: Optional[Rect], transform: List[float]) -> Optional[Tuple[int, int, int, int]]:
    """All pixels that a part of a window touches, of those that the picture has."""
    if part is None:
        return None
    a, b, c, d, tx, ty = transform
    corners = [(x, y) for x in (part.x, part.x + part.width) for y in (part.y, part.y + part.height)]
    xs = [a * x + c * y + tx for x, y in corners]
    ys = [b * x + d * y + ty for x, y in corners]
    left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    width, height = math.ceil(max(xs)) - left, math.ceil(max(ys)) - top
    return (left, top, width, height) if width > 0 and height > 0 else None


def _of_screen(widget: Widget, screen: Screen, view: Dict[str, bool]) -> List[float]:
    """The transform from points of the widget's window to pixels of the screen's picture."""
    window = widget.window.state()
    if window.screen != screen.name:
        raise Missing(f"{widget} is not on {screen}")
    query: Dict[str, object] = {"screen": screen.name, **({"upright": "true"} if view.get("upright") else {})}
    found: List[Dict[str, Any]] = widget.window.mullion.control.json("GET", "/capture", query=query)["windows"]
    transform = next((item.get("toPixels") for item in found if item["id"] == window.id), None)
    if transform is None:
        raise Missing(f"{widget.window} is on no screen")
    return list(transform)


def _of_window(widget: Widget, window: Window, view: Dict[str, bool]) -> List[float]:
    """The transform to pixels of the picture of a window, which is upright and has the scale of its screen."""
    state = window.state()
    if widget.window.state().id != state.id:
        raise MullionError(f"{widget} is no part of the picture of {window}; use a widget of that window, or pixels")
    if view.get("popups"):
        raise MullionError(f"{widget} has no fixed place in a picture with popups; use x, y, width, height in pixels")
    display = widget.window.mullion.display
    screen = display.main if state.screen is None else display.screen(state.screen)
    scale = float(screen.properties()["scale"])
    return [scale, 0, 0, scale, 0, 0]
