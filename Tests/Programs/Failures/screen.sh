# The second screen was unplugged too early.
set -e
$CTL plug 480x300 name=TV
$FORM &
$CTL wait widget role=button name=Save timeout=60s
$CTL unplug TV
$CTL click TV 100,100
