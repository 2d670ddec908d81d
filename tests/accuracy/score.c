// SPDX-License-Identifier: MIT
#include "tests/accuracy/score.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/algebra.h"
#include "calibration/camera.h"
#include "tests/accuracy/reading.h"

enum { TURNS = 720 };
static const double FOUND_IN = 0.4;

double score_number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

const char *score_word(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static const struct score_game games[] = {
    { "crokinole", "crokinole", "crokinole-nca" },
    { "carrom", "crokinole-rings", "crokinole-rings-24" },
    { "marbles", "american-marbles", "ring-7ft" },
    { "none", "crokinole", "crokinole-nca" },
};

const struct score_game *score_game(const char *kind)
{
    for (size_t i = 0; i < countof(games); i++)
        if (strcmp(games[i].kind, kind) == 0)
            return &games[i];
    return NULL;
}

char *score_output(const char *command)
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

int score_places(struct placed *out, json_t *list)
{
    int n = 0;
    size_t i;
    json_t *o;
    json_array_foreach(list, i, o)
    {
        if (n == SCORE_PIECES || !json_is_number(json_object_get(o, "x_in")))
            continue;
        out[n++] = (struct placed){ { score_number(o, "x_in"), score_number(o, "y_in") }, o };
    }
    return n;
}

static struct pt_in turned(struct pt_in p, double angle)
{
    return (struct pt_in){ cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y };
}

double score_pair_up(int *mate, const struct placed *read, int n, const struct placed *truth, int m, double angle,
                     double reach_in)
{
    bool used[SCORE_PIECES] = { false };
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
double score_best_turn(const struct placed *read, int n, const struct placed *truth, int m)
{
    int mate[SCORE_PIECES];
    double best = 0, most = -1;
    for (int k = 0; k < TURNS; k++) {
        double angle = 2 * PI * k / TURNS, closeness = score_pair_up(mate, read, n, truth, m, angle, 1.5);
        if (closeness > most) {
            most = closeness;
            best = angle;
        }
    }
    for (int round = 0; round < 3; round++) {
        double cross = 0, dot = 0;
        score_pair_up(mate, read, n, truth, m, best, FOUND_IN);
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
    return (!visible || json_number_value(visible) >= 0.5) && strcmp(score_word(truth, "place"), "ditch") != 0;
}

static void judge_call(struct tally *out, const json_t *read, const json_t *truth, double error_in)
{
    const char *role = score_word(truth, "role");
    bool right = strcmp(score_word(read, "zone"), score_word(truth, "zone")) == 0 &&
                 (!*role || strcmp(score_word(read, "role"), role) == 0);
    bool firm = strcmp(score_word(read, "verdict"), "close") != 0;
    out->right += right;
    out->close += !firm;
    out->wrong_firm += firm && !right;
    out->within_2_sigma += error_in < 2 * score_number(read, "sigma_in");
    if (out->errors < SCORE_ERRORS) {
        out->sigma_in[out->errors] = score_number(read, "sigma_in");
        out->error_in[out->errors++] = error_in;
    }
    out->wrong_zone += firm && !json_equal(json_object_get(read, "zone"), json_object_get(truth, "zone"));
}

// Sides are right when all pieces that the reading gives one name have one name in the truth.
static int sides_right(const struct placed *read, const struct placed *truth, int m, const int *mate)
{
    int right = 0;
    for (int j = 0; j < m; j++) {
        int same = 0, all = 0;
        for (int k = 0; k < m && mate[j] >= 0; k++) {
            if (mate[k] < 0 ||
                strcmp(score_word(read[mate[k]].of, "colour"), score_word(read[mate[j]].of, "colour")) != 0)
                continue;
            all++;
            same += strcmp(score_word(truth[k].of, "colour"), score_word(truth[j].of, "colour")) == 0;
        }
        right += mate[j] >= 0 && asked_for(truth[j].of) && 2 * same > all;
    }
    return right;
}

static void score_pieces(struct tally *out, json_t *truth, json_t *got)
{
    struct placed read[SCORE_PIECES], real[SCORE_PIECES];
    int n = score_places(read, json_object_get(got, "pieces")),
        m = score_places(real, json_object_get(truth, "pieces"));
    int mate[SCORE_PIECES];
    bool taken[SCORE_PIECES] = { false };
    double angle = score_best_turn(read, n, real, m),
           edge = score_number(json_object_get(truth, "board"), "surface_radius_in");
    score_pair_up(mate, read, n, real, m, angle, FOUND_IN);
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
        out->false_pieces += !taken[i] && (edge <= 0 || hypot(read[i].at.x, read[i].at.y) < edge);
}

// What the program says of the picture itself: found, refused, how good, what is wrong with it.
static void hear_what_it_says(struct tally *out, const json_t *got)
{
    const json_t *board = json_object_get(got, "board");
    bool found = json_is_true(json_object_get(board, "found"));
    const char *refused = json_string_value(json_object_get(got, "refused"));
    const char *first = json_string_value(json_array_get(json_object_get(board, "limits"), 0));
    const char *grade = score_word(board, "grade"), *reason = refused ? strstr(refused, ": ") : NULL;
    const char *says = !found ? "no board" : reason ? reason + 2 : first;
    out->boards += found;
    out->refused += refused != NULL;
    if (*grade >= 'A' && *grade < 'A' + SCORE_GRADES)
        out->graded[*grade - 'A']++;
    if (!says)
        return;
    out->warned++;
    snprintf(out->says, sizeof out->says, "%s", says);
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
            score_number(c, "width"), score_number(c, "height"), score_number(c, "fx"), score_number(c, "cx"),
            score_number(c, "cy"), score_number(c, "k1"), score_number(c, "k2"));
    return fclose(f) == 0 ? 0 : rs_fail(why, RS_EIO, "%s: cannot be written", path);
}

json_t *score_truth(const char *path, struct fail *why)
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
    json_t *truth = score_truth(truth_path, why);
    if (!truth)
        return RS_EINPUT;
    const struct score_game *game = score_game(score_word(truth, "kind"));
    int rc = 0;
    snprintf(kind, SCORE_WORD, "%s", score_word(truth, "kind"));
    *tilt_deg = score_number(json_object_get(truth, "camera"), "tilt_deg");
    if (!game)
        rc = rs_fail(why, RS_EINPUT, "%s: a kind of picture that is not known: '%s'", truth_path, kind);
    if (rc == 0 && lens)
        rc = write_lens(lens_path, truth, why);
    if (rc == 0) {
        const char *slash = strrchr(truth_path, '/');
        char lens_words[96] = "";
        if (lens)
            snprintf(lens_words, sizeof lens_words, "--lens '%s'", lens_path);
        snprintf(command, sizeof command, "'%s' look --json --game %s --board %s %s '%.*s%s' 2>/dev/null", ringside,
                 game->game, game->board, lens_words, slash ? (int)(slash - truth_path + 1) : 0, truth_path,
                 score_word(truth, "image"));
        char *text = score_output(command);
        json_t *got = text ? json_loads(text, 0, NULL) : NULL;
        out->pictures++;
        hear_what_it_says(out, got);
        score_pieces(out, truth, got);
        json_decref(got);
        free(text);
    }
    if (*lens_path)
        unlink(lens_path);
    json_decref(truth);
    return rc;
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
        // What was agreed before a match is no truth of it.
        bool agreed = length > 11 && strcmp(e->d_name + length - 11, ".match.json") == 0;
        if (length > 5 && strcmp(e->d_name + length - 5, ".json") == 0 && !agreed)
            snprintf(paths[n++], 512, "%s/%s", folder, e->d_name);
    }
    if (d)
        closedir(d);
    qsort(paths, (size_t)n, sizeof *paths, by_name);
    return n;
}

