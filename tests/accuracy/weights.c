// SPDX-License-Identifier: MIT
// weights: the weights by which discs and rings are told (vision/pieces/evidence_tuning.def), fitted to pictures with
// truth beside them, or how well those in use do on such pictures.
//
//   weights fit FOLDER...     rows for evidence_tuning.def, and how well they do on pictures left out of the fit
//   weights curves FOLDER...  what is found at which limit, and how often a stated probability is true
//
// Logistic regression (Newton's method, each measure counted in its own deviations, weights believed to be 0 give or
// take some such). Truth is that of samples/ (`pieces`), or labels by eye (`discs`, pixels of top faces). To the fit
// each of the latter pictures is also shown mirrored, smaller, darker, warmer and compressed (altered.h): by what it
// looks like in this one light alone plain wood was told from pieces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "calibration/algebra.h"
#include "tests/accuracy/altered.h"
#include "tests/accuracy/reading.h"
#include "tests/accuracy/score.h"
#include "vision/board/find.h"
#include "vision/pieces/discs.h"
#include "vision/pieces/ditch.h"
#include "vision/source/source.h"

enum { MOST_PICTURES = 1000, FOLDS = 10, BINS = 10, TRUTHS = 64, NEWTON_STEPS = 40, PATH_BYTES = 512 };
static const double FIT_FAINTER = 0.05;
static const double BY_EYE_WEIGHT = 3; // the world is rarer here than what we draw of it, and is what counts
static const double SAME_IN = 0.25;    // from a true piece: the hypothesis is that piece
static const double BESIDE_IN = 0.65;  // and nearer than this it is neither that piece nor none
static const double FOUND_IN = 0.4;    // as score.h

// Whose measures a row has.
enum place { SURFACE, HOLE, DITCH, PLACES };

struct row {
    double measure[HYPOTHESIS_MEASURES], stated;
    struct pt_in at;
    bool piece, fitted;
    enum place place;
    int mate; // of the picture's truths, the nearest; -1: none is near
    double mate_in;
};

struct read_picture {
    int rows, asked; // true pieces that are asked for
    int fold;        // in which it is left out
    bool by_eye;     // it was labelled
    struct row *row;
    bool asks[TRUTHS];
    bool holds, unsure; // truth has a piece in the hole; it does not say
    int in_ditch;       // pieces there that are asked for
};

struct pictures {
    int count;
    struct read_picture item[MOST_PICTURES];
};

// By its file's name: an altered copy of a picture says nothing of one that was not seen.
static int fold_of(const char *path)
{
    const char *name = strrchr(path, '/');
    unsigned hash = 5381; // Bernstein's
    for (name = name ? name + 1 : path; *name; name++)
        hash = 33 * hash + (unsigned char)*name;
    return (int)(hash % FOLDS);
}

// Where the truth's pieces stand, as the camera that was found sees them: of those on the surface, or of those in the
// ditch.
struct truth {
    int count;
    struct pt_in at[TRUTHS];
    bool asked[TRUTHS]; // of those in the ditch
};

static void take_truth(struct truth *surface, struct truth *ditch, struct read_picture *out, const json_t *truth,
                       const struct frame *as_it_is, enum alteration how, const struct board_pose *pose)
{
    const struct board_pose low = ditch_pose(pose, &tuning_defaults.disc);
    const json_t *discs = json_object_get(truth, "discs"), *list = discs ? discs : json_object_get(truth, "pieces"), *o;
    size_t i;
    surface->count = ditch->count = 0;
    json_array_foreach(list, i, o)
    {
        int n = surface->count, k = ditch->count;
        const json_t *top = json_object_get(o, "top_px");
        struct pt_px seen = { json_number_value(json_array_get(top, 0)), json_number_value(json_array_get(top, 1)) };
        const char *place = score_word(o, discs ? "zone" : "place");
        if (discs)
            seen = (struct pt_px){ score_number(o, "cx"), score_number(o, "cy") };
        seen = altered_place(seen, as_it_is, how);
        // A disc in the ditch or beside the board is not asked for, but looks like one: nor is it told as none where it
        // seems to stand.
        if (n == TRUTHS || !camera_locate(&surface->at[n], &pose->camera, seen, pose->board.piece_height_in) ||
            !camera_locate(&ditch->at[k], &low.camera, seen, pose->board.piece_height_in))
            continue;
        bool unsure = json_is_true(json_object_get(o, "unsure")) || json_is_true(json_object_get(o, "hidden"));
        bool on_surface = strcmp(place, "20") != 0 && strcmp(place, "ditch") != 0 && strcmp(place, "off") != 0;
        bool asked = discs ? !unsure : score_number(o, "visible") >= 0.5;
        out->holds |= strcmp(place, "20") == 0;
        out->unsure |= strcmp(place, "20") == 0 && !asked;
        out->asks[n] = on_surface && asked;
        ditch->asked[k] = strcmp(place, "ditch") == 0 && asked;
        out->asked += out->asks[n];
        out->in_ditch += ditch->asked[k];
        surface->count++;
        ditch->count++;
    }
}

