"""Screens: plugging, changing, pictures and goldens."""

import errno
import os
import re
import signal
import threading
from pathlib import Path

import pytest

from pytest_mullion import ActionError, MullionError, ProblemError, Rect, expect
from pytest_mullion.waiting import ServerWait


@pytest.mark.mullion(screens=["640x480", "tv-1080p,name=TV"])
def test_screens_of_the_marker(mullion, display):
    assert [screen.name for screen in display.screens] == ["BUILTIN-1", "TV"]
    assert display.main.bounds == Rect(0, 0, 640, 480)
    assert display.screen("TV").screenshot().size == (1920, 1080)
    assert display.screenshot().size == (640 + 1920, 1080)
    assert display.screenshot(max_edge=100).size == (100, 42) and display.screen("TV").screenshot(max_edge=96).size == (96, 54)


@pytest.mark.mullion(screens=[])
def test_no_screen_at_first(mullion, display):
    assert display.screens == []
    with pytest.raises(MullionError, match="there is no screen; plug one in"):
        display.main.name
    screen = display.plug("1024x768", name="LATE")
    expect(screen).to_be_connected()
    assert display.main.name == "LATE"


def test_changes(mullion, display):
    tv = display.plug("tv-1080p", name="TV")
    display.mode(tv, "1280x720@50")
    display.scale("TV", 2)
    assert tv.bounds == Rect(0, 0, 640, 360)
    tv.rotate("landscapeRight", duration="100ms")
    tv.rotate("portrait", duration=0)
    display.rotate(tv, "landscapeLeft")
    assert tv.bounds == Rect(0, 0, 360, 640)
    assert tv.properties()["mode"] == "1280x720@50"
    display.unplug(tv)
    expect(tv).not_.to_be_connected()
    with pytest.raises(MullionError, match="nonsense.*is not a display model"):
        display.plug("nonsense")


def test_a_window_returns_with_its_screen(mullion, display, claim):
    tv = display.plug("tv-1080p", name="TV", serial="7")
    window = claim("title=Sign", "screen=TV", "frame=0,0,100,100").window()
    expect(window).to_be_on("TV")
    tv.unplug()
    expect(window).not_.to_be_visible()
    display.plug("tv-1080p", name="TV", serial="7")
    expect(window).to_be_on(tv)


def test_input_on_a_screen(mullion, display, claim):
    window = claim("title=Here", "frame=10,10,100,100").window()
    expect(window).to_be_visible()
    screen = display.main
    assert screen.click(20, 20)["hit"]["title"] == "Here"
    assert screen.tap(20, 20)["hit"]["location"] == {"x": 10, "y": 10}
    assert screen.drag((20, 20), (30, 30), by="touch")["delivered"] > 0
    assert screen.scroll(20, 20, 0, 5)["delivered"] > 0
    assert "hit" not in screen.hover(500, 500)
    with pytest.raises(MullionError, match="500,500 on BUILTIN-1: no client received the click: no window"):
        screen.click(500, 500)


def test_a_picture_is_compared_when_it_is_right(mullion, display, claim, once, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path})
    window = claim("title=Red", "frame=0,0,50,50", "color=#ffff0000").window()
    expect(window).to_be_visible()
    mullion.options = mullion.options.changed({"update_goldens": True})
    expect(display.main).to_match("red.png")
    mullion.options = mullion.options.changed({"update_goldens": False})
    expect(display.main).to_match("red.png")
    number = window.state().id

    def move(x):
        mullion.control.json("PATCH", f"/windows/{number}", {"frame": {"x": x, "y": 0, "width": 50, "height": 50}})

    move(1)
    expect(display.main).not_.to_match("red.png")
    once(mullion.control, "request", lambda: move(0), word="/compare")
    expect(display.main).to_match("red.png")
    assert window.frame.x == 0


