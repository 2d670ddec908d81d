// SPDX-License-Identifier: MIT
#include "calibration/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int whole_file_read(uint8_t **out, size_t *size, const char *path, size_t most, struct fail *why)
{
    *out = NULL;
    *size = 0;
    enum { FIRST_BYTES = 1 << 16 };
    size_t room = 0;
    FILE *in = fopen(path, "rb");
    if (!in)
        return rs_fail(why, RS_EIO, "%s: %s", path, strerror(errno));
    struct stat st;
    int failed = fstat(fileno(in), &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    // Doubles the buffer until the end or one byte beyond the limit; a size asked for beforehand would be wrong for a pipe.
    for (bool more = !failed; more;) {
        if (*size == room) {
            room = room ? 2 * room : FIRST_BYTES;
            uint8_t *grown = realloc(*out, room);
            failed = grown ? 0 : ENOMEM;
            *out = grown ? grown : *out;
        }
        errno = 0;
        size_t got = failed ? 0 : fread(*out + *size, 1, room - *size, in);
        *size += got;
        more = got > 0 && *size <= most;
        if (got == 0 && !failed && !feof(in))
            failed = errno ? errno : EIO;
    }
    fclose(in);
    int rc = 0;
    if (failed == ENOMEM)
        rc = rs_fail(why, RS_ENOMEM, "%s: no memory for what is in it", path);
    else if (failed)
        rc = rs_fail(why, RS_EIO, "%s: %s", path, strerror(failed));
    else if (*size == 0)
        rc = rs_fail(why, RS_EINPUT, "%s: the file is empty", path);
    else if (*size > most)
        rc = rs_fail(why, RS_EINPUT, "%s: larger than %zu MB, the most that is read", path, most >> 20);
    if (rc < 0) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

int whole_file_write(const char *path, const void *bytes, size_t size, struct fail *why)
{
    size_t room = strlen(path) + 32;
    char *temp = malloc(room);
    if (!temp)
        return rs_fail(why, RS_ENOMEM, "%s: no memory", path);
    snprintf(temp, room, "%s.%ld.part", path, (long)getpid());
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int failed = fd < 0 ? errno : 0;
    for (const uint8_t *next = bytes; !failed && size > 0;) {
        ssize_t n = write(fd, next, size);
        if (n < 0 && errno != EINTR)
            failed = errno;
        next += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
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
