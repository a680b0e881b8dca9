# Another window takes the keyboard.
set -e
$FORM &
$CTL click role=button name=Save timeout=60s
$CTL wait window "title=Order saved" visible timeout=60s
$CTL claim title=Chat frame=270,20,190,260 color=#204838 key >/dev/null &
$CTL wait window title=Chat key
$CTL wait window "title=Order saved" key timeout=2s
