#!/bin/sh
# Stands in for what projects run with xvfb-run: writes what it sees, and how it was called.
about=$(xdpyinfo) || exit
size=$(echo "$about" | sed -n 's/^ *dimensions: *\([0-9x]*\) .*/\1/p')
depth=$(echo "$about" | sed -n 's/^ *depth of root window: *\([0-9]*\) .*/\1/p')
program=${0#"$STAND_INS/"}
echo "${size}x$depth" "$DISPLAY" "${program#"$PWD/"}" "$@" >>"$RECORD"
