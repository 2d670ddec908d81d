// SPDX-License-Identifier: MIT
// `ringside watch`: referees what a camera sees, now.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/units.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/announce/voice.h"
#include "referee/commands/book.h"
#include "referee/commands/device.h"
#include "referee/commands/judge_keys.h"
#include "referee/commands/outputs.h"
#include "referee/commands/pages.h"
#include "referee/commands/playback.h"
#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"
#include "vision/source/capture.h"

struct watch {
    struct setup setup;
    struct keys keys;
    struct source *source;
    struct capture *capture;
    struct voice *voice;
    struct playback playback;
    struct pages pages;
    struct record *record;
    struct options options; // as a resumed match has them
    char log_path[SETUP_PATH_MAX];
    bool refusal_told;
};

static void tell_keys(const struct watch *w)
{
    fprintf(stderr, "ringside: q ends, ? these keys");
    judge_keys_print(stderr, w->setup.game);
    fprintf(stderr, "\n");
}

static int take_key(struct watch *w, int key, struct fail *why)
{
    struct observation said;
    if (key == '\n' || key == '\r')
        return 0;
    if (key == '?')
        tell_keys(w);
    else if (!w->playback.begun)
        fprintf(stderr, "ringside: no board is found yet: nothing to judge\n");
    else if (judge_keys_input(&said, key, &w->playback.adjudication.match))
        return playback_input(&w->playback, &said, why);
    else
        fprintf(stderr, "ringside: the key %c says nothing in this game; ? lists the keys\n",
                key >= ' ' && key <= '~' ? key : '?');
    return 0;
}

// The next frame; the judge's keys are taken in between.
static int next_frame(void *self, struct frame **out, struct fail *why)
{
    struct watch *w = self;
    int rc = CAPTURE_NOTHING;
    while (rc == CAPTURE_NOTHING) {
        int key;
        while (rc == 0 && (key = keys_next(&w->keys)) != KEY_NONE) {
            if (key == KEY_END || key == 'q')
                return 0;
            rc = take_key(w, key, why);
        }
        if (rc == 0)
            rc = pages_listen(&w->pages, &w->playback, why);
        if (rc == 0)
            rc = capture_next(w->capture, out, KEYS_EVERY_S, why);
    }
    return rc == CAPTURE_ENDED || rc == RS_EENDED ? 0 : rc; // the thread may have seen the signal first
}

// Once, however often it is seen: the person has to do something, which takes a while.
static int tell_refused(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    struct watch *w = self;
    (void)f, (void)why;
    if (p->refused.text[0] && !w->refusal_told) {
        fprintf(stderr, "ringside: %s\n", p->refused.text);
        w->refusal_told = true;
    }
    return 0;
}

// What was refereed with frames missing.
static void tell_losses(const struct watch *w)
{
    const struct source_info *info = source_info(w->source);
    long dropped = capture_dropped(w->capture) + (w->playback.info ? 0 : info->dropped);
    if (w->playback.info)
        view_print_losses(stderr, info);
    if (dropped > 0)
        fprintf(stderr, "ringside: note: %ld frame%s came too fast and %s dropped\n", dropped, dropped > 1 ? "s" : "",
                dropped > 1 ? "were" : "was");
}

// One line: how far it went, and how it goes on. Ctrl-C is one of the keys; who ends it otherwise is told so by its status.
static int tell_ended(const struct watch *w, int rc, struct fail *why)
{
    char kept[400] = "";
    bool key = interrupt_signal() == SIGINT;
    if (rc == ENDED_WITHOUT_BOARD)
        return key ? rc : rs_fail(why, RS_EENDED, "ended by %s: no board was found by then", interrupt_name());
    if (w->record)
        snprintf(kept, sizeof kept, "; kept as match %ld of %.200s: ringside watch --resume %ld goes on with it",
                 w->record->match, w->record->path, w->record->match);
    rs_fail(why, RS_EENDED, "ended by %s after %.1f s: the log is whole up to there%s", interrupt_name(),
            w->playback.played_s, kept);
    if (!key)
        return RS_EENDED;
    if (!w->options.quiet)
        fprintf(stderr, "ringside: %s\n", why->text);
    return rc;
}

