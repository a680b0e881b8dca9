"""Checks the report of a run. Usage: check_report.py PAGE TRACE, or check_report.py --junit FILE

A page has to be well-formed, load nothing, and contain the trace.
"""

import html.parser
import json
import sys
import xml.etree.ElementTree

VOID = {"meta", "link", "img", "input", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.data = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attributes}, (tag, attributes)
        if tag not in VOID:
            self.open.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1][1].get("id") == "trace":
            self.data += data


if sys.argv[1] == "--junit":
    suite = xml.etree.ElementTree.parse(sys.argv[2]).getroot().find("testsuite")
    case = suite.find("testcase")
    assert suite.get("tests") == "1" and float(case.get("time")) >= 0
    failure = case.find("failure")
    print(suite.get("failures"), case.get("name"), sep="\n")
    print("none" if failure is None else failure.get("message"))
    print(ascii(case.find("system-out").text))
else:
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    page.close()
    assert not page.open and "img" not in page.tags, (page.open, page.tags)
    with open(sys.argv[2], encoding="utf-8") as file:
        assert json.loads(page.data) == json.load(file)
