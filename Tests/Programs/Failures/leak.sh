# The program leaves a process behind.
set -e
$FORM leak &
form=$!
$CTL click role=button name=Save timeout=60s
$CTL wait window "title=Order saved" visible timeout=60s
kill $form
