// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/games/games.h"
#include "referee/log.h"
#include "referee/match_setup.h"
#include "tests/cmocka.h"

static char path[] = "/tmp/ringside-log-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return remove(path);
}

static struct log_header header(void)
{
    struct log_header h = { .game = "crokinole",
                            .source = "a \"game\".mp4",
                            .source_bytes = 5000000000,
                            .board = *board_builtin("crokinole-nca") };
    h.board.line_width_in = 1.0 / 13;
    h.setup = match_setup_usual(&crokinole_game);
    h.setup.seats = 2;
    h.setup.seat[0] = (struct seat){ "Home", "black", { "Ann", "Bo" } };
    h.setup.seat[1] = (struct seat){ .colour = "natural" };
    h.setup.first = 1;
    h.setup.permit_needed = true;
    h.setup.format.rounds = 7;
    return h;
}

// No two of these doubles are short in decimals: what reads back equal was written whole.
static const struct observation all_kinds[] = {
    { .kind = OBS_SEEN, .t_s = 0.1, .id = 1, .seen = { PIECE_MARBLE, "light blue", true, 6.0 / 7, 1.0 / 3 } },
    { .kind = OBS_SEEN,
      .t_s = 0.1,
      .id = 2,
      .seen = { PIECE_MARBLE, "red", true, 6.0 / 7, 1.0 / 3, .radius_sigma_in = 0.1 / 7 } },
    { .kind = OBS_SEEN, .t_s = 0.1, .id = 7, .seen = { PIECE_DISC, "black", false, 1, 0.625 } },
    { .kind = OBS_SEEN, .t_s = 0.1, .id = 8, .seen = { PIECE_DISC, "black", false, 5.0 / 7, 0.625 } },
    { .kind = OBS_REST,
      .t_s = 0.2,
      .id = 1,
      .rest = { { 3.21 / 7, -0.88 / 3 }, { 1e-4 / 3, -1e-5 / 7, 1e-4 / 9 }, IN_HOLE, 5.0 / 7 } },
    { .kind = OBS_MOVE, .t_s = 1.0 / 3, .id = 1, .move = { MOVED_BY_SHOT, { 1e-17, -12.1 / 9 } } },
    { .kind = OBS_CONTACT, .t_s = 2.0 / 3, .id = 1, .contact = { TOUCHED_PIECE, 7, 0.01 / 3, { 0.1, 0.2 } } },
    { .kind = OBS_CONTACT, .t_s = 2.0 / 3, .id = 1, .contact = { TOUCHED_PEG, 0, 0.01, { 4, 0 } } },
    { .kind = OBS_CONTACT, .t_s = 2.0 / 3, .id = 1, .contact = { TOUCHED_RIM, 0, 0.01, { 12, 0 } } },
    { .kind = OBS_GONE, .t_s = 0.8, .id = 7, .gone = { BY_HAND } },
    { .kind = OBS_GONE, .t_s = 0.85, .id = 8, .gone = { IN_CUT } },
    { .kind = OBS_HAND, .t_s = 0.9, .hand = { true, 3.14159 / 7 } },
    { .kind = OBS_STILL, .t_s = 1.1 },
    { .kind = OBS_STILL, .t_s = 1.15, .still = { 1.0 / 7, 1e-3 / 3 } },
    { .kind = OBS_CAMERA, .t_s = 1.2, .camera = { CAMERA_MOVED, 0.3 / 7 } },
    { .kind = OBS_CAMERA, .t_s = 1.25, .camera = { CAMERA_CUT, 0 } },
    { .kind = OBS_CAMERA, .t_s = 1.25, .camera = { CAMERA_DAMAGED, 0, 1.0 / 3 } },
    { .kind = OBS_INPUT,
      .t_s = 1.3,
      .input = { .by = "judge", .what = INPUT_FOUL, .text = "over the \"line\" \xc3\xa9" } },
    { .kind = OBS_INPUT, .t_s = 1.3, .input = { .by = "judge", .what = INPUT_OTHER, .other = "a word of tomorrow" } },
    { .kind = OBS_INPUT,
      .t_s = 1.4,
      .input = { .by = "player",
                 .what = INPUT_ZONE,
                 .text = "15",
                 .shot = 3,
                 .piece = 7,
                 .input = 2,
                 .side = "Home",
                 .has_value = true,
                 .heard_s = 1.0 / 7 + 1.4,
                 .value = { 3, -1.0 / 7 } } },
    { .kind = OBS_SEEN,
      .t_s = 1.4,
      .id = 9,
      .seen = { PIECE_DISC, "black", false, 1, 0.625, true, { 20.0 / 7, -1.0 / 3, 5 } } },
};

