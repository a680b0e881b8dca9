# The total is red instead of green.
set -e
$FORM &
form=$!
$CTL wait widget role=label "name=Total: 12 €" timeout=60s
$CTL wait still
$CTL compare "$DIR/order.png" --update
kill $form
$CTL wait gone application=python3
$FORM pixel &
$CTL wait widget role=label "name=Total: 12 €" timeout=60s
$CTL wait still
$CTL compare "$DIR/order.png"
