// SPDX-License-Identifier: MIT
#include "vision/board/clarity.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "vision/board/line_profile.h"
#include "vision/colour.h"

enum { CLARITY_AROUND = 120, PROFILE_MOST = 201, FLANK_SAMPLES = 5, LIGHT_RINGS = 24, LIGHT_AROUND = 96 };
static const double MOST_BLUR_PX = 20;

enum { BLOCK_PX = 8, CODES = 256 };
static const double ROUNDING = 1.0 / 12; // variance of what a whole number leaves off: no pixel has less
static const uint8_t BLACK = 4;          // a sensor is empty, and shows no error, as where it is full

struct profiles {
    int n; // samples across; the middle one is the line's
    double light[3][PROFILE_MOST][CLARITY_AROUND];
    double median[3][PROFILE_MOST];
    int directions;   // that lie in the picture whole
    double px_per_in; // across the line, median
};

// Reads the line's profile in all directions, and their median. False when too few directions show it whole.
static bool read_profiles(struct profiles *p, const struct line_view *view, double radius_in, double width_in)
{
    const struct board_tuning *t = view->tuning;
    struct slit slit[CLARITY_AROUND];
    double scale[CLARITY_AROUND], seen_scale[CLARITY_AROUND];
    float light[PROFILE_MOST][3];
    int seen = 0;
    for (int k = 0; k < CLARITY_AROUND; k++) {
        slit[k] = (struct slit){ radius_in, 2 * PI * k / CLARITY_AROUND, false };
        scale[k] = slit_px_per_in(view->camera, &slit[k]);
        seen_scale[seen] = scale[k];
        seen += scale[k] > 0;
    }
    p->directions = 0;
    if (seen < t->clarity_directions_least)
        return false;
    p->px_per_in = median_of(seen_scale, seen);
    p->n = 2 * (int)ceil((width_in * p->px_per_in / 2 + t->clarity_reach_px) / PROFILE_STEP_PX) + 1;
    if (p->n > PROFILE_MOST)
        return false;
    for (int i = 0; i < CLARITY_AROUND; i++) {
        if (!(scale[i] > 0) || !slit_read(light, p->n, view, &slit[i], PROFILE_STEP_PX / scale[i]))
            continue;
        for (int k = 0; k < 3 * p->n; k++)
            p->light[k % 3][k / 3][p->directions] = (double)light[k / 3][k % 3];
        p->directions++;
    }
    for (int i = 0; i < 3 && p->directions >= t->clarity_directions_least; i++)
        for (int k = 0; k < p->n; k++)
            p->median[i][k] = median_of(p->light[i][k], p->directions);
    return p->directions >= t->clarity_directions_least;
}

static double flank(const struct profiles *p, int channel)
{
    double sum = 0;
    for (int k = 0; k < FLANK_SAMPLES; k++)
        sum += p->median[channel][k] + p->median[channel][p->n - 1 - k];
    return sum / (2 * FLANK_SAMPLES);
}

// A line of width_px blurred by sigma_px: its steepest slope, across a sample's neighbours, over its height.
static double modelled_steepness(double width_px, double sigma_px)
{
    double s = sqrt(2) * sigma_px, half = width_px / 2, height = erf(half / s), most = 0, before = 0;
    for (int k = 0; k < PROFILE_MOST; k++) {
        double from = k * PROFILE_STEP_PX - PROFILE_STEP_PX, to = k * PROFILE_STEP_PX + PROFILE_STEP_PX;
        double at_from = (erf((from + half) / s) - erf((from - half) / s)) / 2;
        double at_to = (erf((to + half) / s) - erf((to - half) / s)) / 2;
        double slope = (at_from - at_to) / (2 * PROFILE_STEP_PX);
        most = fmax(most, slope);
        if (slope < before && before > 0 && slope < most / 2)
            break;
        before = slope;
    }
    return height > 0 ? most / height : INFINITY;
}

static double blur_of(const struct profiles *p, const double along[3], double width_px, const struct board_tuning *t)
{
    double shown[PROFILE_MOST], ground = 0, height = 0, slope = 0, low = 0.05, high = MOST_BLUR_PX;
    for (int i = 0; i < 3; i++)
        ground += along[i] * flank(p, i);
    for (int k = 0; k < p->n; k++) {
        shown[k] = -ground;
        for (int i = 0; i < 3; i++)
            shown[k] += along[i] * p->median[i][k];
        height = fmax(height, shown[k]);
    }
    for (int k = 1; k + 1 < p->n; k++)
        slope = fmax(slope, fabs(shown[k + 1] - shown[k - 1]) / (2 * PROFILE_STEP_PX));
    if (height < t->clarity_step_least || !(width_px > 0))
        return 0;
    while (high - low > 0.01) {
        double sigma = (low + high) / 2;
        if (modelled_steepness(width_px, sigma) > slope / height)
            low = sigma;
        else
            high = sigma;
    }
    return low;
}

