// SPDX-License-Identifier: MIT
// Footage through the whole program: review and watch write what they say they write, and nothing when there is
// nothing.
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include <jansson.h>

#include "tests/cmocka.h"
#include "tests/referee/commands/filmed.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/kept.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

static int put_footage(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    struct frame *near = board_seen(42, 0.12), *far = board_seen(105, 0.3); // a disc is 7 px wide
    film_nothing(*state, "dark.mp4");
    film(*state, "board.mp4", near);
    film(*state, "far.mp4", far);
    frame_free(near);
    frame_free(far);
    return 0;
}

static bool is_there(const struct scratch *s, const char *name)
{
    return access(scratch_path(s, name), F_OK) == 0;
}

// Whether it was there.
static bool take_away(const struct scratch *s, const char *name)
{
    return unlink(scratch_path(s, name)) == 0;
}

static struct frame *last_frame(int *frames, const char *path)
{
    struct fail why = { .text = "" };
    struct source *s = NULL;
    struct frame *f, *last = NULL;
    *frames = 0;
    if (footage_open(&s, path, &why) < 0)
        fail_msg("%s", why.text);
    for (; source_next(&f, s, &why) == 1; (*frames)++) {
        frame_free(last);
        last = f;
    }
    source_close(s);
    assert_non_null(last);
    assert_int_equal(frame_decode(last, &why), 0);
    return last;
}

// As many pictures of the same size, and in a corner of them a dark table where there was none.
static void assert_annotated(const struct scratch *s)
{
    enum { TABLE_WIDTH = FILM_WIDTH / 4, TABLE_HEIGHT = FILM_HEIGHT / 8, FROM_EDGE = FILM_WIDTH / 40 };
    int frames, annotated, most = 0;
    struct frame *before = last_frame(&frames, scratch_path(s, "board.mp4"));
    struct frame *after = last_frame(&annotated, scratch_path(s, "board.ringside.mp4"));
    assert_int_equal(annotated, frames);
    assert_true(after->width == before->width && after->height == before->height);
    for (int corner = 0; corner < 4; corner++) {
        int u0 = corner & 1 ? FILM_WIDTH - FROM_EDGE - TABLE_WIDTH : FROM_EDGE, darker = 0;
        int v0 = corner & 2 ? FILM_HEIGHT - FROM_EDGE - TABLE_HEIGHT : FROM_EDGE;
        for (int i = 0; i < TABLE_WIDTH * TABLE_HEIGHT; i++) {
            size_t at = 3 * (size_t)((v0 + i / TABLE_WIDTH) * FILM_WIDTH + u0 + i % TABLE_WIDTH);
            darker += after->bgr[at + 1] + 20 < before->bgr[at + 1];
        }
        most = darker > most ? darker : most;
    }
    if (most < TABLE_WIDTH * TABLE_HEIGHT / 2)
        fail_msg("no corner has a table: %d pixels of %d are darker", most, TABLE_WIDTH * TABLE_HEIGHT);
    frame_free(before);
    frame_free(after);
}

static void review_writes_log_calls_and_video(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r, again;
    RUN(&r, 0, "review", "--game", "crokinole", "--players", "Ann,Ben", "--video", scratch_path(s, "board.mp4"));
    assert_annotated(s);
    RUN(&again, 0, "judge", scratch_path(s, "board.ringside.jsonl"));
    assert_string_equal(again.out, r.out);
    json_t *calls = json_load_file(scratch_path(s, "board.calls.json"), 0, NULL);
    assert_string_equal(json_string_value(json_object_get(calls, "game")), "crokinole");
    assert_true(json_is_array(json_object_get(calls, "events")));
    json_decref(calls);
    assert_true(take_away(s, "board.ringside.jsonl") && take_away(s, "board.calls.json") &&
                take_away(s, "board.ringside.mp4"));
}

