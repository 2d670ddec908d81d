// SPDX-License-Identifier: MIT
// What marbles are called: by their lit side, and never after wood.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/pieces/marbles.h"

static const struct row {
    const char *what;
    double bgr[3]; // mean of light and shade
    double shine;
    const char *called;
} rows[] = {
    { "white, half of it in shade", { 148, 150, 152 }, 0.5, "white" },
    { "grey in even light", { 118, 120, 122 }, 0, "grey" },
    { "orange in shade is not brown", { 40, 88, 150 }, 0.5, "orange" },
    { "yellow in shade is not wood", { 60, 140, 150 }, 0.4, "yellow" },
    { "cream is white", { 165, 185, 190 }, 0.4, "white" },
    { "white beside red, whose blur takes more than its own", { 148, 172, 163 }, 0.3, "white" },
    { "black stays black under a lamp", { 50, 48, 50 }, 0.6, "black" },
    { "red", { 45, 40, 150 }, 0.4, "red" },
    { "blue", { 150, 90, 45 }, 0.4, "blue" },
};

static void marbles_are_called_what_a_person_would_call_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        const struct row *r = &rows[i];
        double luma = 0.114 * r->bgr[0] + 0.587 * r->bgr[1] + 0.299 * r->bgr[2];
        double mean[3] = { luma, r->bgr[0] - luma, r->bgr[2] - luma };
        struct sphere_light l = { .shine = { 0, 0.6 * r->shine, 0.8 * r->shine } };
        if (strcmp(marbles_colour_name(mean, &l, &tuning_defaults.marble), r->called) != 0)
            fail_msg("%s: called %s", r->what, marbles_colour_name(mean, &l, &tuning_defaults.marble));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marbles_are_called_what_a_person_would_call_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
