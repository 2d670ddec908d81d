#!/bin/sh
# SPDX-License-Identifier: MIT
# vivid.sh PROGRAM: what a camera of the kernel's own test driver shows of listing, modes, controls and faults. On the machine
# that has one (machine.sh). A line each; fails when one of them does.
program=$1
. "$(realpath "$(dirname "$0")")/checks.sh"
work=$(mktemp -d)
cd "$work" || exit 1

start_watch()
{
    "$program" watch --game crokinole --no-book --no-voice --no-web --size 320x180 "$@" >said 2>told &
    watch=$!
}

# end_watch STATUS NAME
end_watch()
{
    kill -TERM $watch
    wait $watch
    echo "status $?" >status
    check "$2" status "status $1"
}

"$program" cameras >list 2>&1
check "a camera is listed by its name" list vivid
check "and by its plug" list platform:vivid-000
check "and by its node" list /dev/video0
"$program" cameras /dev/video0 >sheet 2>&1
check "its controls are listed" sheet brightness
"$program" cameras /dev/video0 --out aim.png >aim 2>&1
file_size=$(stat -c %s aim.png 2>/dev/null || echo 0)
echo "$file_size bytes" >size
check "a picture to aim by is taken" size '^[0-9][0-9][0-9]'

# White all over: in its bars a board is searched for, to no end and for minutes on such a machine.
v4l2-ctl -d /dev/video0 -c test_pattern=6,osd_text_mode=2 >set 2>&1
v4l2-ctl -d /dev/video0 -C test_pattern,osd_text_mode >set 2>&1
check "it shows white" set "test_pattern: 6"
check "and no words" set "osd_text_mode: 2"

"$program" watch --game crokinole --no-book --no-voice --no-web --camera vivid --size 321x181 --for 3 >said 2>told
check "a size that it has not is told" told "has no 321 x 181"
check "what was not found is told" told "no board found"
"$program" watch --game crokinole --no-book --camera vivid --control brightnes=3 >said 2>told
check "a control that it has not is refused, with one that it has" told brightness
"$program" watch --game crokinole --no-book --camera vivid --control brightness=999 >said 2>told
check "a value out of range is refused with the range" told 255

start_watch --camera vivid --control brightness=77
until_says told watching
until_says told 320
v4l2-ctl -d /dev/video0 -C brightness >control
check "a control is set while it is watched" control "brightness: 77"
"$program" watch --game crokinole --no-book --no-web --camera /dev/video0 --size 640x360 >second 2>&1
check "a second program is told who has it" second "another program uses"
end_watch 143 "it ends in order"
v4l2-ctl -d /dev/video0 -C brightness >control
tail -n 3 told >>control # where it fails: what the camera was doing
check "and puts the control back" control "brightness: 128"

start_watch --camera vivid
until_says told watching
sleep 3
echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
until_says told unplugged
check "unplugged: it is told" told unplugged
echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
until_says told "is back"
check "plugged in again: it goes on" told "is back"
end_watch 143 "and ends in order"

start_watch --camera vivid
until_says told watching
sleep 3
for fault in inject_v4l2_buf_flag_error inject_vidioc_dqbuf_error inject_fatal_streaming_error; do
    v4l2-ctl -d /dev/video0 -c $fault=1 >/dev/null 2>&1
    sleep 3
done
kill -0 $watch 2>/dev/null && echo alive >alive || echo ended >alive
check "errors of the driver end nothing" alive alive
end_watch 143 "and it ends in order"

cd / && rm -rf "$work"
exit $((bad > 0))
