// SPDX-License-Identifier: MIT
// What is agreed before a match, as JSON: what cannot be is refused with words, what can be comes back as it was.
#include <string.h>

#include "calibration/units.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "tests/cmocka.h"

// Sides and words of 40 letters: longer than any.
#define LONG "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"

static const struct {
    const char *what, *json, *words; // words NULL: it is taken
} rows[] = {
    { "nothing said is the usual", "{}", NULL },
    { "no object", "[]", "\"match\" must be an object" },
    { "a slip of the pen", "{\"side\": []}", "\"side\" is nothing that is agreed" },
    { "a slip of the pen in a side", "{\"sides\": [{\"color\": \"red\"}]}", "\"color\" is nothing that is agreed" },
    { "a format by name", "{\"format\": \"nca-doubles\"}", NULL },
    { "a format that nobody plays", "{\"format\": \"chess\"}", "there is none called chess; there are " },
    { "a format that is a number", "{\"format\": 3}", "\"format\" must be the name of one, or an object" },
    { "a format of one's own", "{\"format\": {\"scoring\": \"sum\", \"rounds\": 4}}", NULL },
    { "a scoring that is none", "{\"format\": {\"scoring\": \"golf\"}}", "\"scoring\"" },
    { "more players than a side has", "{\"format\": {\"players\": 99}}", "\"players\"" },
    { "sides that are no list", "{\"sides\": {}}", "\"sides\" must be a list of at most 2" },
    { "three sides", "{\"sides\": [{}, {}, {}]}", "\"sides\" must be a list of at most 2" },
    { "a side that is a word", "{\"sides\": [\"Ann\"]}", "\"sides\": each must be an object" },
    { "two sides of one name", "{\"sides\": [{\"name\": \"Ann\"}, {\"name\": \"ANN\"}]}", "both are called Ann" },
    { "two sides of one colour", "{\"sides\": [{\"colour\": \"red\"}, {\"colour\": \"Red\"}]}", "both play red" },
    { "two sides without names", "{\"sides\": [{\"colour\": \"red\"}, {\"colour\": \"black\"}]}", NULL },
    { "a side of too long a name", "{\"sides\": [{\"name\": \"" LONG "\"}]}", "\"name\"" },
    { "players that are no list", "{\"sides\": [{\"players\": \"Ann\"}]}", "\"players\" must be a list of at most " },
    { "too many players",
      "{\"sides\": [{\"players\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]}]}",
      "\"players\" must be a list of at most " },
    { "a player without a name", "{\"sides\": [{\"players\": [\"\"]}]}", "\"players\": each must be a name of less" },
    { "a player who is a number", "{\"sides\": [{\"players\": [7]}]}", "\"players\": each must be a name of less" },
    { "a player of too long a name", "{\"sides\": [{\"players\": [\"" LONG "\"]}]}", "each must be a name of less" },
    { "a player who rings the bell", "{\"sides\": [{\"players\": [\"A\\u0007\"]}]}", "each must be a name of less" },
    { "the first by number", "{\"sides\": [{\"name\": \"Ann\"}, {\"name\": \"Bo\"}], \"first\": 1}", NULL },
    { "the first by name", "{\"sides\": [{\"name\": \"Ann\"}, {\"name\": \"Bo\"}], \"first\": \"bo\"}", NULL },
    { "the first by colour", "{\"sides\": [{\"colour\": \"red\"}, {\"colour\": \"tan\"}], \"first\": \"Tan\"}", NULL },
    { "whoever wants to begin", "{\"first\": -1}", NULL },
    { "a third who is first", "{\"sides\": [{}, {}], \"first\": 2}", "\"first\" must be the name of one of the sides" },
    { "before the first", "{\"first\": -2}", "\"first\" must be the name of one of the sides" },
    { "a stranger who is first", "{\"sides\": [{\"name\": \"Ann\"}], \"first\": \"Eve\"}",
      "\"first\" must be the name" },
    { "half a side that is first", "{\"sides\": [{}, {}], \"first\": 0.5}", "\"first\" must be the name" },
    { "a judge", "{\"judge\": true}", NULL },
    { "a judge by name", "{\"judge\": \"Ann\"}", "\"judge\" must be true or false" },
};

