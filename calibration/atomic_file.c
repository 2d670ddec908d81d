// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // renameat2
#include "calibration/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".ringside-"
#define ENDING ".part"

static int refused(const char *path, const char *reason, struct fail *why)
{
    return rs_fail(why, RS_EIO, "%.300s: cannot be written: %s", path, reason);
}

int atomic_file_check(const char *path, struct fail *why)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return 0; // whoever makes it is told why not
    if (S_ISLNK(st.st_mode))
        return refused(path, "a symbolic link is there, and none is followed or replaced", why);
    if (S_ISDIR(st.st_mode))
        return refused(path, strerror(EISDIR), why);
    if (!S_ISREG(st.st_mode))
        return refused(path, "what is there is no plain file, and is not replaced", why);
    if (access(path, W_OK) != 0 && errno != ENOENT)
        return refused(path, strerror(errno), why);
    return 0;
}

// -1 with errno.
static int make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0)
        flock(fd, LOCK_EX | LOCK_NB); // where there are no locks, nothing is taken for left behind
    return fd;
}

int atomic_file_open(int *out, const char *path, struct fail *why)
{
    *out = make(path);
    return *out < 0 ? refused(path, strerror(errno), why) : 0;
}

// The process by whose number the name says that it is written; 0: it is no such name.
static long writer_of(const char *name)
{
    size_t length = strlen(name), ending = strlen(ENDING);
    const char *mark = NULL;
    for (const char *at = name; (at = strstr(at, MARK)); at++)
        mark = at;
    if (!mark || mark == name || length < ending || strcmp(name + length - ending, ENDING) != 0)
        return 0;
    const char *number = mark + strlen(MARK);
    size_t digits = strspn(number, "0123456789");
    return digits > 0 && digits < 10 && number + digits == name + length - ending ? strtol(number, NULL, 10) : 0;
}

bool atomic_file_is_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return writer_of(slash ? slash + 1 : path) > 0;
}

bool atomic_file_is_abandoned(int fd, long pid)
{
    struct stat st;
    if (pid <= 0 || fstat(fd, &st) != 0 || st.st_uid != geteuid())
        return false;
    // Numbers are used again; and another container has its own, so that a lock has to say the same.
    bool lives = pid != (long)getpid() && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);
    return !lives && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void clear_one(int folder, const char *name)
{
    struct stat st;
    long pid = writer_of(name);
    int fd = pid > 0 ? openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 && atomic_file_is_abandoned(fd, pid))
        unlinkat(folder, name, 0);
    close(fd);
}

void atomic_file_clear(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        clear_one(dirfd(d), e->d_name);
    if (d)
        closedir(d);
}

int atomic_file_plan(struct atomic_file *f, const char *path, struct fail *why)
{
    *f = (struct atomic_file){ .fd = -1 };
    int rc = atomic_file_check(path, why);
    if (rc < 0)
        return rc;
    int length = snprintf(f->part, sizeof f->part, "%s" MARK "%ld" ENDING, path, (long)getpid());
    if (length >= ATOMIC_FILE_PATH_MAX) {
        f->part[0] = '\0';
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", path);
    }
    snprintf(f->path, sizeof f->path, "%s", path);
    clear_one(AT_FDCWD, f->part); // a killed program may have had our number
    return 0;
}

int atomic_file_begin(struct atomic_file *f, const char *path, struct fail *why)
{
    int rc = atomic_file_plan(f, path, why);
    if (rc == 0 && (f->fd = make(f->part)) < 0) {
        f->part[0] = '\0'; // whatever stands there is not ours
        rc = refused(path, strerror(errno), why);
    }
    return rc;
}

int atomic_file_write(struct atomic_file *f, const void *bytes, size_t size, struct fail *why)
{
    for (const uint8_t *next = bytes; size > 0;) {
        ssize_t n = write(f->fd, next, size);
        if (n < 0 && errno != EINTR)
            return refused(f->path, strerror(errno), why);
        next += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int atomic_file_finish(struct atomic_file *f, struct fail *why)
{
    int fd = f->fd >= 0 ? f->fd : open(f->part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int failed = fd < 0 ? errno : 0, rc = 0;
    f->fd = -1;
    while (!failed && fsync(fd) != 0 && (failed = errno) == EINTR)
        failed = 0;
    if (failed == EINVAL || failed == EROFS) // there is no disk that could be waited for
        failed = 0;
    if (fd >= 0 && close(fd) != 0 && !failed) // a full disk may show only here
        failed = errno;
    if (!failed)
        rc = atomic_file_check(f->path, why); // time has passed
    if (!failed && rc == 0 && rename(f->part, f->path) != 0)
        failed = errno;
    if (failed)
        rc = refused(f->path, strerror(failed), why);
    if (rc == 0)
        f->part[0] = '\0';
    atomic_file_drop(f);
    return rc;
}

// 0, or the errno. In one step where the file system can, by whichever call it has: NFS and FUSE have the second.
static int give_free_name(const char *part, const char *path)
{
    if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    struct stat st;
    int failed = link(part, path) == 0 ? 0 : errno;
    if (failed == EEXIST && lstat(part, &st) == 0 && st.st_nlink == 2)
        failed = 0; // link(2): NFS may have done it and lost its answer
    if (!failed && unlink(part) != 0) {
        failed = errno;
        unlink(path); // the file is the caller's again, under the name it had
    }
    if (failed != EPERM && failed != EOPNOTSUPP && failed != ENOSYS)
        return failed;
    return lstat(path, &st) == 0 ? EEXIST : rename(part, path) == 0 ? 0 : errno;
}

int atomic_file_claim(struct atomic_file *f, struct fail *why)
{
    int failed = give_free_name(f->part, f->path);
    if (failed)
        return refused(f->path, strerror(failed), why);
    f->part[0] = '\0';
    return 0;
}

void atomic_file_drop(struct atomic_file *f)
{
    if (!f->part[0])
        return;
    if (f->fd >= 0)
        close(f->fd);
    unlink(f->part);
    f->part[0] = '\0';
    f->fd = -1;
}
