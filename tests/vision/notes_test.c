// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration/board.h"
#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/board/refit.h"
#include "vision/notes.h"
#include "vision/pieces/pieces.h"

enum { WIDTH = 640, HEIGHT = 480 };

static struct notes sheet;

static const struct fit_note held = { .at = { 1, 2 }, .radius_in = 0.6, .explained = 0.9 };

static void a_new_moment_wipes_out_the_older_one(void **state)
{
    (void)state;
    struct frame f = { .t_s = 3, .notes = &sheet };
    notes_clear(&sheet);
    notes_fit(&f, &held);
    notes_fit(&f, &held);
    assert_int_equal(sheet.fits, 2);
    f.t_s = 4;
    notes_fit(&f, &held);
    assert_int_equal(sheet.fits, 1);
    assert_true(sheet.fits_s == 4);
}

static void the_first_moment_may_be_nought(void **state)
{
    (void)state;
    struct frame f = { .t_s = 0, .notes = &sheet };
    notes_clear(&sheet);
    notes_fit(&f, &held);
    assert_int_equal(sheet.fits, 1);
}

static void without_a_sheet_nothing_happens(void **state)
{
    (void)state;
    struct frame f = { .t_s = 0 };
    struct pose_fit fit = { .curves = 1 };
    notes_fit(&f, &held);
    notes_lines(&f, &fit, NULL, 0);
}

static void a_full_sheet_keeps_the_first(void **state)
{
    (void)state;
    struct frame f = { .t_s = 1, .notes = &sheet };
    notes_clear(&sheet);
    for (int i = 0; i < NOTES_FITS_MAX + 10; i++)
        notes_fit(&f, &(struct fit_note){ .radius_in = i });
    assert_int_equal(sheet.fits, NOTES_FITS_MAX);
    assert_true(sheet.fit[NOTES_FITS_MAX - 1].radius_in == NOTES_FITS_MAX - 1);
}

// A point seen two pixels outside the fitted circle is off by two pixels outwards.
static void lines_are_off_outwards(void **state)
{
    (void)state;
    struct frame f = { .t_s = 1, .notes = &sheet };
    struct pose_fit fit = { .camera = view_of_board(WIDTH, HEIGHT, 620, 0, 0, 0, 42), .radius_in = { 12 } };
    double scale = 620 / 42.0;
    struct fit_point point = { 0, { (WIDTH - 1) / 2.0 + 12 * scale + 2, (HEIGHT - 1) / 2.0 } };
    notes_clear(&sheet);
    notes_lines(&f, &fit, &point, 1);
    assert_int_equal(sheet.lines, 1);
    assert_true(fabs(sheet.line[0].off_px - 2) < 1e-6);
}

// A painted board, and on it a dark spot as large as a disc.
static struct frame *board_with_disc(struct board_pose *pose)
{
    const struct paint paint = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 1, 1 };
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    struct pt_px px;
    *pose = (struct board_pose){ .found = true, .board = *board_builtin("crokinole-nca"), .nominal = true };
    pose->camera = pose->fit.camera = view_of_board(WIDTH, HEIGHT, 620, 0, 0, 0, 36);
    pose->board.line_width_in = 0.12;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &pose->camera, &pose->board, &paint);
    struct pt3_in top = { 6, 0.5, pose->board.piece_height_in };
    assert_true(camera_project(&px, &pose->camera, top));
    double r = pose->board.piece_radius_in * camera_scale_px_per_in(&pose->camera, top);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (hypot(i % WIDTH - px.u, i / WIDTH - px.v) < r)
            f->bgr[3 * i] = f->bgr[3 * i + 1] = f->bgr[3 * i + 2] = 25;
    f->notes = &sheet;
    notes_clear(&sheet);
    return f;
}

static void a_look_leaves_what_it_tried(void **state)
{
    (void)state;
    struct board_pose pose;
    struct detection_list list;
    struct fail why = { .text = "" };
    struct frame *f = board_with_disc(&pose);
    assert_int_equal(pieces_find(&list, f, &pose, &tuning_defaults, &why), 0);
    assert_int_equal(list.count, 1);
    const struct fit_note *last = &sheet.fit[sheet.fits - 1];
    assert_true(sheet.fits >= 1 && !last->lacks && last->explained > 0.6);
    assert_true(hypot(last->at.x - list.piece[0].at.x, last->at.y - list.piece[0].at.y) < 1e-9);
    frame_free(f);
}

static void a_refit_leaves_its_points(void **state)
{
    (void)state;
    struct board_pose pose;
    struct refit r;
    struct frame *f = board_with_disc(&pose);
    assert_int_equal(board_refit(&r, &pose, f, &tuning_defaults, NULL), 0);
    assert_true(r.seen);
    assert_true(sheet.lines > 100);
    int near = 0;
    for (int i = 0; i < sheet.lines; i++)
        near += fabs(sheet.line[i].off_px) < 0.5;
    assert_true(near > sheet.lines * 9 / 10);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_moment_wipes_out_the_older_one),
        cmocka_unit_test(the_first_moment_may_be_nought),
        cmocka_unit_test(without_a_sheet_nothing_happens),
        cmocka_unit_test(a_full_sheet_keeps_the_first),
        cmocka_unit_test(lines_are_off_outwards),
        cmocka_unit_test(a_look_leaves_what_it_tried),
        cmocka_unit_test(a_refit_leaves_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
