// SPDX-License-Identifier: MIT
#include "samples/scene/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "samples/scene/noise.h"
#include "samples/scene/render.h"
#include "samples/scene/truth.h"
#include "vision/opencv_c/opencv_c.h"

static const double USUAL_FRAMES_PER_S = 30, EXPOSURE_S = 1.0 / 60;
static const double SHADOW_IN = 3.5; // how far a piece's shadow or a hand's falls beside it
enum { EXPOSURE_STEPS = 3, MOST_FRAMES = 2000, TILE_PX = 16, TILES_MOST = 120 * 68 }; // of 1920 x 1080 pixels
static const double ARM_STEP_IN =
    4; // an arm is looked at in pieces of this length: seen at a slant its box is mostly empty

struct film {
    struct scene empty, now; // the stage without pieces; what is filmed
    struct image base, shown;
    struct image lying;           // of a match: base and all that lies still
    struct vec lies[PLAY_PIECES]; // where each actor lies in that; z above everything when it does not
    struct quick_sensor *quick;   // of a match
    uint8_t *rgb;
    struct frame *frame;
    json_t *frames;
    struct camera first; // before any knock
    int knocks;          // of the script's that have happened
    double frames_per_s;
    json_t *pieces; // as the truth told them last
};

static void fill_scene(struct scene *s, const struct scene *empty, const struct play *p, const struct stage_moment *m)
{
    const struct actor *actor;
    int count = play_actors(p, &actor);
    *s = *empty;
    for (int i = 0; i < count; i++)
        if (actor[i].there)
            s->solid[s->solids++] = actor[i].look;
    if (m->hand)
        scene_add_hand(s, (struct vec){ m->tip.x, m->tip.y, 0.35 }, m->hand_rad, (struct vec){ 0.55, 0.33, 0.22 },
                       (struct vec){ 0.12, 0.14, 0.2 });
    scene_index(s);
}

static void grow(struct box *box, const struct scene *s, struct vec at, double reach_in)
{
    for (int k = 0; k < 8; k++) {
        struct pt_px p;
        struct pt3_in corner = { at.x + (k & 1 ? reach_in : -reach_in), at.y + (k & 2 ? reach_in : -reach_in),
                                 at.z + (k & 4 ? 1 : -1) };
        if (!camera_project(&p, &s->camera, corner))
            continue;
        box->left = (int)fmin(box->left, floor(p.u));
        box->top = (int)fmin(box->top, floor(p.v));
        box->right = (int)fmax(box->right, ceil(p.u) + 1);
        box->bottom = (int)fmax(box->bottom, ceil(p.v) + 1);
    }
}

static bool clip_box(struct box *b, const struct image *m)
{
    b->left = b->left < 0 ? 0 : b->left;
    b->top = b->top < 0 ? 0 : b->top;
    b->right = b->right > m->width ? m->width : b->right;
    b->bottom = b->bottom > m->height ? m->height : b->bottom;
    return b->left < b->right && b->top < b->bottom;
}

static void clear_box(struct image *m, struct box b)
{
    for (int y = b.top; y < b.bottom; y++)
        memset(m->light + 3 * ((size_t)y * (size_t)m->width + (size_t)b.left), 0,
               3 * sizeof *m->light * (size_t)(b.right - b.left));
}

static void render_base(struct film *f, const struct clip_script *s)
{
    struct box whole = { 0, 0, f->base.width, f->base.height };
    clear_box(&f->base, whole);
    render_box(&f->base, &f->empty, whole, 1, s->stage.seed);
}

// From this frame on the camera stands where the knock left it.
static void knock_camera(struct film *f, const struct clip_script *s, double t_s)
{
    if (f->knocks == s->knocks || t_s < s->knock[f->knocks].at_s)
        return;
    const struct knock_script *k = &s->knock[f->knocks++];
    double(*R)[3] = f->empty.camera.pose.R, c = cos(k->turn_deg * PI / 180), n = sin(k->turn_deg * PI / 180);
    for (int i = 0; i < 3; i++) {
        double x = R[i][0], y = R[i][1];
        R[i][0] = c * x + n * y;
        R[i][1] = c * y - n * x;
    }
    f->empty.camera.pose.t_in[0] += k->right_in;
    f->empty.camera.lens.f_px *= 1 + k->zoom;
    render_base(f, s);
    for (int i = 0; i < PLAY_PIECES; i++) // all that lies is seen elsewhere
        f->lies[i].z = NAN;
}

