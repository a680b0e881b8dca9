"""A program of every toolkit that the action of GitHub prepares, beside form.py of CI.md: see action."""

from pathlib import Path

import pytest

from pytest_mullion import expect

PYTHON = "/usr/bin/python3"
PROGRAMS = Path(__file__).parents[1] / "Programs"


@pytest.mark.parametrize(("title", "words"), [("GTK", ["gtk_program.py"]), ("Qt", ["qt_program.py", "6", "Qt"])])
def test_wayland(mullion, title, words):
    app = mullion.launch([PYTHON, PROGRAMS / words[0], *words[1:]])
    app.window(title).get_by_role("textbox").fill("Grüße")
    expect(app).to_have_output("text Grüße")


@pytest.mark.mullion(x11=True)
def test_x11(mullion):
    app = mullion.launch([PYTHON, Path.cwd() / "form.py"], env={"GDK_BACKEND": "x11"})
    form = app.window("Form")
    form.get_by_role("textbox", name="Name").fill("Grüße")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Saved Grüße")).to_be_visible()
