// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/text.h"
#include "referee/games/american_marbles.h"

// M2: so far off its spot a target is told, less than half of its width. What the judge lets pass he confirms.
static const double SPOT_IN = 0.25;

// Farther than this from every spot a target says nothing about how the X lies: while that is hardly known, and then.
static const double ASTRAY_IN[] = { 42, 1.0, 0.4, 0.4 };

// With fewer targets nobody can win: it is practice, and nobody asks for the rest of the X.
enum { FEWEST = 7, TARGETS_SEEN_MAX = 32 };

// M5: a target so much larger or smaller than the others is told; twice that is no manufacturing fault.
static const double UNIFORM_IN = 0.03;
// 1 sigma of a marble's radius, where nobody told it: thirteen equal ones differ by half of it in
// `samples/clips/marbles_a.mp4`.
static const double SIZE_SIGMA_IN = 0.01;

struct targets {
    int count;
    const struct known_piece *at[TARGETS_SEEN_MAX];
};

static int targets_of(const struct board *b)
{
    return 1 + b->legs * b->on_leg;
}

static bool lies_in(const struct board *b, const struct known_piece *p)
{
    return p->rested && !p->moving && zone_of(b, &p->lying).area == ZONE_IN;
}

static struct targets targets_in(const struct judging *j)
{
    struct targets list = { .count = 0 };
    for (int i = 0; i < j->table->count && list.count < TARGETS_SEEN_MAX; i++) {
        const struct known_piece *p = &j->table->piece[i];
        if (!p->lying.taw && lies_in(j->board, p))
            list.at[list.count++] = p;
    }
    return list;
}

// What a hand moves now is not being set up.
static bool has_begun(const struct standing *s)
{
    return s->own.american_marbles.begun && !s->over;
}

// "12.40 in: 12.10 in towards the centre, 2.70 in clockwise": the way of a marble, seen from above.
static void way_words(char *out, size_t size, struct pt_in from, struct pt_in to)
{
    double dx = to.x - from.x, dy = to.y - from.y, r = hypot(from.x, from.y), apart_in = hypot(dx, dy);
    double inwards_in = r > 0 ? -(dx * from.x + dy * from.y) / r : 0;
    double clockwise_in = r > 0 ? (dx * from.y - dy * from.x) / r : 0;
    if (r < MARBLES_SHIFTED_IN) // there is no way inwards
        snprintf(out, size, "%.2f in outwards", apart_in);
    else
        snprintf(out, size, "%.2f in: %.2f in %s, %.2f in %s", apart_in, fabs(inwards_in),
                 inwards_in > 0 ? "towards the centre" : "outwards", fabs(clockwise_in),
                 clockwise_in > 0 ? "clockwise" : "anticlockwise");
}

// How the X lies: its own centre, and where its first leg points.
struct x_fit {
    struct pt_in centre;
    double turn_rad;
};

// The spot of that X which is the nearest.
static struct pt_in nearest_spot(const struct board *b, const struct x_fit *x, struct pt_in at)
{
    struct pt_in best = x->centre;
    for (int leg = 0; leg < b->legs; leg++)
        for (int i = 1; i <= b->on_leg; i++) {
            double r_in = i * b->leg_step_in, angle_rad = x->turn_rad + 2 * PI * leg / b->legs;
            struct pt_in spot = { x->centre.x + r_in * cos(angle_rad), x->centre.y + r_in * sin(angle_rad) };
            if (distance_in(spot, at) < distance_in(best, at))
                best = spot;
        }
    return best;
}

