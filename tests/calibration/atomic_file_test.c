// SPDX-License-Identifier: MIT
// A file that is made takes the place of an older plain one in one step and of nothing else; what a killed program
// leaves is removed, and nothing that anybody may still want.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "calibration/atomic_file.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "tests/vision/scratch.h"

enum { NOBODY = 65534 };

static bool holds(const char *path, const char *text)
{
    char read[64] = "";
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(read, 1, sizeof read - 1, f) : 0;
    if (f)
        fclose(f);
    return f && n == strlen(text) && strcmp(read, text) == 0;
}

// The number of a process that surely lives no more.
static long dead(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

static void an_older_file_stays_until_the_new_one_is_whole(void **state)
{
    const char *path = scratch_path(*state, "a.json");
    struct atomic_file f;
    struct fail why = { .text = "" };
    assert_int_equal(whole_file_write(path, "old", 3, &why), 0);
    assert_int_equal(atomic_file_begin(&f, path, &why), 0);
    assert_int_equal(atomic_file_write(&f, "new", 3, &why), 0);
    assert_true(holds(path, "old") && holds(f.part, "new"));
    atomic_file_drop(&f);
    assert_true(holds(path, "old"));
    assert_int_equal(scratch_count(*state), 1);
    assert_int_equal(whole_file_write(path, "new", 3, &why), 0);
    assert_true(holds(path, "new"));
    assert_int_equal(scratch_count(*state), 1);
}

// The other name of a hard link keeps what it had: a new file comes, the old one is not written into.
static void a_hard_link_keeps_what_it_had(void **state)
{
    const char *path = scratch_path(*state, "a.json"), *other = scratch_path(*state, "other");
    struct fail why = { .text = "" };
    scratch_write(other, "old", 3);
    assert_int_equal(link(other, path), 0);
    assert_int_equal(whole_file_write(path, "new", 3, &why), 0);
    assert_true(holds(path, "new") && holds(other, "old"));
}

static void only_a_plain_file_is_replaced(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    int fd = -1;
    scratch_write(scratch_path(s, "target"), "old", 3);
    assert_int_equal(symlink("target", scratch_path(s, "link")), 0);
    assert_int_equal(symlink("nothing", scratch_path(s, "dangling")), 0);
    assert_int_equal(mkfifo(scratch_path(s, "pipe"), 0600), 0);
    static const char *const refused[] = { "link", "dangling", "pipe" };
    for (size_t i = 0; i < countof(refused); i++) {
        const char *path = scratch_path(s, refused[i]);
        assert_int_equal(whole_file_write(path, "new", 3, &why), RS_EIO);
        assert_non_null(strstr(why.text, path));
        assert_int_equal(atomic_file_open(&fd, path, &why), RS_EIO);
    }
    assert_int_equal(whole_file_write(s->folder, "new", 3, &why), RS_EIO);
    assert_true(holds(scratch_path(s, "target"), "old"));
    assert_true(access(scratch_path(s, "nothing"), F_OK) < 0);
    assert_int_equal(scratch_count(s), 4);
}

static void what_comes_there_meanwhile_is_not_replaced(void **state)
{
    const char *path = scratch_path(*state, "a.json");
    struct atomic_file f;
    struct fail why = { .text = "" };
    assert_int_equal(atomic_file_begin(&f, path, &why), 0);
    assert_int_equal(symlink("elsewhere", path), 0);
    assert_int_equal(atomic_file_finish(&f, &why), RS_EIO);
    assert_non_null(strstr(why.text, "symbolic link"));
    assert_int_equal(scratch_count(*state), 1);
}

// By somebody for whom it is protected: not root, as whom tests may run.
static void a_protected_file_is_not_replaced(void **state)
{
    const char *path = scratch_path(*state, "a.json");
    int status = 0;
    scratch_write(path, "old", 3);
    assert_int_equal(chmod(path, 0444) | chmod(((struct scratch *)*state)->folder, 0777), 0);
    pid_t child = fork();
    if (child == 0) {
        struct fail why = { .text = "" };
        bool nobody = geteuid() != 0 || setuid(NOBODY) == 0;
        _exit(!(nobody && whole_file_write(path, "new", 3, &why) == RS_EIO && strstr(why.text, strerror(EACCES))));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(holds(path, "old"));
    assert_int_equal(scratch_count(*state), 1);
}

static void a_recording_is_made_where_there_is_nothing(void **state)
{
    const char *path = scratch_path(*state, "a.jsonl");
    struct fail why = { .text = "" };
    int fd = -1;
    assert_int_equal(atomic_file_open(&fd, path, &why), 0);
    close(fd);
    assert_int_equal(atomic_file_open(&fd, path, &why), RS_EIO);
    assert_non_null(strstr(why.text, strerror(EEXIST)));
}

static void only_what_the_dead_left_is_removed(void **state)
{
    const struct scratch *s = *state;
    char name[64];
    long gone = dead();
    static const char *const left[] = { "a.mp4.ringside-%ld.part", "b.ringside-1.ringside-%ld.part" };
    static const char *const kept[] = {
        "a.mp4.%ld.part",          "a.mp4.part",           ".ringside-%ld.part",
        "a.ringside-%ld.part.txt", "a.ringside-%ldx.part", "a.ringside-.part",
        "a.ringside-0.part",       "a.ringside-%ld",       "a.ringside-123456789012.part",
    };
    for (size_t i = 0; i < countof(left) + countof(kept); i++) {
        snprintf(name, sizeof name, i < countof(left) ? left[i] : kept[i - countof(left)], gone);
        scratch_write(scratch_path(s, name), "x", 1);
    }
    snprintf(name, sizeof name, "living.ringside-%ld.part", (long)getppid());
    scratch_write(scratch_path(s, name), "x", 1);
    snprintf(name, sizeof name, "link.ringside-%ld.part", gone);
    assert_int_equal(symlink("a.mp4.part", scratch_path(s, name)), 0);
    snprintf(name, sizeof name, "twice.ringside-%ld.part", gone);
    assert_int_equal(link(scratch_path(s, "a.mp4.part"), scratch_path(s, name)), 0);
    snprintf(name, sizeof name, "folder.ringside-%ld.part", gone);
    assert_int_equal(mkdir(scratch_path(s, name), 0700), 0);
    atomic_file_clear(s->folder);
    assert_int_equal(scratch_count(s), (int)countof(kept) + 4);
    for (size_t i = 0; i < countof(left); i++) {
        snprintf(name, sizeof name, left[i], gone);
        assert_true(access(scratch_path(s, name), F_OK) < 0);
    }
    snprintf(name, sizeof name, "folder.ringside-%ld.part", gone);
    rmdir(scratch_path(s, name));
}

// In another container a process may have a number that is free here.
static void what_is_locked_is_being_written(void **state)
{
    char name[64];
    snprintf(name, sizeof name, "a.ringside-%ld.part", dead());
    const char *path = scratch_path(*state, name);
    struct fail why = { .text = "" };
    int fd = -1;
    assert_int_equal(atomic_file_open(&fd, path, &why), 0);
    atomic_file_clear(((struct scratch *)*state)->folder);
    assert_int_equal(access(path, F_OK), 0);
    close(fd);
    atomic_file_clear(((struct scratch *)*state)->folder);
    assert_true(access(path, F_OK) < 0);
}

static void a_leftover_with_our_own_number_is_in_nobodys_way(void **state)
{
    const char *path = scratch_path(*state, "a.json");
    char part[300];
    struct fail why = { .text = "" };
    snprintf(part, sizeof part, "%s.ringside-%ld.part", path, (long)getpid());
    scratch_write(part, "left", 4);
    assert_int_equal(whole_file_write(path, "new", 3, &why), 0);
    assert_true(holds(path, "new"));
    assert_int_equal(scratch_count(*state), 1);
}

// What the file system answers for these; 0: as it is.
static int errno_of_renameat2, errno_of_link;
static bool answer_is_lost; // of a link that was made

int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (errno_of_renameat2 == 0)
        return __real_renameat2(from_folder, from, to_folder, to, flags);
    errno = errno_of_renameat2;
    return -1;
}

int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to)
{
    if (errno_of_link == 0)
        return __real_link(from, to);
    if (answer_is_lost)
        __real_link(from, to);
    errno = errno_of_link;
    return -1;
}

