// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "referee/announce/sound.h"

enum { HEADER_BYTES = 44, SAMPLE_BYTES = 2, BLOCK_SAMPLES = 4096 };

// RIFF counts its bytes in 32 bits: a day and more of speech.
static const long SAMPLES_MAX = (0x7fffffffL - HEADER_BYTES) / SAMPLE_BYTES;

struct wav {
    struct atomic_file file;
    int rate_hz; // 0: nothing was written yet
    long samples;
};

static void put(uint8_t *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

// The header as it is true now.
static int write_header(struct wav *w, struct fail *why)
{
    uint8_t header[HEADER_BYTES] = "RIFF\0\0\0\0WAVEfmt ";
    const uint32_t bytes = (uint32_t)(w->samples * SAMPLE_BYTES);
    put(header + 4, HEADER_BYTES - 8 + bytes, 4);
    put(header + 16, 16, 4); // bytes of the format: PCM, one channel
    put(header + 20, 1, 2);
    put(header + 22, 1, 2);
    put(header + 24, (uint32_t)w->rate_hz, 4);
    put(header + 28, (uint32_t)(w->rate_hz * SAMPLE_BYTES), 4);
    put(header + 32, SAMPLE_BYTES, 2);
    put(header + 34, 8 * SAMPLE_BYTES, 2);
    memcpy(header + 36, "data", 4);
    put(header + 40, bytes, 4);
    if (pwrite(w->file.fd, header, sizeof header, 0) != (ssize_t)sizeof header)
        return rs_fail(why, RS_EIO, "%.200s: %s", w->file.path, strerror(errno));
    return 0;
}

static int write_samples(struct wav *w, const int16_t *samples, long count, struct fail *why)
{
    uint8_t bytes[BLOCK_SAMPLES * SAMPLE_BYTES];
    int rc = 0;
    if (count > SAMPLES_MAX - w->samples)
        return rs_fail(why, RS_EIO, "%.200s: a WAV file cannot be longer", w->file.path);
    for (long at = 0; at < count && rc == 0;) {
        int n = count - at < BLOCK_SAMPLES ? (int)(count - at) : BLOCK_SAMPLES;
        for (int i = 0; i < n; i++)
            put(bytes + i * SAMPLE_BYTES, samples ? (uint16_t)samples[at + i] : 0, SAMPLE_BYTES);
        rc = atomic_file_write(&w->file, bytes, (size_t)n * SAMPLE_BYTES, why);
        at += n;
    }
    w->samples += rc == 0 ? count : 0;
    return rc;
}

// Silence up to that time.
static int begin(void *self, double at_s, int rate_hz, struct fail *why)
{
    struct wav *w = self;
    uint8_t nothing[HEADER_BYTES] = { 0 };
    int rc = 0;
    if (w->rate_hz == 0) {
        w->rate_hz = rate_hz;
        rc = atomic_file_write(&w->file, nothing, sizeof nothing, why);
    }
    double silence = at_s * w->rate_hz - (double)w->samples;
    return rc == 0 && silence >= 1 ? write_samples(w, NULL, (long)fmin(silence, (double)SAMPLES_MAX), why) : rc;
}

static int play(void *self, const int16_t *samples, int count, struct fail *why)
{
    return write_samples(self, samples, count, why);
}

static int end(void *self, bool cut, struct fail *why)
{
    (void)cut;
    return write_header(self, why);
}

int wav_create(struct wav **out, const char *path, struct fail *why)
{
    struct wav *w = calloc(1, sizeof *w);
    int rc = w ? atomic_file_begin(&w->file, path, why) : rs_fail(why, RS_ENOMEM, "no memory for a sound file");
    if (rc < 0)
        free(w);
    else
        *out = w;
    return rc;
}

int wav_finish(struct wav *w, double until_s, int rate_hz, struct fail *why)
{
    int rc = begin(w, until_s, rate_hz, why);
    if (rc == 0)
        rc = write_header(w, why);
    if (rc == 0)
        rc = atomic_file_finish(&w->file, why);
    wav_drop(w);
    return rc;
}

void wav_drop(struct wav *w)
{
    if (w)
        atomic_file_drop(&w->file);
    free(w);
}

struct sound wav_sound(struct wav *w)
{
    return (struct sound){ begin, play, end, NULL, w };
}
