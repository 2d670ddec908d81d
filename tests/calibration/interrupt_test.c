// SPDX-License-Identifier: MIT
// A signal arrives in whichever thread it likes and is asked about in all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibration/interrupt.h"
#include "tests/child.h"

// Works until it is asked to end, and then for no longer.
static void *work(void *why)
{
    int rc;
    while (!(rc = interrupt_check(why)))
        sched_yield();
    return rc == RS_EENDED ? why : NULL;
}

// Each in a process of its own, for the note stays.
static int in_child(void (*run)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGTERM, SIG_DFL); // whoever runs the tests may ignore it
        interrupt_listen();
        run();
        child_end(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

// Under ThreadSanitizer this shows what is noted in one way and read in another.
static void ask_a_thread(void)
{
    struct fail why;
    void *told = NULL;
    pthread_t thread;
    if (interrupt_signal() != 0 || pthread_create(&thread, NULL, work, &why) != 0)
        exit(1);
    raise(SIGTERM);
    if (pthread_join(thread, &told) != 0 || told != &why)
        exit(2);
    if (interrupt_signal() != SIGTERM || strcmp(interrupt_name(), "SIGTERM") != 0)
        exit(3);
}

static void ask_twice(void)
{
    raise(SIGTERM);
    raise(SIGTERM);
}

static void a_thread_that_works_is_told(void **state)
{
    (void)state;
    int status = in_child(ask_a_thread);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void the_second_one_ends_at_once(void **state)
{
    (void)state;
    int status = in_child(ask_twice);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_works_is_told),
        cmocka_unit_test(the_second_one_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
