// SPDX-License-Identifier: MIT
#include "samples/scene/picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "samples/scene/render.h"
#include "samples/scene/truth.h"

enum { PATH_MAX_BYTES = 512 };

static int write_truth(const char *path, const struct scene *s, const struct recipe *r, struct fail *why)
{
    char image[64];
    snprintf(image, sizeof image, "%s.jpg", r->name);
    json_t *truth =
        json_pack("{ss ss sI ss ss so so so}", "image", image, "kind", truth_kind(s), "seed", (json_int_t)r->seed,
                  "surface", r->surface ? r->surface : r->table, "light", r->light, "camera", truth_camera(s), "board",
                  s->board ? truth_board(s) : json_null(), "pieces", s->board ? truth_pieces(s) : json_array());
    if (s->polish > 0)
        json_object_set_new(truth, "polish", json_real(s->polish));
    int rc = json_dump_file(truth, path, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) == 0
                 ? 0
                 : rs_fail(why, RS_EIO, "%s: cannot write it", path);
    json_decref(truth);
    return rc;
}

int picture_render(const char *path, const struct scene *s, uint64_t seed, struct fail *why)
{
    int width = s->camera.lens.width, height = s->camera.lens.height;
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    if (!rgb)
        abort();
    struct image m = image_create(width, height);
    render_box(&m, s, (struct box){ 0, 0, width, height }, 1, seed);
    render_expose(rgb, &m, &s->sensor, seed);
    int rc = render_jpeg(path, rgb, width, height, s->sensor.quality, why);
    image_free(&m);
    free(rgb);
    return rc;
}

int picture_write(const struct recipe *r, const char *folder, struct fail *why)
{
    char path[PATH_MAX_BYTES];
    struct scene *s = malloc(sizeof *s);
    if (!s)
        abort();
    recipe_scene(s, r);
    snprintf(path, sizeof path, "%s/%s.jpg", folder, r->name);
    int rc = picture_render(path, s, r->seed, why);
    snprintf(path, sizeof path, "%s/%s.json", folder, r->name);
    if (rc == 0)
        rc = write_truth(path, s, r, why);
    free(s);
    return rc;
}