static void write_all(const struct observation *o, size_t count)
{
    struct fail why = { .text = "" };
    struct log_writer *w = NULL;
    struct log_header h = header();
    unlink(path); // it writes over nothing
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    for (size_t i = 0; i < count; i++)
        if (log_write(w, &o[i], &why) != 0)
            fail_msg("observation %zu: %s", i, why.text);
    log_writer_free(w);
}

static void check_same(const struct observation *a, const struct observation *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->id, b->id);
    assert_memory_equal(&a->t_s, &b->t_s, sizeof a->t_s);
    if (a->kind == OBS_REST)
        assert_memory_equal(&a->rest, &b->rest, sizeof a->rest.at + sizeof a->rest.cov);
    if (a->kind == OBS_REST)
        assert_memory_equal(&a->rest.certainty, &b->rest.certainty, sizeof a->rest.certainty);
    if (a->kind == OBS_SEEN)
        assert_memory_equal(&a->seen.certainty, &b->seen.certainty, 2 * sizeof a->seen.radius_in);
    if (a->kind == OBS_SEEN)
        assert_memory_equal(&a->seen.radius_sigma_in, &b->seen.radius_sigma_in, sizeof a->seen.radius_sigma_in);
    if (a->kind == OBS_SEEN && b->seen.has_lab)
        assert_true(a->seen.has_lab && memcmp(a->seen.lab, b->seen.lab, sizeof a->seen.lab) == 0);
    if (a->kind == OBS_MOVE)
        assert_memory_equal(&a->move.from, &b->move.from, sizeof a->move.from);
    if (a->kind == OBS_CONTACT)
        assert_memory_equal(&a->contact.sigma_t_s, &b->contact.sigma_t_s, sizeof(double) + sizeof(struct pt_in));
    if (a->kind == OBS_STILL)
        assert_memory_equal(&a->still, &b->still, sizeof a->still);
    if (a->kind == OBS_INPUT) {
        assert_int_equal(a->input.what, b->input.what);
        assert_string_equal(a->input.other, b->input.other);
        assert_string_equal(a->input.text, b->input.text);
        assert_string_equal(a->input.side, b->input.side);
        assert_true(a->input.shot == b->input.shot && a->input.piece == b->input.piece);
        assert_true(a->input.input == b->input.input && a->input.has_value == b->input.has_value);
        assert_memory_equal(&a->input.heard_s, &b->input.heard_s, sizeof a->input.heard_s);
        assert_memory_equal(a->input.value, b->input.value, sizeof a->input.value);
    }
}

static void round_trip_is_bit_identical(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct log_reader *r = NULL;
    struct observation o;
    write_all(all_kinds, countof(all_kinds));
    assert_int_equal(log_reader_open(&r, path, &why), 0);
    const struct log_header *h = log_reader_header(r);
    assert_memory_equal(&h->board.line_width_in, &(double){ 1.0 / 13 }, sizeof(double));
    assert_string_equal(h->game, "crokinole");
    assert_string_equal(h->source, "a \"game\".mp4");
    assert_true(h->source_bytes == 5000000000);
    struct log_header wrote = header();
    assert_memory_equal(&h->setup, &wrote.setup, sizeof wrote.setup);
    for (size_t i = 0; i < countof(all_kinds); i++) {
        int rc = log_read(r, &o, &why);
        if (rc != 1)
            fail_msg("observation %zu: %d %s", i, rc, why.text);
        check_same(&o, &all_kinds[i]);
    }
    assert_int_equal(log_read(r, &o, &why), 0);
    assert_int_equal(log_reader_cut_line(r), 0);
    log_reader_free(r);
}

