// SPDX-License-Identifier: MIT
#include "referee/announce/overlay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "referee/rules/line.h"
#include "vision/colour.h"

enum { CIRCLE_POINTS = 180, OUTLINE_POINTS = 48 };

// In units of draw_unit_px.
static const double LINE_PEN = 1.2, OUTLINE_PEN = 2.0, CLOSE_PEN = 3.0;
static const double ZONE_LETTERS = 10, PANEL_LETTERS = 15, MARGIN = 8;

static const struct ink board_ink = { 255, 220, 60, 0.75 };
static const struct ink close_ink = { 0, 170, 255, 1 };
static const struct ink shade_ink = { 0, 0, 0, 0.55 };
static const struct ink word_ink = { 255, 255, 255, 1 };

void overlay_say(struct overlay_lines *l, const char *format, ...)
{
    if (l->count == OVERLAY_LINES_MAX) {
        memmove(l->line[0], l->line[1], sizeof l->line - sizeof l->line[0]);
        l->count--;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(l->line[l->count++], OVERLAY_LINE_MAX, format, args);
    va_end(args);
}

// Draws the parts of a closed curve that can be seen.
static void draw_curve(struct frame *f, const struct camera *c, const struct pt3_in *curve, int n, double pen_px,
                       struct ink ink)
{
    struct pt_px run[CIRCLE_POINTS + 1];
    int length = 0;
    for (int i = 0; i <= n; i++) {
        bool seen = camera_project(&run[length], c, curve[i % n]);
        length += seen;
        if (!seen || i == n) {
            if (length > 1)
                draw_line(f, run, length, pen_px, ink);
            length = 0;
        }
    }
}

// line_deviation_in: as in struct board, or NULL.
static void draw_circle(struct frame *f, const struct camera *c, double radius_in, const double *line_deviation_in)
{
    struct pt3_in curve[CIRCLE_POINTS];
    for (int i = 0; i < CIRCLE_POINTS; i++) {
        double a = 2 * PI * i / CIRCLE_POINTS,
               r = radius_in + (line_deviation_in ? board_line_deviation_in(line_deviation_in, a) : 0);
        curve[i] = surface_polar(r, a);
    }
    draw_curve(f, c, curve, CIRCLE_POINTS, LINE_PEN * draw_unit_px(f), board_ink);
}

// One ink for all pieces of a side: the colour of its pieces taken together, its lightness held where it shows on wood and
// carpet alike.
static struct ink side_ink(const struct tracker_view *v, const char *colour)
{
    double lab[3] = { 0 }, bgr[3];
    int n = 0;
    for (int i = 0; i < v->count; i++) {
        if (strcmp(v->piece[i].colour, colour) != 0)
            continue;
        for (int k = 0; k < 3; k++)
            lab[k] += v->piece[i].lab[k];
        n++;
    }
    for (int k = 0; k < 3 && n > 0; k++)
        lab[k] /= n;
    lab[0] = fmin(fmax(lab[0], 55), 90);
    colour_lab_to_bgr(bgr, lab);
    return (struct ink){ (uint8_t)lround(bgr[0]), (uint8_t)lround(bgr[1]), (uint8_t)lround(bgr[2]), 1 };
}

double overlay_radius_px(const struct board_pose *pose, const struct detection *p)
{
    double height_in = p->kind == PIECE_MARBLE ? p->radius_in : pose->board.piece_height_in;
    return p->radius_in * camera_scale_px_per_in(&pose->camera, (struct pt3_in){ p->at.x, p->at.y, height_in });
}

void overlay_outline(struct frame *f, const struct board_pose *pose, const struct detection *p, double pen_px,
                     struct ink ink)
{
    const struct board *b = &pose->board;
    struct pt3_in outline[OUTLINE_POINTS];
    double plane_in = p->plane == IN_HOLE ? -b->hole_depth_in : p->plane == IN_DITCH ? -b->ditch_depth_in : 0;
    // The rim of a disc's or ring's top face, around the vertical.
    double r = p->radius_in, x_axis[3] = { 1, 0, 0 }, y_axis[3] = { 0, 1, 0 };
    struct pt3_in centre = { p->at.x, p->at.y, plane_in + b->piece_height_in };
    // Where the lines of sight touch a sphere: around the axis towards the camera, a little nearer than the centre.
    if (p->kind == PIECE_MARBLE) {
        struct pt3_in camera = camera_position(&pose->camera);
        const double axis[3] = { camera.x - p->at.x, camera.y - p->at.y, camera.z - p->radius_in };
        double d = fmax(sqrt(vec3_dot(axis, axis)), 1.001 * p->radius_in);
        double nearer = p->radius_in * p->radius_in / (d * d);
        bool along_x = fabs(axis[0]) >= 0.5 * d;
        vec3_cross(x_axis, axis, (const double[3]){ !along_x, along_x, 0 });
        vec3_normalise(x_axis);
        vec3_cross(y_axis, axis, x_axis);
        vec3_normalise(y_axis);
        r = p->radius_in * sqrt(1 - nearer);
        centre =
            (struct pt3_in){ p->at.x + nearer * axis[0], p->at.y + nearer * axis[1], p->radius_in + nearer * axis[2] };
    }
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double x = r * cos(2 * PI * i / OUTLINE_POINTS), y = r * sin(2 * PI * i / OUTLINE_POINTS);
        outline[i] =
            (struct pt3_in){ centre.x + x * x_axis[0] + y * y_axis[0], centre.y + x * x_axis[1] + y * y_axis[1],
                             centre.z + x * x_axis[2] + y * y_axis[2] };
    }
    draw_curve(f, &pose->camera, outline, OUTLINE_POINTS, pen_px, ink);
}

