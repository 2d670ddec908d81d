// SPDX-License-Identifier: MIT
// Where nothing came or went what is seen stays the same, and disc_evidence_as_before says so: never where it does not.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/algebra.h"
#include "vision/board/find.h"
#include "vision/pieces/cylinder.h"
#include "vision/pieces/disc_evidence.h"
#include "vision/source/source.h"

enum { PIECES = 5, PLACES = 160 };

struct seen_at {
    bool seen;
    double measure[DISC_MEASURES], lab[3];
    bool covered;
    double behind[DISC_MEASURES], lab_behind[3];
    struct disc_touching touching;
    struct pt_in refined;
};

static void look(struct seen_at *out, const struct disc_evidence *e, struct pt_in at)
{
    memset(out, 0, sizeof *out);
    out->seen = disc_evidence_at(out->measure, out->lab, e, at);
    memcpy(out->behind, out->measure, sizeof out->behind);
    out->covered = out->seen && disc_evidence_behind(out->behind, out->lab_behind, e, at);
    disc_evidence_touching(&out->touching, e, at);
    out->refined = disc_evidence_refined(e, at);
}

// Places in a spiral over the board.
static struct pt_in place(int i, int n)
{
    double r = 12.5 * sqrt((i + 0.5) / n), a = 2.4 * i;
    struct pt3_in at = surface_polar(r, a);
    return (struct pt_in){ at.x, at.y };
}

static void hide(struct disc_evidence *e, const struct board *b, int from, int to)
{
    struct cylinder shape = cylinder_of_piece(b, 0);
    for (int i = from; i < to; i++)
        disc_evidence_hide(e, &shape, place(7 * i % 19, 19));
}

static void what_did_not_change_is_seen_again(void **state)
{
    (void)state;
    static const char *const pictures[] = { "crokinole_02", "table_01", "table_03" };
    for (size_t k = 0; k < countof(pictures); k++) {
        static struct seen_at first[PLACES];
        char path[128];
        struct source *s;
        struct frame *f;
        struct board_pose pose;
        struct disc_evidence *e;
        struct disc_ground ground = { .known = false };
        struct fail why = { 0 };
        int same = 0;
        snprintf(path, sizeof path, "samples/pictures/%s.jpg", pictures[k]);
        assert_int_equal(photo_open(&s, path, &why), 0);
        assert_true(source_next(&f, s, &why) >= 0);
        source_close(s);
        assert_int_equal(board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
        assert_true(pose.found);
        assert_int_equal(disc_evidence_create(&e, &ground, f, &pose, &tuning_defaults.evidence, &why), 0);
        for (int i = 0; i < PLACES; i++)
            assert_false(disc_evidence_as_before(e, place(i, PLACES))); // there is no time before
        hide(e, &pose.board, 0, PIECES);
        for (int i = 0; i < PLACES; i++)
            look(&first[i], e, place(i, PLACES));
        disc_evidence_reveal(e, 1);
        hide(e, &pose.board, 2, PIECES + 1); // the second is gone, and one more came
        for (int i = 0; i < PLACES; i++) {
            struct pt_in at = place(i, PLACES);
            struct seen_at now;
            look(&now, e, at);
            if (!disc_evidence_as_before(e, at))
                continue;
            assert_int_equal(now.seen, first[i].seen);
            assert_memory_equal(now.measure, first[i].measure, sizeof now.measure);
            assert_memory_equal(now.lab, first[i].lab, sizeof now.lab);
            assert_int_equal(now.covered, first[i].covered);
            assert_memory_equal(now.behind, first[i].behind, sizeof now.behind);
            assert_memory_equal(now.lab_behind, first[i].lab_behind, sizeof now.lab_behind);
            assert_memory_equal(&now.touching, &first[i].touching, sizeof now.touching);
            assert_memory_equal(&now.refined, &first[i].refined, sizeof now.refined);
            same++;
        }
        printf("%s: of %d places %d are as before\n", pictures[k], PLACES, same);
        assert_in_range(same, PLACES / 5, PLACES - PIECES);
        disc_evidence_free(e);
        frame_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_did_not_change_is_seen_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
