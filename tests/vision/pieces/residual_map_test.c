// SPDX-License-Identifier: MIT
// An even carpet is even, whatever is played with: a piece too large for the layout's discs is looked for on a coarser
// one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/calibration/view.h"
#include "vision/pieces/residual_map.h"

static void an_even_carpet_is_even_for_pieces_of_any_size(void **state)
{
    (void)state;
    enum { SIDE = 1000 };
    static const double piece_radius_in[] = { 0.3125, 1.2, 1.3, 2 }, distance_in = 100, px_per_in = 12;
    const struct marble_tuning *t = &tuning_defaults.marble;
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, SIDE, SIDE, &why), 0);
    memset(f->bgr, 90, (size_t)3 * SIDE * SIDE);
    for (size_t i = 0; i < countof(piece_radius_in); i++) {
        struct peak peak[RESIDUAL_PEAKS_MAX];
        struct residual_scale usual;
        struct board_pose pose = { .found = true,
                                   .board = *board_builtin("ring-7ft"),
                                   .camera = view_of_board(SIDE, SIDE, px_per_in * distance_in, 0, 0, 0, distance_in) };
        pose.board.circle_in[0] = 12;
        pose.board.piece_radius_in = piece_radius_in[i];
        pose.board.piece_height_in = 2 * piece_radius_in[i];
        assert_int_equal(residual_map_find(peak, f, &pose, &usual, NULL, t, &why), 0);
        for (int map = 0; map < 4; map++)
            if (!(usual.scale[map][0] <= t->peak_least_scale))
                fail_msg("pieces of %g in: map %d differs by %g", piece_radius_in[i], map, usual.scale[map][0]);
    }
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(an_even_carpet_is_even_for_pieces_of_any_size) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
