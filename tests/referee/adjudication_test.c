// SPDX-License-Identifier: MIT
// What was said while a game was watched is said again, byte for byte, from its log.
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "referee/adjudication.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/scratch.h"

enum { SAID_MAX = 64 * 1024, SHOTS = 5 };

static void take(struct adjudication *h, struct observation o, double t_s)
{
    struct fail why = { .text = "" };
    o.t_s = t_s;
    if (adjudication_take(h, &o, &why) < 0)
        fail_msg("%s", why.text);
}

static struct observation seen(int id, const char *colour, const struct board *b)
{
    struct observation o = { .kind = OBS_SEEN,
                             .id = id,
                             .seen = { .kind = b->piece, .radius_in = b->piece_radius_in } };
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    return o;
}

// Numbers that no short decimal fraction hits.
static struct observation rest(int id, double x_in)
{
    struct observation o = { .kind = OBS_REST, .id = id };
    o.rest.at = (struct pt_in){ x_in + 1.0 / 3, 1 / 7.0 * id };
    o.rest.cov = (struct cov_in2){ 1e-4 / 3, -1e-6 / 7, 1e-4 / 9 };
    return o;
}

static void play(struct adjudication *h, const struct board *b)
{
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_LOCKED, 0 } }, 0);
    for (int shot = 0; shot < SHOTS; shot++) {
        double t_s = 0.1 + shot * 10 / 3.0;
        int id = shot + 1;
        take(h, seen(id, shot % 2 ? "red" : "black", b), t_s);
        take(h, rest(id, 11.7), t_s);
        take(h, (struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { 12, 0 } } }, t_s + 0.1);
        if (shot > 0)
            take(h,
                 (struct observation){
                     .kind = OBS_CONTACT, .id = id, .contact = { TOUCHED_PIECE, shot, 0.01, { 1, 2 } } },
                 t_s + 0.2);
        take(h, rest(id, 1.1 * shot), t_s + 0.3);
        take(h, (struct observation){ .kind = OBS_STILL, .still = { shot / 7.0, 1e-3 / 3 } }, t_s + 0.4);
    }
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_MOVED, 0.31 } }, 50 / 3.0);
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_LOST, 0 } }, 60 / 3.0);
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_LOCKED, 2.0 / 3 } }, 70 / 3.0);
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_CUT, 0 } }, 80 / 3.0);
    take(h, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_LOCKED, 0 } }, 90 / 3.0);
    take(h,
         (struct observation){ .kind = OBS_INPUT,
                               .input = { .by = "judge", .what = INPUT_FOUL, .text = "chair moved" } },
         100.0 / 3);
    take(h, (struct observation){ .kind = OBS_INPUT, .input = { .by = "judge", .what = INPUT_UNDO } }, 200.0 / 3);
}

// Plays into a log; what was announced is in said.
static void watch(const struct scratch *s, bool json, char said[SAID_MAX])
{
    struct log_header header = { .game = "crokinole", .source = "test", .board = *board_builtin("crokinole-nca") };
    struct fail why = { .text = "" };
    static struct adjudication h;
    header.board.line_width_in = 0.3 / 7;
    FILE *to = fopen(scratch_path(s, "said"), "w+");
    assert_non_null(to);
    assert_int_equal(adjudication_begin(&h, &crokinole_game, &header, &why), 0);
    unlink(scratch_path(s, "game.jsonl")); // of the test before: a log is written over nothing
    assert_int_equal(log_writer_create(&h.log, scratch_path(s, "game.jsonl"), &header, &why), 0);
    assert_int_equal(adjudication_add(&h, json ? json_announcer(to) : console_announcer(to), &why), 0);
    play(&h, &header.board);
    adjudication_end(&h);
    rewind(to);
    said[fread(said, 1, SAID_MAX - 1, to)] = '\0';
    fclose(to);
}

