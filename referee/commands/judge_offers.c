// SPDX-License-Identifier: MIT
#include "referee/commands/judge_offers.h"

#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/commands/judge_keys.h"
#include "referee/announce/json.h"
#include "referee/rules/input.h"

// What the text of a word is: the word of one rule; why a shot of discs was a foul, as its rule lists; or nothing.
enum text_is { RULES_OWN, REASON_OF_DISCS };

static const struct {
    enum input_kind what;
    enum text_is is;
    bool side; // it is about one
    const char *text, *words;
} named[] = {
    { INPUT_FOUL, REASON_OF_DISCS, false, "more than hand and arm on the table",
      "more than hand and arm on the table" },
    { INPUT_FOUL, REASON_OF_DISCS, false, "not one cheek on the chair", "not one cheek on the chair" },
    { INPUT_FOUL, REASON_OF_DISCS, false, "chair or board moved", "chair or board moved" },
    { INPUT_FOUL, REASON_OF_DISCS, false, "a disc put down out of turn", "a disc put down out of turn" },
    { INPUT_FOUL, RULES_OWN, false, "over the line", "hand or taw over the line" },
    { INPUT_FOUL, RULES_OWN, false, "not knuckling", "not knuckling down" },
    { INPUT_FOUL, RULES_OWN, false, "hunching", "hunching" },
    { INPUT_FOUL, RULES_OWN, false, "taw on carpet", "taw on the carpet, not in the hand" },
    { INPUT_FOUL, RULES_OWN, false, "pinching", "taw pinched" },
    { INPUT_FOUL, RULES_OWN, false, "not a flick", "pushed or thrown, not flicked" },
    { INPUT_FOUL, RULES_OWN, false, "illegal shooter", "shot with a marble that is no taw" },
    { INPUT_FOUL, RULES_OWN, false, "", "another foul" },
    { INPUT_DEAD, RULES_OWN, false, "", "dead marble: it goes back" },
    { INPUT_FORCE, RULES_OWN, true, "", "external force" },
    { INPUT_POINT, RULES_OWN, true, "", "a point given" },
    { INPUT_COACH, RULES_OWN, true, "", "coaching" },
    { INPUT_WARN, RULES_OWN, true, "leave the ring", "entered the ring" },
    { INPUT_WARN, RULES_OWN, true, "stand still", "walked about or distracted" },
    { INPUT_WARN, RULES_OWN, true, "walking", "walked on the court during a shot" },
    { INPUT_WARN, RULES_OWN, false, "spectator", "a spectator advised" },
    { INPUT_WARN, RULES_OWN, true, "leave the area", "is sent away from the ring" },
    { INPUT_WARN, RULES_OWN, true, "illegal taw", "taw not allowed: to be replaced" },
    { INPUT_WARN, RULES_OWN, true, "", "reprimand" },
    { INPUT_PENALTY, RULES_OWN, true, "", "penalty: a point lost" },
    { INPUT_WRONG_TAW, RULES_OWN, true, "", "wrong taw: loses the game" },
    { INPUT_FORFEIT, RULES_OWN, true, "", "gave up, threw marbles in or took them up: loses 7 to 0" },
    { INPUT_DISQUALIFY, RULES_OWN, true, "not eligible", "not eligible: loses the game" },
    { INPUT_DISQUALIFY, RULES_OWN, true, "", "disqualified: loses the game" },
    { INPUT_TAW, RULES_OWN, true, "", "may change the taw" },
    { INPUT_LAG, RULES_OWN, false, "", "the lag begins" },
    { INPUT_LAG, RULES_OWN, true, "", "won the lag" },
};

static bool takes(const struct game *game, size_t i)
{
    bool takes = false;
    for (int k = 0; k < game->rule_count; k++) {
        const struct rule *r = &game->rules[k];
        bool own = named[i].text[0] == '\0' || strcmp(r->says, named[i].text) == 0;
        takes |= r->said == named[i].what && r->then && (own || named[i].is == REASON_OF_DISCS);
    }
    return takes && (named[i].is == RULES_OWN || board_builtin(game->board)->piece == PIECE_DISC);
}

// It stands beside whatever the judge says, too: such a rule goes by its word.
static bool has_judges_number(const struct game *game, const struct rule *r)
{
    bool has = false;
    for (int i = 0; i < game->rule_count; i++)
        has |= game->rules[i].said == INPUT_UNDO && strcmp(game->rules[i].number, r->number) == 0;
    return has;
}

json_t *judge_offers_json(const struct game *game)
{
    json_t *fouls = json_array(), *rules = json_array();
    for (size_t i = 0; i < countof(named); i++)
        if (takes(game, i))
            json_list_add(&fouls, json_pack("{s:s, s:s, s:s, s:b}", "what", input_kind_word(named[i].what), "text",
                                            named[i].text, "words", named[i].words, "side", named[i].side));
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        char text[OBS_WORD_MAX];
        snprintf(text, sizeof text, "%s", has_judges_number(game, r) ? r->says : r->number);
        for (char *blank = text; (blank = strchr(blank, ' '));)
            *blank = '-';
        if (r->then && r->occasion != WORD_SAID)
            json_list_add(&rules, json_string(text));
    }
    return json_pack("{s:o, s:o, s:o}", "keys", judge_keys_json(game), "fouls", fouls, "overrule", rules);
}
