"""Checks what Config/package --all has built. Usage: check_packages.py FOLDER

Prints what is not as the functions say.
"""

import base64
import csv
import datetime
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import traceback
import zipfile
from pathlib import Path

LARGEST_WHEEL = 16_000_000
PYTHON = "/usr/bin/python3"
MACHINES = {62: "x86_64", 183: "aarch64"}
TEST = """
def test_the_plugin(mullion, display):
    display.plug("tv-1080p", name="TV")
    app = mullion.launch(["mullionctl", "claim", "title=Hello"])
    assert app.window("Hello").title == "Hello"
    print(mullion.server.program)
"""


def only(folder, pattern):
    found = list(folder.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


def wheel_files(folder):
    with zipfile.ZipFile(only(folder, "*.whl")) as wheel:
        return {entry.filename: (wheel.read(entry), entry.external_attr >> 16) for entry in wheel.infolist()}


def installed(files):
    """The files of the wheel that are not Python's, by the places below the prefix that pip gives them."""
    places = {}
    for name, file in files.items():
        parts = name.split("/")
        if parts[0].endswith(".data"):
            scheme = {"scripts": ["bin"], "data": []}[parts[1]]
            places["/".join(scheme + parts[2:])] = file
    return places


def archive_files(path):
    """The files of a tar file, by their places below its one folder; the folder's name."""
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        assert all(member.isfile() or member.isdir() for member in members), "an archive of files and folders"
        assert all((member.uid, member.gid) == (0, 0) for member in members)
        tops = {member.name.split("/")[0] for member in members}
        assert len(tops) == 1, tops
        files = {
            member.name.partition("/")[2]: (archive.extractfile(member).read(), member.mode)
            for member in members if member.isfile()}
    return files, tops.pop()


def package_files(path):
    """The files that a Debian package has below /usr."""
    listing = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(listing)) as archive:
        return {
            member.name.removeprefix("./usr/"): (archive.extractfile(member).read(), member.mode)
            for member in archive if member.isfile() and member.name.startswith("./usr/")}


def version(folder):
    return re.match(r"mullion_(.+)-.+_", only(folder, "mullion_*.deb").name)[1]


def record(folder):
    """RECORD has each file with its checksum and size, and the names follow the rules of wheels."""
    files = wheel_files(folder)
    own = f"pytest_mullion-{version(folder)}"
    rows = {name: (checksum, size) for name, checksum, size in csv.reader(
        io.StringIO(files[f"{own}.dist-info/RECORD"][0].decode()))}
    assert rows.keys() == files.keys()
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        expected = ("", "") if name.endswith("/RECORD") else (f"sha256={digest}", str(len(data)))
        assert rows[name] == expected, name
    assert {name.split("/")[0] for name in files} == {"pytest_mullion", f"{own}.data", f"{own}.dist-info"}
    metadata = files[f"{own}.dist-info/METADATA"][0].decode()
    assert f"\nName: pytest-mullion\nVersion: {version(folder)}\n" in metadata, metadata
    size = only(folder, "*.whl").stat().st_size
    assert size <= LARGEST_WHEEL, f"the wheel has {size} bytes"


def tag(folder):
    """The wheel's tag is the machine of its programs, and the newest glibc that one of them names."""
    versions, machines = set(), set()
    for data, _ in wheel_files(folder).values():
        if data[:4] == b"\x7fELF":
            machines.add(MACHINES[data[18]])
            versions |= {int(number) for number in re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", data)}
            versions |= {36} if b"\0GLIBC_ABI_DT_RELR\0" in data else set()
    assert len(machines) == 1, machines
    expected = f"py3-none-manylinux_2_{max(versions)}_{machines.pop()}"
    assert only(folder, "*.whl").name == f"pytest_mullion-{version(folder)}-{expected}.whl", expected
    assert f"\nTag: {expected}\n" in wheel_files(folder)[f"pytest_mullion-{version(folder)}.dist-info/WHEEL"][0].decode()


def audit(folder):
    """auditwheel, where it is installed, gives the same tag to a wheel whose files lie as pip installs them."""
    judge = Path(__file__).parents[2] / ".build" / "auditwheel"
    if not judge.is_dir():
        return
    files = wheel_files(folder)
    files = installed(files) | {name: file for name, file in files.items() if ".data/" not in name}
    listing = next(name for name in files if name.endswith("/RECORD"))
    files[listing] = ("".join(f"{name},,\n" for name in files).encode(), 0o644)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / only(folder, "*.whl").name
        with zipfile.ZipFile(path, "w") as wheel:
            for name, (data, mode) in files.items():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = mode << 16
                wheel.writestr(entry, data)
        output = subprocess.run(
            [PYTHON, "-m", "auditwheel", "show", "--json", path], check=True, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(judge)}).stdout
    assert json.loads(output)["overall_tag"] == path.stem.rpartition("-")[2], output


