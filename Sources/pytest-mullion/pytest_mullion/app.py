"""A program that a test has started."""

from __future__ import annotations

import os
import shlex
import signal
import time
from typing import TYPE_CHECKING, Callable, List, Mapping, Optional, Set

from .errors import MullionError, NotYet, hidden
from .server import Message
from .steps import step
from .words import Text, printable

if TYPE_CHECKING:
    from .session import Mullion
    from .window import Window

__tracebackhide__ = hidden

CRASHES: Set[int] = {
    signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGSYS,
}
"""The signals of programs that have made a mistake."""
PATIENCE = 60
"""Seconds in which what starts programs answers, even on a busy machine."""


class App:
    """A program, which is ended with all that it started when the test ends."""

    OUTPUT_LIMIT = 4 << 20

    def __init__(
        self, mullion: Mullion, number: int, command: List[str], env: Mapping[str, str], cwd: Optional[str]
    ) -> None:
        self.mullion = mullion
        self._number = number
        self._text: List[str] = []
        self._length = 0
        self._failure: Optional[str] = None
        self._status: Optional[int] = None
        self._begin = time.monotonic()
        self._end = 0.0
        self._known: Set[int] = set()
        self._signals: Set[int] = set()
        self._signalled = 0
        self.is_expected_to_end = False
        """Whether the test has waited for its end, so a crash does not fail the test."""
        self.pid = 0
        self.command = command
        mullion.server.start(number, command, dict(env), cwd, self._receive)
        self._until(self._started)
        self._known.add(self.pid)

    def _receive(self, message: Message) -> None:
        if "started" in message:
            self.pid = message["pid"]
        elif "failed" in message:
            self._failure = message["reason"]
        elif "signalled" in message:
            self._signalled += 1
        elif "output" in message:
            self._keep(message["text"])
        else:
            self._end = message["when"]
            self._status = message["status"]

    def _keep(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        # The beginning and the end of a long output matter most; the middle is dropped.
        while self._length > self.OUTPUT_LIMIT and len(self._text) > 64:
            self._length -= len(self._text.pop(32))

    def _started(self) -> None:
        if self._failure is not None:
            raise MullionError(f"{self.name} cannot be started: {self._failure}")
        if self.pid == 0:
            if self.mullion.server.condition:
                raise MullionError(f"{self.name} cannot be started{self.mullion.server.condition}")
            raise NotYet(f"{self.name} was not started within {PATIENCE} s")

    @property
    def name(self) -> str:
        """The command as a shell would show it, shortened."""
        words = [os.path.basename(self.command[0]), *self.command[1:]]
        text = printable(" ".join(" ".join(shlex.quote(word) for word in words).split()))
        return text if len(text) <= 80 else text[:79] + "…"

    @property
    def output(self) -> str:
        """What it and the programs that it started have written so far, to standard output and standard error."""
        return "".join(self._text)

    @property
    def exit_status(self) -> Optional[int]:
        """Its exit status, negative the number of the signal that ended it; None while it runs."""
        return self._status

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self._status is None

    @property
    def has_crashed(self) -> bool:
        """Whether a signal such as SIGSEGV ended it that the test did not send."""
        return self._status is not None and -self._status in CRASHES - self._signals

    @property
    def has_failed_unexpectedly(self) -> bool:
        """Whether it has crashed, and the test did not wait for its end."""
        return self.has_crashed and not self.is_expected_to_end

    @step
    def wait(self, timeout: Optional[float] = None) -> int:
        """Waits for its end, and returns the exit status, or negative the number of the signal that ended it."""
        self.is_expected_to_end = True
        seconds = self.mullion.timeout if timeout is None else timeout

        def attempt() -> int:
            if self._status is None:
                raise NotYet(f"{self.name} did not end within {seconds:g} s")
            return self._status

        return self.mullion.act(attempt, timeout)

    def terminate(self) -> None:
        """Sends SIGTERM to it and to the programs that it started."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL to it and to the programs that it started."""
        self.send_signal(signal.SIGKILL)

    @step
    def send_signal(self, number: int) -> None:
        """Sends a signal to it and to the programs that it started, unless these are in another process group."""
        self._signals.add(number)
        self.is_expected_to_end = True
        expected = self._signalled + 1
        self.mullion.server.signal(self._number, number)

        def sent() -> None:
            if self._signalled < expected and not self.mullion.server.condition:
                raise NotYet(f"the signal was not sent to {self.name} within {PATIENCE} s")

        self._until(sent)

    def _until(self, attempt: Callable[[], None]) -> None:
        try:
            self.mullion.changes.retry(attempt, PATIENCE)
        except NotYet as error:
            raise MullionError(str(error)) from None

    def window(self, title: Optional[Text] = None) -> Window:
        """Its window with that title, or a title in which that pattern is found; without one, its only window."""
        from .window import Window

        return Window(self.mullion, title=title, app=self)

    def owns(self, pid: int) -> bool:
        """Whether that process is it, or was started by it."""
        parent = pid
        while parent > 1 and parent not in self._known:
            parent = _parent(parent)
        if parent in self._known:
            self._known.add(pid)
            return True
        try:
            # One whose parent has ended.
            return os.getsid(pid) == self.pid
        except ProcessLookupError:
            return False

    @property
    def is_connected(self) -> bool:
        """Whether it or a program that it started is connected to the server; X11 programs are by their windows."""
        found = self.mullion.control.json("GET", "/applications")["applications"]
        return any(self.owns(item["pid"]) for item in found) or bool(self.window().matches())

    @property
    def ending(self) -> str:
        """What became of it, for messages: "exited with 3"."""
        if self._status is None:
            return "runs"
        if self.has_crashed:
            return f"crashed: {_signal(self._status)}"
        return f"was ended by {_signal(self._status)}" if self._status < 0 else f"exited with {self._status}"

    @property
    def condition(self) -> str:
        """How it is, for messages: whether it runs, or how it ended, and the end of its output."""
        lines = self.output.rstrip().splitlines()[-12:]
        text = f"{self.name} (pid {self.pid}) "
        text += self.ending
        if self._status is not None:
            text += f", {self._end - self._begin:.1f} s after its start"
        shown = [printable(line[:200], keeps_lines=True) for line in lines]
        return "\n".join([text + ("; its output ends with" if shown else "")] + [f"  | {line}" for line in shown])

    def __str__(self) -> str:
        return f"program {self.name}"

    def __repr__(self) -> str:
        return f"<App {self.name} pid {self.pid}>"


def _signal(status: int) -> str:
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0
