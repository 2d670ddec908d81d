// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "referee/announce/voice.h"
#include "tests/vision/scratch.h"

// A voice that writes down what it is told instead of saying it.
static void put_voice(const struct scratch *s)
{
    char script[300];
    int n = snprintf(script, sizeof script, "#!/bin/sh\nexec /bin/cat > %s/spoken\n", s->folder);
    scratch_write(scratch_path(s, "espeak-ng"), script, (size_t)n);
    assert_int_equal(chmod(scratch_path(s, "espeak-ng"), 0755), 0);
}

// Waits for so many bytes: a hundredth of a second, on a busy machine up to a minute.
static void spoken(char text[200], const struct scratch *s, size_t wanted)
{
    size_t n = 0;
    for (int i = 0; i < 6000 && n < wanted; i++) {
        nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
        FILE *f = fopen(scratch_path(s, "spoken"), "r");
        n = f ? fread(text, 1, 199, f) : 0;
        if (f)
            fclose(f);
    }
    text[n] = '\0';
}

static void calls_are_spoken_without_what_is_for_the_eye(void **state)
{
    const struct scratch *s = *state;
    static struct ruling ruling;
    struct fail why = { .text = "" };
    struct voice *v = NULL;
    char text[200];
    const char *wanted = "black  15  .\nred; rm -rf `x` $y.\n";
    put_voice(s);
    setenv("PATH", s->folder, 1);
    assert_int_equal(voice_create(&v, &why), 0);
    struct announcer a = voice_announcer(v);
    call_add(&ruling.calls, "N1", "zone", "black  15  (0.13 in inside the line)");
    call_add(&ruling.calls, "N1", "zone", "red; rm -rf `x` $y");
    assert_int_equal(a.say(a.self, NULL, &ruling, &why), 0);
    spoken(text, s, strlen(wanted));
    assert_string_equal(text, wanted);
    voice_free(v);
}

// As in a program that waits for signals itself; a child that inherited this could not be ended.
static void a_voice_ends_though_signals_are_held_back(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct voice *v = NULL;
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before);
    scratch_write(scratch_path(s, "espeak-ng"), "#!/bin/sh\nexec /bin/sleep 60\n", 29);
    setenv("PATH", s->folder, 1);
    assert_int_equal(voice_create(&v, &why), 0);
    time_t begun = time(NULL);
    voice_free(v);
    assert_true(time(NULL) - begun < 30);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void a_machine_without_a_voice_is_told(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct voice *v = NULL;
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(voice_create(&v, &why), RS_EIO);
    assert_non_null(strstr(why.text, "espeak-ng"));
    voice_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_spoken_without_what_is_for_the_eye),
        cmocka_unit_test(a_voice_ends_though_signals_are_held_back),
        cmocka_unit_test(a_machine_without_a_voice_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
