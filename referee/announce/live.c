// SPDX-License-Identifier: MIT
#include "referee/announce/live.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "referee/announce/json.h"
#include "referee/announce/paint.h"
#include "referee/announce/standing_json.h"

// The parts of which a page is made; each is replaced whole.
enum part { PART_BOARD, PART_STANDING, PART_PIECES, PART_SHOT, PART_CAMERA, PART_OFFERS, PARTS };
static const char *const part_names[PARTS] = { "board", "standing", "pieces", "shot", "camera", "offers" };

enum {
    MESSAGES = 256,  // some seconds of play: who reads slower is given the whole
    CALLS_SHOWN = 64 // that a page which comes later still sees
};

struct live {
    void (*changed)(void *self);
    void *changed_self;
    json_t *told;         // of the thread that tells: events of one ruling
    pthread_mutex_t lock; // guards what follows
    char *part[PARTS];    // JSON; NULL: nothing yet
    char *call[CALLS_SHOWN];
    long calls; // told so far: the newest is call[(calls - 1) % CALLS_SHOWN]
    char *message[MESSAGES];
    long messages; // the newest is message[(messages - 1) % MESSAGES] and has that number
};

int live_create(struct live **out, struct fail *why)
{
    struct live *l = calloc(1, sizeof *l);
    json_t *told = json_array();
    if (!l || !told) {
        free(l);
        json_decref(told);
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    }
    l->told = told;
    pthread_mutex_init(&l->lock, NULL);
    *out = l;
    return 0;
}

void live_free(struct live *l)
{
    if (!l)
        return;
    for (int i = 0; i < PARTS; i++)
        free(l->part[i]);
    for (int i = 0; i < CALLS_SHOWN; i++)
        free(l->call[i]);
    for (int i = 0; i < MESSAGES; i++)
        free(l->message[i]);
    json_decref(l->told);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void live_on_change(struct live *l, void (*changed)(void *self), void *self)
{
    l->changed = changed;
    l->changed_self = self;
}

static void replace(char **kept, char *by)
{
    free(*kept);
    *kept = by;
}

void live_restart(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    for (int i = 0; i < PARTS; i++)
        if (i != PART_OFFERS)
            replace(&l->part[i], NULL);
    l->calls = 0;
    l->messages += MESSAGES + 1; // too far behind is everybody now
    pthread_mutex_unlock(&l->lock);
    if (l->changed)
        l->changed(l->changed_self);
}

static char *object_of(const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 6;
    char *out = malloc(size);
    if (out)
        snprintf(out, size, "{\"%s\":%s}", name, value);
    return out;
}

// With the lock held. Takes over `text`.
static void add_message(struct live *l, char *text)
{
    replace(&l->message[l->messages++ % MESSAGES], text);
}

// Takes over `o`. What is as it was is no news.
static int tell(struct live *l, enum part part, json_t *o, struct fail *why)
{
    char *text = o ? json_text(o) : NULL;
    json_decref(o);
    int rc = json_memory_check("the pages", why);
    char *message = text ? object_of(part_names[part], text) : NULL;
    if (rc == 0 && !message)
        rc = text ? rs_fail(why, RS_ENOMEM, "no memory for the pages")
                  : rs_fail(why, RS_EINTERNAL, "the %s cannot be told as JSON", part_names[part]);
    if (rc < 0) {
        free(text);
        free(message);
        return rc;
    }
    pthread_mutex_lock(&l->lock);
    bool news = !l->part[part] || strcmp(l->part[part], text) != 0;
    if (news) {
        replace(&l->part[part], text);
        add_message(l, message);
    }
    pthread_mutex_unlock(&l->lock);
    if (!news) {
        free(text);
        free(message);
    } else if (l->changed) {
        l->changed(l->changed_self);
    }
    return 0;
}

static int tell_call(struct live *l, const json_t *call, struct fail *why)
{
    char *text = json_text(call), *message = text ? object_of("call", text) : NULL;
    if (!message) {
        free(text);
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    }
    pthread_mutex_lock(&l->lock);
    replace(&l->call[l->calls++ % CALLS_SHOWN], text);
    add_message(l, message);
    pthread_mutex_unlock(&l->lock);
    if (l->changed)
        l->changed(l->changed_self);
    return 0;
}

int live_standing(struct live *l, const struct match *m, struct fail *why)
{
    return tell(l, PART_STANDING, standing_json(m), why);
}

int live_say(struct live *l, const char *text, const char *language, struct fail *why)
{
    json_t *o = json_pack("{s:{s:s, s:s}}", "say", "text", text, "language", language);
    char *message = o ? json_text(o) : NULL;
    json_decref(o);
    if (!message)
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    pthread_mutex_lock(&l->lock);
    add_message(l, message);
    pthread_mutex_unlock(&l->lock);
    if (l->changed)
        l->changed(l->changed_self);
    return 0;
}

// Each event carries the standing; the page has it once, as it is at the end of them.
static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct live *l = self;
    struct announcer events = json_collector(l->told);
    int rc = events.say(events.self, m, r, why);
    size_t i;
    json_t *event;
    json_array_foreach(l->told, i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "event"));
        json_object_del(event, "standing");
        if (rc == 0 && kind && strcmp(kind, "call") == 0)
            rc = tell_call(l, event, why);
        else if (rc == 0 && kind && strcmp(kind, "shot") == 0)
            rc = tell(l, PART_SHOT, json_incref(event), why);
        else if (rc == 0 && kind && strcmp(kind, "camera") == 0)
            rc = tell_call(l, event, why);
    }
    json_array_clear(l->told);
    return rc < 0 ? rc : live_standing(l, m, why);
}

