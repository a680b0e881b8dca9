#!/usr/bin/python3
"""A small GTK 3 form, for tests that must fail. Usage: order_form.py [crash|protocol|hang|window|text|pixel|leak]

The argument is its mistake. Without one, it saves the order and says so in a second window.
"""

import os
import signal
import socket
import struct
import subprocess
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

PRICE = 12


class Form:
    def __init__(self, mistake):
        self.mistake = mistake
        self.quantity = Gtk.SpinButton.new_with_range(1, 99, 1)
        self.quantity.get_accessible().set_name("Quantity")
        self.quantity.connect("value-changed", lambda _: self.show_total())
        self.total = Gtk.Label(xalign=0)
        self.save_button = Gtk.Button(label="Save", hexpand=True)
        self.save_button.connect("clicked", lambda _: self.save())
        grid = Gtk.Grid(row_spacing=12, column_spacing=12, margin=24)
        grid.attach(Gtk.Label(label="Ceramic mugs", xalign=0), 0, 0, 1, 1)
        grid.attach(self.quantity, 1, 0, 1, 1)
        grid.attach(self.total, 0, 1, 2, 1)
        grid.attach(self.save_button, 0, 2, 2, 1)
        self.window = Gtk.Window(title="Order", default_width=320, default_height=180)
        self.window.add(grid)
        self.window.connect("destroy", Gtk.main_quit)
        self.show_total()
        self.window.show_all()
        if mistake == "leak":
            subprocess.Popen(["sleep", "1000"])

    def show_total(self):
        count = self.quantity.get_value_as_int()
        # The wrong text: the first one is free.
        total = (count - 1 if self.mistake == "text" else count) * PRICE
        color = "#d02020" if self.mistake == "pixel" else "#208040"
        self.total.set_markup(f"<span color='{color}' size='large'>Total: {total} €</span>")

    def save(self):
        print("saving the order", flush=True)
        if self.mistake == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif self.mistake == "protocol":
            send_to_missing_object()
        elif self.mistake == "hang":
            signal.pause()
        title = "Order not saved" if self.mistake == "window" else "Order saved"
        window = Gtk.Window(title=title, default_width=240, default_height=90)
        window.add(Gtk.Label(label="Thank you!"))
        window.show_all()
        print("saved", flush=True)


def send_to_missing_object():
    """Breaks the Wayland protocol on GTK's own connection."""
    name = os.environ["WAYLAND_DISPLAY"]
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        try:
            connection = socket.socket(fileno=os.dup(descriptor))
            if os.path.basename(connection.getpeername()) == name:
                connection.sendall(struct.pack("=IHH", 77, 3, 8))
        except (OSError, TypeError):
            continue


form = Form(sys.argv[1] if len(sys.argv) > 1 else "")
Gtk.main()
