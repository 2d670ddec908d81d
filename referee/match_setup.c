// SPDX-License-Identifier: MIT
#include "referee/match_setup.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#include "calibration/foreign.h"
#include "calibration/json_file.h"
#include "calibration/text.h"
#include "calibration/units.h"

static const char *const scorings[] = {
    [SCORE_ROUND_POINTS] = "round-points", [SCORE_DIFFERENCE] = "difference", [SCORE_SUM] = "sum", NULL
};

_Static_assert(sizeof(enum scoring) == sizeof(int), "words are copied as int");

#define AT(member) offsetof(struct format, member)
#define COUNT(member, least, most)                                                                                     \
    {                                                                                                                  \
#member, JSON_COUNT, AT(member), .low = least, .high = most, .optional = true                                  \
    }

static const struct json_field format_fields[] = {
    { "name", JSON_TEXT, AT(name), .count = OBS_WORD_MAX, .optional = true },
    COUNT(players, 1, PLAYERS_MAX),
    COUNT(pieces_each, 0, FORMAT_COUNT_MAX),
    { "scoring", JSON_WORD, AT(scoring), .words = scorings, .optional = true },
    COUNT(round_points, 0, FORMAT_COUNT_MAX),
    COUNT(rounds, 0, FORMAT_COUNT_MAX),
    COUNT(target, 0, FORMAT_COUNT_MAX),
    { "twenties_decide", JSON_YES_NO, AT(twenties_decide), .optional = true },
    { "ties_stand", JSON_YES_NO, AT(ties_stand), .optional = true },
    { "from_edge", JSON_YES_NO, AT(from_edge), .optional = true },
};

static const struct json_field seat_fields[] = {
    { "name", JSON_TEXT, offsetof(struct seat, name), .count = OBS_WORD_MAX, .optional = true },
    { "colour", JSON_TEXT, offsetof(struct seat, colour), .count = OBS_WORD_MAX, .optional = true },
};

struct match_setup match_setup_usual(const struct game *game)
{
    struct match_setup setup = { .first = -1, .format.players = 1 };
    if (game)
        setup.format = game->formats[0];
    return setup;
}

int match_setup_fits(const struct game *game, const struct board *board, struct fail *why)
{
    const struct board *own = board_builtin(game->board);
    if (own->kind == board->kind && own->piece == board->piece)
        return 0;
    return rs_fail(why, RS_EINPUT, "%s is not played on a board like %s; its own is %s", game->name, board->name,
                   own->name);
}

json_t *match_setup_to_json(const struct match_setup *setup)
{
    json_t *format = json_object(), *sides = json_array();
    int failed = json_fields_write(format, &setup->format, format_fields, countof(format_fields));
    for (int i = 0; i < setup->seats; i++) {
        const struct seat *seat = &setup->seat[i];
        json_t *side = json_object(), *players = json_array();
        failed |= json_fields_write(side, seat, seat_fields, countof(seat_fields));
        for (int k = 0; k < PLAYERS_MAX && seat->player[k][0]; k++)
            failed |= json_array_append_new(players, json_string(seat->player[k]));
        failed |= json_object_set_new(side, "players", players) | json_array_append_new(sides, side);
    }
    json_t *o = json_pack("{s:o, s:o, s:i, s:b}", "format", format, "sides", sides, "first", setup->first, "judge",
                          setup->permit_needed);
    if (!failed)
        return o;
    json_decref(o);
    return NULL;
}

// A slip of the pen must not be left out in silence.
static int check_keys(const json_t *o, const char *const *known, struct fail *why)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)o, key, value)
    {
        const char *const *k = known;
        while (*k && strcmp(*k, key) != 0)
            k++;
        if (!*k)
            return rs_fail(why, RS_EINPUT, "\"%s\" is nothing that is agreed before a match", key);
    }
    return 0;
}

static int read_format(struct format *out, const json_t *o, const struct game *game, struct fail *why)
{
    const char *name = json_string_value(o);
    const struct format *known = name && game ? game_format(game, name) : NULL;
    if (!name)
        return json_is_object(o) ? json_fields_read(out, o, format_fields, countof(format_fields), why)
                                 : rs_fail(why, RS_EINPUT, "\"format\" must be the name of one, or an object");
    if (!known) {
        char all[160] = "";
        for (int i = 0; game && i < game->format_count; i++)
            text_add(all, sizeof all, "%s%s", text_comma(all), game->formats[i].name);
        return rs_fail(why, RS_EINPUT, "\"format\": there is none called %.40s; there are %s", name, all);
    }
    *out = *known;
    return 0;
}

static bool is_word(const char *text)
{
    return text && strlen(text) < OBS_WORD_MAX && foreign_is_plain(text);
}

static int read_seat(struct seat *out, const json_t *o, struct fail *why)
{
    const json_t *players = json_object_get(o, "players");
    if (!json_is_object(o))
        return rs_fail(why, RS_EINPUT, "\"sides\": each must be an object with name, colour and players");
    int rc = json_fields_read(out, o, seat_fields, countof(seat_fields), why);
    if (rc == 0 && players && (!json_is_array(players) || json_array_size(players) > PLAYERS_MAX))
        rc = rs_fail(why, RS_EINPUT, "\"players\" must be a list of at most %d names", PLAYERS_MAX);
    for (size_t i = 0; i < json_array_size(players) && rc == 0; i++) {
        const char *name = json_string_value(json_array_get(players, i));
        if (!is_word(name) || name[0] == '\0')
            return rs_fail(why, RS_EINPUT, "\"players\": each must be a name of less than %d bytes", OBS_WORD_MAX);
        memcpy(out->player[i], name, strlen(name) + 1);
    }
    return rc;
}

