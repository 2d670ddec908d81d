// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "calibration/board.h"
#include "referee/announce/debug_overlay.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/track/change_patches.h"
#include "vision/track/trajectory.h"

enum { WIDTH = 640, HEIGHT = 480, STEP = 8, CHANGES_WIDTH = WIDTH / STEP, CHANGES_HEIGHT = HEIGHT / STEP };

static uint8_t mask[CHANGES_WIDTH * CHANGES_HEIGHT];
static int32_t label[CHANGES_WIDTH * CHANGES_HEIGHT];
static int from[CHANGES_HEIGHT], to[CHANGES_HEIGHT];
static struct motion motion_of[2];
static struct motions motions = { .item = motion_of };
static struct notes notes;

struct scene {
    struct frame *frame;
    struct board_pose pose;
    struct change_detector changes;
    struct change_patches patches;
    struct change_patch patch;
    struct tracker_inside inside;
    struct overlay_lines reported;
    struct debug_overlay overlay;
};

// A black picture of a board, in which nothing happens yet.
static void set(struct scene *s)
{
    struct fail why = { .text = "" };
    *s = (struct scene){ .pose = { .found = true, .board = *board_builtin("crokinole-nca") } };
    s->pose.camera = s->pose.fit.camera = view_of_board(WIDTH, HEIGHT, 620, 0, 0.3, 0, 36);
    memset(mask, 0, sizeof mask);
    memset(label, 0, sizeof label);
    for (int y = 0; y < CHANGES_HEIGHT; y++)
        to[y] = CHANGES_WIDTH;
    motions.count = 0;
    notes_clear(&notes);
    s->changes = (struct change_detector){
        .width = CHANGES_WIDTH, .height = CHANGES_HEIGHT, .step = STEP, .from = from, .to = to
    };
    s->changes.mask = mask;
    s->patch = (struct change_patch){ .label = 1, .kind = PATCH_HAND };
    s->patches = (struct change_patches){ .count = 1, .item = &s->patch, .label = label };
    s->inside = (struct tracker_inside){ .changes = &s->changes, .patches = &s->patches, .motions = &motions };
    s->inside.global_change_s = -INFINITY;
    s->overlay = (struct debug_overlay){ &s->pose, &s->inside, &notes, &s->reported };
    assert_int_equal(frame_create(&s->frame, WIDTH, HEIGHT, &why), 0);
    s->frame->t_s = 5;
}

static const uint8_t *pixel(const struct scene *s, struct pt_px at)
{
    return s->frame->bgr + 3 * ((size_t)lround(at.v) * WIDTH + (size_t)lround(at.u));
}

static void draw(struct scene *s)
{
    struct fail why = { .text = "" };
    if (debug_overlay_draw(s->frame, &s->overlay, &why) < 0)
        fail_msg("%s", why.text);
}

static struct pt_px of_place(const struct scene *s, struct pt3_in at)
{
    struct pt_px px;
    assert_true(camera_project(&px, &s->pose.camera, at));
    return px;
}

static void a_changed_patch_has_the_ink_of_its_kind(void **state)
{
    (void)state;
    static const enum patch_kind kinds[] = { PATCH_HAND, PATCH_RUNS, PATCH_STAYS };
    uint8_t seen[3][3];
    const struct pt_px middle = { 40.5 * STEP, 40.5 * STEP };
    struct scene s;
    for (size_t i = 0; i < countof(kinds); i++) {
        set(&s);
        s.patch.kind = kinds[i];
        mask[40 * CHANGES_WIDTH + 40] = CHANGED;
        label[40 * CHANGES_WIDTH + 40] = 1;
        draw(&s);
        memcpy(seen[i], pixel(&s, middle), 3);
        assert_true(seen[i][0] + seen[i][1] + seen[i][2] > 100);
        assert_int_equal(pixel(&s, (struct pt_px){ middle.u + STEP, middle.v })[1], 0); // its neighbour did not change
        frame_free(s.frame);
    }
    assert_true(memcmp(seen[0], seen[1], 3) && memcmp(seen[1], seen[2], 3) && memcmp(seen[0], seen[2], 3));
}

