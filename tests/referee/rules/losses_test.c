// SPDX-License-Identifier: MIT
// Pictures that were lost or damaged: what is called across them, and behind them.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

static void begin(struct play *p)
{
    play_begin(p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p->sigma_in = 0.005;
}

static void a_shot_with_pictures_lost_is_not_firm(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_feed(&p, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_DAMAGED, 0 } });
    play_rest(&p, 1, (struct pt_in){ 2, 0 }, ON_SURFACE);
    play_still(&p);
    assert_non_null(play_call(&p, "pictures-lost"));
    for (int i = 0; i < p.last.calls.count; i++)
        assert_false(p.last.calls.call[i].firm);
    play_feed(&p, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_DAMAGED, 0 } }); // between shots
    play_shot(&p, 2, "red", 9);
    assert_null(play_call(&p, "pictures-lost"));
}

static void lose(struct play *p, double lost_s)
{
    play_feed(p, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_DAMAGED, 0, lost_s } });
}

// A shot that begins with the first picture behind a loss may have begun in it.
static void a_loss_is_over_when_everything_lies_still(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    lose(&p, 0.1);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(&p, 1, (struct pt_in){ 2, 0 }, ON_SURFACE);
    play_still(&p);
    assert_non_null(play_call(&p, "pictures-lost"));
    lose(&p, 0.1);
    play_still(&p);
    play_shot(&p, 2, "red", 9);
    assert_null(play_call(&p, "pictures-lost"));
}

// Longer than a shot needs: what ran is dropped without a word, and what is then counted is only as far as seen, until
// somebody says that it is right.
static void what_a_long_loss_hides_is_not_called(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    lose(&p, 0.31);
    p.last.calls.count = 0;
    play_rest(&p, 1, (struct pt_in){ 2, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.last.calls.count, 0);
    for (int said = 0; said < 2; said++) {
        play_shot(&p, 2 + 2 * said, "red", 9);
        assert_int_equal(p.referee.match.shot.number, 1 + 2 * said);
        assert_non_null(play_call(&p, "pictures-lost"));
        for (int i = 0; i < p.last.calls.count; i++) {
            const struct call *c = &p.last.calls.call[i];
            assert_int_equal(c->firm, strcmp(c->what, "zone") == 0); // where it lies is seen
        }
        play_say(&p, said ? "confirm" : "new-game", "");
        play_shot(&p, 3 + 2 * said, "black", 9);
        assert_null(play_call(&p, "pictures-lost"));
        lose(&p, 5);
        play_still(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shot_with_pictures_lost_is_not_firm),
        cmocka_unit_test(a_loss_is_over_when_everything_lies_still),
        cmocka_unit_test(what_a_long_loss_hides_is_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
