// SPDX-License-Identifier: MIT
#include "vision/colour.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/units.h"
#include "vision/min_max.h"
#include "vision/rectify.h"

static const double SHADE = 0.4; // weight of lightness between paints: shadow and glare move it far more than hue
// Of coded values, where light is mixed. sRGB's own curve, which has a foot, moves discs by up to 0.002 in and loses
// one weak piece of 66 in our samples: cameras code the dark by curves of their own.
static const double CODING = 2.2;
static const double DARKEST_SLOPE = 48; // 8-bit steps: below it light that strays in the lens is more than what is seen

void colour_from_bgr(double colour[3], const double bgr[3])
{
    colour[0] = LUMA_OF_BGR[0] * bgr[0] + LUMA_OF_BGR[1] * bgr[1] + LUMA_OF_BGR[2] * bgr[2];
    colour[1] = bgr[0] - colour[0];
    colour[2] = bgr[2] - colour[0];
}

void colour_to_bgr(double bgr[3], const double colour[3])
{
    bgr[0] = colour[0] + colour[1];
    bgr[2] = colour[0] + colour[2];
    bgr[1] = (colour[0] - LUMA_OF_BGR[0] * bgr[0] - LUMA_OF_BGR[2] * bgr[2]) / LUMA_OF_BGR[1];
}

bool colour_at(double out[3], const struct frame *f, double u, double v)
{
    float bgr[3];
    if (!frame_sample(bgr, f, u, v, SAMPLE_CODES))
        return false;
    colour_from_bgr(out, (double[3]){ (double)bgr[0], (double)bgr[1], (double)bgr[2] });
    return true;
}

void colour_planes(float *const plane[3], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double colour[3];
        colour_from_bgr(colour, (double[3]){ (double)plane[0][i], (double)plane[1][i], (double)plane[2][i] });
        for (int c = 0; c < 3; c++)
            plane[c][i] = (float)colour[c];
    }
}

// sRGB's curve (IEC 61966-2-1): codes 0 .. 255 as light 0 .. 1.
static double srgb_light(double code)
{
    double c = fmax(0, fmin(255, code)) / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double srgb_code(double light)
{
    double l = fmax(0, fmin(1, light));
    return 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055);
}

// The colour with the power of each channel taken.
static void power_of(double out[3], const double in[3], double power)
{
    double bgr[3];
    colour_to_bgr(bgr, in);
    for (int c = 0; c < 3; c++)
        bgr[c] = 255 * pow(fmax(bgr[c], 0) / 255, power);
    colour_from_bgr(out, bgr);
}

void colour_to_light(double light[3], const double colour[3])
{
    power_of(light, colour, CODING);
}

void colour_light_table(double table[LIGHT_CODES])
{
    for (int i = 0; i < LIGHT_CODES; i++)
        table[i] = 255 * pow(i / 255.0, CODING);
}

void colour_to_light_by(double light[3], const double colour[3], const double table[LIGHT_CODES])
{
    double bgr[3];
    colour_to_bgr(bgr, colour);
    for (int c = 0; c < 3; c++) {
        double code = bgr[c] > 0 ? bgr[c] < 255 ? bgr[c] : 255 : 0;
        int below = (int)code;
        bgr[c] = table[below] + (code - below) * (table[below + 1] - table[below]);
    }
    colour_from_bgr(light, bgr);
}

void colour_from_light(double colour[3], const double light[3])
{
    power_of(colour, light, 1 / CODING);
}

double colour_slope(double luma)
{
    return 1 / (CODING * pow(fmax(luma, DARKEST_SLOPE) / 255, CODING - 1));
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

// The cube root of a positive number to a unit in the last place or two, without a call: a picture has millions. A
// third of the exponent to begin with, and twice Halley's step.
static inline float cube_root(float x)
{
    uint32_t bits;
    float root;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 0x2a5137a0;
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 2; i++) {
        float cube = root * root * root;
        root = root * (cube + 2 * x) / (2 * cube + x);
    }
    return root;
}

// As lab_curve, of many numbers, without a branch: several are then reckoned at once. Its straight foot is the tangent
// of the cube root's curve, which lies above all of that.
static void lab_curves(float *restrict out, const float *restrict t, int n)
{
    static const float foot = 216.0F / 24389;
    for (int i = 0; i < n; i++)
        out[i] = max_f32(t[i], foot);
    for (int i = 0; i < n; i++)
        out[i] = cube_root(out[i]);
    for (int i = 0; i < n; i++)
        out[i] = min_f32((24389.0F / 27 * t[i] + 16) / 116, out[i]);
}

void colour_bgr8_to_lab(float *lab, size_t stride, const uint8_t *bgr, int width, int height, size_t row)
{
    enum { AT_ONCE = 256 };
    float light[256], xyz[3][AT_ONCE], f[3][AT_ONCE];
    for (int i = 0; i < 256; i++)
        light[i] = (float)srgb_light(i);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x += AT_ONCE) {
            const uint8_t *p = bgr + (size_t)y * row + 3 * (size_t)x;
            int n = width - x < AT_ONCE ? width - x : AT_ONCE;
            for (int i = 0; i < n; i++, p += 3) {
                float b = light[p[0]], g = light[p[1]], r = light[p[2]];
                xyz[0][i] = (0.4124F * r + 0.3576F * g + 0.1805F * b) / 0.9505F;
                xyz[1][i] = 0.2126F * r + 0.7152F * g + 0.0722F * b;
                xyz[2][i] = (0.0193F * r + 0.1192F * g + 0.9505F * b) / 1.089F;
            }
            for (int c = 0; c < 3; c++)
                lab_curves(f[c], xyz[c], n);
            for (int i = 0; i < n; i++, lab += stride) {
                lab[0] = 116 * f[1][i] - 16;
                lab[1] = 500 * (f[0][i] - f[1][i]);
                lab[2] = 200 * (f[1][i] - f[2][i]);
            }
        }
}

