#!/usr/bin/python3
"""The small GTK 3 editor of the first examples: it writes one line to a file, and shows it on every further screen."""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402


def save(_):
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(entry.get_text())
    window.set_title(f"{sys.argv[1]} – saved")


def show_slide(display, monitor):
    label = Gtk.Label()
    label.set_markup("<span size='60000'>Slide</span>")
    slide = Gtk.Window(title="Slides", decorated=False)
    slide.add(label)
    monitors = [display.get_monitor(index) for index in range(display.get_n_monitors())]
    slide.fullscreen_on_monitor(Gdk.Screen.get_default(), monitors.index(monitor))
    slide.show_all()


window = Gtk.Window(title=sys.argv[1])
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=16)
entry = Gtk.Entry()
button = Gtk.Button(label="Save")
button.connect("clicked", save)
for widget in (entry, button):
    box.add(widget)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
screens = Gdk.Display.get_default()
screens.connect("monitor-added", show_slide)
for number in range(1, screens.get_n_monitors()):
    show_slide(screens, screens.get_monitor(number))
window.present()
Gtk.main()