static void claim_free_and_taken_name(const struct scratch *s)
{
    const char *path = scratch_path(s, "a.log");
    struct atomic_file f, second;
    struct fail why = { .text = "" };
    assert_int_equal(atomic_file_begin(&f, path, &why), 0);
    assert_int_equal(atomic_file_write(&f, "1", 1, &why), 0);
    assert_int_equal(atomic_file_claim(&f, &why), 0);
    assert_true(f.part[0] == '\0' && holds(path, "1"));
    assert_int_equal(scratch_count(s), 1);
    assert_int_equal(atomic_file_write(&f, "2", 1, &why), 0);
    assert_true(holds(path, "12"));
    close(f.fd);

    assert_int_equal(atomic_file_begin(&second, path, &why), 0);
    assert_int_equal(atomic_file_claim(&second, &why), RS_EIO);
    assert_non_null(strstr(why.text, "a.log: cannot be written: File exists"));
    atomic_file_drop(&second);
    assert_true(holds(path, "12"));
    assert_int_equal(scratch_count(s), 1);
    unlink(path);
}

// Whatever the file system can do in one step: most; NFS and FUSE; neither.
static void a_claimed_name_is_nobody_elses(void **state)
{
    static const int can[][2] = { { 0, 0 }, { EINVAL, 0 }, { ENOSYS, 0 }, { EINVAL, EPERM } };
    for (size_t i = 0; i < countof(can); i++) {
        errno_of_renameat2 = can[i][0], errno_of_link = can[i][1];
        claim_free_and_taken_name(*state);
    }
    errno_of_renameat2 = errno_of_link = 0;
}

