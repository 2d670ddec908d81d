// SPDX-License-Identifier: MIT
#include "tests/accuracy/live_pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "referee/games/games.h"
#include "referee/match_setup.h"

static double clock_ms(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

double busy_ms(void)
{
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

double now_s(void)
{
    return clock_ms(CLOCK_MONOTONIC) / 1e3;
}

void report_tell(struct report *r, const char *size, const char *name, double value, const char *unit)
{
    if (r->json)
        printf("%s\n  {\"stream\": \"%s\", \"what\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"}", r->any ? "," : "[",
               size, name, value, unit);
    else
        printf("%-10s %-58s %9.4g %s\n", size, name, value, unit);
    r->any = true;
    fflush(stdout);
}

static int upwards(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void report_tell_spread(struct report *r, const char *size, const char *name, double *ms, int n)
{
    enum { HUNDRED = 100 }; // of fewer the 99th is none but the worst
    char words[100];
    if (n == 0)
        return;
    qsort(ms, (size_t)n, sizeof *ms, upwards);
    snprintf(words, sizeof words, "%s, p50", name);
    report_tell(r, size, words, ms[n / 2], "ms");
    snprintf(words, sizeof words, "%s, p99", name);
    if (n >= HUNDRED)
        report_tell(r, size, words, ms[(long)n * 99 / 100], "ms");
    snprintf(words, sizeof words, "%s, worst of %d", name, n);
    report_tell(r, size, words, ms[n - 1], "ms");
}

int pipeline_begin(struct pipeline *p, struct fail *why)
{
    *p = (struct pipeline){ .picture.looked_s = -INFINITY };
    int rc = unpacker_create(&p->unpacker, why);
    return rc < 0 ? rc : tracker_create(&p->tracker, board_builtin("crokinole-nca"), NULL, NULL, &tuning_defaults, why);
}

void pipeline_end(struct pipeline *p)
{
    if (p->begun)
        adjudication_end(&p->judge);
    tracker_free(p->tracker);
    event_list_free(&p->news);
    unpacker_free(p->unpacker);
}

int pipeline_judge(struct pipeline *p, struct frame *f, struct fail *why)
{
    p->called_since_s = -1;
    int rc = tracker_feed(&p->news, p->tracker, f, why);
    if (rc == 0)
        rc = picture_watch_look(&p->picture, f, &tuning_defaults.track, why);
    const struct board_pose *pose = tracker_board(p->tracker);
    if (rc == 0 && !p->begun && pose->found) {
        struct log_header h = { .game = "crokinole", .has_camera = true, .board = pose->board, .camera = pose->camera };
        h.setup = match_setup_usual(&crokinole_game);
        rc = adjudication_begin(&p->judge, &crokinole_game, &h, why);
        p->begun = rc == 0;
    }
    for (int i = 0; i < p->news.count && rc == 0; i++) {
        const struct observation *o = &p->news.item[i].observation;
        rc = adjudication_take(&p->judge, o, why);
        if (o->kind == OBS_STILL)
            p->called_since_s = o->t_s;
    }
    return rc;
}