static void add_hole(struct read_picture *out, const struct hole_hypothesis *hole)
{
    if (!hole->fitted || out->unsure)
        return;
    struct row *r = &out->row[out->rows++];
    *r = (struct row){ .stated = hole->probability, .piece = out->holds, .fitted = true, .place = HOLE, .mate = -1 };
    memcpy(r->measure, hole->measure, sizeof hole->measure);
}

// Labels by eye have all pieces of a ditch or none of it.
static void add_ditch(struct read_picture *out, const struct ditch_hypotheses *all, const struct truth *truth)
{
    static const double same_in = 0.4; // its depth is not known, which moves what is seen of it
    for (int i = 0; i < all->count && (out->in_ditch > 0 || !out->by_eye); i++) {
        const struct ditch_hypothesis *h = &all->item[i];
        struct row r = { .stated = h->probability, .fitted = true, .place = DITCH, .mate = -1, .mate_in = 1 };
        r.at = h->at;
        memcpy(r.measure, h->measure, sizeof h->measure);
        for (int k = 0; k < truth->count; k++)
            if (distance_in(r.at, truth->at[k]) < r.mate_in) {
                r.mate_in = distance_in(r.at, truth->at[k]);
                r.mate = k;
            }
        r.piece = r.mate >= 0 && truth->asked[r.mate] && r.mate_in < same_in;
        out->row[out->rows++] = r;
    }
}

static void keep_on_surface(struct detection_list *list)
{
    int n = 0;
    for (int i = 0; i < list->count; i++)
        if (list->piece[i].plane == ON_SURFACE)
            list->piece[n++] = list->piece[i];
    list->count = n;
}

static int read_picture(struct read_picture *out, const char *truth_path, enum alteration how,
                        const struct tuning *tuning, struct fail *why)
{
    char path[PATH_BYTES + SCORE_WORD];
    struct source *s;
    struct frame *as_it_is = NULL, *f = NULL;
    struct board_pose pose = { .found = false };
    struct truth at, below;
    struct detection_list pieces = { .count = 0 };
    const struct pieces_known photograph = { .ditch = true };
    json_t *truth = score_truth(truth_path, why);
    *out = (struct read_picture){ .fold = fold_of(truth_path) };
    if (!truth)
        return RS_EINPUT;
    const char *slash = strrchr(truth_path, '/'), *kind = score_word(truth, "kind");
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - truth_path + 1) : 0, truth_path,
             score_word(truth, "image"));
    out->by_eye = json_object_get(truth, "discs") != NULL;
    bool rings = strcmp(kind, "carrom") == 0, discs = strcmp(kind, "crokinole") == 0 || out->by_eye;
    struct disc_hypotheses *all = malloc(sizeof *all);
    struct ditch_hypotheses *low = malloc(sizeof *low);
    int rc = !all || !low ? rs_fail(why, RS_ENOMEM, "no memory") : !rings && !discs ? 1 : photo_open(&s, path, why);
    if (rc == 0) {
        rc = source_next(&as_it_is, s, why);
        source_close(s);
        if (rc >= 0)
            rc = altered_copy(&f, as_it_is, how, why);
        if (rc == 0)
            rc = board_find(&pose, f, board_builtin(rings ? "crokinole-rings-24" : "crokinole-nca"), NULL, tuning, why);
        if (rc == 0 && pose.found)
            rc = discs_find(&pieces, all, f, &pose, &photograph, tuning, why);
        if (rc == 0 && pose.found) {
            take_truth(&at, &below, out, truth, as_it_is, how, &pose);
            out->row = calloc((size_t)all->count + HOUGH_PEAKS_MAX + 2, sizeof *out->row);
            for (int i = 0; i < all->count && out->row; i++) {
                const struct disc_hypothesis *h = &all->item[i];
                struct row r = {
                    .stated = h->probability, .fitted = h->probability > 0, .mate = -1, .mate_in = BESIDE_IN
                };
                r.at = h->fitted ? h->fit.at : h->at;
                memcpy(r.measure, h->seen.measure, sizeof r.measure);
                for (int k = 0; k < at.count; k++)
                    if (distance_in(r.at, at.at[k]) < r.mate_in) {
                        r.mate_in = distance_in(r.at, at.at[k]);
                        r.mate = k;
                    }
                r.piece = r.mate >= 0 && out->asks[r.mate] && r.mate_in < SAME_IN;
                out->row[out->rows++] = r;
            }
            if (!out->row)
                rc = rs_fail(why, RS_ENOMEM, "no memory");
            else if (tuning != &tuning_defaults) // hole and ditch are beside what is told with the weights in use
                rc = discs_find(&pieces, all, f, &pose, &photograph, &tuning_defaults, why);
            keep_on_surface(&pieces);
            if (rc == 0) // by what is told there with the weights in use
                rc = ditch_find(&pieces, low, f, &pose, tuning, why);
            if (rc == 0) {
                add_hole(out, &all->hole);
                add_ditch(out, low, &below);
            }
        }
    }
    frame_free(f);
    frame_free(as_it_is);
    free(all);
    free(low);
    json_decref(truth);
    return rc == 1 ? 0 : rc;
}

