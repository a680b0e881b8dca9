"""The plugin: options of servers, kept files, running in parallel, and that nothing remains."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from conftest import CTL, await_end

from pytest_mullion import Mullion, ServerError, notes


def test_options_from_the_outside_in(run_tests, pytester):
    pytester.makeini("[pytest]\nmullion_screens =\n    640x480\n    tv-720p,name=TV\nmullion_timeout = 3\n")
    run_tests("""
def names(display): return [screen.name for screen in display.screens]

def test_ini(mullion, display):
    assert names(display) == ["BUILTIN-1", "TV"] and mullion.timeout == 3

class TestModule:
    @pytest.fixture
    def mullion_options(self):
        return {"screens": ["tv-1080p,name=A"], "timeout": 4}

    def test_fixture(self, mullion, display):
        assert names(display) == ["A"] and mullion.timeout == 4

    @pytest.mark.mullion(screens=["tv-1080p,name=B"], clock="manual")
    def test_marker(self, mullion, display):
        assert names(display) == ["B"] and mullion.timeout == 4 and mullion.clock.is_manual

@pytest.mark.mullion(timeout=5)
@pytest.mark.parametrize("mullion", [["tv-1080p,name=C"], {"screens": [], "timeout": 6}], indirect=True)
def test_parameter(mullion, display):
    assert (names(display), mullion.timeout) in [(["C"], 5), ([], 6)]
""").assert_outcomes(passed=5)


def test_the_marker_and_the_options_are_documented(pytester):
    result = pytester.runpytest_inprocess("-p", "pytest_mullion.plugin", "--markers", "--strict-markers")
    result.stdout.fnmatch_lines(["@pytest.mark.mullion(screens=*"])
    pytester.runpytest_inprocess("-p", "pytest_mullion.plugin", "--help").stdout.fnmatch_lines(
        ["*--update-goldens*", "*--mullion-variant=NAME*", "*--mullion-artifacts=DIR*", "*mullion_screens*",
         "*mullion_timeout*", "*mullion_variants*"])


def test_what_is_kept(run_tests, pytester):
    source = """
def test_it(mullion, claim):
    expect(claim("title=Kept").window()).to_be_visible()
    mullion.launch(["sh", "-c", "echo said; exec sleep 100"])
    assert {}
"""
    run_tests(source.format("False"), "--mullion-artifacts=kept").assert_outcomes(failed=1)
    folder = pytester.path / "kept" / "test_what_is_kept.py-test_it"
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(files) >= {
        "1-mullionctl.txt", "2-sh.txt", "BUILTIN-1.png", "events.jsonl", "message.txt", "mulliond.log", "report.html",
        "tree.txt"}
    assert files["message.txt"].startswith(b"assert False\n") and b"| said" in files["message.txt"]
    trace = json.loads(files["trace.json"])
    assert trace["headline"] == "assert False" and trace["command"][-1] == "test_what_is_kept.py::test_it"
    assert trace["findings"][0]["kind"] == "expectation" and "\nsaid\n" in trace["logs"][0]["text"]
    assert files["BUILTIN-1.png"].startswith(b"\x89PNG") and b"Kept" in files["tree.txt"]
    assert b"didBecomeVisible" in files["events.jsonl"] and b"sh -c" in files["2-sh.txt"]
    # What an earlier run has left would only confuse.
    run_tests(source.format("True"), "--mullion-artifacts=kept").assert_outcomes(passed=1)
    assert not folder.exists()


@pytest.mark.parametrize("arrange", [
    "claim('title=Main')",
    "describe_widgets(monkeypatch)",
    "display.main.unplug()",
    "os.kill(mullion.control.json('GET', '/status')['pid'], signal.SIGKILL); mullion.server.why()",
], ids=["window", "widgets", "no screen", "no server"])
def test_the_message_names_what_is_kept(run_tests, pytester, arrange):
    result = run_tests(f"""
from pytest_mullion import artifacts

def describe_widgets(monkeypatch):
    widgets = [{{"role": "window", "name": "Main", "children": []}}]
    monkeypatch.setattr(artifacts, "trees", lambda mullion: widgets)

def test_it(mullion, display, claim, monkeypatch):
    {arrange}
    assert False