static void what_ran_fades(void **state)
{
    (void)state;
    struct scene s;
    set(&s);
    motions.count = 2;
    motions.item[0] = (struct motion){ .t_s = 1, .px = { 200, 240 } }; // long ago
    motions.item[1] = (struct motion){ .t_s = 5, .px = { 260, 240 } };
    draw(&s);
    assert_int_equal(pixel(&s, motions.item[0].px)[2], 0);
    assert_true(pixel(&s, motions.item[1].px)[2] > 200);
    frame_free(s.frame);
}

// Green for what holds, red for what does not; and gone a second later.
static void fits_are_outlined(void **state)
{
    (void)state;
    struct scene s;
    for (int late = 0; late < 2; late++) {
        set(&s);
        double r = s.pose.board.piece_radius_in, z = s.pose.board.piece_height_in;
        notes.fits = 2;
        notes.fits_s = late ? 3 : 4.9;
        notes.fit[0] = (struct fit_note){ { 3, 0 }, { 3, 0 }, r, 0.9, NULL };
        notes.fit[1] = (struct fit_note){ { -3, 0 }, { -3, 0 }, r, 0.2, "contrast" };
        draw(&s);
        const uint8_t *held = pixel(&s, of_place(&s, (struct pt3_in){ 3, -r, z }));
        const uint8_t *refused = pixel(&s, of_place(&s, (struct pt3_in){ -3, -r, z }));
        if ((late == 0) != (held[1] > 150 && held[2] < 120) || (late == 0) != (refused[2] > 150 && refused[1] < 120))
            fail_msg("late %d: held %d %d, refused %d %d", late, held[1], held[2], refused[1], refused[2]);
        frame_free(s.frame);
    }
}

static void a_line_that_is_off_is_red(void **state)
{
    (void)state;
    struct scene s;
    set(&s);
    notes.lines = 2;
    notes.line[0] = (struct line_note){ of_place(&s, (struct pt3_in){ 0, 4, 0 }), 0.01 };
    notes.line[1] = (struct line_note){ of_place(&s, (struct pt3_in){ 0, -4, 0 }), 2 };
    draw(&s);
    const uint8_t *pose = pixel(&s, notes.line[0].at), *off = pixel(&s, notes.line[1].at);
    assert_true(pose[1] > 150 && pose[2] < 130);
    assert_true(off[2] > 150 && off[1] < 130);
    frame_free(s.frame);
}

static void before_there_is_a_board_only_words_are_drawn(void **state)
{
    (void)state;
    struct scene s;
    set(&s);
    memset(mask, CHANGED, sizeof mask);
    s.overlay.pose = NULL;
    draw(&s);
    assert_int_equal(pixel(&s, (struct pt_px){ WIDTH / 2.0, HEIGHT / 2.0 })[1], 0);
    int lit = 0;
    for (int i = 0; i < WIDTH * 30; i++)
        lit += s.frame->bgr[3 * i + 1] > 200;
    assert_true(lit > 50);
    frame_free(s.frame);
}

static int lit_pixels(const struct scene *s)
{
    int lit = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        lit += s->frame->bgr[3 * i + 1] > 200;
    return lit;
}

// Each in a line of its own.
static void a_global_change_and_what_has_no_room_are_told(void **state)
{
    (void)state;
    int lit[4];
    for (int i = 0; i < 4; i++) {
        struct scene s;
        set(&s);
        s.inside.global_change_s = i == 1 ? 4.9 : i == 2 ? 1 : s.inside.global_change_s; // long ago is forgotten
        notes.lines_unlisted = i == 3 ? 2 : 0;
        draw(&s);
        lit[i] = lit_pixels(&s);
        frame_free(s.frame);
    }
    assert_true(lit[1] > lit[0] && lit[3] > lit[0]);
    assert_int_equal(lit[2], lit[0]);
}

