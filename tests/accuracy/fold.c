// SPDX-License-Identifier: MIT
// fold: how long a day's observations take to be judged, and how much memory that takes: 100,000 of each game, from
// memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "referee/games/games.h"

enum { OBSERVATIONS = 100000, A_ROUND = 16, A_GAME = 4 * A_ROUND };

static double busy_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long most_kb(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

static void add(struct observation *list, int *n, struct observation o)
{
    if (*n == OBSERVATIONS)
        return;
    o.t_s = 0.2 * *n;
    list[(*n)++] = o;
}

static void add_rest(struct observation *list, int *n, int id, double x_in, double y_in)
{
    add(list, n,
        (struct observation){
            .kind = OBS_REST, .id = id, .rest = { { x_in, y_in }, { 1e-4, 0, 1e-4 }, ON_SURFACE, 0 } });
}

// Shot after shot, each striking the piece before it; after a round all are taken off, after four a new game begins.
static void play(struct observation *list, const struct board *b)
{
    int n = 0;
    for (int id = 1; n < OBSERVATIONS; id++) {
        struct observation o = { .kind = OBS_SEEN, .id = id, .seen = { .kind = b->piece, .certainty = 1 } };
        snprintf(o.seen.colour, sizeof o.seen.colour, "%s", id % 2 ? "black" : "red");
        o.seen.taw = b->piece == PIECE_MARBLE;
        o.seen.radius_in = o.seen.taw ? 0.35 : b->piece_radius_in;
        add(list, &n, o);
        add_rest(list, &n, id, 11.3, 0);
        add(list, &n, (struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { 11.3, 0 } } });
        if (id % A_ROUND != 1)
            add(list, &n,
                (struct observation){
                    .kind = OBS_CONTACT, .id = id, .contact = { TOUCHED_PIECE, id - 1, 0.01, { 1, 2 } } });
        add_rest(list, &n, id, id % 11, id % 7 - 3);
        add(list, &n, (struct observation){ .kind = OBS_STILL, .still = { 0.1, 1e-3 } });
        for (int k = id - A_ROUND + 1; id % A_ROUND == 0 && k <= id; k++)
            add(list, &n, (struct observation){ .kind = OBS_GONE, .id = k, .gone = { BY_HAND } });
        if (id % A_GAME == 0)
            add(list, &n,
                (struct observation){ .kind = OBS_INPUT, .input = { .by = "judge", .what = INPUT_NEW_GAME } });
    }
}

int main(void)
{
    struct observation *list = calloc(OBSERVATIONS, sizeof *list);
    struct match *m = calloc(1, sizeof *m);
    struct ruling *r = calloc(1, sizeof *r);
    struct amendments amended = { .count = 0 };
    if (!list || !m || !r)
        return 3;
    for (int i = 0; games_at(i); i++) {
        const struct game *game = games_at(i);
        long calls = 0;
        play(list, board_builtin(game->board));
        match_begin(m, game, board_builtin(game->board), NULL, &amended);
        match_fold(r, m, &list[0]); // so that memory that is only touched then is counted before
        match_begin(m, game, board_builtin(game->board), NULL, &amended);
        long before_kb = most_kb();
        double begun_s = busy_s();
        for (int k = 0; k < OBSERVATIONS; k++) {
            match_fold(r, m, &list[k]);
            calls += r->calls.count;
        }
        printf("fold %-18s %d observations, %d shots, %ld calls: %.2f s, %ld kB more memory\n", game->name,
               OBSERVATIONS, m->shot.number, calls, busy_s() - begun_s, most_kb() - before_kb);
    }
    free(list);
    free(m);
    free(r);
    return 0;
}
