// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // prlimit, posix_openpt
// A live game as people at a table have it: what stands on their terminal, what a key answers, what they are told when
// the light goes, the disk is full or the camera is away; and that none of it changes what is called.
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include <jansson.h>

#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "referee/commands/verbs.h"
#include "referee/commands/watch.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/seat.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/text_of.h"
#include "tests/schema.h"
#include "tests/vision/scratch.h"
#include "vision/source/remux.h"

enum { NARROW = 30, PICTURES_MAX = 400 };

static const char FILM[] = "frames.mov"; // the first seconds of a sample, as remux.h names it

// The clock that people set, which jumps by years to and fro whenever it is asked. Nothing may be measured by it.
static time_t jumping(void)
{
    static const time_t jumps[] = { 0, 900000000, -300000000, 40000000 };
    static unsigned asked;
    return 1700000000 + jumps[asked++ % countof(jumps)];
}

time_t time(time_t *out)
{
    time_t now = jumping();
    if (out)
        *out = now;
    return now;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    if (clock != CLOCK_REALTIME)
        return (int)syscall(SYS_clock_gettime, clock, out);
    *out = (struct timespec){ .tv_sec = jumping() };
    return 0;
}

static int put_film(void **state)
{
    struct remux c = { .from_s = 0, .to_s = 5 };
    struct fail why = { .text = "" };
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    if (remux_make(&c, s->folder, "samples/clips/crokinole_a.mp4", &why) < 0)
        fail_msg("%s", why.text);
    assert_string_equal(c.name, FILM);
    return mkdir(scratch_path(s, "out"), 0700) + mkdir(scratch_path(s, "reviewed"), 0700);
}

static void empty(const char *folder)
{
    scratch_empty(open(folder, O_RDONLY | O_DIRECTORY));
}

// Each line that stands for a while is drawn where the cursor's line begins, taken away whole, and fits.
static int standing_lines(const char *text, int columns)
{
    int n = 0;
    for (const char *at = text; (at = strchr(at, '\r')); at++) {
        const char *end = strstr(at, "\033[K"), *newline = strchr(at, '\n');
        if (!end || (newline && newline < end) || end == at + 1)
            continue;
        if (end - at - 1 >= columns)
            fail_msg("\"%.*s\" is wider than %d columns", (int)(end - at - 1), at + 1, columns);
        n++;
    }
    return n;
}

static void every_key_is_answered_and_q_sums_up(void **state)
{
    (void)state;
    // An arrow, a function key, Delete, Alt and u, Ctrl and an arrow, Alt and an arrow as some terminals send them, F1
    // of Linux's console, a letter of two bytes.
    static const char *const one_key[] = { "\033[A", "\033OP",     "\033[3~", "\033u",
                                           "\033Oa", "\033\033[A", "\033[[A", "\u00fc" };
    static struct terminal_seat t;
    size_t from;
    sit_down(&t, program, (const char *[]){ "watch", "--camera", "demo", "--no-voice", NULL });
    wait_for(&t, "this is a demo");
    wait_for(&t, "q ends, ? lists the keys");
    wait_for(&t, "| ready for the shot");
    type(&t, "k");
    wait_for(&t, "the key k says nothing in this game");
    from = t.used;
    for (size_t i = 0; i < countof(one_key); i++) {
        type(&t, one_key[i]);
        wait_for(&t, "that key says nothing in this game");
    }
    assert_int_equal(times_said(t.text + from, "says nothing"), countof(one_key));
    assert_null(strstr(t.text + from, " back")); // no u among them is meant
    type(&t, "?");
    wait_for(&t, "\n  u  take the last shot back\r\n");
    wait_for(&t, "\n  x  the sides play each other's colour\r\n");
    wait_for(&t, "taken off: on the judge's page\r\n"); // no key points at a place
    type(&t, "u");
    wait_for(&t, " back"); // nothing to take back; on a busy machine a shot has been made meanwhile
    assert_true(standing_lines(t.text, COLUMNS) >= 2);
    from = t.used;
    resize(&t, NARROW);
    wait_for(&t, "\033[K\r\033[K"); // it is drawn anew for that width, and taken away
    type(&t, "q");
    assert_int_equal(leave(&t), 0);
    assert_true(standing_lines(t.text + from, COLUMNS) >= 1);
    const char *end = strstr(t.text, "ringside: ended by q after ");
    assert_non_null(end);
    assert_non_null(strstr(end, "  score     "));
    assert_non_null(strstr(end, "  calls     "));
    assert_non_null(strstr(end, " seen, none dropped"));
    assert_non_null(strstr(end, "  delay     from a picture to its call: "));
    assert_non_null(strstr(end, "  kept      nothing"));
    assert_null(strstr(end, "\033[K")); // the line does not stand there any more
}

