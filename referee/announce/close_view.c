// SPDX-License-Identifier: MIT
#include "referee/announce/close_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "referee/rules/call.h"
#include "vision/draw.h"
#include "vision/rectify.h"

enum { CURVE_POINTS = 96 };

// In radii of the piece: half of what is seen from below to above, and how far the middle lies from the piece's own
// towards the line.
static const double HALF_SEEN = 1.5, TOWARDS_LINE = 0.4;
static const double LINE_PEN_PX = 2, RIM_PEN_PX = 3, SHADE_PX = 2, TOP_PEN_PX = 1.2, DOT_PX = 5;
static const double TITLE_PX = 20, WORDS_PX = 15, SCALE_PX = 12, MARGIN_PX = 18;

static const struct ink line_ink = { 255, 220, 60, 1 }, band_ink = { 0, 170, 255, 0.38 },
                        edge_ink = { 0, 170, 255, 0.9 };
static const struct ink rim_ink = { 255, 255, 255, 1 }, shade_ink = { 0, 0, 0, 0.6 }, top_ink = { 255, 255, 255, 0.55 };
static const struct ink close_ink = { 0, 170, 255, 1 }, word_ink = { 255, 255, 255, 1 }, ground_ink = { 26, 20, 17, 1 };

// The direction away from the board's centre.
static struct pt_in outward(struct pt_in at)
{
    double r = hypot(at.x, at.y);
    return r > 0 ? (struct pt_in){ at.x / r, at.y / r } : (struct pt_in){ 0, 1 };
}

struct close_view_plane close_view_plane(const struct board *b, const struct known_piece *piece)
{
    const struct resting_piece *l = &piece->lying;
    struct line_rule line = line_deciding(b, l);
    struct pt_in up = outward(l->at);
    double towards_in = copysign(TOWARDS_LINE * l->radius_in, line.radius_in - hypot(l->at.x, l->at.y));
    return (struct close_view_plane){ .middle = { l->at.x + towards_in * up.x, l->at.y + towards_in * up.y },
                                      .up = up,
                                      .px_per_in = CLOSE_VIEW_SURFACE / (2 * HALF_SEEN * l->radius_in) };
}

static const struct pt_px middle_px = { (CLOSE_VIEW_WIDTH - 1) / 2.0, (CLOSE_VIEW_SURFACE - 1) / 2.0 };

struct pt_px close_view_at(const struct close_view_plane *plane, struct pt_in at)
{
    double x = at.x - plane->middle.x, y = at.y - plane->middle.y;
    double right = x * plane->up.y - y * plane->up.x, up = x * plane->up.x + y * plane->up.y;
    return (struct pt_px){ middle_px.u + plane->px_per_in * right, middle_px.v - plane->px_per_in * up };
}

static struct pt_in place_of(const struct close_view_plane *plane, double u, double v)
{
    double right = (u - middle_px.u) / plane->px_per_in, up = (middle_px.v - v) / plane->px_per_in;
    return (struct pt_in){ plane->middle.x + right * plane->up.y + up * plane->up.x,
                           plane->middle.y - right * plane->up.x + up * plane->up.y };
}

static int fill_surface(struct frame *out, const struct close_view *c, const struct close_view_plane *plane,
                        struct fail *why)
{
    struct map_px *map = malloc(CLOSE_VIEW_WIDTH * sizeof *map);
    float *bgr = malloc(3 * CLOSE_VIEW_WIDTH * sizeof *bgr);
    for (int v = 0; map && bgr && v < CLOSE_VIEW_SURFACE; v++) {
        for (int u = 0; u < CLOSE_VIEW_WIDTH; u++) {
            struct pt_in at = place_of(plane, u, v);
            struct pt_px seen;
            bool is_seen = camera_project(&seen, &c->pose->camera, surface_at(at));
            map[u] = is_seen ? (struct map_px){ (float)seen.u, (float)seen.v } : (struct map_px){ NAN, NAN };
        }
        rectify_sample((float *const[3]){ bgr, bgr + 1, bgr + 2 }, 3, c->frame, map, CLOSE_VIEW_WIDTH, SAMPLE_CODES);
        uint8_t *row = out->bgr + 3 * (size_t)v * CLOSE_VIEW_WIDTH;
        for (int i = 0; i < 3 * CLOSE_VIEW_WIDTH; i++)
            row[i] = isfinite(bgr[i]) ? (uint8_t)lrintf(bgr[i]) : 0;
    }
    int rc = map && bgr ? 0 : rs_fail(why, RS_ENOMEM, "no memory to enlarge a close call");
    free(map);
    free(bgr);
    return rc;
}

