// SPDX-License-Identifier: MIT
#include "referee/announce/overlay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/line.h"

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
                draw_line(f, run, length, false, pen_px, ink);
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
               r = radius_in + (line_deviation_in ? board_stray_in(line_deviation_in, a) : 0);
        curve[i] = (struct pt3_in){ r * cos(a), r * sin(a), 0 };
    }
    draw_curve(f, c, curve, CIRCLE_POINTS, LINE_PEN * draw_unit_px(f), board_ink);
}

// What was measured beside the circles; pegs are not, and stand elsewhere on every other board.
static void draw_other_lines(struct frame *f, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    for (int i = 0; i < 4 && pose->turn_seen; i++) {
        double x = cos(i * PI / 2), y = sin(i * PI / 2), from = b->circle_in[1], to = b->circle_in[0];
        struct pt3_in there_and_back[2] = { { from * x, from * y, 0 }, { to * x, to * y, 0 } };
        draw_curve(f, &pose->camera, there_and_back, 2, LINE_PEN * draw_unit_px(f), board_ink);
    }
    if (b->edge == CIRCLE_LINE_INSIDE)
        draw_circle(f, &pose->camera, b->circle_in[0] + b->line_width_in, b->line_deviation_in[0]);
}

static void draw_board(struct frame *f, const struct board_pose *pose, bool whole)
{
    for (int i = 0; i < pose->board.circles; i++)
        draw_circle(f, &pose->camera, pose->board.circle_in[i], pose->board.line_deviation_in[i]);
    if (pose->board.hole_radius_in > 0)
        draw_circle(f, &pose->camera, pose->board.hole_radius_in, NULL);
    if (whole)
        draw_other_lines(f, pose);
}

// Lab to sRGB (CIE 1976, white D65), lightness held where it shows on wood and carpet alike.
static struct ink ink_of_lab(const double lab[3])
{
    double y = (fmin(fmax(lab[0], 55), 90) + 16) / 116;
    double xyz[3] = { y + lab[1] / 500, y, y - lab[2] / 200 };
    static const double white[3] = { 0.9505, 1, 1.089 };
    static const double to_rgb[3][3] = { { 3.2406, -1.5372, -0.4986 },
                                         { -0.9689, 1.8758, 0.0415 },
                                         { 0.0557, -0.2040, 1.0570 } };
    uint8_t rgb[3];
    for (int i = 0; i < 3; i++)
        xyz[i] = white[i] * (xyz[i] > 6.0 / 29 ? pow(xyz[i], 3) : 108.0 / 841 * (xyz[i] - 4.0 / 29));
    for (int i = 0; i < 3; i++) {
        double light = to_rgb[i][0] * xyz[0] + to_rgb[i][1] * xyz[1] + to_rgb[i][2] * xyz[2];
        double code = light > 0.0031308 ? 1.055 * pow(light, 1 / 2.4) - 0.055 : 12.92 * light;
        rgb[i] = (uint8_t)lround(255 * fmin(fmax(code, 0), 1));
    }
    return (struct ink){ rgb[2], rgb[1], rgb[0], 1 };
}

// One ink for all pieces of a side: the colour of its pieces taken together.
static struct ink side_ink(const struct tracker_view *v, const char *colour)
{
    double lab[3] = { 0 };
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
    return ink_of_lab(lab);
}

static double plane_height_in(const struct board *b, enum piece_place plane)
{
    if (plane == IN_HOLE)
        return -b->hole_depth_in;
    return plane == IN_DITCH ? -b->ditch_depth_in : 0;
}

// The rim of a disc's or ring's top face.
static void disc_outline(struct pt3_in out[OUTLINE_POINTS], const struct detection *p, const struct board *b)
{
    double z = plane_height_in(b, p->plane) + b->piece_height_in;
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double a = 2 * PI * i / OUTLINE_POINTS;
        out[i] = (struct pt3_in){ p->at.x + p->radius_in * cos(a), p->at.y + p->radius_in * sin(a), z };
    }
}