static void judge_says_the_same(void **state)
{
    const struct scratch *s = *state;
    static char said[SAID_MAX];
    static struct spawned again;
    watch(s, false, said);
    assert_non_null(strstr(said, "black  15"));
    assert_non_null(strstr(said, "foul by black: chair moved"));
    assert_non_null(strstr(said, "00:16.7  camera moved by 0.31 in: followed\n"));
    assert_non_null(strstr(said, "00:20.0  camera lost: no calls until the board is found again\n"));
    assert_non_null(strstr(said, "00:23.3  camera moved by 0.67 in: the board is found again\n"));
    assert_non_null(strstr(said, "00:26.7  cut to another view: no calls until the board is found again\n"));
    assert_non_null(strstr(said, "00:30.0  the board is found again\n"));
    assert_null(strstr(said, "moved by 0.00")); // that the board was found at the beginning is no news
    RUN(&again, 0, "judge", scratch_path(s, "game.jsonl"));
    assert_string_equal(again.out, said);
}

static void judge_prints_the_same_json(void **state)
{
    const struct scratch *s = *state;
    static char said[SAID_MAX];
    static struct spawned again;
    watch(s, true, said);
    assert_int_equal(spawned_lines(said) > 2 * SHOTS, 1);
    assert_non_null(strstr(said, "\"board_rms_px\""));
    assert_non_null(strstr(said, "\"event\":\"camera\""));
    RUN(&again, 0, "judge", "--json", scratch_path(s, "game.jsonl"));
    assert_string_equal(again.out, said);
}

static void a_log_cut_short_is_judged_as_far_as_it_goes(void **state)
{
    const struct scratch *s = *state;
    static char said[SAID_MAX];
    static struct spawned again;
    watch(s, false, said);
    FILE *f = fopen(scratch_path(s, "game.jsonl"), "r+");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    assert_int_equal(ftruncate(fileno(f), ftell(f) - 3), 0);
    fclose(f);
    RUN(&again, 0, "judge", scratch_path(s, "game.jsonl"));
    assert_non_null(strstr(again.err, "cut off"));
    assert_int_equal(strncmp(said, again.out, strlen(again.out)), 0);
    assert_true(strlen(again.out) > 0 && strlen(again.out) < strlen(said));
}

static void a_shot_is_told_with_the_keys_of_the_format(void **state)
{
    const struct scratch *s = *state;
    static char said[SAID_MAX];
    static const char *const keys[] = { "event", "shot", "by", "start_s", "rest_s", "first_contact", "at_rest" };
    watch(s, true, said);
    char *line = said;
    json_t *shot = NULL;
    for (; line && !shot; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        json_t *o = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        const char *event = json_string_value(json_object_get(o, "event"));
        const json_t *number = json_object_get(o, "shot");
        shot = event && strcmp(event, "shot") == 0 && json_integer_value(number) == 2 ? json_incref(o) : NULL;
        json_decref(o);
    }
    assert_non_null(shot);
    for (size_t i = 0; i < countof(keys); i++)
        assert_non_null(json_object_get(shot, keys[i]));
    assert_string_equal(json_string_value(json_object_get(json_object_get(shot, "first_contact"), "with")), "black");
    assert_int_equal(json_array_size(json_object_get(shot, "at_rest")), 2);
    assert_null(json_object_get(shot, "taw_in"));
    json_decref(shot);
}

static int say_nothing(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    (void)self, (void)m, (void)r, (void)why;
    return 0;
}

static void an_announcer_too_many_is_refused(void **state)
{
    (void)state;
    struct log_header header = { .game = "crokinole", .source = "test", .board = *board_builtin("crokinole-nca") };
    static struct adjudication h;
    struct fail why = { .text = "" };
    assert_int_equal(adjudication_begin(&h, &crokinole_game, &header, &why), 0);
    for (int i = 0; i < ADJUDICATION_ANNOUNCERS_MAX; i++)
        assert_int_equal(adjudication_add(&h, (struct announcer){ say_nothing, NULL }, &why), 0);
    assert_int_equal(adjudication_add(&h, (struct announcer){ say_nothing, NULL }, &why), RS_EINTERNAL);
    assert_non_null(strstr(why.text, "announcers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_announcer_too_many_is_refused),
        cmocka_unit_test(judge_says_the_same),
        cmocka_unit_test(judge_prints_the_same_json),
        cmocka_unit_test(a_log_cut_short_is_judged_as_far_as_it_goes),
        cmocka_unit_test(a_shot_is_told_with_the_keys_of_the_format),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
