// SPDX-License-Identifier: MIT
// A judge's keys: each says one thing, only in the games that know it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "calibration/units.h"
#include "referee/commands/judge_keys.h"
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
        { 'x', INPUT_NONE, false, false, false },    { '\n', INPUT_NONE, false, false, false },
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
            const char shown[] = { ',', ' ', rows[i].key, ' ', '\0' };
            bool spoke = judge_keys_input(&o, rows[i].key, &p.referee.match);
            if (spoke != offered[g] || (strstr(said, shown) != NULL) != offered[g])
                fail_msg("%s, key %c: %d, shown \"%s\"", games[g]->name, rows[i].key, spoke, said);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_speaks_where_its_game_knows_the_word),
        cmocka_unit_test(the_turn_goes_to_whoever_would_not_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
