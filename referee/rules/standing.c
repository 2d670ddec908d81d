// SPDX-License-Identifier: MIT
#include "referee/rules/standing.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "calibration/text.h"

void standing_begin(struct standing *s, const struct match_setup *setup)
{
    *s = (struct standing){ .format = setup->format, .sides = setup->seats, .permit_needed = setup->permit_needed };
    for (int i = 0; i < setup->seats; i++)
        s->side[i].seat = setup->seat[i];
    standing_start(s, 1);
    s->to_shoot = s->starter = s->first = setup->first;
}

void standing_start(struct standing *s, int game)
{
    struct standing fresh = { .format = s->format, .game = game, .sides = s->sides, .round = 1 };
    fresh.to_shoot = fresh.starter = fresh.first = fresh.winner = -1;
    fresh.permit_needed = s->permit_needed;
    for (int i = 0; i < s->sides; i++) {
        fresh.side[i] = s->side[i];
        fresh.side[i].score = fresh.side[i].played = fresh.side[i].shots = fresh.side[i].twenties = 0;
        fresh.side[i].score_doubt = fresh.side[i].twenties_doubt = (struct doubt){ 0, 0 };
        fresh.side[i].last_round = fresh.side[i].kept = fresh.side[i].counted = points_exactly(0);
    }
    *s = fresh;
}

int standing_side(struct standing *s, const char *colour)
{
    int waiting = -1;
    bool nameless = false; // the seat that waits was given no colour
    if (colour[0] == '\0' || strcmp(colour, COLOUR_UNKNOWN) == 0)
        return -1;
    for (int i = 0; i < s->sides; i++) {
        struct player_side *known = &s->side[i];
        bool given = strcmp(known->given, colour) == 0;
        if (given) {
            memcpy(known->seat.colour, known->given, sizeof known->given);
            known->given[0] = '\0';
        }
        if (given || strcmp(known->seat.colour, colour) == 0) {
            known->seen = true;
            return i;
        }
        bool without = s->side[i].seat.colour[0] == '\0';
        if (!s->side[i].seen && (waiting < 0 || (without && !nameless))) {
            waiting = i;
            nameless = without;
        }
    }
    if ((waiting < 0 || !nameless) && s->sides < SIDES)
        waiting = s->sides++;
    if (waiting < 0)
        return -1;
    struct player_side *side = &s->side[waiting];
    side->name_is_asked = side->seat.colour[0] != '\0';
    memcpy(side->given, side->seat.colour, sizeof side->given);
    side->seen = true;
    snprintf(side->seat.colour, sizeof side->seat.colour, "%s", colour);
    return waiting;
}

