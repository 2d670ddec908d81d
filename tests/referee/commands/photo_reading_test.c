// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "referee/commands/photo_reading.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_list_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
