// SPDX-License-Identifier: MIT
// The voice: what waits is told newest first, one speaks at a time, files are whole or not there.
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "calibration/clock.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/speech.h"
#include "referee/announce/voice.h"
#include "referee/announce/voice_queue.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

// Longer than any machine takes, where something is waited for that must come.
static const double PATIENCE_S = 60;

static struct utterance told(double t_s, int shot, const char *what, const char *stands)
{
    struct utterance u = { .t_s = t_s, .shot = shot };
    snprintf(u.what, sizeof u.what, "%s", what);
    snprintf(u.stands, sizeof u.stands, "%s", stands);
    return u;
}

static void add(struct voice_queue *q, struct utterance u)
{
    voice_queue_add(q, &u);
}

static void what_waits_is_told_as_one_with_the_newest_score(void **state)
{
    (void)state;
    static struct voice_queue q;
    char text[UTTERANCE_MAX];
    assert_false(voice_queue_take(text, &q, INFINITY));
    assert_true(isinf(voice_queue_first_s(&q)));
    add(&q, told(1, 1, "Fifteen.", "Home, fifteen."));
    assert_true(voice_queue_take(text, &q, 1));
    assert_string_equal(text, "Fifteen. Home, fifteen.");
    add(&q, told(2, 2, "Ten.", "Home leads fifteen to ten."));
    add(&q, told(3, 3, "Twenty.", "Home leads thirty-five to ten."));
    add(&q, told(4, 4, "Five.", ""));
    assert_true(voice_queue_take(text, &q, 3.5)); // the fourth has not happened
    assert_string_equal(text, "Ten. Twenty. Home leads thirty-five to ten.");
    assert_int_equal(q.count, 1);
    assert_false(voice_queue_take(text, &q, 3.5));
    add(&q, told(5, 5, "Fifteen.", "Away leads."));
    add(&q, told(6, 6, "Ditch.", ""));
    assert_true(voice_queue_take(text, &q, INFINITY));
    assert_string_equal(text, "Fifteen. Ditch. Away leads."); // of three the last two
}

static void what_was_corrected_is_not_told_and_a_question_is(void **state)
{
    (void)state;
    static struct voice_queue q;
    struct utterance correction = told(4, 2, "Correction. Ten.", "Ten all."), question = told(1, 1, "Was it hit?", "");
    char text[UTTERANCE_MAX];
    correction.corrects = question.asks = true;
    add(&q, question);
    add(&q, told(2, 2, "Fifteen.", "Home leads fifteen to ten."));
    add(&q, told(3, 3, "Five.", ""));
    add(&q, correction);
    assert_true(voice_queue_take(text, &q, INFINITY));
    assert_string_equal(text, "Was it hit? Five. Correction. Ten. Ten all.");
    for (int i = 0; i < 2 * VOICE_QUEUE_MAX; i++)
        add(&q, told(i, i, "Five.", "So it stands."));
    assert_int_equal(q.count, VOICE_QUEUE_MAX);
    assert_true(voice_queue_take(text, &q, INFINITY));
    assert_string_equal(text, "Five. Five. So it stands.");
}

// A loudspeaker that takes its time: it goes on when the test lets it.
struct slow {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int begun, ended; // utterances
    int let;          // that may end
    bool overlaps, breaks;
    long samples[16];
    double first_s; // the clock, of the first samples
};

static int slow_begin(void *self, double at_s, int rate_hz, struct fail *why)
{
    struct slow *s = self;
    (void)at_s, (void)rate_hz;
    pthread_mutex_lock(&s->lock);
    bool breaks = s->breaks;
    s->overlaps |= s->begun != s->ended;
    s->begun += !breaks;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return breaks ? rs_fail(why, RS_EIO, "the plug is out") : 0;
}

