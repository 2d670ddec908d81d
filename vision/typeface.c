// SPDX-License-Identifier: MIT
#include "vision/typeface.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

#include "calibration/foreign.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"

enum { FONT_BYTES_MAX = 256 << 20 }; // several times a collection with every letter of Chinese

struct typeface {
    struct FT_MemoryRec_ memory;
    bool refused; // FreeType goes on in silence without that part of itself, or of a font, that it had no memory for
    FT_Library library;
    FT_Face face;
    uint8_t *file;   // whole in memory: a mapped one that is overwritten meanwhile would end the program
    double capitals; // height of one, per em
    char *wished;    // the file that was named when it was opened; NULL: none
};

static pthread_once_t keyed = PTHREAD_ONCE_INIT;
static pthread_key_t of_thread;
static bool has_key;

static void *take(FT_Memory memory, long size)
{
    struct typeface *t = memory->user;
    void *block = malloc((size_t)size);
    t->refused |= !block;
    return block;
}

static void *take_more(FT_Memory memory, long before, long size, void *block)
{
    struct typeface *t = memory->user;
    void *moved = realloc(block, (size_t)size);
    (void)before;
    t->refused |= !moved;
    return moved;
}

static void give_back(FT_Memory memory, void *block)
{
    (void)memory;
    free(block);
}

// What is concluded while memory was refused is not to be believed: neither that there is no font nor that all is well.
static int conclude(const struct typeface *t, int rc, FT_Error error, struct fail *why)
{
    if (t->refused)
        return rs_fail(why, RS_ENOMEM, "no memory for letters");
    return error ? rs_fail(why, RS_EINPUT, "the font gives no letters: error %d", error) : rc;
}

static const char *wished_font(void)
{
    const char *wished = getenv("RINGSIDE_FONT");
    return wished && wished[0] ? wished : NULL;
}

static int open_font(struct typeface *t, const char *path, struct fail *why)
{
    size_t size;
    int rc = whole_file_read(&t->file, &size, path, FONT_BYTES_MAX, why);
    if (rc == 0 && FT_New_Memory_Face(t->library, t->file, (FT_Long)size, 0, &t->face) != 0) {
        free(t->file);
        t->file = NULL;
        rc = rs_fail(why, RS_EINPUT, "%.200s: no font", path);
    }
    return rc;
}

static int open_face(struct typeface *t, struct fail *why)
{
    // Debian and its kin; Fedora; Arch.
    static const char *const places[] = { "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                                          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
                                          "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf" };
    struct fail reason;
    const char *wished = wished_font();
    if (wished && !(t->wished = strdup(wished)))
        return rs_fail(why, RS_ENOMEM, "no memory for letters");
    int rc = wished ? open_font(t, wished, &reason) : RS_EINPUT;
    for (size_t i = 0; !wished && i < countof(places) && rc < 0 && rc != RS_ENOMEM; i++)
        rc = open_font(t, places[i], &reason);
    if (rc == 0)
        return 0;
    if (rc == RS_ENOMEM)
        return rs_fail(why, RS_ENOMEM, "no memory for letters");
    return wished ? rs_fail(why, RS_EINPUT, "RINGSIDE_FONT %.200s: no font that can be read", wished)
                  : rs_fail(why, RS_EINPUT, "there is no font DejaVu Sans (on Debian: apt install fonts-dejavu-core)");
}

int typeface_open(struct typeface **out, struct fail *why)
{
    struct typeface *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return rs_fail(why, RS_ENOMEM, "no memory for letters");
    t->memory = (struct FT_MemoryRec_){ t, take, give_back, take_more };
    int rc = conclude(t, 0, FT_New_Library(&t->memory, &t->library), why);
    if (rc == 0) {
        FT_Add_Default_Modules(t->library);
        rc = open_face(t, why);
    }
    if (rc == 0 && !FT_IS_SCALABLE(t->face))
        rc = rs_fail(why, RS_EINPUT, "the font has letters of some sizes only");
    FT_Error error = rc == 0 ? FT_Load_Char(t->face, 'H', FT_LOAD_NO_SCALE) : 0;
    rc = conclude(t, rc, error, why);
    if (rc == 0)
        t->capitals = (double)t->face->glyph->metrics.height / t->face->units_per_EM;
    if (rc == 0 && !(t->capitals > 0))
        rc = rs_fail(why, RS_EINPUT, "the font has no capitals");
    if (rc < 0) {
        typeface_close(t);
        return rc;
    }
    *out = t;
    return 0;
}