struct announcer live_announcer(struct live *l)
{
    return (struct announcer){ say, l };
}

int live_board(struct live *l, const struct board_pose *pose, struct fail *why)
{
    const struct board *b = &pose->board;
    json_t *circles = json_array(), *points = json_array(), *painted = json_object();
    for (const struct paint *p = paints; p->name; p++)
        json_object_set_new(painted, p->name, json_string(p->css));
    for (int i = 0; i < b->circles; i++) {
        json_array_append_new(circles, json_real(board_line_middle_in(b, i)));
        json_array_append_new(points, json_integer(b->zone_points[i]));
    }
    return tell(l, PART_BOARD,
                json_pack("{s:s, s:s, s:o, s:o, s:f, s:i, s:i, s:f, s:b, s:f, s:f, s:o}", "name", b->name, "kind",
                          b->kind == BOARD_RING ? "ring" : "circles", "circle_in", circles, "points", points, "hole_in",
                          b->hole_radius_in, "hole_points", b->hole_points, "pegs", b->pegs, "peg_in", b->peg_radius_in,
                          "quadrant_lines", b->quadrant_lines, "surface_in", b->surface_radius_in, "line_width_in",
                          b->line_width_in, "paints", painted),
                why);
}

int live_pieces(struct live *l, const struct tracker_view *view, struct fail *why)
{
    json_t *list = json_array();
    for (int i = 0; i < view->count; i++) {
        const struct detection *d = &view->piece[i];
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:f, s:f, s:f, s:b}", "id", view->id[i], "kind",
                                              piece_words[d->kind], "colour", d->colour, "x_in", d->at.x, "y_in",
                                              d->at.y, "radius_in", d->radius_in, "moving", view->moving[i]));
    }
    return tell(l, PART_PIECES, json_pack("{s:b, s:o}", "hand", view->hand, "list", list), why);
}

int live_offers(struct live *l, json_t *offers, struct fail *why)
{
    return tell(l, PART_OFFERS, offers, why);
}

int live_words(struct live *l, const char *words, struct fail *why)
{
    return tell(l, PART_CAMERA, json_pack("{s:s}", "words", words), why);
}

struct text {
    char *bytes; // NULL: no memory
    size_t size, room;
};

static void append(struct text *t, const char *more)
{
    size_t length = strlen(more);
    if (t->bytes && t->size + length + 1 > t->room) {
        size_t room = 2 * (t->size + length + 1);
        char *bytes = realloc(t->bytes, room);
        if (!bytes)
            free(t->bytes);
        t->bytes = bytes;
        t->room = room;
    }
    if (!t->bytes)
        return;
    memcpy(t->bytes + t->size, more, length + 1);
    t->size += length;
}

// What every answer begins with.
static void begin_versioned(struct text *t)
{
    char version[32];
    *t = (struct text){ .bytes = malloc(1), .room = 1 };
    snprintf(version, sizeof version, "{\"ringside\":%d", JSON_VERSION);
    append(t, version);
}

// With the lock held.
static void append_calls(struct text *t, const struct live *l)
{
    append(t, "[");
    for (long i = l->calls > CALLS_SHOWN ? l->calls - CALLS_SHOWN : 0, first = i; i < l->calls; i++) {
        append(t, i > first ? "," : "");
        append(t, l->call[i % CALLS_SHOWN]);
    }
    append(t, "]");
}

static char *whole_state(const struct live *l)
{
    struct text t;
    begin_versioned(&t);
    for (int i = 0; i < PARTS; i++) {
        append(&t, ",\"");
        append(&t, part_names[i]);
        append(&t, "\":");
        append(&t, l->part[i] ? l->part[i] : "null");
    }
    append(&t, ",\"calls\":");
    append_calls(&t, l);
    append(&t, "}");
    return t.bytes;
}

char *live_next(struct live *l, long *after, bool *whole)
{
    pthread_mutex_lock(&l->lock);
    char *out = NULL;
    *whole = *after < 0 || *after > l->messages || l->messages - *after > MESSAGES;
    if (*whole) {
        out = whole_state(l);
        *after = out ? l->messages : *after;
    } else if (*after < l->messages) {
        out = strdup(l->message[*after % MESSAGES]);
        *after += out != NULL;
    }
    pthread_mutex_unlock(&l->lock);
    return out;
}

char *live_state(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    char *out = whole_state(l);
    pthread_mutex_unlock(&l->lock);
    return out;
}

char *live_calls(struct live *l)
{
    struct text t;
    begin_versioned(&t);
    append(&t, ",\"calls\":");
    pthread_mutex_lock(&l->lock);
    append_calls(&t, l);
    pthread_mutex_unlock(&l->lock);
    append(&t, "}");
    return t.bytes;
}
