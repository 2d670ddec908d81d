// SPDX-License-Identifier: MIT
#include "vision/board/oblique_verdict.h"

#include <math.h>
#include <stdio.h>

// What the two lines that show best show.
static void two_best_lines(double out[2], const struct oblique_view *view, const struct board *board)
{
    out[0] = out[1] = 0;
    for (int i = 0; i < board->circles; i++) {
        out[1] = fmax(out[1], fmin(view->line_strength[i], out[0]));
        out[0] = fmax(out[0], view->line_strength[i]);
    }
}

bool oblique_may_be_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t)
{
    double line[2];
    two_best_lines(line, view, board);
    return board->circles > 1 && board->quadrant_lines && line[1] >= t->lines_alone_least &&
           view->score + view->pegs >= t->lines_alone_score;
}

bool oblique_is_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t)
{
    double line[2];
    two_best_lines(line, view, board);
    bool lines = board->circles == 1 || line[1] >= t->second_line_least;
    return lines && (board->pegs < 2 ? view->score >= t->score_least && line[0] >= t->line_least
                                     : view->score + view->pegs >= t->score_least && view->pegs >= t->pegs_least);
}

// What a person can do. Where an inch across is too few pixels: bring the camera nearer. Where only an inch in depth
// is: raise it. Else something hides or washes out what is missing.
static const char *advice(const struct camera *c, const struct oblique_tuning *t)
{
    double px_per_in = c->lens.f_px / c->pose.t_in[2];
    if (px_per_in < t->told_px_per_in)
        return "bring the camera nearer, or take larger pictures";
    if (px_per_in * cos(camera_tilt_rad(c)) < t->told_depth_px_per_in)
        return "raise the camera";
    return "clear the board of hands, and keep glare off it";
}

static const char *missing(const struct oblique_view *v, const struct board *board, const struct oblique_tuning *t)
{
    bool has_pegs = board->pegs >= 2, pegs = has_pegs && v->pegs < t->pegs_least;
    bool lines = v->score < t->score_least - (has_pegs ? 1 : 0);
    return pegs && lines ? "its pegs, lines and edge"
           : pegs        ? "its pegs"
           : lines       ? "its lines and edge"
                         : "more than one of its lines";
}

bool oblique_refusal_words(struct fail *why, const struct oblique_view *view, int n, const struct fail *untraced,
                           bool hinted, const struct board *board, const struct oblique_tuning *t)
{
    const struct oblique_view *best = view;
    for (int i = 1; i < n; i++)
        if (view[i].score + view[i].pegs > best->score + best->pegs)
            best = &view[i];
    if (n == 0 || best->score + best->pegs < t->told_share * t->score_least)
        return false;
    const struct camera *c = &best->camera;
    double px_per_in = c->lens.f_px / c->pose.t_in[2], shown = 100 * (best->score + best->pegs) / t->score_least;
    char where[160], share[80];
    struct pt_px at = { 0, 0 };
    camera_project(&at, c, (struct pt3_in){ 0, 0, 0 });
    snprintf(where, sizeof where, "something like one at %.0f,%.0f, %.0f px wide and %.0f degrees off the vertical,",
             at.u, at.v, 2 * board->circle_in[0] * px_per_in, camera_tilt_rad(c) * 180 / PI);
    snprintf(share, sizeof share, shown < 100 ? "pegs %.0f %%, %.0f %% of what is asked in all" : "pegs %.0f %%",
             100 * best->pegs, shown);
    const char *or_hint = hinted ? "" : ", or say with --hint where it lies";
    if (untraced->text[0])
        rs_fail(why, 0, "%s has lines too faint to be measured (%.160s): %s", where, untraced->text, advice(c, t));
    else
        rs_fail(why, 0, "%s does not show %s well enough (%s): %s%s", where, missing(best, board, t), share,
                advice(c, t), or_hint);
    return true;
}
