"""Test programs with windows: a private Mullion server for each test.

With pytest, the fixture ``mullion`` is such a server; elsewhere, ``with Mullion(screens=["1280x800"]) as mullion:``
starts one. Programs are started with ``launch``, found by their windows, driven, and checked with ``expect``, which
waits until what it expects is true.
"""

from .app import App
from .clock import Clock
from .display import Display
from .errors import ActionError, MullionError, ProblemError, ServerError
from .events import Event
from .expect import expect
from .model import Point, Rect, WindowState
from .picture import Picture
from .screen import Screen
from .session import Mullion
from .widget import Widget
from .window import Window

__version__ = "0.1.0"

__all__ = [
    "ActionError", "App", "Clock", "Display", "Event", "Mullion", "MullionError", "Picture", "Point", "ProblemError",
    "Rect", "Screen", "ServerError", "Widget", "Window", "WindowState", "expect",
]
