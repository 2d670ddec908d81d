// SPDX-License-Identifier: MIT
#include "tests/accuracy/shots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SAME_SHOT_S = 0.6;

void shots_video(char *out, size_t size, const char *truth_path, const json_t *truth)
{
    const char *slash = strrchr(truth_path, '/');
    snprintf(out, size, "%.*s%s", slash ? (int)(slash - truth_path + 1) : 0, truth_path, score_word(truth, "clip"));
}

int shots_review(json_t **out, const char *ringside, const json_t *truth, const char *video, struct fail *why)
{
    char command[2048];
    const struct score_game *game = score_game(score_word(truth, "kind"));
    if (!game)
        return rs_fail(why, RS_EINPUT, "%s: a kind of clip that is not known", video);
    snprintf(command, sizeof command, "'%s' review --json --game %s --board %s '%s' 2>/dev/null", ringside, game->game,
             game->board, video);
    char *text = score_output(command);
    if (!text)
        return rs_fail(why, RS_ELIB, "%s: cannot be started", ringside);
    *out = json_array();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        json_array_append_new(*out, json_loads(line, 0, NULL)); // takes no line that is no JSON
    free(text);
    return 0;
}

int shots_events(json_t **out, int most, const json_t *events, const char *kind)
{
    int n = 0;
    size_t i;
    json_t *o;
    json_array_foreach(events, i, o)
    {
        if (n < most && strcmp(score_word(o, "event"), kind) == 0)
            out[n++] = o;
    }
    return n;
}

int shots_reading_of(const json_t *shot, json_t **got, int n, bool *used)
{
    int best = -1;
    double least = SAME_SHOT_S;
    for (int k = 0; k < n; k++) {
        double apart = fabs(score_number(got[k], "start_s") - score_number(shot, "start_s"));
        if (used[k] || apart >= least)
            continue;
        least = apart;
        best = k;
    }
    if (best >= 0)
        used[best] = true;
    return best;
}

void sides_learn(struct sides *s, const json_t *shot, const json_t *got)
{
    int i = *s->read[0] && strcmp(s->read[0], score_word(got, "by")) != 0;
    if (*s->read[i])
        return;
    snprintf(s->read[i], SCORE_WORD, "%s", score_word(got, "by"));
    snprintf(s->real[i], SCORE_WORD, "%s", score_word(shot, "by"));
}

const char *sides_of(const struct sides *s, const char *read)
{
    for (int i = 0; i < 2; i++)
        if (*s->read[i] && strcmp(s->read[i], read) == 0)
            return s->real[i];
    return read;
}
