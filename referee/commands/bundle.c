// SPDX-License-Identifier: MIT
// `ringside bundle FOOTAGE|IMAGE|LOG`: one file to hand a failure in with, and `--check` to judge it again.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "referee/commands/bundle_file.h"
#include "referee/commands/looked.h"
#include "referee/commands/retrial.h"
#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"
#include "referee/commands/version.h"
#include "vision/frame_file.h"
#include "vision/source/cut.h"

enum { SHOWN_BYTES = 400 }; // of a line that is not the same

static bool is_log(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".jsonl") == 0;
}

// The log as it is, but for the name of the recording.
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
        snprintf(b->game, sizeof b->game, "%s", header.game);
        rc = log_writer_create(&out, bundle_path(to, folder, BUNDLE_LOG), &header, why);
    }
    while (rc == 0 && (rc = log_read(in, &o, why)) > 0)
        rc = log_write(out, &o, why);
    log_writer_free(out);
    log_reader_free(in);
    return rc == 0 ? retrial_of_log(b, folder, "", why) : rc;
}

static int put_calibration(const struct setup *s, const char *folder, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    int rc = board_file_write(bundle_path(path, folder, BUNDLE_BOARD), &s->board, why);
    if (rc == 0 && s->has_lens)
        rc = lens_file_write(bundle_path(path, folder, BUNDLE_LENS), &s->lens, 0, why);
    return rc;
}

// Upright, every pixel as decoded, and without what cameras and phones write beside them.
static int put_photo(struct bundle *b, const char *folder, const char *photo, struct fail *why)
{
    char path[BUNDLE_PATH_MAX];
    struct frame *f = NULL;
    snprintf(b->frames, sizeof b->frames, "%s", BUNDLE_PHOTO);
    int rc = looked_read(&f, photo, why);
    if (rc == 0)
        rc = frame_write(f, bundle_path(path, folder, BUNDLE_PHOTO), why);
    frame_free(f);
    return rc;
}

static int put_recording(struct bundle *b, const char *folder, const struct options *o, struct fail *why)
{
    struct cut c = { .from_s = o->from_s, .to_s = o->to_s };
    int rc = cut_make(&c, folder, o->operand[0], why);
    snprintf(b->frames, sizeof b->frames, "%s", c.name);
    b->from_s = c.from_s;
    b->to_s = c.to_s;
    return rc;
}

// Both sides named: as stream.c has it.
static void put_players(struct bundle *b, const struct options *o)
{
    for (int i = 0; i < o->sides && o->sides == LOG_PLAYERS_MAX; i++)
        memcpy(b->player[b->players++], o->side[i].colour, sizeof b->player[0]);
}

static int put_frames(struct bundle *b, const char *folder, const struct options *o, struct fail *why)
{
    struct setup s;
    bool photo = photo_begins(o->operand[0]);
    int rc = setup_read(&s, o, why);
    if (rc == 0)
        rc = put_calibration(&s, folder, why);
    if (rc == 0)
        rc = photo ? put_photo(b, folder, o->operand[0], why) : put_recording(b, folder, o, why);
    if (rc < 0)
        return rc;
    snprintf(b->game, sizeof b->game, "%s", s.game->name);
    put_players(b, o);
    return retrial_of_frames(b, folder, "", o->quiet, why);
}

static int check_part(const struct options *o, struct fail *why)
{
    bool part = o->from_s > 0 || isfinite(o->to_s);
    if (part && (is_log(o->operand[0]) || photo_begins(o->operand[0])))
        return rs_fail(why, RS_EINPUT, "--from and --to are for recordings, and %.300s is none", o->operand[0]);
    if (!(o->from_s < o->to_s))
        return rs_fail(why, RS_EINPUT, "--from %g --to %g: nothing lies between them", o->from_s, o->to_s);
    return 0;
}

static void tell_made(const struct bundle *b, const char *path)
{
    struct stat st;
    double mb = stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0;
    if (b->without_board)
        fprintf(stderr, "ringside: %s\n", b->said);
    if (b->to_s > 0)
        fprintf(stderr, "ringside: wrote %s (%.1f MB): %.1f to %.1f s of the picture, no sound\n", path, mb, b->from_s,
                b->to_s);
    else
        fprintf(stderr, "ringside: wrote %s (%.1f MB)\n", path, mb);
}