// Three shots are kept, then the match goes on with other footage: the same match, and a log that has all of it.
static void a_kept_match_goes_on(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static struct kept k;
    static char before[SPAWNED_TEXT_MAX];
    struct fail why = { .text = "" };
    char book[200], film[200];
    snprintf(book, sizeof book, "%s", scratch_path(s, "record.db"));
    snprintf(film, sizeof film, "%s", scratch_path(s, "board.mp4"));
    int rc = kept_begin(&k, book, &crokinole_game, &why);
    for (int i = 0; i < 3 && rc == 0; i++)
        rc = kept_shot(&k, 2 + i, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    kept_end(&k);
    // What lay there by the judge's word does so when it goes on; what the camera saw is looked at anew.
    RUN(&r, 0, "record", "correct", "1", "side=black", "value=5,-3", "put-on", "10", "--book", book);
    assert_non_null(strstr(r.out, "with one piece more, put on by the judge"));
    RUN(&r, 0, "record", "export", "--format", "log", "--book", book);
    memcpy(before, r.out, sizeof before);
    RUN(&r, 2, "record", "correct", "1", "shot=2", "piece=99", "zone", "15", "--book", book);
    assert_non_null(strstr(r.err, "piece=99: there is none of that number; shot 2 has 1 (Anna), 2 (Ben)"));
    RUN(&r, 2, "record", "correct", "1", "shot=2", "overrule", "open-board", "--book", book);
    assert_non_null(strstr(r.err, "no such call stands in shot 2; it has "));
    RUN(&r, 2, "record", "correct", "1", "side=Anna", "value=-3", "twenty", "--book", book);
    RUN(&r, 2, "record", "correct", "1", "side=Anna", "value=0x2", "twenty", "--book", book);
    assert_non_null(strstr(r.err, "value=0x2: "));
    RUN(&r, 0, "record", "export", "--format", "log", "--book", book);
    assert_string_equal(r.out, before); // nothing of it was written
    RUN(&r, 0, "review", "--resume", "--book", book, film);
    assert_non_null(strstr(r.err, "match 1 goes on: Anna 0, Ben 0\n"));
    assert_non_null(strstr(r.err, "kept as match 1 of "));
    RUN(&r, 0, "judge", "--json", scratch_path(s, "board.ringside.jsonl"));
    assert_non_null(strstr(r.out, "{\"event\":\"shot\",\"shot\":3,"));
    RUN(&r, 0, "record", "check", "--book", book);
    RUN(&r, 0, "record", "list", "--book", book);
    assert_int_equal(spawned_lines(r.out), 1);
    assert_non_null(strstr(r.out, "3 shots"));
    static const struct {
        const char *flag, *words;
    } refused[] = {
        { "--game=american-marbles", "match 1 is crokinole" },
        { "--players=Ann,Bo", "has its format and its sides already" },
        { "--no-book", "--no-book goes with neither" },
    };
    for (size_t i = 0; i < countof(refused); i++) {
        RUN(&r, 2, "review", "--resume", "--book", book, refused[i].flag, film);
        if (!strstr(r.err, refused[i].words))
            fail_msg("%s: %s", refused[i].flag, r.err);
    }
    assert_true(take_away(s, "board.ringside.jsonl") && take_away(s, "board.calls.json") && take_away(s, "record.db") &&
                take_away(s, "record.db.lock"));
}

// Reviewed to its end, it would be counted twice; other footage goes on, once.
static void footage_is_not_taken_twice_into_a_match(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static char before[SPAWNED_TEXT_MAX];
    char book[200], out[200], films[2][200];
    snprintf(book, sizeof book, "%s", scratch_path(s, "twice.db"));
    snprintf(out, sizeof out, "%s", scratch_path(s, "twice"));
    snprintf(films[0], sizeof films[0], "%s", scratch_path(s, "board.mp4"));
    snprintf(films[1], sizeof films[1], "%s", scratch_path(s, "second.mp4"));
    assert_int_equal(link(films[0], films[1]), 0);
    for (int played = 1; played <= 2; played++) {
        if (played == 1)
            RUN(&r, 0, "review", "--game", "crokinole", "--book", book, "--out", out, films[0]);
        else
            RUN(&r, 0, "review", "--resume", "--book", book, "--out", out, films[1]);
        RUN(&r, 0, "record", "export", "--book", book);
        memcpy(before, r.out, sizeof before);
        for (int i = 0; i < played; i++) {
            RUN(&r, 2, "review", "--resume", "--book", book, "--out", out, films[i]);
            assert_non_null(strstr(r.err, "is in match 1 already, and would count twice"));
            assert_null(strstr(r.err, "goes on"));
        }
        RUN(&r, 0, "record", "export", "--book", book);
        assert_string_equal(r.out, before);
    }
    RUN(&r, 0, "record", "check", "--book", book);
    scratch_empty(open(out, O_RDONLY | O_DIRECTORY));
    assert_int_equal(rmdir(out), 0);
    assert_true(take_away(s, "second.mp4") && take_away(s, "twice.db") && take_away(s, "twice.db.lock"));
}

// How many frames are in the footage; its size goes to *width, *height.
static int frames_of(const char *path, int *width, int *height)
{
    struct fail why = { .text = "" };
    struct source *s = NULL;
    struct frame *f = NULL;
    int n = 0;
    assert_int_equal(footage_open(&s, path, &why), 0);
    *width = source_info(s)->width;
    *height = source_info(s)->height;
    for (; source_next(&f, s, &why) == 1; n++)
        frame_free(f);
    source_close(s);
    return n;
}

static void review_shows_how_it_came_to_its_reading(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s), width, height;
    RUN(&r, 0, "review", "--game", "crokinole", "--json", "--debug-video", scratch_path(s, "board.mp4"));
    assert_non_null(strstr(r.err, "board.debug.ringside.mp4\n"));
    assert_int_equal(frames_of(scratch_path(s, "board.debug.ringside.mp4"), &width, &height), FILM_FRAMES);
    assert_int_equal(width, FILM_WIDTH);
    assert_int_equal(height, FILM_HEIGHT);
    assert_true(take_away(s, "board.debug.ringside.mp4"));
    assert_int_equal(scratch_count(s), files);
}

