"""Programs: how they are started, what they write, and how they end."""

import os
import re
import signal
import sys

import pytest
from conftest import CTL

from pytest_mullion import ActionError, MullionError, expect


def test_output_and_exit_status(mullion):
    app = mullion.launch(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert app.wait() == 3 and not app.is_running
    assert app.output == "out\nerr\n"
    expect(app).to_exit(3)
    expect(app).to_have_output("out")
    expect(app).to_have_output(re.compile("e.r"))


def test_a_program_gets_the_environment_of_the_server(mullion, tmp_path):
    app = mullion.launch(["sh", "-c", "echo $WAYLAND_DISPLAY $OWN $PWD"], env={"OWN": "x"}, cwd=tmp_path)
    app.wait()
    assert app.output == f"{mullion.env['WAYLAND_DISPLAY']} x {tmp_path}\n"


@pytest.mark.mullion(env={"COLOUR": "blue"})
def test_variables_of_the_marker_reach_every_program(mullion):
    app = mullion.launch(["sh", "-c", "echo $COLOUR"])
    app.wait()
    assert app.output == "blue\n"


@pytest.mark.parametrize("command", ["{} & wait", "setsid {} & wait", "{} &"])
def test_a_program_that_another_has_started_is_idle(mullion, command):
    app = mullion.launch(["sh", "-c", command.format(f"'{CTL}' claim title=Main")])
    expect(app).to_be_idle()
    assert app.is_connected


def test_a_program_that_has_not_connected_is_not_idle(mullion, claim):
    expect(claim()).to_be_idle()
    app = mullion.launch(["sleep", "1000"])
    with pytest.raises(AssertionError, match=r"to_be_idle\(\): it has not connected, after 0 s"):
        expect(app, timeout=0).to_be_idle()
    with pytest.raises(TypeError, match=r"not_ cannot be used with to_be_idle\(\)"):
        expect(app).not_.to_be_idle()
    app = mullion.launch(["sh", "-c", "exit 3"])
    with pytest.raises(AssertionError, match=r"to_be_idle\(\): it has not connected\n"):
        expect(app, timeout=60).to_be_idle()


def test_a_program_that_does_not_exist(mullion):
    with pytest.raises(MullionError, match="no-such-program cannot be started: .*No such file"):
        mullion.launch("no-such-program")
    with pytest.raises(MullionError, match="the command is empty"):
        mullion.launch([])


def test_text_is_whole_whatever_pieces_it_is_written_in(mullion):
    app = mullion.launch(["sh", "-c", r"printf '\303'; read x < /dev/null; printf '\274\377'"])
    app.wait()
    assert app.output == "ü\ufffd"


def test_much_output_does_not_block_anybody(mullion):
    app = mullion.launch(["sh", "-c", "yes 0123456789 | head -c 20000000; echo end"])
    assert app.wait(timeout=60) == 0
    assert app.output.endswith("end\n") and len(app.output) <= app.OUTPUT_LIMIT + 200_000


# A pipe of 1 MiB is never empty, because it is read more slowly than the children write.
FLOOD = """
import fcntl, os, signal
fcntl.fcntl(1, 1031, 1 << 20)
if os.fork() and os.fork():
    signal.pause()
while True:
    os.write(1, bytes(1 << 20))
"""


def test_children_that_write_on_do_not_block_the_test(mullion):
    app = mullion.launch([sys.executable, "-c", FLOOD])
    expect(app).to_have_output("\0" * 100_000)
    os.kill(app.pid, signal.SIGKILL)
    assert app.wait() == -signal.SIGKILL
    assert mullion.launch("true").wait() == 0


def test_signals_reach_what_a_program_has_started(mullion):
    app = mullion.launch(["sh", "-c", "sleep 1000 & echo $!; wait"])
    expect(app).to_have_output(re.compile(r"\d+\n"))
    app.terminate()
    assert app.wait() == -signal.SIGTERM
    gone(int(app.output), mullion)


def test_waiting_for_a_program_that_runs_on(mullion):
    app = mullion.launch(["sleep", "1000"])
    with pytest.raises(ActionError, match=r"sleep 1000 did not end within 0 s"):
        app.wait(timeout=0)
    app.kill()
    assert app.wait() == -signal.SIGKILL and not app.has_crashed


def gone(pid, mullion):
    """Waits for the end of a process that is not a child of this one."""
    descriptor = os.pidfd_open(pid) if alive(pid) else None
    if descriptor is not None:
        import select

        assert select.select([descriptor], [], [], mullion.timeout)[0], f"process {pid} runs"
        os.close(descriptor)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
