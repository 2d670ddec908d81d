// SPDX-License-Identifier: MIT
#include "referee/rules/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double line_sigma(struct pt_in at, struct cov_in2 cov)
{
    double d = hypot(at.x, at.y);
    double sigma_in = sqrt(fmax(0, cov.xx));
    if (d > 0) {
        double x = at.x / d, y = at.y / d;
        sigma_in = sqrt(fmax(0, x * x * cov.xx + 2 * x * y * cov.xy + y * y * cov.yy));
    }
    // Nearer to the centre than its own uncertainty a piece has no sure radial direction: the worst stands for all.
    double mean = (cov.xx + cov.yy) / 2, half = (cov.xx - cov.yy) / 2;
    double worst_in = sqrt(fmax(0, mean + hypot(half, cov.xy)));
    return d > worst_in ? sigma_in : worst_in;
}

struct verdict line_judge(const struct line_rule *line, const struct resting_piece *piece)
{
    double deviates_in = board_line_deviation_in(line->line_deviation_in, atan2(piece->at.y, piece->at.x));
    double radius_in = line->radius_in + deviates_in;
    static const double radii[] = { [BY_CENTRE] = 0, [BY_OUTER_EDGE] = 1, [BY_INNER_EDGE] = -1 };
    double reach_in = hypot(piece->at.x, piece->at.y) + radii[line->by] * piece->radius_in;
    struct verdict v = { .margin_in = radius_in - reach_in, .sigma_in = line_sigma(piece->at, piece->cov) };
    v.side = v.margin_in > 0 ? LINE_IN : v.margin_in < 0 ? LINE_OUT : line->tie;
    v.clear = v.firm = fabs(v.margin_in) > FIRM_SIGMAS * v.sigma_in;
    return v;
}

static double inside_edge(const struct board *b, int i)
{
    return b->circle_in[i] - (b->edge == CIRCLE_LINE_CENTRE ? b->line_width_in / 2 : 0);
}

struct line_rule line_of_ring(const struct board *b, bool taw)
{
    return (struct line_rule){ inside_edge(b, 0), BY_CENTRE, taw ? LINE_IN : LINE_OUT, b->line_deviation_in[0] };
}

struct line_rule line_of_circle(const struct board *b, int i)
{
    return (struct line_rule){ inside_edge(b, i), BY_OUTER_EDGE, LINE_OUT, b->line_deviation_in[i] };
}

struct verdict line_touch(const struct board *b, int i, const struct resting_piece *piece)
{
    struct line_rule outside = { inside_edge(b, i) + b->line_width_in, BY_INNER_EDGE, LINE_IN,
                                 b->line_deviation_in[i] };
    struct verdict v = line_judge(&outside, piece);
    if (piece->ruled &&
        piece->ruled_points >= b->zone_points[i]) { // in a lower area it may touch the line all the same
        v.side = LINE_IN;
        v.margin_in = fabs(v.margin_in);
        v.clear = v.firm = true;
    }
    return v;
}

bool line_role_is_sure(const struct resting_piece *piece)
{
    return piece->certainty >= FIRM_CERTAINTY;
}

struct line_rule line_deciding(const struct board *b, const struct resting_piece *piece)
{
    if (b->kind == BOARD_RING)
        return line_of_ring(b, piece->taw);
    if (piece->plane == IN_HOLE)
        return (struct line_rule){ b->hole_radius_in, BY_CENTRE, LINE_OUT, NULL };
    struct line_rule nearest = line_of_circle(b, 0);
    for (int i = 1; i < b->circles && piece->plane == ON_SURFACE; i++) {
        struct line_rule circle = line_of_circle(b, i);
        if (fabs(line_judge(&circle, piece).margin_in) < fabs(line_judge(&nearest, piece).margin_in))
            nearest = circle;
    }
    return nearest;
}

static struct zone measured_zone(const struct board *b, const struct resting_piece *piece)
{
    struct line_rule decides = line_deciding(b, piece);
    struct verdict v = line_judge(&decides, piece);
    if (b->kind == BOARD_RING) {
        if (piece->plane != ON_SURFACE)
            v.side = LINE_OUT;
        v.firm = v.clear && line_role_is_sure(piece);
        v.doubt = "target or taw?";
        return (struct zone){ v.side == LINE_IN ? ZONE_IN : ZONE_OUT, 0, v };
    }
    struct zone z = { ZONE_DITCH, 0, v };
    if (piece->plane != ON_SURFACE && piece->plane != IN_HOLE)
        return z;
    z.verdict.firm = v.clear && piece->certainty >= SURE_CERTAINTY;
    z.verdict.doubt = "a disc?";
    if (piece->plane == IN_HOLE) {
        z.area = ZONE_HOLE;
        z.points = b->hole_points;
        return z;
    }
    for (int i = 0; i < b->circles; i++) { // the innermost circle that it lies wholly within
        struct line_rule circle = line_of_circle(b, i);
        if (line_judge(&circle, piece).side == LINE_IN) {
            z.area = ZONE_CIRCLE;
            z.points = b->zone_points[i];
        }
    }
    return z;
}