// Neither a piece nor none: hidden, in the hole, or half beside a piece.
static bool speaks(const struct row *r)
{
    return r->piece || r->mate < 0;
}

struct model {
    const char *prefix;
    enum place place;
    bool of[2];    // steep views, flat ones
    double belief; // that the weights are 0: one over the variance, in the measures' own deviations
    int n, measure[HYPOTHESIS_MEASURES];
    double weight[HYPOTHESIS_MEASURES + 1]; // the last one is the bias
};

_Static_assert((int)HOLE_MEASURES <= (int)HYPOTHESIS_MEASURES && (int)DITCH_MEASURES <= (int)HYPOTHESIS_MEASURES,
               "a row has room for the measures of the hole and of the ditch");

// Of hypotheses that were fitted; what lies in hole and ditch has measures of its own.
static const struct model models[] = {
    { .prefix = "steep",
      .of = { true, false },
      .belief = 1,
      .n = 11,
      .measure = { LOG_CONTRAST_OVER_SPILL, STEP_LOW, LOG_GROUND_ODD, LOG_TOP_AB, LOG_FROM_EMPTY, VOTES, OVER_HOLE,
                   FIT_SUPPORT, FIT_EXPLAINED, FIT_LARGER, FIT_UNEVEN } },
    { .prefix = "flat",
      .of = { false, true },
      .belief = 1,
      .n = 12,
      .measure = { LOG_CONTRAST_OVER_SPILL, STEP_LOW, LOG_GROUND_ODD, LOG_TOP_AB, LOG_FROM_EMPTY, OVER_HOLE, HIDDEN,
                   COVERED, FIT_SUPPORT, FIT_EXPLAINED, FIT_LARGER, FIT_COVERED_LARGER } },
    { .prefix = "hole",
      .place = HOLE,
      .belief = 0.3, // of what was left out 1 says less, and so does 0.1
      .n = HOLE_MEASURES,
      .measure = { HOLE_LOG_PAINT_OFF, HOLE_DARKER, HOLE_UNEVEN, HOLE_EXPLAINED, HOLE_LOG_DITCH_OFF, HOLE_DEEP_SIDE,
                   HOLE_DEEP_PAINT_OFF2, HOLE_HOLLOW } },
    { .prefix = "ditch",
      .place = DITCH,
      .belief = 1,
      .n = DITCH_MEASURES,
      .measure = { DITCH_LOG_VOTES, DITCH_OVER_SPILL, DITCH_STEP, DITCH_SUPPORT, DITCH_UNEVEN, DITCH_FAR_OUT,
                   DITCH_LOG_PAINT_OFF } },
};
enum { STEEP, FLAT_VIEW, OF_HOLE, OF_DITCH, MODELS };

// Whether a row is one of those that a model is about.
static bool is_of(const struct row *r, const struct model *m)
{
    return speaks(r) && r->place == m->place && (m->place != SURFACE || m->of[r->measure[FLAT] > 0]) && r->fitted;
}

