// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "referee/rules/line.h"
#include "tests/cmocka.h"
#include "tests/near.h"

static struct board board_with_line(const char *name, double width_in)
{
    struct board b = *board_builtin(name);
    b.line_width_in = width_in;
    return b;
}

struct row {
    const char *must_hold;
    const char *board;
    double width_in, x, y;
    enum piece_place plane;
    bool taw;
    double sigma_in;
    const char *zone;
    double margin_in; // NAN: not asked
    bool firm;
};

static const struct row rows[] = {
    { "edge a hair over the line's inside is the lower area", "crokinole-nca", 0.1025436809530, 5.975762068875583,
      -4.242054626507036, ON_SURFACE, false, 0.001, "5", -0.0046249813999, true },
    { "wholly inside the 5 area", "crokinole-nca", 0.1025436809530, -8.12584576786808, -7.677616158732669, ON_SURFACE,
      false, 0.01, "5", 0.1444992360238, true },
    { "wholly inside the 15 circle", "crokinole-nca", 0.1025436809530, 2.9073212840108886, 1.372013302921652,
      ON_SURFACE, false, 0.01, "15", 0.1089283909754, true },
    { "touching the outer line is ditched", "crokinole-nca", 0.1025436809530, 11.944223709218578, -0.49114669392660043,
      ON_SURFACE, false, 0.01, "ditch", -0.6305892651902, true },
    { "an edge exactly on the line's inside touches", "crokinole-nca", 0.25, 7.25, 0, ON_SURFACE, false, 0.01, "5", 0,
      false },
    { "in the hole", "crokinole-nca", 0.1, 0.05, 0, IN_HOLE, false, 0.01, "20", 0.6375, true },
    { "over the hole but on the surface is 15", "crokinole-nca", 0.1, 0.5, 0, ON_SURFACE, false, 0.01, "15", NAN,
      true },
    { "in the ditch, wherever it is", "crokinole-nca", 0.1, 13.9, 0, IN_DITCH, false, 0.01, "ditch", NAN, true },
    { "rings count 5 3 2", "crokinole-rings-24", 0.1034146406180, 6.786182966233594, 2.792431205427867, ON_SURFACE,
      false, 0.001, "2", -0.0149599248632, true },
    { "a ring in the hole is 10", "crokinole-rings-24", 0.1, 0, 0.04, IN_HOLE, false, 0.01, "10", NAN, true },
    { "closer than three sigma is close", "crokinole-nca", 0.1, 7.3, 0, ON_SURFACE, false, 0.0084, "10", 0.025, false },
    { "farther than three sigma is firm", "crokinole-nca", 0.1, 7.3, 0, ON_SURFACE, false, 0.0083, "10", 0.025, true },
    { "M34 target on the line is out", "ring-7ft", 0.5, 42, 0, ON_SURFACE, false, 0.01, "out", 0, false },
    { "M35 target a hair inside is in and close", "ring-7ft", 0.5, 41.98, 0, ON_SURFACE, false, 0.01, "in", 0.02,
      false },
    { "M33 target beyond is out", "ring-7ft", 0.5, 0, -42.1, ON_SURFACE, false, 0.01, "out", -0.1, true },
    { "M36 taw on the line is in", "ring-7ft", 0.5, -42, 0, ON_SURFACE, true, 0.01, "in", 0, false },
    { "M37 taw beyond is out", "ring-7ft", 0.5, 42.1, 0, ON_SURFACE, true, 0.01, "out", -0.1, true },
    { "a marble off the floor's picture is out", "ring-7ft", 0.5, 3, 0, OFF_BOARD, false, 0.01, "out", NAN, true },
};

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        const struct row *r = &rows[i];
        struct board b = board_with_line(r->board, r->width_in);
        double v = r->sigma_in * r->sigma_in;
        struct resting_piece piece = { .at = { r->x, r->y },
                                       .cov = { v, 0, v },
                                       .radius_in = b.piece_radius_in,
                                       .plane = r->plane,
                                       .taw = r->taw,
                                       .certainty = 1 };
        struct zone z = zone_of(&b, &piece);
        char word[ZONE_WORD_MAX];
        zone_word(word, &z);
        bool margin_right = isnan(r->margin_in) || fabs(z.verdict.margin_in - r->margin_in) < 1e-9;
        if (strcmp(word, r->zone) != 0 || !margin_right || z.verdict.firm != r->firm)
            fail_msg("%s: got \"%s\", margin %.10f, firm %d", r->must_hold, word, z.verdict.margin_in, z.verdict.firm);
    }
}

