// SPDX-License-Identifier: MIT
// stage.h: a little theatre for the eye: coloured discs and a hand on a plain board, drawn at any moment of a script,
// and finders that know the script. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_FOLLOW_STAGE_H
#define RINGSIDE_TESTS_VISION_FOLLOW_STAGE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vision/track/pose_tracking.h"
#include "vision/track/tracker.h"
#include "vision/colour.h"

enum { KEYS_MAX = 6, ACTORS_MAX = 6, STAGE_WIDTH = 400, STAGE_HEIGHT = 340 };

static const double STAGE_HAND_WIDTH_IN = 3.2, STAGE_HAND_FROM_IN = -30;
static const double STAGE_SIGMA_IN = 0.01; // that the finders state of a place
static const double STAGE_PX_PER_IN = 11, STAGE_CAMERA_UP_IN = 60;

struct key {
    double t_s, x, y;
};

// A disc: it is there from its first key to its last, in straight lines between them; at 1e9 s it never leaves.
struct actor {
    const char *colour;
    double bgr[3];
    int keys;
    struct key key[KEYS_MAX];
    bool slows; // on its way to the last place, where it stops; else it does so at once, as what struck something does
};

// The hand comes from below; key.y is where its tip is, key.x where its middle is.
struct script {
    int actors;
    struct actor actor[ACTORS_MAX];
    int hand_keys;
    struct key hand[KEYS_MAX];
    double noise;                  // 8-bit steps at most
    double speck_until_s;          // until then the finder takes a speck at (-3, 6) for a black disc
    double cut_s;                  // from here on the camera looks from elsewhere; 0: never
    double away_s, back_s;         // between them the footage shows a face: no board; 0, 0: never
    double hint_until_s;           // the finder has a hint, and from here on finds nothing where it says; 0: no hint
    double lost_from_s, lost_to_s; // frames between them show garbage, and say so; 0, 0: none
    double gap_from_s, gap_to_s;   // frames between them never come, and nobody says so; 0, 0: none
    double flash_s;                // a lamp flashes for STAGE_FLASH_S; 0: never
    double faint_s, clear_s;       // between them the board is not seen well enough to call; 0, 0: it always is
};

static const double STAGE_FLASH_S = 0.09;

static const struct script *on_stage; // what the finders know; a test sets it

static inline bool key_at(struct pt_in *out, const struct key *key, int n, double t_s)
{
    if (n == 0 || t_s < key[0].t_s || t_s >= key[n - 1].t_s)
        return false;
    int i = 0;
    while (t_s >= key[i + 1].t_s)
        i++;
    double part = (t_s - key[i].t_s) / (key[i + 1].t_s - key[i].t_s);
    out->x = key[i].x + part * (key[i + 1].x - key[i].x);
    out->y = key[i].y + part * (key[i + 1].y - key[i].y);
    return true;
}

static inline bool actor_at(struct pt_in *out, const struct actor *a, double t_s)
{
    double from_s = a->slows ? a->key[a->keys - 3].t_s : INFINITY, to_s = a->slows ? a->key[a->keys - 2].t_s : INFINITY;
    double part = (t_s - from_s) / (to_s - from_s);
    return key_at(out, a->key, a->keys,
                  t_s > from_s && t_s < to_s ? from_s + part * (2 - part) * (to_s - from_s) : t_s);
}

static inline struct board_pose stage_board(double t_s)
{
    bool elsewhere = on_stage->cut_s > 0 && t_s >= on_stage->cut_s;
    struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-nca"), .nominal = true };
    double shift = elsewhere ? 40 : 0;
    pose.camera.lens = (struct lens){ .width = STAGE_WIDTH,
                                      .height = STAGE_HEIGHT,
                                      .f_px = STAGE_PX_PER_IN * STAGE_CAMERA_UP_IN,
                                      .centre = { STAGE_WIDTH / 2.0 + shift, STAGE_HEIGHT / 2.0 } };
    double R[3][3] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    memcpy(pose.camera.pose.R, R, sizeof R);
    pose.camera.pose.t_in[2] = STAGE_CAMERA_UP_IN;
    return pose;
}

static inline bool stage_away(double t_s)
{
    return t_s >= on_stage->away_s && t_s < on_stage->back_s;
}

static inline int stage_find_board(struct board_pose *out, struct frame *f, const struct board *wanted,
                                   const struct lens *lens, const struct tuning *tuning, struct fail *why)
{
    (void)wanted;
    (void)lens;
    (void)why;
    *out = stage_board(f->t_s);
    out->coverage = f->t_s >= on_stage->faint_s && f->t_s < on_stage->clear_s ? 0.3 : 1;
    out->found = !stage_away(f->t_s) && !(tuning->hint && f->t_s >= on_stage->hint_until_s);
    return 0;
}

static inline bool stage_suffices(const struct board_pose *pose, struct fail *why)
{
    if (pose->coverage < 1)
        rs_fail(why, 0, "%s found, but faint", pose->board.name);
    return pose->coverage >= 1;
}

static inline int stage_refit(struct refit *out, struct board_pose *board, const struct frame *f,
                              const struct tuning *tuning, struct fail *why)
{
    (void)tuning, (void)why;
    struct board_pose now = stage_board(f->t_s);
    *out = (struct refit){ .seen = board->camera.lens.centre.u == now.camera.lens.centre.u && !stage_away(f->t_s) };
    return 0;
}

static inline void stage_add_speck(struct detection_list *out, const struct board_pose *pose)
{
    struct detection *p = &out->piece[out->count++];
    *p = (struct detection){ .kind = PIECE_DISC, .at = { -3, 6 }, .radius_in = 0.625, .support = 0.6 };
    snprintf(p->colour, sizeof p->colour, "black");
    camera_project(&p->px, &pose->camera, (struct pt3_in){ p->at.x, p->at.y, pose->board.piece_height_in });
}

