// SPDX-License-Identifier: MIT
#include "vision/reduced.h"

#include <math.h>
#include <string.h>

#include "vision/opencv_c/opencv_c.h"

int frame_reduced(struct frame **out, const struct frame *f, double reduction, struct fail *why)
{
    struct frame *small;
    int rc = frame_create(&small, (int)lround(f->width / reduction), (int)lround(f->height / reduction), why);
    if (rc < 0)
        return rc;
    rc = cv_resize_area_u8(small->bgr, small->width, small->height, f->bgr, f->width, f->height, 3, why);
    if (rc < 0) {
        frame_free(small);
        return rc;
    }
    small->t_s = f->t_s;
    small->number = f->number;
    *out = small;
    return 0;
}

int frame_part(struct frame **out, const struct frame *f, int left, int top, int width, int height, struct fail *why)
{
    struct frame *part;
    int rc = frame_create(&part, width, height, why);
    if (rc < 0)
        return rc;
    for (int y = 0; y < height; y++)
        memcpy(part->bgr + 3 * (size_t)y * (size_t)width,
               f->bgr + 3 * ((size_t)(top + y) * (size_t)f->width + (size_t)left), 3 * (size_t)width);
    part->t_s = f->t_s;
    part->number = f->number;
    *out = part;
    return 0;
}

struct lens lens_reduced(const struct lens *l, double reduction)
{
    struct lens small = *l;
    small.width = (int)lround(l->width / reduction);
    small.height = (int)lround(l->height / reduction);
    small.f_px /= reduction;
    small.f_sigma_px /= reduction;
    // The centre of a reduced pixel is the middle of those it covers, not the first of them.
    small.centre = (struct pt_px){ (l->centre.u + 0.5) / reduction - 0.5, (l->centre.v + 0.5) / reduction - 0.5 };
    return small;
}
