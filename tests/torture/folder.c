// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "tests/torture/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool add_all(struct folder *f, const char *path, const char *below)
{
    char full[FOLDER_PATH_MAX], bytes[1 << 14];
    snprintf(full, sizeof full, "%s/%s", path, below);
    DIR *d = opendir(full);
    bool ok = d != NULL;
    for (struct dirent *e; ok && (e = readdir(d));) {
        struct folder_file *to = &f->file[f->count];
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (f->count == FOLDER_FILES_MAX || snprintf(to->name, sizeof to->name, "%s%s%s", below, below[0] ? "/" : "",
                                                     e->d_name) >= (int)sizeof to->name)
            return closedir(d), false;
        f->count++;
        snprintf(full, sizeof full, "%s/%s", path, to->name);
        to->sum = 1469598103934665603u; // FNV-1a
        to->is_folder = lstat(full, &st) == 0 && S_ISDIR(st.st_mode);
        for (int i = 0; i < FOLDER_NAME_MAX; i++)
            to->alike[i] = to->name[i] >= '0' && to->name[i] <= '9' ? '0' : to->name[i];
        int fd = to->is_folder ? -1 : open(full, O_RDONLY);
        for (ssize_t n; fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0;)
            for (ssize_t i = 0; i < n; i++)
                to->sum = (to->sum ^ (uint8_t)bytes[i]) * 1099511628211u;
        if (fd >= 0)
            close(fd);
        ok = to->is_folder ? add_all(f, path, to->name) : fd >= 0;
    }
    if (d)
        closedir(d);
    return ok;
}

bool folder_read(struct folder *out, const char *path)
{
    out->count = 0;
    return add_all(out, path, "");
}

const struct folder_file *folder_find(const struct folder *f, const char *alike)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->file[i].alike, alike) == 0)
            return &f->file[i];
    return NULL;
}

bool folder_copy(const char *to, const char *from, const char *name)
{
    char path[FOLDER_PATH_MAX], bytes[1 << 14];
    snprintf(path, sizeof path, "%s/%s", from, name);
    int in = open(path, O_RDONLY);
    snprintf(path, sizeof path, "%s/%s", to, name);
    int out = in < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    bool ok = out >= 0;
    for (ssize_t n; ok && (n = read(in, bytes, sizeof bytes)) != 0;)
        ok = n > 0 && write(out, bytes, (size_t)n) == n;
    if (in >= 0)
        close(in);
    if (out >= 0)
        ok = close(out) == 0 && ok;
    return ok;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
