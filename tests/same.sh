#!/bin/sh
# SPDX-License-Identifier: MIT
# same.sh SAMPLES PROGRAM [OTHER]...: what the program says of the samples, byte for byte, however and wherever it is run, and
# from its other builds too: `look --json` with its picture, `review` with its log and its calls. Only the words of progress,
# which tell times, are left out. Says what it compared; fails and names the first difference when there is one. LOCALES: a
# folder to keep the locales in that it makes.
set -eu
samples=$(cd "$1" && pwd)
program=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
PICTURES='crokinole_02 rings_02 marbles_02 table_01'
CLIPS='crokinole_knock'
XDG_DATA_HOME=$work/data
mkdir -p "${LOCALES:=$work/locales}"
LOCPATH=$(cd "$LOCALES" && pwd)
export XDG_DATA_HOME LOCPATH
from=$PWD
failed=0
compared=0
mkdir "$work/in"
for p in $PICTURES; do cp "$samples/pictures/$p.jpg" "$work/in/"; done
for c in $CLIPS; do cp "$samples/clips/$c.mp4" "$work/in/"; done

game_of()
{
    case $1 in marbles*) echo american-marbles ;; rings*) echo crokinole-rings ;; *) echo crokinole ;; esac
}

# read_all OUT PROGRAM PREFIX COMMAND...: all samples, each named PREFIX/NAME, by the program under COMMAND. The prefix goes
# out of what is said.
read_all()
{
    out=$1 run=$2 prefix=$3
    shift 3
    mkdir "$out"
    for p in $PICTURES; do
        "$@" "$run" look --json --out "$out" --game "$(game_of "$p")" "$prefix/$p.jpg" >"$out/$p.json" 2>"$out/$p.err"
    done
    for c in $CLIPS; do
        "$@" "$run" review --json --no-book --quiet --out "$out" --game "$(game_of "$c")" "$prefix/$c.mp4" \
            >"$out/$c.json" 2>"$out/$c.err"
    done
    sed -i "s|$prefix/||g; s|$out/||g" "$out"/*.json "$out"/*.jsonl "$out"/*.err
}

# same WHAT OUT: whether the files of both folders are the same; else what differs first.
same()
{
    compared=$((compared + 1))
    if diff -rq "$work/usual" "$2" >"$work/diff"; then
        echo "same: $1"
        return 0
    fi
    failed=$((failed + 1))
    echo "DIFFERS: $1: $(head -1 "$work/diff")"
    name=$(sed -n "s|^Files $work/usual/\([^ ]*\) and.*|\1|p" "$work/diff" | head -1)
    [ -z "$name" ] || cmp "$work/usual/$name" "$2/$name" || true
    return 1
}

# Locales of our own making, so that none need be installed. A comma before decimals; letters that are not ASCII's when small.
for l in tr_TR de_DE; do
    [ -d "$LOCPATH/$l.UTF-8" ] || localedef -i $l -f UTF-8 "$LOCPATH/$l.UTF-8" 2>/dev/null || true
done
locales='tr_TR.UTF-8 de_DE.UTF-8'
if [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" != , ] || [ ! -d "$LOCPATH/tr_TR.UTF-8" ]; then
    echo "skipped: Turkish and German (no localedef, or no sources of theirs: Debian's package locales)"
    locales='C.UTF-8 C.UTF-8'
fi

# Ways to run it, each a command in front of it. Many at once; when that differs, each alone, to name the one.
cat >"$work/ways" <<END
in ${locales% *}|env LC_ALL=${locales% *} LANGUAGE=${locales% *}
in ${locales#* }|env LC_ALL=${locales#* } LANGUAGE=${locales#* }
at the end of the world|env TZ=Pacific/Kiritimati
on one processor|taskset -c 0
on seven threads|env OPENCV_FOR_THREADS_NUM=7
in memory full of a5|env MALLOC_PERTURB_=165
for the eyes of the owner alone|sh -c 'umask 077; exec "\$@"' -
END

run_way()
{
    eval "read_all \"$work/$2\" \"$program\" \"$3\" $1"
}

# together ROWS: their commands one in front of the other.
together()
{
    for row in $1; do sed -n "${row}s/.*|//p" "$work/ways"; done | tr '\n' ' '
}

alone()
{
    for row in $1; do
        run_way "$(sed -n "${row}s/.*|//p" "$work/ways")" "alone$row" "$work/in"
        same "$(sed -n "${row}s/|.*//p" "$work/ways")" "$work/alone$row" || true
    done
}

read_all "$work/usual" "$program" "$work/in" env
cd "$work"
touch -d '1999-12-31 23:59' in/*
run_way "$(together '1 3 4 6')" first "$work/in" &
one=$!
run_way "$(together '2 5 7')" second in
wait "$one"
same "${locales% *}, another time zone, one processor, memory of other content" "$work/first" || alone '1 3 4 6'
same "${locales#* }, seven threads, umask 077, relative path, files of another age" "$work/second" || alone '2 5 7'
for other in "$@"; do
    case $other in /*) ;; *) other=$from/$other ;; esac
    read_all "$work/other" "$other" "$work/in" env -u LOCPATH # glibc never frees it: a leak to the sanitizer
    same "$other" "$work/other" || true
    rm -rf "$work/other"
done
[ -s "$work/usual/crokinole_knock.ringside.jsonl" ] && grep -q '"event":"call"' "$work/usual/crokinole_knock.json" ||
    { echo "nothing was called: there was nothing to compare"; exit 1; }
echo "$compared other ways to run it compared on $(ls "$work/usual" | wc -l) files of output, $failed differ"
[ "$failed" = 0 ]
