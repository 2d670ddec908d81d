// SPDX-License-Identifier: MIT
#include "referee/commands/target_pdf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"

// The page's own coordinates are inches from its bottom left corner; the first line of the drawing scales them to PDF's
// points, of which 72 make an inch. Printers leave a quarter of an inch blank at the edges.
static const double CHESSBOARD_TOP_IN = 0.7; // white above it, as broad as at its sides
static const double RULER_IN = 0.9, TEXT_IN[] = { 0.46, 0.31 };
static const double CM_IN = 1 / 2.54, LETTERS_IN = 0.115, NUMBERS_IN = 0.09;
static const double LONG_TICK_IN = 0.16, MIDDLE_TICK_IN = 0.1, SHORT_TICK_IN = 0.06, PEN_IN = 0.006;
static const double NUMBER_BESIDE_IN = 0.03, NUMBER_ABOVE_IN = 0.1, NUMBER_BELOW_IN = 0.17; // of its tick and the line
enum { RULER_INCHES = 7, RULER_CM = 17, EIGHTHS = 8, MILLIMETRES = 10 };
enum { OBJECTS = 5, TEXT_LINES = 2 };

static const char *const text[TEXT_LINES] = {
    "ringside target, squares of 1 inch. Print at 100 % (actual size), check with the ruler, glue it onto something "
    "flat.",
    "ringside calibrate lens --camera /dev/video0: show it in the middle and in all corners of the picture, tilted to "
    "all sides.",
};

static double left_of(const struct target_paper *p)
{
    return (p->width_in - TARGET_COLUMNS * TARGET_SQUARE_IN) / 2;
}

static void draw_squares(FILE *to, const struct target_paper *p)
{
    double bottom = p->height_in - CHESSBOARD_TOP_IN - TARGET_ROWS * TARGET_SQUARE_IN;
    for (int k = 0; k < TARGET_ROWS; k++)
        for (int i = k % 2; i < TARGET_COLUMNS; i += 2)
            fprintf(to, "%.4f %.4f %.4f %.4f re\n", left_of(p) + i * TARGET_SQUARE_IN, bottom + k * TARGET_SQUARE_IN,
                    TARGET_SQUARE_IN, TARGET_SQUARE_IN);
    fprintf(to, "f\n");
}

static void draw_tick(FILE *to, double x, double length)
{
    fprintf(to, "%.4f %.4f m %.4f %.4f l S\n", x, RULER_IN, x, RULER_IN + length);
}

static void draw_words(FILE *to, double x, double y, double size_in, const char *words)
{
    fprintf(to, "BT /F1 %.4f Tf %.4f %.4f Td (", size_in, x, y);
    for (; *words; words++)
        fprintf(to, strchr("()\\", *words) ? "\\%c" : "%c", *words);
    fprintf(to, ") Tj ET\n");
}

static double tick_in(int i, int middle, int whole)
{
    if (i % whole == 0)
        return LONG_TICK_IN;
    return i % middle == 0 ? MIDDLE_TICK_IN : SHORT_TICK_IN;
}

static void draw_numbers(FILE *to, const struct target_paper *p, int most, double unit_in, const char *unit,
                         double y_in)
{
    char number[16];
    for (int i = 0; i <= most; i++) {
        snprintf(number, sizeof number, "%d%s%s", i, i ? "" : " ", i ? "" : unit);
        draw_words(to, left_of(p) + i * unit_in + NUMBER_BESIDE_IN, y_in, NUMBERS_IN, number);
    }
}

// Inches above the line, centimetres below it.
static void draw_ruler(FILE *to, const struct target_paper *p)
{
    double left = left_of(p);
    fprintf(to, "%.4f w %.4f %.4f m %.4f %.4f l S\n", PEN_IN, left, RULER_IN, left + RULER_INCHES, RULER_IN);
    for (int i = 0; i <= RULER_INCHES * EIGHTHS; i++)
        draw_tick(to, left + i / (double)EIGHTHS, tick_in(i, EIGHTHS / 4, EIGHTHS));
    for (int i = 0; i <= RULER_CM * MILLIMETRES; i++)
        draw_tick(to, left + i * CM_IN / MILLIMETRES, -tick_in(i, MILLIMETRES / 2, MILLIMETRES));
    draw_numbers(to, p, RULER_INCHES, 1, "in", RULER_IN + NUMBER_ABOVE_IN);
    draw_numbers(to, p, RULER_CM, CM_IN, "cm", RULER_IN - NUMBER_BELOW_IN);
}

static void draw_page(FILE *to, const struct target_paper *p)
{
    fprintf(to, "72 0 0 72 0 0 cm\n");
    draw_squares(to, p);
    draw_ruler(to, p);
    for (int i = 0; i < TEXT_LINES; i++)
        draw_words(to, left_of(p), TEXT_IN[i], LETTERS_IN, text[i]);
}

static FILE *open_memory(char **bytes, size_t *size)
{
    FILE *f = open_memstream(bytes, size);
    if (!f)
        abort();
    return f;
}

static void write_objects(FILE *to, long at[OBJECTS], const struct target_paper *p, const char *page, size_t length)
{
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
}

static void write_document(FILE *to, const struct target_paper *p, const char *page, size_t length)
{
    long at[OBJECTS];
    fprintf(to, "%%PDF-1.6\n%%\xe2\xe3\xcf\xd3\n"); // four bytes over 127, so that no mailer takes it for text
    write_objects(to, at, p, page, length);
    long table = ftell(to);
    fprintf(to, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
    for (int i = 0; i < OBJECTS; i++)
        fprintf(to, "%010ld 00000 n \n", at[i]);
    fprintf(to, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%ld\n%%%%EOF\n", OBJECTS + 1, table);
}

int target_pdf_write(FILE *to, const struct target_paper *paper, struct fail *why)
{
    char *page = NULL, *document = NULL;
    size_t page_size = 0, size = 0;
    FILE *f = open_memory(&page, &page_size);
    draw_page(f, paper);
    fclose(f);
    f = open_memory(&document, &size);
    write_document(f, paper, page, page_size);
    fclose(f);
    errno = 0;
    bool whole = fwrite(document, 1, size, to) == size && fflush(to) == 0;
    free(page);
    free(document);
    return whole ? 0 : rs_fail(why, RS_EIO, "cannot write the target: %s", strerror(errno));
}
