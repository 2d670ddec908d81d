#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM SECONDS [TARGET...]: searches with each target for so long, as many at once as there are processors.
#
# Prints a line a target: executions, places of the code that were reached, finds. What is found is put into found/TARGET beside
# this script, where `make test` fails until it is mended; the inputs that reached something are kept beside the program, where
# the next search begins. Fails at a find, and when a target did not run. SEED=n: the same search again, where it begins from the
# same inputs and runs no longer; by chance otherwise.
set -eu
program=$(realpath "$1")
seconds=$2
shift 2
here=$(realpath "$(dirname "$0")")
folder=$(dirname "$program")
: "${JOBS:=$(nproc)}"
if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # names without blanks
    set -- $(cd "$here/seeds" && echo *)
fi

# One target. Memory is bounded, and time for each input: of the processor in fuzz_main.c, on the wall here, so long that no machine
# is so busy.
if [ "${RINGSIDE_FUZZ_ONE:-}" ]; then
    t=$1
    corpus=$folder/corpus/$t
    found=$here/found/$t
    mkdir -p "$corpus" "$found"
    touch "$folder/$t.begun"
    case $t in
    log | file | bundle) dictionary=-dict=$here/log.dict ;;
    record) dictionary=-dict=$here/record.dict ;;
    *) dictionary= ;;
    esac
    rc=0
    # shellcheck disable=SC2086 # none or one word
    RINGSIDE_FUZZ=$t "$program" -max_total_time="$seconds" -timeout=1800 -rss_limit_mb=2048 -max_len=65536 \
        -report_slow_units=1000 -print_final_stats=1 ${SEED:+-seed=$SEED} $dictionary -artifact_prefix="$found/" \
        "$corpus" "$here/seeds/$t" "$found" >"$folder/$t.told" 2>&1 </dev/null || rc=$?
    finds=$(find "$found" -type f -newer "$folder/$t.begun" | wc -l)
    rmdir "$found" 2>/dev/null || true
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$t.told")
    reached=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$folder/$t.told" | tail -n 1)
    printf '%-8s %9s executions %6s places reached %3s found\n' "$t" "${runs:-0}" "${reached:-0}" "$finds"
    if [ "$rc" != 0 ] || [ "${runs:-0}" = 0 ]; then
        echo "  it ended with $rc:"
        sed -n '/^==[0-9]*==\|promise is broken\|^SUMMARY\|^ *#[0-9]* .* in /p' "$folder/$t.told" | head -n 40
        tail -n 5 "$folder/$t.told"
        # What was found, for whoever has no more of the machine than what it said.
        find "$found" -type f -newer "$folder/$t.begun" -size -5k -exec base64 {} \; 2>/dev/null || true
        echo "  RINGSIDE_FUZZ=$t $program FILE shows it again, FILE being one of $found; $folder/$t.told has all"
        exit 1
    fi
    exit 0
fi

rc=0
printf '%s\n' "$@" | RINGSIDE_FUZZ_ONE=1 xargs -P "$JOBS" -n 1 sh "$here/run.sh" "$program" "$seconds" || rc=1
exit $rc
