// SPDX-License-Identifier: MIT
// render.h: from a scene to the pixels of a picture, by way of the sensor.
#ifndef RINGSIDE_SAMPLES_SCENE_RENDER_H
#define RINGSIDE_SAMPLES_SCENE_RENDER_H

#include "samples/scene/scene.h"

// Linear light, three floats a pixel (red, green, blue).
struct image {
    int width, height;
    float *light;
};

struct box {
    int left, top, right, bottom; // pixels, right and bottom not included
};

// The caller frees it with image_free. Ends the program when there is no memory.
struct image image_create(int width, int height);
void image_free(struct image *m);

// Adds `weight` times the light of the scene to the pixels of the box. Two threads share the rows; the same seed gives
// the same light.
void render_box(struct image *m, const struct scene *s, struct box where, double weight, uint64_t seed);

// Blur, vignette, noise and gamma of the sensor: 8 bits a channel, red first, into rgb (width * height * 3 bytes).
// `number` makes the noise of each frame of a clip another one. The image is blurred in place.
void render_expose(uint8_t *rgb, struct image *m, const struct sensor *sensor, uint64_t number);

// The same for long films, several times as quick: noise and gamma from tables that the caller frees with free(). Ends
// the program when there is no memory.
struct quick_sensor;
struct quick_sensor *render_quick_create(void);
void render_expose_quick(uint8_t *rgb, struct image *m, const struct sensor *sensor, const struct quick_sensor *q,
                         uint64_t number);

// 0, or RS_EIO / RS_ELIB.
int render_jpeg(const char *path, const uint8_t *rgb, int width, int height, int quality, struct fail *why);

// Shares (0 .. 1) of the pixels of each piece that nothing hides; 0 for a piece outside the picture.
void render_visible(double *share, const struct scene *s);

#endif