// By the date in UTC: local time comes twice in autumn.
static int name_log(struct watch *w, struct fail *why)
{
    struct outputs files = { 0 };
    char name[64] = "";
    struct tm date;
    time_t now = time(NULL);
    if (gmtime_r(&now, &date))
        strftime(name, sizeof name, "%Y%m%d-%H%M%SZ", &date);
    int rc = setup_folder(w->options.out, why);
    if (rc == 0)
        rc = setup_output(w->log_path, name, w->options.out, PLAYBACK_LOG_ENDING, why);
    if (rc == 0)
        rc = outputs_options(&files, &w->options, why);
    if (rc == 0)
        rc = outputs_writes(&files, w->log_path, "the watch", why);
    outputs_finish(&files);
    return rc;
}

static int watch(const struct options *given, struct fail *why)
{
    struct fail mute;
    long resumed = 0;
    struct watch *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory to watch");
    struct playback *p = &w->playback;
    struct options *o = &w->options;
    *o = *given;
    int rc = book_begin(&w->record, &resumed, o, 0, !o->no_book, why);
    if (rc == 0)
        rc = setup_read(&w->setup, o, why);
    if (rc == 0)
        rc = name_log(w, why);
    if (rc == 0)
        rc = device_open(&w->source, o, why);
    if (rc == 0)
        rc = setup_take_saved(&w->setup, o, source_info(w->source), true, why);
    if (rc < 0)
        goto out;
    keys_open(&w->keys);
    playback_init(p, o, &w->setup, source_info(w->source)->name, w->log_path);
    p->next = next_frame;
    p->from = w;
    p->info = device_is_camera(o) ? NULL : source_info(w->source);
    p->record = w->record;
    p->resume = resumed;
    p->tells_found = !o->quiet;
    p->log_told = w->log_path;
    p->numbers_log = true;
    playback_add(p, (struct frame_consumer){ tell_refused, w });
    playback_announce(p, o->json ? json_announcer(stdout) : console_announcer(stdout));
    if (!o->no_voice && !o->quiet && voice_create(&w->voice, &mute) < 0)
        fprintf(stderr, "ringside: note: %s; the calls are not spoken\n", mute.text);
    if (w->voice)
        playback_announce(p, voice_announcer(w->voice));
    if (!o->no_web)
        rc = pages_open(&w->pages, o, w->setup.game, why);
    if (rc == 0)
        rc = pages_plug(&w->pages, p, why);
    if (rc < 0)
        goto out;
    rc = capture_start(&w->capture, w->source, !device_is_camera(o), why);
    if (rc < 0)
        goto out;
    if (!o->quiet) {
        foreign_tell(stderr, "ringside: watching %s", source_info(w->source)->name);
        tell_keys(w);
        pages_tell(&w->pages);
    }
    rc = playback_run(p, why);
    if (rc >= 0 && interrupt_signal())
        rc = tell_ended(w, rc, why);
    else if (rc == 0 && w->record && !o->quiet)
        foreign_tell(stderr, "ringside: kept as match %ld of %s", w->record->match, w->record->path);
    if (rc == 0 || rc == RS_EENDED)
        tell_losses(w);
    if (w->refusal_told && rc == ENDED_WITHOUT_BOARD)
        why->text[0] = '\0';
out:
    capture_stop(w->capture);
    playback_finish(&w->playback);
    pages_close(&w->pages);
    voice_free(w->voice);
    keys_finish(&w->keys);
    source_close(w->source);
    record_close(w->record);
    free(w);
    return rc;
}

const struct verb watch_verb = {
    .name = "watch",
    .operands = "[MATCH]",
    .says = "referee what a camera sees, live",
    .more = "Writes DATE-TIME.ringside.jsonl (the log) as it goes, and keeps the match in the record. With --resume "
            "the last\n"
            "match of the record, or MATCH, goes on where it was left. Keys: q ends, ? lists what a judge can say.\n",
    .flags = (const char *const[]){ "--game",   "--camera", "--size",    "--board",    "--lens",  "--hint",
                                    "--out",    "--json",   "--quiet",   "--no-voice", "--book",  "--no-book",
                                    "--resume", "--side",   "--players", "--format",   "--match", "--judge",
                                    "--listen", "--no-web", "--tune",    NULL },
    .operands_max = 1,
    .run = watch,
};
