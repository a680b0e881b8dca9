# Another program's notification covers the button.
set -e
$FORM &
$CTL wait widget role=button name=Save timeout=60s
$CTL claim title=Reminder frame=60,140,300,90 level=alert color=#3b4a6b >/dev/null &
$CTL wait window title=Reminder visible
$CTL click role=button name=Save timeout=2s
