// SPDX-License-Identifier: MIT
// Footage as it is broadcast: parts of the sample clips cut together, other boards and other moments one after the
// other. The shots that a viewer sees whole are told, at their times and by their colours; nothing else is, and each
// cut is told once.
#include <jansson.h>
#include <math.h>

#include "referee/announce/movie.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

enum { WIDTH = 960, HEIGHT = 540, PARTS_MAX = 5, SHOTS_MAX = 8 };
static const double RATE = 30;
static const double LATE_S = 0.1;        // the sample clips' own worst start is 0.05, at half rate 0.1
static const double FOUND_AGAIN_S = 0.5; // from the first still frame after a cut
static const double SETTLED_S = 0.25;    // a shot that ended less before a cut nobody can call

struct part {
    const char *clip;
    double from_s, to_s;
};

static const struct part parts[PARTS_MAX] = {
    { "crokinole_a", 0, 3 },     { "crokinole_b", 0, 3.2 },     { "crokinole_a", 3, 5 }, // the second shot is cut off
    { "crokinole_b", 5.5, 7.3 }, { "crokinole_knock", 0, 2.8 }, // the disc is under the hand when it is cut to
};

static double append(struct movie *movie, const struct part *part, double at_s)
{
    char path[64];
    struct source *in;
    struct frame *f;
    snprintf(path, sizeof path, "samples/clips/%s.mp4", part->clip);
    assert_int_equal(footage_open(&in, path, NULL), 0);
    while (source_next(&f, in, NULL) > 0) {
        if (f->t_s > part->from_s - 0.5 / RATE && f->t_s < part->to_s - 0.5 / RATE) {
            f->t_s = at_s;
            at_s += 1 / RATE;
            assert_int_equal(movie_add(movie, f, NULL), 0);
        }
        frame_free(f);
    }
    source_close(in);
    return at_s;
}

// The shots of a part that begin and settle in it, on the edited footage's clock.
static int add_truth(double start_s[SHOTS_MAX], char by[SHOTS_MAX][16], int n, const struct part *part, double at_s)
{
    char path[64];
    size_t i;
    json_t *shot;
    snprintf(path, sizeof path, "samples/clips/%s.json", part->clip);
    json_t *truth = json_load_file(path, 0, NULL);
    assert_non_null(truth);
    json_array_foreach(json_object_get(truth, "shots"), i, shot)
    {
        double began_s = json_number_value(json_object_get(shot, "start_s"));
        double rest_s = json_number_value(json_object_get(shot, "rest_s"));
        if (began_s < part->from_s || rest_s + SETTLED_S > part->to_s)
            continue;
        assert_true(n < SHOTS_MAX);
        start_s[n] = at_s + began_s - part->from_s;
        snprintf(by[n++], 16, "%s", json_string_value(json_object_get(shot, "by")));
    }
    json_decref(truth);
    return n;
}

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static bool is(const json_t *o, const char *key, const char *word)
{
    const char *said = json_string_value(json_object_get(o, key));
    return said && strcmp(said, word) == 0;
}

static void cuts_are_told_and_nothing_is_called_across(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    double start_s[SHOTS_MAX], cut_s[PARTS_MAX], end_s = 0;
    char by[SHOTS_MAX][16], path[128];
    int wanted = 0, shots = 0, cuts = 0, locks = 0;
    struct movie *movie;
    snprintf(path, sizeof path, "%s/edited.mp4", s->folder);
    assert_int_equal(movie_create(&movie, path, WIDTH, HEIGHT, RATE, NULL), 0);
    for (int i = 0; i < PARTS_MAX; i++) {
        cut_s[i] = end_s;
        wanted = add_truth(start_s, by, wanted, &parts[i], end_s);
        end_s = append(movie, &parts[i], end_s);
    }
    assert_int_equal(movie_finish(movie, NULL), 0);
    assert_int_equal(wanted, 4);
    RUN(&r, 0, "review", "--json", "--game", "crokinole", path);
    for (char *line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *o = json_loads(line, 0, NULL);
        assert_non_null(o);
        if (is(o, "event", "shot")) {
            assert_true(shots < wanted);
            if (fabs(number(o, "start_s") - start_s[shots]) > LATE_S || !is(o, "by", by[shots]))
                fail_msg("a shot at %.2f s, not at %.2f s by %s", number(o, "start_s"), start_s[shots], by[shots]);
            shots++;
        } else if (is(o, "event", "camera") && is(o, "what", "cut")) {
            cuts++;
            assert_true(cuts < PARTS_MAX && fabs(number(o, "t_s") - cut_s[cuts]) < 0.5 / RATE);
        } else if (is(o, "event", "camera")) {
            locks++;
            assert_true(is(o, "what", "locked") && number(o, "shift_in") == 0);
            assert_true(locks == cuts && number(o, "t_s") < cut_s[cuts] + FOUND_AGAIN_S);
        } else { // a call: of a shot whose end was seen, not of what was different after a cut
            assert_false(is(o, "what", "kept"));
            double since_s = 0;
            for (int i = 0; i < PARTS_MAX; i++)
                since_s = number(o, "t_s") >= cut_s[i] - 1e-3 ? cut_s[i] : since_s;
            assert_true(number(o, "t_s") > since_s + FOUND_AGAIN_S);
        }
        json_decref(o);
    }
    assert_int_equal(shots, wanted);
    assert_int_equal(cuts, PARTS_MAX - 1);
    assert_int_equal(locks, PARTS_MAX - 1);
}

