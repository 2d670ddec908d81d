// SPDX-License-Identifier: MIT
#include "tests/accuracy/games.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/accuracy/score.h"
#include "tests/accuracy/shots.h"

enum { CALLS = 512, OUTCOMES = 64 };
static const double SAME_REST_IN = 0.5; // as of any clip
static const double MOVED_IN = 0.1;     // less is no outcome

// What became of one piece by one shot.
struct outcome {
    const char *id, *who, *zone;
    bool told;
};

struct game_tally {
    int shots, found, invented;
    int outcomes, right; // of the shots that were found: of how many the right thing was said
    int firm, close,
        wrong_firm; // calls of where something came to lie; wrong_firm: also what is told to lie somewhere
};

// One clip while it is scored.
struct game_reading {
    struct game_tally tally;
    const char *name;
    const json_t *truth;
    struct sides sides;
    double turn_rad; // of the reading, to fit the truth
    int calls, shots;
    json_t *call[CALLS], *shot[SCORE_PIECES];
    int wrongs; // places where something is told firmly that is not so: once is enough
    struct pt_in wrong[OUTCOMES];
};

static bool is(const json_t *o, const char *key, const char *word)
{
    return strcmp(score_word(o, key), word) == 0;
}

static const json_t *find_by(const json_t *list, const char *key, const char *word)
{
    size_t i;
    const json_t *o;
    json_array_foreach(list, i, o)
    {
        if (is(o, key, word))
            return o;
    }
    return NULL;
}

// Discs are told by their side, marbles by what they are for.
static const char *who_is(const json_t *piece)
{
    const char *role = score_word(piece, "role");
    return *role ? role : score_word(piece, "colour");
}

static const char *who_is_called(const struct game_reading *g, const json_t *call)
{
    if (is(call, "what", "out"))
        return "target";
    return is(call, "what", "taw-in") || is(call, "what", "taw-out") ? "taw"
                                                                     : sides_of(&g->sides, score_word(call, "side"));
}

// A frame in which nothing is other than in the one before tells no pieces.
static const json_t *before_shot(const json_t *truth, const json_t *shot)
{
    const json_t *frames = json_object_get(truth, "frames"), *pieces = NULL;
    for (int i = (int)(score_number(shot, "start_s") * score_number(truth, "fps")); i >= 0 && !pieces; i--)
        pieces = json_object_get(json_array_get(frames, (size_t)i), "pieces");
    return pieces;
}

// Of marbles that stay in only the taw is told.
static int list_outcomes(struct outcome *out, const json_t *truth, const json_t *shot)
{
    const json_t *before = before_shot(truth, shot), *rest = json_object_get(shot, "at_rest"), *piece;
    size_t i;
    int n = 0;
    json_array_foreach(before, i, piece)
    {
        const json_t *now = find_by(rest, "id", score_word(piece, "id"));
        double x_in = score_number(piece, "x_in"), y_in = score_number(piece, "y_in");
        bool lies = now && hypot(score_number(now, "x_in") - x_in, score_number(now, "y_in") - y_in) < MOVED_IN;
        if (lies || n == OUTCOMES || (is(now, "role", "target") && is(now, "zone", "in")))
            continue;
        out[n++] = (struct outcome){ score_word(piece, "id"), now ? who_is(now) : score_word(piece, "colour"),
                                     now ? score_word(now, "zone") : "ditch", false };
    }
    return n;
}

static struct pt_in place_in_truth(const struct game_reading *g, const json_t *read)
{
    double x = score_number(read, "x_in"), y = score_number(read, "y_in"), c = cos(g->turn_rad), s = sin(g->turn_rad);
    return (struct pt_in){ c * x - s * y, s * x + c * y };
}

// What really lies where the reading has a disc; NULL for nothing.
static const json_t *lies_there(const struct game_reading *g, const json_t *shot, const json_t *read)
{
    const json_t *piece, *best = NULL;
    struct pt_in at = place_in_truth(g, read);
    double least = SAME_REST_IN;
    size_t i;
    json_array_foreach(json_object_get(shot, "at_rest"), i, piece)
    {
        double apart = hypot(score_number(piece, "x_in") - at.x, score_number(piece, "y_in") - at.y);
        if (apart >= least)
            continue;
        least = apart;
        best = piece;
    }
    return best;
}

