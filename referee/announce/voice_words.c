// SPDX-License-Identifier: MIT
#include "referee/announce/voice_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"

enum { WORD_MAX = VOICE_LINE_MAX, CENTRE_PARTS = 8 };

static const double FULL_TURN_DEG = 360;

// What one line is made of.
struct telling {
    const struct voice_words *w;
    const struct match *m;
    const struct call *c; // NULL: of none
    char *to;
    size_t size;
};

// A sentence behind those that are there; not one that says the same as the last.
static void say_text(const struct telling *t, const char *text, const struct voice_slot *slots, size_t count)
{
    char line[2 * VOICE_LINE_MAX];
    size_t used = strlen(t->to);
    voice_fill(line, sizeof line, text, slots, count);
    line[0] = (char)toupper((unsigned char)line[0]);
    size_t length = strlen(line);
    bool again = used >= length && strcmp(t->to + used - length, line) == 0;
    if (length > 0 && !again && used + length + 2 < t->size)
        snprintf(t->to + used, t->size - used, "%s%s", used ? " " : "", line);
}

// The line of that key.
static void say(const struct telling *t, const char *key, const struct voice_slot *slots, size_t count)
{
    say_text(t, voice_line(t->w->lines, key), slots, count);
}

static void say_plain(const struct telling *t, const char *key)
{
    say(t, key, NULL, 0);
}

static void spoken_colour(char out[WORD_MAX], const struct voice_lines *lines, const char *colour)
{
    char key[OBS_WORD_MAX + 8];
    snprintf(key, sizeof key, "colour.%s", colour);
    snprintf(out, WORD_MAX, "%s", voice_line(lines, key));
    if (out[0] == '\0')
        voice_name(out, WORD_MAX, lines, colour);
}

static void spoken_side(char out[WORD_MAX], const struct telling *t, int side)
{
    const struct voice_lines *lines = t->w->lines;
    const struct seat *seat = side < 0 ? NULL : &t->m->now.side[side].seat;
    if (!seat) {
        snprintf(out, WORD_MAX, "%s", voice_line(lines, "side.none"));
        return;
    }
    voice_name(out, WORD_MAX, lines, seat->name);
    if (out[0] == '\0')
        spoken_colour(out, lines, seat->colour);
    if (out[0] == '\0')
        snprintf(out, WORD_MAX, "%s", voice_line(lines, side == 0 ? "side.1" : "side.2"));
}

static void spoken_player(char out[WORD_MAX], const struct telling *t, int side)
{
    const char *player = side < 0 ? "" : standing_player(&t->m->now, side);
    if (side >= 0 && strcmp(player, standing_name(&t->m->now, side)) != 0)
        voice_name(out, WORD_MAX, t->w->lines, player);
    else
        out[0] = '\0';
    if (out[0] == '\0')
        spoken_side(out, t, side);
}

static const char *piece_word(const struct telling *t)
{
    return voice_line(t->w->lines, t->m->board.piece == PIECE_RING     ? "piece.ring"
                                   : t->m->board.piece == PIECE_MARBLE ? "piece.marble"
                                                                       : "piece.disc");
}

static void spoken_area(char out[WORD_MAX], const struct telling *t, const struct zone *z)
{
    if (z->area == ZONE_DITCH)
        snprintf(out, WORD_MAX, "%s", voice_line(t->w->lines, "zone.ditch"));
    else
        voice_number(out, WORD_MAX, t->w->lines, z->points);
}

// In which eighth of the board, as it is seen from above with its upper side away from the camera.
static const char *where_words(const struct telling *t, struct pt_in at)
{
    static const char *const keys[CENTRE_PARTS] = { "where.right",      "where.upper-right", "where.up",
                                                    "where.upper-left", "where.left",        "where.lower-left",
                                                    "where.down",       "where.lower-right" };
    const double part_deg = FULL_TURN_DEG / CENTRE_PARTS, deg = atan2(at.y, at.x) * 180 / acos(-1);
    int part = (int)lround(deg / part_deg + CENTRE_PARTS) % CENTRE_PARTS;
    bool middle = hypot(at.x, at.y) < t->m->board.hole_radius_in + t->m->board.piece_radius_in;
    return voice_line(t->w->lines, middle ? "where.middle" : keys[part]);
}

// Behind a call that is not firm.
static void say_doubt(const struct telling *t)
{
    const struct call *c = t->c;
    if (!c->firm)
        say_plain(t, c->measured && !c->zone.verdict.clear ? "close" : "ask");
}

