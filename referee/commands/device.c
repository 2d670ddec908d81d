// SPDX-License-Identifier: MIT
#include "referee/commands/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"

static const char *path_of(const struct options *o)
{
    return o->camera ? o->camera : "/dev/video0";
}

bool device_is_camera(const struct options *o)
{
    struct stat st;
    return stream_is_address(path_of(o)) || stat(path_of(o), &st) < 0 || S_ISCHR(st.st_mode);
}

int device_open(struct source **out, const struct options *o, struct fail *why)
{
    const struct camera_wish wish = { .width = o->size.width, .height = o->size.height };
    if (stream_is_address(path_of(o)))
        return stream_open(out, path_of(o), why);
    return device_is_camera(o) ? webcam_open(out, path_of(o), &wish, why) : footage_open(out, path_of(o), why);
}

enum { NAME_MAX_BYTES = 96 }; // of each part of a file's name: three of them stay below the 255 that Linux takes

// No dot in front, or the file would hide itself; runs of other letters become one '-'.
static void make_plain(char out[NAME_MAX_BYTES], const char *text)
{
    size_t n = 0;
    for (; *text && n < NAME_MAX_BYTES - 1; text++) {
        char c = *text;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); // as every file system takes them
        bool plain = letter || (c >= '0' && c <= '9') || c == '_' || (c == '.' && n > 0);
        if (plain)
            out[n++] = c;
        else if (n > 0 && out[n - 1] != '-')
            out[n++] = '-';
    }
    while (n > 0 && out[n - 1] == '-')
        n--;
    out[n] = '\0';
    if (n == 0)
        snprintf(out, NAME_MAX_BYTES, "unnamed");
}

// The freedesktop.org rule: a relative XDG_CONFIG_HOME does not count.
static int find_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *ending, struct fail *why)
{
    char card[NAME_MAX_BYTES], bus[NAME_MAX_BYTES];
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    bool configured = config && config[0] == '/';
    if (!configured && !(home && home[0]))
        return rs_fail(why, RS_EINPUT,
                       "neither HOME nor XDG_CONFIG_HOME says where to keep a camera's files; name one with --out");
    make_plain(card, camera->card[0] ? camera->card : camera->name);
    make_plain(bus, camera->bus[0] ? camera->bus : "file");
    int length = snprintf(out, SAVED_PATH_MAX, "%s%s/ringside/%s-%s-%dx%d.%s.json", configured ? config : home,
                          configured ? "" : "/.config", card, bus, camera->width, camera->height, ending);
    return length < SAVED_PATH_MAX ? 0 : rs_fail(why, RS_EINPUT, "HOME or XDG_CONFIG_HOME is too long");
}

int saved_lens_path(char out[SAVED_PATH_MAX], const struct source_info *camera, struct fail *why)
{
    return find_path(out, camera, "lens", why);
}

int saved_hint_path(char out[SAVED_PATH_MAX], const struct source_info *camera, struct fail *why)
{
    return find_path(out, camera, "hint", why);
}

int saved_board_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *board, struct fail *why)
{
    char name[NAME_MAX_BYTES], ending[NAME_MAX_BYTES + 8];
    make_plain(name, board);
    snprintf(ending, sizeof ending, "%s.board", name);
    return find_path(out, camera, ending, why);
}

int saved_make_folder(const char *path, struct fail *why)
{
    char folder[SAVED_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) < 0 && errno != EEXIST)
            return rs_fail(why, RS_EIO, "cannot make the folder %.300s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return 0;
}

// What to do about a saved file that cannot be used; `cause` has its name already.
static int damaged(int rc, const char *path, const char *how, const struct fail *cause, struct fail *why)
{
    if (rc != RS_EINPUT)
        return rs_fail(why, rc, "%s", cause->text);
    return rs_fail(why, rc, "%.380s; %s again, or remove %s", cause->text, how,
                   strstr(cause->text, path) ? "that file" : path);
}

int saved_lens_read(struct lens *out, bool *there, const struct source_info *camera, struct fail *why)
{
    char path[SAVED_PATH_MAX];
    struct fail cause;
    *there = saved_lens_path(path, camera, &cause) == 0 && access(path, F_OK) == 0;
    int rc = *there ? lens_file_read(out, path, &cause) : 0;
    return rc < 0 ? damaged(rc, path, "calibrate the lens", &cause, why) : 0;
}

int saved_hint_read(struct board_hint *out, bool *there, const struct source_info *camera, struct fail *why)
{
    char path[SAVED_PATH_MAX];
    struct fail cause;
    *there = saved_hint_path(path, camera, &cause) == 0 && access(path, F_OK) == 0;
    int rc = *there ? board_hint_file_read(out, path, &cause) : 0;
    if (rc == 0 && *there)
        rc = board_hint_check(out, camera->width, camera->height, &cause);
    return rc < 0 ? damaged(rc, path, "give --hint to calibrate board", &cause, why) : 0;
}

int saved_board_read(struct board *out, bool *there, const struct source_info *camera, const char *board,
                     struct fail *why)
{
    char path[SAVED_PATH_MAX];
    struct fail cause;
    *there = saved_board_path(path, camera, board, &cause) == 0 && access(path, F_OK) == 0;
    int rc = *there ? board_file_read(out, path, &cause) : 0;
    return rc < 0 ? damaged(rc, path, "calibrate the board", &cause, why) : 0;
}
