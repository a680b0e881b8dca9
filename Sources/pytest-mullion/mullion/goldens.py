"""Compares pictures of screens with saved ones."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Set

from .errors import MullionError, NotYet, ProblemError, hidden
from .picture import Picture

if TYPE_CHECKING:
    from .screen import Screen
    from .session import Mullion

__tracebackhide__ = hidden

LOOK = 0.1
"""Seconds between comparisons: what programs draw in their windows is no event of the server."""
STILL = 0.3
"""Seconds without a change after which a picture is saved as a golden one."""

_saved: Set[Path] = set()


def match(
    mullion: Mullion, screen: Screen, golden: Path, options: Dict[str, Any],
    expect: Callable[[Callable[[], None]], None],
) -> None:
    """Compares until they are equal, or saves the picture; ``expect`` retries what it gets until the timeout."""
    path = Path(mullion.options.goldens or Path.cwd()) / golden
    if mullion.options.update_goldens:
        return _update(mullion, screen, path, options)
    if not path.exists():
        actual = _keep(mullion, path.stem + "-seen.png", _take(screen, options).png)
        raise AssertionError(
            f"{path} does not exist; create it with --update-goldens. The picture of {screen.name} is {actual}")
    try:
        expect(lambda: _compare(screen, path, options))
    except AssertionError as error:
        raise AssertionError(f"{error}\n{_evidence(mullion, screen, path, options)}") from None


def _compare(screen: Screen, path: Path, options: Dict[str, Any]) -> None:
    answer = _request(screen, path, options)
    if answer["equal"]:
        return
    if answer["differing"] is None:
        raise NotYet(answer["reason"])
    box, first = answer["box"], answer["first"]
    raise NotYet(
        f"{answer['differing']} of {answer['pixels']} pixels differ, by up to {answer['greatest']} of 255, within "
        f"{box['x']:g},{box['y']:g} {box['width']:g}×{box['height']:g}; the first at {first['x']},{first['y']}: "
        f"expected {first['expected']}, seen {first['seen']}")


def _request(screen: Screen, path: Path, options: Dict[str, Any], diff: bool = False) -> Any:
    query = _query({**options, "diff": diff})
    try:
        answer = screen.mullion.control.request(
            "POST", screen.path + "/compare", path.read_bytes(), query=query, content_type="image/png")
    except ProblemError as error:
        if error.status == 404:
            raise NotYet(error.detail) from None
        raise
    return json.loads(answer)


def _evidence(mullion: Mullion, screen: Screen, path: Path, options: Dict[str, Any]) -> str:
    """Saves the picture, and one of the differences, and says where."""
    try:
        lines = [f"golden: {path}", f"seen: {_keep(mullion, path.stem + '-seen.png', _take(screen, options).png)}"]
        diff = _request(screen, path, options, diff=True).get("diff")
        if diff:
            lines.append(f"differences: {_keep(mullion, path.stem + '-differences.png', base64.b64decode(diff))}")
        return "\n".join(lines)
    except (MullionError, NotYet) as error:
        return f"golden: {path}; there is no picture: {error}"


def _update(mullion: Mullion, screen: Screen, path: Path, options: Dict[str, Any]) -> None:
    if path in _saved:
        raise MullionError(f"{path} was saved before in this run; give each picture a name of its own")
    _saved.add(path)
    deadline = time.monotonic() + mullion.timeout
    while time.monotonic() < deadline:
        mullion.settle()
        before = _take(screen, options)
        mullion.changes.wait(mullion.changes.count(), time.monotonic() + STILL)
        after = _take(screen, options)
        if after == before:
            after.save(path)
            return
    raise MullionError(f"{screen.name} does not stand still, so {path} was not saved")


def _take(screen: Screen, options: Dict[str, Any]) -> Picture:
    query = _query({name: options[name] for name in ("upright", "cursor")})
    return Picture(screen.mullion.control.request("GET", screen.path + "/screenshot.png", query=query))


def _query(options: Dict[str, Any]) -> Dict[str, object]:
    return {name: str(value).lower() for name, value in options.items()}


def _keep(mullion: Mullion, name: str, data: bytes) -> Path:
    path = mullion.artifacts() / name
    path.write_bytes(data)
    return path