// What says how it ended, in what was written to standard output.
static json_t *summary_of(const char *out)
{
    const char *last = strrchr(out, '{');
    while (last && last > out && last[-1] != '\n')
        last--;
    json_t *o = last ? json_loads(last, 0, NULL) : NULL, *form = json_load_file("samples/schema/event.json", 0, NULL);
    struct schema_fault fault = { "" };
    if (!o || !schema_keeps(&fault, form, form, o, "event"))
        fail_msg("%s: %s", fault.words, last);
    assert_string_equal(json_string_value(json_object_get(o, "event")), "summary");
    json_decref(form);
    return o;
}

static void it_ends_by_itself_and_nothing_is_drawn_into_a_pipe(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    spawned_run(&r, (const char *[]){ "watch", "--camera", "demo", "--no-voice", "--json", "--for=1.5", NULL }, NULL);
    assert_true(r.status == 0 || r.status == 1); // on a busy machine no board is found by then
    json_t *o = summary_of(r.out);
    assert_string_equal(json_string_value(json_object_get(o, "ended_by")), "time");
    assert_true(json_number_value(json_object_get(o, "watched_s")) >= 1.5);
    assert_true(json_is_null(json_object_get(o, "log")) && json_is_null(json_object_get(o, "record")));
    assert_true(json_is_null(json_object_get(o, "standing")) == (r.status == 1));
    json_decref(o);
    assert_non_null(strstr(r.err, "ended by --for after"));
    assert_null(strchr(r.err, '\033'));
    assert_null(strchr(r.err, '\r'));
    (void)s;
}

// The name of the one file there that ends so.
static const char *only(const char *folder, const char *ending)
{
    static char path[400];
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strlen(e->d_name) > strlen(ending) && !strcmp(e->d_name + strlen(e->d_name) - strlen(ending), ending)) {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            n++;
        }
    closedir(d);
    assert_int_equal(n, 1);
    return path;
}

// The log of the film reviewed, to hold others against.
static void review_film(const struct scratch *s)
{
    static struct spawned r;
    empty(scratch_path(s, "reviewed"));
    RUN(&r, 0, "review", "--game=crokinole", "--no-book", "--quiet", "--out", scratch_path(s, "reviewed"),
        scratch_path(s, FILM));
}

static void assert_same_log(const struct scratch *s)
{
    const char *reviewed = text_of(only(scratch_path(s, "reviewed"), ".jsonl"));
    assert_true(strlen(reviewed) > 1000);
    assert_string_equal(text_of(only(scratch_path(s, "out"), ".jsonl")), reviewed);
}

// The disk is full for a while in the middle of a game, or from there on.
static void a_full_disk_ends_no_game(void **state)
{
    const struct scratch *s = *state;
    review_film(s);
    for (int room_again = 0; room_again < 2; room_again++) {
        static struct terminal_seat t;
        char out[100], film[100], book[100];
        snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
        snprintf(film, sizeof film, "%s", scratch_path(s, FILM));
        snprintf(book, sizeof book, "%s", scratch_path(s, "full.db"));
        empty(out);
        unlink(book);
        signal(SIGXFSZ, SIG_IGN); // the child keeps it so: a write fails, as on a full disk
        sit_down(&t, program,
                 (const char *[]){ "watch", "--game=crokinole", "--no-voice", "--book", book, "--out", out, "--camera",
                                   film, NULL });
        wait_for(&t, "; log: ");
        struct rlimit was;
        assert_int_equal(prlimit(t.child, RLIMIT_FSIZE, NULL, &was), 0);
        assert_int_equal(
            prlimit(t.child, RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = 100, .rlim_max = was.rlim_max }, NULL), 0);
        wait_for(&t, "calls go on, and what is not written is kept in memory");
        if (room_again) {
            assert_int_equal(prlimit(t.child, RLIMIT_FSIZE, &was, NULL), 0);
            wait_for(&t, "log and record are written again, nothing is missing");
        }
        if (!room_again)
            type(&t, "q");
        wait_for(&t, room_again ? "ended by the end of the pictures" : "ended by q");
        assert_int_equal(leave(&t), room_again ? 0 : ENDED_SYSTEM);
        assert_int_equal(times_said(t.text, "calls go on, and"), 1);
        if (room_again) {
            static struct spawned r;
            assert_same_log(s);
            RUN(&r, 0, "record", "check", "--book", book);
            spawned_run(&r, (const char *[]){ "record", "export", "--format=log", "--book", book, NULL }, NULL);
            assert_string_equal(r.out, text_of(only(out, ".jsonl")));
        } else {
            assert_non_null(strstr(t.text, "it LACKS the last "));
            assert_non_null(strstr(t.text, "ringside: not all is kept, of observations the log lacks "));
            // What is there is its beginning.
            const char *part = text_of(only(out, ".jsonl"));
            const char *whole = text_of(only(scratch_path(s, "reviewed"), ".jsonl"));
            assert_true(strlen(part) > 100 && strlen(part) < strlen(whole));
            assert_memory_equal(part, whole, strlen(part));
        }
        unlink(book);
        unlink(scratch_path(s, "full.db.lock"));
        unlink(scratch_path(s, "full.db-wal"));
        unlink(scratch_path(s, "full.db-shm"));
    }
    signal(SIGXFSZ, SIG_DFL);
}

