// SPDX-License-Identifier: MIT
#include "referee/announce/workings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/draw.h"

// In units of draw_unit_px.
static const double LETTERS = 11, SMALL_LETTERS = 9, MARGIN = 6, PEN = 1.5, DOT = 2.5;
static const double ROOM = 60;           // half of the words beside a piece
static const double LIST_TOP = 190;      // below the key
enum { REFUSED_MAX = 20 };               // lines of the list
static const double TRAIL_SHOWN_S = 1.5; // a shot is over by then
static const double FITS_SHOWN_S = 1.0;  // long enough to read some words when the video is stopped there
static const double ALARM_SHOWN_S = 1.0;
static const double EMPTY_SHOWN = 0.25; // of the frame's shorter side: the empty board's
static const double OFF_TIMES = 20;     // lines' residuals, some hundredths of a pixel, are drawn so much longer
static const double OFF_BAD_PX = 1;     // drawn all red: wider than a line's own blur

static const struct ink hand_ink = { 230, 60, 220, 0.45 }, runs_ink = { 0, 220, 255, 0.6 };
static const struct ink stays_ink = { 230, 190, 0, 0.5 }, noise_ink = { 200, 200, 200, 0.35 };
static const struct ink held_ink = { 90, 230, 60, 1 }, refused_ink = { 70, 70, 255, 0.9 };
static const struct ink trail_ink = { 0, 150, 255, 1 };

static const struct ink *patch_inks[] = {
    [PATCH_HAND] = &hand_ink, [PATCH_RUNS] = &runs_ink, [PATCH_STAYS] = &stays_ink
};

// Half of the light, nearly no colour.
static void dim(struct frame *f)
{
    size_t n = (size_t)f->width * (size_t)f->height;
    for (size_t i = 0; i < n; i++) {
        uint8_t *p = f->bgr + 3 * i;
        int grey = (p[0] + 2 * p[1] + p[2]) / 4;
        for (int c = 0; c < 3; c++)
            p[c] = (uint8_t)((3 * grey + p[c]) / 6);
    }
}

static struct ink ink_of_pixel(const struct tracker_inside *in, size_t at)
{
    int label = in->blobs->label[at];
    for (int i = 0; label && i < in->blobs->count; i++)
        if (in->blobs->item[i].label == label)
            return *patch_inks[in->kind[i]];
    return noise_ink;
}

// Runs of changed pixels of one row, each with one ink.
static void draw_row_of_changes(struct frame *f, const struct tracker_inside *in, int y)
{
    const struct gate *g = in->gate;
    for (int x = g->from[y], to; x < g->to[y]; x = to) {
        size_t row = (size_t)y * (size_t)g->width;
        to = x + 1;
        if (!(g->mask[row + (size_t)x] & CHANGED))
            continue;
        struct ink ink = ink_of_pixel(in, row + (size_t)x), next = ink;
        while (to < g->to[y] && g->mask[row + (size_t)to] & CHANGED && next.r == ink.r && next.g == ink.g) {
            next = ink_of_pixel(in, row + (size_t)to);
            to += next.r == ink.r && next.g == ink.g;
        }
        double u0 = x * g->step - 0.5, u1 = to * g->step - 0.5, v0 = y * g->step - 0.5, v1 = v0 + g->step;
        draw_polygon(f, (struct pt_px[]){ { u0, v0 }, { u1, v0 }, { u1, v1 }, { u0, v1 } }, 4, ink);
    }
}

static void draw_changes(struct frame *f, const struct tracker_inside *in)
{
    for (int y = 0; in->gate->mask && in->blobs->label && y < in->gate->height; y++)
        draw_row_of_changes(f, in, y);
}

static void draw_trail(struct frame *f, const struct trail *t)
{
    double unit_px = draw_unit_px(f);
    for (int i = 0; i < t->count; i++) {
        const struct step *s = &t->step[i];
        double age = (f->t_s - s->t_s) / TRAIL_SHOWN_S;
        struct ink ink = trail_ink;
        ink.alpha = 1 - age;
        if (age < 1)
            draw_disc(f, s->px, DOT * unit_px, ink);
    }
}

