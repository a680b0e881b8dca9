"""Faults of programs that the test did not notice: crashes, protocol errors, and processes left behind."""

from __future__ import annotations

import os
import re
import select
import time
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List

from .errors import MullionError, NotYet
from .launcher import MARK
from .words import printable

if TYPE_CHECKING:
    from .session import Mullion

GRACE = 0.5
"""Seconds after which a process that outlives its program is left behind; some end a moment later by themselves."""
PATIENCE = 10
"""Seconds in which what has happened becomes known, even on a busy machine."""
_CAUSES = ("protocolError", "limit")


def faults(mullion: Mullion) -> List[str]:
    """A text for each fault; only crashes unless the test is strict."""
    _await_ends(mullion)
    found = [
        f"a program has crashed, for whose end the test did not wait\n{app.condition}"
        for app in mullion.apps if app.has_failed_unexpectedly]
    if mullion.options.strict:
        found += _protocol_errors(mullion) + _left_behind(mullion)
    return found


def _await_ends(mullion: Mullion) -> None:
    """Waits for the ends of programs that were caused by what the test did last."""
    if not any(app.is_running for app in mullion.apps):
        return
    try:
        # They handle what they have received; one that draws on and on is not waited for.
        mullion.await_settled(GRACE)
    except MullionError:
        pass
    try:
        ending = mullion.server.ending()
    except MullionError:
        return

    def ended() -> None:
        if any(mullion.apps[number - 1].is_running for number in ending):
            raise NotYet("a program is about to end")

    try:
        mullion.changes.retry(ended, PATIENCE)
    except NotYet:
        pass


def _protocol_errors(mullion: Mullion) -> List[str]:
    """Why the server has disconnected clients."""
    metrics = mullion.control.request("GET", "/metrics").decode()
    counts = [re.search(rf'mullion_clients_ended_total{{cause="{cause}"}} (\d+)', metrics) for cause in _CAUSES]
    expected = sum(int(count[1]) for count in counts if count)

    def arrived() -> List[str]:
        events = [event for event in mullion.events("applicationDidDisconnect") if event.get("cause") in _CAUSES]
        # Events are read in the background.
        if len(events) < expected:
            raise NotYet("the events have not arrived")
        return [
            printable(f"{event.get('applicationName') or 'a program'} (pid {event['pid']}) broke the protocol: ")
            + printable(event["reason"]) for event in events]

    try:
        return mullion.changes.retry(arrived, PATIENCE)
    except NotYet as error:
        raise MullionError(str(error)) from None


def _left_behind(mullion: Mullion) -> List[str]:
    """The processes that programs have started and that run, although the programs have ended."""
    found: List[str] = []
    deadline = time.monotonic() + GRACE
    for number, app in enumerate(mullion.apps, 1):
        if app.is_running:
            continue
        for pid in _marked(mullion, number):
            name = _name(pid)
            if not _ends(pid, deadline):
                text = f"process {pid} ({printable(name)}) was left behind{_windows(mullion, pid)}"
                found.append(f"{text}\n{app.condition}")
    return found


def _marked(mullion: Mullion, number: int) -> List[int]:
    """The processes that have inherited the mark of a program, in sessions of their own too."""
    marks = {f"{MARK}={number}".encode(), f"XDG_RUNTIME_DIR={mullion.server.folder}".encode()}
    found: List[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marks <= set(path.read_bytes().split(b"\0")):
                found.append(int(path.parent.name))
        except OSError:
            # It has ended, or belongs to another user.
            pass
    return sorted(found)


def _ends(pid: int, deadline: float) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return True
    try:
        return bool(select.select([descriptor], [], [], max(0, deadline - time.monotonic()))[0])
    finally:
        os.close(descriptor)


def _windows(mullion: Mullion, pid: int) -> str:
    """The windows that it keeps, for messages."""
    applications = mullion.control.json("GET", "/applications")["applications"]
    owners: Dict[int, int] = {item["id"]: item["pid"] for item in applications}
    words = [f'window {window.id} "{printable(window.title)}"' for window in mullion.windows()
             if owners.get(window.application) == pid]
    return f", with {', '.join(words)}" if words else ""


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"
