// SPDX-License-Identifier: MIT
// What programs are told of a match keeps to the schema that they are written against.
#include <jansson.h>

#include "calibration/units.h"
#include "referee/commands/judge_offers.h"
#include "tests/cmocka.h"
#include "tests/referee/announce/asked.h"
#include "tests/referee/play.h"
#include "tests/schema.h"

static json_t *asked_for(const char *url)
{
    char request[160];
    int fd = dial();
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", url);
    send_text(fd, request);
    const char *body = strstr(hear(fd, "the end of the connection"), "\r\n\r\n");
    json_t *told = body ? json_loads(body, 0, NULL) : NULL;
    if (!told)
        fail_msg("%s is answered with '%.600s'", url, heard);
    close(fd);
    return told;
}

// A shot, a close one, a camera that is moved, a word of the judge.
static void play_a_game(void)
{
    static struct play p;
    static struct board_pose pose;
    static struct tracker_view view;
    struct fail why = { .text = "" };
    pose.board = *board_builtin("crokinole-nca");
    view = (struct tracker_view){ .count = 1, .id = { 1 } };
    view.piece[0] = (struct detection){ .kind = PIECE_DISC, .at = { 2, 1 }, .radius_in = 0.625 };
    snprintf(view.piece[0].colour, COLOUR_NAME_MAX, "black");
    play_begin(&p, &crokinole_game, &pose.board, NULL);
    p.sigma_in = 0.01;
    int rc = adjudication_add(&p.referee, live_announcer(live), &why);
    if (rc == 0)
        rc = live_board(live, &pose, &why);
    if (rc == 0)
        rc = live_offers(live, judge_offers_json(&crokinole_game), &why);
    if (rc == 0)
        rc = live_pieces(live, &view, &p.referee.match, 0, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", pose.board.circle_in[0] - 0.625);
    play_feed(&p, (struct observation){ .kind = OBS_CAMERA, .camera = { .what = CAMERA_MOVED, .shift_in = 0.3 } });
    play_say(&p, "undo", "");
    view.piece[0].at.x = 2.5;
    if (live_pieces(live, &view, &p.referee.match, 0, &why) < 0 || live_standing(live, &p.referee.match, &why) < 0)
        fail_msg("%s", why.text);
    play_end(&p);
    if (live_say(live, "Fifteen.", "en", &why) < 0)
        fail_msg("%s", why.text);
}

static void what_is_told_keeps_to_its_schema(void **state)
{
    (void)state;
    static const char form[] = "samples/schema/state.json";
    static const char *const parts[] = { "board",  "standing", "pieces", "moved", "shot", "paths",
                                         "camera", "offers",   "said",   "call",  "say" };
    int messages = 0, of[countof(parts)] = { 0 }, close_calls = 0, cameras = 0;
    struct fail why;
    json_t *empty = asked_for("/api/state"), *call;
    schema_assert_def(form, "state", empty);
    json_decref(empty);
    int viewer = dial();
    send_text(viewer, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    hear(viewer, "\"calls\":[]}\n\n");
    play_a_game();
    assert_int_equal(live_words(live, "That was all.", &why), 0);

    json_t *whole = asked_for("/api/state"), *calls = asked_for("/api/calls"), *kept = asked_for("/api/close");
    schema_assert_def(form, "state", whole);
    schema_assert_def(form, "calls", calls);
    schema_assert_def(form, "close", kept);
    assert_true(json_equal(json_object_get(whole, "calls"), json_object_get(calls, "calls")));
    size_t i;
    json_array_foreach(json_object_get(calls, "calls"), i, call)
    {
        const char *verdict = json_string_value(json_object_get(call, "verdict"));
        close_calls += verdict && strcmp(verdict, "close") == 0;
        cameras += !verdict;
    }
    assert_true(close_calls > 0 && cameras == 1);

    hear(viewer, "That was all.\"}}\n\n");
    close(viewer);
    for (char *line = strtok(heard, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "data: ", 6) != 0)
            continue;
        json_t *told = json_loads(line + 6, 0, NULL);
        schema_assert_def(form, "change", told);
        for (size_t k = 0; k < countof(parts); k++)
            of[k] += json_object_get(told, parts[k]) != NULL;
        json_decref(told);
        messages++;
    }
    for (size_t k = 0; k < countof(parts); k++)
        if (of[k] == 0)
            fail_msg("of %d messages none is of %s", messages, parts[k]);
    json_decref(whole);
    json_decref(calls);
    json_decref(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(what_is_told_keeps_to_its_schema, begin, end) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