static double off_spot(const struct board *b, const struct x_fit *x, const struct known_piece *p)
{
    return distance_in(nearest_spot(b, x, p->lying.at), p->lying.at);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// As many of them lie to the one side of it as to the other, also when one lies far astray.
static struct pt_in middle_of(const struct targets *list)
{
    double x[TARGETS_SEEN_MAX] = { 0 }, y[TARGETS_SEEN_MAX] = { 0 };
    for (int i = 0; i < list->count; i++) {
        x[i] = list->at[i]->lying.at.x;
        y[i] = list->at[i]->lying.at.y;
    }
    qsort(x, (size_t)list->count, sizeof *x, by_size);
    qsort(y, (size_t)list->count, sizeof *y, by_size);
    return (struct pt_in){ x[list->count / 2], y[list->count / 2] };
}

// What all targets say, their angles taken `legs` times so that all legs are one; behind the first pass without those
// that lie astray. The X has its own centre: where all the board is seen a little aside, no target is off its spot.
static struct x_fit fit_x(const struct board *b, const struct targets *list)
{
    struct x_fit x = { middle_of(list), 0 };
    for (size_t pass = 0; pass < countof(ASTRAY_IN); pass++) {
        double c = 0, s = 0;
        struct pt_in aside = { 0, 0 };
        int near = 0;
        for (int i = 0; i < list->count; i++) {
            struct pt_in at = list->at[i]->lying.at, spot = nearest_spot(b, &x, at);
            double dx = at.x - x.centre.x, dy = at.y - x.centre.y, angle_rad = b->legs * atan2(dy, dx);
            if (distance_in(spot, at) > ASTRAY_IN[pass])
                continue;
            near++;
            aside.x += at.x - spot.x;
            aside.y += at.y - spot.y;
            c += (dx * dx + dy * dy) * cos(angle_rad);
            s += (dx * dx + dy * dy) * sin(angle_rad);
        }
        x.turn_rad = c == 0 && s == 0 ? x.turn_rad : atan2(s, c) / b->legs;
        if (pass > 0 && near > 0)
            x.centre = (struct pt_in){ x.centre.x + aside.x / near, x.centre.y + aside.y / near };
    }
    return x;
}

static double worst_off(const struct board *b, const struct targets *list, const struct x_fit *x)
{
    double worst_in = 0;
    for (int i = 0; i < list->count; i++)
        worst_in = fmax(worst_in, off_spot(b, x, list->at[i]));
    return worst_in;
}

static double sigma_of(const struct known_piece *p)
{
    return sqrt(fmax(0, fmax(p->lying.cov.xx, p->lying.cov.yy)));
}

// Targets that lay in the ring before the shot.
static int lay_before(const struct judging *j)
{
    int lay = 0;
    for (int i = 0; i < j->shot->count; i++)
        lay += marbles_lay_in(&j->shot->piece[i]);
    return lay;
}

bool marbles_set_up(const struct judging *j)
{
    return lay_before(j) == targets_of(j->board) || j->now->own.american_marbles.lag.running;
}

bool marbles_x_is_news(const struct judging *j)
{
    const struct american_marbles_state *own = &j->now->own.american_marbles;
    struct targets list = targets_in(j);
    if (own->begun || own->x_is_right || list.count != targets_of(j->board))
        return false;
    struct x_fit x = fit_x(j->board, &list);
    double worst_in = fmax(worst_off(j->board, &list, &x), hypot(x.centre.x, x.centre.y));
    return !own->x_told || fabs(worst_in - own->x_worst_in) > MARBLES_SHIFTED_IN;
}

void marbles_say_x(struct judging *j)
{
    struct american_marbles_state *own = &j->now->own.american_marbles;
    struct targets list = targets_in(j);
    struct x_fit x = fit_x(j->board, &list);
    double worst_in = worst_off(j->board, &list, &x), aside_in = hypot(x.centre.x, x.centre.y);
    own->x_told = true;
    own->x_worst_in = fmax(worst_in, aside_in);
    own->x_is_right = own->x_worst_in <= SPOT_IN;
    if (own->x_is_right)
        call_add(j->calls, j->rule->number, "set-up-ok", "%d targets on the X, at most %.2f in off", list.count,
                 worst_in);
    if (aside_in > SPOT_IN)
        call_add(j->calls, j->rule->number, "off-centre", "the X lies %.2f in off the ring's centre: judge", aside_in)
            ->firm = aside_in - SPOT_IN > FIRM_SIGMAS * sigma_of(list.at[0]);
    for (int i = 0; i < list.count; i++) {
        const struct known_piece *p = list.at[i];
        double off_in = off_spot(j->board, &x, p);
        char way[CALL_TEXT_MAX / 2];
        if (off_in <= SPOT_IN)
            continue;
        way_words(way, sizeof way, p->lying.at, nearest_spot(j->board, &x, p->lying.at));
        struct call *c =
            call_add(j->calls, j->rule->number, "off-spot", "target %d to its spot on the X, %s", p->id, way);
        c->firm = off_in - SPOT_IN > FIRM_SIGMAS * sigma_of(p);
        c->piece = p->id;
    }
}

bool marbles_x_incomplete(const struct judging *j)
{
    const struct american_marbles_state *own = &j->now->own.american_marbles;
    int lay = lay_before(j);
    return !own->begun && !own->x_told && lay >= FEWEST && lay != targets_of(j->board);
}

// What nobody has lies in the ring.
static int belong_in(const struct judging *j)
{
    int score = 0;
    for (int i = 0; i < j->now->sides; i++)
        score += j->now->side[i].score;
    return targets_of(j->board) - score;
}

bool marbles_not_back_on_x(const struct judging *j)
{
    return j->now->own.american_marbles.to_lay && lay_before(j) < belong_in(j);
}

void marbles_say_not_back_on_x(struct judging *j)
{
    int lay = lay_before(j), belong = belong_in(j);
    j->now->own.american_marbles.to_lay = false;
    call_add(j->calls, j->rule->number, "not-put-back", "%d target%s in the ring, and %d belong%s there: judge", lay,
             lay == 1 ? " was" : "s were", belong, belong == 1 ? "s" : "")
        ->firm = false;
}

void marbles_say_x_incomplete(struct judging *j)
{
    j->now->own.american_marbles.x_told = true;
    call_add(j->calls, j->rule->number, "set-up", "the first shot, and there are not %d targets in the ring: judge",
             targets_of(j->board))
        ->firm = false;
}

bool marbles_sizes_are_news(const struct judging *j)
{
    return !j->now->own.american_marbles.sizes_told && targets_in(j).count == targets_of(j->board);
}

void marbles_say_sizes(struct judging *j)
{
    struct targets list = targets_in(j);
    double mean_in = 0, usual_in = j->board->piece_radius_in;
    for (int i = 0; i < list.count; i++)
        mean_in += list.at[i]->lying.radius_in / list.count;
    j->now->own.american_marbles.sizes_told = true;
    if (fabs(mean_in - usual_in) > UNIFORM_IN)
        call_add(j->calls, j->rule->number, "illegal-target", "the targets are %.2f in across, not %.3f: judge",
                 2 * mean_in, 2 * usual_in)
            ->firm = fabs(mean_in - usual_in) > 2 * UNIFORM_IN;
    for (int i = 0; i < list.count; i++) {
        double off_in = fabs(list.at[i]->lying.radius_in - mean_in);
        double sigma_in = marbles_size_sigma_in(&list.at[i]->lying);
        if (off_in <= fmax(UNIFORM_IN, sigma_in))
            continue;
        bool firm = off_in > fmax(2 * UNIFORM_IN, FIRM_SIGMAS * sigma_in);
        struct call *c = call_add(j->calls, j->rule->number, "illegal-target",
                                  "target %d is %.2f in across, the others %.2f: replace it%s", list.at[i]->id,
                                  2 * list.at[i]->lying.radius_in, 2 * mean_in, firm ? "" : ", judge");
        c->firm = firm;
        c->piece = list.at[i]->id;
    }
}

double marbles_size_sigma_in(const struct resting_piece *p)
{
    return p->radius_sigma_in > 0 ? p->radius_sigma_in : SIZE_SIGMA_IN;
}

// By how much the taw's radius is not legal; 0 when it may be.
static double illegal_by(const struct board *b, const struct known_piece *p)
{
    double by_in = fmax(p->lying.radius_in - b->taw_radius_max_in, b->taw_radius_min_in - p->lying.radius_in);
    return p->lying.taw && by_in > marbles_size_sigma_in(&p->lying) ? by_in : 0;
}

static const struct known_piece *untold_taw(const struct judging *j)
{
    const struct american_marbles_state *own = &j->now->own.american_marbles;
    for (int i = 0; i < j->table->count; i++) {
        const struct known_piece *p = &j->table->piece[i];
        bool told = illegal_by(j->board, p) == 0;
        for (int k = 0; k < own->told && k < TOLD_MAX && !told; k++)
            told =
                strcmp(own->told_taw[k].colour, p->colour) == 0 &&
                fabs(own->told_taw[k].radius_in - p->lying.radius_in) < FIRM_SIGMAS * marbles_size_sigma_in(&p->lying);
        if (!told)
            return p;
    }
    return NULL;
}

bool marbles_taw_size_wrong(const struct judging *j)
{
    return untold_taw(j) != NULL;
}

void marbles_say_taw_size(struct judging *j)
{
    const struct known_piece *p = untold_taw(j);
    struct american_marbles_state *own = &j->now->own.american_marbles;
    bool firm = illegal_by(j->board, p) > FIRM_SIGMAS * marbles_size_sigma_in(&p->lying);
    struct call *c =
        call_add(j->calls, j->rule->number, "illegal-taw", "%s's taw is %.2f in across, legal is %.2f to %.2f in: %s",
                 standing_owner(j->now, p->colour), 2 * p->lying.radius_in, 2 * j->board->taw_radius_min_in,
                 2 * j->board->taw_radius_max_in, firm ? "replace it" : "judge");
    c->firm = firm;
    c->piece = p->id;
    int room = own->told++ % TOLD_MAX; // the one that was told first is forgotten: told twice is better than never
    memcpy(own->told_taw[room].colour, p->colour, OBS_WORD_MAX);
    own->told_taw[room].radius_in = p->lying.radius_in;
}

// A5: where it lay; where another lies there now, the nearest free place towards the centre.
static struct pt_in free_place(const struct judging *j, int id, struct pt_in at)
{
    double step_in = j->board->piece_radius_in / 4, r = hypot(at.x, at.y);
    for (double in = 0; in < r; in += step_in) {
        bool is_free = true;
        const struct pt_in place = { at.x * (1 - in / r), at.y * (1 - in / r) };
        for (int i = 0; i < j->table->count && is_free; i++) {
            const struct known_piece *p = &j->table->piece[i];
            is_free = p->id == id || p->moving || !p->rested ||
                      distance_in(p->lying.at, place) >= p->lying.radius_in + j->board->piece_radius_in;
        }
        if (is_free)
            return place;
    }
    return at;
}

static void owe_back(struct judging *j, const struct known_piece *p, struct pt_in lies, bool is_there, struct pt_in to)
{
    char way[CALL_TEXT_MAX / 2];
    to = free_place(j, p->id, to);
    standing_owe(j->now, p, OWED_BACK, to, j->shot->number);
    if (is_there)
        way_words(way, sizeof way, lies, to);
    else
        snprintf(way, sizeof way, "%.2f in from the centre", hypot(to.x, to.y));
    struct call *c = call_add(j->calls, j->rule->number, "put-back", "target %d back to where it lay, %s", p->id, way);
    c->piece = p->id;
}

void marbles_put_back(struct judging *j, const struct outcome *o)
{
    owe_back(j, &o->piece, o->piece.lying.at, !o->left, o->was_at);
}

// Of the targets that lay in the ring.
void marbles_put_back_all(struct judging *j, bool only_knocked_out)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        bool taken = o->left && o->left_to == BY_HAND;
        bool shifted = o->left || distance_in(o->was_at, o->piece.lying.at) > MARBLES_SHIFTED_IN;
        if (marbles_lay_in(o) && shifted && (marbles_knocked_out(j, o) || taken || !only_knocked_out))
            marbles_put_back(j, o);
    }
}

