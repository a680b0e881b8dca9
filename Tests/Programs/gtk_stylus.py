#!/usr/bin/python3
"""A GTK 4 program that prints what a stylus does, one line each on standard output.

A number after a name is the value of that axis.
"""

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

AXES = {
    "pressure": Gdk.AxisUse.PRESSURE, "xtilt": Gdk.AxisUse.XTILT, "ytilt": Gdk.AxisUse.YTILT,
    "distance": Gdk.AxisUse.DISTANCE, "rotation": Gdk.AxisUse.ROTATION,
}


def say(*words):
    print(*words, flush=True)


class Program:
    def __init__(self):
        self.loop = GLib.MainLoop()
        self.window = Gtk.Window(title="Stylus", decorated=False, default_width=300, default_height=200)
        self.area = Gtk.DrawingArea(vexpand=True, hexpand=True)
        self.window.set_child(self.area)
        stylus = Gtk.GestureStylus()
        # Otherwise only a stylus that is down.
        if hasattr(stylus, "set_stylus_only"):
            stylus.set_stylus_only(True)
        for name in ("down", "up", "motion", "proximity"):
            stylus.connect(name, self.heard, name)
        self.area.add_controller(stylus)
        self.window.connect("close-request", lambda _: self.loop.quit())
        self.window.present()
        self.window.add_tick_callback(self.shown)

    def shown(self, window, _):
        if window.get_width() > 0:
            say("ready")
            return False
        return True

    def heard(self, stylus, x, y, name):
        tool = stylus.get_device_tool()
        axes = []
        for axis, use in AXES.items():
            found, value = stylus.get_axis(use)
            if found:
                axes.append(f"{axis} {value:.2f}")
        kind = tool.get_tool_type().value_nick if tool else "none"
        say(name, kind, f"{x:g} {y:g}", *axes)


program = Program()
program.loop.run()