""")
    folder, = pytester.path.glob("mullion-artifacts/*")
    result.stdout.fnmatch_lines([f"kept in {folder}: report.html *"])
    line, = [line for line in result.outlines if line.startswith("kept in ")]
    assert sorted(line.split(": ")[1].split()) == sorted(path.name for path in folder.iterdir())
    assert folder.joinpath("widgets-1.txt").exists() == ("widgets" in arrange)


def test_names_of_folders_and_files(run_tests, pytester):
    names = ["x/y", "x-y", "x" * 300, "../..", "ä b"]
    run_tests(f"""
@pytest.mark.parametrize("name", {names!r})
def test_it(display, name):
    display.plug("640x480", name=name[:60] + ".")
    assert False
""").assert_outcomes(failed=5)
    folders = list((pytester.path / "mullion-artifacts").iterdir())
    assert len(folders) == 5 and "test_names_of_folders_and_files.py-test_it-x-y" in [path.name for path in folders]
    for folder in folders:
        assert len([path for path in folder.glob("*.png") if path.name != "screenshot.png"]) == 2


def test_what_is_kept_without_pytest(tmp_path):
    folder = tmp_path / "kept"
    with pytest.raises(AssertionError), Mullion(screens=["640x480"], artifacts=folder, test="mine"):
        raise AssertionError("nothing works")
    assert json.loads((folder / "trace.json").read_text())["headline"] == "nothing works"
    with Mullion(screens=["640x480"], artifacts=tmp_path / "passed"):
        pass
    assert not (tmp_path / "passed").exists()


def test_a_folder_that_cannot_be_written(run_tests, pytester):
    result = run_tests("""
import shutil
from pathlib import Path

def test_it(mullion):
    shutil.rmtree("kept", ignore_errors=True)
    Path("kept").write_text("")
    assert False
""", "--mullion-artifacts=kept")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert False", "nothing was kept: *Not a directory: *"])
    assert pytester.path.joinpath("kept").is_file()
    result = run_tests("def test_it(mullion): pass", "--mullion-artifacts=kept")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["mullionctl: *kept/*: Not a directory"])


def test_failures_are_noted_by_the_run_of_pytest(pytester):
    pytester.makepyfile("""
from pytest_mullion import expect

def test_it(mullion):
    expect(mullion.window("Main"), timeout=0).to_be_visible()
""")
    words = [CTL, "run", "--artifacts", "outer", "--", sys.executable, "-m", "pytest", "-p", "pytest_mullion.plugin"]
    assert pytester.run(*words).ret == 1
    headline = json.loads((pytester.path / "outer" / "trace.json").read_text())["headline"]
    start = "test_failures_are_noted_by_the_run_of_pytest.py::test_it: "
    assert headline == start + 'expect(window "Main").to_be_visible(): there is no window "Main", after 0 s'
    inner, = (pytester.path / "mullion-artifacts").iterdir()
    assert json.loads((inner / "trace.json").read_text())["headline"] == headline[len(start):]


def test_a_failure_before_the_test_passes_is_not_noted(pytester):
    pytester.makepyfile("""
import os, pytest

@pytest.mark.parametrize("number", range(2))
def test_it(mullion, number):
    assert os.path.exists("second") and not (number and os.path.exists("third"))
""")
    pytest_again = f"'{sys.executable}' -m pytest -p pytest_mullion.plugin"
    command = f"{pytest_again}; touch second; {pytest_again} && touch third; {pytest_again}"
    assert pytester.run(CTL, "run", "--artifacts", "outer", "--", "sh", "-c", command).ret == 1
    trace = json.loads((pytester.path / "outer" / "trace.json").read_text())
    name = "test_a_failure_before_the_test_passes_is_not_noted.py::test_it[1]"
    assert [note["command"] for note in trace["notes"]] == [["pytest", name]]
    assert "::test_it[1]: assert (" in trace["headline"]


@pytest.mark.parametrize("folder", ["missing", "file"])
def test_notes_that_cannot_be_written(tmp_path, folder):
    (tmp_path / "file").write_text("")
    environment = {notes.VARIABLE: str(tmp_path / folder)}
    notes.save(environment, "test_it", "it failed", {})
    notes.remove(environment, "test_it")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_notes_have_the_processes_of_all_tries(tmp_path):
    environment = {notes.VARIABLE: str(tmp_path)}
    notes.save(environment, "test_it", "it failed", {"screen": "TV"})
    file, = tmp_path.iterdir()
    note = json.loads(file.read_text())
    assert (note["text"], note["screen"], note["pids"]) == ("it failed", "TV", [os.getpid()])
    file.write_text(json.dumps({**note, "pids": [1]}))
    notes.save(environment, "test_it", "it failed again", {})
    note = json.loads(file.read_text())
    assert (note["text"], note["pids"]) == ("it failed again", [1, os.getpid()])
    notes.remove(environment, "test_it")
    assert json.loads(file.read_text())["pids"] == [1] and "text" not in json.loads(file.read_text())
    file.write_text("{")
    notes.save(environment, "test_it", "it failed", {})
    notes.remove(environment, "test_it")
    assert not file.exists()


def test_in_parallel(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile("""
import pytest
from pytest_mullion import expect

