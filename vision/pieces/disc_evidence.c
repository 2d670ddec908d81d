// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/bilinear.h"
#include "vision/colour.h"
#include "vision/min_max.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/peaks.h"
#include "vision/pieces/disc_contrast.h"
#include "vision/pieces/disc_cover.h"
#include "vision/pieces/disc_local.h"
#include "vision/pieces/disc_spots.h"
#include "vision/pieces/px_box.h"
#include "vision/pieces/solid_map.h"
#include "vision/reduced.h"

enum { MEDIAN_PX = 21 };

struct disc_evidence {
    const struct evidence_tuning *t;
    struct camera camera; // of the reduced picture
    struct board board;
    bool flat; // seen too flat for votes
    int width, height;
    float last_u, last_v; // beyond them no pixel is beside the one that is read
    float *lab;           // divided by its noise, LAB numbers a pixel
    struct disc_ground ground;
    struct pt3_in eye;
    struct disc_spots coarse, full;
    struct solid_map solids;
    int votes;
    const struct peak *vote; // places that edges voted for
};

static inline struct noise_lab sample(const struct disc_evidence *e, double at_u, double at_v)
{
    float u = clamp_f32((float)at_u, 0, e->last_u), v = clamp_f32((float)at_v, 0, e->last_v);
    struct noise_lab seen;
    for (int c = 0; c < LAB; c++)
        seen.c[c] = bilinear_f32(e->lab + c, LAB, e->width, u, v);
    return seen;
}

// How a solid that is seen at a pixel stands to the place that is looked at; one in its room is what is looked at itself.
enum other { NO_OTHER, BEHIND_IT, BEFORE_IT };

static enum other other_seen(const struct disc_evidence *e, const struct disc_local *l, double at_u, double at_v)
{
    if (e->solids.count == 0)
        return NO_OTHER;
    size_t u = (size_t)clamp_f32((float)at_u + 0.5f, 0, (float)e->width - 1);
    size_t v = (size_t)clamp_f32((float)at_v + 0.5f, 0, (float)e->height - 1);
    int number = e->solids.number[v * (size_t)e->width + u];
    if (number == 0)
        return NO_OTHER;
    const struct solid *s = &e->solids.solid[number - 1];
    double x = s->at.x - l->at.x, y = s->at.y - l->at.y;
    if (sqrt(x * x + y * y) < s->shape.radius_in + e->board.piece_radius_in - e->t->solid_overlap_in)
        return NO_OTHER;
    return x * l->near.x + y * l->near.y > 0 ? BEFORE_IT : BEHIND_IT;
}

static int take_spots(struct noise_lab *out, const struct disc_evidence *e, const struct disc_local *near,
                      const struct disc_spot *spot, int spots)
{
    int n = 0;
    for (int i = 0; i < spots; i++) {
        struct pt_px p = disc_local_pixel(near, spot[i]);
        if (other_seen(e, near, p.u, p.v) != BEFORE_IT)
            out[n++] = sample(e, p.u, p.v);
    }
    return n;
}

// Shares of what a piece would show, and of the ground around it.
struct left_out {
    double over_hole, hidden;
};

