// SPDX-License-Identifier: MIT
#include "referee/announce/voice.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "calibration/clock.h"
#include "calibration/interrupt.h"
#include "referee/announce/speech.h"
#include "referee/announce/voice_queue.h"

// Between two looks whether somebody asked the program to end, while the last words are spoken.
enum { LOOK_EVERY_MS = 20 };

struct voice {
    struct speech *speech;
    struct sound sound;
    struct sound_card *card; // NULL: it goes elsewhere
    struct wav *wav;         // likewise; then film time counts
    pthread_t thread;

    // Of the thread.
    double busy_until_s; // of the film, by what was spoken
    long spoken;         // samples of this utterance
    double told_s;       // the clock, when it was; 0: that is of no interest any more
    double played_s;     // when its first sample was given on
    double ended_s;      // the clock, when the one before was
    struct fail why;     // why it does not go on
    bool silent;         // the card is gone, which was told

    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct voice_queue queue;
    double film_s;
    bool ending, cut; // what waits is the last; nothing more is to be heard
    bool done;        // the thread has nothing more to do
    bool news;        // `notice` was not taken yet
    struct voice_delays delays;
    struct fail notice;
};

static void note_first_sound(struct voice *v)
{
    double heard_s = v->sound.heard_s ? v->sound.heard_s(v->sound.self) : v->played_s;
    if (v->told_s <= 0 || v->spoken == 0 || heard_s <= 0)
        return;
    pthread_mutex_lock(&v->lock);
    latencies_add(&v->delays.first_sound, heard_s - v->told_s);
    pthread_mutex_unlock(&v->lock);
    v->told_s = 0;
}

static bool take_samples(void *self, const int16_t *samples, int count)
{
    struct voice *v = self;
    pthread_mutex_lock(&v->lock);
    bool cut = v->cut;
    pthread_mutex_unlock(&v->lock);
    v->played_s = v->spoken > 0 ? v->played_s : clock_s();
    if (cut || v->sound.play(v->sound.self, samples, count, &v->why) < 0)
        return false;
    v->spoken += count;
    note_first_sound(v);
    return true;
}

static void tell_card(struct voice *v, const char *format, const char *words)
{
    pthread_mutex_lock(&v->lock);
    rs_fail(&v->notice, 0, format, words);
    v->news = true;
    pthread_mutex_unlock(&v->lock);
}

// Empty text says nothing, and shows whether anything could be heard.
static void speak(struct voice *v, const char *text, double at_s)
{
    int rate_hz = speech_rate_hz(v->speech);
    v->spoken = 0;
    v->why = (struct fail){ .code = 0 };
    int rc = v->sound.begin(v->sound.self, at_s, rate_hz, &v->why);
    if (rc == 0) {
        rc = text[0] ? speech_say(v->speech, text, take_samples, v, &v->why) : 0;
        pthread_mutex_lock(&v->lock);
        bool cut = v->cut;
        pthread_mutex_unlock(&v->lock);
        struct fail late;
        if (v->sound.end(v->sound.self, cut, &late) < 0 && rc == 0 && v->why.code == 0)
            v->why = late;
        note_first_sound(v);
    }
    v->ended_s = v->spoken > 0 ? clock_s() : v->ended_s;
    v->busy_until_s = at_s + (double)v->spoken / rate_hz;
    bool failed = rc < 0 || v->why.code < 0;
    if (failed && !v->silent)
        tell_card(v, "%.300s: the calls are not spoken", v->why.text);
    else if (!failed && v->silent)
        tell_card(v, "the calls are spoken again%s", "");
    v->silent = failed;
}

static void *run(void *self)
{
    struct voice *v = self;
    char text[UTTERANCE_MAX] = "";
    if (v->card) // that there is none is told before the first call
        speak(v, text, 0);
    pthread_mutex_lock(&v->lock);
    for (;;) {
        double first_s = voice_queue_first_s(&v->queue), at_s = fmax(first_s, v->busy_until_s);
        bool lost = v->wav && v->silent; // a file with a hole is none
        bool ready = isfinite(first_s) && !v->cut && !lost && (!v->wav || v->film_s > at_s || v->ending);
        v->told_s = ready ? v->queue.waiting[0].told_s : 0;
        if (ready && voice_queue_take(text, &v->queue, v->wav ? at_s : INFINITY)) {
            bool waited = v->told_s < v->ended_s || (v->wav && at_s > first_s);
            v->delays.waited += waited;
            v->told_s = waited ? 0 : v->told_s;
            pthread_mutex_unlock(&v->lock);
            speak(v, text, at_s);
            pthread_mutex_lock(&v->lock);
        } else if (!ready && v->ending) {
            break;
        } else if (!ready) {
            pthread_cond_wait(&v->changed, &v->lock);
        }
    }
    v->done = true;
    pthread_mutex_unlock(&v->lock);
    return NULL;
}

