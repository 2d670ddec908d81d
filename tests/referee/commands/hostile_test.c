// SPDX-License-Identifier: MIT
// Files that anybody may hand in: logs, boards, lenses, match files, words, pictures. What cannot be is refused in one
// line that can be shown on any terminal, names file, line, field, value and what may stand there; nothing is written.
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/filmed.h"
#include "tests/referee/commands/spawned.h"
#include "vision/frame_file.h"

enum { TEXT_MAX = 8192 };

static int make_folder(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    return setenv("XDG_CONFIG_HOME", ((const struct scratch *)*state)->folder, 1);
}

// One plain line with the words, the exit status, and no file that was not there before.
static void refused(const struct scratch *s, const char *what, int status, const char *words, const char *const *args)
{
    static struct spawned r;
    int files = scratch_count(s);
    spawned_run(&r, args, NULL);
    size_t length = strlen(r.err);
    bool one = spawned_lines(r.err) == 1 && r.err[length - 1] == '\n';
    if (one)
        r.err[length - 1] = '\0';
    if (r.status != status || !one || !foreign_is_plain(r.err) || !strstr(r.err, words) || scratch_count(s) != files)
        fail_msg("%s: exit %d with %d files, wanted %d with %d: \"%s\"", what, r.status, scratch_count(s), status,
                 files, r.err);
}

// `text` with its first `old` replaced.
static const char *altered(const char *text, const char *old, const char *new)
{
    static char out[TEXT_MAX];
    const char *at = strstr(text, old);
    assert_non_null(at);
    assert_true(snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) < TEXT_MAX);
    return out;
}

static const char *put(const struct scratch *s, const char *name, const char *text)
{
    const char *path = scratch_path(s, name);
    scratch_write(path, text, strlen(text));
    return path;
}

#define BOARD                                                                                                          \
    "{\"ringside_board\":1,\"name\":\"mine\",\"kind\":\"circles\",\"circle_in\":[12,8,4],\"zone_points\":[5,10,15],"   \
    "\"edge\":\"line-centre\",\"hole_points\":20,\"pegs\":8,\"piece\":\"disc\",\"line_width_in\":0.1,"                 \
    "\"hole_radius_in\":0.6875,\"piece_radius_in\":0.625,\"piece_height_in\":0.375}"

static const char log_text[] =
    "{\"ringside\":1,\"game\":\"crokinole\",\"board\":" BOARD ",\"camera\":{\"width\":960,\"height\":540,"
    "\"f_px\":750,\"cx_px\":480,\"cy_px\":270,\"k1\":0,\"k2\":0,\"p1\":0,\"p2\":0,\"R\":[1,0,0,0,-1,0,0,0,-1],"
    "\"t_in\":[0,0,45]},\"source\":\"a.mp4\",\"match\":{\"format\":\"nca-singles\",\"sides\":[],\"first\":-1}}\n"
    "{\"t_s\":1,\"kind\":\"camera\",\"what\":\"locked\",\"shift_in\":0}\n"
    "{\"t_s\":2,\"kind\":\"seen\",\"id\":1,\"piece\":\"disc\",\"colour\":\"red\",\"taw\":false,\"radius_in\":0.625,"
    "\"certainty\":0.9,\"lab\":[50,60,40]}\n"
    "{\"t_s\":2,\"kind\":\"rest\",\"id\":1,\"at_in\":[1,2],\"cov_in2\":[0.01,0,0.02],\"plane\":\"surface\"}\n"
    "{\"t_s\":3,\"kind\":\"hand\",\"over\":true,\"from_rad\":3.1}\n"
    "{\"t_s\":4,\"kind\":\"move\",\"id\":1,\"by\":\"shot\",\"from_in\":[1,2]}\n"
    "{\"t_s\":5,\"kind\":\"contact\",\"id\":1,\"with\":\"peg\",\"other\":0,\"sigma_t_s\":0.01,\"at_in\":[4,0]}\n"
    "{\"t_s\":6,\"kind\":\"input\",\"by\":\"judge\",\"what\":\"correct\",\"text\":\"\",\"side\":\"red\",\"value\":[4,0]"
    "}\n"
    "{\"t_s\":7,\"kind\":\"still\",\"rms_px\":0.2,\"line_sigma_in\":0.01}\n";

