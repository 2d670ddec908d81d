// SPDX-License-Identifier: MIT
#include "referee/log.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "calibration/atomic_file.h"
#include "calibration/board_file.h"
#include "calibration/grow.h"
#include "calibration/json_file.h"
#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/games/games.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"

enum { LOG_VERSION = 1 };

// What holds from line to line, for reading and writing alike.
struct order {
    double last_s;
    uint8_t seen[LOG_ID_MAX / 8 + 1];
};

struct log_writer {
    FILE *file;
    struct order order;
    char *text; // what the file still lacks, from where it ends, maybe amid a line
    size_t used;
    int room;
    long lacks, left_out; // lines whose end is in `text`; beyond those, lines that there was no room for in it
    size_t held_most;     // bytes of `text`; 0: what cannot be written is a failure
    struct fail why;      // that the last line could not be written; empty when it was
};

struct log_reader {
    FILE *file;
    char name[256];
    long line;     // of the text in `text`
    long cut_line; // 0 or the number of the last line, which had no end
    char *memory;  // own, that `file` reads; else NULL
    struct log_header header;
    struct order order;
    char text[LOG_LINE_MAX];
};

static bool known(const struct order *order, int id)
{
    return order->seen[id / 8] >> (id % 8) & 1;
}

static int check_order(struct order *order, const struct observation *o, struct fail *why)
{
    if (!(o->t_s >= order->last_s)) // false for a time that is not a number, too
        return rs_fail(why, RS_EINPUT, "time %g s comes after %g s", o->t_s, order->last_s);
    order->last_s = o->t_s;
    if (!observation_of_piece(o->kind))
        return 0;
    if (o->id < 1 || o->id > LOG_ID_MAX)
        return rs_fail(why, RS_EINPUT, "piece id %d is not from 1 to %d", o->id, LOG_ID_MAX);
    if (o->kind == OBS_SEEN && known(order, o->id))
        return rs_fail(why, RS_EINPUT, "piece %d is seen for the first time twice", o->id);
    if (o->kind == OBS_SEEN)
        order->seen[o->id / 8] |= (uint8_t)(1u << (o->id % 8));
    if (!known(order, o->id))
        return rs_fail(why, RS_EINPUT, "piece %d was never seen before", o->id);
    if (o->kind == OBS_CONTACT && o->contact.what == TOUCHED_PIECE &&
        (o->contact.other < 1 || o->contact.other > LOG_ID_MAX || !known(order, o->contact.other)))
        return rs_fail(why, RS_EINPUT, "piece %d, said to be touched, was never seen before", o->contact.other);
    return 0;
}

// Writes what there is room for.
static int write_held(struct log_writer *w, struct fail *why)
{
    size_t done = 0;
    ssize_t n = 0;
    errno = 0;
    while (done < w->used && ((n = write(fileno(w->file), w->text + done, w->used - done)) > 0 || errno == EINTR)) {
        for (ssize_t i = 0; i < n; i++)
            w->lacks -= w->text[done + (size_t)i] == '\n';
        done += n > 0 ? (size_t)n : 0;
        errno = 0;
    }
    w->used -= done;
    memmove(w->text, w->text + done, w->used);
    return w->used == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the log: %s", strerror(errno ? errno : ENOSPC));
}

static int hold(struct log_writer *w, const char *text, struct fail *why)
{
    size_t length = strlen(text), needed = w->used + length + 1;
    if (needed > INT_MAX || !grow_list(&w->text, &w->room, (int)needed, 1))
        return rs_fail(why, RS_ENOMEM, "no memory for the log");
    memcpy(w->text + w->used, text, length);
    w->text[w->used + length] = '\n';
    w->used = needed;
    w->lacks++;
    return 0;
}

