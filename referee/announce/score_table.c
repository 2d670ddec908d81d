// SPDX-License-Identifier: MIT
#include "referee/announce/score_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/announce/paint.h"

// In units of draw_unit_px.
static const double PAD = 10, TITLE = 9, HEAD = 7, NAME = 12, CELL = 12, SCORE = 17, ROW = 31, SWATCH = 8, DOT = 4;
static const double LEAST_UNIT = 0.6; // px: smaller letters cannot be drawn
static const double NAME_MOST = 230, NAME_LEAST = 60, CELL_GAP = 14, NAME_LEFT = 44, FOOT = 9, BELOW_HEAD = 5;

static const struct ink ground_ink = { 26, 20, 17, 0.86 }, rule_ink = { 255, 255, 255, 0.16 };
static const struct ink word_ink = { 255, 255, 255, 1 }, quiet_ink = { 200, 198, 194, 1 },
                        turn_ink = { 95, 214, 255, 1 };
static const struct ink rim_ink = { 255, 255, 255, 0.9 };

struct ink paint_ink(const char *colour)
{
    unsigned rgb = (unsigned)strtoul(paint_css(colour) + 1, NULL, 16);
    return (struct ink){ (uint8_t)(rgb & 255), (uint8_t)(rgb >> 8 & 255), (uint8_t)(rgb >> 16 & 255), 1 };
}

static void add_column(struct score_table *t, const char *head)
{
    snprintf(t->head[t->columns++], SCORE_CELL_MAX, "%s", head);
}

void score_cell_points(char cell[SCORE_CELL_MAX], struct points points)
{
    int used = snprintf(cell, SCORE_CELL_MAX, "%d", points.reads);
    if (points.least < points.most)
        snprintf(cell + used, SCORE_CELL_MAX - (size_t)used, " (%d-%d)", points.least, points.most);
}

void score_table_of(struct score_table *out, const struct match *m)
{
    const struct standing *s = &m->now;
    bool circles = m->board.kind == BOARD_CIRCLES, games = false;
    *out = (struct score_table){ .rows = s->sides };
    for (int i = 0; i < s->sides; i++)
        games |= s->side[i].games > 0;
    if (circles) {
        add_column(out, "20s");
        add_column(out, "board");
    }
    if (games)
        add_column(out, "games");
    add_column(out, circles ? "score" : "marbles");
    int used = snprintf(out->title, sizeof out->title, "%.*s", (int)strcspn(m->game->title, ",("), m->game->title);
    if (!s->over) // behind the last round no other is played
        snprintf(out->title + used, sizeof out->title - (size_t)used, "   %s %d", circles ? "round" : "inning",
                 s->round);
    for (int i = 0; i < s->sides; i++) {
        const struct player_side *side = &s->side[i];
        struct score_row *row = &out->row[i];
        int k = 0;
        snprintf(row->name, sizeof row->name, "%s", standing_name(s, i));
        snprintf(row->colour, sizeof row->colour, "%s", side->seat.colour);
        row->plays = !s->over && i == s->to_shoot;
        if (circles) {
            score_cell_points(row->cell[k++], standing_twenties(side));
            score_cell_points(row->cell[k++], standing_on_board(s, &m->table, &m->board, i));
        }
        if (games)
            snprintf(row->cell[k++], SCORE_CELL_MAX, "%d", side->games);
        score_cell_points(row->cell[k], standing_score(side));
    }
    if (s->over)
        standing_result_words(out->foot, s->winner < 0 ? NULL : standing_name(s, s->winner), s->close);
    else if (s->owed > 0)
        snprintf(out->foot, sizeof out->foot, "%d must come off or go back", s->owed);
}

// Where the columns end, from the left, and the whole. Pixels.
struct layout {
    double unit_px, name_px, right_px[SCORE_COLUMNS_MAX], width_px, height_px;
};

