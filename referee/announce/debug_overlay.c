// SPDX-License-Identifier: MIT
#include "referee/announce/debug_overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "referee/log_line.h"
#include "vision/draw.h"
#include "vision/track/tracks.h"
#include "vision/track/trajectory.h"

// In units of draw_unit_px.
static const double LETTERS = 11, SMALL_LETTERS = 9, MARGIN = 6, PEN = 1.5, DOT = 2.5;
static const double ROOM = 60;             // half of the words beside a piece
static const double LIST_TOP = 190;        // below the key
enum { REFUSED_MAX = 20 };                 // lines of the list
static const double MOTIONS_SHOWN_S = 1.5; // a shot is over by then
static const double FITS_SHOWN_S = 1.0;    // long enough to read some words when the video is stopped there
static const double ALARM_SHOWN_S = 1.0;
static const double EMPTY_SHOWN = 0.25; // of the frame's shorter side: the empty board's
static const double OFF_TIMES = 20;     // lines' residuals, some hundredths of a pixel, are drawn so much longer
static const double OFF_BAD_PX = 1;     // drawn all red: wider than a line's own blur

static const struct ink hand_ink = { 230, 60, 220, 0.45 }, runs_ink = { 0, 220, 255, 0.6 };
static const struct ink stays_ink = { 230, 190, 0, 0.5 }, noise_ink = { 200, 200, 200, 0.35 };
static const struct ink held_ink = { 90, 230, 60, 1 }, refused_ink = { 70, 70, 255, 0.9 };
static const struct ink motion_ink = { 0, 150, 255, 1 };

static const struct ink *patch_inks[] = {
    [PATCH_HAND] = &hand_ink, [PATCH_RUNS] = &runs_ink, [PATCH_STAYS] = &stays_ink, [PATCH_GHOST] = &stays_ink
};

static struct ink ink_of_pixel(const struct tracker_inside *in, size_t at)
{
    int label = in->patches->label[at];
    return label ? *patch_inks[in->patches->item[label - 1].kind] : noise_ink;
}

// Runs of changed pixels of one row, each with one ink.
static void draw_changes(struct frame *f, const struct tracker_inside *in)
{
    const struct change_detector *g = in->changes;
    for (int y = 0; g->mask && in->patches->label && y < g->height; y++) {
        size_t row = (size_t)y * (size_t)g->width;
        for (int x = g->from[y], to; x < g->to[y]; x = to) {
            to = x + 1;
            if (!(g->mask[row + (size_t)x] & CHANGED))
                continue;
            struct ink ink = ink_of_pixel(in, row + (size_t)x), next = ink;
            while (to < g->to[y] && g->mask[row + (size_t)to] & CHANGED && next.r == ink.r && next.g == ink.g) {
                next = ink_of_pixel(in, row + (size_t)to);
                to += next.r == ink.r && next.g == ink.g;
            }
            double u0 = x * g->step - 0.5, u1 = to * g->step - 0.5, v0 = y * g->step - 0.5, v1 = v0 + g->step;
            draw_box(f, u0, v0, u1, v1, ink);
        }
    }
}

// Where each line was seen, with its residual drawn outwards or inwards; and 1 sigma of a line call at eight places of
// the outermost line, in thousandths of an inch.
static int draw_lines(struct frame *f, const struct debug_overlay *d, struct fail *why)
{
    const struct board *b = &d->pose->board;
    double unit_px = draw_unit_px(f);
    struct pt_px centre, at;
    bool seen = camera_project(&centre, &d->pose->camera, (struct pt3_in){ 0, 0, 0 });
    for (int i = 0; i < d->notes->lines && seen; i++) {
        const struct line_note *l = &d->notes->line[i];
        double du = l->at.u - centre.u, dv = l->at.v - centre.v, length = fmax(hypot(du, dv), 1);
        double reach = OFF_TIMES * l->off_px / length, bad = fmin(fabs(l->off_px) / OFF_BAD_PX, 1);
        struct ink ink = { 60, (uint8_t)(230 * (1 - bad)), (uint8_t)(90 + 165 * bad), 1 };
        struct pt_px end = { l->at.u + reach * du, l->at.v + reach * dv };
        draw_line(f, (struct pt_px[]){ l->at, end }, 2, PEN * unit_px, ink);
        draw_disc(f, l->at, PEN * unit_px, ink);
    }
    int rc = 0;
    for (int k = 0; k < 8 && rc == 0; k++) {
        char words[16];
        double a = (k + 0.5) * PI / 4, out_in = b->circle_in[0] + b->piece_radius_in;
        if (!camera_project(&at, &d->pose->camera, surface_polar(out_in, a)))
            continue;
        snprintf(words, sizeof words, "%.1f mil", 1000 * pose_fit_line_sigma_in(&d->pose->fit, 0, a));
        rc = draw_text(f, at, DRAW_CENTRED, overlay_letters_px(f, SMALL_LETTERS), held_ink, words, why);
    }
    return rc;
}

