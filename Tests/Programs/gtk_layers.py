#!/usr/bin/python3
"""A window of GTK 4, or with the argument 3 of GTK 3, whose widgets are in front of each other. Prints what is clicked.

On the first page of a notebook, a button covers another one, and one is disabled. There is also a field with a label.
"""

import sys

import gi

VERSION = "3" if "3" in sys.argv[1:] else "4"
gi.require_version("Gtk", VERSION + ".0")
from gi.repository import GLib, Gtk  # noqa: E402


def button(label):
    made = Gtk.Button(label=label)
    made.connect("clicked", lambda _: print("clicked", label, flush=True))
    return made


def box(*widgets):
    made = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for widget in widgets:
        made.pack_start(widget, False, False, 0) if VERSION == "3" else made.append(widget)
    return made


field = Gtk.Entry()
label = Gtk.Label(label="_Address:", use_underline=True, mnemonic_widget=field)
disabled = button("Disabled")
disabled.set_sensitive(False)
below = box(button("Under"), button("Free"), disabled, label, field)
cover = button("Cover")
cover.set_valign(Gtk.Align.START)
overlay = Gtk.Overlay()
overlay.add(below) if VERSION == "3" else overlay.set_child(below)
overlay.add_overlay(cover)
notebook = Gtk.Notebook()
notebook.append_page(overlay, Gtk.Label(label="First"))
notebook.append_page(box(button("One"), button("Two")), Gtk.Label(label="Second"))
window = Gtk.Window(title="Layers", decorated=False, default_width=300, default_height=300)
window.add(notebook) if VERSION == "3" else window.set_child(notebook)
window.show_all() if VERSION == "3" else window.present()
GLib.MainLoop().run()
