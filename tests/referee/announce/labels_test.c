// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "referee/announce/labels.h"
#include "tests/cmocka.h"

enum { PIECES = 40, LAYOUTS = 1500 };
static const double WIDTH = 640, HEIGHT = 480;

static double chance(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

static bool inside(struct label_box b)
{
    return b.u0 >= 0 && b.v0 >= 0 && b.u1 <= WIDTH && b.v1 <= HEIGHT;
}

static void no_label_covers_a_piece_or_another_or_leaves_the_picture(void **state)
{
    (void)state;
    enum { SEED = 19 };
    int placed = 0, wished = 0, led = 0;
    srand(SEED);
    for (int k = 0; k < LAYOUTS; k++) {
        struct label_box kept[PIECES];
        struct label_wish wish[PIECES];
        struct label_place out[PIECES];
        int n = 1 + rand() % PIECES;
        double spread = chance(40, 230); // from a heap to the whole board
        for (int i = 0; i < n; i++) {
            double u = WIDTH / 2 + chance(-spread, spread), v = HEIGHT / 2 + chance(-spread, spread);
            double half = chance(3, 20);
            kept[i] = (struct label_box){ u - half, v - half * 0.6, u + half, v + half * 0.6 };
            wish[i] = (struct label_wish){ kept[i], chance(12, 140), chance(10, 20) };
        }
        labels_place(out, wish, n, &(struct label_room){ WIDTH, HEIGHT, n, kept });
        for (int i = 0; i < n; i++) {
            wished++;
            if (!out[i].placed)
                continue;
            placed++;
            led += out[i].far;
            if (!inside(out[i].box))
                fail_msg("seed %d, layout %d: label %d leaves the picture", SEED, k, i);
            for (int m = 0; m < n; m++) {
                if (label_box_overlaps(out[i].box, kept[m]))
                    fail_msg("seed %d, layout %d: label %d covers piece %d", SEED, k, i, m);
                if (m < i && out[m].placed && label_box_overlaps(out[i].box, out[m].box))
                    fail_msg("seed %d, layout %d: label %d covers label %d", SEED, k, i, m);
            }
        }
    }
    // The worst of them are heaps of forty on a board's quarter: most have their label all the same.
    if (placed < 9 * wished / 10 || led == 0)
        fail_msg("of %d labels only %d were placed, %d with a line", wished, placed, led);
}

static void a_piece_alone_has_its_label_close_by(void **state)
{
    (void)state;
    const struct label_box piece = { 300, 200, 340, 230 };
    const struct label_wish wish = { piece, 60, 16 };
    struct label_place out;
    labels_place(&out, &wish, 1, &(struct label_room){ WIDTH, HEIGHT, 1, &piece });
    assert_true(out.placed);
    assert_false(out.far);
    assert_true(out.box.u0 >= 340 && out.box.u0 < 345);
    assert_true(out.box.v0 < 215 && out.box.v1 > 215);
}

// Walled in: the line begins at the label and ends at the piece.
static void a_line_leads_back_from_far(void **state)
{
    (void)state;
    struct label_box kept[] = { { 300, 200, 340, 230 },
                                { 250, 150, 299, 280 },
                                { 341, 150, 390, 280 },
                                { 299, 150, 341, 199 },
                                { 299, 231, 341, 280 } };
    const struct label_wish wish = { kept[0], 60, 16 };
    struct label_place out;
    labels_place(&out, &wish, 1, &(struct label_room){ WIDTH, HEIGHT, 5, kept });
    assert_true(out.placed && out.far);
    assert_true(out.from.u >= out.box.u0 && out.from.u <= out.box.u1 && out.from.v >= out.box.v0 &&
                out.from.v <= out.box.v1);
    assert_true(out.to.u >= 300 && out.to.u <= 340 && out.to.v >= 200 && out.to.v <= 230);
}

static void where_there_is_no_room_nothing_is_said(void **state)
{
    (void)state;
    const struct label_box kept[] = { { 300, 200, 340, 230 }, { 0, 0, WIDTH, HEIGHT } };
    const struct label_wish wish = { kept[0], 60, 16 };
    struct label_place out;
    labels_place(&out, &wish, 1, &(struct label_room){ WIDTH, HEIGHT, 2, kept });
    assert_false(out.placed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_label_covers_a_piece_or_another_or_leaves_the_picture),
        cmocka_unit_test(a_piece_alone_has_its_label_close_by),
        cmocka_unit_test(a_line_leads_back_from_far),
        cmocka_unit_test(where_there_is_no_room_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