// A name that comes while it is looked for is not replaced: there is no look before the step.
static void a_claim_is_one_step_where_there_is_no_such_rename(void **state)
{
    const char *path = scratch_path(*state, "a.log");
    struct atomic_file f;
    struct fail why = { .text = "" };
    assert_int_equal(atomic_file_begin(&f, path, &why), 0);
    errno_of_renameat2 = EINVAL, errno_of_link = EEXIST; // another has come: only the step itself can say so
    assert_int_equal(atomic_file_claim(&f, &why), RS_EIO);
    errno_of_renameat2 = errno_of_link = 0;
    assert_non_null(strstr(why.text, "File exists"));
    atomic_file_drop(&f);
    assert_int_equal(scratch_count(*state), 0);
}

static void a_claim_whose_answer_is_lost_was_made(void **state)
{
    const char *path = scratch_path(*state, "a.log");
    struct atomic_file f;
    struct fail why = { .text = "" };
    assert_int_equal(atomic_file_begin(&f, path, &why), 0);
    assert_int_equal(atomic_file_write(&f, "1", 1, &why), 0);
    errno_of_renameat2 = EINVAL, errno_of_link = EEXIST, answer_is_lost = true;
    int rc = atomic_file_claim(&f, &why);
    errno_of_renameat2 = errno_of_link = 0, answer_is_lost = false;
    assert_int_equal(rc, 0);
    assert_true(holds(path, "1"));
    assert_int_equal(scratch_count(*state), 1);
    close(f.fd);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, scratch_create, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(an_older_file_stays_until_the_new_one_is_whole),
        IN_A_FOLDER(a_hard_link_keeps_what_it_had),
        IN_A_FOLDER(only_a_plain_file_is_replaced),
        IN_A_FOLDER(what_comes_there_meanwhile_is_not_replaced),
        IN_A_FOLDER(a_protected_file_is_not_replaced),
        IN_A_FOLDER(a_recording_is_made_where_there_is_nothing),
        IN_A_FOLDER(only_what_the_dead_left_is_removed),
        IN_A_FOLDER(what_is_locked_is_being_written),
        IN_A_FOLDER(a_leftover_with_our_own_number_is_in_nobodys_way),
        IN_A_FOLDER(a_claimed_name_is_nobody_elses),
        IN_A_FOLDER(a_claim_is_one_step_where_there_is_no_such_rename),
        IN_A_FOLDER(a_claim_whose_answer_is_lost_was_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
