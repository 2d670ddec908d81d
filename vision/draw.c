// SPDX-License-Identifier: MIT
#include "vision/draw.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "vision/opencv_c/opencv_c.h"
#include "vision/typeface.h"

static const double LONGEST_PIECE_PX = 48; // a slanting line is cut up, for its bounding box grows with the square
static const struct ink text_ground = { 24, 20, 16, 0.65 };

double draw_unit_px(const struct frame *f)
{
    return f->height / 720.0;
}

static void blend(struct frame *f, int x, int y, struct ink ink, double cover)
{
    if (cover <= 0)
        return;
    double a = ink.alpha * fmin(cover, 1);
    uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x);
    p[0] = (uint8_t)(p[0] + a * (ink.b - p[0]) + 0.5);
    p[1] = (uint8_t)(p[1] + a * (ink.g - p[1]) + 0.5);
    p[2] = (uint8_t)(p[2] + a * (ink.r - p[2]) + 0.5);
}

// Pixels x0 <= x < x1, y0 <= y < y1 of the picture.
struct window {
    int x0, y0, x1, y1;
};

static struct window window_around(const struct frame *f, double u0, double v0, double u1, double v1)
{
    return (struct window){ (int)fmin(fmax(floor(u0), 0), f->width), (int)fmin(fmax(floor(v0), 0), f->height),
                            (int)fmin(fmax(ceil(u1) + 1, 0), f->width), (int)fmin(fmax(ceil(v1) + 1, 0), f->height) };
}

// What was made from the old pixels is no longer true.
static void begin(struct frame *f)
{
    free(f->luma);
    f->luma = NULL;
}

static bool finite_all(const struct pt_px *points, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(points[i].u) < 1e6 && fabs(points[i].v) < 1e6))
            return false;
    return true;
}

// One straight piece. Without a cap it ends square, so that two pieces of one straight line share no pixel.
static void draw_piece(struct frame *f, struct pt_px a, struct pt_px b, double half, struct ink ink, bool cap_a,
                       bool cap_b)
{
    double du = b.u - a.u, dv = b.v - a.v, length = hypot(du, dv);
    if (length > LONGEST_PIECE_PX) {
        struct pt_px middle = { (a.u + b.u) / 2, (a.v + b.v) / 2 };
        draw_piece(f, a, middle, half, ink, cap_a, false);
        draw_piece(f, middle, b, half, ink, false, cap_b);
        return;
    }
    double reach = half + 1, per = length > 0 ? 1 / (length * length) : 0;
    struct window w = window_around(f, fmin(a.u, b.u) - reach, fmin(a.v, b.v) - reach, fmax(a.u, b.u) + reach,
                                    fmax(a.v, b.v) + reach);
    for (int y = w.y0; y < w.y1; y++)
        for (int x = w.x0; x < w.x1; x++) {
            double t = ((x - a.u) * du + (y - a.v) * dv) * per;
            if ((t < 0 && !cap_a) || (t >= 1 && !cap_b))
                continue;
            t = fmin(fmax(t, 0), 1);
            blend(f, x, y, ink, half + 0.5 - hypot(x - a.u - t * du, y - a.v - t * dv));
        }
}

void draw_line(struct frame *f, const struct pt_px *points, int n, double thickness_px, struct ink ink)
{
    if (!finite_all(points, n))
        return;
    begin(f);
    // A pen thinner than a pixel is a pale line of one pixel.
    ink.alpha *= fmin(thickness_px, 1);
    double half = fmax(thickness_px, 1) / 2;
    for (int i = 0; i + 1 < n; i++)
        draw_piece(f, points[i], points[i + 1], half, ink, true, true);
}

void draw_polygon(struct frame *f, const struct pt_px *points, int n, struct ink ink)
{
    if (n < 3 || !finite_all(points, n))
        return;
    begin(f);
    double area = 0;
    struct pt_px low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };
    for (int i = 0; i < n; i++) {
        struct pt_px a = points[i], b = points[(i + 1) % n];
        area += a.u * b.v - b.u * a.v;
        low = (struct pt_px){ fmin(low.u, a.u), fmin(low.v, a.v) };
        high = (struct pt_px){ fmax(high.u, a.u), fmax(high.v, a.v) };
    }
    struct window w = window_around(f, low.u - 1, low.v - 1, high.u + 1, high.v + 1);
    for (int y = w.y0; y < w.y1; y++)
        for (int x = w.x0; x < w.x1; x++) {
            double inside_px = INFINITY; // by which the pixel lies within its nearest side
            for (int i = 0; i < n; i++) {
                struct pt_px a = points[i], b = points[(i + 1) % n];
                double du = b.u - a.u, dv = b.v - a.v, length = hypot(du, dv);
                if (length > 0)
                    inside_px = fmin(inside_px, (area < 0 ? -1 : 1) * (du * (y - a.v) - dv * (x - a.u)) / length);
            }
            blend(f, x, y, ink, 0.5 + inside_px);
        }
}