// From 0 to 1, by chance: a camera in the dark shows it.
static double grain(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / (double)(1 << 24);
}

// The film again, with pictures made `share` as bright between two moments; 0: one even colour, a covered lens.
static void put_shaded(const struct scratch *s, const char *name, double from_s, double to_s, double until_s,
                       double share)
{
    struct fail why = { .text = "" };
    struct source *film = NULL;
    struct movie *m = NULL;
    struct frame *f;
    uint32_t seed = 1;
    assert_int_equal(footage_open(&film, scratch_path(s, FILM), &why), 0);
    const struct source_info *info = source_info(film);
    assert_int_equal(movie_create(&m, scratch_path(s, name), info->width, info->height, info->frames_per_s, &why), 0);
    while (source_next(&f, film, &why) == SOURCE_FRAME && f->t_s < until_s) {
        size_t bytes = (size_t)f->width * (size_t)f->height * 3;
        for (size_t i = 0; i < bytes && f->t_s >= from_s && f->t_s < to_s; i++)
            f->bgr[i] = share > 0 ? (uint8_t)(share * f->bgr[i] + (share < 0.05 ? 8 : 26) * grain(&seed)) : 110;
        assert_int_equal(movie_add(m, f, &why), 0);
        frame_free(f);
    }
    frame_free(f);
    assert_int_equal(movie_finish(m, &why), 0);
    source_close(film);
}

static void a_dark_picture_asks_for_light(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static const struct {
        double share;
        const char *says;
    } rows[] = { { 0.06, "too dark to see the lines: more light" },
                 { 0.01, "the picture is black: is a cap on the lens" },
                 { 0, "one even colour: is something in front of the lens?" } };
    for (size_t i = 0; i < countof(rows); i++) {
        put_shaded(s, "dark.mp4", 0, 9, 0.4, rows[i].share);
        spawned_run(&r,
                    (const char *[]){ "watch", "--game=crokinole", "--no-voice", "--no-book", "--out",
                                      scratch_path(s, "out"), "--camera", scratch_path(s, "dark.mp4"), NULL },
                    NULL);
        if (r.status != ENDED_WITHOUT_BOARD || !strstr(r.err, rows[i].says) || strstr(r.err, "points on the lines"))
            fail_msg("%g: exit %d: %s", rows[i].share, r.status, r.err);
    }
}

static void a_covered_lens_is_told_and_over(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static const struct {
        double share;
        const char *says;
    } rows[] = { { 0.01, "ringside: calls are held: the picture is black" },
                 { 0, "ringside: calls are held: the picture is one even colour" } };
    for (size_t i = 0; i < countof(rows); i++) {
        put_shaded(s, "covered.mp4", 1, 3.5, 4.6, rows[i].share);
        empty(scratch_path(s, "out"));
        RUN(&r, 0, "watch", "--game=crokinole", "--no-voice", "--no-book", "--out", scratch_path(s, "out"), "--camera",
            scratch_path(s, "covered.mp4"));
        const char *told = strstr(r.err, rows[i].says);
        assert_non_null(told);
        assert_int_equal(times_said(r.err, "calls are held"), 1);
        assert_non_null(strstr(told, "ringside: the board is seen well again after "));
        assert_non_null(strstr(r.out, "nothing is seen, as if the lens were covered: no calls until"));
        assert_null(strstr(r.out, "cut to another view"));
        assert_non_null(strstr(r.out, "the board is found again"));
    }
}

// A camera that is pulled out in the middle of a film and plugged in again; and the clock that jumps.
struct plug {
    struct source base, *film;
    int given;
    double out_s, from_s; // how long it was out, so far; when that began
};

