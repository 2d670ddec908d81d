// SPDX-License-Identifier: MIT
#include "samples/scene/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/scene/truth.h"

static const double STEP_S = 1.0 / 3000;
static const double DISC_SLOWS = 95, MARBLE_SLOWS = 55; // inches per second squared: waxed wood, carpet
static const double BOUNCE = 0.86, PEG_BOUNCE = 0.6;    // speed kept along the line of centres
static const double HOLE_CATCHES_IN_S = 60;             // a faster disc runs over the hole
static const double FIRST_S = 0.4, PLACED_S = 0.6, FLICK_S = 1.1, LEAVE_S = 0.4, PAUSE_S = 0.9, CLEAR_S = 0.9;
// In a match nobody waits so long.
static const double MATCH_PAUSE_S = 0.6, MATCH_CLEAR_S = 0.7;
static const double PUT_S = 0.45;         // a hand that puts a target on its spot is on its way so long
static const double OFF_SPOT_IN = 0.05;   // a target that lies so far from its spot is put there
static const double TAW_RADIUS_IN = 0.36; // each player of a match has one taw
static const double OUTSIDE = 1.9;        // of the outer circle: a hand waits there

struct contact {
    double t_s;
    char a[16], b[16];
    double speed_in_s;
};

struct shot_record {
    bool done;
    int actor;
    struct pt_in from;
    double start_s, rest_s;
    int contacts;
    struct contact contact[PLAY_CONTACTS];
    json_t *at_rest, *events, *knocked_out;
    bool taw_in, shoots_again;
};

enum phase { PHASE_WAIT, PHASE_PLACE, PHASE_RUN, PHASE_CLEAR, PHASE_SET, PHASE_END };

struct play {
    const struct clip_script *script;
    struct scene stage;
    struct chance chance;
    int actors;
    struct actor actor[PLAY_PIECES];
    int shot;
    struct shot_record record[PLAY_SHOTS];
    enum phase phase;
    double phase_s, now_s;
    bool taw_stays; // marbles: the shooter goes on from where the taw lies
    int put;        // target that a hand puts on its spot
};

static bool marbles(const struct play *p)
{
    return p->stage.ground == GROUND_CARPET;
}

static double pause_s(const struct play *p)
{
    return p->script->match ? MATCH_PAUSE_S : PAUSE_S;
}

static double clear_s(const struct play *p)
{
    return p->script->match ? MATCH_CLEAR_S : CLEAR_S;
}

static double outer_in(const struct play *p)
{
    return p->stage.board->circle_in[0];
}

static int add_actor(struct play *p, int side, struct pt_in at, bool taw)
{
    const struct match_script *match = p->script->match;
    const char *colour = match && match->target && !taw ? match->target : p->script->stage.sides[side];
    struct actor *a = &p->actor[p->actors];
    *a = (struct actor){ .side = side, .there = true };
    a->look = recipe_piece(&p->stage, colour, (struct vec){ at.x, at.y, 0 }, taw, &p->chance);
    if (match && taw) {
        a->look.radius_in = TAW_RADIUS_IN;
        a->look.height_in = 2 * TAW_RADIUS_IN;
    }
    snprintf(a->id, sizeof a->id, "%.10s%d", colour, p->actors % 100);
    return p->actors++;
}

struct pt_in play_spot(int i)
{
    double angle = PI / 4 + (i - 1) / 3 * PI / 2, r = i == 0 ? 0 : 3.0 * ((i - 1) % 3 + 1);
    double x = r * cos(angle), y = r * sin(angle);
    return (struct pt_in){ x, y };
}

struct play *play_create(const struct clip_script *script, const struct scene *stage)
{
    struct play *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->script = script;
    p->stage = *stage;
    p->chance.state = script->stage.seed + 7;
    for (int i = 0; i < script->targets; i++)
        add_actor(p, 0, play_spot(i), false);
    return p;
}

void play_free(struct play *p)
{
    for (int i = 0; p && i < p->script->shots; i++) {
        json_decref(p->record[i].at_rest);
        json_decref(p->record[i].events);
        json_decref(p->record[i].knocked_out);
    }
    free(p);
}

