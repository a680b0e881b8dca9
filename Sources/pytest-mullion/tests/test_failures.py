"""Planted failures: the report of each says what was wrong, without the source of the test."""

import base64
import json
import os
from pathlib import Path

import pytest
from conftest import await_end

from pytest_mullion import faults
from pytest_mullion.errors import ProblemError


def failure(run_tests, body, *lines):
    """Runs a test whose last line must fail, and looks for the lines in its report, in their order."""
    *others, last = body.strip("\n").split("\n")
    body = "\n".join([*others, "    mullion.timeout = 0", last])
    result = run_tests(f"def test_it(mullion, display, claim):\n{body}\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(list(lines))
    return result


def test_a_crash_while_waiting(run_tests):
    result = failure(
        run_tests,
        """
    app = mullion.launch(["sh", "-c", "echo about to fall; kill -SEGV $$"])
    expect(app.window("Main"), timeout=60).to_be_visible()
""",
        '*AssertionError: expect(window "Main" of sh *).to_be_visible(): there is no window*, which has ended',
        "*windows: none", "*crashed: SIGSEGV, * s after its start; its output ends with", "*| about to fall",
        "*kept in *mullion-artifacts/*: report.html 1-sh.txt BUILTIN-1.png *events.jsonl message.txt *")
    # The rest of the minute is not waited for.
    assert "after 60 s" not in result.stdout.str()


def test_a_crash_in_the_last_moment_that_no_test_waited_for(run_tests):
    failure(
        run_tests,
        """
    app = claim("title=Main")
    expect(app.window()).to_be_visible()
    os.kill(app.pid, signal.SIGABRT)
""",
        "a program has crashed, for whose end the test did not wait", "mullionctl claim*crashed: SIGABRT*")


# An object that does not exist, to a server that it asks before its end whether that has read it.
BREAK_PROTOCOL = """
import os, socket, struct
server = socket.socket(socket.AF_UNIX)
server.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
server.sendall(struct.pack("=IHH", 77, 3, 8))
while server.recv(65536): pass
"""


def test_a_protocol_error(run_tests, pytester):
    pytester.path.joinpath("wrong.py").write_text(BREAK_PROTOCOL)
    source = """
def test_it(mullion):
    app = mullion.launch(["/usr/bin/python3", "wrong.py"])
    assert app.wait() == 0
"""
    run_tests(source).assert_outcomes(passed=1)
    result = run_tests(source, "--mullion-strict")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["* (pid *) broke the protocol: *request 3 on object 77, which does not exist", "*kept in *"])


def test_a_process_that_is_left_behind(run_tests, monkeypatch):
    source = """
@pytest.mark.mullion(strict={})
def test_it(mullion):
    claim = f"'{{mullion.server.program}}' claim title=Forgotten"
    command = claim + " & setsid sleep 1000 & cat end &"
    assert mullion.launch(["sh", "-c", command]).wait() == 0
    expect(mullion.window("Forgotten")).to_be_visible()
"""
    marked = faults._marked

    def end_one(*arguments):
        pids = marked(*arguments)
        # cat reads until its writers have gone.
        with open("end", "w"):
            cat, = [pid for pid in pids if Path(f"/proc/{pid}/comm").read_text() == "cat\n"]
        await_end(cat)
        return pids

    os.mkfifo("end")
    monkeypatch.setattr(faults, "_marked", end_one)
    run_tests(source.format(False)).assert_outcomes(passed=1)
    result = run_tests(source.format(True))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines_random([
        '*process * (mullionctl) was left behind, with window 1 "Forgotten"*', "*process * (sleep) was left behind",
        "*sh -c*exited with 0, * after its start*"])
    assert result.stdout.str().count("was left behind") == 2


def test_a_program_that_runs_on_is_not_left_behind(run_tests):
    run_tests("""
def test_it(mullion):
    mullion.launch(["sh", "-c", "sleep 1000 & wait"])
""", "--mullion-strict").assert_outcomes(passed=1)


def test_a_wrong_exit_status(run_tests):
    failure(
        run_tests,
        """
    app = mullion.launch(["sh", "-c", "echo no such file; exit 4"])
    app.wait()
    expect(app).to_exit()
""",
        "*expect(program sh *).to_exit(0): it exited with 4", "*exited with 4,*", "*| no such file")


