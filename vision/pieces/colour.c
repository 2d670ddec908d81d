// SPDX-License-Identifier: MIT
#include "vision/pieces/colour.h"

#include <math.h>

#include "calibration/units.h"

bool colour_at(double out[3], const struct frame *f, double u, double v)
{
    if (!(u >= 0 && v >= 0 && u < f->width - 1 && v < f->height - 1))
        return false;
    int x = (int)u, y = (int)v;
    double fx = u - x, fy = v - y, bgr[3];
    const uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x), *q = p + 3 * (size_t)f->width;
    for (int c = 0; c < 3; c++)
        bgr[c] = (1 - fy) * ((1 - fx) * p[c] + fx * p[c + 3]) + fy * ((1 - fx) * q[c] + fx * q[c + 3]);
    out[0] = 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2]; // BT.601
    out[1] = bgr[0] - out[0];
    out[2] = bgr[2] - out[0];
    return true;
}

static double linear_of(double code)
{
    double c = fmax(0, fmin(255, code)) / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static const double CODING = 2.2; // gamma of coded values
static const double DARKEST = 48; // 8-bit steps: below it light that strays in the lens is more than what is seen

static void map(double out[3], const double in[3], double gamma)
{
    double luma = in[0], bgr[3] = { luma + in[1], 0, luma + in[2] };
    bgr[1] = (luma - 0.114 * bgr[0] - 0.299 * bgr[2]) / 0.587;
    for (int c = 0; c < 3; c++)
        bgr[c] = 255 * pow(fmax(bgr[c], 0) / 255, gamma);
    out[0] = 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2];
    out[1] = bgr[0] - out[0];
    out[2] = bgr[2] - out[0];
}

void colour_to_light(double light[3], const double colour[3])
{
    map(light, colour, CODING);
}

void colour_from_light(double colour[3], const double light[3])
{
    map(colour, light, 1 / CODING);
}

double colour_slope(double luma)
{
    return 1 / (CODING * pow(fmax(luma, DARKEST) / 255, CODING - 1));
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

void colour_to_lab(double lab[3], const double colour[3])
{
    double luma = colour[0], blue = luma + colour[1], red = luma + colour[2];
    double green = (luma - 0.114 * blue - 0.299 * red) / 0.587;
    double r = linear_of(red), g = linear_of(green), b = linear_of(blue);
    double xyz[3] = { (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b,
                      (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089 };
    colour_xyz_to_lab(lab, xyz);
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

// Names by hue where there is a colour, by lightness where there is none; wood is a pale yellow or orange.
const char *colour_name(const double lab[3])
{
    static const struct {
        double up_to_deg;
        const char *name;
    } hues[] = { { 15, "pink" },  { 48, "red" },   { 72, "orange" },  { 110, "yellow" }, { 185, "green" },
                 { 225, "cyan" }, { 310, "blue" }, { 345, "purple" }, { 361, "pink" } };
    double chroma = hypot(lab[1], lab[2]), hue_deg = atan2(lab[2], lab[1]) * 180 / PI;
    hue_deg += hue_deg < 0 ? 360 : 0;
    if (lab[0] < 28 && chroma < 18)
        return "black";
    if (chroma < 10)
        return lab[0] > 70 ? "white" : "grey";
    if (hue_deg > 48 && hue_deg < 100 && chroma < 45)
        return lab[0] > 45 ? "natural" : "brown";
    for (size_t i = 0; i < countof(hues); i++)
        if (hue_deg < hues[i].up_to_deg)
            return hues[i].name;
    return "grey";
}
