"""Reads the widgets of a window, which ``mullionctl widgets`` gets from the program's accessibility."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Tuple

from .errors import MullionError, Unknown, hidden
from .model import Rect, WindowState
from .words import printable

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden


_CHOICES = {"menuitem", "menuitemcheckbox", "menuitemradio", "listitem"}
"""Roles of what menus and lists consist of."""


class WidgetState(NamedTuple):
    """What a widget was like at one moment."""

    id: str
    role: str
    name: str
    """Without one of its own, the description."""
    text: Optional[str]
    value: Optional[str]
    states: FrozenSet[str]
    frame: Rect
    """In points of its window."""
    part: Optional[Rect]
    """What of the frame its window, and the areas that scroll it, leave in view; None: nothing."""
    part_in_window: Optional[Rect] = None
    """The same, whatever lies outside of the screen: what the picture of its window has of it."""
    popup: Optional[str] = None
    """The surface of the menu or list that has popped up and that it is in."""
    parents: Tuple[str, ...] = ()
    """The widgets that contain it, without the outermost one, which is the window."""
    native_role: str = ""
    """AT-SPI's name of the role."""
    description: str = ""
    """What it says besides its name, in a tooltip for instance."""

    @classmethod
    def of(cls, item: Dict[str, Any], parents: Tuple[str, ...] = ()) -> WidgetState:
        """The widget of the printed object."""
        value, part, in_window = item.get("value"), item.get("part"), item.get("partInWindow")
        return cls(
            str(item["id"]), item["role"], item.get("name") or "", item.get("text"),
            f"{value:g}" if isinstance(value, (int, float)) else value, frozenset(item.get("states", [])),
            _frame(item), Rect.of(part) if part else None,
            Rect.of(in_window) if in_window else None, item.get("popup"), parents, item.get("nativeRole", ""),
            item.get("description") or "")

    @property
    def is_shown(self) -> bool:
        """Whether at least a part of it is in view."""
        return self.part is not None

    @property
    def is_enabled(self) -> bool:
        """Whether it takes input."""
        return "enabled" in self.states

    @property
    def is_checked(self) -> bool:
        """Whether it is on; programs call buttons that stay down pressed."""
        return "checked" in self.states or "pressed" in self.states

    def __str__(self) -> str:
        text = f'{printable(self.role)} "{printable(self.name)}"'
        if self.text and self.text != self.name:
            text += f' with the text "{printable(self.text)}"'
        return text + f" at {self.frame}" + (f" ({', '.join(sorted(self.states))})" if self.states else "")


def read_widgets(mullion: Mullion, window: WindowState) -> List[WidgetState]:
    """All widgets of a window, parents before children; raises Unknown while not all are described."""
    answer = _read(mullion, str(window.id))
    found = list(_flat(answer["widgets"]))
    title = printable(window.title)
    if not answer.get("complete", True):
        raise Unknown(f'window "{title}" was not described in time: {"; ".join(answer["remarks"])}')
    if not found:
        raise Unknown(f'window "{title}" describes no widgets; does its program support accessibility?')
    return found


def meant(found: List[WidgetState]) -> List[WidgetState]:
    """Of several that fit, those in view; if there are none, those that the program shows. As for ``mullionctl click``.

    The label of a button with the same name counts with the button.
    """
    names = {widget.id: widget.name for widget in found}
    found = [
        widget for widget in found
        if widget.role != "label" or all(names.get(parent) != widget.name for parent in widget.parents)]
    shown = [widget for widget in found if widget.is_shown]
    visible = [widget for widget in found if "visible" in widget.states]
    return shown or visible or found


def scroll_into_view(mullion: Mullion, widget: WidgetState) -> None:
    """Scrolls what contains the widget until it is in view; raises Unknown if that cannot be done."""
    _run(mullion, "scroll", f"id={widget.id}", "0,0", "timeout=1")


def is_popup_over(mullion: Mullion, surface: str, widget: WidgetState, window: WindowState) -> bool:
    """Whether a surface of the widget's window belongs to a pop-up that the widget is not in."""
    tree = json.loads(mullion.control.request("GET", "/tree", accept="application/json"))
    windows = [item for screen in tree["screens"] for item in screen["windows"] if item["id"] == window.id]
    for popup in [item for found in windows for item in found["surfaces"] if item["role"] != "root"]:
        if surface in _ids(popup):
            frame = Rect.of({**popup["position"], **popup["size"]})
            # Chromium describes the choices of a list where they pop up, but as parts of the page.
            return widget.popup is None and not (widget.role in _CHOICES and frame.contains(widget.frame))
    return False


def trees(mullion: Mullion) -> List[Dict[str, Any]]:
    """The widgets of all windows as they are printed; raises Unknown where programs cannot be asked."""
    widgets: List[Dict[str, Any]] = _read(mullion, "timeout=0s")["widgets"]
    return widgets


def _read(mullion: Mullion, *words: str) -> Dict[str, Any]:
    answer: Dict[str, Any] = json.loads(_run(mullion, "--json", "widgets", *words))
    return answer


def _ids(surface: Dict[str, Any]) -> Iterator[str]:
    yield surface["id"]
    for child in surface["children"]:
        yield from _ids(child)


def _run(mullion: Mullion, *words: str) -> bytes:
    command = [mullion.server.program, "--control", mullion.server.control_socket, *words]
    try:
        done = subprocess.run(
            command, env=mullion.server.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        raise Unknown("mullionctl did not read the widgets within 30 s") from None
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 2:
        raise MullionError(message)
    if done.returncode != 0:
        raise Unknown(message)
    return done.stdout


def _flat(items: List[Dict[str, Any]], parents: Optional[Tuple[str, ...]] = None) -> Iterator[WidgetState]:
    for item in items:
        widget = WidgetState.of(item, parents or ())
        yield widget
        yield from _flat(item.get("children") or [], () if parents is None else (*parents, widget.id))


def _frame(item: Dict[str, Any]) -> Rect:
    frame = item.get("frame")
    return Rect.of(frame) if frame else Rect(0, 0, 0, 0)
