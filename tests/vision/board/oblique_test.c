// SPDX-License-Identifier: MIT
// Boards from beside the table are found as they were taken, with and without a known lens; what is no board is
// refused; and no shape of picture, no tuning asks for more than there is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "tests/accuracy/calibration.h"
#include "tests/accuracy/reading.h"
#include "tests/sanitized.h"
#include "vision/board/find.h"
#include "vision/board/oblique.h"
#include "vision/board/oblique_verdict.h"
#include "vision/rectify.h"
#include "vision/source/source.h"

// A rendered picture and the camera that took it.
struct taken {
    struct frame *f;
    struct camera camera;
};

static struct taken take(const char *name)
{
    struct taken out;
    struct fail why;
    char path[256];
    snprintf(path, sizeof path, "samples/pictures/%s.json", name);
    json_t *truth = score_truth(path, &why);
    assert_non_null(truth);
    assert_true(calibration_camera(&out.camera, truth));
    out.f = calibration_picture(path, truth, &why);
    assert_non_null(out.f);
    json_decref(truth);
    return out;
}

// As another lens would have taken it, the camera turned about its axis: each pixel is read where the first lens saw
// the same line of sight.
static struct taken through_turned_lens(const struct taken *t, const struct lens *lens, double roll_rad)
{
    double cosine = cos(roll_rad), sine = sin(roll_rad);
    const double turn[3][3] = { { cosine, -sine, 0 }, { sine, cosine, 0 }, { 0, 0, 1 } };
    struct taken out = { .camera = { .lens = *lens } };
    mat3_multiply(out.camera.pose.R, turn, t->camera.pose.R);
    for (int i = 0; i < 3; i++)
        out.camera.pose.t_in[i] = vec3_dot(turn[i], t->camera.pose.t_in);
    assert_int_equal(frame_create(&out.f, lens->width, lens->height, NULL), 0);
    for (int v = 0; v < lens->height; v++)
        for (int u = 0; u < lens->width; u++) {
            double x, y;
            float bgr[3] = { 0 };
            if (!lens_undistort(&x, &y, lens, (struct pt_px){ u, v }))
                continue;
            struct pt_px at = lens_distort(&t->camera.lens, cosine * x + sine * y, cosine * y - sine * x);
            frame_sample(bgr, t->f, at.u, at.v, SAMPLE_CODES);
            for (int c = 0; c < 3; c++)
                out.f->bgr[3 * (v * lens->width + u) + c] = (uint8_t)lroundf(bgr[c]);
        }
    return out;
}

static struct taken through_lens(const struct taken *t, const struct lens *lens)
{
    return through_turned_lens(t, lens, 0);
}

// How far, at most, the circles of the board as `found` sees it lie off the true ones, pixels.
static double worst_off_px(const struct camera *found, const struct camera *truth)
{
    const struct board *b = board_builtin("crokinole-nca");
    double worst = 0;
    for (int i = 0; i < b->circles; i++)
        for (int a = 0; a < 36; a++) {
            double x = cos(a * PI / 18), y = sin(a * PI / 18);
            struct pt_px drawn, real;
            struct pt_in at;
            if (!camera_project(&drawn, found, (struct pt3_in){ b->circle_in[i] * x, b->circle_in[i] * y, 0 }) ||
                !camera_locate(&at, truth, drawn, 0))
                return INFINITY;
            double in = b->circle_in[i] / hypot(at.x, at.y);
            if (!camera_project(&real, truth, (struct pt3_in){ at.x * in, at.y * in, 0 }))
                return INFINITY;
            worst = fmax(worst, hypot(drawn.u - real.u, drawn.v - real.v));
        }
    return worst;
}

// No lens is known: the search begins with what is usual.
static struct lens usual_lens(const struct frame *f)
{
    return (struct lens){ .width = f->width,
                          .height = f->height,
                          .f_px = tuning_defaults.oblique.f_usual * fmax(f->width, f->height),
                          .centre = { (f->width - 1) / 2.0, (f->height - 1) / 2.0 } };
}

// One search in a frame, anywhere in it.
static int find_views(struct oblique_view out[OBLIQUE_VIEWS], struct frame *f, const struct lens *lens, bool known,
                      const struct oblique_tuning *t, struct fail *why)
{
    struct oblique_maps maps = { 0 };
    const struct oblique_request asked = {
        .frame = f, .board = board_builtin("crokinole-nca"), .lens = *lens, .known_lens = known, .tuning = t
    };
    int n = oblique_find(out, &maps, &asked, why);
    oblique_maps_finish(&maps);
    return n;
}

