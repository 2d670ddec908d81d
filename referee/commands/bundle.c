// SPDX-License-Identifier: MIT
// `ringside bundle FOOTAGE|IMAGE|LOG`: one file to hand a failure in with, and `--check` to judge it again.
//
// What is in a bundle is judged the same way when it is made and when it is checked; a check writes what comes of it
// under names that begin with BUNDLE_AGAIN, beside what came of it when the bundle was made.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/announce/json.h"
#include "referee/commands/bundle_file.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/outputs.h"
#include "referee/commands/photo_reading.h"
#include "referee/commands/playback.h"
#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"
#include "referee/match_setup.h"
#include "vision/frame_file.h"
#include "vision/source/remux.h"

enum { SHOWN_BYTES = 400 }; // of a line that is not the same

static int open_calls(FILE **out, char path[BUNDLE_PATH_MAX], const char *folder, const char *prefix, struct fail *why)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, BUNDLE_CALLS);
    *out = fopen(bundle_path(path, folder, name), "wb");
    return *out ? 0 : rs_fail(why, RS_EIO, "cannot write %.300s: %s", path, strerror(errno));
}

static int close_calls(FILE *f, int rc, const char *path, struct fail *why)
{
    if (f && fclose(f) != 0 && rc >= 0)
        return rs_fail(why, RS_EIO, "cannot write %.300s: %s", path, strerror(errno));
    return rc;
}

// The log alone, through the rules: writes folder/PREFIXcalls.jsonl.
static int rejudge_log(const struct bundle *b, const char *folder, const char *prefix, struct fail *why)
{
    char path[BUNDLE_PATH_MAX], log_path[BUNDLE_PATH_MAX];
    FILE *calls;
    struct log_reader *log = NULL;
    const struct game *game;
    int rc = open_calls(&calls, path, folder, prefix, why);
    if (rc == 0)
        rc = setup_game(&game, b->game, why);
    if (rc == 0)
        rc = log_reader_open(&log, bundle_path(log_path, folder, BUNDLE_LOG), why);
    if (rc == 0 && strcmp(log_reader_header(log)->game, b->game) != 0)
        rc = rs_fail(why, RS_EINPUT, "%s is a log of %s, the bundle says that %s was played", log_path,
                     log_reader_header(log)->game, b->game);
    if (rc == 0)
        rc = adjudicate_log(log, game, json_announcer(calls), why);
    log_reader_free(log);
    return close_calls(calls, rc, path, why);
}

// All that has an owner while the frames of a bundle are judged.
struct rejudge {
    struct options options;
    struct setup setup;
    struct source *footage;
    struct playback playback;
    struct photo_reading photo;
    char log_path[BUNDLE_PATH_MAX];
};

static int rejudge_recording(struct rejudge *r, const struct bundle *b, const char *folder, FILE *calls, bool quiet,
                             struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    r->setup.match = b->match;
    playback_init(&r->playback, &r->options, &r->setup, b->frames, r->log_path);
    playback_announce(&r->playback, json_announcer(calls));
    int rc = footage_open(&r->footage, bundle_path(path, folder, b->frames), why);
    if (rc == 0) {
        r->playback.progress = progress_begin(source_info(r->footage)->duration_s, !quiet);
        rc = playback_run(&r->playback, r->footage, why);
    }
    playback_finish(&r->playback);
    source_close(r->footage);
    return rc;
}

