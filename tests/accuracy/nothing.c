// SPDX-License-Identifier: MIT
#include "tests/accuracy/nothing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/accuracy/calibration.h"
#include "tests/accuracy/score.h"
#include "vision/board/find.h"

enum { ROWS = 64, BOARDS = 2 };
static const char *const boards[BOARDS] = { "crokinole-nca", "ring-7ft" };

struct row {
    char name[SCORE_WORD]; // family, or kind of board
    int pictures, asked[BOARDS], found[BOARDS];
};

static struct row *row_of(struct row *rows, const json_t *truth)
{
    const json_t *family = json_object_get(truth, "family");
    const char *name = json_string_value(family ? family : json_object_get(truth, "kind"));
    for (int i = 0; i < ROWS && name; i++) {
        if (!rows[i].name[0])
            snprintf(rows[i].name, sizeof rows[i].name, "%s", name);
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

static bool lies_there(const char *kind, const struct board *b)
{
    return strcmp(kind, "none") != 0 && (strcmp(kind, "marbles") == 0) == (b->kind == BOARD_RING);
}

static int ask(struct row *row, const char *path, const json_t *truth, struct fail *why)
{
    const char *kind = json_string_value(json_object_get(truth, "kind"));
    struct frame *f = kind ? calibration_picture(path, truth, why) : NULL;
    if (!f)
        return kind ? RS_EINPUT : rs_fail(why, RS_EINPUT, "%s: no \"kind\" in it", path);
    int rc = 0;
    row->pictures++;
    for (int k = 0; k < BOARDS && rc == 0; k++) {
        struct board_pose found;
        const struct board *wanted = board_builtin(boards[k]);
        if (lies_there(kind, wanted))
            continue;
        rc = board_find(&found, f, wanted, NULL, &tuning_defaults, why);
        row->asked[k]++;
        row->found[k] += rc == 0 && found.found;
        if (rc == 0 && found.found)
            printf("%s: FALSE FIND of %s\n", path, boards[k]);
    }
    frame_free(f);
    return rc;
}

static int print_rows(const struct row *rows)
{
    int all = 0;
    printf("\nFalse finds: boards asked for where there is none\n%-10s %4s", "family", "n");
    for (int k = 0; k < BOARDS; k++)
        printf(" %18s", boards[k]);
    printf("\n");
    for (int i = 0; i < ROWS && rows[i].name[0]; i++) {
        printf("%-10s %4d", rows[i].name, rows[i].pictures);
        for (int k = 0; k < BOARDS; k++) {
            char cell[32] = "-";
            if (rows[i].asked[k])
                snprintf(cell, sizeof cell, "%d", rows[i].found[k]);
            printf(" %18s", cell);
            all += rows[i].found[k];
        }
        printf("\n");
    }
    return all;
}

int nothing_table(const char (*truth_paths)[512], int n, struct fail *why)
{
    struct row *rows = calloc(ROWS, sizeof *rows);
    int rc = 0;
    if (!rows)
        abort();
    for (int i = 0; i < n && rc == 0; i++) {
        json_t *truth = json_load_file(truth_paths[i], 0, NULL);
        struct row *row = row_of(rows, truth);
        rc = row ? ask(row, truth_paths[i], truth, why)
                 : rs_fail(why, RS_EINPUT, "%s: not a truth file", truth_paths[i]);
        json_decref(truth);
    }
    if (rc == 0)
        rc = print_rows(rows);
    free(rows);
    return rc;
}
