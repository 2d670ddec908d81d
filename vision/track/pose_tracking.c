// SPDX-License-Identifier: MIT
#include "vision/track/pose_tracking.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/board/orientation.h"
#include "vision/track/association.h"

int pose_refit(struct refit *out, struct board_pose *now, const struct pose_tracker *p, struct frame *f,
               struct fail *why)
{
    int rc = frame_decode(f, why);
    return rc < 0 ? rc : p->stages.refit(out, now, f, p->tuning, why);
}

int pose_search(struct board_pose *found, struct pose_tracker *p, struct frame *f, struct fail *why)
{
    struct refit r;
    if (f->t_s < p->search_again_s)
        return 1;
    const struct fail unfound = p->unfound;
    p->unfound = (struct fail){ 0 };
    p->searched_s = f->t_s;
    const struct lens *lens = p->has_lens ? &p->lens : NULL;
    int rc = p->stages.board(found, f, &p->wanted, lens, p->tuning, &p->unfound);
    if (rc == 0 && !found->found && p->another_view && p->tuning->hint && p->tuning->hint->kind != HINT_NONE) {
        struct tuning unhinted = *p->tuning;
        unhinted.hint = NULL;
        rc = p->stages.board(found, f, &p->wanted, lens, &unhinted, &p->unfound);
    }
    if (rc < 0) {
        rs_fail(why, rc, "%s", p->unfound.text);
        if (unfound.text[0]) // what the last whole search said
            p->unfound = unfound;
        return rc;
    }
    if (!p->ever_found)
        p->pose = *found; // to be shown, also where nothing can be tracked in it
    if (!found->found || !p->stages.suffices(found, &p->unfound)) {
        p->search_again_s = f->t_s + p->tuning->track.search_every_s;
        return 1;
    }
    if (!p->ever_found)
        return 0;
    board_pose_turn(found, relocalise_camera(&found->camera, &p->pose.camera, found->turn_seen));
    struct board_pose same = *found;
    same.board = p->pose.board;
    rc = pose_refit(&r, &same, p, f, why);
    if (rc < 0)
        return rc;
    if (r.seen && r.shift_in < p->tuning->track.refit_agrees_in)
        *found = same;
    return 0;
}

static void take_refit(struct pose_tracker *p, const struct board_pose *now, const struct refit *r)
{
    p->pose.camera = p->pose.fit.camera = now->camera;
    p->pose.rms_px = r->rms_px;
    double sigma_in = fmax(p->lock_sigma_in, r->line_sigma_in);
    if (p->pose.line_sigma_in > 0)
        pose_fit_widen(&p->pose.fit, sigma_in / p->pose.line_sigma_in);
    p->pose.line_sigma_in = sigma_in;
}

int pose_lock(double *shift_in, struct pose_tracker *p, const struct board_pose *found, struct frame *f,
              struct fail *why)
{
    struct refit r;
    struct board_pose now = *found;
    *shift_in = 0;
    if (p->ever_found) {
        struct camera unturned = found->camera;
        if (!found->turn_seen || !p->pose.turn_seen) // a turn that only one of the two views shows is no movement
            camera_turn(&unturned, relocalise_camera(&unturned, &p->reported, false));
        *shift_in = board_shift_in(&found->board, &p->reported, &unturned);
        *shift_in = isfinite(*shift_in) ? *shift_in : 0;
    }
    p->pose = *found;
    p->lock_sigma_in = found->line_sigma_in;
    int rc = pose_refit(&r, &now, p, f, why);
    if (rc < 0)
        return rc;
    p->refits = r.seen;
    if (r.seen && r.shift_in < p->tuning->track.refit_agrees_in)
        take_refit(p, &now, &r);
    p->reported = p->viewed = p->pose.camera;
    p->ever_found = true;
    return view_anchor_take(&p->anchor, f, &p->pose, &p->tuning->track, why);
}

bool pose_follow(double *shift_in, struct pose_tracker *p, const struct board_pose *now, const struct refit *r)
{
    const struct track_tuning *t = &p->tuning->track;
    double step_in = board_shift_in(&p->pose.board, &p->pose.camera, &now->camera);
    double least_in = fmax(t->shift_budget_in, t->shift_sigmas * r->sigma_in);
    bool was_steady = p->steady;
    take_refit(p, now, r);
    bool new_view = board_shift_in(&p->pose.board, &p->viewed, &p->pose.camera) > least_in;
    if (new_view)
        p->viewed = p->pose.camera;
    p->steady = step_in <= t->steady_in;
    *shift_in = board_shift_in(&p->pose.board, &p->reported, &p->pose.camera);
    // A knock is reported at once, a drift when it ends.
    if (*shift_in <= least_in || !(p->steady || (was_steady && step_in > t->shift_budget_in)))
        *shift_in = 0;
    else
        p->reported = p->pose.camera;
    return new_view;
}

double pose_turn(struct pose_tracker *p, double turn_rad)
{
    board_pose_turn(&p->pose, turn_rad);
    double shift_in = board_shift_in(&p->pose.board, &p->reported, &p->pose.camera);
    p->viewed = p->pose.camera;
    if (turn_rad == 0 || !(shift_in > p->tuning->track.shift_budget_in))
        return 0;
    p->reported = p->pose.camera;
    return shift_in;
}