// The frames, through the tracker and the rules: writes folder/PREFIXlog.jsonl (for a recording with a board) and
// folder/PREFIXcalls.jsonl; b->without_board and b->said tell how it ended. Needs game, frames and players, and in the
// folder the frames, the board and, where there is one, the lens.
static int rejudge_frames(struct bundle *b, const char *folder, const char *prefix, bool quiet, struct fail *why)
{
    char path[BUNDLE_PATH_MAX], kept[BUNDLE_PATH_MAX];
    FILE *calls;
    struct frame *f = NULL;
    struct rejudge *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory to judge a bundle");
    struct setup *s = &r->setup;
    snprintf(r->log_path, sizeof r->log_path, "%.4000s/%s%s", folder, prefix, BUNDLE_LOG);
    int rc = open_calls(&calls, path, folder, prefix, why);
    s->tuning = &tuning_defaults;
    s->has_lens = access(bundle_path(kept, folder, BUNDLE_LENS), F_OK) == 0;
    if (rc == 0)
        rc = setup_game(&s->game, b->game, why);
    if (rc == 0 && s->has_lens)
        rc = lens_file_read(&s->lens, kept, why);
    if (rc == 0)
        rc = board_file_read(&s->board, bundle_path(kept, folder, BUNDLE_BOARD), why);
    if (rc == 0)
        rc = match_setup_fits(s->game, &s->board, why);
    bool photo = strcmp(b->frames, BUNDLE_PHOTO) == 0;
    if (rc == 0 && !photo)
        rc = rejudge_recording(r, b, folder, calls, quiet, why);
    if (rc == 0 && photo) {
        rc = photo_load(&f, bundle_path(kept, folder, BUNDLE_PHOTO), why);
        if (rc == 0)
            rc = photo_read(&r->photo, f, s, why);
        frame_free(f);
        int told = rc < 0 ? rc : json_print(calls, photo_json(BUNDLE_PHOTO, s, &r->photo), why);
        rc = told < 0 ? told : rc;
    }
    rc = close_calls(calls, rc, path, why);
    b->without_board = rc == ENDED_WITHOUT_BOARD;
    snprintf(b->said, sizeof b->said, "%s", b->without_board ? why->text : "");
    free(r);
    return rc < 0 ? rc : 0;
}

// The log as it is, but for the name and size of the recording.
static int put_log(struct bundle *b, const char *folder, const char *path, struct fail *why)
{
    char to[BUNDLE_PATH_MAX];
    struct log_reader *in = NULL;
    struct log_writer *out = NULL;
    struct observation o;
    int rc = log_reader_open(&in, path, why);
    if (rc == 0) {
        struct log_header header = *log_reader_header(in);
        snprintf(header.source, sizeof header.source, "%s", BUNDLE_LOG);
        header.source_bytes = 0;
        snprintf(b->game, sizeof b->game, "%s", header.game);
        rc = log_writer_create(&out, bundle_path(to, folder, BUNDLE_LOG), &header, why);
    }
    while (rc == 0 && (rc = interrupt_check(why)) == 0 && (rc = log_read(in, &o, why)) > 0)
        rc = log_write(out, &o, why);
    log_writer_free(out);
    log_reader_free(in);
    return rc == 0 ? rejudge_log(b, folder, "", why) : rc;
}

// A photograph upright, every pixel as decoded, and without what cameras and phones write beside them; of a recording
// the part that was asked for.
static int put_frames(struct bundle *b, const char *folder, const struct options *o, bool photo, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    struct setup s;
    struct frame *f = NULL;
    struct remux c = { .from_s = o->from_s, .to_s = o->to_s };
    int rc = setup_read(&s, o, why);
    if (rc == 0)
        rc = board_file_write(bundle_path(path, folder, BUNDLE_BOARD), &s.board, why);
    if (rc == 0 && s.has_lens)
        rc = lens_file_write(bundle_path(path, folder, BUNDLE_LENS), &s.lens, 0, why);
    if (rc == 0 && photo) {
        rc = photo_load(&f, o->operand[0], why);
        if (rc == 0)
            rc = frame_write(f, bundle_path(path, folder, BUNDLE_PHOTO), why);
        frame_free(f);
        snprintf(b->frames, sizeof b->frames, "%s", BUNDLE_PHOTO);
    } else if (rc == 0) {
        rc = remux_make(&c, folder, o->operand[0], why);
        snprintf(b->frames, sizeof b->frames, "%s", c.name);
        b->from_s = c.from_s;
        b->to_s = c.to_s;
        if (rc == 0) // else the failure says it all
            view_print_losses(stderr, &c.recording);
    }
    if (rc < 0)
        return rc;
    snprintf(b->game, sizeof b->game, "%s", s.game->name);
    b->match = s.match;
    return rejudge_frames(b, folder, "", o->quiet, why);
}

// What a log or a bundle has itself, told otherwise, would be passed over in silence; of a bundle also from what.
static int refuse_of_making(const struct options *o, const char *is, bool made, struct fail *why)
{
    const struct {
        const char *flag;
        bool given;
    } of_making[] = { { "--game", o->game },
                      { "--board", o->board },
                      { "--lens", o->lens },
                      { "--side", o->sides > 0 },
                      { "--from", made && o->from_s > 0 },
                      { "--to", made && isfinite(o->to_s) },
                      { "--out", made && o->out } };
    for (size_t i = 0; i < countof(of_making); i++)
        if (of_making[i].given)
            return rs_fail(why, RS_EINPUT, "%s: leave %s out", is, of_making[i].flag);
    return 0;
}

