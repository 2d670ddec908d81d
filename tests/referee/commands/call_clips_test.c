// SPDX-License-Identifier: MIT
// A review of a sample with a close call: its clip plays, with everything drawn on it, and the match's page plays it.
#include <dirent.h>
#include <math.h>
#include <signal.h>

#include <jansson.h>

#include "calibration/units.h"
#include "referee/match_clips.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

#define FOOTAGE "samples/clips/crokinole_a.mp4" // shots 2, 3 and 4 have close calls

// The one of that ending; how many files there are.
static int find(char out[512], const char *folder, const char *ending)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    out[0] = '\0';
    for (struct dirent *e; (e = readdir(d));) {
        size_t length = strlen(e->d_name), tail = strlen(ending);
        n += e->d_name[0] != '.';
        if (length > tail && strcmp(e->d_name + length - tail, ending) == 0)
            snprintf(out, 512, "%s/%s", folder, e->d_name);
    }
    closedir(d);
    return n;
}

static double mean_error(const struct frame *a, const struct frame *b, int x0, int y0, int side)
{
    double sum = 0;
    for (int y = y0; y < y0 + side; y++)
        for (int x = 3 * x0; x < 3 * (x0 + side); x++)
            sum += abs(a->bgr[y * 3 * a->width + x] - b->bgr[y * 3 * b->width + x]);
    return sum / (3.0 * side * side);
}

// The most that any corner differs by, where score and calls are drawn.
static double drawn(const struct frame *made, const struct frame *seen)
{
    int side = made->height / 12, near = made->height / 40, right = made->width - side - near,
        below = made->height - side - near;
    double most = 0;
    for (int k = 0; k < 4; k++)
        most = fmax(most, mean_error(made, seen, k % 2 ? right : near, k / 2 ? below : near, side));
    return most;
}

// Holds the pictures of the clip, as long as they move, against those of the footage from from_s on: how many there
// are.
static int compare(const char *path, double from_s)
{
    // Of 255. Beside what is drawn: what two encodings and thin lines come to. A table: it is nearly black.
    static const double MOST_BESIDE = 12, LEAST_DRAWN = 25;
    struct source *clip = NULL, *footage = NULL;
    struct frame *made = NULL, *seen = NULL;
    struct fail why = { .text = "" };
    double first_s = -1;
    int n = 0;
    if (footage_open(&clip, path, &why) < 0)
        fail_msg("%s", why.text);
    assert_int_equal(footage_open(&footage, FOOTAGE, &why), 0);
    assert_int_equal(source_info(clip)->width, source_info(footage)->width & ~1);
    assert_int_equal(source_info(clip)->height, source_info(footage)->height & ~1);
    while (source_next(&seen, footage, &why) == 1) {
        bool in_it = seen->t_s >= from_s - 1e-6;
        first_s = in_it && first_s < 0 ? seen->t_s : first_s;
        if (in_it)
            assert_int_equal(source_next(&made, clip, &why), 1);
        bool same_time = in_it && fabs(made->t_s - (seen->t_s - first_s)) < 1e-3;
        if (same_time) {
            int side = made->height / 8; // on the board, where nobody shoots to
            double corner = drawn(made, seen),
                   beside = mean_error(made, seen, (made->width - side) / 2, made->height / 4, side);
            if (corner < LEAST_DRAWN || beside > MOST_BESIDE)
                fail_msg("at %g s: %g in a corner, %g on the board", seen->t_s, corner, beside);
            n++;
        }
        frame_free(seen);
        if (in_it)
            frame_free(made);
        if (in_it && !same_time)
            break;
    }
    source_close(clip);
    source_close(footage);
    return n;
}

static int pictures_of(const char *path)
{
    struct source *s = NULL;
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    int n = 0;
    assert_int_equal(footage_open(&s, path, &why), 0);
    for (; source_next(&f, s, &why) == 1; n++)
        frame_free(f);
    source_close(s);
    return n;
}

// When the shot began and came to rest, as the review found it.
static void read_shot(double *start_s, double *rest_s, const char *calls, int number)
{
    json_t *whole = json_load_file(calls, 0, NULL), *events = json_object_get(whole, "events"), *e;
    size_t i;
    *start_s = *rest_s = -1;
    json_array_foreach(events, i, e)
    {
        if (strcmp(json_string_value(json_object_get(e, "event")), "shot") == 0 &&
            json_integer_value(json_object_get(e, "shot")) == number) {
            *start_s = json_number_value(json_object_get(e, "start_s"));
            *rest_s = json_number_value(json_object_get(e, "rest_s"));
        }
    }
    json_decref(whole);
}

