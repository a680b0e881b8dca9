"""Expectations of what only the test can see."""

import re
import threading

import pytest

from pytest_mullion import expect


def test_a_value_is_read_until_it_is_as_expected(mullion, tmp_path):
    path = tmp_path / "saved.txt"
    writer = mullion.launch(["sh", "-c", 'sleep 0.3; echo "the letter" > "$1"', "-", str(path)])
    expect.poll(path.exists).to_be_true()
    expect.poll(path.read_text).to_be("the letter\n")
    expect.poll(path.read_text).to_contain("letter")
    expect.poll(path.read_text).not_.to_contain("draft")
    expect.poll(lambda: writer.exit_status).to_be(0)
    expect.poll(lambda: [1, 2]).to_contain(2)


def test_an_exception_counts_as_a_value_that_fulfils_nothing(mullion, tmp_path):
    path = tmp_path / "none.txt"
    with pytest.raises(AssertionError) as failure:
        expect.poll(path.read_text, timeout=0).to_be("x")
    headline, *more = str(failure.value).split("\n")
    assert headline.startswith("expect.poll(read_text).to_be('x'): it raised FileNotFoundError: ")
    assert headline.endswith(", after 0 s") and "windows: none" in more
    with pytest.raises(AssertionError, match="it raised FileNotFoundError"):
        expect.poll(path.read_text, timeout=0).not_.to_be("x")
    with pytest.raises(AssertionError, match=r"expect.poll\(…\).not_.to_be\(1\): the value is 1, after 0 s"):
        expect.poll(lambda: 1, timeout=0).not_.to_be(1)


def test_a_value_that_cannot_be_looked_into_is_not_as_expected(mullion):
    values = iter([None, 3, "a letter"])
    expect.poll(lambda: next(values)).to_contain("letter")
    values = iter([None, "a letter"])
    expect.poll(lambda: next(values)).to_contain(re.compile("^a"))
    values = iter([None, "a draft"])
    expect.poll(lambda: next(values)).not_.to_contain("letter")
    with pytest.raises(AssertionError, match=r"expect.poll\(…\).to_contain\('x'\): the value is None, after 0 s"):
        expect.poll(lambda: None, timeout=0).to_contain("x")
    with pytest.raises(AssertionError, match=r"not_.to_contain\('x'\): the value is None, after 0 s"):
        expect.poll(lambda: None, timeout=0).not_.to_contain("x")


def test_without_a_server():
    values = iter(range(100))
    expect.poll(lambda: next(values)).to_be(3)
    with pytest.raises(AssertionError, match=r"expect.poll\(…\).to_be_true\(\): the value is '', after 0 s$"):
        expect.poll(lambda: "", timeout=0).to_be_true()


def test_what_is_read_is_called_in_the_thread_of_the_test(mullion):
    expect.poll(threading.current_thread).to_be(threading.main_thread())
