"""What a private server is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import MullionError


@dataclass(frozen=True)
class Options:
    """The options of a server and of the waiting for it."""

    screens: Sequence[str] = ("1280x800",)
    """Display models, as for ``mullionctl run --screen``; ``mullionctl displays`` lists them."""
    clock: str = "real"
    """``real``, or ``manual`` for a clock that only the test steps."""
    x11: bool = False
    """Whether X11 programs can be started."""
    accessibility: bool = True
    """Whether programs describe their widgets, for ``get_by_role``."""
    config: Optional[Union[str, Path]] = None
    """The server's configuration, mullion.json5(5); by default the built-in one."""
    strict: bool = False
    """Whether programs' protocol errors, and processes that they leave behind, make a test fail, as crashes do."""
    timeout: float = 10
    """Seconds that actions and expectations wait."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for all programs."""
    program: Optional[str] = None
    """The path of mullionctl; by default $MULLIONCTL, the one in the same wheel, or the one in PATH."""
    goldens: Optional[Union[str, Path]] = None
    """The folder of pictures to compare with; by default the current one, with pytest that of the test's file."""
    variants: Sequence[str] = ()
    """Names of the environment: with "gtk-4.8", ``menu.gtk-4.8.png`` is used instead of ``menu.png`` if it exists. The
    first one that exists is; the first of them all is saved."""
    artifacts: Optional[Union[str, Path]] = None
    """The folder for a report of what happened if the test fails; by default, nothing is recorded."""
    test: str = ""
    """The name of the test, for the report."""
    update_goldens: bool = False
    """Whether pictures are saved instead of compared."""
    saved: Optional[Path] = None
    """The folder in which processes that run tests together mark the pictures that they have saved."""

    def changed(self, values: Dict[str, Any]) -> Options:
        """These options with other values; raises MullionError for a name that is none of them."""
        names = [known.name for known in fields(self)]
        for name in values:
            if name not in names:
                raise MullionError(f"{name} is not an option of mullion; use {', '.join(names)}")
        for name in ["screens", "variants"]:
            if isinstance(values.get(name), str):
                raise MullionError(f'{name} is a list, such as ["{values[name]}"]')
        return replace(self, **values)

    def arguments(self) -> List[str]:
        """The options of ``mullionctl run``."""
        words = [word for screen in self.screens or ["none"] for word in ("--screen", screen)]
        words += ["--clock", self.clock]
        if self.x11:
            words.append("--x11")
        if self.accessibility:
            words.append("--accessibility")
        if self.config is not None:
            words += ["--config", str(self.config)]
        if self.artifacts is not None:
            words += ["--artifacts", os.path.abspath(self.artifacts), "--on-failure"]
        return words
