// SPDX-License-Identifier: MIT
#include "referee/commands/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/grow.h"
#include "calibration/units.h"

static const char STANDARD_OUTPUT[] = "standard output";

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The folder's name, to be freed; NULL without memory.
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static bool same_file(const struct named_file *a, const struct named_file *b)
{
    return a->there && b->there && a->device == b->device && a->inode == b->inode;
}

static bool same_place(const struct named_file *a, const struct named_file *b)
{
    return a->in_folder && b->in_folder && a->folder_device == b->folder_device && a->folder_inode == b->folder_inode &&
           strcmp(name_in(a->path), name_in(b->path)) == 0;
}

// Takes over a copy of *f; the place of the copy is valid until the next one is added.
static int add(struct outputs *list, struct named_file *f, const char *path, struct fail *why)
{
    if (!grow_list(&list->file, &list->room, list->count + 1, sizeof *list->file))
        return rs_fail(why, RS_ENOMEM, "no memory for the names of %d files", list->count + 1);
    if (!(f->path = strdup(path)))
        return rs_fail(why, RS_ENOMEM, "no memory for the name of %.200s", path);
    list->file[list->count++] = *f;
    return 0;
}

static void identify(struct named_file *f, const struct stat *st)
{
    f->there = true;
    f->device = st->st_dev;
    f->inode = st->st_ino;
}

int outputs_reads(struct outputs *list, const char *path, struct fail *why)
{
    struct named_file f = { .from = NULL };
    struct stat st;
    if (!path ||
        stat(path, &st) != 0) // a name of a board, a number of a match; whoever reads it tells that it is missing
        return 0;
    identify(&f, &st);
    for (int i = 0; i < list->count; i++)
        if (same_file(&list->file[i], &f) && strcmp(list->file[i].path, STANDARD_OUTPUT) == 0)
            return rs_fail(why, RS_EINPUT, "%.300s is read, and standard output goes into it: send that elsewhere",
                           path);
    return add(list, &f, path, why);
}

int outputs_options(struct outputs *list, const struct options *o, struct fail *why)
{
    const char *const named[] = { o->board, o->lens, o->match, o->inputs, o->tune, o->book, o->camera, o->voice_lines };
    struct named_file out = { .from = NULL };
    struct stat st;
    int rc = 0;
    if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode)) {
        identify(&out, &st);
        rc = add(list, &out, STANDARD_OUTPUT, why);
    }
    for (size_t i = 0; i < countof(named) && rc == 0; i++)
        rc = outputs_reads(list, named[i], why);
    for (int i = 0; i < o->operands && rc == 0; i++)
        rc = outputs_reads(list, o->operand[i], why);
    return rc;
}

int outputs_writes(struct outputs *list, const char *path, const char *from, struct fail *why)
{
    struct named_file f = { .from = from };
    struct stat st;
    char *folder = folder_of(path);
    if (!folder)
        return rs_fail(why, RS_ENOMEM, "no memory for the name of %.200s", path);
    bool cleared = false;
    if (stat(path, &st) == 0)
        identify(&f, &st);
    if (stat(folder, &st) == 0) {
        f.in_folder = true;
        f.folder_device = st.st_dev;
        f.folder_inode = st.st_ino;
    }
    int rc = add(list, &f, path, why);
    for (int i = 0; i < list->count - 1 && rc == 0; i++) {
        const struct named_file *other = &list->file[i];
        if (!other->from && same_file(&f, other))
            rc = rs_fail(why, RS_EINPUT,
                         "%.200s would be written over %.200s, which is %s: name another place with --out", path,
                         other->path, strcmp(other->path, STANDARD_OUTPUT) ? "read" : "written already");
        else if (other->from && same_place(&f, other) && strcmp(from, other->from) != 0)
            rc = rs_fail(why, RS_EINPUT, "%.140s and %.140s would both be written as %.140s: take them one by one",
                         other->from, from, path);
        cleared |= other->from && other->in_folder && f.in_folder && other->folder_inode == f.folder_inode &&
                   other->folder_device == f.folder_device;
    }
    if (rc == 0)
        rc = atomic_file_check(path, why);
    char *read_in = folder_of(from); // where that folder is missing so is what is read, and whoever reads it tells that
    if (rc == 0 && access(folder, W_OK | X_OK) != 0 && (errno != ENOENT || !read_in || strcmp(folder, read_in) != 0))
        rc = rs_fail(why, RS_EIO, "%.300s: cannot be written: %s", path, strerror(errno));
    free(read_in);
    if (rc == 0 && !cleared)
        atomic_file_clear(folder);
    free(folder);
    return rc;
}

void outputs_finish(struct outputs *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->file[i].path);
    free(list->file);
    *list = (struct outputs){ 0 };
}
