// SPDX-License-Identifier: MIT
#include "referee/commands/judge_keys.h"

#include <float.h>
#include <math.h>

#include "calibration/units.h"
#include "referee/rules/input.h"

// Where a key is offered: everywhere, or where a rule answers the word, or on one kind of board.
enum offered { EVERYWHERE, BY_RULE, ON_CIRCLES, ON_DISCS, ON_RINGS };

static const struct {
    char key;
    enum input_kind what;
    enum offered offered;
    const char *help;
} keys[] = {
    { 'u', INPUT_UNDO, EVERYWHERE, "take the last shot back" },
    { 'y', INPUT_REDO, EVERYWHERE, "what was taken back counts after all" },
    { 'a', INPUT_SHOT_AGAIN, EVERYWHERE, "the shot again" },
    { 'c', INPUT_CONFIRM, EVERYWHERE, "the close call stands" },
    { 'v', INPUT_ZONE, EVERYWHERE, "overrule: what was too close is the other way" },
    { 'w', INPUT_TWENTY, BY_RULE, "one more 20 for who shot last" },
    { 'f', INPUT_FOUL, BY_RULE, "foul" },
    { 'h', INPUT_HIT, ON_DISCS, "a disc of theirs was hit" },
    { 'm', INPUT_MISSED, ON_DISCS, "none was hit" },
    { 's', INPUT_SLIPS, BY_RULE, "slips" },
    { 'n', INPUT_NO_PLAY, BY_RULE, "no play" },
    { 'o', INPUT_OWN_TAW, BY_RULE, "hit by own taw" },
    { 't', INPUT_TURN, EVERYWHERE, "the other side's turn" },
    { 'r', INPUT_ROUND_OVER, BY_RULE, "the round is over" },
    { 'g', INPUT_NEW_GAME, EVERYWHERE, "new game" },
    { 'x', INPUT_SIDE, ON_CIRCLES, "the sides play each other's colour" },
    { 'z', INPUT_PAUSE, EVERYWHERE, "pause, or play goes on" },
    { 'p', INPUT_PERMIT, ON_RINGS, "permission to shoot" },
};

static bool is_offered(size_t key, const struct game *game)
{
    const struct board *b = board_builtin(game->board);
    for (int i = 0; i < game->rule_count; i++)
        if (keys[key].offered == BY_RULE && game->rules[i].said == keys[key].what)
            return true;
    return keys[key].offered == EVERYWHERE || (keys[key].offered == ON_DISCS && b->piece == PIECE_DISC) ||
           (keys[key].offered == ON_CIRCLES && b->kind == BOARD_CIRCLES) ||
           (keys[key].offered == ON_RINGS && b->kind == BOARD_RING);
}

// The piece of the last shot that is nearest to its line, for the errors of both, and not clear of it; the area beyond
// that line in *other. NULL when none is.
static const struct outcome *closest(struct zone *other, const struct match *m)
{
    const struct outcome *found = NULL;
    double least = INFINITY;
    for (int i = 0; i < m->shot.count; i++) {
        const struct outcome *o = &m->shot.piece[i];
        const struct verdict *v = &o->zone.verdict;
        struct zone beyond;
        double sigmas = fabs(v->margin_in) / fmax(v->sigma_in, DBL_MIN);
        if (!o->moved || o->left || v->clear || sigmas >= least || !zone_beyond(&beyond, &m->board, &o->piece.lying))
            continue;
        found = o;
        *other = beyond;
        least = sigmas;
    }
    return found;
}

bool judge_keys_input(struct observation *out, int key, const struct match *m)
{
    for (size_t i = 0; i < countof(keys); i++) {
        if (keys[i].key != key || !is_offered(i, m->game))
            continue;
        *out = (struct observation){ .kind = OBS_INPUT, .input = { .by = "judge", .what = keys[i].what } };
        if (keys[i].what == INPUT_PAUSE && m->paused)
            out->input.what = INPUT_RESUME;
        if (keys[i].what == INPUT_TURN && m->now.sides > 0) {
            int other = standing_other(&m->now, m->now.to_shoot < 0 ? 0 : m->now.to_shoot);
            snprintf(out->input.side, sizeof out->input.side, "%s", standing_name(&m->now, other));
        }
        if (keys[i].what == INPUT_ZONE) {
            struct zone other;
            char word[ZONE_WORD_MAX];
            const struct outcome *o = closest(&other, m);
            if (!o)
                return false;
            zone_word(word, &other);
            out->input.shot = m->shot.number;
            out->input.piece = o->piece.id;
            snprintf(out->input.text, sizeof out->input.text, "%s", word);
        }
        if (keys[i].what == INPUT_TWENTY) {
            int side = standing_named(&m->now, m->shot.by);
            if (m->shot.number == 0 || side < 0)
                return false;
            snprintf(out->input.side, sizeof out->input.side, "%s", standing_name(&m->now, side));
        }
        if (keys[i].what == INPUT_SIDE && m->now.side[1].seat.name[0] == '\0')
            return false; // sides without names are their colours
        if (keys[i].what == INPUT_SIDE) {
            snprintf(out->input.side, sizeof out->input.side, "%s", standing_name(&m->now, 1));
            snprintf(out->input.text, sizeof out->input.text, "%s", m->now.side[0].seat.colour);
        }
        return true;
    }
    return false;
}

const char *judge_keys_help(int key, const struct game *game)
{
    for (size_t i = 0; i < countof(keys); i++)
        if (keys[i].key == key && is_offered(i, game))
            return keys[i].help;
    return NULL;
}

const char *judge_keys_lacks(int key, const struct match *m)
{
    bool shot = m->shot.number > 0;
    const struct {
        int key;
        const char *words;
    } lacks[] = {
        { 'v', shot ? "nothing of the last shot is too close; a firm call is overruled on the judge's page"
                    : "nobody has shot yet" },
        { 'w', shot ? "it is not known who shot last" : "nobody has shot yet" },
        { 'x', "the sides have no names, they are called by their colours" },
    };
    for (size_t i = 0; i < countof(lacks); i++)
        if (lacks[i].key == key)
            return lacks[i].words;
    return "not in this match";
}

void judge_keys_print(FILE *to, const struct game *game)
{
    for (size_t i = 0; i < countof(keys); i++)
        if (is_offered(i, game))
            fprintf(to, "  %c  %s\n", keys[i].key, keys[i].help);
}

json_t *judge_keys_json(const struct game *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < countof(keys); i++) {
        const char key[2] = { keys[i].key };
        if (is_offered(i, game))
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "key", key, "what", input_kind_word(keys[i].what),
                                                  "help", keys[i].help));
    }
    return list;
}