static double stated_by(const struct model *m, const struct row *r)
{
    double sum = m->weight[m->n];
    for (int i = 0; i < m->n; i++)
        sum += m->weight[i] * r->measure[m->measure[i]];
    return 1 / (1 + exp(-sum));
}

// Newton's method on all pictures but those of one fold.
static bool fit_model(struct model *m, const struct pictures *p, int but_fold)
{
    enum { MOST = HYPOTHESIS_MEASURES + 1 };
    double mean[MOST] = { 0 }, deviation[MOST] = { 0 }, w[MOST] = { 0 };
    int rows = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < p->count; k++)
            for (int i = 0; i < p->item[k].rows && p->item[k].fold != but_fold; i++) {
                const struct row *r = &p->item[k].row[i];
                if (!is_of(r, m))
                    continue;
                rows += pass == 0;
                for (int c = 0; c < m->n; c++)
                    *(pass ? &deviation[c] : &mean[c]) +=
                        pass ? pow(r->measure[m->measure[c]] - mean[c] / rows, 2) : r->measure[m->measure[c]];
            }
    if (rows == 0)
        return false;
    for (int c = 0; c < m->n; c++) {
        mean[c] /= rows;
        deviation[c] = sqrt(deviation[c] / rows) + 1e-9;
    }
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double N[MOST * MOST] = { 0 }, g[MOST] = { 0 }, x[MOST], move[MOST];
        int n = m->n + 1;
        for (int k = 0; k < p->count; k++)
            for (int i = 0; i < p->item[k].rows && p->item[k].fold != but_fold; i++) {
                const struct row *r = &p->item[k].row[i];
                double z = 0;
                if (!is_of(r, m))
                    continue;
                for (int c = 0; c < n; c++) {
                    x[c] = c < m->n ? (r->measure[m->measure[c]] - mean[c]) / deviation[c] : 1;
                    z += w[c] * x[c];
                }
                double q = 1 / (1 + exp(-z)), weight = p->item[k].by_eye ? BY_EYE_WEIGHT : 1;
                for (int a = 0; a < n; a++) {
                    g[a] += weight * (r->piece - q) * x[a];
                    for (int b = 0; b < n; b++)
                        N[a * n + b] += weight * q * (1 - q) * x[a] * x[b];
                }
            }
        for (int c = 0; c < m->n; c++) {
            g[c] -= m->belief * w[c];
            N[c * n + c] += m->belief;
        }
        if (!cholesky_solve(move, N, g, n))
            return false;
        for (int c = 0; c < n; c++)
            w[c] += move[c];
    }
    m->weight[m->n] = w[m->n];
    for (int c = 0; c < m->n; c++) {
        m->weight[c] = w[c] / deviation[c];
        m->weight[m->n] -= w[c] * mean[c] / deviation[c];
    }
    return true;
}

// What a limit of the probability finds: pieces, and places where there is none.
struct found {
    int asked, found, false_pieces;
};

static void count_found(struct found *out, const struct read_picture *p, enum place place, double limit)
{
    enum { MOST = DISC_PLACES + HOUGH_PEAKS_MAX + 2 };
    bool hit[TRUTHS] = { false }, looked_at[MOST] = { false };
    struct pt_in taken[MOST] = { { 0, 0 } };
    int n = 0;
    out->asked += place == DITCH ? p->in_ditch : p->asked;
    for (;;) { // the most probable first
        int best = -1;
        for (int i = 0; i < p->rows; i++)
            if (!looked_at[i] && p->row[i].place == place && p->row[i].stated >= limit &&
                (best < 0 || p->row[i].stated > p->row[best].stated))
                best = i;
        if (best < 0)
            break;
        const struct row *r = &p->row[best];
        looked_at[best] = true;
        bool room = true;
        for (int k = 0; k < n && room; k++)
            room = hypot(taken[k].x - r->at.x, taken[k].y - r->at.y) >= 1;
        if (!room)
            continue;
        taken[n++] = r->at;
        if (r->mate < 0) {
            out->false_pieces++;
        } else if ((place == DITCH ? r->piece : r->mate_in < FOUND_IN && p->asks[r->mate]) && !hit[r->mate]) {
            hit[r->mate] = true;
            out->found++;
        }
    }
}

