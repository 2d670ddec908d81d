// SPDX-License-Identifier: MIT
#include "referee/commands/device.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/games/games.h"
#include "vision/source/camera_node.h"
#include "vision/source/camera_system.h"

bool device_is_camera(const struct options *o)
{
    struct stat st;
    return !o->camera || stream_is_address(o->camera) || stat(o->camera, &st) < 0 || S_ISCHR(st.st_mode);
}

struct camera_wish device_wish(const struct options *o)
{
    const struct game *game = o->game ? games_find(o->game) : NULL;
    const struct board *named = o->board ? board_builtin(o->board) : NULL;
    const struct board *board = named ? named : game ? board_builtin(game->board) : NULL;
    double radius_in = !board ? 0 : board->surface_radius_in > 0 ? board->surface_radius_in : board->circle_in[0];
    return (struct camera_wish){ .width = o->size.width,
                                 .height = o->size.height,
                                 .frames_per_s = o->rate,
                                 .board_in = 2 * radius_in,
                                 .control = o->control,
                                 .controls = o->controls };
}

bool device_holds_login(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon && strchr(colon, '@');
}

// How much of it may be told: up to one of those, and no more than leaves room for the other words.
static int shown(const char *text, const char *ends)
{
    size_t length = strcspn(text, ends);
    return length < 150 ? (int)length : 150;
}

// What was opened as a camera and is none may be a film that is missing. With a folder it is nothing else; an ending
// that begins with a letter has many a film, but a camera may be called so too: then both are told. `why` has the
// camera's words.
static int refuse_missing(const char *named, struct fail *why)
{
    struct camera_node known;
    struct fail none, camera = *why;
    struct stat st;
    const char *dot = strrchr(named, '.'), *words = camera.text;
    bool path = strchr(named, '/'), film = path || (dot && isalpha((unsigned char)dot[1]));
    bool login = device_holds_login(named);
    if ((!film && !login) || strncmp(named, "/dev/", 5) == 0 || stat(named, &st) == 0)
        return why->code;
    int error = errno;
    const char *scheme = strstr(named, "://"), *host = strrchr(named, '@');
    if (scheme) // behind it a password may stand, and in what follows
        return rs_fail(why, RS_EIO, "%.*s://...: an address begins with http://, https:// or rtsp://",
                       shown(named, ":"), named);
    if (login)
        return rs_fail(why, RS_EIO, "%.*s:...%.*s: %s; an address begins with http://, https:// or rtsp://",
                       shown(named, ":"), named, shown(host, "/?#"), host, strerror(error));
    if (path && strchr(named, ':'))
        return rs_fail(why, RS_EIO, "%.*s: %s; an address begins with http://, https:// or rtsp://",
                       shown(named, "?#&=;"), named, strerror(error));
    if (path)
        return rs_fail(why, RS_EIO, "%.300s: %s", named, strerror(error));
    if (camera_node_find(&known, &camera_system_own, named, &none) == 0)
        return why->code; // there is one, which cannot be used
    if (strncmp(words, named, strlen(named)) == 0 && strncmp(words + strlen(named), ": ", 2) == 0)
        words += strlen(named) + 2;
    return rs_fail(why, RS_EIO, "%.120s: as a film: %s; as a camera: %.280s", named, strerror(error), words);
}

// What is asked of a camera, or kept of its pictures as they came, would be passed over in silence. `is`: what is none.
static int refuse_of_a_camera(const struct options *o, const char *is, bool keeps, struct fail *why)
{
    const struct {
        const char *flag;
        bool given;
    } of_a_camera[] = { { "--size", o->size.width > 0 },
                        { "--rate", o->rate > 0 },
                        { "--control", o->controls > 0 },
                        { "--record", o->record && !keeps },
                        { "--clips", o->clips && !keeps } };
    for (size_t i = 0; i < countof(of_a_camera); i++)
        if (of_a_camera[i].given)
            return rs_fail(why, RS_EINPUT, "%s: leave %s out", is, of_a_camera[i].flag);
    return 0;
}

// From an address, or a film that plays a camera.
static int open_unasked(struct source **out, const struct options *o, struct fail *why)
{
    bool address = stream_is_address(o->camera);
    char is[400];
    snprintf(is, sizeof is, "%.300s is %s", address ? "what the address sends" : o->camera,
             address ? "set where it is sent from" : "a film and no camera");
    int rc = refuse_of_a_camera(o, is, true, why);
    if (rc < 0)
        return rc;
    return address ? stream_open(out, o->camera, why) : footage_open(out, o->camera, why);
}

int device_open(struct source **out, const struct options *o, struct fail *why)
{
    const struct camera_wish wish = device_wish(o);
    if (device_is_demo(o))
        return rs_fail(why, RS_EINPUT,
                       "the demo is a game for watch, and no camera here; a file of that name is ./demo");
    if (o->camera && (stream_is_address(o->camera) || !device_is_camera(o)))
        return open_unasked(out, o, why);
    int rc = webcam_open(out, &camera_system_own, o->camera ? o->camera : "", &wish, why);
    if (rc == RS_EIO && o->camera)
        return refuse_missing(o->camera, why);
    const struct source_info *info = rc == 0 ? source_info(*out) : NULL;
    if (info && (!o->quiet || info->mode_unwished))
        foreign_tell(stderr, "ringside: %s%s (%s): %s", info->mode_unwished ? "note: " : "", info->name, info->node,
                     info->mode);
    return rc;
}

