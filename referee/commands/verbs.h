// SPDX-License-Identifier: MIT
// verbs.h: what can follow `ringside` on the command line, and how it ends.
#ifndef RINGSIDE_REFEREE_COMMANDS_VERBS_H
#define RINGSIDE_REFEREE_COMMANDS_VERBS_H

#include "referee/commands/options.h"

// Exit statuses.
enum ending {
    ENDED_WELL = 0,
    ENDED_WITHOUT_BOARD = 1, // no board in the picture or footage
    ENDED_BAD_INPUT = 2,     // the command line, a file's contents
    ENDED_SYSTEM = 3,        // a file or device, a library, memory, standard output
    ENDED_OTHERWISE = 4,     // a bundle or a record is not judged as it was, rules have a hole
    ENDED_BY_SIGNAL = 128,   // and the signal's number: it was asked to end, and did so in order
};

struct verb {
    const char *name; // as typed; "calibrate lens" is the second word of calibrate
    const struct verb *const
        *second;              // up to NULL: the verbs its second word picks; flags and run are theirs. Else NULL
    const char *operands;     // for the help: "IMAGE|FOLDER..."
    const char *says;         // what it does, in a line
    const char *more;         // further lines of its help; NULL: none
    const char *const *flags; // up to NULL
    int operands_min, operands_max;
    // 0, ENDED_WITHOUT_BOARD, ENDED_OTHERWISE or RS_E... with the reason in *why, empty when all was said already.
    int (*run)(const struct options *o, struct fail *why);
};

extern const struct verb bundle_verb, cameras_verb, games_verb, judge_verb, look_verb, report_verb, review_verb,
    rules_verb, watch_verb;
// Second words of calibrate.
extern const struct verb calibrate_board_verb, calibrate_check_verb, calibrate_lens_verb, calibrate_target_verb;

// Second words of record.
extern const struct verb record_check_verb, record_correct_verb, record_export_verb, record_list_verb, record_show_verb;

// Which ringside this is: "0.1 (717e182)", the release and the commit it was built from; "0.1" where none was known.
extern const char version_words[];

#endif
