// SPDX-License-Identifier: MIT
#include "referee/rules/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double distance_in(struct pt_in at)
{
    return hypot(at.x, at.y);
}

// At the very centre no direction is radial: the worst one stands for all.
static double worst_sigma(struct cov_in2 cov)
{
    double mean = (cov.xx + cov.yy) / 2, half = (cov.xx - cov.yy) / 2;
    return sqrt(fmax(0, mean + hypot(half, cov.xy)));
}

double line_sigma(struct pt_in at, struct cov_in2 cov)
{
    double d = distance_in(at);
    double sigma_in = sqrt(fmax(0, cov.xx));
    if (d > 0) {
        double x = at.x / d, y = at.y / d;
        sigma_in = sqrt(fmax(0, x * x * cov.xx + 2 * x * y * cov.xy + y * y * cov.yy));
    }
    // Nearer to the centre than its own uncertainty, a piece has no sure radial direction.
    double worst_in = worst_sigma(cov);
    return d > worst_in ? sigma_in : worst_in;
}

static struct verdict verdict_of(double margin_in, double sigma_in, enum side_of_line tie)
{
    struct verdict v = { .margin_in = margin_in, .sigma_in = sigma_in };
    v.side = margin_in > 0 ? LINE_IN : margin_in < 0 ? LINE_OUT : tie;
    v.clear = v.firm = fabs(margin_in) > FIRM_SIGMAS * sigma_in;
    return v;
}

static double strayed_in(const double *line_deviation_in, struct pt_in at)
{
    return line_deviation_in ? board_stray_in(line_deviation_in, atan2(at.y, at.x)) : 0;
}

struct verdict line_judge(const struct line *line, const struct lying *piece)
{
    double radius_in = line->radius_in + strayed_in(line->line_deviation_in, piece->at);
    double reach_in = distance_in(piece->at) + (line->by == BY_OUTER_EDGE ? piece->radius_in : 0);
    return verdict_of(radius_in - reach_in, line_sigma(piece->at, piece->cov), line->tie);
}

static double inside_edge(const struct board *b, int i)
{
    return b->circle_in[i] - (b->edge == CIRCLE_LINE_CENTRE ? b->line_width_in / 2 : 0);
}

struct line line_of_ring(const struct board *b, bool taw)
{
    return (struct line){ inside_edge(b, 0), BY_CENTRE, taw ? LINE_IN : LINE_OUT, b->line_deviation_in[0] }; // M34, M36
}

struct line line_of_circle(const struct board *b, int i)
{
    return (struct line){ inside_edge(b, i), BY_OUTER_EDGE, LINE_OUT, b->line_deviation_in[i] };
}

bool line_touches_or_inside(const struct board *b, int i, const struct lying *piece)
{
    double outside_in = inside_edge(b, i) + strayed_in(b->line_deviation_in[i], piece->at) + b->line_width_in;
    return distance_in(piece->at) - piece->radius_in <= outside_in;
}

static struct zone zone_named(const char *name, int points, struct verdict v)
{
    struct zone z = { .points = points, .verdict = v };
    snprintf(z.name, sizeof z.name, "%s", name);
    return z;
}

static struct zone zone_worth(int points, struct verdict v)
{
    struct zone z = { .points = points, .verdict = v };
    snprintf(z.name, sizeof z.name, "%d", points % 1000);
    return z;
}

bool line_role_is_sure(const struct lying *piece)
{
    return piece->taw_certainty >= FIRM_CERTAINTY;
}

static struct zone marble_zone(const struct board *b, const struct lying *piece)
{
    struct line ring = line_of_ring(b, piece->taw);
    struct verdict v = line_judge(&ring, piece);
    if (piece->plane != ON_SURFACE)
        v.side = LINE_OUT;
    v.firm = v.clear && line_role_is_sure(piece);
    return zone_named(v.side == LINE_IN ? "in" : "out", 0, v);
}

// How far the piece's edge stays within the hole's: negative when it leans on the edge or lies elsewhere.
static struct verdict hole_verdict(const struct board *b, const struct lying *piece)
{
    struct line rim = { b->hole_radius_in, BY_CENTRE, LINE_OUT, NULL };
    return line_judge(&rim, piece);
}

static struct zone surface_zone(const struct board *b, const struct lying *piece)
{
    struct verdict nearest = { .margin_in = -INFINITY };
    int within = -1;
    for (int i = 0; i < b->circles; i++) {
        struct line circle = line_of_circle(b, i);
        struct verdict v = line_judge(&circle, piece);
        if (v.side == LINE_IN)
            within = i;
        if (i == 0 || fabs(v.margin_in) < fabs(nearest.margin_in))
            nearest = v;
    }
    return within < 0 ? zone_named("ditch", 0, nearest) : zone_worth(b->zone_points[within], nearest);
}

struct zone zone_of(const struct board *b, const struct lying *piece)
{
    if (b->kind == BOARD_RING)
        return marble_zone(b, piece);
    struct zone z = surface_zone(b, piece);
    if (piece->plane == IN_HOLE)
        return zone_worth(b->hole_points, hole_verdict(b, piece));
    if (piece->plane == ON_SURFACE)
        return z;
    struct line outermost = line_of_circle(b, 0);
    return zone_named("ditch", 0, line_judge(&outermost, piece));
}