static int boxes_of(struct box *out, const struct film *f)
{
    const struct box none = { 1 << 20, 1 << 20, -(1 << 20), -(1 << 20) };
    int n = 0;
    for (int i = f->empty.solids; i < f->now.solids; i++) {
        out[n] = none;
        grow(&out[n], &f->now, f->now.solid[i].at, f->now.solid[i].radius_in + SHADOW_IN * 0.4);
        n += clip_box(&out[n], &f->shown);
    }
    if (f->now.limbs == 0)
        return n;
    out[n] = none;
    for (int i = 0; i < f->now.limbs; i++) {
        grow(&out[n], &f->now, f->now.limb[i].a, f->now.limb[i].radius_in + SHADOW_IN);
        grow(&out[n], &f->now, f->now.limb[i].b, f->now.limb[i].radius_in + SHADOW_IN);
    }
    n += clip_box(&out[n], &f->shown);
    return n;
}

static int tiles_along(int length_px)
{
    return (length_px + TILE_PX - 1) / TILE_PX;
}

static void mark_tiles(bool *tile, const struct film *f, struct vec at, double reach_in)
{
    struct box box = { 1 << 20, 1 << 20, -(1 << 20), -(1 << 20) };
    int across = tiles_along(f->base.width);
    grow(&box, &f->now, at, reach_in);
    if (!clip_box(&box, &f->shown))
        return;
    for (int y = box.top / TILE_PX; y <= (box.bottom - 1) / TILE_PX; y++)
        for (int x = box.left / TILE_PX; x <= (box.right - 1) / TILE_PX; x++)
            tile[y * across + x] = true;
}

static void mark_hand(bool *tile, const struct film *f)
{
    for (int i = 0; i < f->now.limbs; i++) {
        const struct limb *l = &f->now.limb[i];
        int steps = 1 + (int)(vec_length(vec_sub(l->b, l->a)) / ARM_STEP_IN);
        for (int k = 0; k <= steps; k++)
            mark_tiles(tile, f, vec_mix(l->a, l->b, (double)k / steps), l->radius_in + SHADOW_IN);
    }
}

static void render_tiles(struct image *m, const struct film *f, const bool *tile, uint64_t seed)
{
    int across = tiles_along(m->width), down = tiles_along(m->height);
    for (int y = 0; y < down; y++)
        for (int x = 0, from; x < across; x++) {
            from = x;
            while (x < across && tile[y * across + x])
                x++;
            struct box box = { from * TILE_PX, y * TILE_PX, x * TILE_PX, (y + 1) * TILE_PX };
            if (x == from || !clip_box(&box, m))
                continue;
            clear_box(m, box);
            render_box(m, &f->now, box, 1, seed);
        }
}

static void copy_light(struct image *to, const struct image *from)
{
    memcpy(to->light, from->light, 3 * sizeof *to->light * (size_t)to->width * (size_t)to->height);
}

// What lies still is rendered once, when it changes, with the same grain for as long as it lies.
static void render_lying(struct film *f, const struct play *p, const struct clip_script *s)
{
    const struct actor *actor;
    bool tile[TILES_MOST] = { false }, same = true;
    int count = play_actors(p, &actor);
    f->now = f->empty;
    for (int i = 0; i < count; i++) {
        bool lies = actor[i].there && !actor[i].moving;
        struct vec at = lies ? actor[i].look.at : (struct vec){ 0, 0, INFINITY };
        same = same && memcmp(&at, &f->lies[i], sizeof at) == 0;
        f->lies[i] = at;
        if (!lies)
            continue;
        f->now.solid[f->now.solids++] = actor[i].look;
        mark_tiles(tile, f, at, actor[i].look.radius_in + SHADOW_IN * 0.4);
    }
    if (same)
        return;
    scene_index(&f->now);
    copy_light(&f->lying, &f->base);
    render_tiles(&f->lying, f, tile, s->stage.seed);
}

static void shoot_match(struct film *f, struct play *p, const struct clip_script *s, double t_s, struct stage_moment *m,
                        uint64_t seed)
{
    const struct actor *actor;
    bool tile[TILES_MOST] = { false };
    play_run(p, t_s, m);
    render_lying(f, p, s);
    fill_scene(&f->now, &f->empty, p, m);
    copy_light(&f->shown, &f->lying);
    int count = play_actors(p, &actor);
    for (int i = 0; i < count; i++)
        if (actor[i].there && actor[i].moving)
            mark_tiles(tile, f, actor[i].look.at, actor[i].look.radius_in + SHADOW_IN * 0.4);
    mark_hand(tile, f);
    render_tiles(&f->shown, f, tile, seed);
}