static bool take_view(struct disc_view *out, struct left_out *share, const struct disc_evidence *e, struct pt_in at,
                      const struct disc_spots *spots)
{
    struct disc_local near;
    if (!disc_local_look(&near, &e->camera, e->eye, &e->board, at))
        return false;
    out->tops = take_spots(out->top, e, &near, spots->top, spots->tops);
    out->sides = take_spots(out->side, e, &near, spots->side, spots->sides);
    out->angles = spots->angles;
    out->partly = false;
    int in_hole = 0, hidden = 0, seen = out->tops + out->sides;
    struct pt_px middle = disc_local_pixel(&near, (struct disc_spot){ 0, 0, 0.5 });
    for (int i = 0; i < spots->angles; i++) {
        struct pt_px edge = disc_local_pixel(&near, spots->outline[i]);
        double du = edge.u - middle.u, dv = edge.v - middle.v, size = sqrt(du * du + dv * dv) + 1e-6;
        for (int k = 0; k < OUTLINE_RINGS; k++) {
            double beyond = spots->scale[k] - 1, out_px = beyond * size;
            if (beyond > 0 && out_px < e->t->ring_least_px * beyond)
                out_px = e->t->ring_least_px * beyond;
            double u = edge.u + du / size * out_px, v = edge.v + dv / size * out_px;
            const struct pt_px p = { u, v };
            const double blur_px = e->t->beside_blur_px;
            bool inside = k < INSIDE_RINGS;
            bool hole = near.hole_radius_in > 0 && disc_local_outside_px(&near, p, near.hole_radius_in) < blur_px;
            bool beyond_surface = !inside && near.surface_radius_in > 0 &&
                                  disc_local_outside_px(&near, p, near.surface_radius_in) > -blur_px;
            enum other other = other_seen(e, &near, u, v);
            out->ring[k][i] = sample(e, u, v);
            out->left_out[k][i] = inside ? other == BEFORE_IT : hole || beyond_surface || other != NO_OTHER;
            out->partly |= out->left_out[k][i];
            in_hole += inside && hole;
            hidden += !inside && other != NO_OTHER;
            seen += inside && !out->left_out[k][i];
        }
    }
    share->over_hole = (double)in_hole / (INSIDE_RINGS * spots->angles);
    share->hidden = (double)hidden / ((OUTLINE_RINGS - INSIDE_RINGS) * spots->angles);
    return seen >= e->t->seen_least * (spots->tops + spots->sides + INSIDE_RINGS * spots->angles);
}

static double sum_at(const struct disc_evidence *e, struct pt_in at, const struct disc_spots *spots)
{
    struct disc_view v;
    struct disc_contrast shown;
    struct left_out share;
    return take_view(&v, &share, e, at, spots) && disc_contrast_of(&shown, &v, spots == &e->full) ? shown.sum
                                                                                                  : -INFINITY;
}

// Pattern search of the place with the largest sum. What the round before has seen is not looked at again.
static void refine(struct peak *p, const struct disc_evidence *e)
{
    static const double step_in[] = { 0.1, 0.05, 0.025 };
    p->score = sum_at(e, p->at, &e->full);
    for (size_t k = 0; k < countof(step_in); k++) {
        int by_x = 0, by_y = 0; // the step of the round before
        for (int round = 0; round < 2; round++) {
            struct peak best = *p;
            int best_x = 0, best_y = 0;
            for (int i = 0; i < 9; i++) {
                int x = i % 3 - 1, y = i / 3 - 1;
                struct pt_in at = { p->at.x + x * step_in[k], p->at.y + y * step_in[k] };
                if (i == 4 || (round > 0 && abs(x + by_x) <= 1 && abs(y + by_y) <= 1))
                    continue;
                double score = sum_at(e, at, &e->full);
                if (score > best.score) {
                    best = (struct peak){ at, score };
                    best_x = x;
                    best_y = y;
                }
            }
            if (best.score <= p->score)
                break;
            *p = best;
            by_x = best_x;
            by_y = best_y;
        }
    }
}