static void camera_round_trip(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct log_header h = header();
    struct log_writer *w = NULL;
    struct log_reader *r = NULL;
    h.has_camera = true;
    h.camera = (struct camera){ { 1280, 720, 1000.0 / 3, { 640.1, 359.7 }, -0.1 / 3, 0.01, 0, 0, 0 },
                                { { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }, { 0.1, 0.2, 40.0 / 3 } } };
    unlink(path);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    log_writer_free(w);
    assert_int_equal(log_reader_open(&r, path, &why), 0);
    assert_true(log_reader_header(r)->has_camera);
    assert_memory_equal(&log_reader_header(r)->camera, &h.camera, sizeof h.camera);
    log_reader_free(r);
}

static void a_cut_last_line_is_left_out_and_told(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct observation o;
    write_all(all_kinds, countof(all_kinds));
    FILE *f = fopen(path, "r+");
    fseek(f, 0, SEEK_END);
    long whole = ftell(f);
    fclose(f);
    for (long cut = whole - 1; cut > whole - 60; cut -= 7) {
        struct log_reader *r = NULL;
        size_t read = 0;
        assert_int_equal(truncate(path, cut), 0);
        assert_int_equal(log_reader_open(&r, path, &why), 0);
        while (log_read(r, &o, &why) == 1)
            read++;
        assert_int_equal(read, countof(all_kinds) - 1);
        assert_int_equal(log_reader_cut_line(r), (long)countof(all_kinds) + 1);
        log_reader_free(r);
    }
}

static void writer_refuses_what_no_reader_would_take(void **state)
{
    (void)state;
    const struct observation bad[] = {
        { .kind = OBS_STILL, .t_s = NAN },
        { .kind = OBS_STILL, .t_s = -1 },
        { .kind = OBS_GONE, .t_s = 1, .id = 3, .gone = { BY_HAND } },
        { .kind = OBS_SEEN, .t_s = 1, .id = 0, .seen = { PIECE_DISC, "black", false, 1, 1 } },
        { .kind = OBS_CAMERA, .t_s = 1, .camera = { CAMERA_MOVED, INFINITY } },
    };
    struct log_header h = header();
    for (size_t i = 0; i < countof(bad); i++) {
        struct fail why = { .text = "" };
        struct log_writer *w = NULL;
        unlink(path);
        assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
        assert_int_equal(log_write(w, &bad[i], &why), RS_EINPUT);
        assert_true(why.text[0] != '\0');
        log_writer_free(w);
    }
}

