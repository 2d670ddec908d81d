// SPDX-License-Identifier: MIT
#include "referee/commands/command_setup.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/lens_file.h"
#include "calibration/json_file.h"
#include "referee/commands/device.h"
#include "referee/match_setup.h"

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

// The finder is told of it beside the numbers by which it decides.
static void use_hint(struct setup *s)
{
    if (s->tuning == &tuning_defaults) {
        s->own_tuning = tuning_defaults;
        s->tuning = &s->own_tuning;
    }
    s->own_tuning.hint = &s->hint;
}

// "Red,Blue": both sides by name, in the order in which they begin.
static int read_players(struct match_setup *m, const char *text, struct fail *why)
{
    struct seat seat[SIDES] = { { .name = "" } };
    const char *comma = strchr(text, ',');
    int read = comma && !strchr(comma + 1, ',') ? 2 : 0;
    for (int i = 0; i < read; i++) {
        const char *name = i == 0 ? text : comma + 1;
        name += strspn(name, " ");
        size_t length = strcspn(name, ",");
        while (length > 0 && name[length - 1] == ' ')
            length--;
        if (length == 0 || length >= OBS_WORD_MAX)
            read = 0;
        else
            memcpy(seat[i].name, name, length);
    }
    if (read == 0 || !foreign_is_plain(text) || strcasecmp(seat[0].name, seat[1].name) == 0)
        return rs_fail(why, RS_EINPUT,
                       "--players %.80s: write it as Anna,Ben, two different names of at most %d bytes (a to z "
                       "take one, other letters more); who plays doubles is written in a file (--match)",
                       text, OBS_WORD_MAX - 1);
    for (int i = 0; i < SIDES; i++)
        memcpy(m->seat[i].name, seat[i].name, sizeof seat[i].name);
    m->seats = SIDES;
    m->first = 0;
    return 0;
}

// A match file, and what the flags say beside it or instead of it.
static int read_match(struct setup *s, const struct options *o, struct fail *why)
{
    struct match_setup *m = &s->match;
    struct fail cause;
    json_t *file = NULL;
    *m = match_setup_usual(s->game);
    int rc = o->match ? json_file_read(&file, o->match, why) : 0;
    if (file && (rc = match_setup_from_json(m, file, s->game, &cause)) < 0)
        rs_fail(why, rc, "%.200s: %.280s", o->match, cause.text);
    json_decref(file);
    if (rc == 0 && o->players && (m->seat[0].player[0][0] || m->seat[1].player[0][0]))
        return rs_fail(why, RS_EINPUT, "--players %.80s: %.200s names who plays for each side; write the names there",
                       o->players, o->match);
    if (rc == 0 && o->players)
        rc = read_players(m, o->players, why);
    for (int i = 0; i < o->sides && rc == 0; i++) {
        int seat = 0; // the one of that name, else the next
        while (seat < m->seats && strcasecmp(m->seat[seat].name, o->side[i].name) != 0)
            seat++;
        if (seat == SIDES)
            return rs_fail(why, RS_EINPUT, "--side %s=%s: there are %s and %s", o->side[i].colour, o->side[i].name,
                           m->seat[0].name, m->seat[1].name);
        int other = 1 - seat;
        if (other < m->seats && strcasecmp(m->seat[other].colour, o->side[i].colour) == 0)
            return rs_fail(why, RS_EINPUT, "--side: both %s and %s play %s", m->seat[other].name, o->side[i].name,
                           o->side[i].colour);
        if (seat < m->seats && m->seat[seat].colour[0] && strcasecmp(m->seat[seat].colour, o->side[i].colour) != 0)
            return rs_fail(why, RS_EINPUT, "--side: %s plays %s and %s", o->side[i].name, m->seat[seat].colour,
                           o->side[i].colour);
        if (seat == m->seats) {
            memcpy(m->seat[seat].name, o->side[i].name, sizeof m->seat[seat].name);
            m->seats++;
        }
        memcpy(m->seat[seat].colour, o->side[i].colour, sizeof m->seat[seat].colour);
    }
    if (rc == 0)
        rc = match_setup_check_names(m, why);
    const struct format *format = o->format ? game_format(s->game, o->format) : NULL;
    if (rc == 0 && o->format && !format) {
        const char *known[NAMES_MAX] = { NULL };
        char help[200];
        for (int i = 0; i < NAMES_MAX - 1 && i < s->game->format_count; i++)
            known[i] = s->game->formats[i].name;
        suggest(help, sizeof help, o->format, known);
        return rs_fail(why, RS_EINPUT, "%s has no format %.40s%s", s->game->name, o->format, help);
    }
    if (format)
        m->format = *format;
    bool counts = s->game->formats[0].pieces_each > 0; // marbles have no such number
    if (rc == 0 && counts != (m->format.pieces_each > 0))
        return rs_fail(why, RS_EINPUT, "%s: \"pieces_each\" must be %s in %s", o->match ? o->match : o->format,
                       counts ? "1 or more" : "0", s->game->name);
    if (rc == 0 && (rc = match_setup_check_players(m, &cause)) < 0)
        return rs_fail(why, rc, "%.200s: %.280s", o->match, cause.text);
    if (rc == 0 && (o->judge || m->permit_needed) && s->board.kind != BOARD_RING)
        return rs_fail(why, RS_EINPUT, "%s: no judge gives permission for shots in %s",
                       o->judge ? "--judge" : "\"judge\"", s->game->title);
    m->permit_needed |= o->judge;
    match_setup_seen_colours(m);
    return rc;
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
        rc = match_setup_fits(out->game, &out->board, why);
    if (rc == 0)
        rc = read_match(out, o, why);
    if (rc == 0 && o->lens)
        rc = lens_file_read(&out->lens, o->lens, why);
    if (rc == 0 && o->tune) {
        rc = tuning_read(&out->own_tuning, o->tune, why);
        out->tuning = &out->own_tuning;
    }
    struct fail cause;
    if (rc == 0 && o->hint && (rc = board_hint_parse(&out->hint, o->hint, &cause)) < 0)
        rs_fail(why, rc, "--hint %.100s: %.380s", o->hint, cause.text);
    else if (rc == 0 && o->hint)
        use_hint(out);
    return rc;
}