// "first": the number of a side, from 0, or its name.
static int read_first(int *out, const json_t *o, const struct match_setup *setup, struct fail *why)
{
    const char *name = json_string_value(o);
    json_int_t number = json_integer_value(o);
    if (!name && json_is_integer(o) && number >= -1 && number < setup->seats) {
        *out = (int)number;
        return 0;
    }
    for (int i = 0; name && i < setup->seats; i++)
        if (strcasecmp(setup->seat[i].name, name) == 0 || strcasecmp(setup->seat[i].colour, name) == 0) {
            *out = i;
            return 0;
        }
    return rs_fail(why, RS_EINPUT, "\"first\" must be the name of one of the sides");
}

int match_setup_from_json(struct match_setup *out, const json_t *o, const struct game *game, struct fail *why)
{
    const json_t *format = json_object_get(o, "format"), *sides = json_object_get(o, "sides"),
                 *first = json_object_get(o, "first"), *judge = json_object_get(o, "judge");
    struct match_setup setup = match_setup_usual(game);
    static const char *const known[] = { "format", "sides", "first", "judge", NULL };
    static const char *const of_side[] = { "name", "colour", "players", NULL };
    int rc = json_is_object(o) ? check_keys(o, known, why) : rs_fail(why, RS_EINPUT, "\"match\" must be an object");
    for (size_t i = 0; i < json_array_size(sides) && rc == 0; i++)
        rc = check_keys(json_array_get(sides, i), of_side, why);
    if (rc == 0 && format)
        rc = read_format(&setup.format, format, game, why);
    if (rc == 0 && sides && (!json_is_array(sides) || json_array_size(sides) > SIDES))
        rc = rs_fail(why, RS_EINPUT, "\"sides\" must be a list of at most %d", SIDES);
    for (size_t i = 0; i < json_array_size(sides) && rc == 0; i++)
        rc = read_seat(&setup.seat[setup.seats++], json_array_get(sides, i), why);
    if (rc == 0 && setup.seats == SIDES && setup.seat[0].name[0] &&
        strcasecmp(setup.seat[0].name, setup.seat[1].name) == 0)
        rc = rs_fail(why, RS_EINPUT, "\"sides\": both are called %s", setup.seat[0].name);
    if (rc == 0 && setup.seats == SIDES && setup.seat[0].colour[0] &&
        strcasecmp(setup.seat[0].colour, setup.seat[1].colour) == 0)
        rc = rs_fail(why, RS_EINPUT, "\"sides\": both play %s", setup.seat[0].colour);
    if (rc == 0 && first)
        rc = read_first(&setup.first, first, &setup, why);
    if (rc == 0 && judge && !json_is_boolean(judge))
        rc = rs_fail(why, RS_EINPUT, "\"judge\" must be true or false");
    setup.permit_needed = json_is_true(judge);
    if (rc == 0)
        *out = setup;
    return rc;
}

int match_setup_from_colours(struct match_setup *out, const json_t *list, const struct game *game, struct fail *why)
{
    struct match_setup setup = match_setup_usual(game);
    if (!json_is_array(list) || json_array_size(list) > SIDES)
        return rs_fail(why, RS_EINPUT, "\"players\" must be a list of at most %d colours", SIDES);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *colour = json_string_value(json_array_get(list, i));
        if (!is_word(colour))
            return rs_fail(why, RS_EINPUT, "\"players\": each must be a word of less than %d bytes", OBS_WORD_MAX);
        memcpy(setup.seat[setup.seats++].colour, colour, strlen(colour) + 1);
    }
    *out = setup;
    return 0;
}

int match_setup_check_players(const struct match_setup *setup, struct fail *why)
{
    for (int i = 0; i < setup->seats; i++) {
        const struct seat *seat = &setup->seat[i];
        int named = 0;
        while (named < PLAYERS_MAX && seat->player[named][0])
            named++;
        if (named > setup->format.players)
            return rs_fail(why, RS_EINPUT, "%s has %d players; %s is played by %d a side",
                           seat->name[0] ? seat->name : "a side", named, setup->format.name, setup->format.players);
    }
    return 0;
}

// But for the case of letters, of any alphabet: strcasecmp knows those of ASCII alone.
static bool same_name(const char *a, const char *b)
{
    locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    bool same = strcasecmp(a, b) == 0, read = unicode && !same, ends = false;
    while (read && !ends) {
        unsigned one = 0, other = 0;
        int length = foreign_character(&one, a), other_length = foreign_character(&other, b);
        read = length > 0 && other_length > 0 && towlower_l(one, unicode) == towlower_l(other, unicode);
        ends = one == 0;
        a += length;
        b += other_length;
    }
    if (unicode)
        freelocale(unicode);
    return same || read;
}

int match_setup_check_names(const struct match_setup *setup, struct fail *why)
{
    const struct seat *seat = setup->seat;
    bool two = setup->seats == SIDES;
    if (two && seat[0].name[0] && same_name(seat[0].name, seat[1].name))
        return rs_fail(why, RS_EINPUT,
                       "the sides are called %s and %s, which differ in capitals alone: give one of them another name",
                       seat[0].name, seat[1].name);
    if (two && seat[0].colour[0] && same_name(seat[0].colour, seat[1].colour))
        return rs_fail(why, RS_EINPUT, "both sides play %s", seat[0].colour);
    return 0;
}

void match_setup_seen_colours(struct match_setup *setup)
{
    for (int i = 0; i < setup->seats; i++) {
        struct seat was = setup->seat[i];
        standing_colour_said(setup->seat[i].colour, was.colour);
    }
}