static int slow_play(void *self, const int16_t *samples, int count, struct fail *why)
{
    struct slow *s = self;
    (void)samples, (void)why;
    pthread_mutex_lock(&s->lock);
    s->first_s = s->first_s > 0 ? s->first_s : clock_s();
    if (s->begun <= (int)countof(s->samples))
        s->samples[s->begun - 1] += count;
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static int slow_end(void *self, bool cut, struct fail *why)
{
    struct slow *s = self;
    (void)why;
    pthread_mutex_lock(&s->lock);
    while (!cut && s->let <= s->ended)
        pthread_cond_wait(&s->changed, &s->lock);
    s->ended++;
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static struct voice *slow_voice(struct slow *s)
{
    const struct sound sound = { slow_begin, slow_play, slow_end, NULL, s };
    const struct voice_wish wish = { .name = "en", .words_per_minute = SPEECH_RATE_USUAL, .sound = &sound };
    struct fail why = { .text = "" };
    struct voice *v = NULL;
    *s = (struct slow){ .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
    if (voice_create(&v, &wish, &why) < 0)
        fail_msg("%s", why.text);
    return v;
}

static void let(struct slow *s, int utterances)
{
    pthread_mutex_lock(&s->lock);
    s->let = utterances;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void wait_for_begun(struct slow *s, int utterances)
{
    pthread_mutex_lock(&s->lock);
    while (s->begun < utterances)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

static long first_sounds(struct voice *v, struct voice_delays *d)
{
    voice_delays(d, v);
    return d->first_sound.count;
}

static void say(struct voice *v, int shot, const char *what)
{
    struct utterance u = told(0, shot, what, "");
    voice_say(v, &u);
}

static void one_is_spoken_to_its_end_then_what_came_meanwhile(void **state)
{
    (void)state;
    static struct slow s;
    struct voice *v = slow_voice(&s);
    struct fail why;
    double said_s = clock_s();
    static struct voice_delays d;
    say(v, 1, "Fifteen.");
    wait_for_begun(&s, 1);
    while (first_sounds(v, &d) == 0 && clock_s() < said_s + PATIENCE_S)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    for (int i = 0; i < 20; i++)
        say(v, 2 + i, "Ten. That is a sentence of some length, so that it would be heard.");
    assert_int_equal(s.begun, 1); // nobody waited for it, and nothing else was begun
    let(&s, 1);
    wait_for_begun(&s, 2);
    let(&s, 2);
    while (d.waited == 0 && clock_s() < said_s + 2 * PATIENCE_S)
        first_sounds(v, &d);
    assert_int_equal(d.first_sound.count, 1); // the twenty had to wait, which is no fault of the voice's
    assert_int_equal(d.waited, 1);
    assert_int_equal(voice_finish(v, PATIENCE_S, &why), 0);
    assert_int_equal(s.begun, 2); // twenty as one
    assert_int_equal(s.ended, 2);
    assert_false(s.overlaps);
    assert_true(s.samples[0] > 1000);
    assert_true(s.samples[1] > 4 * s.samples[0]);
    assert_true(s.samples[1] < 60 * s.samples[0]);
    double first_s = s.first_s - said_s;
    assert_true(d.first_sound.worst_s > 0 && d.first_sound.worst_s <= first_s); // it was told no sooner
    voice_delays(&d, NULL);
    assert_int_equal(d.first_sound.count + d.waited, 0);
    print_message("from the call to the first samples: %.1f ms\n", 1e3 * first_s);
}

static void a_voice_is_cut_off_at_once(void **state)
{
    (void)state;
    static struct slow s;
    struct voice *v = slow_voice(&s);
    struct fail why, news;
    assert_false(voice_news(v, &news));
    s.let = 100;
    say(v, 1, "Fifteen.");
    wait_for_begun(&s, 1);
    voice_free(v);
    assert_int_equal(s.begun, 1);
    voice_free(NULL);
    v = slow_voice(&s); // the library's one voice is free again
    struct voice *second = NULL;
    assert_int_equal(voice_create(&second, &(struct voice_wish){ .name = "en", .words_per_minute = 165 }, &why),
                     RS_EINTERNAL);
    assert_int_equal(voice_finish(v, 0, &why), 0);
}

static void wait_for_news(struct voice *v, const char *words)
{
    struct fail news = { .text = "" };
    double until_s = clock_s() + PATIENCE_S;
    while (!voice_news(v, &news) && clock_s() < until_s)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    if (!strstr(news.text, words))
        fail_msg("%s: %s", words, news.text);
}

static void a_loudspeaker_that_goes_away_is_told_once(void **state)
{
    (void)state;
    static struct slow s;
    struct voice *v = slow_voice(&s);
    struct fail news;
    let(&s, 100);
    s.breaks = true;
    say(v, 1, "Fifteen.");
    wait_for_news(v, "the plug is out: the calls are not spoken");
    say(v, 2, "Ten.");
    for (int i = 0; i < 50; i++)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    assert_false(voice_news(v, &news));
    pthread_mutex_lock(&s.lock);
    s.breaks = false;
    pthread_mutex_unlock(&s.lock);
    say(v, 3, "Five.");
    wait_for_news(v, "spoken again");
    voice_free(v);
}

// ALSA's own configuration, with a card that writes down what it plays; or none.
static void put_card(const struct scratch *s, bool there)
{
    char text[600];
    int n = snprintf(text, sizeof text,
                     there ? "pcm.!default { type file slave.pcm { type null } file \"%s/heard\" format raw }\n"
                           : "pcm.!default { type hw card \"%s\" }\n",
                     s->folder);
    scratch_write(scratch_path(s, "asound.conf"), text, (size_t)n);
    setenv("ALSA_CONFIG_PATH", scratch_path(s, "asound.conf"), 1);
}

static const struct voice_wish card = { .name = "en", .words_per_minute = SPEECH_RATE_USUAL };

static void the_sound_card_plays_it(void **state)
{
    const struct scratch *s = *state;
    struct voice *v = NULL;
    struct fail why = { .text = "" }, news = { .text = "" };
    struct stat st = { .st_size = 0 };
    put_card(s, true);
    assert_int_equal(voice_create(&v, &card, &why), 0);
    static struct voice_delays d;
    const double told_s = clock_s();
    say(v, 1, "Fifteen. Home leads thirty to twenty.");
    while (first_sounds(v, &d) == 0 && clock_s() < told_s + PATIENCE_S)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    const double until_s = clock_s();
    assert_int_equal(voice_finish(v, PATIENCE_S, &why), 0);
    assert_int_equal(d.waited, 0);
    assert_int_equal(d.first_sound.count, 1);
    assert_true(d.first_sound.worst_s > 0 && d.first_sound.worst_s <= until_s - told_s + 0.2); // what the card holds
    print_message("from the call to the first sound: %.1f ms\n", 1e3 * d.first_sound.worst_s);
    assert_int_equal(stat(scratch_path(s, "heard"), &st), 0);
    if (st.st_size < 60000) // more than a second of it
        fail_msg("%ld bytes were heard; %s", (long)st.st_size, news.text);
}

static void a_machine_without_a_sound_card_goes_on(void **state)
{
    const struct scratch *s = *state;
    struct voice *v = NULL;
    struct fail why = { .text = "" }, news;
    put_card(s, false);
    assert_int_equal(voice_create(&v, &card, &why), 0);
    wait_for_news(v, "no sound card"); // before anything is to be said
    say(v, 1, "Fifteen.");
    say(v, 2, "Ten.");
    assert_int_equal(voice_finish(v, PATIENCE_S, &why), 0);
    assert_false(voice_news(NULL, &news));
}

static uint32_t number(const uint8_t *at, int bytes)
{
    uint32_t n = 0;
    for (int i = 0; i < bytes; i++)
        n |= (uint32_t)at[i] << 8 * i;
    return n;
}

// The WAV's length in seconds, and how much of what lies between the two times is no silence.
static double read_wav(const char *path, double from_s, double to_s, long *loud)
{
    uint8_t *b = NULL;
    size_t size = 0;
    struct fail why = { .text = "" };
    if (whole_file_read(&b, &size, path, 1 << 26, &why) < 0)
        fail_msg("%s", why.text);
    assert_true(size >= 44);
    assert_memory_equal(b, "RIFF", 4);
    assert_memory_equal(b + 8, "WAVEfmt ", 8);
    assert_memory_equal(b + 36, "data", 4);
    assert_int_equal(number(b + 4, 4), size - 8);
    assert_int_equal(number(b + 16, 4), 16);
    assert_int_equal(number(b + 20, 2), 1);
    assert_int_equal(number(b + 22, 2), 1);
    assert_int_equal(number(b + 34, 2), 16);
    assert_int_equal(number(b + 40, 4), size - 44);
    double rate = number(b + 24, 4);
    assert_int_equal(number(b + 28, 4), 2 * number(b + 24, 4));
    *loud = 0;
    for (size_t i = 44 + 2 * (size_t)(from_s * rate); i + 1 < size && (double)(i - 44) < 2 * to_s * rate; i += 2)
        *loud += abs((int16_t)number(b + i, 2)) > 300;
    free(b);
    return (double)(size - 44) / 2 / rate;
}

// Three utterances, of which the second and third come while the first is spoken.
static void film(const char *path, struct fail *why)
{
    const struct voice_wish wish = { .name = "de", .words_per_minute = SPEECH_RATE_USUAL, .wav = path };
    struct voice *v = NULL;
    if (voice_create(&v, &wish, why) < 0)
        fail_msg("%s", why->text);
    voice_advance(v, 2);
    say(v, 1, "Fünfzehn. Home führt dreißig zu zwanzig.");
    voice_advance(v, 2.5);
    say(v, 2, "Zehn.");
    voice_advance(v, 2.8);
    say(v, 3, "Fünf.");
    for (double t_s = 2.8; t_s < 20; t_s += 0.04)
        voice_advance(v, t_s);
    voice_advance(v, 20);
    if (voice_finish(v, 0, why) < 0)
        fail_msg("%s", why->text);
}

static void a_film_is_spoken_over_at_its_times(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    long loud;
    film(scratch_path(s, "film.wav"), &why);
    assert_true(fabs(read_wav(scratch_path(s, "film.wav"), 0, 1.99, &loud) - 20) < 0.001);
    assert_int_equal(loud, 0);
    read_wav(scratch_path(s, "film.wav"), 2, 4, &loud);
    assert_true(loud > 2000);
    read_wav(scratch_path(s, "film.wav"), 4.5, 8, &loud);
    assert_true(loud > 1000);
    read_wav(scratch_path(s, "film.wav"), 9, 20, &loud);
    assert_int_equal(loud, 0);
}

// The first of all tests: a child of a program with threads would have none of them.
static void whoever_is_killed_leaves_no_file_of_that_name(void **state)
{
    const struct scratch *s = *state;
    const char *path = scratch_path(s, "killed.wav");
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct fail why;
        struct voice *v = NULL;
        const struct voice_wish wish = { .name = "en", .words_per_minute = SPEECH_RATE_USUAL, .wav = path };
        voice_create(&v, &wish, &why);
        say(v, 1, "Fifteen.");
        voice_advance(v, 30);
        nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(scratch_count(s), 1); // a .part, which the next one clears
}

static void a_file_is_there_when_it_is_whole(void **state)
{
    const struct scratch *s = *state;
    const struct voice_wish wish = { .name = "en",
                                     .words_per_minute = SPEECH_RATE_USUAL,
                                     .wav = scratch_path(s, "given_up.wav") };
    struct fail why = { .text = "" };
    struct voice *v = NULL;
    int before = scratch_count(s);
    assert_int_equal(voice_create(&v, &wish, &why), 0);
    assert_int_equal(scratch_count(s), before + 1);
    assert_int_equal(access(wish.wav, F_OK), -1);
    say(v, 1, "Fifteen.");
    voice_free(v);
    assert_int_equal(scratch_count(s), before);
    assert_int_equal(
        voice_create(&v, &(struct voice_wish){ .name = "en", .words_per_minute = 165, .wav = "/no/x.wav" }, &why),
        RS_EIO);
    assert_non_null(strstr(why.text, "/no/x.wav"));
}

static void a_voice_that_is_missing_is_told(void **state)
{
    (void)state;
    struct voice *v = NULL;
    struct fail why = { .text = "" };
    assert_int_equal(voice_create(&v, &(struct voice_wish){ .name = "no-such", .words_per_minute = 165 }, &why),
                     RS_EINPUT);
    assert_non_null(strstr(why.text, "no voice is called no-such: espeak-ng --voices lists them"));
    voice_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_is_killed_leaves_no_file_of_that_name),
        cmocka_unit_test(what_waits_is_told_as_one_with_the_newest_score),
        cmocka_unit_test(what_was_corrected_is_not_told_and_a_question_is),
        cmocka_unit_test(one_is_spoken_to_its_end_then_what_came_meanwhile),
        cmocka_unit_test(a_voice_is_cut_off_at_once),
        cmocka_unit_test(a_loudspeaker_that_goes_away_is_told_once),
        cmocka_unit_test(the_sound_card_plays_it),
        cmocka_unit_test(a_machine_without_a_sound_card_goes_on),
        cmocka_unit_test(a_film_is_spoken_over_at_its_times),
        cmocka_unit_test(a_file_is_there_when_it_is_whole),
        cmocka_unit_test(a_voice_that_is_missing_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
