// SPDX-License-Identifier: MIT
#include "referee/commands/retrial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "referee/announce/json.h"
#include "referee/commands/looked.h"
#include "referee/commands/progress.h"
#include "referee/commands/stream.h"
#include "referee/commands/verbs.h"

// All that has an owner while a recording is judged.
struct retrial {
    struct options options;
    struct setup setup;
    struct source *footage;
    struct stream stream;
    struct progress progress;
    char log_path[BUNDLE_PATH_MAX];
};

static int open_output(FILE **out, char path[BUNDLE_PATH_MAX], const char *folder, const char *prefix, const char *name,
                       struct fail *why)
{
    char joined[64];
    snprintf(joined, sizeof joined, "%s%s", prefix, name);
    *out = fopen(bundle_path(path, folder, joined), "wb");
    return *out ? 0 : rs_fail(why, RS_EIO, "cannot write %.300s: %s", path, strerror(errno));
}

static int close_output(FILE *f, int rc, const char *path, struct fail *why)
{
    if (f && fclose(f) != 0 && rc >= 0)
        return rs_fail(why, RS_EIO, "cannot write %.300s: %s", path, strerror(errno));
    return rc;
}

static int read_setup(struct setup *out, const struct bundle *b, const char *folder, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    *out = (struct setup){ .has_lens = access(bundle_path(path, folder, BUNDLE_LENS), F_OK) == 0 };
    int rc = setup_game(&out->game, b->game, why);
    if (rc == 0 && out->has_lens)
        rc = lens_file_read(&out->lens, path, why);
    return rc == 0 ? board_file_read(&out->board, bundle_path(path, folder, BUNDLE_BOARD), why) : rc;
}

static int look_through(struct retrial *r, struct fail *why)
{
    struct frame *f = NULL;
    int rc;
    while ((rc = source_next(r->footage, &f, why)) > 0) {
        rc = stream_look(&r->stream, f, why);
        progress_tell(&r->progress, f->t_s);
        frame_free(f);
        if (rc < 0)
            break;
    }
    progress_clear(&r->progress);
    return rc < 0 ? rc : stream_end(&r->stream, why);
}

static int judge_recording(struct retrial *r, const struct bundle *b, const char *folder, FILE *calls, bool quiet,
                           struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    r->options.sides = b->players;
    for (int i = 0; i < b->players; i++)
        memcpy(r->options.side[i].colour, b->player[i], sizeof b->player[i]);
    r->stream =
        (struct stream){ .options = &r->options, .setup = &r->setup, .source = b->frames, .log_path = r->log_path };
    int rc = footage_open(&r->footage, bundle_path(path, folder, b->frames), why);
    if (rc == 0) {
        r->progress = progress_begin(source_info(r->footage)->duration_s, !quiet);
        stream_add(&r->stream, json_announcer(calls));
        rc = stream_open(&r->stream, why);
    }
    if (rc == 0)
        rc = look_through(r, why);
    stream_finish(&r->stream);
    source_close(r->footage);
    return rc;
}

static int judge_photo(const struct setup *s, const char *folder, FILE *calls, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    struct frame *f = NULL;
    struct fail not_told = { .text = "" };
    struct looked *l = malloc(sizeof *l);
    if (!l)
        abort();
    int rc = looked_read(&f, bundle_path(path, folder, BUNDLE_PHOTO), why);
    if (rc == 0)
        rc = looked_at(l, f, s, why);
    if (rc >= 0 && json_print(calls, looked_json(BUNDLE_PHOTO, s, l), &not_told) < 0) {
        *why = not_told;
        rc = not_told.code;
    }
    frame_free(f);
    free(l);
    return rc;
}

int retrial_of_frames(struct bundle *b, const char *folder, const char *prefix, bool quiet, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    FILE *calls;
    struct retrial *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    snprintf(r->log_path, sizeof r->log_path, "%.4000s/%s%s", folder, prefix, BUNDLE_LOG);
    int rc = open_output(&calls, path, folder, prefix, BUNDLE_CALLS, why);
    if (rc == 0)
        rc = read_setup(&r->setup, b, folder, why);
    if (rc == 0)
        rc = strcmp(b->frames, BUNDLE_PHOTO) == 0 ? judge_photo(&r->setup, folder, calls, why)
                                                  : judge_recording(r, b, folder, calls, quiet, why);
    rc = close_output(calls, rc, path, why);
    b->without_board = rc == ENDED_WITHOUT_BOARD;
    snprintf(b->said, sizeof b->said, "%s", b->without_board ? why->text : "");
    free(r);
    return rc < 0 ? rc : 0;
}

int retrial_of_log(const struct bundle *b, const char *folder, const char *prefix, struct fail *why)
{
    char path[BUNDLE_PATH_MAX], log_path[BUNDLE_PATH_MAX];
    FILE *calls;
    struct log_reader *log = NULL;
    const struct game *game;
    int rc = open_output(&calls, path, folder, prefix, BUNDLE_CALLS, why);
    if (rc == 0)
        rc = setup_game(&game, b->game, why);
    if (rc == 0)
        rc = log_reader_open(&log, bundle_path(log_path, folder, BUNDLE_LOG), why);
    if (rc == 0)
        rc = hearing_of_log(log, game, json_announcer(calls), why);
    log_reader_free(log);
    return close_output(calls, rc, path, why);
}