bool device_is_demo(const struct options *o)
{
    return o->camera && strcmp(o->camera, "demo") == 0;
}

int device_demo(struct demo_files *files, struct options *o, struct fail *why)
{
    static const char name[] = "crokinole_match", game[] = "crokinole";
    static const char *const folders[] = { "../share/ringside", "samples/clips", "../../samples/clips" };
    char program[SAVED_PATH_MAX - 256]; // room for the rest
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return rs_fail(why, RS_EIO, "the sample game is not found: it is not known where the program lies");
    *slash = '\0';
    if (o->game && strcmp(o->game, game) != 0)
        return rs_fail(why, RS_EINPUT, "the demo is a game of %s: leave --game out", game);
    int rc = refuse_of_a_camera(o, "the demo is a film and no camera", false, why);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < countof(folders); i++) {
        snprintf(files->film, sizeof files->film, "%s/%s/%s.mp4", program, folders[i], name);
        snprintf(files->match, sizeof files->match, "%s/%s/%s.match.json", program, folders[i], name);
        if (access(files->film, R_OK) < 0 || access(files->match, R_OK) < 0)
            continue;
        bool as_played = !o->match && !o->players && !o->format && o->sides == 0 && !o->resume;
        o->camera = files->film;
        o->game = game;
        o->match = as_played ? files->match : o->match;
        o->no_book = !o->book && !o->resume;
        return 0;
    }
    return rs_fail(why, RS_EIO, "the sample game is not in %s/%s: install ringside again, or give --camera a film",
                   program, folders[0]);
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

bool saved_user_folder(const char **home, const char **below, const char *variable, const char *usual)
{
    const char *told = getenv(variable);
    bool counts = told && told[0] == '/';
    *home = counts ? told : getenv("HOME");
    *below = counts ? "" : usual;
    return counts || (*home && (*home)[0]);
}

int saved_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *what, struct fail *why)
{
    char card[NAME_MAX_BYTES], bus[NAME_MAX_BYTES];
    const char *home, *below;
    if (!saved_user_folder(&home, &below, "XDG_CONFIG_HOME", "/.config"))
        return rs_fail(why, RS_EINPUT,
                       "neither HOME nor XDG_CONFIG_HOME says where to keep a camera's files; name one with --out");
    make_plain(card, camera->card[0] ? camera->card : camera->name);
    make_plain(bus, camera->bus[0] ? camera->bus : "file");
    int length = snprintf(out, SAVED_PATH_MAX, "%s%s/ringside/%s-%s-%dx%d.%s.json", home, below, card, bus,
                          camera->width, camera->height, what);
    return length < SAVED_PATH_MAX ? 0 : rs_fail(why, RS_EINPUT, "HOME or XDG_CONFIG_HOME is too long");
}

int saved_board_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *board, struct fail *why)
{
    char name[NAME_MAX_BYTES], ending[NAME_MAX_BYTES + 8];
    make_plain(name, board);
    snprintf(ending, sizeof ending, "%s.board", name);
    return saved_path(out, camera, ending, why);
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

static bool is_saved(const char *path, int named)
{
    return named == 0 && access(path, F_OK) == 0;
}

// What was read with `rc`; of one that cannot be used, what to do about it: `why` has its name already.
static int was_read(int rc, const char *path, const char *how, struct fail *why)
{
    if (rc != RS_EINPUT)
        return rc;
    const struct fail cause = *why;
    return rs_fail(why, rc, "%.380s; %s again, or remove %s", cause.text, how,
                   strstr(cause.text, path) ? "that file" : path);
}

int saved_lens_read(struct lens *out, bool *there, const struct source_info *camera, struct fail *why)
{
    char path[SAVED_PATH_MAX];
    *there = is_saved(path, saved_path(path, camera, SAVED_LENS, why));
    return *there ? was_read(lens_file_read(out, path, why), path, "calibrate the lens", why) : 0;
}

int saved_hint_read(struct board_hint *out, bool *there, const struct source_info *camera, struct fail *why)
{
    char path[SAVED_PATH_MAX];
    *there = is_saved(path, saved_path(path, camera, SAVED_HINT, why));
    int rc = *there ? board_hint_file_read(out, path, why) : 0;
    if (rc == 0 && *there)
        rc = board_hint_check(out, camera->width, camera->height, why);
    return was_read(rc, path, "give --hint to calibrate board", why);
}

int saved_board_read(struct board *out, bool *there, const struct source_info *camera, const char *board,
                     struct fail *why)
{
    char path[SAVED_PATH_MAX];
    *there = is_saved(path, saved_board_path(path, camera, board, why));
    return *there ? was_read(board_file_read(out, path, why), path, "calibrate the board", why) : 0;
}
