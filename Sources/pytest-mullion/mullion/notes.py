"""Notes for the report of ``mullionctl run --artifacts``: what a test of the run has expected in vain."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Dict

MARKS = "mullion_marks"
"""The attribute of errors with more for the note: ``picture``, ``screen`` and ``box``."""
VARIABLE = "MULLION_ARTIFACTS"
"""The variable that names the folder of notes for the programs of a run."""
_MOST, _MOST_BYTES = 200, 2 << 20


def save(environment: Dict[str, str], test: str, text: str, more: Dict[str, Any]) -> None:
    """Writes a note for the run of that environment, if it makes a report. One that cannot be written is left out."""
    folder = Path(environment.get(VARIABLE) or "/nowhere")
    # Tests in Swift understand the variable as a folder of the user's.
    if folder != Path(environment.get("XDG_RUNTIME_DIR", "")) / "notes":
        return
    now = round(time.monotonic() * 1e6)
    note = {"text": text, "time": now, "pid": os.getpid(), "command": ["pytest", test]}
    data = json.dumps({**note, **more}).encode()
    if len(data) > _MOST_BYTES:
        data = json.dumps(note).encode()
    try:
        if len(os.listdir(folder)) < _MOST:
            (folder / f"note-{now}-{os.getpid()}.json").write_bytes(data)
    except OSError:
        pass
