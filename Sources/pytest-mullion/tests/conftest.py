"""What the package's own tests share."""

import os
import shutil
import time
from pathlib import Path

import pytest

CTL = os.environ.get("MULLIONCTL") or shutil.which("mullionctl") or "mullionctl"


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
        pytester.makepyfile("from conftest import CTL\nfrom mullion import expect\nimport pytest, signal\n" + source)
        return pytester.runpytest_inprocess("-p", "mullion.plugin", "-p", "no:cacheprovider", *arguments)

    return run


def eventually(condition, timeout=30):
    """Waits for what wakes up nobody, such as the end of a stranger's process."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
