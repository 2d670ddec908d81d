// SPDX-License-Identifier: MIT
#include "vision/track/aim.h"

#include <math.h>

#include "vision/board/turn.h"
#include "vision/track/regain.h"

static const double SAME_IN = 0.02; // find and refit of one frame agree so well, or the refit is not to be trusted

// A turn that only one of the two views shows is no movement.
static double shift_to_in(const struct aim *a, const struct board_pose *found)
{
    struct camera now = found->camera;
    if (!a->ever_found)
        return 0;
    if (!found->turn_seen || !a->pose.turn_seen)
        turn_camera(&now, regain_least_turn(&now, &a->told, false));
    double shift_in = board_shift_in(&found->board, &a->told, &now);
    return isfinite(shift_in) ? shift_in : 0;
}

double aim_lock(struct aim *a, const struct tracker_stages *find, const struct board_pose *found, struct frame *f,
                const struct tuning *tuning)
{
    struct refit r;
    struct board_pose now = *found;
    double shift_in = shift_to_in(a, found);
    a->pose = *found;
    a->lock_sigma_in = found->line_sigma_in;
    find->refit(&r, &now, f, tuning);
    a->refits = r.seen;
    if (r.seen && r.shift_in < SAME_IN)
        aim_follow(a, &now, &r);
    a->told = a->viewed = a->pose.camera;
    a->ever_found = true;
    return shift_in;
}

void aim_carry_over(struct board_pose *found, const struct aim *a, const struct tracker_stages *find, struct frame *f,
                    const struct tuning *tuning)
{
    struct refit r;
    struct board_pose same;
    turn_found(found, regain_least_turn(&found->camera, &a->pose.camera, found->turn_seen));
    same = *found;
    same.board = a->pose.board;
    find->refit(&r, &same, f, tuning);
    if (r.seen && r.shift_in < SAME_IN)
        *found = same;
}

void aim_follow(struct aim *a, const struct board_pose *now, const struct refit *r)
{
    a->pose.camera = a->pose.fit.camera = now->camera;
    a->pose.rms_px = r->rms_px;
    double sigma_in = fmax(a->lock_sigma_in, r->line_sigma_in);
    if (a->pose.line_sigma_in > 0)
        pose_fit_widen(&a->pose.fit, sigma_in / a->pose.line_sigma_in);
    a->pose.line_sigma_in = sigma_in;
}

double aim_moved_in(const struct aim *a, const struct camera *since)
{
    return board_shift_in(&a->pose.board, since, &a->pose.camera);
}
