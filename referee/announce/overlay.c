// SPDX-License-Identifier: MIT
#include "referee/announce/overlay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "referee/announce/labels.h"
#include "referee/announce/piece_sheet.h"
#include "referee/rules/line.h"
#include "vision/colour.h"
#include "vision/rectify.h"

enum { CIRCLE_POINTS = 180, OUTLINE_POINTS = 48, WORDS_MAX = 48, TAKEN_MAX = 5, SHEET_LETTERS = 9 };

// In units of draw_unit_px.
static const double LINE_PEN = 1.2, OUTLINE_PEN = 2.0, CLOSE_PEN = 3.0;
static const double ZONE_LETTERS = 10, PANEL_LETTERS = 12, MARGIN = 12;
static const double INSET_SHARE = 0.42, INSET_WIDTH = 0.36; // at most, of the frame's height and width
static const double LEAST_LETTERS_PX = 4;                   // smaller ones cannot be drawn

static const struct ink board_ink = { 255, 220, 60, 0.75 };
static const struct ink close_ink = { 0, 170, 255, 1 };
static const struct ink shade_ink = { 0, 0, 0, 0.55 };
static const struct ink panel_ink = { 26, 20, 17, 0.86 };
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
        double a = 2 * PI * i / CIRCLE_POINTS;
        curve[i] = surface_polar(radius_in + board_line_deviation_in(line_deviation_in, a), a);
    }
    draw_curve(f, c, curve, CIRCLE_POINTS, LINE_PEN * draw_unit_px(f), board_ink);
}

// One ink for all pieces of a side: the colour of its pieces taken together, its lightness held where it shows on wood
// and carpet alike.
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
    double height_in = detection_height_in(p, &pose->board);
    return p->radius_in * camera_scale_px_per_in(&pose->camera, (struct pt3_in){ p->at.x, p->at.y, height_in });
}

void overlay_outline(struct frame *f, const struct board_pose *pose, const struct detection *p, double pen_px,
                     struct ink ink)
{
    const struct board *b = &pose->board;
    struct pt3_in outline[OUTLINE_POINTS];
    // The rim of a disc's or ring's top face, around the vertical.
    double r = p->radius_in, x_axis[3] = { 1, 0, 0 }, y_axis[3] = { 0, 1, 0 };
    struct pt3_in centre = { p->at.x, p->at.y, detection_foot_in(p, b) + b->piece_height_in };
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

// As it is drawn, with what hangs below a disc's rim.
static struct label_box piece_box(const struct board_pose *pose, const struct detection *p, double pen_px)
{
    struct label_box box = { p->px.u, p->px.v, p->px.u, p->px.v };
    double foot_in = detection_foot_in(p, &pose->board);
    double top_in = foot_in + (p->kind == PIECE_MARBLE ? 2 * p->radius_in : pose->board.piece_height_in);
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double a = 2 * PI * (i / 2) / (OUTLINE_POINTS / 2.0);
        struct pt3_in at = { p->at.x + p->radius_in * cos(a), p->at.y + p->radius_in * sin(a),
                             i % 2 ? foot_in : top_in };
        struct pt_px px;
        if (!camera_project(&px, &pose->camera, at))
            continue;
        box.u0 = fmin(box.u0, px.u);
        box.v0 = fmin(box.v0, px.v);
        box.u1 = fmax(box.u1, px.u);
        box.v1 = fmax(box.v1, px.v);
    }
    return (struct label_box){ box.u0 - pen_px, box.v0 - pen_px, box.u1 + pen_px, box.v1 + pen_px };
}

// What is said of a piece, and whether a judge is asked about it.
struct piece_words {
    char words[WORDS_MAX]; // empty: it moves, or has never lain still
    bool close;
    bool plain; // a target in the ring: that goes without saying
};

static struct piece_words words_of(const struct overlay *o, int i)
{
    const struct detection *p = &o->view->piece[i];
    const struct known_piece *known = piece_table_find(o->table, o->view->id[i]);
    struct piece_words out = { .close = false };
    if (!known || !known->rested || known->moving || o->view->moving[i])
        return out;
    struct zone z = zone_of(o->board, &known->lying);
    char word[ZONE_WORD_MAX];
    bool taw = known->lying.taw;
    zone_word(word, &z);
    out.close = !z.verdict.firm;
    out.plain = z.area == ZONE_IN && !taw && z.verdict.firm && !known->put_on;
    if (known->put_on) // nothing is seen there: whose word it is says more than how far off a line he pointed
        snprintf(out.words, WORDS_MAX, "%s%s%s, the judge's", taw ? "taw " : "", word, out.close ? "?" : "");
    else if (z.verdict.firm)
        snprintf(out.words, WORDS_MAX, "%s%s", taw ? "taw " : "", word);
    else if (z.verdict.clear)
        snprintf(out.words, WORDS_MAX, "%s? %s", p->kind != PIECE_MARBLE ? "disc" : taw ? "taw" : "target", word);
    else
        snprintf(out.words, WORDS_MAX, "%s%s close: %.3f in", taw ? "taw " : "", word, fabs(z.verdict.margin_in));
    return out;
}

