// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memfd_create
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calibration/foreign.h"
#include "calibration/units.h"

const struct fuzz_target fuzz_targets[] = {
    { "bundle", fuzz_bundle },
    { "camera", fuzz_camera },
    { "command", fuzz_command },
    { "decoded", fuzz_decoded },
    { "file", fuzz_file },
    { "fold", fuzz_fold },
    { "footage", fuzz_footage },
    { "log", fuzz_log },
    { "picture", fuzz_picture },
    { "record", fuzz_record },
    { NULL, NULL },
};

void fuzz_must(bool holds, const char *words)
{
    if (holds)
        return;
    fprintf(stderr, "a promise is broken: %s\n", words);
    abort();
}

bool fuzz_refused(int rc, const struct fail *why)
{
    if (rc >= 0)
        return false;
    fuzz_must(rc >= RS_ENOMEM, "the code of a failure is one of fail.h");
    fuzz_must(rc != RS_EINTERNAL, "our own code keeps its promises");
    fuzz_must(memchr(why->text, '\0', sizeof why->text) != NULL, "a failure's text has an end");
    fuzz_must(why->text[0] != '\0', "a failure says why");
    fuzz_must(foreign_is_plain(why->text), "a failure is told in one line without control characters");
    return true;
}

int fuzz_open(char path[FUZZ_PATH_MAX], const void *data, size_t size)
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    fuzz_must(file >= 0 && write(file, data, size) == (ssize_t)size, "the machine has room for a file");
    snprintf(path, FUZZ_PATH_MAX, "/proc/self/fd/%d", file);
    return file;
}

void fuzz_close(int file)
{
    close(file);
}

static char folder[] = "/tmp/ringside-fuzz-XXXXXX";
static int counted;
static const char *looked_for;

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    static bool made;
    if (!made) {
        fuzz_must(mkdtemp(folder) != NULL, "the machine has room for a folder");
        atexit(remove_folder);
        made = true;
    }
    return folder;
}

static int remove_inside(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

void fuzz_folder_clear(void)
{
    fuzz_must(nftw(fuzz_folder(), remove_inside, 8, FTW_DEPTH | FTW_PHYS) == 0, "the folder can be cleared");
}

static int count_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind;
    counted += place->level > 0 && strstr(path + place->base, looked_for) != NULL;
    return 0;
}

int fuzz_folder_count(const char *named)
{
    counted = 0;
    looked_for = named;
    fuzz_must(nftw(fuzz_folder(), count_one, 8, FTW_PHYS) == 0, "the folder can be read");
    return counted;
}

// A line's end may be that of CSV.
static bool plain_lines(const char *told, size_t length)
{
    bool plain = memchr(told, '\0', length) == NULL;
    char *lines = malloc(length + 1), *next = NULL;
    fuzz_must(lines != NULL, "the machine has room for words");
    memcpy(lines, told, length);
    lines[length] = '\0';
    for (char *line = strtok_r(lines, "\n", &next); line && plain; line = strtok_r(NULL, "\n", &next)) {
        size_t bytes = strlen(line);
        if (line[bytes - 1] == '\r')
            line[bytes - 1] = '\0';
        plain = foreign_is_plain(line);
    }
    free(lines);
    return plain;
}

void fuzz_must_be_plain(const char *told, size_t length)
{
    bool plain = plain_lines(told, length);
    if (!plain)
        fprintf(stderr, "told: %.*s\n", (int)length, told);
    fuzz_must(plain, "what is told is plain");
}

FILE *fuzz_nowhere(void)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    fuzz_must(nowhere != NULL, "/dev/null can be opened");
    return nowhere;
}

uint32_t fuzz_below(struct fuzz_choices *c, uint32_t below)
{
    uint32_t value = 0;
    for (uint32_t most = 1; most < below; most <<= 8)
        value = value << 8 | (c->at < c->end ? *c->at++ : 0);
    return value % below;
}

double fuzz_number(struct fuzz_choices *c)
{
    static const double wild[] = { 0,    -0.0, 1,     -1,     0.5, 1e-9,     1e-300,    1e9,       -1e9,
                                   1e18, 1e38, 1e308, 5e-324, NAN, INFINITY, -INFINITY, 1000000.0, -1e6 };
    uint32_t kind = fuzz_below(c, 256);
    if (kind < countof(wild))
        return wild[kind];
    return (double)((int)fuzz_below(c, 1 << 16) - (1 << 15)) / (kind < 128 ? 1000.0 : 100.0);
}
