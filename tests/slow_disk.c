// SPDX-License-Identifier: MIT
// slow_disk.c: loaded into a program (LD_PRELOAD), lets it wait for the disk as long as one that many share may take:
// DISK_MS milliseconds for each call that asks for what was written to be safe. Linux.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int synced(long call, int file)
{
    const char *ms = getenv("DISK_MS");
    usleep(ms ? 1000 * (useconds_t)atoi(ms) : 0);
    return (int)syscall(call, file);
}

int fsync(int file)
{
    return synced(SYS_fsync, file);
}

int fdatasync(int file)
{
    return synced(SYS_fdatasync, file);
}