static int make(const struct options *o, const char *folder, struct fail *why)
{
    struct bundle b = { .game = "" };
    struct stat st;
    char path[SETUP_PATH_MAX], part[80] = "";
    const char *what = o->operand[0], *dot = strrchr(what, '.');
    bool log = dot && strcmp(dot, ".jsonl") == 0, photo = !log && photo_begins(what);
    int rc = 0;
    snprintf(b.version, sizeof b.version, "%s", version_words);
    if ((o->from_s > 0 || isfinite(o->to_s)) && (log || photo))
        return rs_fail(why, RS_EINPUT, "--from and --to are for recordings, and %.300s is none", what);
    if (log && (rc = refuse_of_making(o, "a log has its game, board and sides", false, why)) < 0)
        return rc;
    if (!(o->from_s < o->to_s))
        return rs_fail(why, RS_EINPUT, "--from %g --to %g: nothing lies between them", o->from_s, o->to_s);
    if (o->out)
        snprintf(path, sizeof path, "%s", o->out);
    else
        rc = setup_output(path, what, NULL, log ? "-bundle.tar" : ".ringside-bundle.tar", why);
    struct outputs files = { 0 };
    if (rc == 0)
        rc = outputs_options(&files, o, why);
    if (rc == 0)
        rc = outputs_writes(&files, path, what, why);
    outputs_finish(&files);
    if (rc == 0)
        rc = log ? put_log(&b, folder, what, why) : put_frames(&b, folder, o, photo, why);
    if (rc == 0)
        rc = bundle_pack(path, folder, &b, why);
    if (rc < 0 || o->quiet)
        return rc;
    double mb = stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0;
    if (b.without_board)
        foreign_tell(stderr, "ringside: %s", b.said);
    if (b.to_s > 0)
        snprintf(part, sizeof part, ": %.1f to %.1f s of the picture, no sound", b.from_s, b.to_s);
    foreign_tell(stderr, "ringside: wrote %s (%.1f MB)%s", path, mb, part);
    return 0;
}

// With its end, of a file that anybody may have made: it holds any bytes.
struct line {
    char *text;
    size_t room, length;
};

// False at the end, and of no file: then it is empty.
static bool next_line(struct line *l, FILE *in)
{
    ssize_t n = in ? getline(&l->text, &l->room, in) : -1;
    l->length = n > 0 ? (size_t)n : 0;
    return n > 0;
}