// Where each line was seen, with its residual drawn outwards or inwards.
static void draw_lines(struct frame *f, const struct workings *w)
{
    double unit_px = draw_unit_px(f);
    struct pt_px centre;
    if (!camera_project(&centre, &w->pose->camera, (struct pt3_in){ 0, 0, 0 }))
        return;
    for (int i = 0; i < w->notes->lines; i++) {
        const struct line_note *l = &w->notes->line[i];
        double du = l->at.u - centre.u, dv = l->at.v - centre.v, length = fmax(hypot(du, dv), 1);
        double reach = OFF_TIMES * l->off_px / length, bad = fmin(fabs(l->off_px) / OFF_BAD_PX, 1);
        struct ink ink = { 60, (uint8_t)(230 * (1 - bad)), (uint8_t)(90 + 165 * bad), 1 };
        struct pt_px end = { l->at.u + reach * du, l->at.v + reach * dv };
        draw_line(f, (struct pt_px[]){ l->at, end }, 2, false, PEN * unit_px, ink);
        draw_disc(f, l->at, PEN * unit_px, ink);
    }
}

// 1 sigma of a line call at eight places of the outermost line, in thousandths of an inch.
static int draw_line_sigmas(struct frame *f, const struct workings *w, struct fail *why)
{
    double r = w->pose->board.circle_in[0], unit_px = draw_unit_px(f);
    int rc = 0;
    for (int k = 0; k < 8 && rc == 0; k++) {
        char words[16];
        struct pt_px at;
        double a = (k + 0.5) * PI / 4, out_in = r + w->pose->board.piece_radius_in;
        if (!camera_project(&at, &w->pose->camera, (struct pt3_in){ out_in * cos(a), out_in * sin(a), 0 }))
            continue;
        snprintf(words, sizeof words, "%.1f mil", 1000 * pose_fit_line_sigma_in(&w->pose->fit, 0, a));
        rc = draw_text(f, at, DRAW_CENTRED, fmax(SMALL_LETTERS * unit_px, 4), held_ink, words, why);
    }
    return rc;
}

static struct detection piece_at(const struct board_pose *pose, struct pt_in at, double radius_in)
{
    return (struct detection){ .kind = pose->board.piece, .at = at, .radius_in = radius_in };
}

// A place may be tried more than once: the last word on it counts.
static bool tried_again(const struct notes *n, int i)
{
    for (int k = i + 1; k < n->fits; k++)
        if (hypot(n->fit[k].at.x - n->fit[i].at.x, n->fit[k].at.y - n->fit[i].at.y) < n->fit[i].radius_in / 2)
            return true;
    return false;
}

// Words beside a piece may lie on nothing but wood or carpet: marbles a few pixels apart would vanish under them.
static bool has_room(const struct workings *w, struct pt_in at, double unit_px)
{
    double scale = camera_scale_px_per_in(&w->pose->camera, (struct pt3_in){ at.x, at.y, 0 });
    double near_in = ROOM * unit_px / fmax(scale, 1e-9), itself_in = w->pose->board.piece_radius_in;
    for (int i = 0; i < w->inside->pieces; i++) {
        double apart_in = hypot(w->inside->piece[i].piece.at.x - at.x, w->inside->piece[i].piece.at.y - at.y);
        if (apart_in > itself_in && apart_in < near_in)
            return false;
    }
    return true;
}

