"""The errors of the package. An expectation that is not met raises AssertionError instead."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .words import printable


class MullionError(Exception):
    """Something was asked for that cannot be done."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message, keeps_lines=True))


class ServerError(MullionError):
    """The server did not start, or it has ended."""


class ActionError(MullionError):
    """The input would have missed its target until the timeout."""


_HANGS = {"notReading", "notAnswering"}
"""What programs that hang have not finished; others still work or wait for a frame."""


class ProblemError(MullionError):
    """The server refused a request and said why (RFC 9457)."""

    def __init__(
        self, request: str, status: int, detail: str, rule: Optional[str] = None, body: Optional[Dict[str, Any]] = None
    ) -> None:
        super().__init__(f"{request}: {detail}" + (f" ({rule})" if rule else ""))
        self.request = request
        """The method and the path."""
        self.status = status
        """HTTP's status."""
        self.detail = detail
        """For people: what was wrong, and what is allowed."""
        self.rule = rule
        """The rule of the window model that the request broke; ``mullionctl rule`` explains it."""
        self.body: Dict[str, Any] = body or {}
        """The whole answer, see mullion-control(7)."""
        self.code: str = self.body.get("code", "")
        """The kind of the refusal, for programs."""
        self.hanging: List[str] = [
            item["detail"] for item in self.body.get("unfinished", []) if item["kind"] in _HANGS]
        """The programs that do not react, where the server has not settled."""


def hidden(info: Any) -> bool:
    """For ``__tracebackhide__``: pytest shows the line of the test instead of those of this package."""
    return isinstance(info.value, (MullionError, AssertionError))


NEAREST = "; the nearest: "
"""What is before the nearest candidates in the first line of a text, which is the headline of reports."""


class NotYet(Exception):
    """What is waited for is not true yet; its text says what is true instead. For use within the package."""


class Missing(NotYet):
    """Nothing matches, so no expectation about it holds, and no opposite, except that it is not visible."""


class Unknown(NotYet):
    """Several fit, or not all widgets are described: neither what is expected nor its opposite can be checked."""


class Hopeless(NotYet):
    """It will not become true, so waiting ends at once."""


class Gone(Missing, Hopeless):
    """It does not exist and will not: its program has ended."""
