// SPDX-License-Identifier: MIT
#include "calibration/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/interrupt.h"

int whole_file_open(FILE **out, const char *path, struct fail *why)
{
    enum { LOOK_MS = 200 }; // for a signal that came before poll, which one that comes during it breaks off
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ready = fd < 0 ? -1 : 0, rc = 0;
    struct pollfd data = { .fd = fd, .events = POLLIN };
    while (fd >= 0 && rc == 0 && (ready == 0 || (ready < 0 && errno == EINTR))) {
        ready = poll(&data, 1, LOOK_MS);
        rc = ready > 0 ? 0 : interrupt_check(why);
    }
    *out = rc == 0 && ready > 0 && fcntl(fd, F_SETFL, 0) == 0 ? fdopen(fd, "rb") : NULL;
    if (*out)
        return 0;
    rc = rc < 0 ? rc : rs_fail(why, errno == ENOMEM ? RS_ENOMEM : RS_EIO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return rc;
}

int whole_file_read(uint8_t **out, size_t *size, const char *path, size_t most, struct fail *why)
{
    *out = NULL;
    *size = 0;
    enum { FIRST_BYTES = 1 << 16 };
    size_t room = 0;
    FILE *in;
    struct stat st;
    int rc = whole_file_open(&in, path, why);
    if (rc < 0)
        return rc;
    int failed = fstat(fileno(in), &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    // Doubles the buffer until the end or one byte beyond the limit; the size of a pipe cannot be asked for.
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
        if (got == 0 && !failed && !feof(in) && errno == EINTR) {
            clearerr(in);
            more = true;
        } else if (got == 0 && !failed && !feof(in)) {
            failed = errno ? errno : EIO;
        }
    }
    fclose(in);
    if (failed == ENOMEM)
        rc = rs_fail(why, RS_ENOMEM, "%s: no memory for what is in it", path);
    else if (failed)
        rc = rs_fail(why, RS_EIO, "%s: %s", path, strerror(failed));
    else if (*size == 0)
        rc = rs_fail(why, RS_EINPUT, "%s: the file is empty", path);
    else if (*size > most)
        rc = rs_fail(why, RS_EINPUT, "%s: larger than %zu %s, the most that is read", path,
                     most >> (most >> 20 ? 20 : 10), most >> 20 ? "MB" : "KB");
    if (rc < 0) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

int whole_file_write(const char *path, const void *bytes, size_t size, struct fail *why)
{
    struct atomic_file f;
    int rc = atomic_file_begin(&f, path, why);
    if (rc == 0)
        rc = atomic_file_write(&f, bytes, size, why);
    if (rc == 0)
        rc = atomic_file_finish(&f, why);
    atomic_file_drop(&f);
    return rc;
}