static const struct row {
    const char *old, *new, *words;
} logs[] = {
    { "\"radius_in\":0.625", "\"radius_in\":-0.6", "line 3: \"radius_in\" is -0.6; it must be a number from 0.01 to" },
    { "\"radius_in\":0.625", "\"radius_in\":0", "line 3: \"radius_in\" is 0" },
    { "\"radius_in\":0.625", "\"radius_in\":\"0.6\"", "line 3: \"radius_in\" is \"0.6\"" },
    { "\"certainty\":0.9", "\"certainty\":-1", "line 3: \"certainty\" is -1; it must be a number from 0 to 1" },
    { "\"certainty\":0.9", "\"taw_certainty\":1.5", "line 3: \"taw_certainty\" is 1.5" },
    { "[50,60,40]", "[50,60,4e9]", "line 3: \"lab\" is [50,60,4e9]; each must be" },
    { "\"red\"", "\"r\\ned\"", "line 3: \"colour\" holds a control character" },
    { "\"red\"", "\"\\u202eder\"", "line 3: \"colour\" holds a control character" },
    { "\"id\":1", "\"id\":-1", "line 3: \"id\" is -1; it must be a whole number from 0 to 899999" },
    { "\"id\":1", "\"id\":1.5", "line 3: \"id\" is 1.5" },
    { "\"id\":1", "\"id\":99999999999999999999", "line 3: a number is beyond all that can be" },
    { "\"id\":1", "\"id\":1,\"id\":2", "line 3: not JSON: duplicate" },
    { "[0.01,0,0.02]", "[0.01,0.5,0.02]", "line 4: \"cov_in2\" is 0.01, 0.5, 0.02 in2; it must be a covariance" },
    { "[0.01,0,0.02]", "[-0.01,0,0.02]", "line 4: \"cov_in2\"" },
    { "[0.01,0,0.02]", "[1e300,0,0.02]",
      "line 4: \"cov_in2\" is [1e300,0,0.02]; each must be a number from -1e+08 to" },
    { "\"at_in\":[1,2]", "\"at_in\":[1e9,2]", "line 4: \"at_in\" is [1e9,2]; each must be a number from -10000" },
    { "\"at_in\":[1,2]", "\"at_in\":[1e400,2]", "line 4: a number is beyond all that can be" },
    { "\"at_in\":[1,2]", "\"at_in\":[NaN,2]", "line 4: not JSON" },
    { "\"from_rad\":3.1", "\"from_rad\":31", "line 5: \"from_rad\" is 31" },
    { "\"t_s\":4", "\"t_s\":2.5", "line 6: time 2.5 s comes after 3 s" },
    { "\"sigma_t_s\":0.01", "\"sigma_t_s\":-1", "line 7: \"sigma_t_s\" is -1; it must be a number from 0 to 1e+08 s" },
    { "[4,0]}\n{\"t_s\":7", "[4e9,0]}\n{\"t_s\":7", "line 8: \"value\" is [4e9,0]" },
    { "\"text\":\"\"", "\"text\":\"\\u001b[31m\"", "line 8: \"text\" holds a control character" },
    { "\"rms_px\":0.2", "\"rms_px\":-5", "line 9: \"rms_px\" is -5; it must be a number from 0 to 65536 px" },
    { "\"line_sigma_in\":0.01", "\"line_sigma_in\":-3", "line 9: \"line_sigma_in\" is -3" },
    { "\"shift_in\":0", "\"shift_in\":-1e6",
      "line 2: \"shift_in\" is -1000000.0; it must be a number from 0 to 10000 in" },
    { "\"t_s\":1", "\"t_s\":-1", "line 2: \"t_s\" is -1" },
    { "\"kind\":\"camera\"", "\"kind\":\"\\u001b[2J\"", "line 2: \"kind\": \"?[2J\" is not known" },
    { "\"width\":960", "\"width\":1000000000",
      "line 1: \"width\" is 1000000000; it must be a whole number from 16 to" },
    { "\"height\":540", "\"height\":0", "line 1: \"height\" is 0" },
    { "\"f_px\":750", "\"f_px\":-750", "line 1: \"f_px\" is -750" },
    { "[1,0,0,0,-1,0,0,0,-1]", "[1,0,0,0,1,0,0,0,-1]", "line 1: the pose's R is a mirror" },
    { "[1,0,0,0,-1,0,0,0,-1]", "[1,0,0,0,-1,0,0,0,0]", "line 1: the pose's R is not a rotation" },
    { "\"crokinole\"", "\"american-marbles\"", "line 1: american-marbles is not played on a board like mine" },
    { "\"crokinole\"", "\"crokinole-rings\"", "line 1: crokinole-rings is not played on a board like mine" },
    { "\"crokinole\"", "\"cr\\u001bk\"", "line 1: \"game\" holds a control character" },
    { "\"mine\"", "\"\\u001b[31mB\"", "line 1: board: \"name\" holds a control character" },
    { "\"mine\"", "\"\"", "line 1: board: \"name\" is empty" },
    { "\"a.mp4\"", "\"\\u0007\"", "line 1: \"source\" holds a control character" },
    { "\"first\":-1", "\"first\":9", "line 1: \"first\" must be" },
    { "\n{\"t_s\":1", "\n[[[[[\n{\"t_s\":1", "line 2: not JSON" },
};