// Frees `line`. Behind a line that was left out none is written: a log has no holes.
static int write_line(struct log_writer *w, json_t *line, struct fail *why)
{
    char *text = log_line_text(line);
    int rc = json_memory_check("the log", why);
    if (rc == 0 && !text)
        rc = rs_fail(why, RS_EINPUT, "log: a number is not finite");
    if (rc == 0 && w->held_most > 0 && (w->left_out > 0 || w->used + strlen(text) >= w->held_most))
        w->left_out++;
    else if (rc == 0)
        rc = hold(w, text, why);
    free(text);
    if (rc < 0)
        return rc;
    w->why.text[0] = '\0';
    rc = write_held(w, &w->why);
    if (w->held_most > 0)
        return 0;
    w->used = 0;
    if (rc < 0)
        *why = w->why;
    return rc;
}

void log_writer_hold(struct log_writer *w, size_t most_bytes)
{
    w->held_most = most_bytes;
}

long log_writer_lacks(struct log_writer *w, struct fail *why)
{
    if (w->used > 0)
        write_held(w, &w->why);
    if (w->lacks + w->left_out > 0)
        rs_fail(why, RS_EIO, "%s", w->used > 0 ? w->why.text : "they were more than could be held");
    return w->lacks + w->left_out;
}

json_t *log_header_json(const struct log_header *h)
{
    json_t *first = json_pack("{s:i, s:s, s:o, s:o, s:s}", "ringside", LOG_VERSION, "game", h->game, "board",
                              board_to_json(&h->board), "camera",
                              h->has_camera ? log_line_camera(&h->camera) : json_null(), "source", h->source);
    bool failed =
        first && h->source_bytes > 0 && json_object_set_new(first, "source_bytes", json_integer(h->source_bytes)) < 0;
    failed |=
        first && h->setup.format.players > 0 && json_object_set_new(first, "match", match_setup_to_json(&h->setup)) < 0;
    if (failed) {
        json_decref(first);
        first = NULL;
    }
    return first;
}

static const struct json_field texts[] = {
    { "game", JSON_TEXT, offsetof(struct log_header, game), .count = sizeof((struct log_header *)0)->game },
    { "source", JSON_TEXT, offsetof(struct log_header, source), .count = sizeof((struct log_header *)0)->source },
};

static int read_header(struct log_header *h, const json_t *o, struct fail *why)
{
    const json_t *version = json_object_get(o, "ringside"), *camera = json_object_get(o, "camera"),
                 *match = json_object_get(o, "match"), *players = json_object_get(o, "players"),
                 *bytes = json_object_get(o, "source_bytes");
    if (!json_is_integer(version))
        return rs_fail(why, RS_EINPUT, "no \"ringside\" version: this is not a ringside log");
    if (json_integer_value(version) != LOG_VERSION)
        return rs_fail(why, RS_EINPUT, "log of version %lld; this program reads version %d",
                       (long long)json_integer_value(version), LOG_VERSION);
    int rc = json_fields_read(h, o, texts, countof(texts), why);
    h->source_bytes = json_integer_value(bytes);
    if (rc == 0 && bytes && h->source_bytes < 1)
        rc = rs_fail(why, RS_EINPUT, "\"source_bytes\" must be a whole number from 1 on");
    if (rc == 0)
        rc = board_from_json(&h->board, json_object_get(o, "board"), why);
    if (rc < 0)
        return rc;
    const struct game *game = games_find(h->game);
    if (game && (rc = match_setup_fits(game, &h->board, why)) < 0)
        return rc;
    h->setup = match_setup_usual(game);
    if (match)
        rc = match_setup_from_json(&h->setup, match, game, why);
    else if (players) // as older logs have it
        rc = match_setup_from_colours(&h->setup, players, game, why);
    if (rc < 0)
        return rc;
    h->has_camera = camera && !json_is_null(camera);
    return h->has_camera ? log_line_read_camera(&h->camera, camera, why) : 0;
}