// Measured, and beyond what a log has: the nearest that it has is judged and written, and read again.
static void what_is_measured_is_brought_into_the_ranges(void **state)
{
    (void)state;
    const double far = INFINITY;
    const struct observation extreme[] = {
        { .kind = OBS_SEEN, .id = 1, .seen = { PIECE_DISC, "red", false, 7, -1, true, { 900, -far, far } } },
        { .kind = OBS_SEEN, .id = 2, .seen = { PIECE_MARBLE, "red", true, -7, far } },
        { .kind = OBS_REST, .id = 1, .rest = { { far, -far }, { far, far, far }, ON_SURFACE, 0 } },
        { .kind = OBS_REST, .id = 1, .rest = { { 1e5, 0 }, { -1e-18, 1e-9, 1e-4 }, ON_SURFACE, 0 } },
        { .kind = OBS_REST, .id = 1, .rest = { { 0, 0 }, { 1e-4, -1, 1e-4 }, ON_SURFACE, 0 } },
        { .kind = OBS_MOVE, .id = 1, .move = { MOVED_BY_SHOT, { -1e300, 1e300 } } },
        { .kind = OBS_CONTACT, .id = 1, .contact = { TOUCHED_PIECE, 2, far, { far, 0 } } },
        { .kind = OBS_HAND, .hand = { true, -1e9 } },
        { .kind = OBS_STILL, .still = { far, far } },
        { .kind = OBS_CAMERA, .camera = { CAMERA_MOVED, far } },
        { .kind = OBS_CAMERA, .t_s = far, .camera = { CAMERA_MOVED, -1 } },
    };
    struct log_header h = header();
    struct fail why = { .text = "" };
    struct log_writer *w = NULL;
    struct log_reader *r = NULL;
    struct observation within[countof(extreme)], o;
    unlink(path);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    for (size_t i = 0; i < countof(extreme); i++) {
        within[i] = extreme[i];
        log_line_clamp(&within[i]);
        if (log_write(w, &within[i], &why) < 0)
            fail_msg("case %zu: %s", i, why.text);
    }
    log_writer_free(w);
    assert_int_equal(log_reader_open(&r, path, &why), 0);
    for (size_t i = 0; i < countof(extreme); i++) {
        assert_int_equal(log_read(r, &o, &why), 1);
        check_same(&o, &within[i]);
    }
    assert_int_equal(log_read(r, &o, &why), 0);
    log_reader_free(r);
    assert_true(within[2].rest.cov.xx > 1e7); // unsure as before: nothing becomes firm by it
    assert_true(within[8].still.line_sigma_in > 1e3);
}

// What a person said is refused, not altered.
static void what_was_said_is_not_brought_into_a_range(void **state)
{
    (void)state;
    struct observation o = { .kind = OBS_INPUT, .input = { .by = "judge", .what = INPUT_CORRECT, .has_value = true } };
    struct log_header h = header();
    struct fail why = { .text = "" };
    struct log_writer *w = NULL;
    o.input.value[0] = 1e12;
    log_line_clamp(&o);
    unlink(path);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    assert_int_equal(log_write(w, &o, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "\"value\""));
    o.input.value[0] = 1;
    memcpy(o.input.text, "\x1b[2J", sizeof "\x1b[2J");
    assert_int_equal(log_write(w, &o, &why), RS_EINPUT);
    log_writer_free(w);
    h.source[0] = '\x1b';
    assert_int_equal(log_writer_create(&w, path, &h, &why), RS_EINPUT);
    h = header();
    snprintf(h.game, sizeof h.game, "american-marbles");
    assert_int_equal(log_writer_create(&w, path, &h, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "is not played on a board like"));
}

static void a_folder_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct log_writer *w = NULL;
    struct log_header h = header();
    assert_int_equal(log_writer_create(&w, "/nonexistent-folder/x.jsonl", &h, &why), RS_EIO);
    assert_non_null(strstr(why.text, "/nonexistent-folder/x.jsonl"));
}

// Whoever is killed before the first line is out leaves no log that nobody can read.
static void a_log_has_its_name_from_its_first_line_on(void **state)
{
    (void)state;
    char fresh[] = "/tmp/ringside-log-XXXXXX", part[64];
    struct fail why = { .text = "" };
    struct log_header h = header();
    struct log_writer *w = NULL;
    close(mkstemp(fresh));
    assert_int_equal(log_writer_create(&w, fresh, &h, &why), RS_EIO); // never in an older one's place
    assert_non_null(strstr(why.text, "File exists"));
    unlink(fresh);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_DFL);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 });
        log_writer_create(&w, fresh, &h, &why);
        _exit(0);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXFSZ);
    assert_int_equal(access(fresh, F_OK), -1);
    snprintf(part, sizeof part, "%s.ringside-%d.part", fresh, (int)child);
    assert_int_equal(unlink(part), 0);
    assert_int_equal(log_writer_create(&w, fresh, &h, &why), 0);
    assert_int_equal(access(fresh, R_OK), 0);
    log_writer_free(w);
    unlink(fresh);
}

