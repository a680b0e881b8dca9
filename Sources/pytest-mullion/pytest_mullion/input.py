"""Injects input, and says who received it."""

from __future__ import annotations

from typing import Any, Dict, List

from .control import Control
from .errors import ActionError, ProblemError, hidden
from .words import printable

__tracebackhide__ = hidden

Injected = Dict[str, Any]
"""An event for ``POST /v1/input`` in mullion-control(7)."""
Report = Dict[str, Any]
"""The answer of ``POST /v1/input`` in mullion-control(7): who received an event, or why no client did."""

_REASONS = {
    "hidden": "it is hidden",
    "alpha": "it is transparent",
    "interactionDisabled": "its user interaction is disabled",
    "outsideFrame": "the point is outside its frame",
    "outsideScreen": "the point is outside the screen",
    "inputRegion": "it lets input through at this point",
    "ignoring": "its program ignores input",
    "notReceiving": "its program does not receive such events",
    "noWindow": "no window is there",
    "noKeyWindow": "no window is key",
    "screenNotInteractive": "the screen takes no touches",
}


def inject(control: Control, event: Injected, must_hit: bool = True) -> Report:
    """Injects an event and waits until its receiver has read it; raises ActionError if no client receives it."""
    query: Dict[str, object] = {"wait": "true", **({"mustHit": "true"} if must_hit else {})}
    try:
        report: Report = control.json("POST", "/input", event, query=query)
    except ProblemError as error:
        if error.status != 409:
            raise
        raise ActionError(_place(event) + error.detail) from None
    return report


def miss(report: Report) -> str:
    """Why no client received an event, window by window."""
    candidates: List[Dict[str, Any]] = report["candidates"]
    # Without the right to view, candidates have ids only.
    reasons = [
        f'window {item["window"]} "{printable(item.get("title", ""))}": {_reason(item.get("reason", "?"))}'
        for item in candidates]
    return "; ".join([_reason(report["reason"])] * ("reason" in report) + reasons)


def _reason(word: str) -> str:
    return _REASONS.get(word, word)


def _place(event: Injected) -> str:
    """Where it was injected; texts have no place."""
    return f"{event['x']:g},{event['y']:g} on {event['screen']}: " if "x" in event else ""
