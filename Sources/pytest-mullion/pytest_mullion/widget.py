"""A widget of a window, found when it is needed."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, TypeVar

from .errors import NEAREST, Missing, NotYet, Unknown, hidden
from .input import Report
from .steps import step
from .widgets import WidgetState, is_popup_over, meant, read_widgets, scroll_into_view
from .words import Text, fits, quoted

if TYPE_CHECKING:
    from .session import Mullion
    from .window import Window

__tracebackhide__ = hidden

Result = TypeVar("Result")

POLL = 0.1
"""Seconds between looks at a program's accessibility, whose changes are no events of the server."""


class Widget:
    """A description of a widget: nothing is looked up until something is done with it, which waits for the widget.

    Where several fit, those in view are meant. It is an error if more than one is, unless ``nth`` selects one.
    """

    def __init__(
        self, window: Window, *, role: Optional[str] = None, name: Optional[Text] = None, text: Optional[Text] = None,
        description: Optional[Text] = None, index: Optional[int] = None,
    ) -> None:
        self.window = window
        self._role = role
        self._name = name
        self._text = text
        self._description = description
        self._index = index
        self._seen: Optional[WidgetState] = None

    @property
    def mullion(self) -> Mullion:
        """The server that its window is on."""
        return self.window.mullion

    def nth(self, index: int) -> Widget:
        """The widget of that number among those that fit, also out of view, from 0; -1 is the last one."""
        return Widget(
            self.window, role=self._role, name=self._name, text=self._text, description=self._description, index=index)

    # What it is like now.

    def matches(self) -> List[WidgetState]:
        """The widgets that fit at this moment; raises NotYet when the window or its widgets cannot be read."""
        return self.among(read_widgets(self.mullion, self.window.state()))

    def among(self, widgets: List[WidgetState]) -> List[WidgetState]:
        """Those of its window's widgets that fit."""
        found = [widget for widget in widgets if self._fits(widget)]
        if self._index is None:
            return found
        return found[self._index:][:1] if -len(found) <= self._index < len(found) else []

    def state(self) -> WidgetState:
        """The widget at this moment; of several, the one in view. Raises NotYet without exactly one."""
        widgets = read_widgets(self.mullion, self.window.state())
        found = self.among(widgets)
        if not found:
            raise Missing(f"there is no {self}" + self._nearest(widgets))
        worth = meant(found)
        if len(worth) > 1:
            places = "; ".join(str(widget) for widget in worth[:4])
            number = found.index(worth[0])
            raise Unknown(f"{len(worth)} widgets are {self}: {places}; use a name, or nth({number}) for the first")
        return worth[0]

    @property
    def text(self) -> str:
        """What it shows or what was typed into it; the name of a widget without text."""
        widget = self._act(self.state)
        return widget.name if widget.text is None else widget.text

    # Input.

    @step
    def click(self, button: str = "left", modifiers: Sequence[str] = ()) -> Report:
        """Clicks its middle, once it is enabled, stands still, and nothing covers it.

        Modifiers are held meanwhile: "ctrl", "shift", "alt", "super" or "altgr".
        """
        event = {"type": "click", "button": button, "modifiers": [*modifiers]}
        return self._act(lambda: self._hit(lambda point: {**event, **point}))

    @step
    def double_click(self) -> Report:
        """Clicks its middle twice, with nothing between."""
        return self._act(lambda: self._hit(lambda point: {"type": "click", "count": 2, **point}))

    @step
    def tap(self) -> Report:
        """Taps its middle with a finger."""
        return self._act(lambda: self._hit(lambda point: {"type": "tap", **point}))

    @step
    def hover(self) -> Report:
        """Moves the pointer to its middle."""
        return self._act(lambda: self._hit(lambda point: {"type": "hover", **point}))

    @step
    def fill(self, text: str) -> None:
        """Replaces what is in a text field."""
        self.focus()
        self.window.press("ctrl+a")
        if text:
            self.window.type(text)
        else:
            self.window.press("Delete")

    @step
    def type(self, text: str) -> None:
        """Types into it, where its caret is."""
        self.focus()
        self.window.type(text)

    @step
    def press(self, keys: str) -> None:
        """Presses a key with its modifiers while it has the focus."""
        self.focus()
        self.window.press(keys)

    @step
    def focus(self) -> None:
        """Clicks it unless it has the focus, and waits until it has."""

        def attempt() -> None:
            if "focused" not in self.state().states:
                raise NotYet(f"{self} does not get the focus")

        if "focused" not in self._act(self.state).states or not self.window.is_key:
            self.click()
            self._act(attempt)

    # Finding it.

    def _act(self, attempt: Callable[[], Result]) -> Result:
        return self.mullion.act(attempt, every=POLL)

    def _hit(self, event: Callable[[Dict[str, Any]], Dict[str, Any]]) -> Report:
        widget = self.state()
        before, self._seen = self._seen, widget
        if not widget.is_enabled:
            raise NotYet(f"{self} is not enabled")
        if widget.part is None and "visible" not in widget.states:
            raise NotYet(f"{self} is not shown")
        if widget.part is None:
            scroll_into_view(self.mullion, widget)
            raise NotYet(f"{self} cannot be scrolled into view")
        if before is None or before.frame != widget.frame:
            raise NotYet(f"{self} moves, it is at {widget.frame}")
        window = self.window.state()

        def is_covered(surface: str) -> bool:
            return is_popup_over(self.mullion, surface, widget, window)

        return self.window.hit(window, widget.part.center, event, is_covered)

    def _fits(self, widget: WidgetState) -> bool:
        if self._text is not None and not (fits(self._text, widget.text or "") or fits(self._text, widget.name)):
            return False
        is_of_role = self._role is None or self._role in (widget.role, widget.native_role)
        return is_of_role and fits(self._name, widget.name) and fits(self._description, widget.description)

    def _nearest(self, widgets: List[WidgetState]) -> str:
        wanted = f"{self._role or ''} {_words(self._name or self._text or self._description)}"
        ordered = sorted(
            widgets, key=lambda item: -difflib.SequenceMatcher(None, wanted, f"{item.role} {item.name}").ratio())
        # The first line is the headline of reports.
        names = ", ".join(f'{widget.role} "{widget.name}"' for widget in ordered[:3] if widget.name)
        headline = NEAREST + names if names else ""
        return "\n".join([headline, "widgets, the most similar first:"] + [f"  {widget}" for widget in ordered[:8]])

    def __str__(self) -> str:
        words = self._role or "widget"
        if self._name is not None:
            words += f" {quoted(self._name)}"
        if self._description is not None:
            words += f" described as {quoted(self._description)}"
        if self._text is not None:
            words += f" with the text {quoted(self._text)}"
        return f"{words} in {self.window}" + (f" number {self._index}" if self._index is not None else "")

    def __repr__(self) -> str:
        return f"<{self}>"


def _words(text: Optional[Text]) -> str:
    return "" if text is None else text if isinstance(text, str) else text.pattern
