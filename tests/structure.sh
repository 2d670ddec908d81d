#!/bin/sh
# SPDX-License-Identifier: MIT
# structure.sh ROOT [OBJECT...]: is the house built as it says?
#
# Floors include only downwards, rules and games know nothing of pictures and call nothing but arithmetic (OBJECT... are
# their compiled files), C++ is in one place, files and functions stay short, headers know their names. Every public type, every
# file and every constant of vision has a name of its own, and one that the field knows; modules do not include each other in a
# circle; a helper has more than one user as a rule; nothing gives up by abort(). Prints each sin and fails; finding nothing to look
# at is a sin too.
set -eu
LONGEST_FUNCTION=70
LONGEST_FILE=600
: "${MOST_USED_ONCE_PERCENT:=45}" # of the static functions of the product
: "${MOST_CONSTANTS:=299}"        # numbers with a name at file scope in vision; what decides is tuning
: "${MOST_TWICE:=0}"
: "${MOST_ABORTS:=0}"
: "${MOST_NAMESAKES:=0}"
: "${MOST_CIRCLES:=0}"
cd "$1"
shift

files=$(find calibration vision referee tests samples -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' 2>/dev/null | sort)
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
        FNR == 2 && /^\/\/ [a-z0-9_]+\.h: / {
            name = FILENAME; sub(/.*\//, "", name)
            if (index($0, "// " name ": ") != 1) tell("this file is " name)
        }
        FNR == longest + 1 { tell("more than " longest " lines") }
        /TODO|FIXME/ { tell("something is left to do") }
        /^#include <opencv2/ && FILENAME !~ /^vision\/opencv_c\// { tell("OpenCV outside its wrapper") }
        !/^#include "/ { next }
        { split($0, part, "\""); file = part[2]; floor = FILENAME; sub(/\/.*/, "", floor) }
        file ~ /\.\.\// || file !~ /\// { tell("include from the root, not " file) }
        floor == "calibration" && file !~ /^calibration\// { tell("calibration includes " file) }
        floor == "vision" && file !~ /^(calibration|vision)\// { tell("vision includes " file) }
        FILENAME ~ /^referee\/(rules|games)\// &&
        file !~ /^(referee\/(rules|games)\/.*|calibration\/(board|units|fail|observation|text)\.h)$/ {
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
        $2 ~ /^(fmax|fmin|fabs|hypot|sqrt|floor|ceil|round|lround|llround|atan2|sin|cos|sincos|fmod)f?$/ { next }
        $2 ~ /^(mem(move|set|cpy|cmp)|str(cmp|ncmp|len|chr|rchr|str|spn|cspn|casecmp|tol|tod)|v?snprintf|qsort|bsearch|rs_fail|board_[a-z_]+)$/ { next }
        $2 ~ /^(__.*_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan)_.*)$/ { next }
        { print object " " $2 ": rules and games only calculate" }'
}

# Product code without comments and strings, a line "FILE:LINE<tab>CODE" each: what the measures below read.
plain_code()
{
    # shellcheck disable=SC2086
    awk '{
            gsub(/\\./, ""); gsub(/"[^"]*"/, "\"\""); gsub(/\047[^\047]*\047/, "0")
            sub(/\/\/.*/, ""); gsub(/\/\*[^*]*\*\//, "")
            print FILENAME ":" FNR "\t" $0
        }' $product
}

# beyond LIMIT: nothing while there are no more sins than that, then all of them.
beyond()
{
    awk -v most="$1" '{ line[NR] = $0 } END { for (i = 1; i <= NR && NR > most; i++) print line[i] }'
}

types_of_one_name()
{
    plain_code | awk -F '\t' '
        { split($1, at, ":"); split($2, word, " ") }
        at[1] ~ /\.h$/ && $2 ~ /^(struct|enum|union) [A-Za-z0-9_]+ \{/ {
            if (word[2] in seen)
                print $1 ": a second public type " word[2] ", beside " seen[word[2]]
            else
                seen[word[2]] = $1
        }'
}

files_of_one_name()
{
    printf '%s\n' $product | awk -F / '
        $NF == "main.c" { next }
        $NF in seen { print $0 ": a second file of that name, beside " seen[$NF] }
        { seen[$NF] = $0 }'
}

# Of the words that a file name is made of; the style's table has those that the field knows.
private_words()
{
    printf '%s\n' $product | awk -F / '
        BEGIN {
            n = split("aim bend eye furniture hearing kept looked retrial settle showreel sighting specks story stray " \
                      "strays told trail", word, " ")
            for (i = 1; i <= n; i++) private[word[i]] = 1
        }
        {
            name = $NF; sub(/\.[a-z]+$/, "", name); n = split(name, part, "_")
            for (i = 1; i <= n; i++)
                if (part[i] in private) print $0 ": nobody outside knows what \"" part[i] "\" is"
        }'
}

# Of the names of things, those of the same words that stand for nothing else. The eye is where a camera looks from.
private_names()
{
    plain_code | awk -F '\t' '
        BEGIN { n = split("bend furniture hearing specks trail", word, " "); for (i = 1; i <= n; i++) private[word[i]] = 1 }
        {
            for (text = $2; match(text, /[A-Za-z0-9_]+/); text = substr(text, RSTART + RLENGTH)) {
                n = split(substr(text, RSTART, RLENGTH), part, "_")
                for (i = 1; i <= n; i++)
                    if (part[i] in private) print $1 ": nobody outside knows what \"" part[i] "\" is"
            }
        }
        $2 ~ /struct tracker \*eye/ { print $1 ": nobody outside knows what \"eye\" is" }'
}

# What a header promises and nobody else names, in the product or a test, is its file's own.
unasked_exports()
{
    headers=$(printf '%s\n' $product | grep '\.h$') || return 0
    # shellcheck disable=SC2086
    ctags -f - --langmap=C:.c.h --kinds-C=p $headers | awk -F '\t' '
        FILENAME == "-" { if (!/^!/) of[$1] = $2; next }
        FNR == 1 { module = FILENAME; sub(/\.[a-z]+$/, "", module) }
        {
            sub(/\/\/.*/, "")
            for (text = $0; match(text, /[A-Za-z0-9_]+/); text = substr(text, RSTART + RLENGTH)) {
                name = substr(text, RSTART, RLENGTH)
                if (name in of) {
                    own = of[name]; sub(/\.h$/, "", own)
                    asked[name] += module != own
                }
            }
        }
        END { for (name in of) if (!asked[name]) print of[name] ": nobody else asks for " name }' - $files | sort
}

# x.c and x.h are one module.
circles()
{
    # shellcheck disable=SC2086
    awk '/^#include "/ {
            split($0, part, "\""); to = part[2]; from = FILENAME
            sub(/\.(c|h|cpp)$/, "", to); sub(/\.(c|h|cpp)$/, "", from)
            if (to != from) print from, to
        }' $product | tsort 2>&1 >/dev/null | sed -n '/contains a loop/!s/^tsort: //p' | sort -u |
        sed 's/$/: includes itself by way of others/'
}

