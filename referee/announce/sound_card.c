// SPDX-License-Identifier: MIT
#include <alsa/asoundlib.h>
#include <math.h>
#include <stdlib.h>

#include "calibration/clock.h"
#include "referee/announce/sound.h"

// How much sound the card holds: enough for a busy machine, little of the half second in which a call is to be heard.
enum { CARD_HOLDS_US = 200000 };

// A card that takes nothing for so long is as good as none; how often a card that is asked what is left is asked.
enum { CARD_STUCK_MS = 2000, LOOK_EVERY_MS = 10 };

struct sound_card {
    snd_pcm_t *pcm; // NULL: not open
    int rate_hz;
    long played; // samples of this utterance
    double played_s,
        heard_s; // the clock: when the first of them was given to the card, and when it was heard; 0: not yet
};

// What it has to say goes into *why.
static void say_nothing(const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static int lost(struct sound_card *c, const char *doing, int error, struct fail *why)
{
    if (c->pcm)
        snd_pcm_close(c->pcm);
    c->pcm = NULL;
    return rs_fail(why, RS_EIO, "no sound card %s: %s", doing, snd_strerror(error));
}

static int begin(void *self, double at_s, int rate_hz, struct fail *why)
{
    struct sound_card *c = self;
    (void)at_s;
    int rc = snd_pcm_open(&c->pcm, "default", SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (rc < 0) {
        c->pcm = NULL;
        return lost(c, "can be opened", rc, why);
    }
    c->rate_hz = rate_hz;
    c->played = 0;
    c->played_s = c->heard_s = 0;
    rc = snd_pcm_set_params(c->pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, (unsigned)rate_hz, 1,
                            CARD_HOLDS_US);
    return rc < 0 ? lost(c, "can play speech", rc, why) : 0;
}

// The card begins when it holds enough, and tells how far behind the last sample that it was given is what is heard.
static void find_heard(struct sound_card *c)
{
    snd_pcm_sframes_t left = 0;
    if (c->heard_s <= 0 && snd_pcm_state(c->pcm) == SND_PCM_STATE_RUNNING && snd_pcm_delay(c->pcm, &left) == 0)
        c->heard_s = fmax(clock_s() - (double)(c->played - left) / c->rate_hz, c->played_s);
}

static int play(void *self, const int16_t *samples, int count, struct fail *why)
{
    struct sound_card *c = self;
    c->played_s = c->played > 0 ? c->played_s : clock_s();
    while (count > 0) {
        snd_pcm_sframes_t n = snd_pcm_writei(c->pcm, samples, (snd_pcm_uframes_t)count);
        if (n == -EAGAIN) {
            if (snd_pcm_state(c->pcm) == SND_PCM_STATE_PREPARED)
                snd_pcm_start(c->pcm);
            int ready = snd_pcm_wait(c->pcm, CARD_STUCK_MS);
            n = ready == 0 ? -ETIMEDOUT : ready < 0 ? ready : 0;
        }
        if (n < 0) // it ran empty, or the machine slept
            n = snd_pcm_recover(c->pcm, (int)n, 1);
        if (n < 0)
            return lost(c, "plays any more", (int)n, why);
        samples += n;
        count -= (int)n;
        c->played += n;
    }
    find_heard(c);
    return 0;
}

// What the card still holds is heard, which takes no longer than it can hold.
static int end(void *self, bool cut, struct fail *why)
{
    struct sound_card *c = self;
    snd_pcm_sframes_t left = 0;
    (void)why;
    if (!c->pcm)
        return 0;
    if (!cut && snd_pcm_state(c->pcm) == SND_PCM_STATE_PREPARED)
        snd_pcm_start(c->pcm);
    find_heard(c);
    double until_s = clock_s() + CARD_STUCK_MS / 1e3;
    while (!cut && clock_s() < until_s && snd_pcm_state(c->pcm) == SND_PCM_STATE_RUNNING &&
           snd_pcm_delay(c->pcm, &left) == 0 && left > 0)
        nanosleep(&(struct timespec){ 0, LOOK_EVERY_MS * 1000000L }, NULL);
    snd_pcm_drop(c->pcm);
    snd_pcm_close(c->pcm);
    c->pcm = NULL;
    return 0;
}

static double heard_s(void *self)
{
    const struct sound_card *c = self;
    return c->heard_s;
}

int sound_card_create(struct sound_card **out, struct fail *why)
{
    *out = calloc(1, sizeof **out);
    snd_lib_error_set_handler(say_nothing);
    return *out ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the sound");
}

void sound_card_free(struct sound_card *c)
{
    if (c && c->pcm)
        snd_pcm_close(c->pcm);
    if (c)
        snd_config_update_free_global();
    free(c);
}

struct sound sound_card_sound(struct sound_card *c)
{
    return (struct sound){ begin, play, end, heard_s, c };
}
