"""Types into a program of Tests/Programs or a browser, and saves the picture once it stands still.

Usage, as a command of mullionctl run: steady_picture.py FILE.png steady|changing PROGRAM...

The picture stands still when it has been the same for longer than carets take to blink, while the clock goes on.
With "changing", it must not stand still, and nothing is saved.
"""

import json
import subprocess
import sys
import time

TEXT = "Hello"
# Toolkits blink twice in 1.0 to 1.2 seconds, and begin anew after each key.
STEADY, COUNT, LIMIT = 1.5, 20, 120
# Firefox loses keys, or the first of them, for a moment after a page has said that it has the focus.
PATIENCE = 20


def control(*words):
    return subprocess.run(("mullionctl", *words), check=True, stdout=subprocess.PIPE).stdout


def step():
    """Lets a frame pass. Firefox does not answer in time while it starts."""
    subprocess.run(("mullionctl", "clock", "step", "16ms"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Program:
    def __init__(self, words, log):
        self.log = log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(words, stdout=output, stderr=output)

    @property
    def lines(self):
        with open(self.log, encoding="utf-8", errors="replace") as output:
            return output.read().splitlines()

    @property
    def windows(self):
        return json.loads(control("windows", "--json"))["windows"]

    def says(self, line):
        """Programs print it, and pages have it as their title, to which Firefox adds its name."""
        return line in self.lines or any((window["title"] + " ").startswith(line + " ") for window in self.windows)

    def place(self, name):
        words = [line.split() for line in self.lines if line.startswith(f"place {name} ")]
        return [float(word) for word in words[-1][2:]] if words else None

    def type(self, text):
        """Replaces the text of the field, again while it has another one."""
        typed = None

        def has_arrived():
            nonlocal typed
            if self.says("text " + text):
                return True
            if typed is None or time.monotonic() > typed + PATIENCE:
                if typed:
                    control("key", "ctrl+a")
                control("type", text)
                typed = time.monotonic()
            return False

        self.wait("text", has_arrived)

    def wait(self, what, predicate):
        deadline = time.monotonic() + LIMIT
        while not predicate():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"no {what}; windows: {self.windows}; it said: {self.lines[-20:]}")
            step()


def picture():
    return control("screenshot", "BUILTIN-1", "-o", "-")


def main():
    file, mode = sys.argv[1:3]
    program = Program(sys.argv[3:], file + ".log")
    program.wait("key window", lambda: any(window["key"] for window in program.windows))
    program.wait("text field", lambda: program.place("area") or program.says("text"))
    entry = program.place("entry")
    if entry:
        frame = program.windows[0]["frame"]
        control("click", "BUILTIN-1", f"{frame['x'] + entry[0] + 40},{frame['y'] + entry[1] + entry[3] / 2}")
    program.type(TEXT)
    last, count, since, begin = picture(), 0, time.monotonic(), time.monotonic()
    while count < COUNT or time.monotonic() < since + STEADY:
        step()
        now = picture()
        count += 1
        if now != last:
            if mode == "changing" and time.monotonic() > begin + STEADY:
                return
            last, count, since = now, 0, time.monotonic()
        if time.monotonic() > begin + LIMIT:
            sys.exit("the picture does not stand still")
    if mode == "changing":
        sys.exit("the picture stands still")
    with open(file, "wb") as output:
        output.write(last)


main()
