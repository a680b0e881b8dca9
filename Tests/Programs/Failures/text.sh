# The total is wrong.
set -e
$FORM text &
$CTL wait widget role=button name=Save timeout=60s
$CTL wait widget role=label "name=Total: 12 €" timeout=3s
