// SPDX-License-Identifier: MIT
#include "vision/track/stabilisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "vision/colour.h"
#include "vision/rectify.h"

void stabiliser_begin(struct stabiliser *s, const struct track_tuning *tuning)
{
    *s = (struct stabiliser){ .tuning = tuning, .lost_s = INFINITY };
}

void stabiliser_finish(struct stabiliser *s)
{
    free(s->reduced);
    s->reduced = NULL;
}

static double luma_of(double blue, double green, double red)
{
    return LUMA_OF_BGR[0] * blue + LUMA_OF_BGR[1] * green + LUMA_OF_BGR[2] * red;
}

static double luma_at(const uint8_t *bgr)
{
    return luma_of(bgr[0], bgr[1], bgr[2]);
}

// The place of a reduced picture with the slope of its luma there.
static struct stabiliser_sample sample_at(const struct change_detector *d, const uint8_t *picture, int x, int y)
{
    const uint8_t *p = picture + 3 * ((size_t)y * (size_t)d->width + (size_t)x), *above = p - 3 * d->width,
                  *below = p + 3 * d->width;
    return (struct stabiliser_sample){ x, y, luma_at(p), (luma_at(p + 3) - luma_at(p - 3)) / 2,
                                       (luma_at(below) - luma_at(above)) / 2 };
}

// The steepest places of the picture, as many as there is room for: `least` and more.
static void take_samples(struct stabiliser *s, const struct change_detector *d, const uint8_t *picture, int least)
{
    enum { STEEPEST = 256 };
    int steep[STEEPEST] = { 0 };
    for (int round = 0; round < 2; round++) { // counted, then taken
        int room = STABILISER_SAMPLES, slope = STEEPEST;
        while (round > 0 && slope > least && room >= steep[slope - 1])
            room -= steep[--slope];
        s->samples = 0;
        for (int y = 1; y + 1 < d->height; y++)
            for (int x = d->from[y] > 1 ? d->from[y] : 1; x < d->to[y] && x + 1 < d->width; x++) {
                struct stabiliser_sample at = sample_at(d, picture, x, y);
                int is = (int)fmin(hypot(at.gradient_u, at.gradient_v), STEEPEST - 1);
                if (round == 0)
                    steep[is]++;
                else if (is >= slope && s->samples < STABILISER_SAMPLES)
                    s->sample[s->samples++] = at;
            }
    }
}

static void set_view(struct stabiliser *s, const struct change_detector *d, const uint8_t *picture)
{
    const struct board_pose *pose = d->pose;
    struct pt_px middle = { 0, 0 };
    camera_project(&middle, &pose->camera, (struct pt3_in){ 0, 0, 0 });
    middle = pixel_reduced(middle, d->step);
    s->middle_u = middle.u;
    s->middle_v = middle.v;
    s->radius_px = fmax(pose->board.circle_in[0] * camera_middle_px_per_in(&pose->camera) / d->step, 1);
    s->reference = d->references;
    s->lost_s = INFINITY;
    memset(s->motion, 0, sizeof s->motion);
    take_samples(s, d, picture, (int)fmax(s->tuning->edge_least, s->tuning->edge_noises * d->noise));
}

void stabiliser_set_view(struct stabiliser *s, const struct change_detector *d)
{
    free(s->reduced); // the new view may be reduced by less
    s->reduced = NULL;
    set_view(s, d, d->now);
    s->looks = 0;
    s->shakes = true;
}

// Where a place of the view is seen after that motion.
static struct pt_px moved(const struct stabiliser *s, const double motion[6], double u, double v)
{
    double x = (u - s->middle_u) / s->radius_px, y = (v - s->middle_v) / s->radius_px;
    return (struct pt_px){ u + motion[0] + motion[1] * x + motion[2] * y,
                           v + motion[3] + motion[4] * x + motion[5] * y };
}