static const char *const table[] = { "table_01", "table_02", "table_03", "table_04", "table_06" };
// A view is good to a pixel or two (oblique.h), a fit of grooves less than a pixel wide to a fraction of one.
static const double VIEW_OFF_PX = 1.5, FIT_OFF_PX = 0.4;

static void views_are_where_the_board_is(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca");
    for (size_t i = 0; i < countof(table); i += SANITIZED ? 2 : 1)
        for (int known = 0; known < 2; known++) {
            struct taken t = take(table[i]);
            struct oblique_view view[OBLIQUE_VIEWS];
            struct lens lens = known ? t.camera.lens : usual_lens(t.f);
            int n = find_views(view, t.f, &lens, known, &tuning_defaults.oblique, NULL);
            assert_in_range(n, 1, OBLIQUE_VIEWS);
            assert_true(oblique_is_board(&view[0], b, &tuning_defaults.oblique));
            double off = worst_off_px(&view[0].camera, &t.camera);
            print_message("%s, lens %s: %.2f px off\n", table[i], known ? "known" : "unknown", off);
            if (!(off < VIEW_OFF_PX))
                fail_msg("%s, lens %s: %.1f px off", table[i], known ? "known" : "unknown", off);
            if (known)
                assert_memory_equal(&view[0].camera.lens, &lens, sizeof lens);
            frame_free(t.f);
        }
}

static void found_must_lie_near_the_lines(const struct taken *t, const struct lens *lens, const char *name,
                                          double most_px)
{
    struct board_pose found;
    struct fail why = { 0 };
    assert_int_equal(board_find(&found, t->f, board_builtin("crokinole-nca"), lens, &tuning_defaults, &why), 0);
    if (!found.found)
        fail_msg("%s: %s", name, why.text);
    double off = worst_off_px(&found.camera, &t->camera);
    print_message("%s: %.2f px off, focal length %.0f (%.0f)\n", name, off, found.camera.lens.f_px,
                  t->camera.lens.f_px);
    if (!(off < most_px))
        fail_msg("%s: %.2f px off", name, off);
    if (lens) {
        assert_true(found.camera.lens.k1 == lens->k1);
        assert_true(found.camera.lens.f_px == lens->f_px);
        assert_int_equal(found.focal_from, FOCAL_FROM_LENS);
    } else {
        assert_true(fabs(log(found.camera.lens.f_px / t->camera.lens.f_px)) < 0.1);
    }
}

static void found_must_lie_on_the_lines(const struct taken *t, const struct lens *lens, const char *name)
{
    found_must_lie_near_the_lines(t, lens, name, FIT_OFF_PX);
}

static void boards_are_found_with_and_without_a_lens(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(table); i += SANITIZED ? 2 : 1) {
        struct taken t = take(table[i]);
        found_must_lie_on_the_lines(&t, NULL, table[i]);
        found_must_lie_on_the_lines(&t, &t.camera.lens, table[i]);
        frame_free(t.f);
    }
}

// A webcam's barrel moves the board's ends by a dozen pixels.
static void a_known_lens_may_bend_much(void **state)
{
    (void)state;
    for (size_t i = 1; i < (SANITIZED ? 2 : countof(table)); i++) {
        struct taken t = take(table[i]);
        struct lens lens = t.camera.lens;
        lens.k1 = -0.9; // at this focal length as much as -0.25 of a webcam of 60 degrees
        struct taken bent = through_lens(&t, &lens);
        found_must_lie_on_the_lines(&bent, &lens, table[i]);
        frame_free(bent.f);
        frame_free(t.f);
    }
}

// A phone in a hand. At 9 degrees the search for level cameras ends, and what it ends at is not the board.
static void a_camera_held_askew_finds_its_board(void **state)
{
    (void)state;
    static const double roll_deg[] = { 9, -13, 18, -22 };
    for (size_t i = 0; i < (SANITIZED ? 2 : countof(roll_deg)); i++) {
        struct taken t = take(table[i]);
        struct taken askew = through_turned_lens(&t, &t.camera.lens, roll_deg[i] * PI / 180);
        found_must_lie_on_the_lines(&askew, NULL, table[i]);
        frame_free(askew.f);
        frame_free(t.f);
    }
}