// Most cameras, JPEG and video keep one colour for two by two pixels, and it is read between them. That blurs lines of
// colour, not the picture, so it is taken off; of pictures that keep all colour that is too much.
static double without_colours_blur(double blur_px)
{
    static const double taken_px2 = 1 / 4.0, // variances: of the mean of two pixels, of lines from one to the next
        read_px2 = 2 / 3.0, least_px = 0.6;  // what a pixel's own box and the sampling between pixels leave
    return fmin(blur_px, sqrt(fmax(blur_px * blur_px - taken_px2 - read_px2, least_px * least_px)));
}

// Measures one line. True when only colour shows it, and luma does not.
static bool measure_line(struct line_clarity *out, const struct line_view *view, const struct board *b, int circle,
                         struct profiles *p)
{
    const struct board_tuning *t = view->tuning;
    double middle_in = board_line_middle_in(b, circle);
    struct predicted_line line = { .radius_in = middle_in,
                                   .line_deviation_in = b->line_deviation_in[circle],
                                   .width_in = b->line_width_in,
                                   .window_px = t->clarity_window_px,
                                   .samples = CLARITY_AROUND };
    double contrast[3];
    int outside = 0;
    for (int k = 0; k < CLARITY_AROUND; k++) {
        struct pt_px at;
        bool seen = camera_project(&at, view->camera, surface_polar(middle_in, 2 * PI * k / CLARITY_AROUND));
        outside += !seen || !frame_shows(view->frame, at.u, at.v);
    }
    *out = (struct line_clarity){ .radius_in = middle_in, .outside = (double)outside / CLARITY_AROUND };
    if (!read_profiles(p, view, middle_in, b->line_width_in))
        return false;
    for (int i = 0; i < 3; i++)
        contrast[i] = p->median[i][p->n / 2] - flank(p, i);
    if (!(vec3_dot(contrast, contrast) > 0))
        return false;
    line_profile_along(&line, contrast, t);
    struct line_point point[CLARITY_AROUND];
    double off_px[CLARITY_AROUND];
    int n = 0, seen = line_profile_circle(point, view, &line);
    for (int k = 0; k < CLARITY_AROUND; k++) {
        struct pt_in at;
        if (!point[k].seen || !camera_locate(&at, view->camera, point[k].middle, 0))
            continue;
        double radius_in = middle_in + board_line_deviation_in(line.line_deviation_in, point[k].angle_rad);
        struct slit across = { middle_in, point[k].angle_rad, false };
        off_px[n++] = fabs(hypot(at.x, at.y) - radius_in) * slit_px_per_in(view->camera, &across);
    }
    out->seen = (double)seen / CLARITY_AROUND;
    out->noise_px = n ? MAD_TO_SIGMA * median_of(off_px, n) : 0; // pegs and pieces beside the line are no part of it
    out->blur_px = blur_of(p, line.along, b->line_width_in * p->px_per_in, t);
    return line.of_colour;
}

// How much of the lines is seen, the long ones counting more, and how sharp they are: the blur of the sharpest one that
// luma shows, else of the sharpest in colour. RS_ENOMEM.
static int measure_lines(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                         const struct board_tuning *t, struct fail *why)
{
    const struct line_view view = { f, &pose->camera, t };
    struct profiles *p = malloc(sizeof *p);
    double whole_in = 0, colours_blur_px = 0;
    if (!p)
        return rs_fail(why, RS_ENOMEM, "no memory for the board's lines");
    for (int i = 0; i < out->lines; i++) {
        struct line_clarity *l = &out->line[i];
        bool of_colour = measure_line(l, &view, &pose->board, i, p);
        whole_in += l->radius_in;
        out->seen += l->seen * l->radius_in;
        out->outside += l->outside * l->radius_in;
        double *sharpest_px = of_colour ? &colours_blur_px : &out->blur_px;
        if (l->blur_px > 0 && (*sharpest_px <= 0 || l->blur_px < *sharpest_px))
            *sharpest_px = l->blur_px;
    }
    free(p);
    if (out->blur_px <= 0 && colours_blur_px > 0)
        out->blur_px = without_colours_blur(colours_blur_px);
    out->seen /= whole_in;
    out->outside /= whole_in;
    out->fit_blur_px =
        out->blur_px > 0 ? fmax(t->fit_blur_least_px, fmin(out->blur_px, t->fit_blur_most_px)) : t->fit_blur_usual_px;
    return 0;
}