// How the samples, or one of so many, differ from the picture after that motion: of those that it shows, which they are
// and by how much.
static int residuals(int which[STABILISER_SAMPLES], double off[STABILISER_SAMPLES], const struct stabiliser *s,
                     int every, const double motion[6], const struct frame *picture)
{
    int n = 0;
    for (int i = 0; i < s->samples; i += every) {
        struct pt_px at = moved(s, motion, s->sample[i].u, s->sample[i].v);
        float bgr[3];
        if (!frame_sample(bgr, picture, at.u, at.v, SAMPLE_CODES))
            continue;
        which[n] = i;
        off[n++] = luma_of(bgr[0], bgr[1], bgr[2]) - s->sample[i].luma;
    }
    return n;
}

// The motion from the view to the picture, from `motion` on. False where the view is not recognised.
static bool fit_motion(double motion[6], const struct stabiliser *s, int every, const struct frame *picture)
{
    enum { MOVES = 6, UNKNOWNS = MOVES + 1, ROUNDS = 12 }; // the last unknown: how much lighter it is
    double off[STABILISER_SAMPLES], sizes[STABILISER_SAMPLES], slope[STABILISER_SAMPLES];
    double step_px = INFINITY, sigma = 0;
    int which[STABILISER_SAMPLES], n = 0;
    for (int round = 0; round < ROUNDS && step_px > s->tuning->registered_px; round++) {
        double N[UNKNOWNS * UNKNOWNS], g[UNKNOWNS], step[UNKNOWNS];
        struct normal_equations sums = normal_begin(N, g, UNKNOWNS);
        n = residuals(which, off, s, every, motion, picture);
        if (n < s->tuning->registered_share * s->samples / every || n < 2 * UNKNOWNS)
            return false;
        memcpy(sizes, off, sizeof *off * (size_t)n);
        double lighter = robust_centre(&sigma, sizes, n, s->tuning->anchor_noise);
        for (int k = 0; k < n; k++) {
            const struct stabiliser_sample *at = &s->sample[which[k]];
            double x = (at->u - s->middle_u) / s->radius_px, y = (at->v - s->middle_v) / s->radius_px;
            double gu = at->gradient_u, gv = at->gradient_v;
            normal_add(&sums, (const double[UNKNOWNS]){ gu, gu * x, gu * y, gv, gv * x, gv * y, 1 }, off[k],
                       tukey_weight(off[k] - lighter, TUKEY_SIGMAS * sigma) / (sigma * sigma));
            slope[k] = hypot(gu, gv);
        }
        for (int k = 0; k < MOVES; k++) // a circle does not show whether it turned
            normal_add_prior(&sums, k, 0, s->tuning->step_sigma_px);
        if (!normal_solve(step, &sums))
            return false;
        step_px = 0;
        for (int k = 0; k < MOVES; k++) {
            motion[k] -= step[k];
            step_px = fmax(step_px, fabs(step[k]));
        }
    }
    // What is left is no more than an edge differs that lies half a pixel beside.
    return step_px <= s->tuning->recognised_px && sigma <= s->tuning->recognised_px * median_of(slope, n);
}

// From the motion of the picture before. False, and the motion as it was, where the view is not recognised.
static bool register_view(struct stabiliser *s, const struct change_detector *d, uint8_t *reduced)
{
    const struct frame picture = { .width = d->width, .height = d->height, .bgr = reduced };
    double motion[6];
    memcpy(motion, s->motion, sizeof motion);
    // To know that it shakes takes fewer than to move it back.
    const int every = s->shakes ? 1 : (int)s->tuning->roughly_every;
    bool known = fit_motion(motion, s, every, &picture);
    if (known)
        memcpy(s->motion, motion, sizeof motion);
    return known;
}