void draw_box(struct frame *f, double u0, double v0, double u1, double v1, struct ink ink)
{
    draw_polygon(f, (struct pt_px[]){ { u0, v0 }, { u1, v0 }, { u1, v1 }, { u0, v1 } }, 4, ink);
}

void draw_disc(struct frame *f, struct pt_px centre, double radius_px, struct ink ink)
{
    if (!finite_all(&centre, 1) || !(radius_px > 0))
        return;
    begin(f);
    draw_piece(f, centre, centre, radius_px, ink, true, true); // a pen put down
}

// A line of text with its ground, laid out but not yet placed.
struct label {
    struct typeface *face; // NULL: there is no font, and imgproc has letters of strokes
    double width_px;       // of the letters
    int width, height;     // of the ground
    int x, y;              // base line's start in it
    double scale;          // of strokes
    int pen;
};

static int lay_out(struct label *out, double letters_px, const char *text, struct fail *why)
{
    static const double CAPITALS_PX = 21; // of strokes at scale 1
    struct fail none;
    if (!(letters_px >= 4 && letters_px <= 1000))
        return rs_fail(why, RS_EINPUT, "letters of %g px; 4 to 1000 can be drawn", letters_px);
    int w = 0, h = (int)round(letters_px), below, margin = (int)ceil(letters_px / 2);
    *out = (struct label){ .scale = letters_px / CAPITALS_PX };
    int rc = typeface_of_thread(&out->face, &none);
    if (rc == RS_ENOMEM)
        return rs_fail(why, rc, "%s", none.text);
    if (rc == 0) {
        rc = typeface_width(&out->width_px, out->face, letters_px, text, why);
        w = (int)ceil(out->width_px);
    } else {
        out->pen = (int)fmax(1, round(letters_px / 10));
        rc = cv_text_size(&w, &h, &below, text, out->scale, out->pen, why);
        out->width_px = w;
    }
    out->width = w + 2 * margin;
    out->height = h + 2 * margin;
    out->x = margin;
    out->y = margin + h;
    return rc;
}

int draw_text_size(double *width_px, double *height_px, double letters_px, const char *text, struct fail *why)
{
    struct label label;
    int rc = lay_out(&label, letters_px, text, why);
    if (rc < 0)
        return rc;
    *width_px = label.width;
    *height_px = label.height;
    return 0;
}

// Letters alone stand where they are asked for; with their ground they are moved until they are inside the picture.
static int write_text(struct frame *f, struct pt_px at, enum draw_side side, double letters_px, struct ink ink,
                      bool grounded, const char *text, struct fail *why)
{
    struct label l;
    if (!finite_all(&at, 1))
        return 0;
    int rc = lay_out(&l, letters_px, text, why);
    if (rc < 0)
        return rc;
    double width = grounded ? l.width : l.width_px, top = at.v - l.height / 2.0;
    double left = at.u - (side == DRAW_RIGHT_OF ? 0 : side == DRAW_CENTRED ? width / 2 : width);
    if (grounded) { // the begin of a text that is too long for the picture says more than its end
        left = fmax(fmin(left, f->width - l.width), 0);
        top = fmax(fmin(top, f->height - l.height), 0);
    }
    int x0 = (int)lround(left) - (grounded ? 0 : l.x), y0 = (int)lround(top);
    uint8_t *letters = calloc((size_t)l.width, (size_t)l.height);
    struct coverage to = { letters, l.width, l.height, l.x, l.y };
    if (!letters)
        rc = rs_fail(why, RS_ENOMEM, "no memory for a text");
    else if (l.face)
        rc = typeface_write(&to, l.face, letters_px, text, why);
    else
        rc = cv_text_u8(letters, l.width, l.height, l.x, l.y, text, l.scale, l.pen, why);
    begin(f);
    struct window w = window_around(f, x0, y0, x0 + l.width - 1, y0 + l.height - 1);
    for (int y = w.y0; y < w.y1 && rc == 0; y++)
        for (int x = w.x0; x < w.x1; x++) {
            blend(f, x, y, text_ground, grounded);
            blend(f, x, y, ink, letters[(size_t)(y - y0) * (size_t)l.width + (size_t)(x - x0)] / 255.0);
        }
    free(letters);
    return rc;
}

int draw_text(struct frame *f, struct pt_px at, enum draw_side side, double height_px, struct ink ink, const char *text,
              struct fail *why)
{
    return write_text(f, at, side, height_px, ink, true, text, why);
}

int draw_letters(struct frame *f, struct pt_px at, enum draw_side side, double height_px, struct ink ink,
                 const char *text, struct fail *why)
{
    return write_text(f, at, side, height_px, ink, false, text, why);
}

int draw_letters_width(double *width_px, double letters_px, const char *text, struct fail *why)
{
    struct label label;
    int rc = lay_out(&label, letters_px, text, why);
    if (rc < 0)
        return rc;
    *width_px = label.width_px;
    return 0;
}