// A telephone's film that nobody turned upright, a camera that hangs upside down, a webcam that lies on its side: a
// wide picture of a board that stands on its edge.
static void a_turned_picture_shows_its_board(void **state)
{
    (void)state;
    static const struct {
        double roll_deg;
        bool high;
    } turned[] = { { 90, true }, { -90, true }, { 180, false }, { 90, false } };
    for (size_t i = 0; i < countof(turned); i++) {
        struct taken t = take(table[i]);
        struct lens lens = t.camera.lens;
        if (turned[i].high) {
            lens = (struct lens){ .width = lens.height,
                                  .height = lens.width,
                                  .f_px = lens.f_px,
                                  .centre = { (lens.height - 1) / 2.0, (lens.width - 1) / 2.0 } };
        } else if (turned[i].roll_deg < 180) {
            lens.f_px *= (double)lens.height / lens.width;
        }
        struct taken seen = through_turned_lens(&t, &lens, turned[i].roll_deg * PI / 180);
        found_must_lie_on_the_lines(&seen, NULL, table[i]);
        frame_free(seen.f);
        frame_free(t.f);
    }
}

// A dark board whose lines are painted paler than it is, with its pegs so too and in a pale hoop.
static void pale_lines_on_dark_boards_are_found(void **state)
{
    (void)state;
    for (size_t i = 1; i < (SANITIZED ? 2 : countof(table)); i++) { // the first one's edges alone tell it
        struct taken t = take(table[i]);
        for (int k = 0; k < 3 * t.f->width * t.f->height; k++)
            t.f->bgr[k] = (uint8_t)(255 - t.f->bgr[k]);
        found_must_lie_on_the_lines(&t, NULL, table[i]);
        frame_free(t.f);
    }
}

static double luma_of(const float bgr[3])
{
    return (double)(0.114f * bgr[0] + 0.587f * bgr[1] + 0.299f * bgr[2]);
}

// What a pixel on a line takes of the light of its wood, the darker of its sides, it gives back as red: it is as bright
// then.
static void redden(uint8_t bgr[3], const struct frame *f, const struct camera *c, struct pt_in at, double radius_in)
{
    static const double beside_in = 0.3, most_codes = 70, // more is a peg, or a piece
        redder[3] = { 0, -0.299 * 2.5, 0.587 * 2.5 };     // of the same luma
    const float is[3] = { bgr[0], bgr[1], bgr[2] };
    float side[2][3] = { { 0 } };
    for (int k = 0; k < 2; k++) {
        double times = (radius_in + (k ? beside_in : -beside_in)) / hypot(at.x, at.y);
        struct pt_px p = { 0, 0 };
        camera_project(&p, c, (struct pt3_in){ times * at.x, times * at.y, 0 });
        frame_sample(side[k], f, p.u, p.v, SAMPLE_CODES);
    }
    const float *wood = luma_of(side[1]) < luma_of(side[0]) ? side[1] : side[0];
    double taken = fmax(luma_of(wood) - luma_of(is), 0);
    for (int i = 0; i < 3 && taken < most_codes; i++)
        bgr[i] = (uint8_t)fmin(fmax((double)wood[i] + taken * redder[i] + 0.5, 0), 255);
}

static void paint_lines_red(const struct taken *t)
{
    static const double reach_in = 0.2;
    const struct board *b = board_builtin("crokinole-nca");
    struct frame *before = NULL;
    assert_int_equal(frame_create(&before, t->f->width, t->f->height, NULL), 0);
    memcpy(before->bgr, t->f->bgr, (size_t)(3 * before->width * before->height));
    for (int i = 0; i < before->width * before->height; i++) {
        struct pt_in at;
        if (!camera_locate(&at, &t->camera, (struct pt_px){ i % before->width, i / before->width }, 0))
            continue;
        for (int k = 0; k < b->circles; k++)
            if (fabs(hypot(at.x, at.y) - b->circle_in[k]) < reach_in)
                redden(t->f->bgr + 3 * i, before, &t->camera, at, b->circle_in[k]);
    }
    frame_free(before);
}

static void red_lines_as_bright_as_the_wood_are_found(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();                                   // oriented_test makes such maps
    for (size_t i = 1; i < countof(table); i++) { // the first one's edges alone tell it
        struct taken t = take(table[i]);
        paint_lines_red(&t);
        found_must_lie_on_the_lines(&t, NULL, table[i]);
        frame_free(t.f);
    }
}

