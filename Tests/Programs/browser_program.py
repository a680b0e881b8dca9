#!/usr/bin/python3
"""A page in a browser under Selenium; it prints the events that it receives, one line each on standard output.

usage: browser_program.py chromium|firefox DRIVER HOME, with the driver's program and a folder for the browser's profile

It also prints the positions of its elements ("place NAME X Y WIDTH HEIGHT", in points) for tests: in Chromium in the window, in
Firefox in the surface, which has shadows around the window. F7 opens a file dialog.
"""

import sys
from urllib.parse import quote

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

PAGE = """<!doctype html><meta charset="utf-8"><title>Page</title>
<style>body { margin: 0; background: #336699 } body > * { display: block; margin: 0; width: 300px; height: 30px }</style>
<input id="entry" autofocus><button id="button">Button</button>
<select id="menu"><option>Menu<option>Item</select><input id="file" type="file" style="display: none">
<div id="area" style="height: 100px; background: white"></div>
<script>
const lines = [], places = {}
let receiver
function say(...words) {
    lines.push(words.join(" "))
    pass()
}
function pass() {
    if (receiver && lines.length) { const to = receiver; receiver = null; to(lines.splice(0)) }
}
function next(callback) { receiver = callback; pass() }
const $ = name => document.getElementById(name)
function tellPlaces() {
    // The page's corner: Firefox has a property for it, in Chromium all the rest is above the page.
    const left = window.mozInnerScreenX === undefined ? (outerWidth - innerWidth) / 2 : mozInnerScreenX - screenX
    const top = window.mozInnerScreenY === undefined ? outerHeight - innerHeight - left : mozInnerScreenY - screenY
    for (const name of ["entry", "button", "menu", "area"]) {
        const box = $(name).getBoundingClientRect()
        const place = [left + box.x, top + box.y, box.width, box.height].join(" ")
        if (places[name] !== place) { places[name] = place; say("place", name, place) }
    }
    requestAnimationFrame(tellPlaces)
}
$("entry").oninput = () => say("text", $("entry").value)
$("button").onclick = () => say("clicked button")
$("area").onmousedown = event => say("clicked", event.button + 1, event.offsetX, event.offsetY)
$("menu").onchange = () => { say("clicked", $("menu").value.toLowerCase()); $("menu").selectedIndex = 0 }
$("file").oncancel = () => say("dialog closed")
onkeydown = event => {
    if (event.key === "F7") { event.preventDefault(); $("file").click() }
}
tellPlaces()
</script>
"""


def chromium(driver, home):
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in (
        "app=data:,", "disable-gpu", "no-first-run", "no-sandbox", "ozone-platform=wayland",
        f"user-data-dir={home}/chromium", "window-size=700,500",
    ):
        options.add_argument("--" + argument)
    return webdriver.Chrome(options=options, service=Service(driver))


def firefox(driver, home):
    from selenium.webdriver.firefox.options import Options
    from selenium.webdriver.firefox.service import Service

    options = Options()
    options.binary_location = "/usr/bin/firefox-esr"
    for argument in ("--width=700", "--height=500"):
        options.add_argument(argument)
    return webdriver.Firefox(options=options, service=Service(driver, log_path=f"{home}/geckodriver.log"))


browser = {"chromium": chromium, "firefox": firefox}[sys.argv[1]](*sys.argv[2:])
browser.set_script_timeout(3600)
browser.get("data:text/html;charset=utf-8," + quote(PAGE))
print("version", browser.capabilities["browserVersion"], flush=True)
while True:
    try:
        lines = browser.execute_async_script("next(arguments[0])")
    except WebDriverException:
        lines = None
    if lines is None:
        # The window was closed, and with it the browser.
        print("close", flush=True)
        break
    for line in lines:
        print(line, flush=True)
browser.quit()
