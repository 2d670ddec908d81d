// SPDX-License-Identifier: MIT
#include "tests/accuracy/mjpeg_game.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <unistd.h>

#include "samples/scene/picture.h"
#include "samples/scene/render.h"
#include "vision/frame_file.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/source/source.h"

enum {
    RENDERED_WIDTH = 1920,
    RENDERED_HEIGHT = 1080,
    DISCS_A_SIDE = 12,
    RAYS_SIDE = 2,     // a pixel and side: as the samples' light, in half the time
    REST_PICTURES = 8, // that differ in their noise
    NOISE_STEPS = 1 << 16,
    QUALITY = 85, // a webcam's 1080p is then some 300 kB
};
static const double REST_S = 2.0, RUN_S = 0.8;
static const double NOISE_SIGMA = 1.5; // 8-bit steps, of a webcam in a lit room
static const double STEP_IN = 0.5;     // between the places to which the disc may be shot

static const struct recipe recipe = { .name = "bench",
                                      .seed = 301,
                                      .game = PLAY_CROKINOLE,
                                      .width = RENDERED_WIDTH,
                                      .height = RENDERED_HEIGHT,
                                      .tilt_deg = 14,
                                      .azimuth_deg = 30,
                                      .fill = 0.97,
                                      .f_widths = 0.80,
                                      .k1 = -0.04,
                                      .surface = "bamboo",
                                      .ditch = "charcoal",
                                      .rail_stuff = "cherry",
                                      .table = "slate",
                                      .line = "ink",
                                      .rail = RAIL_ROUND,
                                      .light = "overcast",
                                      .sides = { "red", "black" },
                                      .layout = LAYOUT_SPREAD,
                                      .pieces = DISCS_A_SIDE };

// How near a disc on its straight way gets to anything that stands; `run` itself is passed over.
static double clearance_in(const struct scene *s, int run, struct pt_in to)
{
    const struct vec *from = &s->solid[run].at;
    double x = to.x - from->x, y = to.y - from->y, length2 = x * x + y * y, least = INFINITY;
    for (int i = 0; i < s->solids; i++) {
        const struct solid *o = &s->solid[i];
        double u = o->at.x - from->x, v = o->at.y - from->y;
        double share = fmin(fmax((u * x + v * y) / length2, 0), 1);
        if (i != run)
            least = fmin(least, hypot(u - share * x, v - share * y) - o->radius_in - s->solid[run].radius_in);
    }
    return least;
}

// The disc with the longest free way on the board, and where it goes.
static int choose_run(struct pt_in *to, const struct scene *s)
{
    int best = 0;
    double longest = 0, within_in = s->board->circle_in[0] - s->board->piece_radius_in;
    for (int i = 0; i < s->pieces; i++)
        for (double x = -within_in; x <= within_in; x += STEP_IN)
            for (double y = -within_in; y <= within_in; y += STEP_IN) {
                struct pt_in at = { x, y };
                double way = hypot(x - s->solid[i].at.x, y - s->solid[i].at.y);
                bool lies = s->solid[i].at.z == 0 && hypot(x, y) < within_in &&
                            hypot(s->solid[i].at.x, s->solid[i].at.y) < within_in;
                if (!lies || way <= longest || hypot(x, y) < 2 * s->board->hole_radius_in ||
                    clearance_in(s, i, at) < s->board->piece_radius_in / 4)
                    continue;
                longest = way;
                best = i;
                *to = at;
            }
    return best;
}

static int take_picture(struct frame **out, const char *path, struct fail *why)
{
    struct source *s;
    int rc = photo_open(&s, path, why);
    if (rc < 0)
        return rc;
    rc = source_next(out, s, why);
    source_close(s);
    return rc < 0 ? rc : 0;
}

// A frame of what the image's light becomes in a sensor without noise.
static int expose(struct frame **out, const struct image *light, const struct scene *s, struct fail *why)
{
    size_t n = (size_t)light->width * (size_t)light->height;
    struct image copy = image_create(light->width, light->height);
    uint8_t *rgb = malloc(3 * n);
    int rc = rgb ? frame_create(out, light->width, light->height, why) : rs_fail(why, RS_ENOMEM, "no memory");
    if (rc == 0) {
        memcpy(copy.light, light->light, 3 * n * sizeof *copy.light);
        render_expose(rgb, &copy, &s->sensor, 0);
        for (size_t i = 0; i < 3 * n; i += 3)
            for (size_t c = 0; c < 3; c++)
                (*out)->bgr[i + c] = rgb[i + 2 - c];
    }
    image_free(&copy);
    free(rgb);
    return rc;
}