static int lay_out(struct layout *out, const struct frame *f, const struct score_table *t, struct fail *why)
{
    double u = fmax(draw_unit_px(f), LEAST_UNIT), w;
    int rc = 0;
    *out = (struct layout){ .unit_px = u, .name_px = NAME_LEAST * u };
    for (int i = 0; i < t->rows && rc == 0; i++) {
        rc = draw_letters_width(&w, NAME * u, t->row[i].name, why);
        if (rc == 0)
            out->name_px = fmax(out->name_px, fmin(w, NAME_MOST * u));
    }
    double right = NAME_LEFT * u + out->name_px;
    for (int k = 0; k < t->columns && rc == 0; k++) {
        double widest = 0;
        rc = draw_letters_width(&widest, HEAD * u, t->head[k], why);
        for (int i = 0; i < t->rows && rc == 0; i++) {
            rc = draw_letters_width(&w, (k + 1 < t->columns ? CELL : SCORE) * u, t->row[i].cell[k], why);
            widest = fmax(widest, rc == 0 ? w : 0);
        }
        right += CELL_GAP * u + widest;
        out->right_px[k] = right;
    }
    if (rc == 0 && t->title[0]) {
        rc = draw_letters_width(&w, TITLE * u, t->title, why);
        right = fmax(right, rc == 0 ? w + PAD * u : 0);
    }
    if (rc == 0 && t->foot[0]) {
        rc = draw_letters_width(&w, FOOT * u, t->foot, why);
        right = fmax(right, rc == 0 ? w + PAD * u : 0);
    }
    double last = t->columns > 0 ? out->right_px[t->columns - 1] : right;
    for (int k = 0; k < t->columns; k++) // a long title makes the table wider, not its columns
        out->right_px[k] += right - last;
    out->width_px = right + PAD * u;
    out->height_px =
        (PAD + 2 * TITLE + HEAD + BELOW_HEAD + t->rows * ROW + (t->foot[0] ? 2.2 * FOOT : 0) + PAD / 2) * u;
    return rc;
}

int score_table_size(double *width_px, double *height_px, const struct frame *f, const struct score_table *t,
                     struct fail *why)
{
    struct layout l;
    int rc = lay_out(&l, f, t, why);
    *width_px = l.width_px;
    *height_px = l.height_px;
    return rc;
}

// What does not fit ends in dots.
static int draw_name(struct frame *f, const struct layout *l, struct pt_px at, const char *name, struct fail *why)
{
    char words[SCORE_WORDS_MAX + 4];
    double w = INFINITY, u = l->unit_px;
    int rc = 0;
    for (size_t n = strlen(name); rc == 0 && w > l->name_px + 1 && n > 0; n--) {
        if (((unsigned char)name[n] & 0xc0) == 0x80) // within a letter of UTF-8
            continue;
        snprintf(words, sizeof words, "%.*s%s", (int)n, name, name[n] ? "..." : "");
        rc = draw_letters_width(&w, NAME * u, words, why);
    }
    return rc < 0 || !name[0] ? rc : draw_letters(f, at, DRAW_RIGHT_OF, NAME * u, word_ink, words, why);
}

int score_table_draw(struct frame *f, const struct score_table *t, struct pt_px corner, struct fail *why)
{
    struct layout l;
    int rc = lay_out(&l, f, t, why);
    if (rc < 0)
        return rc;
    double u = l.unit_px, left = corner.u, v = corner.v + PAD * u + TITLE * u / 2;
    draw_box(f, left, corner.v, left + l.width_px, corner.v + l.height_px, ground_ink);
    rc = draw_letters(f, (struct pt_px){ left + PAD * u, v }, DRAW_RIGHT_OF, TITLE * u, quiet_ink, t->title, why);
    v += (1.5 * TITLE + HEAD / 2) * u;
    for (int k = 0; k < t->columns && rc == 0; k++)
        rc = draw_letters(f, (struct pt_px){ left + l.right_px[k], v }, DRAW_LEFT_OF, HEAD * u, quiet_ink, t->head[k],
                          why);
    v = corner.v + (PAD + 2 * TITLE + HEAD + BELOW_HEAD) * u;
    for (int i = 0; i < t->rows && rc == 0; i++) {
        const struct score_row *row = &t->row[i];
        double middle = v + ROW * u / 2;
        draw_box(f, left + PAD * u, v - 0.5 * u, left + l.width_px - PAD * u, v + 0.5 * u, rule_ink);
        if (row->plays)
            draw_disc(f, (struct pt_px){ left + (PAD + DOT) * u, middle }, DOT * u, turn_ink);
        if (row->colour[0]) {
            struct pt_px at = { left + (PAD + 2 * DOT + SWATCH + 5) * u, middle };
            draw_disc(f, at, SWATCH * u, rim_ink);
            draw_disc(f, at, (SWATCH - 1.5) * u, paint_ink(row->colour));
        }
        rc = draw_name(f, &l, (struct pt_px){ left + NAME_LEFT * u, middle }, row->name, why);
        for (int k = 0; k < t->columns && rc == 0; k++)
            rc = draw_letters(f, (struct pt_px){ left + l.right_px[k], middle }, DRAW_LEFT_OF,
                              (k + 1 < t->columns ? CELL : SCORE) * u, k + 1 < t->columns ? quiet_ink : word_ink,
                              row->cell[k], why);
        v += ROW * u;
    }
    if (rc == 0 && t->foot[0])
        rc = draw_letters(f, (struct pt_px){ left + PAD * u, v + 1.1 * FOOT * u }, DRAW_RIGHT_OF, FOOT * u, turn_ink,
                          t->foot, why);
    return rc;
}
