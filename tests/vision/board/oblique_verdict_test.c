// SPDX-License-Identifier: MIT
// What a refusal says of a board seen from the side: what is missing and what to do, and nothing of what is chance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/calibration/view.h"
#include "vision/board/oblique_verdict.h"

static const struct {
    const char *what;
    double distance_in, tilt_deg, score, pegs;
    const char *untraced;
    bool hinted;
    const char *says[3]; // none: it is not spoken of
} views[] = {
    { "chance", 60, 75, 0.5, 0.1, "", false, { NULL } },
    { "pegs hidden",
      60,
      75,
      1.2,
      0.2,
      "",
      false,
      { "does not show its pegs well enough", "clear the board", "--hint" } },
    { "lines faint", 60, 75, 0.4, 0.9, "", false, { "does not show its lines and edge", "pegs 90 %", "--hint" } },
    { "one line alone, and all its pegs",
      60,
      75,
      1.2,
      0.9,
      "",
      false,
      { "does not show more than one of its lines well enough (pegs 90 %)", NULL } },
    { "neither", 60, 75, 0.45, 0.4, "", false, { "its pegs, lines and edge", "57 % of what is asked", NULL } },
    { "far away", 150, 75, 1.2, 0.2, "", false, { "bring the camera nearer", "224 px wide", NULL } },
    { "flat", 60, 83, 1.2, 0.2, "", false, { "raise the camera", "83 degrees off the vertical", NULL } },
    { "taken for a board", 60, 75, 1.2, 0.9, "only 0 points", false, { "lines too faint", "only 0 points", NULL } },
    { "hinted", 60, 75, 1.2, 0.2, "", true, { "does not show its pegs", NULL } },
};

static void it_says_what_is_missing_and_what_to_do(void **state)
{
    (void)state;
    const struct board *board = board_builtin("crokinole-nca");
    for (size_t i = 0; i < countof(views); i++) {
        struct oblique_view view = { .score = views[i].score, .pegs = views[i].pegs };
        struct fail why = { .text = "" }, untraced = { .text = "" };
        view.camera = view_of_board(1280, 720, 1400, 0, views[i].tilt_deg * PI / 180, 0, views[i].distance_in);
        strcpy(untraced.text, views[i].untraced);
        bool spoken =
            oblique_refusal_words(&why, &view, 1, &untraced, views[i].hinted, board, &tuning_defaults.oblique);
        bool right = spoken == (views[i].says[0] != NULL) && !(views[i].hinted && strstr(why.text, "--hint"));
        for (size_t k = 0; k < countof(views[i].says) && views[i].says[k]; k++)
            right = right && strstr(why.text, views[i].says[k]);
        if (!right)
            fail_msg("%s: %d \"%s\"", views[i].what, spoken, why.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_is_missing_and_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