static int render(const struct scene *s, int run, struct pt_px at, double reach_px, char path[2][1024],
                  struct fail *why)
{
    struct image light = image_create(RENDERED_WIDTH, RENDERED_HEIGHT);
    struct scene bare = *s;
    struct frame *f = NULL;
    int reach = 2 * (int)reach_px, left = (int)at.u - reach, top = (int)at.v - reach; // with its shadow
    struct box box = { left < 0 ? 0 : left, top < 0 ? 0 : top, left + 2 * reach, top + 2 * reach };
    box.right = box.right > RENDERED_WIDTH ? RENDERED_WIDTH : box.right;
    box.bottom = box.bottom > RENDERED_HEIGHT ? RENDERED_HEIGHT : box.bottom;
    fprintf(stderr, "bench: rendering a board with %d discs, this once\n", s->pieces);
    render_box(&light, s, (struct box){ 0, 0, RENDERED_WIDTH, RENDERED_HEIGHT }, 1, recipe.seed);
    int rc = expose(&f, &light, s, why);
    if (rc == 0)
        rc = frame_write(f, path[0], why);
    frame_free(f);
    bare.solid[run].at.z = -4 * bare.board->ditch_depth_in; // under the board
    scene_index(&bare);
    for (int v = box.top; v < box.bottom; v++)
        memset(light.light + 3 * ((size_t)v * RENDERED_WIDTH + (size_t)box.left), 0,
               3 * sizeof(float) * (size_t)(box.right - box.left));
    render_box(&light, &bare, box, 1, recipe.seed);
    if (rc == 0)
        rc = expose(&f, &light, s, why);
    if (rc == 0) {
        rc = frame_write(f, path[1], why);
        frame_free(f);
    }
    image_free(&light);
    return rc;
}

int game_pictures_make(struct game_pictures *out, const char *folder, struct fail *why)
{
    char path[2][1024];
    struct pt_in to = { 0, 0 };
    struct scene *s = malloc(sizeof *s);
    *out = (struct game_pictures){ .with = NULL };
    if (!s)
        return rs_fail(why, RS_ENOMEM, "no memory for a scene");
    recipe_scene(s, &recipe);
    s->sensor.samples = RAYS_SIDE;
    s->sensor.noise = 0; // each picture gets its own
    int run = choose_run(&to, s);
    struct pt3_in from = { s->solid[run].at.x, s->solid[run].at.y, s->board->piece_height_in / 2 };
    camera_project(&out->from, &s->camera, from);
    camera_project(&out->to, &s->camera, (struct pt3_in){ to.x, to.y, from.z });
    out->reach_px = 1.2 * s->board->piece_radius_in * camera_scale_px_per_in(&s->camera, from);
    snprintf(path[0], sizeof path[0], "%s/with.png", folder);
    snprintf(path[1], sizeof path[1], "%s/without.png", folder);
    int rc = access(path[0], R_OK) == 0 && access(path[1], R_OK) == 0
                 ? 0
                 : render(s, run, out->from, out->reach_px, path, why);
    if (rc == 0)
        rc = take_picture(&out->with, path[0], why);
    if (rc == 0)
        rc = take_picture(&out->without, path[1], why);
    free(s);
    return rc;
}

void game_pictures_finish(struct game_pictures *p)
{
    frame_free(p->with);
    frame_free(p->without);
    *p = (struct game_pictures){ .with = NULL };
}

struct studio {
    struct frame *with, *without, *shown;
    struct pt_px from, to;
    double reach_px;
    int8_t noise[NOISE_STEPS];
    uint32_t seed;
    tjhandle jpeg;
};

static int scaled(struct frame **out, const struct frame *f, int width, int height, struct fail *why)
{
    int rc = frame_create(out, width, height, why);
    return rc < 0 ? rc : cv_resize_area_u8((*out)->bgr, width, height, f->bgr, f->width, f->height, 3, why);
}

// The disc where it is after that share of its way, over the board without it.
static void put_disc(struct studio *s, double share)
{
    size_t row = 3 * (size_t)s->shown->width;
    struct pt_px at = { s->from.u + share * (s->to.u - s->from.u), s->from.v + share * (s->to.v - s->from.v) };
    int du = (int)lround(at.u - s->from.u), dv = (int)lround(at.v - s->from.v), reach = (int)s->reach_px;
    memcpy(s->shown->bgr, s->without->bgr, row * (size_t)s->shown->height);
    for (int y = (int)s->from.v - reach; y <= (int)s->from.v + reach; y++)
        for (int x = (int)s->from.u - reach; x <= (int)s->from.u + reach; x++)
            if (hypot(x - s->from.u, y - s->from.v) <= reach && frame_shows(s->with, x, y) &&
                frame_shows(s->shown, x + du, y + dv))
                memcpy(s->shown->bgr + (size_t)(y + dv) * row + 3 * (size_t)(x + du),
                       s->with->bgr + (size_t)y * row + 3 * (size_t)x, 3);
}