static int make(const struct options *o, const char *folder, struct fail *why)
{
    struct bundle b = { .players = 0 };
    char path[SETUP_PATH_MAX];
    snprintf(b.version, sizeof b.version, "%s", version_words);
    int rc = check_part(o, why);
    if (rc == 0 && o->out)
        snprintf(path, sizeof path, "%s", o->out);
    else if (rc == 0)
        rc = setup_output(path, o->operand[0], NULL, is_log(o->operand[0]) ? "-bundle.tar" : ".ringside-bundle.tar",
                          why);
    if (rc == 0)
        rc = is_log(o->operand[0]) ? put_log(&b, folder, o->operand[0], why) : put_frames(&b, folder, o, why);
    if (rc == 0)
        rc = bundle_pack(path, folder, &b, why);
    if (rc == 0 && !o->quiet)
        tell_made(&b, path);
    return rc;
}

// The next line without its end; NULL at the end of the file, and of none.
static char *next_line(char **line, size_t *room, FILE *in)
{
    ssize_t n = in ? getline(line, room, in) : -1;
    if (n < 0)
        return NULL;
    (*line)[strcspn(*line, "\n")] = '\0';
    return *line;
}

static void tell_difference(const char *what, long number, const char *then, const char *now)
{
    printf("%s: differ from line %ld on\n  then: %.*s\n  now:  %.*s\n", what, number, SHOWN_BYTES,
           then ? then : "(nothing)", SHOWN_BYTES, now ? now : "(nothing)");
}

// Line by line, so that it can be told where it differs. ENDED_OTHERWISE when it does; 0 also when there was none and is none.
static int compare(const char *what, const char *folder, const char *name)
{
    char path[BUNDLE_PATH_MAX], again[64], *a = NULL, *b = NULL;
    const char *then, *now;
    size_t room_a = 0, room_b = 0;
    snprintf(again, sizeof again, "%s%s", BUNDLE_AGAIN, name);
    FILE *first = fopen(bundle_path(path, folder, name), "rb");
    FILE *second = fopen(bundle_path(path, folder, again), "rb");
    long n = 0;
    if (!first && !second)
        return 0;
    do {
        then = next_line(&a, &room_a, first);
        now = next_line(&b, &room_b, second);
        n++;
    } while (then && now && strcmp(then, now) == 0);
    if (then || now)
        tell_difference(what, n, then, now);
    else
        printf("%s: %ld line%s, the same byte for byte\n", what, n - 1, n == 2 ? "" : "s");
    int rc = then || now ? ENDED_OTHERWISE : 0;
    free(a);
    free(b);
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return rc;
}

static int check_log(const struct bundle *b, const char *folder, struct fail *why)
{
    int rc = retrial_of_log(b, folder, BUNDLE_AGAIN, why);
    return rc == 0 ? compare("calls from the log", folder, BUNDLE_CALLS) : rc;
}

static int check_frames(const struct bundle *b, const char *folder, bool quiet, struct fail *why)
{
    struct bundle now = *b;
    int rc = retrial_of_frames(&now, folder, BUNDLE_AGAIN, quiet, why);
    if (rc < 0)
        return rc;
    if (strcmp(b->said, now.said) != 0)
        tell_difference("how it ended", 1, b->said, now.said);
    else if (b->without_board)
        printf("how it ended: the same, %s\n", b->said);
    int log = compare("observations from the frames", folder, BUNDLE_LOG);
    int calls = compare("calls from the frames", folder, BUNDLE_CALLS);
    return strcmp(b->said, now.said) != 0 || log || calls ? ENDED_OTHERWISE : 0;
}

static int check(const struct options *o, const char *folder, struct fail *why)
{
    struct bundle b;
    int of_log = 0, of_frames = 0;
    int rc = bundle_unpack(&b, folder, o->operand[0], why);
    if (rc < 0)
        return rc;
    if (strcmp(b.version, version_words) == 0)
        printf("made by ringside %s, as this is\n", b.version);
    else
        printf("made by ringside %s; this is ringside %s\n", b.version, version_words);
    fflush(stdout);
    if (!b.frames[0] || (!b.without_board && strcmp(b.frames, BUNDLE_PHOTO) != 0))
        of_log = check_log(&b, folder, why);
    if (of_log >= 0 && b.frames[0])
        of_frames = check_frames(&b, folder, o->quiet, why);
    why->text[of_log >= 0 && of_frames >= 0 ? 0 : strlen(why->text)] = '\0';
    if (of_log < 0 || of_frames < 0)
        return of_log < 0 ? of_log : of_frames;
    return of_log || of_frames ? ENDED_OTHERWISE : 0;
}

static int bundle(const struct options *o, struct fail *why)
{
    char folder[BUNDLE_PATH_MAX];
    int rc = bundle_scratch_make(folder, why);
    if (rc < 0)
        return rc;
    rc = o->check ? check(o, folder, why) : make(o, folder, why);
    bundle_scratch_remove(folder);
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
