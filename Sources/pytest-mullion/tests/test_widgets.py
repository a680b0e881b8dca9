"""Widgets: how they are found, driven and expected, with a program that says what a test has prepared."""

import json
import re
import sys

import pytest

from pytest_mullion import ActionError, MullionError, expect
from pytest_mullion import widget as widget_module

# Answers `mullionctl widgets` from a file, and passes everything else on.
FAKE = """#!{python}
import os, sys
if "widgets" in sys.argv:
    try:
        sys.stdout.write(open({answer!r}).read())
    except OSError:
        sys.exit("mullionctl: the program has no accessible window")
else:
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
"""


def widget(number, role, name, *, children=(), frame=(0, 0, 0, 0), states=(), enabled=True, shows="part", **more):
    """``shows``: a part of it is in view; or it is "visible" after scrolling; or "none"."""
    x, y, width, height = frame
    place = {"x": x, "y": y, "width": width, "height": height}
    own = {"part": ["visible", "showing"], "visible": ["visible"], "none": []}[shows]
    return {
        "id": number, "role": role, "name": name, "frame": place, "part": place if shows == "part" else None,
        "partInWindow": place if shows == "part" else None,
        "children": list(children), "states": [*own, *states, *["enabled"] * enabled], **more}


@pytest.fixture
def window(mullion, claim, tmp_path):
    """A window whose widgets are those of ``window.show``."""
    answer, program = tmp_path / "answer.json", tmp_path / "mullionctl"
    claimed = claim("title=Form", "frame=10,10,200,100", "key")
    expect(claimed.window()).to_be_key()
    program.write_text(FAKE.format(python=sys.executable, answer=str(answer), program=mullion.server.program))
    program.chmod(0o755)
    mullion.server.program = str(program)
    found = claimed.window("Form")
    found.show = lambda *widgets, **more: answer.write_text(json.dumps({"widgets": list(widgets), **more}))
    found.app = claimed
    return found


def form(text="", **save):
    return widget(1, "window", "Form", frame=(0, 0, 200, 100), children=[
        widget(2, "textbox", "Name", frame=(10, 10, 100, 20), text=text, states=["focused"]),
        widget(3, "button", "Save", frame=(10, 40, 60, 20), **save),
        widget(4, "checkbox", "Keep", frame=(10, 70, 60, 20), states=["checked"]),
        widget(5, "slider", "Size", frame=(100, 70, 60, 20), value=7),
    ])


def test_widgets_are_found_and_clicked_in_their_middle(window):
    window.show(form())
    hit = window.get_by_role("button", name="Save").click()["hit"]
    assert hit["location"] == {"x": 40, "y": 50}
    assert window.get_by_role("button", name=re.compile("^S")).tap()["hit"]["location"] == {"x": 40, "y": 50}
    assert window.get_by_role("checkbox").hover()["hit"]["location"] == {"x": 40, "y": 80}
    assert window.get_by_text("Save").text == "Save"


def test_a_widget_is_waited_for(mullion, window, once):
    timeout, mullion.timeout = mullion.timeout, 0
    with pytest.raises(ActionError, match="the program has no accessible window"):
        window.get_by_role("button").click()
    mullion.timeout = timeout
    once(widget_module, "read_widgets", lambda: window.show(form()))
    assert window.get_by_role("button").click()["hit"]["location"] == {"x": 40, "y": 50}


def test_text_is_typed(mullion, window, until):
    window.show(form("old"))
    window.get_by_role("textbox", name="Name").fill("new")
    window.get_by_role("textbox", name="Name").fill("")
    window.get_by_role("textbox", name="Name").press("Return")
    # ctrl+a, new, ctrl+a, Delete, Return
    codes = [29, 30, 49, 18, 17, 29, 30, 111, 28]

    def pressed():
        keys = [event for event in mullion.events("event") if event["detail"] == "key"]
        return [event["code"] for event in keys if event["phase"] == "began"]

    until(lambda: len(pressed()) >= len(codes))
    assert pressed() == codes


def test_expectations(window):
    window.show(form("abc"))
    field = window.get_by_role("textbox")
    expect(field).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_be_enabled()
    expect(field).to_have_text("abc")
    expect(field).to_have_text(re.compile("b"))
    expect(window.get_by_role("button")).to_have_text("Save")
    expect(window.get_by_role("checkbox")).to_be_checked()
    expect(window.get_by_role("slider")).to_have_value("7")
    expect(window.get_by_role("button")).not_.to_be_checked()
    expect(window.get_by_role("button", name="Other")).to_have_count(0)
    expect(window.get_by_text(re.compile("."))).to_have_count(5)