// 1 sigma of what a pixel differs from its surroundings by, on the board: texture counts as noise. Of a large picture one pixel
// in four shows it.
static int take_noise(struct disc_evidence *e, struct fail *why)
{
    enum { LARGE = 200000 };                               // pixels
    static const double within_line = 0.96, step_in = 0.1; // of its radius: the line itself is no texture
    const double reach_in = within_line * e->board.circle_in[0];
    const int every = e->width * e->height > LARGE ? 2 : 1, side = every > 1 ? MEDIAN_PX / 2 + 1 : MEDIAN_PX;
    const int columns = (e->width + every - 1) / every, rows = (e->height + every - 1) / every;
    int from_x = columns, to_x = 0, from_y = rows, to_y = 0; // of what is read, and then with its surroundings
    size_t n = (size_t)columns * (size_t)rows, seen = 0;
    struct place {
        int x, y;
    } *place = malloc(n * sizeof *place);
    uint8_t *code = malloc(2 * n);
    double *off = malloc(n * sizeof *off);
    int rc = code && off && place ? 0 : rs_fail(why, RS_ENOMEM, "no memory to find discs");
    for (double x = -reach_in; x <= reach_in && rc == 0; x += step_in)
        for (double y = -reach_in; y <= reach_in && seen < n; y += step_in) {
            struct pt_px at;
            if (!(x * x + y * y <= reach_in * reach_in) ||
                !camera_project(&at, &e->camera, (struct pt3_in){ x, y, 0 }) || at.u < 0 || at.v < 0 ||
                at.u >= e->width || at.v >= e->height)
                continue;
            struct place p = place[seen++] = (struct place){ (int)(at.u / every), (int)(at.v / every) };
            from_x = p.x < from_x ? p.x : from_x;
            from_y = p.y < from_y ? p.y : from_y;
            to_x = p.x > to_x ? p.x : to_x;
            to_y = p.y > to_y ? p.y : to_y;
        }
    from_x = (int)fmax(from_x - side / 2, 0);
    from_y = (int)fmax(from_y - side / 2, 0);
    to_x = (int)fmin(to_x + side / 2 + 1, columns);
    to_y = (int)fmin(to_y + side / 2 + 1, rows);
    for (size_t c = 0; c < 3 && rc == 0; c++) {
        const size_t right = LAB * (size_t)every, down = right * (size_t)e->width;
        const float *lab = e->lab + c, above = c > 0 ? 100 : 0;
        int i = 0, width = to_x - from_x;
        for (int y = from_y; y < to_y; y++)
            for (int x = from_x; x < to_x; x++)
                code[i++] = (uint8_t)lrintf(clamp_f32(lab[(size_t)y * down + (size_t)x * right] + above, 0, 255));
        if (seen > 0)
            rc = cv_median_u8(code + n, code, width, to_y - from_y, side, why);
        for (size_t k = 0; k < seen && rc == 0; k++) {
            int x = place[k].x, y = place[k].y, around = code[n + (size_t)((y - from_y) * width + x - from_x)];
            off[k] = fabs((double)(lab[(size_t)y * down + (size_t)x * right] + above - (float)around));
        }
        e->ground.noise[c] = fmax(seen > 0 && rc == 0 ? MAD_TO_SIGMA * median_of(off, (int)seen) : 0,
                                  c == 0 ? e->t->noise_floor_l : e->t->noise_floor_ab);
    }
    free(code);
    free(off);
    free(place);
    return rc;
}

// The part of the reduced picture in which the surface and what stands on it are seen.
static struct px_range range_of_board(const struct disc_evidence *e, int width, int height)
{
    enum { DIRECTIONS = 48 };
    const struct board *b = &e->board;
    struct px_box box = px_box_empty();
    double reach_in = fmax(b->circle_in[0], b->surface_radius_in) + 2 * b->piece_radius_in;
    for (int i = 0; i < 2 * DIRECTIONS; i++) {
        double a = 2 * PI * i / DIRECTIONS, z = i < DIRECTIONS ? 0 : b->piece_height_in;
        if (!px_box_take(&box, &e->camera, (struct pt3_in){ reach_in * cos(a), reach_in * sin(a), z }))
            return (struct px_range){ 0, width, 0, height };
    }
    return px_box_range(&box, MEDIAN_PX, width, height);
}

