"""Keeps what a failed test leaves: pictures, windows, events, and the output of programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict

from .errors import MullionError

if TYPE_CHECKING:
    from .session import Mullion


def keep(mullion: Mullion, folder: Path) -> None:
    """Writes the files; a server that has ended has no pictures any more."""
    folder.mkdir(parents=True, exist_ok=True)
    sources: Dict[str, Callable[[], bytes]] = {
        "tree.txt": lambda: mullion.tree().encode(),
        "events.jsonl": lambda: "".join(json.dumps(event) + "\n" for event in mullion.events()).encode(),
        "mulliond.log": lambda: mullion.server.log.encode(),
    }
    for number, app in enumerate(mullion.apps, 1):
        name = re.sub(r"[^\w.-]+", "-", Path(app.command[0]).name)
        sources[f"{number}-{name}.txt"] = lambda app=app: f"{app.condition}\n\n{app.output}".encode()  # type: ignore
    try:
        for screen in mullion.display.screens:
            sources[f"{screen.name}.png"] = lambda screen=screen: screen.screenshot().png  # type: ignore
    except MullionError:
        pass
    for name, source in sources.items():
        try:
            (folder / name).write_bytes(source())
        except MullionError:
            pass


def summary(mullion: Mullion, folder: Path) -> str:
    """What the report of a failed test says."""
    lines = [f"kept in {folder}: " + " ".join(sorted(path.name for path in folder.iterdir()))]
    try:
        lines.append(mullion.tree().rstrip())
    except MullionError as error:
        lines.append(str(error))
    return "\n".join(lines + [app.condition for app in mullion.apps])
