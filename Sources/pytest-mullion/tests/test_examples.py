"""The first examples of the documentation, with the program that they start."""

import os
import re
from pathlib import Path

import pytest
from test_toolkits import has_gtk

TOP = Path(__file__).parents[3]
EXAMPLES = {
    "README.md": r"```python\n(from pytest_mullion.*?)```",
    "Sources/pytest-mullion/README.md": r"```python\n(.*?)```",
    "Config/man/mullion-pytest.7": r"\.Bd -literal\n(from pytest_mullion.*?)\n\.Ed",
}


@has_gtk
@pytest.mark.parametrize("page", EXAMPLES)
def test_an_example_passes(run_tests, pytester, monkeypatch, page):
    path = TOP / page
    if not path.exists():
        pytest.skip("this is not the source tree")
    example, = re.findall(EXAMPLES[page], path.read_text(encoding="utf-8"), re.DOTALL)
    pytester.path.joinpath("my-editor").symlink_to(Path(__file__).with_name("my_editor.py"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(pytester.path), os.environ["PATH"]]))
    source = example.replace("\\-", "-")
    run_tests(source, "--update-goldens").assert_outcomes(passed=1)
    run_tests(source).assert_outcomes(passed=1)
    assert pytester.path.joinpath("letter.txt").exists()


@has_gtk
def test_the_test_of_ci_md_passes_as_it_says(pytester):
    page = TOP / "Sources/pytest-mullion/CI.md"
    if not page.exists():
        pytest.skip("this is not the source tree")
    text = page.read_text(encoding="utf-8")
    test, = re.findall(r"`(tests/\S+\.py)`", text)
    source, = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    commands = re.findall(r"python3 -m pytest (?:-n auto )?(--update-goldens tests|tests)$", text, re.MULTILINE)
    assert sorted(set(commands)) == ["--update-goldens tests", "tests"]
    path = pytester.path / test
    path.parent.mkdir()
    path.write_text(source)
    form = Path(__file__).parents[1] / "examples" / "form.py"
    pytester.path.joinpath("form.py").write_text(form.read_text())
    for command in ["--update-goldens tests", "tests", "tests"]:
        pytester.runpytest_subprocess("-p", "pytest_mullion.plugin", *command.split()).assert_outcomes(passed=1)
    assert (path.parent / "goldens" / "form.png").exists()