// The piece at rest that a call is about: a call has its measure, but no place. NULL when it left.
static const json_t *called_piece(const struct game_reading *g, const json_t *got, const json_t *call)
{
    size_t i;
    const json_t *piece;
    json_array_foreach(json_object_get(got, "at_rest"), i, piece)
    {
        bool same = strcmp(sides_of(&g->sides, who_is(piece)), who_is_called(g, call)) == 0 &&
                    is(piece, "zone", score_word(call, "zone"));
        if (same && score_number(piece, "margin_in") == score_number(call, "margin_in"))
            return piece;
    }
    return NULL;
}

static bool was_told(struct game_reading *g, const json_t *read)
{
    struct pt_in at = place_in_truth(g, read);
    for (int i = 0; i < g->wrongs; i++)
        if (hypot(g->wrong[i].x - at.x, g->wrong[i].y - at.y) < SAME_REST_IN)
            return true;
    if (g->wrongs < OUTCOMES)
        g->wrong[g->wrongs++] = at;
    return false;
}

static void print_wrong(struct game_reading *g, double t_s, const char *kind, const char *said, const char *real)
{
    g->tally.wrong_firm++;
    printf("    wrong and firm: %s %7.2f s  %-10s %s; %s\n", g->name, t_s, kind, said, real);
}

static void print_wrong_call(struct game_reading *g, const json_t *call, const struct outcome *o, int n)
{
    char real[256] = "in truth";
    size_t used = strlen(real);
    for (int i = 0; i < n && used < sizeof real; i++)
        used += (size_t)snprintf(real + used, sizeof real - used, " %s %s", o[i].id, o[i].zone);
    print_wrong(g, score_number(call, "t_s"), score_word(call, "what"), score_word(call, "text"), real);
}

// True when the call says what is so; the outcome that it tells is marked.
static bool call_right(struct game_reading *g, const json_t *shot, const json_t *got, const json_t *call,
                       struct outcome *o, int n)
{
    const json_t *piece = is(call, "what", "ditched") ? NULL : called_piece(g, got, call);
    const json_t *lies = piece ? lies_there(g, shot, piece) : NULL;
    const char *who = who_is_called(g, call);
    if (lies && (strcmp(who_is(lies), who) != 0 || !is(lies, "zone", score_word(call, "zone"))))
        lies = NULL; // perhaps of another: flat views measure badly, and yet the area can be right
    for (int i = 0; i < n; i++) {
        bool this_one = lies ? is(lies, "id", o[i].id) : !o[i].told && strcmp(o[i].who, who) == 0;
        if (!this_one || !is(call, "zone", o[i].zone))
            continue;
        o[i].told = true;
        return true;
    }
    return lies != NULL;
}

static void score_call(struct game_reading *g, const json_t *shot, const json_t *got, const json_t *call,
                       struct outcome *o, int n)
{
    const json_t *shooter = find_by(json_object_get(shot, "at_rest"), "id", score_word(shot, "piece"));
    bool firm = is(call, "verdict", "firm"), short_of_it = is(call, "what", "open-board");
    bool right;
    if (short_of_it)
        right = !shooter || (!is(shooter, "zone", "15") && !is(shooter, "zone", "20"));
    else
        right = call_right(g, shot, got, call, o, n);
    g->tally.firm += firm;
    g->tally.close += !firm;
    if (!firm || right)
        return;
    const json_t *piece = short_of_it ? NULL : called_piece(g, got, call);
    if (piece)
        was_told(g, piece); // it will be told to lie there again
    print_wrong_call(g, call, o, n);
}

