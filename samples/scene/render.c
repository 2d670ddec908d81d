// SPDX-License-Identifier: MIT
#include "samples/scene/render.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "samples/scene/shade.h"

enum { THREADS = 2, BLUR_REACH = 8, NORMALS = 1 << 16, CODES = 1 << 14 };

struct image image_create(int width, int height)
{
    struct image m = { width, height, calloc((size_t)width * (size_t)height * 3, sizeof(float)) };
    if (m.light)
        return m;
    fprintf(stderr, "no memory for a picture of %d x %d\n", width, height);
    abort();
}

void image_free(struct image *m)
{
    free(m->light);
    m->light = NULL;
}

// The same sensor from tables: a normal number for each 16 bits of chance, a code for each light.
struct quick_sensor {
    float normal[NORMALS];
    uint8_t code[CODES];
};

struct share {
    struct image *to;
    const struct scene *scene;
    struct box where;
    double weight;
    uint64_t seed;
    int first;
};

static struct vec pixel_light(const struct scene *s, int u, int v, uint64_t seed)
{
    struct chance c = { seed + (uint64_t)v * 1000003u + (uint64_t)u * 7919u };
    struct vec sum = { 0, 0, 0 };
    int n = s->sensor.samples;
    for (int i = 0; i < n * n; i++) {
        struct pt_px at = { u - 0.5 + (i % n + chance_unit(&c)) / n, v - 0.5 + (i / n + chance_unit(&c)) / n };
        struct ray r;
        if (trace_pixel(&r, &s->camera, at)) {
            struct vec light = shade_ray(s, &r, &c);
            double most = 4; // a single ray into the lamp's reflection must not outweigh the others
            sum = vec_add(sum, (struct vec){ fmin(light.x, most), fmin(light.y, most), fmin(light.z, most) });
        }
    }
    return vec_scale(sum, 1.0 / (n * n));
}

static void *render_rows(void *given)
{
    const struct share *job = given;
    for (int v = job->where.top + job->first; v < job->where.bottom; v += THREADS)
        for (int u = job->where.left; u < job->where.right; u++) {
            struct vec light = pixel_light(job->scene, u, v, job->seed);
            float *p = job->to->light + 3 * ((size_t)v * (size_t)job->to->width + (size_t)u);
            p[0] += (float)(job->weight * light.x);
            p[1] += (float)(job->weight * light.y);
            p[2] += (float)(job->weight * light.z);
        }
    return NULL;
}

