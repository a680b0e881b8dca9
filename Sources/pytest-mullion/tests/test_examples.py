"""The first examples of the documentation, with the program that they start."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_toolkits import has_gtk

TOP = Path(__file__).parents[3]
EXAMPLES = {
    "README.md": r"```python\n(from pytest_mullion.*?)```",
    "Sources/pytest-mullion/README.md": r"```python\n(.*?)```",
    "Config/man/mullion-pytest.7": r"\.Bd -literal\n(from pytest_mullion.*?)\n\.Ed",
}
JOBS = [".github/workflows/gui.yml", ".gitlab-ci.yml"]


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
def test_ci_md_is_true_as_it_is_written(tmp_path, monkeypatch):
    page = TOP / "Sources/pytest-mullion/CI.md"
    if not page.exists():
        pytest.skip("this is not the source tree")
    project = tmp_path / "project"
    follow = [TOP / "Tests/Installation/follow", page, project]
    commands = subprocess.run(follow, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    # Installing needs a network; this is the Python that it would make.
    programs = project / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ["python", "python3"]:
        programs.joinpath(name).write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        programs.joinpath(name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), os.environ["PATH"]]))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p pytest_mullion.plugin")

    def run(command, folder=project):
        return subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, text=True)

    # A job without a picture says where one is.
    jobs = [re.search(r"python3 -m pytest .*", (project / name).read_text())[0] for name in JOBS]
    seen, = re.findall(r"`(mullion-artifacts/\S+)`", page.read_text(encoding="utf-8"))
    golden = project / "tests" / "goldens" / "form.png"
    assert run(jobs[0]).returncode == 1
    golden.parent.mkdir(exist_ok=True)
    (project / seen).rename(golden)
    for job in jobs:
        result = run(job)
        assert result.returncode == 0, result.stdout
        (project / "report.xml").unlink()
    golden.unlink()
    *_, update, test, in_container = (re.sub(r"podman run .* (?=python3)", "", line) for line in commands if "pytest " in line)
    assert "--update-goldens" in update
    for command in [update, test, in_container]:
        result = run(command)
        assert result.returncode == 0, result.stdout
        assert golden.exists()
    result = run(f"python3 -m pytest -p no:cacheprovider {project}/tests", tmp_path)
    assert result.returncode == 0, result.stdout
