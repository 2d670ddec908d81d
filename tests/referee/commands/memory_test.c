// SPDX-License-Identifier: MIT
// Every place of ours that asks for memory is refused it once: the command ends with RS_ENOMEM and says so, never by a signal,
// never as if nothing had been.
//
// The linker hands our own calls of malloc, calloc and realloc to the functions below (Makefile, WRAPPED_MEMORY); libraries keep
// theirs. Each try is a process of its own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "referee/commands/verbs.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

enum { SITES_MAX = 1024, ARGS_MAX = 12 };
enum { UNTOLD_MAX = 0 }; // of all commands together

// Of all tries; shared with the processes.
static struct shared {
    int sites;
    const void *site[SITES_MAX]; // where memory was asked for
    const void *refuse;          // NULL: none, the sites are written down
    bool refused;
    bool over; // the command has come back: what the process asks for to end itself is not the command's
    int rc;    // what the command gave back
    char said[512];
} * shared;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool is_refused(const void *site)
{
    if (!shared || shared->refused || shared->over)
        return false;
    if (shared->refuse)
        return shared->refused = site == shared->refuse;
    for (int i = 0; i < shared->sites; i++)
        if (shared->site[i] == site)
            return false;
    if (shared->sites < SITES_MAX)
        shared->site[shared->sites++] = site;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __real_realloc(old, size);
}

// As the program runs it. The wait status of the process.
static int try_once(const struct verb *v, const char *const *args, const void *refuse)
{
    int status = 0;
    shared->refuse = refuse;
    shared->refused = shared->over = false;
    FILE *told = tmpfile();
    assert_non_null(told);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct options o;
        struct fail why = { .text = "" };
        char *argv[ARGS_MAX];
        int n = 0;
        dup2(open("/dev/null", O_RDWR), 1);
        dup2(fileno(told), 2);
        for (; args[n]; n++)
            argv[n] = (char *)(uintptr_t)args[n];
        shared->rc = options_parse(&o, v->flags, n, argv, &why);
        if (shared->rc == 0)
            shared->rc = v->run(&o, &why);
        shared->over = true;
        fprintf(stderr, "%s\n", why.text); // as main does
        exit(0);                           // under the sanitizers a leak is told here
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    rewind(told);
    shared->said[fread(shared->said, 1, sizeof shared->said - 1, told)] = '\0';
    fclose(told);
    return status;
}

static void must_tell(const char *what, const struct verb *v, const char *const *args)
{
    extern const char __executable_start;
    static int bad;
    int before = shared->sites;
    if (try_once(v, args, NULL) != 0 || shared->rc != 0)
        fail_msg("%s: %s", what, shared->said);
    for (int i = before; i < shared->sites; i++) { // those that no command before came by
        int status = try_once(v, args, shared->site[i]);
        if (status == 0 && shared->refused && shared->rc == RS_ENOMEM && strstr(shared->said, "no memory"))
            continue;
        bad++;
        print_error("%s, refused at 0x%tx: %s %d, said \"%s\"\n", what,
                    (const char *)shared->site[i] - &__executable_start, status ? "status" : "code",
                    status ? status : shared->rc, status ? "" : shared->said);
    }
    print_message("%s: %d places\n", what, shared->sites - before);
    if (bad > UNTOLD_MAX)
        fail_msg("%d places do not tell; addr2line -e names them", bad);
}

// Four seconds of a sample: every third frame.
static void put_footage(const struct scratch *s, const char *name, const char *clip)
{
    struct fail why = { .text = "" };
    struct source *in = NULL;
    struct movie *m = NULL;
    struct frame *f = NULL;
    assert_int_equal(footage_open(&in, clip, &why), 0);
    assert_int_equal(movie_create(&m, scratch_path(s, name), source_info(in)->width, source_info(in)->height, 10, &why),
                     0);
    while (source_next(in, &f, &why) == 1) {
        if (f->number % 3 == 0 && f->t_s < 4)
            assert_int_equal(movie_add(m, f, &why), 0);
        frame_free(f);
    }
    assert_int_equal(movie_finish(m, &why), 0);
    source_close(in);
}

static int begin(void **state)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? -1 : scratch_create(state);
}

static void a_picture_of_discs(void **state)
{
    const struct scratch *s = *state;
    must_tell("look", &look_verb,
              (const char *[]){ "--game", "crokinole", "--out", s->folder, "samples/pictures/crokinole_02.jpg", NULL });
}

static void a_picture_from_beside_the_table(void **state)
{
    const struct scratch *s = *state;
    must_tell("look", &look_verb,
              (const char *[]){ "--game", "crokinole", "--out", s->folder, "samples/pictures/table_02.jpg", NULL });
}

static void a_picture_of_marbles(void **state)
{
    const struct scratch *s = *state;
    must_tell(
        "look", &look_verb,
        (const char *[]){ "--game", "american-marbles", "--out", s->folder, "samples/pictures/marbles_01.jpg", NULL });
}

static void footage(void **state)
{
    const struct scratch *s = *state;
    const char *path = scratch_path(s, "a.mp4");
    put_footage(s, "a.mp4", "samples/clips/crokinole_a.mp4");
    must_tell("review", &review_verb,
              (const char *[]){ "--game", "crokinole", "--quiet", "--video", "--debug-video", path, NULL });
}

static void a_log(void **state)
{
    const struct scratch *s = *state; // what review wrote
    must_tell("judge", &judge_verb, (const char *[]){ scratch_path(s, "a.ringside.jsonl"), NULL });
}

static void a_board_and_its_quality(void **state)
{
    const struct scratch *s = *state;
    must_tell("calibrate board", &calibrate_board_verb,
              (const char *[]){ "--game", "crokinole", "--out", scratch_path(s, "b.board.json"),
                                "samples/pictures/crokinole_02.jpg", NULL });
    must_tell("calibrate check", &calibrate_check_verb,
              (const char *[]){ "--game", "crokinole", "samples/pictures/crokinole_02.jpg", NULL });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_of_discs),
        cmocka_unit_test(a_picture_from_beside_the_table),
        cmocka_unit_test(a_picture_of_marbles),
        cmocka_unit_test(footage),
        cmocka_unit_test(a_log),
        cmocka_unit_test(a_board_and_its_quality),
    };
    return cmocka_run_group_tests(tests, begin, scratch_remove);
}
