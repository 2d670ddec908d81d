// SPDX-License-Identifier: MIT
// Two games one after the other in one film, of Crokinole and of marbles: what review makes of the pixels, and of what
// was said, is the record that the truth beside the film gives; and judged again from the log it is the same.
#include <math.h>

#include <jansson.h>

#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/sanitized.h"
#include "tests/vision/scratch.h"

enum { SHOTS_MAX = 16, BOTH = 2 };
static const double LATE_S = 0.1;   // a start or a rest
static const double NEAR_IN = 0.1;  // a piece at rest, of discs
static const double CLOSE_IN = 0.1; // nearer to a line a call of a marble may be close; of a disc a quarter of it

struct evening {
    json_t *truth;
    json_t *events;          // all lines
    json_t *shot[SHOTS_MAX]; // the last word on each, borrowed
    int shots;
    const json_t *standing; // the last one, borrowed
};

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static const char *word(const json_t *o, const char *key)
{
    const char *said = json_string_value(json_object_get(o, key));
    return said ? said : "";
}

static bool is(const json_t *o, const char *key, const char *said)
{
    return strcmp(word(o, key), said) == 0;
}

static json_t *lines_of(const char *path)
{
    static char line[SPAWNED_TEXT_MAX];
    json_t *list = json_array();
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        json_t *o = json_loads(line, 0, NULL);
        if (!o)
            fail_msg("no JSON: %s", line);
        json_array_append_new(list, o);
    }
    fclose(f);
    return list;
}

static const char *out_file(const struct scratch *s, const char *name)
{
    const char *path = scratch_path(s, name);
    scratch_write(path, "", 0);
    return path;
}

static void run(const char *const *args, const char *out)
{
    static struct spawned r;
    spawned_run(&r, args, out);
    if (r.status != 0)
        fail_msg("%s: exit %d: %s", args[0], r.status, r.err);
}

// Reviews the film as it was agreed and with what was said, and reads its truth.
static struct evening review(const struct scratch *s, const char *name, const char *game)
{
    struct evening e = { .shots = 0 };
    char film[64], match[64], inputs[64], truth[64];
    snprintf(film, sizeof film, "samples/clips/%s.mp4", name);
    snprintf(match, sizeof match, "samples/clips/%s.match.json", name);
    snprintf(inputs, sizeof inputs, "samples/clips/%s.inputs.jsonl", name);
    snprintf(truth, sizeof truth, "samples/clips/%s.json", name);
    const char *reviewed = out_file(s, "reviewed");
    run((const char *[]){ "review", "--json", "--quiet", "--game", game, "--match", match, "--inputs", inputs,
                          "--no-book", "--out", s->folder, film, NULL },
        reviewed);
    e.events = lines_of(reviewed);
    e.truth = json_load_file(truth, 0, NULL);
    assert_non_null(e.truth);
    size_t i;
    json_t *o;
    json_array_foreach(e.events, i, o)
    {
        int n = (int)number(o, "shot");
        e.standing = json_object_get(o, "standing");
        if (!is(o, "event", "shot"))
            continue;
        assert_true(n >= 1 && n <= SHOTS_MAX);
        e.shot[n - 1] = o;
        e.shots = n > e.shots ? n : e.shots;
    }
    return e;
}

static void done(struct evening *e)
{
    json_decref(e->events);
    json_decref(e->truth);
}

static json_t *true_shot(const struct evening *e, int i)
{
    return json_array_get(json_object_get(e->truth, "shots"), (size_t)i);
}

static void shots_are_those_that_were_made(const struct evening *e)
{
    assert_int_equal(e->shots, json_array_size(json_object_get(e->truth, "shots")));
    for (int i = 0; i < e->shots; i++) {
        const json_t *is_so = true_shot(e, i), *said = e->shot[i];
        assert_non_null(said);
        double late_s = number(said, "start_s") - number(is_so, "start_s");
        bool same = is(said, "by", word(is_so, "by")) && fabs(late_s) < LATE_S;
        if (!same)
            fail_msg("shot %d at %.2f s by %s, not at %.2f s by %s", i + 1, number(said, "start_s"), word(said, "by"),
                     number(is_so, "start_s"), word(is_so, "by"));
    }
}

static void judged_again_it_is_the_same(const struct scratch *s, const char *name)
{
    char log[128];
    snprintf(log, sizeof log, "%s/%s.ringside.jsonl", s->folder, name);
    const char *again = out_file(s, "again");
    run((const char *[]){ "judge", "--json", log, NULL }, again);
    json_t *a = lines_of(scratch_path(s, "reviewed")), *b = lines_of(again);
    assert_int_equal(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < json_array_size(a); i++)
        if (!json_equal(json_array_get(a, i), json_array_get(b, i)))
            fail_msg("judged again, line %zu is another", i + 1);
    json_decref(a);
    json_decref(b);
}