// A name that is changed later gets no second mark: it may be as long as a file's can be.
static void a_log_that_is_named_later_is_made_as_it_is(void **state)
{
    (void)state;
    char name[256];
    struct fail why = { .text = "" };
    struct log_header h = header();
    struct log_writer *w = NULL;
    snprintf(name, sizeof name, "/tmp/%0230d.ringside-%d.part", 0, (int)getpid());
    if (log_writer_create(&w, name, &h, &why) < 0)
        fail_msg("%s", why.text);
    assert_int_equal(access(name, R_OK), 0);
    log_writer_free(w);
    assert_int_equal(log_writer_create(&w, name, &h, &why), RS_EIO); // there is one
    assert_int_equal(unlink(name), 0);
}

#define HEADER                                                                                                         \
    "{\"ringside\":1,\"game\":\"crokinole\",\"board\":" BOARD ",\"camera\":null,\"source\":\"x\",\"players\":[]}\n"
#define BOARD                                                                                                          \
    "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"circles\",\"circle_in\":[12,8,4],\"zone_points\":[5,10,15],"      \
    "\"edge\":\"line-centre\",\"piece\":\"disc\",\"piece_radius_in\":0.625,\"piece_height_in\":0.375}"
#define SEEN                                                                                                           \
    "{\"t_s\":1,\"kind\":\"seen\",\"id\":1,\"piece\":\"disc\",\"colour\":\"red\",\"taw\":false,\"radius_in\":0.6}\n"

struct hostile {
    const char *what;
    const char *text;
    const char *says; // part of the message
};

