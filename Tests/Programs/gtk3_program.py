#!/usr/bin/python3
"""A GTK 3 program that prints the events it receives, one line each on standard output.

It also prints the positions of its widgets ("place NAME X Y WIDTH HEIGHT", in points of the window) for tests.
F5 copies 1 MiB of text, F6 pastes without a text field, F7 opens a modal dialog. Its argument is the window's title.
"""

import hashlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

LARGE = "".join(f"{line:07d} Grüße, ñ € 漢 😀\n" for line in range(1 << 20 >> 5))


def say(*words):
    print(*words, flush=True)


def digest(text):
    return f"{len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


class Program:
    def __init__(self, title):
        self.window = Gtk.Window(title=title, decorated=False, default_width=360, default_height=300)
        self.entry = Gtk.Entry()
        self.button = Gtk.Button(label="Button")
        self.choice = Gtk.ComboBoxText()
        for text in ("one", "two", "three"):
            self.choice.append_text(text)
        self.choice.set_active(0)
        self.item = Gtk.MenuItem(label="Item")
        popup = Gtk.Menu()
        popup.append(self.item)
        popup.show_all()
        self.menu = Gtk.MenuButton(label="Menu", popup=popup)
        self.area = Gtk.DrawingArea(vexpand=True, hexpand=True)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for widget in (self.entry, self.button, self.choice, self.menu, self.area):
            box.pack_start(widget, widget is self.area, True, 0)
        self.window.add(box)
        self.listen(popup)
        self.places = {}
        self.window.show_all()
        self.window.add_tick_callback(self.tell_places)

    def listen(self, popup):
        self.entry.connect("changed", lambda entry: say("text", entry.get_text()))
        self.button.connect("clicked", lambda _: say("clicked button"))
        self.item.connect("activate", lambda _: say("clicked item"))
        self.choice.connect("changed", lambda choice: say("selected", choice.get_active()))
        popup.connect("map", lambda _: GLib.idle_add(self.menu_opened))
        popup.connect("hide", lambda _: say("menu closed"))
        self.window.connect("notify::is-active", lambda window, _: say("focus", "in" if window.is_active() else "out"))
        self.window.connect("delete-event", self.close)
        self.window.connect("key-press-event", self.key)
        mask = Gdk.EventMask
        self.area.add_events(mask.BUTTON_PRESS_MASK | mask.SCROLL_MASK | mask.SMOOTH_SCROLL_MASK | mask.TOUCH_MASK)
        self.area.connect("button-press-event", self.pressed)
        self.area.connect("touch-event", self.touched)
        self.area.connect("scroll-event", self.scrolled)

    def menu_opened(self):
        # By now GTK has mapped the menu's window too, and grabbed the input; the display server knows after the round trip.
        self.window.get_display().sync()
        say("menu opened")
        return False

    def tell_places(self, window, _):
        widgets = {
            "entry": self.entry, "button": self.button, "choice": self.choice, "menu": self.menu, "area": self.area,
        }
        for name, widget in widgets.items():
            bounds = widget.get_allocation()
            place = f"{bounds.x} {bounds.y} {bounds.width} {bounds.height}"
            if bounds.width > 1 and self.places.get(name) != place:
                self.places[name] = place
                say("place", name, place)
        return True

    def pressed(self, _, event):
        if not event.get_pointer_emulated():
            say("clicked", event.button, f"{event.x:g} {event.y:g}")

    def touched(self, _, event):
        names = {Gdk.EventType.TOUCH_BEGIN: "began", Gdk.EventType.TOUCH_END: "ended",
                 Gdk.EventType.TOUCH_CANCEL: "cancelled"}
        name = names.get(event.type)
        if name:
            say("touch", name, *([f"{event.x:g} {event.y:g}"] if name == "began" else []))

    def scrolled(self, _, event):
        smooth, dx, dy = event.get_scroll_deltas()
        if smooth:
            # GTK 3 counts a step for each 10 points, which the wheel's steps are not.
            say("scrolled", f"{dx / 1.5:g} {dy / 1.5:g}")

    def key(self, _, event):
        names = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK,
                 "alt": Gdk.ModifierType.MOD1_MASK}
        held = "".join(f"{name}+" for name, mask in names.items() if event.state & mask)
        say("key", held + (Gdk.keyval_name(event.keyval) or "?"))
        clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
        if event.keyval == Gdk.KEY_F5:
            clipboard.set_text(LARGE, -1)
            say("copied", digest(LARGE))
        elif event.keyval == Gdk.KEY_F6:
            clipboard.request_text(lambda _, text: say("pasted", digest(text or "")))
        elif event.keyval == Gdk.KEY_F7:
            self.ask()
        else:
            return False
        return True

    def ask(self):
        self.dialog = Gtk.Window(
            title="Dialog", decorated=False, modal=True, transient_for=self.window, default_width=120,
            default_height=80, window_position=Gtk.WindowPosition.CENTER_ON_PARENT)
        self.dialog.connect(
            "key-press-event", lambda _, event: event.keyval == Gdk.KEY_Escape and self.dialog.destroy())
        self.dialog.connect("destroy", lambda _: say("dialog closed"))
        self.dialog.show_all()

    def close(self, *_):
        say("close")
        Gtk.main_quit()
        return False


program = Program(sys.argv[1])
Gtk.main()
sys.exit(0)