// The first that was to be done before this shot: of another colour than `but`, or for NULL of any.
static const struct owed *first_owed(const struct judging *j, enum owed_what what, const char *but)
{
    for (const struct owed *o = j->now->owe; o < j->now->owe + j->now->owed; o++)
        if (o->what == what && o->shot < j->shot->number && (!but || strcmp(o->colour, but) != 0))
            return o;
    return NULL;
}

bool marbles_any_owed(const struct judging *j)
{
    return first_owed(j, OWED_BACK, NULL) != NULL;
}

void marbles_say_owed(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2] = "";
    for (const struct owed *o = first_owed(j, OWED_BACK, NULL); o < j->now->owe + j->now->owed; o++)
        if (o->what == OWED_BACK && o->shot < j->shot->number && strlen(words) + 16 < sizeof words)
            text_add(words, sizeof words, "%s%d", text_comma(words), o->piece);
    bool one = !strchr(words, ',');
    judging_say(j, NULL, "not-put-back", "a shot before target%s %s %s put back: judge", one ? "" : "s", words,
                one ? "was" : "were")
        ->firm = false;
}

bool marbles_taw_left_behind(const struct judging *j)
{
    return first_owed(j, OWED_OFF, j->shot->by) != NULL;
}

void marbles_say_left_behind(struct judging *j)
{
    judging_say(j, NULL, "taw-left", "%s's taw still lay in the ring: judge",
                standing_owner(j->now, first_owed(j, OWED_OFF, j->shot->by)->colour))
        ->firm = false;
}

