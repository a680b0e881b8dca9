"""Notes for the report of ``mullionctl run --artifacts``: expectations of its tests that were not met."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

from .files import write

MARKS = "mullion_marks"
"""The attribute of errors with more for the note: ``picture``, ``screen`` and ``box``."""
VARIABLE = "MULLION_NOTES"
"""The variable that names the folder of notes for the programs of a run."""
_MOST, _MOST_BYTES = 200, 2 << 20


def save(environment: Dict[str, str], test: str, text: str, more: Dict[str, Any]) -> None:
    """Writes a note for the run of that environment, if it makes a report, in place of that of an earlier try.

    One that cannot be written is omitted.
    """
    path = _path(environment, test)
    if path is None:
        return
    pids = [pid for pid in _pids(path) if pid != os.getpid()] + [os.getpid()]
    note = {"text": text, "time": _now(), "command": _command(test), "pids": pids}
    data = json.dumps({**note, **more}).encode()
    if len(data) > _MOST_BYTES:
        data = json.dumps(note).encode()
    try:
        if len(os.listdir(path.parent)) < _MOST:
            write(path, data)
    except OSError:
        pass


def remove(environment: Dict[str, str], test: str) -> None:
    """Removes the note of an earlier try, when the test has passed; other processes that failed stay explained."""
    path = _path(environment, test)
    if path is None or not path.exists():
        return
    pids = [pid for pid in _pids(path) if pid != os.getpid()]
    try:
        if pids:
            write(path, json.dumps({"time": _now(), "pids": pids}).encode())
        else:
            path.unlink()
    except OSError:
        pass


def _path(environment: Dict[str, str], test: str) -> Optional[Path]:
    """The file for each try of a test; None without a report."""
    folder = environment.get(VARIABLE)
    digest = hashlib.sha256("\0".join(_command(test)).encode(errors="replace")).hexdigest()[:16]
    return Path(folder) / f"note-{digest}.json" if folder else None


def _command(test: str) -> List[str]:
    return ["pytest", test]


def _now() -> int:
    return round(time.monotonic() * 1e6)


def _pids(path: Path) -> List[int]:
    """The processes of earlier tries. Other programs can write there, too: anything else is ignored."""
    try:
        return [pid for pid in json.loads(path.read_bytes())["pids"] if isinstance(pid, int)]
    except (OSError, ValueError, KeyError, TypeError):
        return []
