// SPDX-License-Identifier: MIT
#include "referee/announce/annotation.h"

#include <stdio.h>
#include <string.h>

#include "referee/announce/close_view.h"
#include "referee/announce/console.h"
#include "referee/announce/score_table.h"
#include "vision/colour.h"

// How long a call stays in the picture: long enough to read two lines.
static const double CALL_SHOWN_S = 5;

void annotation_hear(struct annotation *a, const struct match *m, const struct ruling *ruling)
{
    char words[OVERLAY_LINE_MAX];
    if (ruling->calls.count > 0)
        a->calls.count = 0;
    if (ruling->shot_ended)
        a->asked = 0;
    for (int i = 0; i < ruling->calls.count;) {
        const struct call *c = &ruling->calls.call[i];
        i = console_sentence(words, sizeof words, &ruling->calls, i);
        if (!ruling_holds(ruling, c))
            continue;
        a->called_s = c->t_s;
        const struct known_piece *p = c->firm || !c->measured ? NULL : piece_table_find(&m->table, c->piece);
        if (p && a->asked < ANNOTATION_CLOSE_MAX) {
            a->asked_s = c->t_s;
            a->close[a->asked++] = *p;
        }
        overlay_say(&a->calls, "%s", words);
    }
}

void annotation_forget(struct annotation *a, double t_s)
{
    if (t_s - a->called_s > CALL_SHOWN_S)
        a->calls.count = 0;
    if (t_s - a->asked_s > CALL_SHOWN_S)
        a->asked = 0;
}

// The paint of a side is what its pieces look like; of one of which none is seen, what its name says.
static void paint_alike(struct detection *p, const struct tracker_view *v)
{
    int i = 0;
    while (i < v->count && strcmp(v->piece[i].colour, p->colour) != 0)
        i++;
    struct ink ink = paint_ink(p->colour);
    colour_bgr_to_lab(p->lab, (double[]){ ink.b, ink.g, ink.r });
    if (i < v->count)
        memcpy(p->lab, v->piece[i].lab, sizeof p->lab);
}

// Where the judge pointed, as if it were seen there.
static void add_put_on(struct tracker_view *v, const struct known_piece *p, const struct board_pose *pose)
{
    struct detection d = { .kind = p->kind,
                           .plane = p->lying.plane,
                           .at = p->lying.at,
                           .cov = p->lying.cov,
                           .radius_in = p->lying.radius_in,
                           .taw = p->lying.taw,
                           .certainty = p->lying.certainty };
    snprintf(d.colour, sizeof d.colour, "%.*s", COLOUR_NAME_MAX - 1, p->colour);
    struct pt3_in shown = { d.at.x, d.at.y, detection_height_in(&d, &pose->board) };
    if (v->count == MAX_PIECES || !camera_project(&d.px, &pose->camera, shown))
        return;
    paint_alike(&d, v);
    v->id[v->count] = p->id;
    v->moving[v->count] = false;
    v->piece[v->count++] = d;
}

void match_moment_of(struct match_moment *out, const struct annotation *a, const struct match *m,
                     const struct moment_seen *seen)
{
    const struct tracker_view *view = seen->view;
    out->t_s = seen->t_s;
    out->pose = *seen->pose;
    out->view = (struct tracker_view){ .hand = view->hand };
    for (int i = 0; i < view->count; i++) {
        int id = view->id[i] + seen->first_id, n = out->view.count;
        if (placed_is_off(&m->placed, id))
            continue;
        out->view.id[n] = id;
        out->view.moving[n] = view->moving[i];
        out->view.piece[n] = view->piece[i];
        out->view.count++;
    }
    for (int i = 0; i < m->table.count && out->pose.found; i++)
        if (m->table.piece[i].put_on)
            add_put_on(&out->view, &m->table.piece[i], &out->pose);
    out->table = m->table;
    out->board = m->board;
    out->calls = a->calls;
    score_table_of(&out->score, m);
}

bool match_moment_same(const struct match_moment *a, const struct match_moment *b)
{
    // Bytes that mean nothing may differ: then one moment more is kept than is needed.
    return memcmp(&a->view, &b->view, sizeof a->view) == 0 && memcmp(&a->table, &b->table, sizeof a->table) == 0 &&
           memcmp(&a->pose, &b->pose, sizeof a->pose) == 0 && memcmp(&a->board, &b->board, sizeof a->board) == 0 &&
           memcmp(&a->calls, &b->calls, sizeof a->calls) == 0 && memcmp(&a->score, &b->score, sizeof a->score) == 0;
}

int match_moment_draw(struct frame *f, const struct match_moment *m, const struct frame *inset, struct fail *why)
{
    const struct overlay drawn = { .pose = &m->pose,
                                   .view = &m->view,
                                   .table = &m->table,
                                   .board = &m->board,
                                   .score = &m->score,
                                   .calls = m->calls,
                                   .inset = inset };
    return overlay_draw(f, &drawn, why);
}

int match_moment_enlarge(struct frame **out, const struct match_moment *m, const struct frame *f,
                         const struct known_piece *piece, struct fail *why)
{
    const struct close_view view = { .frame = f, .pose = &m->pose, .board = &m->board, .piece = piece };
    *out = NULL;
    return m->pose.found ? close_view_make(out, &view, why) : 0;
}
