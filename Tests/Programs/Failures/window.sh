# A window with another title opens.
set -e
$FORM window &
$CTL click role=button name=Save timeout=60s
$CTL wait window "title=Order saved" visible timeout=3s
