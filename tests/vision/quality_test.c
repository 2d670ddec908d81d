// SPDX-License-Identifier: MIT
// Set-ups of known cameras: what they can call, and that those which cannot are refused with the reason.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vision/quality.h"
#include "referee/rules/line.h"
#include "tests/calibration/view.h"

enum { AROUND = 240 };

// A board as the finder gives it out, from lines that were seen `noise_px` beside where the camera shows them.
static struct board_pose found_by(const struct camera *c, const char *board, double noise_px)
{
    static struct fit_point points[BOARD_MAX_CIRCLES * AROUND];
    struct board_pose pose = {
        .found = true, .board = *board_builtin(board), .camera = *c, .fit = { .camera = *c }, .coverage = 0.95
    };
    struct pose_fit fit = { .camera = *c, .curves = pose.board.circles, .points_per_independent = 12 };
    struct fail why = { .text = "" };
    int n = 0;
    for (int i = 0; i < pose.board.circles; i++) {
        fit.radius_in[i] = pose.board.circle_in[i];
        for (int k = 0; k < AROUND; k++) {
            double angle = 2 * PI * k / AROUND, r = pose.board.circle_in[i];
            struct fit_point *p = &points[n];
            p->curve = i;
            if (!camera_project(&p->at, c, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }))
                continue;
            p->at.u += noise_px * ((k + i) % 2 ? 1 : -1);
            p->at.v += noise_px * (k / 2 % 2 ? 1 : -1);
            n++;
        }
    }
    fit.lens[FIT_LOG_F] = (struct fit_prior){ log(c->lens.f_px), 0.2 };
    if (pose_fit_solve(&fit, points, n, &why) < 0)
        fail_msg("%s", why.text);
    pose.fit = fit;
    pose.f_sigma_px = pose_fit_f_sigma_px(&fit);
    return pose;
}

struct row {
    const char *what, *board;
    int width, height;
    double f_px, tilt_deg, distance_in, noise_px, coverage;
    char grade;
    const char *refused; // NULL: it suffices
};

static const struct row rows[] = {
    { "a board filling a webcam's picture", "crokinole-nca", 1280, 720, 1000, 20, 42, 0.1, 0.95, 'A', NULL },
    { "the same from the side", "crokinole-nca", 1280, 720, 1000, 55, 42, 0.1, 0.95, 'A', NULL },
    { "a board far away", "crokinole-nca", 1280, 720, 1000, 20, 100, 0.1, 0.95, 'A', NULL },
    { "a board so far away that discs are missed", "crokinole-nca", 1280, 720, 1000, 20, 125, 0.1, 0.95, 'D', NULL },
    { "a board farther away than discs can be told", "crokinole-nca", 1280, 720, 1000, 20, 170, 0.1, 0.95, 'D',
      "move the camera closer" },
    { "lines that waver by pixels", "crokinole-nca", 640, 480, 450, 20, 50, 1.8, 0.95, 'C', NULL },
    { "lines that lead nowhere", "crokinole-nca", 640, 480, 400, 20, 50, 6, 0.95, 'F', "1 sigma" },
    { "from beside the table", "crokinole-nca", 1920, 1080, 1600, 75, 42, 0.1, 0.95, 'D', NULL },
    { "from beside the table, half of the lines hidden", "crokinole-nca", 1280, 720, 1600, 72, 75, 0.1, 0.5, 'D',
      NULL },
    { "along the table", "crokinole-nca", 1920, 1080, 1600, 84, 42, 0.1, 0.95, 'D', "degrees off the vertical" },
    { "along the rings' board", "crokinole-rings-24", 1920, 1080, 1600, 72, 42, 0.1, 0.95, 'D',
      "degrees off the vertical" },
    { "most of the board covered", "crokinole-nca", 1280, 720, 1000, 20, 42, 0.1, 0.36, 'A', "clear the board" },
    { "a marble ring in 4K", "ring-7ft", 3840, 2160, 2800, 30, 110, 0.2, 0.95, 'B', NULL },
    { "a marble ring in Full HD", "ring-7ft", 1920, 1080, 1400, 45, 130, 0.2, 0.95, 'B', NULL },
    { "a marble ring in VGA", "ring-7ft", 640, 480, 500, 30, 130, 0.2, 0.95, 'D', "a marble is only 2.4 px" },
};

static struct camera camera_of(const struct row *r)
{
    return view_of_board(r->width, r->height, r->f_px, 0, r->tilt_deg * PI / 180, 0.3, r->distance_in);
}

