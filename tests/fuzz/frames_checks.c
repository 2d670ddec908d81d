// SPDX-License-Identifier: MIT
#include "tests/fuzz/frames_checks.h"

#include <math.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static void check_info(const struct source_info *info)
{
    fuzz_must(info->width > 0 && info->width <= FRAME_MAX_SIDE_PX && info->height > 0 &&
                  info->height <= FRAME_MAX_SIDE_PX,
              "a source's pictures have a size");
    fuzz_must(isfinite(info->frames_per_s) && info->frames_per_s >= 0, "a source has a rate or none is known");
    fuzz_must(isfinite(info->duration_s) && info->duration_s >= 0, "a source lasts some time or none is known");
    fuzz_must(info->dropped >= 0 && info->doubtful >= 0, "nothing is counted backwards");
    fuzz_must(isfinite(info->lost_s) && info->lost_s >= 0 && isfinite(info->short_s) && info->short_s >= 0,
              "what is lost is some time");
    fuzz_must(memchr(info->name, '\0', sizeof info->name) != NULL, "a source's name has an end");
}

long frames_check(struct source *s, long most)
{
    struct fail why;
    long count = 0;
    double last_s = 0;
    int rc = 1;
    check_info(source_info(s));
    enum { WAITS_MAX = 64 }; // a camera that waits for pictures after the last byte waits for ever
    for (int waits = 0; count < most && rc > 0 && waits < WAITS_MAX;) {
        struct frame *f = NULL;
        rc = source_next(&f, s, &why);
        check_info(source_info(s));
        if (rc == SOURCE_WAITS) {
            fuzz_must(!f, "who waits has no frame");
            waits++;
            continue;
        }
        if (fuzz_refused(rc, &why) || rc == 0)
            break;
        fuzz_must(f->width == source_info(s)->width && f->height == source_info(s)->height,
                  "all frames of a source have one size");
        fuzz_must(isfinite(f->t_s) && f->t_s >= last_s, "time never falls");
        fuzz_must(count > 0 || f->t_s == 0, "the first frame is at 0 s");
        fuzz_must(isfinite(f->lost_s) && f->lost_s >= 0, "what is lost before a frame is some time");
        fuzz_must(f->number == count, "frames are counted one by one");
        fuzz_must(frame_luma(f, &why) == 0 &&
                      frame_luma_at(f, f->width - 1, f->height - 1) == f->luma[f->width * f->height - 1],
                  "every pixel is there");
        last_s = f->t_s;
        frame_free(f);
        count++;
    }
    return count;
}