def test_a_wrong_pixel(run_tests, pytester):
    body = """
    expect(claim("title=Red", "frame=7,9,50,50", "color={}").window()).to_be_visible()
    expect(display.main).to_match("red.png")
"""
    saved = run_tests("def test_it(mullion, display, claim):" + body.format("#ffff0000"), "--update-goldens")
    saved.assert_outcomes(passed=1)
    failure(
        run_tests, body.format("#ffff0010"),
        '*expect(screen BUILTIN-1).to_match("red.png"): 2500 of 1024000 pixels differ, by up to 16 of 255, within '
        "7,9 50×50; the first at 7,9: expected #ff0000, seen #ff0010, after 0 s",
        "*windows:", "*Red*", "*golden: *red.png", "*seen: *red-seen.png", "*differences: *red-differences.png",
        "*side by side: *red-side-by-side.png")
    kept = next(pytester.path.glob("mullion-artifacts/*"))
    assert {"red-seen.png", "red-differences.png", "red-side-by-side.png", "tree.txt"} <= {path.name for path in kept.iterdir()}
    note, = json.loads((kept / "trace.json").read_text())["notes"]
    assert base64.b64decode(note["picture"]).startswith(b"\x89PNG") and note["screen"] == "BUILTIN-1"
    assert note["box"] == {"x": 7, "y": 9, "width": 50, "height": 50}


def test_a_golden_that_does_not_exist(run_tests):
    failure(
        run_tests, '    expect(display.main).to_match("new.png")\n',
        "*new.png does not exist; create it with --update-goldens. The picture of screen BUILTIN-1 is *new-seen.png")


def test_a_picture_of_another_size(run_tests):
    test = "    expect(display.main).to_match('size.png')\n"
    run_tests("def test_it(mullion, display):\n" + test, "--update-goldens").assert_outcomes(passed=1)
    failure(
        run_tests, "    display.main.scale(2)\n    display.plug('640x480', name='Z')\n"
        "    expect(display.screen('Z')).to_match('size.png')\n",
        "*to_match(*): the sizes differ: 640×480 pixels seen, 1280×800 expected, after 0 s")


def test_a_covered_window(run_tests):
    failure(
        run_tests,
        """
    under = claim("title=Under", "frame=0,0,200,100").window("Under")
    expect(under).to_be_visible()
    expect(claim("title=Splash", "frame=0,0,200,100", "level=alert").window()).to_be_visible()
    under.click(10, 10)
""",
        '*ActionError: 10,10 in window "Under" of * is covered by window 2 "Splash"')


def test_a_missing_window(run_tests):
    failure(
        run_tests,
        """
    expect(claim("title=Preferences").window("Preferences")).to_be_visible()
    expect(claim("title=About").window("About")).to_be_visible()
    expect(mullion.window("Preference")).to_be_visible()
""",
        '*expect(window "Preference").to_be_visible(): there is no window "Preference", after 0 s; '
        'the nearest: window "Preferences", window "About"',
        "*windows:", '*window 1 "Preferences" of mullionctl claim, on BUILTIN-1 at 0,0 1280×800, visible',
        '*window 2 "About"*')


def test_titles_do_not_reach_the_terminal_as_they_are(run_tests):
    result = failure(
        run_tests,
        """
    window = claim("title=\\x1b[31mRed\\u202e\\n").window()
    expect(window).to_be_visible()
    expect(window).to_have_title("Green")
""",
        r'*to_have_title("Green"): its title is "\u001b[[]31mRed\u202e\u000a", after 0 s',
        r'*window 1 "\u001b[[]31mRed\u202e\u000a" of mullionctl claim*')
    assert "\x1b[31mRed" not in result.stdout.str()


def test_a_clock_that_stands_still(run_tests):
    result = run_tests("""
@pytest.mark.mullion(clock="manual", timeout=0)
def test_it(mullion):
    expect(mullion.window("Main")).to_be_visible()
""")
    result.stdout.fnmatch_lines(["*windows: none", "*clock: manual, at * s; programs wait for it to be stepped"])


def test_a_wrong_title(run_tests):
    failure(
        run_tests,
        """
    window = claim("title=Untitled").window()
    expect(window).to_be_visible()
    expect(window).to_have_title("Letter")
""",
        '*expect(window of mullionctl claim *).to_have_title("Letter"): its title is "Untitled", after 0 s')


def test_a_program_that_hangs(run_tests, pytester):
    failure(
        run_tests,
        """
    app = claim("title=Stuck")
    expect(app.window()).to_be_visible()
    app.send_signal(signal.SIGSTOP)
    app.window().close()
    expect(app).to_exit()
""",
        "*expect(program *).to_exit(0): it is still running, after 0 s",
        "*not settled in time: * does not read its events")
    trace, = pytester.path.glob("mullion-artifacts/*/trace.json")
    headline = json.loads(trace.read_text())["headline"]
    assert "it is still running, after 0 s; " in headline and headline.endswith(") does not read its events")