static void note_contact(struct play *p, const char *a, const char *b, double speed_in_s)
{
    struct shot_record *r = &p->record[p->shot];
    if (r->contacts == PLAY_CONTACTS)
        return;
    struct contact *c = &r->contact[r->contacts++];
    *c = (struct contact){ .t_s = p->now_s, .speed_in_s = speed_in_s };
    snprintf(c->a, sizeof c->a, "%s", a);
    snprintf(c->b, sizeof c->b, "%s", b);
}

static void collide(struct play *p, struct actor *a, struct actor *b)
{
    double dx = b->look.at.x - a->look.at.x, dy = b->look.at.y - a->look.at.y, d = hypot(dx, dy);
    if (d >= a->look.radius_in + b->look.radius_in || d <= 0)
        return;
    dx /= d;
    dy /= d;
    double closing = (a->vx - b->vx) * dx + (a->vy - b->vy) * dy;
    if (closing <= 0)
        return;
    double give = closing * (1 + BOUNCE) / 2;
    a->vx -= give * dx;
    a->vy -= give * dy;
    b->vx += give * dx;
    b->vy += give * dy;
    b->moving = a->moving = true;
    note_contact(p, a->id, b->id, closing);
}

static void hit_pegs(struct play *p, struct actor *a)
{
    for (int i = 0; i < p->stage.solids; i++) {
        const struct solid *peg = &p->stage.solid[i];
        double dx = peg->at.x - a->look.at.x, dy = peg->at.y - a->look.at.y, d = hypot(dx, dy);
        double closing = (a->vx * dx + a->vy * dy) / fmax(d, 1e-9);
        if (d >= peg->radius_in + a->look.radius_in || closing <= 0)
            continue;
        a->vx -= (1 + PEG_BOUNCE) * closing * dx / d;
        a->vy -= (1 + PEG_BOUNCE) * closing * dy / d;
        char name[16];
        snprintf(name, sizeof name, "peg%d", i % 100);
        note_contact(p, a->id, name, closing);
    }
}

static void note_event(struct play *p, const struct actor *a, const char *what)
{
    json_array_append_new(p->record[p->shot].events,
                          json_pack("{sf ss ss}", "t_s", p->now_s, "piece", a->id, "event", what));
}

static void fall(struct play *p, struct actor *a)
{
    const struct board *b = p->stage.board;
    double r = hypot(a->look.at.x, a->look.at.y), speed = hypot(a->vx, a->vy);
    if (r < 0.5 * b->hole_radius_in && speed < HOLE_CATCHES_IN_S) {
        a->look.at = (struct vec){ 0, 0, -b->hole_depth_in };
        note_event(p, a, "twenty");
    } else if (r > b->surface_radius_in) {
        double lies_in = (b->surface_radius_in + p->stage.rail_inner_in) / 2;
        a->look.at = (struct vec){ a->look.at.x / r * lies_in, a->look.at.y / r * lies_in, -b->ditch_depth_in };
        note_event(p, a, "ditch");
    } else {
        return;
    }
    a->gone_low = true;
    a->moving = false;
    a->vx = a->vy = 0;
}

static bool step(struct play *p)
{
    bool any = false;
    double slows = marbles(p) ? MARBLE_SLOWS : DISC_SLOWS;
    for (int i = 0; i < p->actors; i++) {
        struct actor *a = &p->actor[i];
        if (!a->there || !a->moving || a->gone_low)
            continue;
        double speed = hypot(a->vx, a->vy), kept = fmax(0, speed - slows * STEP_S) / fmax(speed, 1e-9);
        a->vx *= kept;
        a->vy *= kept;
        a->look.at.x += a->vx * STEP_S;
        a->look.at.y += a->vy * STEP_S;
        a->moving = kept > 0;
        any |= a->moving;
        for (int k = 0; k < p->actors; k++)
            if (k != i && p->actor[k].there && !p->actor[k].gone_low)
                collide(p, a, &p->actor[k]);
        if (!marbles(p)) {
            hit_pegs(p, a);
            fall(p, a);
        }
    }
    return any;
}

