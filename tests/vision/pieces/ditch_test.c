// SPDX-License-Identifier: MIT
// What lies in the ditch of a photograph: found there and told as off the board, and nowhere else.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "calibration/algebra.h"
#include "vision/board/find.h"
#include "vision/pieces/discs.h"
#include "vision/pieces/ditch.h"
#include "vision/source/source.h"

static const double SAME_IN = 0.4; // nobody measured how deep the ditch is

struct seen {
    struct frame *f;
    struct board_pose pose;
    json_t *truth;
    struct detection_list on_surface;
};

static void see(struct seen *out, const char *name)
{
    char path[128];
    struct source *s;
    struct fail why = { 0 };
    snprintf(path, sizeof path, "samples/pictures/%s.jpg", name);
    assert_int_equal(photo_open(&s, path, &why), 0);
    assert_true(source_next(&out->f, s, &why) >= 0);
    source_close(s);
    assert_int_equal(board_find(&out->pose, out->f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
    assert_true(out->pose.found);
    struct pieces_known nothing = { .empty = NULL };
    assert_int_equal(discs_find(&out->on_surface, NULL, out->f, &out->pose, &nothing, &tuning_defaults, &why), 0);
    snprintf(path, sizeof path, "samples/pictures/%s.json", name);
    out->truth = json_load_file(path, 0, NULL);
    assert_non_null(out->truth);
}

static void forget(struct seen *s)
{
    frame_free(s->f);
    json_decref(s->truth);
}

// Where a piece of the truth lies, as the camera that was found sees it.
static bool lies_in_ditch(struct pt_in *at, const json_t *piece, const struct board_pose *low)
{
    const json_t *top = json_object_get(piece, "top_px");
    struct pt_px px = { json_number_value(json_array_get(top, 0)), json_number_value(json_array_get(top, 1)) };
    return strcmp(json_string_value(json_object_get(piece, "place")), "ditch") == 0 &&
           camera_locate(at, &low->camera, px, low->board.piece_height_in);
}

// Each has one there, from 4 to 43 degrees off.
static const char *const pictures[] = { "crokinole_01", "crokinole_03", "crokinole_05",
                                        "crokinole_06", "crokinole_08", "crokinole_09" };

static void discs_in_the_ditch_are_told_as_there(void **state)
{
    (void)state;
    int lie = 0, found = 0;
    for (size_t n = 0; n < countof(pictures); n++) {
        static struct seen s;
        static struct ditch_hypotheses tried;
        struct fail why = { 0 };
        see(&s, pictures[n]);
        struct detection_list all = s.on_surface;
        struct board_pose low = ditch_pose(&s.pose, &tuning_defaults.disc);
        assert_int_equal(ditch_find(&all, &tried, s.f, &s.pose, &tuning_defaults, &why), 0);
        assert_memory_equal(all.piece, s.on_surface.piece, (size_t)s.on_surface.count * sizeof *all.piece);
        for (int i = s.on_surface.count; i < all.count; i++) {
            const struct detection *p = &all.piece[i];
            bool true_one = false;
            size_t k;
            json_t *o;
            struct pt_in at;
            json_array_foreach(json_object_get(s.truth, "pieces"), k, o) true_one |=
                lies_in_ditch(&at, o, &low) && distance_in(at, p->at) < SAME_IN;
            assert_true(true_one);
            assert_int_equal(p->plane, IN_DITCH);
            assert_true(p->certainty >= 0.9 && p->certainty < 1);
            assert_true(sqrt(p->cov.xx + p->cov.yy) > 0.02); // for its depth is not known
            found++;
        }
        size_t k;
        json_t *o;
        struct pt_in at;
        json_array_foreach(json_object_get(s.truth, "pieces"), k, o) lie +=
            lies_in_ditch(&at, o, &low) && json_number_value(json_object_get(o, "visible")) > 0.5;
        forget(&s);
    }
    assert_int_equal(lie, countof(pictures));
    assert_true(found >= lie - 1);
}

// From so flat the surface hides it, and edges do not vote; a ring of marbles has none, and one for rings has pockets
// there.
static void where_there_is_no_ditch_to_see_nothing_is_told(void **state)
{
    (void)state;
    static struct seen s;
    static struct ditch_hypotheses tried;
    struct fail why = { 0 };
    see(&s, "crokinole_02");
    struct detection_list all = s.on_surface;
    struct board_pose flat = s.pose, none = s.pose;
    struct tuning tuning = tuning_defaults;
    tuning.evidence.votes_most_tilt_rad = 0;
    assert_int_equal(ditch_find(&all, &tried, s.f, &flat, &tuning, &why), 0);
    assert_int_equal(tried.count, 0);
    none.board.surface_radius_in = 0;
    assert_int_equal(ditch_find(&all, &tried, s.f, &none, &tuning_defaults, &why), 0);
    assert_int_equal(tried.count, 0);
    none = s.pose;
    none.board.piece = PIECE_RING;
    assert_int_equal(ditch_find(&all, &tried, s.f, &none, &tuning_defaults, &why), 0);
    assert_int_equal(tried.count, 0);
    none = s.pose;
    none.board.ditch_depth_in = 0;
    assert_int_equal(ditch_find(&all, &tried, s.f, &none, &tuning_defaults, &why), 0);
    assert_int_equal(tried.count, 0);
    assert_int_equal(all.count, s.on_surface.count);
    forget(&s);
}

// It stays as it is.
static void a_full_list_takes_no_more(void **state)
{
    (void)state;
    static struct seen s;
    static struct ditch_hypotheses tried;
    struct fail why = { 0 };
    see(&s, "crokinole_02");
    struct detection_list all = s.on_surface;
    while (all.count < MAX_PIECES)
        all.piece[all.count++] = s.on_surface.piece[0];
    assert_int_equal(ditch_find(&all, &tried, s.f, &s.pose, &tuning_defaults, &why), 0);
    assert_int_equal(all.count, MAX_PIECES);
    for (int i = 0; i < all.count; i++)
        assert_int_not_equal(all.piece[i].plane, IN_DITCH);
    forget(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_in_the_ditch_are_told_as_there),
        cmocka_unit_test(where_there_is_no_ditch_to_see_nothing_is_told),
        cmocka_unit_test(a_full_list_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
