// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibration/units.h"
#include "referee/announce/piece_sheet.h"
#include "tests/cmocka.h"

enum { WIDTH = 2560, HEIGHT = 1440, HALF_PX = 4, APART_PX = 90 };

static struct frame *picture(void)
{
    struct frame *f;
    struct fail why;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    return f;
}

static void small_pieces_are_helped_and_large_ones_are_not(void **state)
{
    (void)state;
    struct frame *f = picture();
    assert_true(piece_sheet_helps(f, 8 / 2.0));
    assert_false(piece_sheet_helps(f, 40 / 2.0));
    frame_free(f);
}

// No two pieces are of one green, and nothing else is green.
static uint8_t green_of(int piece)
{
    return (uint8_t)(80 + 7 * piece);
}

static struct sheet_piece put(struct frame *f, int i)
{
    struct sheet_piece p = { .px = { 200 + APART_PX * i, 300 + APART_PX * (i % 3) }, .radius_px = HALF_PX };
    snprintf(p.words, sizeof p.words, "%d", i + 1);
    p.ink = (struct ink){ 255, 0, 255, 1 };
    for (int v = -HALF_PX; v <= HALF_PX; v++)
        for (int u = -HALF_PX; u <= HALF_PX; u++)
            f->bgr[3 * (((int)p.px.v + v) * WIDTH + (int)p.px.u + u) + 1] = green_of(i);
    return p;
}

// Where its green lies on the sheet, and how much of it: not at the edges of another, where greens run into the ground.
static int middle_of(struct pt_px *out, const struct frame *sheet, int piece)
{
    int n = 0;
    *out = (struct pt_px){ 0, 0 };
    for (int v = 0; v < sheet->height - 1; v++)
        for (int u = 0; u < sheet->width - 1; u++) {
            const uint8_t *p = sheet->bgr + 3 * (v * sheet->width + u);
            if (p[0] != 0 || p[2] != 0 || p[1] != green_of(piece) || p[4] != p[1] || p[3 * sheet->width + 1] != p[1])
                continue;
            out->u += u;
            out->v += v;
            n++;
        }
    out->u /= fmax(n, 1);
    out->v /= fmax(n, 1);
    return n;
}

static void each_piece_has_one_tile_in_its_order(void **state)
{
    (void)state;
    enum { COLUMNS = 4 };
    static const int counts[] = { 1, 2, COLUMNS, COLUMNS + 1, PIECE_SHEET_MAX };
    for (size_t k = 0; k < countof(counts); k++) {
        struct frame *f = picture(), *sheet;
        struct sheet_piece piece[PIECE_SHEET_MAX];
        struct pt_px at[PIECE_SHEET_MAX];
        struct fail why = { .text = "" };
        for (int i = 0; i < counts[k]; i++)
            piece[i] = put(f, i);
        if (piece_sheet_make(&sheet, f, piece, counts[k], &why) < 0)
            fail_msg("%s", why.text);
        assert_true(sheet->width < WIDTH / 2 && sheet->height < HEIGHT);
        for (int i = 0; i < counts[k]; i++) {
            int n = middle_of(&at[i], sheet, i), seen = (2 * HALF_PX + 1) * (2 * HALF_PX + 1);
            if (n < 20 * seen)
                fail_msg("of %d pieces the one numbered %d has %d pixels of %d", counts[k], i + 1, n, seen);
            int above = i - COLUMNS;
            if (i % COLUMNS > 0 && (fabs(at[i].v - at[i - 1].v) > 1 || at[i].u < at[i - 1].u + 2 * HALF_PX))
                fail_msg("of %d pieces the one numbered %d is not beside the one before", counts[k], i + 1);
            if (above >= 0 && (fabs(at[i].u - at[above].u) > 1 || at[i].v < at[above].v + 2 * HALF_PX))
                fail_msg("of %d pieces the one numbered %d is not below number %d", counts[k], i + 1, above + 1);
        }
        frame_free(sheet);
        frame_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_pieces_are_helped_and_large_ones_are_not),
        cmocka_unit_test(each_piece_has_one_tile_in_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