static int side_of(const struct play *p, int shot)
{
    int side = p->script->shot[shot].side;
    if (side != SIDE_BY_TURN || shot == 0)
        return side != SIDE_BY_TURN ? side : 0;
    const struct shot_record *before = &p->record[shot - 1];
    int shooter = p->actor[before->actor].side;
    return before->shoots_again ? shooter : 1 - shooter;
}

static void place(struct play *p)
{
    const struct shot_script *s = &p->script->shot[p->shot];
    struct shot_record *r = &p->record[p->shot];
    double half = p->stage.line_width_in / 2, radius_in = p->stage.board->piece_radius_in;
    double at_in = marbles(p) ? outer_in(p) + 0.6 : outer_in(p) + half - radius_in;
    struct pt_in at = { at_in * cos(s->from_rad), at_in * sin(s->from_rad) };
    if (marbles(p) && p->taw_stays) {
        const struct actor *taw = &p->actor[p->record[p->shot - 1].actor];
        at = (struct pt_in){ taw->look.at.x, taw->look.at.y };
        r->actor = p->record[p->shot - 1].actor;
    } else {
        r->actor = add_actor(p, side_of(p, p->shot), at, marbles(p));
    }
    r->from = at;
}

static void flick(struct play *p)
{
    const struct shot_script *s = &p->script->shot[p->shot];
    struct shot_record *r = &p->record[p->shot];
    struct actor *a = &p->actor[r->actor];
    double dx = s->aim.x - a->look.at.x, dy = s->aim.y - a->look.at.y, d = hypot(dx, dy);
    a->vx = s->speed_in_s * dx / d;
    a->vy = s->speed_in_s * dy / d;
    a->moving = true;
    r->start_s = p->now_s;
    r->events = json_array();
    r->knocked_out = json_array();
}

static bool outside(const struct play *p, const struct actor *a)
{
    return hypot(a->look.at.x, a->look.at.y) >= outer_in(p);
}

static bool ends_game(const struct play *p, int shot)
{
    return p->script->match && shot >= 0 && p->script->match->meaning[shot] == SHOT_ENDS_GAME;
}

static void judge(struct play *p)
{
    struct shot_record *r = &p->record[p->shot];
    r->at_rest = json_array();
    r->rest_s = p->now_s;
    r->done = true;
    for (int i = 0; i < p->actors; i++) {
        const struct actor *a = &p->actor[i];
        double margin_in;
        if (!a->there)
            continue;
        const char *role = !marbles(p) ? NULL : a->look.taw ? "taw" : "target";
        json_array_append_new(r->at_rest, json_pack("{ss ss ss? sf sf ss}", "id", a->id, "colour", a->look.name, "role",
                                                    role, "x_in", a->look.at.x, "y_in", a->look.at.y, "zone",
                                                    truth_zone(&margin_in, &p->stage, &a->look)));
        if (marbles(p) && !a->look.taw && outside(p, a))
            json_array_append_new(r->knocked_out, json_string(a->id));
    }
    r->taw_in = marbles(p) && !outside(p, &p->actor[r->actor]);
    r->shoots_again = r->taw_in && json_array_size(r->knocked_out) > 0; // M38, M40
    p->taw_stays = r->shoots_again && !ends_game(p, p->shot);
}

// It lies on the surface where nothing counts.
static bool touches_outermost(const struct play *p, const struct actor *a)
{
    double margin_in;
    return p->script->match && !marbles(p) && strcmp(truth_zone(&margin_in, &p->stage, &a->look), "ditch") == 0;
}

static bool off_spot(const struct play *p, int actor)
{
    const struct vec at = p->actor[actor].look.at;
    struct pt_in is = play_spot(actor);
    return actor >= p->script->targets || hypot(at.x - is.x, at.y - is.y) > OFF_SPOT_IN;
}

