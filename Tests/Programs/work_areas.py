#!/usr/bin/python3
"""Prints what GTK believes that panels leave free of each monitor: x, y, width and height, a line each."""

import gi

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk  # noqa: E402

display = Gdk.Display.get_default()
for index in range(display.get_n_monitors()):
    area = display.get_monitor(index).get_workarea()
    print(area.x, area.y, area.width, area.height)
