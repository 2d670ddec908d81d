#!/bin/sh
# SPDX-License-Identifier: MIT
# analyze.sh KNOWN COMMAND... -- FILE...: what COMMAND, an analyzer, says of the files, less what KNOWN explains. Fails when
# something is left, when KNOWN explains what nobody says, and when it could not look at a file.
set -eu
known=$1
shift
how=
while [ "$1" != -- ]; do
    how="$how '$1'"
    shift
done
shift
[ $# -gt 0 ] || { echo "no file to analyze"; exit 1; }
said=$(mktemp)
trap 'rm -f "$said"' EXIT
printf '%s\n' "$@" | eval "xargs -P $(nproc) -n 6 $how" >"$said" 2>&1 ||
    { echo "the analyzer could not look at every file:"; grep -E ' (fatal )?error:' "$said" | head -5; exit 1; }
awk -v files=$# '
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
        printf "analyzer: %d files, %d explained, %d found\n", files, explanations, found
        exit found > 0
    }' "$known" "$said"
