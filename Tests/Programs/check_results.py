"""Checks the results of scenarios. Usage: check_results.py --junit FILE, or check_results.py --tap FILE

Prints a line for each case: how it ended, its name, and why. What breaks the rules of the format is an error.
"""

import json
import re
import sys
import xml.etree.ElementTree


def junit(text):
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        for kind, total in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.get(total)) == sum(case.find(kind) is not None for case in cases), kind
        assert abs(float(suite.get("time")) - sum(float(case.get("time")) for case in cases)) < 0.1
        for case in cases:
            parts = [part for part in case if part.tag in ("failure", "error", "skipped")]
            assert len(parts) <= 1 and case.get("classname") and case.get("file") == case.get("name")
            log = case.find("system-err")
            yield (
                parts[0].tag if parts else "passed",
                case.get("name"),
                parts[0].get("message") if parts else "",
                log.text if log is not None else "",
            )


def tap(text):
    """The rules of version 14: the version, a plan, points in order, each with a block of YAML at most."""
    lines = iter(text.splitlines())
    assert next(lines) == "TAP version 14"
    plan = re.fullmatch(r"1\.\.([0-9]+)", next(lines))
    count, number, over = int(plan[1]), 0, False
    point = None
    for line in lines:
        assert not over, line
        if line.startswith("Bail out!"):
            over = True
            continue
        if line == "  ---":
            assert point and point[2] is None
            point[2] = {}
            for line in lines:
                if line == "  ...":
                    break
                key, value = re.fullmatch(r"  ([a-z_]+): (.*)", line).groups()
                # Its values are JSON, which is YAML.
                point[2][key] = json.loads(value)
            else:
                raise AssertionError("the block has no end")
            continue
        if point:
            yield row(point)
        number += 1
        match = re.fullmatch(r"(ok|not ok) ([0-9]+) - ((?:[^\\#]|\\[\\#])+)", line)
        assert match and int(match[2]) == number, line
        point = [match[1], re.sub(r"\\(.)", r"\1", match[3]), None]
    if point:
        yield row(point)
    assert over or number == count, (number, count)
    if over:
        yield ("bail out", "", "", "")


def row(point):
    result, name, block = point
    assert block["duration_ms"] >= 0 and (result == "ok") == ("message" not in block)
    return (result, name, block.get("message", "").split("\n")[0], block.get("log", ""))


with open(sys.argv[2], encoding="utf-8") as file:
    for result in (junit if sys.argv[1] == "--junit" else tap)(file.read()):
        print("|".join(part.replace("\n", "/") for part in result))
