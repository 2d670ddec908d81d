// SPDX-License-Identifier: MIT
#include "vision/board/board_search.h"

#include <math.h>
#include <string.h>

#include "vision/board/lens_prior.h"
#include "vision/board/line_refine.h"
#include "vision/board/orientation.h"

int search_edges(struct board_search *s, enum edge_choice choice, struct fail *why)
{
    edges_finish(s->edges);
    int rc = edges_find(s->edges, s->part, choice, s->t, why);
    s->blank = s->edges[EDGE_STEP].count == 0 && s->edges[EDGE_LINE].count == 0;
    for (int k = 0; k < EDGE_KINDS; k++)
        for (int i = 0; i < s->edges[k].count; i++) {
            s->edges[k].edge[i].u += (float)s->part_begins.u;
            s->edges[k].edge[i].v += (float)s->part_begins.v;
        }
    return rc;
}

bool search_decided(const struct board_search *s)
{
    return s->best.coverage > s->t->sure_coverage;
}

// The pose of the board by its refined lines.
static void pose_of(struct board_pose *out, const struct board_search *s, const struct refined *r)
{
    *out = (struct board_pose){ .found = true, .board = *s->board };
    out->camera = r->fit.camera;
    out->fit = r->fit;
    out->nominal = r->nominal;
    out->rms_px = r->fit.rms_px;
    out->coverage = r->coverage;
    out->f_sigma_px = pose_fit_f_sigma_px(&r->fit);
    out->focal_from = s->known_lens                                                    ? FOCAL_FROM_LENS
                      : lens_prior_f_overruled(out->camera.lens.f_px, out->f_sigma_px) ? FOCAL_FROM_CIRCLES
                                                                                       : FOCAL_ASSUMED;
    out->line_sigma_in = pose_fit_across_sigma_in(&r->fit, r->fit.radius_in[0]);
    out->board.line_width_in = r->width_in;
    memcpy(out->board.line_deviation_in, r->line_deviation_in, sizeof r->line_deviation_in);
    if (s->board->edge == CIRCLE_LINE_CENTRE)
        memcpy(out->board.circle_in, r->fit.radius_in, sizeof *r->fit.radius_in * (size_t)s->board->circles);
    // The surface ends as far beyond the outermost circle as it should; pegs stand on the innermost one, as measured.
    double grown_in = out->board.circle_in[0] - s->board->circle_in[0];
    if (out->board.surface_radius_in > 0)
        out->board.surface_radius_in += grown_in;
}

double search_score(const struct board_pose *p)
{
    return p->found ? p->coverage / (1 + p->fit.noise_px) : 0;
}

int search_refine(struct board_pose *out, struct board_search *s, const struct camera *c, enum board_seen from,
                  const struct pattern *pattern, struct fail *why)
{
    struct board_tuning tuning = *s->t;
    struct line_request asked = {
        .frame = s->f, .board = s->board, .camera = c, .pattern = pattern, .tuning = &tuning
    };
    struct refined r;
    if (s->known_lens)
        lens_priors_known(asked.lens, &s->lens);
    else
        lens_priors(asked.lens, &c->lens);
    if (from == FROM_THE_SIDE) {
        tuning.coverage_least = s->oblique->coverage_least;
        tuning.noise_most_px = s->oblique->noise_most_px;
        if (!s->known_lens) // halls are filmed with long lenses
            asked.lens[FIT_LOG_F] = (struct fit_prior){ log(c->lens.f_px), s->oblique->view_f_sigma };
    }
    int rc = line_refine(&r, &asked, &s->refused);
    if (rc == 0 && !s->known_lens && !lens_prior_allows(&r.fit.camera.lens))
        rc = rs_fail(&s->refused, RS_EINPUT,
                     "the best circles want a wider lens than there is: give the camera's with --lens");
    if (rc < 0)
        return rc == RS_EINPUT ? 0 : rs_fail(why, rc, "%s", s->refused.text);
    pose_of(out, s, &r);
    return 1;
}

int search_look_closer(struct landmarks *out, const struct board_search *s, struct board_pose *found, struct fail *why)
{
    int rc = board_orient(found, s->f, s->t, why);
    return rc < 0 ? rc : landmarks_look(out, s->small, s->reduction, found, s->t, why);
}
