// SPDX-License-Identifier: MIT
#include <string.h>

#include "calibration/units.h"
#include "referee/commands/playback.h"
#include "referee/commands/verbs.h"
#include "tests/cmocka.h"

// Frames of nothing, a second apart, and who saw which of them.
struct carpet {
    struct source base;
    int frames, failing_at; // frames to give; the one that cannot be read, -1: none
    int given, seen[2];
    int refusing; // which consumer refuses its second frame; -1: none
};

static int next_frame(struct frame **out, struct source *from, struct fail *why)
{
    struct carpet *c = (struct carpet *)from;
    if (c->given == c->failing_at)
        return rs_fail(why, RS_EIO, "frame %d cannot be read", c->given);
    if (c->given == c->frames)
        return 0;
    assert_int_equal(frame_create(out, 160, 120, why), 0);
    (*out)->t_s = c->given++;
    return 1;
}

static int take(struct carpet *c, int who, const struct frame *f, struct fail *why)
{
    assert_true(f->t_s >= c->seen[who] - 0.5 && f->t_s <= c->seen[who] + 0.5);
    assert_int_equal(c->seen[0] + (who == 0), c->seen[1] + 1); // the first consumer comes first
    c->seen[who]++;
    return who == c->refusing && c->seen[who] == 2 ? rs_fail(why, RS_EIO, "disk full") : 0;
}

static int take_first(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    (void)p;
    return take(self, 0, f, why);
}

static int take_second(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    assert_false(p->begun);
    return take(self, 1, f, why);
}

static const struct {
    const char *what;
    int frames, failing_at, refusing;
    int rc, seen[2];
    const char *says;
} cases[] = {
    { "each consumer sees each frame, in order", 3, -1, -1, ENDED_WITHOUT_BOARD, { 3, 3 }, "no board found" },
    { "nothing to play", 0, -1, -1, ENDED_WITHOUT_BOARD, { 0, 0 }, "no board found" },
    { "a frame that cannot be read ends it", 3, 1, -1, RS_EIO, { 1, 1 }, "frame 1 cannot be read" },
    { "a consumer's failure ends it, before the next one sees the frame", 3, -1, 0, RS_EIO, { 2, 1 }, "disk full" },
    { "the last consumer's failure ends it", 3, -1, 1, RS_EIO, { 2, 2 }, "disk full" },
};

static void frames_go_to_every_consumer_until_the_end(void **state)
{
    (void)state;
    static struct playback p;
    static struct setup s;
    struct options o = { .game = "crokinole" };
    struct fail why = { .text = "" };
    assert_int_equal(setup_read(&s, &o, &why), 0);
    for (size_t i = 0; i < countof(cases); i++) {
        static const struct source_kind carpet_kind = { .next = next_frame };
        struct carpet c = { .base.kind = &carpet_kind,
                            .frames = cases[i].frames,
                            .failing_at = cases[i].failing_at,
                            .refusing = cases[i].refusing };
        why.text[0] = '\0';
        playback_init(&p, &o, &s, "carpet", NULL);
        playback_add(&p, (struct frame_consumer){ take_first, &c });
        playback_add(&p, (struct frame_consumer){ take_second, &c });
        int rc = playback_run(&p, &c.base, &why);
        playback_finish(&p);
        const char *twice = strstr(why.text, "no board");
        assert_true(!twice || !strstr(twice + 1, "no board"));
        if (rc != cases[i].rc || c.seen[0] != cases[i].seen[0] || c.seen[1] != cases[i].seen[1] ||
            !strstr(why.text, cases[i].says))
            fail_msg("%s: %d, seen %d and %d, \"%s\"", cases[i].what, rc, c.seen[0], c.seen[1], why.text);
    }
}

// None is left out in silence.
static void there_is_room_for_all_or_it_is_told(void **state)
{
    (void)state;
    static struct playback p;
    static struct setup s;
    struct options o = { .game = "crokinole" };
    struct carpet c = { .failing_at = -1, .refusing = -1 };
    struct fail why = { .text = "" };
    assert_int_equal(setup_read(&s, &o, &why), 0);
    for (int consumers = 0; consumers < 2; consumers++) {
        int most = consumers ? PLAYBACK_CONSUMERS_MAX : PLAYBACK_ANNOUNCERS_MAX;
        for (int n = most - 1; n <= most + 1; n++) {
            playback_init(&p, &o, &s, "carpet", NULL);
            while ((consumers ? p.consumers : p.announcers) < n)
                if (consumers)
                    playback_add(&p, (struct frame_consumer){ take_first, &c });
                else
                    playback_announce(&p, (struct announcer){ NULL, NULL });
            assert_int_equal(playback_open(&p, &why), n > most ? RS_EINTERNAL : 0);
            playback_finish(&p);
        }
    }
    assert_non_null(strstr(why.text, "where there is room for"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_go_to_every_consumer_until_the_end),
        cmocka_unit_test(there_is_room_for_all_or_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
