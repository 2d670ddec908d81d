// SPDX-License-Identifier: MIT
#include "vision/source/camera_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/clock.h"

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int own_nodes(void *self, int *out, int most)
{
    (void)self;
    DIR *folder = opendir("/dev");
    int count = 0;
    for (struct dirent *entry; folder && count < most && (entry = readdir(folder));) {
        int number, used = 0;
        if (sscanf(entry->d_name, "video%4d%n", &number, &used) == 1 && entry->d_name[used] == '\0' && number >= 0)
            out[count++] = number;
    }
    if (folder)
        closedir(folder);
    qsort(out, (size_t)count, sizeof *out, by_number);
    return count;
}

static int own_open(void *self, const char *path)
{
    struct stat st;
    (void)self;
    if (stat(path, &st) != 0)
        return -1;
    if (!S_ISCHR(st.st_mode)) { // opened, a pipe would wait and a tape would wind
        errno = ENOTTY;
        return -1;
    }
    return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static int own_convert(void *self, int fd)
{
    (void)self;
    return v4l2_fd_open(fd, 0) < 0 ? -1 : 0;
}

// What was not given to own_convert, libv4l hands on to the kernel as it is.
static int own_ioctl(void *self, int fd, unsigned long request, void *argument)
{
    int rc;
    (void)self;
    do
        rc = v4l2_ioctl(fd, request, argument);
    while (rc < 0 && errno == EINTR);
    return rc;
}

static void *own_map(void *self, int fd, size_t length, int64_t offset)
{
    (void)self;
    void *at = v4l2_mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    return at == MAP_FAILED ? NULL : at;
}

static void own_unmap(void *self, void *at, size_t length)
{
    (void)self;
    v4l2_munmap(at, length);
}

static int own_poll(void *self, int fd, int wait_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
    (void)self;
    int rc = poll(&p, 1, wait_ms);
    return rc > 0 ? p.revents : rc == 0 || errno == EINTR ? 0 : -1;
}

static void own_close(void *self, int fd)
{
    (void)self;
    v4l2_close(fd);
}

static double own_awake_s(void *self)
{
    (void)self;
    return clock_s();
}

static double own_booted_s(void *self)
{
    (void)self;
    return clock_booted_s();
}

const struct camera_system camera_system_own = {
    .nodes = own_nodes,
    .open = own_open,
    .convert = own_convert,
    .ioctl = own_ioctl,
    .map = own_map,
    .unmap = own_unmap,
    .poll = own_poll,
    .close = own_close,
    .awake_s = own_awake_s,
    .booted_s = own_booted_s,
};