static const double OUT_S = 1.2;

static int next_of_plug(struct frame **out, struct source *s, struct fail *why)
{
    struct plug *p = (struct plug *)s;
    if (p->given == 30 && p->out_s < OUT_S) {
        usleep(50000);
        p->out_s += 0.05;
        rs_fail(why, 0, "Test camera is unplugged: plug it in again, the match waits");
        return SOURCE_WAITS;
    }
    int rc = source_next(out, p->film, why);
    if (rc != SOURCE_FRAME)
        return rc;
    (*out)->t_s += p->out_s;
    (*out)->lost_s = p->given++ == 30 ? p->out_s : 0;
    usleep(33000);
    return rc;
}

static void close_plug(struct source *s)
{
    source_close(((struct plug *)s)->film);
}

static const struct source_kind plug_kind = { .next = next_of_plug, .close = close_plug };

static const char *film_of_plug;

static int open_plug(struct source **out, const struct options *o, struct fail *why)
{
    struct plug *p = calloc(1, sizeof *p);
    (void)o;
    if (!p)
        return rs_fail(why, RS_ENOMEM, "no memory for a plug");
    int rc = footage_open(&p->film, film_of_plug, why);
    if (rc == 0)
        p->base.info = *source_info(p->film);
    p->base.kind = &plug_kind;
    *out = &p->base;
    return rc;
}

static int watch_plug(const void *with)
{
    const char *const *paths = with; // folder, film, record
    struct fail why = { .text = "" };
    struct options o = { .game = "crokinole",
                         .out = paths[0],
                         .camera = "/nowhere/video0",
                         .no_voice = true,
                         .book = paths[2],
                         .for_s = 60 };
    film_of_plug = paths[1];
    int rc = watch_with(open_plug, &o, &why);
    if (why.text[0])
        fprintf(stderr, "ringside: %s\n", why.text);
    fflush(NULL);
    return rc >= 0 ? rc : 100 - rc;
}

static void a_camera_that_is_away_is_told_once_and_the_clock_may_jump(void **state)
{
    const struct scratch *s = *state;
    static struct terminal_seat t;
    char out[100], film[100], book[100];
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    snprintf(film, sizeof film, "%s", scratch_path(s, FILM));
    snprintf(book, sizeof book, "%s", scratch_path(s, "plug.db"));
    empty(out);
    sit_down(&t, watch_plug, (const char *[]){ out, film, book });
    wait_for(&t, "ringside: Test camera is unplugged: plug it in again, the match waits");
    wait_for(&t, "ringside: the camera is back after ");
    int away_s = 0, tenths = -1; // a stream comes back within one
    assert_int_equal(sscanf(t.text + t.read, "%d.%d s", &away_s, &tenths), 2);
    assert_true(away_s >= 1 && away_s < PATIENCE_S);
    wait_for(&t, "ended by the end of the pictures after ");
    assert_int_equal(leave(&t), 0);
    assert_int_equal(times_said(t.text, "ringside: Test camera is unplugged"), 1);
    assert_non_null(strstr(t.text, "camera    gave nothing for "));
    // On a machine so slow that the board was found only then, nothing was lost of it; where pictures are dropped, more
    // was.
    const char *found = strstr(t.text, "lines fit to"), *away = strstr(t.text, "Test camera is unplugged");
    double lost_s = 0, most_s = 0;
    for (const char *at = t.text; (at = strstr(at, "pictures were lost or damaged, ")); at++)
        if (sscanf(at, "pictures were lost or damaged, %lf s", &lost_s) == 1)
            most_s = fmax(most_s, lost_s);
    assert_true(!found || found > away || most_s >= OUT_S - 0.01);
    double worst_ms = -1;
    const char *delay = strstr(t.text, "for 99 of 100, ");
    if (delay) // nothing was called on a machine that drops most of the pictures
        assert_true(sscanf(delay, "for 99 of 100, %lf ms", &worst_ms) == 1 && worst_ms < 1e3 * PATIENCE_S);
    unlink(book);
    unlink(scratch_path(s, "plug.db.lock"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_answered_and_q_sums_up),
        cmocka_unit_test(it_ends_by_itself_and_nothing_is_drawn_into_a_pipe),
        cmocka_unit_test(a_full_disk_ends_no_game),
        cmocka_unit_test(a_dark_picture_asks_for_light),
        cmocka_unit_test(a_covered_lens_is_told_and_over),
        cmocka_unit_test(a_camera_that_is_away_is_told_once_and_the_clock_may_jump),
    };
    return cmocka_run_group_tests(tests, put_film, scratch_remove);
}