static double far_from_others_px(const struct overlay *o, int i, struct pt_px at)
{
    double nearest = INFINITY;
    for (int k = 0; k < o->view->count; k++)
        if (k != i)
            nearest = fmin(nearest, distance_px(o->view->piece[k].px, at));
    return nearest;
}

// Beside the piece, right or left, below or above: where most room is between it and its neighbours.
static struct pt_px beside(enum draw_side *side, const struct overlay *o, int i, double away_px, double letters_px)
{
    const struct pt_px px = o->view->piece[i].px;
    double wide_px = away_px + letters_px;
    const struct {
        struct pt_px start, middle;
        enum draw_side side;
    } places[] = {
        { { px.u + away_px, px.v }, { px.u + wide_px, px.v }, DRAW_RIGHT_OF },
        { { px.u - away_px, px.v }, { px.u - wide_px, px.v }, DRAW_LEFT_OF },
        { { px.u, px.v + wide_px }, { px.u, px.v + wide_px }, DRAW_CENTRED },
        { { px.u, px.v - wide_px }, { px.u, px.v - wide_px }, DRAW_CENTRED },
    };
    size_t best = 0;
    double room_px = far_from_others_px(o, i, places[0].middle);
    for (size_t k = 1; k < countof(places); k++) {
        double here_px = far_from_others_px(o, i, places[k].middle);
        if (room_px < away_px + wide_px && here_px > room_px) {
            best = k;
            room_px = here_px;
        }
    }
    *side = places[best].side;
    return places[best].start;
}

