"""What the package's own tests share."""

import os
import select
import shutil
from pathlib import Path

import pytest

from pytest_mullion.changes import Change
from pytest_mullion.errors import NotYet

CTL = os.environ.get("MULLIONCTL") or shutil.which("mullionctl") or "mullionctl"


def await_end(pid):
    """Waits for the end of a process."""
    try:
        end = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    assert select.select([end], [], [], 60)[0], f"process {pid} runs"
    os.close(end)


@pytest.fixture
def claim(mullion):
    """Starts a program with one window, whose words are those of ``mullionctl claim``."""

    def start(*words, env=None):
        return mullion.launch([CTL, "claim", *words], env=env)

    return start


@pytest.fixture
def run_tests(pytester):
    """Runs a module of tests and returns the result; ``claim`` and ``CTL`` are defined there."""

    def run(source, *arguments):
        pytester.makeconftest(Path(__file__).read_text())
        imports = "from conftest import CTL\nfrom pytest_mullion import expect\nimport os, pytest, signal\n"
        pytester.makepyfile(imports + source)
        return pytester.runpytest_inprocess("-p", "pytest_mullion.plugin", "-p", "no:cacheprovider", *arguments)

    return run


@pytest.fixture
def once(monkeypatch):
    """Does something beside the first call of a function: what happens elsewhere while a test waits."""

    def arrange(owner, name, action, *, before=False, word=""):
        """``before`` the call, otherwise after it; ``word`` is the end of one of its arguments, if given."""
        function, actions = getattr(owner, name), [action]

        def call(*arguments, **options):
            fits = not word or any(isinstance(item, str) and item.endswith(word) for item in arguments)
            found = actions.pop() if actions and fits else lambda: None
            if before:
                found()
            try:
                return function(*arguments, **options)
            finally:
                if not before:
                    found()

        monkeypatch.setattr(owner, name, call)

    return arrange


@pytest.fixture
def until(mullion):
    """Waits for what events of the server say, which are read in the background."""

    def wait(condition):
        def attempt():
            if not condition():
                raise NotYet("it did not happen")

        mullion.changes.retry(attempt, 30, Change.STATE | Change.INPUT)

    return wait
