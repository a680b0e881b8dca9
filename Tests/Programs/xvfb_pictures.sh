#!/bin/bash
# Shows something on an X display of 640 × 480, and prints pixels of it; then, for each way to take its picture, if all
# pixels are the same. $1: a folder with RobotProgram.class.
set -eu
cd "$(mktemp -d "$1/XXXXXX")"
# pixel FILE X,Y: of bytes of red, green and blue.
pixel() { od -An -vtx1 -j $(((${2#*,} * 640 + ${2%,*}) * 3)) -N 3 "$1"; }
# raw NAME FILE
raw() { ffmpeg -loglevel error -y -i "$2" -f rawvideo -pix_fmt rgb24 "$1.raw"; }

xsetroot -solid '#203040'
xlogo -geometry 300x200+50+60 -bg '#ff8000' -fg '#0000ff' &
trap "kill $!" EXIT
until
    import -window root import.png
    raw import import.png
    [ "$(pixel import.raw 52,62)" = ' ff 80 00' ]
do :; done
for place in 10,10 52,62 349,259 352,262; do echo "$place$(pixel import.raw $place)"; done

xwd -root -silent -out root.xwd
raw xwd root.xwd
scrot root.png
raw scrot root.png
ffmpeg -loglevel error -f x11grab -draw_mouse 0 -video_size 640x480 -i "$DISPLAY" -frames:v 1 grab.bmp
raw x11grab grab.bmp
env -u WAYLAND_DISPLAY java -cp "$1" RobotProgram robot.raw
# The screen itself, with what its server draws: no pointer, which the X server keeps to itself.
mullionctl screenshot --output screen.png
raw screen screen.png
for name in xwd scrot x11grab robot screen; do
    if cmp -s import.raw $name.raw; then echo "$name same"; else echo "$name differs"; fi
done
