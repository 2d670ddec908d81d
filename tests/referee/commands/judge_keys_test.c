// SPDX-License-Identifier: MIT
// A judge's keys: each says one thing, only in the games that know it.
#include <stdlib.h>

#include "calibration/units.h"
#include "referee/commands/judge_keys.h"
#include "referee/commands/judge_offers.h"
#include "referee/rules/input.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static void a_key_speaks_where_its_game_knows_the_word(void **state)
{
    (void)state;
    static const struct {
        char key;
        enum input_kind what;
        bool crokinole, rings, marbles; // offered there
    } rows[] = {
        { 'u', INPUT_UNDO, true, true, true },       { 'y', INPUT_REDO, true, true, true },
        { 'a', INPUT_SHOT_AGAIN, true, true, true }, { 'c', INPUT_CONFIRM, true, true, true },
        { 'h', INPUT_HIT, true, false, false },      { 'm', INPUT_MISSED, true, false, false },
        { 's', INPUT_SLIPS, false, false, true },    { 't', INPUT_TURN, true, true, true },
        { 'g', INPUT_NEW_GAME, true, true, true },   { 'p', INPUT_PERMIT, false, false, true },
        { 'z', INPUT_PAUSE, true, true, true },      { '\n', INPUT_NONE, false, false, false },
        { -1, INPUT_NONE, false, false, false },
    };
    const struct game *const games[] = { &crokinole_game, &crokinole_rings_game, &american_marbles_game };
    for (size_t g = 0; g < countof(games); g++) {
        static struct play p;
        char *said = NULL;
        size_t size;
        FILE *to = open_memstream(&said, &size);
        judge_keys_print(to, games[g]);
        fclose(to);
        play_begin(&p, games[g], board_builtin(games[g]->board), NULL);
        for (size_t i = 0; i < countof(rows); i++) {
            struct observation o = { .kind = OBS_STILL };
            const bool offered[] = { rows[i].crokinole, rows[i].rings, rows[i].marbles };
            const char shown[] = { ' ', ' ', rows[i].key, ' ', ' ', '\0' };
            bool spoke = judge_keys_input(&o, rows[i].key, &p.referee.match);
            if (spoke != offered[g] || (strstr(said, shown) != NULL) != offered[g])
                fail_msg("%s, key %c: %d, shown \"%s\"", games[g]->name, rows[i].key, spoke, said);
            assert_true((judge_keys_help(rows[i].key, games[g]) != NULL) == offered[g]);
            assert_int_equal(o.kind, spoke ? OBS_INPUT : OBS_STILL);
            if (spoke) {
                assert_int_equal(o.input.what, rows[i].what);
                assert_string_equal(o.input.by, "judge");
            }
        }
        play_end(&p);
        free(said);
    }
}

// After black's shot it is red's turn; the key gives it to black again, by name.
static void the_turn_goes_to_whoever_would_not_have_it(void **state)
{
    (void)state;
    static struct play p;
    struct observation o;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    assert_true(judge_keys_input(&o, 't', &p.referee.match));
    assert_string_equal(o.input.side, ""); // nobody is known yet
    p.sigma_in = 0.01;
    for (int id = 1; id <= 2; id++) {
        play_seen(&p, id, id == 1 ? "black" : "red", false);
        play_rest(&p, id, (struct pt_in){ 11, 2 * id }, ON_SURFACE);
        play_move(&p, id, MOVED_BY_SHOT, (struct pt_in){ 11, 2 * id });
        play_rest(&p, id, (struct pt_in){ 3, 2 * id }, ON_SURFACE);
        play_still(&p);
    }
    assert_true(judge_keys_input(&o, 't', &p.referee.match));
    const struct standing *now = play_now(&p);
    assert_string_equal(o.input.side, standing_name(now, standing_other(now, now->to_shoot)));
    play_feed(&p, o);
    assert_true(judge_keys_input(&o, 't', &p.referee.match));
    assert_string_equal(o.input.side, standing_name(now, standing_other(now, now->to_shoot)));
    play_end(&p);
}