static void a_hostile_log_is_refused_and_no_bundle_made_of_it(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    const char *path = put(s, "x.jsonl", log_text);
    RUN(&r, 0, "judge", path); // the frame of the rows is itself sound
    for (size_t i = 0; i < countof(logs); i++) {
        path = put(s, "x.jsonl", altered(log_text, logs[i].old, logs[i].new));
        refused(s, logs[i].new, 2, logs[i].words, (const char *[]){ "judge", path, NULL });
        if (i % 8 == 0) // the same reader
            refused(s, logs[i].new, 2, logs[i].words, (const char *[]){ "bundle", path, NULL });
    }
    unlink(scratch_path(s, "x.jsonl"));
}

#define LENS                                                                                                           \
    "{\"ringside_lens\":1,\"width\":1280,\"height\":720,\"f_px\":1100,\"cx_px\":640,\"cy_px\":360,\"k1\":0,\"k2\":0,"  \
    "\"p1\":0,\"p2\":0,\"rms_px\":0.1}"
#define MATCH "{\"format\":{\"rounds\":3},\"sides\":[{\"name\":\"Home\",\"players\":[\"Ann\"]}],\"judge\":false}"

// A file that a flag names: read before the picture, which is not there.
static const struct {
    const char *flag, *text;
    struct row row;
} flagged[] = {
    { "--board", BOARD, { "[12,8,4]", "[12,8,1e9]", "circle radius 1e+09 in; it must be from 0.5 to 1000" } },
    { "--board",
      BOARD,
      { "\"pegs\":8", "\"pegs\":-8", "f.json: board: \"pegs\" is -8; it must be a whole number from 0" } },
    { "--board", BOARD, { "\"hole_radius_in\":0.6875", "\"hole_radius_in\":-1", "\"hole_radius_in\" is -1" } },
    { "--board", BOARD, { "\"mine\"", "\"\\u009b31m\"", "\"name\" holds a control character" } },
    { "--board", BOARD, { "\"pegs\"", "\"\\n\\u001b[31m\"", "is not a field of a board" } },
    { "--board", BOARD, { "\"kind\":\"circles\"", "\"kind\":\"ring\"", "is not played on a board like mine" } },
    { "--board", BOARD, { "}", "}}", "f.json line 1: not JSON" } },
    { "--board", BOARD, { BOARD, "", "f.json: the file is empty" } },
    { "--lens",
      LENS,
      { "\"width\":1280", "\"width\":0", "f.json: lens: \"width\" is 0; it must be a whole number from 16" } },
    { "--lens", LENS, { "\"f_px\":1100", "\"f_px\":-1", "\"f_px\" is -1; it must be a number from 1 to 1e+06 px" } },
    { "--lens", LENS, { "\"rms_px\":0.1", "\"rms_px\":-0.1", "\"rms_px\" is -0.1" } },
    { "--lens", LENS, { "\"k1\":0", "\"k1\":1e400", "f.json line 1: a number is beyond all that can be" } },
    { "--match", MATCH, { "\"rounds\":3", "\"rounds\":-3", "f.json: \"rounds\" is -3" } },
    { "--match", MATCH, { "Ann", "\\u001b]0;x\\u0007", "\"players\"" } },
    { "--match", MATCH, { "false", "1", "\"judge\" must be true or false" } },
    { "--tune", "{\"board\":{\"colour_least\":6}}", { "6", "-6", "\"board\": \"colour_least\" is -6; it must be" } },
    { "--inputs",
      "{\"t_s\":1,\"kind\":\"input\",\"by\":\"judge\",\"what\":\"undo\",\"text\":\"\"}\n",
      { "\"t_s\":1", "\"t_s\":-1", "f.json line 1: \"t_s\" is -1" } },
    { "--inputs",
      "{\"t_s\":1,\"kind\":\"input\",\"by\":\"judge\",\"what\":\"undo\",\"text\":\"\"}\n",
      { "undo", "\\u001b[2J", "f.json line 1: \"what\" holds a control character" } },
};