static int take_picture(struct disc_evidence *e, struct frame *f, const struct board_pose *pose, struct fail *why)
{
    struct frame *small = NULL;
    double px_per_in = 0;
    for (int i = 0; i < 8; i++) { // the widest that the board is seen
        double a = i * PI / 8, r = pose->board.circle_in[0];
        struct pt_px p = { 0, 0 }, q = { 0, 0 };
        camera_project(&p, &pose->camera, surface_polar(r, a));
        camera_project(&q, &pose->camera, surface_polar(-r, a));
        px_per_in = fmax(px_per_in, hypot(p.u - q.u, p.v - q.v) / (2 * r));
    }
    double reduction = fmax(1, px_per_in / e->t->px_per_in_most);
    e->camera = pose->camera;
    e->camera.lens = lens_reduced(&pose->camera.lens, reduction);
    struct px_range part = range_of_board(e, (int)lround(f->width / reduction), (int)lround(f->height / reduction));
    int rc = frame_reduced_part(&small, f, reduction, &part, why);
    if (rc < 0)
        return rc;
    e->camera.lens.centre.u -= part.from_u;
    e->camera.lens.centre.v -= part.from_v;
    e->width = part.to_u - part.from_u;
    e->height = part.to_v - part.from_v;
    e->last_u = (float)e->width - 1.01f;
    e->last_v = (float)e->height - 1.01f;
    size_t n = (size_t)e->width * (size_t)e->height;
    e->lab = calloc(LAB * n, sizeof *e->lab);
    size_t first = (size_t)part.from_v * (size_t)small->width + (size_t)part.from_u;
    if (e->lab)
        colour_bgr8_to_lab(e->lab, LAB, small->bgr + 3 * first, e->width, e->height, 3 * (size_t)small->width);
    frame_free(small);
    if (!e->lab)
        return rs_fail(why, RS_ENOMEM, "no memory to find discs");
    rc = solid_map_create(&e->solids, e->width, e->height, why);
    if (rc == 0 && !e->ground.known)
        rc = take_noise(e, why);
    const double *noise = e->ground.noise;
    const float unit[LAB] = { (float)noise[0], (float)noise[1], (float)noise[2], 1 };
    for (size_t i = 0; i < n && rc == 0; i++)
        for (size_t c = 0; c < LAB; c++)
            e->lab[LAB * i + c] /= unit[c];
    return rc;
}

static int take_empty_board(struct disc_evidence *e, struct fail *why)
{
    struct ground_view *view = calloc(1, sizeof *view);
    if (!view)
        return rs_fail(why, RS_ENOMEM, "no memory to find discs");
    e->ground.reach_in = e->board.circle_in[0];
    disc_ground_places(view, e->ground.reach_in);
    for (int r = 0; r < GROUND_STEPS; r++)
        for (int k = 0; k < GROUND_STEPS; k++) {
            struct pt3_in on = { view->at[r][k].x, view->at[r][k].y, 0 };
            struct pt_px at;
            view->seen[r][k] = camera_project(&at, &e->camera, on) && at.u >= 0 && at.v >= 0 && at.u < e->width - 1 &&
                               at.v < e->height - 1;
            if (view->seen[r][k])
                view->lab[r][k] = sample(e, at.u, at.v);
        }
    disc_ground_fit(&e->ground, view, e->t->cover_least_sigmas);
    free(view);
    return 0;
}