bool pose_in_place(const struct pose_tracker *p, const struct board_pose *found)
{
    return board_shift_in(&found->board, &p->pose.camera, &found->camera) < p->tuning->track.shift_budget_in;
}

int pose_keep_view(struct pose_tracker *p, const struct frame *f, struct fail *why)
{
    if (p->anchor.luma && f->t_s - p->anchor.t_s < p->tuning->track.search_every_s)
        return 0;
    return view_anchor_take(&p->anchor, f, &p->pose, &p->tuning->track, why);
}

bool pose_view_unmoved(const struct pose_tracker *p, const struct frame *f)
{
    double shift_px = 0;
    if (!view_anchor_shift(&shift_px, &p->anchor, f, &p->tuning->track))
        return false;
    struct camera moved = p->pose.camera; // into the depth of the view, where a pixel is most of an inch
    moved.lens.centre.v += shift_px;
    return board_shift_in(&p->pose.board, &p->pose.camera, &moved) <=
           fmax(p->tuning->track.shift_budget_in, p->pose.line_sigma_in);
}

bool pose_agrees(const struct pose_tracker *p, const struct board_pose *found)
{
    static const double sigmas = 3;
    return board_shift_in(&found->board, &p->pose.camera, &found->camera) <
           sigmas * hypot(p->pose.line_sigma_in, found->line_sigma_in);
}

double relocalise_camera(const struct camera *now, const struct camera *before, bool quarters)
{
    double M[2][2] = { { 0 } };
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 3; j++)
                M[i][k] += before->pose.R[j][i] * now->pose.R[j][k];
    double turn = atan2(M[0][1] - M[1][0], M[0][0] + M[1][1]);
    return quarters ? round(turn / (PI / 2)) * (PI / 2) : turn;
}

static struct pt_in turned(struct pt_in p, double turn_rad)
{
    turn_axes(&p.x, &p.y, cos(turn_rad), sin(turn_rad));
    return p;
}

// How many tracks an alike piece lies at after that turn. *mean_rad: by how much they are still turned, on average.
static int pairs_at(double *mean_rad, const struct track *tracks, int n, const struct detection_list *seen,
                    double turn_rad, const struct track_tuning *tuning)
{
    double sine = 0, cosine = 0;
    int pairs = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < seen->count; i++) {
            struct pt_in was = tracks[k].piece.at, is = turned(seen->piece[i].at, turn_rad);
            if (distance_in(is, was) > tuning->same_place_new_view_in ||
                !association_alike(&tracks[k].piece, &seen->piece[i], tuning))
                continue;
            pairs++;
            sine += was.x * is.y - was.y * is.x;
            cosine += was.x * is.x + was.y * is.y;
            break;
        }
    *mean_rad = pairs > 0 ? atan2(sine, cosine) : 0;
    return pairs;
}

// The turn that would bring the seen piece to where the tracked one lay; false when none would.
static bool turn_between(double *turn_rad, const struct detection *was, const struct detection *is,
                         const struct track_tuning *tuning)
{
    double r = hypot(was->at.x, was->at.y);
    if (r < tuning->turn_radius_least_in || fabs(r - hypot(is->at.x, is->at.y)) > tuning->same_place_new_view_in ||
        !association_alike(was, is, tuning))
        return false;
    *turn_rad = remainder(atan2(is->at.y, is->at.x) - atan2(was->at.y, was->at.x), 2 * PI);
    return fabs(*turn_rad) < tuning->turn_most_rad;
}

double relocalise_by_pieces(const struct track *tracks, int n, const struct detection_list *seen, bool quarters,
                            const struct track_tuning *tuning)
{
    double best = 0, rest, radius_in = 0;
    int most = pairs_at(&rest, tracks, n, seen, 0, tuning);
    for (int q = 1; q < 4 && quarters; q++) {
        int pairs = pairs_at(&rest, tracks, n, seen, q * PI / 2, tuning);
        if (pairs > most) {
            most = pairs;
            best = q * PI / 2;
        }
    }
    if (quarters)
        return best;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < seen->count; i++) {
            double turn, unused;
            if (!turn_between(&turn, &tracks[k].piece, &seen->piece[i], tuning))
                continue;
            int pairs = pairs_at(&unused, tracks, n, seen, turn, tuning);
            if (pairs > most || (pairs == most && fabs(turn) < fabs(best))) {
                most = pairs;
                best = turn;
            }
        }
    pairs_at(&rest, tracks, n, seen, best, tuning);
    for (int k = 0; k < n; k++)
        radius_in += hypot(tracks[k].piece.at.x, tracks[k].piece.at.y) / n;
    bool believed = most >= tuning->turn_pairs_least && 2 * most >= n;
    return believed && fabs(best + rest) * radius_in > tuning->turned_least_in ? best + rest : 0;
}

void relocalise_pieces(struct detection_list *seen, double turn_rad)
{
    double c = cos(turn_rad), s = sin(turn_rad);
    for (int i = 0; i < seen->count; i++) {
        struct detection *p = &seen->piece[i];
        struct cov_in2 v = p->cov;
        p->at = turned(p->at, turn_rad);
        p->cov.xx = c * c * v.xx + 2 * c * s * v.xy + s * s * v.yy;
        p->cov.yy = s * s * v.xx - 2 * c * s * v.xy + c * c * v.yy;
        p->cov.xy = c * s * (v.yy - v.xx) + (c * c - s * s) * v.xy;
    }
}