// The line rule of a target and of the taw differ, and so does what being out means.
static void a_marble_of_doubtful_role_is_not_called_firmly(void **state)
{
    (void)state;
    struct board b = board_with_line("ring-7ft", 0.5);
    struct resting_piece marble = { .at = { 3, 4 },
                                    .cov = { 1e-4, 0, 1e-4 },
                                    .radius_in = b.piece_radius_in,
                                    .plane = ON_SURFACE,
                                    .taw = false,
                                    .certainty = 0.99 };
    struct zone z = zone_of(&b, &marble);
    assert_int_equal(z.area, ZONE_IN);
    assert_true(z.verdict.clear && !z.verdict.firm);
    marble.certainty = 0.999;
    z = zone_of(&b, &marble);
    assert_true(z.verdict.clear && z.verdict.firm);
}

static void sigma_is_taken_along_the_radius(void **state)
{
    (void)state;
    struct cov_in2 cov = { 0.04, 0, 0.0001 };
    assert_float_equal(line_sigma((struct pt_in){ 10, 0 }, cov), 0.2, 1e-12);
    assert_float_equal(line_sigma((struct pt_in){ 0, -10 }, cov), 0.01, 1e-12);
    assert_float_equal(line_sigma((struct pt_in){ 0, 0 }, cov), 0.2, 1e-12);
    struct cov_in2 slanted = { 0.01, 0.01, 0.01 }; // all along x = y
    assert_float_equal(line_sigma((struct pt_in){ 5, 5 }, slanted), sqrt(0.02), 1e-12);
    assert_float_equal(line_sigma((struct pt_in){ 5, -5 }, slanted), 0, 1e-9);
}

static void touching_the_inner_line_from_outside(void **state)
{
    (void)state;
    struct board b = board_with_line("crokinole-nca", 0.1);
    struct resting_piece pose = { .at = { 4.67, 0 },
                                  .cov = { 0, 0, 0 },
                                  .radius_in = b.piece_radius_in,
                                  .plane = ON_SURFACE,
                                  .taw = false,
                                  .certainty = 1 };
    struct resting_piece off = { .at = { 4.68, 0 },
                                 .cov = { 0, 0, 0 },
                                 .radius_in = b.piece_radius_in,
                                 .plane = ON_SURFACE,
                                 .taw = false,
                                 .certainty = 1 };
    assert_int_equal(line_touch(&b, 2, &pose).side, LINE_IN);
    assert_int_equal(line_touch(&b, 2, &off).side, LINE_OUT);
}

// The line that counts is the painted one.
static void a_straying_line_is_judged_where_it_was_painted(void **state)
{
    (void)state;
    struct board b = board_with_line("crokinole-nca", 0.1);
    b.line_deviation_in[0][1] = 0.05; // 12.05 in at +x, 11.95 in at -x
    struct resting_piece right = { .at = { 11.3, 0 },
                                   .cov = { 0, 0, 0 },
                                   .radius_in = 0.625,
                                   .plane = ON_SURFACE,
                                   .taw = false,
                                   .certainty = 1 },
                         left = right;
    left.at.x = -11.3;
    assert_int_equal(zone_of(&b, &right).points, 5);
    assert_near(zone_of(&b, &right).verdict.margin_in, 12.05 - 0.05 - 11.925, 1e-9);
    assert_int_equal(zone_of(&b, &left).area, ZONE_DITCH);
    assert_near(zone_of(&b, &left).verdict.margin_in, 11.95 - 0.05 - 11.925, 1e-9);
    b.line_deviation_in[2][1] = -0.05;
    struct resting_piece touching = { .at = { 4.67, 0 },
                                      .cov = { 0, 0, 0 },
                                      .radius_in = b.piece_radius_in,
                                      .plane = ON_SURFACE,
                                      .taw = false,
                                      .certainty = 1 };
    assert_int_equal(line_touch(&b, 2, &touching).side, LINE_OUT);
}