def layout(folder):
    """The wheel and the archive have the same files, and of the package all but units, in the same places."""
    wheel = installed(wheel_files(folder))
    archive, top = archive_files(only(folder, "*.tar.xz"))
    assert only(folder, "*.tar.xz").name == f"{top}.tar.xz" and top.startswith(f"mullion-{version(folder)}-"), top
    assert b"mullionctl run" in archive.pop("README")[0]
    assert {name: file[0] for name, file in wheel.items()} == {name: file[0] for name, file in archive.items()}
    for name, (_, mode) in [*wheel.items(), *archive.items()]:
        assert mode & 0o777 == (0o755 if name.startswith("bin/") else 0o644), (name, oct(mode))
    package = {
        name.replace("zsh/vendor-completions", "zsh/site-functions"): file[0]
        for name, file in package_files(only(folder, "mullion_*.deb")).items()
        if not name.startswith(("lib/", "share/lintian/")) and not name.endswith("/changelog.Debian.gz")}
    assert package.keys() - wheel.keys() == set()
    assert {name for name in wheel.keys() - package.keys()} == {
        name for name in wheel if name.startswith(("lib/mullion/", "share/mullion/xkb/", "share/mullion/fonts/",
                                                   "share/doc/mullion/licences/"))}
    # Those know where they are.
    different = {name for name in package if package[name] != wheel[name][0]}
    assert different == {
        "bin/mulliond", "bin/mullionctl", "bin/mullion-x11", "share/pkgconfig/mullion-protocols.pc"}, different
    # Rules, symbols and types that each layout has, and fonts.
    for name in ["share/mullion/xkb/rules/evdev", "share/mullion/xkb/symbols/us", "share/mullion/fonts/DejaVuSans.ttf"]:
        assert name in wheel, name
    module = {name for name in wheel_files(folder) if name.startswith("pytest_mullion/")}
    packaged = package_files(only(folder, "python3-pytest-mullion_*.deb"))
    assert module == {
        name.removeprefix("lib/python3/dist-packages/") for name in packaged if "/dist-packages/pytest_mullion/" in name}


def moved(folder):
    """The programs of the archive run in any folder, and load no library from elsewhere that not every system has."""
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(only(folder, "*.tar.xz")) as archive:
            archive.extractall(place)
        top = only(Path(place), "mullion-*").rename(Path(place) / "anywhere else")
        libraries = [path for path in (top / "lib" / "mullion").iterdir()]
        needed = set()
        programs = [path for path in (top / "bin").iterdir() if path.read_bytes()[:4] == b"\x7fELF"]
        for path in [*programs, *libraries]:
            output = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
            for name, target in re.findall(r"^\s*(\S+) => (.+?) \(0x", output, re.MULTILINE):
                common = re.match(r"(libc|libm|libdl|librt|libpthread|libresolv|libz|ld-linux.*)\.so\.", name)
                assert common or Path(target).parent.resolve() == top / "lib" / "mullion", f"{path} loads {target}"
                needed.add(name)
        late = {path.name for path in libraries} - needed
        assert late == {"libisal.so.2", "libpng16.so.16"} - needed, f"nothing needs {late}"
        for program in ["mulliond", "mullionctl", "mullion-x11"]:
            output = subprocess.run(
                [top / "bin" / program, "--version"], check=True, capture_output=True, text=True).stdout
            assert output == f"{program} {version(folder)}\n", output
        run = ["run", "--", top / "bin" / "mullionctl", "displays"]
        output = subprocess.run([top / "bin" / "mullionctl", *run], check=True, capture_output=True, text=True).stdout
        assert "projector-xga" in output, output
        environment = {**os.environ, "PKG_CONFIG_PATH": str(top / "share" / "pkgconfig")}
        words = ["pkg-config", "--variable=pkgdatadir", "mullion-protocols"]
        output = subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout
        data = Path(output.strip().replace("\\ ", " "))
        assert (data / "mullion-v1.xml").samefile(top / "share" / "mullion-protocols" / "mullion-v1.xml")


def pip(folder):
    """pip installs the wheel into a virtual environment; a test uses it, and uninstalling leaves nothing."""
    with tempfile.TemporaryDirectory() as place:
        environment = Path(place) / "environment"
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", "--system-site-packages", environment], check=True)
        command = [PYTHON, "-m", "pip", "--python", environment / "bin" / "python", "--disable-pip-version-check"]

        def everything():
            return sorted(path.relative_to(environment) for path in environment.rglob("*"))

        before = everything()
        subprocess.run([*command, "install", "--quiet", "--no-index", only(folder, "*.whl")], check=True)
        test = Path(place) / "test_it.py"
        test.write_text(TEST)
        own = {name: os.environ[name] for name in ["HOME", "LANG"] if name in os.environ}
        own["PATH"] = f"{environment}/bin:/usr/bin:/bin"
        words = [environment / "bin" / "python", "-m", "pytest", "-rP", "-p", "no:cacheprovider", test]
        result = subprocess.run(words, capture_output=True, text=True, cwd=place, env=own)
        assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr
        assert str(environment / "bin" / "mullionctl") in result.stdout, result.stdout
        subprocess.run([*command, "uninstall", "--quiet", "--yes", "pytest-mullion"], check=True)
        # pip leaves empty folders, and what pytest has compiled for itself.
        left = {path for path in everything() if not (environment / path).is_dir() and "-pytest-" not in path.name}
        left -= set(before)
        assert left == set(), left


def again(folder):
    """The same programs make the same wheel, to the byte."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        for name, (data, mode) in reversed(installed(wheel_files(folder)).items()):
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(mode)
        with zipfile.ZipFile(only(folder, "*.whl")) as wheel:
            date = datetime.datetime(*wheel.infolist()[0].date_time, tzinfo=datetime.timezone.utc)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(int(date.timestamp()))}
        writer = Path(__file__).parents[2] / "Config" / "portable" / "wheel"
        subprocess.run([writer, "build", tree, place], check=True, env=environment, stdout=subprocess.DEVNULL)
        written = only(Path(place), "*.whl")
        assert written.name == only(folder, "*.whl").name
        assert written.read_bytes() == only(folder, "*.whl").read_bytes()


if __name__ == "__main__":
    failed = False
    for check in [record, tag, audit, layout, moved, pip, again]:
        try:
            check(Path(sys.argv[1]))
        except (AssertionError, subprocess.CalledProcessError):
            print(check.__doc__, traceback.format_exc(), sep="\n")
            failed = True
    sys.exit(failed)