// Words beside a piece may lie on nothing but wood or carpet: marbles a few pixels apart would vanish under them.
static bool has_room(const struct debug_overlay *d, struct pt_in at, double unit_px)
{
    double scale = camera_scale_px_per_in(&d->pose->camera, surface_at(at));
    double near_in = ROOM * unit_px / fmax(scale, 1e-9), itself_in = d->pose->board.piece_radius_in;
    for (int i = 0; i < d->inside->tracks; i++) {
        double apart_in = distance_in(d->inside->track[i].piece.at, at);
        if (apart_in > itself_in && apart_in < near_in)
            return false;
    }
    return true;
}

// The places where a piece was tried: the way of the fit, and what it lacks; with a list of what was refused at the
// right, below the key. A place may be tried more than once: the last word on it counts.
static int draw_fits(struct frame *f, const struct debug_overlay *d, struct fail *why)
{
    const struct notes *notes = d->notes;
    const struct camera *c = &d->pose->camera;
    double unit_px = draw_unit_px(f), letters_px = overlay_letters_px(f, SMALL_LETTERS);
    int rc = 0, refused = 0;
    for (int i = 0; i < notes->fits && rc == 0; i++) {
        const struct fit_note *n = &notes->fit[i];
        const struct detection p = { .kind = d->pose->board.piece, .at = n->at, .radius_in = n->radius_in };
        struct ink ink = n->lacks ? refused_ink : held_ink;
        struct pt_px way[2];
        char words[64];
        bool again = false;
        for (int k = i + 1; k < notes->fits; k++)
            again |= distance_in(notes->fit[k].at, n->at) < n->radius_in / 2;
        if (again)
            continue;
        overlay_outline(f, d->pose, &p, PEN * unit_px, ink);
        bool seen = camera_project(&way[0], c, surface_at(n->began)) && camera_project(&way[1], c, surface_at(n->at));
        if (seen)
            draw_line(f, way, 2, PEN * unit_px, ink);
        if (seen && n->lacks && has_room(d, n->at, unit_px)) {
            struct pt_px above = { way[1].u, way[1].v - overlay_radius_px(d->pose, &p) - SMALL_LETTERS * unit_px };
            rc = draw_text(f, above, DRAW_CENTRED, letters_px, ink, n->lacks, why);
        }
        if (rc < 0 || !n->lacks || refused == REFUSED_MAX)
            continue;
        struct pt_px at = { f->width - MARGIN * unit_px, (LIST_TOP + 2 * SMALL_LETTERS * refused++) * unit_px };
        snprintf(words, sizeof words, "(%.2f, %.2f): %s, %.0f %%", n->at.x, n->at.y, n->lacks, 100 * n->explained);
        rc = draw_text(f, at, DRAW_LEFT_OF, letters_px, refused_ink, words, why);
    }
    return rc;
}

// Each with its id, how much of its face is still seen there, and 1 sigma of its place.
static int draw_pieces(struct frame *f, const struct debug_overlay *d, struct fail *why)
{
    double unit_px = draw_unit_px(f);
    int rc = 0;
    for (int i = 0; i < d->inside->tracks && rc == 0; i++) {
        const struct track *k = &d->inside->track[i];
        bool gone = !isinf(k->absent_since_s), loose = !isinf(k->loose_since_s);
        struct ink ink = gone ? refused_ink : loose ? motion_ink : held_ink;
        char words[64];
        overlay_outline(f, d->pose, &k->piece, PEN * unit_px, ink);
        if (!has_room(d, k->piece.at, unit_px))
            continue;
        snprintf(words, sizeof words, "%d  %.0f %%  %.0f mil", k->id, 100 * track_share(k, d->inside->changes),
                 1000 * cov_sigma(&k->piece.cov));
        struct pt_px below = k->piece.px;
        below.v += overlay_radius_px(d->pose, &k->piece) + SMALL_LETTERS * unit_px;
        rc = draw_text(f, below, DRAW_CENTRED, overlay_letters_px(f, SMALL_LETTERS), ink, words, why);
    }
    return rc;
}

