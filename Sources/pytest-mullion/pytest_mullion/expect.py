"""Expectations, which wait until they are met."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Type, TypeVar, Union, overload

from .app import App
from .areas import Area
from .changes import Change, Changes
from .errors import NEAREST, Hopeless, Missing, NotYet, ProblemError, Unknown, hidden
from .explain import situation
from .goldens import LOOK, Match, Terms
from .options import Options
from .screen import Screen
from .session import Mullion, running
from .waiting import ServerWait
from .widget import POLL, Widget
from .window import Window, key_window
from .words import Text, fits, printable, quoted

__tracebackhide__ = hidden

Self = TypeVar("Self", bound="Expectation")


class Expectation:
    """What expectations have in common."""

    def __init__(self, mullion: Mullion, subject: object, timeout: Optional[float], negated: bool = False) -> None:
        self._mullion = mullion
        self._subject = subject
        self._timeout = mullion.timeout if timeout is None else timeout
        self._negated = negated

    @property
    def not_(self: Self) -> Self:
        """The opposite: ``expect(window).not_.to_be_key()``."""
        kind: Type[Self] = type(self)
        return kind(self._mullion, self._subject, self._timeout, not self._negated)

    def _expect(
        self, what: str, attempt: Callable[[], None], *, near: str = "", kinds: Change = Change.STATE,
        every: Optional[float] = None, negates_missing: bool = False,
    ) -> None:
        """``attempt`` raises NotYet, with the actual state, until the expectation is met.

        The opposite needs something that it can be true of, unless ``negates_missing``.
        """
        word = f"{'not_.' if self._negated else ''}{what}"
        self._step(word, lambda: self._retry(word, attempt, near, kinds, every, negates_missing))

    def _step(self, word: str, body: Callable[[], None]) -> None:
        self._mullion.steps.perform(lambda: f"expect({self._subject}).{word}", body)

    def _retry(
        self, word: str, attempt: Callable[[], None], near: str, kinds: Change, every: Optional[float],
        negates_missing: bool,
    ) -> None:

        def opposite() -> None:
            try:
                attempt()
            except Missing:
                if not negates_missing:
                    raise
                return
            except Unknown:
                raise
            except NotYet:
                return
            raise NotYet("the opposite is true")

        try:
            self._mullion.changes.retry(opposite if self._negated else attempt, self._timeout, kinds, every)
            return
        except NotYet as reason:
            after = "" if isinstance(reason, Hopeless) else f", after {self._timeout:g} s"
            first, *more = str(reason).split("\n")
            what_is, mark, nearest = first.partition(NEAREST)
            text = "\n".join([f"expect({self._subject}).{word}: {what_is}{after}{mark}{nearest}", *more])
        raise AssertionError(printable(f"{text}\n{situation(self._mullion, near)}", keeps_lines=True))

    def _await(self, what: str, conditions: List[Dict[str, object]], timeout: Optional[float] = None) -> None:
        """For conditions that the server waits for, and explains; it has no opposites of them."""
        self._refuse_opposite(what)
        seconds = self._timeout if timeout is None else timeout

        def attempt() -> None:
            try:
                ServerWait(self._mullion, seconds, conditions).run()
                return
            except NotYet as reason:
                text = f"expect({self._subject}).{what}: {reason}"
            raise AssertionError(printable(f"{text}\n{situation(self._mullion)}", keeps_lines=True))

        self._step(what, attempt)

    def _refuse_opposite(self, what: str) -> None:
        if self._negated:
            raise TypeError(f"not_ cannot be used with {what}")

    def _match(self, subject: Union[Screen, Window], golden: Union[str, Path], terms: Terms) -> None:
        word = f'to_match("{golden}"' + (f", tolerance={terms.tolerance})" if terms.tolerance else ")")
        kinds = Change.STATE | Change.PICTURE
        match = Match(self._mullion, subject, Path(golden), terms, self._negated)
        self._step(word, lambda: match.run(
            lambda attempt: self._expect(word, attempt, kinds=kinds, every=LOOK)))


class WindowExpectation(Expectation):
    """What can be expected of a window."""

    _subject: Window

    def to_be_visible(self) -> None:
        """It is on a screen and not hidden."""

        def attempt() -> None:
            window = self._subject.state()
            if not window.visible:
                raise NotYet("it is not visible" + ("" if window.screen else " and on no screen, which was unplugged"))

        self._expect("to_be_visible()", attempt, near=self._near, negates_missing=True)

    def to_be_key(self) -> None:
        """It is the window that receives keys."""

        def attempt() -> None:
            if not self._subject.state().key:
                raise NotYet(key_window(self._mullion))

        self._expect("to_be_key()", attempt, near=self._near)

    def to_have_title(self, title: Text) -> None:
        """Its title is that, or has that pattern somewhere."""

        def attempt() -> None:
            self._compare("title", title, self._subject.state().title)

        self._expect(f"to_have_title({quoted(title)})", attempt, near=self._near)

    def to_be_on(self, screen: Union[Screen, str]) -> None:
        """It is visible, on that screen."""
        name = screen.name if isinstance(screen, Screen) else screen

        def attempt() -> None:
            window = self._subject.state()
            if window.screen is None:
                raise NotYet("its screen was unplugged")
            if window.screen != name or not window.visible:
                raise NotYet(f"it is on {window.screen}" + ("" if window.visible else ", but not visible"))

        self._expect(f'to_be_on("{name}")', attempt, near=self._near)

    def to_have_size(self, width: float, height: float) -> None:
        """Its frame has that size, in points."""

        def attempt() -> None:
            frame = self._subject.state().frame
            if (frame.width, frame.height) != (width, height):
                raise NotYet(f"its size is {frame.width:g}×{frame.height:g}")

        self._expect(f"to_have_size({width:g}, {height:g})", attempt, near=self._near)

    def to_have_count(self, count: int) -> None:
        """So many windows fit its description."""

        def attempt() -> None:
            found = len(self._subject.matches())
            if found != count:
                raise NotYet(f"there are {found}")

        self._expect(f"to_have_count({count})", attempt, near=self._near)

    def to_match(
        self, golden: Union[str, Path], tolerance: int = 0, *, max_differing: Union[int, str] = 0,
        masks: Sequence[Area] = (), crop: Optional[Area] = None, popups: bool = False, cursor: bool = False,
    ) -> None:
        """Its picture without what covers it equals a saved one, as ``to_match`` of a screen; with or without menus."""
        terms = Terms(tolerance, max_differing, masks, crop, {"popups": popups, "cursor": cursor})
        self._match(self._subject, golden, terms)

    @property
    def _near(self) -> str:
        title = self._subject.wanted_title
        return title if isinstance(title, str) else ""

    @staticmethod
    def _compare(what: str, wanted: Text, found: str) -> None:
        if not fits(wanted, found):
            raise NotYet(f'its {what} is "{printable(found)}"')


class WidgetExpectation(Expectation):
    """What can be expected of a widget."""

    _subject: Widget

    def to_be_visible(self) -> None:
        """It exists and has a place in its window."""

        def attempt() -> None:
            if not self._subject.state().is_shown:
                raise NotYet("it is not shown")

        self._expect("to_be_visible()", attempt, every=POLL, negates_missing=True)

    def to_be_enabled(self) -> None:
        """It takes input."""

        def attempt() -> None:
            if not self._subject.state().is_enabled:
                raise NotYet("it is disabled")

        self._expect("to_be_enabled()", attempt, every=POLL)

    def to_be_focused(self) -> None:
        """It has the focus."""

        def attempt() -> None:
            if "focused" not in self._subject.state().states:
                raise NotYet("it does not have the focus")

        self._expect("to_be_focused()", attempt, every=POLL)

    def to_be_checked(self) -> None:
        """It is a check box, switch or radio button that is on."""

        def attempt() -> None:
            if not self._subject.state().is_checked:
                raise NotYet("it is not checked")

        self._expect("to_be_checked()", attempt, every=POLL)

    def to_have_text(self, text: Text) -> None:
        """It shows that text, or text that has that pattern somewhere; a widget without text has its name."""

        def attempt() -> None:
            widget = self._subject.state()
            found = widget.name if widget.text is None else widget.text
            if not fits(text, found):
                raise NotYet(f'its text is "{printable(found)}"')

        self._expect(f"to_have_text({quoted(text)})", attempt, every=POLL)

    def to_have_value(self, value: Text) -> None:
        """It has that value, as sliders and progress bars do."""

        def attempt() -> None:
            found = self._subject.state().value
            if found is None or not fits(value, found):
                raise NotYet("it has no value" if found is None else f'its value is "{printable(found)}"')

        self._expect(f"to_have_value({quoted(value)})", attempt, every=POLL)

    def to_have_count(self, count: int) -> None:
        """So many widgets fit its description."""

        def attempt() -> None:
            try:
                found = len(self._subject.matches())
            except Missing:
                # Without its window.
                found = 0
            if found != count:
                raise NotYet(f"there are {found}")

        self._expect(f"to_have_count({count})", attempt, every=POLL)


class ScreenExpectation(Expectation):
    """What can be expected of a screen."""

    _subject: Screen

    def to_match(
        self, golden: Union[str, Path], tolerance: int = 0, *, max_differing: Union[int, str] = 0,
        masks: Sequence[Area] = (), crop: Optional[Area] = None, upright: bool = False, cursor: bool = False,
    ) -> None:
        """Its picture equals a saved one, in the folder of goldens.

        Each channel may differ by the tolerance, and a number or share of pixels ("0.1%") by more. Pixels inside
        masks may differ, and of the picture only ``crop`` is taken: each a tuple x, y, width, height, a window,
        or a widget, in the place where it is then.
        With ``--update-goldens``, the picture is saved instead, when nothing moves any more.
        """
        terms = Terms(tolerance, max_differing, masks, crop, {"upright": upright, "cursor": cursor})
        self._match(self._subject, golden, terms)

    def to_be_connected(self) -> None:
        """It is plugged in and switched on."""

        def attempt() -> None:
            try:
                if not self._subject.properties()["enabled"]:
                    raise NotYet("it is switched off")
            except ProblemError as error:
                if error.status != 404:
                    raise
                raise Missing(error.detail) from None

        self._expect("to_be_connected()", attempt, negates_missing=True)

    def to_be_still(self, seconds: float = 0.1) -> None:
        """Its pixels do not change for this many seconds."""
        self._await(f"to_be_still({seconds:g})", [
            {"for": "still", "screen": self._subject.name, "duration": f"{seconds * 1000:g}"}])

    def to_have_pixel(self, x: int, y: int, color: str, tolerance: int = 0) -> None:
        """A pixel of it, in native orientation, has that colour, as "#ff8000"; channels may differ by the tolerance."""
        self._await(f'to_have_pixel({x}, {y}, "{color}")', [{
            "for": "pixel", "screen": self._subject.name, "x": x, "y": y, "color": color, "tolerance": tolerance}])


class AppExpectation(Expectation):
    """What can be expected of a program."""

    _subject: App

    def to_have_output(self, text: Text) -> None:
        """It has written that text, or text in which that pattern is found."""
        app = self._subject

        def attempt() -> None:
            found = text in app.output if isinstance(text, str) else text.search(app.output)
            if not found:
                raise (NotYet if app.is_running else Hopeless)("it has not written that")

        self._expect(f"to_have_output({quoted(text)})", attempt, kinds=Change.STATE | Change.OUTPUT)

    def to_be_idle(self) -> None:
        """It or a program that it started has connected, and all programs have answered everything and expect no frame.

        X11 programs have connected when they have a window.
        """
        app = self._subject
        begin = time.monotonic()

        def attempt() -> None:
            if not app.is_connected:
                raise (Hopeless if app.exit_status else NotYet)("it has not connected")

        def expectation() -> None:
            self._expect("to_be_idle()", attempt)
            self._await("to_be_idle()", [{"for": "idle"}], max(0, begin + self._timeout - time.monotonic()))

        self._refuse_opposite("to_be_idle()")
        self._step("to_be_idle()", expectation)

    def to_exit(self, status: int = 0) -> None:
        """It has ended with that status."""
        app = self._subject
        app.is_expected_to_end = True

        def attempt() -> None:
            if app.is_running:
                raise NotYet("it is still running")
            if app.exit_status != status:
                raise Hopeless(f"it {app.ending}")

        self._expect(f"to_exit({status})", attempt)


class PollExpectation:
    """What can be expected of a value that a function reads again and again."""

    def __init__(self, read: Callable[[], object], timeout: Optional[float], negated: bool = False) -> None:
        self._read = read
        self._timeout = timeout
        self._negated = negated

    @property
    def not_(self) -> PollExpectation:
        """The opposite: ``expect.poll(read).not_.to_be("draft")``."""
        return PollExpectation(self._read, self._timeout, not self._negated)

    def to_be(self, value: object) -> None:
        """The value equals that one."""
        self._expect(f"to_be({value!r})", lambda found: bool(found == value))

    def to_be_true(self) -> None:
        """The value is true, or something that counts as true."""
        self._expect("to_be_true()", bool)

    def to_contain(self, item: object) -> None:
        """The value, a text or a collection, contains that; a text is searched for a pattern of ``re``."""

        def contains(found: Any) -> bool:
            return item.search(found) is not None if isinstance(item, re.Pattern) else item in found

        self._expect(f"to_contain({item!r})", contains)

    def _expect(self, what: str, is_met: Callable[[Any], bool]) -> None:
        """An exception of the function counts as a value that fulfils nothing, until the timeout."""
        mullion = running()
        word = f"expect.poll({_name(self._read)}).{'not_.' if self._negated else ''}{what}"
        timeout = self._timeout if self._timeout is not None else Options.timeout if mullion is None else mullion.timeout

        def attempt() -> None:
            try:
                found = self._read()
            except Exception as error:
                raise NotYet(f"it raised {type(error).__name__}: {error}") from None
            try:
                is_failed = is_met(found) == self._negated
            except Exception:
                # Such as looking for a part of None.
                is_failed = True
            if is_failed:
                shown = repr(found)
                raise NotYet(f"the value is {shown if len(shown) <= 400 else shown[:399] + '…'}")

        def retry() -> None:
            try:
                changes = Changes() if mullion is None else mullion.changes
                changes.retry(attempt, timeout, every=POLL)
                return
            except NotYet as reason:
                text = f"{word}: {reason}, after {timeout:g} s"
            text += "" if mullion is None else f"\n{situation(mullion)}"
            raise AssertionError(printable(text, keeps_lines=True))

        if mullion is None:
            retry()
        else:
            mullion.steps.perform(lambda: word, retry)


def _name(function: Callable[[], object]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "…" if name == "<lambda>" else name


class Expect:
    """The function ``expect``, which also has ``poll``."""

    @overload
    def __call__(self, subject: Window, timeout: Optional[float] = None) -> WindowExpectation: ...
    @overload
    def __call__(self, subject: Widget, timeout: Optional[float] = None) -> WidgetExpectation: ...
    @overload
    def __call__(self, subject: Screen, timeout: Optional[float] = None) -> ScreenExpectation: ...
    @overload
    def __call__(self, subject: App, timeout: Optional[float] = None) -> AppExpectation: ...

    def __call__(
        self, subject: Union[Window, Widget, Screen, App], timeout: Optional[float] = None
    ) -> Union[WindowExpectation, WidgetExpectation, ScreenExpectation, AppExpectation]:
        """Expects something of a window, widget, screen or program, and waits for it up to the timeout, in seconds."""
        if isinstance(subject, Window):
            return WindowExpectation(subject.mullion, subject, timeout)
        if isinstance(subject, Widget):
            return WidgetExpectation(subject.mullion, subject, timeout)
        if isinstance(subject, Screen):
            return ScreenExpectation(subject.mullion, subject, timeout)
        if isinstance(subject, App):
            return AppExpectation(subject.mullion, subject, timeout)
        raise TypeError(f"expect() takes a window, widget, screen or program, not {type(subject).__name__}")

    @staticmethod
    def poll(read: Callable[[], object], timeout: Optional[float] = None) -> PollExpectation:
        """Expects something of what only the test can see, such as a file, and calls ``read`` until it is so, up to the
        timeout, in seconds: ``expect.poll(path.exists).to_be_true()``.
        """
        return PollExpectation(read, timeout)


expect = Expect()
