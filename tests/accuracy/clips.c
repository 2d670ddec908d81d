// SPDX-License-Identifier: MIT
#include "tests/accuracy/clips.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/accuracy/reading.h"
#include "tests/accuracy/score.h"
#include "tests/accuracy/shots.h"

static const double SAME_REST_IN = 0.5;
static const double CONTACT_FRAMES = 1.5; // a frame before or after, and half a frame of the answer's own step

static bool on_board(const json_t *at_rest)
{
    const char *zone = score_word(at_rest, "zone");
    return strcmp(zone, "ditch") != 0 && strcmp(zone, "out") != 0;
}

static void score_rest(struct clip_tally *out, json_t *truth, json_t *got, double angle)
{
    struct placed read[SCORE_PIECES], real[SCORE_PIECES];
    bool taken[SCORE_PIECES] = { false };
    int mate[SCORE_PIECES], n = score_places(read, json_object_get(got, "at_rest")),
                            m = score_places(real, json_object_get(truth, "at_rest"));
    score_pair_up(mate, read, n, real, m, angle, SAME_REST_IN);
    for (int j = 0; j < m; j++) {
        if (mate[j] >= 0)
            taken[mate[j]] = true;
        if (strcmp(score_word(real[j].of, "zone"), "ditch") == 0)
            continue;
        out->pieces++;
        out->pieces_found += mate[j] >= 0;
        out->zones_right +=
            mate[j] >= 0 && strcmp(score_word(read[mate[j]].of, "zone"), score_word(real[j].of, "zone")) == 0;
    }
    for (int i = 0; i < n; i++)
        out->false_pieces += !taken[i] && on_board(read[i].of);
}

static const char *colour_of(const json_t *truth, const char *id)
{
    size_t i, k;
    json_t *frame, *piece;
    json_array_foreach(json_object_get(truth, "frames"), i, frame)
    {
        json_array_foreach(json_object_get(frame, "pieces"), k, piece)
        {
            if (strcmp(score_word(piece, "id"), id) == 0)
                return score_word(piece, "colour");
        }
    }
    return "";
}

// What the shot's piece touched first: "peg", a colour, "" for nothing; and when.
static const char *first_touched(double *t_s, const json_t *truth, const json_t *shot)
{
    const char *piece = score_word(shot, "piece");
    size_t i;
    json_t *c;
    json_array_foreach(json_object_get(shot, "contacts"), i, c)
    {
        bool a = strcmp(score_word(c, "a"), piece) == 0, b = strcmp(score_word(c, "b"), piece) == 0;
        const char *other = score_word(c, a ? "b" : "a");
        *t_s = score_number(c, "t_s");
        if (a || b)
            return strncmp(other, "peg", 3) == 0 ? "peg" : colour_of(truth, other);
    }
    return "";
}

static void score_contact(struct clip_tally *out, const json_t *truth, const json_t *shot, const json_t *got,
                          const struct sides *sides, double frame_s)
{
    double real_s = 0;
    const json_t *read = json_object_get(got, "first_contact");
    const char *real = first_touched(&real_s, truth, shot), *with = score_word(read, "with");
    bool right = strcmp(with, real) == 0 || (*with && strcmp(sides_of(sides, with), real) == 0);
    out->contacts_right += right;
    out->contacts_in_time += right && (!*real || fabs(score_number(read, "t_s") - real_s) <= CONTACT_FRAMES * frame_s);
}

static void score_outcome(struct clip_tally *out, const json_t *shot, const json_t *got)
{
    const char *const same[] = { "taw_in", "shoots_again" };
    if (!json_object_get(shot, "taw_in"))
        return;
    bool right = score_number(got, "knocked_out") == (double)json_array_size(json_object_get(shot, "knocked_out"));
    for (size_t i = 0; i < countof(same); i++)
        right &= json_is_true(json_object_get(got, same[i])) == json_is_true(json_object_get(shot, same[i]));
    out->outcomes++;
    out->outcomes_right += right;
}

static void score_shot(struct clip_tally *out, json_t *shot, json_t *got, const struct sides *sides)
{
    struct placed read[SCORE_PIECES], real[SCORE_PIECES];
    int a = score_places(read, json_object_get(got, "at_rest")),
        b = score_places(real, json_object_get(shot, "at_rest"));
    out->found++;
    out->start_late_s = fmax(out->start_late_s, fabs(score_number(got, "start_s") - score_number(shot, "start_s")));
    score_rest(out, shot, got, score_best_turn(read, a, real, b));
    out->shooter_right += strcmp(sides_of(sides, score_word(got, "by")), score_word(shot, "by")) == 0;
    score_outcome(out, shot, got);
}

static void score_shots(struct clip_tally *out, const json_t *truth, json_t **got, int n, double frame_s)
{
    json_t *shots = json_object_get(truth, "shots"), *shot;
    int mate[SCORE_PIECES];
    bool used[SCORE_PIECES] = { false };
    struct sides sides = { { "" }, { "" } };
    size_t i;
    json_array_foreach(shots, i, shot)
    {
        mate[i] = shots_reading_of(shot, got, n, used);
        if (mate[i] >= 0)
            sides_learn(&sides, shot, got[mate[i]]);
    }
    json_array_foreach(shots, i, shot)
    {
        out->shots++;
        if (mate[i] < 0)
            continue;
        score_shot(out, shot, got[mate[i]], &sides);
        score_contact(out, truth, shot, got[mate[i]], &sides, frame_s);
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

// Reads the video, the truth's own or a copy of it.
static int score_video(struct clip_tally *out, const char *ringside, const json_t *truth, const char *video,
                       double frame_s, struct fail *why)
{
    json_t *events, *got[SCORE_PIECES];
    double started = now_s();
    int rc = shots_review(&events, ringside, truth, video, why);
    if (rc < 0)
        return rc;
    out->run_s += now_s() - started;
    out->clip_s += (double)json_array_size(json_object_get(truth, "frames")) / score_number(truth, "fps");
    score_shots(out, truth, got, shots_events(got, SCORE_PIECES, events, "shot"), frame_s);
    json_decref(events);
    return 0;
}

static void remove_folder(const char *folder)
{
    char path[512];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        remove(path);
    }
    if (d)
        closedir(d);
    remove(folder);
}

static int score_copy(struct clip_tally *out, const char *ringside, const json_t *truth, const char *own,
                      enum clip_rate rate, struct fail *why)
{
    char folder[] = "/tmp/ringside-clip-XXXXXX", copy[64];
    double frame_s;
    if (!mkdtemp(folder))
        return rs_fail(why, RS_EIO, "%s: no such folder can be made", folder);
    snprintf(copy, sizeof copy, "%s/copy.mp4", folder);
    int rc = clip_copy(&frame_s, own, copy, rate, why);
    if (rc == 0)
        rc = score_video(out, ringside, truth, copy, frame_s, why);
    remove_folder(folder);
    return rc;
}

int clip_score(struct clip_tally *out, const char *ringside, const char *truth_path, enum clip_rate rate,
               struct fail *why)
{
    char own[512];
    json_t *truth = score_truth(truth_path, why);
    if (!truth)
        return RS_EINPUT;
    shots_video(own, sizeof own, truth_path, truth);
    int rc = rate == CLIP_AS_IT_IS ? score_video(out, ringside, truth, own, 1 / score_number(truth, "fps"), why)
                                   : score_copy(out, ringside, truth, own, rate, why);
    json_decref(truth);
    return rc;
}
