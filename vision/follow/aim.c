// SPDX-License-Identifier: MIT
#include "vision/follow/aim.h"

#include <math.h>

#include "vision/board/turn.h"
#include "vision/follow/regain.h"

static const double SAME_IN = 0.02; // find and refit of one frame agree so well, or the refit is not to be trusted

// A turn that only one of the two views shows is no movement.
static double shift_to_in(const struct aim *a, const struct found_board *found)
{
    struct camera now = found->camera;
    if (!a->ever_found)
        return 0;
    if (!found->turn_seen || !a->on.turn_seen)
        turn_camera(&now, regain_least_turn(&now, &a->told, false));
    double shift_in = board_shift_in(&found->board, &a->told, &now);
    return isfinite(shift_in) ? shift_in : 0;
}

double aim_lock(struct aim *a, const struct eye_finders *find, const struct found_board *found, struct frame *f)
{
    struct refit r;
    struct found_board now = *found;
    double shift_in = shift_to_in(a, found);
    a->on = *found;
    a->lock_sigma_in = found->line_sigma_in;
    find->refit(&r, &now, f);
    a->refits = r.seen;
    if (r.seen && r.shift_in < SAME_IN)
        aim_follow(a, &now, &r);
    a->told = a->viewed = a->on.camera;
    a->ever_found = true;
    return shift_in;
}

void aim_carry_over(struct found_board *found, const struct aim *a, const struct eye_finders *find, struct frame *f)
{
    struct refit r;
    struct found_board same;
    turn_found(found, regain_least_turn(&found->camera, &a->on.camera, found->turn_seen));
    same = *found;
    same.board = a->on.board;
    find->refit(&r, &same, f);
    if (r.seen && r.shift_in < SAME_IN)
        *found = same;
}

void aim_follow(struct aim *a, const struct found_board *now, const struct refit *r)
{
    a->on.camera = a->on.fit.camera = now->camera;
    a->on.rms_px = r->rms_px;
    double sigma_in = fmax(a->lock_sigma_in, r->line_sigma_in);
    if (a->on.line_sigma_in > 0)
        pose_fit_widen(&a->on.fit, sigma_in / a->on.line_sigma_in);
    a->on.line_sigma_in = sigma_in;
}

double aim_moved_in(const struct aim *a, const struct camera *since)
{
    return board_shift_in(&a->on.board, since, &a->on.camera);
}
