// SPDX-License-Identifier: MIT
// A match goes on as it stood through whatever befalls its camera, and a computer that is too slow says so.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "calibration/clock.h"
#include "calibration/units.h"
#include "referee/commands/verbs.h"
#include "referee/commands/watch.h"
#include "tests/cmocka.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"

static const char CLIP[] = "samples/clips/crokinole_match.mp4";
static const double PATIENCE_S = 120; // however busy the machine is

struct child {
    pid_t id;
    char out[200], err[200]; // what it tells machines and people
};

static void watch_in_child(struct child *c, watch_open *open, const struct options *o, const char *name)
{
    snprintf(c->out, sizeof c->out, "%s/%s.out", o->out, name);
    snprintf(c->err, sizeof c->err, "%s/%s.err", o->out, name);
    fflush(NULL);
    c->id = fork();
    assert_true(c->id >= 0);
    if (c->id > 0)
        return;
    struct fail why = { .text = "" };
    if (!freopen(c->out, "w", stdout) || !freopen(c->err, "w", stderr))
        _exit(99);
    setvbuf(stderr, NULL, _IONBF, 0); // it is read while it is told
    int rc = watch_with(open, o, &why);
    fprintf(stderr, "%s\n", why.text);
    fflush(NULL);
    _exit(rc >= 0 ? rc : 100 - rc);
}

// What is no film is a camera: its pictures are dropped where they are too many.
static void watch_test_camera(struct child *c, watch_open *open, const struct scratch *s, const char *name)
{
    const struct options o = { .game = "crokinole",
                               .out = s->folder,
                               .camera = "/nowhere/video0",
                               .no_voice = true,
                               .no_book = true,
                               .no_web = true };
    watch_in_child(c, open, &o, name);
}

static void ends_well(const struct child *c)
{
    int status;
    assert_int_equal(waitpid(c->id, &status, 0), c->id);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("exit %d: %s", status, text_of(c->err));
}

static int times_said(const struct child *c, const char *words)
{
    int n = 0;
    for (const char *at = text_of(c->err); (at = strstr(at, words)); at += strlen(words))
        n++;
    return n;
}

// A board at rest, and once a file is there more pictures of it than any computer can look at.
struct flood {
    struct source base;
    struct frame *board;
    const char *begins; // the file
    int sent, flooded;
};

static int next_of_flood(struct frame **out, struct source *s, struct fail *why)
{
    enum { FLOOD = 3000 };
    struct flood *f = (struct flood *)s;
    bool floods = access(f->begins, F_OK) == 0;
    if (f->flooded == FLOOD)
        return SOURCE_ENDED;
    if (!floods)
        usleep(33000);
    int rc = frame_copy(out, f->board, why);
    if (rc < 0)
        return rc;
    f->sent += !floods;
    f->flooded += floods;
    (*out)->t_s = f->sent / 30.0 + f->flooded * 1e-4;
    return SOURCE_FRAME;
}

static void close_flood(struct source *s)
{
    frame_free(((struct flood *)s)->board);
}

static const struct source_kind flood_kind = { .next = next_of_flood, .close = close_flood };

static const char *begins_flood;

static int open_flood(struct source **out, const struct options *o, struct fail *why)
{
    struct source *film = NULL;
    struct flood *f = calloc(1, sizeof *f);
    (void)o;
    if (!f)
        return rs_fail(why, RS_ENOMEM, "no memory for a flood");
    f->base.kind = &flood_kind;
    f->begins = begins_flood;
    *out = &f->base;
    int rc = footage_open(&film, CLIP, why);
    if (rc < 0)
        return rc;
    f->base.info = *source_info(film);
    rc = source_next(&f->board, film, why) == SOURCE_FRAME ? 0 : RS_EINPUT;
    source_close(film);
    return rc;
}

static void a_computer_that_is_too_slow_is_told_once(void **state)
{
    const struct scratch *s = *state;
    struct child c = { .id = 0 };
    begins_flood = scratch_path(s, "begins");
    watch_test_camera(&c, open_flood, s, "flood");
    for (double until_s = clock_s() + PATIENCE_S; times_said(&c, "lines fit") == 0 && clock_s() < until_s;)
        usleep(100000);
    scratch_write(begins_flood, "x", 1);
    ends_well(&c);
    if (times_said(&c, "this computer is too slow for all pictures") != 1 ||
        times_said(&c, " because this computer was too slow") != 1)
        fail_msg("%s", text_of(c.err));
}