// Notes where the view is seen, some times a second; what of that is a second old is forgotten.
static void note(struct stabiliser *s, double t_s)
{
    const double every_s = s->tuning->shakes_for_s / STABILISER_LOOKS;
    int kept = 0;
    if (s->looks > 0 && t_s - s->look[s->looks - 1].t_s < every_s)
        return;
    for (int i = s->looks == STABILISER_LOOKS; i < s->looks; i++)
        if (s->look[i].t_s > t_s - s->tuning->shakes_for_s)
            s->look[kept++] = s->look[i];
    s->look[kept++] = (struct stabiliser_look){ t_s, s->motion[0], s->motion[3] };
    s->looks = kept;
}

// How fast the view moves, reduced pixels a second: the median over the last second, for a knock takes less than half
// of one. NAN where it has not been looked at for so long.
static double speed_px_s(const struct stabiliser *s)
{
    double speed[STABILISER_LOOKS];
    if (s->looks < 3 || s->look[s->looks - 1].t_s - s->look[0].t_s < s->tuning->shakes_for_s / 2)
        return NAN;
    for (int i = 1; i < s->looks; i++) {
        const struct stabiliser_look *is = &s->look[i], *was = is - 1;
        speed[i - 1] = hypot(is->u - was->u, is->v - was->v) / (is->t_s - was->t_s);
    }
    return median_of(speed, s->looks - 1);
}

// Moves a frame back to the view.
static int move_back(const struct stabiliser *s, struct frame *f, double step, struct fail *why)
{
    const double *m = s->motion, half = (1 - step) / 2; // from the middle of a reduced pixel to that of its first one
    const double left = s->middle_u * step - half, top = s->middle_v * step - half, radius = s->radius_px * step;
    const double from[6] = {
        step * m[0] - step * (m[1] * left + m[2] * top) / radius, 1 + step * m[1] / radius, step * m[2] / radius,
        step * m[3] - step * (m[4] * left + m[5] * top) / radius, step * m[4] / radius,     1 + step * m[5] / radius
    };
    return frame_warp(f, from, why);
}

int stabilise(struct stabiliser *s, struct frame *f, const struct change_detector *d, struct fail *why)
{
    size_t bytes = 3 * (size_t)d->width * (size_t)d->height;
    s->moved_back = false;
    if (!s->shakes)
        return 0;
    if (!s->reduced && !(s->reduced = malloc(bytes)))
        return rs_fail(why, RS_ENOMEM, "no memory to hold a picture still");
    int rc = change_reduce(s->reduced, d, f, why);
    if (rc < 0)
        return rc;
    bool long_lost = f->t_s - s->lost_s > s->tuning->shakes_for_s;
    if (long_lost && s->reference != d->references) { // it went on without being moved back
        set_view(s, d, d->reference);
        s->looks = 0;
    }
    s->lost_s = register_view(s, d, s->reduced) ? INFINITY : fmin(s->lost_s, f->t_s);
    if (f->t_s - s->lost_s > s->tuning->shakes_for_s) { // another view, or the camera was turned away
        s->shakes = s->looks > 0;
        return 0;
    }
    if (isinf(s->lost_s)) {
        s->reference = d->references;
        note(s, f->t_s);
    }
    if (speed_px_s(s) < s->tuning->stands_px_s) {
        s->shakes = false; // it was put down: where the board is seen now it stays
        s->reference = 0;
        s->looks = 0;
        return 0;
    }
    for (int k = 0; k < 6; k++)
        s->moved_back |= fabs(s->motion[k]) > s->tuning->unmoved_px;
    return s->moved_back ? move_back(s, f, d->step, why) : 0;
}

void stabiliser_look(struct stabiliser *s, const struct change_detector *d)
{
    if (s->shakes)
        return;
    if (s->reference != d->references) {
        set_view(s, d, d->reference);
        s->looks = 0;
    }
    if (d->moved > 0)
        register_view(s, d, d->now);
    note(s, d->t_s);
    s->shakes = speed_px_s(s) > s->tuning->shakes_px_s;
}