// The outline must not hide a marble far off.
static void draw_piece(struct frame *f, const struct overlay *o, int i, bool close)
{
    const struct detection *p = &o->view->piece[i];
    double unit_px = draw_unit_px(f), radius_px = overlay_radius_px(o->pose, p);
    double pen_px = fmin(OUTLINE_PEN * unit_px, fmax(radius_px / 4, 1));
    overlay_outline(f, o->pose, p, 2 * pen_px, shade_ink);
    if (close)
        overlay_outline(f, o->pose, p, pen_px + CLOSE_PEN * unit_px, close_ink);
    overlay_outline(f, o->pose, p, pen_px, side_ink(o->view, p->colour));
}

// Pieces that nobody could make out are numbered, and enlarged on a sheet. *out stays NULL where that does not help.
static int make_sheet(struct frame **out, const struct frame *f, const struct overlay *o, struct fail *why)
{
    struct sheet_piece piece[PIECE_SHEET_MAX];
    int n = 0;
    for (int i = 0; i < o->view->count && o->pose->found && n < PIECE_SHEET_MAX; i++) {
        const struct detection *p = &o->view->piece[i];
        struct piece_words said = words_of(o, i);
        struct sheet_piece *q = &piece[n];
        *q = (struct sheet_piece){ p->px, overlay_radius_px(o->pose, p), "", said.close ? close_ink : word_ink };
        snprintf(q->words, sizeof q->words, "%d %.*s", o->view->id[i], SHEET_LETTERS, said.words);
        n += piece_sheet_helps(f, q->radius_px);
    }
    *out = NULL;
    return n > 0 ? piece_sheet_make(out, f, piece, n, why) : 0;
}

// All pieces, then what is said of them: first of those that are close.
static int draw_pieces(struct frame *f, const struct overlay *o, bool numbered, const struct label_box *taken, int n,
                       struct fail *why)
{
    struct piece_words said[MAX_PIECES];
    struct label_box kept[MAX_PIECES + TAKEN_MAX];
    struct label_wish wish[MAX_PIECES];
    struct label_place places[MAX_PIECES];
    int about[MAX_PIECES], labels = 0, rc = 0;
    double unit_px = draw_unit_px(f), letters_px = overlay_letters_px(f, ZONE_LETTERS);
    struct label_room room = { f->width, f->height, 0, kept };
    for (int i = 0; i < o->view->count; i++) {
        said[i] = words_of(o, i);
        draw_piece(f, o, i, said[i].close);
        if (numbered)
            snprintf(said[i].words, sizeof said[i].words, "%d", o->view->id[i]);
        else if (said[i].plain)
            said[i].words[0] = '\0';
        kept[room.count++] = piece_box(o->pose, &o->view->piece[i], OUTLINE_PEN * unit_px);
    }
    for (int i = 0; i < n; i++)
        kept[room.count++] = taken[i];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < o->view->count && rc == 0; i++) {
            if (!said[i].words[0] || said[i].close != (k == 0))
                continue;
            about[labels] = i;
            wish[labels].piece = kept[i];
            struct label_wish *w = &wish[labels++];
            rc = draw_text_size(&w->width_px, &w->height_px, letters_px, said[i].words, why);
        }
    if (rc == 0)
        labels_place(places, wish, labels, &room);
    for (int i = 0; i < labels && rc == 0; i++) {
        const struct label_place *p = &places[i];
        struct ink ink = said[about[i]].close ? close_ink : word_ink;
        if (p->placed && p->far) {
            draw_line(f, (struct pt_px[]){ p->from, p->to }, 2, 2 * LINE_PEN * unit_px, shade_ink);
            draw_line(f, (struct pt_px[]){ p->from, p->to }, 2, LINE_PEN * unit_px, ink);
        }
        struct pt_px at = { p->box.u0, (p->box.v0 + p->box.v1) / 2 };
        if (p->placed)
            rc = draw_text(f, at, DRAW_RIGHT_OF, letters_px, ink, said[about[i]].words, why);
    }
    return rc;
}

