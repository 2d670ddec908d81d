// SPDX-License-Identifier: MIT
#include "tests/accuracy/score.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "calibration/algebra.h"
#include "calibration/camera.h"

enum { PIECES = 128, TURNS = 720 };
static const double FOUND_IN = 0.4, SAME_SHOT_S = 0.6, SAME_REST_IN = 0.5;

struct placed {
    struct pt_in at;
    json_t *of;
};

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static const char *word(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static struct {
    const char *kind, *game, *board;
} const games[] = {
    { "crokinole", "crokinole", "crokinole-nca" },
    { "carrom", "crokinole-rings", "crokinole-rings-24" },
    { "marbles", "american-marbles", "ring-7ft" },
    { "none", "crokinole", "crokinole-nca" },
};

static int game_of(const char *kind)
{
    for (size_t i = 0; i < countof(games); i++)
        if (strcmp(games[i].kind, kind) == 0)
            return (int)i;
    return -1;
}

// All that the command prints, to be freed; NULL when it cannot be started.
static char *output_of(const char *command)
{
    FILE *f = popen(command, "r");
    size_t room = 1 << 16, used = 0, n;
    char *text = f ? malloc(room) : NULL;
    while (text && (n = fread(text + used, 1, room - used - 1, f)) > 0) {
        used += n;
        if (room - used < 2 && (room *= 2)) {
            char *more = realloc(text, room);
            if (!more)
                abort();
            text = more;
        }
    }
    if (text)
        text[used] = '\0';
    if (f)
        pclose(f);
    return text;
}

static int places(struct placed *out, json_t *list)
{
    int n = 0;
    size_t i;
    json_t *o;
    json_array_foreach(list, i, o)
    {
        if (n == PIECES || !json_is_number(json_object_get(o, "x_in")))
            continue;
        out[n++] = (struct placed){ { number(o, "x_in"), number(o, "y_in") }, o };
    }
    return n;
}

static struct pt_in turned(struct pt_in p, double angle)
{
    return (struct pt_in){ cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y };
}

// For each truth the nearest reading within reach, each used once; -1 for none. Returns the sum of the pairs' closeness.
static double pair_up(int *mate, const struct placed *read, int n, const struct placed *truth, int m, double angle,
                      double reach_in)
{
    bool used[PIECES] = { false };
    double closeness = 0;
    for (int j = 0; j < m; j++) {
        double best = reach_in;
        mate[j] = -1;
        for (int i = 0; i < n; i++) {
            struct pt_in p = turned(read[i].at, angle);
            double d = hypot(p.x - truth[j].at.x, p.y - truth[j].at.y);
            if (!used[i] && d < best) {
                best = d;
                mate[j] = i;
            }
        }
        if (mate[j] >= 0) {
            used[mate[j]] = true;
            closeness += exp(-pow(best / 0.5, 2));
        }
    }
    return closeness;
}

// The turn about the centre that fits best: a grid, then least squares on the pairs.
static double best_turn(const struct placed *read, int n, const struct placed *truth, int m)
{
    int mate[PIECES];
    double best = 0, most = -1;
    for (int k = 0; k < TURNS; k++) {
        double angle = 2 * PI * k / TURNS, closeness = pair_up(mate, read, n, truth, m, angle, 1.5);
        if (closeness > most) {
            most = closeness;
            best = angle;
        }
    }
    for (int round = 0; round < 3; round++) {
        double cross = 0, dot = 0;
        pair_up(mate, read, n, truth, m, best, FOUND_IN);
        for (int j = 0; j < m; j++) {
            if (mate[j] < 0)
                continue;
            struct pt_in p = turned(read[mate[j]].at, best);
            cross += p.x * truth[j].at.y - p.y * truth[j].at.x;
            dot += p.x * truth[j].at.x + p.y * truth[j].at.y;
        }
        best += dot != 0 || cross != 0 ? atan2(cross, dot) : 0;
    }
    return best;
}

static bool asked_for(const json_t *truth)
{
    const json_t *visible = json_object_get(truth, "visible");
    return (!visible || json_number_value(visible) >= 0.5) && strcmp(word(truth, "place"), "ditch") != 0;
}

static void judge_call(struct tally *out, const json_t *read, const json_t *truth, double error_in)
{
    const char *role = word(truth, "role");
    bool right =
        strcmp(word(read, "zone"), word(truth, "zone")) == 0 && (!*role || strcmp(word(read, "role"), role) == 0);
    bool firm = strcmp(word(read, "verdict"), "close") != 0;
    out->right += right;
    out->close += !firm;
    out->wrong_firm += firm && !right;
    out->within_2_sigma += error_in < 2 * number(read, "sigma_in");
    if (out->errors < SCORE_ERRORS)
        out->error_in[out->errors++] = error_in;
}

// Sides are right when all pieces that the reading gives one name have one name in the truth.
static int sides_right(const struct placed *read, const struct placed *truth, int m, const int *mate)
{
    int right = 0;
    for (int j = 0; j < m; j++) {
        int same = 0, all = 0;
        for (int k = 0; k < m && mate[j] >= 0; k++) {
            if (mate[k] < 0 || strcmp(word(read[mate[k]].of, "colour"), word(read[mate[j]].of, "colour")) != 0)
                continue;
            all++;
            same += strcmp(word(truth[k].of, "colour"), word(truth[j].of, "colour")) == 0;
        }
        right += mate[j] >= 0 && asked_for(truth[j].of) && 2 * same > all;
    }
    return right;
}

static void score_pieces(struct tally *out, json_t *truth, json_t *got)
{
    struct placed read[PIECES], real[PIECES];
    int n = places(read, json_object_get(got, "pieces")), m = places(real, json_object_get(truth, "pieces"));
    int mate[PIECES];
    bool taken[PIECES] = { false };
    double angle = best_turn(read, n, real, m), edge = number(json_object_get(truth, "board"), "surface_radius_in");
    pair_up(mate, read, n, real, m, angle, FOUND_IN);
    for (int j = 0; j < m; j++) {
        if (mate[j] >= 0)
            taken[mate[j]] = true;
        if (!asked_for(real[j].of))
            continue;
        out->asked++;
        if (mate[j] < 0)
            continue;
        struct pt_in p = turned(read[mate[j]].at, angle);
        out->found++;
        judge_call(out, read[mate[j]].of, real[j].of, hypot(p.x - real[j].at.x, p.y - real[j].at.y));
    }
    out->sides_right += sides_right(read, real, m, mate);
    for (int i = 0; i < n; i++)
        out->strangers += !taken[i] && (edge <= 0 || hypot(read[i].at.x, read[i].at.y) < edge);
}

static int write_lens(char path[64], const json_t *truth, struct fail *why)
{
    const json_t *c = json_object_get(truth, "camera");
    snprintf(path, 64, "/tmp/ringside-lens-XXXXXX");
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return rs_fail(why, RS_EIO, "%s: cannot be written", path);
    fprintf(f,
            "{\"ringside_lens\":1,\"width\":%.0f,\"height\":%.0f,\"f_px\":%.9g,\"cx_px\":%.9g,\"cy_px\":%.9g,"
            "\"k1\":%.9g,\"k2\":%.9g,\"p1\":0,\"p2\":0,\"rms_px\":0.1}\n",
            number(c, "width"), number(c, "height"), number(c, "fx"), number(c, "cx"), number(c, "cy"), number(c, "k1"),
            number(c, "k2"));
    return fclose(f) == 0 ? 0 : rs_fail(why, RS_EIO, "%s: cannot be written", path);
}

static json_t *load_truth(const char *path, struct fail *why)
{
    json_error_t error;
    json_t *truth = json_load_file(path, 0, &error);
    if (!truth)
        rs_fail(why, RS_EINPUT, "%s: %s", path, error.text);
    return truth;
}

int score_picture(struct tally *out, char kind[SCORE_WORD], double *tilt_deg, const char *ringside,
                  const char *truth_path, bool lens, struct fail *why)
{
    char command[2048], lens_path[64] = "";
    json_t *truth = load_truth(truth_path, why);
    if (!truth)
        return RS_EINPUT;
    int game = game_of(word(truth, "kind")), rc = 0;
    snprintf(kind, SCORE_WORD, "%s", word(truth, "kind"));
    *tilt_deg = number(json_object_get(truth, "camera"), "tilt_deg");
    if (game < 0)
        rc = rs_fail(why, RS_EINPUT, "%s: a kind of picture that is not known: '%s'", truth_path, kind);
    if (rc == 0 && lens)
        rc = write_lens(lens_path, truth, why);
    if (rc == 0) {
        const char *slash = strrchr(truth_path, '/');
        char lens_words[96] = "";
        if (lens)
            snprintf(lens_words, sizeof lens_words, "--lens '%s'", lens_path);
        snprintf(command, sizeof command, "'%s' look --json --game %s --board %s %s '%.*s%s' 2>/dev/null", ringside,
                 games[game].game, games[game].board, lens_words, slash ? (int)(slash - truth_path + 1) : 0, truth_path,
                 word(truth, "image"));
        char *text = output_of(command);
        json_t *got = text ? json_loads(text, 0, NULL) : NULL;
        out->pictures++;
        out->boards += json_is_true(json_object_get(json_object_get(got, "board"), "found"));
        score_pieces(out, truth, got);
        json_decref(got);
        free(text);
    }
    if (*lens_path)
        unlink(lens_path);
    json_decref(truth);
    return rc;
}

static int load_shots(json_t **out, int most, char *text)
{
    int n = 0;
    for (char *line = strtok(text, "\n"); line && n < most; line = strtok(NULL, "\n")) {
        json_t *o = json_loads(line, 0, NULL);
        if (o && strcmp(word(o, "event"), "shot") == 0)
            out[n++] = o;
        else
            json_decref(o);
    }
    return n;
}

static void score_rest(struct clip_tally *out, json_t *truth, json_t *got, double angle)
{
    struct placed read[PIECES], real[PIECES];
    int mate[PIECES], n = places(read, json_object_get(got, "at_rest")),
                      m = places(real, json_object_get(truth, "at_rest"));
    pair_up(mate, read, n, real, m, angle, SAME_REST_IN);
    for (int j = 0; j < m; j++) {
        if (strcmp(word(real[j].of, "zone"), "ditch") == 0)
            continue;
        out->pieces++;
        out->pieces_found += mate[j] >= 0;
        out->zones_right += mate[j] >= 0 && strcmp(word(read[mate[j]].of, "zone"), word(real[j].of, "zone")) == 0;
    }
}

static void score_shots(struct clip_tally *out, json_t *truth, json_t **got, int n)
{
    json_t *shots = json_object_get(truth, "shots"), *shot;
    bool used[PIECES] = { false };
    char by[2][2][SCORE_WORD] = { { "" } }; // whose word stands for whom: the reading's, the truth's
    size_t i;
    json_array_foreach(shots, i, shot)
    {
        int best = -1;
        for (int k = 0; k < n; k++)
            if (!used[k] && fabs(number(got[k], "start_s") - number(shot, "start_s")) < SAME_SHOT_S && best < 0)
                best = k;
        out->shots++;
        if (best < 0)
            continue;
        struct placed read[PIECES], real[PIECES];
        int a = places(read, json_object_get(got[best], "at_rest")), b = places(real, json_object_get(shot, "at_rest"));
        used[best] = true;
        out->found++;
        out->start_late_s = fmax(out->start_late_s, fabs(number(got[best], "start_s") - number(shot, "start_s")));
        score_rest(out, shot, got[best], best_turn(read, a, real, b));
        int side = *by[0][0] && strcmp(by[0][0], word(got[best], "by")) != 0;
        if (!*by[side][0]) {
            snprintf(by[side][0], SCORE_WORD, "%s", word(got[best], "by"));
            snprintf(by[side][1], SCORE_WORD, "%s", word(shot, "by"));
        }
        out->shooter_right +=
            strcmp(by[side][0], word(got[best], "by")) == 0 && strcmp(by[side][1], word(shot, "by")) == 0;
    }
    for (int k = 0; k < n; k++)
        out->false_shots += !used[k];
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int score_clip(struct clip_tally *out, const char *ringside, const char *truth_path, struct fail *why)
{
    char command[2048];
    json_t *truth = load_truth(truth_path, why), *got[PIECES];
    if (!truth)
        return RS_EINPUT;
    int game = game_of(word(truth, "kind"));
    const char *slash = strrchr(truth_path, '/');
    if (game < 0) {
        json_decref(truth);
        return rs_fail(why, RS_EINPUT, "%s: a kind of clip that is not known", truth_path);
    }
    snprintf(command, sizeof command, "'%s' review --json --game %s --board %s '%.*s%s' 2>/dev/null", ringside,
             games[game].game, games[game].board, slash ? (int)(slash - truth_path + 1) : 0, truth_path,
             word(truth, "clip"));
    double started = now_s();
    char *text = output_of(command);
    out->run_s += now_s() - started;
    out->clip_s += (double)json_array_size(json_object_get(truth, "frames")) / number(truth, "fps");
    int n = text ? load_shots(got, PIECES, text) : 0;
    score_shots(out, truth, got, n);
    for (int i = 0; i < n; i++)
        json_decref(got[i]);
    free(text);
    json_decref(truth);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int score_list(char paths[][512], int most, const char *folder)
{
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; d && n < most && (e = readdir(d)) != NULL;) {
        size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".json") == 0)
            snprintf(paths[n++], 512, "%s/%s", folder, e->d_name);
    }
    if (d)
        closedir(d);
    qsort(paths, (size_t)n, sizeof *paths, by_name);
    return n;
}

double score_quantile(double *values, int n, double q)
{
    int k = (int)(q * n);
    return n ? select_kth(values, n, k < n ? k : n - 1) : 0;
}