// The light of one moment, added to the shown picture's boxes.
static void shoot(struct film *f, struct play *p, const struct clip_script *s, double t_s, struct stage_moment *m,
                  uint64_t seed)
{
    struct box box[SCENE_SOLIDS + 1];
    if (s->match) {
        shoot_match(f, p, s, t_s, m, seed);
        return;
    }
    play_run(p, t_s, m);
    fill_scene(&f->now, &f->empty, p, m);
    memcpy(f->shown.light, f->base.light, 3 * sizeof *f->base.light * (size_t)f->base.width * (size_t)f->base.height);
    int n = boxes_of(box, f);
    for (int i = 0; i < n; i++) {
        clear_box(&f->shown, box[i]);
        render_box(&f->shown, &f->now, box[i], 1, seed);
    }
}

static void average(float *sum, const struct image *m, int of)
{
    for (size_t i = 0; i < 3 * (size_t)m->width * (size_t)m->height; i++)
        sum[i] += m->light[i] / (float)of;
}

// A match is long: there the hand's own motion is not worth three pictures.
static bool anything_moves(const struct play *p, const struct clip_script *s, const struct stage_moment *m)
{
    const struct actor *actor;
    int count = play_actors(p, &actor);
    for (int i = 0; i < count; i++)
        if (actor[i].there && actor[i].moving)
            return true;
    return m->hand && !s->match;
}

// Of a match a frame's pieces are told only where they are others, or elsewhere, than in the frame before.
static json_t *frame_truth(struct film *f, const struct play *p, const struct clip_script *s,
                           const struct stage_moment *m)
{
    json_t *line = play_frame_truth(p, m), *pieces = json_object_get(line, "pieces");
    if (s->match && f->pieces && json_equal(f->pieces, pieces)) {
        json_object_del(line, "pieces");
        return line;
    }
    json_decref(f->pieces);
    f->pieces = json_incref(pieces);
    return line;
}

// A player before a curtain, lengths in shares of the picture: nothing in it is round and ringed.
static void paint_face(struct frame *f, long number)
{
    double sway = 0.01 * sin((double)number / 9), w = f->width, h = f->height;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            double u = x / w - 0.45 - sway, v = y / h;
            double folds = 70 + 25 * sin(x / w * 60) + 10 * sin(x / w * 171);
            bool head = hypot(u / 0.12, (v - 0.4) / 0.27) < 1, hair = head && v < 0.27 + 0.3 * fabs(u);
            bool eye = hypot((fabs(u) - 0.045) / 0.014, (v - 0.38) / 0.014) < 1;
            bool shirt = v > 0.62 + 1.2 * u * u && fabs(u) < 0.33, mouth = fabs(u) < 0.04 && fabs(v - 0.54) < 0.008;
            double skin = 190 - 260 * fabs(u + 0.02), cloth = 60 + 40 * (((int)(v * 40) + (int)(u * 60 + 60)) % 2);
            double bgr[3] = { folds * 0.7, folds * 0.8, folds };
            if (shirt)
                bgr[0] = cloth * 1.6, bgr[1] = cloth, bgr[2] = cloth * 0.8;
            if (head)
                bgr[0] = skin * 0.65, bgr[1] = skin * 0.78, bgr[2] = skin;
            if (hair || eye || (head && mouth))
                bgr[0] = bgr[1] = bgr[2] = 45;
            for (int c = 0; c < 3; c++)
                f->bgr[3 * (y * f->width + x) + c] = (uint8_t)fmin(fmax(bgr[c], 0), 255);
        }
}

// Names and points on a plate, as broadcasts lay it over the lower left corner.
static int paint_score(struct frame *f, struct fail *why)
{
    static const char *const rows[] = { "HOME  15", "GUEST 20" };
    int width = f->width * 3 / 10, height = f->height / 8, top = f->height - height - f->height / 30;
    int left = f->width / 40, row_px = height / (int)countof(rows);
    uint8_t *ink = calloc((size_t)width * (size_t)height, 1);
    if (!ink)
        return rs_fail(why, RS_ENOMEM, "no memory for a score table");
    int rc = 0;
    for (int i = 0; i < (int)countof(rows) && rc == 0; i++)
        rc = cv_text_u8(ink, width, height, row_px / 2, row_px * (i + 1) - row_px / 4, rows[i], row_px / 30.0, 2, why);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = f->bgr + 3 * ((size_t)(top + y) * (size_t)f->width + (size_t)(left + x));
            uint8_t code = ink[y * width + x];
            p[0] = (uint8_t)(110 + code * 145 / 255);
            p[1] = p[2] = (uint8_t)(30 + code * 225 / 255);
        }
    free(ink);
    return rc;
}

