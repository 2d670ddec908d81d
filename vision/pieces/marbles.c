// SPDX-License-Identifier: MIT
#include "vision/pieces/marbles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "vision/board/clarity.h"
#include "vision/colour.h"
#include "vision/denoise.h"
#include "vision/notes.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/sphere_light.h"
#include "vision/pieces/texture.h"

static const double WHITEST = 255; // 8-bit

struct marble_search {
    struct sphere_scene scene;
    const struct board *board;
    const struct marble_tuning *t;
    const struct board_tuning *board_tuning;
    int count, lying; // the first ones are those
    struct sphere_fit marble[MAX_PIECES];
    struct size_seen free_size[MAX_PIECES]; // struct marbles_seen
    struct size_seen size[MAX_PIECES];
};

static bool on_line(const struct marble_search *w, struct pt_in at)
{
    double beyond_in = hypot(at.x, at.y) - w->board->circle_in[0], zone_in = w->t->line_zone_in;
    return beyond_in > -zone_in && beyond_in < w->board->line_width_in + zone_in;
}

static double scale_at(const struct marble_search *w, struct pt_in at)
{
    return camera_scale_px_per_in(&w->scene.pose->camera, surface_at(at));
}

// Is there a marble already where this one would stand?
static bool is_taken(const struct marble_search *w, struct pt_in at, int except)
{
    for (int i = 0; i < w->count; i++)
        if (i != except && distance_in(w->marble[i].at, at) < w->t->overlap * w->board->piece_radius_in)
            return true;
    return false;
}

// More than carpet is around it: a shoe's rim, another thing, or a marble that touches it.
static bool is_crowded(const struct marble_search *w, const struct sphere_fit *fit)
{
    return w->scene.carpet[0] > 0 && fit->carpet[0] > w->t->roughest * w->scene.carpet[0];
}

// What a fit lacks to be a marble; NULL when nothing.
static const char *lacks(const struct marble_search *w, const struct sphere_fit *fit)
{
    if (is_crowded(w, fit))
        return "not on carpet";
    if (!(fit->gain > w->t->least_gain))
        return "like carpet";
    if (!(fit->explained > w->t->least_explained))
        return "explains little";
    if (!(fit->radius_in > (1 - w->t->size_slack) * w->board->taw_radius_min_in))
        return "too small";
    return fit->radius_in < (1 + w->t->size_slack) * w->board->taw_radius_max_in ? NULL : "too large";
}

// Cameras, JPEG and video keep colour in coarse blocks: a marble or a line of a strong colour has fringes that luma knows nothing
// of, and where a marble lay some of its colour can stay. A ball is lit from above and keeps the sky off the carpet; blocks do neither.
static bool is_fringe(const struct marble_search *w, const struct sphere_fit *fit, int except)
{
    const struct camera *c = &w->scene.pose->camera;
    double scale = scale_at(w, fit->at), half_in = w->board->line_width_in / 2;
    double off_line_in = fabs(hypot(fit->at.x, fit->at.y) - w->board->circle_in[0] - half_in) - half_in;
    const bool against = fit->luma_gain < 0; // luma speaks against a ball
    struct pt_px here, there;
    if (against && (off_line_in - fit->radius_in) * scale < w->t->fringe_px)
        return true;
    if (fit->luma_gain > w->t->least_gain || !camera_project(&here, c, surface_at(fit->at)))
        return false;
    for (int i = 0; i < w->count; i++) {
        const struct sphere_fit *m = &w->marble[i];
        if (i == except || !camera_project(&there, c, surface_at(m->at)))
            continue;
        bool near = distance_px(there, here) < m->radius_in * scale + w->t->fringe_px;
        double of_colour = w->t->fringe_gain * (fit->gain - fit->luma_gain);
        if ((near && m->gain > w->t->fringe_gain * fit->gain) || (against && m->gain - m->luma_gain > of_colour))
            return true;
    }
    return false;
}

// `size`: the prior of its radius, over a target's.
static bool fit_at(struct sphere_fit *fit, const struct marble_search *w, struct pt_in at, int except,
                   struct size_seen size)
{
    struct sphere_model others[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++) {
        if (i == except || distance_in(w->marble[i].at, at) >= w->t->near_in)
            continue;
        const struct sphere_fit *m = &w->marble[i];
        others[n] = sphere_at(m->at, m->radius_in, &w->scene.light);
        for (int c = 0; c < SPHERE_CHANNELS; c++)
            others[n].colour[c][SPHERE_SHADOW] = m->shadow[c];
        n++;
    }
    *fit =
        (struct sphere_fit){ .at = at, .radius_in = size.ratio * w->board->piece_radius_in, .size_sigma = size.sigma };
    bool held = sphere_fit_run(fit, &w->scene, others, n);
    const char *lack = held || fit->gain < 0 ? lacks(w, fit) : "wanders off";
    notes_fit(w->scene.frame, &(struct fit_note){ at, fit->at, fit->radius_in, fit->explained, lack });
    return held;
}