void colour_bgr_to_lab(double lab[3], const double bgr[3])
{
    double light[3];
    for (int c = 0; c < 3; c++)
        light[c] = srgb_light(bgr[c]);
    double b = light[0], g = light[1], r = light[2];
    colour_xyz_to_lab(lab, (double[3]){ (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
                                        0.2126 * r + 0.7152 * g + 0.0722 * b,
                                        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089 });
}

void colour_to_lab(double lab[3], const double colour[3])
{
    double bgr[3];
    colour_to_bgr(bgr, colour);
    colour_bgr_to_lab(lab, bgr);
}

void colour_xyz_to_lab(double lab[3], const double xyz[3])
{
    double x = lab_curve(xyz[0]), y = lab_curve(xyz[1]), z = lab_curve(xyz[2]);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

static double lab_curve_back(double t)
{
    return t > 6.0 / 29 ? t * t * t : (116 * t - 16) * 27.0 / 24389;
}

void colour_lab_to_xyz(double xyz[3], const double lab[3])
{
    double y = (lab[0] + 16) / 116;
    xyz[0] = lab_curve_back(y + lab[1] / 500);
    xyz[1] = lab_curve_back(y);
    xyz[2] = lab_curve_back(y - lab[2] / 200);
}

void colour_lab_to_bgr(double bgr[3], const double lab[3])
{
    double xyz[3];
    colour_lab_to_xyz(xyz, lab);
    double x = 0.9505 * xyz[0], y = xyz[1], z = 1.089 * xyz[2];
    bgr[0] = srgb_code(0.0557 * x - 0.2040 * y + 1.0570 * z);
    bgr[1] = srgb_code(-0.9689 * x + 1.8758 * y + 0.0415 * z);
    bgr[2] = srgb_code(3.2406 * x - 1.5372 * y - 0.4986 * z);
}

void colour_lab_in_light(double out[3], const double lab[3], double here_l, double there_l)
{
    double xyz[3], here[3], there[3];
    colour_lab_to_xyz(xyz, lab);
    colour_lab_to_xyz(here, (double[3]){ here_l, 0, 0 });
    colour_lab_to_xyz(there, (double[3]){ there_l, 0, 0 });
    for (int i = 0; i < 3; i++)
        xyz[i] *= there[1] / here[1];
    colour_xyz_to_lab(out, xyz);
}

double colour_lab_distance(const double a[3], const double b[3])
{
    return vec3_distance(a, b);
}

double colour_paint_distance(const double a[3], const double b[3])
{
    double l = SHADE * (a[0] - b[0]);
    return sqrt(l * l + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

double colour_off_mixture(double *part, const double seen[3], const double one[3], const double other[3])
{
    double along = 0, length = 0, mixed[3];
    for (int k = 0; k < 3; k++) {
        along += (seen[k] - one[k]) * (other[k] - one[k]);
        length += (other[k] - one[k]) * (other[k] - one[k]);
    }
    *part = length > 0 ? fmax(0, fmin(along / length, 1)) : 0;
    for (int k = 0; k < 3; k++)
        mixed[k] = one[k] + *part * (other[k] - one[k]);
    return colour_lab_distance(seen, mixed);
}

// Names by hue where there is a colour, by lightness where there is none; wood is a pale yellow or orange.
const char *colour_name(const double lab[3])
{
    static const struct {
        double up_to_deg;
        const char *name;
    } hues[] = { { 15, "pink" },  { 48, "red" },   { 72, "orange" },  { 110, "yellow" }, { 185, "green" },
                 { 225, "cyan" }, { 310, "blue" }, { 345, "purple" }, { 361, "pink" } };
    // CIE L*a*b*. What is dark shows a chroma of its own in noise and glare: black takes more of it than grey.
    static const double black_l = 28, black_chroma = 18, grey_chroma = 10, white_l = 70;
    static const double wood_from_deg = 48, wood_to_deg = 100, wood_chroma = 45, brown_l = 45;
    double chroma = hypot(lab[1], lab[2]), hue_deg = atan2(lab[2], lab[1]) * 180 / PI;
    hue_deg += hue_deg < 0 ? 360 : 0;
    if (lab[0] < black_l && chroma < black_chroma)
        return "black";
    if (chroma < grey_chroma)
        return lab[0] > white_l ? "white" : "grey";
    if (hue_deg > wood_from_deg && hue_deg < wood_to_deg && chroma < wood_chroma)
        return lab[0] > brown_l ? "natural" : "brown";
    for (size_t i = 0; i < countof(hues); i++)
        if (hue_deg < hues[i].up_to_deg)
            return hues[i].name;
    return "grey";
}
