// SPDX-License-Identifier: MIT
#include "vision/track/change_detection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/rectify.h"

static const double QUARTER_PIECE = PI / 16; // of its width squared: a move by half its width changes more than that
enum {
    NOISE_EVERY = 7, // pixels from one that the noise is measured by to the next
    OUTLINE = 180,   // corners of a circle's image
    BLOCK = 16,      // pixels compared at once
    COMPANY = 3      // of the 3 x 3 pixels around one that noise alone may change together
};

// Takes in a straight piece of an outline. Near the camera's plane it may be billions of pixels long. So it is cut
// where it leaves the picture by more than the picture's own size, and what lies farther out is drawn in to there.
static void span_line(const struct change_detector *d, struct stillness *part, struct pt_px a, struct pt_px b)
{
    const double size = fmax(d->width, d->height), ends[] = { -size, 2 * size };
    for (int i = 0; i < 4; i++) {
        double end = ends[i % 2], from = (i < 2 ? a.u : a.v) - end, to = (i < 2 ? b.u : b.v) - end;
        if (!(from * to < 0))
            continue;
        double share = from / (from - to);
        struct pt_px cut = { a.u + share * (b.u - a.u), a.v + share * (b.v - a.v) };
        *(i < 2 ? &cut.u : &cut.v) = end;
        span_line(d, part, a, cut);
        span_line(d, part, cut, b);
        return;
    }
    a = (struct pt_px){ fmin(fmax(a.u, ends[0]), ends[1]), fmin(fmax(a.v, ends[0]), ends[1]) };
    b = (struct pt_px){ fmin(fmax(b.u, ends[0]), ends[1]), fmin(fmax(b.v, ends[0]), ends[1]) };
    int steps = 1 + (int)(2 * fmax(fabs(b.u - a.u), fabs(b.v - a.v)));
    for (int k = 0; k <= steps; k++) {
        double u = a.u + (b.u - a.u) * k / steps, v = a.v + (b.v - a.v) * k / steps;
        int y = (int)lround(fmin(fmax(v, 0), d->height - 1));
        int x = (int)lround(fmin(fmax(u, 0), d->width - 1));
        part->from[y] = x < part->from[y] ? x : part->from[y];
        part->to[y] = x + 1 > part->to[y] ? x + 1 : part->to[y];
    }
}

// The rows of a circle about the board's middle as it is seen; the whole picture where some of it cannot be seen.
static void span_circle(const struct change_detector *d, struct stillness *part, double radius_in)
{
    struct pt_px before = { 0, 0 }, now = before;
    bool seen = true;
    for (int y = 0; y < d->height; y++) {
        part->from[y] = d->width;
        part->to[y] = 0;
    }
    for (int i = 0; i <= OUTLINE && seen; i++, before = now) {
        double a = 2 * PI * i / OUTLINE;
        seen = camera_project(&now, &d->pose->camera, surface_polar(radius_in, a));
        now = pixel_reduced(now, d->step);
        if (i > 0 && seen)
            span_line(d, part, before, now);
    }
    for (int y = 0; y < d->height && !seen; y++) {
        part->from[y] = 0;
        part->to[y] = d->width;
    }
}

void change_detector_set_pose(struct change_detector *d, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    d->pose = pose;
    bool floor = b->surface_radius_in <= 0;
    double whole =
        floor ? d->tuning->floor_seen_radii * b->circle_in[0] : b->surface_radius_in + d->tuning->beyond_surface_in;
    span_circle(d, &d->still[STILL_WHOLE], whole);
    span_circle(d, &d->still[STILL_FIELD], floor ? whole : b->circle_in[0] - b->piece_radius_in);
    d->looked_at = 0;
    for (int y = 0; y < d->height; y++)
        d->looked_at += d->to[y] > d->from[y] ? d->to[y] - d->from[y] : 0;
}