// Where a piece counts on a board of circles.
static void say_zone(const struct telling *t)
{
    const struct call *c = t->c;
    const struct match *m = t->m;
    const struct outcome *o = shot_outcome(&m->shot, c->piece);
    bool shot = c->piece == m->shot.shooter, close = !c->firm && c->measured && !c->zone.verdict.clear,
         full = t->w->full;
    bool stayed = o && o->was.area == c->zone.area && o->was.points == c->zone.points;
    struct zone other;
    char side[WORD_MAX], points[WORD_MAX], beyond[WORD_MAX], either[WORD_MAX];
    if (!full && !shot && stayed && c->firm && c->change == CALL_MADE)
        return;
    int of = standing_of_colour(&m->now, c->side);
    if (of < 0)
        spoken_colour(side, t->w->lines, c->side);
    else
        spoken_side(side, t, of);
    spoken_area(points, t, &c->zone);
    bool two = close && o && zone_beyond(&other, &m->board, &o->piece.lying);
    if (two) {
        spoken_area(beyond, t, &other);
        const struct voice_slot slots[] = { { "one", points }, { "two", beyond } };
        voice_fill(either, sizeof either, voice_line(t->w->lines, "zone.either"), slots, countof(slots));
    }
    const struct voice_slot slots[] = { { "side", side },
                                        { "piece", piece_word(t) },
                                        { "points", two ? either : points },
                                        { "where", o ? where_words(t, o->piece.lying.at) : "" } };
    bool ditch = c->zone.area == ZONE_DITCH && !two;
    say(t,
        ditch && shot && !full              ? "ditch.shot"
        : ditch                             ? "ditch.other"
        : full && c->zone.area == ZONE_HOLE ? "hole.where"
        : full && o                         ? "zone.where"
        : shot                              ? "zone.shot"
                                            : "zone.other",
        slots, countof(slots));
    say_doubt(t);
}

// Several targets out are one sentence; each that is close is one of its own.
static void say_out(const struct telling *t, const struct call_list *calls)
{
    int firm = 0;
    const struct call *first = NULL;
    char number[WORD_MAX];
    for (int i = calls->count - 1; i >= 0; i--)
        if (strcmp(calls->call[i].what, "out") == 0 && calls->call[i].firm && calls->call[i].change == t->c->change) {
            firm++;
            first = &calls->call[i];
        }
    voice_number(number, sizeof number, t->w->lines, firm);
    const struct voice_slot slots[] = { { "count", number } };
    if (!t->c->firm || firm == 1)
        say_plain(t, "out.one");
    else if (t->c == first)
        say(t, "out.many", slots, countof(slots));
    say_doubt(t);
}

enum comparison { LEADS, EVEN, NOTHING_YET, ALONE };

// Two numbers as a referee compares them: the line of `keys` for what it comes to; an empty key is not said.
static void say_compared(const struct telling *t, const int points[SIDES], int round, const char *const keys[ALONE + 1])
{
    char leader[WORD_MAX], most[WORD_MAX], least[WORD_MAX], number[WORD_MAX];
    int sides = t->m->now.sides, ahead = sides == SIDES && points[1] > points[0];
    enum comparison is = sides < SIDES ? ALONE : points[0] != points[1] ? LEADS : points[0] == 0 ? NOTHING_YET : EVEN;
    if (sides == 0)
        return;
    spoken_side(leader, t, ahead);
    voice_number(most, sizeof most, t->w->lines, points[ahead]);
    voice_number(least, sizeof least, t->w->lines, points[!ahead]);
    voice_number(number, sizeof number, t->w->lines, round);
    const struct voice_slot slots[] = {
        { "leader", leader }, { "most", most }, { "least", least }, { "points", most }, { "round", number }
    };
    say(t, keys[is], slots, countof(slots));
}

// A rule ended the round; the same word is the judge's when he says which one it is.
static bool ends_round(const struct match *m, const struct call *c)
{
    bool is_word = strcmp(c->what, "round") != 0;
    for (int i = 0; i < m->game->rule_count; i++)
        is_word |= m->game->rules[i].said == INPUT_OTHER && strcmp(m->game->rules[i].number, c->rule) == 0;
    return !is_word;
}

static void say_game(const struct telling *t)
{
    const struct standing *s = &t->m->now;
    const int score[SIDES] = { s->side[0].score, s->side[1].score };
    if (!s->over) {
        say_plain(t, "game.on");
    } else if (s->winner >= 0 && score[s->winner] <= score[!s->winner]) {
        char winner[WORD_MAX];
        spoken_side(winner, t, s->winner);
        const struct voice_slot slots[] = { { "leader", winner } };
        say(t, s->format.twenties_decide ? "game.twenties" : "game.won-otherwise", slots, countof(slots));
    } else {
        say_compared(t, score, s->round, (const char *const[]){ "game.won", "game.drawn", "game.drawn", "game.won" });
    }
    say_doubt(t);
}

