#!/bin/sh
# SPDX-License-Identifier: MIT
# webcam.sh MACHINE PROGRAM: an USB webcam shows a game, and is frozen, damaged and unplugged while it does; what was recorded of it is
# reviewed. MACHINE runs a command where such a camera is: it takes --device uvc --feed FILM --size WxH --fps N --virtual-time
# --time-limit S -- COMMAND, and offers `camctl` there. The clock there goes by what the machine computes, for one that is emulated on
# a busy computer is too slow for a camera by our clock: no call came in a quarter of an hour.
set -u
if [ -n "$1" ]; then
    exec "$1" --device uvc --feed samples/clips/crokinole_a.mp4 --size 640x360 --fps 12 --virtual-time --time-limit 3600 -- \
        sh "$(realpath "$0")" "" "$(realpath "$2")"
fi
program=$2
. "$(realpath "$(dirname "$0")")/checks.sh"
work=$(mktemp -d)
cd "$work" || exit 1

# calls FILE: when and what was called, one a line.
calls()
{
    sed -n '/"event":"call"/s/.*"t_s":\([^,]*\),"shot":\([^,]*\),.*"text":"\([^"]*\)".*/\1 \2 \3/p' "$1"
}

# calls_more THAN: the emulated machine is slow.
calls_more()
{
    n=0
    while [ "$(calls said | wc -l)" -le "$1" ] && [ $n -lt 900 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    { tail -n 4 told; tail -n 4 said | cut -c 1-300; } >further
    if [ "$(calls said | wc -l)" -gt "$1" ]; then
        echo "called" >further
    fi
}

# goes_on NAME: it is called again, and the match is the one that it was: no shot is forgotten.
goes_on()
{
    calls_more "$before"
    check "$1: the game goes on" further "^called$"
    calls said | awk '$2 < last { print "shot", $2, "after", last; back = 1 } { last = $2 } END { if (!back) print "in order" }' >order
    check "$1: the match is the same" order "in order"
    before=$(calls said | wc -l)
}

"$program" watch --game crokinole --no-book --no-voice --no-web --json --record recorded --camera /dev/video0 >said 2>told &
watch=$!
until_says told "lines fit"
check "the board is found" told "lines fit"
until_says said " 15  "
check "and a disc in the 15 is called, as from the film" said " 15  .* inside the line"
before=$(calls said | wc -l)
camctl freeze
until_says told "no picture comes\|frozen"
check "nothing comes any more: it is told" told "no picture comes\|frozen"
camctl thaw
until_says told "is back\|back after"
check "and that it is over" told "is back\|back after"
goes_on "frozen"
camctl truncate 20
sleep 3
camctl garbage 20
sleep 3
camctl empty 20
sleep 3
goes_on "damaged"
camctl unplug
until_says told unplugged
check "unplugged: it is told" told unplugged
camctl plug
until_says told "is back as"
check "plugged in again: it goes on" told "is back as"
goes_on "unplugged"
kill -TERM $watch
wait $watch
echo "status $?" >status
check "it ends in order" status "status 143"
check "with a summary" told "pictures"
# Some are lost on their way before they can be damaged.
damaged=$(sed -n 's/.* dropped: \([0-9]*\) by the camera.*/\1/p' told)
echo "${damaged:-0} of 60" >count
if [ "${damaged:-0}" -ge 40 ]; then
    echo "counted" >>count
fi
check "truncated, corrupt and empty pictures are counted" count counted

# Of what was looked at whole the recording gives the same calls; it may go on behind the last picture that was looked at.
"$program" review --game crokinole --no-book --quiet --json --out reviewed --match "$(echo recorded/*/match.json)" recorded >again \
    2>again.told || cat again.told
slow=$(sed -n 's/.* by the camera, \([0-9]*\) because.*/\1/p' told)
calls said >watched
calls again | head -n "$(wc -l <watched)" >recalled
if [ "${slow:-0}" -gt 0 ]; then
    echo "      $slow pictures were not looked at: the calls of the recording are not held against the watch's"
    check "the recording is called as well" recalled " 15  "
else
    diff watched recalled >same && echo "same" >same
    check "the recording gives the same calls" same "^same$"
fi
cat said told >&2
cd / && rm -rf "$work"
exit $((bad > 0))
