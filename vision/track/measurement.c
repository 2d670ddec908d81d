// SPDX-License-Identifier: MIT
#include "vision/track/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

void measurement_begin(struct measurement *m, const struct tracker_stages *stages, const struct tuning *tuning)
{
    *m = (struct measurement){
        .stages = stages, .tuning = tuning, .ahead_s = -INFINITY, .ahead_of_s = -INFINITY, .ahead_held = true
    };
}

void measurement_finish(struct measurement *m)
{
    background_free(m->empty);
    free(m->ahead);
}

// Inches by which what is seen in the box has moved since the other picture, as far as the board is seen there.
static double moved_in(const struct moment *now, const uint8_t *other, struct change_box box)
{
    double step = now->changes->step, height_in = now->pose->board.piece_height_in;
    struct pt_px px = { (box.left + box.right + 1) / 2.0 * step, (box.top + box.bottom + 1) / 2.0 * step };
    struct pt_px shift = change_shift_px(now->changes, other, box), to = { px.u + shift.u, px.v + shift.v };
    struct pt_in is, was;
    return camera_locate(&was, &now->pose->camera, px, height_in) &&
                   camera_locate(&is, &now->pose->camera, to, height_in)
               ? distance_in(is, was)
               : 0;
}

// From one frame to the next a piece slows evenly: what moves by less than that is within as much of where it stops.
static bool still_slows(const struct track_tuning *t, const struct moment *now)
{
    for (int i = 0; i < now->patches->count; i++) {
        const struct change_patch *o = &now->patches->item[i];
        struct change_box box = { o->box.left - 1, o->box.top - 1, o->box.right + 1, o->box.bottom + 1 };
        if (o->kind != PATCH_HAND && moved_in(now, now->changes->before, box) > t->slows_least_in)
            return true;
    }
    return false;
}

static bool has_moved(const struct measurement *m, const struct moment *now)
{
    for (int i = m->lying; i < m->seen.count; i++) {
        const struct detection *p = &m->seen.piece[i];
        struct pt_px px = pixel_reduced(p->px, now->changes->step);
        double reach_px = 1 + change_piece_radius_px(now->changes, p->at);
        struct change_box box = { .left = change_pixel(now->changes, floor(px.u - reach_px)),
                                  .top = change_pixel(now->changes, floor(px.v - reach_px)),
                                  .right = change_pixel(now->changes, ceil(px.u + reach_px)),
                                  .bottom = change_pixel(now->changes, ceil(px.v + reach_px)) };
        if (moved_in(now, m->ahead, box) > m->tuning->track.ahead_sigmas * cov_sigma(&p->cov))
            return true;
    }
    return false;
}

static int measure_pieces(struct measurement *m, struct frame *f, const struct reconstruction *s,
                          const struct moment *now, struct fail *why)
{
    // Footage waits until all of the board is measured; a camera does not.
    struct pieces_known known = { .paints = &s->colours,
                                  .marbles = &m->marbles,
                                  .discs = f->from_camera ? &m->discs : NULL };
    struct roi changed;
    int rc = tracks_lay_over_background(&m->empty, f, now->pose, m->tuning, why);
    known.empty = m->empty;
    if (rc == 0 && !now->new_view) {
        tracks_changed(&changed, &known.lying, s->track, s->count, now->patches);
        known.changed = changed.full ? NULL : &changed;
    }
    m->lying = known.lying.count;
    return rc == 0 ? m->stages->pieces(&m->seen, f, now->pose, &known, m->tuning, why) : rc;
}

int measurement_take(struct measurement *m, struct frame *f, const struct reconstruction *s, const struct moment *now,
                     struct fail *why)
{
    m->ahead_held = m->ahead && m->ahead_of_s == now->t_s && !now->new_view && !has_moved(m, now);
    free(m->ahead);
    m->ahead = NULL;
    return m->ahead_held ? 0 : measure_pieces(m, f, s, now, why);
}

int measurement_take_ahead(struct measurement *m, struct frame *f, const struct reconstruction *s,
                           const struct moment *now, struct fail *why)
{
    const struct track_tuning *t = &m->tuning->track;
    size_t bytes = 3 * (size_t)now->changes->width * (size_t)now->changes->height;
    bool in_vain = !m->ahead_held && f->t_s - m->ahead_s < t->ahead_again_s;
    if (!f->from_camera || f->t_s - now->t_s < t->glance_after_s || m->ahead_of_s == now->t_s || in_vain ||
        still_slows(t, now))
        return 0;
    free(m->ahead);
    m->ahead = malloc(bytes);
    if (!m->ahead)
        return rs_fail(why, RS_ENOMEM, "no memory for measuring pieces ahead");
    memcpy(m->ahead, now->changes->now, bytes);
    m->ahead_s = f->t_s;
    m->ahead_of_s = now->t_s;
    m->ahead_held = false;
    return measure_pieces(m, f, s, now, why);
}
