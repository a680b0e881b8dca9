#!/usr/bin/python3
"""A GTK 4 program that prints the events it receives, one line each on standard output.

It also prints the positions of its widgets ("place NAME X Y WIDTH HEIGHT", in points of the window) for tests.
F5 copies 1 MiB of text, F6 pastes without a text field, F7 opens a modal dialog, SIGUSR1 requests to become the active
window.
"""

import hashlib
import signal
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

LARGE = "".join(f"{line:07d} Grüße, ñ € 漢 😀\n" for line in range(1 << 20 >> 5))


def say(*words):
    print(*words, flush=True)


def digest(text):
    return f"{len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


class Program:
    def __init__(self):
        self.loop = GLib.MainLoop()
        self.window = Gtk.Window(title="GTK", decorated=False, default_width=360, default_height=300)
        self.entry = Gtk.Entry()
        self.button = Gtk.Button.new_with_mnemonic("_Button")
        self.choice = Gtk.DropDown.new_from_strings(["one", "two", "three"])
        self.item = Gtk.Button.new_with_mnemonic("_Item")
        self.popover = Gtk.Popover(child=self.item)
        self.menu = Gtk.MenuButton(label="Menu", popover=self.popover)
        self.area = Gtk.DrawingArea(vexpand=True, hexpand=True)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for widget in (self.entry, self.button, self.choice, self.menu, self.area):
            box.append(widget)
        self.window.set_child(box)
        self.listen()
        self.places = {}
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, self.present)
        self.window.present()
        self.window.add_tick_callback(self.tell_places)

    def listen(self):
        self.entry.connect("changed", lambda entry: say("text", entry.get_text()))
        self.button.connect("clicked", lambda _: say("clicked button"))
        self.item.connect("clicked", lambda _: (say("clicked item"), self.popover.popdown()))
        self.choice.connect("notify::selected", lambda choice, _: say("selected", choice.get_selected()))
        self.popover.connect("map", lambda _: say("menu opened"))
        self.popover.connect("closed", self.menu_closed)
        self.window.connect("notify::is-active", lambda window, _: say("focus", "in" if window.is_active() else "out"))
        self.window.connect("close-request", self.close)
        for touch in (False, True):
            click = Gtk.GestureClick(button=0, touch_only=touch)
            click.connect("pressed", self.touched if touch else self.pressed)
            if touch:
                click.connect("released", lambda *_: say("touch ended"))
                click.connect("cancel", lambda *_: say("touch cancelled"))
            self.area.add_controller(click)
        scroll = Gtk.EventControllerScroll(flags=Gtk.EventControllerScrollFlags.BOTH_AXES)
        scroll.connect("scroll", lambda _, dx, dy: say("scrolled", f"{dx:g} {dy:g}"))
        self.area.add_controller(scroll)
        key = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        key.connect("key-pressed", self.key)
        self.window.add_controller(key)

    def tell_places(self, window, _):
        widgets = {
            "entry": self.entry, "button": self.button, "choice": self.choice, "menu": self.menu, "area": self.area,
        }
        for name, widget in widgets.items():
            found, bounds = widget.compute_bounds(window)
            place = f"{bounds.get_x():g} {bounds.get_y():g} {bounds.get_width():g} {bounds.get_height():g}"
            if found and window.get_width() > 0 and bounds.get_x() >= 0 and self.places.get(name) != place:
                self.places[name] = place
                say("place", name, place)
        return True

    def menu_closed(self, popover):
        # GTK takes the focus out of it after the window's next frame. Until then its controllers do not see keys.
        focus = self.window.get_focus()
        if not focus or not focus.is_ancestor(popover):
            return say("menu closed")

        def focus_moved(window, _):
            window.disconnect(handler)
            say("menu closed")

        handler = self.window.connect("notify::focus-widget", focus_moved)

    def pressed(self, gesture, count, x, y):
        if gesture.get_current_event_device().get_source() != Gdk.InputSource.TOUCHSCREEN:
            say("clicked", gesture.get_current_button(), f"{x:g} {y:g}")

    def touched(self, gesture, count, x, y):
        say("touch began", f"{x:g} {y:g}")

    def key(self, _, value, code, state):
        names = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK,
                 "alt": Gdk.ModifierType.ALT_MASK}
        held = "".join(f"{name}+" for name, mask in names.items() if state & mask)
        say("key", held + (Gdk.keyval_name(value) or "?"))
        clipboard = self.window.get_clipboard()
        if value == Gdk.KEY_F5:
            clipboard.set(LARGE)
            say("copied", digest(LARGE))
        elif value == Gdk.KEY_F6:
            clipboard.read_text_async(None, self.pasted)
        elif value == Gdk.KEY_F7:
            self.ask()
        else:
            return False
        return True

    def ask(self):
        self.dialog = Gtk.Window(
            title="Dialog", decorated=False, modal=True, transient_for=self.window, default_width=120,
            default_height=80)
        key = Gtk.EventControllerKey()
        key.connect("key-pressed", lambda _, value, *rest: value == Gdk.KEY_Escape and self.dialog.close())
        self.dialog.add_controller(key)
        self.dialog.connect("close-request", lambda _: say("dialog closed"))
        self.dialog.present()

    def present(self):
        self.window.present()
        say("presented")
        return True

    def pasted(self, clipboard, result):
        try:
            text = clipboard.read_text_finish(result)
        except GLib.Error as error:
            return say("pasted nothing:", error.message)
        say("pasted", digest(text))

    def close(self, _):
        say("close")
        self.loop.quit()
        return False


program = Program()
program.loop.run()
sys.exit(0)
