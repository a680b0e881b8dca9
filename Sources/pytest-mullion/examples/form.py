#!/usr/bin/python3
"""A small GTK 3 program: a name is saved, and shown on every further screen in a window of its own."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402


class Form:
    """The window with the form, and those on the other screens."""

    def __init__(self):
        self.entry = Gtk.Entry(activates_default=True)
        self.entry.get_accessible().set_name("Name")
        self.button = Gtk.Button(label="Save", can_default=True)
        self.button.connect("clicked", self.save)
        self.label = Gtk.Label(label="Nothing saved")
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=16)
        for widget in (self.entry, self.button, self.label):
            box.add(widget)
        self.window = Gtk.Window(title="Form", decorated=False, default_width=400, default_height=200)
        self.window.add(box)
        self.window.set_default(self.button)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.show_all()
        self.signs = {}
        self.display = Gdk.Display.get_default()
        self.display.connect("monitor-added", lambda _, monitor: self.add_sign(monitor))
        self.display.connect("monitor-removed", lambda _, monitor: self.remove_sign(monitor))
        for index in range(1, self.display.get_n_monitors()):
            self.add_sign(self.display.get_monitor(index))

    def save(self, _):
        self.label.set_text(f"Saved {self.entry.get_text()}")
        for _, label in self.signs.values():
            label.set_markup(f"<span size='60000'>{self.entry.get_text()}</span>")
        print("saved", self.entry.get_text(), flush=True)

    def add_sign(self, monitor):
        label = Gtk.Label()
        window = Gtk.Window(title="Sign", decorated=False)
        window.add(label)
        screen = Gdk.Screen.get_default()
        monitors = [self.display.get_monitor(index) for index in range(self.display.get_n_monitors())]
        window.fullscreen_on_monitor(screen, monitors.index(monitor))
        window.show_all()
        self.signs[monitor] = window, label

    def remove_sign(self, monitor):
        window, _ = self.signs.pop(monitor)
        window.destroy()


form = Form()
Gtk.main()