// So much light that of wood red and green are full: its grooves show in blue alone.
static void grooves_are_found_where_there_is_too_much_light(void **state)
{
    static const int times = 3;
    (void)state;
    if (SANITIZED)
        skip(); // oriented_test makes such maps
    for (size_t i = 0; i < countof(table); i++) {
        struct taken t = take(table[i]);
        for (int k = 0; k < 3 * t.f->width * t.f->height; k++)
            if (k % 3 > 0)
                t.f->bgr[k] = (uint8_t)(t.f->bgr[k] < 255 / times ? times * t.f->bgr[k] : 255);
        found_must_lie_on_the_lines(&t, NULL, table[i]);
        frame_free(t.f);
    }
}

// What a lens zoomed in on the board shows: a picture whose width is that share of the board's.
static struct taken zoomed_in(const struct taken *t, double share)
{
    struct lens lens = t->camera.lens;
    struct pt_px centre;
    assert_true(camera_project(&centre, &t->camera, (struct pt3_in){ 0, 0, 0 }));
    const double board_px = 2 * board_builtin("crokinole-nca")->circle_in[0] * lens.f_px / t->camera.pose.t_in[2];
    lens.width = (int)(share * board_px);
    lens.height = lens.width * 9 / 16;
    lens.centre.u -= centre.u - lens.width / 2;
    lens.centre.v -= centre.v - lens.height / 2;
    return through_lens(t, &lens);
}

// A usual lens would see it like that from so near that it would be bent by perspective.
static void a_board_zoomed_in_on_from_afar_is_found(void **state)
{
    static const double share[] = { 1.1, 0.85, 0.7 };
    (void)state;
    for (size_t i = 0; i < countof(table); i += SANITIZED ? 9 : 1)
        for (size_t k = 0; k < countof(share); k++) {
            char part[64];
            struct taken t = take(table[i]), near = zoomed_in(&t, share[k]);
            snprintf(part, sizeof part, "%s, %.0f %% of its board", table[i], 100 * share[k]);
            found_must_lie_on_the_lines(&near, NULL, part);
            frame_free(near.f);
            frame_free(t.f);
        }
}

// A picture so much wider and higher, around what was taken nothing but grey.
static struct taken in_a_hall(const struct taken *t, int times)
{
    enum { GREY = 96 };
    struct taken out = { .camera = t->camera };
    const int width = t->f->width, height = t->f->height, left = (times - 1) * width / 2,
              top = (times - 1) * height / 2;
    out.camera.lens.width *= times;
    out.camera.lens.height *= times;
    out.camera.lens.centre.u += left;
    out.camera.lens.centre.v += top;
    assert_int_equal(frame_create(&out.f, times * width, times * height, NULL), 0);
    memset(out.f->bgr, GREY, (size_t)3 * (size_t)out.f->width * (size_t)out.f->height);
    for (int v = 0; v < height; v++)
        memcpy(out.f->bgr + 3 * ((size_t)(v + top) * (size_t)out.f->width + (size_t)left),
               t->f->bgr + 3 * (size_t)v * (size_t)width, 3 * (size_t)width);
    return out;
}

static void a_board_that_is_a_small_part_of_the_picture_is_found(void **state)
{
    (void)state;
    struct taken t = take("table_02"), hall = in_a_hall(&t, 3);
    found_must_lie_on_the_lines(&hall, NULL, "table_02 in a hall");
    frame_free(hall.f);
    frame_free(t.f);
}

// What of a picture is left where its border cuts the board off: its centre is that share of the width and height
// from the left and top.
static struct taken cut_off(const struct taken *t, double share_u, double share_v)
{
    struct lens lens = t->camera.lens;
    struct pt_px centre, from;
    assert_true(camera_project(&centre, &t->camera, (struct pt3_in){ 0, 0, 0 }));
    from.u = fmax((centre.u - share_u * lens.width) / (1 - share_u), 0);
    from.v = fmax((centre.v - share_v * lens.height) / (1 - share_v), 0);
    lens.centre.u -= from.u;
    lens.centre.v -= from.v;
    lens.width = (int)fmin(lens.width - from.u, (centre.u - from.u) / share_u);
    lens.height = (int)fmin(lens.height - from.v, (centre.v - from.v) / share_v);
    return through_lens(t, &lens);
}

static void must_be_found_cut_off(const struct taken *t, const char *name)
{
    static const double at[][2] = { { 0.5, 0.93 }, { 0.12, 0.5 }, { 0.88, 0.5 }, { 0.5, 0.12 } };
    for (size_t k = 0; k < countof(at); k += SANITIZED ? 3 : 1) {
        char part[64];
        struct taken cut = cut_off(t, at[k][0], at[k][1]);
        snprintf(part, sizeof part, "%s, %d x %d of it", name, cut.f->width, cut.f->height);
        found_must_lie_near_the_lines(&cut, &cut.camera.lens, part, VIEW_OFF_PX); // half of them is not seen
        frame_free(cut.f);
    }
}

