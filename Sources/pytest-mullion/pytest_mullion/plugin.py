"""The plugin of pytest: fixtures, the marker ``mullion``, options, and the files kept from failed tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Dict, Generator, Iterator, Optional, cast

import pytest

from . import artifacts, notes
from .display import Display
from .errors import MullionError
from .faults import faults
from .session import Mullion

_MULLION: "pytest.StashKey[Mullion]" = pytest.StashKey()
_FAILURE: "pytest.StashKey[Optional[str]]" = pytest.StashKey()
"""Why the test has failed; None: it has not."""
_SAVED: "pytest.StashKey[str]" = pytest.StashKey()
"""The folder of marks of saved pictures, in the process that has started the others."""
_INTERRUPTED = "the test was interrupted"
_MOST_ATTEMPTS = 100
"""The attempts of a test whose folders are removed when it runs anew."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mullion")
    group.addoption(
        "--update-goldens", action="store_true", help="save pictures of screens instead of comparing them")
    group.addoption(
        "--mullion-variant", action="append", metavar="NAME", default=[],
        help="compare with GOLDEN.NAME.png, such as menu.gtk-4.8.png, if that file exists; the first one that does")
    group.addoption(
        "--mullion-artifacts", metavar="DIR",
        help="the folder for files kept from failed tests (mullion-artifacts); write --mullion-artifacts=DIR: pytest takes "
        "a DIR by itself for one of tests when it looks for its configuration")
    group.addoption(
        "--mullion-strict", action="store_true",
        help="programs' protocol errors, and processes that they leave behind, make tests fail, as crashes do")
    parser.addini("mullion_strict", "the same as --mullion-strict", type="bool", default=False)
    parser.addini("mullion_screens", "the screens of each test's server, one a line", type="linelist", default=[])
    parser.addini("mullion_timeout", "seconds that actions and expectations wait (10)", default="")
    parser.addini("mullion_goldens", "the folder of pictures (by default that of each test's file)", default="")
    parser.addini("mullion_variants", "the same as --mullion-variant, one a line", type="linelist", default=[])
    parser.addini("mullion_artifacts", "the folder for files kept from failed tests", default="mullion-artifacts")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        'mullion(screens=["1280x800"], clock="real", x11=False, strict=False, timeout=10, env={}, config=None): '
        "options of the test's server")


@pytest.hookimpl(optionalhook=True)  # type: ignore[misc]
def pytest_configure_node(node: Any) -> None:
    """Called by pytest-xdist for each process that runs tests: they share what they have saved."""
    config = node.config
    if config.getoption("--update-goldens"):
        if _SAVED not in config.stash:
            config.stash[_SAVED] = tempfile.mkdtemp(prefix="pytest-mullion-")
        node.workerinput["mullion_saved"] = config.stash[_SAVED]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _SAVED in config.stash:
        shutil.rmtree(config.stash[_SAVED], ignore_errors=True)


@pytest.fixture
def mullion_options() -> Dict[str, Any]:
    """Options of all servers of a module or folder, for tests to override."""
    return {}


@pytest.fixture
def mullion(request: pytest.FixtureRequest, mullion_options: Dict[str, Any]) -> Iterator[Mullion]:
    """A Mullion server for this test alone."""
    item = cast(pytest.Item, request.node)
    if _attempt(item) == 1:
        for number in range(1, _MOST_ATTEMPTS + 1):
            shutil.rmtree(_folder(item, number), ignore_errors=True)
    server = _start(request, mullion_options)
    item.stash[_MULLION] = server
    item.stash[_FAILURE] = _INTERRUPTED
    yield server
    if item.stash[_FAILURE] == _INTERRUPTED:
        notes.save(server.server.environment, item.nodeid, _INTERRUPTED, {})
    if item.stash[_FAILURE] is None:
        notes.remove(dict(os.environ), item.nodeid)
    server.stop(item.stash[_FAILURE])


@pytest.fixture
def display(mullion: Mullion) -> Display:
    """The screens of the test's server."""
    return mullion.display


@pytest.hookimpl(trylast=True)  # type: ignore[misc]
def pytest_runtest_call(item: pytest.Item) -> None:
    """Called when the test has passed: a program that has crashed makes it fail."""
    server = item.stash.get(_MULLION, None)
    found = faults(server) if server is not None and server.is_running else []
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    report: pytest.TestReport = (yield).get_result()
    server = item.stash.get(_MULLION, None)
    if server is None or report.when == "teardown":
        return
    if report.failed:
        error = None if call.excinfo is None else call.excinfo.value
        reason = str(error or report.longreprtext) or type(error).__name__
        item.stash[_FAILURE] = reason
        try:
            report.sections.append(("Mullion", artifacts.keep(server, reason, error)))
        except OSError as error:
            report.sections.append(("Mullion", f"nothing was kept: {error}"))
    elif report.when == "call":
        item.stash[_FAILURE] = None


def _start(request: pytest.FixtureRequest, module: Dict[str, Any]) -> Mullion:
    try:
        return Mullion(**_options(request, module))
    except MullionError as error:
        reason = str(error)
    # Where it was raised is of no interest to the author of a test.
    pytest.fail(reason, pytrace=False)


def _options(request: pytest.FixtureRequest, module: Dict[str, Any]) -> Dict[str, Any]:
    config = request.config
    path = Path(str(request.node.fspath))
    options: Dict[str, Any] = {"goldens": path.parent, "update_goldens": config.getoption("--update-goldens")}
    saved = Path(getattr(config, "workerinput", {}).get("mullion_saved", ""))
    # Processes on other machines do not have it.
    options["saved"] = saved if saved.name and saved.is_dir() else None
    options["variants"] = config.getoption("--mullion-variant") or config.getini("mullion_variants")
    number = _attempt(request.node)
    attempt = "" if number == 1 else f" (attempt {number})"
    options.update(artifacts=_folder(request.node, number), test=request.node.nodeid + attempt)
    options["strict"] = config.getoption("--mullion-strict") or config.getini("mullion_strict")
    if config.getini("mullion_screens"):
        options["screens"] = config.getini("mullion_screens")
    if config.getini("mullion_timeout"):
        options["timeout"] = float(config.getini("mullion_timeout"))
    if config.getini("mullion_goldens"):
        options["goldens"] = config.rootpath / config.getini("mullion_goldens")
    options.update(module)
    for marker in reversed(list(request.node.iter_markers("mullion"))):
        if marker.args:
            raise MullionError('the marker takes keywords only, such as mullion(screens=["1280x800"])')
        options.update(marker.kwargs)
    parameter = getattr(request, "param", {})
    options.update(parameter if isinstance(parameter, dict) else {"screens": parameter})
    return options


def _attempt(item: pytest.Item) -> int:
    """The number of this attempt, as pytest-rerunfailures counts them, from 1."""
    return int(getattr(item, "execution_count", 1))


def _folder(item: pytest.Item, attempt: int) -> Path:
    config = item.config
    base: str = config.getoption("--mullion-artifacts") or config.getini("mullion_artifacts")
    name = artifacts.file_name(item.nodeid)
    return config.rootpath / base / (name if attempt == 1 else f"{name}-attempt-{attempt}")
