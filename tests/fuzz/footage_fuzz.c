// SPDX-License-Identifier: MIT
// A recording from a stranger: opened, decoded, and a part of it cut out as for a bundle.
#include <string.h>
#include <unistd.h>

#include "referee/commands/bundle_file.h"
#include "tests/fuzz/frames_checks.h"
#include "tests/fuzz/fuzz.h"
#include "vision/source/remux.h"

enum { FRAMES_MAX = 32 };

static void cut(const char *path, struct remux c)
{
    struct bundle_scratch folder = { .folder = -1 };
    char made[BUNDLE_PATH_MAX];
    struct fail why;
    struct source *s = NULL;
    fuzz_must(bundle_scratch_make(&folder, &why) == 0, "there is room for a folder");
    if (!fuzz_refused(remux_make(&c, folder.path, path, &why), &why)) {
        fuzz_must(c.from_s <= c.to_s && memchr(c.name, '\0', sizeof c.name) != NULL, "a cut has two ends");
        fuzz_must(footage_open(&s, bundle_path(made, folder.path, c.name), &why) == 0,
                  "what was cut out can be opened");
        fuzz_must(frames_check(s, FRAMES_MAX) > 0, "and shown");
        source_close(s);
    }
    bundle_scratch_remove(&folder);
    fuzz_must(access(folder.path, F_OK) != 0, "nothing is left behind");
}

void fuzz_footage(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    struct source *s = NULL;
    struct fail why;
    int file = fuzz_open(path, data, size);
    if (!fuzz_refused(footage_open(&s, path, &why), &why)) {
        long frames = frames_check(s, FRAMES_MAX);
        fuzz_must(frames > 0, "a recording that was opened has a frame");
        source_close(s);
        if (frames < FRAMES_MAX)
            cut(path, (struct remux){ .from_s = 0.1 * (double)(size % 3), .to_s = 0.2 });
    }
    fuzz_close(file);
}
