#!/bin/sh
# SPDX-License-Identifier: MIT
# analyze.sh KNOWN N COMMAND... -- FILE...: what COMMAND, an analyzer that takes N files at once, says of the files, less what
# KNOWN explains. Fails when something is left, when KNOWN explains what nobody says, and when it could not look at a file.
set -eu
known=$1
at_once=$2
shift 2
name=$1
how=
while [ "$1" != -- ]; do
    how="$how '$1'"
    shift
done
shift
[ $# -gt 0 ] || { echo "no file to analyze"; exit 1; }
said=$(mktemp)
trap 'rm -f "$said"' EXIT
printf '%s\n' "$@" | eval "xargs -P $(nproc) -n $at_once $how" >"$said" 2>&1 ||
    { echo "the analyzer could not look at every file:"; grep -E ' (fatal )?error:' "$said" | head -5; exit 1; }
awk -v files=$# -v name="$name" '
    FNR == NR {
        if (!/^#/ && (at = index($0, " | ")) > 0)
            known[substr($0, 1, at - 1)] = 0
        next
    }
    / warning: / {
        file = $0
        sub(/:.*/, "", file)
        words = $0
        sub(/.* warning: /, "", words)
        explained = 0
        for (k in known)
            if (index(file ": " words, k) == 1) {
                known[k]++
                explained = 1
            }
        if (!explained && !shown[$0]++) {
            print "FOUND " $0
            found++
        }
    }
    END {
        for (k in known) {
            if (!known[k]) {
                print "EXPLAINED AND NOT SAID: " k
                found++
            }
            explanations++
        }
        printf "analyzer of %s: %d files, %d explained, %d found\n", name, files, explanations, found
        exit found > 0
    }' "$known" "$said"
