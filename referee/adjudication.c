// SPDX-License-Identifier: MIT
#include "referee/adjudication.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/interrupt.h"

int adjudication_begin(struct adjudication *a, const struct game *game, const struct log_header *header,
                       struct fail *why)
{
    *a = (struct adjudication){ .game = game, .board = header->board, .setup = header->setup };
    if (a->setup.format.players < 1)
        a->setup.format = game->formats[0];
    if ((game->formats[0].pieces_each > 0) != (a->setup.format.pieces_each > 0))
        return rs_fail(why, RS_EINPUT, "%s is not played in the format %s", game->name, a->setup.format.name);
    match_begin(&a->match, game, &a->board, &a->setup, &a->amended);
    return 0;
}

void adjudication_end(struct adjudication *a)
{
    log_writer_free(a->log);
    a->log = NULL;
}

int adjudication_add(struct adjudication *a, struct announcer who, struct fail *why)
{
    if (a->announcers == ADJUDICATION_ANNOUNCERS_MAX)
        return rs_fail(why, RS_EINTERNAL, "more than %d announcers", ADJUDICATION_ANNOUNCERS_MAX);
    a->announcer[a->announcers++] = who;
    return 0;
}

int adjudication_commit(struct adjudication *a, struct fail *why)
{
    return a->keeper.commit ? a->keeper.commit(a->keeper.self, why) : 0;
}

static int announce(const struct adjudication *a, const struct match *m, const struct ruling *r, struct fail *why)
{
    int rc = 0;
    for (int i = 0; i < a->announcers && rc == 0; i++)
        rc = a->announcer[i].say(a->announcer[i].self, m, r, why);
    return rc;
}

// The same observations folded twice, and what the second fold says otherwise than the first.
struct refold {
    struct match was, now;
    struct amendments before; // as they were for `was`
    struct ruling was_called, now_called, differs;
    enum input_kind by; // the word of the correction
    bool (*same)(const struct call *a, const struct call *b);
};

// `calls` that `others` do not have, marked so.
static int add_missing(struct refold *f, const struct call_list *calls, const struct call_list *others,
                       enum call_change change, int input)
{
    int added = 0;
    for (int i = 0; i < calls->count; i++) {
        bool same = false;
        for (int k = 0; k < others->count && !same; k++)
            same = f->same(&calls->call[i], &others->call[k]);
        if (same)
            continue;
        struct call *c = &f->differs.calls.call[f->differs.calls.count++];
        *c = calls->call[i];
        c->change = change;
        c->input = input;
        c->same_breath = false;
        added++;
    }
    return added;
}

// Withdrawn ones first, then what stands instead; how many calls that were.
static int announce_difference(const struct adjudication *a, struct refold *f, int shot, int input, int *changes,
                               struct fail *why)
{
    struct ruling *r = &f->differs;
    r->calls.count = 0;
    r->amended_shot = shot;
    r->amended_by = f->by;
    r->shot_ended = false;
    *changes += add_missing(f, &f->was_called.calls, &f->now_called.calls, CALL_WITHDRAWN, input);
    int rc = r->calls.count > 0 ? announce(a, &f->now, r, why) : 0;
    r->calls.count = 0;
    *changes += add_missing(f, &f->now_called.calls, &f->was_called.calls, CALL_INSTEAD, input);
    const struct shot *was = &f->was.shot, *now = &f->now.shot;
    bool differs =
        was->count != now->count || memcmp(f->was_called.fact, f->now_called.fact, sizeof f->now_called.fact) != 0;
    for (int i = 0; i < now->count && !differs; i++) {
        const struct zone *a_zone = &was->piece[i].zone, *b_zone = &now->piece[i].zone;
        differs = a_zone->area != b_zone->area || a_zone->points != b_zone->points;
    }
    r->shot_ended = f->now_called.shot_ended && differs;
    memcpy(r->fact, f->now_called.fact, sizeof r->fact);
    return rc == 0 && (r->calls.count > 0 || r->shot_ended) ? announce(a, &f->now, r, why) : rc;
}

// The first `count` observations of the log. `amended` changes while it is folded again: the same words come again.
static int fold_both(struct adjudication *a, struct refold *f, struct log_reader *log, long count, int shot, int input,
                     int *changes, struct fail *why)
{
    struct observation o;
    int rc = 0;
    for (long i = 0; i < count && (rc = log_read(log, &o, why)) > 0; i++) {
        match_fold(&f->was_called, &f->was, &o);
        match_fold(&f->now_called, &f->now, &o);
        rc = announce_difference(a, f, shot, input, changes, why);
        if (rc < 0)
            return rc;
    }
    return rc < 0 ? rc : 0;
}

int adjudication_log_again(struct log_reader **out, const struct adjudication *a, struct fail *why)
{
    return a->log ? log_writer_read(out, a->log, why) : log_reader_again(out, a->from, why);
}