// The piece that a hand has to take next; -1 when all is clear.
static int to_be_taken(const struct play *p)
{
    for (int i = 0; i < p->actors; i++) {
        const struct actor *a = &p->actor[i];
        bool out = marbles(p) && outside(p, a), done = marbles(p) && a->look.taw && !p->taw_stays;
        bool cleared = ends_game(p, p->shot - 1) && off_spot(p, i);
        if (a->there && (a->gone_low || out || done || cleared || touches_outermost(p, a)))
            return i;
    }
    return -1;
}

// The target that a hand has to put on its spot next; -1 when all lie there.
static int to_be_put(const struct play *p)
{
    for (int i = 0; i < p->script->targets && ends_game(p, p->shot - 1); i++)
        if (!p->actor[i].there)
            return i;
    return -1;
}

static void put(struct play *p)
{
    struct pt_in at = play_spot(p->put);
    p->actor[p->put].look.at = (struct vec){ at.x, at.y, 0 };
    p->actor[p->put].there = true;
}

static void enter(struct play *p, enum phase phase)
{
    p->phase = phase;
    p->phase_s = p->now_s;
    p->put = phase == PHASE_SET ? to_be_put(p) : -1;
}

static void next_phase(struct play *p)
{
    double since = p->now_s - p->phase_s;
    switch (p->phase) {
    case PHASE_WAIT:
        if (since < (p->shot == 0 ? FIRST_S : pause_s(p)))
            break;
        enter(p, p->shot < p->script->shots ? PHASE_PLACE : PHASE_END);
        break;
    case PHASE_PLACE:
        if (since >= PLACED_S && (p->record[p->shot].from.x == 0 && p->record[p->shot].from.y == 0))
            place(p);
        if (since < FLICK_S)
            break;
        flick(p);
        enter(p, PHASE_RUN);
        break;
    case PHASE_RUN:
        if (step(p) || since < LEAVE_S + 0.3)
            break;
        judge(p);
        p->shot++;
        enter(p, PHASE_CLEAR);
        break;
    case PHASE_CLEAR:
        if (to_be_taken(p) < 0 && since > pause_s(p) / 2) {
            enter(p, to_be_put(p) < 0 ? PHASE_WAIT : PHASE_SET);
        } else if (to_be_taken(p) >= 0 && since > pause_s(p) + clear_s(p) / 2) {
            p->actor[to_be_taken(p)].there = false;
            enter(p, PHASE_CLEAR);
        }
        break;
    case PHASE_SET:
        if (since >= PUT_S && !p->actor[p->put].there)
            put(p);
        if (since < PUT_S + LEAVE_S)
            break;
        enter(p, to_be_put(p) < 0 ? PHASE_WAIT : PHASE_SET);
        break;
    case PHASE_END:
        break;
    }
}

static struct pt_in mix(struct pt_in a, struct pt_in b, double k)
{
    k = fmax(0, fmin(1, k));
    k = k * k * (3 - 2 * k);
    return (struct pt_in){ a.x + (b.x - a.x) * k, a.y + (b.y - a.y) * k };
}

static struct pt_in on_ray(const struct play *p, double angle, double times)
{
    return (struct pt_in){ times * outer_in(p) * cos(angle), times * outer_in(p) * sin(angle) };
}

static void hand_to(struct stage_moment *m, const struct play *p, struct pt_in goal, double angle, double there)
{
    if (there <= 0)
        return;
    m->hand = true;
    m->hand_rad = angle;
    m->tip = mix(on_ray(p, angle, OUTSIDE), goal, there);
}