// What the broadcaster makes of the frame that was filmed.
static int edit(struct frame *f, const struct clip_script *s, struct fail *why)
{
    for (int i = 0; i < s->cuts; i++)
        if (f->t_s >= s->cut[i].at_s && f->t_s < s->cut[i].back_s)
            paint_face(f, f->number);
    return s->score_s > 0 && f->t_s >= s->score_s ? paint_score(f, why) : 0;
}

// As a hand holds a camera: it sways by some pixels in seconds, follows by one or two, trembles by half of one, and
// turns by a quarter of a degree (pixels of a picture 720 wide; cycles a second; no two of them in step).
static int shake(struct frame *f, uint64_t seed, struct fail *why)
{
    static const struct {
        double px, cycles_s;
    } swings[] = { { 6, 0.23 }, { 1.5, 1.3 }, { 0.5, 8.3 } };
    struct chance c = { .state = seed };
    const double px = f->width / 720.0, w = 2 * PI * f->t_s, mu = f->width / 2.0, mv = f->height / 2.0;
    double u = 0, v = 0, turn_rad = 0.005 * sin(0.31 * w + chance_between(&c, 0, 2 * PI));
    for (size_t i = 0; i < countof(swings); i++) {
        u += swings[i].px * px * sin(swings[i].cycles_s * w + chance_between(&c, 0, 2 * PI));
        v += swings[i].px * px * sin(1.17 * swings[i].cycles_s * w + chance_between(&c, 0, 2 * PI));
    }
    double cosine = cos(turn_rad), sine = sin(turn_rad);
    const double from[6] = { mu - cosine * mu + sine * mv + u, cosine, -sine,
                             mv - sine * mu - cosine * mv + v, sine,   cosine };
    return frame_warp(f, from, why);
}

static int add_frame(struct film *f, struct play *p, const struct clip_script *s, struct movie *movie, long number,
                     struct fail *why)
{
    struct stage_moment m, before;
    size_t values = 3 * (size_t)f->base.width * (size_t)f->base.height;
    double t_s = (double)number / f->frames_per_s;
    shoot(f, p, s, t_s, &m, (uint64_t)number);
    json_array_append_new(f->frames, frame_truth(f, p, s, &m));
    if (anything_moves(p, s, &m)) {
        float *sum = calloc(values, sizeof *sum);
        if (!sum)
            abort();
        average(sum, &f->shown, EXPOSURE_STEPS);
        for (int k = 1; k < EXPOSURE_STEPS; k++) {
            shoot(f, p, s, t_s + k * EXPOSURE_S / EXPOSURE_STEPS, &before, (uint64_t)(number * 10 + k));
            average(sum, &f->shown, EXPOSURE_STEPS);
        }
        memcpy(f->shown.light, sum, values * sizeof *sum);
        free(sum);
    }
    if (s->match)
        render_expose_quick(f->rgb, &f->shown, &f->now.sensor, f->quick, (uint64_t)number);
    else
        render_expose(f->rgb, &f->shown, &f->now.sensor, (uint64_t)number);
    for (size_t i = 0; i < values; i += 3)
        for (int c = 0; c < 3; c++)
            f->frame->bgr[i + (size_t)c] = f->rgb[i + 2 - (size_t)c];
    f->frame->t_s = t_s;
    f->frame->number = number;
    int rc = edit(f->frame, s, why);
    if (rc == 0 && s->match && s->match->in_a_hand)
        rc = shake(f->frame, s->stage.seed, why);
    return rc == 0 ? movie_add(movie, f->frame, why) : rc;
}

static json_t *knocks_truth(const struct clip_script *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->knocks; i++)
        json_array_append_new(list,
                              json_pack("{sf sf sf sf}", "t_s", s->knock[i].at_s, "right_in", s->knock[i].right_in,
                                        "turn_deg", s->knock[i].turn_deg, "zoom", s->knock[i].zoom));
    return list;
}

static json_t *cuts_truth(const struct clip_script *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->cuts; i++)
        json_array_append_new(list, json_pack("{sf sf}", "t_s", s->cut[i].at_s, "back_s", s->cut[i].back_s));
    return list;
}

