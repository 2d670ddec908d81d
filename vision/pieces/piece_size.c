// SPDX-License-Identifier: MIT
#include "vision/pieces/piece_size.h"

#include <math.h>

#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/cylinder_light.h"

enum { SIZE_ROUNDS = 5, SIZE_PIECES = 8 };

void piece_size_apply(struct board *b, double scale)
{
    b->piece_radius_in *= scale;
    b->piece_height_in *= scale;
    b->piece_hole_radius_in *= scale;
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

// How many plain pieces agree on a change of size, and where they stand; 0 when they do not.
static int median_change(double *change, struct pt_in at[SIZE_PIECES], const struct surroundings *near,
                         const struct pt_in *place, int places, const struct frame *f)
{
    const struct board *b = &near->board->board;
    const struct disc_tuning *t = near->tuning;
    struct cylinder shape = cylinder_of_piece(b, 0);
    struct wish wish[SIZE_PIECES];
    double clear = 0, agreeing = 0;
    int n = 0;
    for (int i = 0; i < places && n < SIZE_PIECES; i++) {
        struct cylinder_fit fit = { .at = place[i] };
        double r = hypot(fit.at.x, fit.at.y);
        if (r <= b->hole_radius_in + b->piece_radius_in || (b->surface_radius_in > 0 && r >= b->surface_radius_in) ||
            !cylinder_fit_run(&fit, f, &shape, near, FIT_SIZE) || fit.uneven > t->size_most_uneven ||
            fit.explained < t->size_least_explained || fit.contrast < t->size_least_contrast ||
            fit.support < t->size_least_support)
            continue;
        // By how much the outline of a plain piece lies outside of where it should.
        wish[n].change = fmax(-t->size_most_step, fmin(t->size_most_step, fit.grow_in / shape.radius_in));
        wish[n].clear = fmax(-fit.larger - fit.smaller, 0);
        clear += wish[n].clear;
        at[n++] = fit.at;
    }
    *change = n ? middle_of(wish, n, clear) : 0;
    for (int i = 0; i < n; i++)
        agreeing += fabs(wish[i].change - *change) < t->size_agree ? wish[i].clear : 0;
    return agreeing >= t->size_least_agreeing * clear ? n : 0;
}

int piece_size_measure(double *scale, const struct pt_in *place, int places, const struct frame *f,
                       const struct surroundings *bare, struct fail *why)
{
    const struct disc_tuning *t = bare->tuning;
    struct board_pose now = *bare->board;
    struct surroundings near = *bare;
    bool converged = false;
    near.board = &now;
    *scale = 1;
    for (int round = 0; round < SIZE_ROUNDS && !converged; round++) {
        struct pt_in at[SIZE_PIECES];
        double change;
        int n = median_change(&change, at, &near, place, places, f);
        if (n < t->least_pieces) {
            *scale = 1;
            return 0;
        }
        converged = fabs(change) < t->size_settled;
        if (round > 0) // before their light is known, a shadow looks like more of a piece
            *scale *= 1 + change;
        now.board = bare->board->board;
        piece_size_apply(&now.board, *scale);
        struct cylinder shape[SIZE_PIECES];
        for (int i = 0; i < n; i++)
            shape[i] = cylinder_of_piece(&now.board, 0);
        struct surroundings all = near;
        all.neighbour = shape;
        all.neighbour_at = at;
        all.neighbours = n;
        int rc = converged ? 0 : cylinder_light_measure(&near.light, f, &all, why);
        if (rc < 0)
            return rc;
    }
    if (!converged || fabs(*scale - 1) < t->size_same || *scale > t->size_most_scale || *scale < 1 / t->size_most_scale)
        *scale = 1;
    return 0;
}
