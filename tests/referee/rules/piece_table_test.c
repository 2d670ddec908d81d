// SPDX-License-Identifier: MIT
// What is known of the pieces, by what was told of them.
#include "referee/rules/piece_table.h"

#include "referee/rules/line.h"
#include "tests/cmocka.h"

static struct piece_table table;

static void told(struct observation o)
{
    o.id = 1;
    piece_table_follow(&table, board_builtin("crokinole-nca"), &o);
}

static bool is_firm(void)
{
    return zone_of(board_builtin("crokinole-nca"), &piece_table_find(&table, 1)->lying).verdict.firm;
}

// Beside the hand that put it down it was hardly seen; where the shot took it nothing hides it.
static void a_disc_is_as_sure_as_where_it_was_measured_best(void **state)
{
    (void)state;
    const struct cov_in2 cov = { 1e-4, 0, 1e-4 };
    table.count = 0;
    told((struct observation){ .kind = OBS_SEEN, .seen = { .kind = PIECE_DISC, .certainty = 0.6 } });
    told((struct observation){ .kind = OBS_REST, .rest = { { 11.2, 0 }, cov, ON_SURFACE, 0 } });
    assert_false(is_firm());
    told((struct observation){ .kind = OBS_MOVE, .move = { MOVED_BY_SHOT, { 11.2, 0 } } });
    told((struct observation){ .kind = OBS_REST, .rest = { { 2, 0 }, cov, ON_SURFACE, 0 } });
    assert_false(is_firm()); // nothing more was told of it
    told((struct observation){ .kind = OBS_MOVE, .move = { MOVED_BY_SHOT, { 2, 0 } } });
    told((struct observation){ .kind = OBS_REST, .rest = { { 2, 1 }, cov, ON_SURFACE, 0.97 } });
    assert_true(is_firm());
    told((struct observation){ .kind = OBS_REST, .rest = { { 2, 0 }, cov, ON_SURFACE, 0 } });
    assert_true(is_firm()); // it does not become less of a disc
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_is_as_sure_as_where_it_was_measured_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