// What is in a log has to outlive the program at any moment: it has its name from its first line on, which nobody reads
// it without. Under a name that is to be changed when all is whole it is made as it is.
static int begin_file(struct log_writer *w, const char *path, json_t *first, struct fail *why)
{
    struct atomic_file f = { .fd = -1 };
    bool part = path && atomic_file_is_part(path);
    int rc = !path ? 0 : part ? atomic_file_open(&f.fd, path, why) : atomic_file_begin(&f, path, why);
    if (rc == 0 && part)
        snprintf(f.part, sizeof f.part, "%s", path);
    if (rc == 0 && !(w->file = path ? fdopen(f.fd, "w") : tmpfile()))
        rc = rs_fail(why, RS_EIO, "cannot write %s: %s", path ? path : "a scratch log", strerror(errno));
    else if (rc == 0)
        f.fd = -1; // the stream closes it
    if (rc == 0)
        rc = write_line(w, json_incref(first), why);
    if (rc == 0 && path && !part)
        rc = atomic_file_claim(&f, why);
    if (rc < 0 || !part)
        atomic_file_drop(&f);
    return rc;
}

int log_writer_create(struct log_writer **out, const char *path, const struct log_header *h, struct fail *why)
{
    json_t *first = log_header_json(h);
    struct log_writer *w = NULL;
    struct log_header again;
    struct fail cause;
    int rc = json_memory_check("the log", why);
    if (rc == 0 && !first)
        rc = rs_fail(why, RS_EINPUT, "log header: a text is not UTF-8 or a number is not finite");
    if (rc == 0 && (rc = read_header(&again, first, &cause)) < 0)
        rs_fail(why, rc, "this cannot begin a log: %s", cause.text);
    if (rc == 0 && !(w = calloc(1, sizeof *w)))
        rc = rs_fail(why, RS_ENOMEM, "no memory for the log %s", path ? path : "of this match");
    if (rc == 0)
        rc = begin_file(w, path, first, why);
    json_decref(first);
    if (rc < 0)
        log_writer_free(w);
    else
        *out = w;
    return rc;
}

int log_write(struct log_writer *w, const struct observation *o, struct fail *why)
{
    json_t *line = NULL;
    int rc = check_order(&w->order, o, why);
    if (rc == 0)
        rc = log_line_make(&line, o, why);
    return rc == 0 ? write_line(w, line, why) : rc;
}

void log_writer_free(struct log_writer *w)
{
    if (!w)
        return;
    if (w->file)
        fclose(w->file);
    free(w->text);
    free(w);
}

int log_text_read(char out[LOG_LINE_MAX], bool *ended, FILE *file, struct fail *why)
{
    size_t used = 0;
    int c;
    while ((c = getc(file)) != EOF && c != '\n') {
        if (c == '\0')
            return rs_fail(why, RS_EINPUT, "a zero byte; this is no text");
        if (used == LOG_LINE_MAX - 1)
            return rs_fail(why, RS_EINPUT, "it is longer than %d bytes", LOG_LINE_MAX);
        out[used++] = (char)c;
    }
    out[used] = '\0';
    *ended = c == '\n';
    if (ferror(file))
        return rs_fail(why, RS_EIO, "cannot be read: %s", strerror(errno));
    return *ended || used > 0;
}

int log_object_read(json_t **out, const char *text, struct fail *why)
{
    int rc = json_text_read(out, text, strlen(text), NULL, why);
    if (rc < 0 || json_is_object(*out))
        return rc;
    json_decref(*out);
    *out = NULL;
    return rs_fail(why, RS_EINPUT, "not a JSON object");
}

static int at_line(const struct log_reader *r, int rc, const struct fail *cause, struct fail *why)
{
    return rs_fail(why, rc, "%s line %ld: %s", r->name, r->line, cause->text);
}

// 1 and the object of the next line, 0 at the end. A last line without an end is kept apart: it was being written when
// the program died.
static int next_object(json_t **out, struct log_reader *r, struct fail *why)
{
    struct fail cause;
    bool ended = true;
    r->line++;
    int rc = log_text_read(r->text, &ended, r->file, &cause);
    if (rc > 0 && !ended) {
        r->cut_line = r->line;
        return 0;
    }
    if (rc > 0 && (rc = log_object_read(out, r->text, &cause)) == 0)
        return 1;
    return rc < 0 ? at_line(r, rc, &cause, why) : 0;
}

