"""A GTK 4 program and a second screen, with an installed Mullion: see everywhere."""

import re
from pathlib import Path

from pytest_mullion import expect

PROGRAM = Path(__file__).with_name("gtk_program.py")


def test_gtk(mullion, display):
    app = mullion.launch(["/usr/bin/python3", str(PROGRAM)])
    window = app.window("GTK")
    window.get_by_role("textbox").fill("Grüße")
    expect(app).to_have_output("text Grüße")
    window.get_by_role("button", name=re.compile("^Button")).click()
    expect(app).to_have_output("clicked button")
    tv = display.plug("tv-1080p", name="TV")
    assert tv.screenshot().size == (1920, 1080)
