// SPDX-License-Identifier: MIT
// A failure handed in: what is in the file and what is not, that it is judged again, and what strangers may hand in.
#define _GNU_SOURCE // memmem
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/filmed.h"
#include "tests/referee/commands/spawned.h"
#include "vision/frame_file.h"

enum { MEMBERS_MAX = 12, TEXT_MAX = 1 << 20 };

// A file in an archive; with a link it has no bytes.
struct member {
    char name[64];
    const char *link; // symbolic; NULL for a plain file
    char *bytes;
    size_t size, claimed; // claimed: larger than size, for one that lies
};

struct pack {
    int count;
    struct member member[MEMBERS_MAX];
};

static void pack_add(struct pack *p, const char *name, const char *bytes, size_t size)
{
    struct member *m = &p->member[p->count++];
    *m = (struct member){ .size = size, .claimed = size, .bytes = malloc(size + 1) };
    assert_non_null(m->bytes);
    assert_true((size_t)snprintf(m->name, sizeof m->name, "%s", name) < sizeof m->name);
    memcpy(m->bytes, bytes, size);
    m->bytes[size] = '\0';
}

static void pack_free(struct pack *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->member[i].bytes);
    p->count = 0;
}

static struct member *pack_find(struct pack *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->member[i].name, name) == 0)
            return &p->member[i];
    fail_msg("no %s in the bundle", name);
    return NULL;
}

static void pack_read(struct pack *p, const char *path)
{
    static char bytes[TEXT_MAX];
    struct archive *a = archive_read_new();
    struct archive_entry *e;
    p->count = 0;
    archive_read_support_format_tar(a);
    assert_int_equal(archive_read_open_filename(a, path, 10240), ARCHIVE_OK);
    while (archive_read_next_header(a, &e) == ARCHIVE_OK) {
        assert_int_equal(archive_entry_mtime(e), 0);
        assert_int_equal(archive_entry_uid(e), 0);
        assert_true(!archive_entry_uname(e) || !archive_entry_uname(e)[0]);
        la_ssize_t n = archive_read_data(a, bytes, sizeof bytes);
        assert_true(n >= 0 && (size_t)n < sizeof bytes);
        pack_add(p, archive_entry_pathname(e), bytes, (size_t)n);
    }
    archive_read_free(a);
}

// Does not fail where libarchive would not write such a thing: a lie is a lie.
static void pack_write(const struct pack *p, const char *path)
{
    struct archive *a = archive_write_new();
    archive_write_set_format_gnutar(a);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (int i = 0; i < p->count; i++) {
        const struct member *m = &p->member[i];
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, m->name);
        archive_entry_set_filetype(e, m->link ? AE_IFLNK : AE_IFREG);
        if (m->link)
            archive_entry_set_symlink(e, m->link);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_size(e, m->link ? 0 : (la_int64_t)m->claimed);
        archive_write_header(a, e);
        if (!m->link)
            archive_write_data(a, m->bytes, m->size);
        archive_entry_free(e);
    }
    archive_write_free(a);
}

// A board with a name in its file's name, a picture of it, a picture of nothing; and a place for scratch folders.
static int put_pictures(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct frame *f = board_seen(42, 0.12);
    film_nothing(s, "dark.mp4");
    film(s, "anna.mp4", f);
    assert_int_equal(frame_write(f, scratch_path(s, "anna.jpg"), &why), 0);
    frame_free(f);
    setenv("TMPDIR", scratch_path(s, "tmp"), 1);
    return mkdir(scratch_path(s, "tmp"), 0700);
}

static int remove_pictures(void **state)
{
    const struct scratch *s = *state;
    int left = rmdir(scratch_path(s, "tmp")); // fails when a command left something
    return scratch_remove(state) | left;
}

static void bundle(const struct scratch *s, const char *input, const char *out)
{
    static struct spawned r;
    RUN(&r, 0, "bundle", "--game", "crokinole", "--quiet", "--out", scratch_path(s, out), scratch_path(s, input));
    assert_string_equal(r.err, "");
}