static void a_board_that_the_border_cuts_off_is_found(void **state)
{
    (void)state;
    for (size_t i = SANITIZED ? 3 : 0; i < countof(table); i += SANITIZED ? 9 : 1) {
        struct taken t = take(table[i]);
        must_be_found_cut_off(&t, table[i]);
        frame_free(t.f);
    }
}

// Wider than what is left of the picture, which shows no more of table_02 than lies around its board.
static void a_large_board_that_the_border_cuts_off_is_found(void **state)
{
    (void)state;
    struct taken t = take("table_02"), near;
    struct lens lens = t.camera.lens;
    lens.width = 560;
    lens.height = 315;
    lens.centre.u -= 355;
    lens.centre.v -= 215;
    near = through_lens(&t, &lens);
    must_be_found_cut_off(&near, "table_02 cut down");
    frame_free(near.f);
    frame_free(t.f);
}

static void what_is_no_board_is_refused(void **state)
{
    (void)state;
    const char *const names[] = { "none_clock", "none_targets", "none_plates", "none_carpet", "marbles_04" };
    const struct board *b = board_builtin("crokinole-nca");
    for (size_t i = 0; i < countof(names); i++) {
        struct fail why;
        struct source *s;
        struct frame *f;
        char path[256];
        struct oblique_view view[OBLIQUE_VIEWS];
        snprintf(path, sizeof path, "samples/pictures/%s.jpg", names[i]);
        assert_int_equal(photo_open(&s, path, &why), 0);
        assert_int_equal(source_next(&f, s, &why), 1);
        struct lens lens = usual_lens(f);
        int n = find_views(view, f, &lens, false, &tuning_defaults.oblique, &why);
        assert_true(n >= 0);
        for (int k = 0; k < n; k++)
            if (oblique_is_board(&view[k], b, &tuning_defaults.oblique))
                fail_msg("%s: score %.2f, pegs %.2f", names[i], view[k].score, view[k].pegs);
        source_close(s);
        frame_free(f);
    }
}

static void strips_and_specks_show_no_board(void **state)
{
    (void)state;
    const struct {
        int width, height;
    } rows[] = { { 1, 16384 }, { 16384, 1 }, { 16384, 100 }, { 100, 16384 }, { 1, 1 }, { 3, 2 }, { 7, 20 } };
    const struct board *b = board_builtin("crokinole-nca");
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f;
        struct board_pose found;
        struct oblique_view view[OBLIQUE_VIEWS];
        struct fail why = { 0 };
        assert_int_equal(frame_create(&f, rows[i].width, rows[i].height, &why), 0);
        struct lens lens = usual_lens(f);
        int n = find_views(view, f, &lens, false, &tuning_defaults.oblique, &why);
        bool strip = rows[i].width > 4 * rows[i].height || rows[i].height > 4 * rows[i].width;
        if (n < 0 || (strip && n > 0))
            fail_msg("%d x %d: %d, %s", rows[i].width, rows[i].height, n, why.text);
        if (board_find(&found, f, b, NULL, &tuning_defaults, &why) < 0 || found.found)
            fail_msg("%d x %d: %s", rows[i].width, rows[i].height, why.text);
        frame_free(f);
    }
}

static void a_tuning_that_leaves_no_place_finds_nothing(void **state)
{
    (void)state;
    struct taken t = take("table_02");
    struct lens lens = usual_lens(t.f);
    struct oblique_view view[OBLIQUE_VIEWS];
    const struct {
        double from_u, to_u, from_v, to_v;
    } rows[] = { { 0.8, 0.2, 0.2, 0.8 }, { 0.2, 0.8, 0.8, 0.2 }, { 0.5, 0.5, 0.2, 0.8 }, { 1, 1, 1, 1 } };
    for (size_t i = 0; i < countof(rows); i++) {
        struct oblique_tuning odd = tuning_defaults.oblique;
        odd.centre_from_u = rows[i].from_u;
        odd.centre_to_u = rows[i].to_u;
        odd.centre_from_v = rows[i].from_v;
        odd.centre_to_v = rows[i].to_v;
        assert_int_equal(find_views(view, t.f, &lens, false, &odd, NULL), 0);
    }
    frame_free(t.f);
}