// A part of a circle around the board's centre, as much of it as can be in the picture; so much farther out.
static void arc(struct pt_px out[CURVE_POINTS], const struct close_view_plane *plane, const struct line_rule *line,
                double farther_in)
{
    double middle = atan2(plane->up.y, plane->up.x), seen_in = CLOSE_VIEW_WIDTH / plane->px_per_in;
    double half = fmin(seen_in / fmax(line->radius_in, 1e-6), PI);
    for (int i = 0; i < CURVE_POINTS; i++) {
        double a = middle + half * (2.0 * i / (CURVE_POINTS - 1) - 1);
        double r = line->radius_in + farther_in + board_line_deviation_in(line->line_deviation_in, a);
        out[i] = close_view_at(plane, (struct pt_in){ r * cos(a), r * sin(a) });
    }
}

static void draw_line_and_band(struct frame *out, const struct close_view_plane *plane, const struct line_rule *line,
                               double sigma_in)
{
    struct pt_px inner[CURVE_POINTS], outer[CURVE_POINTS], on[CURVE_POINTS];
    double band_in = CLOSE_VIEW_SIGMAS * sigma_in;
    arc(on, plane, line, 0);
    arc(inner, plane, line, -fmin(band_in, line->radius_in));
    arc(outer, plane, line, band_in);
    for (int i = 0; i + 1 < CURVE_POINTS; i++)
        draw_polygon(out, (struct pt_px[]){ inner[i], inner[i + 1], outer[i + 1], outer[i] }, 4, band_ink);
    draw_line(out, inner, CURVE_POINTS, 1, edge_ink);
    draw_line(out, outer, CURVE_POINTS, 1, edge_ink);
    draw_line(out, on, CURVE_POINTS, LINE_PEN_PX + SHADE_PX, shade_ink);
    draw_line(out, on, CURVE_POINTS, LINE_PEN_PX, line_ink);
}

static void draw_circle(struct frame *out, const struct close_view_plane *plane, const struct known_piece *piece)
{
    struct pt_px rim[CURVE_POINTS];
    const struct resting_piece *l = &piece->lying;
    for (int i = 0; i < CURVE_POINTS; i++) {
        double a = 2 * PI * i / (CURVE_POINTS - 1);
        rim[i] =
            close_view_at(plane, (struct pt_in){ l->at.x + l->radius_in * cos(a), l->at.y + l->radius_in * sin(a) });
    }
    draw_line(out, rim, CURVE_POINTS, RIM_PEN_PX + SHADE_PX, shade_ink);
    draw_line(out, rim, CURVE_POINTS, RIM_PEN_PX, rim_ink);
}

// Where the upper rim is seen against the surface. A marble has none.
static void draw_top(struct frame *out, const struct close_view *c, const struct close_view_plane *plane)
{
    const struct resting_piece *l = &c->piece->lying;
    const struct camera *camera = &c->pose->camera;
    struct pt_px before = { 0, 0 };
    bool has_before = false;
    for (int i = 0; i < CURVE_POINTS && c->piece->kind != PIECE_MARBLE; i++) {
        double a = 2 * PI * i / (CURVE_POINTS - 1);
        struct pt3_in at = { l->at.x + l->radius_in * cos(a), l->at.y + l->radius_in * sin(a),
                             c->pose->board.piece_height_in };
        struct pt_px seen;
        struct pt_in on;
        bool is = camera_project(&seen, camera, at) && camera_locate(&on, camera, seen, 0);
        struct pt_px px = is ? close_view_at(plane, on) : before;
        if (is && has_before && i % 4 < 2)
            draw_line(out, (struct pt_px[]){ before, px }, 2, TOP_PEN_PX, top_ink);
        before = px;
        has_before = is;
    }
}

// A bar of a round length, at most a third of the picture's width.
static int draw_scale(struct frame *out, const struct close_view_plane *plane, struct fail *why)
{
    static const double lengths_in[] = { 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01 };
    size_t k = 0;
    while (k + 1 < countof(lengths_in) && lengths_in[k] * plane->px_per_in > CLOSE_VIEW_WIDTH / 3.0)
        k++;
    char words[32];
    double length_px = lengths_in[k] * plane->px_per_in, v = CLOSE_VIEW_SURFACE - MARGIN_PX, u = MARGIN_PX;
    struct pt_px bar[] = { { u, v - 6 }, { u, v }, { u + length_px, v }, { u + length_px, v - 6 } };
    draw_line(out, bar, 4, 3 + SHADE_PX, shade_ink);
    draw_line(out, bar, 4, 3, word_ink);
    snprintf(words, sizeof words, "%g in", lengths_in[k]);
    struct pt_px at = { u + length_px / 2, v - 1.6 * SCALE_PX };
    return draw_text(out, at, DRAW_CENTRED, SCALE_PX, word_ink, words, why);
}

