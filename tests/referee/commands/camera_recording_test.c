// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // nftw
// What watch recorded is reviewed to the same log, byte for byte; the folder has all that was judged by, and no
// password.
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>

#include "calibration/lens_file.h"
#include "referee/commands/camera_recording.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/sent.h"
#include "tests/vision/source/served.h"
#include "vision/source/segment.h"

enum { PATIENCE = 6000, STEP_US = 10000 };

// A sample as a webcam would send it, seen by a recorder on the way.
struct live {
    struct source base;
    struct source *sample;
    struct jpeg *jpeg;
    struct unpacker *unpacker;
    struct recorder *recorder;
    double until_s;
};

static int live_next(struct frame **out, struct source *base, struct fail *why)
{
    struct live *l = (struct live *)base;
    struct frame *f = NULL;
    struct encoded *e = NULL;
    int rc = source_next(&f, l->sample, why);
    if (rc <= 0 || f->t_s > l->until_s) {
        frame_free(f);
        return rc < 0 ? rc : 0;
    }
    assert_int_equal(jpeg_encode_held(&e, l->jpeg, f, 90, why), 0);
    e->t_s = f->t_s + 1e-5 * (double)(f->number % 7); // which no millisecond tells apart
    assert_int_equal(unpack(out, l->unpacker, e, why), 0);
    (*out)->number = f->number;
    encoded_release(e);
    frame_free(f);
    recorder_take(l->recorder, *out);
    return 1;
}

static void live_close(struct source *base)
{
    struct live *l = (struct live *)base;
    source_close(l->sample);
    jpeg_free(l->jpeg);
    unpacker_free(l->unpacker);
}

static void a_review_of_it_makes_the_same_log(void **state)
{
    static const struct source_kind live_kind = { .next = live_next, .close = live_close };
    const struct scratch *s = *state;
    char folder[200], live_log[200], again_log[200], game[] = "crokinole";
    struct recorder_limits limits = recorder_limits_usual;
    struct fail why = { .text = "" };
    struct recorded_sum sum;
    struct options o = { .game = game, .quiet = true };
    struct live *l = calloc(1, sizeof *l);
    struct setup *setup = calloc(1, sizeof *setup);
    struct playback *p = calloc(1, sizeof *p);
    assert_true(l && setup && p);
    snprintf(folder, sizeof folder, "%s", scratch_path(s, "live"));
    snprintf(live_log, sizeof live_log, "%s", scratch_path(s, "live.jsonl"));
    snprintf(again_log, sizeof again_log, "%s", scratch_path(s, "again/live.ringside.jsonl"));
    assert_int_equal(mkdir(folder, 0700), 0);
    limits.segment_s = 2;
    const struct recorder_wish wish = { folder, false, &limits, &recorder_disk_usual };
    l->base.kind = &live_kind;
    l->until_s = 5.6; // behind the second shot
    assert_int_equal(footage_open(&l->sample, "samples/clips/crokinole_a.mp4", &why), 0);
    assert_int_equal(jpeg_create(&l->jpeg, &why), 0);
    assert_int_equal(unpacker_create(&l->unpacker, &why), 0);
    assert_int_equal(recorder_create(&l->recorder, &wish, &why), 0);
    assert_int_equal(setup_read(setup, &o, &why), 0);
    playback_init(p, &o, setup, "live", live_log);
    assert_int_equal(playback_run(p, &l->base, &why), 0);
    playback_finish(p);
    recorder_finish(&sum, l->recorder);
    recorder_free(l->recorder);
    source_close(&l->base);
    assert_int_equal(sum.segments, 3);
    assert_int_equal(sum.missed, 0);

    struct spawned *r = calloc(1, sizeof *r);
    const char *args[] = { "review", "--game", game, "--no-book", "--quiet", "--out", scratch_path(s, "again"),
                           folder,   NULL };
    spawned_end(r, 0, args);
    const char *first = strchr(text_of(live_log), '\n'), *again = strchr(text_of(again_log), '\n');
    assert_true(first && spawned_lines(first) > 10);
    assert_string_equal(first, again);
    free(r);
    free(p);
    free(setup);
}

static void serve_pictures(struct server *s, int fd)
{
    served_begin(fd);
    for (int i = 0; i < 40; i++) {
        struct encoded *e = sent_jpeg(i);
        served_part(fd, e->bytes, e->size);
        encoded_release(e);
        usleep(10000);
    }
    sem_wait(&s->go_on);
}

static int secrets; // files in which the password stands

static int search_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)at;
    uint8_t part[4096];
    FILE *f = kind == FTW_F ? fopen(path, "rb") : NULL;
    size_t n = f ? fread(part, 1, sizeof part, f) : 0;
    for (size_t i = 0; i + 6 <= n; i++)
        secrets += memcmp(part + i, "geheim", 6) == 0;
    if (f)
        fclose(f);
    return 0;
}

