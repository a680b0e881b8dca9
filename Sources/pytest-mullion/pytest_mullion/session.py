"""A server of one test, and everything a test does with it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Type, TypeVar, Union, cast

from . import artifacts
from .app import App
from .changes import Changes
from .clock import Clock, microseconds
from .control import Control, in_parts
from .display import Display
from .errors import ActionError, MullionError, NotYet, ServerError, hidden
from .events import Event, EventStream
from .explain import situation
from .model import WindowState
from .options import Options
from .server import PrivateServer
from .steps import Steps, step
from .waiting import Answer, ServerWait
from .window import Window
from .words import Text

__tracebackhide__ = hidden

Result = TypeVar("Result")

_running: List[Mullion] = []
"""The servers that have not been stopped, in the order of their start."""


class Mullion:
    """A private server; see ``Options`` for the arguments."""

    def __init__(self, **options: Any) -> None:
        self.options = Options().changed(options)
        self.timeout = self.options.timeout
        self.changes = Changes()
        self.apps: List[App] = []
        self.server = PrivateServer(self.options, self.changes)
        try:
            self.control = Control(self.server.control_socket, self.server.why)
            self._events = EventStream(self.server.control_socket, self.changes)
        except ServerError:
            self.server.stop()
            raise
        self._is_running = True
        self.steps = Steps(self.server.environment, self.options.test)
        self.display = Display(self)
        self.clock = Clock(self)
        _running.append(self)

    def __enter__(self) -> Mullion:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            if error is not None and self.options.artifacts is not None and self._is_running:
                artifacts.keep(self, str(error) or type(error).__name__, error)
        finally:
            self.stop(None if error is None else str(error))

    def stop(self, failure: Optional[str] = None) -> None:
        """Ends the programs and the server. Nothing of them remains.

        If the test has failed, ``failure`` says why, in the report in the folder ``artifacts`` of the options.
        """
        tree = self.artifacts / "tree.txt"
        kept: Optional[bytes] = None
        if failure is not None and self.options.artifacts is not None:
            failure = "\n".join([*(f"{app.condition}\n\n{app.output[-65536:]}" for app in self.apps), failure])
            # A folder that cannot be written must not keep the server from ending.
            with suppress(OSError):
                self.artifacts.mkdir(parents=True, exist_ok=True)
                kept = tree.read_bytes()
        self._is_running = False
        if self in _running:
            _running.remove(self)
        self.steps.close()
        self.server.stop(failure)
        self._events.join()
        if kept is not None:
            # The report's is of the end; some programs end with the one that reads their output.
            with suppress(OSError):
                tree.write_bytes(kept)

    @property
    def artifacts(self) -> Path:
        """The folder for files kept from a failed test; without that option, the current one."""
        return Path(self.options.artifacts or Path.cwd())

    @property
    def is_running(self) -> bool:
        """Whether the server has not been stopped."""
        return self._is_running

    @property
    def env(self) -> Dict[str, str]:
        """The environment of the programs, for those that a test starts by itself."""
        return {**self.server.environment, **self.options.env}

    @step
    def launch(
        self, command: Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]], *,
        env: Optional[Mapping[str, str]] = None, cwd: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> App:
        """Starts a program: a list of its name, found in PATH, and its arguments, or the name alone.

        It runs until the test ends, and is then ended with all that it started. ``env`` adds variables.
        """
        if isinstance(command, (str, os.PathLike)):
            command = [command]
        words = [os.fspath(word) for word in command]
        if not words:
            raise MullionError("the command is empty; use a list of a program and its arguments")
        # Output that is kept in the program's buffer would be missing after a crash.
        environment = {"PYTHONUNBUFFERED": "1", **self.env, **(env or {})}
        app = App(self, len(self.apps) + 1, words, environment, None if cwd is None else os.fspath(cwd))
        self.apps.append(app)
        return app

    def window(self, title: Optional[Text] = None) -> Window:
        """The window with that title, or a title in which that pattern is found, of any program."""
        return Window(self, title=title)

    def windows(self) -> List[WindowState]:
        """All windows, including hidden ones and those that wait for a screen."""
        return [WindowState.of(window) for window in self.control.json("GET", "/windows")["windows"]]

    def tree(self) -> str:
        """Screens, their windows by level and their surfaces, front to back, as ``mullionctl tree`` prints them."""
        return self.control.request("GET", "/tree", accept="text/plain").decode()

    @step
    def settle(self, timeout: Optional[float] = None) -> None:
        """Waits until every program has read and handled its events, and no frame is due."""
        self.await_settled(self.timeout if timeout is None else timeout)

    @step
    def wait_for(self, condition: str, timeout: Optional[float] = None, **words: object) -> Answer:
        """Waits until the server sees a condition of mullion-control(7): window, gone, application, client, screen,
        idle, still or pixel, with its words, as in ``wait_for("window", title="/^Save/", count=2)``. Titles and
        applications can be patterns of ``re``; the server refuses what it cannot match in linear time. Numbers that are
        times are seconds, as everywhere: ``wait_for("still", duration=0.5)``.

        Returns what fulfilled it. After the timeout, or when a program has crashed, the error has the actual state.
        """
        seconds = self.timeout if timeout is None else timeout
        if isinstance(words.get("duration"), (int, float, str)):
            words["duration"] = f"{microseconds(cast(Union[float, str], words['duration']))}us"
        try:
            return ServerWait(self, seconds, [{"for": condition, **words}]).run()
        except NotYet as reason:
            text = f"{reason}\n{situation(self)}"
        raise ActionError(text)

    def events(self, name: Optional[str] = None) -> List[Event]:
        """The events since the start, oldest first; only those of that name, such as ``didBecomeKey``.

        They are read in the background: those of the last moment may be missing.
        """
        return [event for event in self._events.list() if name is None or event["event"] == name]

    def __str__(self) -> str:
        return "mullion"

    # For use within the package.

    def await_settled(self, timeout: float) -> None:
        """Waits as ``settle`` does, without a step in the report."""

        def attempt(seconds: float) -> None:
            self.control.json("POST", "/settle", query={"timeout": seconds}, timeout=seconds + 30)

        in_parts(timeout, 503, attempt)

    def act(
        self, attempt: Callable[[], Result], timeout: Optional[float] = None, every: Optional[float] = None
    ) -> Result:
        """Retries until the timeout; then says what was missing and what there is."""
        try:
            return self.changes.retry(attempt, self.timeout if timeout is None else timeout, every=every)
        except NotYet as reason:
            text = f"{reason}\n{situation(self)}"
        raise ActionError(text)


def running() -> Optional[Mullion]:
    """The server that was started last, and that still runs; None: there is none."""
    return _running[-1] if _running else None
