"""The program form.py on two screens, one of which is plugged in while it runs."""

from pathlib import Path

from pytest_mullion import expect

FORM = ["/usr/bin/python3", Path(__file__).with_name("form.py")]


def test_form(mullion, display):
    app = mullion.launch(FORM)
    form = app.window("Form")
    form.get_by_role("textbox", name="Name").fill("Grüße")
    tv = display.plug("tv-1080p", name="TV")
    expect(app.window("Sign")).to_be_on(tv)
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Saved Grüße")).to_be_visible()
    expect(tv).to_match("goldens/sign.png")
    tv.unplug()
    expect(app.window("Sign")).to_have_count(0)