// A disk that is full ends a review; the log of an earlier one, which came to its end, stays.
static void a_review_that_fails_leaves_the_log_that_is_there(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    struct rlimit before, small;
    char film[200], log[200];
    snprintf(film, sizeof film, "%s", scratch_path(s, "board.mp4"));
    snprintf(log, sizeof log, "%s", scratch_path(s, "board.ringside.jsonl"));
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--players", "Anna,Ben", film);
    char *whole = strdup(text_of(log));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = strlen(whole) - strlen("...");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    spawned_run(&r,
                (const char *[]){ "review", "--game", "crokinole", "--no-book", "--players", "Emil,Ida", film, NULL },
                NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.err, "File too large"));
    assert_string_equal(text_of(log), whole);
    free(whole);
    assert_true(take_away(s, "board.ringside.jsonl") && take_away(s, "board.calls.json"));
}

static void review_with_json_writes_nothing_unasked(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    RUN(&r, 0, "review", "--game", "crokinole", "--json", scratch_path(s, "board.mp4"));
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "ringside: crokinole-nca, 20 degrees off the vertical, lines fit to "));
    assert_int_equal(scratch_count(s), files);
}

static void review_is_quiet_when_asked(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    RUN(&r, 0, "review", "--game", "crokinole", "--json", "--quiet", scratch_path(s, "board.mp4"));
    assert_string_equal(r.err, "");
}

static void a_board_that_cannot_be_called_is_refused_once(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    const char *const review[] = { "review", "--game", "crokinole", scratch_path(s, "far.mp4"), NULL };
    const char *const watch[] = { "watch",   "--game", "crokinole", "--quiet", "--camera",
                                  review[3], "--out",  s->folder,   NULL };
    const char *const *const commands[] = { review, watch };
    for (size_t i = 0; i < countof(commands); i++) {
        spawned_run(&r, commands[i], NULL);
        if (r.status != 1 || spawned_lines(r.err) != 1 || r.out[0] || scratch_count(s) != files ||
            !strstr(r.err, "not well enough to call: a disc is only 6.") || !strstr(r.err, "closer"))
            fail_msg("%s: exit %d, said \"%s\"", commands[i][0], r.status, r.err);
    }
}

static void footage_without_a_board_leaves_no_file(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    RUN(&r, 1, "review", "--game", "crokinole", "--video", "--debug-video", "--report", scratch_path(s, "dark.html"),
        scratch_path(s, "dark.mp4"));
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "dark.mp4: no board found"));
    assert_int_equal(scratch_count(s), files);
}

// A page is made of the record.
static void without_a_record_there_is_no_page(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    RUN(&r, 2, "review", "--game", "crokinole", "--no-book", "--report", scratch_path(s, "page.html"),
        scratch_path(s, "board.mp4"));
    assert_non_null(strstr(r.err, "does not go with --no-book"));
    assert_int_equal(scratch_count(s), files);
}

