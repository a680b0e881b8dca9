"""Uses the control API through a client that openapi-python-client has generated from its description.

usage: generated_client.py FOLDER_OF_THE_CLIENT URL TOKEN
"""

import importlib
import io
import sys

sys.path.insert(0, sys.argv[1])
from client import AuthenticatedClient, models, types  # noqa: E402

mullion = AuthenticatedClient(base_url=sys.argv[2].removesuffix("/v1"), token=sys.argv[3], timeout=30)


def call(operation, *arguments, **options):
    """The parsed answer, and its status."""
    module = importlib.import_module(f"client.api.default.{operation}")
    response = module.sync_detailed(*arguments, client=mullion, **options)
    return response.parsed, int(response.status_code)


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
nothing, code = call("delete_screens_screen", "TV")
expect(code == 204, nothing)
print("the generated client agrees")
