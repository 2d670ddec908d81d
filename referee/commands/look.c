// SPDX-License-Identifier: MIT
// `ringside look IMAGE...`: where every piece of a photograph lies, in which zone and by how much.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "referee/announce/close_view.h"
#include "referee/announce/json.h"
#include "referee/announce/overlay.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/outputs.h"
#include "referee/commands/photo_reading.h"
#include "referee/commands/verbs.h"
#include "referee/commands/videos.h"
#include "referee/commands/view_words.h"
#include "vision/frame_file.h"

// Whose the total is.
static const char *total_of(const struct photo_reading *r, const struct side_total *t)
{
    bool unknown = strcmp(t->colour, COLOUR_UNKNOWN) == 0;
    return unknown ? "no colour, sides cannot be told: all together" : standing_owner(&r->match.now, t->colour);
}
static const char PICTURE_ENDING[] = ".ringside.png";

static void print_reading(const char *path, const struct setup *s, const struct photo_reading *r)
{
    char words[CALL_TEXT_MAX], view[VIEW_WORDS_MAX], full[PHOTO_FULL_WORDS_MAX], whose[PHOTO_WHOSE_WORDS_MAX];
    const struct position *p = &r->position;
    view_words(view, &r->pose, s);
    foreign_tell(stdout, "%s: %s", path, view);
    view_print_limits(stdout, "  beware: ", &r->pose);
    if (photo_is_full(full, r))
        printf("  beware: %s\n", full);
    for (int i = 0; i < s->match.seats; i++)
        if (photo_lacks_colour(whose, r, s, i))
            printf("  beware: %s\n", whose);
    for (int i = 0; i < p->count; i++) {
        position_words(words, sizeof words, &p->at[i]);
        printf("  %s\n", words);
    }
    for (int i = 0; i < p->sides; i++) {
        const struct side_total *t = &p->side[i];
        printf("%s%s %d", i ? ", " : "  ", total_of(r, t), p->counts ? t->points.reads : t->pieces);
        if (p->counts && t->points.least < t->points.most)
            printf(" (%d to %d)", t->points.least, t->points.most);
    }
    printf("%s%s\n", p->sides ? "" : "  nothing lies in play", p->counts || !p->sides ? "" : " in the ring");
}

static void table_of(struct score_table *out, const struct setup *s, const struct photo_reading *r)
{
    const struct position *p = &r->position;
    *out = (struct score_table){ .columns = 1 };
    snprintf(out->title, sizeof out->title, "%s", s->game->name);
    snprintf(out->head[0], sizeof out->head[0], "%s", p->counts ? "points" : "in the ring");
    for (int i = 0; i < p->sides && i < SCORE_ROWS_MAX; i++) {
        struct score_row *row = &out->row[out->rows++];
        snprintf(row->name, sizeof row->name, "%s", total_of(r, &p->side[i]));
        snprintf(row->colour, sizeof row->colour, "%s", p->side[i].colour);
        const int pieces = p->side[i].pieces;
        score_cell_points(row->cell[0], p->counts ? p->side[i].points : (struct points){ pieces, pieces, pieces });
    }
}

// The piece whose line call is the least certain of those that are close, enlarged; NULL where none is.
static int enlarge_closest(struct frame **out, const struct frame *f, const struct overlay *o, struct fail *why)
{
    const struct known_piece *closest = NULL;
    double least = INFINITY;
    for (int i = 0; i < o->table->count; i++) {
        struct verdict v = zone_of(o->board, &o->table->piece[i].lying).verdict;
        double sigmas = fabs(v.margin_in) / v.sigma_in;
        if (v.clear || !(sigmas < least))
            continue;
        least = sigmas;
        closest = &o->table->piece[i];
    }
    const struct close_view view = { f, o->pose, o->board, closest };
    *out = NULL;
    return closest ? close_view_make(out, &view, why) : 0;
}

static int look_at_one(const char *path, const struct options *o, const struct setup *s, struct photo_reading *r,
                       struct fail *why)
{
    struct frame *f = NULL;
    char out[SETUP_PATH_MAX];
    int rc = photo_load(&f, path, why);
    if (rc == 0)
        rc = photo_read(r, f, s, why);
    if (rc == 0 && (!o->json || o->out)) {
        struct tracker_view view = { .count = r->pieces.count };
        struct overlay drawn = { .pose = &r->pose, .view = &view, .table = &r->match.table, .board = &r->pose.board };
        for (int i = 0; i < view.count; i++) {
            view.id[i] = i + 1;
            view.piece[i] = r->pieces.piece[i];
        }
        struct score_table score;
        table_of(&score, s, r);
        drawn.score = &score;
        drawn.enlarges = true;
        rc = setup_output(out, path, o->out, PICTURE_ENDING, why);
        struct frame *inset = NULL;
        if (rc == 0)
            rc = enlarge_closest(&inset, f, &drawn, why);
        drawn.inset = inset;
        if (rc == 0)
            rc = overlay_draw(f, &drawn, why);
        frame_free(inset);
        if (rc == 0)
            rc = frame_write(f, out, why);
    }
    frame_free(f);
    if (rc == 0 && !o->json)
        print_reading(path, s, r);
    return rc;
}