static const struct hostile hostile[] = {
    { "empty file", "", "empty" },
    { "no JSON", "hello\n", "line 1: not JSON" },
    { "no log", "hello\n", "; a log is the NAME.ringside.jsonl" },
    { "no object", "[1]\n", "line 1: not a JSON object" },
    { "cut header", "{\"ringside\":1", "first line is cut off" },
    { "other JSON", "{\"a\":1}\n", "not a ringside log" },
    { "future version", "{\"ringside\":2}\n", "version 2" },
    { "header without a board", "{\"ringside\":1,\"game\":\"crokinole\",\"source\":\"x\"}\n", "no board" },
    { "board that is no board", "{\"ringside\":1,\"game\":\"g\",\"source\":\"x\",\"board\":{\"ringside_board\":1}}\n",
      "name" },
    { "unknown kind", HEADER "{\"t_s\":1,\"kind\":\"boom\"}\n", "line 2: \"kind\": \"boom\"" },
    { "time as text", HEADER "{\"t_s\":\"1\",\"kind\":\"still\"}\n", "line 2: \"t_s\"" },
    { "no time", HEADER "{\"kind\":\"still\"}\n", "line 2: \"t_s\"" },
    { "half of a residual", HEADER "{\"t_s\":1,\"kind\":\"still\",\"rms_px\":0.2}\n", "line 2: \"line_sigma_in\"" },
    { "time before the last", HEADER "{\"t_s\":2,\"kind\":\"still\"}\n{\"t_s\":1,\"kind\":\"still\"}\n",
      "line 3: time 1" },
    { "time without end", HEADER "{\"t_s\":1e300,\"kind\":\"still\"}\n", "line 2: \"t_s\"" },
    { "unseen piece", HEADER "{\"t_s\":1,\"kind\":\"gone\",\"id\":4,\"where\":\"hand\"}\n", "line 2: piece 4" },
    { "id too large", HEADER "{\"t_s\":1,\"kind\":\"gone\",\"id\":999999999,\"where\":\"hand\"}\n",
      "line 2: \"id\" is 999999999; it must be a whole number from 0 to 899999" },
    { "id of a piece that is put on", HEADER "{\"t_s\":1,\"kind\":\"gone\",\"id\":900001,\"where\":\"hand\"}\n",
      "line 2: \"id\" is 900001; it must be a whole number from 0 to 899999" },
    { "negative id", HEADER "{\"t_s\":1,\"kind\":\"gone\",\"id\":-1,\"where\":\"hand\"}\n", "line 2: \"id\"" },
    { "no id", HEADER "{\"t_s\":1,\"kind\":\"gone\",\"where\":\"hand\"}\n", "line 2: piece id 0" },
    { "id used twice", HEADER SEEN SEEN, "line 3: piece 1 is seen for the first time twice" },
    { "colour too long",
      HEADER "{\"t_s\":1,\"kind\":\"seen\",\"id\":1,\"piece\":\"disc\",\"colour\":"
             "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"taw\":false,\"radius_in\":1}\n",
      "line 2: \"colour\"" },
    { "a taw more than certain",
      HEADER "{\"t_s\":1,\"kind\":\"seen\",\"id\":1,\"piece\":\"marble\",\"colour\":\"red\",\"taw\":true,"
             "\"taw_certainty\":1.5,\"radius_in\":0.3}\n",
      "line 2: \"taw_certainty\"" },
    { "a disc more than certain",
      HEADER "{\"t_s\":1,\"kind\":\"seen\",\"id\":1,\"piece\":\"disc\",\"colour\":\"red\",\"taw\":false,"
             "\"certainty\":1.5,\"radius_in\":0.3}\n",
      "line 2: \"certainty\"" },
    { "place of three",
      HEADER SEEN "{\"t_s\":1,\"kind\":\"rest\",\"id\":1,\"at_in\":[1,2,3],\"cov_in2\":[1,0,1],"
                  "\"plane\":\"surface\"}\n",
      "line 3: \"at_in\"" },
    { "negative variance",
      HEADER SEEN "{\"t_s\":1,\"kind\":\"rest\",\"id\":1,\"at_in\":[1,2],\"cov_in2\":[-1,0,1],"
                  "\"plane\":\"surface\"}\n",
      "line 3: \"cov_in2\"" },
    { "rest in a hand",
      HEADER SEEN "{\"t_s\":1,\"kind\":\"rest\",\"id\":1,\"at_in\":[1,2],\"cov_in2\":[1,0,1],"
                  "\"plane\":\"hand\"}\n",
      "line 3: \"plane\"" },
    { "contact with an unseen piece",
      HEADER SEEN "{\"t_s\":1,\"kind\":\"contact\",\"id\":1,\"with\":\"piece\","
                  "\"other\":5,\"sigma_t_s\":0.1,\"at_in\":[0,0]}\n",
      "line 3: piece 5" },
    { "field twice", HEADER "{\"t_s\":1,\"t_s\":2,\"kind\":\"still\"}\n", "line 2: not JSON" },
    { "bytes that are no text", HEADER "{\"t_s\":1,\"kind\":\"\xff\xfe\"}\n", "line 2: not JSON" },
};

static void put(const char *text, size_t length)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    fclose(f);
}

// What the log's first failure says; "" when there was none.
static struct fail first_failure(void)
{
    struct fail why = { .text = "" };
    struct log_reader *r = NULL;
    struct observation o;
    int rc = log_reader_open(&r, path, &why);
    while (rc >= 0 && (rc = log_read(r, &o, &why)) == 1)
        ;
    log_reader_free(r);
    return why;
}

static void every_hostile_line_is_told_with_its_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(hostile); i++) {
        put(hostile[i].text, strlen(hostile[i].text));
        struct fail why = first_failure();
        if (why.code != RS_EINPUT || !strstr(why.text, hostile[i].says))
            fail_msg("%s: got %d \"%s\"", hostile[i].what, why.code, why.text);
    }
    put(HEADER SEEN, strlen(HEADER SEEN));
    assert_int_equal(first_failure().code, 0); // the frame of the rows above is itself sound
}

static void a_zero_byte_and_an_endless_line_are_refused(void **state)
{
    (void)state;
    put("{\"ringside\":1\0}\n", 16);
    assert_non_null(strstr(first_failure().text, "zero byte"));
    static char endless[LOG_LINE_MAX + 100];
    memset(endless, ' ', sizeof endless);
    put(endless, sizeof endless);
    assert_non_null(strstr(first_failure().text, "longer than"));
}