static void a_recording_is_judged_again_byte_for_byte(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    bundle(s, "anna.mp4", "a.tar");
    RUN(&r, 0, "bundle", "--check", scratch_path(s, "a.tar"));
    assert_non_null(strstr(r.out, "calls from the log: 0 lines, the same byte for byte"));
    assert_non_null(strstr(r.out, "observations from the frames: "));
    assert_non_null(strstr(r.out, "calls from the frames: 0 lines, the same byte for byte"));
    assert_null(strstr(r.out, "differ"));
    assert_non_null(strstr(r.out, ", as this is\n"));
}

// What review says of the recording itself is what the bundle holds.
static void the_calls_are_those_of_review(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    struct pack p = { .count = 0 };
    bundle(s, "anna.mp4", "a.tar");
    pack_read(&p, scratch_path(s, "a.tar"));
    RUN(&r, 0, "review", "--game", "crokinole", "--json", "--quiet", scratch_path(s, "anna.mp4"));
    assert_string_equal(pack_find(&p, "calls.jsonl")->bytes, r.out);
    pack_free(&p);
}

static void nothing_else_is_in_it(void **state)
{
    const struct scratch *s = *state;
    static const char *const names[] = { "bundle.json", "board.json", "frames.mov", "log.jsonl", "calls.jsonl" };
    struct pack p = { .count = 0 };
    char host[256] = "?";
    bundle(s, "anna.mp4", "a.tar");
    pack_read(&p, scratch_path(s, "a.tar"));
    gethostname(host, sizeof host - 1);
    const char *const secrets[] = { "anna", s->folder, "/tmp", "/home", host };
    assert_int_equal(p.count, countof(names));
    for (int i = 0; i < p.count; i++) {
        assert_string_equal(p.member[i].name, names[i]);
        for (size_t k = 0; k < countof(secrets); k++)
            if (strlen(secrets[k]) > 3 && memmem(p.member[i].bytes, p.member[i].size, secrets[k], strlen(secrets[k])))
                fail_msg("%s holds \"%s\"", names[i], secrets[k]);
    }
    pack_free(&p);
}

static void the_same_bundle_is_the_same_bytes(void **state)
{
    const struct scratch *s = *state;
    struct pack a = { .count = 0 }, b = { .count = 0 };
    bundle(s, "anna.mp4", "a.tar");
    bundle(s, "anna.mp4", "b.tar");
    pack_read(&a, scratch_path(s, "a.tar"));
    pack_read(&b, scratch_path(s, "b.tar"));
    assert_int_equal(a.count, b.count);
    for (int i = 0; i < a.count; i++)
        assert_memory_equal(a.member[i].bytes, b.member[i].bytes, a.member[i].size);
    pack_free(&a);
    pack_free(&b);
}

static void a_photograph_and_a_log_can_be_handed_in(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    struct pack p = { .count = 0 };
    bundle(s, "anna.jpg", "p.tar");
    pack_read(&p, scratch_path(s, "p.tar"));
    assert_non_null(strstr(pack_find(&p, "calls.jsonl")->bytes, "\"grade\":\"A\""));
    pack_free(&p);
    RUN(&r, 0, "bundle", "--check", scratch_path(s, "p.tar"));
    assert_non_null(strstr(r.out, "calls from the frames: 1 line, the same byte for byte"));
    RUN(&r, 0, "review", "--game", "crokinole", "--quiet", scratch_path(s, "anna.mp4"));
    RUN(&r, 0, "bundle", scratch_path(s, "anna.ringside.jsonl"));
    RUN(&r, 0, "bundle", "--check", scratch_path(s, "anna.ringside-bundle.tar"));
    assert_non_null(strstr(r.out, "calls from the log: 0 lines, the same byte for byte"));
    assert_null(strstr(r.out, "frames"));
}

static void a_board_that_is_not_found_is_a_failure_to_hand_in(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    bundle(s, "dark.mp4", "d.tar");
    RUN(&r, 0, "bundle", "--check", scratch_path(s, "d.tar"));
    assert_non_null(strstr(r.out, "how it ended: the same, no board found"));
}

