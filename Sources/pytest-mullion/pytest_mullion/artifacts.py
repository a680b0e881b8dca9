"""Keeps what a failed test leaves: why it failed, pictures, windows, widgets, events, and the output of programs."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Set

from . import notes
from .errors import MullionError, Unknown
from .explain import hanging
from .files import write
from .widgets import trees
from .words import printable

if TYPE_CHECKING:
    from .session import Mullion

_LONGEST = 200
"""Bytes of names of files, to which an ending is added."""


def keep(mullion: Mullion, reason: str, error: Optional[BaseException]) -> str:
    """Writes the files and returns what the message about a failed test says of them.

    A server that has ended has no pictures any more. Raises OSError if the folder cannot be written.
    """
    # What follows is no step of the test.
    mullion.steps.close()
    folder = mullion.artifacts
    folder.mkdir(parents=True, exist_ok=True)
    has_widgets = _note(mullion, reason, error)
    for name, source in _sources(mullion).items():
        try:
            write(folder / name, source())
        except MullionError:
            pass
    text = printable(_summary(mullion), keeps_lines=True)
    message = f"{printable(reason, keeps_lines=True)}\n\n{text}\n"
    write(folder / "message.txt", message.encode(errors="replace"))
    names = {path.name for path in folder.iterdir()} | _names_at_end(mullion, has_widgets)
    words = sorted(names, key=lambda name: (name != "report.html", name))
    return f"kept in {folder}: {' '.join(words)}\n{text}"


def _names_at_end(mullion: Mullion, has_widgets: bool) -> Set[str]:
    """The files that ``mullionctl run`` writes when the test has ended."""
    if not mullion.is_running or mullion.options.artifacts is None:
        return set()
    names = {"report.html", "trace.json", "output.log"} | {path.name for path in mullion.server.folder.glob("*.log")}
    if has_widgets:
        names.add("widgets-1.txt")
    try:
        if mullion.display.screens:
            names.add("screenshot.png")
    except MullionError:
        # There are no pictures without a server.
        pass
    return names


def file_name(text: str) -> str:
    """A name for a file: another one for another text, and without a slash."""
    name = re.sub(r"[^\w.-]+", "-", text).strip("-.")
    is_usual = re.fullmatch(r"\w([\w.:/-]*\w)?(\[\w([\w.-]*\w)?\])?", text)
    if is_usual and len(name.encode()) <= _LONGEST:
        return name
    digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:8]
    return (name.encode(errors="replace")[:_LONGEST - 9].decode(errors="ignore") + "-" + digest).strip("-")


def _sources(mullion: Mullion) -> Dict[str, Callable[[], bytes]]:
    sources: Dict[str, Callable[[], bytes]] = {
        "tree.txt": lambda: mullion.tree().encode(),
        "events.jsonl": lambda: "".join(json.dumps(event) + "\n" for event in mullion.events()).encode(),
        "mulliond.log": lambda: mullion.server.log.encode(),
    }
    for number, app in enumerate(mullion.apps, 1):
        name = f"{number}-{file_name(Path(app.command[0]).name)}.txt"
        sources[name] = lambda app=app: f"{app.condition}\n\n{app.output}".encode(errors="replace")  # type: ignore
    try:
        for screen in mullion.display.screens:
            sources[f"{file_name(screen.name)}.png"] = lambda screen=screen: screen.screenshot().png  # type: ignore
    except MullionError:
        pass
    return sources


def _note(mullion: Mullion, reason: str, error: Optional[BaseException]) -> bool:
    """Notes the failure for the report, and for that of the run that the tests are part of, if any.

    Returns whether the report will have widgets.
    """
    silent: List[str] = []
    try:
        if mullion.is_running:
            silent = hanging(mullion)
    except MullionError:
        pass
    text = printable("; ".join([reason.strip().split("\n")[0], *silent]))
    more: Dict[str, Any] = dict(getattr(error, notes.MARKS, {}))
    test = mullion.options.test
    notes.save(dict(os.environ), test, f"{test}: {text}", more)
    try:
        if mullion.is_running and mullion.options.accessibility and mullion.options.artifacts is not None:
            widgets = trees(mullion)
            more.update({"widgets": widgets} if widgets else {})
    except (MullionError, Unknown):
        # The programs describe none.
        pass
    notes.save(mullion.server.environment, test, text, more)
    return "widgets" in more


def _summary(mullion: Mullion) -> str:
    lines: List[str] = []
    try:
        lines.append(mullion.tree().rstrip())
    except MullionError as error:
        lines.append(str(error))
    return "\n".join(lines + [app.condition for app in mullion.apps])
