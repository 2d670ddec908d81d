// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "referee/announce/close_view.h"
#include "referee/announce/replay.h"
#include "referee/announce/web_close.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "tests/schema.h"
#include "vision/source/jpeg.h"

enum { WIDTH = 320, HEIGHT = 240, PATIENCE_MS = 20000, FRAMES = 40 };
static const double FRAME_S = 0.1;

static struct match match;
static struct ruling ruling;
static struct board_pose pose;

static struct replay *begin(void)
{
    struct replay *r;
    struct fail why = { .text = "" };
    pose = (struct board_pose){ .found = true, .board = *board_builtin("crokinole-nca") };
    pose.camera = view_of_board(WIDTH, HEIGHT, 400, 0, 0.4, 0, 40);
    match = (struct match){ .board = pose.board, .table = { .count = 1 } };
    match.table.piece[0] = (struct known_piece){ .id = 7, .kind = PIECE_DISC, .colour = "red", .rested = true };
    match.table.piece[0].lying =
        (struct resting_piece){ .at = { 7.4, 0 }, .cov = { 1e-4, 0, 1e-4 }, .radius_in = 0.625 };
    if (replay_create(&r, &why) < 0)
        fail_msg("%s", why.text);
    return r;
}

// A shot of one second ends, and this call of it is close, or as told.
static void judge(struct replay *r, int shot, bool firm, enum call_change change)
{
    struct fail why = { .text = "" };
    memset(&ruling, 0, sizeof ruling);
    match.shot.start_s = 2;
    match.shot.rest_s = 3;
    ruling.shot_ended = true;
    ruling.calls.count = 1;
    ruling.calls.call[0] =
        (struct call){ .t_s = 3, .shot = shot, .piece = 7, .measured = true, .firm = firm, .change = change };
    struct announcer a = replay_announcer(r);
    assert_int_equal(a.say(a.self, &match, &ruling, &why), 0);
    replay_settle(r, &pose);
}

static void show_frames(struct replay *r)
{
    struct fail why = { .text = "" };
    struct frame *f;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int i = 0; i < FRAMES; i++) {
        f->t_s = i * FRAME_S;
        f->number = i;
        memset(f->bgr, 4 * i, 3 * WIDTH * HEIGHT);
        replay_show(r, f);
    }
    frame_free(f);
}

static json_t *listed(struct replay *r)
{
    char *text = replay_list(r);
    json_t *told = json_loads(text, 0, NULL), *list = json_incref(json_object_get(told, "close"));
    schema_assert_def("samples/schema/state.json", "close", told);
    json_decref(told);
    free(text);
    return list;
}

// Enlarging goes on in its own thread.
static json_t *wait_for(struct replay *r, int shot)
{
    for (int i = 0; i < PATIENCE_MS; i++) {
        json_t *list = listed(r);
        if (json_integer_value(json_object_get(json_array_get(list, 0), "shot")) == shot)
            return list;
        json_decref(list);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    fail_msg("shot %d is never enlarged", shot);
    return NULL;
}

static struct frame *decoded(struct encoded *e)
{
    struct frame *f = NULL;
    struct jpeg *j;
    struct fail why = { .text = "" };
    assert_non_null(e);
    assert_int_equal(jpeg_create(&j, &why), 0);
    if (jpeg_decode(&f, j, e->bytes, e->size, &why) < 0)
        fail_msg("%s", why.text);
    jpeg_free(j);
    encoded_release(e);
    return f;
}

static void a_close_call_is_enlarged_and_its_shot_is_kept(void **state)
{
    (void)state;
    struct replay *r = begin();
    show_frames(r);
    judge(r, 5, false, CALL_MADE);
    json_t *list = wait_for(r, 5), *times = json_object_get(json_array_get(list, 0), "t_s");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "piece")), 7);
    struct frame *f = decoded(replay_picture(r, 5, 7, -1));
    assert_int_equal(f->width, CLOSE_VIEW_WIDTH);
    assert_int_equal(f->height, CLOSE_VIEW_HEIGHT);
    frame_free(f);
    // The shot, two seconds before it, and no more: to the newest picture.
    size_t n = json_array_size(times);
    assert_true(fabs(json_real_value(json_array_get(times, n - 1)) - (FRAMES - 1) * FRAME_S) < 1e-6);
    assert_in_range(n, 29, 32);
    f = decoded(replay_picture(r, 5, 7, (int)n - 1));
    assert_int_equal(f->width, WIDTH);
    assert_in_range(f->bgr[0], 4 * (FRAMES - 1) - 3, 4 * (FRAMES - 1) + 3);
    frame_free(f);
    assert_null(replay_picture(r, 5, 7, (int)n));
    assert_null(replay_picture(r, 5, 8, -1));
    json_decref(list);
    replay_free(r);
}