// Index of the side that plays this colour, in the standing.
static int side_of(const struct evening *e, const char *colour)
{
    size_t i;
    json_t *side;
    json_array_foreach(json_object_get(e->standing, "sides"), i, side)
    {
        if (is(side, "colour", colour))
            return (int)i;
    }
    fail_msg("nobody plays %s", colour);
    return -1;
}

static double of_side(const struct evening *e, int side, const char *key)
{
    return number(json_array_get(json_object_get(e->standing, "sides"), (size_t)side), key);
}

// The last game is over, and each side has won so many.
static void games_are_won(const struct evening *e, const int won[BOTH], int winner)
{
    const json_t *sides = json_object_get(e->standing, "sides");
    assert_int_equal(json_array_size(sides), BOTH);
    assert_int_equal(number(e->standing, "game_number"), won[0] + won[1]);
    assert_true(json_is_true(json_object_get(e->standing, "over")));
    assert_string_equal(word(e->standing, "winner"), word(json_array_get(sides, (size_t)winner), "name"));
    for (int i = 0; i < BOTH; i++)
        if (of_side(e, i, "games") != won[i])
            fail_msg("side %d has %g games, not %d", i, of_side(e, i, "games"), won[i]);
}

// How many calls of the shot about a side, as they hold in the end, are that word.
static int calls_of(const struct evening *e, int shot, const char *what, bool only_firm)
{
    int n = 0;
    size_t i;
    json_t *o;
    json_array_foreach(e->events, i, o)
    {
        bool of_it = is(o, "event", "call") && json_is_string(json_object_get(o, "side")) &&
                     number(o, "shot") == shot && is(o, "what", what);
        if (of_it && (!only_firm || is(o, "verdict", "firm")))
            n += is(o, "change", "withdrawn") ? -1 : 1;
    }
    return n;
}

static bool counts(const json_t *piece)
{
    return !is(piece, "zone", "ditch") && !is(piece, "zone", "20");
}

// The films have a piece beside a line, and words that were taken back: they are told.
static void one_call_is_close_and_some_are_corrected(const struct evening *e)
{
    int close = 0, withdrawn = 0, instead = 0;
    size_t i;
    json_t *o;
    json_array_foreach(e->events, i, o)
    {
        bool measured = json_is_number(json_object_get(o, "margin_in"));
        close += measured && is(o, "verdict", "close") && fabs(number(o, "margin_in")) < CLOSE_IN &&
                 !is(o, "change", "withdrawn");
        withdrawn += is(o, "change", "withdrawn");
        instead += is(o, "change", "instead");
    }
    assert_int_equal(close, 1);
    assert_true(withdrawn > 0 && instead > 0);
}

// Each disc that lies in the circles was seen there, in its zone, and no other.
static void discs_lie_as_they_do(const struct evening *e, int i)
{
    const json_t *is_so = json_object_get(true_shot(e, i), "at_rest"), *seen = json_object_get(e->shot[i], "at_rest");
    size_t k, n;
    json_t *disc, *found;
    int wanted = 0, got = 0;
    json_array_foreach(seen, n, found) got += counts(found);
    json_array_foreach(is_so, k, disc)
    {
        bool is_seen = !counts(disc);
        wanted += counts(disc);
        json_array_foreach(seen, n, found)
        {
            // A round board has no north: the two frames are turned against each other.
            bool there = fabs(hypot(number(found, "x_in"), number(found, "y_in")) -
                              hypot(number(disc, "x_in"), number(disc, "y_in"))) < NEAR_IN;
            bool close = fabs(number(found, "margin_in")) < CLOSE_IN / 4 && is(found, "verdict", "close");
            is_seen = is_seen || (there && is(found, "colour", word(disc, "colour")) &&
                                  (close || is(found, "zone", word(disc, "zone"))));
        }
        if (!is_seen)
            fail_msg("shot %d: %s in %s is not seen there", i + 1, word(disc, "id"), word(disc, "zone"));
    }
    assert_int_equal(got, wanted);
}

static int side_in(const char *const colour[BOTH], const json_t *o, const char *key)
{
    return strcmp(word(o, key), colour[0]) != 0;
}