static void pose_hand(struct stage_moment *m, const struct play *p)
{
    double since = p->now_s - p->phase_s;
    if (p->phase == PHASE_PLACE || (p->phase == PHASE_RUN && since < LEAVE_S)) {
        const struct shot_script *s = &p->script->shot[p->shot];
        struct pt_in goal = p->record[p->shot].from;
        double angle = s->from_rad, behind = p->stage.board->piece_radius_in + 0.15;
        if (goal.x == 0 && goal.y == 0)
            goal = on_ray(p, angle, 1);
        goal.x += behind * cos(angle);
        goal.y += behind * sin(angle);
        hand_to(m, p, goal, angle, p->phase == PHASE_PLACE ? since / PLACED_S : 1 - since / LEAVE_S);
    } else if (p->phase == PHASE_CLEAR && to_be_taken(p) >= 0) {
        const struct vec at = p->actor[to_be_taken(p)].look.at;
        double angle = hypot(at.x, at.y) > 1 ? atan2(at.y, at.x) : p->script->shot[0].from_rad;
        double along = (since - pause_s(p) + clear_s(p) / 2) / (clear_s(p) / 2);
        hand_to(m, p, (struct pt_in){ at.x, at.y }, angle, along);
    } else if (p->phase == PHASE_SET) {
        double angle = p->script->shot[0].from_rad, behind = p->stage.board->piece_radius_in + 0.15;
        struct pt_in goal = play_spot(p->put);
        goal.x += behind * cos(angle);
        goal.y += behind * sin(angle);
        hand_to(m, p, goal, angle, since < PUT_S ? since / PUT_S : 1 - (since - PUT_S) / LEAVE_S);
    } else if (p->phase == PHASE_CLEAR || p->phase == PHASE_WAIT) {
        return;
    }
}

bool play_run(struct play *p, double t_s, struct stage_moment *out)
{
    while (p->now_s < t_s && p->phase != PHASE_END) {
        next_phase(p);
        p->now_s += STEP_S;
    }
    *out = (struct stage_moment){ .t_s = t_s };
    pose_hand(out, p);
    return p->phase != PHASE_END;
}

int play_actors(const struct play *p, const struct actor **out)
{
    *out = p->actor;
    return p->actors;
}

json_t *play_frame_truth(const struct play *p, const struct stage_moment *m)
{
    json_t *pieces = json_array();
    for (int i = 0; i < p->actors; i++)
        if (p->actor[i].there)
            json_array_append_new(pieces,
                                  json_pack("{ss ss sf sf}", "id", p->actor[i].id, "colour", p->actor[i].look.name,
                                            "x_in", p->actor[i].look.at.x, "y_in", p->actor[i].look.at.y));
    return json_pack("{sf so so}", "t_s", m->t_s, "hand", m->hand ? json_pack("[ff]", m->tip.x, m->tip.y) : json_null(),
                     "pieces", pieces);
}

static json_t *shot_truth(const struct play *p, int i)
{
    const struct shot_record *r = &p->record[i];
    const struct actor *a = &p->actor[r->actor];
    json_t *contacts = json_array();
    for (int k = 0; k < r->contacts; k++)
        json_array_append_new(contacts, json_pack("{sf ss ss sf}", "t_s", r->contact[k].t_s, "a", r->contact[k].a, "b",
                                                  r->contact[k].b, "speed_in_s", r->contact[k].speed_in_s));
    json_t *shot = json_pack("{si ss ss s[ff] sf sf so sO sO}", "shot", i, "by", a->look.name, "piece", a->id,
                             "from_in", r->from.x, r->from.y, "start_s", r->start_s, "rest_s", r->rest_s, "contacts",
                             contacts, "events", r->events, "at_rest", r->at_rest);
    static const char *const meanings[] = {
        [SHOT_PLAYED] = "played", [SHOT_SLIPPED] = "slipped", [SHOT_ENDS_GAME] = "ends-game"
    };
    if (p->script->match)
        json_object_set_new(shot, "meaning", json_string(meanings[p->script->match->meaning[i]]));
    if (marbles(p)) {
        json_object_set(shot, "knocked_out", r->knocked_out);
        json_object_set_new(shot, "taw_in", json_boolean(r->taw_in));
        json_object_set_new(shot, "shoots_again", json_boolean(r->shoots_again));
    }
    return shot;
}

json_t *play_shots_truth(const struct play *p)
{
    json_t *shots = json_array();
    for (int i = 0; i < p->script->shots; i++)
        if (p->record[i].done)
            json_array_append_new(shots, shot_truth(p, i));
    return shots;
}
