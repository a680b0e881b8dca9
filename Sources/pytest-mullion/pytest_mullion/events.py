"""The server's events, read while the test runs."""

from __future__ import annotations

import json
import threading
from collections import deque
from typing import Any, Deque, Dict, List

from .changes import Change, Changes
from .control import UnixConnection
from .errors import ServerError

Event = Dict[str, Any]
"""An event of mullion-control(7): ``event``, its name, ``time`` in microseconds, and what belongs to that event."""


_KINDS = {
    "input": Change.INPUT, "event": Change.INPUT, "pointerFocus": Change.INPUT, "needsDisplay": Change.PICTURE,
}


class EventStream:
    """A reader of ``GET /v1/events`` that keeps the last events and counts all as changes."""

    LIMIT = 20_000

    def __init__(self, path: str, changes: Changes) -> None:
        self._changes = changes
        self._events: Deque[Event] = deque(maxlen=self.LIMIT)
        self._connection = UnixConnection(path, timeout=60)
        try:
            self._connection.request("GET", "/v1/events")
            self._response = self._connection.getresponse()
        except OSError as error:
            raise ServerError(f"the server's events cannot be read: {error}") from None
        # Nothing may happen for long; the stream ends with the server.
        self._connection.sock.settimeout(None)
        self._thread = threading.Thread(target=self._read, name="mullion-events", daemon=True)
        self._thread.start()

    def list(self) -> List[Event]:
        """The last events, oldest first."""
        return list(self._events)

    def join(self) -> None:
        """Waits until the stream has ended, with the server."""
        self._thread.join(timeout=10)

    def _read(self) -> None:
        try:
            for line in self._response:
                if line.startswith(b"data:"):
                    event = json.loads(line[5:])
                    self._events.append(event)
                    self._changes.post(_KINDS.get(event["event"], Change.STATE))
        except (OSError, ValueError):
            # The server has ended in the middle of an event.
            pass
        finally:
            self._connection.close()
            self._changes.post()
