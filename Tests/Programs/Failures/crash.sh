# The program crashes when it saves.
set -e
$FORM crash &
$CTL click role=button name=Save timeout=60s
$CTL wait window "title=Order saved" timeout=3s