static void every_set_up_has_its_grade(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        const struct row *r = &rows[i];
        struct camera c = camera_of(r);
        struct board_pose pose = found_by(&c, r->board, r->noise_px);
        struct view_quality q;
        struct fail why = { .text = "" };
        pose.coverage = r->coverage;
        quality_of(&q, &pose);
        bool enough = quality_suffices(&pose, &why);
        bool right = r->refused ? !enough && strstr(why.text, r->refused) : enough && why.text[0] == '\0';
        if (q.grade != r->grade || !right)
            fail_msg("%s: got %c (%.3f close, sigma %.3f in, piece %.1f px), %s", r->what, q.grade, q.close_share,
                     q.sigma_in, q.piece_px, why.text);
    }
}

// Blur in pixels, share in blocks and their step, brightness, share burnt out.
static struct clarity clarity_of(const double n[5])
{
    return (
        struct clarity){ .blur_px = n[0], .in_blocks = n[1], .block_step = n[2], .brightness = n[3], .clipped = n[4] };
}

static void the_grade_follows_what_the_picture_shows(void **state)
{
    (void)state;
    static const struct {
        const char *what, *board;
        int width, height;
        double f_px, tilt_deg;
        double clarity[5]; // see clarity_of
        char grade;
        const char *refused; // NULL: it suffices
    } pictures[] = {
        { "sharp", "crokinole-nca", 1280, 720, 1000, 20, { 1, 0.3, 1, 150, 0 }, 'A', NULL },
        { "out of focus", "crokinole-nca", 1280, 720, 1000, 20, { 2.6, 0.3, 1, 150, 0 }, 'D', NULL },
        { "hardly to be made out",
          "crokinole-nca",
          1280,
          720,
          1000,
          20,
          { 5, 0.3, 1, 150, 0 },
          'D',
          "focus the camera" },
        { "by candlelight", "crokinole-nca", 1280, 720, 1000, 20, { 1, 0.3, 1, 30, 0 }, 'D', NULL },
        { "small, in good quality", "crokinole-nca", 640, 480, 400, 20, { 0.7, 0.1, 1, 150, 0 }, 'A', NULL },
        { "small, compressed to blocks", "crokinole-nca", 640, 480, 400, 20, { 0.7, 0.98, 4, 150, 0 }, 'B', NULL },
        { "compressed until no grain is left", "crokinole-nca", 1280, 720, 1000, 20, { 1, 1, 0.5, 150, 0 }, 'D', NULL },
        { "so flat that discs hide discs", "crokinole-nca", 1920, 1080, 1600, 62, { 1, 0.3, 1, 150, 0 }, 'D', NULL },
        { "marbles hardly wider than the blur", "ring-7ft", 1920, 1080, 2800, 30, { 4, 0.3, 1, 150, 0 }, 'D', NULL },
        { "marbles no wider than the blur", "ring-7ft", 1920, 1080, 2000, 30, { 4, 0.3, 1, 150, 0 }, 'D', "focus" },
    };
    for (size_t i = 0; i < countof(pictures); i++) {
        bool ring = strstr(pictures[i].board, "ring-") != NULL;
        struct camera c = view_of_board(pictures[i].width, pictures[i].height, pictures[i].f_px, 0,
                                        pictures[i].tilt_deg * PI / 180, 0.3, ring ? 150 : 42);
        struct board_pose pose = found_by(&c, pictures[i].board, 0.1);
        struct view_quality q;
        struct fail why = { .text = "" };
        pose.clarity = clarity_of(pictures[i].clarity);
        quality_of(&q, &pose);
        bool enough = quality_suffices(&pose, &why),
             told = quality_limits((char[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX]){ "" }, &q, &pose) > 0;
        bool right = pictures[i].refused ? !enough && strstr(why.text, pictures[i].refused) : enough;
        if (q.grade != pictures[i].grade || !right || (q.grade == 'D' && !told))
            fail_msg("%s: got %c (%.3f close, sigma %.3f in, piece %.1f px), told %d, %s", pictures[i].what, q.grade,
                     q.close_share, q.sigma_in, q.piece_px, told, why.text);
    }
}

static void the_grade_is_the_share_of_close_calls(void **state)
{
    (void)state;
    struct camera c = view_of_board(1280, 720, 1000, 0, 0.4, 0.3, 42);
    struct board_pose pose = found_by(&c, "crokinole-nca", 2);
    struct view_quality q;
    double sum = 0;
    quality_of(&q, &pose);
    assert_int_equal(q.lines, 2);
    for (int i = 0; i < q.lines; i++)
        for (int k = 0; k < QUALITY_PLACES; k++)
            sum += FIRM_SIGMAS * q.line[i].sigma_in[k] / (2 * pose.board.piece_radius_in);
    assert_true(fabs(q.close_share - sum / (2 * QUALITY_PLACES)) < 1e-12);
}

