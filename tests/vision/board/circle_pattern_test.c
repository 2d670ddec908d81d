// SPDX-License-Identifier: MIT
// Painted circles of a polar view, straight rows there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "vision/board/circle_pattern.h"

enum { RADII = 400, ANGLES = 60 };

// Grey ground with a darker line of three rows around each of these radii.
static struct rectified circles_at(const int row[], const float darker[], int n)
{
    struct rectified view = { .raster = raster_polar(RADII, ANGLES, 1) };
    size_t cells = raster_cells(&view.raster);
    view.plane[0] = malloc(3 * cells * sizeof(float));
    assert_non_null(view.plane[0]);
    view.plane[1] = view.plane[0] + cells;
    view.plane[2] = view.plane[1] + cells;
    for (size_t i = 0; i < 3 * cells; i++)
        view.plane[0][i] = 150 + (float)(i * 7919 % 13) / 13; // a grain to compare with
    for (int k = 0; k < n; k++)
        for (size_t c = 0; c < 3; c++)
            for (int i = (row[k] - 1) * ANGLES; i < (row[k] + 2) * ANGLES; i++)
                view.plane[c][i] -= darker[k];
    return view;
}

static void the_strongest_are_kept_where_there_are_more_than_fit(void **state)
{
    (void)state;
    struct fail why;
    struct painted_circle seen[2];
    struct rectified view = circles_at((const int[]){ 100, 180, 260, 340 }, (const float[]){ 20, 60, 40, 80 }, 4);
    int n = painted_circles(seen, 2, &view, &tuning_defaults.board, &why);
    rectified_free(&view);
    assert_int_equal(n, 2);
    assert_in_range((int)seen[0].radius, 338, 342);
    assert_in_range((int)seen[1].radius, 178, 182);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_strongest_are_kept_where_there_are_more_than_fit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