enum { BREAKS = 8, BETWEEN_BREAKS = 10 };

// A board at rest, and a connection that breaks every few pictures.
static int next_of_shaky(struct frame **out, struct source *s, struct fail *why)
{
    struct flood *f = (struct flood *)s;
    if (f->sent % BETWEEN_BREAKS == BETWEEN_BREAKS - 1 && f->flooded * BETWEEN_BREAKS < f->sent) {
        f->flooded++;
        rs_fail(why, 0, "Test camera: it ended the connection; it is tried again and again");
        return SOURCE_WAITS;
    }
    usleep(f->sent % BETWEEN_BREAKS == BETWEEN_BREAKS - 1 ? 400000 : 20000);
    if (f->flooded == BREAKS)
        return SOURCE_ENDED;
    int rc = frame_copy(out, f->board, why);
    if (rc < 0)
        return rc;
    (*out)->t_s = f->sent++ / 30.0 + 0.4 * f->flooded;
    return SOURCE_FRAME;
}

static const struct source_kind shaky_kind = { .next = next_of_shaky, .close = close_flood };

static int open_shaky(struct source **out, const struct options *o, struct fail *why)
{
    int rc = open_flood(out, o, why);
    if (rc == 0)
        (*out)->kind = &shaky_kind;
    return rc;
}

static void a_connection_that_breaks_again_and_again_is_told_as_one_state(void **state)
{
    const struct scratch *s = *state;
    struct child c = { .id = 0 };
    begins_flood = "";
    watch_test_camera(&c, open_shaky, s, "shaky");
    ends_well(&c);
    if (times_said(&c, "it ended the connection") != 3 || times_said(&c, "the camera is back after") != 2 ||
        times_said(&c, "it is lost again and again, 3 times in ") != 1 || times_said(&c, " s in all, 8 times; ") != 1)
        fail_msg("%s", text_of(c.err));
}

// A match in which something happens to the camera in the middle of play, each time while the pieces rest.
enum mishap_kind { UNPLUGGED, FROZEN, BLACK, ASLEEP };

static const struct mishap {
    enum mishap_kind kind;
    double at_s, for_s; // of the film
    const char *says;   // what is told meanwhile; NULL: nothing is
} mishaps[] = {
    { UNPLUGGED, 6.0, 1.2, "Test camera is unplugged: plug it in again" },
    { FROZEN, 8.8, 1.6, "Test camera: the picture is frozen" },
    { BLACK, 9.8, 2.0, "calls are held: the picture is black" },
    { ASLEEP, 12.6, 1.5, NULL },
};

static const double ENDS_S = 15.5; // of the film, when a fifth shot was called

// Of a sensor without light.
static int next_noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)(*seed >> 29);
}

struct hard_match {
    struct source base, *film;
    struct frame *held; // the film's next
    int mishaps, next;
    double late_s, away_s; // in all before this frame; since the mishap began
    double last_s;         // of the film
    uint32_t seed;
};

static int next_of_match(struct frame **out, struct source *s, struct fail *why)
{
    struct hard_match *h = (struct hard_match *)s;
    int rc = h->held ? SOURCE_FRAME : source_next(&h->held, h->film, why);
    if (rc != SOURCE_FRAME || h->held->t_s > ENDS_S)
        return rc == SOURCE_FRAME ? SOURCE_ENDED : rc;
    const struct mishap *m = h->next < h->mishaps ? &mishaps[h->next] : NULL;
    double lost_s = 0, every_s = 1 / source_info(h->film)->frames_per_s;
    if (m && h->held->t_s >= m->at_s && h->away_s < m->for_s) {
        h->away_s += every_s;
        if (m->kind == UNPLUGGED || m->kind == FROZEN) {
            usleep((useconds_t)(1e6 * every_s));
            rs_fail(why, 0, "%s", m->says);
            return SOURCE_WAITS;
        }
        rc = m->kind == BLACK ? frame_copy(out, h->held, why) : 0;
        for (size_t i = 0; rc == 0 && *out && i < (size_t)(*out)->width * (size_t)(*out)->height * 3; i++)
            (*out)->bgr[i] = (uint8_t)(next_noise(&h->seed));
        if (m->kind == BLACK && rc == 0)
            (*out)->t_s += h->late_s + h->away_s - every_s;
        if (m->kind == BLACK)
            return rc < 0 ? rc : SOURCE_FRAME;
        h->away_s = m->for_s;
    }
    if (m && h->held->t_s >= m->at_s) {
        lost_s = m->kind == BLACK ? 0 : h->away_s + h->held->t_s - h->last_s;
        h->late_s += h->away_s;
        h->away_s = 0;
        h->next++;
    }
    h->last_s = h->held->t_s;
    *out = h->held;
    h->held = NULL;
    (*out)->t_s += h->late_s;
    (*out)->lost_s = lost_s;
    return SOURCE_FRAME;
}