static void the_line_of_a_ring_strays_too(void **state)
{
    (void)state;
    struct board b = *board_builtin("ring-7ft");
    b.line_deviation_in[0][2] = -0.2;
    struct resting_piece top = { .at = { 0, 41.9 },
                                 .cov = { 0, 0, 0 },
                                 .radius_in = b.piece_radius_in,
                                 .plane = ON_SURFACE,
                                 .taw = false,
                                 .certainty = 1 },
                         bottom = top;
    bottom.at.y = -41.9;
    assert_int_equal(zone_of(&b, &top).area, ZONE_OUT);
    assert_int_equal(zone_of(&b, &bottom).area, ZONE_IN);
}

// At the line to the last digit it is judged by the tie rule, and may lie on the other side as any that is too close.
static void what_lies_exactly_at_a_line_may_be_beyond_it(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca"), *ring = board_builtin("ring-7ft");
    struct resting_piece disc = { .cov = { 1e-4, 0, 1e-4 }, .radius_in = b->piece_radius_in, .certainty = 1 },
                         taw = disc;
    struct zone beyond;
    disc.at.x = line_of_circle(b, 1).radius_in - b->piece_radius_in;
    assert_true(line_of_circle(b, 1).radius_in - (disc.at.x + disc.radius_in) == 0);
    struct points points = zone_points(b, &disc);
    assert_int_equal(points.reads, 5);
    assert_int_equal(points.least, 5);
    assert_int_equal(points.most, 10);
    taw.taw = true;
    taw.at.x = line_of_ring(ring, true).radius_in;
    assert_int_equal(zone_of(ring, &taw).area, ZONE_IN);
    assert_true(zone_beyond(&beyond, ring, &taw));
    assert_int_equal(beyond.area, ZONE_OUT);
}

// Three in four that it is a disc at all: whatever the line says, that is no firm call.
static void a_doubtful_disc_is_close(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca");
    const double certainty[] = { 0.75, 0.89, 0.91, 1 };
    for (size_t i = 0; i < countof(certainty); i++) {
        struct resting_piece disc = {
            .at = { 2, 0 }, .cov = { 1e-4, 0, 1e-4 }, .radius_in = b->piece_radius_in, .certainty = certainty[i]
        };
        struct zone z = zone_of(b, &disc);
        assert_int_equal(z.points, 15);
        assert_true(z.verdict.clear);
        assert_int_equal(z.verdict.firm, certainty[i] >= 0.9);
        disc.plane = IN_HOLE;
        disc.at = (struct pt_in){ 0, 0 };
        z = zone_of(b, &disc);
        assert_int_equal(z.points, 20);
        assert_int_equal(z.verdict.firm, certainty[i] >= 0.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_doubtful_disc_is_close),
        cmocka_unit_test(what_lies_exactly_at_a_line_may_be_beyond_it),
        cmocka_unit_test(every_row),
        cmocka_unit_test(a_marble_of_doubtful_role_is_not_called_firmly),
        cmocka_unit_test(sigma_is_taken_along_the_radius),
        cmocka_unit_test(touching_the_inner_line_from_outside),
        cmocka_unit_test(a_straying_line_is_judged_where_it_was_painted),
        cmocka_unit_test(the_line_of_a_ring_strays_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