static bool same_line(const struct line *a, const struct line *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

// As a terminal may have it: its beginning, a zero byte as '?'.
static void show_line(char out[SHOWN_BYTES + 1], const struct line *l)
{
    size_t end = l->length > 0 && l->text[l->length - 1] == '\n';
    size_t n = l->length - end < SHOWN_BYTES ? l->length - end : SHOWN_BYTES;
    for (size_t i = 0; i < n; i++)
        out[i] = l->text[i] ? l->text[i] : '?';
    out[n] = '\0';
    foreign_make_plain(out);
    if (l->length == 0)
        snprintf(out, SHOWN_BYTES + 1, "(nothing)");
}

static void tell_difference(const char *what, long number, const struct line *then, const struct line *now)
{
    char a[SHOWN_BYTES + 1], b[SHOWN_BYTES + 1];
    size_t at = 0;
    show_line(a, then);
    show_line(b, now);
    printf("%s: differ from line %ld on\n  then: %s\n  now:  %s\n", what, number, a, b);
    while (at < then->length && at < now->length && then->text[at] == now->text[at])
        at++;
    if (strcmp(a, b) == 0)
        printf("  from byte %zu of that line on; it has %zu bytes, now %zu, with its end\n", at + 1, then->length,
               now->length);
}

// Line by line, so that it can be told where it differs; the same is also that there was none and is none. RS_EIO when
// that cannot be told.
static int compare(bool *differs, const char *what, const char *folder, const char *name, struct fail *why)
{
    char path[BUNDLE_PATH_MAX], again[64];
    struct line then = { NULL, 0, 0 }, now = { NULL, 0, 0 };
    bool more = true, same = true;
    int rc = 0;
    snprintf(again, sizeof again, "%s%s", BUNDLE_AGAIN, name);
    FILE *first = fopen(bundle_path(path, folder, name), "rb");
    bool lost = !first && errno != ENOENT;
    FILE *second = fopen(bundle_path(path, folder, again), "rb");
    lost |= !second && errno != ENOENT;
    long n = 0;
    if (!first && !second && !lost)
        return 0;
    while (more && same) {
        more = next_line(&then, first);
        more |= next_line(&now, second);
        same = same_line(&then, &now);
        n++;
    }
    lost |= (first && then.length == 0 && !feof(first)) || (second && now.length == 0 && !feof(second));
    if (lost)
        rc = rs_fail(why, RS_EIO, "%s cannot be read and compared: %s", what, strerror(errno));
    else if (same)
        printf("%s: %ld line%s, the same byte for byte\n", what, n - 1, n == 2 ? "" : "s");
    else
        tell_difference(what, n, &then, &now);
    *differs |= !same;
    free(then.text);
    free(now.text);
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return rc;
}

static int check(const struct options *o, const char *folder, struct fail *why)
{
    struct bundle b, again;
    bool differs = false;
    int rc = bundle_unpack(&b, folder, o->operand[0], why);
    if (rc < 0)
        return rc;
    if (strcmp(b.version, version_words) == 0)
        printf("made by ringside %s, as this is\n", b.version);
    else
        printf("made by ringside %s; this is ringside %s\n", b.version, version_words);
    fflush(stdout);
    if (!b.frames[0] || (!b.without_board && strcmp(b.frames, BUNDLE_PHOTO) != 0)) {
        rc = rejudge_log(&b, folder, BUNDLE_AGAIN, why);
        rc = rc == 0 ? compare(&differs, "calls from the log", folder, BUNDLE_CALLS, why) : rc;
    }
    again = b;
    if (rc == 0 && b.frames[0])
        rc = rejudge_frames(&again, folder, BUNDLE_AGAIN, o->quiet, why);
    if (rc < 0)
        return rc;
    why->text[0] = '\0';
    if (b.frames[0]) {
        if (strcmp(b.said, again.said) != 0)
            tell_difference("how it ended", 1, &(struct line){ b.said, 0, strlen(b.said) },
                            &(struct line){ again.said, 0, strlen(again.said) });
        else if (b.without_board)
            printf("how it ended: the same, %s\n", b.said);
        differs |= strcmp(b.said, again.said) != 0;
        rc = compare(&differs, "observations from the frames", folder, BUNDLE_LOG, why);
        rc = rc == 0 ? compare(&differs, "calls from the frames", folder, BUNDLE_CALLS, why) : rc;
    }
    return rc < 0 ? rc : differs ? ENDED_OTHERWISE : 0;
}

// The scratch folder is gone when a person reads why: its files are told as the bundle's, whose name comes first.
static void name_bundle(struct fail *why, const char *folder, const char *bundle)
{
    char text[2 * sizeof why->text], name[200];
    const char *at = strstr(why->text, folder);
    snprintf(name, sizeof name, "%s", bundle);
    foreign_make_plain(name); // as it is in the text
    if (at)
        snprintf(text, sizeof text, "%s: %.*s%s", name, (int)(at - why->text), why->text,
                 at + strlen(folder) + (at[strlen(folder)] == '/'));
    else
        snprintf(text, sizeof text, "%s: %s", name, why->text);
    if (at || !strstr(why->text, name))
        rs_fail(why, why->code, "%s", text);
}

static int bundle(const struct options *o, struct fail *why)
{
    struct bundle_scratch scratch = { .folder = -1 };
    int rc = o->check ? refuse_of_making(o, "--check judges a bundle as it was made", true, why) : 0;
    if (rc == 0)
        rc = bundle_scratch_make(&scratch, why);
    if (rc < 0)
        return rc;
    rc = o->check ? check(o, scratch.path, why) : make(o, scratch.path, why);
    bundle_scratch_remove(&scratch);
    if (rc == RS_EENDED)
        rs_fail(why, rc, "ended by %s: %.300s was not %s", interrupt_name(), o->operand[0],
                o->check ? "judged again to its end" : "bundled, nothing is written");
    else if (rc < 0)
        name_bundle(why, scratch.path, o->operand[0]);
    return rc;
}

const struct verb bundle_verb = {
    .name = "bundle",
    .operands = "FOOTAGE|IMAGE|LOG",
    .says = "one file to hand a failure in with",
    .more = "Writes NAME.ringside-bundle.tar: the picture without sound, board, lens, log, calls and version, nothing\n"
            "else. With --check the operand is a bundle, which is judged again.\n",
    .flags = (const char *const[]){ "--game", "--board", "--lens", "--side", "--from", "--to", "--out FILE", "--quiet",
                                    "--check", NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = bundle,
};