// Before the first picture is looked at: what all of them will be written as.
static int name_outputs(const struct photo_paths *in, const struct options *o, struct fail *why)
{
    struct outputs files = { 0 };
    char out[SETUP_PATH_MAX];
    int rc = outputs_options(&files, o, why);
    for (int i = 0; i < in->count && rc == 0; i++)
        rc = outputs_reads(&files, in->path[i], why);
    for (int i = 0; i < in->count && rc == 0 && (!o->json || o->out); i++) {
        rc = setup_output(out, in->path[i], o->out, PICTURE_ENDING, why);
        if (rc == 0)
            rc = outputs_writes(&files, out, in->path[i], why);
    }
    outputs_finish(&files);
    return rc;
}

// One object for each picture, so that answers and inputs match: what was read, or why it was not.
static int tell_json(const char *path, const struct setup *s, const struct photo_reading *r, int outcome,
                     const char *reason, struct fail *why)
{
    const char *code = outcome == ENDED_WITHOUT_BOARD ? r->refused[0] ? "poor-board" : "no-board"
                       : outcome == RS_EINPUT         ? "bad-input"
                                                      : "system";
    json_t *o = outcome >= 0
                    ? photo_json(path, s, r)
                    : json_pack("{s:i, s:s, s:s}", "ringside", JSON_VERSION, "image", path, "game", s->game->name);
    if (o && outcome != 0)
        json_object_set_new(o, "error", json_pack("{s:s, s:s}", "code", code, "why", reason));
    return json_print(stdout, o, why);
}

// How bad an outcome is: of several pictures the worst one is the exit status.
static int badness(int rc)
{
    if (rc >= 0)
        return rc > 0;
    return rc == RS_EINPUT ? 2 : 3;
}

static int look(const struct options *o, struct fail *why)
{
    struct setup s;
    struct photo_paths in = { 0 };
    struct photo_reading *r = malloc(sizeof *r);
    int rc = r ? setup_read(&s, o, why) : rs_fail(why, RS_ENOMEM, "no memory to look at a picture");
    if (rc == 0)
        rc = photo_paths_find(&in, o->operand, o->operands, why);
    if (rc == 0)
        rc = setup_folder(o->out, why);
    if (rc == 0)
        rc = name_outputs(&in, o, why);
    if (rc == 0 && !o->quiet && (!o->json || o->out))
        tell_without_font();
    for (int i = 0, wrong = rc; wrong == 0 && i < in.count && !ferror(stdout); i++) {
        struct fail reason = { .text = "" };
        int outcome = look_at_one(in.path[i], o, &s, r, &reason);
        if (outcome == RS_EENDED) {
            rc = rs_fail(why, outcome, "%s: %d of %d picture%s looked at", reason.text, i, in.count,
                         in.count == 1 ? " was" : "s were");
            break;
        }
        struct fail untold;
        char name[SETUP_PATH_MAX]; // any bytes may stand in a file's, not so in JSON
        snprintf(name, sizeof name, "%s", in.path[i]);
        foreign_make_plain(name);
        int told = o->json ? tell_json(name, &s, r, outcome, reason.text, &untold) : 0;
        if (told < 0 && badness(told) > badness(outcome)) {
            outcome = told;
            reason = untold;
        }
        const char *path = strstr(reason.text, in.path[i]) ? NULL : in.path[i]; // once, also when the reason has it
        bool unfound = outcome == ENDED_WITHOUT_BOARD && !r->refused[0];
        if (outcome != 0)
            foreign_tell(stderr, "ringside: %s%s%s%s", path ? path : "", path ? ": " : "",
                         unfound ? "no board found: " : "", unfound ? view_unfound_words(reason.text) : reason.text);
        if (badness(outcome) > badness(rc))
            rc = outcome;
    }
    photo_paths_finish(&in);
    free(r);
    return rc;
}

const struct verb look_verb = {
    .name = "look",
    .operands = "IMAGE|FOLDER...",
    .says = "referee photographs (JPEG, PNG)",
    .more = "Writes NAME.ringside.png beside each picture; with --json only when --out is given.\n",
    .flags =
        (const char *const[]){ "--game", "--board", "--lens", "--hint", "--out", "--json", "--side", "--tune", NULL },
    .operands_min = 1,
    .operands_max = INT_MAX,
    .run = look,
};