// Its outline, and when it lies at rest its zone. The target's "in" is left out: it goes without saying, and thirteen of
// them hide the ring.
static int draw_piece(struct frame *f, const struct overlay *o, int i, struct fail *why)
{
    const struct detection *p = &o->view->piece[i];
    const struct known_piece *known = piece_table_find(o->table, o->view->id[i]);
    bool rests = known && known->rested && !known->moving && !o->view->moving[i], taw = rests && known->lying.taw;
    struct zone z = { .verdict.firm = true };
    if (rests)
        z = zone_of(o->board, &known->lying);
    double unit_px = draw_unit_px(f), radius_px = overlay_radius_px(o->pose, p);
    double pen_px = fmin(OUTLINE_PEN * unit_px, fmax(radius_px / 4, 1)); // the outline must not hide a marble far off
    overlay_outline(f, o->pose, p, 2 * pen_px, shade_ink);
    if (!z.verdict.firm)
        overlay_outline(f, o->pose, p, pen_px + CLOSE_PEN * unit_px, close_ink);
    overlay_outline(f, o->pose, p, pen_px, side_ink(o->view, p->colour));
    if (!rests || (z.area == ZONE_IN && !taw && z.verdict.firm))
        return 0;
    char words[48], word[ZONE_WORD_MAX];
    zone_word(word, &z);
    if (z.verdict.firm)
        snprintf(words, sizeof words, "%s%s", taw ? "taw " : "", word);
    else if (z.verdict.clear)
        snprintf(words, sizeof words, "%s? %s", p->kind != PIECE_MARBLE ? "disc" : taw ? "taw" : "target", word);
    else
        snprintf(words, sizeof words, "%s%s close: %.3f in", taw ? "taw " : "", word, fabs(z.verdict.margin_in));
    double letters_px = overlay_letters_px(f, ZONE_LETTERS);
    enum draw_side side;
    struct pt_px at = beside(&side, o, i, radius_px + 3 * unit_px, letters_px);
    return draw_text(f, at, side, letters_px, z.verdict.firm ? word_ink : close_ink, words, why);
}

double overlay_letters_px(const struct frame *f, double units)
{
    return fmax(units * draw_unit_px(f), 4);
}

int overlay_write(struct frame *f, const struct overlay_lines *l, double v_px, double letters_px, struct fail *why)
{
    double width_px, height_px;
    int rc = draw_text_size(&width_px, &height_px, letters_px, "A", why);
    if (rc == 0 && v_px < 0)
        v_px += f->height - l->count * height_px;
    for (int i = 0; i < l->count && rc == 0; i++) {
        struct pt_px at = { MARGIN * draw_unit_px(f), v_px + (i + 0.5) * height_px };
        rc = draw_text(f, at, DRAW_RIGHT_OF, letters_px, word_ink, l->line[i], why);
    }
    return rc;
}

int overlay_draw(struct frame *f, const struct overlay *o, struct fail *why)
{
    double margin_px = MARGIN * draw_unit_px(f), letters_px = overlay_letters_px(f, PANEL_LETTERS);
    const struct board_pose *pose = o->pose;
    const struct board *b = &pose->board;
    // With `whole` also what was measured beside the circles; pegs are not, and stand elsewhere on every other board.
    bool whole = pose->found && o->whole_board;
    for (int i = 0; i < b->circles && pose->found; i++)
        draw_circle(f, &pose->camera, b->circle_in[i], b->line_deviation_in[i]);
    if (pose->found && b->hole_radius_in > 0)
        draw_circle(f, &pose->camera, b->hole_radius_in, NULL);
    for (int i = 0; i < 4 && whole && pose->turn_seen; i++) {
        double x = cos(i * PI / 2), y = sin(i * PI / 2), from = b->circle_in[1], to = b->circle_in[0];
        struct pt3_in there_and_back[2] = { { from * x, from * y, 0 }, { to * x, to * y, 0 } };
        draw_curve(f, &pose->camera, there_and_back, 2, LINE_PEN * draw_unit_px(f), board_ink);
    }
    if (whole && b->edge == CIRCLE_LINE_INSIDE)
        draw_circle(f, &pose->camera, b->circle_in[0] + b->line_width_in, b->line_deviation_in[0]);
    int rc = 0;
    for (int i = 0; pose->found && i < o->view->count && rc == 0; i++)
        rc = draw_piece(f, o, i, why);
    if (rc == 0)
        rc = overlay_write(f, &o->panel, margin_px, letters_px, why);
    if (rc == 0)
        rc = overlay_write(f, &o->calls, -margin_px, letters_px, why);
    return rc;
}
