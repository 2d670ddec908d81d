// SPDX-License-Identifier: MIT
// hard_pictures: the pictures of the robustness curves with their truth.
//
//   hard_pictures FOLDER
//
// Each scene is rendered once; blur, exposure, noise and JPEG are what the sensor does to its light, smaller pictures
// are means of its light, and what is hidden is a cloth laid over it. Only for another tilt it is rendered anew.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "samples/scene/noise.h"
#include "samples/scene/recipes.h"
#include "samples/scene/render.h"
#include "samples/scene/truth.h"
#include "tests/accuracy/hardship.h"
#include "vision/reduced.h"

enum { RAYS_A_SIDE = 2, PLACES = 64, PATH_MAX_BYTES = 512 };
static const double CLOTH_LIGHT = 0.12, CLOTH_WEAVE_PX = 6;

// What is hidden: all to the left of a column.
struct cover {
    double edge_px; // -INFINITY: nothing
};

static const struct recipe *recipe_named(const char *name)
{
    for (int i = 0; i < recipes_count; i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    fprintf(stderr, "hard_pictures: no recipe %s\n", name);
    exit(2);
}

static struct image light_of(struct scene *s, const struct recipe *r)
{
    recipe_scene(s, r);
    s->sensor.samples = RAYS_A_SIDE;
    struct image m = image_create(s->camera.lens.width, s->camera.lens.height);
    render_box(&m, s, (struct box){ 0, 0, m.width, m.height }, 1, r->seed);
    return m;
}

static struct image copy_of(const struct image *m)
{
    struct image out = image_create(m->width, m->height);
    memcpy(out.light, m->light, sizeof *m->light * 3 * (size_t)m->width * (size_t)m->height);
    return out;
}

// The mean of the light that falls on each larger pixel.
static struct image smaller(const struct image *m, double reduction)
{
    struct image out = image_create((int)(m->width / reduction), (int)(m->height / reduction));
    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            double sum[3] = { 0 }, whole = 0;
            for (int v = (int)(y * reduction); v < (y + 1) * reduction && v < m->height; v++)
                for (int u = (int)(x * reduction); u < (x + 1) * reduction && u < m->width; u++) {
                    double wide = fmin(u + 1, (x + 1) * reduction) - fmax(u, x * reduction);
                    double high = fmin(v + 1, (y + 1) * reduction) - fmax(v, y * reduction);
                    whole += wide * high;
                    for (int c = 0; c < 3; c++)
                        sum[c] += wide * high * m->light[3 * ((size_t)v * (size_t)m->width + (size_t)u) + (size_t)c];
                }
            for (int c = 0; c < 3; c++)
                out.light[3 * ((size_t)y * (size_t)out.width + (size_t)x) + (size_t)c] = (float)(sum[c] / whole);
        }
    return out;
}

// The column left of which that share of the board lies.
static struct cover cover_of(const struct scene *s, double share)
{
    static double column[PLACES * PLACES];
    int n = 0;
    double r = s->board->circle_in[0] + (s->board->surface_radius_in > 0 ? 0 : s->line_width_in);
    for (int i = 0; i < PLACES * PLACES; i++) {
        struct pt3_in at = { r * (2.0 * (i % PLACES) / (PLACES - 1) - 1), r * (2.0 * (i / PLACES) / (PLACES - 1) - 1),
                             0 };
        struct pt_px px;
        if (hypot(at.x, at.y) <= r && camera_project(&px, &s->camera, at))
            column[n++] = px.u;
    }
    return (struct cover){ share > 0 ? select_kth(column, n, (int)(share * (n - 1))) : -INFINITY };
}

static void lay_cloth(struct image *m, const struct cover *c)
{
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width && x < c->edge_px; x++) {
            float *p = m->light + 3 * ((size_t)y * (size_t)m->width + (size_t)x);
            double weave = 0.7 + 0.6 * noise_smooth(x / CLOTH_WEAVE_PX, y / CLOTH_WEAVE_PX, 7);
            for (int k = 0; k < 3; k++)
                p[k] = (float)(CLOTH_LIGHT * weave * (1 + 0.3 * k));
        }
}

