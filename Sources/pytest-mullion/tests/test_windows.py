"""Windows: finding them, expecting something of them, and driving them."""

import re

import pytest

from pytest_mullion import ActionError, ProblemError, Rect, expect


def test_a_window_is_waited_for_and_described(mullion, claim):
    app = claim("title=Main", "frame=10,20,300,200", "key")
    window = app.window("Main")
    expect(window).to_be_visible()
    expect(window).to_be_key()
    expect(window).to_have_size(300, 200)
    assert window.frame == Rect(10, 20, 300, 200) and window.title == "Main"
    assert window.is_visible and window.is_key
    assert app.window().title == mullion.window(re.compile("^Ma")).title == "Main"


def test_a_change_is_noticed_when_it_happens(mullion, claim):
    window = claim("title=Before").window()
    expect(window).to_be_visible()
    number = window.state().id
    mullion.control.json("PATCH", f"/windows/{number}", {"title": "After"})
    expect(window).to_have_title("After")
    expect(window).to_have_title(re.compile("^A"))
    expect(window).not_.to_have_title("Before")
    mullion.control.json("PATCH", f"/windows/{number}", {"hidden": True})
    expect(window).not_.to_be_visible()


def test_a_window_that_was_found_stays_the_same_until_it_is_closed(mullion, claim):
    first = claim("title=Before", "key")
    window = first.window("Before")
    expect(window).to_be_key()
    number = window.state().id
    mullion.control.json("PATCH", f"/windows/{number}", {"title": "After"})
    second = claim("title=Before", "frame=0,0,10,10")
    expect(second.window("Before")).to_be_visible()
    anyone = mullion.window("Before")
    assert anyone.state().id != number
    expect(window).to_have_title("After")
    assert (window.state().id, window.is_visible, window.matches()) == (number, True, [])
    mullion.control.json("PATCH", f"/windows/{anyone.state().id}", {"title": "Later"})
    anyone.close()
    assert second.wait() == 0
    mullion.control.json("PATCH", f"/windows/{number}", {"title": "Before"})
    assert anyone.state().id == number
    window.close()
    expect(window).not_.to_be_visible()
    assert not window.is_visible and not window.is_key


def test_several_windows_need_a_number(mullion, claim):
    first, second = claim("title=Twin", "frame=0,0,10,10"), claim("title=Twin", "frame=20,0,10,10")
    twins = mullion.window("Twin")
    expect(twins).to_have_count(2)
    with pytest.raises(ActionError, match=r'2 windows are window "Twin"; use another title, or nth\(0\)'):
        mullion.timeout = 0
        twins.click()
    assert twins.nth(0).title == twins.nth(-1).title == "Twin"
    assert {twins.nth(0).frame.x, twins.nth(1).frame.x} == {0, 20}
    assert first.window().frame != second.window().frame
    assert twins.nth(2).matches() == []


def test_windows_belong_to_the_program_that_was_launched_or_one_that_it_started(mullion, claim):
    parent = mullion.launch(["sh", "-c", f'"{mullion.server.program}" claim title=Child & wait'])
    other = claim("title=Other")
    expect(parent.window("Child")).to_be_visible()
    expect(other.window("Other")).to_be_visible()
    assert parent.window("Other").matches() == [] and other.window("Child").matches() == []


def test_points_are_of_the_window_and_the_window_itself_must_receive_them(mullion, claim, until):
    app = claim("title=Under", "frame=100,100,200,100", "key")
    expect(app.window()).to_be_key()
    hit = app.window().click(5, 7)["hit"]
    assert hit["screenLocation"] == {"x": 105, "y": 107} and hit["location"] == {"x": 5, "y": 7}
    assert app.window().tap()["hit"]["location"] == {"x": 100, "y": 50}
    assert app.window().hover(1, 1)["hit"]["window"] == app.window().state().id
    assert app.window().scroll(0, 10)["delivered"] > 0
    assert app.window().drag((10, 10), (50, 50))["delivered"] > 0
    app.window().double_click()
    app.window().type("é")
    app.window().press("ctrl+s")

    def keys():
        return [event for event in mullion.events("event") if event["detail"] == "key"]

    # é and s are pressed and released, and ctrl with s.
    until(lambda: len(keys()) >= 6)
    assert all(event["window"] == app.window().state().id for event in keys())
    with pytest.raises(ActionError, match="the point is outside its frame"):
        mullion.timeout = 0
        app.window().click(500, 5)


def test_modifiers_are_held_during_clicks_and_scrolling(mullion, claim, until):
    window = claim("title=Main", "key").window()
    expect(window).to_be_key()
    window.click(5, 7, modifiers=["ctrl", "shift"])
    window.scroll(0, 15, modifiers=["alt"])

    def keys():
        return [event["code"] for event in mullion.events("event") if event["detail"] == "key"]

    until(lambda: len(keys()) >= 6)
    assert keys() == [29, 42, 42, 29, 56, 56]


