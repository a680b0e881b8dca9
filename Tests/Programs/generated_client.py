"""Uses the control API through a client that openapi-python-client has generated from its description.

usage: generated_client.py FOLDER_OF_THE_CLIENT URL TOKEN
"""

import importlib
import io
import json
import sys

sys.path.insert(0, sys.argv[1])
from client import AuthenticatedClient, models, types  # noqa: E402

mullion = AuthenticatedClient(base_url=sys.argv[2].removesuffix("/v1"), token=sys.argv[3], timeout=30)


def module(operation):
    return importlib.import_module(f"client.api.default.{operation}")


used = set()


def call(operation, *arguments, **options):
    """The parsed answer, and its status."""
    used.add(operation)
    response = module(operation).sync_detailed(*arguments, client=mullion, **options)
    return response.parsed, int(response.status_code)


def stream(operation, **options):
    """The answer to an operation whose events the generated functions would wait for the end of."""
    used.add(operation)
    return mullion.get_httpx_client().stream(**module(operation)._get_kwargs(**options))


def events(lines):
    """The names of the events, and their data."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def find(events, wanted):
    for name, data in events:
        if name == wanted:
            return data
    raise AssertionError(f"no event {wanted}")


def expect(condition, *values):
    if not condition:
        raise AssertionError(*values)


status, code = call("get_status")
expect(code == 200 and status.screens == 1 and status.locked is False, status)
tv, code = call("post_screens", body=models.Plug(model="tv-1080p", name="TV", scale=2.0))
expect(code == 201 and isinstance(tv, models.Screen) and tv.name == "TV" and tv.bounds.width == 960, tv)
tv, code = call("patch_screens_screen", "TV", body=models.ScreenPatch(orientation=models.ScreenPatchOrientation.LANDSCAPELEFT))
expect(code == 200 and tv.orientation == "landscapeLeft", tv)
wrong, code = call("patch_screens_screen", "TV", body=models.ScreenPatch(scale=-1.0))
expect(code == 422 and isinstance(wrong, models.Problem) and wrong.rule == "S1", wrong)

windows, code = call("get_windows")
window = windows.windows[0]
expect(code == 200 and window.visible and isinstance(window.frame, models.Rect), windows)
window, code = call("patch_windows_id", window.id, body=models.WindowPatch(title="renamed", alpha=0.5))
expect(code == 200 and window.title == "renamed" and window.alpha == 0.5, window)

middle = dict(x=window.frame.width / 2, y=window.frame.height / 2)
tap = models.InputEvent(type_=models.InputEventType.TAP, screen=window.screen, **middle)
report, code = call("post_input", body=tap)
expect(code == 200 and isinstance(report, models.InputReport) and report.hit.window == window.id, report)
report, code = call("post_input", body=[tap, tap])
expect(code == 200 and isinstance(report, models.InputReportList) and len(report.events) == 2, report)
window, code = call("patch_windows_id", window.id, body=models.WindowPatch(hidden=True))
missed, code = call("post_input", body=tap, must_hit=True)
expect(code == 409 and isinstance(missed, models.Problem) and missed.input_.delivered == 0, missed)
window, code = call("patch_windows_id", window.id, body=models.WindowPatch(hidden=False))

picture, code = call("get_screens_screen_screenshot_png", "TV")
golden = picture.payload.read()
expect(code == 200 and golden.startswith(b"\x89PNG"), golden[:8])
same, code = call("post_screens_screen_compare", "TV", body=types.File(io.BytesIO(golden)))
expect(code == 200 and same.equal and same.first is None and same.differing == 0, same)
other, code = call("post_compare", body=types.File(io.BytesIO(golden)))
expect(code == 200 and not other.equal and other.differing is None and other.reason, other)
capture, code = call("get_capture", joined=True)
expect(code == 200 and capture.png and [s.name for s in capture.screens] == ["main", "TV"], capture)
expect(len(capture.windows[0].to_pixels) == 6 and capture.windows[0].surfaces[0].role == "root", capture.windows)

keyboard, code = call("patch_keyboard", body=models.KeyboardPatch(layout="de", repeat=models.RepeatBody(rate=0)))
expect(code == 200 and keyboard.layout == "de" and keyboard.repeat.rate == 0, keyboard)
point = models.Conversion(
    point=models.PointBody(x=1.0, y=2.0), from_=models.Space(window=window.id), to=models.ConversionToType1.LAYOUT)
converted, code = call("post_convert", body=point)
expect(code == 200 and isinstance(converted.point, models.Point), converted)
settled, code = call("post_settle")
expect(code == 200 and settled.settled, settled)
tree, code = call("get_tree")
expect(code == 200 and tree.screens[0].windows[0].title == "renamed", tree)

# Lists, single objects, and what the server says of itself.
screens, code = call("get_screens")
expect(code == 200 and [screen.name for screen in screens.screens] == ["main", "TV"], screens)
screen, code = call("get_screens_screen", "TV")
expect(code == 200 and screen.orientation == "landscapeLeft", screen)
displays, code = call("get_displays")
expect(code == 200 and "tv-1080p" in [display.name for display in displays.displays], displays)
applications, code = call("get_applications")
expect(code == 200 and applications.applications[0].rotation_policy == "rotating", applications)
clients, code = call("get_clients")
expect(code == 200 and clients.clients[0].application == window.application, clients)
journal, code = call("get_clients_application_journal", str(window.application))
expect(code == 409 and isinstance(journal, models.Problem) and "--journal" in journal.detail, journal)
seats, code = call("get_seats")
expect(code == 200 and seats.seats[0].layout == "de", seats)
keyboard, code = call("get_keyboard")
expect(code == 200 and keyboard.layout == "de", keyboard)
clock, code = call("get_clock")
expect(code == 200 and clock.mode == "real" and clock.now > 0, clock)
refused, code = call("patch_clock", body=models.ClockPatch(step=1000))
expect(code == 409 and isinstance(refused, models.Problem), refused)
refused, code = call("delete_lock")
expect(code == 409 and isinstance(refused, models.Problem), refused)
metrics, code = call("get_metrics")
expect(code == 200 and "mullion_" in metrics, metrics)
_, code = call("get_openapi_json")
expect(code == 200)
picture, code = call("get_screenshot_png")
expect(code == 200 and picture.payload.read().startswith(b"\x89PNG"), code)

waited, code = call("get_wait", for_=models.GetWaitFor.WINDOW, title="renamed", visible=True, timeout="9s")
expect(code == 200 and waited.windows[0].id == window.id, waited)
waits, code = call("get_waits")
expect(code == 200 and waits.waits == [], waits)
unmet, code = call("get_wait", for_=models.GetWaitFor.PIXEL, x=1, y=1, color="#010203", timeout="0")
expect(code == 408 and unmet.unmet[0].instead[0].color.startswith("#"), unmet)

with stream("get_events") as answer:
    happened = events(answer.iter_lines())
    tv, code = call("patch_screens_screen", "TV", body=models.ScreenPatch(orientation=models.ScreenPatchOrientation.PORTRAIT))
    turn = models.EventOrientationDidChange.from_dict(find(happened, "orientationDidChange"))
    expect(turn.from_ == "landscapeLeft" and turn.to == "portrait", turn)
    report, code = call("post_input", body=tap)
    step = models.EventInput.from_dict(find(happened, "input"))
    expect(step.input_.type_ == "touch" and step.input_.phase == "began" and step.input_.x == tap.x, step)
    # What is there can be asked without an event.
    found, code = call("get_hit", screen="TV", x=tap.x, y=tap.y)
    expect(code == 200 and found.screen_name == "TV" and found.candidates is not None, found)
    # What was seen can be injected again.
    report, code = call("post_input", body=step.input_)
    expect(code == 200 and report.type_ == "touch" and report.hit.window == window.id, report)

claimed = models.ScenarioClaim(title="claimed", color="#ff8000", frame=models.RectBody(x=0.0, y=0.0, width=9.0, height=9.0))
scenario = models.Scenario(name="a window", steps=[
    models.ScenarioStep(claim=claimed), models.ScenarioStep(wait="1ms"), models.ScenarioStep(pause="here"),
    models.ScenarioStep(rotate=models.ScenarioRotate(screen="TV", to=models.ScenarioRotateTo.LANDSCAPERIGHT)),
])
size, code = call("post_scenarios", body=scenario, check=True)
expect(code == 200 and size.steps == 4, size)
with stream("post_scenarios", body=scenario) as answer:
    done = events(answer.iter_lines())
    find(done, "pause")
    windows, code = call("get_windows")
    number = next(window.id for window in windows.windows if window.title == "claimed")
    one, code = call("get_windows_id", str(number))
    expect(code == 200 and one.title == "claimed" and one.visible, one)
    picture, code = call("get_windows_id_screenshot_png", str(number))
    golden = picture.payload.read()
    expect(code == 200 and golden.startswith(b"\x89PNG"), golden[:8])
    same, code = call("post_windows_id_compare", str(number), body=types.File(io.BytesIO(golden)))
    expect(code == 200 and same.equal, same)
    nothing, code = call("delete_windows_id", str(number), force=True)
    expect(code == 204, nothing)
    nothing, code = call("post_scenarios_continue", body=models.ScenarioContinuation())
    expect(code == 204, nothing)
    find(done, "done")
tv, code = call("get_screens_screen", "TV")
expect(tv.orientation == "landscapeRight", tv)

nothing, code = call("delete_screens_screen", "TV")
expect(code == 204, nothing)
operations = {
    operation["operationId"].replace("-", "_").replace(".", "_")
    for methods in mullion.get_httpx_client().get("/v1/openapi.json").json()["paths"].values()
    for operation in methods.values()}
expect(used == operations, operations - used)
print("the generated client agrees")
