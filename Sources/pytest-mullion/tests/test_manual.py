"""The manual page names what the package has."""

import importlib
import re
from dataclasses import fields
from pathlib import Path

import pytest

import pytest_mullion as package

PAGE = Path(__file__).parents[3] / "Config" / "man" / "mullion-pytest.7"
# What serves the package itself.
INTERNAL = {
    "OUTPUT_LIMIT", "act", "among", "app", "await_settled", "changes", "command", "condition", "ending", "has_failed_unexpectedly", "hit",
    "is_connected", "is_expected_to_end", "mullion", "owns", "path", "program", "saved", "steps", "update_goldens",
    "wanted_title",
}


def public(kind):
    return {name for name in vars(kind) if not name.startswith("_")}


@pytest.mark.skipif(not PAGE.exists(), reason="this is not the source tree")
def test_mullion_pytest_7_has_all_names():
    words = set(re.findall(r"\w+", PAGE.read_text())) | INTERNAL
    kinds = [
        package.App, package.Clock, package.Display, package.Mullion, package.Screen, package.Widget, package.Window,
    ]
    expectations = vars(importlib.import_module("pytest_mullion.expect"))
    kinds += [kind for name, kind in expectations.items() if "Expectation" in name]
    assert len(kinds) > 10
    for kind in kinds:
        assert public(kind) - words == set(), kind.__name__
    settings = importlib.import_module("pytest_mullion.options").Options
    assert {field.name for field in fields(settings)} - words == set()