// Two rounds that are a game each: discs on the board at the end, and twenties.
static void crokinole_is_refereed_from_the_first_game_to_the_last(void **state)
{
    const struct scratch *s = *state;
    if (SANITIZED)
        skip(); // two lines of the program are come to by these films alone
    struct evening e = review(s, "crokinole_match", "crokinole");
    int won[BOTH] = { 0 }, points[BOTH] = { 0 }, twenties[BOTH] = { 0 }, last[BOTH] = { 0 }, winner = 0, lying = 0;
    size_t k;
    json_t *o;
    shots_are_those_that_were_made(&e);
    const char *const colour[BOTH] = { json_string_value(json_array_get(json_object_get(e.truth, "players"), 0)),
                                       json_string_value(json_array_get(json_object_get(e.truth, "players"), 1)) };
    for (int i = 0; i < e.shots; i++) {
        const json_t *shot = true_shot(&e, i);
        bool ends = is(shot, "meaning", "ends-game") || i == e.shots - 1;
        int ditched = 0;
        discs_lie_as_they_do(&e, i);
        json_array_foreach(json_object_get(shot, "events"), k, o)
        {
            twenties[side_in(colour, shot, "by")] += is(o, "event", "twenty");
        }
        json_array_foreach(json_object_get(shot, "at_rest"), k, o)
        {
            ditched += is(o, "zone", "ditch");
            lying += is(o, "zone", "ditch") && hypot(number(o, "x_in"), number(o, "y_in")) < 13;
            points[side_in(colour, o, "colour")] += ends && counts(o) ? (int)strtol(word(o, "zone"), NULL, 10) : 0;
        }
        if (calls_of(&e, i + 1, "ditched", true) != ditched)
            fail_msg("shot %d: %d firm ditched, not %d", i + 1, calls_of(&e, i + 1, "ditched", true), ditched);
        if (!ends)
            continue;
        for (int side = 0; side < BOTH; side++) {
            points[side] += 20 * twenties[side];
            last[side] = twenties[side];
        }
        winner = points[1] > points[0];
        won[winner]++;
        memset(points, 0, sizeof points);
        memset(twenties, 0, sizeof twenties);
    }
    assert_int_equal(lying, 2); // one in each game
    assert_int_equal(won[0] + won[1], 2);
    int first = side_of(&e, colour[0]), won_as_told[BOTH] = { won[first], won[1 - first] };
    games_are_won(&e, won_as_told, winner == 0 ? first : 1 - first);
    for (int side = 0; side < BOTH; side++)
        assert_int_equal(of_side(&e, side == 0 ? first : 1 - first, "twenties"), last[side]);
    assert_int_equal(json_array_size(json_object_get(e.standing, "owed")),
                     json_array_size(json_object_get(true_shot(&e, e.shots - 1), "at_rest")));
    one_call_is_close_and_some_are_corrected(&e);
    judged_again_it_is_the_same(s, "crokinole_match");
    done(&e);
}

static void marbles_are_refereed_from_the_first_game_to_the_last(void **state)
{
    const struct scratch *s = *state;
    if (SANITIZED)
        skip(); // as above
    struct evening e = review(s, "marbles_match", "american-marbles");
    int won[BOTH] = { 0 }, out[BOTH] = { 0 }, last[BOTH] = { 0 }, winner = 0, slips = 0;
    shots_are_those_that_were_made(&e);
    const char *const colour[BOTH] = { json_string_value(json_array_get(json_object_get(e.truth, "players"), 0)),
                                       json_string_value(json_array_get(json_object_get(e.truth, "players"), 1)) };
    for (int i = 0; i < e.shots; i++) {
        const json_t *shot = true_shot(&e, i), *said = e.shot[i];
        bool ends = is(shot, "meaning", "ends-game") || i == e.shots - 1, slipped = is(shot, "meaning", "slipped");
        int knocked = (int)json_array_size(json_object_get(shot, "knocked_out")), side = side_in(colour, shot, "by");
        bool again = slipped || (json_is_true(json_object_get(shot, "shoots_again")) &&
                                 json_is_true(json_object_get(shot, "taw_in")));
        if (number(said, "knocked_out") != knocked || calls_of(&e, i + 1, "out", false) != knocked)
            fail_msg("shot %d: %g targets out, not %d", i + 1, number(said, "knocked_out"), knocked);
        if (!ends && json_is_true(json_object_get(said, "shoots_again")) != again)
            fail_msg("shot %d: shoots again is told as %d", i + 1, !again);
        assert_int_equal(calls_of(&e, i + 1, "slips", true), slipped);
        assert_int_equal(json_is_true(json_object_get(said, "taw_in")), json_is_true(json_object_get(shot, "taw_in")));
        slips += slipped;
        out[side] += knocked;
        if (!ends)
            continue;
        winner = out[1] > out[0];
        won[winner]++;
        memcpy(last, out, sizeof last);
        memset(out, 0, sizeof out);
    }
    assert_int_equal(slips, 1);
    assert_int_equal(won[0] + won[1], 2);
    int first = side_of(&e, colour[0]), won_as_told[BOTH] = { won[first], won[1 - first] };
    games_are_won(&e, won_as_told, winner == 0 ? first : 1 - first);
    for (int side = 0; side < BOTH; side++)
        assert_int_equal(of_side(&e, side == 0 ? first : 1 - first, "points"), last[side]);
    one_call_is_close_and_some_are_corrected(&e);
    judged_again_it_is_the_same(s, "marbles_match");
    done(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crokinole_is_refereed_from_the_first_game_to_the_last),
        cmocka_unit_test(marbles_are_refereed_from_the_first_game_to_the_last),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