bool marbles_target_by_hand(const struct judging *j)
{
    return !j->piece->lying.taw && has_begun(j->now);
}

// M45, M48: back to where it lay, which is still its place when it was to go back already.
void marbles_say_by_hand(struct judging *j)
{
    const struct owed *owed = standing_owes(j->now, j->piece->id);
    struct pt_in place = owed ? owed->at : j->piece->lying.at;
    call_add(j->calls, j->taken ? "M45" : j->rule->number, "reset", "reset: target %d was %s by hand", j->piece->id,
             j->taken ? "taken" : "moved")
        ->piece = j->piece->id;
    owe_back(j, j->piece, j->to, !j->taken, place);
    j->calls->call[j->calls->count - 1].same_breath = true;
}

// M57: two marbles more than nobody has; of a single one it may be the taw that is taken for a target.
bool marbles_thrown_in(const struct judging *j)
{
    const struct american_marbles_state *own = &j->now->own.american_marbles;
    return has_begun(j->now) && own->x_is_right && !own->uncounted && !own->thrown_told &&
           targets_in(j).count > belong_in(j) + 1;
}

void marbles_ask_thrown(struct judging *j)
{
    j->now->own.american_marbles.thrown_told = true;
    call_add(j->calls, j->rule->number, "forfeit-asked",
             "%d targets are in the ring, and %d belong%s there: judge, did somebody give up?", targets_in(j).count,
             belong_in(j), belong_in(j) == 1 ? "s" : "")
        ->firm = false;
}

// M57: who takes up the targets has given up, as it seems.
void marbles_ask_forfeit(struct judging *j)
{
    call_add(j->calls, j->rule->number, "forfeit-asked", "all targets were taken up: judge, did somebody give up?")
        ->firm = false;
}