// Those that somebody who saw the footage knows of: none in which it was cut. *cut: of those, the ones that it shows the
// beginning of. New references.
static json_t *shots_shown(json_t **cut, const struct play *p, const struct clip_script *s)
{
    json_t *shots = play_shots_truth(p);
    *cut = json_array();
    for (size_t i = json_array_size(shots); i-- > 0;) {
        json_t *shot = json_array_get(shots, i);
        double start_s = json_number_value(json_object_get(shot, "start_s"));
        double rest_s = json_number_value(json_object_get(shot, "rest_s"));
        for (int k = 0; k < s->cuts; k++)
            if (start_s < s->cut[k].back_s && rest_s > s->cut[k].at_s) {
                if (start_s < s->cut[k].at_s)
                    json_array_append(*cut, shot);
                json_array_remove(shots, i);
                break;
            }
    }
    return shots;
}

static int write_truth(const struct film *f, const struct play *p, const struct clip_script *s, const char *folder,
                       struct fail *why)
{
    char path[512], clip[80];
    snprintf(path, sizeof path, "%s/%s.json", folder, s->name);
    snprintf(clip, sizeof clip, "%s.mp4", s->name);
    struct scene first = f->empty;
    first.camera = f->first;
    json_t *cut, *shown = shots_shown(&cut, p, s);
    json_t *truth = json_pack("{ss ss sI sf so so s[ss] so sO}", "clip", clip, "kind", truth_kind(&f->empty), "seed",
                              (json_int_t)s->stage.seed, "fps", f->frames_per_s, "camera", truth_camera(&first),
                              "board", truth_board(&f->empty), "players", s->stage.sides[0], s->stage.sides[1], "shots",
                              shown, "frames", f->frames);
    if (s->knocks > 0)
        json_object_set_new(truth, "knocks", knocks_truth(s));
    if (s->cuts > 0)
        json_object_set_new(truth, "cuts", cuts_truth(s));
    if (json_array_size(cut) > 0)
        json_object_set(truth, "shots_cut", cut);
    json_decref(cut);
    int rc = json_dump_file(truth, path, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0
                 ? 0
                 : rs_fail(why, RS_EIO, "%s: cannot write it", path);
    json_decref(truth);
    return rc;
}

static int roll(struct film *f, struct play *p, const struct clip_script *s, const char *folder, struct fail *why)
{
    char path[512];
    struct movie *movie;
    struct stage_moment end;
    snprintf(path, sizeof path, "%s/%s.mp4", folder, s->name);
    int rc = movie_create(&movie, path, f->base.width, f->base.height, f->frames_per_s, why);
    if (rc < 0)
        return rc;
    for (long n = 0; n < MOST_FRAMES && rc == 0 && play_run(p, (double)n / f->frames_per_s, &end); n++) {
        knock_camera(f, s, (double)n / f->frames_per_s);
        rc = add_frame(f, p, s, movie, n, why);
    }
    if (rc < 0) {
        movie_drop(movie);
        return rc;
    }
    rc = movie_finish(movie, why);
    return rc < 0 ? rc : write_truth(f, p, s, folder, why);
}

int film_write(const struct clip_script *s, const char *folder, struct fail *why)
{
    if (tiles_along(s->stage.width) * tiles_along(s->stage.height) > TILES_MOST)
        return rs_fail(why, RS_EINPUT, "%s: films of %d x %d pixels are not made", s->name, s->stage.width,
                       s->stage.height);
    struct film *f = calloc(1, sizeof *f);
    struct chance c = { s->stage.seed };
    if (!f)
        abort();
    recipe_stage(&f->empty, &s->stage, &c);
    f->empty.sensor.samples = 2;
    if (f->empty.ground == GROUND_BOARD)
        scene_add_pegs(&f->empty);
    scene_index(&f->empty);
    f->first = f->empty.camera;
    f->base = image_create(s->stage.width, s->stage.height);
    f->shown = image_create(s->stage.width, s->stage.height);
    f->lying = image_create(s->stage.width, s->stage.height);
    f->quick = s->match ? render_quick_create() : NULL;
    f->frames_per_s = s->match ? s->match->frames_per_s : USUAL_FRAMES_PER_S;
    f->rgb = malloc(3 * (size_t)s->stage.width * (size_t)s->stage.height);
    f->frames = json_array();
    struct play *p = play_create(s, &f->empty);
    int rc = f->rgb ? frame_create(&f->frame, s->stage.width, s->stage.height, why) : rs_fail(why, RS_EIO, "no memory");
    if (rc == 0) {
        render_base(f, s);
        copy_light(&f->lying, &f->base);
        rc = roll(f, p, s, folder, why);
    }
    play_free(p);
    json_decref(f->frames);
    frame_free(f->frame);
    free(f->rgb);
    free(f->quick);
    image_free(&f->base);
    image_free(&f->shown);
    image_free(&f->lying);
    json_decref(f->pieces);
    free(f);
    return rc;
}