// Files may be so long from now on, as on a full disk; a write beyond fails.
static void fill_disk(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static int lines_read(struct log_reader *r, bool whole)
{
    struct fail why = { .text = "" };
    struct observation o;
    int n = 0, rc;
    while ((rc = log_read(r, &o, &why)) > 0)
        n++;
    if (rc < 0)
        fail_msg("%s", why.text);
    assert_true((log_reader_cut_line(r) == 0) == whole);
    log_reader_free(r);
    return n;
}

static void write_seen(struct log_writer *w, int from, int to)
{
    struct fail why = { .text = "" };
    for (int id = from; id <= to; id++) {
        struct observation o = {
            .kind = OBS_SEEN, .t_s = id, .id = id, .seen = { PIECE_DISC, "black", false, 1, 0.625 }
        };
        if (log_write(w, &o, &why) < 0)
            fail_msg("%s", why.text);
    }
}

// What a full disk does not take is held, is read with the rest, and is written in its order when there is room.
static void a_log_outlives_a_full_disk(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct log_header h = header();
    struct log_writer *w;
    struct log_reader *r;
    assert_int_equal(remove(path), 0);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    log_writer_hold(w, 1 << 20);
    write_seen(w, 1, 3);
    assert_int_equal(log_writer_lacks(w, &why), 0);
    FILE *f = fopen(path, "r");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    fill_disk((rlim_t)ftell(f) + 100); // amid the line after the next
    fclose(f);
    write_seen(w, 4, 9);
    assert_in_range(log_writer_lacks(w, &why), 4, 6);
    assert_non_null(strstr(why.text, "cannot write the log: "));
    assert_int_equal(log_reader_open(&r, path, &why), 0); // the file is a beginning of it
    assert_in_range(lines_read(r, false), 3, 5);
    assert_int_equal(log_writer_read(&r, w, &why), 0); // and a correction is judged by all of it
    assert_int_equal(lines_read(r, true), 9);
    fill_disk(RLIM_INFINITY);
    write_seen(w, 10, 10);
    assert_int_equal(log_writer_lacks(w, &why), 0);
    log_writer_free(w);
    assert_int_equal(log_reader_open(&r, path, &why), 0);
    assert_int_equal(lines_read(r, true), 10);
}

// Behind what there was no room for nothing is written: a log has no holes.
static void a_log_that_holds_no_more_is_a_beginning(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct log_header h = header();
    struct log_writer *w;
    struct log_reader *r;
    assert_int_equal(remove(path), 0);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    log_writer_hold(w, 400);
    fill_disk(1);
    write_seen(w, 1, 20);
    fill_disk(RLIM_INFINITY);
    write_seen(w, 21, 30);
    long lacks = log_writer_lacks(w, &why);
    assert_in_range(lacks, 20, 29);
    assert_non_null(strstr(why.text, "more than could be held"));
    assert_int_equal(log_writer_read(&r, w, &why), RS_EIO);
    log_writer_free(w);
    assert_int_equal(log_reader_open(&r, path, &why), 0);
    assert_int_equal(lines_read(r, true), 30 - lacks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_is_bit_identical),
        cmocka_unit_test(camera_round_trip),
        cmocka_unit_test(a_cut_last_line_is_left_out_and_told),
        cmocka_unit_test(writer_refuses_what_no_reader_would_take),
        cmocka_unit_test(what_is_measured_is_brought_into_the_ranges),
        cmocka_unit_test(what_was_said_is_not_brought_into_a_range),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_told),
        cmocka_unit_test(a_log_that_is_named_later_is_made_as_it_is),
        cmocka_unit_test(a_log_has_its_name_from_its_first_line_on),
        cmocka_unit_test(every_hostile_line_is_told_with_its_number),
        cmocka_unit_test(a_zero_byte_and_an_endless_line_are_refused),
        cmocka_unit_test(a_log_outlives_a_full_disk),
        cmocka_unit_test(a_log_that_holds_no_more_is_a_beginning),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