void standing_colour_said(char out[OBS_WORD_MAX], const char *said)
{
    snprintf(out, OBS_WORD_MAX, "%s", said);
    for (char *c = out; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
}

int standing_named(const struct standing *s, const char *words)
{
    for (int i = 0; i < s->sides && words[0]; i++)
        if (strcasecmp(s->side[i].seat.name, words) == 0)
            return i;
    for (int i = 0; i < s->sides && words[0]; i++)
        if (strcasecmp(s->side[i].seat.colour, words) == 0)
            return i;
    return -1;
}

int standing_meant(const struct standing *s, const struct observation *said)
{
    const char *text = said->input.text;
    int side = standing_named(s, said->input.side);
    if (side < 0)
        side = standing_named(s, text);
    for (int i = 0; i < s->sides && side < 0; i++) { // logs that were written before inputs had a side
        size_t length = strlen(s->side[i].seat.colour);
        if (length > 0 && strncmp(text, s->side[i].seat.colour, length) == 0 &&
            (text[length] == '\0' || text[length] == ' '))
            side = i;
    }
    return side;
}

int standing_other(const struct standing *s, int side)
{
    return side >= 0 && s->sides == SIDES ? 1 - side : side;
}

bool standing_rename(struct standing *s, int side, const char *name)
{
    int owner = standing_named(s, name);
    size_t length = strlen(name);
    if (side < 0 || length == 0 || length >= OBS_WORD_MAX || (owner >= 0 && owner != side))
        return false;
    memcpy(s->side[side].seat.name, name, length + 1);
    return true;
}

const char *standing_name(const struct standing *s, int side)
{
    if (side < 0)
        return "nobody";
    const struct seat *seat = &s->side[side].seat;
    return seat->name[0] ? seat->name : seat->colour;
}

int standing_of_colour(const struct standing *s, const char *colour)
{
    for (int i = 0; i < s->sides && colour[0]; i++)
        if (strcmp(s->side[i].seat.colour, colour) == 0)
            return i;
    return -1;
}

const char *standing_owner(const struct standing *s, const char *colour)
{
    int side = standing_of_colour(s, colour);
    return side < 0 ? colour : standing_name(s, side);
}

const char *standing_player(const struct standing *s, int side)
{
    int players = 0;
    while (side >= 0 && players < PLAYERS_MAX && s->side[side].seat.player[players][0])
        players++;
    return players == 0 ? standing_name(s, side) : s->side[side].seat.player[s->side[side].shots % players];
}

void standing_set_score(struct player_side *side, int score)
{
    side->score = score;
    side->score_doubt = (struct doubt){ 0, 0 };
}

static struct points points_in_doubt(int reads, struct doubt doubt)
{
    return (struct points){ .reads = reads,
                            .least = reads > doubt.less ? reads - doubt.less : 0,
                            .most = reads + doubt.more };
}

struct points standing_score(const struct player_side *side)
{
    return points_in_doubt(side->score, side->score_doubt);
}

struct points standing_twenties(const struct player_side *side)
{
    return points_in_doubt(side->twenties, side->twenties_doubt);
}

void standing_result_words(char out[RESULT_WORDS_MAX], const char *name, bool close)
{
    snprintf(out, RESULT_WORDS_MAX, "%s%s%s", name ? name : "drawn", name ? " wins" : "", close ? " (close)" : "");
}

const char *standing_no_sides(long shots)
{
    return shots > 0 ? "no side is known yet" : "nobody has shot yet";
}

struct points standing_round_points(const struct player_side *side)
{
    struct points sum = side->kept;
    points_add(&sum, side->counted);
    return sum;
}

void standing_points_words(char *out, size_t size, const struct standing *s, const struct points points[SIDES])
{
    out[0] = '\0';
    for (int i = 0; i < s->sides; i++) {
        char number[POINTS_WORDS_MAX];
        points_words(number, points[i]);
        text_add(out, size, "%s%s %s", text_comma(out), standing_name(s, i), number);
    }
}

void standing_words(char *out, size_t size, const struct standing *s)
{
    struct points score[SIDES];
    for (int i = 0; i < SIDES; i++)
        score[i] = standing_score(&s->side[i]);
    standing_points_words(out, size, s, score);
}

void standing_round_words(char *out, size_t size, const struct standing *s)
{
    struct points points[SIDES];
    for (int i = 0; i < SIDES; i++)
        points[i] = standing_round_points(&s->side[i]);
    standing_points_words(out, size, s, points);
}

bool standing_all_played(const struct standing *s)
{
    int pieces = s->format.pieces_each;
    return s->sides == SIDES && pieces > 0 && s->side[0].played >= pieces && s->side[1].played >= pieces;
}

const struct owed *standing_owes(const struct standing *s, int piece)
{
    for (int i = 0; i < s->owed; i++)
        if (s->owe[i].piece == piece)
            return &s->owe[i];
    return NULL;
}

void standing_owe(struct standing *s, const struct known_piece *p, enum owed_what what, struct pt_in at, int shot)
{
    standing_settle(s, p->id);
    if (s->owed == OWED_MAX)
        return;
    struct owed *o = &s->owe[s->owed++];
    *o = (struct owed){ .piece = p->id, .what = what, .at = at, .shot = shot };
    memcpy(o->colour, p->colour, sizeof o->colour);
}

void standing_owe_all(struct standing *s, const struct piece_table *t, const struct board *b, int shot)
{
    s->in_doubt = 0;
    for (int i = 0; i < s->owed; i++)
        s->owe[i].doubtful = false; // in the round to come it counts nothing
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        struct zone zone = zone_of(b, &p->lying);
        if (p->rested && !p->moving && zone_in_play(&zone))
            standing_owe(s, p, OWED_OFF, p->lying.at, shot);
    }
}

void standing_settle(struct standing *s, int piece)
{
    const struct owed *o = standing_owes(s, piece);
    if (!o)
        return;
    memmove(&s->owe[o - s->owe], o + 1, (size_t)(&s->owe[s->owed] - (o + 1)) * sizeof *o);
    s->owed--;
}

bool standing_doubts(const struct standing *s, int piece)
{
    for (int i = 0; i < s->in_doubt; i++)
        if (s->doubt[i] == piece)
            return true;
    return false;
}

void standing_doubt(struct standing *s, int piece)
{
    if (standing_doubts(s, piece))
        return;
    if (s->in_doubt == OWED_MAX)
        memmove(s->doubt, s->doubt + 1, (size_t)--s->in_doubt * sizeof *s->doubt);
    s->doubt[s->in_doubt++] = piece;
}

struct points standing_on_board(const struct standing *s, const struct piece_table *t, const struct board *b, int side)
{
    struct points sum = { 0, 0, 0 };
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        const struct owed *owed = standing_owes(s, p->id);
        if (!p->rested || p->moving || (owed && !owed->doubtful) || zone_of(b, &p->lying).area == ZONE_HOLE ||
            strcmp(p->colour, s->side[side].seat.colour) != 0)
            continue;
        struct points points = zone_points(b, &p->lying);
        if (owed)
            points = (struct points){ 0, 0, points.most };
        else if (standing_doubts(s, p->id))
            points.least = 0;
        points_add(&sum, points);
    }
    return sum;
}
