#!/usr/bin/env python3
"""Runs wlcs, the Wayland conformance suite, on a mulliond, and compares the results with expectations.txt.

    Tests/Conformance/run.py [--seconds N] MULLIOND [PATTERN]

PATTERN is one of Google Test; without it, all tests run. The exit status is 1 if a result is not the expected one.
Tests of the list run in a process each, because some of them end it; the others share a few processes.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
SHARDS = 4


def package(*arguments):
    """What pkg-config says."""
    return subprocess.run(["pkg-config", *arguments], check=True, capture_output=True, text=True).stdout.split()


def build(module):
    """Compiles the module that wlcs loads."""
    options = "-std=c++17 -O1 -Wall -Wextra -Werror -shared -fPIC -pthread".split()
    flags = package("--cflags", "--libs", "wlcs", "wayland-client")
    subprocess.run(["g++", *options, "-o", module, *map(str, sorted(FOLDER.glob("*.cpp"))), *flags], check=True)


def numbers(version):
    """Versions as numbers, which can be compared."""
    return [int(part) for part in version.split(".")]


def expectations(version):
    """The patterns of tests that fail with this version of wlcs, and the interfaces that are missing."""
    entries = {"fail": [], "skip": []}
    for line in (FOLDER / "expectations.txt").read_text().splitlines():
        if line.strip() and not line.startswith(("#", " ")):
            kind, pattern, *condition = line.split()
            if not condition or (condition[0] == "since") == (numbers(version) >= numbers(condition[1])):
                entries[kind].append(pattern)
    return entries["fail"], entries["skip"]


class Judge:
    """wlcs with a module and a server."""

    def __init__(self, module, server, seconds):
        self.program = package("--variable=test_runner", "wlcs")[0]
        self.module, self.server = module, server
        self.deadline = time.monotonic() + seconds

    def run(self, *options, **environment):
        """The exit status and the output; None when the time is over."""
        with subprocess.Popen(
            [self.program, self.module, *options, self.server],
            env={**os.environ, "TMPDIR": os.path.dirname(self.module), **environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:
            try:
                output, _ = process.communicate(timeout=max(self.deadline - time.monotonic(), 0.1))
                status = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
                status = None
        return status, re.sub(r"\x1b\[[0-9;]*m", "", output.decode(errors="replace"))

    def tests(self, pattern):
        """The names of all tests that are not disabled."""
        _, output = self.run("--gtest_list_tests", f"--gtest_filter={pattern}")
        suite, names = "", []
        for line in output.splitlines():
            if re.match(r"\S+\.(\s|$)", line):
                suite = line.split()[0]
            elif line.startswith("  "):
                names.append(suite + line.split()[0])
        return [name for name in names if "DISABLED_" not in name]


def results(output):
    """What became of each test that ended: ok, fail, or the interfaces that it misses."""
    found, missing = {}, []
    for line in output.splitlines():
        if line.startswith("[ RUN "):
            missing = []
        if match := re.search(r"\] Missing extension: (\w+)", line):
            missing.append(match[1])
        if match := re.match(r"\[ +(OK|FAILED|SKIP) +\] ([^ ,]+).* \(\d+ ?ms\)$", line):
            found[match[2]] = {"OK": "ok", "FAILED": "fail", "SKIP": missing}[match[1]]
    return found


def one(judge, name):
    """The result of a test in a process of its own, and the output."""
    status, output = judge.run(f"--gtest_filter={name}")
    if status is None:
        return name, None, output
    return name, "fail" if status else results(output).get(name, "fail"), output


def main():
    parser = argparse.ArgumentParser(description="Runs wlcs on a mulliond.")
    parser.add_argument("--seconds", type=int, default=400, help="how long it may take")
    parser.add_argument("server", metavar="MULLIOND")
    parser.add_argument("pattern", metavar="PATTERN", nargs="?", default="*")
    options = parser.parse_args()
    if not os.access(options.server, os.X_OK):
        parser.error(f"{options.server} is not a program; use the mulliond of a build")
    version = package("--modversion", "wlcs")[0]
    failing, missing = expectations(version)
    mistakes, outputs, found = [], {}, {}
    # Those that end wlcs leave no files behind.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="mullion-wlcs-") as folder:
        module = folder + "/mullion.so"
        build(module)
        judge = Judge(module, os.path.abspath(options.server), options.seconds)
        names = judge.tests(options.pattern)
        listed = {name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in failing)}
        others = f"--gtest_filter={options.pattern}-" + ":".join(sorted(listed))
        with concurrent.futures.ThreadPoolExecutor(SHARDS) as pool:
            shards = [
                pool.submit(judge.run, others, GTEST_TOTAL_SHARDS=str(SHARDS), GTEST_SHARD_INDEX=str(index))
                for index in range(SHARDS)
            ]
            single = [pool.submit(one, judge, name) for name in sorted(listed)]
            for shard in shards:
                status, output = shard.result()
                found.update(results(output))
                for part in re.split(r"(?=^\[ RUN )", output, flags=re.MULTILINE)[1:]:
                    outputs[part.split()[3]] = part
            for future in single:
                name, found[name], outputs[name] = future.result()
        # wlcs waits for an answer for a fixed time, which may be too short on a busy machine.
        for name in [name for name, result in found.items() if result == "fail" and name not in listed]:
            print(f"{name} failed and is run again, alone:\n{outputs.get(name, '')}")
            _, found[name], outputs[name] = one(judge, name)

    for pattern in failing:
        if options.pattern == "*" and not any(fnmatch.fnmatchcase(name, pattern) for name in names):
            mistakes.append(f"{pattern} is not a test; remove its entry")
    for name in names:
        result = found.get(name)
        if result is None:
            mistakes.append(f"{name} did not end\n{outputs.get(name, '')}")
        elif isinstance(result, list):
            mistakes += [f"{name} was skipped: {interface} is missing" for interface in set(result) - set(missing)]
        elif result == "ok" and name in listed:
            mistakes.append(f"{name} passes; remove its entry")
        elif result == "fail" and name not in listed:
            mistakes.append(f"{name} failed\n{outputs.get(name, '')}")
    skipped = [result for result in found.values() if isinstance(result, list)]
    for interface in set(missing) - {interface for result in skipped for interface in result}:
        if options.pattern == "*":
            mistakes.append(f"{interface} is offered; remove its entry")

    ran = len(names) - len(skipped)
    passed = sum(result == "ok" for result in found.values())
    print(*mistakes, sep="\n")
    failed = sum(result == "fail" for result in found.values())
    print(f"wlcs {version}: {len(names)} tests: {ran} ran, {passed} passed, {failed} failed, {len(skipped)} were skipped")
    return 1 if mistakes or not names else 0


sys.exit(main())