// The k-th place in rings of the same area, so that every place counts the same.
static struct pt3_in even_place(double radius_in, int k, int rings, int around)
{
    return surface_polar(radius_in * sqrt((k / around + 0.5) / rings), 2 * PI * (k % around) / around);
}

// How lit the board is: how much of it is burnt out, how much dark, and its median luma.
static void measure_light(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                          const struct board_tuning *t)
{
    double luma[LIGHT_RINGS * LIGHT_AROUND];
    int n = 0, clipped = 0, dark = 0;
    for (int k = 0; k < LIGHT_RINGS * LIGHT_AROUND; k++) {
        struct pt_px at;
        if (!camera_project(&at, &pose->camera, even_place(pose->board.circle_in[0], k, LIGHT_RINGS, LIGHT_AROUND)) ||
            !frame_shows(f, at.u, at.v))
            continue;
        luma[n] = frame_luma_at(f, (int)at.u, (int)at.v);
        clipped += luma[n] >= t->clipped_code;
        dark += luma[n] <= t->dark_luma;
        n++;
    }
    if (n == 0)
        return;
    out->clipped = (double)clipped / n;
    out->dark = (double)dark / n;
    out->brightness = median_of(luma, n);
}

// How often neighbours differ by so many codes, within blocks and across their borders.
struct steps {
    long count[2][CODES];
};

// Mean square of the smaller steps.
static double flat_square(const long count[CODES], const struct board_tuning *t)
{
    long all = 0, taken = 0;
    double sum = 0;
    for (int d = 0; d < CODES; d++)
        all += count[d];
    long most = (long)(t->flat_share * (double)all);
    for (int d = 0; d < CODES && taken < most; d++) {
        long n = count[d] < most - taken ? count[d] : most - taken;
        sum += (double)n * d * d;
        taken += n;
    }
    return taken ? sum / (double)taken : 0;
}

// Compression errs in blocks: by so much steps across their borders exceed those within them.
static void measure_compression(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                                const struct board_tuning *t)
{
    struct steps s = { { { 0 } } };
    double left = f->width, top = f->height, right = 0, bottom = 0, r = pose->board.circle_in[0];
    long across = 0;
    for (int k = 0; k < CLARITY_AROUND; k++) { // the part of the picture in which the board's outermost line runs
        double angle = 2 * PI * k / CLARITY_AROUND;
        struct pt_px at;
        if (!camera_project(&at, &pose->camera, surface_polar(r, angle)))
            return;
        left = fmin(left, fmax(at.u, 0));
        top = fmin(top, fmax(at.v, 0));
        right = fmax(right, fmin(at.u, f->width - 2));
        bottom = fmax(bottom, fmin(at.v, f->height - 2));
    }
    for (int v = (int)top; v <= (int)bottom; v++)
        for (int u = (int)left; u <= (int)right; u++) {
            int here = frame_luma_at(f, u, v);
            for (int down = 0; down < 2 && here > BLACK && here < t->clipped_code; down++) {
                int beyond = frame_luma_at(f, u + !down, v + down);
                if (beyond > BLACK && beyond < t->clipped_code)
                    s.count[((down ? v : u) + 1) % BLOCK_PX == 0][abs(beyond - here)]++;
            }
        }
    for (int d = 0; d < CODES; d++)
        across += s.count[1][d];
    if ((double)across < t->across_blocks_least)
        return;
    // A step is the difference of two errors: twice the variance of one.
    double fresh = flat_square(s.count[0], t) / 2, shared = fmax(flat_square(s.count[1], t) / 2 - fresh, 0);
    double smoothed = fmax(ROUNDING - fresh, 0); // away with all the rest
    out->in_blocks = (shared + smoothed) / (shared + smoothed + fresh);
    out->block_step = sqrt(shared);
}