def test_only_programs_that_hang_are_named():
    kinds = {"notReading": "a", "frame": "b", "notAnswering": "c", "server": "d"}
    body = {"code": "unsettled", "unfinished": [{"kind": kind, "detail": text} for kind, text in kinds.items()]}
    assert ProblemError("POST /v1/settle", 503, "not settled", body=body).hanging == ["a", "c"]


def test_an_unplugged_screen(run_tests):
    failure(
        run_tests,
        """
    tv = display.plug("tv-1080p", name="TV")
    window = claim("title=Sign", "screen=TV").window("Sign")
    expect(window).to_be_on(tv)
    tv.unplug()
    expect(window).to_be_on(tv)
""",
        '*expect(window "Sign" of *).to_be_on("TV"): its screen was unplugged, after 0 s',
        '*window 1 "Sign" of mullionctl claim, on no screen, not visible', "*screens: BUILTIN-1")


def test_a_click_on_an_unplugged_screen(run_tests):
    failure(
        run_tests,
        """
    tv = display.plug("tv-1080p", name="TV")
    window = claim("title=Sign", "screen=TV").window("Sign")
    expect(window).to_be_visible()
    tv.unplug()
    window.click()
""",
        '*ActionError: window "Sign" of * is on no screen: the one that it was on was unplugged')


def test_a_picture_of_an_unplugged_screen(run_tests, pytester):
    pytester.path.joinpath("x.png").write_bytes(b"")
    failure(
        run_tests, "    tv = display.plug('tv-1080p', name='TV')\n    tv.unplug()\n    expect(tv).to_match('x.png')\n",
        '*expect(screen TV).to_match("x.png"): there is no screen "TV"; connected: BUILTIN-1, after 0 s')


def test_a_wrong_key_window(run_tests):
    failure(
        run_tests,
        """
    main = claim("title=Main", "key").window()
    expect(main).to_be_key()
    expect(claim("title=Alert", "level=alert", "key").window()).to_be_key()
    expect(main).to_be_key()
""",
        '*to_be_key(): window 2 "Alert" is key, after 0 s')


def test_a_server_that_ends(run_tests):
    failure(
        run_tests,
        """
    os.kill(mullion.control.json("GET", "/status")["pid"], signal.SIGKILL)
    expect(mullion.window("Main")).to_be_visible()
""",
        "*mulliond does not answer GET /v1/windows: *", "*mullionctl: the server ended before the command*")


@pytest.mark.parametrize("options, reason", [
    ('screens=["nonsense"]', "mulliond: *nonsense*is not a display model*"),
    ('screen="1280x800"', "*screen is not an option of mullion; use screens, clock, *"),
    ('screens="1280x800"', '*screens is a list, such as [[]"1280x800"]'),
    ('variants="gtk-4"', '*variants is a list, such as [[]"gtk-4"]'),
    ('"1280x800"', "*the marker takes keywords only, such as mullion(screens=*"),
    ('clock="fast"', "mullionctl: run: fast is not a clock; use real or manual*"),
])
def test_mistakes_of_the_marker(run_tests, options, reason):
    result = run_tests(f"@pytest.mark.mullion({options})\ndef test_it(mullion): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([reason])


def test_without_mullion(run_tests, monkeypatch):
    monkeypatch.setenv("MULLIONCTL", "/nowhere/mullionctl")
    run_tests("def test_it(mullion): pass\n").stdout.fnmatch_lines(["*/nowhere/mullionctl cannot be started: *"])
    monkeypatch.delenv("MULLIONCTL")
    monkeypatch.setenv("PATH", "/nowhere")
    run_tests("def test_it(mullion): pass\n").stdout.fnmatch_lines(
        ["*mullionctl is not in PATH; install Mullion or set MULLIONCTL to the program's path"])


def test_a_wheel_has_its_own_program(run_tests, monkeypatch, tmp_path):
    program = tmp_path / "bin" / "mullionctl"
    record = tmp_path / "packages" / "pytest_mullion-1.dist-info" / "RECORD"
    script = "#!/bin/sh\necho I came with the wheel >&2\nexit 1\n"
    for path, text in [(program, script), (record, "../bin/mullionctl,,\n")]:
        path.parent.mkdir(parents=True)
        path.write_text(text)
    program.chmod(0o755)
    record.with_name("METADATA").write_text("Metadata-Version: 2.1\nName: pytest-mullion\nVersion: 1\n")
    monkeypatch.delenv("MULLIONCTL", raising=False)
    monkeypatch.syspath_prepend(record.parents[1])
    run_tests("def test_it(mullion): pass\n").stdout.fnmatch_lines(["*I came with the wheel*"])
