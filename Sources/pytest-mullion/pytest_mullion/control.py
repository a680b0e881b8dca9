"""The control API: HTTP and JSON on a Unix socket, see mullion-control(7)."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union
from urllib.parse import quote, urlencode

from .errors import ProblemError, ServerError, hidden

__tracebackhide__ = hidden

LONGEST = 600
"""Seconds that the server waits at most for one request."""
Result = TypeVar("Result")
Query = Union[Dict[str, object], List[Tuple[str, object]]]
"""Query items; a list may have several of the same name."""


class UnixConnection(http.client.HTTPConnection):
    """HTTP on a Unix socket."""

    def __init__(self, path: str, timeout: Optional[float]) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Call:
    """A request that the server has received."""

    def __init__(self, connection: UnixConnection, name: str, condition: Callable[[], str]) -> None:
        self._connection = connection
        self._socket = connection.sock
        self._name = name
        self._condition = condition
        self._is_cancelled = False

    def read(self) -> bytes:
        """Waits for the answer, and returns its body; raises as ``Control.request``."""
        try:
            response = self._connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            condition = "" if self._is_cancelled else self._condition()
            raise ServerError(f"mulliond does not answer {self._name}: {_reason(error)}{condition}") from None
        finally:
            self._connection.close()
        if response.status >= 400:
            raise _problem(self._name, response.status, data)
        return data

    def cancel(self) -> None:
        """Hangs up, so that the server forgets the request, and ``read`` in another thread ends."""
        self._is_cancelled = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It has been answered.
            pass


class Control:
    """Requests to a server."""

    def __init__(self, path: str, condition: Callable[[], str] = lambda: "") -> None:
        """``condition`` says how the server's process is, for the message when it does not answer."""
        self.path = path
        self._condition = condition

    def request(
        self, method: str, path: str, body: Optional[bytes] = None, *, query: Optional[Query] = None,
        content_type: str = "application/json", accept: str = "*/*", timeout: float = 60,
    ) -> bytes:
        """Sends a request, whose path is without /v1, and returns the answer's body.

        In the path, ``%2F`` is a slash within a name, and other characters are escaped as they need to be.
        Raises ProblemError when the server refuses it, and ServerError when there is no server any more.
        """
        call = self.send(method, path, body, query=query, content_type=content_type, accept=accept, timeout=timeout)
        return call.read()

    def send(
        self, method: str, path: str, body: Optional[bytes] = None, *, query: Optional[Query] = None,
        content_type: str = "application/json", accept: str = "*/*", timeout: float = 60,
    ) -> Call:
        """Sends a request as ``request`` does, without waiting for the answer."""
        target = "/v1" + quote(path, safe="/%") + ("?" + urlencode(query) if query else "")
        connection = UnixConnection(self.path, timeout)
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = content_type
        try:
            connection.request(method, target, body=body, headers=headers)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            name = f"mulliond does not answer {method} {target}"
            raise ServerError(f"{name}: {_reason(error)}{self._condition()}") from None
        return Call(connection, f"{method} {target}", self._condition)

    def json(
        self, method: str, path: str, body: object = None, *, query: Optional[Query] = None,
        timeout: float = 60,
    ) -> Any:
        """Sends JSON, if there is a body, and returns the answer's; None when it has no body."""
        data = None if body is None else json.dumps(body).encode()
        answer = self.request(method, path, data, query=query, timeout=timeout)
        return json.loads(answer) if answer else None


def in_parts(timeout: float, status: int, ask: Callable[[float], Result]) -> Result:
    """Calls ``ask`` with the seconds that the server may wait, and again while that is less than the timeout.

    ``status`` is that of a request whose time is up.
    """
    while True:
        part = min(timeout, LONGEST)
        timeout -= part
        try:
            return ask(part)
        except ProblemError as error:
            if error.status != status or timeout <= 0:
                raise


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _problem(request: str, status: int, data: bytes) -> ProblemError:
    try:
        problem = json.loads(data)
        return ProblemError(request, status, problem["detail"], problem.get("rule"), problem)
    except (ValueError, KeyError, TypeError):
        return ProblemError(request, status, data.decode(errors="replace").strip() or f"status {status}")
