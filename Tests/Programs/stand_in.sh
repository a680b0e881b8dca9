#!/bin/sh
# Stands in for another program: does what the file "script" beside the link to this one says.
. "${0%/*}/script"
