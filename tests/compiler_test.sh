#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows what the compiler would refuse: headers that want others or clash, numbers that silently change, and, under
# ThreadSanitizer with the suppressions that we run it with, a race. HOW is the compiler with the product's flags.
set -eu
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
rows=0

# expect WORDS COMMAND...: it must fail and print them; without words it must pass.
expect()
{
    rows=$((rows + 1))
    words=$1
    shift
    status=0
    said=$("$@" 2>&1) || status=$?
    case "$status,$said" in
    0,*) [ -z "$words" ] && return 0 ;;
    *"$words"*) [ -n "$words" ] && return 0 ;;
    esac
    echo "FAIL wanted '$words', got status $status: $said"
    failed=$((failed + 1))
}

echo 'struct a { int x; };' >"$folder/a.h"
echo 'struct b { int y; };' >"$folder/b.h"
echo 'struct a { int z; };' >"$folder/clash.h"
echo 'struct c { struct b b; };' >"$folder/wants.h"
expect "" sh "$here/headers.sh" alone "$folder/a.h" "$folder/b.h"
expect "" sh "$here/headers.sh" together "$folder/a.h" "$folder/b.h"
expect "" sh "$here/headers.sh" alone "$folder/a.h" "$folder/clash.h"
expect "redefinition of" sh "$here/headers.sh" together "$folder/a.h" "$folder/clash.h"
expect "incomplete type" sh "$here/headers.sh" alone "$folder/b.h" "$folder/wants.h"
expect "incomplete type" sh "$here/headers.sh" together "$folder/b.h" "$folder/wants.h"
expect "no header" sh "$here/headers.sh" together

echo 'int whole(double x); int whole(double x) { return x; }' >"$folder/narrow.c"
echo 'int whole(double x); int whole(double x) { return (int)x; }' >"$folder/cast.c"
# shellcheck disable=SC2086 # HOW is several words
expect "float-conversion" $HOW -fsyntax-only "$folder/narrow.c"
# shellcheck disable=SC2086
expect "" $HOW -fsyntax-only "$folder/cast.c"

# counted HOLD RELEASE: two threads count with that around it.
counted()
{
    cat >"$folder/counted.c" <<C
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        $1(&lock);
        count++;
        $2(&lock);
    }
    return arg;
}
int main(void)
{
    pthread_t a, b;
    if (pthread_create(&a, NULL, add, NULL) != 0 || pthread_create(&b, NULL, add, NULL) != 0)
        return 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
    # shellcheck disable=SC2086
    $HOW -fsanitize=thread -o "$folder/counted" "$folder/counted.c" -lpthread
}
export TSAN_OPTIONS="suppressions=$here/tsan.supp"
counted pthread_mutex_lock pthread_mutex_unlock
expect "" "$folder/counted"
counted '(void)' '(void)'
expect "data race" "$folder/counted"

echo "compiler_test: $rows cases, $failed wrongly judged"
[ "$failed" = 0 ]
