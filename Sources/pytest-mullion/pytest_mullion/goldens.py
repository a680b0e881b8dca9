"""Compares pictures of screens and windows with saved ones."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from .areas import Area, Readings, word, words
from .changes import Change
from .errors import Missing, MullionError, NotYet, ProblemError, hidden
from .files import write
from .notes import MARKS
from .picture import Picture
from .screen import Screen
from .window import Window

if TYPE_CHECKING:
    from .session import Mullion

__tracebackhide__ = hidden

LOOK = 0.1
"""Seconds between comparisons: what programs draw in their windows is no event of the server."""
STILL = 0.3
"""Seconds without a change after which a picture is saved as a golden one."""
STILL_LOOKS = 5
"""The least number of looks in that time, which may come at the same moment of something that moves to and fro."""
STILL_LOOK = 0.03
"""Seconds between those."""

_saved: Dict[str, str] = {}
"""The digests of the pictures that this process has saved, by their paths."""


class Terms(NamedTuple):
    """How pictures are taken and compared."""

    tolerance: int = 0
    max_differing: Union[int, str] = 0
    masks: Sequence[Area] = ()
    crop: Optional[Area] = None
    view: Dict[str, bool] = {}
    """``upright``, ``cursor`` and ``popups``."""

    def query(self, subject: Union[Screen, Window]) -> Dict[str, object]:
        """For taking a picture; unused terms are omitted."""
        query: Dict[str, object] = {name: "true" for name, value in self.view.items() if value}
        if self.crop is not None:
            query["crop"] = word(self.crop, subject, self.view)
        return query

    def comparison(self, subject: Union[Screen, Window]) -> List[Tuple[str, object]]:
        """For comparing; each mask is an item of its own."""
        query = self.query(subject)
        if self.tolerance:
            query["tolerance"] = self.tolerance
        if self.max_differing:
            query["maxDiffering"] = self.max_differing
        return [*query.items(), *self.masked(subject)]

    def masked(self, subject: Union[Screen, Window]) -> List[Tuple[str, object]]:
        """What the masks cover at this moment."""
        readings: Readings = {}
        return [("masks", text) for mask in self.masks for text in words(mask, subject, self.view, readings)]


class Match:
    """The comparison of what a screen or window shows with a saved picture."""

    def __init__(
        self, mullion: Mullion, subject: Union[Screen, Window], golden: Path, terms: Terms, negated: bool
    ) -> None:
        self._mullion = mullion
        self._subject = subject
        self._golden = Path(mullion.options.goldens or Path.cwd()) / golden
        self._variants = [_variant(self._golden, name) for name in mullion.options.variants]
        self._path = next((path for path in self._variants if path.exists()), self._golden)
        self._terms = terms
        self._negated = negated
        self._marks: Dict[str, Any] = {}

    def run(self, expect: Callable[[Callable[[], None]], None]) -> None:
        """Compares until they are equal, or saves the picture; ``expect`` retries what it gets until the timeout."""
        if self._mullion.options.update_goldens and not self._negated:
            return self._update()
        if not self._path.exists() and self._negated:
            raise AssertionError(f"{self._missing}; not_ compares with a picture that to_match has saved before")
        if not self._path.exists():
            seen = self._keep("-seen.png", self._mullion.act(self._take).png)
            raise AssertionError(
                f"{self._missing}; create it with --update-goldens. The picture of {self._subject} is {seen}")
        try:
            expect(self._compare)
            return
        except AssertionError as error:
            failure = AssertionError(f"{error}\n{self._evidence()}")
            setattr(failure, MARKS, self._marks)
        raise failure

    @property
    def _missing(self) -> str:
        others = f", and neither does {' or '.join(path.name for path in self._variants)}" if self._variants else ""
        return f"{self._golden} does not exist{others}"

    def _compare(self) -> None:
        self._check(self._request())

    @staticmethod
    def _check(answer: Dict[str, Any]) -> None:
        """Raises NotYet unless the pictures that were compared are equal."""
        if answer["equal"]:
            return
        if answer["differing"] is None:
            raise NotYet(answer["reason"])
        box, first = answer["box"], answer["first"]
        raise NotYet(
            f"{answer['differing']} of {answer['pixels']} pixels differ, by up to {answer['greatest']} of 255, within "
            f"{box['x']:g},{box['y']:g} {box['width']:g}×{box['height']:g}; the first at {first['x']},{first['y']}: "
            f"expected {first['expected']}, seen {first['seen']}")

    def _request(self, diff: bool = False) -> Any:
        query = self._terms.comparison(self._subject)
        if diff:
            query += [("diff", "true"), ("sideBySide", "true")]
        return self._compared(self._path.read_bytes(), query)

    def _compared(self, png: bytes, query: List[Tuple[str, object]]) -> Any:
        try:
            answer = self._mullion.control.request(
                "POST", self._place() + "/compare", png, query=query, content_type="image/png")
        except ProblemError as error:
            if error.status == 404:
                raise Missing(error.detail) from None
            raise
        return json.loads(answer)

    def _evidence(self) -> str:
        """Saves the picture, the differences, and all three with the golden one side by side, and says where."""
        try:
            lines = [f"golden: {self._path}", f"seen: {self._keep('-seen.png', self._take().png)}"]
            answer = self._request(diff=True)
            self._mark(answer)
            for key, what in [("diff", "differences"), ("sideBySide", "side by side")]:
                if answer.get(key):
                    end = f"-{what.replace(' ', '-')}.png"
                    lines.append(f"{what}: {self._keep(end, base64.b64decode(answer[key]))}")
            return "\n".join(lines)
        except (MullionError, NotYet) as error:
            return f"golden: {self._path}; there is no picture: {error}"

    def _mark(self, answer: Dict[str, Any]) -> None:
        """Notes for the report what was expected, what was seen, and where they differ."""
        if "sideBySide" in answer:
            self._marks["picture"] = answer["sideBySide"]
        if isinstance(self._subject, Screen) and self._terms.crop is None and answer.get("box"):
            self._marks.update(screen=self._subject.name, box=answer["box"])

    def _update(self) -> None:
        target = self._variants[0] if self._variants else self._golden
        with _Saved(target, self._mullion.options.saved) as earlier:
            picture = self._final(target)
            if earlier.digest not in ("", _digest(picture)):
                try:
                    return self._differences(Picture(target.read_bytes()))
                except (NotYet, OSError, ProblemError):
                    raise MullionError(
                        f"{target} was saved before in this run, with another picture; give each picture a name of its "
                        "own") from None
            picture.save(target)
            earlier.digest = _digest(picture)

    def _final(self, target: Path) -> Picture:
        """The picture that is saved."""
        self._mullion.act(self._place)
        deadline = time.monotonic() + self._mullion.timeout
        if self._mullion.clock.is_manual:
            # Time stands still, and so do the pixels.
            self._mullion.await_settled(self._mullion.timeout)
            self._mullion.act(lambda: self._terms.masked(self._subject))
            return self._mullion.act(self._take)
        self._settle(deadline)
        stillness = Stillness(self._take, self._differences)
        try:
            self._mullion.changes.retry(
                stillness.look, max(STILL + LOOK, deadline - time.monotonic()), Change.STATE | Change.PICTURE,
                STILL_LOOK)
        except NotYet as reason:
            outside = " outside of its masks" if self._terms.masks else ""
            moves = f"{self._subject} does not stand still{outside}, so " if stillness.has_changed else ""
            text = f"{moves}{target} was not saved"
            raise MullionError(f"{text}: {reason}") from None
        return stillness.picture

    def _settle(self, deadline: float) -> None:
        """Waits until programs have handled what they have received. One that draws on and on is not waited for."""
        while True:
            try:
                return self._mullion.await_settled(min(0.5, max(0, deadline - time.monotonic())))
            except ProblemError as error:
                if error.status != 503 or error.hanging and time.monotonic() >= deadline:
                    raise
                if not error.hanging:
                    return

    def _differences(self, earlier: Picture) -> None:
        """Raises NotYet if the picture differs from an earlier one, where no mask covers it."""
        query = [*self._terms.query(self._subject).items(), *self._terms.masked(self._subject)]
        self._check(self._compared(earlier.png, query))

    def _place(self) -> str:
        """The path in the control API; raises NotYet for a window that is not there."""
        return self._subject.path if isinstance(self._subject, Screen) else f"/windows/{self._subject.state().id}"

    def _take(self) -> Picture:
        request = self._mullion.control.request
        return Picture(request("GET", self._place() + "/screenshot.png", query=self._terms.query(self._subject)))

    def _keep(self, end: str, data: bytes) -> Path:
        path = self._mullion.artifacts / (self._golden.stem + end)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, data)
        return path


class Stillness:
    """Looks whether a picture stays the same for as long as it takes to call it final."""

    def __init__(self, take: Callable[[], Picture], check: Callable[[Picture], None]) -> None:
        """``check`` raises NotYet if the picture is another one now."""
        self._take = take
        self._check = check
        self._found: Optional[Picture] = None
        self._since = 0.0
        self._looks = 0
        self.has_changed = False
        """Whether it was another one at the last look."""

    @property
    def picture(self) -> Picture:
        """The one that has stayed."""
        assert self._found is not None
        return self._found

    def look(self) -> None:
        """Raises NotYet until the picture has been the same for long enough."""
        now = time.monotonic()
        if self._found is None:
            self._found, self._since = self._take(), now
            raise NotYet("there was no time for a second look")
        try:
            self._check(self._found)
        except NotYet as reason:
            self.has_changed = not isinstance(reason, Missing)
            self._found, self._since, self._looks = self._take(), now, 0
            raise
        self._looks += 1
        if now - self._since < STILL or self._looks < STILL_LOOKS:
            raise NotYet("it has just changed" if self.has_changed else "there was no time for more looks")


def _digest(picture: Picture) -> str:
    return hashlib.sha256(picture.png).hexdigest()


class _Saved:
    """The digest of the picture that was saved as a file in this run, with a lock: one process saves it at a time.

    In a file in the folder that the processes of the run share, if there are several.
    """

    def __init__(self, path: Path, folder: Optional[Path]) -> None:
        self._name = os.path.realpath(path)
        self._path = None if folder is None else folder / hashlib.sha256(os.fsencode(self._name)).hexdigest()
        self._file: Optional[IO[str]] = None
        self.digest = ""
        """Empty: none was saved."""

    def __enter__(self) -> _Saved:
        if self._path is None:
            self.digest = _saved.get(self._name, "")
        else:
            self._file = open(self._path, "a+", encoding="ascii")
            fcntl.flock(self._file, fcntl.LOCK_EX)
            self._file.seek(0)
            self.digest = self._file.read()
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is None:
            _saved[self._name] = self.digest
            return
        with self._file as file:
            file.truncate(0)
            file.write(self.digest)


def _variant(golden: Path, name: str) -> Path:
    """The picture for one environment, next to that for all others, as ``mullionctl compare --variant`` has it."""
    if not name or "/" in name:
        raise MullionError(f'the variant "{name}" is not a part of a file\'s name; use one like gtk-4.8')
    is_png = golden.name.endswith(".png")
    return golden.with_name(f"{golden.name[:-4]}.{name}.png" if is_png else f"{golden.name}.{name}")
