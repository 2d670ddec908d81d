// SPDX-License-Identifier: MIT
// Which files of a folder are clips of a match, and what a page calls them.
#include "calibration/units.h"
#include "referee/match_clips.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

static const struct kept_match match = { .match = 3, .id = "1a2b3c4d-0000-4000-8000-000000000000" };

static void only_those_of_the_match_are_found(void **state)
{
    static const struct {
        const char *name;
        int shot; // 0: it is none
    } rows[] = {
        { "a-match-1a2b3c4d-shot-001.mp4", 1 },
        { "a-match-1a2b3c4d-shot-001.jpg", 0 },
        { "a-match-1a2b3c4d-shot-007-2.mp4", 7 },
        { "a-match-1a2b3c4d-shot-1234.mp4", 1234 },
        { "a-match-1a2b3c4d-shot-001.mkv", 0 },
        { "a-match-1a2b3c4e-shot-001.mp4", 0 },
        { "a-match-1a2b3c4d-shot-.mp4", 0 },
        { "a-match-1a2b3c4d-shot-0.mp4", 0 },
        { "a-match-1a2b3c4d-shot--3.mp4", 0 },
        { "a-match-1a2b3c4d-shot-001.mp4.ringside-12.part", 0 },
        { "a-match-1a2b3c4d-shot-99999999999.mp4", 0 },
        { "a-shot-001.mp4", 0 },
    };
    struct match_clips found;
    struct fail why = { .text = "" };
    int wanted = 0, pictured = 0;
    for (size_t i = 0; i < countof(rows); i++) {
        scratch_write(scratch_path(*state, rows[i].name), "x", 1);
        wanted += rows[i].shot > 0;
    }
    assert_int_equal(
        match_clips_find(&found, &match, ((struct scratch *)*state)->folder, scratch_path(*state, "page.html"), &why),
        0);
    assert_int_equal(found.count, wanted);
    for (int i = 0; i < found.count; i++) {
        bool is = false;
        for (size_t k = 0; k < countof(rows); k++)
            is |= strcmp(rows[k].name, found.clip[i].url) == 0 && rows[k].shot == found.clip[i].shot;
        if (!is)
            fail_msg("%s, shot %d", found.clip[i].url, found.clip[i].shot);
        pictured += found.clip[i].picture != NULL;
    }
    assert_int_equal(pictured, 1);
    match_clips_finish(&found);
    match_clips_finish(&found);
}

static void a_page_finds_them_from_where_it_lies(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *page, *url;
    } rows[] = {
        { "page.html", "close%20%23calls%25/" },
        { "close #calls%/page.html", "" },
        { "close/page.html", "../close%20%23calls%25/" }, // the beginning of the other's name
        { "close/far/page.html", "../../close%20%23calls%25/" },
        { "close #calls%/deeper/page.html", "../" },
        { "close/../page.html", "close%20%23calls%25/" },
    };
    static const char *const folders[] = { "close", "close/far", "close #calls%", "close #calls%/deeper" };
    char folder[200], url[300];
    struct match_clips found;
    struct fail why = { .text = "" };
    for (size_t i = 0; i < countof(folders); i++)
        assert_int_equal(mkdir(scratch_path(s, folders[i]), 0700), 0);
    snprintf(folder, sizeof folder, "%s", scratch_path(s, "close #calls%"));
    scratch_write(scratch_path(s, "close #calls%/a&b-match-1a2b3c4d-shot-001.mp4"), "x", 1);
    for (size_t i = 0; i < countof(rows); i++) {
        assert_int_equal(match_clips_find(&found, &match, folder, scratch_path(s, rows[i].page), &why), 0);
        assert_int_equal(found.count, 1);
        snprintf(url, sizeof url, "%sa%%26b-match-1a2b3c4d-shot-001.mp4", rows[i].url);
        assert_string_equal(found.clip[0].url, url);
        match_clips_finish(&found);
    }
    assert_int_equal(match_clips_find(&found, &match, scratch_path(s, "none"), scratch_path(s, "a"), &why), RS_EIO);
    assert_non_null(strstr(why.text, "none, for a page"));
    match_clips_finish(&found);
}

// RFC 4648, section 10. Up to a limit a page holds the clips and their pictures, beyond it only the ways to them.
static void a_page_holds_them_while_they_are_small(void **state)
{
    static const struct {
        const char *bytes, *letters;
    } rows[] = { { "f", "Zg==" },
                 { "fo", "Zm8=" },
                 { "foo", "Zm9v" },
                 { "foob", "Zm9vYg==" },
                 { "fooba", "Zm9vYmE=" },
                 { "foobar", "Zm9vYmFy" },
                 { "\377\373\357\376", "//vv/g==" } };
    char clip[200], picture[200], url[64];
    struct match_clips found;
    struct fail why;
    snprintf(clip, sizeof clip, "%s", scratch_path(*state, "a-match-1a2b3c4d-shot-001.mp4"));
    snprintf(picture, sizeof picture, "%s", scratch_path(*state, "a-match-1a2b3c4d-shot-001.jpg"));
    for (size_t i = 0; i < countof(rows); i++) {
        scratch_write(clip, rows[i].bytes, strlen(rows[i].bytes));
        scratch_write(picture, rows[i].bytes, strlen(rows[i].bytes));
        assert_int_equal(
            match_clips_find(&found, &match, ((struct scratch *)*state)->folder, scratch_path(*state, "p.html"), &why),
            0);
        assert_int_equal(match_clips_embed(&found, &why), 0);
        assert_true(found.embedded && found.count == 1);
        snprintf(url, sizeof url, "data:video/mp4;base64,%s", rows[i].letters);
        assert_string_equal(found.clip[0].url, url);
        snprintf(url, sizeof url, "data:image/jpeg;base64,%s", rows[i].letters);
        assert_string_equal(found.clip[0].picture, url);
        match_clips_finish(&found);
    }
    assert_int_equal(truncate(clip, MATCH_CLIPS_EMBED_BYTES), 0); // and the picture is too much
    assert_int_equal(
        match_clips_find(&found, &match, ((struct scratch *)*state)->folder, scratch_path(*state, "p.html"), &why), 0);
    assert_int_equal(match_clips_embed(&found, &why), 0);
    assert_false(found.embedded);
    assert_string_equal(found.clip[0].url, "a-match-1a2b3c4d-shot-001.mp4");
    match_clips_finish(&found);
    assert_int_equal(truncate(clip, 0), 0);
    assert_int_equal(
        match_clips_find(&found, &match, ((struct scratch *)*state)->folder, scratch_path(*state, "p.html"), &why), 0);
    assert_int_equal(match_clips_embed(&found, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "shot-001.mp4"));
    match_clips_finish(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_those_of_the_match_are_found, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_page_finds_them_from_where_it_lies, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_page_holds_them_while_they_are_small, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