// The bundle of anna.mp4 with one text in one member replaced by another.
static void put_altered(const struct scratch *s, const char *out, const char *name, const char *old, const char *new)
{
    struct pack p = { .count = 0 };
    pack_read(&p, scratch_path(s, "a.tar"));
    struct member *m = pack_find(&p, name);
    char *at = memmem(m->bytes, m->size, old, strlen(old));
    assert_non_null(at);
    size_t before = (size_t)(at - m->bytes), after = m->size - before - strlen(old);
    char *bytes = malloc(m->size + strlen(new) + 1);
    assert_non_null(bytes);
    memcpy(bytes, m->bytes, before);
    memcpy(bytes + before, new, strlen(new));
    memcpy(bytes + before + strlen(new), at + strlen(old), after);
    free(m->bytes);
    m->bytes = bytes;
    m->size = m->claimed = before + strlen(new) + after;
    pack_write(&p, scratch_path(s, out));
    pack_free(&p);
}

static void another_outcome_is_told(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    bundle(s, "anna.mp4", "a.tar");
    put_altered(s, "other.tar", "calls.jsonl", "", "{\"event\":\"call\"}\n");
    RUN(&r, 4, "bundle", "--check", scratch_path(s, "other.tar"));
    assert_non_null(strstr(r.out, "calls from the log: differ from line 1 on\n  then: {\"event\":\"call\"}\n"
                                  "  now:  (nothing)\n"));
    assert_non_null(strstr(r.out, "calls from the frames: differ from line 1 on\n"));
    put_altered(s, "other.tar", "board.json", "\"hole_points\": 20", "\"hole_points\": 25");
    RUN(&r, 4, "bundle", "--check", scratch_path(s, "other.tar"));
    assert_non_null(strstr(r.out, "calls from the log: 0 lines, the same byte for byte\n"
                                  "observations from the frames: differ from line 1 on\n"));
    put_altered(s, "other.tar", "log.jsonl", "\"kind\":\"", "\"kind\":\"un"); // no such observation
    RUN(&r, 2, "bundle", "--check", scratch_path(s, "other.tar"));
}

// The same but for a zero byte, for the last line's end, for what a terminal obeys: told, and told plainly.
static void what_differs_by_a_byte_is_not_the_same(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } rows[] = {
        { "\0\n", 2, "then: ?\n" },
        { "{}", 2, "then: {}\n" },
        { "\n", 1, "then: \n  now:  (nothing)\n" },
        { "\x1b]0;x\x07\x9b"
          "31m\n",
          11, "then: ?]0;x??31m\n" },
    };
    static struct spawned r;
    struct pack p = { .count = 0 };
    bundle(s, "anna.mp4", "a.tar");
    for (size_t i = 0; i < countof(rows); i++) {
        pack_read(&p, scratch_path(s, "a.tar"));
        struct member *calls = pack_find(&p, "calls.jsonl");
        assert_int_equal(calls->size, 0);
        free(calls->bytes);
        calls->bytes = malloc(rows[i].size);
        assert_non_null(calls->bytes);
        memcpy(calls->bytes, rows[i].bytes, rows[i].size);
        calls->size = calls->claimed = rows[i].size;
        pack_write(&p, scratch_path(s, "other.tar"));
        pack_free(&p);
        RUN(&r, 4, "bundle", "--check", scratch_path(s, "other.tar"));
        if (!strstr(r.out, "calls from the log: differ from line 1 on\n") || !strstr(r.out, rows[i].words))
            fail_msg("row %zu: printed \"%s\"", i, r.out);
        assert_true(!strchr(r.out, '\033') && !strstr(r.out, "\x9b"));
    }
    bundle(s, "anna.jpg", "p.tar");
    pack_read(&p, scratch_path(s, "p.tar"));
    struct member *calls = pack_find(&p, "calls.jsonl");
    calls->claimed = --calls->size; // the end of the only line
    pack_write(&p, scratch_path(s, "other.tar"));
    pack_free(&p);
    RUN(&r, 4, "bundle", "--check", scratch_path(s, "other.tar"));
    assert_non_null(strstr(r.out, "calls from the frames: differ from line 1 on\n"));
    assert_non_null(strstr(r.out, "  from byte "));
}