static int count_in(const struct sides *sides, const json_t *list, const char *who, const char *zone, bool firm_ones)
{
    size_t i;
    const json_t *o;
    int n = 0;
    json_array_foreach(list, i, o)
    {
        n += strcmp(sides_of(sides, who_is(o)), who) == 0 && is(o, "zone", zone) &&
             (!firm_ones || is(o, "verdict", "firm"));
    }
    return n;
}

// Where places are measured badly, as in flat views, an area can still be right: as many lie in it.
static bool so_many_lie(const struct game_reading *g, const json_t *shot, const json_t *got, const json_t *piece)
{
    static const struct sides as_they_are = { { "" }, { "" } };
    const char *who = sides_of(&g->sides, who_is(piece)), *zone = score_word(piece, "zone");
    return count_in(&g->sides, json_object_get(got, "at_rest"), who, zone, true) <=
           count_in(&as_they_are, json_object_get(shot, "at_rest"), who, zone, false);
}

// Discs that are told to lie somewhere, by a call or by none.
static void score_rest(struct game_reading *g, const json_t *shot, const json_t *got)
{
    size_t i;
    const json_t *piece;
    json_array_foreach(json_object_get(got, "at_rest"), i, piece)
    {
        const json_t *lies = lies_there(g, shot, piece);
        char said[SCORE_WORD * 2], real[SCORE_WORD * 2] = "nothing lies there";
        if (is(piece, "zone", "ditch") || !is(piece, "verdict", "firm") ||
            (lies && is(lies, "zone", score_word(piece, "zone"))) || so_many_lie(g, shot, got, piece) ||
            was_told(g, piece))
            continue;
        snprintf(said, sizeof said, "%s lies in %s at (%.2f, %.2f)", score_word(piece, "colour"),
                 score_word(piece, "zone"), score_number(piece, "x_in"), score_number(piece, "y_in"));
        if (lies)
            snprintf(real, sizeof real, "in truth %s %s", score_word(lies, "id"), score_word(lies, "zone"));
        print_wrong(g, score_number(got, "rest_s"), "lies", said, real);
    }
}

static bool is_outcome_call(const json_t *call, const json_t *got)
{
    static const char *const about_places[] = { "zone", "ditched", "open-board", "out", "taw-in", "taw-out" };
    bool so = false;
    for (size_t i = 0; i < countof(about_places); i++)
        so |= is(call, "what", about_places[i]);
    return so && score_number(call, "shot") == score_number(got, "shot");
}

static void score_shot(struct game_reading *g, const json_t *shot, const json_t *got)
{
    struct outcome o[OUTCOMES];
    int n = list_outcomes(o, g->truth, shot);
    for (int i = 0; i < g->calls; i++)
        if (is_outcome_call(g->call[i], got))
            score_call(g, shot, got, g->call[i], o, n);
    score_rest(g, shot, got);
    g->tally.found++;
    g->tally.outcomes += n;
    for (int i = 0; i < n; i++) {
        g->tally.right += o[i].told;
        if (!o[i].told)
            printf("    not told: %s %7.2f s  %s %s\n", g->name, score_number(shot, "start_s"), o[i].id, o[i].zone);
    }
}

static void score_invented(struct game_reading *g, const json_t *got)
{
    g->tally.invented++;
    for (int i = 0; i < g->calls; i++)
        if (is_outcome_call(g->call[i], got) && is(g->call[i], "verdict", "firm"))
            print_wrong(g, score_number(g->call[i], "t_s"), "no shot", score_word(g->call[i], "text"),
                        "there was no shot");
}

static double turned_so(const struct game_reading *g, json_t *const *shot, const int *of, int n, double turn_rad)
{
    double closeness = 0;
    for (int i = 0; i < n; i++) {
        struct placed read[SCORE_PIECES], real[SCORE_PIECES];
        int mate[SCORE_PIECES];
        if (of[i] < 0)
            continue;
        int a = score_places(read, json_object_get(g->shot[of[i]], "at_rest"));
        int b = score_places(real, json_object_get(shot[i], "at_rest"));
        closeness += score_pair_up(mate, read, a, real, b, turn_rad, SAME_REST_IN);
    }
    return closeness;
}

