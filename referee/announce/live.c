// SPDX-License-Identifier: MIT
#include "referee/announce/live.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibration/grow.h"
#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "referee/announce/json.h"
#include "referee/announce/paint.h"

// The parts of which a page is made; each is replaced whole.
enum part { PART_BOARD, PART_STANDING, PART_PIECES, PART_SHOT, PART_PATHS, PART_CAMERA, PART_OFFERS, PART_SAID, PARTS };
static const char *const part_names[PARTS] = { "board", "standing", "pieces", "shot",
                                               "paths", "camera",   "offers", "said" };

enum {
    MESSAGES = 256,  // some seconds of play: who reads slower is given the whole
    CALLS_SHOWN = 64 // that a page which comes later still sees
};

// What is farther from where it was than this was moved: a path as long as that can be seen, and a marble far from the
// camera is measured as well.
static const double MOVED_IN = 0.25;

// Where the last shot left a piece that it moved.
struct driven {
    int id;
    struct pt_in to;
};

struct live {
    void (*changed)(void *self);
    void *changed_self;
    json_t *told; // of the thread that tells, as what follows: events of one ruling
    struct driven driven[PIECE_TABLE_MAX];
    int driven_count;
    json_t *pieces;       // as they were told last; NULL: not yet
    int shot;             // the last one
    bool paths;           // those of it are shown
    bool holds, held;     // who reads is not called before all is told; there is something to call him for
    pthread_mutex_t lock; // guards what follows
    char *part[PARTS];    // JSON; NULL: nothing yet
    char *call[CALLS_SHOWN];
    long calls; // told so far: the newest is call[(calls - 1) % CALLS_SHOWN]
    char *message[MESSAGES];
    int64_t messages; // the number of the newest, which is message[(messages - 1) % MESSAGES]
    int64_t begun;    // what it was when this match began, which no other one has: nothing is known of what came before
};

