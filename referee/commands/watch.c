// SPDX-License-Identifier: MIT
// `ringside watch`: referees what a camera sees, now.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "calibration/units.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/announce/voice.h"
#include "referee/commands/device.h"
#include "referee/commands/found.h"
#include "referee/commands/keys.h"
#include "referee/commands/setup.h"
#include "referee/commands/stream.h"
#include "referee/commands/verbs.h"
#include "vision/source/capture.h"

// How long the keys may wait while no frame comes, seconds.
static const double KEYS_EVERY_S = 0.05;

struct watch {
    struct setup setup;
    struct keys keys;
    struct source *source;
    struct capture *capture;
    struct voice *voice;
    struct stream stream;
    char log_path[SETUP_PATH_MAX];
    bool refusal_told;
};

// Keys of the judge, and the words they stand for in the log.
static const struct {
    char key;
    const char *what, *help;
} judge_keys[] = {
    { 'u', "undo", "take the last shot back" },
    { 'f', "foul", "foul" },
    { 's', "slips", "slips" },
    { 'n', "noplay", "no play" },
    { 'r', "round-over", "the round is over" },
    { 'g', "new-game", "new game" },
    { 'p', "permit", "permission to shoot" },
};

static int name_log(struct watch *w, const struct options *o, struct fail *why)
{
    char name[64] = "";
    struct tm date;
    time_t now = time(NULL);
    if (localtime_r(&now, &date))
        strftime(name, sizeof name, "%Y%m%d-%H%M%S", &date);
    int rc = setup_folder(o->out, why);
    return rc < 0 ? rc : setup_output(w->log_path, name, o->out, ".ringside.jsonl", why);
}

static void open_voice(struct watch *w, const struct options *o)
{
    struct fail why;
    if (o->no_voice)
        return;
    if (voice_create(&w->voice, &why) < 0)
        fprintf(stderr, "ringside: note: %s; the calls are not spoken\n", why.text);
    else
        stream_add(&w->stream, voice_announcer(w->voice));
}

static int open_watch(struct watch *w, const struct options *o, struct fail *why)
{
    int rc = setup_read(&w->setup, o, why);
    if (rc == 0)
        rc = name_log(w, o, why);
    if (rc == 0)
        rc = device_open(&w->source, o, why);
    if (rc == 0)
        rc = setup_take_saved_lens(&w->setup, o, source_info(w->source), why);
    if (rc == 0)
        rc = setup_take_saved_board(&w->setup, o, source_info(w->source), why);
    if (rc == 0)
        rc = keys_open(&w->keys, why);
    if (rc < 0)
        return rc;
    w->stream = (struct stream){ .options = o, .setup = &w->setup, .log_path = w->log_path };
    w->stream.source = source_info(w->source)->name;
    stream_add(&w->stream, o->json ? json_announcer(stdout) : console_announcer(stdout));
    open_voice(w, o);
    rc = stream_open(&w->stream, why);
    return rc < 0 ? rc : capture_start(&w->capture, w->source, !device_is_camera(o), why);
}

// 1 when the watching is to end.
static int take_keys(struct watch *w, struct fail *why)
{
    int key, rc = 0;
    while (rc == 0 && (key = keys_next(&w->keys)) != KEY_NONE) {
        if (key == KEY_END || key == 'q')
            return 1;
        for (size_t i = 0; i < countof(judge_keys) && rc == 0; i++)
            if (judge_keys[i].key == key)
                rc = stream_input(&w->stream, judge_keys[i].what, "", why);
    }
    return rc;
}

static void tell_found(const struct watch *w)
{
    char words[FOUND_WORDS_MAX];
    found_words(words, tracker_board(w->stream.eye), &w->setup);
    fprintf(stderr, "ringside: %s; log: %s\n", words, w->log_path);
    found_limits(stderr, "ringside: beware: ", tracker_board(w->stream.eye));
}

// Once, however often it is seen: the person has to do something, which takes a while.
static void tell_refused(struct watch *w)
{
    if (!w->refusal_told)
        fprintf(stderr, "ringside: %s\n", w->stream.refused.text);
    w->refusal_told = true;
}

static int look_at_next(struct watch *w, struct fail *why)
{
    struct frame *f = NULL;
    bool before = w->stream.begun;
    int rc = capture_next(w->capture, &f, KEYS_EVERY_S, why);
    if (rc != CAPTURE_FRAME)
        return rc;
    rc = stream_look(&w->stream, f, why);
    frame_free(f);
    if (rc == 0 && w->stream.begun && !before && !w->stream.options->quiet)
        tell_found(w);
    if (rc == 0 && w->stream.refused.text[0])
        tell_refused(w);
    return rc;
}

static int watch_on(struct watch *w, struct fail *why)
{
    int rc = 0;
    while (rc == 0) {
        rc = take_keys(w, why);
        if (rc == 0)
            rc = look_at_next(w, why);
    }
    return rc < 0 ? rc : stream_end(&w->stream, why);
}

static void tell_keys(const struct watch *w)
{
    fprintf(stderr, "ringside: watching %s; q ends", w->stream.source);
    for (size_t i = 0; i < countof(judge_keys); i++)
        fprintf(stderr, ", %c %s", judge_keys[i].key, judge_keys[i].help);
    fprintf(stderr, "\n");
}

// What was refereed with frames missing.
static void tell_dropped(const struct watch *w)
{
    long dropped = (w->capture ? capture_dropped(w->capture) : 0) + (w->source ? source_info(w->source)->dropped : 0);
    if (dropped > 0)
        fprintf(stderr, "ringside: note: %ld frame%s came too fast and %s dropped\n", dropped, dropped > 1 ? "s" : "",
                dropped > 1 ? "were" : "was");
}

static void finish(struct watch *w)
{
    capture_stop(w->capture);
    stream_finish(&w->stream);
    voice_free(w->voice);
    keys_finish(&w->keys);
    source_close(w->source);
    free(w);
}

static int watch(const struct options *o, struct fail *why)
{
    struct watch *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->keys.signals = -1;
    int rc = open_watch(w, o, why);
    if (rc == 0 && !o->quiet)
        tell_keys(w);
    if (rc == 0)
        rc = watch_on(w, why);
    if (rc == 0)
        tell_dropped(w);
    bool told = w->refusal_told && rc == ENDED_WITHOUT_BOARD;
    finish(w);
    if (told)
        why->text[0] = '\0';
    return rc;
}

const struct verb watch_verb = {
    .name = "watch",
    .operands = "",
    .says = "referee what a camera sees, live",
    .more = "Writes DATE-TIME.ringside.jsonl (the log) as it goes. Keys: q ends, u undo, f foul, s slips, n no play,\n"
            "r round over, g new game, p permission to shoot.\n",
    .flags = (const char *const[]){ "--game", "--camera", "--size", "--board", "--lens", "--out", "--json", "--quiet",
                                    "--no-voice", "--side", NULL },
    .run = watch,
};
