// SPDX-License-Identifier: MIT
#include "vision/track/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/grow.h"
#include "vision/colour.h"

struct motion motion_of_patch(const struct change_patch *patch, double t_s)
{
    struct motion m = { .t_s = t_s, .px = patch->middle, .pieces = patch->pieces };
    memcpy(m.bgr, patch->bgr, sizeof m.bgr);
    memcpy(m.reference, patch->reference, sizeof m.reference);
    return m;
}

int motions_add(struct motions *m, const struct motion *one, struct fail *why)
{
    if (!grow_list(&m->item, &m->room, m->count + 1, sizeof *m->item))
        return rs_fail(why, RS_ENOMEM, "no memory for what moved in %d places", m->count + 1);
    m->item[m->count++] = *one;
    return 0;
}

void motions_finish(struct motions *m)
{
    free(m->item);
    *m = (struct motions){ 0 };
}

int motions_add_frame(struct motions *m, const struct change_patches *p, struct fail *why)
{
    const struct change_detector *d = p->changes;
    int rc = 0;
    for (int i = 0; i < p->count && rc == 0; i++) {
        const struct change_patch *o = &p->item[i];
        struct motion s = motion_of_patch(o, d->t_s);
        if (o->kind == PATCH_RUNS && !o->border &&
            camera_locate(&s.at, &d->pose->camera, s.px, d->pose->board.piece_height_in / 2) &&
            !change_hand_within(p, o->box, change_piece_radius_px(d, s.at)))
            rc = motions_add(m, &s, why);
    }
    return rc;
}

// True when the motion is only the ground there in another light.
static bool is_light(const struct motion *m, const struct track_tuning *tuning)
{
    double now[3], reference[3], lit[3], now_xyz[3], reference_xyz[3];
    colour_bgr_to_lab(now, m->bgr);
    colour_bgr_to_lab(reference, m->reference);
    colour_lab_in_light(lit, reference, reference[0], now[0]);
    colour_lab_to_xyz(now_xyz, now);
    colour_lab_to_xyz(reference_xyz, reference);
    return now_xyz[1] > tuning->shadow_leaves * reference_xyz[1] && vec3_distance(now, lit) < tuning->light_off_lab;
}

void motion_paint(double lab[3], const struct motion *m)
{
    double seen[3], hidden[3];
    colour_bgr_to_lab(lab, m->bgr);
    colour_lab_to_xyz(seen, lab);
    colour_bgr_to_lab(lab, m->reference);
    colour_lab_to_xyz(hidden, lab);
    for (int c = 0; c < 3; c++)
        seen[c] = fmax(hidden[c] + (seen[c] - hidden[c]) * fmax(m->pieces, 1), 0);
    colour_xyz_to_lab(lab, seen);
}

double motion_likeness(const struct motion *m, const double lab[3], const struct track_tuning *tuning)
{
    double now[3], reference[3], part;
    colour_bgr_to_lab(now, m->bgr);
    colour_bgr_to_lab(reference, m->reference);
    double off_lab = colour_off_mixture(&part, now, reference, lab);
    // Its way through the exposure spreads one piece's paint over all of the patch; a shadow or glare is as wide as it is.
    double smear = is_light(m, tuning) ? 1 : fmax(m->pieces, 1);
    if (smear * off_lab < tuning->off_mixture_lab)
        return fmin(smear * part, 1);
    return off_lab < tuning->off_mixture_lab ? part : -1;
}

const struct motion *motions_last_of(const struct motions *m, const double lab[3], double since_s)
{
    for (int i = m->count - 1; i >= 0 && m->item[i].t_s >= since_s; i--)
        if (motion_likeness(&m->item[i], lab, m->tuning) >= m->tuning->alike_share)
            return &m->item[i];
    return NULL;
}

static bool same_run(const struct motion *a, const struct motion *c, double radius_in,
                     const struct track_tuning *tuning)
{
    double dt = c->t_s - a->t_s, d = distance_in(a->at, c->at);
    double growth = fmax(a->pieces, c->pieces) / fmin(a->pieces, c->pieces);
    return growth < tuning->same_run_size && dt > 0 && d >= tuning->step_least_diameters * 2 * radius_in &&
           d <= tuning->fastest_in_s * dt && vec3_distance(a->bgr, c->bgr) < tuning->same_run_steps;
}