static double append_still(struct movie *movie, const char *name, double lasts_s, double at_s)
{
    char path[64];
    struct source *in;
    struct frame *still;
    uint32_t seed = 1;
    snprintf(path, sizeof path, "samples/pictures/%s.jpg", name);
    assert_int_equal(photo_open(&in, path, NULL), 0);
    assert_int_equal(source_next(&still, in, NULL), 1);
    for (int i = 0; i < lasts_s * RATE; i++, at_s += 1 / RATE) {
        struct frame *f;
        assert_int_equal(frame_copy(&f, still, NULL), 0);
        for (size_t k = 0; k < 3 * (size_t)f->width * (size_t)f->height;
             k++) { // as a sensor would, or nothing is noise
            seed = seed * 1664525u + 1013904223u;
            int code = f->bgr[k] + (int)(seed >> 24) % 5 - 2;
            f->bgr[k] = (uint8_t)(code < 0 ? 0 : code > 255 ? 255 : code);
        }
        f->t_s = at_s;
        assert_int_equal(movie_add(movie, f, NULL), 0);
        frame_free(f);
    }
    frame_free(still);
    source_close(in);
    return at_s;
}

// Filmed from beside the table, 60 and 73 degrees off the vertical: a board, plates, the same board, another board.
static void from_beside_the_table_the_scene_is_known_again(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char path[128], line[2048];
    struct movie *movie;
    snprintf(path, sizeof path, "%s/slanted.mp4", s->folder);
    assert_int_equal(movie_create(&movie, path, 1280, 720, RATE, NULL), 0);
    double at_s = append_still(movie, "table_01", 0.8, 0);
    at_s = append_still(movie, "none_plates", 0.5, at_s);
    double back_s = at_s;
    at_s = append_still(movie, "table_01", 0.8, at_s);
    double other_s = at_s;
    append_still(movie, "table_03", 0.8, at_s);
    assert_int_equal(movie_finish(movie, NULL), 0);
    RUN(&r, 0, "review", "--json", "--out", s->folder, "--game", "crokinole", path);
    snprintf(path, sizeof path, "%s/slanted.ringside.jsonl", s->folder);
    FILE *log = fopen(path, "r");
    assert_non_null(log);
    int first = 0, again = 0, gone = 0, other = 0, found = 0;
    while (fgets(line, sizeof line, log)) {
        json_t *o = json_loads(line, 0, NULL);
        double t_s = number(o, "t_s");
        assert_false(is(o, "kind", "move"));
        if (is(o, "kind", "seen"))
            ++*(t_s < back_s ? &first : t_s < other_s ? &again : &other);
        if (is(o, "kind", "gone")) {
            assert_true(is(o, "where", "cut") && t_s >= other_s);
            gone++;
        }
        if (is(o, "kind", "camera") && is(o, "what", "locked") && t_s > 0) {
            assert_true(t_s < (found == 0 ? back_s : other_s) + FOUND_AGAIN_S);
            found++;
        }
        json_decref(o);
    }
    fclose(log);
    assert_true(first > 3 && other > 0);
    assert_int_equal(again, 0);
    assert_int_equal(gone, first);
    assert_int_equal(found, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_told_and_nothing_is_called_across),
        cmocka_unit_test(from_beside_the_table_the_scene_is_known_again),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
