#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh alone|together HEADER...: does each compile by itself; do all in one file, in whatever order they come?
#
# HOW, from the environment, is the compiler with its flags.
set -eu
way=$1
shift
[ $# -gt 0 ] || { echo "no header to look at"; exit 1; }
all=$(mktemp)
trap 'rm -f "$all"' EXIT
case $way in
alone)
    for h in "$@"; do $HOW -fsyntax-only -x c "$h"; done
    ;;
together)
    for order in sort 'sort -r'; do
        printf '#include "%s"\n' "$@" | $order >"$all"
        $HOW -fsyntax-only -x c "$all"
    done
    ;;
esac
echo "headers: $# compile $way"