int change_detector_create(struct change_detector *d, const struct frame *f, const struct board_pose *pose,
                           const struct track_tuning *tuning, struct fail *why)
{
    double across_px = 2 * pose->board.piece_radius_in * camera_middle_px_per_in(&pose->camera);
    double step = fmax(1, round(across_px / tuning->piece_across_px)); // whole: so it is done in half the time
    *d = (struct change_detector){ .tuning = tuning, .noise = tuning->noise_start };
    d->width = (int)ceil(f->width / step);
    d->height = (int)ceil(f->height / step);
    d->step = (double)f->width / d->width;
    d->coarsest = (int)step;
    frame_prefer(f, d->coarsest);
    d->piece_px = across_px / d->step;
    size_t n = (size_t)d->width * (size_t)d->height, rows = (size_t)d->height;
    uint8_t **picture[] = { &d->now, &d->before, &d->reference };
    bool all = (d->mask = calloc(n, 1)) != NULL;
    for (size_t i = 0; i < countof(picture); i++)
        all &= (*picture[i] = calloc(n, 3)) != NULL;
    for (int i = 0; i < STILLNESSES; i++) {
        struct stillness *s = &d->still[i];
        all &= (s->from = calloc(rows, sizeof *s->from)) != NULL;
        all &= (s->to = calloc(rows, sizeof *s->to)) != NULL;
        all &= (s->anchor = calloc(n, 3)) != NULL;
    }
    d->from = d->still[STILL_WHOLE].from;
    d->to = d->still[STILL_WHOLE].to;
    if (!all) {
        change_detector_finish(d);
        return rs_fail(why, RS_ENOMEM, "no memory for comparing frames of %d x %d pixels", f->width, f->height);
    }
    change_detector_set_pose(d, pose);
    return 0;
}

void change_detector_finish(struct change_detector *d)
{
    free(d->now);
    free(d->before);
    free(d->reference);
    free(d->mask);
    for (int i = 0; i < STILLNESSES; i++) {
        free(d->still[i].from);
        free(d->still[i].to);
        free(d->still[i].anchor);
    }
    *d = (struct change_detector){ 0 };
}

// The noise between two pictures. What moves covers less than a tenth of the board, so the difference that nine tenths
// of the pixels stay below is noise.
static int nine_tenths(const struct change_detector *d, const uint8_t *other)
{
    long histogram[256] = { 0 }, n = 0;
    for (int y = 0; y < d->height; y += 2)
        for (int x = d->from[y]; x < d->to[y]; x += NOISE_EVERY, n++) {
            size_t at = 3 * ((size_t)y * (size_t)d->width + (size_t)x);
            histogram[change_difference(d->now + at, other + at)]++;
        }
    long above = n;
    int most = 0;
    while (most < 255 && (above -= histogram[most]) * 10 > n)
        most++;
    return most;
}

