#!/bin/sh
# SPDX-License-Identifier: MIT
# webcam.sh MACHINE PROGRAM: an USB webcam shows a game, and is frozen, damaged and unplugged while it does. MACHINE runs a command
# where such a camera is: it takes --device uvc --feed FILM --size WxH --fps N --time-limit S -- COMMAND, and offers `camctl` there.
set -u
if [ -n "$1" ]; then
    exec "$1" --device uvc --feed samples/clips/crokinole_a.mp4 --size 640x360 --fps 12 --time-limit 400 -- \
        sh "$(realpath "$0")" "" "$(realpath "$2")"
fi
program=$2
. "$(realpath "$(dirname "$0")")/checks.sh"
work=$(mktemp -d)
cd "$work" || exit 1

"$program" watch --game crokinole --no-book --no-voice --no-web --camera /dev/video0 >said 2>told &
watch=$!
until_says told "lines fit"
check "the board is found" told "lines fit"
until_says said " 15  "
check "and a disc in the 15 is called, as from the film" said " 15  .* inside the line"
camctl freeze
until_says told "no picture comes\|frozen"
check "nothing comes any more: it is told" told "no picture comes\|frozen"
camctl thaw
until_says told "is back\|back after"
check "and that it is over" told "is back\|back after"
camctl truncate 20
camctl garbage 20
sleep 5
camctl unplug
until_says told unplugged
check "unplugged: it is told" told unplugged
camctl plug
until_says told "is back as"
check "plugged in again: it goes on" told "is back as"
calls=$(wc -l <said)
n=0
while [ "$(wc -l <said)" -le "$calls" ] && [ $n -lt 900 ]; do
    n=$((n + 1))
    sleep 0.1
done
[ "$(wc -l <said)" -gt "$calls" ] && echo called >more || echo nothing >more
check "and the game with it" more called
kill -TERM $watch
wait $watch
echo "status $?" >status
check "it ends in order" status "status 143"
check "with a summary" told "pictures"
cat said told >&2
cd / && rm -rf "$work"
exit $((bad > 0))