void typeface_close(struct typeface *t)
{
    if (!t)
        return;
    FT_Done_Library(t->library); // with its faces; NULL is refused
    free(t->file);
    free(t->wished);
    free(t);
}

static void close_of_thread(void *t)
{
    typeface_close(t);
}

static void make_key(void)
{
    has_key = pthread_key_create(&of_thread, close_of_thread) == 0;
}

int typeface_of_thread(struct typeface **out, struct fail *why)
{
    pthread_once(&keyed, make_key);
    struct typeface *t = has_key ? pthread_getspecific(of_thread) : NULL;
    const char *wished = wished_font();
    bool as_wished = t && (wished ? t->wished && strcmp(wished, t->wished) == 0 : !t->wished);
    int rc = 0;
    if (!as_wished || t->refused) {
        typeface_close(t);
        rc = typeface_open(&t, why);
        if (!has_key || pthread_setspecific(of_thread, t) != 0) {
            typeface_close(t);
            t = NULL;
            rc = rs_fail(why, RS_ENOMEM, "no memory for letters");
        }
    }
    *out = t;
    return rc;
}

static void add_glyph(struct coverage *to, const FT_GlyphSlot slot, int x, int y)
{
    const FT_Bitmap *b = &slot->bitmap;
    int left = x + slot->bitmap_left, top = y - slot->bitmap_top;
    for (int row = 0; row < (int)b->rows; row++)
        for (int column = 0; column < (int)b->width; column++) {
            int u = left + column, v = top + row;
            if (u < 0 || v < 0 || u >= to->w || v >= to->h)
                continue;
            uint8_t *p = to->pixel + (size_t)v * (size_t)to->w + (size_t)u;
            int sum = *p + b->buffer[row * b->pitch + column];
            *p = (uint8_t)(sum > 255 ? 255 : sum);
        }
}

// With `to` NULL the text is only measured. FreeType's lengths are 1/64 px, and linear advances 1/65536.
static int set_text(double *width_px, struct coverage *to, struct typeface *t, double letters_px, const char *text,
                    struct fail *why)
{
    FT_Error error = FT_Set_Char_Size(t->face, 0, (FT_F26Dot6)lround(64 * letters_px / t->capitals), 0, 0);
    long x = to ? lround(64 * to->x) : 0, start = x;
    int y = to ? (int)lround(to->y) : 0;
    FT_UInt before = 0;
    while (*text && !error) {
        unsigned letter = 0xfffd; // stands for a byte that is no UTF-8
        int bytes = foreign_character(&letter, text);
        FT_Vector kern = { 0, 0 };
        FT_UInt glyph = FT_Get_Char_Index(t->face, letter);
        text += bytes > 0 ? bytes : 1;
        if (before && glyph)
            FT_Get_Kerning(t->face, before, glyph, FT_KERNING_UNFITTED, &kern);
        x += kern.x;
        error = FT_Load_Glyph(t->face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
        if (!error && to) {
            FT_Outline_Translate(&t->face->glyph->outline, x & 63, 0);
            error = FT_Render_Glyph(t->face->glyph, FT_RENDER_MODE_NORMAL);
        }
        if (!error && to)
            add_glyph(to, t->face->glyph, (int)(x >> 6), y);
        x += t->face->glyph->linearHoriAdvance / 1024;
        before = glyph;
    }
    *width_px = (double)(x - start) / 64;
    return conclude(t, 0, error, why);
}

int typeface_width(double *width_px, struct typeface *t, double letters_px, const char *text, struct fail *why)
{
    return set_text(width_px, NULL, t, letters_px, text, why);
}

int typeface_write(struct coverage *to, struct typeface *t, double letters_px, const char *text, struct fail *why)
{
    double width_px;
    return set_text(&width_px, to, t, letters_px, text, why);
}