static void begin(struct play *p, const struct game *game)
{
    struct match_setup setup = match_setup_usual(game);
    setup.seats = SIDES;
    for (int i = 0; i < SIDES; i++) {
        snprintf(setup.seat[i].name, OBS_WORD_MAX, "%s", i ? "Ben" : "Anna");
        snprintf(setup.seat[i].colour, OBS_WORD_MAX, "%s", i ? "red" : "black");
    }
    play_begin(p, game, board_builtin(game->board), &setup);
    for (int id = 1; id <= SIDES; id++) {
        play_seen(p, id, id == 1 ? "black" : "red", true);
        play_rest(p, id, (struct pt_in){ p->referee.board.circle_in[0] + 0.5, 0 }, ON_SURFACE);
        play_move(p, id, MOVED_BY_SHOT, (struct pt_in){ p->referee.board.circle_in[0] + 0.5, 0 });
        play_rest(p, id, (struct pt_in){ 2, id }, ON_SURFACE);
        play_still(p);
    }
}

// No key is offered that its game does not know.
static void every_key_that_is_offered_is_answered(void **state)
{
    (void)state;
    static struct play p;
    for (int g = 0; games_at(g); g++) {
        int offered = 0;
        for (int key = 'a'; key <= 'z'; key++) {
            struct observation said;
            begin(&p, games_at(g));
            if (!judge_keys_input(&said, key, &p.referee.match))
                continue;
            offered++;
            play_feed(&p, said);
            for (int i = 0; i < p.last.calls.count; i++)
                if (strcmp(p.last.calls.call[i].what, "noted") == 0)
                    fail_msg("%s, key %c: %s", games_at(g)->name, key, p.last.calls.call[i].text);
        }
        assert_true(offered > 5);
    }
    play_end(&p);
}

// The same key pauses, and lets play go on.
static void a_key_pauses_and_the_same_goes_on(void **state)
{
    (void)state;
    static struct play p;
    struct observation said;
    begin(&p, &american_marbles_game);
    for (int i = 0; i < 2; i++) {
        assert_true(judge_keys_input(&said, 'z', &p.referee.match));
        assert_int_equal(said.input.what, i == 0 ? INPUT_PAUSE : INPUT_RESUME);
        play_feed(&p, said);
        assert_int_equal(p.referee.match.paused, i == 0);
    }
    play_end(&p);
}

static bool has(const json_t *list, const char *name, const char *value, const char *text)
{
    bool found = false;
    size_t i;
    json_t *o;
    json_array_foreach(list, i, o)
    {
        const char *is = json_string_value(name ? json_object_get(o, name) : o);
        const char *of = text ? json_string_value(json_object_get(o, "text")) : NULL;
        found |= is && strcmp(is, value) == 0 && (!text || (of && strcmp(of, text) == 0));
    }
    return found;
}

// A page offers each word that a rule of the game answers, and no other; whatever is offered is more than noted.
static void a_page_is_offered_what_the_game_knows(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        bool crokinole, rings, marbles;
    } rows[] = {
        { "foul", "", true, true, true },           { "foul", "chair or board moved", true, false, false },
        { "foul", "hunching", false, false, true }, { "warn", "leave the ring", false, false, true },
        { "warn", "", false, false, true },         { "coach", "", false, false, true },
        { "force", "", false, false, true },        { "forfeit", "", false, false, true },
        { "lag", "", false, false, true },          { "penalty", "", false, false, true },
    };
    static const struct {
        const char *rule;
        bool crokinole, rings, marbles;
    } rules[] = { { "N5", true, false, false },
                  { "C3", false, true, false },
                  { "M41", false, false, true },
                  // told by another rule, and only said: neither makes a call of a shot
                  { "N2", false, false, false },
                  { "N15", false, false, false },
                  { "M62", false, false, false },
                  { "taw-left", false, false, true } };
    const struct game *const games[] = { &crokinole_game, &crokinole_rings_game, &american_marbles_game };
    static struct play p;
    for (size_t g = 0; g < countof(games); g++) {
        json_t *offers = judge_offers_json(games[g]), *fouls = json_object_get(offers, "fouls"), *foul;
        size_t k;
        for (size_t i = 0; i < countof(rows); i++) {
            const bool wanted[] = { rows[i].crokinole, rows[i].rings, rows[i].marbles };
            if (has(fouls, "what", rows[i].what, rows[i].text) != wanted[g])
                fail_msg("%s: %s %s", games[g]->name, rows[i].what, rows[i].text);
        }
        for (size_t i = 0; i < countof(rules); i++) {
            const bool wanted[] = { rules[i].crokinole, rules[i].rings, rules[i].marbles };
            if (has(json_object_get(offers, "overrule"), NULL, rules[i].rule, NULL) != wanted[g])
                fail_msg("%s: overrule %s", games[g]->name, rules[i].rule);
        }
        assert_true(has(json_object_get(offers, "keys"), "what", "zone", NULL));
        assert_int_equal(has(json_object_get(offers, "keys"), "what", "twenty", NULL), g == 0);
        json_array_foreach(fouls, k, foul)
        {
            struct observation o = play_input(json_string_value(json_object_get(foul, "what")),
                                              json_string_value(json_object_get(foul, "text")));
            begin(&p, games[g]);
            if (json_is_true(json_object_get(foul, "side")))
                snprintf(o.input.side, sizeof o.input.side, "Anna");
            play_feed(&p, o);
            if (p.last.calls.count == 0 || strcmp(p.last.calls.call[0].what, "noted") == 0)
                fail_msg("%s: %s %s is not answered", games[g]->name, input_word(&o), o.input.text);
        }
        json_decref(offers);
    }
    play_end(&p);
}

