#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that structure.sh finds each sin: a clean little house passes, and fails with any one of them.
set -eu
structure=$(dirname "$0")/structure.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
LICENCE='// SPDX-License-Identifier: MIT'
failed=0
rows=0

clean_house()
{
    rm -rf "${house:?}"/*
    mkdir -p "$house/calibration" "$house/vision/opencv_c" "$house/referee/rules" "$house/tests"
    for f in calibration/first.c vision/a.c referee/rules/third.c; do
        printf '%s\nint f(void);\nint f(void)\n{\n    return 0;\n}\n' "$LICENCE" >"$house/$f"
    done
}

# expect WORDS: structure.sh must fail and print them; without words it must pass.
expect()
{
    rows=$((rows + 1))
    words=$1
    shift
    status=0
    said=$(sh "$structure" "$house" "$@" 2>&1) || status=$?
    case "$status,$said" in
    0,*) [ -z "$words" ] && return 0 ;;
    *"$words"*) [ -n "$words" ] && return 0 ;;
    esac
    echo "FAIL wanted '$words', got status $status: $said"
    failed=$((failed + 1))
}

export MOST_USED_ONCE_PERCENT=50 MOST_CONSTANTS=3 MOST_TWICE=0 MOST_ABORTS=0 MOST_NAMESAKES=0 MOST_CIRCLES=0

# sin FILE LINE WORDS: a file of one line in the clean house.
sin()
{
    clean_house
    mkdir -p "$house/$(dirname "$1")"
    printf '%s\n%b\n' "$LICENCE" "$2" >"$house/$1"
    expect "$3"
}

clean_house
expect ""
rm -rf "${house:?}"/*
expect "nothing to look at"
sin calibration/b.c '#include "vision/frame.h"' "calibration includes vision/frame.h"
sin calibration/b.h '#include "referee/log.h"' "calibration includes referee/log.h"
sin vision/b.c '#include "referee/log.h"' "vision includes referee/log.h"
sin vision/source/b.c '#include "../frame.h"' "include from the root"
sin vision/b.c '#include "frame.h"' "include from the root"
sin referee/rules/b.c '#include "calibration/camera.h"' "rules and games include calibration/camera.h"
sin referee/games/b.h '#include "vision/frame.h"' "rules and games include vision/frame.h"
sin referee/rules/b.c '#include "calibration/board.h"' ""
sin vision/b.c '#include <opencv2/core.hpp>' "OpenCV outside its wrapper"
sin vision/b.cpp '' "C++ is for the wrapper"
sin vision/b.h '// a.h: what b does.' "this file is b.h"
sin vision/b.h '// b.h: what b does, unlike a.h: it does more.' ""
sin vision/b.c "// TO""DO" "something is left to do"
clean_house
echo 'int g(void);' >"$house/vision/b.c"
expect "the first line is not the licence"
clean_house
yes '' | head -600 >>"$house/vision/a.c" || true
expect "more than 600 lines"
clean_house
{ echo 'void g(void)'; echo '{'; yes '    ;' | head -69; echo '}'; } >>"$house/vision/a.c"
expect "g has 72 lines"
# sins WORDS FILE LINE...: several files of one line each (\n for more) in the clean house.
sins()
{
    clean_house
    wanted=$1
    shift
    while [ $# -gt 0 ]; do
        mkdir -p "$house/$(dirname "$1")"
        printf '%s\n%b\n' "$LICENCE" "$2" >"$house/$1"
        shift 2
    done
    expect "$wanted"
}
sins "a second public type thing" vision/b.h 'struct thing {\n    int a;\n};' referee/c.h 'enum thing {\n    A\n};'
sins "" vision/b.h 'struct thing;' referee/d.h 'struct thing {\n    int a;\n};' vision/c.c 'struct thing {\n    int b;\n};'
sins "a second file of that name" vision/b.c 'int g;' referee/b.c 'int h;'
sins "" referee/rules/main.c 'int g;' vision/main.c 'int h;'
sin vision/eye_board.c 'int g;' 'nobody outside knows what "eye" is'
sin vision/other.c 'int wet_specks;' 'nobody outside knows what "specks" is'
sin vision/other.h 'struct playback { struct tracker *eye; };' 'nobody outside knows what "eye" is'
sin vision/other.h 'int other_of(int a);' 'nobody else asks for other_of'
sins "" vision/other.h 'int other_of(int a);' referee/asks.c 'int g(void)\n{\n    return other_of(1);\n}'
sins "vision/b: includes itself" vision/b.h '#include "vision/c.h"' vision/c.c '#include "vision/d.h"' vision/d.h '#include "vision/b.h"'
sins "" vision/b.h '#include "vision/c.h"' vision/b.c '#include "vision/b.h"' vision/c.h '#include "vision/d.h"' vision/d.h 'int g;'
sin vision/b.c 'void h(void)\n{\n    abort();\n}' "abort(): no memory is told"
sin vision/b.c '// abort() is not used, nor "abort()"' ""
sins "LIMIT stands at vision/b.c:2 too" vision/b.c 'static const double LIMIT = 1;' vision/c.h 'enum { LIMIT = 2 };'
sins "LIMIT stands at vision/b.c:2 too" vision/b.c '#define LIMIT 2' vision/c.c 'static const double OTHER = 2,\n                    LIMIT = 1;'
sins "" vision/b.c 'static const double LIMIT = 1;' referee/c.c 'enum { LIMIT = 2 };' # each floor has its own
sin vision/b.c 'enum { A = 1, B = 2, C = 3, D = 4 };' "4 constants, more than 3"
sin vision/b.c 'enum { A = 1, B, C, D };' ""
sin vision/b.c 'static int once(void)\n{\n    return 1;\n}\nint g(void)\n{\n    return once();\n}' "1 of 1 static functions"
sin vision/b.c 'static int twice(void)\n{\n    return 1;\n}\nint g(void)\n{\n    return twice() + twice(); // once()\n}' ""
sin vision/b.c 'static int once(void)\n{\n    return 1;\n}\nint (*const table[])(void) = { once };' ""
clean_house
printf 'long time(long *);\nlong f(void);\nlong f(void)\n{\n    return time(0);\n}\n' |
    ${CC:-cc} -fno-builtin -x c -c -o "$house/impure.o" -
expect "time: rules and games only calculate" "$house/impure.o"
printf 'double hypot(double, double);\ndouble f(double x);\ndouble f(double x)\n{\n    return hypot(x, 1);\n}\n' |
    ${CC:-cc} -fno-builtin -x c -c -o "$house/pure.o" -
expect "" "$house/pure.o"
echo "structure_test: $rows houses, $failed wrongly judged"
[ "$failed" = 0 ]
