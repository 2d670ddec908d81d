// SPDX-License-Identifier: MIT
#include "referee/commands/setup.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "referee/commands/device.h"

enum { NAMES_MAX = 32 };

int setup_game(const struct game **out, const char *name, struct fail *why)
{
    const char *known[NAMES_MAX] = { NULL };
    char help[200];
    *out = games_find(name);
    if (*out)
        return 0;
    for (int i = 0; i < NAMES_MAX - 1 && games_at(i); i++)
        known[i] = games_at(i)->name;
    suggest(help, sizeof help, name, known);
    return rs_fail(why, RS_EINPUT, "unknown game %.40s%s", name, help);
}

static int fits(const struct setup *s, struct fail *why)
{
    const struct board *own = board_builtin(s->game->board);
    if (own->kind == s->board.kind && own->piece == s->board.piece)
        return 0;
    return rs_fail(why, RS_EINPUT, "%s is not played on a board like %s; its own is %s", s->game->name, s->board.name,
                   own->name);
}

// The finder is told of it beside the numbers by which it decides.
static void use_hint(struct setup *s)
{
    if (s->tuning == &tuning_defaults) {
        tuning_set_defaults(&s->own_tuning);
        s->tuning = &s->own_tuning.all;
    }
    s->own_tuning.all.hint = &s->hint;
}

static int read_hint(struct setup *s, const char *text, struct fail *why)
{
    struct fail cause;
    int rc = board_hint_parse(&s->hint, text, &cause);
    if (rc < 0)
        return rs_fail(why, rc, "--hint %.100s: %.380s", text, cause.text);
    use_hint(s);
    return 0;
}

int setup_read(struct setup *out, const struct options *o, struct fail *why)
{
    const char *known[NAMES_MAX] = { NULL };
    char words[200] = "";
    size_t used = 0;
    *out = (struct setup){ .tuning = &tuning_defaults, .has_lens = o->lens != NULL };
    for (int i = 0; !o->game && games_at(i) && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "", games_at(i)->name);
    int rc = o->game ? setup_game(&out->game, o->game, why)
                     : rs_fail(why, RS_EINPUT, "which game? give --game with one of %s", words);
    if (rc < 0)
        return rc;
    const char *name = o->board ? o->board : out->game->board;
    const struct board *builtin = board_builtin(name);
    for (int i = 0; i < NAMES_MAX - 1 && board_builtin_at(i); i++)
        known[i] = board_builtin_at(i)->name;
    suggest(words, sizeof words, name, known);
    if (builtin)
        out->board = *builtin;
    else if (access(name, F_OK) == 0)
        rc = board_file_read(&out->board, name, why);
    else
        rc = rs_fail(why, RS_EINPUT, "no board file and no built-in board %.200s%s", name, words);
    if (rc == 0)
        rc = fits(out, why);
    if (rc == 0 && o->lens)
        rc = lens_file_read(&out->lens, o->lens, why);
    if (rc == 0 && o->tune) {
        rc = tuning_read(&out->own_tuning, o->tune, why);
        out->tuning = &out->own_tuning.all;
    }
    if (rc == 0 && o->hint)
        rc = read_hint(out, o->hint, why);
    return rc;
}

int setup_take_saved_lens(struct setup *s, const struct options *o, const struct source_info *camera, struct fail *why)
{
    if (o->lens)
        return 0;
    int rc = saved_lens_read(&s->lens, &s->lens_is_saved, camera, why);
    s->has_lens = rc == 0 && s->lens_is_saved;
    return rc;
}

int setup_take_saved_board(struct setup *s, const struct options *o, const struct source_info *camera, struct fail *why)
{
    if (o->board)
        return 0;
    int rc = saved_board_read(&s->board, &s->board_is_saved, camera, s->game->board, why);
    return rc == 0 && s->board_is_saved ? fits(s, why) : rc;
}

int setup_take_saved_hint(struct setup *s, const struct options *o, const struct source_info *camera, struct fail *why)
{
    int rc = o->hint ? 0 : saved_hint_read(&s->hint, &s->hint_is_saved, camera, why);
    if (rc == 0 && s->hint_is_saved)
        use_hint(s);
    return rc;
}

const char *setup_hint_words(const struct setup *s)
{
    return s->hint_is_saved ? "; it is the hint kept for the camera: --hint none looks everywhere" : "";
}

const struct lens *setup_lens(const struct setup *s)
{
    return s->has_lens ? &s->lens : NULL;
}

int setup_folder(const char *folder, struct fail *why)
{
    struct stat st;
    if (!folder)
        return 0;
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        return rs_fail(why, RS_EIO, "cannot make the folder %.300s: %s", folder, strerror(errno));
    if (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode))
        return rs_fail(why, RS_EIO, "%.300s is not a folder", folder);
    if (access(folder, W_OK | X_OK) < 0)
        return rs_fail(why, RS_EIO, "cannot write into %.300s: %s", folder, strerror(errno));
    return 0;
}

int setup_calibrated(char out[SETUP_PATH_MAX], const struct options *o, const char *input,
                     const struct source_info *camera, const char *board, struct fail *why)
{
    if (o->out && snprintf(out, SETUP_PATH_MAX, "%s", o->out) >= SETUP_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", o->out);
    if (o->out)
        return 0;
    if (!o->camera)
        return setup_output(out, input, NULL, board ? ".board.json" : ".lens.json", why);
    int rc = board ? saved_board_path(out, camera, board, why) : saved_lens_path(out, camera, why);
    return rc == 0 ? saved_make_folder(out, why) : rc;
}

int setup_output(char out[SETUP_PATH_MAX], const char *input, const char *folder, const char *ending, struct fail *why)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input, *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    int length;
    if (folder)
        length = snprintf(out, SETUP_PATH_MAX, "%s/%.*s%s", folder, stem, name, ending);
    else
        length = snprintf(out, SETUP_PATH_MAX, "%.*s%.*s%s", (int)(name - input), input, stem, name, ending);
    if (length >= SETUP_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", input);
    return 0;
}
