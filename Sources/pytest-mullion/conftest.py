"""For running the tests and examples in the source tree, where the plugin is not installed."""

import os
from pathlib import Path

pytest_plugins = ["pytester", "pytest_mullion.plugin"]
# Tests of the plugin start Python anew.
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
