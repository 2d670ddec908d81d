// SPDX-License-Identifier: MIT
#include "vision/pieces/ditch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/clarity.h"
#include "vision/colour.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/disc_evidence.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/side_classifier.h"

struct ditch_search {
    const struct board_pose *surface;      // the board as it was found
    const struct detection_list *on_board; // its pieces, which lie in no ditch
    const struct tuning *tuning;
    struct frame *f;
    struct board_pose pose; // of the ditch, with pieces of the measured size
    struct pt3_in eye;      // over it
    struct cylinder shape;
    struct surroundings near;
    struct disc_evidence *evidence;
    int votes;
    struct peak vote[HOUGH_PEAKS_MAX];
};

struct board_pose ditch_pose(const struct board_pose *surface, const struct disc_tuning *tuning)
{
    struct board_pose low = *surface;
    const double depth_in = surface->board.ditch_depth_in, eye_in = camera_position(&surface->camera).z;
    struct board *b = &low.board;
    for (int i = 0; i < 3; i++)
        low.camera.pose.t_in[i] -= depth_in * surface->camera.pose.R[i][2];
    // The surface hides what is below its edge, which from straight above seems to lie so much farther out on the ditch's floor.
    b->hole_radius_in = surface->board.surface_radius_in * (1 + depth_in / eye_in);
    b->circle_in[0] = surface->board.surface_radius_in;
    b->circles = b->pegs = 0;
    b->quadrant_lines = false;
    b->line_width_in = 0;
    b->surface_radius_in = surface->board.surface_radius_in + tuning->ditch_widest_in;
    return low;
}

// In sight of the camera, and not one that was found on the board.
static bool may_lie(const struct ditch_search *d, struct pt_in at)
{
    const struct board *b = &d->pose.board;
    // Where the line of sight to the middle of its face meets the surface's plane.
    struct pt_in over = camera_sight(&d->eye, at, b->piece_height_in, d->surface->board.ditch_depth_in);
    bool may = hypot(at.x, at.y) < b->surface_radius_in && hypot(over.x, over.y) > d->surface->board.surface_radius_in;
    for (int i = 0; i < d->on_board->count && may; i++) {
        struct pt_in seems;
        may = !camera_locate(&seems, &d->pose.camera, d->on_board->piece[i].px, b->piece_height_in) ||
              distance_in(seems, at) >= 2 * b->piece_radius_in - d->tuning->disc.ditch_lean_in;
    }
    return may;
}

static double score(const double m[DITCH_MEASURES], const struct evidence_tuning *t)
{
    return logistic(t->ditch_bias + t->ditch_votes * m[DITCH_LOG_VOTES] + t->ditch_over_spill * m[DITCH_OVER_SPILL] +
                    t->ditch_step * m[DITCH_STEP] + t->ditch_support * m[DITCH_SUPPORT] +
                    t->ditch_uneven * m[DITCH_UNEVEN] + t->ditch_far_out * m[DITCH_FAR_OUT] +
                    t->ditch_paint_off * m[DITCH_LOG_PAINT_OFF]);
}

// What is seen at a place; false where nothing is, or no fit could make a piece of it.
static bool measure(struct ditch_hypothesis *h, const struct ditch_search *d, struct pt_in at, double votes)
{
    static const double plain_share = 1.5, least_share = 0.1; // of votes: more or less says nothing more
    static const double plain_step = 1, plain_sigmas = 10, same_sigmas = 0.5;
    const struct evidence_tuning *t = &d->tuning->evidence;
    double seen[DISC_MEASURES], sigmas = plain_sigmas, *m = h->measure;
    *h = (struct ditch_hypothesis){ .at = at };
    if (!disc_evidence_at(seen, h->piece.lab, d->evidence, at))
        return false;
    for (int i = 0; i < d->on_board->count; i++)
        sigmas = fmin(sigmas, side_paints_apart(h->piece.lab, d->on_board->piece[i].lab, &d->tuning->appearance));
    m[DITCH_LOG_VOTES] = log(fmin(fmax(votes, least_share), plain_share));
    m[DITCH_OVER_SPILL] = seen[LOG_CONTRAST_OVER_SPILL];
    m[DITCH_STEP] = fmin(seen[STEP_LOW], plain_step);
    m[DITCH_LOG_PAINT_OFF] = log(fmax(sigmas, same_sigmas));
    m[DITCH_FAR_OUT] =
        fmax(hypot(at.x, at.y) - d->surface->board.surface_radius_in - d->tuning->disc.ditch_usual_in, 0);
    m[DITCH_SUPPORT] = 1; // the most that a fit can say, and nothing uneven
    h->probability = score(m, t);
    return h->probability >= t->ditch_least;
}