static void a_hostile_file_that_a_flag_names_is_refused(void **state)
{
    const struct scratch *s = *state;
    for (size_t i = 0; i < countof(flagged); i++) {
        const struct row *row = &flagged[i].row;
        const char *path = put(s, "f.json", altered(flagged[i].text, row->old, row->new));
        bool of_review = strcmp(flagged[i].flag, "--inputs") == 0 || strcmp(flagged[i].flag, "--match") == 0;
        refused(s, row->new, 2, row->words,
                (const char *[]){ of_review ? "review" : "look", "--game", "crokinole", flagged[i].flag, path,
                                  scratch_path(s, "none.mp4"), NULL });
    }
    unlink(scratch_path(s, "f.json"));
}

static void a_zero_byte_among_what_was_said_is_told(void **state)
{
    const struct scratch *s = *state;
    static const char text[] = "{\"t_s\":1,\"kind\":\"input\",\"by\":\"judge\",\"what\":\"undo\",\"text\":\"\"}\0{\n";
    const char *path = scratch_path(s, "said.jsonl");
    scratch_write(path, text, sizeof text - 1);
    refused(s, "a zero byte", 2, "said.jsonl line 1: a zero byte",
            (const char *[]){ "review", "--game", "crokinole", "--inputs", path, scratch_path(s, "none.mp4"), NULL });
    unlink(path);
}

// What a file is called is made plain where it is told, and a picture of any name is read and told as JSON.
static void names_of_files_are_made_plain(void **state)
{
    const struct scratch *s = *state;
    static const char *const names[] = { "\033[31mred\n.png", "\xff\x9b.png", "\xe2\x80\xae.png" };
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    static struct spawned r;
    assert_int_equal(frame_create(&f, 64, 48, &why), 0);
    for (size_t i = 0; i < countof(names); i++) {
        const char *path = scratch_path(s, names[i]);
        assert_int_equal(frame_write(f, path, &why), 0);
        refused(s, "a picture of nothing", 1, ": no board found: the picture is black",
                (const char *[]){ "look", "--game", "crokinole", path, NULL });
        refused(s, "a part of it", 1, ": no board found: the picture is black",
                (const char *[]){ "look", "--game", "crokinole", "--hint", "box:0,0,40,40", path, NULL });
        RUN(&r, 1, "look", "--game", "crokinole", "--json", path);
        assert_non_null(strstr(r.out, "\"error\":{\"code\":\"no-board\""));
        r.out[strcspn(r.out, "\n")] = '\0';
        assert_true(foreign_is_plain(r.out));
        refused(s, "a log of that name", 2, "not JSON", (const char *[]){ "judge", path, NULL });
        unlink(path);
    }
    frame_free(f);
}

