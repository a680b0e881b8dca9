"""The manual page names what the package has."""

import importlib
import re
from dataclasses import fields
from pathlib import Path

import pytest

import mullion

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
        mullion.App, mullion.Clock, mullion.Display, mullion.Mullion, mullion.Screen, mullion.Widget, mullion.Window,
    ]
    kinds += [kind for name, kind in vars(importlib.import_module("mullion.expect")).items() if "Expectation" in name]
    assert len(kinds) > 10
    for kind in kinds:
        assert public(kind) - words == set(), kind.__name__
    settings = importlib.import_module("mullion.options").Options
    assert {field.name for field in fields(settings)} - words == set()
