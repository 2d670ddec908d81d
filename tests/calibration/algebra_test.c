// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "tests/near.h"

static void quarter_turn_about_z_takes_x_to_y(void **state)
{
    (void)state;
    double R[3][3];
    const double axis[3] = { 0, 0, PI / 2 };
    rotation_from_axis(R, axis);
    assert_near(R[0][0], 0, 1e-12);
    assert_near(R[1][0], 1, 1e-12);
    assert_near(R[2][2], 1, 1e-12);
}

static void rotation_of_nothing_is_the_identity(void **state)
{
    (void)state;
    double R[3][3];
    const double axis[3] = { 0, 0, 0 };
    rotation_from_axis(R, axis);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(R[i][j], i == j, 1e-15);
}

static void rotation_with_normal_is_a_rotation_with_that_normal(void **state)
{
    (void)state;
    const double normals[][3] = { { 0, 0, -1 }, { 0.6, 0, -0.8 }, { 0, -0.8, -0.6 }, { 0.48, 0.64, -0.6 } };
    for (size_t k = 0; k < countof(normals); k++) {
        double R[3][3];
        rotation_with_normal(R, normals[k]);
        for (int i = 0; i < 3; i++) {
            assert_near(R[i][2], normals[k][i], 1e-12);
            for (int j = 0; j < 3; j++)
                assert_near(vec3_dot(R[i], R[j]), i == j, 1e-12);
        }
        double cross[3];
        vec3_cross(cross, R[0], R[1]);
        assert_near(vec3_dot(cross, R[2]), 1, 1e-12);
    }
}

static void cholesky_solves_a_known_system(void **state)
{
    (void)state;
    double A[] = { 4, 2, 2, 3 }, b[] = { 10, 8 }, x[2];
    assert_true(cholesky_solve(x, A, b, 2));
    assert_near(x[0], 1.75, 1e-12);
    assert_near(x[1], 1.5, 1e-12);
}

static void cholesky_inverts_and_refuses_what_is_not_definite(void **state)
{
    (void)state;
    double A[] = { 4, 2, 2, 3 }, inverse[4];
    assert_true(cholesky_invert(inverse, A, 2));
    assert_near(inverse[0], 3.0 / 8, 1e-12);
    assert_near(inverse[1], -2.0 / 8, 1e-12);
    assert_near(inverse[3], 4.0 / 8, 1e-12);
    double indefinite[] = { 1, 2, 2, 1 };
    assert_false(cholesky_invert(inverse, indefinite, 2));
}

static void covariance_along_its_axes(void **state)
{
    (void)state;
    struct cov_in2 c = { .xx = 0.04, .xy = 0, .yy = 0.09 };
    assert_near(cov_along(&c, 1, 0), 0.2, 1e-12);
    assert_near(cov_along(&c, 0, 1), 0.3, 1e-12);
    assert_near(cov_sigma(&c), sqrt(0.065), 1e-12);
    struct cov_in2 slanted = { .xx = 1, .xy = 1, .yy = 1 };
    assert_near(cov_along(&slanted, sqrt(0.5), sqrt(0.5)), sqrt(2), 1e-12);
    assert_near(cov_along(&slanted, sqrt(0.5), -sqrt(0.5)), 0, 1e-7);
}

static void kth_and_median_of_any_order(void **state)
{
    (void)state;
    double sorted[] = { 1, 2, 3, 4, 5, 6, 7 }, backwards[] = { 7, 6, 5, 4, 3, 2, 1 }, equal[] = { 2, 2, 2, 2 };
    for (int k = 0; k < 7; k++) {
        double a[7];
        memcpy(a, sorted, sizeof a);
        assert_near(select_kth(a, 7, k), k + 1, 0);
        memcpy(a, backwards, sizeof a);
        assert_near(select_kth(a, 7, k), k + 1, 0);
    }
    assert_near(median_of(backwards, 7), 4, 0);
    assert_near(median_of(equal, 4), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(rotation_of_nothing_is_the_identity),
        cmocka_unit_test(rotation_with_normal_is_a_rotation_with_that_normal),
        cmocka_unit_test(cholesky_solves_a_known_system),
        cmocka_unit_test(cholesky_inverts_and_refuses_what_is_not_definite),
        cmocka_unit_test(covariance_along_its_axes),
        cmocka_unit_test(kth_and_median_of_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
