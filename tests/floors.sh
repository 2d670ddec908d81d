#!/bin/sh
# SPDX-License-Identifier: MIT
# floors.sh ROOT [OBJECT...]: is the house built as it says?
#
# Floors include only downwards, rules and games know nothing of pictures and call nothing but arithmetic (OBJECT... are
# their compiled files), C++ is in one place, files and functions stay short. Prints each sin and fails; finding nothing
# to look at is a sin too.
set -eu
LONGEST_FUNCTION=70
LONGEST_FILE=600
cd "$1"
shift

files=$(find calibration vision referee tests samples -name '*.[ch]' -o -name '*.cpp' 2>/dev/null | sort)
house=$(printf '%s\n' "$files" | grep -cE '^(calibration|vision|referee)/' || true)

if [ "$house" = 0 ]; then
    echo "$PWD: nothing to look at"
    exit 1
fi

includes_and_length()
{
    # shellcheck disable=SC2086 # no name in the tree has a blank
    awk -v longest="$LONGEST_FILE" '
        function tell(words) { print FILENAME ":" FNR ": " words }
        FNR == 1 && !/^\/\/ SPDX-License-Identifier: MIT$/ { tell("the first line is not the licence") }
        FNR == longest + 1 { tell("more than " longest " lines") }
        /TODO|FIXME/ { tell("something is left to do") }
        /^#include <opencv2/ && FILENAME !~ /^vision\/opencv_c\// { tell("OpenCV outside its wrapper") }
        !/^#include "/ { next }
        { split($0, part, "\""); file = part[2]; floor = FILENAME; sub(/\/.*/, "", floor) }
        file ~ /\.\.\// || file !~ /\// { tell("include from the root, not " file) }
        floor == "calibration" && file !~ /^calibration\// { tell("calibration includes " file) }
        floor == "vision" && file !~ /^(calibration|vision)\// { tell("vision includes " file) }
        FILENAME ~ /^referee\/(rules|games)\// &&
        file !~ /^(referee\/(rules|games)\/.*|calibration\/(board|units|fail|observation)\.h)$/ {
            tell("rules and games include " file) }
    ' $files
}

cpp_elsewhere()
{
    find calibration vision referee tests samples \( -name '*.cpp' -o -name '*.cc' -o -name '*.hpp' \) 2>/dev/null |
        grep -v '^vision/opencv_c/' | sed 's/$/: C++ is for the wrapper of OpenCV alone/' || true
}

long_functions()
{
    # shellcheck disable=SC2086
    ctags -f - --langmap=C:.c.h --kinds-C=f --kinds-C++=f --fields=+ne $files |
        awk -F '\t' -v longest="$LONGEST_FUNCTION" '
        {
            line = end = 0
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) line = substr($i, 6)
                if ($i ~ /^end:/) end = substr($i, 5)
            }
            seen++
            if (end - line + 1 > longest)
                print $2 ":" line ": " $1 " has " end - line + 1 " lines, more than " longest
        }
        END { if (!seen) print "ctags: no function found" }'
}

# Clocks, files, memory and chance have names that are not here.
impure_calls()
{
    [ $# -gt 0 ] || return 0
    own=$(nm --defined-only "$@" | awk 'NF == 3 { print $3 }')
    nm -u "$@" | awk -v own="$own" '
        BEGIN { n = split(own, name, "\n"); for (i = 1; i <= n; i++) known[name[i]] = 1 }
        /:$/ { object = $1 }
        $1 != "U" || $2 in known { next }
        $2 ~ /^(fmax|fmin|fabs|hypot|sqrt|floor|ceil|round|lround|llround|atan2|sin|cos|fmod)f?$/ { next }
        $2 ~ /^(mem(move|set|cpy|cmp)|str(cmp|ncmp|len|chr|rchr|tol)|v?snprintf|qsort|bsearch|rs_fail|board_[a-z_]+)$/ { next }
        $2 ~ /^(__.*_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan)_.*)$/ { next }
        { print object " " $2 ": rules and games only calculate" }'
}

sins=$(includes_and_length; cpp_elsewhere; long_functions; impure_calls "$@")
if [ -n "$sins" ]; then
    printf '%s\n' "$sins"
    exit 1
fi
echo "floors: $house files and $# objects of rules and games are in order"