static void another_version_is_told(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    bundle(s, "anna.mp4", "a.tar");
    put_altered(s, "old.tar", "bundle.json", "\"version\": \"", "\"version\": \"0.0 before ");
    RUN(&r, 0, "bundle", "--check", scratch_path(s, "old.tar"));
    assert_non_null(strstr(r.out, "made by ringside 0.0 before "));
    assert_non_null(strstr(r.out, "; this is ringside "));
    put_altered(s, "old.tar", "bundle.json", "\"version\": \"", "\"version\": \"0.0 \\u001b[31m");
    RUN(&r, 2, "bundle", "--check", scratch_path(s, "old.tar"));
    assert_non_null(strstr(r.err, "\"version\" holds a control character"));
}

// Refused in one line, with the words, and nothing left anywhere.
static void refused(const struct scratch *s, const char *what, const char *words)
{
    static struct spawned r;
    int files = scratch_count(s);
    spawned_run(&r, (const char *[]){ "bundle", "--check", scratch_path(s, "evil.tar"), NULL }, NULL);
    if (r.status != 2 || spawned_lines(r.err) != 1 || !strstr(r.err, words) || !strstr(r.err, "evil.tar") ||
        strstr(r.err, scratch_path(s, "tmp/")) || strchr(r.err, '\033') || scratch_count(s) != files)
        fail_msg("%s: exit %d, said \"%s\"", what, r.status, r.err);
    if (rmdir(scratch_path(s, "tmp")) != 0)
        fail_msg("%s: something was left behind", what);
    assert_int_equal(mkdir(scratch_path(s, "tmp"), 0700), 0);
}

static void strangers_files_are_refused(void **state)
{
    static const struct {
        struct member m;
        const char *words;
    } cases[] = {
        { { .name = "../evil" }, "which no bundle does" },
        { { .name = "/tmp/ringside-evil" }, "which no bundle does" },
        { { .name = "frames.mov/../../evil" }, "which no bundle does" },
        { { .name = "\033[31mred" }, "which no bundle does" },
        { { .name = "again.log.jsonl" }, "which no bundle does" },
        { { .name = "lens.json", .link = "/etc/passwd" }, "not a plain file" },
        { { .name = "board.json" }, "twice" },
    };
    const struct scratch *s = *state;
    struct pack p = { .count = 0 };
    bundle(s, "anna.mp4", "a.tar");
    for (size_t i = 0; i < countof(cases); i++) {
        pack_read(&p, scratch_path(s, "a.tar"));
        pack_add(&p, cases[i].m.name, "evil", 4);
        p.member[p.count - 1].link = cases[i].m.link;
        pack_write(&p, scratch_path(s, "evil.tar"));
        pack_free(&p);
        refused(s, cases[i].m.name, cases[i].words);
    }
}

// A tar header with a size written by hand: libarchive itself does not lie.
static void put_lie(const char *path, const char *size_octal)
{
    char head[512] = { 0 };
    unsigned sum = 0;
    strcpy(head, "frames.mov");
    strcpy(head + 100, "0000644");
    strcpy(head + 108, "0000000");
    strcpy(head + 116, "0000000");
    memcpy(head + 124, size_octal, strlen(size_octal));
    strcpy(head + 136, "00000000000");
    memset(head + 148, ' ', 8);
    head[156] = '0';
    memcpy(head + 257, "ustar\00000", 8);
    for (size_t i = 0; i < sizeof head; i++)
        sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum);
    scratch_write(path, head, sizeof head);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    const struct scratch *s = *state;
    put_lie(scratch_path(s, "evil.tar"), "77777777777");
    refused(s, "8 GB in 512 bytes", "larger than the bundle");
    put_lie(scratch_path(s, "evil.tar"), "\x80\x00\x00\x00\x3f\xff\xff\xff\xff\xff\xff\xff");
    refused(s, "a number that hardly exists", "evil.tar: ");
}

