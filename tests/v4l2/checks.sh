# SPDX-License-Identifier: MIT
# checks.sh: what the scripts beside it look at a watch with; to be read by them.
# shellcheck shell=sh
bad=0

# check NAME FILE WORDS: they stand in it.
check()
{
    if grep -q -- "$3" "$2"; then
        echo "ok    $1"
    else
        echo "WRONG $1: no '$3' in"
        sed 's/^/      /' "$2"
        bad=$((bad + 1))
    fi
}

# until_says FILE WORDS: the emulated machine is slow, and how slow is not known.
until_says()
{
    n=0
    until grep -q -- "$2" "$1" || [ $n -gt 600 ]; do
        n=$((n + 1))
        sleep 0.1
    done
}