const struct motion *tracklet_next(const struct motions *m, const struct motion *after, double radius_in)
{
    for (int i = after ? (int)(after - m->item) + 1 : 0; i < m->count; i++)
        for (int j = i + 1; j < m->count && m->item[j].t_s - m->item[i].t_s <= m->tuning->lost_after_s; j++)
            if (same_run(&m->item[i], &m->item[j], radius_in, m->tuning))
                return &m->item[i];
    return NULL;
}

// The motion by which a run goes on: of those in the next frame that has any, the nearest to where constant velocity
// leads, for another piece may run beside it. NULL where it ends.
static const struct motion *runs_on_to(const struct motions *m, const struct motion *last, const struct motion *before,
                                       double radius_in)
{
    const struct motion *best = NULL;
    double least_in = INFINITY;
    for (const struct motion *s = last + 1; s < m->item + m->count && s->t_s - last->t_s <= m->tuning->lost_after_s;
         s++) {
        if (best && s->t_s > best->t_s)
            break;
        if (!same_run(last, s, radius_in, m->tuning))
            continue;
        double part = before ? (s->t_s - last->t_s) / (last->t_s - before->t_s) : 0;
        struct pt_in from = before ? before->at : last->at, leads_to = { last->at.x + part * (last->at.x - from.x),
                                                                         last->at.y + part * (last->at.y - from.y) };
        double off_in = distance_in(s->at, leads_to);
        if (off_in >= least_in)
            continue;
        least_in = off_in;
        best = s;
    }
    return best;
}

void tracklet_follow(struct tracklet *out, const struct motions *m, const struct motion *first, double radius_in,
                     double meets_s)
{
    const struct motion *before = NULL, *s;
    *out = (struct tracklet){ .steps = 1, .light = is_light(first, m->tuning), .last = first, .clearest = first };
    while ((s = runs_on_to(m, out->last, before, radius_in))) {
        out->steps++;
        out->light += is_light(s, m->tuning);
        out->path_in += distance_in(out->last->at, s->at);
        if (before) {
            double x = out->last->at.x - before->at.x, y = out->last->at.y - before->at.y;
            double u = s->at.x - out->last->at.x, v = s->at.y - out->last->at.y;
            out->straight += x * u + y * v > m->tuning->straight_cos * hypot(x, y) * hypot(u, v);
        }
        before = out->last;
        out->last = s;
        if (s->t_s < meets_s &&
            vec3_distance(s->bgr, s->reference) > vec3_distance(out->clearest->bgr, out->clearest->reference))
            out->clearest = s;
    }
}

// How far the piece would have had to run to be that motion. It can be when it looks like the piece (`lab`; NULL:
// unknown) or is where the piece would have run on to; else INFINITY.
static double ran_in(const struct trajectory *p, const struct motion *s, const double lab[3])
{
    const struct trajectory_point *last = &p->point[p->count - 1], *before = last - 1;
    double dt = s->t_s - last->t_s, d = distance_in(s->at, last->at);
    if (dt <= 0 || d > p->tuning->fastest_in_s * dt)
        return INFINITY;
    if (lab ? motion_likeness(s, lab, p->tuning) >= p->tuning->alike_share : p->count < 2)
        return d;
    if (p->count < 2 || before->sigma_t_s > p->tuning->stamp_sigma_s)
        return INFINITY;
    double ran_s = last->t_s - before->t_s, part = dt / ran_s; // where it should be by now and how fast it ran
    double x = last->at.x - before->at.x, y = last->at.y - before->at.y, speed = hypot(x, y) / ran_s;
    struct pt_in expected = { last->at.x + part * x, last->at.y + part * y };
    return distance_in(s->at, expected) < p->tuning->runs_on_share * speed * dt + p->radius_in ? d : INFINITY;
}

static void add(struct trajectory *p, double t_s, double sigma_t_s, struct pt_in at)
{
    p->point[p->count++] = (struct trajectory_point){ t_s, fmax(sigma_t_s, p->tuning->stamp_sigma_s), at };
}

// Goes on from frame to frame, through motions `i` and later: each time to the one to which it had to run least, until
// it has gone.
static void run_on(struct trajectory *p, const struct motions *m, const double lab[3], int i)
{
    while (p->count < TRAJECTORY_MAX) {
        double t_s = p->point[p->count - 1].t_s, best = INFINITY;
        const struct motion *next = NULL;
        for (; i < m->count; i++) {
            const struct motion *s = &m->item[i];
            if (next && s->t_s > next->t_s)
                break;
            double d = ran_in(p, s, lab);
            if (d >= best)
                continue;
            best = d;
            next = s;
        }
        if (!next || next->t_s - t_s >= m->tuning->lost_after_s)
            return;
        add(p, next->t_s, m->tuning->stamp_sigma_s, next->at);
    }
}