static void cut_off_bundles_are_refused(void **state)
{
    const struct scratch *s = *state;
    static char bytes[TEXT_MAX];
    bundle(s, "anna.mp4", "a.tar");
    FILE *in = fopen(scratch_path(s, "a.tar"), "rb");
    assert_non_null(in);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_true(size > 4096 && size < sizeof bytes);
    for (size_t kept = 1; kept < size - 2048; kept += size / 23) {
        char what[64];
        snprintf(what, sizeof what, "%zu of %zu bytes", kept, size);
        scratch_write(scratch_path(s, "evil.tar"), bytes, kept);
        refused(s, what, "evil.tar: ");
    }
}

static void what_is_no_bundle_is_refused(void **state)
{
    const struct scratch *s = *state;
    struct pack p = { .count = 0 };
    scratch_write(scratch_path(s, "evil.tar"), "text\n", 5);
    refused(s, "a text", "not a bundle");
    scratch_write(scratch_path(s, "evil.tar"), "", 0);
    refused(s, "nothing", "evil.tar: ");
    pack_add(&p, "calls.jsonl", "{}\n", 3);
    pack_write(&p, scratch_path(s, "evil.tar"));
    refused(s, "no bundle.json", "bundle.json is missing");
    pack_free(&p);
    bundle(s, "anna.mp4", "a.tar");
    put_altered(s, "evil.tar", "bundle.json", "frames.mov", "../a.tar");
    refused(s, "frames outside", "no name of a picture or recording");
    put_altered(s, "evil.tar", "bundle.json", "frames.mov", "log.jsonl");
    refused(s, "frames that are the log", "evil.tar: bundle.json: \"frames\" is \"log.jsonl\"");
    put_altered(s, "evil.tar", "bundle.json", "\"game\": \"crokinole\"", "\"game\": \"american-marbles\"");
    refused(s, "a log of another game", "evil.tar: log.jsonl is a log of crokinole");
    put_altered(s, "evil.tar", "log.jsonl", "\"shift_in\":0", "\"shift_in\":-1");
    refused(s, "a log that cannot be", "evil.tar: log.jsonl line 2: \"shift_in\" is -1");
    put_altered(s, "evil.tar", "bundle.json", "\"ringside_bundle\": 1", "\"ringside_bundle\": 2");
    refused(s, "a later format", "must be 1");
    put_altered(s, "evil.tar", "bundle.json", "crokinole", "croquet");
    refused(s, "another game", "evil.tar: unknown game croquet");
}

static void parts_that_cannot_be_are_refused(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static const struct {
        const char *from, *to, *input, *words;
    } cases[] = {
        { "3", "2", "anna.mp4", "nothing lies between" },
        { "99", "100", "anna.mp4", "nothing after 99 s" },
        { "1", "2", "anna.jpg", "are for recordings" },
        { "-1", "2", "anna.mp4", "in seconds" },
        { "soon", "later", "anna.mp4", "--from soon: write it in seconds" },
    };
    for (size_t i = 0; i < countof(cases); i++) {
        int files = scratch_count(s);
        RUN(&r, 2, "bundle", "--game", "crokinole", "--from", cases[i].from, "--to", cases[i].to,
            scratch_path(s, cases[i].input));
        if (!strstr(r.err, cases[i].words) || scratch_count(s) != files)
            fail_msg("case %zu: said \"%s\"", i, r.err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_is_judged_again_byte_for_byte),
        cmocka_unit_test(the_calls_are_those_of_review),
        cmocka_unit_test(nothing_else_is_in_it),
        cmocka_unit_test(the_same_bundle_is_the_same_bytes),
        cmocka_unit_test(a_photograph_and_a_log_can_be_handed_in),
        cmocka_unit_test(a_board_that_is_not_found_is_a_failure_to_hand_in),
        cmocka_unit_test(another_outcome_is_told),
        cmocka_unit_test(what_differs_by_a_byte_is_not_the_same),
        cmocka_unit_test(another_version_is_told),
        cmocka_unit_test(strangers_files_are_refused),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(cut_off_bundles_are_refused),
        cmocka_unit_test(what_is_no_bundle_is_refused),
        cmocka_unit_test(parts_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, put_pictures, remove_pictures);
}
