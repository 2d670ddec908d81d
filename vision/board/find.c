// SPDX-License-Identifier: MIT
#include "vision/board/find.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/concentric.h"
#include "vision/board/edges.h"
#include "vision/board/landmarks.h"
#include "vision/board/inspect.h"
#include "vision/board/pattern.h"
#include "vision/board/polar.h"
#include "vision/board/refine.h"
#include "vision/board/candidate_refine.h"
#include "vision/board/turn.h"
#include "vision/board/lens_prior.h"
#include "vision/reduced.h"

enum {
    EDGE_WIDTH_PX = 640, // width at which the coarse search looks for edges: a board's lines are a pixel wide there
    MOST_EDGES = 8000,
    POLAR_WIDTH_PX = 960, // width at which circles are told: a line is one or two pixels, the coarse pose good to one
    POLAR_ANGLES = 240,
    MOST_CIRCLES = 40,
    CANDIDATES = 5,
    PATTERNS = 3,
};
static const double POLAR_REACH = 0.7; // of the reduced width: beyond it no circle has half its length in the picture
static const double SURE_COVERAGE = 0.75; // no other reading needs to be tried

static struct lens assumed_lens(const struct frame *f, const struct lens *known)
{
    if (known)
        return *known;
    struct lens usual = { .width = f->width,
                          .height = f->height,
                          .centre = { (f->width - 1) / 2.0, (f->height - 1) / 2.0 } };
    usual.f_px = lens_prior_f_px(&usual);
    return usual;
}

static int scale_lens(struct lens *out, const struct lens *known, const struct frame *f, struct fail *why)
{
    double k = (double)f->width / known->width;
    if (fabs(k * known->height - f->height) > 1.5)
        return rs_fail(why, RS_EINPUT, "the lens file is for %d x %d pixels, this picture has %d x %d: calibrate again",
                       known->width, known->height, f->width, f->height);
    *out = lens_reduced(known, 1 / k);
    out->width = f->width;
    out->height = f->height;
    return 0;
}

struct search {
    const struct frame *f;
    const struct board *board;
    struct lens lens;
    bool known_lens;
    struct frame *small; // for the unrolled view
    double reduction;
    struct board_pose best; // as `board` until one is found
    double best_score;
    struct fail last; // why the most promising reading was refused
    bool close_call;  // `last` speaks of circles that were found
    bool crowded;     // a single ring is wanted and there are several circles around one centre
};

static int make_small(struct search *s, struct fail *why)
{
    s->reduction = s->f->width > POLAR_WIDTH_PX ? (double)s->f->width / POLAR_WIDTH_PX : 1;
    return frame_reduced(&s->small, s->f, s->reduction, why);
}

// Which painted circles there are around the candidate's centre, and which of them may be the board's.
static int read_patterns(struct pattern *out, struct search *s, const struct camera *candidate, struct fail *why)
{
    struct camera c = *candidate;
    struct painted_circle circles[MOST_CIRCLES];
    struct polar p;
    c.lens = lens_reduced(&c.lens, s->reduction);
    double scale = camera_scale_px_per_in(&c, (struct pt3_in){ 0, 0, 0 });
    if (!(scale > 0))
        return 0;
    int rc = polar_create(&p, s->small, &c, (int)(POLAR_REACH * s->small->width), POLAR_ANGLES, 1 / scale, why);
    if (rc < 0)
        return rc;
    int n = polar_circles(circles, MOST_CIRCLES, &p, why);
    polar_finish(&p);
    if (n < 0)
        return n;
    s->crowded = s->board->circles == 1 && pattern_is_crowded(circles, n);
    if (s->crowded)
        return 0;
    return pattern_match(out, PATTERNS, circles, n, s->board);
}

static double score_of(const struct refined *r)
{
    return r->coverage / (1 + r->fit.noise_px);
}

static double line_sigma_in(const struct pose_fit *fit, double radius_in)
{
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        double x = cos(i * PI / 4), y = sin(i * PI / 4);
        struct cov_in2 cov = pose_fit_place_cov(fit, (struct pt_in){ radius_in * x, radius_in * y }, 0);
        double along = cov_along(&cov, x, y);
        sum += along * along / 8;
    }
    return sqrt(sum);
}

static enum focal_from focal_from(const struct search *s, const struct board_pose *found)
{
    if (s->known_lens)
        return FOCAL_FROM_LENS;
    return lens_prior_f_overruled(found->camera.lens.f_px, found->f_sigma_px) ? FOCAL_FROM_CIRCLES : FOCAL_ASSUMED;
}

static void report(struct board_pose *out, const struct search *s, const struct refined *r)
{
    *out = (struct board_pose){ .found = true, .board = *s->board };
    out->camera = r->fit.camera;
    out->fit = r->fit;
    out->nominal = r->nominal;
    out->rms_px = r->fit.rms_px;
    out->coverage = r->coverage;
    out->f_sigma_px = pose_fit_f_sigma_px(&r->fit);
    out->focal_from = focal_from(s, out);
    out->line_sigma_in = line_sigma_in(&r->fit, r->fit.radius_in[0]);
    out->board.line_width_in = r->width_in;
    memcpy(out->board.line_deviation_in, r->line_deviation_in, sizeof r->line_deviation_in);
    if (s->board->edge == CIRCLE_LINE_CENTRE)
        memcpy(out->board.circle_in, r->fit.radius_in, sizeof *r->fit.radius_in * (size_t)s->board->circles);
    // What hangs on the outermost circle keeps its distance from it, what stands on the innermost one moves with it.
    double grown_in = out->board.circle_in[0] - s->board->circle_in[0];
    if (out->board.surface_radius_in > 0)
        out->board.surface_radius_in += grown_in;
}

