// SPDX-License-Identifier: MIT
// Which rules the games cite for what is said in any of them.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

// An undo of Crokinole once cited American Marbles.
static void each_game_cites_rules_of_its_own(void **state)
{
    (void)state;
    static const struct {
        const struct game *game;
        const char *undo, *new_game, *noted;
    } rows[] = {
        { &american_marbles_game, "M62", "M15", "M62" },
        { &crokinole_game, "N15", "N16", "N15" },
        { &crokinole_rings_game, "judge", "C1", "judge" },
    };
    static struct play p;
    for (size_t i = 0; i < countof(rows); i++) {
        play_begin(&p, rows[i].game, board_builtin(rows[i].game->board), NULL);
        play_say(&p, "undo", "");
        assert_string_equal(play_call(&p, "undo")->rule, rows[i].undo); // nothing to take back
        play_shot(&p, 1, "black", 2);
        play_say(&p, "undo", "");
        assert_string_equal(play_call(&p, "undo")->rule, rows[i].undo);
        play_say(&p, "new-game", "");
        assert_string_equal(play_call(&p, "new-game")->rule, rows[i].new_game);
        play_say(&p, "boom", "");
        assert_string_equal(play_call(&p, "noted")->rule, rows[i].noted);
    }
}

// `ringside rules` prints the tables: what a match cites must stand there, under the letter of that book.
static void each_game_lists_what_it_cites(void **state)
{
    (void)state;
    static const enum input_kind needed[] = { INPUT_UNDO, INPUT_NEW_GAME, INPUT_OTHER };
    const struct game *g;
    for (int i = 0; (g = games_at(i)); i++) {
        int found = 0;
        for (int k = 0; k < g->rule_count; k++) {
            const struct rule *r = &g->rules[k];
            if (r->number[0] != g->rules[0].number[0] && strcmp(r->number, "judge") != 0)
                fail_msg("%s: %s is no rule of this book", g->name, r->number);
            for (size_t n = 0; n < countof(needed); n++)
                found += r->occasion == WORD_SAID && r->said == needed[n];
        }
        if (found != (int)countof(needed) || g->fact_count > SHOT_FACTS_MAX)
            fail_msg("%s: %d of undo, new game and noted are listed, %d facts", g->name, found, g->fact_count);
    }
}

// In any game: a log may hold words that this program does not know yet.
static void a_word_that_is_not_known_is_noted_as_it_was_said(void **state)
{
    (void)state;
    static struct play p;
    for (int i = 0; games_at(i); i++) {
        play_begin(&p, games_at(i), board_builtin(games_at(i)->board), NULL);
        play_say(&p, "a word of tomorrow", "and why");
        assert_non_null(play_call(&p, "noted"));
        assert_string_equal(play_call(&p, "noted")->text, "noted: a word of tomorrow and why");
        play_say(&p, "another", "");
        assert_string_equal(play_call(&p, "noted")->text, "noted: another");
        play_say(&p, "coach", "nobody"); // known, but nothing that it could do
        assert_string_equal(play_call(&p, "noted")->text, "noted: coach nobody");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_cites_rules_of_its_own),
        cmocka_unit_test(each_game_lists_what_it_cites),
        cmocka_unit_test(a_word_that_is_not_known_is_noted_as_it_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