// The frame's state, what was reported, and at the right what the inks mean.
static int draw_words(struct frame *f, const struct debug_overlay *d, struct fail *why)
{
    static const struct {
        const struct ink *ink;
        const char *words;
    } key[] = {
        { &hand_ink, "hand" },
        { &runs_ink, "runs" },
        { &stays_ink, "changed" },
        { &noise_ink, "too small" },
        { &motion_ink, "ran" },
        { &held_ink, "holds" },
        { &refused_ink, "refused, and what it lacks" },
    };
    struct overlay_lines status = { .count = 0 };
    double unit_px = draw_unit_px(f), letters_px = overlay_letters_px(f, LETTERS);
    const struct board_pose *pose = d->pose;
    overlay_say(&status, "frame %ld, %.3f s%s", f->number, f->t_s, pose ? "" : ": no board yet");
    if (pose) {
        const struct change_detector *g = d->inside->changes;
        double all = fmax((double)g->looked_at, 1);
        int held = 0;
        overlay_say(&status,
                    "board: lines %.2f px rms, %.0f %% seen, 1 sigma at the line %.4f in, f %.0f px, %.1f degrees",
                    pose->rms_px, 100 * pose->coverage, pose->line_sigma_in, pose->camera.lens.f_px,
                    camera_tilt_rad(&pose->camera) * 180 / PI);
        overlay_say(&status, "changed %.2f %%, moved %.2f %% of the pixels (change: over %d steps, noise %.1f)",
                    100 * (double)g->changed / all, 100 * (double)g->moved / all, g->threshold, g->noise);
        overlay_say(&status, "still for %.2f s, the field for %.2f s; all known %.2f s ago",
                    f->t_s - g->still[STILL_WHOLE].since_s, f->t_s - g->still[STILL_FIELD].since_s,
                    f->t_s - d->inside->measured_s);
        for (int i = 0; i < d->notes->fits; i++)
            held += !d->notes->fit[i].lacks;
        if (d->notes->fits > 0)
            overlay_say(&status, "%d places tried at %.3f s, %d held", d->notes->fits, d->notes->fits_s, held);
        if (d->notes->fits_unlisted + d->notes->lines_unlisted > 0)
            overlay_say(&status, "no room to show %d more places and %d more points of lines", d->notes->fits_unlisted,
                        d->notes->lines_unlisted);
        if (f->t_s - d->inside->global_change_s < ALARM_SHOWN_S)
            overlay_say(&status, "CHANGED %.2f s ago: most of the picture, at once",
                        f->t_s - d->inside->global_change_s);
    }
    int rc = overlay_write(f, &status, MARGIN * unit_px, letters_px, why);
    if (rc == 0)
        rc = overlay_write(f, d->reported, -MARGIN * unit_px, letters_px, why);
    for (size_t i = 0; i < countof(key) && rc == 0; i++) {
        struct ink ink = *key[i].ink;
        ink.alpha = 1;
        struct pt_px at = { f->width - MARGIN * unit_px, (MARGIN + LETTERS * (1 + 2 * (double)i)) * unit_px };
        rc = draw_text(f, at, DRAW_LEFT_OF, letters_px, ink, key[i].words, why);
    }
    return rc;
}