int log_reader_open_file(struct log_reader **out, FILE *file, const char *name, struct fail *why)
{
    struct fail cause;
    json_t *line = NULL;
    struct log_reader *r = calloc(1, sizeof *r);
    if (!r) {
        fclose(file);
        return rs_fail(why, RS_ENOMEM, "no memory for the log %s", name);
    }
    snprintf(r->name, sizeof r->name, "%s", name);
    r->file = file;
    int rc = next_object(&line, r, &cause);
    if (rc < 0)
        rs_fail(why, rc, "%s%s", cause.text,
                rc == RS_EINPUT ? "; a log is the NAME.ringside.jsonl that watch and review write" : "");
    else if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "%s: %s", name, r->cut_line ? "the first line is cut off" : "the log is empty");
    else if ((rc = read_header(&r->header, line, &cause)) < 0)
        at_line(r, rc, &cause, why);
    json_decref(line);
    if (rc < 0)
        log_reader_free(r);
    else
        *out = r;
    return rc < 0 ? rc : 0;
}

int log_reader_open(struct log_reader **out, const char *path, struct fail *why)
{
    FILE *file;
    int rc = whole_file_open(&file, path, why);
    return rc == 0 ? log_reader_open_file(out, file, path, why) : rc;
}

// The same open file once more, with a place of its own in it.
static int read_again(struct log_reader **out, FILE *file, struct fail *why)
{
    char path[48];
    struct stat about;
    if (fstat(fileno(file), &about) < 0 || !S_ISREG(about.st_mode))
        return rs_fail(why, RS_EIO,
                       "this log can be read only once, and a correction needs it again: save it to a file");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    return log_reader_open(out, path, why);
}

// The file, and behind it what it lacks.
static int read_with_held(struct log_reader **out, const struct log_writer *w, struct fail *why)
{
    char path[48];
    uint8_t *written = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(w->file));
    int rc = whole_file_read(&written, &size, path, SIZE_MAX / 2, why);
    char *memory = rc == 0 ? realloc(written, size + w->used) : NULL;
    FILE *file = NULL;
    if (memory) {
        memcpy(memory + size, w->text, w->used);
        file = fmemopen(memory, size + w->used, "r");
    }
    if (rc == 0 && !file)
        rc = rs_fail(why, RS_ENOMEM, "no memory to read the log again");
    if (rc == 0)
        rc = log_reader_open_file(out, file, "the log", why);
    if (rc == 0)
        (*out)->memory = memory;
    else
        free(memory ? memory : (char *)written);
    return rc;
}

int log_writer_read(struct log_reader **out, struct log_writer *w, struct fail *why)
{
    if (w->left_out > 0)
        return rs_fail(why, RS_EIO, "the log lacks %ld line%s: what was said before cannot be judged again",
                       w->left_out, w->left_out == 1 ? "" : "s");
    return w->used > 0 ? read_with_held(out, w, why) : read_again(out, w->file, why);
}

int log_reader_again(struct log_reader **out, const struct log_reader *r, struct fail *why)
{
    return read_again(out, r->file, why);
}

const struct log_header *log_reader_header(const struct log_reader *r)
{
    return &r->header;
}

int log_read(struct log_reader *r, struct observation *out, struct fail *why)
{
    json_t *line;
    int rc = next_object(&line, r, why);
    if (rc <= 0)
        return rc;
    struct fail cause;
    rc = log_line_read(out, line, &cause);
    json_decref(line);
    if (rc == 0)
        rc = check_order(&r->order, out, &cause);
    return rc < 0 ? at_line(r, rc, &cause, why) : 1;
}

long log_reader_cut_line(const struct log_reader *r)
{
    return r->cut_line;
}

void log_reader_free(struct log_reader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    free(r->memory);
    free(r);
}
