// SPDX-License-Identifier: MIT
#include "referee/commands/judge_keys.h"

#include <string.h>

#include "calibration/units.h"

static const struct {
    char key;
    enum input_kind what;
    bool every_game; // otherwise only where a rule answers it
    const char *help;
} keys[] = {
    { 'u', INPUT_UNDO, true, "take the last shot back" },
    { 'y', INPUT_REDO, true, "not so: as before u" },
    { 'a', INPUT_SHOT_AGAIN, true, "the shot again" },
    { 'c', INPUT_CONFIRM, true, "the close call stands" },
    { 'f', INPUT_FOUL, false, "foul" },
    { 'h', INPUT_HIT, false, "it was hit" },
    { 'm', INPUT_MISSED, false, "it was missed" },
    { 's', INPUT_SLIPS, false, "slips" },
    { 'n', INPUT_NO_PLAY, false, "no play" },
    { 'o', INPUT_OWN_TAW, false, "hit by own taw" },
    { 't', INPUT_TURN, true, "the other side's turn" },
    { 'r', INPUT_ROUND_OVER, false, "the round is over" },
    { 'g', INPUT_NEW_GAME, true, "new game" },
    { 'p', INPUT_PERMIT, true, "permission to shoot" },
};

static bool answers(const struct game *game, enum input_kind what)
{
    for (int i = 0; i < game->rule_count; i++)
        if (game->rules[i].said == what)
            return true;
    return false;
}

bool judge_keys_input(struct observation *out, int key, const struct match *m)
{
    for (size_t i = 0; i < countof(keys); i++) {
        if (keys[i].key != key || !(keys[i].every_game || answers(m->game, keys[i].what)))
            continue;
        *out = (struct observation){ .kind = OBS_INPUT, .input = { .by = "judge", .what = keys[i].what } };
        if (keys[i].what == INPUT_TURN && m->now.sides > 0) {
            int other = standing_other(&m->now, m->now.to_shoot < 0 ? 0 : m->now.to_shoot);
            snprintf(out->input.side, sizeof out->input.side, "%s", standing_name(&m->now, other));
        }
        return true;
    }
    return false;
}

void judge_keys_print(FILE *to, const struct game *game)
{
    for (size_t i = 0; i < countof(keys); i++)
        if (keys[i].every_game || answers(game, keys[i].what))
            fprintf(to, ", %c %s", keys[i].key, keys[i].help);
}