double overlay_letters_px(const struct frame *f, double units)
{
    return fmax(units * draw_unit_px(f), LEAST_LETTERS_PX);
}

// Smaller where the longest line would not fit into the picture.
static int lines_size(double *width_px, double *line_px, double *letters_px, const struct frame *f,
                      const struct overlay_lines *l, struct fail *why)
{
    double room_px = f->width - 2 * MARGIN * draw_unit_px(f), wished_px = *letters_px;
    int rc = 0;
    for (int k = 0; k < 2 && rc == 0; k++) {
        *width_px = *line_px = 0;
        for (int i = 0; i < l->count && rc == 0; i++) {
            double w, h;
            rc = draw_text_size(&w, &h, *letters_px, l->line[i], why);
            *width_px = fmax(*width_px, rc == 0 ? w : 0);
            *line_px = fmax(*line_px, rc == 0 ? h : 0);
        }
        if (*width_px <= room_px)
            break;
        *letters_px = fmax(LEAST_LETTERS_PX, wished_px * room_px / *width_px - 0.1);
    }
    return rc;
}

static int write_at(struct frame *f, const struct overlay_lines *l, struct pt_px corner, double letters_px,
                    struct fail *why)
{
    double width_px, line_px;
    int rc = lines_size(&width_px, &line_px, &letters_px, f, l, why);
    if (rc == 0 && l->count > 0)
        draw_box(f, corner.u, corner.v, corner.u + width_px, corner.v + l->count * line_px, panel_ink);
    for (int i = 0; i < l->count && rc == 0; i++) {
        struct pt_px at = { corner.u + letters_px / 2, corner.v + (i + 0.5) * line_px };
        rc = draw_letters(f, at, DRAW_RIGHT_OF, letters_px, word_ink, l->line[i], why);
    }
    return rc;
}

int overlay_write(struct frame *f, const struct overlay_lines *l, double v_px, double letters_px, struct fail *why)
{
    double width_px, line_px;
    int rc = lines_size(&width_px, &line_px, &letters_px, f, l, why);
    if (v_px < 0)
        v_px += f->height - l->count * line_px;
    return rc < 0 ? rc : write_at(f, l, (struct pt_px){ MARGIN * draw_unit_px(f), v_px }, letters_px, why);
}

// Places of tables and pictures: corners, in the order in which they are liked.
enum corner { UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT, CORNERS };

// The corner in which a box hides least of the board, and nothing that is there already.
static struct label_box corner_box(const struct frame *f, const struct overlay *o, double width_px, double height_px,
                                   const enum corner order[CORNERS], const struct label_box *taken, int n)
{
    double margin_px = MARGIN * draw_unit_px(f), least = INFINITY;
    struct label_box best = { 0 };
    for (int k = 0; k < CORNERS; k++) {
        bool right = order[k] == UPPER_RIGHT || order[k] == LOWER_RIGHT;
        bool below = order[k] == LOWER_LEFT || order[k] == LOWER_RIGHT;
        double u0 = right ? f->width - margin_px - width_px : margin_px;
        double v0 = below ? f->height - margin_px - height_px : margin_px;
        struct label_box box = { u0, v0, u0 + width_px, v0 + height_px };
        double hides = 0;
        for (int i = 0; i < CIRCLE_POINTS && o->pose->found; i++) {
            struct pt_px px;
            if (camera_project(&px, &o->pose->camera,
                               surface_polar(o->pose->board.circle_in[0], 2 * PI * i / CIRCLE_POINTS)))
                hides += px.u > box.u0 && px.u < box.u1 && px.v > box.v0 && px.v < box.v1;
        }
        for (int i = 0; i < o->view->count && o->pose->found; i++)
            hides += label_box_overlaps(box, piece_box(o->pose, &o->view->piece[i], 0)) ? CIRCLE_POINTS : 0;
        for (int i = 0; i < n; i++)
            hides += label_box_overlaps(box, taken[i]) ? CIRCLE_POINTS * CIRCLE_POINTS : 0;
        if (hides < least) {
            least = hides;
            best = box;
        }
    }
    return best;
}

