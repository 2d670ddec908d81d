// SPDX-License-Identifier: MIT
#include "referee/commands/demo_film.h"

#include <stdlib.h>
#include <unistd.h>

#include "calibration/clock.h"

// In samples/clips/crokinole_match.mp4 a disc comes to rest on a line at 12.2 s, and the next hand comes in at 13.1.
static const double STANDS_AT_S = 13;
// However busy the machine is, what was shown before is judged by then; where nothing was close it goes on.
static const double UNASKED_S = 10;

enum { LOOKS_EVERY_US = 50000 };

struct demo_film {
    struct source base;
    struct source *film;
    struct demo_pace *pace;
    struct frame *kept;   // to be shown when it goes on
    double stood_since_s; // the clock; 0: it did not yet
    double later_s;       // than in the film: so long it stood
    bool goes_on;         // it has stood
};

// What stands still is no trouble of a camera's, so no words are made of it.
static int stand(struct demo_film *d, enum demo_stands why_so, struct fail *why)
{
    atomic_store(&d->pace->stands, why_so);
    why->text[0] = '\0';
    usleep(LOOKS_EVERY_US);
    return SOURCE_WAITS;
}

static int next(struct frame **out, struct source *base, struct fail *why)
{
    struct demo_film *d = (struct demo_film *)base;
    int rc = d->kept ? SOURCE_FRAME : source_next(&d->kept, d->film, why);
    base->info = *source_info(d->film);
    if (rc == SOURCE_ENDED)
        return stand(d, DEMO_IS_OVER, why);
    if (rc != SOURCE_FRAME)
        return rc;
    if (d->kept->t_s >= STANDS_AT_S && !d->goes_on) {
        enum demo_judge judge = atomic_load(&d->pace->judge);
        d->stood_since_s = d->stood_since_s > 0 ? d->stood_since_s : clock_s();
        double stood_s = clock_s() - d->stood_since_s;
        if (judge == JUDGE_IS_ASKED || (judge == JUDGE_NOT_ASKED && stood_s < UNASKED_S))
            return stand(d, DEMO_WAITS_FOR_JUDGE, why);
        d->later_s = stood_s;
        d->goes_on = true;
        atomic_store(&d->pace->stands, DEMO_PLAYS);
    }
    *out = d->kept;
    d->kept = NULL;
    (*out)->t_s += d->later_s;
    return SOURCE_FRAME;
}

static void close_film(struct source *base)
{
    struct demo_film *d = (struct demo_film *)base;
    frame_free(d->kept);
    source_close(d->film);
}

int demo_film_open(struct source **out, const char *path, struct demo_pace *pace, struct fail *why)
{
    static const struct source_kind kind = { .next = next, .close = close_film };
    struct demo_film *d = calloc(1, sizeof *d);
    if (!d)
        return rs_fail(why, RS_ENOMEM, "no memory for the sample game");
    d->base.kind = &kind;
    d->pace = pace;
    int rc = footage_open(&d->film, path, why);
    if (rc < 0) {
        free(d);
        return rc;
    }
    d->base.info = *source_info(d->film);
    *out = &d->base;
    return 0;
}