// A board that fills the picture is looked for after thousands of smaller ones were kept.
static void a_finer_grid_loses_no_candidate(void **state)
{
    (void)state;
    struct taken t = take("table_02");
    struct lens narrow = t.camera.lens; // the middle of the picture alone
    narrow.centre.u -= 240;
    narrow.centre.v -= 160;
    narrow.width -= 480;
    narrow.height -= 320;
    struct taken large = through_lens(&t, &narrow);
    struct lens lens = usual_lens(large.f);
    struct oblique_tuning fine = tuning_defaults.oblique;
    struct oblique_view view[OBLIQUE_VIEWS];
    fine.scales_an_octave = 24;
    fine.cos_step = 0.03;
    assert_true(find_views(view, large.f, &lens, false, &fine, NULL) > 0);
    assert_true(worst_off_px(&view[0].camera, &large.camera) < VIEW_OFF_PX);
    frame_free(large.f);
    frame_free(t.f);
}

// A manhole cover's rim in one place, and lettering where pegs would be.
static void one_line_alone_makes_no_board(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca");
    struct oblique_view view = { .score = 1.29, .pegs = 0.85, .line_strength = { 7.8, 0.5, -0.1 } };
    assert_false(oblique_is_board(&view, b, &tuning_defaults.oblique));
    view.line_strength[2] = 2.2;
    assert_true(oblique_is_board(&view, b, &tuning_defaults.oblique));
}

// A hand over the pegs: a score as a target's, and lines as clear as its.
static void lines_alone_may_make_a_board_that_has_quadrant_lines(void **state)
{
    (void)state;
    const struct oblique_tuning *t = &tuning_defaults.oblique;
    struct board b = *board_builtin("crokinole-nca");
    struct oblique_view view = { .score = 1.12, .pegs = 0.36, .line_strength = { 6.3, 7.0, 4.9 } };
    assert_false(oblique_is_board(&view, &b, t));
    assert_true(oblique_may_be_board(&view, &b, t));
    view.line_strength[0] = view.line_strength[2] = 2; // one clear line
    assert_false(oblique_may_be_board(&view, &b, t));
    view = (struct oblique_view){ .score = 0.7, .pegs = 0.4, .line_strength = { 6.3, 7.0, 4.9 } };
    assert_false(oblique_may_be_board(&view, &b, t));
    view.score = 1.4;
    b.quadrant_lines = false; // then nothing tells it from a target
    assert_false(oblique_may_be_board(&view, &b, t));
}

// table_05's pegs are of the wood that they stand on; sought as a board without quadrant lines it is no more than a
// target.
static void pale_pegs_need_quadrant_lines(void **state)
{
    (void)state;
    struct taken t = take("table_05");
    struct board_pose found;
    struct fail why = { 0 };
    struct board target = *board_builtin("crokinole-nca");
    found_must_lie_on_the_lines(&t, NULL, "table_05");
    target.quadrant_lines = false;
    assert_int_equal(board_find(&found, t.f, &target, NULL, &tuning_defaults, &why), 0);
    assert_false(found.found);
    frame_free(t.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_are_where_the_board_is),
        cmocka_unit_test(one_line_alone_makes_no_board),
        cmocka_unit_test(lines_alone_may_make_a_board_that_has_quadrant_lines),
        cmocka_unit_test(pale_pegs_need_quadrant_lines),
        cmocka_unit_test(boards_are_found_with_and_without_a_lens),
        cmocka_unit_test(a_known_lens_may_bend_much),
        cmocka_unit_test(a_camera_held_askew_finds_its_board),
        cmocka_unit_test(a_turned_picture_shows_its_board),
        cmocka_unit_test(pale_lines_on_dark_boards_are_found),
        cmocka_unit_test(grooves_are_found_where_there_is_too_much_light),
        cmocka_unit_test(red_lines_as_bright_as_the_wood_are_found),
        cmocka_unit_test(a_board_zoomed_in_on_from_afar_is_found),
        cmocka_unit_test(a_board_that_is_a_small_part_of_the_picture_is_found),
        cmocka_unit_test(a_board_that_the_border_cuts_off_is_found),
        cmocka_unit_test(a_large_board_that_the_border_cuts_off_is_found),
        cmocka_unit_test(what_is_no_board_is_refused),
        cmocka_unit_test(strips_and_specks_show_no_board),
        cmocka_unit_test(a_tuning_that_leaves_no_place_finds_nothing),
        cmocka_unit_test(a_finer_grid_loses_no_candidate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
