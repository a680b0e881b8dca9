#!/usr/bin/python3
"""A window that does something when it is minimized: icon_program.py TOOLKIT restore|hide.

TOOLKIT is "GTK 3", "GTK 4", "Qt 5" or "Qt 6"; only Qt's can hide. It prints "minimized" each time.
"""

import importlib
import sys


def gtk(version):
    import gi

    gi.require_version("Gtk", version)
    gi.require_version("Gdk", version)
    from gi.repository import Gdk, GLib, Gtk

    def restore(is_minimized, show):
        if is_minimized:
            print("minimized", flush=True)
            show()

    if version == "3.0":
        Gtk.init([])
        window = Gtk.Window(title="w", default_width=200, default_height=100)
        window.connect(
            "window-state-event",
            lambda _, event: restore(
                event.changed_mask & event.new_window_state & Gdk.WindowState.ICONIFIED, window.deiconify))
        window.show_all()
    else:
        Gtk.init()
        window = Gtk.Window(title="w", default_width=200, default_height=100)
        window.realize()
        window.get_surface().connect(
            "notify::state",
            lambda surface, _: restore(surface.get_state() & Gdk.ToplevelState.MINIMIZED, window.unminimize))
        window.present()
    GLib.MainLoop().run()


def qt(version, hides):
    widgets = importlib.import_module(f"PyQt{version}.QtWidgets")
    core = importlib.import_module(f"PyQt{version}.QtCore")
    application = widgets.QApplication(sys.argv)

    class Window(widgets.QWidget):
        def changeEvent(self, event):
            if event.type() == core.QEvent.Type.WindowStateChange and self.isMinimized():
                print("minimized", flush=True)
                core.QTimer.singleShot(0, self.hide if hides else self.showNormal)

    application.setQuitOnLastWindowClosed(False)
    window = Window()
    window.setWindowTitle("w")
    window.resize(200, 100)
    window.show()
    application.exec()


toolkit, action = sys.argv[1:]
name, number = toolkit.split()
if name == "GTK":
    gtk(f"{number}.0")
else:
    qt(number, action == "hide")