static bool is_marble(const struct marble_search *w, const struct sphere_fit *fit, int except)
{
    return !lacks(w, fit) && !is_fringe(w, fit, except) && !is_taken(w, fit->at, except);
}

// A pale marble's shadow is plainer than itself: the ball is looked for where the peak is, and where it would be if the
// peak were its shadow.
static bool fit_peak(struct sphere_fit *out, const struct marble_search *w, struct pt_in at)
{
    const struct sphere_light *l = &w->scene.light;
    const struct size_seen target = { 1, w->t->target_size_sigma };
    double r = w->board->piece_radius_in;
    struct pt_in before = { at.x - r * l->x, at.y - r * l->y };
    struct sphere_fit other;
    bool here = !is_taken(w, at, -1) && fit_at(out, w, at, -1, target);
    bool sure = here && out->explained > w->t->sure_explained;
    if (!sure && sphere_casts_shadow(l) && !is_taken(w, before, -1) && fit_at(&other, w, before, -1, target) &&
        (!here || other.gain > out->gain)) {
        *out = other;
        here = true;
    }
    return here && is_marble(w, out, -1);
}

// The plainest other peak where a marble that touches the i-th would be; -1 when there is none.
static int touching_peak(const struct marble_search *w, const struct peak *peak, int peaks, int i)
{
    const double r = w->board->piece_radius_in;
    int touching = -1;
    for (int k = 0; k < peaks; k++) {
        double d = distance_in(peak[k].at, peak[i].at);
        if (peak[k].score > w->t->least_sigmas && d > w->t->touching_from * r && d < w->t->touching_to * r &&
            !is_taken(w, peak[k].at, -1) && (touching < 0 || peak[k].score > peak[touching].score))
            touching = k;
    }
    return touching;
}

// Adds the marble at the i-th peak. Those that touch it are in its carpet: it is fitted beside as many supposed ones, the plainest
// first, as make it lie on carpet, and all hold when each of these does in turn, beside it and what touches them.
static bool fit_touching(struct marble_search *w, const struct peak *peak, int peaks, int i)
{
    enum { NEIGHBOURS_MOST = 6 }; // of one size there is no room for more
    const int count = w->count;
    int beside[NEIGHBOURS_MOST], n = 0;
    struct sphere_fit fit = { 0 };
    bool holds = fit_peak(&fit, w, peak[i].at);
    while (!holds && is_crowded(w, &fit) && n < NEIGHBOURS_MOST && w->count + 1 < MAX_PIECES) {
        beside[n] = touching_peak(w, peak, peaks, i);
        if (beside[n] < 0)
            break;
        w->marble[w->count++] =
            (struct sphere_fit){ .at = peak[beside[n++]].at, .radius_in = w->board->piece_radius_in };
        holds = fit_peak(&fit, w, peak[i].at);
    }
    w->count = count;
    if (holds)
        w->marble[w->count++] = fit;
    for (int k = 0; k < n && holds; k++)
        holds =
            is_taken(w, peak[beside[k]].at, -1) || (w->count < MAX_PIECES && fit_touching(w, peak, peaks, beside[k]));
    w->count = holds ? w->count : count;
    return holds;
}

// A shoe or a hand across the line covers inches of it and makes peaks all along.
static bool along_line(const struct marble_search *w, const struct peak *peak, int peaks, int i)
{
    int along = 0;
    for (int k = 0; k < peaks && on_line(w, peak[i].at); k++)
        along += k != i && peak[k].score > w->t->least_sigmas && on_line(w, peak[k].at) &&
                 distance_in(peak[k].at, peak[i].at) < w->t->cover_in;
    return along > w->t->most_covering;
}

// Was a marble near it found after it was looked at itself, when there were `before`?
static bool neighbour_found(const struct marble_search *w, struct pt_in at, int before)
{
    for (int i = before; i < w->count; i++)
        if (distance_in(w->marble[i].at, at) < w->t->near_in)
            return true;
    return false;
}

