// SPDX-License-Identifier: MIT
#include "vision/track/blobs.h"

#include <stdlib.h>
#include <string.h>

enum { STRAIGHT = DEPTH_PER_PX, DIAGONAL = 4, FAR = 1 << 20 }; // chamfer distance (Borgefors 1986)

int blobs_create(struct blobs *b, const struct gate *g, struct fail *why)
{
    size_t n = (size_t)g->width * (size_t)g->height;
    b->count = 0;
    b->label = calloc(n, sizeof *b->label);
    b->stack = calloc(n, sizeof *b->stack);
    b->depth = calloc(n, sizeof *b->depth);
    if (b->label && b->stack && b->depth)
        return 0;
    blobs_finish(b);
    return rs_fail(why, RS_EIO, "no memory for patches in a picture of %d x %d pixels", g->width, g->height);
}

void blobs_finish(struct blobs *b)
{
    free(b->label);
    free(b->stack);
    free(b->depth);
    b->label = b->stack = b->depth = NULL;
}

static bool looked_at(const struct gate *g, int x, int y)
{
    return y >= 0 && y < g->height && x >= g->from[y] && x < g->to[y];
}

static void take_in(struct blob *o, const struct gate *g, int x, int y)
{
    int at = y * g->width + x;
    o->area++;
    o->moved += (g->mask[at] & MOVED) != 0;
    o->left = x < o->left ? x : o->left;
    o->right = x > o->right ? x : o->right;
    o->top = y < o->top ? y : o->top;
    o->bottom = y > o->bottom ? y : o->bottom;
    o->u += x;
    o->v += y;
    for (int k = 0; k < 3; k++) {
        o->bgr[k] += g->now[3 * at + k];
        o->clean[k] += g->clean[3 * at + k];
    }
}

static void flood(struct blob *o, struct blobs *b, const struct gate *g, int x0, int y0)
{
    int n = 0;
    b->stack[n++] = y0 * g->width + x0;
    b->label[y0 * g->width + x0] = o->label;
    while (n > 0) {
        int at = b->stack[--n], x = at % g->width, y = at / g->width;
        take_in(o, g, x, y);
        for (int k = 0; k < 9; k++) {
            int nx = x + k % 3 - 1, ny = y + k / 3 - 1, next = ny * g->width + nx;
            if (!looked_at(g, nx, ny)) {
                o->border = true;
                continue;
            }
            if (!(g->mask[next] & CHANGED) || b->label[next])
                continue;
            b->label[next] = o->label;
            b->stack[n++] = next;
        }
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Thirds of a pixel from the nearest pixel outside, as far as the pass has come. Beyond the edge of the picture a hand
// goes on, so that edge is no outside.
static int depth_from(const struct blobs *b, const struct gate *g, int label, int x, int y, int direction)
{
    static const int weight[4] = { STRAIGHT, DIAGONAL, STRAIGHT, DIAGONAL };
    static const int dx[4] = { -1, -1, 0, 1 }, dy[4] = { 0, -1, -1, -1 };
    int depth = FAR;
    for (int k = 0; k < 4; k++) {
        int nx = x + direction * dx[k], ny = y + direction * dy[k];
        if (!looked_at(g, nx, ny))
            continue;
        int at = ny * g->width + nx;
        depth = least(depth, weight[k] + (b->label[at] == label ? b->depth[at] : 0));
    }
    return depth;
}

static double thickness(const struct blobs *b, const struct gate *g, const struct blob *o)
{
    int deepest = 0;
    for (int y = o->top; y <= o->bottom; y++)
        for (int x = o->left; x <= o->right; x++)
            if (b->label[y * g->width + x] == o->label)
                b->depth[y * g->width + x] = depth_from(b, g, o->label, x, y, 1);
    for (int y = o->bottom; y >= o->top; y--)
        for (int x = o->right; x >= o->left; x--) {
            int at = y * g->width + x;
            if (b->label[at] != o->label)
                continue;
            b->depth[at] = least(b->depth[at], depth_from(b, g, o->label, x, y, -1));
            deepest = b->depth[at] > deepest && b->depth[at] < FAR ? b->depth[at] : deepest;
        }
    return (double)deepest / DEPTH_PER_PX - 0.5;
}

static void average(struct blob *o, const struct gate *g)
{
    o->u = (o->u / o->area + 0.5) * g->step - 0.5;
    o->v = (o->v / o->area + 0.5) * g->step - 0.5;
    for (int k = 0; k < 3; k++) {
        o->bgr[k] /= o->area;
        o->clean[k] /= o->area;
    }
}

static void keep_largest(struct blobs *b, const struct blob *o)
{
    int at = b->count;
    if (at == BLOBS_MAX) {
        at = 0;
        for (int i = 1; i < BLOBS_MAX; i++)
            at = b->item[i].area < b->item[at].area ? i : at;
        if (b->item[at].area >= o->area)
            return;
    } else {
        b->count++;
    }
    b->item[at] = *o;
}

void blobs_find(struct blobs *b, const struct gate *g, int area_min)
{
    b->count = 0;
    memset(b->label, 0, (size_t)g->width * (size_t)g->height * sizeof *b->label);
    if (g->changed < area_min)
        return;
    int label = 0;
    for (int y = 0; y < g->height; y++)
        for (int x = g->from[y]; x < g->to[y]; x++) {
            int at = y * g->width + x;
            if (!(g->mask[at] & CHANGED) || b->label[at])
                continue;
            label++;
            struct blob o = { .label = label, .left = x, .right = x, .top = y, .bottom = y };
            flood(&o, b, g, x, y);
            if (o.area < area_min)
                continue;
            keep_largest(b, &o);
        }
    for (int i = 0; i < b->count; i++) {
        b->item[i].thick = thickness(b, g, &b->item[i]);
        average(&b->item[i], g);
    }
}
