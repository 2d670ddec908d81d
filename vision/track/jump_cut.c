// SPDX-License-Identifier: MIT
#include "vision/track/jump_cut.h"

#include <math.h>

#include "calibration/algebra.h"

// Did the piece vanish from one frame to the next, without running? Nothing moved around where it lay and where it lies
// now, soon before it was missed or after that, but for the very frame.
static bool vanished_at_once(const struct association *found, int k, const struct moment *m)
{
    const struct track *t = &found->track[k];
    const struct track_tuning *tuning = m->changes->tuning;
    bool moved = found->fate[k] == FATE_MOVED;
    struct pt_in now = moved ? found->new_place[found->to[k]].at : t->piece.at;
    double away_in = distance_in(now, t->piece.at), diameter_in = 2 * t->piece.radius_in;
    bool quiet = (moved && away_in >= diameter_in) || found->fate[k] == FATE_LEFT;
    quiet &= !isinf(t->absent_since_s) && t->absent_since_s - t->there_until_s <= tuning->slowest_leaves_s &&
             !t->hand_near && !t->hand_before && !t->hand_came && t->piece.plane == ON_SURFACE;
    for (int i = 0; i < m->motions->count && quiet; i++) {
        const struct motion *s = &m->motions->item[i];
        double after_s = s->t_s - t->absent_since_s;
        quiet = after_s == 0 || after_s <= -tuning->slowest_leaves_s || after_s >= tuning->lost_after_s ||
                fmin(distance_in(s->at, t->piece.at), distance_in(s->at, now)) >= away_in + diameter_in;
    }
    return quiet;
}

// Where it must be by then at the speed at which it ran from a to c.
static struct pt_in goes_on_to(const struct motion *a, const struct motion *c, double t_s)
{
    double part = (t_s - c->t_s) / (c->t_s - a->t_s);
    return (struct pt_in){ c->at.x + part * (c->at.x - a->at.x), c->at.y + part * (c->at.y - a->at.y) };
}

// True when what ran from a to c had a clear way on the surface to where it would be by then.
static bool way_is_clear(const struct association *found, const struct motion *a, const struct motion *c,
                         double stands_s, const struct moment *m)
{
    const struct board *b = &m->pose->board;
    struct pt_in end = goes_on_to(a, c, stands_s + (c->t_s - a->t_s));
    double x = end.x - c->at.x, y = end.y - c->at.y, ahead_in = hypot(x, y), r = b->piece_radius_in;
    double most = fmax(hypot(end.x, end.y), hypot(c->at.x, c->at.y));
    bool clear = most < b->surface_radius_in - 2 * r && hypot(c->at.x, c->at.y) > b->hole_radius_in + 2 * r + ahead_in;
    for (int k = 0; k < found->tracks && clear; k++) { // what was struck went on instead
        double u = found->track[k].piece.at.x - c->at.x, v = found->track[k].piece.at.y - c->at.y;
        bool struck = found->fate[k] != FATE_STAYED && distance_in(found->track[k].piece.at, a->at) > 2 * r;
        double along = (u * x + v * y) / ahead_in, beside = fabs(u * y - v * x) / ahead_in;
        clear = !(struck && along > -2 * r && along < ahead_in + 2 * r && beside < 3 * r);
    }
    struct pt_px middle;
    struct pt_in half = { c->at.x + x / 2, c->at.y + y / 2 };
    double radius_px = change_piece_radius_px(m->changes, half);
    return clear && camera_project(&middle, &m->pose->camera, surface_at(half)) &&
           !change_hand_near(m->patches, middle, (ahead_in / 2 / r + 2) * radius_px);
}

// Is c the same thing as a? It is as large, for two in one patch are twice that; and nothing else moved in those two
// frames or between them, where it would have been seen on its way, or it went on as it had run to a from a motion
// before.
static bool one_runs(const struct motions *m, const struct motion *a, const struct motion *c)
{
    double step_in = distance_in(a->at, c->at);
    bool as_large = fmax(a->pieces, c->pieces) < 2 * fmin(a->pieces, c->pieces), in_line = false;
    int others = 0;
    for (const struct motion *s = m->item; s < m->item + m->count; s++) {
        others += s != a && s != c && s->t_s >= a->t_s && s->t_s <= c->t_s;
        in_line |= s->t_s < a->t_s && a->t_s - s->t_s < m->tuning->slowest_leaves_s &&
                   distance_in(goes_on_to(s, a, c->t_s), c->at) < m->tuning->runs_on_share * step_in;
    }
    return as_large && (others == 0 || in_line);
}

// What ran too fast to have come to a stand, though the next frame and all since look alike; NULL when nothing did.
static const struct motion *stopped_dead(const struct association *found, const struct moment *m)
{
    const struct motions *runs = m->motions;
    const struct track_tuning *t = runs->tuning;
    double stands_s = fmin(m->t_s, m->changes->still[STILL_FIELD].since_s); // hands beside it may move on
    double slows_in_s2 = t->slows_in_s2 + 2 * t->slows_sigma_in_s2, recent_s = stands_s - t->slowest_leaves_s;
    for (int i = runs->count - 1; i > 0 && runs->item[i].t_s > recent_s; i--)
        for (int j = i - 1; j >= 0 && runs->item[j].t_s > recent_s; j--) {
            const struct motion *c = &runs->item[i], *a = &runs->item[j];
            double step_s = c->t_s - a->t_s, v = step_s > 0 ? distance_in(a->at, c->at) / step_s : 0;
            double slowed_s = stands_s - c->t_s;
            if (v - slows_in_s2 * (slowed_s + step_s / 2) > t->stands_from_in_s && v < t->fastest_in_s &&
                slowed_s >= 0 && slowed_s < 1.5 * step_s && one_runs(runs, a, c) &&
                way_is_clear(found, a, c, stands_s, m))
                return c;
        }
    return NULL;
}

double jump_cut_s(const struct association *found, const struct moment *m)
{
    double at_s = INFINITY;
    int moved = 0, left = 0;
    if (m->new_view || m->cut || m->pose->board.surface_radius_in <= 0)
        return INFINITY;
    for (int k = 0; k < found->tracks; k++)
        if (vanished_at_once(found, k, m)) {
            moved += found->fate[k] == FATE_MOVED;
            left += found->fate[k] == FATE_LEFT;
            at_s = fmin(at_s, found->track[k].absent_since_s);
        }
    if (moved > 0 || left > 1) // one alone may have been taken by a hand too quick to be seen
        return at_s;
    const struct motion *last = stopped_dead(found, m);
    return last ? last->t_s : INFINITY;
}