static pid_t start(const char *const *args, const char *said)
{
    const char *program = getenv("RINGSIDE");
    char *argv[SPAWNED_ARGS_MAX + 8] = { NULL };
    posix_spawn_file_actions_t files;
    pid_t child;
    int n = 0;
    argv[n++] = strdup(program ? program : "./ringside");
    for (; *args; args++)
        argv[n++] = strdup(*args);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(posix_spawn(&child, argv[0], &files, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    for (int i = 0; i < n; i++)
        free(argv[i]);
    return child;
}

static bool is_there(const char *folder, const char *name)
{
    char path[ATOMIC_FILE_PATH_MAX + 32];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &st) == 0;
}

static void a_camera_in_a_network_is_recorded_whole(void **state)
{
    const struct scratch *s = *state;
    struct server server = { .serve = { serve_pictures } };
    char address[200], folder[ATOMIC_FILE_PATH_MAX], path[ATOMIC_FILE_PATH_MAX + 32], said[200], lens_path[200],
        record[200];
    const struct lens lens = { SENT_WIDTH, SENT_HEIGHT, 60, { 32, 24 }, -0.05, 0, 0, 0, 0 };
    struct fail why = { .text = "" };
    int status = 0;
    snprintf(said, sizeof said, "%s", scratch_path(s, "said"));
    snprintf(lens_path, sizeof lens_path, "%s", scratch_path(s, "mine.json"));
    snprintf(record, sizeof record, "%s", scratch_path(s, "our record"));
    assert_int_equal(lens_file_write(lens_path, &lens, 0.1, &why), 0);
    server_start(&server);
    snprintf(address, sizeof address, "http://anna:geheim@127.0.0.1:%d/cam/mjpeg", server.port);
    const char *args[] = { "watch",         "--game",   "crokinole", "--no-book", "--no-voice", "--camera",
                           address,         "--record", record,      "--lens",    lens_path,    "--hint",
                           "box:0,0,64,48", "--clips",  record,      NULL };
    pid_t child = start(args, said);
    for (int i = 0; i < PATIENCE && !strstr(text_of(said), "watching"); i++)
        usleep(STEP_US);
    usleep(50 * STEP_US); // some pictures; how many makes no difference
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    server_stop(&server);
    const char *words = text_of(said);
    if (!strstr(words, "recording into") || !strstr(words, "are free") ||
        !strstr(words, "the calls again: ringside review --game crokinole --match '/tmp/") ||
        !strstr(words, "/match.json' '/tmp/") || // with a blank in both, typed as they stand
        !strstr(words, "watching http://127.0.0.1:") || strstr(words, "geheim"))
        fail_msg("%s", words);
    assert_int_equal(recording_find(folder, scratch_path(s, "our record/"), &why), 0);
    assert_true(is_there(folder, "board.json") && is_there(folder, "match.json") &&
                is_there(folder, "segment-00001.mkv"));
    assert_string_equal(text_of(lens_path), (snprintf(path, sizeof path, "%s/lens.json", folder), text_of(path)));
    assert_true(is_there(folder, "hint.json"));
    secrets = 0;
    assert_int_equal(nftw(s->folder, search_one, 8, FTW_PHYS), 0);
    assert_int_equal(secrets, 0);

    // Reviewed with what was used: a lens that is damaged is told by its file.
    FILE *f = fopen(path, "w");
    fputs("{}", f);
    fclose(f);
    struct spawned *r = calloc(1, sizeof *r);
    const char *again[] = { "review", "--game", "crokinole", "--no-book", record, NULL };
    spawned_end(r, 2, again);
    assert_non_null(strstr(r->err, path));
    free(r);
}

static void what_cannot_be_kept_as_it_came_is_refused(void **state)
{
    const struct scratch *s = *state;
    struct spawned *r = calloc(1, sizeof *r);
    const char *record = scratch_path(s, "none");
    const char *args[] = {
        "watch",    "--game", "crokinole", "--no-book", "--no-voice", "--camera", "samples/clips/crokinole_a.mp4",
        "--record", record,   NULL
    };
    spawned_end(r, 2, args);
    assert_non_null(strstr(r->err, "made from one another"));
    assert_false(is_there(record, ".")); // it was made for this
    free(r);
}

// Folders that were made for a watch go with it, others stay.
static void of_a_camera_that_cannot_be_opened_no_folder_is_left(void **state)
{
    const struct scratch *s = *state;
    struct spawned *r = calloc(1, sizeof *r);
    char record[200], clips[200];
    snprintf(record, sizeof record, "%s", scratch_path(s, "refused"));
    snprintf(clips, sizeof clips, "%s", scratch_path(s, "refused clips"));
    const char *args[] = { "watch",           "--game",   "crokinole", "--no-book", "--no-voice", "--camera",
                           "/dev/video-none", "--record", record,      "--clips",   clips,        NULL };
    for (int there = 0; there < 2; there++) {
        if (there)
            assert_true(mkdir(record, 0700) == 0 && mkdir(clips, 0700) == 0);
        spawned_end(r, 3, args);
        if (is_there(record, ".") != there || is_there(clips, ".") != there)
            fail_msg("%d: %s", there, r->err);
    }
    assert_true(rmdir(record) == 0 && rmdir(clips) == 0);
    free(r);
}

// What is missing is found out behind what was written beside the pictures that then never come.
static void of_a_recording_that_does_not_begin_nothing_is_left(void **state)
{
    const struct scratch *s = *state;
    char record[200], lens[200];
    struct fail why = { .text = "" };
    struct source camera = { .kind = NULL };
    struct setup *setup = calloc(1, sizeof *setup);
    struct camera_recording *c = calloc(1, sizeof *c);
    assert_true(setup && c);
    snprintf(record, sizeof record, "%s", scratch_path(s, "unbegun"));
    snprintf(lens, sizeof lens, "%s", scratch_path(s, "nowhere.json"));
    struct options o = { .game = "crokinole", .quiet = true, .record = record };
    assert_int_equal(setup_read(setup, &o, &why), 0);
    o.lens = lens;
    setup->has_lens = true;
    assert_int_equal(camera_recording_name(c, &o, "evening", &why), 0);
    assert_int_equal(camera_recording_begin(c, &o, setup, &camera, NULL, &why), RS_EIO);
    assert_true(is_there(scratch_path(s, "unbegun/evening"), "match.json"));
    camera_recording_end(c);
    assert_false(is_there(record, "."));
    free(c);
    free(setup);
}

// A disk that took no picture may have taken the log, which was judged by what lies beside it.
static void what_was_judged_by_stays_where_pictures_came(void **state)
{
    const struct scratch *s = *state;
    for (int came = 0; came < 2; came++) {
        struct fail why = { .text = "" };
        struct camera_recording *c = calloc(1, sizeof *c);
        assert_non_null(c);
        const struct recorder_wish wish = { c->folder, false, &recorder_limits_usual, &recorder_disk_usual };
        c->clips.quiet = true;
        snprintf(c->folder, sizeof c->folder, "%s", scratch_path(s, came ? "missed" : "nothing"));
        assert_int_equal(mkdir(c->folder, 0700), 0);
        scratch_write(scratch_path(s, came ? "missed/board.json" : "nothing/board.json"), "{}", 2);
        assert_int_equal(recorder_create(&c->recorder, &wish, &why), 0);
        if (came)
            camera_recording_tap(c).take(c, &(struct frame){ .t_s = 0 }); // without the bytes that it came in
        camera_recording_end(c);
        if (is_there(c->folder, "board.json") != came || is_there(c->folder, ".") != came)
            fail_msg("%s", c->folder);
        free(c);
    }
    assert_int_equal(unlink(scratch_path(s, "missed/board.json")), 0);
    assert_int_equal(rmdir(scratch_path(s, "missed")), 0);
}

// Each quote in a name takes four letters to type.
static void where_it_lies_is_told_where_no_command_can_be(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct camera_recording *c = calloc(1, sizeof *c);
    struct playback *p = calloc(1, sizeof *p);
    char folder[200], said[200], wanted[SETUP_PATH_MAX + 100];
    assert_true(c && p);
    snprintf(folder, sizeof folder, "%s", scratch_path(s, "quoted"));
    snprintf(said, sizeof said, "%s", scratch_path(s, "said of it"));
    const struct recorder_wish wish = { folder, false, &recorder_limits_usual, &recorder_disk_usual };
    c->clips.playback = p;
    memset(c->folder, '\'', sizeof c->folder - 1);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(recorder_create(&c->recorder, &wish, &why), 0);
    struct encoded *e = sent_jpeg(1);
    camera_recording_tap(c).take(c, &(struct frame){ .t_s = 0, .encoded = e });
    encoded_release(e);
    fflush(stderr);
    int usual = dup(STDERR_FILENO), file = open(said, O_WRONLY | O_CREAT, 0600);
    assert_true(usual >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    camera_recording_end(c);
    fflush(stderr);
    dup2(usual, STDERR_FILENO);
    close(usual);
    close(file);
    snprintf(wanted, sizeof wanted, "the calls again: ringside review with what is in %s\n", c->folder);
    if (!strstr(text_of(said), wanted))
        fail_msg("%s", text_of(said));
    free(p);
    free(c);
}

static void the_clips_are_whole(const struct scratch *s, const char *clips)
{
    struct fail why = { .text = "" };
    for (int i = 0; i < 6; i++) { // the second has its own name
        static const char *const names[] = { "7.mkv", "7.mp4", "7.jpg", "7-2.mkv", "7-2.mp4", "7-2.jpg" };
        char name[40];
        snprintf(name, sizeof name, "evening-shot-00%s", names[i]);
        if (!is_there(clips, name))
            fail_msg("no %s", name);
    }
    struct scratch made = { .folder = "" };
    snprintf(made.folder, sizeof made.folder, "%.63s", clips);
    assert_int_equal(scratch_count(&made), 6);
    struct source *clip = NULL;
    struct frame *f = NULL;
    int n = 0;
    assert_int_equal(footage_open(&clip, scratch_path(s, "clips/evening-shot-007.mp4"), &why), 0);
    for (; source_next(&f, clip, &why) == 1; n++)
        frame_free(f);
    source_close(clip);
    assert_int_equal(n, 41 + 30); // from 4 to 8 s, and three more in which it stands
}

// Of a call that is firm there is none, nor of what a judge says later.
static void a_close_call_becomes_a_clip(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct playback *p = calloc(1, sizeof *p);
    struct match *m = calloc(1, sizeof *m);
    struct ruling *r = calloc(1, sizeof *r);
    struct camera_recording *c = calloc(1, sizeof *c);
    struct tracked_frame *t = calloc(1, sizeof *t);
    const struct recorder_wish wish = { NULL, true, &recorder_limits_usual, &recorder_disk_usual };
    char clips[200];
    assert_true(p && m && r && c && t);
    snprintf(clips, sizeof clips, "%s", scratch_path(s, "clips"));
    assert_int_equal(mkdir(clips, 0700), 0);
    assert_int_equal(recorder_create(&c->recorder, &wish, &why), 0);
    c->clips.quiet = c->clips.live = true;
    c->clips.playback = p;
    c->clips.recorder = c->recorder;
    snprintf(c->clips.stem, sizeof c->clips.stem, "%s/evening", clips);
    assert_int_equal(call_clips_begin(&c->clips, &why), 0);
    for (int i = 0; i < 100; i++) {
        struct encoded *e = sent_jpeg(i);
        camera_recording_tap(c).take(c, &(struct frame){ .t_s = 0.1 * i, .number = i, .encoded = e });
        encoded_release(e);
    }
    struct announcer a = call_clips_announcer(&c->clips);
    p->begun = true;
    match_begin(&p->adjudication.match, &crokinole_game, board_builtin("crokinole-nca"), NULL,
                &p->adjudication.amended);
    p->resumed_s = 100; // the match went on from there
    m->shot.number = 7;
    m->shot.start_s = 106;
    r->shot_ended = true;
    call_add(&r->calls, "", "zone", "black 15")->firm = true;
    assert_int_equal(a.say(a.self, m, r, &why), 0);
    r->calls.call[0].firm = false;
    t->t_s = 8.05;
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(a.say(a.self, m, r, &why), 0);
        call_clips_settle(&c->clips, &t->pose, &t->view, t->t_s);
        for (int i = 0; i < PATIENCE && !is_there(clips, "evening-shot-007.jpg"); i++)
            usleep(STEP_US);
    }
    r->calls.call[0].change = CALL_INSTEAD;
    assert_int_equal(a.say(a.self, m, r, &why), 0);
    call_clips_settle(&c->clips, &t->pose, &t->view, t->t_s);
    camera_recording_end(c);
    assert_true(is_there(clips, "evening-shot-007.mkv"));
    struct segment_reader *reader = NULL;
    struct encoded *e = NULL;
    struct picture_mark mark;
    assert_int_equal(segment_open(&reader, scratch_path(s, "clips/evening-shot-007.mkv"), &why), 0);
    assert_int_equal(segment_read(&e, &mark, reader, &why), 1);
    assert_true(mark.t_s > 3.99 && mark.t_s < 4.11); // two seconds before it
    encoded_release(e);
    segment_reader_free(reader);
    the_clips_are_whole(s, clips);
    free(t);
    free(c);
    free(r);
    free(m);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_review_of_it_makes_the_same_log),
        cmocka_unit_test(a_camera_in_a_network_is_recorded_whole),
        cmocka_unit_test(a_close_call_becomes_a_clip),
        cmocka_unit_test(what_cannot_be_kept_as_it_came_is_refused),
        cmocka_unit_test(of_a_recording_that_does_not_begin_nothing_is_left),
        cmocka_unit_test(of_a_camera_that_cannot_be_opened_no_folder_is_left),
        cmocka_unit_test(what_was_judged_by_stays_where_pictures_came),
        cmocka_unit_test(where_it_lies_is_told_where_no_command_can_be),
    };
    alarm(600); // a test that waits for ever is a failed one
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL); // whoever runs the tests in the background ignores it, and so would the program
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
