// SPDX-License-Identifier: MIT
// `ringside calibrate target`: a PDF that any reader takes, of the right size, with a ruler that is true.
#define _XOPEN_SOURCE 700 // posix_openpt
#include <math.h>
#include <string.h>

#include "calibration/target.h"
#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/near.h"
#include "tests/referee/commands/sheet.h"
#include "tests/referee/commands/spawned.h"

static const struct {
    const char *size;
    double width_in, height_in;
} papers[] = { { "letter", 8.5, 11 }, { "a4", 8.2677, 11.6929 } };

static const char *target(const char *size)
{
    static struct spawned r;
    RUN(&r, 0, "calibrate", "target", "--size", size);
    assert_string_equal(r.err, "");
    return r.out;
}

static void every_object_is_where_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(papers); i++) {
        const char *pdf = target(papers[i].size), *start = strstr(pdf, "startxref\n");
        long table = 0, at = 0;
        int objects = 0;
        assert_memory_equal(pdf, "%PDF-1.", 7);
        assert_non_null(start);
        assert_int_equal(sscanf(start, "startxref\n%ld\n%%%%EOF", &table), 1);
        assert_int_equal(sscanf(pdf + table, "xref\n0 %d\n", &objects), 1);
        assert_true(objects > 1);
        const char *line = strchr(pdf + table + 5, '\n') + 1;
        for (int k = 0; k < objects; k++, line += 20) { // the format wants lines of 20 bytes
            char head[32];
            assert_true(line[19] == '\n' && line[18] == ' ');
            assert_int_equal(sscanf(line, "%10ld", &at), 1);
            snprintf(head, sizeof head, "%d 0 obj\n", k);
            if (k > 0)
                assert_memory_equal(pdf + at, head, strlen(head));
        }
        assert_memory_equal(line, "trailer", 7);
    }
}

static void the_drawing_is_as_long_as_said(void **state)
{
    (void)state;
    const char *pdf = target("a4"), *length = strstr(pdf, "/Length "), *from = strstr(pdf, "stream\n");
    int said = 0;
    assert_true(length && from);
    assert_int_equal(sscanf(length, "/Length %d", &said), 1);
    assert_memory_equal(from + strlen("stream\n") + said, "\nendstream", 10);
}

static void the_page_has_the_papers_size_and_all_squares(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(papers); i++) {
        struct sheet s;
        const char *pdf = target(papers[i].size);
        sheet_read(&s, pdf);
        assert_near(s.width_in, papers[i].width_in, 1e-3);
        assert_near(s.height_in, papers[i].height_in, 1e-3);
        assert_non_null(strstr(pdf, "72 0 0 72 0 0 cm\n")); // inches from here on
        assert_int_equal(s.squares, (TARGET_COLUMNS * TARGET_ROWS + 1) / 2);
        for (int k = 0; k < s.squares; k++) {
            assert_near(s.side_in[k], 1, 1e-9);
            // Printers leave a quarter of an inch blank.
            assert_true(s.x_in[k] > 0.25 && s.x_in[k] + 1 < s.width_in - 0.25);
            assert_true(s.y_in[k] > 0.25 && s.y_in[k] + 1 < s.height_in - 0.25);
        }
    }
}

static void the_ruler_is_true(void **state)
{
    (void)state;
    const char *line = target("letter");
    double x, y, x2, y2, zero = 0, longest = 0;
    int inches = 0, centimetres = 0;
    for (line = strstr(line, "stream\n"); line; line = strchr(line + 1, '\n')) {
        if (sscanf(line, " %lf %lf m %lf %lf l S", &x, &y, &x2, &y2) != 4)
            continue;
        if (zero == 0)
            zero = x;
        longest = fmax(longest, fabs(y2 - y));
    }
    for (line = strstr(target("letter"), "stream\n"); line; line = strchr(line + 1, '\n')) {
        if (sscanf(line, " %lf %lf m %lf %lf l S", &x, &y, &x2, &y2) != 4 || fabs(y2 - y) < longest - 1e-9)
            continue;
        double unit = y2 > y ? 1 : 1 / 2.54, count = (x - zero) / unit;
        assert_near(count, round(count), 3e-4); // printed to a ten-thousandth of an inch
        inches += y2 > y;
        centimetres += y2 < y;
    }
    assert_int_equal(inches, 8);
    assert_int_equal(centimetres, 18);
}

static void a_terminal_is_spared_and_told_what_to_do(void **state)
{
    (void)state;
    static struct spawned r;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    spawned_run(&r, (const char *[]){ "calibrate", "target", "--size", "a4", NULL }, ptsname(terminal));
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "calibrate target --size a4 > target.pdf"));
    close(terminal);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    static struct spawned r;
    spawned_run(&r, (const char *[]){ "calibrate", "target", "--size", "a4", NULL }, "/dev/full");
    assert_int_equal(r.status, 3);
    assert_int_equal(spawned_lines(r.err), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_object_is_where_the_table_says),
        cmocka_unit_test(the_drawing_is_as_long_as_said),
        cmocka_unit_test(the_page_has_the_papers_size_and_all_squares),
        cmocka_unit_test(the_ruler_is_true),
        cmocka_unit_test(a_terminal_is_spared_and_told_what_to_do),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
