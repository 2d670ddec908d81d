// SPDX-License-Identifier: MIT
// A person's hint: of two boards the one that is meant, from above and from beside the table, and none where there is
// none.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/board/find.h"
#include "vision/reduced.h"
#include "vision/source/source.h"

enum { WIDTH = 1280, HEIGHT = 720 };

static bool find_at(struct board_pose *found, struct frame *f, const char *hinted, int wanted_rc, struct fail *why)
{
    struct board_hint hint;
    struct tuning tuning = tuning_defaults;
    tuning.hint = &hint;
    assert_int_equal(board_hint_parse(&hint, hinted, why), 0);
    assert_int_equal(board_find(found, f, board_builtin("crokinole-nca"), NULL, &tuning, why), wanted_rc);
    return found->found;
}

static void of_two_boards_the_one_that_is_meant(void **state)
{
    (void)state;
    const struct paint paint = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
    struct board b = *board_builtin("crokinole-nca");
    struct frame *f, *half;
    b.line_width_in = 0.12;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    for (int side = 0; side < 2; side++) {
        struct camera c = view_of_board(WIDTH / 2, HEIGHT, 700, 0, 0.5, 0, 42);
        assert_int_equal(frame_create(&half, WIDTH / 2, HEIGHT, NULL), 0);
        paint_board(half, &c, &b, &paint);
        for (int y = 0; y < HEIGHT; y++)
            memcpy(f->bgr + 3 * ((size_t)y * WIDTH + (size_t)(side * WIDTH / 2)),
                   half->bgr + 3 * (size_t)(y * WIDTH / 2), 3 * WIDTH / 2);
        frame_free(half);
    }
    for (int side = 0; side < 2; side++) {
        struct board_pose found;
        struct fail why = { .text = "" };
        struct pt_px middle;
        char hint[64];
        snprintf(hint, sizeof hint, "box:%d,140,540,440", 50 + side * WIDTH / 2);
        if (!find_at(&found, f, hint, 0, &why))
            fail_msg("%s", why.text);
        assert_true(camera_project(&middle, &found.camera, (struct pt3_in){ 0, 0, 0 }));
        assert_true(fabs(middle.u - (WIDTH / 4.0 + side * WIDTH / 2.0)) < 3);
    }
    frame_free(f);
}

static const struct {
    const char *what, *hint;
    int rc;
    const char *says; // NULL: found
} table[] = {
    // table_02 of our samples: 67 degrees off the vertical
    { "a box around it", "box:360,262,550,236", 0, NULL },
    { "points on its outermost line",
      "line:531.4,467.2;786.8,468.2;898.3,390.7;809.5,312.9;620.4,290.6;431,318;372,388", 0, NULL },
    { "none", "none", 0, NULL },
    { "a box elsewhere", "box:0,0,320,180", 0, "where the hint says" },
    { "points elsewhere", "line:100,100;200,60;300,100;200,140;130,70", 0, "where the hint says" },
    { "a box beside it that its near side reaches into", "box:300,440,700,60", 0, "does not lie in the box" },
    { "a box beyond the picture", "box:900,262,550,236", RS_EINPUT, "1280 x 720 pixels" },
};

static void a_board_beside_the_table_is_found_where_the_hint_says(void **state)
{
    (void)state;
    struct source *photo = NULL;
    struct frame *f = NULL;
    assert_int_equal(photo_open(&photo, "samples/pictures/table_02.jpg", NULL), 0);
    assert_int_equal(source_next(&f, photo, NULL), 1);
    for (size_t i = 0; i < countof(table); i++) {
        struct board_pose found;
        struct fail why = { .text = "" };
        bool there = find_at(&found, f, table[i].hint, table[i].rc, &why);
        if (there != !table[i].says || (table[i].says && !strstr(why.text, table[i].says)))
            fail_msg("%s: found %d, \"%s\"", table[i].what, there, why.text);
    }
    frame_free(f);
    source_close(photo);
}

// What a usual lens would have to be next to the board to see.
static void points_help_where_the_camera_is_zoomed_in(void **state)
{
    (void)state;
    struct source *photo = NULL;
    struct frame *f = NULL, *part = NULL;
    struct board_pose found;
    struct fail why = { .text = "" };
    assert_int_equal(photo_open(&photo, "samples/pictures/table_02.jpg", NULL), 0);
    assert_int_equal(source_next(&f, photo, NULL), 1);
    assert_int_equal(frame_part(&part, f, 400, 230, 470, 290, NULL), 0);
    if (!find_at(&found, part, "line:131,236;206,247;358,243;464,208;459,109;320,61;146,54;10,93", 0, &why))
        fail_msg("%s", why.text);
    frame_free(part);
    frame_free(f);
    source_close(photo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_boards_the_one_that_is_meant),
        cmocka_unit_test(a_board_beside_the_table_is_found_where_the_hint_says),
        cmocka_unit_test(points_help_where_the_camera_is_zoomed_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