static void say_other(const struct telling *t)
{
    const struct call *c = t->c;
    char key[OBS_WORD_MAX + 16], side[WORD_MAX], other[WORD_MAX], next[WORD_MAX], round[WORD_MAX];
    int of = standing_of_colour(&t->m->now, c->side);
    spoken_side(side, t, of);
    spoken_side(other, t, of < 0 ? -1 : standing_other(&t->m->now, of));
    spoken_player(next, t, t->m->now.to_shoot);
    voice_number(round, sizeof round, t->w->lines, t->m->now.round);
    const struct voice_slot slots[] = {
        { "side", side }, { "other", other }, { "next", next }, { "round", round }, { "piece", piece_word(t) }
    };
    snprintf(key, sizeof key, "call.%s", c->what);
    bool names_nobody = of < 0 && strstr(voice_line(t->w->lines, key), "{side}");
    snprintf(key, sizeof key, "call.%s%s", c->what, names_nobody ? ".nobody" : "");
    say(t, key, slots, countof(slots));
    say_doubt(t);
}

// True when it says itself how it stands.
static bool say_call(const struct telling *t, const struct call_list *calls)
{
    const struct call *c = t->c;
    const struct standing *s = &t->m->now;
    bool quiet = c->firm && !t->w->full; // of a taw or target that stayed
    if (strcmp(c->what, "total") == 0)
        return false;
    if (strcmp(c->what, "zone") == 0 || strcmp(c->what, "ditched") == 0) {
        say_zone(t);
    } else if (strcmp(c->what, "out") == 0) {
        say_out(t, calls);
    } else if (strcmp(c->what, "game") == 0) {
        say_game(t);
        return true;
    } else if (ends_round(t->m, c)) {
        const int points[SIDES] = { s->side[0].last_round.reads, s->side[1].last_round.reads };
        const int score[SIDES] = { s->side[0].score, s->side[1].score };
        say_compared(t, points, s->round - 1,
                     (const char *const[]){ "round.won", "round.even", "round.even", "round.won" });
        say_doubt(t);
        if (!s->over)
            say_compared(t, score, s->round,
                         (const char *const[]){ "round.stands", "round.level", "round.level", "round.stands" });
        return true;
    } else if (!quiet || (strcmp(c->what, "taw-in") != 0 && strcmp(c->what, "in") != 0)) {
        say_other(t);
    }
    return false;
}

// What scores are called by: points of the round where there are rounds, otherwise the score itself.
static bool by_rounds(const struct match *m)
{
    return m->now.format.pieces_each > 0;
}

// How it stands, as far as it was told otherwise; `always`: whatever was told.
static void say_standing(struct voice_words *w, const struct telling *t, bool always, bool said)
{
    const struct standing *s = &t->m->now;
    int points[SIDES], score[SIDES];
    bool news = false, scored = false;
    for (int i = 0; i < SIDES; i++) {
        score[i] = s->side[i].score;
        points[i] = by_rounds(t->m) ? standing_round_points(&s->side[i]).reads : score[i];
        news |= points[i] != w->points[i];
        scored |= by_rounds(t->m) && score[i] != w->score[i];
        w->points[i] = points[i];
        w->score[i] = score[i];
    }
    if (!said && !s->over && (news || always))
        say_compared(t, points, s->round,
                     (const char *const[]){ "score.leads", "score.even", "score.none", "score.alone" });
    if (!said && !s->over && scored)
        say_compared(t, score, s->round,
                     (const char *const[]){ "round.stands", "round.level", "round.level", "round.stands" });
}

static void say_next(struct voice_words *w, const struct telling *t, bool wanted)
{
    const struct standing *s = &t->m->now;
    char next[WORD_MAX];
    int to_shoot = s->over ? -1 : s->to_shoot;
    if (wanted && to_shoot >= 0 && !standing_all_played(s)) {
        spoken_player(next, t, to_shoot);
        const struct voice_slot slots[] = { { "next", next } };
        say(t, "next", slots, countof(slots));
    }
    w->to_shoot = to_shoot;
}

static void say_owed(const struct telling *t)
{
    int count[OWED_BACK + 1] = { 0 };
    for (int i = 0; i < t->m->now.owed; i++)
        count[t->m->now.owe[i].what]++;
    for (int what = OWED_OFF; what <= OWED_BACK; what++) {
        char number[WORD_MAX], key[WORD_MAX];
        voice_number(number, sizeof number, t->w->lines, count[what]);
        const struct voice_slot slots[] = { { "count", number }, { "piece", piece_word(t) } };
        snprintf(key, sizeof key, "%s.%s", what == OWED_OFF ? "owed" : "back", count[what] == 1 ? "one" : "many");
        if (count[what] > 0)
            say(t, key, slots, countof(slots));
    }
}

