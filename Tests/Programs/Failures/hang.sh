# The program stops answering when it saves.
set -e
$FORM hang &
$CTL click role=button name=Save timeout=60s
wait
