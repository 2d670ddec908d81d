// SPDX-License-Identifier: MIT
#include "vision/track/departures.h"

#include <math.h>

#include "vision/track/arrivals.h"

bool departures_include(const struct association *a, int k)
{
    return a->fate[k] == FATE_MOVED || a->fate[k] == FATE_LEFT;
}

bool departures_by_hand(const struct association *a, int k)
{
    return a->fate[k] == FATE_MOVED && a->departure[k].by == MOVED_BY_HAND;
}

// How surely a hand was beside it when it left: 2: it was still there, 1: it had gone by the next frame, 0: not at all.
static int hand_beside(const struct track *k)
{
    return k->hand_near + k->hand_before;
}

// Of two that were missed in one frame: what the hand was beside, or had put there, struck the other.
static bool struck_other(const struct track *k, const struct track *other)
{
    int more = hand_beside(k) - hand_beside(other);
    return more > 0 || (more == 0 && k->came_by_hand && !other->came_by_hand);
}

int departures_first_shot(const struct association *a, int except)
{
    const struct departure *why = a->departure;
    int first = -1;
    for (int k = 0; k < a->tracks; k++) {
        if (k == except || !departures_include(a, k) || why[k].by != MOVED_BY_SHOT)
            continue;
        // What was only nudged shot nothing: when it was touched is known no better than when something came near.
        if (first >= 0 && a->nudged[k] != a->nudged[first]) {
            first = a->nudged[k] ? first : k;
            continue;
        }
        bool sooner = first < 0 || why[k].t_s < why[first].t_s;
        bool at_once = first >= 0 && why[k].t_s == why[first].t_s;
        if (sooner || (at_once && struck_other(&a->track[k], &a->track[first])))
            first = k;
    }
    return first;
}

double departures_struck_s(const struct association *a)
{
    int first = departures_first_shot(a, -1);
    return first >= 0 && !a->nudged[first] ? a->departure[first].t_s : INFINITY;
}

struct departure departures_of_run(const struct reconstruction *s, const struct association *a,
                                   const struct motion *run)
{
    double soon = run->t_s - s->broken_s;
    bool by_break = soon >= 0 && soon < s->tuning->after_break_s;
    return (struct departure){ MOVED_BY_SHOT, fmin(by_break ? s->broken_s : run->t_s, departures_struck_s(a)) };
}

static bool is_inside(struct pt_in at, const struct board *b)
{
    return hypot(at.x, at.y) < b->circle_in[0] - b->line_width_in / 2 - 2 * b->piece_radius_in;
}

// An arm's shadow shows where it crosses a ring's bright line, and runs along it; and on the ground beyond.
static bool is_shadow_of_arm(const struct motion *first, const struct tracklet *run, const struct board *b)
{
    return b->kind == BOARD_RING && 2 * run->light > run->steps && !is_inside(first->at, b) &&
           !is_inside(run->last->at, b) && !is_inside(run->clearest->at, b);
}

bool departures_piece_ran(const struct motion *first, const struct tracklet *run, const struct board *b,
                          const struct track_tuning *tuning)
{
    return run->steps >= tuning->piece_steps_least && 2 * run->straight >= run->steps - 2 &&
           run->path_in >= tuning->piece_runs_diameters * 2 * b->piece_radius_in && !is_shadow_of_arm(first, run, b);
}

// What ran before any known piece was missed, NULL when nothing did: it was put down and shot before it could be
// measured. What seemed to run first may have been the edge of a hand. So where something drove a known piece off, a
// run that goes as pieces do comes before it.
static const struct motion *run_before(const struct reconstruction *s, const struct association *a,
                                       const struct moment *m)
{
    const struct board *b = &m->pose->board;
    const double struck_s = departures_struck_s(a);
    const struct motion *first = m->reacquired ? NULL : tracklet_next(&s->motions, NULL, b->piece_radius_in);
    first = first && first->t_s < struck_s ? first : NULL;
    for (const struct motion *run = isinf(struck_s) ? NULL : first; run && run->t_s < struck_s;
         run = tracklet_next(&s->motions, run, b->piece_radius_in)) {
        struct tracklet tracklet;
        tracklet_follow(&tracklet, &s->motions, run, b->piece_radius_in, struck_s);
        if (departures_piece_ran(run, &tracklet, b, s->tuning))
            return run;
    }
    return first;
}

static bool is_sure_taw(const struct detection *p, const struct track_tuning *tuning)
{
    return p->kind == PIECE_MARBLE && p->taw && p->certainty > tuning->taw_sure;
}

// Was this track fingers and shadows? It may be when it was first measured beside the hand, and not again before that
// shot. It was when a sure taw arrives that does not look like it, or what ran out of sight never looked like it; and
// when nothing ran, and what looks like it in the hole is the bare hole. `now`: what arrived; NULL: nothing.
static bool was_fingers(const struct reconstruction *s, const struct track *k, const struct detection *now,
                        const struct moment *m)
{
    const double radius_in = m->pose->board.piece_radius_in;
    const struct motion *first = tracklet_next(&s->motions, NULL, radius_in);
    struct tracklet run;
    if (!k->came_by_hand || k->looks > 1 || hand_beside(k) == 0)
        return false;
    if (!first) {
        const struct motion *last = now ? NULL : motions_last_of(&s->motions, k->piece.lab, k->absent_since_s);
        return last && hypot(last->at.x, last->at.y) < m->pose->board.hole_radius_in &&
               association_is_bare(last->at, m);
    }
    if (now)
        return is_sure_taw(now, s->tuning);
    tracklet_follow(&run, &s->motions, first, radius_in, INFINITY);
    return k->piece.kind == PIECE_MARBLE &&
           motion_likeness(run.clearest, k->piece.lab, s->tuning) <= s->tuning->alike_share;
}

