"""Starts programs in the environment of ``mullionctl run``, as its command.

Standard input is a socket, from which it reads requests, and to which it writes what happens, both as lines of JSON.
When that ends, because the test has ended or its process was killed, it ends too, and ``mullionctl run`` ends all
programs. Standard output is part of the report of ``mullionctl run``.
This file is run by itself, without the package and without site-packages, so that it starts fast.
"""

import codecs
import json
import os
import selectors
import signal
import subprocess
import sys
from typing import Any, Callable, Dict, Optional

MARK = "MULLION_PROGRAM"
"""The variable that programs pass on to what they start, for finding what they leave behind."""

PIPE_LIMIT = 1 << 20
"""Bytes that a pipe can contain at most, see pipe(7)."""
EXITING, DUMPING = 0x4, 0x200
"""Flags of processes in Linux."""


class Launcher:
    """The programs and their pipes."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._programs: Dict[int, "subprocess.Popen[bytes]"] = {}
        self._readers: Dict[int, Callable[[], int]] = {}
        self._rest = b""
        # Until the test has passed, it has not.
        self._status = 1

    def run(self) -> None:
        """Serves until the test has ended."""
        alarm, wakeup = os.pipe()
        os.set_blocking(alarm, False)
        os.set_blocking(wakeup, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakeup)
        self._selector.register(alarm, selectors.EVENT_READ, lambda: self._wake(alarm))
        self._selector.register(0, selectors.EVENT_READ, self._read)
        self._say(ready=dict(os.environ))
        while True:
            for key, _ in self._selector.select():
                key.data()

    def _say(self, **message: Any) -> None:
        data = (json.dumps(message) + "\n").encode()
        while data:
            data = data[os.write(0, data):]

    def _read(self) -> None:
        data = os.read(0, 65536)
        if not data:
            os._exit(self._status)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "start" in message:
                self._start(message["start"], message)
            elif "check" in message:
                self._reap()
                ending = [number for number, program in self._programs.items() if _is_ending(program.pid)]
                self._say(checked=message["check"], ending=ending)
            elif "failure" in message:
                self._finish(message["failure"])
            else:
                self._signal(message["to"], message["signal"])

    def _start(self, number: int, message: Dict[str, Any]) -> None:
        output, end = os.pipe()
        try:
            program = subprocess.Popen(
                message["command"], env={**message["env"], MARK: str(number)}, cwd=message["cwd"],
                stdin=subprocess.DEVNULL, stdout=end, stderr=subprocess.STDOUT, start_new_session=True)
        except (OSError, ValueError) as error:
            os.close(output)
            self._say(failed=number, reason=str(error))
            return
        finally:
            os.close(end)
        self._programs[number] = program
        self._listen(number, output)
        self._say(started=number, pid=program.pid)

    def _listen(self, number: int, output: int) -> None:
        os.set_blocking(output, False)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")

        def read() -> int:
            # The end of the program may have been noticed first, in the same turn.
            if number not in self._readers:
                return 0
            try:
                data = os.read(output, 65536)
            except BlockingIOError:
                return 0
            text = decoder.decode(data, final=not data)
            if text:
                self._say(output=number, text=text)
            if not data:
                del self._readers[number]
                self._selector.unregister(output)
                os.close(output)
            return len(data)

        self._readers[number] = read
        self._selector.register(output, selectors.EVENT_READ, read)

    def _drain(self, number: int) -> None:
        """Reads what is in a pipe now; others may go on writing, as fast as it is read."""
        left = PIPE_LIMIT
        while left > 0 and number in self._readers:
            length = self._readers[number]()
            left = left - length if length > 0 else 0

    def _signal(self, number: int, which: int) -> None:
        program = self._programs.get(number)
        if program is not None:
            try:
                os.killpg(program.pid, which)
            except ProcessLookupError:
                pass
        self._say(signalled=number)

    def _finish(self, failure: Optional[str]) -> None:
        """Writes why the test has failed; if it has not, ends the programs."""
        if failure is not None:
            # They run on, so that the last pictures of the report show what the test saw.
            print(failure, flush=True)
            return
        self._status = 0
        for program in self._programs.values():
            try:
                os.killpg(program.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass

    def _wake(self, alarm: int) -> None:
        os.read(alarm, 4096)
        self._reap()

    def _reap(self) -> None:
        for number, program in list(self._programs.items()):
            status = program.poll()
            if status is None:
                continue
            del self._programs[number]
            # Everything that it has written comes before its end. Programs that it started may write more later.
            self._drain(number)
            self._say(ended=number, status=status)


def _is_ending(pid: int) -> bool:
    """Whether the kernel ends a process, or writes its core, so that it can be collected in a moment: see proc(5)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return False
    # A zombie that cannot be collected has threads that run on.
    return state != b"Z" and int(fields[5]) & (EXITING | DUMPING) != 0


if __name__ == "__main__":
    # A reader that has gone ends it, as the end of standard input does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.dont_write_bytecode = True
    Launcher().run()