static int plug(struct voice *v, const struct voice_wish *wish, struct fail *why)
{
    int rc = 0;
    if (wish->sound) {
        v->sound = *wish->sound;
    } else if (wish->wav) {
        rc = wav_create(&v->wav, wish->wav, why);
        v->sound = wav_sound(v->wav);
    } else {
        rc = sound_card_create(&v->card, why);
        v->sound = sound_card_sound(v->card);
    }
    return rc;
}

static void give_back(struct voice *v)
{
    pthread_mutex_destroy(&v->lock);
    pthread_cond_destroy(&v->changed);
    speech_free(v->speech);
    sound_card_free(v->card);
    free(v);
}

int voice_create(struct voice **out, const struct voice_wish *wish, struct fail *why)
{
    struct voice *v = calloc(1, sizeof *v);
    if (!v)
        return rs_fail(why, RS_ENOMEM, "no memory for a voice");
    pthread_mutex_init(&v->lock, NULL);
    pthread_cond_init(&v->changed, NULL);
    int rc = speech_create(&v->speech, wish->name, wish->words_per_minute, why);
    if (rc == 0)
        rc = plug(v, wish, why);
    if (rc == 0 && pthread_create(&v->thread, NULL, run, v) != 0)
        rc = rs_fail(why, RS_ELIB, "no voice: the system starts no thread for it");
    if (rc < 0) {
        wav_drop(v->wav);
        give_back(v);
        return rc;
    }
    *out = v;
    return 0;
}

void voice_say(struct voice *v, const struct utterance *u)
{
    struct utterance now = *u;
    now.told_s = clock_s();
    pthread_mutex_lock(&v->lock);
    now.t_s = v->film_s;
    voice_queue_add(&v->queue, &now);
    pthread_cond_broadcast(&v->changed);
    pthread_mutex_unlock(&v->lock);
}

void voice_advance(struct voice *v, double film_s)
{
    if (!v)
        return;
    pthread_mutex_lock(&v->lock);
    v->film_s = fmax(v->film_s, film_s);
    if (v->wav && v->queue.count > 0)
        pthread_cond_broadcast(&v->changed);
    pthread_mutex_unlock(&v->lock);
}

bool voice_news(struct voice *v, struct fail *out)
{
    if (!v)
        return false;
    pthread_mutex_lock(&v->lock);
    bool news = v->news;
    if (news)
        *out = v->notice;
    v->news = false;
    pthread_mutex_unlock(&v->lock);
    return news;
}

void voice_delays(struct voice_delays *out, struct voice *v)
{
    if (!v) {
        *out = (struct voice_delays){ .waited = 0 };
        return;
    }
    pthread_mutex_lock(&v->lock);
    *out = v->delays;
    pthread_mutex_unlock(&v->lock);
}

// The thread comes to its end, at the latest when its patience does.
static void end_thread(struct voice *v, double patience_s)
{
    double until_s = clock_s() + patience_s;
    pthread_mutex_lock(&v->lock);
    v->ending = true;
    pthread_cond_broadcast(&v->changed);
    while (!v->done && !v->cut) {
        pthread_mutex_unlock(&v->lock);
        bool waits = clock_s() < until_s && !(interrupt_signal() && !v->wav);
        if (waits)
            nanosleep(&(struct timespec){ 0, LOOK_EVERY_MS * 1000000L }, NULL);
        pthread_mutex_lock(&v->lock);
        v->cut |= !waits;
    }
    pthread_mutex_unlock(&v->lock);
    pthread_join(v->thread, NULL);
}

int voice_finish(struct voice *v, double patience_s, struct fail *why)
{
    int rc = 0;
    end_thread(v, v->wav ? INFINITY : patience_s);
    if (v->wav && v->silent) {
        rc = rs_fail(why, RS_EIO, "%s", v->why.text);
        wav_drop(v->wav);
    } else if (v->wav) {
        rc = wav_finish(v->wav, v->film_s, speech_rate_hz(v->speech), why);
    }
    give_back(v);
    return rc;
}

void voice_free(struct voice *v)
{
    if (!v)
        return;
    end_thread(v, 0);
    wav_drop(v->wav);
    give_back(v);
}
