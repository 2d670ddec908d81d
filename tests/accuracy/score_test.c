// SPDX-License-Identifier: MIT
// What a folder of truth is taken for, whatever it is called.
#include <stdlib.h>

#include "calibration/units.h"
#include "tests/accuracy/score.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

static void a_folder_is_taken_for_what_is_in_it(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *truth, *folder, *words;
    } row[] = {
        { "{\"clip\": \"game_0001.mp4\"}", "/tmp/evening", "games by chance" },
        { "{\"clip\": \"evening.mp4\"}", "build/games", "games by chance" },
        { "{\"clip\": \"marbles_0001.mp4\", \"kind\": \"marbles\"}", "/tmp/evening", "games by chance" },
        { "{\"clip\": \"crokinole_a.mp4\"}", "/tmp/evening", "clips" },
        { "{\"clip\": \"crokinole_a.mp4\", \"kind\": \"crokinole\"}", "my_games/clips", "clips" },
        { "{\"image\": \"crokinole_01.jpg\"}", "/tmp/evening", "pictures" },
        { "{\"image\": \"crokinole_01.jpg\"}", "my_games/pictures", "pictures" },
        { "{\"image\": \"none_clock.jpg\"}", "build/nothing", "pictures without a board" },
    };
    enum score_contents contents;
    struct fail why;
    for (size_t i = 0; i < countof(row); i++) {
        scratch_write(scratch_path(s, "truth.json"), row[i].truth, strlen(row[i].truth));
        assert_int_equal(score_contents_of(&contents, scratch_path(s, "truth.json"), row[i].folder, &why), 0);
        assert_string_equal(score_contents_words(contents), row[i].words);
    }
    assert_int_equal(score_contents_of(&contents, scratch_path(s, "missing.json"), "build/games", &why), RS_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_folder_is_taken_for_what_is_in_it) };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