int setup_take_saved(struct setup *s, const struct options *o, const struct source_info *camera, bool board,
                     struct fail *why)
{
    int rc = o->lens ? 0 : saved_lens_read(&s->lens, &s->lens_is_saved, camera, why);
    s->has_lens |= rc == 0 && s->lens_is_saved;
    if (rc == 0 && !o->hint)
        rc = saved_hint_read(&s->hint, &s->hint_is_saved, camera, why);
    if (rc == 0 && s->hint_is_saved)
        use_hint(s);
    if (rc == 0 && board && !o->board)
        rc = saved_board_read(&s->board, &s->board_is_saved, camera, s->game->board, why);
    return rc == 0 && s->board_is_saved ? match_setup_fits(s->game, &s->board, why) : rc;
}

int setup_take_recorded(struct setup *s, const struct options *o, const char *folder, struct fail *why)
{
    static const char *const names[] = { "board.json", "lens.json", "hint.json" };
    const char *const named[] = { o->board, o->lens, o->hint };
    int rc = 0;
    for (size_t i = 0; i < countof(names) && rc == 0; i++) {
        char path[SETUP_PATH_MAX];
        bool fits = snprintf(path, sizeof path, "%s/%s", folder, names[i]) < (int)sizeof path;
        if (named[i] || !fits || access(path, F_OK) != 0)
            continue;
        rc = i == 0   ? board_file_read(&s->board, path, why)
             : i == 1 ? lens_file_read(&s->lens, path, why)
                      : board_hint_file_read(&s->hint, path, why);
        s->has_lens |= rc == 0 && i == 1;
        if (rc == 0 && i == 2)
            use_hint(s);
        if (rc == 0 && i == 0)
            rc = match_setup_fits(s->game, &s->board, why);
    }
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
    int rc = board ? saved_board_path(out, camera, board, why) : saved_path(out, camera, SAVED_LENS, why);
    return rc == 0 ? saved_make_folder(out, why) : rc;
}

// A device or a pipe among the devices, or by its name what is open already: that may be a regular file, but nothing can
// be written there. A pipe with a name in a folder, and /dev/shm, have room beside them.
static bool lies_nowhere(const char *input)
{
    struct stat st;
    bool regular = stat(input, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
    return (!regular && strncmp(input, "/dev/", 5) == 0) || strcmp(input, "/dev/stdin") == 0 ||
           strncmp(input, "/dev/fd/", 8) == 0 || strncmp(input, "/proc/", 6) == 0;
}

int setup_output(char out[SETUP_PATH_MAX], const char *input, const char *folder, const char *ending, struct fail *why)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input, *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    int length;
    if (!folder && lies_nowhere(input))
        return rs_fail(why, RS_EINPUT, "%.300s: nothing is written beside it: name a place with --out", input);
    if (folder)
        length = snprintf(out, SETUP_PATH_MAX, "%s/%.*s%s", folder, stem, name, ending);
    else
        length = snprintf(out, SETUP_PATH_MAX, "%.*s%.*s%s", (int)(name - input), input, stem, name, ending);
    if (length >= SETUP_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", input);
    return 0;
}
