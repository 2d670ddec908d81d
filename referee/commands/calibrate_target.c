// SPDX-License-Identifier: MIT
// `ringside calibrate target`: the printable chessboard that `calibrate lens` reads best, as a PDF of one page with a
// ruler to check the print's scale.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/target.h"
#include "calibration/units.h"
#include "referee/commands/verbs.h"

// The page's own coordinates are inches from its bottom left corner; the first line of the drawing scales them to PDF's
// points, of which 72 make an inch. Printers leave a quarter of an inch blank at the edges.
static const double CHESSBOARD_TOP_IN = 0.7; // white above it, as broad as at its sides
static const double RULER_IN = 0.9, TEXT_IN[] = { 0.46, 0.31 };
static const double CM_IN = 1 / 2.54, LETTERS_IN = 0.115, NUMBERS_IN = 0.09;
static const double LONG_TICK_IN = 0.16, MIDDLE_TICK_IN = 0.1, SHORT_TICK_IN = 0.06, PEN_IN = 0.006;
static const double NUMBER_BESIDE_IN = 0.03, NUMBER_ABOVE_IN = 0.1, NUMBER_BELOW_IN = 0.17; // of its tick and the line
enum { RULER_INCHES = 7, RULER_CM = 17, EIGHTHS = 8, MILLIMETRES = 10 };
enum { DOCUMENT_BYTES = 1 << 16 }; // several times what is written
enum { OBJECTS = 5, TEXT_LINES = 2 };

static const struct target_paper {
    const char *name;
    double width_in, height_in;
} papers[] = { { "letter", 8.5, 11 }, { "a4", 210 / 25.4, 297 / 25.4 } };

static const char *const text[TEXT_LINES] = {
    "ringside target, squares of 1 inch. Print at 100 % (actual size), check with the ruler, glue it onto something "
    "flat.",
    "ringside calibrate lens --camera /dev/video0: show it in the middle and in all corners of the picture, tilted to "
    "all sides.",
};

static void draw_words(FILE *to, double x, double y, double size_in, const char *words)
{
    fprintf(to, "BT /F1 %.4f Tf %.4f %.4f Td (", size_in, x, y);
    for (; *words; words++)
        fprintf(to, strchr("()\\", *words) ? "\\%c" : "%c", *words);
    fprintf(to, ") Tj ET\n");
}

// Ticks from `left` on, longer at the middle and at whole units; above the ruler's line, below it for a `sense` of -1.
static void draw_ticks(FILE *to, double left, int count, int parts, double unit_in, int sense)
{
    int middle = parts == EIGHTHS ? parts / 4 : parts / 2; // quarters of an inch, half centimetres
    for (int i = 0; i <= count * parts; i++) {
        double x = left + i * unit_in / parts;
        double length = i % parts == 0 ? LONG_TICK_IN : i % middle == 0 ? MIDDLE_TICK_IN : SHORT_TICK_IN;
        fprintf(to, "%.4f %.4f m %.4f %.4f l S\n", x, RULER_IN, x, RULER_IN + sense * length);
    }
}

static void draw_numbers(FILE *to, double left, int count, double unit_in, const char *unit, double y_in)
{
    char number[16];
    for (int i = 0; i <= count; i++) {
        snprintf(number, sizeof number, "%d%s%s", i, i ? "" : " ", i ? "" : unit);
        draw_words(to, left + i * unit_in + NUMBER_BESIDE_IN, y_in, NUMBERS_IN, number);
    }
}

// The ruler has inches above its line, centimetres below it.
static void draw_page(FILE *to, const struct target_paper *p)
{
    double left = (p->width_in - TARGET_COLUMNS * TARGET_SQUARE_IN) / 2;
    double bottom = p->height_in - CHESSBOARD_TOP_IN - TARGET_ROWS * TARGET_SQUARE_IN;
    fprintf(to, "72 0 0 72 0 0 cm\n");
    for (int k = 0; k < TARGET_ROWS; k++)
        for (int i = k % 2; i < TARGET_COLUMNS; i += 2)
            fprintf(to, "%.4f %.4f %.4f %.4f re\n", left + i * TARGET_SQUARE_IN, bottom + k * TARGET_SQUARE_IN,
                    TARGET_SQUARE_IN, TARGET_SQUARE_IN);
    fprintf(to, "f\n");
    fprintf(to, "%.4f w %.4f %.4f m %.4f %.4f l S\n", PEN_IN, left, RULER_IN, left + RULER_INCHES, RULER_IN);
    draw_ticks(to, left, RULER_INCHES, EIGHTHS, 1, 1);
    draw_ticks(to, left, RULER_CM, MILLIMETRES, CM_IN, -1);
    draw_numbers(to, left, RULER_INCHES, 1, "in", RULER_IN + NUMBER_ABOVE_IN);
    draw_numbers(to, left, RULER_CM, CM_IN, "cm", RULER_IN - NUMBER_BELOW_IN);
    for (int i = 0; i < TEXT_LINES; i++)
        draw_words(to, left, TEXT_IN[i], LETTERS_IN, text[i]);
}

