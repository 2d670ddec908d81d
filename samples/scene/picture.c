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
    int rc = json_dump_file(truth, path, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) == 0
                 ? 0
                 : rs_fail(why, RS_EIO, "%s: cannot write it", path);
    json_decref(truth);
    return rc;
}

int picture_write(const struct recipe *r, const char *folder, struct fail *why)
{
    char path[PATH_MAX_BYTES];
    struct scene *s = malloc(sizeof *s);
    uint8_t *rgb = malloc((size_t)r->width * (size_t)r->height * 3);
    if (!s || !rgb)
        abort();
    recipe_scene(s, r);
    struct image m = image_create(r->width, r->height);
    render_box(&m, s, (struct box){ 0, 0, r->width, r->height }, 1, r->seed);
    render_expose(rgb, &m, &s->sensor, r->seed);
    snprintf(path, sizeof path, "%s/%s.jpg", folder, r->name);
    int rc = render_jpeg(path, rgb, r->width, r->height, s->sensor.quality, why);
    snprintf(path, sizeof path, "%s/%s.json", folder, r->name);
    if (rc == 0)
        rc = write_truth(path, s, r, why);
    image_free(&m);
    free(rgb);
    free(s);
    return rc;
}
