// SPDX-License-Identifier: MIT
#include "vision/pieces/size.h"

#include <math.h>

#include "vision/pieces/solid_fit.h"
#include "vision/pieces/votes.h"

enum { ROUNDS = 4, LOOKED_AT = 30, LEAST_PIECES = 3 };                               // one or two may be something else
static const double LEAST_EXPLAINED = 0.65, LEAST_CONTRAST = 5, LEAST_SUPPORT = 0.5; // only plain pieces are measured
static const double GLANCE_EXPLAINED = 0.4; // of another size and with a shadow
static const double MOST_UNEVEN = 0.1;
static const double AGREE = 0.04;         // of the size: pieces of one set want the same change
static const double LEAST_AGREEING = 0.7; // share of them
static const double MOST_STEP = 0.08;     // of the size, in one round: the fit is not trusted farther
static const double SETTLED = 0.015;
static const double SAME_SIZE = 0.035; // pieces are made to a few hundredths of an inch
static const double MOST_SCALE = 1.25; // beyond it these are no pieces of this game

void size_apply(struct board *b, double scale)
{
    b->piece_radius_in *= scale;
    b->piece_height_in *= scale;
    b->piece_hole_radius_in *= scale;
}

static bool can_be_measured(const struct board *b, struct pt_in at)
{
    double r = hypot(at.x, at.y);
    return r > b->hole_radius_in + b->piece_radius_in && (b->surface_radius_in <= 0 || r < b->surface_radius_in);
}

// By how much the outline of a plain piece lies outside of where it should.
static bool wished_change(double *change, const struct solid_fit *fit, double radius_in)
{
    if (fit->uneven > MOST_UNEVEN || fit->explained < LEAST_EXPLAINED || fit->contrast < LEAST_CONTRAST ||
        fit->support < LEAST_SUPPORT)
        return false;
    *change = fmax(-MOST_STEP, fmin(MOST_STEP, fit->grow_in / radius_in));
    return true;
}

// What one piece says of the size, and how clearly: by what another size would explain less.
struct wish {
    double change, clear;
};

// The change that as much of what is said lies above as below.
static double middle_of(const struct wish *wish, int n, double clear)
{
    double middle = 0, least_off = INFINITY;
    for (int i = 0; i < n; i++) {
        double below = -clear / 2 - wish[i].clear / 2;
        for (int j = 0; j < n; j++)
            below += wish[j].change <= wish[i].change ? wish[j].clear : 0;
        if (fabs(below) < least_off) {
            least_off = fabs(below);
            middle = wish[i].change;
        }
    }
    return middle;
}

static bool agree(const struct wish *wish, int n, double clear, double change)
{
    double agreeing = 0;
    for (int i = 0; i < n; i++)
        agreeing += fabs(wish[i].change - change) < AGREE ? wish[i].clear : 0;
    return agreeing >= LEAST_AGREEING * clear;
}

// How many plain pieces agree on a change of size; 0 when they do not. Finds the light that they stand in, too: a shadow
// makes a piece look larger.
static int median_change(double *change, struct solid_light *light, const struct solid_look *look,
                         const struct frame *f, const struct board_pose *pose, const struct background *empty,
                         struct fail *why)
{
    struct vote_peak peak[VOTE_PEAKS_MAX];
    struct solid shape[LOOKED_AT], solid = solid_of_piece(&pose->board, 0);
    struct pt_in at[LOOKED_AT];
    struct surroundings near = { .board = pose, .self = -1, .look = *look, .light = *light };
    struct wish wish[LOOKED_AT];
    double clear = 0;
    int n = 0, peaks = votes_find(peak, LOOKED_AT, f, pose, empty, why);
    for (int i = 0; i < peaks; i++) {
        struct solid_fit fit = { .at = peak[i].at };
        if (!can_be_measured(&pose->board, peak[i].at) || !solid_fit_run(&fit, f, &solid, &near, SOLID_GLANCE) ||
            fit.explained < GLANCE_EXPLAINED || !solid_fit_run(&fit, f, &solid, &near, SOLID_SIZE) ||
            !wished_change(&wish[n].change, &fit, solid.radius_in))
            continue;
        wish[n].clear = fmax(-fit.larger - fit.smaller, 0);
        clear += wish[n].clear;
        at[n] = fit.at;
        shape[n++] = solid;
    }
    struct surroundings all = { pose, shape, at, n, -1, *look, *light };
    *change = n ? middle_of(wish, n, clear) : 0;
    if (fabs(*change) >= SETTLED)
        solid_light_measure(light, f, &all);
    return peaks < 0 ? peaks : agree(wish, n, clear, *change) ? n : 0;
}

int size_measure(double *scale, const struct solid_look *look, const struct frame *f, const struct board_pose *pose,
                 const struct background *empty, struct fail *why)
{
    struct solid_light light = { .far = 0 };
    *scale = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct board_pose now = *pose;
        double change;
        size_apply(&now.board, *scale);
        int n = median_change(&change, &light, look, f, &now, empty, why);
        if (n < 0)
            return n;
        if (n < LEAST_PIECES) {
            *scale = 1;
            return 0;
        }
        *scale *= 1 + change;
        if (fabs(change) < SETTLED && (round > 0 || fabs(*scale - 1) < SETTLED))
            break;
    }
    if (fabs(*scale - 1) < SAME_SIZE || *scale > MOST_SCALE || *scale < 1 / MOST_SCALE)
        *scale = 1;
    return 0;
}