// Circles that fit may still be a clock's: takes the reading when its furniture is the board's.
static int weigh_reading(struct search *s, const struct refined *r, struct fail *why)
{
    struct board_pose found;
    struct landmarks seen;
    struct fail other;
    report(&found, s, r);
    int rc = turn_board(&found, s->f, why);
    if (rc < 0)
        return rc;
    landmarks_look(&seen, s->small, s->reduction, &found);
    if (landmarks_judge(&seen, &found.board, &other) < 0) {
        if (!s->close_call)
            s->last = other;
        s->close_call = true;
        return 0;
    }
    s->best = found;
    s->best_score = score_of(r);
    return 0;
}

static int try_reading(struct search *s, const struct camera *candidate, const struct pattern *pattern,
                       struct fail *why)
{
    struct camera c = *candidate;
    struct refined r;
    struct fail refused = { 0 };
    double scale = s->board->circle_in[0] / pattern->circle[0].radius;
    for (int i = 0; i < 3; i++)
        c.pose.t_in[i] *= scale;
    if (s->known_lens)
        c.lens = s->lens;
    if (refine_board(&r, s->f, &c, s->known_lens, pattern, s->board, &refused) == 0)
        return score_of(&r) > s->best_score ? weigh_reading(s, &r, why) : 0;
    if (s->last.text[0] == '\0')
        s->last = refused;
    return 0;
}

static int try_candidate(struct search *s, const struct camera *candidate, struct fail *why)
{
    struct pattern patterns[PATTERNS];
    int count = read_patterns(patterns, s, candidate, why);
    int rc = count < 0 ? count : 0;
    for (int k = 0; k < count && rc == 0 && s->best.coverage < SURE_COVERAGE; k++)
        rc = try_reading(s, candidate, &patterns[k], why);
    return rc;
}

// Each candidate as settled on the lines, which are the board's own circles, then on the steps (a broad ring has two and no
// line), then as it is.
static int try_candidates(struct search *s, struct concentric *candidates, int n,
                          const struct edge_list edges[EDGE_KINDS], struct fail *why)
{
    const struct edge_list *onto[] = { &edges[EDGE_LINE], &edges[EDGE_STEP], NULL };
    for (int i = 0; i < n; i++) {
        struct camera sharp;
        concentric_sharpen(&candidates[i], &edges[EDGE_STEP], &s->lens);
        concentric_camera(&sharp, &candidates[i], &s->lens);
        for (int k = 0; k < 3; k++) {
            if (s->best.coverage > SURE_COVERAGE || s->crowded)
                return 0;
            struct camera c = sharp;
            if (onto[k])
                candidate_refine(&c, onto[k], s->known_lens);
            int rc = try_candidate(s, &c, why);
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

static int search_edges(struct search *s, const struct edge_list edges[EDGE_KINDS], struct fail *why)
{
    struct concentric candidates[CANDIDATES];
    int n = concentric_find(candidates, CANDIDATES, &edges[EDGE_STEP], &s->lens, why);
    return n < 0 ? n : try_candidates(s, candidates, n, edges, why);
}

static int search_board(struct search *s, struct fail *why)
{
    struct edge_list edges[EDGE_KINDS] = { { 0 } };
    int rc = edges_find(edges, s->f, EDGE_WIDTH_PX, MOST_EDGES, why);
    if (rc == 0)
        rc = make_small(s, why);
    if (rc == 0)
        rc = search_edges(s, edges, why);
    for (int k = 0; k < EDGE_KINDS; k++)
        edges_finish(&edges[k]);
    frame_free(s->small);
    return rc;
}

int board_find(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
               const struct tuning *tuning, struct fail *why)
{
    (void)tuning;
    *out = (struct board_pose){ .board = *wanted };
    struct search s = { .f = f, .board = wanted, .known_lens = lens != NULL };
    struct lens scaled = { 0 };
    int rc = lens ? scale_lens(&scaled, lens, f, why) : 0;
    if (rc < 0)
        return rc;
    s.lens = assumed_lens(f, lens ? &scaled : NULL);
    rc = search_board(&s, why);
    if (rc < 0)
        return rc;
    if (s.crowded) {
        rs_fail(why, 0, "no %s found: there are several circles around one centre, not a single ring", wanted->name);
        return 0;
    }
    if (s.best_score <= 0) {
        rs_fail(why, 0, "no %s board found: %s", wanted->name,
                s.last.text[0] ? s.last.text : "nothing in the picture looks like its circles");
        return 0;
    }
    *out = s.best;
    out->clarity = board_clarity(f, out);
    return 0;
}
