// SPDX-License-Identifier: MIT
#include "referee/commands/book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/atomic_file.h"
#include "calibration/foreign.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/device.h"
#include "vision/source/recorder.h"
#include "vision/source/source.h"

int book_open(struct record **out, const struct options *o, enum record_use use, struct fail *why)
{
    char path[RECORD_PATH_MAX];
    const char *home, *below;
    if (o->book)
        return record_open(out, o->book, use, why);
    if (!saved_user_folder(&home, &below, "XDG_DATA_HOME", "/.local/share"))
        return rs_fail(why, RS_EINPUT,
                       "neither HOME nor XDG_DATA_HOME says where the record of matches is; name one with --book%s",
                       use == RECORD_WRITE ? ", or keep none with --no-book" : "");
    if (snprintf(path, sizeof path, "%s%s/ringside/record.db", home, below) >= RECORD_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "HOME or XDG_DATA_HOME is too long");
    int rc = use == RECORD_WRITE ? saved_make_folder(path, why) : 0;
    return rc == 0 ? record_open(out, path, use, why) : rc;
}

// The one of that number; NULL: the last.
static int find_match(struct kept_match *out, struct record *r, const char *number, struct fail *why)
{
    char *end = NULL;
    errno = 0;
    long match = number ? strtol(number, &end, 10) : 0;
    if (number && (end == number || *end || match < 1 || errno == ERANGE))
        return rs_fail(why, RS_EINPUT, "%.80s is no number of a match: ringside record list shows them", number);
    return record_find(out, r, match, why);
}

int book_open_match(struct record **out, struct kept_match *m, const struct options *o, struct fail *why)
{
    int rc = book_open(out, o, RECORD_READ, why);
    return rc == 0 ? find_match(m, *out, o->operands > 0 ? o->operand[0] : NULL, why) : rc;
}

int book_footage(struct kept_footage *out, const char *path, struct fail *why)
{
    char folder[ATOMIC_FILE_PATH_MAX], segment[sizeof folder + 32];
    struct stat st;
    *out = (struct kept_footage){ .bytes = 0 };
    int rc = stat(path, &st) == 0 ? 0 : rs_fail(why, RS_EIO, "%.300s: %s", path, strerror(errno));
    bool recorded = rc == 0 && S_ISDIR(st.st_mode);
    if (recorded)
        rc = recording_find(folder, path, why);
    char *real = rc == 0 ? realpath(recorded ? folder : path, NULL) : NULL;
    if (rc == 0 && !real)
        rc = rs_fail(why, errno == ENOMEM ? RS_ENOMEM : RS_EIO, "%.300s: %s", path, strerror(errno));
    out->bytes = recorded ? 0 : (long)st.st_size;
    for (int i = 1; rc == 0 && recorded; i++) {
        snprintf(segment, sizeof segment, "%s/" SEGMENT_NAME, folder, i);
        if (stat(segment, &st) < 0)
            break;
        out->bytes += (long)st.st_size;
    }
    if (rc == 0)
        snprintf(out->path, sizeof out->path, "%s", real);
    // By the name that a person gives, which a link may have of its own.
    const char *named = recorded ? folder : path, *slash = strrchr(named, '/');
    if (rc == 0)
        snprintf(out->name, sizeof out->name, "%.255s", slash && slash[1] ? slash + 1 : named);
    foreign_make_plain(out->name);
    free(real);
    return rc;
}

int book_refuse_twice(struct record *r, long match, const struct kept_footage *footage, const char *how,
                      struct fail *why)
{
    int rc = record_has_footage(r, match, footage, why);
    return rc <= 0 ? rc
                   : rs_fail(why, RS_EINPUT,
                             "%.200s is in match %ld already, and would count twice: nothing is changed; %s",
                             footage->name, match, how);
}

int book_take_film(struct kept_footage *out, struct record *r, const struct options *o, bool demo, long resumed,
                   struct fail *why)
{
    const char *how = demo ? "without --resume the demo is a match of its own"
                           : "where it was cut short, ringside review --resume goes on";
    int rc = book_footage(out, o->camera, why);
    r->footage = out;
    return rc < 0 || !resumed ? rc : book_refuse_twice(r, resumed, out, how, why);
}

// Without a number and with footage the one of it that was cut short, where the last has ended.
static int find_resumed(struct kept_match *out, struct record *r, const char *number, const char *path,
                        struct fail *why)
{
    struct kept_footage footage;
    struct fail later; // told by who opens it
    int rc = find_match(out, r, number, why);
    if (rc < 0 || number || !path || !out->ended[0] || book_footage(&footage, path, &later) < 0)
        return rc;
    rc = record_find_cut_short(out, r, 0, &footage, why);
    return rc < 0 ? rc : 0;
}

static int resume(long *match, struct options *o, const char *number, const char *footage, struct record *r,
                  struct fail *why)
{
    const struct game *game;
    struct kept_match m;
    int rc = find_resumed(&m, r, number, footage, why);
    if (rc == 0)
        rc = setup_game(&game, m.game, why);
    if (rc < 0)
        return rc;
    if (o->game && strcmp(o->game, m.game) != 0)
        return rs_fail(why, RS_EINPUT, "match %ld is %s, not %.40s: --resume needs no --game", m.match, m.game,
                       o->game);
    if (o->players || o->format || o->match || o->sides > 0 || o->judge)
        return rs_fail(
            why, RS_EINPUT,
            "match %ld has its format and its sides already: neither --players, --side, --format, --match nor "
            "--judge goes with --resume",
            m.match);
    o->game = game->name;
    *match = m.match;
    return 0;
}

int book_begin(struct record **out, long *match, struct options *o, int operands, bool kept, struct fail *why)
{
    const char *number = o->operands > operands ? o->operand[operands] : NULL;
    *match = 0;
    if (number && !o->resume && options_refuse_unchosen(o, why) < 0)
        return RS_EINPUT;
    if (number && !o->resume)
        return rs_fail(why, RS_EINPUT, "%.200s is one too many; a match goes on with --resume", number);
    if (o->no_book && (o->book || o->resume))
        return rs_fail(why, RS_EINPUT, "--no-book goes with neither --book nor --resume");
    if (!kept && !o->book && !o->resume)
        return 0;
    // One that is only now made has no match that could go on.
    int rc = o->resume ? book_open(out, o, RECORD_READ, why) : 0;
    record_close(*out);
    *out = NULL;
    rc = rc == 0 ? book_open(out, o, RECORD_WRITE, why) : rc;
    return rc == 0 && o->resume ? resume(match, o, number, operands > 0 ? o->operand[operands - 1] : NULL, *out, why)
                                : rc;
}
