// SPDX-License-Identifier: MIT
// rectify.h: a picture laid out on a plane of the board, as if the camera looked straight down on it.
//
// A raster says which places of the plane are wanted: cells of a square grid, or radii by directions, where painted
// circles become straight rows and quadrant lines columns. The map says where each cell is seen; the picture is read
// there. One mark says "not in the picture" all through: NAN, in the map and in what was read. Who wants only some
// cells sets the others' places in the map to NAN before reading.
//
// The sampler is our own: cv::remap rounds places to 1/32 px, on pictures of floats too, and needs a copy of the
// picture in linear light first. Measured on 540 x 540 cells and on 240 directions of 670 rows it takes 3.0 and 3.5 ms,
// this 2.3 and 1.1 ms; and single places are read by the same lines.
#ifndef RINGSIDE_VISION_RECTIFY_H
#define RINGSIDE_VISION_RECTIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/camera.h"
#include "vision/frame.h"

// Row-major: cell (x, y) is at y * width + x.
struct raster {
    int width, height; // cells; of a polar one directions and radii
    bool polar;
    double height_in; // of the plane above the board
    // Square: the middle of cell (0, 0) lies half a cell inside the corner (-half_in, -half_in).
    double per_in, half_in; // cells an inch; half a side
    // Polar: row k is at radius (first + k) * step_in, column a at a / width turns counter-clockwise of the x axis.
    double step_in;
    int first; // radii nearer are not wanted; 0: from the centre on
    // A single circle leaves the focal length open, and with it where its centre lies. The centre of a polar raster may
    // be moved by so many radii of a circle, which stays where it is (a motion of Klein's plane). 0: as on the board.
    struct pt_in shift; // radii, under 1 together
    double shifted_in;  // radius of that circle
};

struct raster raster_square(double half_in, double per_in, double height_in);
struct raster raster_polar(int radii, int angles, double step_in);

size_t raster_cells(const struct raster *r);

// The place on the plane of a cell's middle; x and y may lie between cells.
struct pt_in raster_place(const struct raster *r, double x, double y);

// Where a cell is seen in the picture; NAN when it is not before the camera.
struct map_px {
    float u, v;
};

// Fills raster_cells places. Only every few cells are projected, those between lie evenly: off by some hundredths of a
// pixel at 60 degrees of tilt. RS_ENOMEM.
int rectify_map(struct map_px *map, const struct raster *r, const struct camera *c, struct fail *why);

// What is read of a pixel: the picture's codes, 0 .. 255; or light on the same scale (sRGB codes light by a curve close
// to its square root; 255 stays 255). Lens and pixels blur light, and a blurred edge lies in the middle between dark
// and bright only there; in codes it wanders into the dark.
enum sample_as { SAMPLE_CODES, SAMPLE_LIGHT };

// Between pixels (bilinear), B G R. False, *bgr untouched, outside the picture.
bool frame_sample(float bgr[3], const struct frame *f, double u, double v, enum sample_as as);

// Reads the picture at n places: channel c of place i goes to out[c][i * stride]; NAN outside the picture. Planes:
// stride 1; interleaved: { p, p + 1, p + 2 } and stride 3.
void rectify_sample(float *const out[3], size_t stride, const struct frame *f, const struct map_px *map, size_t n,
                    enum sample_as as);

// A raster as the picture shows it, every cell read: map and reading in one.
struct rectified {
    struct raster raster;
    float *plane[3]; // B, G, R of each cell; NAN outside the picture
};

// The caller frees *out with rectified_free. RS_ENOMEM, *out then empty.
int rectify(struct rectified *out, const struct raster *r, const struct frame *f, const struct camera *c,
            enum sample_as as, struct fail *why);
void rectified_free(struct rectified *v);

#endif
