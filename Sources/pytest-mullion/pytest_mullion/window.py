"""A window, found when it is needed."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Type, Union

from .errors import NEAREST, ActionError, Gone, Missing, NotYet, ProblemError, Unknown, hidden
from .input import Injected, Report, inject, miss
from .model import Point, Rect, WindowState
from .picture import Picture
from .steps import step
from .words import Text, fits, printable, quoted

if TYPE_CHECKING:
    from .app import App
    from .session import Mullion
    from .widget import Widget

__tracebackhide__ = hidden

X11_SERVER = "mullion-x11"
"""The application that the windows of X11 programs belong to."""


class Window:
    """A description of a window: nothing is looked up until something is done with it, which waits for the window.

    A description that fits several windows is an error, unless ``nth`` selects one. The window that was found stays the
    one that is meant, also under another title, until it is closed.
    """

    def __init__(
        self, mullion: Mullion, *, title: Optional[Text] = None, app: Optional[App] = None,
        index: Optional[int] = None,
    ) -> None:
        self.mullion = mullion
        self.app = app
        self.wanted_title = title
        self._index = index
        self._id: Optional[int] = None
        """The window that was found."""

    def nth(self, index: int) -> Window:
        """The window of that number among those that fit, from 0, in order of creation; -1 is the last one."""
        return Window(self.mullion, title=self.wanted_title, app=self.app, index=index)

    # What it is like now.

    def matches(self) -> List[WindowState]:
        """The windows that fit at this moment."""
        return self._fitting(self.mullion.windows())

    def state(self) -> WindowState:
        """The window at this moment; raises NotYet if there is none, or several."""
        found = self._found()
        if not found and self.app is not None and self.app.exit_status:
            raise Gone(f"there is no {self}, which has ended")
        if not found:
            raise Missing(f"there is no {self}{self._nearest()}")
        if len(found) > 1:
            raise Unknown(f"{len(found)} windows are {self}; use another title, or nth(0) for the first")
        self._id = found[0].id
        return found[0]

    @property
    def title(self) -> str:
        """Its title."""
        return self._wait().title

    @property
    def frame(self) -> Rect:
        """Its frame, in points of its screen."""
        return self._wait().frame

    @property
    def is_visible(self) -> bool:
        """Whether it is visible now, without waiting."""
        return any(window.visible for window in self._found())

    @property
    def is_key(self) -> bool:
        """Whether it is the key window now, without waiting."""
        return any(window.key for window in self._found())

    # Input.

    @step
    def click(
        self, x: Optional[float] = None, y: Optional[float] = None, button: str = "left", modifiers: Sequence[str] = (),
    ) -> Report:
        """Clicks at a point of the window, by default in its middle, once nothing covers it there.

        Modifiers are held meanwhile: "ctrl", "shift", "alt", "super" or "altgr".
        """
        return self._at(x, y, lambda point: {"type": "click", "button": button, "modifiers": [*modifiers], **point})

    @step
    def double_click(self, x: Optional[float] = None, y: Optional[float] = None) -> Report:
        """Clicks twice, with nothing between."""
        return self._at(x, y, lambda point: {"type": "click", "count": 2, **point})

    @step
    def tap(self, x: Optional[float] = None, y: Optional[float] = None) -> Report:
        """Taps with a finger."""
        return self._at(x, y, lambda point: {"type": "tap", **point})

    @step
    def hover(self, x: Optional[float] = None, y: Optional[float] = None) -> Report:
        """Moves the pointer there."""
        return self._at(x, y, lambda point: {"type": "hover", **point})

    @step
    def scroll(
        self, dx: float, dy: float, x: Optional[float] = None, y: Optional[float] = None, modifiers: Sequence[str] = (),
    ) -> Report:
        """Scrolls by distances in points; positive ones move the content up and to the left."""
        delta = {"deltaX": dx, "deltaY": dy, "modifiers": [*modifiers]}
        return self._at(x, y, lambda point: {"type": "scroll", **delta, **point})

    @step
    def drag(
        self, start: Tuple[float, float], end: Tuple[float, float], by: str = "pointer", drop: Optional[bool] = None
    ) -> Report:
        """Drags from one point of the window to another, with the pointer, or with ``by="touch"`` a finger.

        With ``drop=True`` it is drag and drop, and fails if the program does not begin that; with ``drop=False``, for
        sliders or to select text, it does not wait for it. Without it, the pointer waits for up to a second.
        """
        kind = {} if drop is None else {"drop": drop}

        def event(point: Injected) -> Injected:
            target = {"from": {"x": start[0], "y": start[1]}, "to": {"x": end[0], "y": end[1]}}
            return {"type": "drag", "window": point["window"], **target, "by": by, **kind}

        return self._at(start[0], start[1], event)

    @step
    def type(self, text: str) -> Report:
        """Types any characters, once it is the key window."""
        return self._key({"type": "type", "text": text})

    @step
    def press(self, keys: str) -> Report:
        """Presses a key with its modifiers, such as "Return" or "ctrl+shift+t", once it is the key window."""
        return self._key({"type": "key", "key": keys})

    @step
    def close(self) -> None:
        """Asks its program to close it."""
        self.mullion.control.json("DELETE", f"/windows/{self._wait().id}")

    # Contents.

    @step
    def screenshot(self, path: Optional[Union[str, Path]] = None, max_edge: Optional[int] = None) -> Picture:
        """A picture of it without what covers it; also saved if there is a path."""
        return Picture.take(self.mullion.control, f"/windows/{self._wait().id}/screenshot.png", path, max_edge)

    def get_by_role(
        self, role: str, name: Optional[Text] = None, description: Optional[Text] = None
    ) -> Widget:
        """The widget with that role, such as "button" or "textbox", that accessible name, and that description, such as a
        tooltip.
        """
        from .widget import Widget

        return Widget(self, role=role, name=name, description=description)

    def get_by_text(self, text: Text) -> Widget:
        """The widget that shows that text, or text in which that pattern is found."""
        from .widget import Widget

        return Widget(self, text=text)

    # Finding it.

    def _fitting(self, windows: List[WindowState]) -> List[WindowState]:
        found = [window for window in windows if fits(self.wanted_title, window.title)]
        if self.app is not None and found:
            owned = self._applications(self.app)
            found = [window for window in found if window.application in owned]
        if self._index is None:
            return found
        return found[self._index:][:1] if -len(found) <= self._index < len(found) else []

    def _nearest(self) -> str:
        """The windows with the most similar titles, for the headline of reports."""
        title = self.wanted_title
        wanted = "" if title is None else title if isinstance(title, str) else title.pattern
        found = [window.title for window in self.mullion.windows() if window.title]
        found.sort(key=lambda other: -difflib.SequenceMatcher(None, wanted, other).ratio())
        return NEAREST + ", ".join(f"window {quoted(other)}" for other in found[:3]) if found else ""

    def _known(self, windows: List[WindowState]) -> List[WindowState]:
        """The window that was found before, while it exists."""
        return [window for window in windows if window.id == self._id]

    def _found(self) -> List[WindowState]:
        windows = self.mullion.windows()
        return self._known(windows) or self._fitting(windows)

    def _wait(self) -> WindowState:
        return self.mullion.act(self.state)

    def _at(
        self, x: Optional[float], y: Optional[float], event: Callable[[Injected], Injected]
    ) -> Report:

        def attempt() -> Report:
            window = self.state()
            point = Point(window.frame.width / 2 if x is None else x, window.frame.height / 2 if y is None else y)
            return self.hit(window, point, event)

        return self.mullion.act(attempt)

    def hit(
        self, window: WindowState, point: Point, event: Callable[[Injected], Injected],
        is_covered: Callable[[str], bool] = lambda surface: False,
    ) -> Report:
        """Injects the event for a point of the window; raises NotYet while something covers that.

        ``is_covered`` decides whether a surface of the window itself is in the way.
        """

        def check(report: Report, error: Type[Exception]) -> None:
            self._check(window, point, report, error)
            if is_covered(report["hit"].get("surface", "")):
                raise error(f"{point} in {self} is covered by a pop-up of the same window")

        if window.screen is None:
            raise NotYet(f"{self} is on no screen: the one that it was on was unplugged")
        if not window.visible:
            raise NotYet(f"{self} is not visible")
        target: Injected = {"window": window.id, **point._asdict()}
        try:
            check(self.mullion.control.json("GET", "/hit", query=target), NotYet)
            report = inject(self.mullion.control, event(target), must_hit=False)
        except ProblemError as error:
            if error.code != "noWindow" and error.rule != "W7":
                raise
            raise NotYet(f"{self} was closed") from None
        # What no client received can be tried again, unless no client will.
        is_final = "hit" in report or report.get("reason") in ("notReceiving", "screenNotInteractive")
        check(report, ActionError if is_final else NotYet)
        return report

    def _check(self, window: WindowState, point: Point, report: Report, error: Type[Exception]) -> None:
        hit = report.get("hit")
        if hit is None:
            raise error(f"{point} in {self} cannot be hit: {miss(report)}")
        if hit["window"] != window.id:
            raise error(f'{point} in {self} is covered by window {hit["window"]} "{printable(hit["title"])}"')

    def _key(self, event: Injected) -> Report:

        def attempt() -> Report:
            if not self.state().key:
                raise NotYet(f"{self} cannot receive keys: {key_window(self.mullion)}")
            return inject(self.mullion.control, event)

        return self.mullion.act(attempt)

    def _applications(self, app: App) -> List[int]:
        found = self.mullion.control.json("GET", "/applications")["applications"]
        return [item["id"] for item in found if item["name"] == X11_SERVER or app.owns(item["pid"])]

    def __str__(self) -> str:
        text = "window" if self.wanted_title is None else f"window {quoted(self.wanted_title)}"
        if self._index is not None:
            text += f" number {self._index}"
        return text + (f" of {self.app.name}" if self.app is not None else "")

    def __repr__(self) -> str:
        return f"<{self}>"


def key_window(mullion: Mullion) -> str:
    """Which window is key, for messages."""
    key = next((window for window in mullion.windows() if window.key), None)
    return f'window {key.id} "{printable(key.title)}" is key' if key else "no window is key"