static int draw_fit(struct frame *f, const struct workings *w, const struct fit_note *n, struct fail *why)
{
    struct detection p = piece_at(w->pose, n->at, n->radius_in);
    struct ink ink = n->lacks ? refused_ink : held_ink;
    double unit_px = draw_unit_px(f);
    struct pt_px way[2];
    overlay_outline(f, w->pose, &p, PEN * unit_px, ink);
    if (!camera_project(&way[0], &w->pose->camera, (struct pt3_in){ n->began.x, n->began.y, 0 }) ||
        !camera_project(&way[1], &w->pose->camera, (struct pt3_in){ n->at.x, n->at.y, 0 }))
        return 0;
    draw_line(f, way, 2, false, PEN * unit_px, ink);
    if (!n->lacks || !has_room(w, n->at, unit_px))
        return 0;
    struct pt_px above = { way[1].u, way[1].v - overlay_radius_px(w->pose, &p) - SMALL_LETTERS * unit_px };
    return draw_text(f, above, DRAW_CENTRED, fmax(SMALL_LETTERS * unit_px, 4), ink, n->lacks, why);
}

// With a list of what was refused at the right, below the key.
static int draw_fits(struct frame *f, const struct workings *w, struct fail *why)
{
    double unit_px = draw_unit_px(f), letters_px = fmax(SMALL_LETTERS * unit_px, 4);
    int rc = 0, refused = 0;
    for (int i = 0; i < w->notes->fits && rc == 0; i++) {
        const struct fit_note *n = &w->notes->fit[i];
        char words[64];
        if (tried_again(w->notes, i))
            continue;
        rc = draw_fit(f, w, n, why);
        if (rc < 0 || !n->lacks || refused == REFUSED_MAX)
            continue;
        struct pt_px at = { f->width - MARGIN * unit_px, (LIST_TOP + 2 * SMALL_LETTERS * refused++) * unit_px };
        snprintf(words, sizeof words, "(%.2f, %.2f): %s, %.0f %%", n->at.x, n->at.y, n->lacks, 100 * n->explained);
        rc = draw_text(f, at, DRAW_LEFT_OF, letters_px, refused_ink, words, why);
    }
    return rc;
}

// Its id, how much of its face is still seen there, and 1 sigma of its place.
static int draw_kept(struct frame *f, const struct workings *w, const struct kept *k, struct fail *why)
{
    bool gone = !isinf(k->absent_since_s), loose = !isinf(k->loose_since_s);
    struct ink ink = gone ? refused_ink : loose ? trail_ink : held_ink;
    double unit_px = draw_unit_px(f), letters_px = fmax(SMALL_LETTERS * unit_px, 4);
    char words[64];
    overlay_outline(f, w->pose, &k->piece, PEN * unit_px, ink);
    if (!has_room(w, k->piece.at, unit_px))
        return 0;
    snprintf(words, sizeof words, "%d  %.0f %%  %.0f mil", k->id, 100 * kept_share(k, w->inside->gate),
             1000 * cov_sigma(&k->piece.cov));
    struct pt_px below = k->piece.px;
    below.v += overlay_radius_px(w->pose, &k->piece) + SMALL_LETTERS * unit_px;
    return draw_text(f, below, DRAW_CENTRED, letters_px, ink, words, why);
}

static int draw_pieces(struct frame *f, const struct workings *w, struct fail *why)
{
    int rc = 0;
    for (int i = 0; i < w->inside->pieces && rc == 0; i++)
        rc = draw_kept(f, w, &w->inside->piece[i], why);
    return rc;
}

static void say_board(struct overlay_lines *out, const struct board_pose *pose)
{
    overlay_say(out, "board: lines %.2f px rms, %.0f %% seen, 1 sigma at the line %.4f in, f %.0f px, %.1f degrees",
                pose->rms_px, 100 * pose->coverage, pose->line_sigma_in, pose->camera.lens.f_px,
                camera_tilt_rad(&pose->camera) * 180 / PI);
}