// A picture in a frame of light, scaled to the box.
static void put_picture(struct frame *f, struct label_box box, const struct frame *picture)
{
    double edge_px = LINE_PEN * draw_unit_px(f);
    draw_box(f, box.u0 - edge_px, box.v0 - edge_px, box.u1 + edge_px, box.v1 + edge_px, word_ink);
    double scale_u = picture->width / (box.u1 - box.u0), scale_v = picture->height / (box.v1 - box.v0);
    int u0 = (int)fmax(ceil(box.u0), 0), v0 = (int)fmax(ceil(box.v0), 0);
    for (int v = v0; v < f->height && v < box.v1; v++)
        for (int u = u0; u < f->width && u < box.u1; u++) {
            float sum[3] = { 0 };
            int seen = 0;
            for (int k = 0; k < 4; k++) { // a quarter each of the pixel
                float bgr[3];
                double x = (u + 0.25 + 0.5 * (k & 1) - box.u0) * scale_u - 0.5;
                double y = (v + 0.25 + 0.5 * (k >> 1) - box.v0) * scale_v - 0.5;
                if (!frame_sample(bgr, picture, fmin(fmax(x, 0), picture->width - 1.001),
                                  fmin(fmax(y, 0), picture->height - 1.001), SAMPLE_CODES))
                    continue;
                seen++;
                for (int c = 0; c < 3; c++)
                    sum[c] += bgr[c];
            }
            uint8_t *p = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
            for (int c = 0; c < 3 && seen > 0; c++)
                p[c] = (uint8_t)lrintf(sum[c] / (float)seen);
        }
}

int overlay_draw(struct frame *f, const struct overlay *o, struct fail *why)
{
    static const enum corner score_order[] = { UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT },
                             calls_order[] = { LOWER_LEFT, LOWER_RIGHT, UPPER_LEFT, UPPER_RIGHT },
                             sheet_order[] = { LOWER_LEFT, UPPER_RIGHT, LOWER_RIGHT, UPPER_LEFT },
                             inset_order[] = { UPPER_RIGHT, LOWER_RIGHT, LOWER_LEFT, UPPER_LEFT };
    const double letters_px = overlay_letters_px(f, PANEL_LETTERS);
    double fitted_px, w, h;
    const struct board_pose *pose = o->pose;
    const struct board *b = &pose->board;
    struct label_box taken[TAKEN_MAX], score = { 0 }, panel = { 0 }, calls = { 0 }, inset = { 0 }, enlarged = { 0 };
    struct frame *sheet = NULL;
    int n = 0;
    // Where tables and pictures go, before anything is drawn.
    int rc = o->score ? score_table_size(&w, &h, f, o->score, why) : 0;
    if (rc == 0 && o->score)
        taken[n++] = score = corner_box(f, o, w, h, score_order, NULL, 0);
    fitted_px = letters_px;
    if (rc == 0)
        rc = lines_size(&w, &h, &fitted_px, f, &o->panel, why);
    if (rc == 0 && o->panel.count > 0)
        taken[n] = panel = corner_box(f, o, w, h * o->panel.count, score_order, taken, n), n++;
    fitted_px = letters_px;
    if (rc == 0)
        rc = lines_size(&w, &h, &fitted_px, f, &o->calls, why);
    if (rc == 0 && o->calls.count > 0)
        taken[n] = calls = corner_box(f, o, w, h * o->calls.count, calls_order, taken, n), n++;
    if (rc == 0 && o->inset) {
        h = fmin(INSET_SHARE * f->height, INSET_WIDTH * f->width * o->inset->height / o->inset->width);
        taken[n] = inset = corner_box(f, o, h * o->inset->width / o->inset->height, h, inset_order, taken, n);
        n++;
    }
    if (rc == 0 && o->enlarges)
        rc = make_sheet(&sheet, f, o, why);
    if (rc == 0 && sheet)
        taken[n] = enlarged = corner_box(f, o, sheet->width, sheet->height, sheet_order, taken, n), n++;
    if (rc < 0)
        return rc;
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
    if (pose->found)
        rc = draw_pieces(f, o, sheet != NULL, taken, n, why);
    if (rc == 0 && o->inset)
        put_picture(f, inset, o->inset);
    if (rc == 0 && sheet)
        put_picture(f, enlarged, sheet);
    frame_free(sheet);
    if (rc == 0 && o->score)
        rc = score_table_draw(f, o->score, (struct pt_px){ score.u0, score.v0 }, why);
    if (rc == 0)
        rc = write_at(f, &o->panel, (struct pt_px){ panel.u0, panel.v0 }, letters_px, why);
    return rc < 0 ? rc : write_at(f, &o->calls, (struct pt_px){ calls.u0, calls.v0 }, letters_px, why);
}
