// SPDX-License-Identifier: MIT
// What waits to be looked at is never too much, and what is not known of the time in which frames were dropped is told.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "vision/encoded.h"
#include "vision/source/frame_queue.h"

static struct frame *frame_at(double t_s, long number, int width, int height)
{
    struct fail why;
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, width, height, &why), 0);
    f->t_s = t_s;
    f->number = number;
    return f;
}

// What one frame that comes tells of itself.
struct told {
    int frame;
    double lost_s;
    bool doubtful;
};

// Exact, so that of those that are alike the oldest is dropped: 1, 3, 5, 7.
#define OFTEN_S (1.0 / 128)

// Many come before the first is asked for, but for one that was looked at before.
static void what_was_not_seen_is_told_by_the_next_that_is_believed(void **state)
{
    enum { COME = FRAME_QUEUE_MOST + 5, TOLD = 3 };
    static const struct {
        const char *name;
        double every_s;
        struct told told[TOLD];
        int losses;    // that are told of
        long told_by;  // the first of them, by this frame
        double lost_s; // and of so much
    } rows[] = {
        { "where a piece can be followed across nothing is lost", 0.0699, { { 0 } }, 0, -1, 0 },
        { "where it cannot all that was dropped is", 0.0701, { { 0 } }, 1, 5, 5 * 0.0701 },
        { "what is not believed tells nothing", 0.1, { { 5, 0, true }, { 6, 0, true } }, 1, 7, 0.7 },
        { "what one that is not dropped tells stands", OFTEN_S, { { 20, 0.3, false } }, 1, 20, 0.3 },
        { "what one that is dropped tells the next tells", OFTEN_S, { { 1, 0.5, false } }, 1, 2, 0.5 + OFTEN_S },
        { "back to the last that was seen", OFTEN_S, { { 3, 0.005, false } }, 1, 4, 2 * OFTEN_S },
        { "each of two", OFTEN_S, { { 1, 0.5, false }, { 3, 0.005, false } }, 2, 2, 0.5 + OFTEN_S },
        { "by the first behind it that is believed",
          OFTEN_S,
          { { 3, 0.005, false }, { 4, 0, true } },
          1,
          6,
          4 * OFTEN_S },
    };
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame_queue q;
        frame_queue_init(&q);
        long told_by = -1;
        int losses = 0;
        double lost_s = 0;
        for (int k = 0; k < COME; k++) {
            struct frame *f = frame_at(k * rows[i].every_s, k, 8, 8);
            for (int n = 0; n < TOLD; n++)
                if (rows[i].told[n].frame == k && k > 0) {
                    f->lost_s = rows[i].told[n].lost_s;
                    f->doubtful = rows[i].told[n].doubtful;
                }
            frame_free(frame_queue_put(&q, f));
            if (k == 0)
                frame_free(frame_queue_take(&q));
        }
        while (q.count > 0) {
            struct frame *f = frame_queue_take(&q);
            if (f->lost_s > 0) {
                losses++;
                told_by = told_by < 0 ? f->number : told_by;
                lost_s = lost_s > 0 ? lost_s : f->lost_s;
            }
            frame_free(f);
        }
        frame_queue_finish(&q);
        if (losses != rows[i].losses || told_by != rows[i].told_by || fabs(lost_s - rows[i].lost_s) > 1e-9)
            fail_msg("%s: %d losses, the first of %g s told by frame %ld", rows[i].name, losses, lost_s, told_by);
    }
}

static void how_many_wait(void **state)
{
    static const struct {
        const char *name;
        double every_s;
        int width, height, come;
        size_t encoded_bytes; // 0: it came with pixels
        int wait;             // then
        double span_s;        // from the oldest to the newest at least
        bool waits;           // who puts them there
    } rows[] = {
        { "all that 60 a second bring during a full look", 1 / 60.0, 64, 48, 54, 1000, 54, 0.85, false },
        { "no more than a certain number", 1 / 100.0, 64, 48, 100, 1000, FRAME_QUEUE_MOST, 0.95, false },
        { "as many as there are bytes for", 1 / 60.0, 64, 48, 60, 2 << 20, 31, 0.95, false },
        { "large ones too, of pixels", 1 / 30.0, 2560, 1440, 30, 0, FRAME_QUEUE_LEAST, 0.9, false },
        { "fewer of those that are late", 1 / 30.0, 64, 48, 60, 1000, 46, 1.9, false },
        { "of those that are far apart none that is needed", 0.1, 64, 48, 40, 1000, 40, 3.8, false },
        { "none is late where a film waits for room", 1 / 30.0, 64, 48, 60, 1000, 60, 1.9, true },
    };
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame_queue q;
        struct fail why;
        frame_queue_init(&q);
        q.waits = rows[i].waits;
        for (int k = 0; k < rows[i].come; k++) {
            struct frame *f = frame_at(k * rows[i].every_s, k, rows[i].width, rows[i].height);
            if (rows[i].encoded_bytes > 0)
                assert_int_equal(encoded_create(&f->encoded, rows[i].encoded_bytes, &why), 0);
            frame_free(frame_queue_put(&q, f));
        }
        double span_s = q.waiting[q.count - 1].frame->t_s - q.waiting[0].frame->t_s;
        if (q.count != rows[i].wait || span_s < rows[i].span_s)
            fail_msg("%s: %d wait, of %.2f s", rows[i].name, q.count, span_s);
        assert_int_equal(q.count + q.dropped, rows[i].come);
        frame_queue_finish(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_seen_is_told_by_the_next_that_is_believed),
        cmocka_unit_test(how_many_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
