#!/usr/bin/python3
"""An SDL 2 program that prints the events it receives, one line each on standard output.

It also prints the position of what it draws ("place NAME X Y WIDTH HEIGHT", in points of the window) for tests: a button, which
is green, and the rest of the window, which is blue.
"""

import sys

import sdl2
import sdl2.ext

TITLE = "SDL"
BUTTON = (40, 30, 120, 60)


def say(*words):
    print(*words, flush=True)


def draw(window):
    surface = sdl2.SDL_GetWindowSurface(window)
    if not surface:
        sys.exit(f"no surface: {sdl2.SDL_GetError().decode()}")
    colors = [sdl2.SDL_MapRGB(surface.contents.format, *color) for color in ((0, 0, 255), (0, 160, 0))]
    sdl2.SDL_FillRect(surface, None, colors[0])
    # The surface has the window's size in points.
    sdl2.SDL_FillRect(surface, sdl2.SDL_Rect(*BUTTON), colors[1])
    sdl2.SDL_UpdateWindowSurface(window)


def main():
    sdl2.SDL_SetHint(b"SDL_NO_SIGNAL_HANDLERS", b"1")
    if sdl2.SDL_Init(sdl2.SDL_INIT_VIDEO) != 0:
        sys.exit(f"SDL_Init: {sdl2.SDL_GetError().decode()}")
    window = sdl2.SDL_CreateWindow(
        TITLE.encode(), 0, 0, 360, 300, sdl2.SDL_WINDOW_SHOWN | sdl2.SDL_WINDOW_RESIZABLE)
    version = sdl2.SDL_version()
    sdl2.SDL_GetVersion(version)
    say("version", f"{version.major}.{version.minor}.{version.patch}", sdl2.SDL_GetCurrentVideoDriver().decode())
    say("place button", *BUTTON)
    say("place area 0 100 360 200")
    sdl2.SDL_StartTextInput()
    text = ""
    event = sdl2.SDL_Event()
    while True:
        # A new scale causes no event, but SDL answers it with the next picture.
        draw(window)
        if not sdl2.SDL_WaitEventTimeout(event, 100):
            continue
        if event.type == sdl2.SDL_QUIT:
            say("close")
            break
        if event.type == sdl2.SDL_MOUSEBUTTONDOWN:
            x, y = event.button.x, event.button.y
            left, top, width, height = BUTTON
            isButton = left <= x < left + width and top <= y < top + height
            say("clicked button" if isButton else f"clicked {event.button.button} {x} {y - 100}")
        elif event.type == sdl2.SDL_TEXTINPUT:
            text += event.text.text.decode()
            say("text", text)
    sdl2.SDL_DestroyWindow(window)
    sdl2.SDL_Quit()


main()