// What a view of a piece at a place shows. False where the piece or its ground are not seen.
static bool measure_view(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e,
                         const struct disc_view *v, const struct noise_lab *empty)
{
    struct disc_contrast shown;
    struct noise_lab all[MOST_TOP + MOST_SIDE];
    if (!disc_contrast_of(&shown, v, true) || v->tops + v->sides == 0)
        return false;
    memcpy(all, v->top, sizeof *all * (size_t)v->tops);
    memcpy(all + v->tops, v->side, sizeof *all * (size_t)v->sides);
    struct noise_lab middle = noise_lab_median(all, v->tops + v->sides);
    struct noise_lab top = v->tops > 0 ? noise_lab_median(v->top, v->tops) : middle,
                     side = v->sides > 0 ? noise_lab_median(v->side, v->sides) : top;
    // What a mirrored lamp may have made of the bare board says nothing of a piece, nor does its soft edge. But white pieces that fill
    // the camera's range look so too: what it differs by then counts as noise does, no more and no less, and shape and fit decide.
    const double least = e->t->cover_least_sigmas;
    bool top_glares = disc_ground_may_glare(&e->ground, &top, empty, least, false),
         side_glares = disc_ground_may_glare(&e->ground, &side, empty, least, top_glares);
    top_glares = disc_ground_may_glare(&e->ground, &top, empty, least, side_glares);
    bool readable = !top_glares || !side_glares;
    top = top_glares ? side : top;
    side = side_glares ? top : side;
    measure[LOG_CONTRAST_OVER_SPILL] = disc_contrast_log(shown.inside_low) - disc_contrast_log(shown.spill);
    measure[STEP_LOW] = shown.step_low;
    double odd = fmax(disc_ground_odd(&e->ground, &shown.ground, empty, false), 1); // as the board but for noise
    measure[LOG_GROUND_ODD] = disc_contrast_log(odd);
    measure[LOG_TOP_AB] =
        disc_contrast_log(readable ? hypotf(top.c[1] - shown.ground.c[1], top.c[2] - shown.ground.c[2]) : 1);
    measure[LOG_FROM_EMPTY] =
        disc_contrast_log(readable ? fminf(noise_lab_distance(&top, empty), noise_lab_distance(&side, empty)) : 1);
    for (int c = 0; c < 3; c++)
        lab[c] = middle.c[c] * e->ground.noise[c];
    return true;
}

// What the bare board looks like around a place. What is nearer to the hole than the next piece to it stands is seen against the
// wood around the hole all the same.
static struct noise_lab empty_at(const struct disc_evidence *e, struct pt_in at)
{
    double hole_in = e->board.hole_radius_in, wood_in = hole_in > 0 ? hole_in + e->board.piece_radius_in : 0;
    return disc_ground_at(&e->ground, at, fmax(hypot(at.x, at.y), wood_in));
}

bool disc_evidence_at(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e, struct pt_in at)
{
    struct disc_view v;
    struct left_out share;
    struct noise_lab empty = empty_at(e, at);
    if (!take_view(&v, &share, e, at, &e->full) || v.tops == 0 || !measure_view(measure, lab, e, &v, &empty))
        return false;
    measure[FLAT] = e->flat;
    measure[COVERED] = 0;
    measure[OVER_HOLE] = share.over_hole;
    measure[HIDDEN] = share.hidden;
    measure[VOTES] = 0;
    for (const struct peak *p = e->vote; p < e->vote + e->votes; p++)
        if (distance_in(at, p->at) < e->t->votes_reach_in)
            measure[VOTES] = fmax(measure[VOTES], p->score);
    return true;
}

bool disc_evidence_behind(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e, struct pt_in at)
{
    struct disc_view v;
    struct left_out share;
    struct noise_lab empty = empty_at(e, at);
    if (hypot(at.x, at.y) > e->board.circle_in[0] - e->board.piece_radius_in || !take_view(&v, &share, e, at, &e->full))
        return false;
    double covered = disc_cover_leave_out(&v, &empty, e->t->cover_least_sigmas);
    if (covered == 0 || covered > e->t->cover_most || !measure_view(measure, lab, e, &v, &empty))
        return false;
    measure[COVERED] = covered;
    return true;
}

// On the surface, and surely: seen at a slant a disc in the far ditch is where one on the surface's edge would be, but what
// stands inside of the outermost line counts.
static bool may_stand(const struct disc_evidence *e, struct pt_in at)
{
    const struct board *b = &e->board;
    double r = hypot(at.x, at.y);
    if (r < b->hole_radius_in - e->t->hole_clear_in)
        return false;
    if (r < b->circle_in[0] - e->t->rim_clear_in)
        return true;
    struct pt_in low = camera_sight(&e->eye, at, 0, -b->ditch_depth_in);
    return r < b->surface_radius_in && hypot(low.x, low.y) < b->surface_radius_in + b->piece_radius_in;
}