static void close_match(struct source *s)
{
    struct hard_match *h = (struct hard_match *)s;
    frame_free(h->held);
    source_close(h->film);
}

static const struct source_kind hard_match_kind = { .next = next_of_match, .close = close_match };

static int mishaps_of_match;

static int open_match(struct source **out, const struct options *o, struct fail *why)
{
    struct hard_match *h = calloc(1, sizeof *h);
    if (!h)
        return rs_fail(why, RS_ENOMEM, "no memory for a match");
    h->base.kind = &hard_match_kind;
    h->mishaps = mishaps_of_match;
    int rc = footage_open(&h->film, o->camera, why);
    if (rc == 0)
        h->base.info = *source_info(h->film);
    *out = &h->base;
    return rc;
}

// The calls of an output, each with what has to be the same though the camera was away.
static json_t *calls_of(const char *path)
{
    static const char *const kept[] = { "shot", "rule", "what", "side", "piece", "zone" };
    static const char *const stands[] = { "game_number", "round", "sides", "to_shoot", "over", "winner" };
    json_t *calls = json_array(), *o;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while ((o = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
        const char *what = json_string_value(json_object_get(o, "what"));
        if (strcmp(json_string_value(json_object_get(o, "event")), "call") == 0 && strcmp(what, "pictures-lost") != 0) {
            json_t *call = json_object();
            for (size_t i = 0; i < countof(kept); i++)
                json_object_set(call, kept[i], json_object_get(o, kept[i]));
            for (size_t i = 0; i < countof(stands); i++)
                json_object_set(call, stands[i], json_object_get(json_object_get(o, "standing"), stands[i]));
            json_array_append_new(calls, call);
        }
        json_decref(o);
    }
    fclose(f);
    return calls;
}

static void score_round_twenties_and_pieces_stand_through_whatever_befalls_the_camera(void **state)
{
    const struct scratch *s = *state;
    struct child child[2] = { { .id = 0 } };
    // As footage that plays a camera: none is dropped.
    const struct options o = { .game = "crokinole",
                               .camera = CLIP,
                               .match = "samples/clips/crokinole_match.match.json",
                               .out = s->folder,
                               .json = true,
                               .no_voice = true,
                               .no_book = true,
                               .no_web = true };
    for (int i = 0; i < 2; i++) {
        mishaps_of_match = i * (int)countof(mishaps);
        watch_in_child(&child[i], open_match, &o, i == 0 ? "plain" : "hard");
    }
    ends_well(&child[0]);
    ends_well(&child[1]);
    for (size_t i = 0; i < countof(mishaps); i++)
        if (mishaps[i].says && times_said(&child[1], mishaps[i].says) != 1)
            fail_msg("\"%s\" is not told once: %s", mishaps[i].says, text_of(child[1].err));
    json_t *plain = calls_of(child[0].out), *hard = calls_of(child[1].out);
    assert_true(json_array_size(plain) >= 12); // of five shots
    for (size_t i = 0; i < json_array_size(plain); i++)
        if (!json_equal(json_array_get(plain, i), json_array_get(hard, i)))
            fail_msg("call %zu: %s\nand then %s", i, json_dumps(json_array_get(plain, i), 0),
                     json_dumps(json_array_get(hard, i), 0));
    assert_int_equal(json_array_size(hard), json_array_size(plain));
    json_t *last = json_array_get(plain, json_array_size(plain) - 1),
           *home = json_array_get(json_object_get(last, "sides"), 0);
    assert_int_equal(json_integer_value(json_object_get(last, "shot")), 5);
    assert_int_equal(json_integer_value(json_object_get(home, "twenties")), 1);
    json_decref(plain);
    json_decref(hard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_computer_that_is_too_slow_is_told_once),
        cmocka_unit_test(a_connection_that_breaks_again_and_again_is_told_as_one_state),
        cmocka_unit_test(score_round_twenties_and_pieces_stand_through_whatever_befalls_the_camera),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