// It was shot and lies nowhere.
static bool is_missed(const struct association *a, int k)
{
    return a->fate[k] == FATE_LEFT && a->departure[k].by == MOVED_BY_SHOT;
}

// The one piece of that paint that was shot and is missed; negative when there are none or several.
static int missed_of_paint(const struct reconstruction *s, const struct association *a, const struct detection *like)
{
    int missed = NO_ONE;
    for (int k = 0; k < s->count; k++) {
        const struct detection *p = &s->track[k].piece;
        if (is_missed(a, k) && p->kind == like->kind && association_same_paint(p, like, s->tuning))
            missed = only_one(missed, k);
    }
    return missed;
}

// Since when it can lie there: what was there before had to go.
static double room_since_s(const struct association *a, const struct detection *p)
{
    double since_s = departures_struck_s(a);
    for (int k = 0; k < a->tracks; k++)
        if (departures_include(a, k) &&
            distance_in(a->track[k].piece.at, p->at) < a->track[k].piece.radius_in + p->radius_in)
            since_s = fmax(since_s, a->departure[k].t_s);
    return since_s;
}

// Nothing comes from nowhere. So the one new piece of its paint beside which no hand has been since the shot is the one
// that was shot, whatever its size seems now.
static void find_by_paint(const struct reconstruction *s, struct association *a, const struct moment *m)
{
    int of[MAX_PIECES], count[MAX_PIECES] = { 0 };
    for (int f = 0; f < a->new_places; f++) {
        const struct detection *p = &a->new_place[f];
        bool untouched = !a->taken[f] && !association_hand_since(m->patches, p, room_since_s(a, p));
        of[f] = untouched ? missed_of_paint(s, a, p) : -1;
        if (of[f] >= 0)
            count[of[f]]++;
    }
    for (int f = 0; f < a->new_places; f++) {
        if (of[f] < 0 || count[of[f]] > 1)
            continue;
        a->fate[of[f]] = FATE_MOVED;
        a->to[of[f]] = f;
        a->taken[f] = true;
    }
}

bool departures_taw_was_shot(const struct reconstruction *s, const struct association *a)
{
    for (int k = 0; k < s->count; k++)
        if (departures_include(a, k) && a->departure[k].by == MOVED_BY_SHOT && hand_beside(&s->track[k]) &&
            is_sure_taw(&s->track[k].piece, s->tuning))
            return true;
    return false;
}

// Nothing comes from nowhere. So the one piece that ran by itself and looks like none that lies somewhere now is the
// one new piece to which something ran, however the light fell on it; unless that can be what struck it, which nobody
// knew.
static void find_last_missed(const struct reconstruction *s, struct association *a, const struct moment *m)
{
    int left = NO_ONE;
    for (int k = 0; k < s->count; k++)
        if (is_missed(a, k))
            left = only_one(left, k);
    if (left < 0 || run_before(s, a, m))
        return;
    int arrived = arrival_only(a, &s->motions);
    const struct detection *now = arrived >= 0 ? &a->new_place[arrived] : NULL;
    if (now && now->kind != s->track[left].piece.kind)
        return;
    if (was_fingers(s, &s->track[left], now, m)) {
        a->departure[left].by = MOVED_BY_HAND;
        return;
    }
    if (!now)
        return;
    a->fate[left] = FATE_MOVED;
    a->to[left] = arrived;
    a->taken[arrived] = true;
}

void departures_find(struct reconstruction *s, struct association *a, const struct moment *m)
{
    for (int k = 0; k < s->count; k++) {
        struct track *p = &s->track[k];
        struct departure *why = &a->departure[k];
        if (departures_include(a, k) && !m->new_view && isinf(p->absent_since_s))
            p->there_until_s = p->absent_since_s = fmin(trajectory_left_unseen_s(&s->motions, p), m->t_s);
        *why = (struct departure){ MOVED_BY_HAND, isinf(p->absent_since_s) ? m->t_s : p->absent_since_s };
        bool vanished = a->fate[k] == FATE_LEFT && !motions_last_of(&s->motions, p->piece.lab, why->t_s) &&
                        !trajectory_leaves(&s->motions, p);
        const struct detection *now = a->fate[k] == FATE_MOVED ? &a->new_place[a->to[k]] : NULL;
        if (!departures_include(a, k) || vanished || m->reacquired || !association_by_shot(p, now, m))
            continue;
        why->by = MOVED_BY_SHOT;
        double left_s = p->hand_near ? trajectory_left_s(&s->motions, p) : -INFINITY;
        if (left_s > why->t_s)
            why->t_s = p->there_until_s = p->absent_since_s = left_s;
    }
    find_by_paint(s, a, m);
    find_last_missed(s, a, m);
}

const struct motion *departures_unknown_run(const struct reconstruction *s, const struct association *a,
                                            const struct moment *m)
{
    const struct motion *run = run_before(s, a, m);
    int first = departures_first_shot(a, -1);
    if (run || m->reacquired || first < 0 || !tracklet_next(&s->motions, NULL, m->pose->board.piece_radius_in))
        return run;
    // A hand that shoots from beside a target hides what it shoots: a target that runs and a taw that arrives were no
    // hand's, be it a new one or the one that a hand seems to have moved there.
    int f = arrival_only(a, &s->motions);
    for (int k = 0; k < s->count && f < 0; k++)
        f = departures_by_hand(a, k) && is_sure_taw(&s->track[k].piece, s->tuning) ? a->to[k] : -1;
    bool taw = f >= 0 && is_sure_taw(&a->new_place[f], s->tuning) && !is_sure_taw(&s->track[first].piece, s->tuning);
    return hand_beside(&s->track[first]) && !taw ? NULL : arrival_run_to(a, &s->motions, f);
}
