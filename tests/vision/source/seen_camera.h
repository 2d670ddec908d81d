// SPDX-License-Identifier: MIT
// seen_camera.h: the fake camera as a source, looked at for a while, and what came of it. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_SEEN_CAMERA_H
#define RINGSIDE_TESTS_VISION_SOURCE_SEEN_CAMERA_H

#include <math.h>

#include "tests/vision/source/fake_camera.h"
#include "vision/encoded.h"

// A camera that is looked at, what came of it last, and how it went.
struct seen {
    struct fake f;
    struct source *s;
    struct fail why;
    double t_s, lost_s; // of the last picture
    long number, pictures;
    char said[512]; // what was waited for last
    double said_s;  // how long after the last picture it was said first
};

static inline void seen_begin(struct seen *x)
{
    *x = (struct seen){ .number = -1 };
    fake_begin(&x->f);
}

static inline void seen_look(struct seen *x, const struct camera_wish *wish)
{
    if (webcam_open(&x->s, &x->f.system, "", wish ? wish : &(struct camera_wish){ 0 }, &x->why) != 0)
        fail_msg("%s", x->why.text);
}

// For so many seconds, or up to an error, which it gives.
static inline int seen_run(struct seen *x, double for_s)
{
    double until_s = x->f.awake_s + for_s, good_s = x->f.awake_s;
    x->said[0] = '\0';
    x->pictures = 0;
    x->lost_s = 0;
    while (x->f.awake_s < until_s) {
        struct frame *got;
        double began_s = x->f.awake_s;
        int rc = source_next(&got, x->s, &x->why);
        if (rc < 0)
            return rc;
        if (x->f.awake_s - began_s > 0.5)
            fail_msg("nothing was said for %.2f s", x->f.awake_s - began_s);
        if (rc == SOURCE_WAITS) {
            assert_null(got);
            if (x->why.text[0] && strcmp(x->said, x->why.text) != 0) {
                if (!x->said[0])
                    x->said_s = x->f.awake_s - good_s;
                snprintf(x->said, sizeof x->said, "%s", x->why.text);
            }
            continue;
        }
        assert_int_equal(rc, SOURCE_FRAME);
        if (got->number != x->number + 1 || (x->number >= 0 && !(got->t_s > x->t_s)))
            fail_msg("picture %ld at %.3f s after %ld at %.3f s", got->number, got->t_s, x->number, x->t_s);
        assert_non_null(got->encoded);
        assert_true(got->encoded->t_s == got->t_s);
        x->number = got->number;
        x->t_s = got->t_s;
        x->lost_s = fmax(x->lost_s, got->lost_s);
        x->pictures++;
        good_s = x->f.awake_s;
        frame_free(got);
    }
    return 0;
}

static inline void seen_end(struct seen *x)
{
    source_close(x->s);
    assert_int_equal(x->f.opens, x->f.closes);
    assert_int_equal(x->f.maps, x->f.unmaps);
    fake_end(&x->f);
}

static inline bool seen_notice_has(struct seen *x, const char *part)
{
    struct fail said;
    while (source_notice(x->s, &said))
        if (strstr(said.text, part))
            return true;
    return false;
}

#endif
