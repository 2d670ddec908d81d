// SPDX-License-Identifier: MIT
// The model of a sphere on a carpet, a pixel at a time: what nothing is known of has no part in what comes out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "vision/pieces/sphere_model.h"

// Memory as it was left by others: here all of it is no number. Without a shadow there is no way past the lamp, and
// what lies in its place once decided, by the compiler's choice of a place on the stack, where a marble was found.
static void slopes_without_a_shadow_are_of_what_is_seen_alone(void **state)
{
    (void)state;
    static const struct pt_in floors[] = { { 0, 0 }, { 0.2, 0.1 }, { 0.31, 0 }, { -0.4, 0.3 }, { 2, -2 } };
    const struct sphere_light dark = { .shine = { 0, 0, 0.3 } };
    const struct sphere_window w = { .blur_in = { 0.05, 0.08 }, .scatter = { 1, 1, 1 } };
    struct sphere_model m = sphere_at((struct pt_in){ 0, 0 }, 0.31, &dark);
    for (int c = 0; c < SPHERE_CHANNELS; c++)
        m.colour[c][SPHERE_TOP] = 50;
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
        const struct sphere_sample p = { .floor = floors[i], .sight = { 0, 0.6, 0.8 }, .weight = 1 };
        struct sphere_pixel clean, dirty;
        double wanted[SPHERE_LIT_MOVES][SPHERE_CHANNELS], got[SPHERE_LIT_MOVES][SPHERE_CHANNELS];
        memset(&clean, 0, sizeof clean);
        memset(&dirty, 0xff, sizeof dirty);
        sphere_pixel_of(&clean, &w, &m, &p);
        sphere_pixel_of(&dirty, &w, &m, &p);
        sphere_slopes(wanted, &w, &m, &p, &clean, SPHERE_LIT_MOVES);
        sphere_slopes(got, &w, &m, &p, &dirty, SPHERE_LIT_MOVES);
        for (int move = 0; move < SPHERE_LIT_MOVES; move++)
            for (int c = 0; c < SPHERE_CHANNELS; c++)
                if (!isfinite(got[move][c]) || got[move][c] != wanted[move][c])
                    fail_msg("floor %zu, move %d, channel %d: %g, not %g", i, move, c, got[move][c], wanted[move][c]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(slopes_without_a_shadow_are_of_what_is_seen_alone) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