static void describe(struct detection *out, const struct cylinder_fit *fit, const struct ditch_search *d,
                     double probability)
{
    const double height_in = d->shape.height_in, depth_sigma_in = d->tuning->disc.ditch_depth_sigma_in;
    *out = (struct detection){ .kind = d->shape.kind,
                               .plane = IN_DITCH,
                               .at = fit->at,
                               .radius_in = d->shape.radius_in,
                               .certainty = probability,
                               .support = fit->support };
    out->cov = floor_cov(fit->cov, &d->pose, fit->at, height_in, DISC_FLOOR_SIGMA_IN);
    // How deep this ditch is nobody measured: a deeper one moves its piece along the line of sight.
    double moves = depth_sigma_in / d->eye.z;
    out->cov = cov_sum(out->cov, cov_of_step(moves * (fit->at.x - d->eye.x), moves * (fit->at.y - d->eye.y)));
    colour_to_lab(out->lab, fit->top);
    camera_project(&out->px, &d->pose.camera, (struct pt3_in){ fit->at.x, fit->at.y, height_in });
}

// Each place for which edges vote is looked at there, then a little beside it, where the outline steps the most; what may be a piece
// by that is fitted.
static void weigh(struct ditch_hypotheses *out, const struct ditch_search *d)
{
    const struct evidence_tuning *t = &d->tuning->evidence;
    out->count = 0;
    for (int i = 0; i < d->votes; i++) {
        struct ditch_hypothesis *h = &out->item[out->count];
        const struct peak *p = &d->vote[i];
        if (!may_lie(d, p->at) || !measure(h, d, p->at, p->score))
            continue;
        struct pt_in better = disc_evidence_refined(d->evidence, p->at);
        if (distance_in(better, p->at) < t->fit_most_off_in && !measure(h, d, better, p->score))
            continue;
        struct cylinder_fit fit = { .at = h->at };
        if (!cylinder_fit_run(&fit, d->f, &d->shape, &d->near, FIT_JUDGE))
            continue;
        h->measure[DITCH_SUPPORT] = fit.support;
        h->measure[DITCH_UNEVEN] = fit.uneven;
        h->probability = score(h->measure, t);
        if (distance_in(fit.at, h->at) >= t->fit_most_off_in)
            fit.at = h->at; // it ran to something else; the place may be right all the same
        h->at = fit.at;
        describe(&h->piece, &fit, d, h->probability);
        out->count++;
    }
}

static int more_probable(const void *a, const void *b)
{
    double x = ((const struct ditch_hypothesis *)a)->probability, y = ((const struct ditch_hypothesis *)b)->probability;
    return (x < y) - (x > y);
}

// The most probable first, each where it has room: there they lie close, and lean on each other.
static void select_pieces(struct detection_list *list, const struct ditch_hypotheses *all, const struct tuning *tuning)
{
    const int on_board = list->count;
    for (int i = 0; i < all->count && list->count < MAX_PIECES; i++) {
        const struct detection *p = &all->item[i].piece;
        bool room = p->certainty >= tuning->evidence.ditch_least;
        for (int k = on_board; k < list->count && room; k++)
            room = distance_in(list->piece[k].at, p->at) >= 2 * p->radius_in - tuning->disc.ditch_lean_in;
        if (room)
            list->piece[list->count++] = *p;
    }
}

int ditch_find(struct detection_list *list, struct ditch_hypotheses *tried, struct frame *f,
               const struct board_pose *pose, const struct tuning *tuning, struct fail *why)
{
    tried->count = 0;
    if (pose->board.piece != PIECE_DISC || pose->board.surface_radius_in <= 0 ||
        pose->board.ditch_depth_in <= pose->board.piece_height_in ||
        camera_tilt_rad(&pose->camera) > tuning->evidence.votes_most_tilt_rad)
        return 0;
    struct ditch_search d = {
        .surface = pose, .on_board = list, .tuning = tuning, .f = f, .pose = ditch_pose(pose, &tuning->disc)
    };
    d.eye = camera_position(&d.pose.camera);
    d.shape = cylinder_of_piece(&d.pose.board, 0);
    struct edge_prior edge = { board_blur_px(pose, &tuning->board), tuning->disc.piece_rounding_in,
                               tuning->disc.piece_rounding_sigma_in };
    d.near = (struct surroundings){ .board = &d.pose, .self = -1, .edge = edge, .tuning = &tuning->disc };
    double grain[3] = { 0 };
    int rc = d.votes = hough_find(d.vote, grain, f, &d.pose, NULL, &tuning->disc, why);
    if (rc >= 0)
        rc = disc_evidence_create(&d.evidence, NULL, f, &d.pose, &tuning->evidence, why);
    if (rc < 0)
        return rc;
    disc_evidence_set_votes(d.evidence, d.vote, d.votes);
    weigh(tried, &d);
    qsort(tried->item, (size_t)tried->count, sizeof *tried->item, more_probable);
    select_pieces(list, tried, tuning);
    disc_evidence_free(d.evidence);
    return 0;
}