// What is asked, by how much, and what the inks mean.
static int draw_words(struct frame *out, const struct close_view *c, struct fail *why)
{
    const struct resting_piece *l = &c->piece->lying;
    struct resting_piece measured = *l;
    measured.ruled = false;
    struct zone is = zone_of(c->board, &measured), or = { .area = ZONE_NONE };
    char word[ZONE_WORD_MAX], other[ZONE_WORD_MAX], title[120], margin[160];
    zone_word(word, &is);
    if (!is.verdict.clear && zone_beyond(& or, c->board, &measured)) {
        zone_word(other, & or);
        snprintf(title, sizeof title, "%s %s or %s?", c->piece->colour, word, other);
    } else {
        snprintf(title, sizeof title, "%s %s%s%s", c->piece->colour, word, is.verdict.doubt ? ": " : "",
                 is.verdict.doubt ? is.verdict.doubt : "");
    }
    double away_in = fabs(is.verdict.margin_in);
    int digits = away_in < 0.01 || is.verdict.sigma_in < 0.01 ? 3 : 2;
    snprintf(margin, sizeof margin, "%s%.*f in %s, 1 sigma %.*f in", c->piece->kind == PIECE_MARBLE ? "centre " : "",
             digits, away_in, is.verdict.margin_in > 0 ? "inside the line" : "over the line", digits,
             is.verdict.sigma_in);
    draw_box(out, -1, CLOSE_VIEW_SURFACE - 0.5, CLOSE_VIEW_WIDTH, CLOSE_VIEW_HEIGHT, ground_ink);
    double v = CLOSE_VIEW_SURFACE + 25;
    struct pt_px key = { CLOSE_VIEW_WIDTH - MARGIN_PX, CLOSE_VIEW_SURFACE - MARGIN_PX - SCALE_PX };
    int rc = draw_text(out, key, DRAW_LEFT_OF, SCALE_PX, edge_ink, "2 sigma", why);
    if (rc == 0)
        rc = draw_text(out, (struct pt_px){ key.u, key.v - 2 * SCALE_PX }, DRAW_LEFT_OF, SCALE_PX, line_ink, "line",
                       why);
    if (rc == 0)
        rc = draw_letters(out, (struct pt_px){ MARGIN_PX, v }, DRAW_RIGHT_OF, TITLE_PX, close_ink, title, why);
    return rc < 0
               ? rc
               : draw_letters(out, (struct pt_px){ MARGIN_PX, v + 32 }, DRAW_RIGHT_OF, WORDS_PX, word_ink, margin, why);
}

int close_view_make(struct frame **out, const struct close_view *c, struct fail *why)
{
    const struct resting_piece *l = &c->piece->lying;
    struct close_view_plane plane = close_view_plane(c->board, c->piece);
    struct line_rule line = line_deciding(c->board, l);
    int rc = frame_create(out, CLOSE_VIEW_WIDTH, CLOSE_VIEW_HEIGHT, why);
    if (rc < 0)
        return rc;
    rc = fill_surface(*out, c, &plane, why);
    if (rc == 0) {
        double by_in = line.by == BY_OUTER_EDGE ? l->radius_in : line.by == BY_INNER_EDGE ? -l->radius_in : 0;
        struct pt_in decides = { l->at.x + by_in * plane.up.x, l->at.y + by_in * plane.up.y };
        draw_line_and_band(*out, &plane, &line, line_sigma(l->at, l->cov));
        draw_top(*out, c, &plane);
        draw_circle(*out, &plane, c->piece);
        draw_disc(*out, close_view_at(&plane, decides), DOT_PX + SHADE_PX / 2, shade_ink);
        draw_disc(*out, close_view_at(&plane, decides), DOT_PX, close_ink);
        rc = draw_scale(*out, &plane, why);
    }
    if (rc == 0)
        rc = draw_words(*out, c, why);
    if (rc < 0) {
        frame_free(*out);
        *out = NULL;
    }
    return rc;
}