static void start(struct trajectory *p, const struct motions *m, double radius_in)
{
    *p = (struct trajectory){ .tuning = m->tuning,
                              .radius_in = radius_in,
                              .sigma_in = m->tuning->motion_sigma_radii * radius_in };
}

void trajectory_run(struct trajectory *out, const struct motions *m, const struct motion *first, double radius_in)
{
    start(out, m, radius_in);
    add(out, first->t_s, m->tuning->stamp_sigma_s, first->at);
    run_on(out, m, NULL, (int)(first - m->item) + 1);
}

bool trajectory_passes(const struct trajectory *p, struct pt_in at, double within_in)
{
    bool passes = false;
    for (int i = 1; i < p->count && !passes; i++)
        passes = distance_to_way_in(at, p->point[i - 1].at, p->point[i].at) < within_in;
    return passes;
}

// Since when it has been missed where nothing hid its place.
static double missed_s(const struct track *k)
{
    return fmax(k->absent_since_s, k->hidden_until_s);
}

// True when what runs from a to c came from where the piece lay, at a time at which it may have left.
static bool comes_from(const struct motion *a, const struct motion *c, const struct track *k,
                       const struct track_tuning *tuning)
{
    double dt = c->t_s - a->t_s, x = c->at.x - a->at.x, y = c->at.y - a->at.y, ran = hypot(x, y);
    double back_x = a->at.x - k->piece.at.x, back_y = a->at.y - k->piece.at.y;
    if (dt <= 0 || ran < tuning->run_least_radii * k->piece.radius_in || ran > tuning->fastest_in_s * dt)
        return false;
    double along = (back_x * x + back_y * y) / ran, beside = (back_x * y - back_y * x) / ran;
    double left_s = a->t_s - dt * along / ran;
    return along > 0 && fabs(beside) < 2 * k->piece.radius_in && left_s > k->there_until_s - dt &&
           left_s < missed_s(k) + tuning->leaves_within_s;
}

// Did something run by itself from there? Straight on; or straight in a few pictures, and then on from where a peg or
// another piece turned it.
static bool runs_by_itself(const struct motions *m, const struct motion *first, double radius_in)
{
    struct trajectory straight;
    struct tracklet turned;
    trajectory_run(&straight, m, first, radius_in);
    tracklet_follow(&turned, m, first, radius_in, INFINITY);
    return straight.count >= m->tuning->run_least_motions ||
           (straight.count >= m->tuning->piece_steps_least && turned.steps >= m->tuning->run_least_motions);
}

static bool starts_at(const struct motions *m, const struct motion *a, const struct track *k)
{
    const struct motion *end = m->item + m->count;
    bool comes = false;
    for (const struct motion *c = a + 1; c < end && c->t_s - a->t_s < m->tuning->lost_after_s && !comes; c++)
        comes = comes_from(a, c, k, m->tuning);
    return comes && runs_by_itself(m, a, k->piece.radius_in);
}

const struct motion *trajectory_leaves(const struct motions *m, const struct track *k)
{
    for (int i = 0; i < m->count; i++) {
        double t_s = m->item[i].t_s;
        if (t_s >= k->absent_since_s && t_s <= missed_s(k) + m->tuning->leaves_within_s && starts_at(m, &m->item[i], k))
            return &m->item[i];
    }
    return NULL;
}

// When it was where the piece lay, as fast as it ran at first.
static double left_s(const struct trajectory *run, const struct track *k)
{
    const struct trajectory_point *a = &run->point[0], *b = &run->point[1];
    double speed_in_s = distance_in(a->at, b->at) / (b->t_s - a->t_s);
    return a->t_s - distance_in(a->at, k->piece.at) / speed_in_s;
}

double trajectory_left_s(const struct motions *m, const struct track *k)
{
    const struct motion *first = trajectory_leaves(m, k);
    struct trajectory run;
    if (!first)
        return -INFINITY;
    trajectory_run(&run, m, first, k->piece.radius_in);
    return left_s(&run, k);
}

// Where no hand hid it, it is seen in the first picture in which it is clear of its own place.
static bool seen_at_once(const struct trajectory *run, const struct track *k)
{
    double step_in = distance_in(run->point[0].at, run->point[1].at);
    return k->hand_came || distance_in(run->point[0].at, k->piece.at) < step_in + k->piece.radius_in;
}

