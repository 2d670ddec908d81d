// SPDX-License-Identifier: MIT
// Which of the pieces seen now is which of those that lay there before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/vision/track/stage.h"
#include "vision/track/match.h"

static const struct script empty_stage = { .actors = 0 };

// A still moment of a grey board of which nothing has changed.
struct still {
    struct board_pose pose;
    struct gate gate;
    struct blobs blobs;
    struct detection_list seen;
    struct trail trail;
    struct moment moment;
};

static void set_up(struct still *s)
{
    uint32_t seed = 1;
    on_stage = &empty_stage;
    struct frame *f = stage_frame(0, &seed);
    *s = (struct still){ .pose = stage_board(0) };
    assert_non_null(f);
    assert_int_equal(gate_create(&s->gate, f, &s->pose, NULL), 0);
    assert_int_equal(blobs_create(&s->blobs, &s->gate, NULL), 0);
    assert_int_equal(gate_look(&s->gate, f, NULL), 0);
    s->moment = (struct moment){
        .gate = &s->gate, .blobs = &s->blobs, .pose = &s->pose, .seen = &s->seen, .trail = &s->trail, .t_s = 2
    };
    frame_free(f);
}

static struct detection red_at(const struct still *s, double x, double y)
{
    struct detection p = { .kind = PIECE_DISC, .at = { x, y }, .radius_in = 0.625, .taw_certainty = 1, .support = 1 };
    snprintf(p.colour, sizeof p.colour, "red");
    camera_project(&p.px, &s->pose.camera, (struct pt3_in){ x, y, s->pose.board.piece_height_in });
    return p;
}

// It was measured in a frame in which all of its face looked otherwise, and was missed at 1 s.
static struct kept missed_at(const struct still *s, double x, double y)
{
    struct kept k = { .id = 1, .piece = red_at(s, x, y), .absent_since_s = 1, .there_until_s = 0.97 };
    kept_take_patch(&k, &s->gate, s->gate.now, &s->pose);
    for (int i = 0; i < k.patch.count; i++)
        k.patch.bgr[i][0] ^= 0x80;
    return k;
}

static void what_is_seen_where_nothing_changed_has_stayed(void **state)
{
    (void)state;
    struct still s;
    set_up(&s);
    struct kept kept = missed_at(&s, 3, 2);
    struct match found;
    s.seen.piece[s.seen.count++] = red_at(&s, 3.02, 2);
    s.seen.piece[s.seen.count++] = red_at(&s, -4, 5); // nothing has changed there either: it is not new
    match_pieces(&found, &kept, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_STAYED);
    assert_true(found.seen[0]);
    assert_int_equal(found.found_count, 0);
    s.seen.piece[0] = red_at(&s, 4.5, 2);
    match_pieces(&found, &kept, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_LEFT);
    gate_finish(&s.gate);
    blobs_finish(&s.blobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_where_nothing_changed_has_stayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
