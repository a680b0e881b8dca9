"""The program form.py on two screens, one of which is plugged in while it runs."""

from pathlib import Path

from mullion import expect

FORM = ["/usr/bin/python3", Path(__file__).with_name("form.py")]


def test_form(mullion, display):
    app = mullion.launch(FORM)
    expect(app.window("Form")).to_be_key()
    tv = display.plug("tv-1080p", name="TV")
    expect(app.window("Sign")).to_be_on(tv)
    app.window("Form").click(200, 30)
    app.window("Form").type("Grüße")
    app.window("Form").press("Return")
    expect(app).to_have_output("saved Grüße")
    expect(tv).to_match("goldens/sign.png")
    tv.unplug()
    expect(app.window("Sign")).to_have_count(0)
