#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that same.sh finds what a program's words must not hang on: one that is the same everywhere passes, and fails when it
# also says where, when or how it was run.
set -eu
same=$(dirname "$0")/same.sh
samples=$(dirname "$0")/../samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LOCALES=$work/locales
export LOCALES
failed=0
rows=0

# program NAME SAYS: says a call and what the shell makes of SAYS, and leaves a log of it in --out's folder.
program()
{
    cat >"$work/$1" <<END
#!/bin/sh
while [ "\$1" != --out ]; do shift; done
echo '{"event":"call"}' "$2"
echo "$2" >"\$2/crokinole_knock.ringside.jsonl"
END
    chmod +x "$work/$1"
}

# expect WORDS SAYS: same.sh must fail and print the words; without words it must pass.
expect()
{
    rows=$((rows + 1))
    program usual "$2"
    status=0
    said=$(sh "$same" "$samples" "$work/usual" 2>&1) || status=$?
    case "$status,$said" in
    0,*) [ -z "$1" ] && return 0 ;;
    *"$1"*) [ -n "$1" ] && return 0 ;;
    esac
    echo "FAIL wanted '$1', got status $status: $said"
    failed=$((failed + 1))
}

expect '' '1.5'
expect 'DIFFERS: in memory full of a5' '$MALLOC_PERTURB_'
expect 'DIFFERS: at the end of the world' '$(date +%z)'
expect 'DIFFERS: for the eyes of the owner alone' '$(umask)'
expect 'DIFFERS: on seven threads' '$OPENCV_FOR_THREADS_NUM'
[ "$(nproc)" = 1 ] || expect 'DIFFERS: on one processor' '$(nproc)'
expect 'relative path, files of another age' '$(stat -c %Y "$(pwd)"/in/* 2>&1)'
if [ -d "$LOCALES/tr_TR.UTF-8" ]; then
    expect 'DIFFERS: in de_DE.UTF-8' '$(locale decimal_point)'
    expect 'DIFFERS: in tr_TR.UTF-8' '$(echo I | LC_ALL=$LC_ALL sed s/I/\\L\&/)'
fi

# Another build that says otherwise, and one that says nothing.
program usual 1.5
program other 1.50000001
rows=$((rows + 2))
sh "$same" "$samples" "$work/usual" "$work/other" >"$work/said" 2>&1 && { echo "FAIL another build's digits pass"; failed=1; }
grep -q "DIFFERS: $work/other" "$work/said" || { echo "FAIL another build is not named"; failed=1; }
sh "$same" "$samples" /bin/true >"$work/said" 2>&1 && { echo "FAIL a program without words passes"; failed=1; }
echo "same_test: $rows rows, $failed failed"
[ "$failed" = 0 ]
