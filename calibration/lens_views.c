// SPDX-License-Identifier: MIT
#include "calibration/lens_views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"

// Another view, when it differs by this much from each that is kept, or by less in several ways at once.
static const double OTHER_PLACE = 0.1; // of the picture's longer side
static const double OTHER_LEAN = 0.2;  // of the normal across the line of sight: 12 degrees
static const double OTHER_SIZE = 0.2;  // of its logarithm

// How well the lens must be known, as shares of the focal length and of the picture's half diagonal.
static const double DONE_SIGMA = 0.003; // six times better than where `calibrate check` asks for a lens file
static const double MOST_SIGMA = 0.01;  // twice better; a lens file is taken as exact

// Each view determines two of the five unknowns; below these how far the views disagree is not known either.
enum { DONE_VIEWS = 10, LEAST_VIEWS = 6 };

static const double EDGE = 0.2;  // of a side: what lies in it is at the picture's edge, where lenses bend most
static const double LEANS = 0.3; // of the normal: 17 degrees, from where on the far side is visibly smaller

enum { PLACES = 9, LEAN_SIDES = 4 };
static const char *const place_words[PLACES] = { "top left corner",    "top edge",    "top right corner",
                                                 "left edge",          "middle",      "right edge",
                                                 "bottom left corner", "bottom edge", "bottom right corner" };
static const char *const lean_words[LEAN_SIDES] = { "left side", "right side", "top",
                                                    "bottom" }; // the one that is nearer

// What distinguishes views.
struct view_descriptor {
    struct pt_px middle; // of its corners
    double lean[2];      // the normal towards the camera, its parts along u and v
    double log_size;     // of a square's side
};

static bool descriptor_of(struct view_descriptor *out, const struct lens_views *v, const struct chessboard *b)
{
    struct lens usual = { .width = v->width,
                          .height = v->height,
                          .f_px = v->width > v->height ? v->width : v->height,
                          .centre = { (v->width - 1) / 2.0, (v->height - 1) / 2.0 } };
    double H[3][3];
    struct pose p;
    if (!chessboard_homography(H, b) ||
        !lens_fit_start_pose(&p, (const double(*)[3])H, v->fitted ? &v->fit.lens : &usual))
        return false;
    double facing = p.R[2][2] < 0 ? 1 : -1;
    *out = (struct view_descriptor){ .middle = { H[0][2], H[1][2] },
                                     .lean = { facing * p.R[0][2], facing * p.R[1][2] },
                                     .log_size = -log(p.t_in[2]) };
    return true;
}

bool lens_views_is_another(const struct lens_views *v, const struct chessboard *seen)
{
    struct view_descriptor a, b;
    double longer_px = v->width > v->height ? v->width : v->height;
    if (v->count == LENS_FIT_MAX_VIEWS || !descriptor_of(&a, v, seen))
        return false;
    for (int i = 0; i < v->count; i++) {
        if (!descriptor_of(&b, v, &v->view[i]))
            continue;
        double place = distance_px(a.middle, b.middle) / (OTHER_PLACE * longer_px);
        double lean = hypot(a.lean[0] - b.lean[0], a.lean[1] - b.lean[1]) / OTHER_LEAN;
        double size = (a.log_size - b.log_size) / OTHER_SIZE;
        if (place * place + lean * lean + size * size < 1)
            return false;
    }
    return true;
}

void lens_views_begin(struct lens_views *v, int width, int height)
{
    memset(v, 0, sizeof *v);
    v->width = width;
    v->height = height;
}

int lens_views_add(struct lens_views *v, const struct chessboard *seen, struct fail *why)
{
    if (!lens_views_is_another(v, seen))
        return 0;
    v->view[v->count++] = *seen;
    int rc = lens_fit_solve(&v->fit, v->view, v->count, v->width, v->height, why);
    v->fitted = rc == 0;
    return rc < 0 && rc != RS_EINPUT ? rc : 1;
}

static int third_of(double at, int side)
{
    if (at < EDGE * side)
        return 0;
    return at > (1 - EDGE) * side ? 2 : 1;
}

// The side that came least often towards the camera.
static int rarest_lean(const struct lens_views *v)
{
    int times[LEAN_SIDES] = { 0 }, rarest = 0;
    struct view_descriptor c;
    for (int k = 0; k < v->count; k++) {
        if (!descriptor_of(&c, v, &v->view[k]))
            continue;
        times[0] += c.lean[0] > LEANS;
        times[1] += c.lean[0] < -LEANS;
        times[2] += c.lean[1] > LEANS;
        times[3] += c.lean[1] < -LEANS;
    }
    for (int i = 1; i < LEAN_SIDES; i++)
        if (times[i] < times[rarest])
            rarest = i;
    return rarest;
}

bool lens_views_missing(char words[LENS_VIEWS_WORDS_MAX], const struct lens_views *v)
{
    bool seen[PLACES] = { false };
    int place = 0; // the first in which no corner was seen
    for (int k = 0; k < v->count; k++)
        for (int i = 0; i < chessboard_corners(&v->view[k]); i++) {
            struct pt_px at = v->view[k].corner[i];
            seen[3 * third_of(at.v, v->height) + third_of(at.u, v->width)] = true;
        }
    while (place < PLACES && seen[place])
        place++;
    const char *side = lean_words[rarest_lean(v)];
    if (v->count == LENS_FIT_MAX_VIEWS)
        return false;
    if (v->count == 0)
        snprintf(words, LENS_VIEWS_WORDS_MAX, "hold the chessboard before the camera");
    else if (place < PLACES)
        snprintf(words, LENS_VIEWS_WORDS_MAX, "bring it into the %s", place_words[place]);
    else if (!v->fitted || lens_fit_sigma(&v->fit, FIT_LOG_F) > DONE_SIGMA)
        snprintf(words, LENS_VIEWS_WORDS_MAX, "tilt it more, its %s towards the camera", side);
    else if (lens_fit_corner_sigma(&v->fit) > DONE_SIGMA)
        snprintf(words, LENS_VIEWS_WORDS_MAX, "bring it into the picture's corners again, tilted");
    else if (v->count < DONE_VIEWS)
        snprintf(words, LENS_VIEWS_WORDS_MAX, "a few more views, its %s towards the camera", side);
    else
        return false;
    return true;
}

bool lens_views_suffice(const struct lens_views *v, struct fail *why)
{
    const char *side = lean_words[rarest_lean(v)];
    double f_sigma = v->fitted ? lens_fit_sigma(&v->fit, FIT_LOG_F) : 0;
    double corner_sigma = v->fitted ? lens_fit_corner_sigma(&v->fit) : 0;
    if (v->count < LEAST_VIEWS)
        rs_fail(why, 0,
                "%d different views of a chessboard are too few, %d are needed, in all parts of the picture and tilted",
                v->count, LEAST_VIEWS);
    else if (!v->fitted)
        rs_fail(why, 0, "no lens explains these views: the chessboard must be flat, the camera must not zoom");
    else if (!(f_sigma <= MOST_SIGMA))
        rs_fail(
            why, 0,
            "these views leave the focal length open to %.1f %%, %.0f %% is the most: tilt the chessboard more, its %s "
            "towards the camera",
            100 * f_sigma, 100 * MOST_SIGMA, side);
    else if (!(corner_sigma <= MOST_SIGMA))
        rs_fail(why, 0,
                "these views leave the picture's corners open to %.1f %%, %.0f %% is the most: bring the chessboard "
                "into them",
                100 * corner_sigma, 100 * MOST_SIGMA);
    else
        return true;
    return false;
}