// Of all pictures, or of those alone that were labelled by eye.
static void print_curves(const struct pictures *p, bool by_eye)
{
    static const double limits[] = { 0.05, 0.1, 0.2, 0.3, 0.5, 0.65, 0.7, 0.9, 0.95, 0.99 };
    int all[BINS] = { 0 }, right[BINS] = { 0 };
    double stated[BINS] = { 0 };
    int pictures = 0;
    for (int i = 0; i < p->count; i++)
        pictures += !by_eye || p->item[i].by_eye;
    printf("%d pictures with a board found%s\n\nlimit   pieces found        false\n", pictures,
           by_eye ? ", labelled by eye" : "");
    for (size_t k = 0; k < countof(limits); k++) {
        struct found f = { 0 };
        for (int i = 0; i < p->count; i++)
            if (!by_eye || p->item[i].by_eye)
                count_found(&f, &p->item[i], SURFACE, limits[k]);
        printf("%5.2f   %4d of %4d %5.1f %%  %4d\n", limits[k], f.found, f.asked, 100.0 * f.found / fmax(f.asked, 1),
               f.false_pieces);
    }
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->item[i].rows; k++) {
            const struct row *r = &p->item[i].row[k];
            int bin = (int)fmin(r->stated * BINS, BINS - 1);
            if (!speaks(r) || !r->fitted || r->place != SURFACE || (by_eye && !p->item[i].by_eye))
                continue;
            all[bin]++;
            right[bin] += r->piece;
            stated[bin] += r->stated;
        }
    printf("\nstated      true        of\n");
    for (int i = 0; i < BINS; i++)
        if (all[i])
            printf("%6.3f    %6.3f    %6d\n", stated[i] / all[i], (double)right[i] / all[i], all[i]);
}

// Of all pictures what is told in the ditch at a limit, and in the hole, and where that is empty.
static void print_beside(const struct pictures *p)
{
    static const double limits[] = { 0.1, 0.3, 0.5, 0.7, 0.9 };
    printf("\nlimit   in the ditch         false\n");
    for (size_t k = 0; k < countof(limits); k++) {
        struct found f = { 0 };
        for (int i = 0; i < p->count; i++)
            count_found(&f, &p->item[i], DITCH, limits[k]);
        printf("%5.2f   %4d of %4d         %4d\n", limits[k], f.found, f.asked, f.false_pieces);
    }
    printf("\nlimit   in the hole          of empty ones\n");
    for (size_t k = 0; k < countof(limits); k++) {
        int told[2] = { 0 }, all[2] = { 0 };
        for (int i = 0; i < p->count; i++)
            for (int j = 0; j < p->item[i].rows; j++) {
                const struct row *r = &p->item[i].row[j];
                all[r->piece] += r->place == HOLE;
                told[r->piece] += r->place == HOLE && r->stated >= limits[k];
            }
        printf("%5.2f   %4d of %4d         %4d of %4d\n", limits[k], told[true], all[true], told[false], all[false]);
    }
}

static void print_rows(const struct model *m)
{
    static const char *const of_hole[HOLE_MEASURES] = { [HOLE_LOG_PAINT_OFF] = "paint_off",
                                                        [HOLE_DARKER] = "darker",
                                                        [HOLE_UNEVEN] = "uneven",
                                                        [HOLE_EXPLAINED] = "explained",
                                                        [HOLE_LOG_DITCH_OFF] = "ditch_off",
                                                        [HOLE_DEEP_SIDE] = "deep_side",
                                                        [HOLE_DEEP_PAINT_OFF2] = "deep_paint_off2",
                                                        [HOLE_HOLLOW] = "hollow" };
    static const char *const of_ditch[DITCH_MEASURES] = {
        [DITCH_LOG_VOTES] = "votes",        [DITCH_OVER_SPILL] = "over_spill", [DITCH_STEP] = "step",
        [DITCH_SUPPORT] = "support",        [DITCH_UNEVEN] = "uneven",         [DITCH_FAR_OUT] = "far_out",
        [DITCH_LOG_PAINT_OFF] = "paint_off"
    };
    static const char *const name[HYPOTHESIS_MEASURES] = { [LOG_CONTRAST_OVER_SPILL] = "over_spill",
                                                           [STEP_LOW] = "step",
                                                           [LOG_GROUND_ODD] = "ground_odd",
                                                           [LOG_TOP_AB] = "top_chroma",
                                                           [LOG_FROM_EMPTY] = "from_empty",
                                                           [VOTES] = "votes",
                                                           [FLAT] = "flat",
                                                           [OVER_HOLE] = "over_hole",
                                                           [HIDDEN] = "hidden",
                                                           [COVERED] = "covered",
                                                           [FIT_SUPPORT] = "support",
                                                           [FIT_EXPLAINED] = "explained",
                                                           [FIT_LARGER] = "larger",
                                                           [FIT_COVERED_LARGER] = "covered_larger",
                                                           [FIT_UNEVEN] = "uneven" };
    printf("TUNING(%s_bias, %.3f, -100, 100)\n", m->prefix, m->weight[m->n]);
    for (int i = 0; i < m->n; i++)
        printf("TUNING(%s_%s, %.3f, -100, 100)\n", m->prefix,
               (m->place == HOLE    ? of_hole
                : m->place == DITCH ? of_ditch
                                    : name)[m->measure[i]],
               m->weight[i]);
}

