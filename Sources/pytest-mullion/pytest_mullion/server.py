"""A private server and its programs: ``mullionctl run``, which ends all of them whatever happens to the test."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from importlib import metadata
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

from .changes import Change, Changes
from .errors import MullionError, NotYet, ServerError
from .options import Options

Message = Dict[str, Any]
PATIENCE = 10
"""Seconds in which the launcher answers, even on a busy machine."""
_KINDS = ("started", "failed", "output", "signalled", "ended")


class PrivateServer:
    """``mullionctl run`` with the launcher as its command."""

    def __init__(self, options: Options, changes: Changes) -> None:
        self._changes = changes
        self._lock = threading.Lock()
        self._listeners: Dict[int, Callable[[Message], None]] = {}
        self._environment: Optional[Dict[str, str]] = None
        self._has_ended = False
        self._checks = 0
        self._ending: Dict[int, List[int]] = {}
        self._last_messages = ""
        self.program = (
            options.program or os.environ.get("MULLIONCTL") or _installed_program() or shutil.which("mullionctl") or "")
        if not self.program:
            raise ServerError("mullionctl is not in PATH; install Mullion or set MULLIONCTL to the program's path")
        words = [self.program, "run", *options.arguments(), "--", sys.executable, "-I", "-S"]
        words += [str(Path(__file__).with_name("launcher.py")), *filter(None, [options.test])]
        # An anonymous file: nothing of it remains when this process is killed.
        self._log = os.fdopen(os.memfd_create("mullionctl-run"), "r+b", buffering=0)
        # Standard output is for the report.
        self._socket, end = socket.socketpair()
        try:
            # In a session of its own, because Ctrl-C is for pytest, which then ends everything in order.
            self._process = subprocess.Popen(
                words, stdin=end.fileno(), stdout=subprocess.DEVNULL, stderr=self._log, start_new_session=True)
        except OSError as error:
            self._log.close()
            self._socket.close()
            raise ServerError(f"{self.program} cannot be started: {error}") from None
        finally:
            end.close()
        self._reader = threading.Thread(target=self._read, name="mullion-programs", daemon=True)
        self._reader.start()
        try:
            self.environment = changes.retry(self._ready, timeout=60)
        except NotYet as error:
            self.stop()
            raise ServerError(f"the server did not start: {error}") from None
        except ServerError:
            self.stop()
            raise

    def _ready(self) -> Dict[str, str]:
        if self._has_ended:
            raise ServerError(self.messages or f"{self.program} run ended at once")
        if self._environment is None:
            raise NotYet("no answer within 60 s")
        return self._environment

    @property
    def folder(self) -> Path:
        """The private runtime folder."""
        return Path(self.environment["XDG_RUNTIME_DIR"])

    @property
    def control_socket(self) -> str:
        """The path of the control socket."""
        return str(self.folder / "mullion" / "control.sock")

    @property
    def messages(self) -> str:
        """What ``mullionctl run`` has written, for example why the server ended."""
        if self._log.closed:
            return self._last_messages
        return os.pread(self._log.fileno(), 1 << 20, 0).decode(errors="replace").strip()

    @property
    def condition(self) -> str:
        """What is known of its end, for messages; empty while it runs."""
        return f"\n{self.messages}" if self._has_ended else ""

    def why(self) -> str:
        """The same after a request has failed, when the news of the end may be on their way."""
        try:
            self._changes.retry(self._check_end, timeout=3)
        except NotYet:
            pass
        return self.condition

    def _check_end(self) -> None:
        if not self._has_ended:
            raise NotYet("it runs")

    @property
    def log(self) -> str:
        """The server's log."""
        try:
            return (self.folder / "mulliond.log").read_text(errors="replace")
        except OSError:
            return self.messages

    def start(
        self, number: int, command: List[str], environment: Dict[str, str], folder: Optional[str],
        listener: Callable[[Message], None],
    ) -> None:
        """Starts a program; the listener receives the messages that are about it."""
        self._listeners[number] = listener
        self._send({"start": number, "command": command, "env": environment, "cwd": folder or os.getcwd()})

    def signal(self, number: int, which: int) -> None:
        """Sends a signal to a program and those of its descendants that are in its process group."""
        self._send({"to": number, "signal": which})

    def ending(self) -> List[int]:
        """Returns the programs that are about to end, when the ends of all others are known."""
        self._checks += 1
        number = self._checks
        self._send({"check": number})

        def answered() -> List[int]:
            if number not in self._ending and not self._has_ended:
                raise NotYet("the programs could not be checked")
            return self._ending.pop(number, [])

        try:
            return self._changes.retry(answered, PATIENCE)
        except NotYet as error:
            raise MullionError(str(error)) from None

    def stop(self, failure: Optional[str] = None) -> None:
        """Ends the programs and the server, and waits for that; ``failure`` says in the report why the test failed."""
        try:
            self._send({"failure": failure})
            self._socket.shutdown(socket.SHUT_WR)
        except (MullionError, OSError):
            # It has ended.
            pass
        # It ends programs that ignore SIGTERM after five seconds, so this is for a machine in trouble.
        rescue = threading.Timer(60, self._process.kill)
        rescue.start()
        self._process.wait()
        rescue.cancel()
        self._last_messages = self.messages
        self._log.close()
        self._reader.join(timeout=10)
        self._socket.close()

    def _send(self, message: Message) -> None:
        try:
            with self._lock:
                self._socket.sendall((json.dumps(message) + "\n").encode())
        except OSError:
            raise MullionError("the server has ended" + self.condition) from None

    def _read(self) -> None:
        for line in self._lines():
            message = json.loads(line)
            if "ready" in message:
                self._environment = message["ready"]
            elif "checked" in message:
                self._ending[message["checked"]] = message["ending"]
            else:
                number = next(message[kind] for kind in _KINDS if kind in message)
                self._listeners[number]({**message, "when": time.monotonic()})
            self._changes.post(Change.OUTPUT if "output" in message else Change.STATE)
        self._has_ended = True
        self._changes.post()

    def _lines(self) -> Iterator[bytes]:
        with self._socket.makefile("rb") as stream:
            try:
                yield from stream
            except OSError:
                # It has ended before it had read everything.
                pass


def _installed_program() -> Optional[str]:
    """Returns the program that came in the same wheel as this package."""
    try:
        files = metadata.files("pytest-mullion") or []
    except metadata.PackageNotFoundError:
        return None
    programs = (os.path.realpath(file.locate()) for file in files if file.parts[-2:] == ("bin", "mullionctl"))
    return next((program for program in programs if os.path.exists(program)), None)