static void a_picture_of_a_shape_that_no_board_has_tells_its_size(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        int width, height;
        const char *words;
    } sizes[] = { { 16384, 1, "the picture has 16384 x 1 pixels" },
                  { 1, 16384, "the picture has 1 x 16384 pixels" },
                  { 1, 1, "the picture has 1 x 1 pixels" },
                  { 31, 300, "the picture has 31 x 300 pixels" } };
    struct fail why = { .text = "" };
    for (size_t i = 0; i < countof(sizes); i++) {
        struct frame *f = NULL;
        const char *path = scratch_path(s, "shape.png");
        assert_int_equal(frame_create(&f, sizes[i].width, sizes[i].height, &why), 0);
        assert_int_equal(frame_write(f, path, &why), 0);
        frame_free(f);
        refused(s, sizes[i].words, 1, sizes[i].words, (const char *[]){ "look", "--game", "crokinole", path, NULL });
    }
    unlink(scratch_path(s, "shape.png"));
}

static uint8_t within(double code)
{
    return (uint8_t)(code < 0 ? 0 : code > 255 ? 255 : code + 0.5);
}

// A board of brown wood in light that falls off to one side, its grain of another hue than the wood.
static struct frame *wooden(void)
{
    struct frame *f = board_seen(42, 0.12);
    for (int i = 0; i < f->width * f->height; i++) {
        int u = i % f->width, v = i / f->width;
        double light = 0.8 + 0.2 * u / f->width, red = (v / 24 + u / 96) % 3 == 0 ? 1.12 : 1;
        for (int k = 0; k < 3; k++)
            f->bgr[3 * i + k] = within(f->bgr[3 * i + k] * light * (k == 2 ? red : k == 0 ? 2 - red : 1));
    }
    return f;
}

// How a picture loses its colour: all of it, all but 3 %, for a brown tint.
static void take_colour(struct frame *f, double share, double tint)
{
    for (int i = 0; i < f->width * f->height; i++) {
        uint8_t *p = f->bgr + 3 * i;
        double luma = frame_luma_at(f, i % f->width, i / f->width);
        const double tinted[] = { luma * (1 - 0.22 * tint), luma * (1 - 0.02 * tint), luma * (1 + 0.08 * tint) };
        for (int k = 0; k < 3; k++)
            p[k] = within(tinted[k] + share * (p[k] - luma));
    }
}

static void a_picture_without_colour_does_not_tell_sides(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *what;
        double share, tint;
        bool told;
    } copies[] = { { "in colour", 1, 0, false },
                   { "grey", 0, 0, true },
                   { "3 % of the colour", 0.03, 0, true },
                   { "sepia", 0, 1, true } };
    static struct spawned r;
    struct fail why = { .text = "" };
    for (size_t i = 0; i < countof(copies); i++) {
        struct frame *f = wooden();
        const char *path = scratch_path(s, "wood.jpg");
        take_colour(f, copies[i].share, copies[i].tint);
        assert_int_equal(frame_write(f, path, &why), 0);
        spawned_run(&r, (const char *[]){ "look", "--game", "crokinole", "--json", path, NULL }, NULL);
        bool told = strstr(r.out, "\"no colour: sides cannot be told"), poor = strstr(r.out, "\"grade\":\"D\"");
        if (r.status != 0 || told != copies[i].told || poor != copies[i].told)
            fail_msg("%s: exit %d, %s", copies[i].what, r.status, r.out);
        if (i == 1) { // as footage, too
            film(s, "grey.mp4", f);
            RUN(&r, 0, "review", "--game", "crokinole", "--no-book", scratch_path(s, "grey.mp4"));
            assert_non_null(strstr(r.err, "beware: no colour: sides cannot be told"));
        }
        frame_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_log_is_refused_and_no_bundle_made_of_it),
        cmocka_unit_test(a_hostile_file_that_a_flag_names_is_refused),
        cmocka_unit_test(a_zero_byte_among_what_was_said_is_told),
        cmocka_unit_test(names_of_files_are_made_plain),
        cmocka_unit_test(a_picture_of_a_shape_that_no_board_has_tells_its_size),
        cmocka_unit_test(a_picture_without_colour_does_not_tell_sides),
    };
    return cmocka_run_group_tests(tests, make_folder, scratch_remove);
}