// Nothing is reviewed for a page that cannot be written.
static void a_page_that_cannot_be_is_told_first(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char book[200];
    snprintf(book, sizeof book, "%s", scratch_path(s, "page.db"));
    int files = scratch_count(s);
    RUN(&r, 3, "review", "--game", "crokinole", "--book", book, "--report", scratch_path(s, "none/page.html"),
        scratch_path(s, "board.mp4"));
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "none/page.html: cannot be written: No such file or directory"));
    RUN(&r, 0, "record", "list", "--book", book);
    assert_string_equal(r.out, "");
    assert_true(take_away(s, "page.db"));
    take_away(s, "page.db.lock");
    assert_int_equal(scratch_count(s), files);
}

static void what_was_said_is_heard_at_its_time(void **state)
{
    static const char said[] =
        "{\"t_s\": 0.2, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"new-game\", \"text\": \"\"}\n\n"
        "{\"t_s\": 99, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"round-over\", \"text\": \"\"}\n";
    const struct scratch *s = *state;
    static struct spawned r;
    scratch_write(scratch_path(s, "said"), said, sizeof said - 1);
    RUN(&r, 0, "review", "--game", "crokinole", "--json", "--inputs", scratch_path(s, "said"), "--voice-out",
        scratch_path(s, "said.wav"), scratch_path(s, "board.mp4"));
    struct stat spoken;
    assert_int_equal(stat(scratch_path(s, "said.wav"), &spoken), 0); // "New game. Noted."
    assert_true(spoken.st_size > 40000);
    assert_true(take_away(s, "said.wav"));
    assert_int_equal(spawned_lines(r.out), 2);
    const char *beyond = strstr(r.err, "said: what was said at 01:39.0 is heard at the end: the film is 00:0");
    assert_true(beyond && !strstr(beyond + 1, "said: what"));
    assert_non_null(strstr(r.out, "\"new-game\""));
    assert_non_null(strstr(r.out, "\"noted\""));
    assert_true(take_away(s, "said"));
}

// Its log has when it was heard, and what had been seen by then: from it the film is judged as it was, to the last
// byte.
static void what_was_said_is_heard_again_from_the_log(void **state)
{
    static const char said[] =
        "{\"t_s\": 2.3, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"confirm\", \"text\": \"\"}\n"
        "{\"t_s\": 2.9, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"undo\", \"text\": \"\"}\n";
    const struct scratch *s = *state;
    static struct spawned r;
    char out[2][200], logs[2][500], inputs[200];
    static char first[SPAWNED_TEXT_MAX];
    snprintf(inputs, sizeof inputs, "%s", scratch_path(s, "said"));
    scratch_write(inputs, said, sizeof said - 1);
    for (int i = 0; i < 2; i++) {
        snprintf(out[i], sizeof out[i], "%s", scratch_path(s, i ? "again" : "once"));
        snprintf(logs[i], sizeof logs[i], "%s/crokinole_a.ringside.jsonl", out[i]);
        RUN(&r, 0, "review", "--game", "crokinole", "--quiet", "--no-book", "--inputs", i ? logs[0] : inputs, "--out",
            out[i], "samples/clips/crokinole_a.mp4");
        assert_non_null(strstr(r.out, "shot 1 taken back"));
        if (i == 0)
            snprintf(first, sizeof first, "%s", text_of(logs[0]));
    }
    assert_non_null(strstr(first, "\"heard_s\":2.9"));
    assert_string_equal(text_of(logs[1]), first);

    // Older ringsides took a remark behind a word that takes none: their logs come out as they did.
    static char remarked[SPAWNED_TEXT_MAX];
    static const char alone[] = "\"what\":\"undo\",\"text\":\"";
    const char *rest = strstr(first, alone);
    assert_non_null(rest);
    rest += strlen(alone);
    int length = snprintf(remarked, sizeof remarked, "%.*sthe last%s", (int)(rest - first), first, rest);
    scratch_write(logs[0], remarked, (size_t)length);
    RUN(&r, 0, "review", "--game", "crokinole", "--quiet", "--no-book", "--inputs", logs[0], "--out", out[1],
        "samples/clips/crokinole_a.mp4");
    assert_non_null(strstr(r.out, "shot 1 taken back"));
    for (int i = 0; i < 2; i++) {
        scratch_empty(open(out[i], O_RDONLY | O_DIRECTORY));
        assert_int_equal(rmdir(out[i]), 0);
    }
    assert_true(take_away(s, "said"));
}

