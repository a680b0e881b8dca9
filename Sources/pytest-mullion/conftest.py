"""For running the tests and examples in the source tree, where the plugin is not installed."""

pytest_plugins = ["pytester", "mullion.plugin"]
