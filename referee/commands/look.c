// SPDX-License-Identifier: MIT
// `ringside look IMAGE...`: where every piece of a photograph lies, in which zone and by how much.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "referee/announce/json.h"
#include "referee/announce/overlay.h"
#include "referee/commands/found.h"
#include "referee/commands/inputs.h"
#include "referee/commands/looked.h"
#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"
#include "vision/frame_file.h"

static void print_totals(const struct options *o, const struct position *p)
{
    const char *before = "  ";
    for (int i = 0; i < p->sides; i++) {
        const char *name = options_side_name(o, p->side[i].colour);
        printf("%s%s %d", before, name, p->counts ? p->side[i].points : p->side[i].pieces);
        before = ", ";
    }
    printf("%s%s\n", p->sides ? "" : "  nothing lies in play", p->counts || !p->sides ? "" : " in the ring");
}

static void print_looked(const struct options *o, const struct setup *s, const char *path, const struct looked *l)
{
    char words[CALL_TEXT_MAX], found[FOUND_WORDS_MAX];
    found_words(found, &l->pose, s);
    printf("%s: %s\n", path, found);
    found_limits(stdout, "  beware: ", &l->pose);
    for (int i = 0; i < l->position.count; i++) {
        position_words(words, sizeof words, &l->position.at[i]);
        printf("  %s\n", words);
    }
    print_totals(o, &l->position);
}

static void view_of(struct tracker_view *v, const struct detection_list *pieces)
{
    *v = (struct tracker_view){ .count = pieces->count };
    for (int i = 0; i < pieces->count; i++) {
        v->id[i] = i + 1;
        v->piece[i] = pieces->piece[i];
    }
}

static int draw(struct frame *f, const struct options *o, const struct setup *s, const struct looked *l,
                struct fail *why)
{
    struct tracker_view view;
    struct overlay drawn = { .pose = &l->pose, .view = &view, .table = &l->match.table, .board = &l->pose.board };
    view_of(&view, &l->pieces);
    overlay_say(&drawn.panel, "%s", s->game->name);
    for (int i = 0; i < l->position.sides; i++) {
        const struct side_total *t = &l->position.side[i];
        overlay_say(&drawn.panel, "%s %d%s", options_side_name(o, t->colour),
                    l->position.counts ? t->points : t->pieces, l->position.counts ? "" : " in the ring");
    }
    return overlay_draw(f, &drawn, why);
}

static int write_picture(struct frame *f, const char *path, const struct options *o, const struct setup *s,
                         const struct looked *l, struct fail *why)
{
    char out[SETUP_PATH_MAX];
    if (o->json && !o->out)
        return 0;
    int rc = setup_output(out, path, o->out, ".ringside.png", why);
    if (rc == 0)
        rc = draw(f, o, s, l, why);
    return rc == 0 ? frame_write(f, out, why) : rc;
}

static int tell(const char *path, const struct options *o, const struct setup *s, const struct looked *l,
                struct fail *why)
{
    if (o->json)
        return json_print(stdout, looked_json(path, s, l), why);
    if (l->pose.found && !l->refused[0])
        print_looked(o, s, path, l);
    return 0;
}

static int look_one(const char *path, const struct options *o, const struct setup *s, struct looked *l,
                    struct fail *why)
{
    struct frame *f = NULL;
    struct fail not_told = { .text = "" };
    int rc = looked_read(&f, path, why);
    if (rc == 0)
        rc = looked_at(l, f, s, why);
    if (rc == 0)
        rc = write_picture(f, path, o, s, l, why);
    if (rc >= 0 && tell(path, o, s, l, &not_told) < 0) {
        *why = not_told;
        rc = not_told.code;
    }
    frame_free(f);
    return rc;
}

// The picture's name once, whether or not the reason has it already.
static void complain(const char *path, int rc, const struct looked *l, const struct fail *why)
{
    const char *before = rc == ENDED_WITHOUT_BOARD && !l->refused[0] ? "no board found: " : "";
    if (strstr(why->text, path))
        fprintf(stderr, "ringside: %s%s\n", before, why->text);
    else
        fprintf(stderr, "ringside: %s: %s%s\n", path, before, why->text);
}

// Of several outcomes the one that the exit status tells: the system's failure before bad input before no board.
static int worse(int a, int b)
{
    int rank_a = a == 0           ? 0
                 : a > 0          ? 1
                 : a == RS_EINPUT ? 2
                                  : 3,
        rank_b = b == 0           ? 0
                 : b > 0          ? 1
                 : b == RS_EINPUT ? 2
                                  : 3;
    return rank_b > rank_a ? b : a;
}

static int look_at_all(const struct inputs *in, const struct options *o, const struct setup *s)
{
    int worst = 0;
    struct looked *l = malloc(sizeof *l);
    if (!l)
        abort();
    for (int i = 0; i < in->count && !ferror(stdout); i++) {
        struct fail why = { .text = "" };
        int rc = look_one(in->path[i], o, s, l, &why);
        if (rc != 0)
            complain(in->path[i], rc, l, &why);
        worst = worse(worst, rc);
    }
    free(l);
    return worst;
}

static int look(const struct options *o, struct fail *why)
{
    struct setup s;
    struct inputs in = { 0, NULL };
    int rc = setup_read(&s, o, why);
    if (rc == 0)
        rc = inputs_find(&in, o->operand, o->operands, why);
    if (rc == 0)
        rc = setup_folder(o->out, why);
    if (rc == 0)
        rc = look_at_all(&in, o, &s);
    inputs_finish(&in);
    return rc;
}

const struct verb look_verb = {
    .name = "look",
    .operands = "IMAGE|FOLDER...",
    .says = "referee photographs (JPEG, PNG)",
    .more = "Writes NAME.ringside.png beside each picture; with --json only when --out is given.\n",
    .flags = (const char *const[]){ "--game", "--board", "--lens", "--out", "--json", "--side", NULL },
    .operands_min = 1,
    .operands_max = INT_MAX,
    .run = look,
};