static void fit_peaks(struct marble_search *w, const struct peak *peak, int peaks, int most)
{
    int before[RESIDUAL_PEAKS_MAX] = { 0 }, tried = 0;
    w->count = w->lying;
    for (; tried < peaks && tried < most && w->count < MAX_PIECES && peak[tried].score > w->t->least_sigmas; tried++) {
        before[tried] = w->count;
        if (!along_line(w, peak, peaks, tried))
            fit_touching(w, peak, peaks, tried);
    }
    // What stands near one that was found later was fitted to carpet with that in it.
    for (int i = 0; i < tried && w->count < MAX_PIECES; i++)
        if (!is_taken(w, peak[i].at, -1) && !along_line(w, peak, peaks, i) && neighbour_found(w, peak[i].at, before[i]))
            fit_touching(w, peak, peaks, i);
}

// Those that lie on carpet alone.
static int clear_of_line(struct sphere_fit out[MAX_PIECES], const struct marble_search *w)
{
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (!on_line(w, w->marble[i].at))
            out[n++] = w->marble[i];
    return n;
}

static bool fit_again(struct sphere_fit *fit, const struct marble_search *w, int i, struct size_seen size)
{
    return fit_at(fit, w, w->marble[i].at, i, size) && is_marble(w, fit, i);
}

static double lit_times(const struct sphere_light *l)
{
    return 1 + sqrt(vec3_dot(l->shine, l->shine));
}

// Where it faces the light. What light and blur do to the outline of a marble lighter than its carpet is not what
// they do to a darker one's.
static bool is_lighter(const struct marble_search *w, const struct sphere_fit *fit)
{
    return lit_times(&w->scene.light) * fit->top[0] > fit->ground[0];
}