double trajectory_left_unseen_s(const struct motions *m, const struct track *k)
{
    double touched_s = INFINITY;
    struct track gone = *k;
    struct trajectory run;
    for (int i = 0; i < m->count; i++) {
        const struct motion *a = &m->item[i];
        gone.absent_since_s = a->t_s;
        gone.there_until_s = a->t_s - m->tuning->leaves_within_s;
        if (starts_at(m, a, &gone)) {
            trajectory_run(&run, m, a, k->piece.radius_in);
            if (seen_at_once(&run, k))
                return left_s(&run, k);
        }
        if (distance_in(a->at, k->piece.at) < m->tuning->touch_radii * k->piece.radius_in)
            touched_s = fmin(touched_s, a->t_s);
    }
    return touched_s;
}

static void start_where_it_lay(struct trajectory *p, const struct motions *m, const struct track *k)
{
    start(p, m, k->piece.radius_in);
    add(p, (k->there_until_s + k->absent_since_s) / 2, (k->absent_since_s - k->there_until_s) / 2, k->piece.at);
}

void trajectory_follow(struct trajectory *out, const struct motions *m, const struct track *k)
{
    struct trajectory run;
    int i = 0;
    start_where_it_lay(out, m, k);
    while (i < m->count && m->item[i].t_s < k->absent_since_s)
        i++;
    run_on(out, m, k->piece.lab, i);
    const struct motion *first = out->count < m->tuning->run_least_motions ? trajectory_leaves(m, k) : NULL;
    if (first) {
        trajectory_run(&run, m, first, k->piece.radius_in);
        start_where_it_lay(out, m, k);
        for (i = 0; i < run.count && out->count < TRAJECTORY_MAX; i++)
            out->point[out->count++] = run.point[i];
    }
    // Two points so near to each other: it stands.
    while (out->count > 2 && distance_in(out->point[out->count - 1].at, out->point[out->count - 2].at) <
                                 m->tuning->stands_sigmas * out->sigma_in)
        out->count--;
}

bool trajectory_may_have_moved(const struct motions *m, const struct track *k)
{
    if (k->hand_came || isinf(k->absent_since_s) || trajectory_leaves(m, k))
        return true;
    double frame_s = k->absent_since_s - k->there_until_s, reach_in = m->tuning->touch_radii * k->piece.radius_in,
           last_s = INFINITY;
    for (int i = 0; i < m->count; i++) {
        const struct motion *s = &m->item[i];
        double apart_s = fmax(k->there_until_s - s->t_s, s->t_s - k->absent_since_s);
        if (apart_s > m->tuning->lost_after_s / 2 ||
            distance_in(s->at, k->piece.at) > reach_in + m->tuning->fast_in_s * (frame_s + fmax(apart_s, 0)))
            continue;
        if (s->t_s > last_s) // in two frames: one alone may be noise
            return true;
        last_s = s->t_s;
    }
    return false;
}

// The motion before this one in time from which something may have run to it, the nearest; NULL when there is none.
static const struct motion *motion_before(const struct motions *m, const struct motion *s, struct pt_in at)
{
    const struct motion *best = NULL;
    double least = INFINITY, left_in = distance_in(s->at, at);
    for (const struct motion *b = s - 1; b >= m->item && s->t_s - b->t_s < m->tuning->lost_after_s; b--) {
        double dt = s->t_s - b->t_s, d = distance_in(s->at, b->at);
        if (best && b->t_s < best->t_s)
            break;
        if (dt <= 0 || d > m->tuning->fastest_in_s * dt || d >= least || distance_in(b->at, at) < left_in)
            continue;
        least = d;
        best = b;
    }
    return best;
}

bool trajectory_arrives(const struct motions *m, struct pt_in at, double radius_in)
{
    int i = m->count - 1, steps = 0;
    double far_in = 0;
    while (i >= 0 && distance_in(m->item[i].at, at) > 2 * radius_in)
        i--;
    const struct motion *s = i >= 0 ? &m->item[i] : NULL;
    for (; s && steps < m->tuning->run_least_motions + TRAJECTORY_MAX; s = motion_before(m, s, at), steps++)
        far_in = distance_in(s->at, at);
    return steps >= m->tuning->run_least_motions && far_in > m->tuning->arrives_from_radii * radius_in;
}
