#!/usr/bin/python3
"""A program of GTK 3 or 4 to drag from and to drop on; it prints what happens, one line each on standard output.

Arguments: GTK's version, the window's title, and what it does: "copy" and "move", of which "copy,move" are both, and "large"
for a text of 1 MiB. The left half offers the text and the right half takes one. It prints the places of both as the other
programs do.
"""

import hashlib
import sys

import gi

VERSION = int(sys.argv[1])
gi.require_version("Gdk", f"{VERSION}.0")
gi.require_version("Gtk", f"{VERSION}.0")
from gi.repository import Gdk, GObject, Gtk  # noqa: E402

TITLE = sys.argv[2]
WORDS = sys.argv[3].split(",")
ACTIONS = Gdk.DragAction(0)
for word, action in (("copy", Gdk.DragAction.COPY), ("move", Gdk.DragAction.MOVE)):
    if word in WORDS:
        ACTIONS |= action
LARGE = "".join(f"{line:07d} Grüße, ñ € 漢 😀\n" for line in range(1 << 20 >> 5))
TEXT = LARGE if "large" in WORDS else "dragged ü"


def say(*words):
    print(*words, flush=True)


def digest(text):
    return f"{len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:16]}" if len(text) > 99 else text


def names(actions):
    known = (("copy", Gdk.DragAction.COPY), ("move", Gdk.DragAction.MOVE), ("link", Gdk.DragAction.LINK))
    return ",".join(name for name, action in known if actions & action) or "none"


class Program3:
    def __init__(self):
        self.window = Gtk.Window(title=TITLE, decorated=False, default_width=300, default_height=200)
        self.source, self.target = Gtk.EventBox(), Gtk.EventBox()
        box = Gtk.Box(homogeneous=True)
        for widget, text in ((self.source, "source"), (self.target, "target")):
            widget.add(Gtk.Label(label=text))
            box.pack_start(widget, True, True, 0)
        self.window.add(box)
        self.source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], ACTIONS)
        self.source.drag_source_add_text_targets()
        self.target.drag_dest_set(Gtk.DestDefaults.ALL, [], ACTIONS)
        self.target.drag_dest_add_text_targets()
        self.source.connect("drag-begin", lambda *_: say("drag begins"))
        self.source.connect("drag-data-get", self.give)
        self.source.connect("drag-data-delete", lambda *_: say("drag deletes"))
        self.source.connect("drag-failed", lambda *_: say("drag failed"))
        self.source.connect("drag-end", lambda *_: say("drag ends"))
        self.entered = False
        self.target.connect("drag-motion", self.moved)
        self.target.connect("drag-leave", self.left)
        self.target.connect("drag-data-received", self.received)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.show_all()
        self.places = {}
        self.window.add_tick_callback(self.tell_places)

    def tell_places(self, *_):
        for name, widget in (("source", self.source), ("target", self.target)):
            bounds = widget.get_allocation()
            place = f"{bounds.x} {bounds.y} {bounds.width} {bounds.height}"
            if bounds.width > 1 and self.places.get(name) != place:
                self.places[name] = place
                say("place", name, place)
        return True

    def give(self, _, context, data, info, time):
        data.set_text(TEXT, -1)

    def moved(self, widget, context, x, y, time):
        if not self.entered:
            self.entered = True
            say("drop enters", names(context.get_actions()))
        return False

    def left(self, *_):
        if self.entered:
            self.entered = False
            say("drop leaves")

    def received(self, widget, context, x, y, data, info, time):
        say("dropped", names(context.get_selected_action()), digest(data.get_text() or ""))

    def run(self):
        Gtk.main()


class Program4:
    def __init__(self):
        self.application = Gtk.Application(application_id=None)
        self.application.connect("activate", self.begin)

    def begin(self, application):
        self.window = Gtk.ApplicationWindow(
            application=application, title=TITLE, decorated=False, default_width=300, default_height=200)
        self.source, self.target = Gtk.Label(label="source"), Gtk.Label(label="target")
        box = Gtk.Box(homogeneous=True)
        for widget in (self.source, self.target):
            widget.set_hexpand(True)
            widget.set_vexpand(True)
            box.append(widget)
        self.window.set_child(box)
        source = Gtk.DragSource(actions=ACTIONS)
        source.set_content(Gdk.ContentProvider.new_for_value(GObject.Value(str, TEXT)))
        # Otherwise it would draw the text.
        source.set_icon(Gdk.Paintable.new_empty(16, 16), 0, 0)
        source.connect("drag-begin", lambda *_: say("drag begins"))
        source.connect("drag-cancel", lambda *_: say("drag failed"))
        source.connect("drag-end", self.ended)
        self.source.add_controller(source)
        target = Gtk.DropTarget.new(str, ACTIONS)
        target.connect("enter", self.entered)
        target.connect("leave", lambda *_: say("drop leaves"))
        target.connect("drop", self.dropped)
        self.target.add_controller(target)
        self.places = {}
        self.window.add_tick_callback(self.tell_places)
        self.window.present()

    def tell_places(self, *_):
        for name, widget in (("source", self.source), ("target", self.target)):
            found, bounds = widget.compute_bounds(self.window)
            place = f"{bounds.get_x():g} {bounds.get_y():g} {bounds.get_width():g} {bounds.get_height():g}"
            if found and bounds.get_width() > 1 and self.places.get(name) != place:
                self.places[name] = place
                say("place", name, place)
        return True

    def ended(self, source, drag, delete):
        if delete:
            say("drag deletes")
        say("drag ends")

    def entered(self, target, x, y):
        say("drop enters", names(target.get_current_drop().get_actions()))
        return Gdk.DragAction.COPY if ACTIONS & Gdk.DragAction.COPY else Gdk.DragAction.MOVE

    def dropped(self, target, text, x, y):
        say("dropped", names(target.get_current_drop().get_actions() & ACTIONS), digest(text))
        return True

    def run(self):
        self.application.run([])


(Program3 if VERSION == 3 else Program4)().run()
