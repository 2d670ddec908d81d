// SPDX-License-Identifier: MIT
#include "vision/track/survey.h"

#include <stdlib.h>
#include <string.h>

static const double SHADOW_HEIGHTS = 1; // a lamp at 45 degrees throws a piece's shadow as far as it is high

int survey_look(struct background **s, const struct frame *f, const struct board_pose *pose, struct fail *why)
{
    int rc = 0;
    if (pose->board.piece == PIECE_MARBLE)
        return 0;
    if (*s && !background_fits(*s, pose)) {
        background_free(*s);
        *s = NULL;
    }
    if (!*s)
        rc = background_create(s, pose, why);
    return rc == 0 ? background_look(*s, f, pose, why) : rc;
}

static double height_of(const struct detection *p, const struct board *b)
{
    return p->kind == PIECE_MARBLE ? 2 * p->radius_in : b->piece_height_in;
}

// From its foot to where its top hides the board.
static void cover_piece(struct background *s, const struct detection *p, const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    double h = height_of(p, &pose->board);
    if (eye.z > h)
        background_cover(s, p->at, background_sight(&eye, p->at, h), p->radius_in + SHADOW_HEIGHTS * h);
}

// What changed and the pixels beside it: a reduced pixel at its edge shows a part of it only.
static void cover_changes(struct background *s, const struct gate *g, uint8_t *mask)
{
    memset(mask, 0, (size_t)g->width * (size_t)g->height);
    for (int y = 1; y + 1 < g->height; y++)
        for (int x = 1; x + 1 < g->width; x++)
            if (g->mask[(size_t)y * (size_t)g->width + (size_t)x] & CHANGED)
                for (int j = y - 1; j <= y + 1; j++)
                    memset(mask + (size_t)j * (size_t)g->width + (size_t)(x - 1), 1, 3);
    background_cover_mask(s, mask, g->width, g->height, g->step);
}

int survey_learn(struct background *s, const struct gate *g, const struct kept *kept, int n,
                 const struct detection_list *seen, const struct board_pose *pose, struct fail *why)
{
    if (!s)
        return 0;
    uint8_t *mask = g->changed > 0 ? malloc((size_t)g->width * (size_t)g->height) : NULL;
    if (g->changed > 0 && !mask)
        return rs_fail(why, RS_EIO, "no memory to tell what changed on the board");
    if (mask)
        cover_changes(s, g, mask);
    free(mask);
    for (int i = 0; i < n; i++)
        cover_piece(s, &kept[i].piece, pose);
    for (int i = 0; seen && i < seen->count; i++)
        cover_piece(s, &seen->piece[i], pose);
    background_learn(s);
    return 0;
}
