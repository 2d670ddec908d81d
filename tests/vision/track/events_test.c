// SPDX-License-Identifier: MIT
// What a moment of rest makes of the tracks: whose a piece is that nobody knew before it ran.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/vision/track/still.h"

// A white taw is "green" in the light where it stops: it is the side's that is known as white.
static void what_ran_to_another_light_keeps_its_side(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, pale[] = { 220, 230, 225 };
    static const struct script comes = {
        .actors = 1, .actor = { { "white", { 225, 230, 220 }, 2, { { 11, 8, -1 }, { 1e9, 8, -1 } } } }
    };
    static struct reconstruction r;
    struct still s;
    struct background *empty = begin_bare(&r, &s);
    on_stage = &comes;
    take_look(empty, &s, 12);
    struct detection white = red_at(&s, 8, -1), *now = &s.seen.piece[s.seen.count++];
    snprintf(white.colour, sizeof white.colour, "white");
    *now = white;
    memcpy(white.lab, (double[3]){ 69, -2, 6 }, sizeof white.lab);
    memcpy(now->lab, (double[3]){ 82, -7, 10 }, sizeof now->lab);
    snprintf(now->colour, sizeof now->colour, "green");
    side_colours_remember(&r.colours, &white, tuning_defaults.track.piece_sure);
    s.moment.t_s = 12;
    for (int i = 0; i < RUN_STEPS; i++)
        ran_over(&r, i, (struct pt_in){ -4 + 3.0 * i, 5 - 1.5 * i }, pale, wood);
    events_reconstruct(&r, &s.moment);
    assert_string_equal(only(&r, OBS_SEEN)->seen.colour, "white");
    events_finish(&r);
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// It ran into the ditch, where no more is seen of it than a patch in the shade of the rim: whose it is is told by the
// paint of a disc that the finder measured, and stays so.
static void a_patch_tells_no_sides_paint(void **state)
{
    (void)state;
    static const double wood[] = { 120, 170, 200 }, bright[] = { 40, 40, 220 };
    static struct reconstruction r;
    struct still s;
    begin(&r, &s);
    struct detection lay = red_at(&s, 3, 2);
    colour_bgr_to_lab(lay.lab, bright);
    lay.ground_l = 70;
    side_colours_remember(&r.colours, &lay, tuning_defaults.track.piece_sure);
    show_red_patch(&s, -12.2, 0);
    s.moment.t_s = 12;
    for (int i = 0; i < RUN_STEPS; i++)
        ran_over(&r, i, (struct pt_in){ 4 - 3.5 * i, 0 }, bright, wood);
    events_reconstruct(&r, &s.moment);
    assert_string_equal(only(&r, OBS_SEEN)->seen.colour, "red");
    assert_true(only(&r, OBS_REST)->rest.at.x < -10);
    assert_int_equal(r.colours.count, 1);
    assert_memory_equal(r.colours.colour[0].lab, lay.lab, sizeof lay.lab);
    assert_true(r.colours.colour[0].ground_l == lay.ground_l);
    end(&r, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ran_to_another_light_keeps_its_side),
        cmocka_unit_test(a_patch_tells_no_sides_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