// Microseconds since 1970: further than anyone can have come who began earlier, for no match has a message a
// microsecond, and below 2^53 until the year 2255, for readers whose numbers are all doubles. Where the clock was set
// back meanwhile, his number is most likely none of ours, which is seen as well.
static int64_t first_number(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

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
    l->messages = l->begun = first_number();
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
    json_decref(l->pieces);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void live_on_change(struct live *l, void (*changed)(void *self), void *self)
{
    l->changed = changed;
    l->changed_self = self;
}

// Called for each message, a hall of viewers is called some times for every ruling.
static void call_readers(struct live *l)
{
    l->held = l->holds;
    if (!l->holds && l->changed)
        l->changed(l->changed_self);
}

void live_hold(struct live *l)
{
    l->holds = true;
}

void live_release(struct live *l)
{
    bool held = l->held;
    l->holds = l->held = false;
    if (held)
        call_readers(l);
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
    json_decref(l->pieces);
    l->pieces = NULL;
    l->paths = false;
    l->shot = 0;
    l->calls = 0;
    l->begun = ++l->messages; // behind that is everybody now
    pthread_mutex_unlock(&l->lock);
    call_readers(l);
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

// Takes over both: the part as it is, and what of it changed, NULL: all. What is as it was is no news.
static int tell_change(struct live *l, enum part part, json_t *o, json_t *change, struct fail *why)
{
    char *text = json_text(o), *message = json_text(change);
    if (text && !change)
        message = object_of(part_names[part], text);
    int rc = json_memory_check("the pages", why);
    if (rc == 0 && (!text || !message))
        rc = text ? rs_fail(why, RS_ENOMEM, "no memory for the pages")
                  : rs_fail(why, RS_EINTERNAL, "the %s cannot be told as JSON", part_names[part]);
    if (rc < 0 || !text || !message) {
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
    } else {
        call_readers(l);
    }
    return 0;
}

static int tell(struct live *l, enum part part, json_t *o, struct fail *why)
{
    return tell_change(l, part, o, NULL, why);
}

// Takes over both. A call is kept too; NULL: it is none.
static void publish(struct live *l, char *call, char *message)
{
    pthread_mutex_lock(&l->lock);
    if (call)
        replace(&l->call[l->calls++ % CALLS_SHOWN], call);
    add_message(l, message);
    pthread_mutex_unlock(&l->lock);
    call_readers(l);
}

// Takes over `call`.
static int tell_call(struct live *l, json_t *call, struct fail *why)
{
    char *text = json_text(call), *message = text ? object_of("call", text) : NULL;
    if (!message) {
        free(text);
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    }
    publish(l, text, message);
    return 0;
}

// Where a call is close, what lies there may count otherwise: a page says both, as the terminal does.
static json_t *standing_with_ranges(const struct match *m)
{
    json_t *standing = standing_json(m), *side;
    size_t i;
    json_array_foreach(json_object_get(standing, "sides"), i, side)
    {
        const struct player_side *of = &m->now.side[i];
        bool counts = m->board.kind == BOARD_CIRCLES;
        struct points on = standing_on_board(&m->now, &m->table, &m->board, (int)i);
        json_object_set_new(side, "on_board_range", counts ? json_points_range(on) : json_null());
        json_object_set_new(side, "points_range", json_points_range(standing_score(of)));
        json_object_set_new(side, "twenties_range", json_points_range(standing_twenties(of)));
    }
    return standing;
}

int live_standing(struct live *l, const struct match *m, struct fail *why)
{
    int rc = tell(l, PART_STANDING, standing_with_ranges(m), why);
    return rc < 0 ? rc : tell(l, PART_SAID, standing_json_said(m), why);
}

int live_say(struct live *l, const char *text, const char *language, struct fail *why)
{
    char *message = json_text(json_pack("{s:{s:s, s:s}}", "say", "text", text, "language", language));
    if (!message)
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    publish(l, NULL, message);
    return 0;
}

// A hundredth of an inch is less than a pixel of the drawing on any screen, and half as long to send.
static double shown_in(double in)
{
    return round(100 * in) / 100 + 0.0; // no -0
}

static json_t *place_json(struct pt_in at)
{
    return json_pack("[f, f]", shown_in(at.x), shown_in(at.y));
}

// Where it is known to have been: where it lay, where it was first turned aside when it is the one that was shot, where
// it lies. Observations carry no more of its way, and one that left ran on to where nobody measured it.
static json_t *path_json(const struct shot *s, const struct outcome *o, struct pt_in to)
{
    bool shooter = o->piece.id == s->shooter, in_hole = o->left && o->left_to == IN_HOLE;
    struct pt_in from = shooter ? s->from : o->was_at, turned = s->first_at;
    json_t *at = json_array();
    json_array_append_new(at, place_json(from));
    // It struck the other piece a width short of where that lay.
    double width_in = s->first == FIRST_PIECE ? 2 * o->piece.lying.radius_in : 0, away_in = distance_in(from, turned);
    if (shooter && (s->first == FIRST_PIECE || s->first == FIRST_PEG) && away_in > width_in) {
        double way = 1 - width_in / away_in;
        turned.x = from.x + way * (turned.x - from.x);
        turned.y = from.y + way * (turned.y - from.y);
        json_array_append_new(at, place_json(turned));
    }
    if (!o->left || in_hole)
        json_array_append_new(at, place_json(to));
    return json_pack("{s:i, s:s, s:s, s:f, s:o, s:b}", "id", o->piece.id, "kind", piece_words[o->piece.kind], "colour",
                     o->piece.colour, "radius_in", shown_in(o->piece.lying.radius_in), "at", at, "left",
                     o->left && !in_hole);
}

static int tell_paths(struct live *l, const struct match *m, struct fail *why)
{
    const struct shot *s = &m->shot;
    json_t *list = json_array();
    l->driven_count = 0;
    for (int i = 0; i < s->count; i++) {
        const struct outcome *o = &s->piece[i];
        bool in_hole = o->left && o->left_to == IN_HOLE, shooter = o->piece.id == s->shooter,
             by_hand = o->left && (o->left_to == BY_HAND || o->left_to == IN_CUT);
        struct pt_in to = in_hole ? (struct pt_in){ 0, 0 } : o->piece.lying.at;
        if (!o->moved || by_hand || !(shooter || o->was_lying) ||
            (!o->left && distance_in(shooter ? s->from : o->was_at, to) < MOVED_IN))
            continue;
        json_array_append_new(list, path_json(s, o, to));
        if (!o->left)
            l->driven[l->driven_count++] = (struct driven){ o->piece.id, to };
    }
    l->paths = true;
    return tell(l, PART_PATHS, json_pack("{s:i, s:o}", "shot", s->number, "list", list), why);
}

static int clear_paths(struct live *l, struct fail *why)
{
    l->paths = false;
    l->driven_count = 0;
    return tell(l, PART_PATHS, json_pack("{s:i, s:[]}", "shot", 0, "list"), why);
}

// Each event carries the standing; the page has it once, as it is at the end of them.
static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct live *l = self;
    struct announcer events = json_collector(l->told);
    int rc = events.say(events.self, m, r, why);
    live_hold(l);
    bool last =
        r->shot_ended && (r->amended_shot == 0 || m->shot.number >= l->shot); // or an earlier one is judged again
    if (last)
        l->shot = m->shot.number;
    if (rc == 0 && last)
        rc = tell_paths(l, m, why);
    else if (rc == 0 && l->paths && r->camera && (observation_ends_view(r->camera) || observation_hides(r->camera)))
        rc = clear_paths(l, why);
    size_t i;
    json_t *event;
    json_array_foreach(l->told, i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "event"));
        json_object_del(event, "standing");
        if (rc == 0 && kind && (strcmp(kind, "call") == 0 || (strcmp(kind, "camera") == 0 && !r->camera_again)))
            rc = tell_call(l, json_incref(event), why);
        else if (rc == 0 && last && kind && strcmp(kind, "shot") == 0)
            rc = tell(l, PART_SHOT, json_incref(event), why);
    }
    json_array_clear(l->told);
    rc = rc < 0 ? rc : live_standing(l, m, why);
    live_release(l);
    return rc;
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