void render_box(struct image *m, const struct scene *s, struct box where, double weight, uint64_t seed)
{
    struct share job[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        job[i] = (struct share){ m, s, where, weight, seed, i };
        if (pthread_create(&thread[i], NULL, render_rows, &job[i]) != 0)
            abort();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

static void blur_line(float *line, int count, size_t stride, const double *weight, int reach, float *copy)
{
    for (int i = 0; i < count; i++)
        copy[i] = line[(size_t)i * stride];
    for (int i = 0; i < count; i++) {
        double sum = weight[0] * copy[i];
        for (int k = 1; k <= reach; k++) {
            int a = i - k < 0 ? 0 : i - k, b = i + k >= count ? count - 1 : i + k;
            sum += weight[k] * (copy[a] + copy[b]);
        }
        line[(size_t)i * stride] = (float)sum;
    }
}

static void blur(struct image *m, double sigma_px, int reach)
{
    double weight[BLUR_REACH + 1], total = 0;
    for (int k = 0; k <= reach; k++) {
        weight[k] = exp(-0.5 * k * k / (sigma_px * sigma_px));
        total += k ? 2 * weight[k] : weight[k];
    }
    for (int k = 0; k <= reach; k++)
        weight[k] /= total;
    float *copy = malloc(sizeof(float) * (size_t)(m->width > m->height ? m->width : m->height));
    if (!copy)
        abort();
    size_t row = 3 * (size_t)m->width;
    for (int channel = 0; channel < 3; channel++) {
        for (int v = 0; v < m->height; v++)
            blur_line(m->light + channel + (size_t)v * row, m->width, 3, weight, reach, copy);
        for (int u = 0; u < m->width; u++)
            blur_line(m->light + channel + 3 * (size_t)u, m->height, row, weight, reach, copy);
    }
    free(copy);
}

static uint8_t encode(double light)
{
    double g = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    g = g < 0 ? 0 : g > 1 ? 1 : g;
    return (uint8_t)(g * 255 + 0.5);
}

// Photon noise grows with the root of the light; some is left in the dark.
static double noisy(double light, double noise, struct chance *c)
{
    return light + noise * sqrt(0.02 + fmax(light, 0) / 0.22) * 0.4 * chance_normal(c);
}

struct quick_sensor *render_quick_create(void)
{
    struct quick_sensor *q = malloc(sizeof *q);
    struct chance c = { 0x51D3 };
    if (!q)
        abort();
    for (int i = 0; i < NORMALS; i++)
        q->normal[i] = (float)(0.4 * chance_normal(&c));
    for (int i = 0; i < CODES; i++)
        q->code[i] = encode((i + 0.5) / CODES);
    return q;
}

void render_expose_quick(uint8_t *rgb, struct image *m, const struct sensor *sensor, const struct quick_sensor *q,
                         uint64_t number)
{
    if (sensor->blur_px > 0.05)
        blur(m, sensor->blur_px, (int)fmin(BLUR_REACH, ceil(4 * sensor->blur_px)));
    struct chance c = { 0x51D3 + number * 7777777u };
    float half2 = 0.25F * ((float)m->width * (float)m->width + (float)m->height * (float)m->height);
    const float gains[3] = { (float)(sensor->exposure * sensor->balance.x),
                             (float)(sensor->exposure * sensor->balance.y),
                             (float)(sensor->exposure * sensor->balance.z) };
    const float noise = (float)sensor->noise, vignette = (float)sensor->vignette;
    for (int v = 0; v < m->height; v++)
        for (int u = 0; u < m->width; u++) {
            float du = (float)u - 0.5F * (float)m->width, dv = (float)v - 0.5F * (float)m->height;
            float falls = 1 - vignette * (du * du + dv * dv) / half2;
            uint64_t dice = (uint64_t)(chance_unit(&c) * 0x1p48);
            size_t i = 3 * ((size_t)v * (size_t)m->width + (size_t)u);
            for (size_t k = 0; k < 3; k++, dice /= NORMALS) {
                float light = falls * gains[k] * m->light[i + k];
                light += noise * sqrtf(0.02F + light / 0.22F) * q->normal[dice % NORMALS];
                rgb[i + k] = q->code[light < 0 ? 0 : light >= 1 ? CODES - 1 : (int)(light * CODES)];
            }
        }
}

void render_expose(uint8_t *rgb, struct image *m, const struct sensor *sensor, uint64_t number)
{
    if (sensor->blur_px > 0.05)
        blur(m, sensor->blur_px, BLUR_REACH);
    struct chance c = { 0x51D3 + number * 7777777u };
    double half2 = 0.25 * ((double)m->width * m->width + (double)m->height * m->height);
    const double balance[3] = { sensor->balance.x, sensor->balance.y, sensor->balance.z };
    for (int v = 0; v < m->height; v++)
        for (int u = 0; u < m->width; u++) {
            double du = u - 0.5 * m->width, dv = v - 0.5 * m->height;
            double gain = sensor->exposure * (1 - sensor->vignette * (du * du + dv * dv) / half2);
            size_t i = 3 * ((size_t)v * (size_t)m->width + (size_t)u);
            for (int k = 0; k < 3; k++)
                rgb[i + (size_t)k] = encode(noisy(gain * balance[k] * m->light[i + (size_t)k], sensor->noise, &c));
        }
}

int render_jpeg(const char *path, const uint8_t *rgb, int width, int height, int quality, struct fail *why)
{
    tjhandle tj = tjInitCompress();
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    int rc = 0;
    if (!tj || tjCompress2(tj, rgb, width, 0, height, TJPF_RGB, &bytes, &size, TJSAMP_420, quality, TJFLAG_ACCURATEDCT))
        rc = rs_fail(why, RS_ELIB, "%s: %s", path, tjGetErrorStr2(tj));
    FILE *f = rc == 0 ? fopen(path, "wb") : NULL;
    if (rc == 0 && (!f || fwrite(bytes, 1, size, f) != size))
        rc = rs_fail(why, RS_EIO, "%s: cannot write it", path);
    if (f && fclose(f) != 0 && rc == 0)
        rc = rs_fail(why, RS_EIO, "%s: cannot write it", path);
    tjFree(bytes);
    if (tj)
        tjDestroy(tj);
    return rc;
}

static double piece_visible(const struct scene *s, int index)
{
    const struct solid *o = &s->solid[index];
    struct pt_px middle;
    if (!camera_project(&middle, &s->camera, (struct pt3_in){ o->at.x, o->at.y, o->at.z + 0.5 * o->height_in }))
        return 0;
    double reach = 1.3 * o->radius_in * camera_scale_px_per_in(&s->camera, (struct pt3_in){ o->at.x, o->at.y, 0 }) + 3;
    const double step_px = reach > 8 ? 0.5 : reach / 16;
    int own = 0, seen = 0;
    for (double v = middle.v - reach; v <= middle.v + reach; v += step_px)
        for (double u = middle.u - reach; u <= middle.u + reach; u += step_px) {
            struct ray r;
            if (!trace_pixel(&r, &s->camera, (struct pt_px){ u, v }) || trace_solid(s, &r, index).part == PART_NOTHING)
                continue;
            struct hit first = trace_first(s, &r, 1e9);
            bool inside = u >= 0 && v >= 0 && u < s->camera.lens.width - 1 && v < s->camera.lens.height - 1;
            own++;
            seen += inside && first.part == PART_SOLID && first.index == index;
        }
    return own ? (double)seen / own : 0;
}

void render_visible(double *share, const struct scene *s)
{
    for (int i = 0; i < s->pieces; i++)
        share[i] = piece_visible(s, i);
}