static void every_event_has_its_words(void **state)
{
    (void)state;
    static const struct {
        struct event e;
        const char *words;
    } cases[] = {
        { { .observation = { .kind = OBS_SEEN, .t_s = 1.5, .id = 3 }, .piece = { .colour = "black", .at = { 1, -2 } } },
          "1.500 s  seen 3: black at (1.000, -2.000) in, 1 sigma 0.000" },
        { { .observation = { .kind = OBS_MOVE, .id = 3, .move.by = MOVED_BY_HAND }, .piece = { .colour = "black" } },
          "0.000 s  move 3: black by a hand" },
        { { .observation = { .kind = OBS_CONTACT,
                             .id = 3,
                             .contact = { TOUCHED_PIECE, .other = 4, .sigma_t_s = 0.01 } } },
          "0.000 s  contact 3 with piece 4 at (0.00, 0.00) in, 1 sigma 0.010 s" },
        { { .observation = { .kind = OBS_CONTACT, .id = 3, .contact = { TOUCHED_PEG, .at = { 4, 0 } } } },
          "0.000 s  contact 3 with a peg at (4.00, 0.00) in, 1 sigma 0.000 s" },
        { { .observation = { .kind = OBS_GONE, .id = 3, .gone = { IN_HOLE } }, .piece = { .colour = "red" } },
          "0.000 s  gone 3: red into the hole" },
        { { .observation = { .kind = OBS_HAND, .hand.over = true }, .hand_at = { -15, 2 } },
          "0.000 s  hand comes at (-15.0, 2.0) in" },
        { { .observation = { .kind = OBS_HAND } }, "0.000 s  hand leaves" },
        { { .observation = { .kind = OBS_STILL, .still = { 0.1, 0.004 } } },
          "0.000 s  still: lines 0.10 px rms, 1 sigma 0.0040 in" },
        { { .observation = { .kind = OBS_CAMERA, .camera = { CAMERA_LOST, 0 } } }, "0.000 s  camera lost" },
        { { .observation = { .kind = OBS_CAMERA, .camera = { CAMERA_CUT, 0 } } }, "0.000 s  camera cut" },
        { { .observation = { .kind = OBS_CAMERA, .camera = { CAMERA_MOVED, 0.31 } } },
          "0.000 s  camera moved by 0.310 in" },
    };
    for (size_t i = 0; i < countof(cases); i++) {
        char words[OVERLAY_LINE_MAX];
        debug_overlay_words(words, &cases[i].e);
        assert_string_equal(words, cases[i].words);
    }
}

// In the lower right corner; where nobody has seen it empty nothing is drawn.
static void the_empty_board_is_drawn_as_learnt(void **state)
{
    (void)state;
    struct scene s;
    struct background *empty;
    struct fail why = { .text = "" };
    set(&s);
    memset(s.frame->bgr, 200, 3 * WIDTH * HEIGHT);
    assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, &why), 0);
    assert_int_equal(background_look(empty, s.frame, &s.pose, &why), 0);
    background_cover(empty, (struct pt_in){ 0, 0 }, (struct pt_in){ 0, 0 }, 3);
    background_learn(empty);
    s.inside.empty = empty;
    assert_int_equal(debug_overlay_draw(s.frame, &s.overlay, &why), 0);
    struct pt_px middle = { WIDTH - HEIGHT / 8.0, HEIGHT - HEIGHT / 8.0 }, beside = { middle.u + 30, middle.v };
    assert_int_equal(pixel(&s, beside)[0], 200);
    assert_true(pixel(&s, middle)[0] < 200);
    background_free(empty);
    frame_free(s.frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_patch_has_the_ink_of_its_kind),
        cmocka_unit_test(what_ran_fades),
        cmocka_unit_test(fits_are_outlined),
        cmocka_unit_test(a_line_that_is_off_is_red),
        cmocka_unit_test(before_there_is_a_board_only_words_are_drawn),
        cmocka_unit_test(a_global_change_and_what_has_no_room_are_told),
        cmocka_unit_test(every_event_has_its_words),
        cmocka_unit_test(the_empty_board_is_drawn_as_learnt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