int debug_overlay_draw(struct frame *f, const struct debug_overlay *d, struct fail *why)
{
    size_t n = (size_t)f->width * (size_t)f->height;
    for (size_t i = 0; i < n; i++) { // half of the light, nearly no colour
        uint8_t *p = f->bgr + 3 * i;
        int grey = (p[0] + 2 * p[1] + p[2]) / 4;
        for (int c = 0; c < 3; c++)
            p[c] = (uint8_t)((3 * grey + p[c]) / 6);
    }
    if (!d->pose)
        return draw_words(f, d, why);
    draw_changes(f, d->inside);
    for (int i = 0; i < d->inside->motions->count; i++) {
        const struct motion *s = &d->inside->motions->item[i];
        double age = (f->t_s - s->t_s) / MOTIONS_SHOWN_S;
        struct ink ink = motion_ink;
        ink.alpha = 1 - age;
        if (age < 1)
            draw_disc(f, s->px, DOT * draw_unit_px(f), ink);
    }
    int rc = draw_lines(f, d, why);
    if (rc == 0)
        rc = draw_pieces(f, d, why);
    if (rc == 0 && f->t_s - d->notes->fits_s < FITS_SHOWN_S)
        rc = draw_fits(f, d, why);
    if (rc < 0 || !d->inside->empty)
        return rc < 0 ? rc : draw_words(f, d, why);
    // The empty board as learnt so far, seen from above, in the lower right corner; what nobody has seen is left out.
    uint8_t *picture;
    int cells = background_picture(&picture, d->inside->empty), side = (int)(EMPTY_SHOWN * fmin(f->width, f->height));
    if (cells == 0)
        return rs_fail(why, RS_ENOMEM, "no memory to draw the empty board");
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            size_t from = (size_t)(y * cells / side) * (size_t)cells + (size_t)(x * cells / side);
            size_t to = (size_t)(f->height - side + y) * (size_t)f->width + (size_t)(f->width - side + x);
            const uint8_t *p = picture + 3 * from;
            if (p[0] || p[1] || p[2])
                memcpy(f->bgr + 3 * to, p, 3);
        }
    free(picture);
    return draw_words(f, d, why);
}

static const char *const left_words[] = { [ON_SURFACE] = "somewhere on the board",
                                          [IN_HOLE] = "into the hole",
                                          [IN_DITCH] = "into the ditch",
                                          [OFF_BOARD] = "outside",
                                          [BY_HAND] = "by hand",
                                          [IN_CUT] = "in a cut",
                                          [UNSEEN] = "out of sight" };

void debug_overlay_words(char out[OVERLAY_LINE_MAX], const struct event *e)
{
    const struct observation *o = &e->observation;
    const struct detection *p = &e->piece;
    int n = snprintf(out, OVERLAY_LINE_MAX, "%.3f s  %s", o->t_s, log_kind_word(o->kind));
    size_t size = OVERLAY_LINE_MAX - (size_t)n;
    char what[32];
    out += n;
    switch (o->kind) {
    case OBS_SEEN:
    case OBS_REST:
        snprintf(out, size, " %d: %s at (%.3f, %.3f) in, 1 sigma %.3f", o->id, p->colour, p->at.x, p->at.y,
                 cov_sigma(&p->cov));
        break;
    case OBS_MOVE:
        snprintf(out, size, " %d: %s by %s", o->id, p->colour, o->move.by == MOVED_BY_SHOT ? "a shot" : "a hand");
        break;
    case OBS_CONTACT:
        snprintf(what, sizeof what, "piece %d", o->contact.other);
        snprintf(out, size, " %d with %s at (%.2f, %.2f) in, 1 sigma %.3f s", o->id,
                 o->contact.what == TOUCHED_PIECE ? what
                 : o->contact.what == TOUCHED_PEG ? "a peg"
                                                  : "what was not seen",
                 o->contact.at.x, o->contact.at.y, o->contact.sigma_t_s);
        break;
    case OBS_GONE:
        snprintf(out, size, " %d: %s %s", o->id, p->colour, left_words[o->gone.where]);
        break;
    case OBS_HAND:
        if (o->hand.over)
            snprintf(out, size, " comes at (%.1f, %.1f) in", e->hand_at.x, e->hand_at.y);
        else
            snprintf(out, size, " leaves");
        break;
    case OBS_STILL:
        snprintf(out, size, ": lines %.2f px rms, 1 sigma %.4f in", o->still.rms_px, o->still.line_sigma_in);
        break;
    case OBS_CAMERA:
        if (o->camera.shift_in > 0)
            snprintf(out, size, " %s by %.3f in", log_camera_word(o->camera.what), o->camera.shift_in);
        else
            snprintf(out, size, " %s", log_camera_word(o->camera.what));
        break;
    case OBS_INPUT:
        break; // a person's, vision makes none
    }
}