def test_a_double_click_is_one_event(mullion, claim, monkeypatch):
    window = claim("title=Main", "frame=100,100,200,100").window()
    expect(window).to_be_visible()
    bodies, request = [], mullion.control.json
    monkeypatch.setattr(
        mullion.control, "json", lambda *words, **more: (bodies.append(words[2:]), request(*words, **more))[1])
    assert window.double_click(5, 7)["hit"]["location"] == {"x": 5, "y": 7}
    assert [(event["type"], event["count"]) for event, in filter(None, bodies)] == [("click", 2)]
    expect(claim("title=Over", "frame=100,100,200,100", "level=alert").window()).to_be_visible()
    mullion.timeout = 0
    with pytest.raises(ActionError, match=r'5,7 in window.* is covered by window \d+ "Over"'):
        window.double_click(5, 7)


@pytest.mark.parametrize("act", [
    lambda window: expect(window).to_match("missing.png"),
    lambda window: window.screenshot(),
    lambda window: window.double_click(),
    lambda window: window.close(),
])
def test_what_is_done_with_a_window_that_does_not_exist(mullion, tmp_path, act):
    mullion.timeout = 0
    for updates in [False, True]:
        mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": updates})
        with pytest.raises(ActionError, match='there is no window "Main"'):
            act(mullion.window("Main"))


@pytest.mark.parametrize("check", [
    lambda window: expect(window).not_.to_be_key(),
    lambda window: expect(window).not_.to_have_title("Other"),
    lambda window: expect(window).not_.to_have_size(1, 1),
    lambda window: expect(window).not_.to_be_on("TV"),
])
def test_the_opposite_needs_one_window(mullion, claim, check):
    expect(claim("title=Twin").window()).to_be_visible()
    expect(claim("title=Twin").window()).to_be_visible()
    mullion.timeout = 0
    with pytest.raises(AssertionError, match='there is no window "Twim"'):
        check(mullion.window("Twim"))
    with pytest.raises(AssertionError, match='2 windows are window "Twin"'):
        check(mullion.window("Twin"))


def test_what_does_not_exist_is_not_visible(mullion, display, claim):
    expect(mullion.window("Twin")).not_.to_be_visible()
    expect(mullion.window("Twin")).not_.to_have_count(1)
    expect(display.screen("TV")).not_.to_be_connected()
    expect(claim("title=Twin").window()).to_be_visible()
    expect(claim("title=Twin").window()).to_be_visible()
    with pytest.raises(AssertionError, match="2 windows are"):
        expect(mullion.window("Twin"), timeout=0).not_.to_be_visible()


def test_a_covered_point_is_clicked_when_it_is_free(mullion, claim, once):
    window = claim("title=Under", "frame=0,0,200,100").window()
    expect(window).to_be_visible()
    over = claim("title=Over", "frame=0,0,200,100", "level=alert")
    expect(over.window()).to_be_visible()
    with pytest.raises(ActionError, match=r'100,50 in window.* is covered by window \d+ "Over"'):
        timeout, mullion.timeout = mullion.timeout, 0
        window.click()
    mullion.timeout = timeout
    # The click waits for the end of the other window, which comes when the point was found to be covered.
    once(mullion.control, "request", over.terminate, word="/hit")
    assert window.click()["hit"]["title"] == "Under"
    assert over.wait() == 0


def test_keys_wait_for_the_key_window(mullion, claim):
    window = claim("title=First", "frame=0,0,200,100").window()
    expect(window).to_be_visible()
    expect(claim("title=Second", "frame=300,0,200,100", "key").window()).to_be_key()
    with pytest.raises(ActionError, match=r'window.* cannot receive keys: window \d+ "Second" is key'):
        mullion.timeout = 0
        window.type("a")


def test_a_window_is_closed_and_photographed(mullion, claim, tmp_path):
    app = claim("title=Red", "frame=0,0,30,20", "color=#ffff0000")
    expect(app.window()).to_be_visible()
    picture = app.window().screenshot(tmp_path / "red.png")
    assert picture.size == (30, 20) and (tmp_path / "red.png").read_bytes() == picture.png
    app.window().close()
    assert app.wait() == 0
    expect(app.window()).to_have_count(0)


def test_mistakes_are_explained(mullion):
    with pytest.raises(ProblemError, match='there is no screen "NOPE"') as problem:
        mullion.display.unplug("NOPE")
    assert problem.value.status == 404 and problem.value.rule == "S1"
    with pytest.raises(TypeError, match="takes a window, widget, screen or program, not int"):
        expect(3)