// The camera stands still, so that one turn fits all shots: that of one of them, for a few pieces fit many, and so does
// an X.
static double turn_of(const struct game_reading *g, json_t *const *shot, const int *of, int n)
{
    double best = 0, most = -1;
    for (int i = 0; i < n; i++) {
        struct placed read[SCORE_PIECES], real[SCORE_PIECES];
        if (of[i] < 0)
            continue;
        int a = score_places(read, json_object_get(g->shot[of[i]], "at_rest"));
        int b = score_places(real, json_object_get(shot[i], "at_rest"));
        double turn_rad = score_best_turn(read, a, real, b), closeness = turned_so(g, shot, of, n, turn_rad);
        if (closeness > most) {
            most = closeness;
            best = turn_rad;
        }
    }
    return best;
}

static void score_game_shots(struct game_reading *g)
{
    json_t *shot[SCORE_PIECES], *o;
    int mate[SCORE_PIECES], n = 0;
    bool used[SCORE_PIECES] = { false };
    size_t i;
    json_array_foreach(json_object_get(g->truth, "shots"), i, o)
    {
        if (n == SCORE_PIECES)
            break;
        shot[n] = o;
        mate[n] = shots_reading_of(o, g->shot, g->shots, used);
        if (mate[n] >= 0)
            sides_learn(&g->sides, o, g->shot[mate[n]]);
        n++;
    }
    g->tally.shots = n;
    g->turn_rad = turn_of(g, shot, mate, n);
    for (int k = 0; k < n; k++)
        if (mate[k] >= 0)
            score_shot(g, shot[k], g->shot[mate[k]]);
    // Of a shot in which the film was cut nothing need be told, and what was seen of it may be.
    json_array_foreach(json_object_get(g->truth, "shots_cut"), i, o)
    {
        shots_reading_of(o, g->shot, g->shots, used);
    }
    for (int k = 0; k < g->shots; k++)
        if (!used[k])
            score_invented(g, g->shot[k]);
}

static void print_tally(const char *name, const struct game_tally *t)
{
    printf("%-12s %5d %5d %8d %8d %5d %5d %5d %6d\n", name, t->shots, t->found, t->invented, t->outcomes, t->right,
           t->firm, t->close, t->wrong_firm);
}

static int score_clip(struct game_tally *out, const char *ringside, const char *path, struct fail *why)
{
    static struct game_reading g;
    char video[512], name[SCORE_WORD];
    json_t *truth = score_truth(path, why), *events;
    if (!truth)
        return RS_EINPUT;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(score_word(truth, "clip"), "."), score_word(truth, "clip"));
    g = (struct game_reading){ .truth = truth, .name = name };
    shots_video(video, sizeof video, path, truth);
    int rc = shots_review(&events, ringside, truth, video, why);
    if (rc == 0) {
        g.calls = shots_events(g.call, CALLS, events, "call");
        g.shots = shots_events(g.shot, SCORE_PIECES, events, "shot");
        score_game_shots(&g);
        print_tally(name, &g.tally);
        json_decref(events);
    }
    json_decref(truth);
    *out = g.tally;
    return rc;
}

int games_table(const char *ringside, const char (*paths)[512], int files, struct fail *why)
{
    struct game_tally sum = { 0 };
    int rc = 0;
    printf("\nGames\n%-12s %5s %5s %8s %8s %5s %5s %5s %6s\n", "clip", "shots", "found", "invented", "outcomes",
           "right", "firm", "close", "wrong!");
    for (int i = 0; i < files && rc == 0; i++) {
        struct game_tally t = { 0 };
        rc = score_clip(&t, ringside, paths[i], why);
        sum.shots += t.shots;
        sum.found += t.found;
        sum.invented += t.invented;
        sum.outcomes += t.outcomes;
        sum.right += t.right;
        sum.firm += t.firm;
        sum.close += t.close;
        sum.wrong_firm += t.wrong_firm;
        fflush(stdout);
    }
    print_tally("all", &sum);
    return rc;
}