// Everything lies still, and what the last shot moved lies no more where it left it.
static bool paths_are_over(const struct live *l, const struct tracker_view *view, int first_id)
{
    for (int i = 0; i < view->count; i++)
        if (view->moving[i])
            return false;
    for (int i = 0; i < l->driven_count; i++) {
        bool lies = false;
        for (int k = 0; k < view->count && !lies; k++)
            lies =
                view->id[k] + first_id == l->driven[i].id && distance_in(view->piece[k].at, l->driven[i].to) < MOVED_IN;
        if (!lies)
            return true;
    }
    return false;
}

// In which zone it lies, and how sure that is: of one that moves, or that the match does not know of yet, nothing.
static json_t *piece_json(const struct known_piece *p, const struct match *m)
{
    const struct known_piece *known = piece_table_find(&m->table, p->id);
    bool lies = known && known->rested && !known->moving && !p->moving;
    char word[ZONE_WORD_MAX] = "";
    struct zone zone = { .area = ZONE_NONE };
    if (lies) {
        zone = zone_of(&m->board, &known->lying);
        zone_word(word, &zone);
    }
    const char *verdict = zone.verdict.firm ? "firm" : "close";
    return json_pack("{s:i, s:s, s:s, s:f, s:f, s:f, s:b, s:s?, s:s?, s:b}", "id", p->id, "kind", piece_words[p->kind],
                     "colour", p->colour, "x_in", shown_in(p->lying.at.x), "y_in", shown_in(p->lying.at.y), "radius_in",
                     shown_in(p->lying.radius_in), "moving", p->moving, "zone", word[0] ? word : NULL, "verdict",
                     word[0] ? verdict : NULL, "put_on", p->put_on);
}

// As it is seen.
static struct known_piece seen_piece(const struct tracker_view *view, int i, int first_id)
{
    const struct detection *d = &view->piece[i];
    struct known_piece p = { .id = view->id[i] + first_id, .kind = d->kind, .moving = view->moving[i] };
    memcpy(p.colour, d->colour, sizeof p.colour);
    p.lying.at = d->at;
    p.lying.radius_in = d->radius_in;
    return p;
}

static const json_t *with_id(const json_t *pieces, json_int_t id)
{
    size_t i;
    const json_t *p;
    json_array_foreach(json_object_get(pieces, "list"), i, p)
    {
        if (json_integer_value(json_object_get(p, "id")) == id)
            return p;
    }
    return NULL;
}

// Those that are other than before, and which are there no more: in a shot two or three of two dozen.
static json_t *moved_json(const json_t *before, const json_t *now)
{
    size_t i;
    json_t *p, *list = json_array(), *gone = json_array();
    json_array_foreach(json_object_get(now, "list"), i, p)
    {
        const json_t *was = with_id(before, json_integer_value(json_object_get(p, "id")));
        if (!was || !json_equal(was, p))
            json_array_append(list, p);
    }
    json_array_foreach(json_object_get(before, "list"), i, p)
    {
        json_t *id = json_object_get(p, "id");
        if (!with_id(now, json_integer_value(id)))
            json_array_append(gone, id);
    }
    return json_pack("{s:{s:O, s:o, s:o}}", "moved", "hand", json_object_get(now, "hand"), "list", list, "gone", gone);
}

int live_pieces(struct live *l, const struct tracker_view *view, const struct match *m, int first_id, struct fail *why)
{
    json_t *list = json_array();
    for (int i = 0; i < view->count; i++) {
        struct known_piece p = seen_piece(view, i, first_id);
        if (!placed_is_off(&m->placed, p.id))
            json_array_append_new(list, piece_json(&p, m));
    }
    for (int i = 0; i < m->table.count; i++)
        if (m->table.piece[i].put_on)
            json_array_append_new(list, piece_json(&m->table.piece[i], m));
    json_t *now = json_pack("{s:b, s:o}", "hand", view->hand, "list", list);
    json_t *change = l->pieces ? moved_json(l->pieces, now) : NULL;
    json_decref(l->pieces);
    l->pieces = json_incref(now);
    int rc = tell_change(l, PART_PIECES, now, change, why);
    return rc == 0 && l->paths && paths_are_over(l, view, first_id) ? clear_paths(l, why) : rc;
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
    int size, room;
};

static void append(struct text *t, const char *more)
{
    int length = (int)strlen(more);
    if (t->bytes && !grow_list(&t->bytes, &t->room, t->size + length + 1, 1)) {
        free(t->bytes);
        t->bytes = NULL;
    }
    if (!t->bytes)
        return;
    memcpy(t->bytes + t->size, more, (size_t)length + 1);
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
    char match[32];
    snprintf(match, sizeof match, ",\"match\":%lld", (long long)l->begun);
    append(&t, match);
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

char *live_next(struct live *l, int64_t *after, bool *whole)
{
    pthread_mutex_lock(&l->lock);
    char *out = NULL;
    *whole = *after < l->begun || *after > l->messages || l->messages - *after > MESSAGES;
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
