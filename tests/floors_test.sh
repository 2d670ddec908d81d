#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that floors.sh finds each sin: a clean little house passes, and fails with any one of them.
set -eu
floors=$(dirname "$0")/floors.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
LICENCE='// SPDX-License-Identifier: MIT'
failed=0
rows=0

clean_house()
{
    rm -rf "${house:?}"/*
    mkdir -p "$house/calibration" "$house/vision/opencv_c" "$house/referee/rules" "$house/tests"
    for f in calibration/a.c vision/a.c referee/rules/a.c; do
        printf '%s\nint f(void);\nint f(void)\n{\n    return 0;\n}\n' "$LICENCE" >"$house/$f"
    done
}

# expect WORDS: floors.sh must fail and print them; without words it must pass.
expect()
{
    rows=$((rows + 1))
    words=$1
    shift
    status=0
    said=$(sh "$floors" "$house" "$@" 2>&1) || status=$?
    case "$status,$said" in
    0,*) [ -z "$words" ] && return 0 ;;
    *"$words"*) [ -n "$words" ] && return 0 ;;
    esac
    echo "FAIL wanted '$words', got status $status: $said"
    failed=$((failed + 1))
}

# sin FILE LINE WORDS: a file of one line in the clean house.
sin()
{
    clean_house
    mkdir -p "$house/$(dirname "$1")"
    printf '%s\n%s\n' "$LICENCE" "$2" >"$house/$1"
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
clean_house
printf 'long time(long *);\nlong f(void);\nlong f(void)\n{\n    return time(0);\n}\n' |
    ${CC:-cc} -fno-builtin -x c -c -o "$house/impure.o" -
expect "time: rules and games only calculate" "$house/impure.o"
printf 'double hypot(double, double);\ndouble f(double x);\ndouble f(double x)\n{\n    return hypot(x, 1);\n}\n' |
    ${CC:-cc} -fno-builtin -x c -c -o "$house/pure.o" -
expect "" "$house/pure.o"
echo "floors_test: $rows houses, $failed wrongly judged"
[ "$failed" = 0 ]