def test_descriptions_and_native_roles_are_found_too(window):
    window.show(form(description="Writes the file", nativeRole="push button"))
    button = {"x": 40, "y": 50}
    assert window.get_by_role("push button").click()["hit"]["location"] == button
    assert window.get_by_role("button", description="Writes the file").click()["hit"]["location"] == button
    assert window.get_by_role("button", description=re.compile("file$")).nth(0).click()["hit"]["location"] == button
    expect(window.get_by_role("button", description="file")).to_have_count(0)


def test_the_nearest_are_in_the_first_line(mullion, window):
    window.show(form())
    with pytest.raises(AssertionError) as failure:
        expect(window.get_by_role("button", name="Svae"), timeout=0).to_be_visible()
    headline = str(failure.value).split("\n")[0]
    assert headline.startswith('expect(button "Svae" in window "Form" of mullionctl claim'), headline
    assert '.to_be_visible(): there is no button "Svae"' in headline and 'after 0 s; the nearest: button "Save"' in headline


def test_a_mask_covers_all_widgets_that_fit(mullion, window, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    window.show(form())
    every = window.get_by_text(re.compile("^(Name|Save|Keep)$"))
    expect(window).to_match("form.png", masks=[every])
    mullion.options = mullion.options.changed({"update_goldens": False})
    expect(window).to_match("form.png", masks=[every])
    with pytest.raises(AssertionError, match="there is no button \"None\""):
        expect(window, timeout=0).to_match("form.png", masks=[window.get_by_role("button", name="None")])


def test_those_in_view_are_meant(mullion, window):
    labels = [
        widget(2, "label", "Hidden", shows="none"),
        widget(3, "label", "Below", frame=(0, 900, 60, 20), shows="visible"),
        widget(4, "label", "Title", frame=(10, 10, 60, 20)),
    ]
    save = widget(5, "button", "Save", frame=(10, 40, 60, 20), children=[
        widget(6, "generic", "", frame=(10, 40, 60, 20), children=[widget(7, "label", "Save", frame=(12, 42, 50, 16))])])

    def show(*children):
        window.show(widget(1, "window", "Form", frame=(0, 0, 200, 100), children=children))

    show(*labels)
    label = window.get_by_role("label")
    assert label.text == "Title"
    expect(label).to_have_count(3)
    assert (label.nth(0).text, label.nth(-1).text) == ("Hidden", "Title")
    show(*labels[:2])
    assert label.text == "Below"
    show(labels[0])
    assert label.text == "Hidden"
    # The label counts with its button.
    show(save)
    assert window.get_by_text("Save").state().role == "button" and label.text == "Save"
    expect(window.get_by_text("Save")).to_have_count(2)
    mullion.timeout = 0
    show(*labels, widget(8, "label", "Other", frame=(10, 70, 60, 20)))
    with pytest.raises(ActionError, match=r'2 widgets are label in .*"Title".*"Other".*; use a name, or nth\(2\) for'):
        label.text


@pytest.mark.parametrize("check, reason", [
    (lambda window: window.get_by_role("button", name="Safe").click(),
     r'there is no button "Safe" in window "Form".*\nwidgets, the most similar first:\n  button "Save" at 10,40 60×20'),
    (lambda window: window.get_by_role("textbox").nth(3).click(), "there is no textbox in .* number 3"),
    (lambda window: window.get_by_text(re.compile(".")).click(), r"5 widgets are .*; use a name, or nth\(0\)"),
    (lambda window: window.get_by_role("button").click(), 'button in window "Form".* is not enabled'),
])
def test_actions_say_why_not(mullion, window, check, reason):
    mullion.timeout = 0
    window.show(form(enabled=False))
    with pytest.raises(ActionError, match=reason):
        check(window)


@pytest.mark.parametrize("check, reason", [
    (lambda field: expect(field).to_have_text("Ada"),
     r'expect\(textbox in .*\)\.to_have_text\("Ada"\): its text is "Adam", after 0 s'),
    (lambda field: expect(field).to_have_value("1"), "it has no value"),
    (lambda field: expect(field).to_be_checked(), "it is not checked"),
    (lambda field: expect(field).not_.to_be_focused(), r"not_\.to_be_focused\(\): the opposite is true"),
    (lambda field: expect(field.nth(1)).to_be_visible(), "there is no textbox"),
    (lambda field: expect(field).to_have_count(2), "there are 1"),
])
def test_expectations_say_what_is_instead(mullion, window, check, reason):
    mullion.timeout = 0
    window.show(form("Adam"))
    with pytest.raises(AssertionError, match=reason):
        check(window.get_by_role("textbox"))


@pytest.mark.parametrize("check", [
    lambda widget: expect(widget).not_.to_be_enabled(),
    lambda widget: expect(widget).not_.to_be_focused(),
    lambda widget: expect(widget).not_.to_be_checked(),
    lambda widget: expect(widget).not_.to_have_text("Saved"),
    lambda widget: expect(widget).not_.to_have_value("1"),
])
def test_the_opposite_needs_one_widget(mullion, window, check):
    mullion.timeout = 0
    with pytest.raises(AssertionError, match="the program has no accessible window"):
        check(window.get_by_role("button", name="Save"))
    window.show(form())
    with pytest.raises(AssertionError, match='there is no button "Safe"'):
        check(window.get_by_role("button", name="Safe"))
    with pytest.raises(AssertionError, match="5 widgets are"):
        check(window.get_by_text(re.compile(".")))


def test_what_cannot_be_read_is_neither_there_nor_missing(mullion, window):
    mullion.timeout = 0
    field = window.get_by_role("textbox")
    for reason in ["the program has no accessible window", "describes no widgets; does its program support"]:
        with pytest.raises(AssertionError, match=reason):
            expect(field).not_.to_be_visible()
        with pytest.raises(AssertionError, match=reason):
            expect(field).to_have_count(0)
        window.show()
    window.show(widget(1, "window", "Form"))
    assert field.matches() == []
    expect(field).not_.to_be_visible()
    expect(field).to_have_count(0)
    expect(field).not_.to_have_count(1)


def test_what_is_not_described_in_time_may_be_there(mullion, window, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    expect(window).to_match("form.png")
    mullion.options = mullion.options.changed({"update_goldens": False})
    button = window.get_by_role("button")
    checks = [
        lambda: expect(window.get_by_role("button", name="Other"), timeout=0).not_.to_be_visible(),
        lambda: expect(button, timeout=0).to_have_count(1),
        lambda: expect(window, timeout=0).to_match("form.png", masks=[button]),
    ]
    window.show(form(), complete=False, remarks=["Form does not answer"])
    for check in checks:
        with pytest.raises(AssertionError, match='window "Form" was not described in time: Form does not answer'):
            check()
    window.show(form(), remarks=["Form has more than 10000 widgets; the others are left out"])
    for check in checks:
        check()


@pytest.mark.mullion(screens=["400x200,scale=2"])
def test_widgets_are_masks(mullion, display, window, claim, tmp_path):
    window.show(form())
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    button = window.get_by_role("button", name="Save")
    expect(display.main).to_match("screen.png")
    expect(display.main).to_match("button.png", crop=button)
    expect(window).to_match("window.png", crop=button)
    assert (tmp_path / "button.png").read_bytes()[16:24] == bytes([0, 0, 0, 120, 0, 0, 0, 40])
    mullion.options = mullion.options.changed({"update_goldens": False})
    # Over the button of the window at 10,10.
    over = claim("title=Over", "frame=20,50,60,20", "color=#ff0000ff", "level=alert").window()
    expect(over).to_be_visible()
    expect(display.main).to_match("screen.png", masks=[button])
    expect(display.main).not_.to_match("screen.png", masks=[window.get_by_role("checkbox")])
    expect(window).to_match("window.png", crop=button, masks=[button])
    with pytest.raises(AssertionError, match='there is no button "Safe" in'):
        expect(display.main, timeout=0).to_match("screen.png", masks=[window.get_by_role("button", name="Safe")])
    with pytest.raises(MullionError, match=r"is no part of the picture of window.*; use a widget of that window"):
        expect(over).to_match("window.png", masks=[button])
    with pytest.raises(MullionError, match="has no fixed place in a picture with popups"):
        expect(window).to_match("window.png", masks=[button], popups=True)


def test_a_covered_widget(mullion, window, claim):
    window.show(form())
    expect(claim("title=Alert", "frame=0,0,300,300", "level=alert").window()).to_be_visible()
    mullion.timeout = 0
    button = window.get_by_role("button")
    # It is looked at twice.
    with pytest.raises(ActionError, match="moves, it is at 10,40"):
        button.click()
    with pytest.raises(ActionError, match=r'40,50 in window "Form".* is covered by window \d+ "Alert"'):
        button.click()
