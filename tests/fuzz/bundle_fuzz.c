// SPDX-License-Identifier: MIT
// A bundle from a stranger: unpacked, judged again where it holds a log alone, and packed again.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/lens_file.h"
#include "calibration/whole_file.h"
#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/commands/bundle_file.h"
#include "referee/games/games.h"
#include "tests/fuzz/fuzz.h"

static void read_members(const struct bundle *b, const char *folder)
{
    char path[BUNDLE_PATH_MAX];
    struct fail why;
    struct board board;
    struct lens lens;
    struct log_reader *log = NULL;
    fuzz_refused(board_file_read(&board, bundle_path(path, folder, BUNDLE_BOARD), &why), &why);
    fuzz_refused(lens_file_read(&lens, bundle_path(path, folder, BUNDLE_LENS), &why), &why);
    const struct game *game = games_find(b->game);
    if (!fuzz_refused(log_reader_open(&log, bundle_path(path, folder, BUNDLE_LOG), &why), &why) && game)
        fuzz_refused(adjudicate_log(log, game, json_announcer(fuzz_nowhere()), &why), &why);
    log_reader_free(log);
}

// The same once more, but for what the archive is padded with.
static void pack_again(const struct bundle *b, const char *folder)
{
    struct bundle_scratch again = { .folder = -1 };
    char path[FUZZ_PATH_MAX + BUNDLE_PATH_MAX];
    struct bundle c;
    struct fail why;
    snprintf(path, sizeof path, "%s/again.tar", fuzz_folder());
    fuzz_must(bundle_pack(path, folder, b, &why) == 0, "what was unpacked can be packed");
    fuzz_must(bundle_scratch_make(&again, &why) == 0, "there is room for a second folder");
    fuzz_must(bundle_unpack(&c, again.path, path, &why) == 0, "what was packed can be unpacked");
    fuzz_must(strcmp(b->game, c.game) == 0 && strcmp(b->version, c.version) == 0 && strcmp(b->frames, c.frames) == 0 &&
                  strcmp(b->said, c.said) == 0 && b->from_s == c.from_s && b->to_s == c.to_s &&
                  b->without_board == c.without_board,
              "a bundle is the same when it was packed again");
    bundle_scratch_remove(&again);
    unlink(path);
}

void fuzz_bundle(const uint8_t *data, size_t size)
{
    struct bundle_scratch folder = { .folder = -1 };
    char path[BUNDLE_PATH_MAX];
    struct bundle b;
    struct fail why;
    setenv("TMPDIR", fuzz_folder(), 1);
    snprintf(path, sizeof path, "%s/given.tar", fuzz_folder());
    fuzz_must(whole_file_write(path, data, size, &why) == 0, "there is room for a file");
    fuzz_must(bundle_scratch_make(&folder, &why) == 0, "there is room for a folder");
    if (!fuzz_refused(bundle_unpack(&b, folder.path, path, &why), &why)) {
        fuzz_must(foreign_is_plain(b.game) && foreign_is_plain(b.version) && foreign_is_plain(b.said),
                  "the words of a bundle are plain");
        read_members(&b, folder.path);
        pack_again(&b, folder.path);
    }
    bundle_scratch_remove(&folder);
    unlink(path);
    unsetenv("TMPDIR");
    fuzz_must(fuzz_folder_count("") == 0, "nothing is left behind");
}