static void a_close_call_of_a_review_plays_on_its_page(void **state)
{
    enum { RATE = 30, BEFORE = 2 * RATE, STANDS = 30 };
    const struct scratch *s = *state;
    struct spawned *r = calloc(1, sizeof *r);
    char book[200], clips[200], page[200], early[200], path[512], src[600];
    double start_s, rest_s;
    snprintf(book, sizeof book, "%s", scratch_path(s, "record.db"));
    snprintf(clips, sizeof clips, "%s", scratch_path(s, "close calls"));
    snprintf(page, sizeof page, "%s", scratch_path(s, "page.html"));
    snprintf(early, sizeof early, "%s", scratch_path(s, "early.html"));
    const char *review[] = { "review", "--game",  "crokinole", "--book", book,    "--clips", clips,
                             "--out",  s->folder, "--report",  early,    FOOTAGE, NULL };
    spawned_end(r, 0, review);
    assert_non_null(strstr(r->err, "a close call: clip "));
    assert_int_equal(find(path, clips, ".mp4"), 6); // of three shots each a clip and a picture
    struct stat st;
    snprintf(src, sizeof src, "%.*s2.mp4", (int)(strlen(path) - strlen("2.mp4")), path);
    assert_int_equal(stat(src, &st), 0);
    read_shot(&start_s, &rest_s, scratch_path(s, "crokinole_a.calls.json"), 2);
    int moving = compare(src, start_s - 2), whole = pictures_of(src);
    if (moving < BEFORE + RATE * (rest_s - start_s) || whole != moving + STANDS)
        fail_msg("%d pictures move, %d in all, of a shot from %g to %g s", moving, whole, start_s, rest_s);

    // The page holds them, as review wrote it and as report does.
    const char *report[] = { "report", "--book", book, "--clips", clips, "--out", page, NULL };
    spawned_end(r, 0, report);
    assert_non_null(strstr(r->out, "3 of its close calls' shots can be played from the page alone"));
    const char *text = text_of(page), *reviewed = text_of(early);
    assert_string_equal(text, reviewed);
    if (!strstr(text, "src=\"data:video/mp4;base64,AAAA") || !strstr(text, "src=\"data:image/jpeg;base64,/9j/") ||
        !strstr(text, "style-src 'unsafe-inline'; media-src data:; img-src data:\"") || strstr(text, "close%20calls"))
        fail_msg("a clip is not in the page, or not only there");
    // What is too much for it stays where it is.
    snprintf(src, sizeof src, "%.*s9.mp4", (int)(strlen(path) - strlen("2.mp4")), path);
    scratch_write(src, "x", 1);
    assert_int_equal(truncate(src, MATCH_CLIPS_EMBED_BYTES), 0);
    spawned_end(r, 0, report);
    assert_non_null(strstr(r->out, "4 of its close calls' shots can be played from /"));
    text = text_of(page);
    snprintf(src, sizeof src,
             "<video controls preload=\"none\" aria-label=\"the clip of shot 2\" src=\"close%%20calls%s",
             strrchr(path, '/'));
    src[strlen(src) - strlen("3.mp4")] = '\0';
    if (!strstr(text, src) || !strstr(text, "002.jpg\">") ||
        !strstr(text, "style-src 'unsafe-inline'; media-src 'self'; img-src 'self'\""))
        fail_msg("%s is not in the page", src);
    const char *bare[] = { "report", "--book", book, "--out", page, NULL };
    spawned_run(r, bare, NULL);
    text = text_of(page);
    assert_true(r->status == 0 && !strstr(text, "<video") && !strstr(text, "media-src"));
    free(r);
}

// What was asked for and cannot be is no success; the calls are written all the same.
static void a_clip_that_cannot_be_written_fails_the_review(void **state)
{
    const struct scratch *s = *state;
    struct spawned *r = calloc(1, sizeof *r);
    struct stat st;
    assert_int_equal(mkdir(scratch_path(s, "crokinole_a-shot-002.mp4"), 0700), 0);
    const char *review[] = { "review",  "--game", "crokinole", "--no-book", "--quiet", "--clips",
                             s->folder, "--out",  s->folder,   FOOTAGE,     NULL };
    spawned_end(r, 3, review);
    assert_non_null(strstr(r->err, "no clip for browsers: "));
    assert_non_null(strstr(r->err, "crokinole_a-shot-002.mp4"));
    assert_int_equal(stat(scratch_path(s, "crokinole_a.calls.json"), &st), 0);
    assert_int_equal(stat(scratch_path(s, "crokinole_a-shot-003.mp4"), &st), 0); // the others are made
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_close_call_of_a_review_plays_on_its_page, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_clip_that_cannot_be_written_fails_the_review, scratch_create, scratch_remove),
    };
    alarm(600); // a test that waits for ever is a failed one
    signal(SIGINT, SIG_DFL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