def test_a_channel_may_differ_by_the_tolerance(mullion, display, claim, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    first = claim("title=A", "frame=0,0,50,50", "color=#ff640000")
    expect(first.window()).to_be_visible()
    expect(display.main).to_match("near.png")
    mullion.options = mullion.options.changed({"update_goldens": False})
    expect(claim("title=B", "frame=0,0,50,50", "color=#ff660000").window()).to_be_visible()
    expect(display.main).to_match("near.png", tolerance=2)
    expect(display.main).not_.to_match("near.png", tolerance=1)


def test_parts_of_pictures_and_windows_are_compared(mullion, display, claim, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    red = claim("title=Red", "frame=10,20,50,40", "color=#ffff0000").window()
    expect(red).to_be_visible()
    expect(red).to_match("window.png")
    expect(display.main).to_match("crop.png", crop=red)
    expect(display.main).to_match("screen.png")
    mullion.options = mullion.options.changed({"update_goldens": False})
    over = claim("title=Over", "frame=10,20,5,4", "color=#ff0000ff", "level=alert").window()
    expect(over).to_be_visible()
    # A window alone shows nothing of what covers it.
    expect(red).to_match("window.png")
    expect(display.main).to_match("screen.png", masks=[over])
    expect(display.main).to_match("screen.png", masks=[(10, 20, 5, 4), (0, 0, 1, 1)])
    expect(display.main).to_match("crop.png", crop=(10, 20, 50, 40), max_differing=20)
    expect(display.main).to_match("crop.png", crop=(10, 20, 50, 40), max_differing="1%")
    expect(display.main).not_.to_match("crop.png", crop=(10, 20, 50, 40), max_differing=19)


@pytest.fixture
def flicker(mullion):
    """Changes how a window looks until the test ends, as a clock or a progress bar does."""
    ended = threading.Event()
    threads = []

    def change(window, pause):
        number = 0
        while not ended.wait(pause):
            number += 1
            mullion.control.json("PATCH", f"/windows/{window.id}", {"alpha": 0.3 + number % 7 / 10})

    def start(window, pause=0.02):
        threads.append(threading.Thread(target=change, args=[window.state(), pause]))
        threads[-1].start()

    yield start
    ended.set()
    for thread in threads:
        thread.join()


def test_masks_cover_all_that_fits_and_only_what_is_outside_has_to_stand_still(
    mullion, display, claim, tmp_path, flicker
):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    expect(claim("title=Still", "frame=0,0,300,200", "color=#ff00ff00").window()).to_be_visible()
    for number in range(3):
        clock = claim(f"title=Clock {number}", f"frame={20 + 60 * number},20,50,40", "color=#ffff0000").window()
        expect(clock).to_be_visible()
        flicker(clock)
    clocks = mullion.window(re.compile("^Clock"))
    # The reason depends on when the time is up.
    reasons = ["does not stand still, so .* was not saved: ([0-9]+ of [0-9]+ pixels|it has just changed)",
               "was not saved: there was no time for"]
    patience, mullion.timeout = mullion.timeout, 3
    with pytest.raises(MullionError, match="|".join(reasons)):
        expect(display.main).to_match("moving.png")
    with pytest.raises(MullionError, match="still.png was not saved: there is no window \"Alarm\""):
        expect(display.main).to_match("still.png", masks=[mullion.window("Alarm")])
    mullion.timeout = patience
    assert not list(tmp_path.iterdir())
    expect(display.main).to_match("still.png", masks=[clocks])
    saved = (tmp_path / "still.png").read_bytes()
    # The same picture, as far as it is compared.
    expect(display.main).to_match("still.png", masks=[clocks])
    assert (tmp_path / "still.png").read_bytes() == saved
    mullion.options = mullion.options.changed({"update_goldens": False})
    expect(display.main).to_match("still.png", masks=[clocks])
    expect(display.main).not_.to_match("still.png", masks=[mullion.window("Clock 0")])


@pytest.mark.parametrize("name", ["replace", "write"])
def test_a_picture_that_cannot_be_written_leaves_the_old_one(mullion, display, tmp_path, monkeypatch, name):
    path = tmp_path / "old.png"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    if name == "replace":
        monkeypatch.setattr("os.replace", fail)
    else:
        monkeypatch.setattr(Path, "write_bytes", lambda self, data: (open(self, "wb").write(data[:9]), fail()))
    with pytest.raises(OSError, match="No space left"):
        display.main.screenshot(path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_forbidden_picture_is_compared_and_not_saved(mullion, display, claim, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    with pytest.raises(AssertionError, match="empty.png does not exist; not_ compares with"):
        expect(display.main).not_.to_match("empty.png")
    assert not (tmp_path / "empty.png").exists()
    expect(display.main).to_match("empty.png")
    saved = (tmp_path / "empty.png").read_bytes()
    with pytest.raises(AssertionError, match=r'expect\(screen BUILTIN-1\).not_.to_match\("empty.png"\)'):
        expect(display.main, timeout=0).not_.to_match("empty.png")
    expect(claim("title=Red", "frame=0,0,50,50", "color=#ffff0000").window()).to_be_visible()
    expect(display.main).not_.to_match("empty.png")
    assert (tmp_path / "empty.png").read_bytes() == saved


def test_a_golden_is_one_picture(mullion, display, claim, tmp_path):
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    expect(display.main).to_match("same.png")
    saved = (tmp_path / "same.png").read_bytes()
    expect(display.main).to_match("same.png")
    expect(claim("title=Red", "frame=0,0,50,50", "color=#ffff0000").window()).to_be_visible()
    with pytest.raises(MullionError, match="same.png was saved before in this run, with another picture"):
        expect(display.main).to_match("same.png")
    assert (tmp_path / "same.png").read_bytes() == saved


@pytest.mark.parametrize("shares", [False, True])
def test_a_golden_that_could_not_be_written_is_not_marked(mullion, display, claim, tmp_path, shares):
    saved = tmp_path / "saved" if shares else None
    (tmp_path / "saved").mkdir()
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True, "saved": saved})
    (tmp_path / "same.png").mkdir()
    with pytest.raises(IsADirectoryError):
        expect(display.main).to_match("same.png")
    (tmp_path / "same.png").rmdir()
    expect(claim("title=Red", "frame=0,0,50,50", "color=#ffff0000").window()).to_be_visible()
    expect(display.main).to_match("same.png")
    expect(display.main).to_match("../" + tmp_path.name + "/same.png")
    expect(claim("title=Blue", "frame=0,0,50,50", "color=#ff0000ff").window()).to_be_visible()
    with pytest.raises(MullionError, match="same.png was saved before in this run, with another picture"):
        expect(display.main).to_match("../" + tmp_path.name + "/same.png")


def test_goldens_of_several_environments(mullion, display, claim, tmp_path):
    def choose(*variants, updates=False):
        mullion.options = mullion.options.changed(
            {"goldens": tmp_path, "variants": variants, "update_goldens": updates})

    choose(updates=True)
    expect(display.main).to_match("menu.png")
    expect(claim("title=Red", "frame=0,0,50,50", "color=#ffff0000").window()).to_be_visible()
    choose("gtk-4.8", "gtk-4", updates=True)
    expect(display.main).to_match("menu.png")
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["menu.gtk-4.8.png", "menu.png"]
    choose("gtk-4.8", "gtk-4")
    expect(display.main).to_match("menu.png")
    choose("gtk-3", "gtk-4.8")
    expect(display.main).to_match("menu.png")
    choose("gtk-3")
    expect(display.main).not_.to_match("menu.png")
    with pytest.raises(AssertionError, match="new.png does not exist, and neither does new.gtk-3.png; create it with"):
        expect(display.main).to_match("new.png")
    choose("gtk/3")
    with pytest.raises(MullionError, match="the variant \"gtk/3\" is not a part of a file's name; use one like gtk-4.8"):
        expect(display.main).to_match("menu.png")


@pytest.mark.mullion(clock="manual")
def test_the_clock_is_stepped(mullion):
    assert mullion.clock.is_manual
    before = mullion.clock.now
    mullion.clock.step("16ms")
    mullion.clock.step(0.5)
    assert mullion.clock.now == before + 516_000
    mullion.clock.until_idle()
    mullion.settle()
    with pytest.raises(MullionError, match='"soon" is not a duration'):
        mullion.clock.step("soon")


@pytest.mark.mullion(screens=["200x100,scale=2"])
def test_pixels_are_waited_for(mullion, display, claim):
    app = claim("frame=10,10,50,50", "color=#ffff8000")
    expect(display.main).to_have_pixel(30, 30, "#ff8000")
    expect(display.main).to_have_pixel(30, 30, "#ff8103", tolerance=3)
    expect(display.main).to_be_still()
    expect(app).to_be_idle()
    with pytest.raises(AssertionError, match=r'to_have_pixel\(0, 0, "#ff8000"\): .*the pixel is #000000\n'):
        expect(display.main, timeout=0).to_have_pixel(0, 0, "#ff8000")
    with pytest.raises(TypeError, match="not_ cannot be used with to_be_still"):
        expect(display.main).not_.to_be_still()


def test_the_server_waits(mullion, claim):
    app = claim("title=Saved letter")
    assert mullion.wait_for("window", title="/^Saved/", visible=True)["windows"][0]["title"] == "Saved letter"
    for pattern in [re.compile("^saved", re.IGNORECASE), re.compile("^Saved")]:
        assert mullion.wait_for("window", title=pattern)["windows"][0]["title"] == "Saved letter"
    with pytest.raises(ActionError, match="/\\^saved/"):
        mullion.wait_for("window", timeout=0, title=re.compile("^saved"))
    # Seconds, as everywhere.
    for duration in [0.2, "200ms"]:
        assert mullion.wait_for("still", duration=duration)["condition"] == "still for=200ms"
    assert mullion.wait_for("client", pid=app.pid)["applications"][0]["pid"] == app.pid
    app.terminate()
    mullion.wait_for("gone")
    with pytest.raises(ActionError, match=r"screen TW connected: it is not connected\n  screen 1 BUILTIN-1"):
        mullion.wait_for("screen", timeout=0, screen="TW")
    with pytest.raises(ProblemError, match='"windows" is not a condition; use window, gone'):
        mullion.wait_for("windows")


@pytest.mark.mullion(timeout=1200.5)
def test_waits_that_are_longer_than_those_of_the_server(mullion, display, claim, tmp_path):
    app = claim("frame=10,10,50,50")
    mullion.wait_for("window")
    expect(app).to_be_idle()
    expect(display.main).to_be_still()
    expect(display.main).to_have_pixel(0, 0, "#000000")
    mullion.settle()
    mullion.options = mullion.options.changed({"goldens": tmp_path, "update_goldens": True})
    expect(display.main).to_match("still.png")


def test_waits_are_repeated(mullion, claim, once, monkeypatch):
    monkeypatch.setattr("pytest_mullion.control.LONGEST", 0.01)
    once(ServerWait, "_ask", lambda: claim("title=Late"))
    mullion.wait_for("window", timeout=60, title="Late")
    app, = mullion.apps
    app.send_signal(signal.SIGSTOP)
    app.window().close()
    once(mullion.control, "json", lambda: app.send_signal(signal.SIGCONT), word="/settle")
    mullion.settle(timeout=60)
    with pytest.raises(ActionError, match="after 0.03 s"):
        mullion.wait_for("window", timeout=0.03, title="Never")


@pytest.mark.parametrize("title, reason", [
    (re.compile("x", re.MULTILINE), "title is a pattern with flags; use re.IGNORECASE or none"),
    (re.compile(b"x"), "title is a pattern of bytes; use one of text"),
    (["x"], "title is of the type list; use a text, a number, True, False or a pattern of re"),
])
def test_words_that_the_server_does_not_understand(mullion, title, reason):
    with pytest.raises(TypeError, match=reason):
        mullion.wait_for("window", title=title)


def test_a_crash_ends_a_wait_of_the_server(mullion, once):
    app = mullion.launch(["sleep", "1000"])
    once(mullion.control, "send", lambda: os.kill(app.pid, signal.SIGSEGV), word="/wait")
    with pytest.raises(ActionError, match="has crashed"):
        mullion.wait_for("window", timeout=60)
    app.is_expected_to_end = True


def test_waits_that_were_given_up_do_not_go_on(mullion):
    app = mullion.launch(["sh", "-c", "kill -SEGV $$"])
    # More than the server allows at a time.
    for _ in range(70):
        with pytest.raises(ActionError, match="has crashed"):
            mullion.wait_for("window", timeout=60)
    assert "mullion-wait" not in [thread.name for thread in threading.enumerate()]
    app.is_expected_to_end = True
    mullion.wait_for("screen", screen="BUILTIN-1")


def test_events(mullion, display, until):
    display.plug("tv-1080p", name="TV")
    until(lambda: [event["screenName"] for event in mullion.events("screenDidConnect")][-1:] == ["TV"])


@pytest.mark.parametrize("name", ["../../a b", "..", "100%2F?#", "Ü"])
def test_a_screen_of_any_name(mullion, display, name):
    screen = display.plug("640x480", name=name)
    assert screen.properties()["name"] == name
    screen.scale(2)
    assert screen.bounds == Rect(0, 0, 320, 240) and screen.screenshot().size == (640, 480)
    screen.unplug()
    expect(screen).not_.to_be_connected()