// How the sizes that are as the i-th's, or all when `alike` is NULL, are off on the whole, ln of the ratio; false when they are too few.
static bool usual_size(double *usual, double *spread, const struct marble_search *w, const struct sphere_fit *alike)
{
    double sizes[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (w->free_size[i].sigma > 0 && (!alike || is_lighter(w, &w->marble[i]) == is_lighter(w, alike)))
            sizes[n++] = log(w->free_size[i].ratio);
    if (n < w->t->least_marbles)
        return false;
    *usual = robust_centre(spread, sizes, n, w->t->size_floor);
    return true;
}

// Each marble's size, found without believing anything of it, and how it compares with the others': what shading and blur do
// to sizes they do to all that are seen against their carpet as it is. To one alone they may do as much as to the others.
static void measure_sizes(struct marble_search *w)
{
    const struct size_seen taw = { 1, w->t->taw_size_sigma };
    double usual_in = w->board->piece_radius_in;
    for (int i = w->lying; i < w->count; i++) {
        struct sphere_fit fit;
        bool held = fit_again(&fit, w, i, taw);
        w->free_size[i] =
            held ? (struct size_seen){ fit.radius_in / usual_in, fit.size_sigma } : (struct size_seen){ 0, 0 };
    }
    for (int i = 0; i < w->count; i++) {
        const struct size_seen seen = w->free_size[i];
        double usual = 0, spread = 0;
        w->size[i] = seen.sigma > 0 ? seen : taw;
        if (!(seen.sigma > 0))
            continue;
        if (usual_size(&usual, &spread, w, &w->marble[i])) {
            w->size[i].ratio /= exp(usual);
        } else if (usual_size(&usual, &spread, w, NULL)) {
            spread = hypot(spread, usual);
        } else {
            continue;
        }
        w->size[i].sigma =
            hypot(fmax(seen.sigma, spread), w->t->size_floor_px / (scale_at(w, w->marble[i].at) * usual_in));
    }
}

// Once more with all neighbours known, each at the size of a target or, when it has another or cannot be seen so, its own as far as a
// taw may be so large or small; what no longer holds is dropped.
static void refine_all(struct marble_search *w)
{
    const double sigma = w->t->target_size_sigma, usual_in = w->board->piece_radius_in;
    const double least = w->board->taw_radius_min_in / usual_in, most = w->board->taw_radius_max_in / usual_in;
    for (int i = w->lying; i < w->count;) {
        const struct size_seen own = { fmax(least, fmin(w->size[i].ratio, most)), sigma };
        bool other = fabs(log(w->size[i].ratio)) > w->t->other_size * w->size[i].sigma;
        struct sphere_fit fit;
        if ((!other && fit_again(&fit, w, i, (struct size_seen){ 1, sigma })) || fit_again(&fit, w, i, own)) {
            w->marble[i++] = fit;
        } else {
            w->marble[i] = w->marble[--w->count];
            w->size[i] = w->size[w->count];
            w->free_size[i] = w->free_size[w->count];
        }
    }
}

const char *marbles_colour_name(const double mean[SPHERE_CHANNELS], const struct sphere_light *l,
                                const struct marble_tuning *tuning)
{
    double lab[3], bgr[3];
    colour_to_lab(lab, mean);
    if (strcmp(colour_name(lab), "black") == 0) // no light makes it brighter; its highlight is no colour of its own
        return "black";
    // Brighter by as much as the side that faces the light is, until a channel is full.
    colour_to_bgr(bgr, mean);
    double most = fmax(bgr[2], fmax(bgr[1], bgr[0]));
    double lit = most > 0 ? fmax(fmin(lit_times(l), WHITEST / most), 1) : 1;
    colour_to_lab(lab, (double[3]){ lit * mean[0], lit * mean[1], lit * mean[2] });
    const char *name = colour_name(lab), *without_hue = colour_name((double[3]){ lab[0], 0, 0 });
    double chroma = hypot(lab[1], lab[2]);
    if (chroma < tuning->pale_chroma && strcmp(without_hue, "white") == 0)
        return without_hue; // so faint a hue may be the opposite of its carpet's: cameras keep colour in coarse blocks
    if (strcmp(name, "natural") != 0 && strcmp(name, "brown") != 0)
        return name;
    // What is called wood when a disc has it: a marble is yellow or orange from halfway on.
    double vivid = chroma < tuning->pale_chroma ? 0 : tuning->vivid_chroma / chroma;
    return colour_name((double[3]){ lab[0], vivid * lab[1], vivid * lab[2] });
}

// CIE L*a*b* of the side that the camera sees, in the light in which it lies.
static void lab_of_face(double lab[3], const struct sphere_fit *fit, const struct sphere_scene *scene)
{
    const double half_sphere = 2.0 / 3; // of a hemisphere's normals along its axis, on average over its picture
    struct pt3_in eye = camera_position(&scene->pose->camera);
    double sight[3] = { eye.x - fit->at.x, eye.y - fit->at.y, eye.z - fit->radius_in };
    double lit = 1 + half_sphere * vec3_dot(scene->light.shine, sight) / sqrt(vec3_dot(sight, sight)), bgr[3];
    colour_to_bgr(bgr, (double[3]){ lit * fit->top[0], lit * fit->top[1], lit * fit->top[2] });
    for (int c = 0; c < 3; c++)
        bgr[c] = fmax(0, fmin(bgr[c], WHITEST));
    colour_bgr_to_lab(lab, bgr);
}

// 1 sigma of the i-th marble's radius: what was measured, and by how much the fit, which may have taken it for a target, is off that.
static double radius_sigma_in(const struct marble_search *w, int i)
{
    double radius_in = w->marble[i].radius_in;
    return hypot(w->size[i].sigma * radius_in, w->size[i].ratio * w->board->piece_radius_in - radius_in);
}

static int find(struct detection_list *out, struct marble_search *w, const struct roi *changed,
                struct marbles_seen *seen, struct fail *why)
{
    struct peak peak[RESIDUAL_PEAKS_MAX];
    struct detection_list before = *out;
    struct sphere_fit clear[MAX_PIECES];
    // Marbles that still look as they did show that their light has not changed either.
    bool lit = w->lying >= w->t->least_marbles && w->scene.frame->t_s - seen->lit_at_s < w->t->light_holds_s &&
               clear_of_line(clear, w) < w->t->many_more * seen->lit_by;
    int peaks =
        residual_map_find(peak, w->scene.frame, w->scene.pose, &seen->residuals, lit ? changed : NULL, w->t, why);
    if (peaks < 0)
        return peaks;
    if (lit) {
        w->scene.light = seen->light;
    } else {
        fit_peaks(w, peak, peaks, (int)w->t->first_peaks);
        int n = clear_of_line(clear, w), rc = sphere_light_measure(&w->scene.light, &w->scene, clear, n, why);
        if (rc < 0)
            return rc;
        seen->light = w->scene.light;
        seen->lit_by = n;
        seen->lit_at_s = w->scene.frame->t_s;
    }
    for (int c = 0; c < SPHERE_CHANNELS; c++) { // how rough the carpet usually is around a marble
        double values[MAX_PIECES];
        int n = 0;
        for (int i = 0; i < w->count; i++)
            if (w->marble[i].carpet[c] > 0)
                values[n++] = w->marble[i].carpet[c];
        w->scene.carpet[c] = n < w->t->least_marbles ? 0 : median_of(values, n);
    }
    fit_peaks(w, peak, peaks, RESIDUAL_PEAKS_MAX);
    measure_sizes(w);
    refine_all(w);
    for (int i = w->lying; i < w->count; i++) {
        const struct sphere_fit *m = &w->marble[i];
        struct detection *p = &out->piece[out->count++];
        double least_in = hypot(MARBLE_FLOOR_SIGMA_IN, MARBLE_FLOOR_SIGMA_PX / scale_at(w, m->at));
        *p = (struct detection){ .kind = PIECE_MARBLE,
                                 .plane = ON_SURFACE,
                                 .at = m->at,
                                 .radius_in = m->radius_in,
                                 .radius_sigma_in = radius_sigma_in(w, i),
                                 .certainty = 0.5,
                                 .support = m->explained };
        p->cov = floor_cov(m->cov, w->scene.pose, m->at, m->radius_in, least_in);
        struct pt3_in middle = { m->at.x, m->at.y, m->radius_in };
        double clipped_px = floor_clipped_px(w->scene.frame, w->scene.pose, middle, w->t->clipped_radii * m->radius_in,
                                             w->scene.blur_px, w->board_tuning);
        if (clipped_px > 0)
            p->cov = cov_sum(p->cov, floor_px_cov(&w->scene.pose->camera, m->at, m->radius_in, clipped_px));
        double ground[3];
        colour_to_lab(ground, m->ground);
        p->ground_l = ground[0];
        lab_of_face(p->lab, m, &w->scene);
        snprintf(p->colour, sizeof p->colour, "%s", marbles_colour_name(m->top, &w->scene.light, w->t));
        camera_project(&p->px, &w->scene.pose->camera, (struct pt3_in){ m->at.x, m->at.y, m->radius_in });
    }
    // Roles follow from all marbles together, but those that lay there keep theirs.
    taw_find(out, w->size, w->board, w->t);
    memcpy(out->piece, before.piece, (size_t)w->lying * sizeof *out->piece);
    seen->count = w->count;
    memcpy(seen->fit, w->marble, sizeof seen->fit);
    memcpy(seen->free_size, w->free_size, sizeof seen->free_size);
    return 0;
}

int marbles_find(struct detection_list *out, const struct frame *f, const struct board_pose *pose,
                 const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    const struct marble_tuning *t = &tuning->marble;
    struct marble_search *w = calloc(1, sizeof *w);
    struct line_appearance *line = malloc(sizeof *line);
    struct marbles_seen nothing = { .count = 0 }, *seen = known->marbles ? known->marbles : &nothing;
    int rc = w && line ? line_appearance_measure(line, f, &pose->camera, &pose->board, why)
                       : rs_fail(why, RS_ENOMEM, "no memory for the marbles");
    *out = (struct detection_list){ .count = 0 };
    if (rc < 0)
        goto out;
    w->scene = (struct sphere_scene){ .frame = f,
                                      .pose = pose,
                                      .line = line,
                                      .tuning = t,
                                      .blur_px = board_blur_px(pose, &tuning->board),
                                      .light = sphere_light_unknown(t) };
    picture_noise(w->scene.noise, f);
    for (int c = 0; c < SPHERE_CHANNELS; c++)
        w->scene.noise[c] *= sqrt(t->noise_share);
    double across_px = 2 * pose->board.piece_radius_in * camera_middle_px_per_in(&pose->camera);
    w->scene.texture_px = t->texture_share * texture_correlated_px(f, pose, w->scene.noise[0], across_px);
    w->board = &pose->board;
    w->t = t;
    w->board_tuning = &tuning->board;
    for (int i = 0; i < known->lying.count; i++) { // what lies untouched and how it was fitted is as it was
        const struct detection *lies = &known->lying.piece[i];
        int k = 0;
        while (k < seen->count && !(distance_in(seen->fit[k].at, lies->at) < seen->fit[k].radius_in))
            k++;
        if (k == seen->count)
            continue;
        w->marble[w->count] = seen->fit[k];
        w->free_size[w->count++] = seen->free_size[k];
        out->piece[out->count++] = *lies;
    }
    w->lying = w->count;
    bool all_measured = w->lying == known->lying.count; // one may have been hidden when the others were
    rc = find(out, w, all_measured ? known->changed : NULL, seen, why);
out:
    free(line);
    free(w);
    return rc;
}
