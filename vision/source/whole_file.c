// SPDX-License-Identifier: MIT
#include "vision/source/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 1 << 16 };

// Reads on, doubling the buffer, until the end or one byte beyond the limit. A size asked for beforehand would be wrong
// for a pipe.
static int read_all(uint8_t **out, size_t *size, FILE *in, size_t most)
{
    size_t room = 0;
    for (;;) {
        if (*size == room) {
            room = room ? 2 * room : FIRST_BYTES;
            uint8_t *more = realloc(*out, room);
            if (!more)
                return ENOMEM;
            *out = more;
        }
        errno = 0;
        size_t got = fread(*out + *size, 1, room - *size, in);
        *size += got;
        if (*size > most || (got == 0 && feof(in)))
            return 0;
        if (got == 0)
            return errno ? errno : EIO;
    }
}

int whole_file_read(uint8_t **out, size_t *size, const char *path, size_t most, struct fail *why)
{
    *out = NULL;
    *size = 0;
    FILE *in = fopen(path, "rb");
    if (!in)
        return rs_fail(why, RS_EIO, "%s: %s", path, strerror(errno));
    struct stat st;
    int failed = fstat(fileno(in), &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (failed == 0)
        failed = read_all(out, size, in, most);
    fclose(in);
    int rc = 0;
    if (failed)
        rc = rs_fail(why, RS_EIO, "%s: %s", path, strerror(failed));
    else if (*size == 0)
        rc = rs_fail(why, RS_EINPUT, "%s: the file is empty", path);
    else if (*size > most)
        rc = rs_fail(why, RS_EINPUT, "%s: larger than %zu MB, which no photo is", path, most >> 20);
    if (rc < 0) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

static int write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR)
            return errno;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int whole_file_write(const char *path, const void *bytes, size_t size, struct fail *why)
{
    size_t room = strlen(path) + 32;
    char *temp = malloc(room);
    if (!temp)
        abort();
    snprintf(temp, room, "%s.%ld.part", path, (long)getpid());
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int failed = fd < 0 ? errno : write_all(fd, bytes, size);
    if (fd >= 0) {
        if (close(fd) != 0 && failed == 0) // a full disk may be told only here
            failed = errno;
        if (failed == 0 && rename(temp, path) != 0)
            failed = errno;
        if (failed)
            unlink(temp);
    }
    free(temp);
    return failed ? rs_fail(why, RS_EIO, "%s: cannot be written: %s", path, strerror(failed)) : 0;
}
