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
    const double normals[][3] = { { 0, 0, -1 },         { 0.6, 0, -0.8 }, { 0, -0.8, -0.6 },
                                  { 0.48, 0.64, -0.6 }, { 1, 0, 0 },      { -1, 0, 0 } };
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

// Two unknowns that a third joins; zeros lead the second row.
static void normal_equations_of_three_unknowns(void **state)
{
    (void)state;
    static const double row[4][3] = { { 1, 0, 1 }, { 1, 0, 2 }, { 0, 1, 1 }, { 0, 1, -1 } };
    const double want[3] = { 3, -2, 0.5 };
    double N[9], g[3], x[3], inverse[9], rest[9], g_rest[3];
    struct normal_equations e = normal_begin(N, g, 3), f = normal_begin(rest, g_rest, 3);
    for (int i = 0; i < 4; i++) {
        normal_add(&e, row[i], vec3_dot(row[i], want), 2);
        normal_add(&f, row[i], vec3_dot(row[i], want), 2);
    }
    assert_near(*normal_at(&e, 0, 2), 2 * (1 + 2), 1e-12);
    assert_true(normal_solve(x, &e));
    for (int i = 0; i < 3; i++)
        assert_near(x[i], want[i], 1e-12);
    e = normal_begin(N, g, 3);
    for (int i = 0; i < 4; i++)
        normal_add(&e, row[i], 0, 2);
    assert_true(normal_invert(inverse, &e));
    assert_true(normal_eliminate(&f, 2));
    assert_near(*normal_at(&f, 2, 2), 1 / inverse[8], 1e-12);
    assert_near(f.g[2] / *normal_at(&f, 2, 2), want[2], 1e-12);
    assert_near(quadratic_form(want, inverse, want, 3) - want[2] * want[2] * inverse[8],
                quadratic_form(want, inverse, (const double[3]){ 3, -2, 0 }, 3) +
                    0.5 * (inverse[6] * 3 + inverse[7] * -2),
                1e-12);
}

static void a_prior_fills_what_equations_leave_open(void **state)
{
    (void)state;
    double N[4], g[2], x[2];
    struct normal_equations e = normal_begin(N, g, 2);
    normal_add(&e, (const double[2]){ 1, 1 }, 3, 1);
    assert_false(normal_eliminate(&e, 2));
    e = normal_begin(N, g, 2);
    normal_add(&e, (const double[2]){ 1, 1 }, 3, 1);
    normal_add_prior(&e, 1, 1, 0.5);
    assert_true(normal_solve(x, &e));
    assert_near(x[0], 2, 1e-12);
    assert_near(x[1], 1, 1e-12);
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
    enum { MANY = 1200 };
    double sorted[] = { 1, 2, 3, 4, 5, 6, 7 }, backwards[] = { 7, 6, 5, 4, 3, 2, 1 }, equal[] = { 2, 2, 2, 2 };
    for (int k = 0; k < 7; k++) {
        double a[7];
        memcpy(a, sorted, sizeof a);
        assert_near(select_kth(a, 7, k), k + 1, 0);
        memcpy(a, backwards, sizeof a);
        assert_near(select_kth(a, 7, k), k + 1, 0);
    }
    for (int kinds = 1; kinds <= 50; kinds += 7) // of many numbers, many of them equal
        for (int k = 0; k < MANY; k += 17) {
            double a[MANY];
            int below = 0, equals = 0;
            for (int i = 0; i < MANY; i++)
                a[i] = i * 7919 % MANY % kinds;
            double found = select_kth(a, MANY, k);
            for (int i = 0; i < MANY; i++) {
                below += a[i] < found;
                equals += a[i] <= found;
                assert_true(i < k ? a[i] <= found : a[i] >= found);
            }
            assert_true(below <= k && k < equals);
        }
    assert_near(median_of(backwards, 7), 4, 0);
    assert_near(median_of(equal, 4), 2, 0);
}

// A colour that was never seen is none: where it lies among others cannot be told, but that must be.
static void numbers_that_are_none_are_selected_among_too(void **state)
{
    (void)state;
    for (int none = 0; none <= 24; none++) {
        double values[24];
        for (int i = 0; i < 24; i++)
            values[i] = i * 7 % 24 < none ? (double)NAN : i;
        double middle = median_of(values, 24);
        assert_true(none > 0 || middle == 11.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(rotation_of_nothing_is_the_identity),
        cmocka_unit_test(rotation_with_normal_is_a_rotation_with_that_normal),
        cmocka_unit_test(cholesky_solves_a_known_system),
        cmocka_unit_test(cholesky_inverts_and_refuses_what_is_not_definite),
        cmocka_unit_test(normal_equations_of_three_unknowns),
        cmocka_unit_test(a_prior_fills_what_equations_leave_open),
        cmocka_unit_test(covariance_along_its_axes),
        cmocka_unit_test(numbers_that_are_none_are_selected_among_too),
        cmocka_unit_test(kth_and_median_of_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
