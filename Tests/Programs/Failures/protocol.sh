# The program breaks the Wayland protocol when it saves.
set -e
$FORM protocol &
$CTL click role=button name=Save timeout=60s
$CTL wait window "title=Order saved" timeout=3s
