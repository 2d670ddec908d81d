// SPDX-License-Identifier: MIT
// Films of one name: each has its own log and its own place in a match, and one that has grown is still the same.
#include <stdlib.h>
#include <string.h>

#include "calibration/whole_file.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/filmed.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"

static int put_footage(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    struct frame *near = board_seen(42, 0.12);
    film(*state, "board.mp4", near);
    frame_free(near);
    return 0;
}

// Whether it was there.
static bool take_away(const struct scratch *s, const char *name)
{
    return unlink(scratch_path(s, name)) == 0;
}

static void lengthen(const char *film)
{
    FILE *f = fopen(film, "a"); // what stands behind a film is none of it
    assert_true(f && fputc('\0', f) == 0 && fclose(f) == 0);
}

static void copy_longer(const char *to, const char *film)
{
    size_t size = 0;
    struct fail why;
    uint8_t *bytes = NULL;
    if (whole_file_read(&bytes, &size, film, 1 << 24, &why) < 0)
        fail_msg("%s", why.text);
    scratch_write(to, (const char *)bytes, size);
    free(bytes);
    lengthen(to);
}

// Of two films that have one name each is its own: by another folder and another size. Moved, it is still the one it
// was.
static void films_of_one_name_are_not_confused(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char book[200], out[200], film[200], other[200], moved[200];
    snprintf(book, sizeof book, "%s", scratch_path(s, "named.db"));
    snprintf(out, sizeof out, "%s", scratch_path(s, "named"));
    snprintf(film, sizeof film, "%s", scratch_path(s, "board.mp4"));
    snprintf(other, sizeof other, "%s", scratch_path(s, "other/board.mp4"));
    snprintf(moved, sizeof moved, "%s", scratch_path(s, "moved/board.mp4"));
    assert_int_equal(mkdir(scratch_path(s, "other"), 0777), 0);
    assert_int_equal(mkdir(scratch_path(s, "moved"), 0777), 0);
    assert_int_equal(link(film, moved), 0);
    copy_longer(other, film);
    RUN(&r, 0, "review", "--game", "crokinole", "--book", book, "--out", out, film);
    RUN(&r, 2, "review", "--resume", "--book", book, "--out", out, moved);
    assert_non_null(strstr(r.err, "board.mp4 is in match 1 already, and would count twice"));
    RUN(&r, 2, "watch", "--resume", "--no-web", "--no-voice", "--book", book, "--out", out, "--camera", moved);
    assert_non_null(strstr(r.err, "board.mp4 is in match 1 already, and would count twice"));
    RUN(&r, 0, "watch", "--resume", "--no-web", "--no-voice", "--book", book, "--out", out, "--camera", other);
    assert_non_null(strstr(r.err, "match 1 goes on: "));
    RUN(&r, 2, "review", "--resume", "--book", book, "--out", out, other);
    assert_non_null(strstr(r.err, "board.mp4 is in match 1 already"));
    RUN(&r, 0, "record", "check", "--book", book);
    scratch_empty(open(out, O_RDONLY | O_DIRECTORY));
    assert_int_equal(rmdir(out) | unlink(other) | unlink(moved), 0);
    assert_int_equal(rmdir(scratch_path(s, "other")) | rmdir(scratch_path(s, "moved")), 0);
    assert_true(take_away(s, "named.db") && take_away(s, "named.db.lock"));
}

// Two films of one name from two folders: the log of the first is neither written over nor mixed with the second.
static void a_log_is_kept_from_a_film_of_the_same_name(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char out[200], film[200], other[200], book[200];
    snprintf(out, sizeof out, "%s", scratch_path(s, "evening"));
    snprintf(film, sizeof film, "%s", scratch_path(s, "board.mp4"));
    snprintf(other, sizeof other, "%s", scratch_path(s, "other/board.mp4"));
    snprintf(book, sizeof book, "%s", scratch_path(s, "evening.db"));
    assert_int_equal(mkdir(scratch_path(s, "other"), 0777), 0);
    copy_longer(other, film);
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--out", out, other);
    char *log = strdup(text_of(scratch_path(s, "evening/board.ringside.jsonl")));
    RUN(&r, 2, "review", "--game", "crokinole", "--book", book, "--out", out, film);
    assert_non_null(strstr(r.err,
                           "evening/board.ringside.jsonl is the log of another board.mp4 and would be lost: name "
                           "another place with --out"));
    assert_string_equal(text_of(scratch_path(s, "evening/board.ringside.jsonl")), log);
    free(log);
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--out", out, other); // the same film again
    // Of one match, the log has both.
    RUN(&r, 0, "review", "--game", "crokinole", "--book", book, "--out", out, other);
    RUN(&r, 0, "review", "--resume", "--book", book, "--out", out, film);
    // Beside the film it is its own, whatever it has grown to.
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", other);
    lengthen(other);
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", other);
    scratch_empty(open(out, O_RDONLY | O_DIRECTORY));
    scratch_empty(open(scratch_path(s, "other"), O_RDONLY | O_DIRECTORY));
    assert_int_equal(rmdir(out) | rmdir(scratch_path(s, "other")), 0);
    assert_true(take_away(s, "evening.db") && take_away(s, "evening.db.lock"));
}

// A recording that went on begins as it did: its log is made anew. A longer film of another board is not the same one.
static void a_film_that_has_grown_is_reviewed_again(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char out[200], grows[200];
    struct frame *nearer = board_seen(41, 0.12);
    snprintf(out, sizeof out, "%s", scratch_path(s, "grown"));
    snprintf(grows, sizeof grows, "%s", scratch_path(s, "grows.mp4"));
    copy_longer(grows, scratch_path(s, "board.mp4"));
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--out", out, grows);
    lengthen(grows);
    RUN(&r, 0, "review", "--game", "crokinole", "--no-book", "--out", out, grows);
    char *log = strdup(text_of(scratch_path(s, "grown/grows.ringside.jsonl")));
    struct stat st;
    assert_int_equal(stat(grows, &st), 0);
    film(s, "grows.mp4", nearer);
    assert_int_equal(truncate(grows, 2 * st.st_size), 0);
    RUN(&r, 2, "review", "--game", "crokinole", "--no-book", "--out", out, grows);
    assert_non_null(strstr(r.err, "of a shorter grows.mp4, in which the board was seen otherwise (other footage, or "
                                  "other flags), and would be lost: name another place with --out"));
    assert_string_equal(text_of(scratch_path(s, "grown/grows.ringside.jsonl")), log);
    free(log);
    frame_free(nearer);
    scratch_empty(open(out, O_RDONLY | O_DIRECTORY));
    assert_int_equal(rmdir(out), 0);
    assert_true(take_away(s, "grows.mp4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(films_of_one_name_are_not_confused),
        cmocka_unit_test(a_log_is_kept_from_a_film_of_the_same_name),
        cmocka_unit_test(a_film_that_has_grown_is_reviewed_again),
    };
    return cmocka_run_group_tests(tests, put_footage, scratch_remove);
}