struct zone zone_of(const struct board *b, const struct resting_piece *piece)
{
    struct zone z = measured_zone(b, piece);
    if (piece->ruled) {
        z.area = piece->ruled_area;
        z.points = piece->ruled_points;
        z.verdict.clear = z.verdict.firm = true;
    }
    return z;
}

void zone_rule(struct resting_piece *piece, const struct zone *zone)
{
    piece->ruled = true;
    piece->ruled_area = zone->area;
    piece->ruled_points = zone->points;
}

static const double BEYOND_IN = 1e-6; // surely across a line

bool zone_beyond(struct zone *out, const struct board *b, const struct resting_piece *piece)
{
    struct zone is = zone_of(b, piece);
    struct resting_piece lying = *piece;
    double margin_in = is.verdict.margin_in, from_centre_in = hypot(lying.at.x, lying.at.y);
    if (piece->plane != ON_SURFACE || piece->ruled || !(from_centre_in > 0))
        return false;
    double scale =
        fmax(from_centre_in + margin_in + (is.verdict.side == LINE_IN ? BEYOND_IN : -BEYOND_IN), 0) / from_centre_in;
    lying.at.x *= scale;
    lying.at.y *= scale;
    *out = zone_of(b, &lying);
    return out->area != is.area || out->points != is.points;
}

bool zone_named(struct zone *out, const struct board *b, const char *word)
{
    struct zone known[BOARD_MAX_CIRCLES + 2] = { { .area = ZONE_IN }, { .area = ZONE_OUT } };
    int n = 2;
    if (b->kind == BOARD_CIRCLES) {
        known[0] = (struct zone){ .area = ZONE_DITCH };
        known[1] = (struct zone){ .area = ZONE_HOLE, .points = b->hole_points };
        for (int i = 0; i < b->circles; i++)
            known[n++] = (struct zone){ .area = ZONE_CIRCLE, .points = b->zone_points[i] };
    }
    for (int i = 0; i < n; i++) {
        char name[ZONE_WORD_MAX];
        zone_word(name, &known[i]);
        if (strcmp(name, word) == 0) {
            *out = known[i];
            return true;
        }
    }
    return false;
}

struct points zone_points(const struct board *b, const struct resting_piece *piece)
{
    struct zone is = zone_of(b, piece), beyond = is;
    if (piece->plane == ON_SURFACE && !is.verdict.clear)
        zone_beyond(&beyond, b, piece);
    bool perhaps_none = !piece->ruled && piece->certainty < SURE_CERTAINTY;
    return (struct points){ .reads = is.points,
                            .least = perhaps_none                ? 0
                                     : is.points < beyond.points ? is.points
                                                                 : beyond.points,
                            .most = is.points > beyond.points ? is.points : beyond.points };
}

struct points points_exactly(int reads)
{
    return (struct points){ reads, reads, reads };
}

struct points points_perhaps(int reads, bool doubtful)
{
    return (struct points){ .reads = reads, .least = doubtful ? 0 : reads, .most = reads };
}

void points_add(struct points *sum, struct points more)
{
    sum->reads += more.reads;
    sum->least += more.least;
    sum->most += more.most;
}

void points_words(char out[POINTS_WORDS_MAX], struct points points)
{
    if (points.least < points.most)
        snprintf(out, POINTS_WORDS_MAX, "%d (%d to %d)", points.reads, points.least, points.most);
    else
        snprintf(out, POINTS_WORDS_MAX, "%d", points.reads);
}

bool zone_in_play(const struct zone *z)
{
    return z->points > 0 || z->area == ZONE_IN;
}

void zone_word(char out[ZONE_WORD_MAX], const struct zone *z)
{
    static const char *const words[] = {
        [ZONE_NONE] = "", [ZONE_IN] = "in", [ZONE_OUT] = "out", [ZONE_DITCH] = "ditch"
    };
    if (z->area == ZONE_CIRCLE || z->area == ZONE_HOLE)
        snprintf(out, ZONE_WORD_MAX, "%d", z->points % 1000);
    else
        snprintf(out, ZONE_WORD_MAX, "%s", words[z->area]);
}