static void write_document(FILE *to, const struct target_paper *p, const char *page, size_t length)
{
    long at[OBJECTS];
    // Bytes over 127, so that no mailer takes it for text that it may break anew; in UTF-8, as all that is told.
    fprintf(to, "%%PDF-1.6\n%%\xc3\xa2\xc3\xa3\xc3\x8f\xc3\x93\n");
    at[0] = ftell(to);
    // A viewer that fits the page to its paper would change the scale.
    fprintf(to, "1 0 obj\n<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>\nendobj\n");
    at[1] = ftell(to);
    fprintf(to, "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
    at[2] = ftell(to);
    fprintf(to,
            "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents 4 0 R\n"
            "/Resources << /Font << /F1 5 0 R >> >> >>\nendobj\n",
            72 * p->width_in, 72 * p->height_in);
    at[3] = ftell(to);
    fprintf(to, "4 0 obj\n<< /Length %zu >>\nstream\n%s\nendstream\nendobj\n", length, page);
    at[4] = ftell(to);
    fprintf(to, "5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n");
    long table = ftell(to);
    fprintf(to, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
    for (int i = 0; i < OBJECTS; i++)
        fprintf(to, "%010ld 00000 n \n", at[i]);
    fprintf(to, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%ld\n%%%%EOF\n", OBJECTS + 1, table);
}

static int print_target(const struct options *o, struct fail *why)
{
    const struct target_paper *paper = NULL;
    if (!o->paper)
        return rs_fail(why, RS_EINPUT, "for which paper? give --size letter or --size a4");
    for (size_t i = 0; i < countof(papers); i++)
        if (strcmp(papers[i].name, o->paper) == 0)
            paper = &papers[i];
    if (!paper)
        return rs_fail(why, RS_EINPUT, "--size %.40s: the target is made for %s and %s", o->paper, papers[0].name,
                       papers[1].name);
    if (isatty(STDOUT_FILENO))
        return rs_fail(why, RS_EINPUT,
                       "a PDF is nothing for a terminal: ringside calibrate target --size %s > target.pdf",
                       paper->name);
    int rc = 0;
    // Not open_memstream, which leaves out without a word what it has no memory for.
    char *page = calloc(1, DOCUMENT_BYTES), *document = calloc(1, DOCUMENT_BYTES);
    size_t page_size = 0, size = 0;
    bool made = false;
    FILE *to = page && document ? fmemopen(page, DOCUMENT_BYTES - 1, "w") : NULL;
    if (to) {
        draw_page(to, paper);
        page_size = (size_t)ftell(to);
        made = fclose(to) == 0;
    }
    to = made ? fmemopen(document, DOCUMENT_BYTES - 1, "w") : NULL;
    if (to) {
        write_document(to, paper, page, page_size);
        size = (size_t)ftell(to);
    }
    made = to && fclose(to) == 0;
    errno = 0;
    if (!made)
        rc = rs_fail(why, RS_ENOMEM, "no memory for the target");
    else if (fwrite(document, 1, size, stdout) != size || fflush(stdout) != 0)
        rc = rs_fail(why, RS_EIO, "cannot write the target: %s", strerror(errno));
    free(page);
    free(document);
    return rc;
}

const struct verb calibrate_target_verb = {
    .name = "calibrate target",
    .operands = "",
    .says = "a printable chessboard for calibrate lens",
    .more = "Writes a PDF of one page to standard output: ringside calibrate target --size a4 > target.pdf. Print it "
            "at 100 %,\n"
            "check the scale with the ruler on it, and glue it onto something flat.\n",
    .flags = (const char *const[]){ "--size letter|a4", NULL },
    .run = print_target,
};
