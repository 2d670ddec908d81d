// SPDX-License-Identifier: MIT
// Small files that a person keeps: a board, a lens, where the board lies, a match, what was said, numbers of stages,
// what is kept for a camera, and pictures. The first byte says which.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/board_hint.h"
#include "calibration/foreign.h"
#include "calibration/json_file.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/commands/device.h"
#include "referee/commands/said_inputs.h"
#include "referee/games/games.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "tests/fuzz/fuzz.h"
#include "vision/tuning_file.h"

static char *text_of(json_t *o)
{
    char *text = log_line_text(o);
    fuzz_must(text != NULL, "what was read can be told");
    return text;
}

static void same_text(char *a, char *b)
{
    fuzz_must(strcmp(a, b) == 0, "what was read and written again is the same");
    free(a);
    free(b);
}

static void take_board(const char *path)
{
    char copy[128];
    struct fail why;
    struct board b, again;
    if (fuzz_refused(board_file_read(&b, path, &why), &why))
        return;
    snprintf(copy, sizeof copy, "%s/board.json", fuzz_folder());
    fuzz_must(foreign_is_plain(b.name), "a board's name is plain");
    fuzz_must(board_file_write(copy, &b, &why) == 0, "a board that was read can be written");
    fuzz_must(board_file_read(&again, copy, &why) == 0, "a board that was written can be read");
    same_text(text_of(board_to_json(&b)), text_of(board_to_json(&again)));
    unlink(copy);
    for (int i = 0; i < b.circles; i++)
        fuzz_must(isfinite(board_line_middle_in(&b, i)), "a line lies somewhere");
    board_turn(&b, 1);
    fuzz_must(board_check(&b, &why) == 0, "a board that is turned is a board");
}

static void use_lens(const struct lens *l)
{
    for (int i = 0; i < 9; i++) {
        int row = i / 3;
        struct pt_px seen = { l->width * (i % 3) / 2.0, l->height * row / 2.0 };
        double x, y;
        if (lens_undistort(&x, &y, l, seen))
            fuzz_must(isfinite(x) && isfinite(y), "a line of sight has a direction");
    }
}

static void take_lens(const char *path)
{
    char copy[128];
    struct fail why;
    struct lens l, again;
    if (fuzz_refused(lens_file_read(&l, path, &why), &why))
        return;
    snprintf(copy, sizeof copy, "%s/lens.json", fuzz_folder());
    fuzz_must(lens_file_write(copy, &l, 0.5, &why) == 0, "a lens that was read can be written");
    fuzz_must(lens_file_read(&again, copy, &why) == 0, "a lens that was written can be read");
    fuzz_must(l.width == again.width && l.height == again.height && l.f_px == again.f_px && l.k1 == again.k1 &&
                  l.k2 == again.k2 && l.p1 == again.p1 && l.p2 == again.p2 && l.f_sigma_px == again.f_sigma_px &&
                  l.centre.u == again.centre.u && l.centre.v == again.centre.v,
              "a lens is the same when it was written");
    unlink(copy);
    use_lens(&l);
}

static void check_hint(const struct board_hint *h)
{
    struct fail why;
    fuzz_must(h->kind == HINT_NONE ||
                  (isfinite(h->box.left) && isfinite(h->box.top) && isfinite(h->box.width) && isfinite(h->box.height)),
              "a hint is somewhere");
    fuzz_refused(board_hint_check(h, 1920, 1080, &why), &why);
}

static void take_hint(const char *path)
{
    struct fail why;
    struct board_hint h;
    if (!fuzz_refused(board_hint_file_read(&h, path, &why), &why))
        check_hint(&h);
}

static void take_match(const char *path)
{
    struct fail why;
    json_t *o = NULL;
    if (fuzz_refused(json_file_read(&o, path, &why), &why))
        return;
    for (int i = 0; i == 0 || games_at(i - 1); i++) { // the last one is none of ours
        struct match_setup m = match_setup_usual(games_at(i)), again = m;
        if (fuzz_refused(match_setup_from_json(&m, o, games_at(i), &why), &why))
            continue;
        json_t *told = match_setup_to_json(&m);
        fuzz_must(told && match_setup_from_json(&again, told, games_at(i), &why) == 0, "a match can be told and read");
        same_text(text_of(told), text_of(match_setup_to_json(&again)));
    }
    json_decref(o);
}

