"""The action of GitHub and the template of GitLab, as far as they do not need a network."""

import os
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

TOP = Path(__file__).parents[3]
INSTALL = TOP / ".github/actions/setup-mullion/install"
TEMPLATE = TOP / ".gitlab/mullion.yml"
pytestmark = pytest.mark.skipif(not INSTALL.exists(), reason="this is not the source tree")
everywhere = pytest.mark.parametrize("where", ["GitHub", "GitLab"])


def before_script():
    """The shell's words in the template."""
    text = TEMPLATE.read_text()
    start = text.index("      script=")
    return textwrap.dedent(text[start:text.index("    - export", start)])


def prepare(where, folder, **variables):
    """Prepares a job whose folder this is."""
    words = [INSTALL, "folder"] if where == "GitHub" else ["bash", "-ec", before_script()]
    environment = {**os.environ, "CI_PROJECT_DIR": str(folder), **variables}
    return subprocess.run(
        words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@everywhere
@pytest.mark.parametrize(("variables", "message"), [
    ({"MULLION_TOOLKITS": "gtk3 kde"}, "kde is not a toolkit; use some of gtk3, gtk4, qt6, x11"),
    ({"MULLION_WHEEL": "no.whl"}, "no.whl is not a file; name a wheel, or leave it out to use the package index"),
    ({"MULLION_WHEEL": "*.whl"}, "*.whl is several files: a.whl b.whl; name one of them"),
])
def test_a_job_that_is_not_understood_installs_nothing(where, variables, message, tmp_path):
    for name in ["a.whl", "b.whl"]:
        tmp_path.joinpath(name).touch()
    result = prepare(where, tmp_path, **variables)
    assert (result.returncode, result.stderr) == (1, f"setup-mullion: {message}\n")
    assert {path.name for path in tmp_path.iterdir()} == {"a.whl", "b.whl"}


@everywhere
@pytest.mark.parametrize(("variables", "wheel"), [
    ({}, "pytest-mullion"),
    ({"MULLION_VERSION": "0.1.0"}, "pytest-mullion==0.1.0"),
    ({"MULLION_WHEEL": "some/of*.whl"}, "some/of ours.whl"),
    ({"MULLION_WHEEL": "https://example.org/a.whl"}, "https://example.org/a.whl"),
])
def test_a_python_that_is_not_the_system_s_gets_the_wheel(where, variables, wheel, tmp_path):
    tmp_path.joinpath("some").mkdir()
    tmp_path.joinpath("some", "of ours.whl").touch()
    for name in ["python3", "mullionctl"]:
        # What is installed may read input, but not the script.
        tmp_path.joinpath(name).write_text('#!/bin/sh\ncat\necho "${0##*/}: $*"\n')
        tmp_path.joinpath(name).chmod(0o755)
    result = prepare(where, tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}", **variables)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"python3: -m pip install {wheel}\nmullionctl: --version\n")


def test_a_system_with_other_packages_is_refused(tmp_path):
    for name in ["uname", "sed", "tr"]:
        tmp_path.joinpath(name).symlink_to(shutil.which(name))
    result = prepare("GitHub", tmp_path, PATH=str(tmp_path), MULLION_TOOLKITS="x11")
    assert result.returncode == 1
    assert result.stderr.endswith(" has no apt-get, which installs python3-venv xwayland; use Debian or Ubuntu\n")


def test_the_template_has_the_script_of_the_action():
    assert before_script().split("END'\n")[1].split("END\n")[0] == INSTALL.read_text()