// As `scene games` names its films: NAME_NNNN.mp4.
static bool is_by_chance(const char *clip)
{
    const char *number = strrchr(clip, '_');
    return number && strspn(number + 1, "0123456789") == 4 && number[5] == '.';
}

// As `scene clips` names its films, each behind what is played in it: crokinole_a.mp4.
static bool is_sample_clip(const char *clip, const char *kind)
{
    size_t length = strlen(kind);
    return length > 0 && strncmp(clip, kind, length) == 0 && clip[length] == '_';
}

int score_contents_of(enum score_contents *out, const char *truth_path, const char *folder, struct fail *why)
{
    json_t *truth = score_truth(truth_path, why);
    if (!truth)
        return RS_EINPUT;
    const char *clip = json_string_value(json_object_get(truth, "clip"));
    if (!clip)
        *out = strstr(folder, "nothing") ? SCORE_NOTHING : SCORE_PICTURES;
    else if (is_by_chance(clip))
        *out = SCORE_GAMES;
    else if (is_sample_clip(clip, score_word(truth, "kind")))
        *out = SCORE_CLIPS;
    else
        *out = strstr(folder, "games") ? SCORE_GAMES : SCORE_CLIPS;
    json_decref(truth);
    return 0;
}

const char *score_contents_words(enum score_contents contents)
{
    static const char *const words[] = { [SCORE_PICTURES] = "pictures",
                                         [SCORE_NOTHING] = "pictures without a board",
                                         [SCORE_CLIPS] = "clips",
                                         [SCORE_GAMES] = "games by chance" };
    return words[contents];
}

double score_quantile(double *values, int n, double q)
{
    int k = (int)(q * n);
    return n ? select_kth(values, n, k < n ? k : n - 1) : 0;
}