// A word that names nothing is none: those who wrote it are told what there is, and the film is judged to its end.
static void what_was_said_of_nothing_is_left_out(void **state)
{
    static const char said[] =
        "{\"t_s\": 0.2, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"zone\", \"text\": \"15\", \"piece\": 9}\n"
        "{\"t_s\": 0.2, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"round\", \"text\": \"\", \"value\": [-1, "
        "0]}\n"
        "{\"t_s\": 0.3, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"coach\", \"text\": \"\"}\n"
        "{\"t_s\": 0.3, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"round-over\", \"text\": \"\"}\n";
    const struct scratch *s = *state;
    static struct spawned r;
    scratch_write(scratch_path(s, "said"), said, sizeof said - 1);
    RUN(&r, 0, "review", "--game", "crokinole", "--quiet", "--json", "--inputs", scratch_path(s, "said"),
        scratch_path(s, "board.mp4"));
    assert_int_equal(spawned_lines(r.out), 1);
    assert_non_null(strstr(r.out, "noted: round-over"));
    assert_int_equal(spawned_lines(r.err), 3);
    assert_non_null(strstr(r.err, "said: what was said at 00:00.2 is left out: zone: there is no shot"));
    assert_non_null(strstr(r.err, "is left out: round: how many? write value=N before it, a whole number from 1"));
    assert_non_null(strstr(r.err, "is left out: coach: a word of american-marbles"));
    assert_true(take_away(s, "said"));
}

// A log says it too: of a film that is judged again, what people said the first time, also to a ringside that knows
// more words.
static void what_was_said_is_taken_from_a_log(void **state)
{
    static const char said[] =
        "{\"t_s\": 0.2, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"round-over\", \"text\": \"\"}\n";
    const struct scratch *s = *state;
    static struct spawned r;
    static char kept[SPAWNED_TEXT_MAX];
    char log[200];
    snprintf(log, sizeof log, "%s", scratch_path(s, "first/board.ringside.jsonl"));
    scratch_write(scratch_path(s, "said"), said, sizeof said - 1);
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--inputs", scratch_path(s, "said"), "--out",
        scratch_path(s, "first"), scratch_path(s, "board.mp4"));
    snprintf(kept, sizeof kept, "%s", text_of(log));
    char *word = strstr(kept, "\"round-over\"");
    assert_non_null(word);
    memcpy(word, "\"later-word\"", strlen("\"later-word\""));
    scratch_write(log, kept, strlen(kept));
    spawned_run(&r,
                (const char *[]){ "review", "--game", "crokinole", "--json", "--inputs", log,
                                  scratch_path(s, "board.mp4"), NULL },
                NULL);
    if (r.status != 0 || spawned_lines(r.out) != 1 || !strstr(r.out, "noted: later-word"))
        fail_msg("exit %d, said \"%s\" %s", r.status, r.out, r.err);
    assert_true(take_away(s, "said") && take_away(s, "first/board.ringside.jsonl") &&
                take_away(s, "first/board.calls.json"));
    assert_int_equal(rmdir(scratch_path(s, "first")), 0);
}

static void a_wrong_line_of_what_was_said_is_told(void **state)
{
#define SAID(t_s, kind)                                                                                                \
    "{\"t_s\": " t_s ", \"kind\": \"" kind "\", \"by\": \"judge\", \"what\": \"undo\", \"text\": \"\"}\n"
    static const struct {
        const char *lines, *words;
    } cases[] = {
        { SAID("1", "input") "undo\n", "line 2: not JSON" },
        { SAID("1", "input") "\n" SAID("0.5", "input"), "line 3: \"t_s\": earlier than the line before" },
        { SAID("1", "still"), "line 1: \"kind\" must be input" },
        { SAID("1",
               "input") "{\"t_s\": 1, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"confrim\", \"text\": \"\"}\n",
          "line 2: unknown word confrim; did you mean confirm?" },
        { "{\"t_s\": 1, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"undo\", \"text\": \"the last\"}\n",
          "line 1: undo the last: nothing is said behind undo" },
        { "{\"t_s\": 1, \"kind\": \"input\", \"by\": \"judge\"}\n", "line 1: " },
        { "{\"t_s\": 1, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"undo\", \"text\": \"\", \"shots\": 3}\n",
          "line 1: an input has no field \"shots\"; it has by, what, text, shot, piece, input, side, heard_s, "
          "value" },
    };
#undef SAID
    const struct scratch *s = *state;
    static struct spawned r;
    for (size_t i = 0; i < countof(cases); i++) {
        scratch_write(scratch_path(s, "said"), cases[i].lines, strlen(cases[i].lines));
        RUN(&r, 2, "review", "--game", "crokinole", "--inputs", scratch_path(s, "said"), scratch_path(s, "board.mp4"));
        assert_non_null(strstr(r.err, cases[i].words));
    }
    assert_true(take_away(s, "said"));
}

