// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "referee/commands/photo_reading.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/scratch.h"

#define PICTURE "samples/pictures/crokinole_01.jpg"

// A board with so many pieces: what the JSON says of its limits, as one text. The caller frees it.
static char *limits_with(int pieces)
{
    static struct photo_reading r;
    static struct setup s;
    struct options o = { .game = "crokinole" };
    struct fail why;
    assert_int_equal(setup_read(&s, &o, &why), 0);
    memset(&r, 0, sizeof r);
    r.pose.found = true;
    r.pose.board = s.board;
    r.pose.camera = r.pose.fit.camera = view_of_board(1280, 720, 1240, 0, 0.4, 0, 36);
    r.pieces.count = pieces;
    json_t *json = photo_json("a.jpg", &s, &r);
    assert_non_null(json);
    char *text = json_dumps(json_object_get(json_object_get(json, "board"), "limits"), JSON_COMPACT);
    json_decref(json);
    assert_non_null(text);
    return text;
}

static void a_full_list_is_told(void **state)
{
    (void)state;
    char *full = limits_with(MAX_PIECES - 1), *usual = limits_with(24);
    assert_non_null(strstr(full, "95 pieces are listed, as many as there is room for"));
    assert_null(strstr(usual, "room for"));
    free(full);
    free(usual);
}

// Both colours lie there. Where one has to be somebody's it is taken, as in a match, and otherwise nobody's pieces are
// counted in silence.
static void a_colour_that_is_not_there_is_told(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *first, *second, *says;
    } named[] = {
        { "--side=mauve=Anna", "--board=crokinole-nca", "  beware: nothing mauve is seen\n" },
        { "--side=mauve=Anna", "--side=black=Ben", "  beware: nothing mauve is seen: red is taken for Anna's\n" },
        { "--side=red=Anna", "--side=pink=Ben", "  beware: nothing pink is seen: black is taken for Ben's\n" },
        { "--side=red=Anna", "--side=black=Ben", NULL },
        { "--side=Red=Anna", "--side=BLACK=Ben", NULL },
    };
    static struct spawned r;
    for (size_t i = 0; i < countof(named); i++) {
        RUN(&r, 0, "look", "--game", "crokinole", "--out", s->folder, named[i].first, named[i].second, PICTURE);
        bool told = strstr(r.out, "is seen");
        if (!named[i].says)
            assert_non_null(strstr(r.out, "Anna 70, Ben 55"));
        if (told != (named[i].says != NULL) || (told && !strstr(r.out, named[i].says)))
            fail_msg("%s %s: %s", named[i].first, named[i].second, r.out);
    }
    RUN(&r, 0, "look", "--game", "crokinole", "--json", named[0].first, PICTURE);
    assert_non_null(strstr(r.out, "\"limits\":[\"nothing mauve is seen\"]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_list_is_told),
        cmocka_unit_test(a_colour_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
