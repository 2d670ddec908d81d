// SPDX-License-Identifier: MIT
// What is drawn on a picture of a match, where a judge said what lies on the board.
#include "referee/announce/annotation.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "tests/referee/play.h"

enum { WIDTH = 640, HEIGHT = 480, BLACK = 11, RED = 12, FIRST_ID = 10 };

static struct play p;
static struct board_pose pose;
static struct tracker_view view;
static struct annotation said;
static struct match_moment moment; // 34 kB
static struct frame *drawn;

static void see(int id, const char *colour, const double lab[3], struct pt_in at)
{
    struct detection d = { .kind = PIECE_DISC, .at = at, .radius_in = 0.625, .certainty = 1 };
    memcpy(d.lab, lab, sizeof d.lab);
    snprintf(d.colour, sizeof d.colour, "%s", colour);
    assert_true(camera_project(&d.px, &pose.camera, (struct pt3_in){ at.x, at.y, pose.board.piece_height_in }));
    view.id[view.count] = id - FIRST_ID;
    view.piece[view.count++] = d;
}

// Two discs lie where they were shot to, in a match that goes on: the tracker counts anew.
static int begin(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    play_shot(&p, BLACK, "black", 2);
    play_shot(&p, RED, "red", -2);
    play_say(&p, "hit", "");
    pose = (struct board_pose){ .found = true, .board = p.referee.match.board };
    pose.camera = view_of_board(WIDTH, HEIGHT, 620, 0, 0.4, 0, pose.board.circle_in[0] * 3.4);
    view.count = 0;
    see(BLACK, "black", (const double[3]){ 10, 0, 0 }, (struct pt_in){ 2, 0.01 * BLACK });
    see(RED, "red", (const double[3]){ 60, 60, 40 }, (struct pt_in){ -2, 0.01 * RED });
    return 0;
}

static int end(void **state)
{
    (void)state;
    frame_free(drawn);
    drawn = NULL;
    play_end(&p);
    return 0;
}

static void draw(void)
{
    struct fail why = { .text = "" };
    const struct moment_seen seen = { .t_s = 1, .pose = &pose, .view = &view, .first_id = FIRST_ID };
    match_moment_of(&moment, &said, &p.referee.match, &seen);
    frame_free(drawn);
    if (frame_create(&drawn, WIDTH, HEIGHT, &why) < 0 || match_moment_draw(drawn, &moment, NULL, &why) < 0)
        fail_msg("%s", why.text);
}

// What is drawn at the edge of a disc that lies there, on the side away from its words: the lightest of red less blue.
static bool outlined(struct pt_in at, int *redder)
{
    enum { REACH_PX = 2 };
    struct pt_px px;
    bool inked = false;
    assert_true(camera_project(&px, &pose.camera, (struct pt3_in){ at.x, at.y + 0.625, pose.board.piece_height_in }));
    *redder = 0;
    for (int v = (int)px.v - REACH_PX; v <= (int)px.v + REACH_PX; v++)
        for (int u = (int)px.u - REACH_PX; u <= (int)px.u + REACH_PX; u++) {
            const uint8_t *bgr = drawn->bgr + 3 * (v * WIDTH + u);
            inked |= bgr[2] > 60;
            *redder = bgr[2] - bgr[0] > *redder ? bgr[2] - bgr[0] : *redder;
        }
    return inked;
}

static void say_put_on(double x_in, double y_in)
{
    struct observation o = play_input("put-on", "10");
    snprintf(o.input.side, sizeof o.input.side, "red");
    o.input.has_value = true;
    o.input.value[0] = x_in;
    o.input.value[1] = y_in;
    play_feed(&p, o);
}

static void say_of(const char *what, int piece, int input)
{
    struct observation o = play_input(what, "");
    o.input.piece = piece;
    o.input.input = input;
    play_feed(&p, o);
}

static void what_a_judge_put_on_is_drawn_like_the_others_until_it_is_taken_back(void **state)
{
    (void)state;
    const struct pt_in at = { 0.5, 6 };
    int redder;
    draw();
    assert_int_equal(moment.view.count, 2);
    assert_false(outlined(at, &redder));
    say_put_on(at.x, at.y);
    int put_on = p.referee.match.inputs;
    draw();
    assert_int_equal(moment.view.count, 3);
    assert_int_equal(moment.view.id[2], placed_id(put_on));
    assert_memory_equal(moment.view.piece[2].lab, view.piece[1].lab, sizeof view.piece[1].lab); // as its side's others
    assert_true(outlined(at, &redder) && redder > 60);
    say_of("retract", 0, put_on);
    draw();
    assert_int_equal(moment.view.count, 2);
    assert_false(outlined(at, &redder));
}

static void what_he_took_off_is_not_drawn_however_long_it_is_seen(void **state)
{
    (void)state;
    int redder;
    draw();
    assert_true(outlined(view.piece[0].at, &redder) && outlined(view.piece[1].at, &redder));
    say_of("take-off", BLACK, 0);
    draw();
    assert_int_equal(moment.view.count, 1);
    assert_int_equal(moment.view.id[0], RED);
    assert_false(outlined(view.piece[0].at, &redder));
    assert_true(outlined(view.piece[1].at, &redder));
    say_of("retract", 0, p.referee.match.inputs);
    draw();
    assert_true(outlined(view.piece[0].at, &redder));
}

// Of its side nothing is seen that it could be painted like.
static void alone_of_its_side_it_has_the_colour_that_the_side_is_named_by(void **state)
{
    (void)state;
    int redder;
    say_of("take-off", RED, 0);
    say_put_on(0.5, 6);
    draw();
    assert_true(outlined((struct pt_in){ 0.5, 6 }, &redder) && redder > 60);
}

static void without_a_board_it_is_nowhere(void **state)
{
    (void)state;
    say_put_on(0.5, 6);
    pose.found = false;
    draw();
    assert_int_equal(moment.view.count, 2);
}

int main(void)
{
#define IN_A_MATCH(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        IN_A_MATCH(what_a_judge_put_on_is_drawn_like_the_others_until_it_is_taken_back),
        IN_A_MATCH(what_he_took_off_is_not_drawn_however_long_it_is_seen),
        IN_A_MATCH(alone_of_its_side_it_has_the_colour_that_the_side_is_named_by),
        IN_A_MATCH(without_a_board_it_is_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