static int fold_again(struct adjudication *a, const struct observation *o, int shot, struct fail *why)
{
    struct log_reader *log = NULL;
    struct refold *f = calloc(1, sizeof *f);
    int rc = f ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a correction");
    if (rc == 0)
        rc = adjudication_log_again(&log, a, why);
    if (rc == 0) {
        struct ruling said = { .amended_by = o->input.what };
        f->by = o->input.what;
        f->same = call_same;
        f->before = a->amended;
        amendments_drop_last(&f->before);
        match_begin(&f->was, a->game, &a->board, &a->setup, &f->before);
        match_begin(&f->now, a->game, &a->board, &a->setup, &a->amended);
        rc = fold_both(a, f, log, a->taken - 1, shot, a->match.inputs, &said.changes, why);
        if (rc == 0) {
            match_fold(&f->now_called, &f->now, o);
            a->match = f->now;
            match_acknowledge(&said, &a->match, o, shot);
            rc = announce(a, &a->match, &said, why);
        }
    }
    log_reader_free(log);
    free(f);
    return rc;
}

int adjudication_take(struct adjudication *a, const struct observation *seen, struct fail *why)
{
    struct ruling ruling;
    struct observation within = *seen; // judged as it will be read again
    const struct observation *o = &within;
    log_line_clamp(&within);
    int rc = a->log ? log_write(a->log, o, why) : 0;
    if (rc < 0)
        return rc;
    rc = a->keeper.keep ? a->keeper.keep(a->keeper.self, o, why) : 0;
    if (rc < 0)
        return rc;
    a->last_s = o->t_s;
    a->last_id = o->id > a->last_id ? o->id : a->last_id;
    a->taken++;
    match_fold(&ruling, &a->match, o);
    if (ruling.calls.count == 0 && !ruling.shot_ended && !ruling.camera && !ruling.fold_again)
        return 0;
    // A cable that is loose loses pictures many times a second.
    bool lost = ruling.camera && o->camera.what == CAMERA_DAMAGED && !observation_hides(o) && ruling.calls.count == 0;
    ruling.camera_again = lost && a->loss_told;
    a->loss_told = lost;
    return ruling.fold_again ? fold_again(a, o, ruling.amended_shot, why) : announce(a, &a->match, &ruling, why);
}

int adjudication_read(struct adjudication *a, struct log_reader *log, struct fail *why)
{
    struct observation o;
    int rc = 0;
    a->from = log;
    while (rc == 0 && (rc = interrupt_check(why)) == 0 && (rc = log_read(log, &o, why)) > 0)
        rc = adjudication_take(a, &o, why);
    return rc;
}

// All of the log; the caller ends *a, also after a failure. `who` NULL: nobody.
static int take_all(struct adjudication *a, struct log_reader *log, const struct game *game,
                    const struct log_header *header, const struct announcer *who, struct fail *why)
{
    int rc = adjudication_begin(a, game, header, why);
    if (rc == 0 && who)
        rc = adjudication_add(a, *who, why);
    return rc == 0 ? adjudication_read(a, log, why) : rc;
}

int adjudicate_log(struct log_reader *log, const struct game *game, struct announcer who, struct fail *why)
{
    struct adjudication a;
    int rc = take_all(&a, log, game, log_reader_header(log), &who, why);
    adjudication_end(&a);
    return rc;
}

int adjudicate_as_it_stands(struct match *out, struct log_reader *log, const struct game *game, struct announcer who,
                            struct fail *why)
{
    struct adjudication a;
    struct observation o;
    struct ruling r;
    struct log_reader *again = NULL;
    int rc = take_all(&a, log, game, log_reader_header(log), NULL, why);
    if (rc == 0)
        rc = log_reader_again(&again, log, why);
    match_begin(out, game, &a.board, &a.setup, &a.amended);
    while (rc == 0 && (rc = log_read(again, &o, why)) > 0) {
        match_fold(&r, out, &o);
        rc = 0;
        if (r.calls.count > 0 || r.shot_ended || r.camera)
            rc = who.say(who.self, out, &r, why);
    }
    out->amended = NULL;
    log_reader_free(again);
    adjudication_end(&a);
    return rc;
}

int adjudicate_both(struct log_reader *log, const struct game *game, const struct game *other, struct announcer who,
                    struct fail *why)
{
    struct adjudication a, b = { .game = NULL };
    struct log_reader *again[2] = { NULL, NULL };
    struct refold *f = calloc(1, sizeof *f);
    struct log_header header = *log_reader_header(log);
    int changes = 0, rc = take_all(&a, log, game, log_reader_header(log), NULL, why);
    if (rc == 0 && !f)
        rc = rs_fail(why, RS_ENOMEM, "no memory to judge twice");
    for (int i = 0; i < 2 && rc == 0; i++)
        rc = log_reader_again(&again[i], log, why);
    // The corrections of each are known from the beginning: what stands is compared.
    const struct board *its = board_builtin(other->board); // the areas of one board count differently in another game
    header.setup.format = other->formats[0];
    header.board.hole_points = its->hole_points;
    memcpy(header.board.zone_points, its->zone_points, sizeof its->zone_points);
    if (rc == 0)
        rc = take_all(&b, again[0], other, &header, NULL, why);
    if (rc == 0)
        rc = adjudication_add(&a, who, why);
    if (rc == 0) {
        f->same = call_says_same; // each game has numbers of its own for what both call alike
        match_begin(&f->was, game, &a.board, &a.setup, &a.amended);
        match_begin(&f->now, other, &b.board, &b.setup, &b.amended);
        rc = fold_both(&a, f, again[1], LONG_MAX, 0, 0, &changes, why);
    }
    for (int i = 0; i < 2; i++)
        log_reader_free(again[i]);
    adjudication_end(&a);
    adjudication_end(&b);
    free(f);
    return rc;
}