static void say_gate(struct overlay_lines *out, const struct tracker_inside *in, double now_s)
{
    const struct gate *g = in->gate;
    double all = fmax((double)g->looked_at, 1);
    overlay_say(out, "changed %.2f %%, moved %.2f %% of the pixels (change: over %d steps, noise %.1f)",
                100 * (double)g->changed / all, 100 * (double)g->moved / all, g->step_of_changes, g->noise);
    overlay_say(out, "quiet for %.2f s, the field for %.2f s; all known %.2f s ago",
                now_s - g->quiet[QUIET_WHOLE].since_s, now_s - g->quiet[QUIET_FIELD].since_s, now_s - in->measured_s);
}

static void say_fits(struct overlay_lines *out, const struct notes *n)
{
    int held = 0;
    for (int i = 0; i < n->fits; i++)
        held += !n->fit[i].lacks;
    if (n->fits > 0)
        overlay_say(out, "%d places tried at %.3f s, %d held", n->fits, n->fits_s, held);
}

static void say_all(struct overlay_lines *out, const struct frame *f, const struct workings *w)
{
    overlay_say(out, "frame %ld, %.3f s%s", f->number, f->t_s, w->pose ? "" : ": no board yet");
    if (!w->pose)
        return;
    say_board(out, w->pose);
    say_gate(out, w->inside, f->t_s);
    say_fits(out, w->notes);
    if (f->t_s - w->inside->upset_s < ALARM_SHOWN_S)
        overlay_say(out, "UPSET %.2f s ago: most of the picture changed at once", f->t_s - w->inside->upset_s);
}

// What the inks mean, at the right.
static int draw_key(struct frame *f, struct fail *why)
{
    static const struct {
        const struct ink *ink;
        const char *words;
    } key[] = {
        { &hand_ink, "hand" },
        { &runs_ink, "runs" },
        { &stays_ink, "changed" },
        { &noise_ink, "too small" },
        { &trail_ink, "trail" },
        { &held_ink, "holds" },
        { &refused_ink, "refused, and what it lacks" },
    };
    double unit_px = draw_unit_px(f), letters_px = fmax(LETTERS * unit_px, 4);
    int rc = 0;
    for (size_t i = 0; i < countof(key) && rc == 0; i++) {
        struct ink ink = *key[i].ink;
        ink.alpha = 1;
        struct pt_px at = { f->width - MARGIN * unit_px, (MARGIN + LETTERS * (1 + 2 * (double)i)) * unit_px };
        rc = draw_text(f, at, DRAW_LEFT_OF, letters_px, ink, key[i].words, why);
    }
    return rc;
}

// As learnt so far, seen from above, in the lower right corner; what nobody has seen empty yet is left out.
static int draw_empty_board(struct frame *f, const struct background *empty, struct fail *why)
{
    uint8_t *picture;
    int cells = background_picture(&picture, empty), side = (int)(EMPTY_SHOWN * fmin(f->width, f->height));
    if (cells == 0)
        return rs_fail(why, RS_EIO, "no memory to draw the empty board");
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            size_t from = (size_t)(y * cells / side) * (size_t)cells + (size_t)(x * cells / side);
            size_t to = (size_t)(f->height - side + y) * (size_t)f->width + (size_t)(f->width - side + x);
            const uint8_t *p = picture + 3 * from;
            if (p[0] || p[1] || p[2])
                memcpy(f->bgr + 3 * to, p, 3);
        }
    free(picture);
    return 0;
}

static int draw_words(struct frame *f, const struct workings *w, struct fail *why)
{
    struct overlay_lines status = { .count = 0 };
    double unit_px = draw_unit_px(f), letters_px = fmax(LETTERS * unit_px, 4), width_px, height_px;
    say_all(&status, f, w);
    int rc = draw_text_size(&width_px, &height_px, letters_px, "A", why);
    if (rc == 0)
        rc = overlay_write(f, &status, MARGIN * unit_px, letters_px, why);
    if (rc == 0)
        rc = overlay_write(f, w->told, f->height - MARGIN * unit_px - w->told->count * height_px, letters_px, why);
    return rc == 0 ? draw_key(f, why) : rc;
}