static void a_key_changes_the_colours_of_the_sides(void **state)
{
    (void)state;
    static struct play p;
    struct observation said;
    begin(&p, &crokinole_game);
    assert_true(judge_keys_input(&said, 'x', &p.referee.match));
    play_feed(&p, said);
    assert_string_equal(standing_owner(play_now(&p), "red"), "Anna");
    assert_string_equal(standing_owner(play_now(&p), "black"), "Ben");
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    assert_false(judge_keys_input(&said, 'x', &p.referee.match)); // nobody has a name
    play_end(&p);
}

// Centres up to 3.325 in count 15: one is 15 and close, and the judge sees that it is none.
static void a_key_turns_what_was_too_close_and_another_gives_a_twenty(void **state)
{
    (void)state;
    static struct play p;
    struct observation said;
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.1;
    play_begin(&p, &crokinole_game, &b, NULL);
    assert_false(judge_keys_input(&said, 'v', &p.referee.match)); // nobody has shot
    assert_false(judge_keys_input(&said, 'w', &p.referee.match));
    p.sigma_in = 0.02;
    play_shot(&p, 1, "black", 3.315);
    assert_true(judge_keys_input(&said, 'v', &p.referee.match));
    assert_int_equal(said.input.what, INPUT_ZONE);
    assert_int_equal(said.input.piece, 1);
    assert_string_equal(said.input.text, "10");
    play_feed(&p, said);
    assert_int_equal(play_now(&p)->side[0].counted.reads, 10);
    assert_false(judge_keys_input(&said, 'v', &p.referee.match)); // that was said
    assert_true(judge_keys_input(&said, 'w', &p.referee.match));
    play_feed(&p, said);
    assert_int_equal(play_now(&p)->side[0].twenties, 1);
    assert_int_equal(play_now(&p)->side[0].kept.reads, 20);
    play_end(&p);
}

// A key that stands for nothing as the match stands is answered with what it waits for.
static void what_a_key_lacks_is_told_by_its_name(void **state)
{
    (void)state;
    static const struct {
        int key;
        const char *before, *behind; // a shot of which nobody knows whose it was; parts of the words
    } rows[] = {
        { 'v', "nobody has shot yet", "nothing of the last shot is too close" },
        { 'w', "nobody has shot yet", "it is not known who shot last" },
        { 'x', "the sides have no names", "the sides have no names" },
    };
    static struct play p;
    for (int shot = 0; shot < 2; shot++) {
        int lacking = 0;
        play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
        p.sigma_in = 0.01;
        if (shot)
            play_shot(&p, 1, "", 2);
        for (int key = 'a'; key <= 'z'; key++) {
            struct observation said;
            if (!judge_keys_help(key, &crokinole_game) || judge_keys_input(&said, key, &p.referee.match))
                continue;
            const char *words = judge_keys_lacks(key, &p.referee.match);
            bool right = false;
            for (size_t i = 0; i < countof(rows); i++)
                right |= rows[i].key == key && strstr(words, shot ? rows[i].behind : rows[i].before);
            if (!right)
                fail_msg("%c after %d shots: %s", key, shot, words);
            lacking++;
        }
        assert_int_equal(lacking, countof(rows));
    }
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_speaks_where_its_game_knows_the_word),
        cmocka_unit_test(the_turn_goes_to_whoever_would_not_have_it),
        cmocka_unit_test(every_key_that_is_offered_is_answered),
        cmocka_unit_test(a_key_turns_what_was_too_close_and_another_gives_a_twenty),
        cmocka_unit_test(what_a_key_lacks_is_told_by_its_name),
        cmocka_unit_test(a_key_changes_the_colours_of_the_sides),
        cmocka_unit_test(a_key_pauses_and_the_same_goes_on),
        cmocka_unit_test(a_page_is_offered_what_the_game_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