// Does any pixel of a block differ? In a form that compilers turn into vector instructions: nearly all of a picture is
// alike from frame to frame, and only where a block differs its pixels are looked at one by one.
static bool block_differs(const uint8_t *a, const uint8_t *b, int threshold)
{
    uint8_t most = 0;
    for (int i = 0; i < 3 * BLOCK; i++) {
        uint8_t difference = (uint8_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
        most = difference > most ? difference : most;
    }
    return most > threshold;
}

// The most by which a pixel of the picture changes where it is seen slack_px beside itself, for between two pixels it is
// taken to change evenly.
static double slack_codes(const struct change_detector *d, const uint8_t *picture, size_t at)
{
    const size_t row = (size_t)d->width, pixels = row * (size_t)d->height;
    const uint8_t *here = picture + 3 * at;
    if (at < row + 1 || at + row + 1 >= pixels)
        return 0;
    int left = change_difference(here, here - 3), right = change_difference(here, here + 3);
    int above = change_difference(here, here - 3 * row), below = change_difference(here, here + 3 * row);
    return d->slack_px * ((left > right ? left : right) + (above > below ? above : below));
}

static bool differs(const struct change_detector *d, const uint8_t *other, size_t at)
{
    int off = change_difference(d->now + 3 * at, other + 3 * at);
    return off > d->threshold && (d->slack_px <= 0 || off > d->threshold + slack_codes(d, other, at));
}

// Sets `bit` of the mask where pixels of that part of the picture differ from `other`; how many do.
static long mark(struct change_detector *d, const int *from, const int *to, const uint8_t *other, int bit)
{
    long count = 0;
    for (int y = 0; y < d->height; y++)
        for (int x = from[y]; x < to[y];) {
            size_t at = (size_t)y * (size_t)d->width + (size_t)x;
            int n = to[y] - x < BLOCK ? to[y] - x : BLOCK;
            x += n;
            if (n == BLOCK && !block_differs(d->now + 3 * at, other + 3 * at, d->threshold))
                continue;
            for (; n > 0; n--, at++)
                if (differs(d, other, at)) {
                    d->mask[at] |= (uint8_t)bit;
                    count++;
                }
        }
    return count;
}

// The mask holds what differs from the reference and nothing else.
static void mark_changes(struct change_detector *d)
{
    memset(d->mask, 0, (size_t)d->width * (size_t)d->height);
    d->changed = mark(d, d->from, d->to, d->reference, CHANGED);
}

static size_t picture_bytes(const struct change_detector *d)
{
    return (size_t)d->width * (size_t)d->height * 3;
}

// True when more than `most` of the pixels with that bit have company: noise is scattered, things are not.
static bool any_thing(const struct change_detector *d, const struct stillness *part, int bit, double most)
{
    long n = 0;
    for (int y = 1; y + 1 < d->height; y++)
        for (int x = part->from[y] > 0 ? part->from[y] : 1; x < part->to[y] && x + 1 < d->width; x++) {
            const uint8_t *m = d->mask + (size_t)y * (size_t)d->width + (size_t)x;
            if (!(*m & bit))
                continue;
            int beside = 0;
            for (int k = 0; k < 9; k++)
                beside += (m[(k / 3 - 1) * d->width + k % 3 - 1] & bit) != 0;
            n += beside > COMPANY;
            if ((double)n > most)
                return true;
        }
    return false;
}

static int blur(const struct change_detector *d, uint8_t *picture, struct fail *why)
{
    return cv_gaussian_blur_u8(picture, picture, d->width, d->height, 3, d->tuning->noisy_blur_px, why);
}

// Blurs all pictures from now on, and those that are kept here, for a sharp edge and a blurred one would differ. What
// others keep of pictures stays sharp; most films have their noise from the start, when there are no pieces yet.
static int begin_to_blur(struct change_detector *d, struct fail *why)
{
    uint8_t *kept[] = { d->now, d->before, d->reference, d->still[STILL_WHOLE].anchor, d->still[STILL_FIELD].anchor };
    int rc = 0;
    for (size_t i = 0; i < countof(kept) && rc == 0; i++)
        rc = blur(d, kept[i], why);
    d->blurs = rc == 0;
    return rc;
}

// The noise now, by the reference as well as the frame before: compressed footage freezes its noise for some frames and
// then shows another.
static double noise_now(const struct change_detector *d)
{
    int most = nine_tenths(d, d->before), since_reference = nine_tenths(d, d->reference);
    double rise =
        d->t_s - d->first_s < d->tuning->noise_starts_s ? d->tuning->noise_starts_rise : d->tuning->noise_rise;
    return fmin(fmax(1, most > since_reference ? most : since_reference), d->noise * rise);
}

int change_reduce(uint8_t *out, const struct change_detector *d, struct frame *f, struct fail *why)
{
    struct picture seen;
    int rc = frame_picture(&seen, f, d->coarsest, why);
    if (rc == 0)
        rc = cv_resize_area_u8(out, d->width, d->height, seen.bgr, seen.width, seen.height, 3, why);
    return rc == 0 && d->blurs ? blur(d, out, why) : rc;
}

int change_detect(struct change_detector *d, struct frame *f, struct fail *why)
{
    uint8_t *spare = d->before;
    d->before = d->now;
    d->now = spare;
    int rc = change_reduce(d->now, d, f, why);
    if (rc < 0)
        return rc;
    d->t_s = f->t_s;
    bool first = !d->any_before;
    if (first) {
        d->first_s = f->t_s;
        memcpy(d->before, d->now, picture_bytes(d));
        d->any_before = true;
        change_take_reference(d);
    }
    d->noise = noise_now(d);
    // From frame to frame too: new light is no noise.
    bool noisy = d->noise > d->tuning->noisy_from && nine_tenths(d, d->before) > d->tuning->noisy_from;
    // A picture that is moved back is smoother than one that is not, which shows where it is not reduced after that.
    bool smoothed = d->slack_px > 0 && d->coarsest == 1;
    if (!d->blurs && (noisy || smoothed)) {
        rc = begin_to_blur(d, why);
        d->noise = noise_now(d);
    }
    if (rc < 0)
        return rc;
    d->threshold = (int)fmax(d->tuning->change_least, d->tuning->change_noises * d->noise);
    mark_changes(d);
    d->moved = mark(d, d->from, d->to, d->before, MOVED);
    double enough = QUARTER_PIECE * d->piece_px * d->piece_px;
    for (int i = 0; i < STILLNESSES; i++) {
        struct stillness *s = &d->still[i];
        int bit = UNSTILL << i;
        if (!first && ((double)mark(d, s->from, s->to, s->anchor, bit) <= enough || !any_thing(d, s, bit, enough)))
            continue;
        memcpy(s->anchor, d->now, picture_bytes(d));
        s->since_s = d->t_s;
    }
    return 0;
}

void change_unsettle(struct change_detector *d, double t_s)
{
    for (int i = 0; i < STILLNESSES; i++)
        d->still[i].since_s = t_s;
}

void change_take_reference(struct change_detector *d)
{
    memcpy(d->reference, d->now, picture_bytes(d));
    d->references++;
    memset(d->mask, 0, (size_t)d->width * (size_t)d->height);
    d->changed = 0;
}

struct pt_px change_shift_px(const struct change_detector *d, const uint8_t *other, struct change_box box)
{
    int left = box.left > 1 ? box.left : 1, right = box.right < d->width - 2 ? box.right : d->width - 2;
    int top = box.top > 1 ? box.top : 1, bottom = box.bottom < d->height - 2 ? box.bottom : d->height - 2;
    enum { LIGHTS = 3, UNKNOWNS = LIGHTS + 2 }; // of the channels: light that comes is no movement; which way it went
    const double slope_noise = 2;               // 8-bit steps a reduced pixel: where all is flat, noise is no movement
    double N[UNKNOWNS * UNKNOWNS], g[UNKNOWNS], moved[UNKNOWNS];
    struct normal_equations sums = normal_begin(N, g, UNKNOWNS);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            for (int c = 0; c < LIGHTS; c++) {
                size_t at = 3 * ((size_t)y * (size_t)d->width + (size_t)x) + (size_t)c, row = 3 * (size_t)d->width;
                double du = (d->now[at + 3] - d->now[at - 3] + other[at + 3] - other[at - 3]) / 4.0;
                double dv = (d->now[at + row] - d->now[at - row] + other[at + row] - other[at - row]) / 4.0;
                normal_add(&sums, (const double[UNKNOWNS]){ c == 0, c == 1, c == 2, -du, -dv }, d->now[at] - other[at],
                           1);
                normal_add_prior(&sums, LIGHTS, 0, 1 / slope_noise);
                normal_add_prior(&sums, LIGHTS + 1, 0, 1 / slope_noise);
            }
    if (!normal_solve(moved, &sums)) // outside the picture
        return (struct pt_px){ 0, 0 };
    return (struct pt_px){ d->step * moved[LIGHTS], d->step * moved[LIGHTS + 1] };
}

double change_drift_in(const struct change_detector *d)
{
    enum { PLACES = 4 };
    const double reach_in = d->pose->board.circle_in[0] / PLACES; // of each place, across and along the line
    double most_in = 0;
    for (int k = 0; k < PLACES; k++) {
        struct pt3_in at = surface_polar(d->pose->board.circle_in[0], (k + 0.5) * PI / 2);
        double px_per_in = camera_scale_px_per_in(&d->pose->camera, at);
        struct pt_px px;
        if (!(px_per_in > 0) || !camera_project(&px, &d->pose->camera, at))
            continue;
        struct change_box box = change_box_around(d, pixel_reduced(px, d->step), reach_in * px_per_in / d->step);
        struct pt_px shift = change_shift_px(d, d->still[STILL_WHOLE].anchor, box);
        most_in = fmax(most_in, hypot(shift.u, shift.v) / px_per_in);
    }
    return most_in;
}

int change_carry_reference(struct change_detector *d, const struct change_detector *old, const struct camera *from,
                           const struct camera *to, struct fail *why)
{
    const struct frame reference = { .width = old->width, .height = old->height, .bgr = old->reference };
    int rc = old->blurs && !d->blurs ? begin_to_blur(d, why) : 0;
    if (rc < 0)
        return rc;
    uint8_t *carried = malloc(picture_bytes(d)), *replaced = d->reference;
    if (!carried)
        return rs_fail(why, RS_ENOMEM, "no memory for a reference of %d x %d pixels", d->width, d->height);
    memcpy(carried, d->now, picture_bytes(d));
    for (int y = 0; y < d->height; y++)
        for (int x = d->from[y]; x < d->to[y]; x++) {
            // The colour of the old reference at the place of the board that is seen here now.
            struct pt_px now = pixel_enlarged((struct pt_px){ x, y }, d->step), was;
            struct pt_in at;
            float seen[3];
            if (!camera_locate(&at, to, now, 0) || !camera_project(&was, from, surface_at(at)))
                continue;
            was = pixel_reduced(was, old->step);
            if (!frame_sample(seen, &reference, was.u, was.v, SAMPLE_CODES))
                continue;
            uint8_t *here = carried + 3 * ((size_t)y * (size_t)d->width + (size_t)x), bgr[3];
            for (int c = 0; c < 3; c++)
                bgr[c] = (uint8_t)lroundf(seen[c]);
            if (change_difference(here, bgr) > d->tuning->carried_changes * d->threshold)
                memcpy(here, bgr, sizeof bgr);
        }
    d->reference = carried;
    free(replaced);
    mark_changes(d);
    return 0;
}

double change_piece_radius_px(const struct change_detector *d, struct pt_in at)
{
    struct pt3_in foot = { at.x, at.y, 0 };
    return d->pose->board.piece_radius_in * camera_scale_px_per_in(&d->pose->camera, foot) / d->step;
}
