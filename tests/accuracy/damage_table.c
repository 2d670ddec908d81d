// SPDX-License-Identifier: MIT
// damage RINGSIDE COPIES SEED NAME.json...: so many damaged copies of each clip, and what the program says of them;
// damage.h says what counts as told and as wrong. Exit 1 when a firm call was wrong, damage was untold or a log is
// judged otherwise; but for flipped bits: a slice of which nothing but some bits differ may decode to something that is
// nowhere told to be wrong, so what is called of it is printed and not promised.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/accuracy/damage.h"

static void print_row(const char *name, const struct damage_tally *t)
{
    int calls = t->firm + t->close + t->withheld;
    printf("%-12s %6d %9d %8d %6d %7d %11d %6.0f %6.0f %9.0f\n", name, t->copies, t->harmless, t->refused, t->told,
           t->untold, t->wrong, 100.0 * t->firm / (calls ? calls : 1), 100.0 * t->close / (calls ? calls : 1),
           100.0 * t->withheld / (calls ? calls : 1));
}

static void add(struct damage_tally *sum, const struct damage_tally *t)
{
    sum->copies += t->copies;
    sum->harmless += t->harmless;
    sum->refused += t->refused;
    sum->told += t->told;
    sum->untold += t->untold;
    sum->wrong += t->wrong;
    sum->rejudged_otherwise += t->rejudged_otherwise;
    sum->firm += t->firm;
    sum->close += t->close;
    sum->withheld += t->withheld;
}

int main(int argc, char **argv)
{
    struct damage_tally kind[DAMAGES] = { { 0 } }, sum = { 0 };
    struct fail why;
    if (argc < 5) {
        fprintf(stderr, "usage: damage RINGSIDE COPIES SEED NAME.json...\n");
        return 2;
    }
    int copies = atoi(argv[2]);
    uint32_t seed = (uint32_t)strtoul(argv[3], NULL, 10);
    printf("%d damaged copies of each of %d clips, seeds from %u on\n", copies, argc - 4, seed);
    for (int i = 4; i < argc; i++) {
        printf("%s\n", argv[i]);
        if (damage_score(kind, argv[1], argv[i], INFINITY, copies, seed + 1000 * (uint32_t)(i - 4),
                         getenv("EVERY") != NULL, &why) < 0) {
            fprintf(stderr, "%s\n", why.text);
            return 3;
        }
    }
    printf("\n%-12s %6s %9s %8s %6s %7s %11s %6s %6s %9s\n", "", "copies", "harmless", "refused", "told", "untold",
           "firm wrong", "firm", "close", "withheld");
    for (int k = 0; k < DAMAGE_FLIPPED; k++) {
        print_row(damage_name((enum damage)k), &kind[k]);
        add(&sum, &kind[k]);
    }
    print_row("all", &sum);
    print_row("bits flipped", &kind[DAMAGE_FLIPPED]);
    printf("firm, close, withheld: %% of the clips' calls in the copies; logs judged otherwise: %d\n",
           sum.rejudged_otherwise);
    return sum.wrong + sum.untold + sum.rejudged_otherwise > 0;
}
