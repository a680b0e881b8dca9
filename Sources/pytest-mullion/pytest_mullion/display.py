"""The screens of a server, which are plugged in and unplugged while programs run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, List, Optional, Union

from .errors import MullionError, hidden
from .picture import Picture
from .screen import Screen
from .steps import step

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden


class Display:
    """All screens."""

    def __init__(self, mullion: Mullion) -> None:
        self.mullion = mullion

    @property
    def screens(self) -> List[Screen]:
        """The connected screens, the main one first."""
        found = self.mullion.control.json("GET", "/screens")["screens"]
        return [Screen(self.mullion, screen["name"]) for screen in found if screen["enabled"]]

    @property
    def main(self) -> Screen:
        """The main screen."""
        screens = self.screens
        if not screens:
            raise MullionError('there is no screen; plug one in with display.plug("1280x800")')
        return screens[0]

    def screen(self, name: str) -> Screen:
        """The screen of that name, whether it is connected or not."""
        return Screen(self.mullion, name)

    @step
    def plug(self, model: str, **keys: object) -> Screen:
        """Plugs in a screen: a display model or WIDTHxHEIGHT[@HERTZ]; the keys are those of ``mullionctl plug``."""
        answer = self.mullion.control.json("POST", "/screens", dict(keys, model=model))
        return Screen(self.mullion, answer["name"])

    def unplug(self, screen: Union[Screen, str]) -> None:
        """Unplugs a screen, whose windows wait for it."""
        self._screen(screen).unplug()

    def rotate(self, screen: Union[Screen, str], orientation: str) -> None:
        """Rotates a screen, see ``Screen.rotate``."""
        self._screen(screen).rotate(orientation)

    def scale(self, screen: Union[Screen, str], scale: float) -> None:
        """Sets a screen's number of pixels per point."""
        self._screen(screen).scale(scale)

    def mode(self, screen: Union[Screen, str], mode: str) -> None:
        """Switches a screen to another of its modes, such as "1280x720@50"."""
        self._screen(screen).mode(mode)

    @step
    def screenshot(self, path: Optional[Union[str, Path]] = None, max_edge: Optional[int] = None) -> Picture:
        """A picture of all screens, upright, at their positions in the layout; also saved if there is a path."""
        return Picture.take(self.mullion.control, "/screenshot.png", path, max_edge)

    def _screen(self, screen: Union[Screen, str]) -> Screen:
        return screen if isinstance(screen, Screen) else self.screen(screen)

    def __str__(self) -> str:
        return "display"