// The mean colour of 5 x 5 pixels: what noise and compression do to single ones is no colour. False where the
// picture shows none, or where half of them are full or empty.
static bool colour_of_place(double out[3], const struct frame *f, struct pt_px at, const struct board_tuning *t)
{
    enum { PLACE_PX = 5 };
    double bgr[3] = { 0 };
    int n = 0;
    if (!frame_shows(f, at.u - PLACE_PX / 2, at.v - PLACE_PX / 2) ||
        !frame_shows(f, at.u + PLACE_PX / 2, at.v + PLACE_PX / 2))
        return false;
    for (int i = 0; i < PLACE_PX * PLACE_PX; i++) {
        int u = (int)at.u + i % PLACE_PX - PLACE_PX / 2, v = (int)at.v + i / PLACE_PX - PLACE_PX / 2;
        const uint8_t *p = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
        int most = p[0] > p[1] ? p[0] : p[1];
        most = p[2] > most ? p[2] : most;
        bool full = most >= t->clipped_code || most <= BLACK;
        n += !full;
        for (int c = 0; c < 3 && !full; c++)
            bgr[c] += p[c];
    }
    if (2 * n < PLACE_PX * PLACE_PX)
        return false;
    for (int c = 0; c < 3; c++)
        bgr[c] /= n;
    colour_from_bgr(out, bgr);
    return true;
}

// The first bin beyond which no more than `most` lie.
static int bin_below(const int *bin, int bins, double most)
{
    int beyond = 0;
    while (bins > 1 && (beyond += bin[bins - 1]) <= most)
        bins--;
    return bins - 1;
}

// Does the picture show colour? Grey has none. A picture that was tinted afterwards has one, but the same for all that
// is as light: a place's own colour is what it is off the usual one of its luma here. RS_ENOMEM.
static int measure_colour(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                          const struct board_tuning *t, struct fail *why)
{
    enum { RINGS = 160, AROUND = 320, LUMA_BINS = 64, STEP_BINS = 1024 };
    const double bin_steps = 0.25;
    const struct board *b = &pose->board;
    double sum[LUMA_BINS][3] = { { 0 } }, whole_in = fmax(b->circle_in[0], b->surface_radius_in);
    double(*colour)[3] = malloc(RINGS * AROUND * sizeof *colour);
    int off_grey[STEP_BINS] = { 0 }, own[STEP_BINS] = { 0 }, all = 0;
    if (!colour)
        return rs_fail(why, RS_ENOMEM, "no memory for the board's colours");
    for (int k = 0; k < RINGS * AROUND; k++) {
        struct pt_px at;
        if (!camera_project(&at, &pose->camera, even_place(whole_in, k, RINGS, AROUND)) ||
            !colour_of_place(colour[all], f, at, t))
            continue;
        double *of_luma = sum[(int)(colour[all][0] * LUMA_BINS / CODES)];
        of_luma[0]++;
        of_luma[1] += colour[all][1];
        of_luma[2] += colour[all][2];
        all++;
    }
    for (int k = 0; k < all; k++) {
        const double *c = colour[k], *of_luma = sum[(int)(c[0] * LUMA_BINS / CODES)];
        double off = hypot(c[1] - of_luma[1] / of_luma[0], c[2] - of_luma[2] / of_luma[0]);
        off_grey[(int)fmin(hypot(c[1], c[2]) / bin_steps, STEP_BINS - 1)]++;
        own[(int)fmin(off / bin_steps, STEP_BINS - 1)]++;
    }
    free(colour);
    if (all < t->colour_places_least)
        return 0;
    double most_alike = 0; // places of one luma: where paint is flat, a tint is not to be told from its own colour
    for (int bin = 0; bin < LUMA_BINS; bin++)
        most_alike = fmax(most_alike, sum[bin][0]);
    double share = (b->kind == BOARD_RING ? t->colour_share_ring : t->colour_share) * all;
    bool flat = most_alike > t->colour_flat_share * all;
    out->colourless = bin_steps * bin_below(off_grey, STEP_BINS, share) < t->colour_least ||
                      bin_steps * bin_below(flat ? off_grey : own, STEP_BINS, share) < t->own_colour_least;
    return 0;
}

int clarity_measure(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                    const struct board_tuning *t, struct fail *why)
{
    *out = (struct clarity){ .lines = pose->board.circles };
    int rc = measure_lines(out, f, pose, t, why);
    if (rc < 0)
        return rc;
    measure_light(out, f, pose, t);
    measure_compression(out, f, pose, t);
    return measure_colour(out, f, pose, t, why);
}

double board_blur_px(const struct board_pose *pose, const struct board_tuning *t)
{
    return pose->clarity.fit_blur_px > 0 ? pose->clarity.fit_blur_px : t->fit_blur_usual_px;
}