// The weights, and what those of nine tenths of the pictures say of the last tenth.
static int fit(struct pictures *p)
{
    struct model all[MODELS], left_out[MODELS];
    memcpy(all, models, sizeof all);
    memcpy(left_out, models, sizeof left_out);
    for (int i = 0; i < MODELS; i++) {
        if (!fit_model(&all[i], p, -1)) {
            fprintf(stderr, "weights: too little to fit them to\n");
            return 1;
        }
        print_rows(&all[i]);
    }
    for (int fold = 0; fold < FOLDS; fold++) {
        if (!fit_model(&left_out[STEEP], p, fold) || !fit_model(&left_out[FLAT_VIEW], p, fold) ||
            !fit_model(&left_out[OF_HOLE], p, fold) || !fit_model(&left_out[OF_DITCH], p, fold))
            continue;
        for (int k = 0; k < p->count; k++)
            for (int i = 0; i < p->item[k].rows && p->item[k].fold == fold; i++) {
                struct row *r = &p->item[k].row[i];
                int by = r->place == HOLE       ? OF_HOLE
                         : r->place == DITCH    ? OF_DITCH
                         : r->measure[FLAT] > 0 ? FLAT_VIEW
                                                : STEEP;
                r->stated = r->fitted ? stated_by(&left_out[by], r) : 0;
            }
    }
    printf("\nleft out of the fit:\n");
    print_curves(p, false);
    printf("\n");
    print_curves(p, true);
    print_beside(p);
    return 0;
}

int main(int argc, char **argv)
{
    static char paths[MOST_PICTURES][PATH_BYTES];
    struct pictures *p = calloc(1, sizeof *p);
    struct fail why = { 0 };
    int rc = 0;
    bool altered = false, fits = argc > 1 && strcmp(argv[1], "fit") == 0;
    if (!p || argc < 3 || (!fits && strcmp(argv[1], "curves") != 0)) {
        fprintf(stderr, "usage: weights fit|curves FOLDER...\n");
        return 2;
    }
    // What is hardly worth a fit has to be fitted too, so that the score learns of it.
    struct tuning hesitant = tuning_defaults;
    if (fits) {
        hesitant.evidence.piece_least *= FIT_FAINTER;
        hesitant.evidence.ditch_least = 0;
    }
    for (int a = 2; a < argc; a++) {
        int n = score_list(paths, MOST_PICTURES, argv[a]);
        for (int i = 0; i < n * FITTED_ALTERATIONS && p->count < MOST_PICTURES; i++) {
            const char *path = paths[i / FITTED_ALTERATIONS];
            enum alteration how = (enum alteration)(i % FITTED_ALTERATIONS);
            struct read_picture *one = &p->item[p->count];
            if (strstr(path, ".points.json") || (how != AS_IT_IS && (!fits || !altered)))
                continue;
            if (read_picture(one, path, how, fits ? &hesitant : &tuning_defaults, &why) < 0) {
                fprintf(stderr, "weights: %s\n", why.text);
                rc = 1;
            }
            altered = one->by_eye;
            p->count += one->row != NULL;
        }
        if (p->count == MOST_PICTURES) {
            fprintf(stderr, "weights: more than %d pictures are not read\n", MOST_PICTURES);
            rc = 1;
        }
    }
    if (fits && fit(p) != 0)
        rc = 1;
    else if (!fits) {
        print_curves(p, false);
        print_beside(p);
    }
    for (int i = 0; i < p->count; i++)
        free(p->item[i].row);
    free(p);
    return rc;
}
