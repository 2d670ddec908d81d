// SPDX-License-Identifier: MIT
// near.h: numbers that must agree within a tolerance; says both when they do not. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_NEAR_H
#define RINGSIDE_TESTS_NEAR_H

#include <math.h>

#define assert_near(is, wanted, tolerance) near_or_fail(is, wanted, tolerance, #is, __FILE__, __LINE__)

static inline void near_or_fail(double is, double wanted, double tolerance, const char *what, const char *file,
                                int line)
{
    if (fabs(is - wanted) <= tolerance)
        return;
    print_error("%s is %.9g, should be %.9g within %.3g\n", what, is, wanted, tolerance);
    _fail(file, line);
}

#endif