static void watch_takes_footage_for_a_camera_and_keeps_a_log(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char folder[200];
    snprintf(folder, sizeof folder, "%s", scratch_path(s, "watched"));
    RUN(&r, 0, "watch", "--game", "crokinole", "--quiet", "--out", folder, "--camera", scratch_path(s, "board.mp4"));
    struct scratch watched;
    snprintf(watched.folder, sizeof watched.folder, "%.60s", folder);
    assert_int_equal(scratch_count(&watched), 1);
    struct scratch *gone = malloc(sizeof *gone);
    assert_non_null(gone);
    *gone = watched;
    void *pointer = gone;
    assert_int_equal(scratch_remove(&pointer), 0);
}

static void an_old_log_stays_when_the_new_footage_is_none(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    scratch_write(scratch_path(s, "text.mp4"), "text\n", 5);
    scratch_write(scratch_path(s, "text.ringside.jsonl"), "old\n", 4);
    RUN(&r, 2, "review", "--game", "crokinole", scratch_path(s, "text.mp4"));
    assert_true(is_there(s, "text.ringside.jsonl"));
    assert_true(take_away(s, "text.mp4") && take_away(s, "text.ringside.jsonl"));
}

// The footage is sound, so that nothing but the folder can be what is refused. Under a regular file nobody may write.
static void an_output_folder_that_cannot_be_is_told(void **state)
{
    const struct scratch *s = *state;
    static const char *const wrong[] = { "file", "file/folder" };
    static struct spawned r;
    scratch_write(scratch_path(s, "file"), "text\n", 5);
    int files = scratch_count(s);
    for (size_t i = 0; i < countof(wrong); i++) {
        spawned_run(&r,
                    (const char *[]){ "review", "--game", "crokinole", "--video", "--out", scratch_path(s, wrong[i]),
                                      scratch_path(s, "board.mp4"), NULL },
                    NULL);
        if (r.status != 3 || spawned_lines(r.err) != 1 || !strstr(r.err, wrong[i]) || r.out[0] ||
            scratch_count(s) != files)
            fail_msg("%s: exit %d, said \"%s\", printed \"%s\"", wrong[i], r.status, r.err, r.out);
    }
    assert_true(take_away(s, "file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(review_writes_log_calls_and_video),
        cmocka_unit_test(a_kept_match_goes_on),
        cmocka_unit_test(footage_is_not_taken_twice_into_a_match),
        cmocka_unit_test(review_shows_how_it_came_to_its_reading),
        cmocka_unit_test(a_review_that_fails_leaves_the_log_that_is_there),
        cmocka_unit_test(review_with_json_writes_nothing_unasked),
        cmocka_unit_test(review_is_quiet_when_asked),
        cmocka_unit_test(without_a_record_there_is_no_page),
        cmocka_unit_test(a_page_that_cannot_be_is_told_first),
        cmocka_unit_test(what_was_said_is_heard_at_its_time),
        cmocka_unit_test(what_was_said_is_heard_again_from_the_log),
        cmocka_unit_test(what_was_said_of_nothing_is_left_out),
        cmocka_unit_test(what_was_said_is_taken_from_a_log),
        cmocka_unit_test(a_wrong_line_of_what_was_said_is_told),
        cmocka_unit_test(a_board_that_cannot_be_called_is_refused_once),
        cmocka_unit_test(footage_without_a_board_leaves_no_file),
        cmocka_unit_test(an_output_folder_that_cannot_be_is_told),
        cmocka_unit_test(watch_takes_footage_for_a_camera_and_keeps_a_log),
        cmocka_unit_test(an_old_log_stays_when_the_new_footage_is_none),
    };
    return cmocka_run_group_tests(tests, put_footage, scratch_remove);
}