static struct pt3_in cross(struct pt3_in a, struct pt3_in b)
{
    return (struct pt3_in){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static struct pt3_in scaled(struct pt3_in a, double k)
{
    return (struct pt3_in){ a.x * k, a.y * k, a.z * k };
}

static double length_of(struct pt3_in a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// Where the lines of sight touch a sphere: a circle around the axis towards the eye, a little nearer than the centre.
static void marble_outline(struct pt3_in out[OUTLINE_POINTS], const struct detection *p, const struct camera *c)
{
    struct pt3_in eye = camera_position(c), centre = { p->at.x, p->at.y, p->radius_in };
    struct pt3_in to_eye = { eye.x - centre.x, eye.y - centre.y, eye.z - centre.z };
    double d = fmax(length_of(to_eye), 1.001 * p->radius_in), nearer = p->radius_in * p->radius_in / (d * d);
    double r = p->radius_in * sqrt(1 - nearer);
    struct pt3_in any = fabs(to_eye.x) < 0.5 * d ? (struct pt3_in){ 1, 0, 0 } : (struct pt3_in){ 0, 1, 0 };
    struct pt3_in a = cross(to_eye, any);
    a = scaled(a, 1 / length_of(a));
    struct pt3_in b = scaled(cross(to_eye, a), 1 / d);
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double x = r * cos(2 * PI * i / OUTLINE_POINTS), y = r * sin(2 * PI * i / OUTLINE_POINTS);
        out[i] = (struct pt3_in){ centre.x + nearer * to_eye.x + x * a.x + y * b.x,
                                  centre.y + nearer * to_eye.y + x * a.y + y * b.y,
                                  centre.z + nearer * to_eye.z + x * a.z + y * b.z };
    }
}

double overlay_radius_px(const struct board_pose *pose, const struct detection *p)
{
    double height_in = p->kind == PIECE_MARBLE ? p->radius_in : pose->board.piece_height_in;
    return p->radius_in * camera_scale_px_per_in(&pose->camera, (struct pt3_in){ p->at.x, p->at.y, height_in });
}

// A marble far off is small: its outline must not hide it.
static double outline_pen_px(const struct frame *f, const struct overlay *o, const struct detection *p)
{
    return fmin(OUTLINE_PEN * draw_unit_px(f), fmax(overlay_radius_px(o->pose, p) / 4, 1));
}

void overlay_outline(struct frame *f, const struct board_pose *pose, const struct detection *p, double pen_px,
                     struct ink ink)
{
    struct pt3_in outline[OUTLINE_POINTS];
    if (p->kind == PIECE_MARBLE)
        marble_outline(outline, p, &pose->camera);
    else
        disc_outline(outline, p, &pose->board);
    draw_curve(f, &pose->camera, outline, OUTLINE_POINTS, pen_px, ink);
}

static void draw_outline(struct frame *f, const struct overlay *o, const struct detection *p, bool close)
{
    double pen_px = outline_pen_px(f, o, p);
    overlay_outline(f, o->pose, p, 2 * pen_px, shade_ink);
    if (close)
        overlay_outline(f, o->pose, p, pen_px + CLOSE_PEN * draw_unit_px(f), close_ink);
    overlay_outline(f, o->pose, p, pen_px, side_ink(o->view, p->colour));
}

// The target's "in" is left out: it goes without saying, and thirteen of them hide the ring.
static bool worth_words(const struct zone *z, bool taw)
{
    return strcmp(z->name, "in") != 0 || taw || !z->verdict.firm;
}

static double far_from_others_px(const struct overlay *o, int i, struct pt_px at)
{
    double nearest = INFINITY;
    for (int k = 0; k < o->view->count; k++)
        if (k != i)
            nearest = fmin(nearest, hypot(o->view->piece[k].px.u - at.u, o->view->piece[k].px.v - at.v));
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

static void zone_words(char *out, size_t size, const struct zone *z, bool taw)
{
    if (z->verdict.firm)
        snprintf(out, size, "%s%s", taw ? "taw " : "", z->name);
    else if (z->verdict.clear)
        snprintf(out, size, "%s? %s", taw ? "taw" : "target", z->name);
    else
        snprintf(out, size, "%s%s close: %.3f in", taw ? "taw " : "", z->name, fabs(z->verdict.margin_in));
}

static int draw_zone(struct frame *f, const struct overlay *o, int i, const struct zone *z, bool taw, struct fail *why)
{
    char words[48];
    double unit_px = draw_unit_px(f), letters_px = fmax(ZONE_LETTERS * unit_px, 4);
    enum draw_side side;
    if (!worth_words(z, taw))
        return 0;
    struct pt_px at = beside(&side, o, i, overlay_radius_px(o->pose, &o->view->piece[i]) + 3 * unit_px, letters_px);
    zone_words(words, sizeof words, z, taw);
    return draw_text(f, at, side, letters_px, z->verdict.firm ? word_ink : close_ink, words, why);
}

static int draw_piece(struct frame *f, const struct overlay *o, int i, struct fail *why)
{
    const struct detection *p = &o->view->piece[i];
    const struct placed *placed = table_look(o->table, o->view->id[i]);
    if (!placed || !placed->rested || placed->moving || o->view->moving[i]) {
        draw_outline(f, o, p, false);
        return 0;
    }
    struct zone z = zone_of(o->board, &placed->lying);
    draw_outline(f, o, p, !z.verdict.firm);
    return draw_zone(f, o, i, &z, placed->lying.taw, why);
}

int overlay_write(struct frame *f, const struct overlay_lines *l, double v_px, double letters_px, struct fail *why)
{
    double unit_px = draw_unit_px(f), width_px, height_px;
    int rc = 0;
    for (int i = 0; i < l->count && rc == 0; i++) {
        rc = draw_text_size(&width_px, &height_px, letters_px, l->line[i], why);
        if (rc == 0)
            rc = draw_text(f, (struct pt_px){ MARGIN * unit_px, v_px + height_px / 2 }, DRAW_RIGHT_OF, letters_px,
                           word_ink, l->line[i], why);
        v_px += height_px;
    }
    return rc;
}

static int draw_calls(struct frame *f, const struct overlay_lines *l, struct fail *why)
{
    double unit_px = draw_unit_px(f), letters_px = fmax(PANEL_LETTERS * unit_px, 4), width_px, height_px;
    int rc = draw_text_size(&width_px, &height_px, letters_px, "A", why);
    return rc < 0 ? rc : overlay_write(f, l, f->height - MARGIN * unit_px - l->count * height_px, letters_px, why);
}

int overlay_draw(struct frame *f, const struct overlay *o, struct fail *why)
{
    int rc = 0;
    if (o->pose->found)
        draw_board(f, o->pose, o->whole_board);
    for (int i = 0; o->pose->found && i < o->view->count && rc == 0; i++)
        rc = draw_piece(f, o, i, why);
    if (rc == 0)
        rc = overlay_write(f, &o->panel, MARGIN * draw_unit_px(f), fmax(PANEL_LETTERS * draw_unit_px(f), 4), why);
    if (rc == 0)
        rc = draw_calls(f, &o->calls, why);
    return rc;
}