// What is refused leaves *out as it was; what is taken and written out is read as the same again.
static void what_cannot_be_agreed_is_refused(void **state)
{
    (void)state;
    const struct game *game = games_find("crokinole");
    assert_non_null(game);
    for (size_t i = 0; i < countof(rows); i++) {
        struct match_setup out, again, before;
        struct fail why = { .text = "" };
        json_t *o = json_loads(rows[i].json, 0, NULL);
        assert_non_null(o);
        memset(&before, 0x55, sizeof before);
        memcpy(&out, &before, sizeof out);
        int rc = match_setup_from_json(&out, o, game, &why);
        json_decref(o);
        if (rows[i].words ? rc >= 0 || !strstr(why.text, rows[i].words) : rc != 0)
            fail_msg("%s: %d, \"%s\"", rows[i].what, rc, why.text);
        if (rc < 0) {
            assert_memory_equal(&out, &before, sizeof out);
            continue;
        }
        json_t *written = match_setup_to_json(&out);
        assert_non_null(written);
        if (match_setup_from_json(&again, written, game, &why) != 0)
            fail_msg("%s: written, it is refused: %s", rows[i].what, why.text);
        json_t *twice = match_setup_to_json(&again);
        if (!json_equal(written, twice))
            fail_msg("%s: read again, it is another", rows[i].what);
        json_decref(written);
        json_decref(twice);
    }
}

static void who_is_first_is_a_side_by_its_number(void **state)
{
    (void)state;
    struct match_setup out;
    json_t *o = json_loads("{\"sides\": [{\"name\": \"Ann\", \"players\": [\"Ann\", \"Al\"]}, {\"name\": \"Bo\", "
                           "\"colour\": \"red\"}], \"first\": \"RED\", \"judge\": true}",
                           0, NULL);
    assert_int_equal(match_setup_from_json(&out, o, games_find("crokinole"), NULL), 0);
    json_decref(o);
    assert_int_equal(out.seats, 2);
    assert_int_equal(out.first, 1);
    assert_true(out.permit_needed);
    assert_string_equal(out.seat[0].player[1], "Al");
    assert_string_equal(out.seat[1].colour, "red");
}

// The list of colours of older logs. Without a game any one is a game's usual match.
static void sides_of_an_older_log_are_colours(void **state)
{
    (void)state;
    static const struct {
        const char *json, *words;
        int seats;
    } lists[] = {
        { "[\"red\", \"black\"]", NULL, 2 },
        { "[]", NULL, 0 },
        { "{}", "\"players\" must be a list of at most 2 colours", 0 },
        { "[\"red\", \"black\", \"blue\"]", "\"players\" must be a list of at most 2 colours", 0 },
        { "[1]", "\"players\": each must be a word of less than", 0 },
        { "[\"" LONG "\"]", "\"players\": each must be a word of less than", 0 },
        { "[\"re\\u001b[2Jd\"]", "\"players\": each must be a word of less than", 0 },
    };
    for (size_t i = 0; i < countof(lists); i++) {
        struct match_setup out;
        struct fail why = { .text = "" };
        json_t *o = json_loads(lists[i].json, 0, NULL);
        int rc = match_setup_from_colours(&out, o, i % 2 ? NULL : games_find("crokinole"), &why);
        json_decref(o);
        if (lists[i].words ? rc >= 0 || !strstr(why.text, lists[i].words) : rc != 0 || out.seats != lists[i].seats)
            fail_msg("%s: %d, \"%s\"", lists[i].json, rc, why.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_agreed_is_refused),
        cmocka_unit_test(who_is_first_is_a_side_by_its_number),
        cmocka_unit_test(sides_of_an_older_log_are_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