// The camera leans towards the bottom of the picture: what is there is near, what is at the top is far.
static void places_go_around_from_the_right_of_the_picture(void **state)
{
    (void)state;
    const double turns_rad[] = { 0, 1, 2.5, 4 };
    for (size_t i = 0; i < countof(turns_rad); i++) {
        struct camera c = view_of_board(1280, 720, 1000, 0, 0.9, turns_rad[i], 42);
        struct board_pose pose = found_by(&c, "crokinole-nca", 0.5);
        struct view_quality q;
        quality_of(&q, &pose);
        const double *s = q.line[0].sigma_in, right = s[0], top = s[2], left = s[4], bottom = s[6];
        assert_true(top > 1.01 * bottom);
        assert_true(fabs(right - left) < 0.1 * right);
    }
}

static void advice_names_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double clarity[5]; // see clarity_of
        double outside;
        const char *says;
    } advice[] = {
        { "nothing", { 1, 0.3, 1, 150, 0 }, 0, NULL },
        { "out of focus", { 2.2, 0.3, 1, 150, 0 }, 0, "focus" },
        { "compressed", { 1, 0.95, 3, 150, 0 }, 0, "better quality" },
        { "dark", { 1, 0.3, 1, 20, 0 }, 0, "more light" },
        { "burnt out here and there", { 1, 0.3, 1, 240, 0.4 }, 0, "less light" },
        { "burnt out", { 1, 0.3, 1, 255, 0.9 }, 0, "less light" },
        { "cut off", { 1, 0.3, 1, 150, 0 }, 0.2, "outside the picture" },
    };
    struct camera c = view_of_board(1280, 720, 1000, 0, 0.4, 0.3, 42);
    struct board_pose pose = found_by(&c, "crokinole-nca", 0.1);
    struct view_quality q;
    for (size_t i = 0; i < countof(advice); i++) {
        char words[QUALITY_ADVICE_MAX][QUALITY_WORDS_MAX] = { "" };
        pose.clarity = clarity_of(advice[i].clarity);
        pose.clarity.outside = advice[i].outside;
        quality_of(&q, &pose);
        int n = quality_advise(words, &q, &pose);
        if (advice[i].says ? n != 1 || !strstr(words[0], advice[i].says) : n != 0)
            fail_msg("%s: got %d \"%s\"", advice[i].what, n, words[0]);
    }
}

// What a reader must know of the picture, and nothing of how the camera might stand better.
static void limits_are_those_of_the_picture(void **state)
{
    (void)state;
    static const struct {
        double distance_in, coverage;
        double clarity[5]; // see clarity_of
        int count;
        const char *says;
    } views[] = {
        { 42, 0.95, { 1, 0.3, 1, 150, 0 }, 0, "" },
        { 80, 0.95, { 1, 0.3, 1, 150, 0 }, 0, "" },
        { 42, 0.95, { 1, 0.95, 1.2, 150, 0 }, 0, "" },
        { 42, 0.95, { 1, 0.5, 2.5, 250, 0.7 }, 0, "" },
        { 42, 0.95, { 1, 0.95, 2.5, 150, 0 }, 1, "better quality" },
        { 42, 0.95, { 3, 0.3, 1, 150, 0 }, 1, "blurred" },
        { 42, 0.55, { 1, 0.3, 1, 150, 0 }, 1, "not seen" },
        { 42, 0.55, { 3, 0.3, 1, 150, 0 }, 1, "blurred" },
        { 125, 0.95, { 0.6, 0.3, 1, 150, 0 }, 1, "closer" },
        { 42, 0.95, { 3, 0.9, 3, 20, 0 }, 3, "blurred" },
        { 42, 0.95, { 0, 0, 0, 0, 0 }, 0, "" },
    };
    for (size_t i = 0; i < countof(views); i++) {
        char words[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX] = { "" };
        struct camera c = view_of_board(1280, 720, 1000, 0, 0.4, 0.3, views[i].distance_in);
        struct board_pose pose = found_by(&c, "crokinole-nca", 0.1);
        struct view_quality q;
        pose.coverage = views[i].coverage;
        pose.clarity = clarity_of(views[i].clarity);
        quality_of(&q, &pose);
        int n = quality_limits(words, &q, &pose);
        if (n != views[i].count || !strstr(words[0], views[i].says))
            fail_msg("row %zu: got %d \"%s\"", i, n, words[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_up_has_its_grade),
        cmocka_unit_test(the_grade_follows_what_the_picture_shows),
        cmocka_unit_test(the_grade_is_the_share_of_close_calls),
        cmocka_unit_test(places_go_around_from_the_right_of_the_picture),
        cmocka_unit_test(advice_names_what_is_wrong),
        cmocka_unit_test(limits_are_those_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
