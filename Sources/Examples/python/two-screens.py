# Two windows on two screens, in Python: an alert at level 2000 that is key, on the main screen, and a sign that fills a
# second screen, whenever there is one. Prints their events. To run it in a copy of this folder:
#
#     xml=$(pkg-config --variable=pkgdatadir mullion-protocols)/mullion-v1.xml
#     python3 -m pip install --target . pywayland
#     python3 -m pywayland.scanner -i /usr/share/wayland/wayland.xml $xml -o protocol
#     python3 two-screens.py
#
# The windows have a background colour and nothing else, which the server draws at any size without a buffer. Contents
# are attached to the surfaces as in any Wayland program.

import sys
from functools import partial

from protocol.mullion_v1 import MullionApplicationV1, MullionEventsV1, MullionWindowV1
from protocol.wayland import WlCompositor
from pywayland.client import Display


class Screen:
    def __init__(self, proxy):
        self.proxy = proxy
        self.name = ""
        self.size = (0, 0)
        self.is_described = False


class Window:
    """A window whose events are printed, and passed to a function."""

    def __init__(self, program, title, argb, on_event, screen=None):
        self.title = title
        self.on_event = on_event
        self.surface = program.compositor.create_surface()
        self.proxy = program.application.create_window(self.surface, screen)
        self.proxy.user_data = self
        for event in MullionWindowV1.events:
            self.proxy.dispatcher[event.name] = partial(self.received, event.name)
        self.proxy.set_title(title)
        self.proxy.set_background_color(argb)

    def received(self, name, _, *arguments):
        if name == "screen_did_change":
            arguments = [arguments[0].user_data if arguments[0] else None]
            print(self.title, name, arguments[0].name if arguments[0] else "none")
        else:
            print(self.title, name, *arguments)
        self.on_event(name, *arguments)


class Program:
    def __init__(self, display):
        self.display = display
        self.compositor = self.application = None
        self.screens = []
        self.main_screen = self.sign = self.sign_screen = None
        self.is_closed = False

    def run(self):
        registry = self.display.get_registry()
        registry.dispatcher["global"] = self.global_came
        self.display.roundtrip()
        if not self.compositor or not self.application:
            sys.exit("two-screens: this server is not mulliond: it lacks mullion_application_v1")

        self.application.set_name("two-screens")
        self.events = self.application.get_events()
        self.events.dispatcher["touch"] = self.touched
        self.events.dispatcher["press"] = self.pressed
        self.show_alert()
        # When all events that have arrived are handled, the screens are known.
        while not self.is_closed:
            self.display.dispatch(block=True)
            self.show_sign()

    def global_came(self, registry, name, interface, version):
        if interface == WlCompositor.name:
            self.compositor = registry.bind(name, WlCompositor, 1)
        elif interface == MullionApplicationV1.name and version >= 2:
            self.application = registry.bind(name, MullionApplicationV1, 2)
            self.application.dispatcher["screen"] = self.screen_came
            self.application.dispatcher["main_screen"] = self.main_screen_came
            # So that `mullionctl settle` knows when we have handled what came before.
            self.application.dispatcher["ping"] = lambda application, serial: application.pong(serial)

    # Windows

    def show_alert(self):
        """Takes effect with the commit, all at once."""
        alert = self.alert = Window(self, "alert", 0xFFFFF0C0, self.alert_event)
        alert.proxy.set_level(2000)
        alert.proxy.set_frame(40, 40, 320, 160)
        alert.proxy.make_key_and_visible()
        alert.surface.commit()
        types = MullionEventsV1.event_types
        self.events.set_types(alert.proxy, types.touches | types.presses)

    def show_sign(self):
        """Shows the sign on a second screen, if there is one and the sign has none.

        A window keeps its frame when it is moved, and fills its screen for as long as it filled it before. When a
        screen is unplugged and plugged in again, the server returns its windows.
        """
        others = [screen for screen in self.screens if screen.is_described and screen is not self.main_screen]
        if self.sign_screen or not self.main_screen or not others:
            return
        screen = self.sign_screen = others[0]
        if not self.sign:
            self.sign = Window(self, "sign", 0xFF0B3D91, self.sign_event, screen.proxy)
        self.sign.proxy.set_screen(screen.proxy)
        self.sign.proxy.set_frame(0, 0, *screen.size)
        self.sign.proxy.set_hidden(0)
        self.sign.surface.commit()

    def alert_event(self, name, *_):
        self.is_closed = self.is_closed or name == "close"

    def sign_event(self, name, *arguments):
        self.is_closed = self.is_closed or name == "close"
        if name == "screen_did_change":
            self.sign_screen = arguments[0]

    # Input

    def touched(self, _, window, surface, touch, phase, tool, buttons, x, y, *position_on_screen):
        print(f"{window.user_data.title} touch {touch} {MullionEventsV1.phase(phase).name} at {x:g},{y:g}")

    def pressed(self, _, window, key, phase):
        print(f"{window.user_data.title} press key {key} {MullionEventsV1.phase(phase).name}")

    # Screens

    def screen_came(self, _, proxy, announced):
        screen = proxy.user_data = Screen(proxy)
        self.screens.append(screen)

        def bounds(_, x, y, width, height):
            screen.size = (width, height)

        def name(_, name):
            screen.name = name

        def done(_):
            if not screen.is_described:
                print("screen", screen.name)
            screen.is_described = True

        def did_disconnect(_):
            print("screen", screen.name, "did_disconnect")
            self.screens.remove(screen)
            if self.sign_screen is screen:
                self.sign_screen = None
            if self.main_screen is screen:
                self.main_screen = None
            proxy.destroy()

        for handler in (bounds, name, done, did_disconnect):
            proxy.dispatcher[handler.__name__] = handler

    def main_screen_came(self, _, proxy):
        self.main_screen = proxy.user_data if proxy else None


def main():
    sys.stdout.reconfigure(line_buffering=True)
    display = Display()
    try:
        display.connect()
    except ValueError as error:
        sys.exit(f"two-screens: {error}; start mulliond or set WAYLAND_DISPLAY to its socket")
    try:
        Program(display).run()
    except RuntimeError as error:
        sys.exit(f"two-screens: the connection ended: {error}")
    except KeyboardInterrupt:
        pass
    finally:
        display.disconnect()


main()