@pytest.mark.parametrize("number", range(8))
def test_it(mullion, display, number):
    assert len(display.screens) == 1
    display.plug("tv-1080p", name=f"TV{number}")
    assert [screen.name for screen in display.screens][1:] == [f"TV{number}"]
""")
    pytester.runpytest_subprocess("-p", "pytest_mullion.plugin", "-n", "4").assert_outcomes(passed=8)


def test_variants_of_goldens(run_tests, pytester):
    source = "def test_it(display):\n    expect(display.main).to_match('it.png')\n"
    pytester.makeini("[pytest]\nmullion_variants =\n    one\n    two\n")
    run_tests(source, "--update-goldens").assert_outcomes(passed=1)
    run_tests(source, "--update-goldens", "--mullion-variant", "three").assert_outcomes(passed=1)
    assert sorted(path.name for path in pytester.path.glob("*.png")) == ["it.one.png", "it.three.png"]
    run_tests(source).assert_outcomes(passed=1)
    run_tests(source, "--mullion-variant", "four", "--mullion-variant", "one").assert_outcomes(passed=1)
    result = run_tests(source, "--mullion-variant", "four")
    result.stdout.fnmatch_lines(["*it.png does not exist, and neither does it.four.png; create it with *"])


@pytest.mark.parametrize("workers", ["0", "4"])
def test_a_golden_is_one_picture_in_all_processes(pytester, tmp_path, monkeypatch, workers):
    pytest.importorskip("xdist")
    pytester.makepyfile("""
import pytest
from pytest_mullion import expect

@pytest.mark.parametrize("number", range(4))
def test_it(display, number):
    expect(display.main).to_match("same.png")
    expect(display.plug(f"{100 + number}x80")).to_match("other.png")
""")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    words = ["-p", "pytest_mullion.plugin", "-n", workers]
    result = pytester.runpytest_subprocess(*words, "--update-goldens")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        ["*other.png was saved before in this run, with another picture; give each picture a name of its own"])
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("pytest-mullion-")]
    result.stdout.no_fnmatch_line("*same.png was saved before*")


def test_without_pytest(pytester):
    script = pytester.makepyfile("""
from pytest_mullion import Mullion, expect
with Mullion(screens=["640x480"]) as mullion:
    app = mullion.launch(["sh", "-c", "echo hello"])
    expect(app).to_exit(0)
    print(app.output, mullion.display.main.bounds)
""")
    assert pytester.run(sys.executable, script).outlines == ["hello", " 0,0 640×480"]


def test_no_descriptor_remains_of_a_server(tmp_path):
    def descriptors():
        return sorted(os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())

    before = descriptors()
    with Mullion(screens=["640x480"]) as mullion:
        mullion.launch("true").wait()
    assert descriptors() == before
    with pytest.raises(ServerError, match="is not a display model"):
        Mullion(screens=["nonsense"])
    for program in ["/nowhere/mullionctl", ""]:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(ServerError, match="mullionctl"):
            patch.setenv("PATH", str(tmp_path))
            patch.delenv("MULLIONCTL", raising=False)
            Mullion(program=program)
    assert descriptors() == before
    # What it has written stays known.
    assert mullion.server.messages == ""


TREE = """
from pytest_mullion import expect