static inline bool stage_is_told_of(const struct pieces_known *known, const struct detection *p)
{
    for (int i = 0; i < known->lying.count; i++)
        if (hypot(known->lying.piece[i].at.x - p->at.x, known->lying.piece[i].at.y - p->at.y) < p->radius_in)
            return true;
    return roi_holds(known->changed, p->at);
}

static int stage_parts_asked_for; // how often the finder was told that it need not look everywhere

enum { STAGE_LOOKS_MAX = 64 };
static struct {
    int count;
    double t_s[STAGE_LOOKS_MAX];
} stage_looks; // at which frames the finder was asked at all

// Whatever there is to be found must be told to lie there still, or to lie where something changed.
static inline int stage_find_pieces(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                                    const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    (void)tuning;
    (void)why;
    out->count = 0;
    if (stage_looks.count < STAGE_LOOKS_MAX)
        stage_looks.t_s[stage_looks.count++] = f->t_s;
    if (f->t_s < on_stage->speck_until_s)
        stage_add_speck(out, pose);
    for (int i = 0; i < on_stage->actors; i++) {
        const struct actor *a = &on_stage->actor[i];
        struct detection p = { .kind = PIECE_DISC, .radius_in = 0.625, .certainty = 1, .support = 1 };
        p.cov.xx = p.cov.yy = STAGE_SIGMA_IN * STAGE_SIGMA_IN;
        if (!actor_at(&p.at, a, f->t_s) || hypot(p.at.x, p.at.y) > 13)
            continue;
        snprintf(p.colour, sizeof p.colour, "%s", a->colour);
        colour_bgr_to_lab(p.lab, a->bgr);
        camera_project(&p.px, &pose->camera, (struct pt3_in){ p.at.x, p.at.y, pose->board.piece_height_in });
        if (known->changed && !stage_is_told_of(known, &p))
            fail_msg("%.2f s: the finder is not told to look at %.2f, %.2f", f->t_s, p.at.x, p.at.y);
        out->piece[out->count++] = p;
    }
    stage_parts_asked_for += known->changed != NULL;
    return 0;
}

static inline void stage_paint(struct frame *f, int x, int y, const double bgr[3], uint32_t *seed)
{
    for (int k = 0; k < 3; k++) {
        *seed = *seed * 1664525 + 1013904223;
        double code = bgr[k] + ((double)(*seed >> 24) / 127.5 - 1) * on_stage->noise;
        f->bgr[3 * (y * f->width + x) + k] = (uint8_t)fmin(fmax(code, 0), 255);
    }
}

// Where everybody is at one moment: found once for all the pixels of a frame.
struct stage_moment {
    bool hand;
    struct pt_in hand_at;
    int actors;
    struct pt_in at[ACTORS_MAX];
    const double *bgr[ACTORS_MAX];
};

static inline struct stage_moment stage_at(double t_s)
{
    struct stage_moment m = { .hand = false };
    m.hand = key_at(&m.hand_at, on_stage->hand, on_stage->hand_keys, t_s);
    for (int i = 0; i < on_stage->actors; i++)
        if (actor_at(&m.at[m.actors], &on_stage->actor[i], t_s))
            m.bgr[m.actors++] = on_stage->actor[i].bgr;
    return m;
}

static inline bool stage_within(struct pt_in a, struct pt_in b, double reach_in)
{
    double x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y < reach_in * reach_in;
}

static inline const double *stage_colour_at(struct pt_in at, const struct stage_moment *m)
{
    static const double wood[3] = { 130, 180, 215 }, ditch[3] = { 40, 50, 60 }, skin[3] = { 120, 150, 225 };
    if (m->hand && fabs(at.x - m->hand_at.x) < STAGE_HAND_WIDTH_IN / 2 && at.y < m->hand_at.y &&
        at.y > STAGE_HAND_FROM_IN)
        return skin;
    for (int i = 0; i < m->actors; i++)
        if (stage_within(at, m->at[i], 0.625))
            return m->bgr[i];
    return stage_within(at, (struct pt_in){ 0, 0 }, 13) ? wood : ditch;
}

// No board: patches of many greys and sizes.
static inline void stage_colour_elsewhere(double bgr[3], int x, int y)
{
    uint32_t patch = (uint32_t)(x / 23 * 31 + y / 17 * 57 + x / 61 * 7) * 2654435761u;
    for (int k = 0; k < 3; k++)
        bgr[k] = 40 + (patch >> 24) * 0.7;
}

// The script at that moment. The caller frees it.
static inline struct frame *stage_frame(double t_s, uint32_t *seed)
{
    struct frame *f;
    struct board_pose pose = stage_board(t_s);
    const struct stage_moment moment = stage_at(t_s);
    if (frame_create(&f, STAGE_WIDTH, STAGE_HEIGHT, NULL) < 0)
        return NULL;
    f->t_s = t_s;
    double in_per_px = (STAGE_CAMERA_UP_IN - pose.board.piece_height_in) / pose.camera.lens.f_px;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            struct pt_in at = { (x - pose.camera.lens.centre.u) * in_per_px,
                                (pose.camera.lens.centre.v - y) * in_per_px };
            double bgr[3];
            memcpy(bgr, stage_colour_at(at, &moment), sizeof bgr);
            if (stage_away(t_s))
                stage_colour_elsewhere(bgr, x, y);
            for (int k = 0; k < 3 && on_stage->flash_s > 0; k++)
                bgr[k] += t_s >= on_stage->flash_s && t_s < on_stage->flash_s + STAGE_FLASH_S ? 120 : 0;
            stage_paint(f, x, y, bgr, seed);
        }
    return f;
}

#endif