aborts()
{
    plain_code | awk -F '\t' '$2 ~ /(^|[^A-Za-z0-9_])abort\(/ { print $1 ": abort(): no memory is told, RS_ENOMEM" }'
}

# "NAME FILE:LINE" for each constant of vision with a number: const doubles and the like, #define, nameless enum; at
# file scope.
constants()
{
    plain_code | awk -F '\t' '
        function declared(text, at,    i, c, depth, part) {
            depth = 0; part = ""
            for (i = 1; i <= length(text) + 1; i++) {
                c = substr(text, i, 1)
                if (c ~ /[({\[]/) depth++
                if (c ~ /[)}\]]/) depth--
                if (c == "" || (c == "," && depth == 0)) {
                    if (part ~ /=/) { sub(/^ */, "", part); sub(/[^A-Za-z0-9_].*/, "", part); print part, at }
                    part = ""
                } else
                    part = part c
            }
        }
        $1 !~ /^vision\// { next }
        $2 ~ /^#define [A-Za-z0-9_]+ [-0-9.]/ { split($2, word, " "); print word[2], $1; next }
        $2 ~ /^(static )?const (double|float|int|uint8_t|long|size_t) / || $2 ~ /^enum \{/ { text = ""; at = $1 }
        at { text = text " " $2 }
        at && /;[ ]*$/ {
            sub(/;[ ]*$/, "", text); sub(/^ /, "", text)
            if (text ~ /^enum/) { sub(/^enum \{/, "", text); sub(/\}[^}]*$/, "", text) }
            else sub(/^(static )?const [a-z0-9_]+ /, "", text)
            declared(text, at)
            at = ""
        }'
}

constants_twice()
{
    constants | awk '
        $1 in seen { print $2 ": " $1 " stands at " seen[$1] " too: share it or tell the two apart" }
        { seen[$1] = $2 }'
}

too_many_constants()
{
    constants | awk -v most="$MOST_CONSTANTS" '
        { n++ }
        END { if (n > most) print "vision: " n " constants, more than " most ": what decides is tuning" }'
}

used_once()
{
    plain_code | awk -F '\t' -v most="$MOST_USED_ONCE_PERCENT" '
        { split($1, at, ":"); file = at[1] }
        file !~ /\.c$/ { next }
        $2 ~ /^static [^=(]*[A-Za-z0-9_]+\(/ {
            name = $2; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            own[file, name]--
            if (!((file, name) in known)) known[file, name] = 0
        }
        {
            for (text = $2; match(text, /[A-Za-z0-9_]+/); text = substr(text, RSTART + RLENGTH)) {
                name = substr(text, RSTART, RLENGTH)
                uses[file, name]++
                listed[file, name] += substr(text, RSTART + RLENGTH, 1) != "(" # in a table: it has no caller to go back to
            }
        }
        END {
            for (f in known) { all++; once += uses[f] + own[f] == 1 && !listed[f] }
            if (all && 100 * once > most * all)
                printf "%d of %d static functions are used once, more than %d %%: fold back what its body says as well\n",
                    once, all, most
        }'
}

product=$(printf '%s\n' "$files" | grep -E '^(calibration|vision|referee)/')
sins=$(
    includes_and_length
    cpp_elsewhere
    long_functions
    { types_of_one_name; files_of_one_name; private_words; private_names; } | beyond "$MOST_NAMESAKES"
    circles | beyond "$MOST_CIRCLES"
    unasked_exports
    aborts | beyond "$MOST_ABORTS"
    constants_twice | beyond "$MOST_TWICE"
    too_many_constants
    used_once
    impure_calls "$@"
)
if [ -n "$sins" ]; then
    printf '%s\n' "$sins"
    exit 1
fi
echo "structure: $house files and $# objects of rules and games are in order"