def test_it(mullion):
    app = mullion.launch(["sh", "-c", "trap '' TERM; setsid sleep 1000 & sleep 1000 & echo up; wait; sleep 1000"])
    expect(app).to_have_output("up")
    with open("begun", "w") as begun:
        begun.write("x")
    app.wait(timeout=60)
"""


@pytest.fixture
def short_folder():
    """A folder whose path leaves room for those of sockets."""
    with tempfile.TemporaryDirectory(prefix="pytest-mullion-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_remains_when_pytest_is_ended(pytester, short_folder, monkeypatch, how):
    pytester.makepyfile(TREE)
    folder = short_folder
    mark = f"MULLION_TEST_MARK={folder}"
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("MULLION_TEST_MARK", str(folder))
    os.mkfifo("begun")
    begun = os.open("begun", os.O_RDONLY | os.O_NONBLOCK)
    process = pytester.popen(
        [sys.executable, "-m", "pytest", "-p", "pytest_mullion.plugin", "-p", "no:cacheprovider"], stdin=subprocess.PIPE,
        # Shells start programs in the background without it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    end = os.pidfd_open(process.pid)
    ready = select.select([begun, end], [], [])[0]
    os.close(begun)
    os.close(end)
    assert ready == [begun], process.communicate()[0].decode()
    assert len(marked(mark)) > 5 and any(folder.iterdir())
    process.send_signal(how)
    process.communicate()
    while processes := marked(mark):
        for pid in processes:
            await_end(int(pid))
    assert [path.name for path in folder.iterdir() if path.name.startswith("mullion-")] == []
    if how == signal.SIGINT:
        trace, = (pytester.path / "mullion-artifacts").glob("*/trace.json")
        assert json.loads(trace.read_text())["headline"] == "the test was interrupted"


def marked(mark):
    """The processes that have inherited a variable."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (path / "environ").read_bytes().split(b"\0"):
                found.append(path.name)
        except OSError:
            # It has ended.
            pass
    return found


# What pytest-rerunfailures does.
RERUNS = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for item.execution_count in range(1, 4):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if not any(report.failed for report in reports):
            break
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
"""


def test_each_attempt_is_kept(run_tests, pytester):
    pytester.makepyfile(reruns=RERUNS)
    pytester.syspathinsert()
    source = """
def test_it(mullion):
    attempts = len(os.listdir("mullion-artifacts")) if os.path.exists("mullion-artifacts") else 0
    assert attempts == {} - 1
"""
    for needed, folders in [(3, ["", "-attempt-2"]), (1, [])]:
        if needed == 1:
            # Another run of the test.
            source = "def test_it(mullion):\n    assert not os.listdir('mullion-artifacts')\n"
        run_tests(source.format(needed), "-p", "reruns").assert_outcomes(passed=1)
        kept = {path.name for path in pytester.path.glob("mullion-artifacts/*") if (path / "message.txt").exists()}
        assert kept == {f"test_each_attempt_is_kept.py-test_it{end}" for end in folders}


def test_the_report_has_the_name_and_the_steps_of_the_test(run_tests, pytester):
    run_tests("""
def test_it(mullion, display, claim):
    window = claim("title=Form").window("Form")
    window.click(5, 5)
    mullion.timeout = 0
    expect(window).to_have_title("Other")
""").assert_outcomes(failed=1)
    folder, = pytester.path.glob("mullion-artifacts/*")
    trace = json.loads((folder / "trace.json").read_text())
    assert trace["title"].endswith("::test_it")
    assert f"<title>{trace['title']} – Mullion</title>" in (folder / "report.html").read_text(encoding="utf-8")
    texts = [step["text"] for step in trace["steps"]]
    assert len(texts) == 3 and texts[0].startswith("mullion.launch("), texts
    assert texts[1].endswith(".click(5, 5)") and texts[2].endswith('.to_have_title("Other")'), texts
    assert [step["failed"] for step in trace["steps"]] == [False, False, True]
    times = [time for step in trace["steps"] for time in (step["at"], step["at"] + step["duration"])]
    assert times == sorted(times) and 0 <= times[0] and times[-1] <= trace["duration"]
    paths = [event["path"] for event in trace["events"] if event["event"] == "request"]
    # What the library asks by itself.
    assert not [path for path in paths if path.startswith(("/v1/windows", "/v1/wait", "/v1/hit", "/v1/settle"))], paths