static void take_inputs(const char *path)
{
    struct fail why;
    struct said_inputs list;
    if (fuzz_refused(said_inputs_read(&list, path, &why), &why))
        return;
    for (int i = 0; i < list.count; i++) {
        const struct observation *o = &list.item[i];
        fuzz_must(foreign_is_plain(o->input.by) && foreign_is_plain(o->input.text) &&
                      foreign_is_plain(o->input.other) && foreign_is_plain(o->input.side),
                  "what was said is plain");
    }
    said_inputs_finish(&list);
}

static void take_tuning(const char *path)
{
    static struct tuning tuning;
    struct fail why;
    fuzz_refused(tuning_read(&tuning, path, &why), &why);
    for (const struct tuning_stage *s = tuning_stages; s < tuning_stages + TUNING_STAGES; s++)
        for (size_t i = 0; i < s->count; i++)
            fuzz_must(isfinite(((double *)&tuning)[s->offset / sizeof(double) + i]), "a stage's numbers are numbers");
}

// A camera's name, 32 bytes, and its place, 32 bytes, are whatever its maker wrote; then the file that lies there.
static void take_saved(const uint8_t *data, size_t size)
{
    struct source_info camera = { .width = 640, .height = 480 };
    char path[SAVED_PATH_MAX];
    struct fail why;
    struct lens l;
    struct board_hint h;
    struct board b;
    bool there;
    memcpy(camera.card, data, size < 31 ? size : 31);
    memcpy(camera.bus, data + (size < 32 ? size : 32), size < 32 ? 0 : size - 32 < 31 ? size - 32 : 31);
    size_t used = size < 64 ? size : 64;
    setenv("XDG_CONFIG_HOME", fuzz_folder(), 1);
    for (int kind = 0; kind < 3; kind++) {
        fuzz_must((kind == 0   ? saved_path(path, &camera, SAVED_LENS, &why)
                   : kind == 1 ? saved_path(path, &camera, SAVED_HINT, &why)
                               : saved_board_path(path, &camera, "crokinole-nca", &why)) == 0,
                  "there is a place for a camera's files");
        char *name = path + strlen(fuzz_folder());
        fuzz_must(strncmp(path, fuzz_folder(), strlen(fuzz_folder())) == 0 && strncmp(name, "/ringside/", 10) == 0 &&
                      !strchr(name + 10, '/') && name[10] != '.' && foreign_is_plain(path),
                  "a camera's files lie in their folder");
        fuzz_must(saved_make_folder(path, &why) == 0, "the folder can be made");
        FILE *f = fopen(path, "wb");
        fuzz_must(f && fwrite(data + used, 1, size - used, f) == size - used && fclose(f) == 0,
                  "a file can be written");
        int rc = kind == 0   ? saved_lens_read(&l, &there, &camera, &why)
                 : kind == 1 ? saved_hint_read(&h, &there, &camera, &why)
                             : saved_board_read(&b, &there, &camera, "crokinole-nca", &why);
        fuzz_must(there, "what is kept is found");
        if (!fuzz_refused(rc, &why) && kind == 1)
            check_hint(&h);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/ringside", fuzz_folder());
    rmdir(path);
}

void fuzz_file(const uint8_t *data, size_t size)
{
    static void (*const takes[])(const char *) = { take_board, take_lens,   take_hint,
                                                   take_match, take_inputs, take_tuning };
    char path[FUZZ_PATH_MAX];
    if (size == 0)
        return;
    size_t kind = data[0] % (countof(takes) + 2); // '0' to '5'; '6' is what is kept for a camera, '7' a picture
    if (kind == countof(takes)) {
        take_saved(data + 1, size - 1);
    } else if (kind > countof(takes)) {
        fuzz_picture(data + 1, size - 1);
    } else {
        int file = fuzz_open(path, data + 1, size - 1);
        takes[kind](path);
        fuzz_close(file);
    }
    fuzz_must(fuzz_folder_count("") == 0, "nothing is left behind");
}