static int take(struct encoded **out, struct studio *s, struct fail *why)
{
    int w = s->shown->width, h = s->shown->height;
    size_t n = 3 * (size_t)w * (size_t)h;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    uint8_t *noisy = malloc(n);
    if (!noisy)
        return rs_fail(why, RS_ENOMEM, "no memory for a picture");
    for (size_t i = 0; i < n; i += 64) {
        s->seed = s->seed * 1664525u + 1013904223u;
        const int8_t *noise = s->noise + (s->seed >> 16) % (NOISE_STEPS - 64);
        for (size_t k = i; k < i + 64 && k < n; k++) {
            int code = s->shown->bgr[k] + noise[k - i];
            noisy[k] = (uint8_t)(code < 0 ? 0 : code > 255 ? 255 : code);
        }
    }
    int rc = tjCompress2(s->jpeg, noisy, w, 3 * w, h, TJPF_BGR, &bytes, &length, TJSAMP_422, QUALITY, 0) == 0
                 ? encoded_create(out, length, why)
                 : rs_fail(why, RS_ELIB, "%s", tjGetErrorStr2(s->jpeg));
    if (rc == 0) {
        (*out)->encoding = ENCODED_JPEG;
        (*out)->width = w;
        (*out)->height = h;
        memcpy((*out)->bytes, bytes, length);
    }
    tjFree(bytes);
    free(noisy);
    return rc;
}

int mjpeg_game_make(struct mjpeg_game *out, const struct game_pictures *from, int width, int height,
                    double frames_per_s, struct fail *why)
{
    struct chance c = { recipe.seed };
    double scale = (double)width / from->with->width;
    struct studio *s = calloc(1, sizeof *s);
    *out = (struct mjpeg_game){ .width = width, .height = height, .frames_per_s = frames_per_s };
    if (!s)
        return rs_fail(why, RS_ENOMEM, "no memory for a stream");
    s->from = (struct pt_px){ scale * from->from.u, scale * from->from.v };
    s->to = (struct pt_px){ scale * from->to.u, scale * from->to.v };
    s->reach_px = scale * from->reach_px;
    s->jpeg = tjInitCompress();
    for (int i = 0; i < NOISE_STEPS; i++)
        s->noise[i] = (int8_t)lround(NOISE_SIGMA * chance_normal(&c));
    int rc = s->jpeg ? scaled(&s->with, from->with, width, height, why) : rs_fail(why, RS_ELIB, "no TurboJPEG");
    if (rc == 0)
        rc = scaled(&s->without, from->without, width, height, why);
    if (rc == 0)
        rc = frame_create(&s->shown, width, height, why);
    for (int phase = 0; phase < GAME_PHASES && rc == 0; phase++) {
        bool runs = phase == GAME_RUNS || phase == GAME_RUNS_BACK;
        int n = runs ? (int)lround(RUN_S * frames_per_s) : REST_PICTURES;
        out->picture[phase] = calloc((size_t)n, sizeof *out->picture[phase]);
        if (!out->picture[phase])
            rc = rs_fail(why, RS_ENOMEM, "no memory for a stream");
        for (int i = 0; i < n && rc == 0; i++) {
            double left = runs ? 1 - (i + 1.0) / (n + 1) : 0, gone = 1 - left * left; // it slows evenly
            put_disc(s, phase == GAME_RESTS ? 0 : phase == GAME_RUNS_BACK ? 1 - gone : gone);
            rc = take(&out->picture[phase][i], s, why);
            out->pictures[phase] += rc == 0;
        }
    }
    if (s->jpeg)
        tjDestroy(s->jpeg);
    frame_free(s->with);
    frame_free(s->without);
    frame_free(s->shown);
    free(s);
    return rc;
}

void mjpeg_game_finish(struct mjpeg_game *g)
{
    for (int phase = 0; phase < GAME_PHASES; phase++) {
        for (int i = 0; i < g->pictures[phase]; i++)
            encoded_release(g->picture[phase][i]);
        free(g->picture[phase]);
    }
    *g = (struct mjpeg_game){ .width = 0 };
}

int mjpeg_game_send(struct encoded **out, enum game_phase *phase, const struct mjpeg_game *g, long number,
                    struct fail *why)
{
    int rests = (int)lround(REST_S * g->frames_per_s), runs = g->pictures[GAME_RUNS];
    int at = (int)(number % (2 * (rests + runs)));
    *phase = at < rests              ? GAME_RESTS
             : at < rests + runs     ? GAME_RUNS
             : at < 2 * rests + runs ? GAME_RESTS_THERE
                                     : GAME_RUNS_BACK;
    const int begins[] = { 0, rests, rests + runs, 2 * rests + runs };
    const struct encoded *e = g->picture[*phase][(at - begins[*phase]) % g->pictures[*phase]];
    int rc = encoded_create(out, e->size, why);
    if (rc < 0)
        return rc;
    (*out)->encoding = e->encoding;
    (*out)->width = e->width;
    (*out)->height = e->height;
    (*out)->t_s = (double)number / g->frames_per_s;
    memcpy((*out)->bytes, e->bytes, e->size);
    return 0;
}
