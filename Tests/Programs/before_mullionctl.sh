#!/bin/sh
# Runs a test's script, which lies beside the link that this is started by, before it becomes mullionctl: $real.
. "$0.script"
exec "$real" "$@"
