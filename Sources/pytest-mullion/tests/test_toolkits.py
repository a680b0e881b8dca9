"""Real programs: widgets of GTK, and X11."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import CTL

from pytest_mullion import ActionError, expect

FORM = ["/usr/bin/python3", str(Path(__file__).parents[1] / "examples" / "form.py")]
LONG = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Long", default_width=300, default_height=200)
area, box = Gtk.ScrolledWindow(), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
for number in range(40):
    button = Gtk.Button(label=f"Button {number}")
    button.connect("clicked", lambda _, number=number: print("clicked", number, flush=True))
    box.add(button)
box.add(Gtk.CheckButton(label="Keep"))
area.add(box)
window.add(area)
window.show_all()
Gtk.main()
"""
MENU = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Menu", decorated=False, default_width=300, default_height=200)
box, menu = Gtk.Box(orientation=Gtk.Orientation.VERTICAL), Gtk.Menu()
for number in range(8):
    item = Gtk.MenuItem(label=f"Item {number} of the long menu")
    item.connect("activate", lambda _, number=number: print("chosen", number, flush=True))
    menu.append(item)
menu.show_all()
box.add(Gtk.MenuButton(label="Open", popup=menu))
button = Gtk.Button(label="Save", halign=Gtk.Align.START)
button.connect("clicked", lambda _: print("saved", flush=True))
box.add(button)
window.add(box)
window.show_all()
Gtk.main()
"""


def works(*command):
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


has_gtk = pytest.mark.skipif(
    not works("/usr/bin/python3", "-c", 'import gi; gi.require_version("Gtk", "3.0")'), reason="GTK 3 is missing")


@has_gtk
def test_a_form(mullion):
    app = mullion.launch(FORM)
    form = app.window("Form")
    form.get_by_role("textbox", name="Name").fill("Ada")
    expect(form.get_by_role("textbox")).to_have_text("Ada")
    form.get_by_role("textbox", name="Name").fill("Grüße")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("label")).to_have_text("Saved Grüße")
    expect(app).to_have_output("saved Grüße")
    form.get_by_role("textbox").fill("")
    expect(form.get_by_role("textbox")).to_have_text("")
    with pytest.raises(AssertionError, match='its text is "Saved Grüße"'):
        expect(form.get_by_role("label"), timeout=0).to_have_text("Saved Ada")


@has_gtk
def test_a_window_with_a_title_bar(mullion):
    app = mullion.launch(["/usr/bin/python3", Path(__file__).with_name("my_editor.py"), "letter.txt"])
    window = app.window("letter.txt")
    # The bar has a label for a subtitle, which is hidden.
    expect(window.get_by_role("label")).to_have_count(2)
    expect(window.get_by_role("label")).to_have_text("letter.txt")


@has_gtk
def test_what_is_out_of_view_is_scrolled_there(mullion):
    app = mullion.launch(["/usr/bin/python3", "-c", LONG])
    app.window("Long").get_by_role("button", name="Button 33").click()
    expect(app).to_have_output("clicked 33")
    keep = app.window("Long").get_by_role("checkbox")
    keep.click()
    expect(keep).to_be_checked()


@has_gtk
def test_a_widget_under_a_menu_of_its_window_is_covered(mullion):
    app = mullion.launch(["/usr/bin/python3", "-c", MENU])
    window = app.window("Menu")
    window.get_by_role("button", name="Open").click()
    expect(window.get_by_role("menuitem", name=re.compile("^Item 3"))).to_be_visible()
    timeout, mullion.timeout = mullion.timeout, 0
    save = window.get_by_role("button", name="Save")
    # It is looked at twice.
    with pytest.raises(ActionError, match="moves, it is at"):
        save.click()
    with pytest.raises(ActionError, match='in window "Menu".* is covered by a pop-up of the same window'):
        save.click()
    # As for the command.
    command = mullion.launch([CTL, "click", "role=button", "name=Save", "timeout=1"])
    expect(command, timeout=30).to_have_output("by a pop-up of the same window")
    mullion.timeout = timeout
    window.get_by_role("menuitem", name=re.compile("^Item 3")).click()
    expect(app).to_have_output("chosen 3")
    save.click()
    expect(app).to_have_output("saved")


@pytest.mark.skipif(
    shutil.which("xterm") is None or shutil.which("Xwayland") is None, reason="xterm or Xwayland is missing")
@pytest.mark.mullion(x11=True, timeout=30)
def test_an_x11_program(mullion):
    app = mullion.launch(["xterm", "-T", "Terminal", "-e", "sh", "-c", "read line; echo $line >$OUT; exit"], env={
        "OUT": str(mullion.server.folder / "line")})
    window = app.window("Terminal")
    expect(window).to_be_visible()
    expect(app).to_be_idle()
    window.click()
    window.type("hello")
    window.press("Return")
    app.wait()
    assert (mullion.server.folder / "line").read_text() == "hello\n"