static void what_a_camera_sent_is_shown_as_it_was_sent(void **state)
{
    (void)state;
    struct replay *r = begin();
    struct fail why = { .text = "" };
    struct jpeg *j;
    struct frame *f;
    struct encoded *sent, *shown;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode_held(&sent, j, f, REPLAY_PAGE_QUALITY, &why), 0);
    jpeg_free(j);
    f->encoded = encoded_hold(sent);
    for (int i = 0; i < FRAMES; i++) {
        f->t_s = i * FRAME_S / 10; // also those that follow faster than any made here
        replay_show(r, f);
    }
    struct frame *whole;
    assert_int_equal(frame_create(&whole, WIDTH, HEIGHT, &why), 0);
    whole->t_s = FRAMES * FRAME_S;
    replay_show(r, whole); // the one that is enlarged
    judge(r, 1, false, CALL_MADE);
    json_decref(wait_for(r, 1));
    shown = replay_picture(r, 1, 7, 0);
    assert_non_null(shown);
    encoded_release(shown);
    replay_free(r);
    assert_int_equal(sent->holders, 2); // the frame's and ours: nothing else is left
    frame_free(whole);
    frame_free(f);
    encoded_release(sent);
}

static void firm_calls_and_later_words_are_not_kept(void **state)
{
    (void)state;
    struct replay *r = begin();
    show_frames(r);
    judge(r, 1, true, CALL_MADE);
    judge(r, 2, false, CALL_INSTEAD);
    judge(r, 3, false, CALL_MADE);
    json_t *list = wait_for(r, 3);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    replay_free(r);
}

static void only_the_last_calls_are_kept_and_each_once(void **state)
{
    (void)state;
    struct replay *r = begin();
    show_frames(r);
    for (int shot = 1; shot <= REPLAY_CALLS + 3; shot++) {
        judge(r, shot, false, CALL_MADE);
        json_decref(wait_for(r, shot));
    }
    judge(r, 8, false, CALL_MADE); // played again, behind an undo
    json_t *list = wait_for(r, 8);
    assert_int_equal(json_array_size(list), REPLAY_CALLS);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "shot")), REPLAY_CALLS + 3);
    assert_null(replay_picture(r, 3, 7, -1));
    json_decref(list);
    replay_free(r);
}

static void before_any_picture_nothing_is_kept(void **state)
{
    (void)state;
    struct replay *r = begin();
    judge(r, 1, false, CALL_MADE);
    json_t *list = listed(r);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    replay_free(r);
    replay_free(NULL);
}

// Shots are counted anew, and what is enlarged just then is of the match before.
static void another_match_has_none_of_the_calls_before(void **state)
{
    (void)state;
    struct replay *r = begin();
    show_frames(r);
    judge(r, 5, false, CALL_MADE);
    json_decref(wait_for(r, 5));
    judge(r, 6, false, CALL_MADE);
    replay_restart(r);
    assert_null(replay_picture(r, 5, 7, -1));
    show_frames(r);
    judge(r, 1, false, CALL_MADE);
    json_t *list = wait_for(r, 1);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    replay_free(r);
}

static void addresses_are_read_to_the_letter(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        bool asked;
        int shot, piece, number;
    } rows[] = {
        { "/api/close", false, 0, 0, 0 },
        { "/close/12-7.jpg", true, 12, 7, -1 },
        { "/api/close/12-7/30", true, 12, 7, 30 },
        { "/api/close/", false, 0, 0, 0 },
        { "/api/close/12-7", false, 0, 0, 0 },
        { "/api/close/12-7/", false, 0, 0, 0 },
        { "/api/close/12-7/3x", false, 0, 0, 0 },
        { "/api/close/12-7/-3", false, 0, 0, 0 },
        { "/close/12-7.jpgx", false, 0, 0, 0 },
        { "/close/12-7", false, 0, 0, 0 },
        { "/close/../12-7.jpg", false, 0, 0, 0 },
        { "/close/1234567-7.jpg", false, 0, 0, 0 },
        { "/close", false, 0, 0, 0 },
        { "/", false, 0, 0, 0 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct close_request q;
        if (web_close_asked(&q, rows[i].url) != rows[i].asked)
            fail_msg("%s: wanted %d", rows[i].url, rows[i].asked);
        if (rows[i].asked && (q.shot != rows[i].shot || q.piece != rows[i].piece || q.number != rows[i].number))
            fail_msg("%s: read as %d-%d/%d", rows[i].url, q.shot, q.piece, q.number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_close_call_is_enlarged_and_its_shot_is_kept),
        cmocka_unit_test(what_a_camera_sent_is_shown_as_it_was_sent),
        cmocka_unit_test(firm_calls_and_later_words_are_not_kept),
        cmocka_unit_test(only_the_last_calls_are_kept_and_each_once),
        cmocka_unit_test(before_any_picture_nothing_is_kept),
        cmocka_unit_test(another_match_has_none_of_the_calls_before),
        cmocka_unit_test(addresses_are_read_to_the_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