int workings_draw(struct frame *f, const struct workings *w, struct fail *why)
{
    int rc = 0;
    dim(f);
    if (w->pose) {
        draw_changes(f, w->inside);
        draw_lines(f, w);
        draw_trail(f, w->inside->trail);
        rc = draw_line_sigmas(f, w, why);
        if (rc == 0)
            rc = draw_pieces(f, w, why);
        if (rc == 0 && f->t_s - w->notes->fits_s < FITS_SHOWN_S)
            rc = draw_fits(f, w, why);
        if (rc == 0 && w->inside->empty)
            rc = draw_empty_board(f, w->inside->empty, why);
    }
    return rc == 0 ? draw_words(f, w, why) : rc;
}

static const char *const kind_words[] = {
    [HAPPENED_SEEN] = "seen", [HAPPENED_REST] = "rest", [HAPPENED_MOVE] = "move",   [HAPPENED_CONTACT] = "contact",
    [HAPPENED_GONE] = "gone", [HAPPENED_HAND] = "hand", [HAPPENED_STILL] = "still", [HAPPENED_CAMERA] = "camera",
};

static const char *const touching_words[] = { [TOUCHING_PIECE] = "piece",
                                              [TOUCHING_PEG] = "a peg",
                                              [TOUCHING_RIM] = "the rim",
                                              [TOUCHING_UNSEEN] = "what was not seen" };

static const char *const left_words[] = { [LEFT_FOR_HOLE] = "into the hole",
                                          [LEFT_FOR_DITCH] = "into the ditch",
                                          [LEFT_FOR_OUTSIDE] = "outside",
                                          [LEFT_BY_HAND] = "by hand" };

static const char *const camera_words[] = {
    [CAMERA_LOCKED] = "locked", [CAMERA_MOVED] = "moved", [CAMERA_LOST] = "lost"
};

static void detail(char *out, size_t size, const struct happening *h)
{
    char what[32];
    snprintf(what, sizeof what, "%s", touching_words[h->touching]);
    switch (h->kind) {
    case HAPPENED_SEEN:
    case HAPPENED_REST:
        snprintf(out, size, " %d: %s at (%.3f, %.3f) in, 1 sigma %.3f", h->id, h->piece.colour, h->piece.at.x,
                 h->piece.at.y, cov_sigma(&h->piece.cov));
        break;
    case HAPPENED_MOVE:
        snprintf(out, size, " %d: %s by %s", h->id, h->piece.colour, h->cause == CAUSE_SHOT ? "a shot" : "a hand");
        break;
    case HAPPENED_CONTACT:
        if (h->touching == TOUCHING_PIECE)
            snprintf(what, sizeof what, "piece %d", h->other);
        snprintf(out, size, " %d with %s at (%.2f, %.2f) in, 1 sigma %.3f s", h->id, what, h->at.x, h->at.y,
                 h->sigma_t_s);
        break;
    case HAPPENED_GONE:
        snprintf(out, size, " %d: %s %s", h->id, h->piece.colour, left_words[h->left_for]);
        break;
    case HAPPENED_HAND:
        if (h->over)
            snprintf(out, size, " comes at (%.1f, %.1f) in", h->at.x, h->at.y);
        else
            snprintf(out, size, " leaves");
        break;
    case HAPPENED_STILL:
        snprintf(out, size, ": lines %.2f px rms, 1 sigma %.4f in", h->rms_px, h->line_sigma_in);
        break;
    case HAPPENED_CAMERA:
        if (h->shift_in > 0)
            snprintf(out, size, " %s by %.3f in", camera_words[h->camera], h->shift_in);
        else
            snprintf(out, size, " %s", camera_words[h->camera]);
        break;
    }
}

void workings_words(char out[OVERLAY_LINE_MAX], const struct happening *h)
{
    int n = snprintf(out, OVERLAY_LINE_MAX, "%.3f s  %s", h->t_s, kind_words[h->kind]);
    detail(out + n, OVERLAY_LINE_MAX - (size_t)n, h);
}