// The sums of a grid's places that are worth a look: of every other one like the fields of one colour of a chess board, then of
// those next to the best of them, for a piece is wider than the grid. How many; `sum`: room for two numbers a place.
static int lay_grid(struct peak *out, double *sum, const struct disc_evidence *e, struct place_filter filter, int side)
{
    enum { BEST = 1000 }; // places: more than 48 pieces' surroundings have
    double reach_in = (side - 1) * e->t->grid_in / 2, *sorted = sum + (size_t)side * (size_t)side;
    int n = 0;
    for (int i = 0; i < side * side; i++)
        sum[i] = -INFINITY;
    for (int colour = 0; colour < 2; colour++) {
        double bar = n > BEST ? select_kth(sorted, n, n - BEST) : -INFINITY;
        for (int i = 0; i < side * side; i++) {
            int x = i % side, y = i / side;
            struct pt_in at = { x * e->t->grid_in - reach_in, y * e->t->grid_in - reach_in };
            bool worth = (x + y) % 2 == colour && may_stand(e, at) && (!filter.may || filter.may(filter.self, at));
            if (worth && colour == 1)
                worth = (x > 0 && sum[i - 1] >= bar) || (x + 1 < side && sum[i + 1] >= bar) ||
                        (y > 0 && sum[i - side] >= bar) || (y + 1 < side && sum[i + side] >= bar);
            if (!worth)
                continue;
            sum[i] = sorted[n] = sum_at(e, at, &e->coarse);
            out[n++] = (struct peak){ at, sum[i] };
        }
    }
    return n;
}

int disc_evidence_places(struct pt_in out[DISC_PLACES], const struct disc_evidence *e, struct place_filter filter,
                         struct fail *why)
{
    enum { MOST_LAID = 48 }; // both sides' pieces, and as many again
    double reach_in = fmax(e->board.circle_in[0], e->board.surface_radius_in);
    int side = (int)(2 * reach_in / e->t->grid_in) + 1;
    size_t room = (size_t)side * (size_t)side;
    double *sum = malloc(room * (2 * sizeof *sum + sizeof(struct peak)));
    if (!sum)
        return rs_fail(why, RS_ENOMEM, "no memory to find pieces");
    struct peak *place = (struct peak *)(sum + 2 * room);
    int n = peaks_suppress(place, lay_grid(place, sum, e, filter, side), e->t->apart_first_in, MOST_LAID);
    for (int i = 0; i < n; i++)
        refine(&place[i], e);
    n = peaks_suppress(place, n, e->t->apart_refined_in, MOST_LAID);
    for (int i = 0; i < n; i++)
        out[i] = place[i].at;
    free(sum);
    for (const struct peak *p = e->vote; p < e->vote + e->votes && n < DISC_PLACES; p++) {
        bool fresh = may_stand(e, p->at) && (!filter.may || filter.may(filter.self, p->at));
        for (int k = 0; k < n && fresh; k++)
            fresh = distance_in(out[k], p->at) >= e->t->same_place_in;
        if (fresh)
            out[n++] = p->at;
    }
    return n;
}

struct pt_in disc_evidence_refined(const struct disc_evidence *e, struct pt_in at)
{
    struct peak p = { .at = at };
    refine(&p, e);
    return p.at;
}

void disc_evidence_touching(struct disc_touching *out, const struct disc_evidence *e, struct pt_in at)
{
    enum { AROUND = 2 * countof(out->at) };
    const double apart_in = 2 * e->board.piece_radius_in;
    struct peak place[AROUND] = { { .score = 0 } };
    out->count = 0;
    for (int i = 0; i < AROUND; i++) {
        double a = 2 * PI * i / AROUND;
        place[i].at = (struct pt_in){ at.x + apart_in * cos(a), at.y + apart_in * sin(a) };
        place[i].score = may_stand(e, place[i].at) ? sum_at(e, place[i].at, &e->coarse) : -INFINITY;
    }
    for (int i = 0; i < AROUND; i++) {
        struct peak p = place[i];
        bool best = p.score > place[(i + AROUND - 1) % AROUND].score && p.score >= place[(i + 1) % AROUND].score;
        if (!best || !isfinite(p.score))
            continue;
        refine(&p, e);
        double dx = p.at.x - at.x, dy = p.at.y - at.y, d = hypot(dx, dy), out_by = fmax(apart_in / d, 1);
        if (d >= apart_in - e->t->solid_overlap_in) // no nearer than they can be
            out->at[out->count++] = (struct pt_in){ at.x + out_by * dx, at.y + out_by * dy };
    }
}