static bool uses_next(const struct voice_words *w, const struct call *c)
{
    char key[OBS_WORD_MAX + 8];
    snprintf(key, sizeof key, "call.%s", c->what);
    return strstr(voice_line(w->lines, key), "{next}") != NULL;
}

static void say_camera(struct voice_words *w, const struct telling *t, const struct observation *o)
{
    switch (o->camera.what) {
    case CAMERA_LOST:
    case CAMERA_COVERED:
        say_plain(t, "camera.lost");
        w->out_of_sight = true;
        break;
    case CAMERA_LOCKED:
        if (w->out_of_sight)
            say_plain(t, "camera.back");
        w->out_of_sight = false;
        break;
    case CAMERA_DAMAGED:
        if (observation_hides(o))
            say_plain(t, "camera.hidden");
        break;
    case CAMERA_MOVED: // followed
    case CAMERA_CUT:   // a film's business
        break;
    }
}

// Behind a correction: what it came to, and what is not as it was told. The one call of *r is the acknowledgement.
static void acknowledge(struct utterance *out, struct voice_words *w, const struct match *m, const struct ruling *r)
{
    static const char *const keys[INPUT_KINDS] = { [INPUT_UNDO] = "ack.undo",
                                                   [INPUT_REDO] = "ack.redo",
                                                   [INPUT_CONFIRM] = "ack.confirm",
                                                   [INPUT_SHOT_AGAIN] = "ack.again" };
    const struct telling what = { .w = w, .m = m, .to = out->what, .size = sizeof out->what };
    const struct telling stands = { .w = w, .m = m, .to = out->stands, .size = sizeof out->stands };
    const char *key = keys[r->amended_by];
    int was_to_shoot = w->to_shoot;
    bool changed = r->changes > 0, confirmed = r->amended_by == INPUT_CONFIRM;
    out->corrects = changed && !confirmed;
    say_plain(&what, key ? key : changed ? "ack.corrected" : "ack.same");
    if (!confirmed)
        say_text(&what, w->so.what, NULL, 0);
    say_standing(w, &stands, false, false);
    say_next(w, &stands, !w->so.corrects && m->now.to_shoot != was_to_shoot);
    w->so = (struct utterance){ .what = "" };
}

bool voice_words_of(struct utterance *out, struct voice_words *w, const struct match *m, const struct ruling *r)
{
    struct telling t = { .w = w, .m = m, .to = out->what, .size = sizeof out->what };
    bool said = false, next_said = false, ends = false;
    *out = (struct utterance){ .shot = r->shot_ended ? m->shot.number : 0 };
    if (r->camera) {
        out->t_s = r->camera->t_s;
        say_camera(w, &t, r->camera);
    }
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = t.c = &r->calls.call[i];
        bool corrected = c->change != CALL_MADE;
        t.to = corrected ? w->so.what : out->what;
        out->t_s = fmax(out->t_s, c->t_s);
        if (r->amended_by != INPUT_NONE && !corrected)
            out->shot = c->shot;
        else if (!corrected || (c->change == CALL_INSTEAD &&
                                (c->shot == r->amended_shot || strcmp(c->what, "game") == 0 || ends_round(m, c))))
            said |= say_call(&t, &r->calls);
        out->asks |= !c->firm && !corrected;
        next_said |= uses_next(w, c);
        w->so.corrects |= c->change == CALL_INSTEAD && uses_next(w, c); // it says who is next
        if (strcmp(c->what, "new-game") == 0)
            memset(w->score, 0, sizeof w->score);
        ends |= ends_round(m, c);
    }
    if (r->calls.count == 0 ? r->amended_by != INPUT_NONE : r->calls.call[0].change != CALL_MADE)
        return false; // it is told with the acknowledgement
    if (r->amended_by != INPUT_NONE) {
        acknowledge(out, w, m, r);
    } else if (r->calls.count > 0) {
        struct telling stands = { .w = w, .m = m, .to = out->stands, .size = sizeof out->stands };
        bool doubles = m->now.format.players > 1;
        say_standing(w, &stands, w->full && r->shot_ended, said);
        if (w->full)
            say_owed(&stands);
        say_next(w, &stands, !next_said && ((r->shot_ended && (w->full || doubles)) || ends));
    }
    return out->what[0] || out->stands[0];
}