// What the cloth leaves of each piece.
static void hide_pieces(json_t *pieces, const struct scene *s, const struct cover *c)
{
    size_t i;
    json_t *p;
    json_array_foreach(pieces, i, p)
    {
        const struct solid *o = &s->solid[i];
        struct pt3_in middle = { o->at.x, o->at.y, o->at.z + o->height_in / 2 };
        struct pt_px px;
        double r = o->radius_in * camera_scale_px_per_in(&s->camera, middle);
        if (!camera_project(&px, &s->camera, middle) || !(r > 0))
            continue;
        double left = fmin(fmax(0.5 + (px.u - c->edge_px) / (2 * r), 0), 1);
        json_object_set_new(p, "visible", json_real(left * json_real_value(json_object_get(p, "visible"))));
    }
}

static int write_picture(const char *folder, const char *name, struct image *m, const struct scene *s,
                         const struct cover *cover, uint64_t seed, struct fail *why)
{
    char path[PATH_MAX_BYTES], image[HARDSHIP_NAME_MAX + 4];
    uint8_t *rgb = malloc((size_t)m->width * (size_t)m->height * 3);
    if (!rgb)
        abort();
    render_expose(rgb, m, &s->sensor, seed);
    snprintf(image, sizeof image, "%s.jpg", name);
    snprintf(path, sizeof path, "%s/%s", folder, image);
    int rc = render_jpeg(path, rgb, m->width, m->height, s->sensor.quality, why);
    free(rgb);
    if (rc < 0)
        return rc;
    json_t *pieces = truth_pieces(s);
    hide_pieces(pieces, s, cover);
    json_t *truth = json_pack("{ss ss so so so}", "image", image, "kind", truth_kind(s), "camera", truth_camera(s),
                              "board", truth_board(s), "pieces", pieces);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (json_dump_file(truth, path, JSON_COMPACT | JSON_REAL_PRECISION(10)) != 0)
        rc = rs_fail(why, RS_EIO, "%s: cannot write it", path);
    json_decref(truth);
    return rc;
}

// The scene, its light and its cover, made as hard as that.
static void harden(struct scene *s, struct image *m, struct cover *cover, enum hardship_kind kind, double step)
{
    struct image large = *m;
    switch (kind) {
    case HARD_BLUR:
        s->sensor.blur_px = step;
        break;
    case HARD_NOISE:
        s->sensor.noise = step / 255;
        break;
    case HARD_JPEG:
        s->sensor.quality = (int)step;
        break;
    case HARD_EXPOSURE:
        s->sensor.exposure *= exp2(step);
        break;
    case HARD_SIZE:
        *m = smaller(&large, 100 / step);
        image_free(&large);
        s->camera.lens = lens_reduced(&s->camera.lens, 100 / step);
        break;
    case HARD_HIDDEN:
        *cover = cover_of(s, step / 100);
        lay_cloth(m, cover);
        break;
    case HARD_TILT:
    case HARDSHIPS:
        break;
    }
}

static int make_step(const char *folder, enum hardship_kind kind, int step, int picture, const struct scene *easy,
                     const struct image *light, struct fail *why)
{
    char name[HARDSHIP_NAME_MAX];
    struct scene *s = malloc(sizeof *s);
    struct cover cover = { -INFINITY };
    struct image m;
    struct recipe r = *recipe_named(hardship_pictures[picture]);
    if (!s)
        abort();
    if (kind == HARD_TILT) {
        r.tilt_deg = hardships[kind].step[step];
        m = light_of(s, &r);
    } else {
        *s = *easy;
        m = copy_of(light);
    }
    harden(s, &m, &cover, kind, hardships[kind].step[step]);
    hardship_name(name, kind, step, picture);
    int rc = write_picture(folder, name, &m, s, &cover, r.seed, why);
    image_free(&m);
    free(s);
    return rc;
}

static int make_picture(const char *folder, int picture, struct fail *why)
{
    struct scene *s = malloc(sizeof *s);
    int rc = 0;
    if (!s)
        abort();
    struct image light = light_of(s, recipe_named(hardship_pictures[picture]));
    for (enum hardship_kind kind = 0; kind < HARDSHIPS; kind++)
        for (int i = 0; i < hardships[kind].steps && rc == 0; i++)
            rc = make_step(folder, kind, i, picture, s, &light, why);
    image_free(&light);
    free(s);
    return rc;
}

int main(int argc, char **argv)
{
    struct fail why;
    if (argc != 2) {
        fprintf(stderr, "usage: hard_pictures FOLDER\n");
        return 2;
    }
    for (int i = 0; i < HARDSHIP_PICTURES; i++)
        if (make_picture(argv[1], i, &why) < 0) {
            fprintf(stderr, "hard_pictures: %s\n", why.text);
            return 1;
        }
    return 0;
}