int disc_evidence_create(struct disc_evidence **out, struct disc_ground *ground, struct frame *f,
                         const struct board_pose *pose, const struct evidence_tuning *t, struct fail *why)
{
    struct disc_evidence *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e)
        return rs_fail(why, RS_ENOMEM, "no memory to find pieces");
    e->t = t;
    e->board = pose->board;
    e->ground = ground ? *ground : (struct disc_ground){ .known = false };
    e->eye = camera_position(&pose->camera);
    e->flat = camera_tilt_rad(&pose->camera) > t->votes_most_tilt_rad;
    int rc = take_picture(e, f, pose, why);
    if (rc == 0 && ground && !e->ground.known)
        rc = take_empty_board(e, why);
    if (rc < 0) {
        disc_evidence_free(e);
        return rc;
    }
    disc_evidence_resize(e, &pose->board);
    e->ground.known = ground != NULL;
    if (ground)
        *ground = e->ground;
    *out = e;
    return 0;
}

void disc_evidence_free(struct disc_evidence *e)
{
    if (e) {
        free(e->lab);
        solid_map_free(&e->solids);
    }
    free(e);
}

void disc_evidence_set_votes(struct disc_evidence *e, const struct peak *vote, int votes)
{
    e->vote = vote;
    e->votes = votes;
}

void disc_evidence_hide(struct disc_evidence *e, const struct cylinder *shape, struct pt_in at)
{
    solid_map_add(&e->solids, shape, at, &e->camera, e->t->beside_blur_px);
}

void disc_evidence_reveal(struct disc_evidence *e, int but)
{
    solid_map_keep(&e->solids, but, &e->camera, e->t->beside_blur_px);
}

bool disc_evidence_as_before(const struct disc_evidence *e, struct pt_in at)
{
    const double ring = e->full.scale[OUTLINE_RINGS - 1] - 1, radius_in = e->board.piece_radius_in;
    // As far as refine() goes; what is nearer to the camera looks larger.
    static const double walks_in = 0.5, nearer = 1.2;
    const double walk_in = 2 * radius_in + walks_in; // to where it touches, and on
    struct disc_local near;
    if (!disc_local_look(&near, &e->camera, e->eye, &e->board, at))
        return false;
    const double foot[2] = { near.foot.u, near.foot.v }, top[2] = { near.top.u, near.top.v };
    double low[2], high[2], end[2] = { e->width - 2, e->height - 2 }; // beyond the picture its border is read
    for (int i = 0; i < 2; i++) {
        double per_in = nearer * hypot(near.J[1][i][0], near.J[1][i][1]);
        double size = per_in * radius_in + fabs(top[i] - foot[i]);
        double beyond = per_in * walk_in + size + ring * fmax(size, e->t->ring_least_px) + 2;
        low[i] = fmin(fmin(foot[i], top[i]) - beyond, end[i]);
        high[i] = fmax(fmax(foot[i], top[i]) + beyond, 1);
    }
    return solid_map_as_before(&e->solids, &(struct px_box){ { low[0], low[1] }, { high[0], high[1] } });
}

void disc_evidence_resize(struct disc_evidence *e, const struct board *sized)
{
    e->board = *sized;
    disc_spots_lay(&e->coarse, sized, SPOTS_COARSE);
    disc_spots_lay(&e->full, sized, SPOTS_FULL);
}
