#!/usr/bin/python3
"""One of two GTK 4 programs that share a window, as a program and its file chooser portal do.

Without an argument it exports its window and prints "handle HANDLE"; with a handle it opens a window in front of that one
and asks for all keys.
"""

import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("GdkWayland", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import GdkWayland, GLib, Gtk  # noqa: E402, F401


def say(*words):
    print(*words, flush=True)


handle = sys.argv[1] if len(sys.argv) > 1 else None
window = Gtk.Window(title="Chooser" if handle else "Program", decorated=False, default_width=120, default_height=80)
loop = GLib.MainLoop()


def shown(_):
    toplevel = window.get_surface()
    if handle is None:
        toplevel.export_handle(lambda _, text, *rest: say("handle", text))
    else:
        say("parent", toplevel.set_transient_for_exported(handle))
        toplevel.connect("notify::shortcuts-inhibited",
                         lambda toplevel, _: say("inhibited", toplevel.get_property("shortcuts-inhibited")))
        toplevel.inhibit_system_shortcuts(None)


window.connect("map", shown)
window.present()
loop.run()
