// SPDX-License-Identifier: MIT
#include "referee/announce/summary.h"

#include <string.h>

#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "referee/announce/json.h"
#include "referee/announce/shell_word.h"

static const double HALF = 0.5, NEARLY_ALL = 0.99;

static const struct {
    const char *word, *people; // NULL: the signal's name
} ends[] = {
    [NOT_ENDED] = { "not", "nothing" },
    [ENDED_BY_KEY] = { "key", "q" },
    [ENDED_BY_A_SIGNAL] = { "signal", NULL },
    [ENDED_BY_TIME] = { "time", "--for" },
    [ENDED_BY_SOURCE] = { "end", "the end of the pictures" },
    [ENDED_BY_READER] = { "reader", "the reader of standard output, who has gone," },
    [ENDED_BY_FAILURE] = { "failure", "a failure" },
};

static int count(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct summary *s = self;
    (void)why;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        s->calls += c->change == CALL_MADE;
        s->close += c->change == CALL_MADE && !c->firm;
        // One that is confirmed is made again, by the judge's word: nothing was taken from it.
        s->withdrawn += c->change == CALL_WITHDRAWN && r->amended_by != INPUT_CONFIRM;
    }
    s->shots = m->shot.number;
    return 0;
}

struct announcer summary_announcer(struct summary *s)
{
    return (struct announcer){ count, s };
}

void summary_score_words(char *out, size_t size, const struct match *m)
{
    char score[CALL_TEXT_MAX] = "";
    bool scored = false, by_rounds = m->now.format.pieces_each > 0 && !m->now.over;
    size_t used = 0;
    for (int i = 0; i < m->now.sides; i++)
        scored |= m->now.side[i].score > 0;
    if (m->now.game > 1 && m->now.sides > 0) {
        standing_points_words(
            score, sizeof score, &m->now,
            (const struct points[]){ points_exactly(m->now.side[0].games), points_exactly(m->now.side[1].games) });
        used = (size_t)snprintf(out, size, "games %s; game %d: ", score, m->now.game);
        used = used < size ? used : size - 1;
    }
    out += used;
    size -= used;
    standing_words(score, sizeof score, &m->now);
    if (m->now.sides == 0)
        snprintf(out, size, "%s", standing_no_sides(m->shot.number));
    else if (by_rounds)
        standing_round_words(out, size, &m->now);
    else
        snprintf(out, size, "%s", score);
    used = strlen(out);
    if (by_rounds && scored && used < size)
        snprintf(out + used, size - used, "; score %s", score);
}

static void print_lacks(FILE *to, const char *what, const struct unwritten *lacks)
{
    if (lacks->observations > 0)
        foreign_tell(to, "            it LACKS the last %ld observation%s%s: %s", lacks->observations,
                     lacks->observations == 1 ? "" : "s", what, lacks->why.text);
}

static void print_latencies(FILE *to, const char *of_what, const struct latencies *l)
{
    fprintf(to, "  %s: %.0f ms as a rule, %.0f ms for 99 of 100, %.0f ms at worst", of_what,
            1e3 * latencies_share_s(l, HALF), 1e3 * latencies_share_s(l, NEARLY_ALL), 1e3 * l->worst_s);
}

void summary_record_words(char *out, size_t size, const struct summary *s)
{
    char book[SUMMARY_RECORD_WORDS_MAX];
    out[0] = '\0';
    if (!s->record)
        return;
    // A command that is cut short names another record. Without --book it needs no path: that may be cut behind it.
    if (!s->book)
        snprintf(out, size, "match %ld; ringside watch --resume %ld goes on with it; the record is %s", s->match,
                 s->match, s->record);
    else if (!shell_word(book, sizeof book, s->book) ||
             (size_t)snprintf(out, size, "match %ld; ringside watch --resume %ld --book %s goes on with it", s->match,
                              s->match, book) >= size)
        snprintf(out, size, "match %ld; ringside watch --resume %ld with the same --book goes on with it", s->match,
                 s->match);
}

void summary_print(FILE *to, const struct summary *s, const struct match *m)
{
    char words[2 * CALL_TEXT_MAX], time[16], times[40];
    long dropped = s->source.dropped + s->waiting_dropped;
    call_time_words(time, sizeof time, s->watched_s);
    snprintf(times, sizeof times, " in all, %ld times", s->waits);
    const char *by = ends[s->ended_by].people;
    foreign_tell(to, "ringside: ended by %s after %s", by ? by : interrupt_name(), time);
    if (m) {
        summary_score_words(words, sizeof words, m);
        foreign_tell(to, "  score     %s%s", words, m->history_lost ? " (as far as seen)" : "");
        foreign_tell(to, "  calls     %ld in %d shot%s; %ld too close to be firm, %ld taken back or overruled",
                     s->calls, s->shots, s->shots == 1 ? "" : "s", s->close, s->withdrawn);
    }
    fprintf(to, "  pictures  %ld seen, ", s->live.frames);
    if (dropped == 0)
        fprintf(to, "none dropped");
    else
        fprintf(to, "%ld dropped: %ld by the camera, %ld because this computer was too slow", dropped,
                s->source.dropped, s->waiting_dropped);
    if (s->source.doubtful > 0)
        fprintf(to, "; %ld damaged", s->source.doubtful);
    fprintf(to, "\n");
    if (s->waited_s > 0 || s->source.lost_s > 0)
        fprintf(to, "  camera    gave nothing for %.1f s%s; nothing is known of %.1f s\n", s->waited_s,
                s->waits > 1 ? times : "", s->source.lost_s);
    if (s->latency.count > 0) {
        print_latencies(to, "delay     from a picture to its call", &s->latency);
        fprintf(to, "\n");
    }
    if (s->voice.first_sound.count > 0) {
        print_latencies(to, "voice     from a call to its first sound", &s->voice.first_sound);
        if (s->voice.waited > 0)
            fprintf(to, "; %ld waited for the words before", s->voice.waited);
        fprintf(to, "\n");
    }
    const struct web_counts *w = &s->pages;
    if (w->most_viewers + w->refused + w->turned_away > 0) {
        fprintf(to, "  pages     %ld looked at most at once", w->most_viewers);
        if (w->behind + w->dropped > 0)
            fprintf(to, "; too slow: %ld skipped to what held then, %ld dropped", w->behind, w->dropped);
        if (w->refused + w->turned_away > 0)
            fprintf(to, "; %ld request%s refused, %ld without a place", w->refused, w->refused == 1 ? "" : "s",
                    w->turned_away);
        fprintf(to, "\n");
    }
    if (m && s->log)
        foreign_tell(to, "  log       %s", s->log);
    if (m)
        print_lacks(to, s->log ? "" : " of the log", &s->log_lacks);
    if (m && s->record) {
        char kept[SUMMARY_RECORD_WORDS_MAX];
        summary_record_words(kept, sizeof kept, s);
        foreign_tell(to, "  record    %s", kept);
    }
    if (m)
        print_lacks(to, "", &s->record_lacks);
    if (m && !s->log && !s->record)
        fprintf(to, "  kept      nothing\n");
}

static json_t *latencies_json(const struct latencies *l, const char *of_what)
{
    return l->count > 0
               ? json_pack("{s:I, s:f, s:f, s:f}", of_what, (json_int_t)l->count, "p50", latencies_share_s(l, HALF),
                           "p99", latencies_share_s(l, NEARLY_ALL), "worst", l->worst_s)
               : json_null();
}

json_t *summary_json(const struct summary *s, const struct match *m)
{
    json_t *calls = json_pack("{s:I, s:I, s:I}", "made", (json_int_t)s->calls, "close", (json_int_t)s->close,
                              "withdrawn", (json_int_t)s->withdrawn);
    json_t *frames = json_pack("{s:I, s:I, s:I, s:I}", "seen", (json_int_t)s->live.frames, "dropped_by_camera",
                               (json_int_t)s->source.dropped, "dropped_waiting", (json_int_t)s->waiting_dropped,
                               "damaged", (json_int_t)s->source.doubtful);
    json_t *queue = json_pack("{s:i, s:f, s:f}", "longest", s->live.longest_queue, "longest_wait_s",
                              s->live.longest_wait_s, "held_up_s", s->live.held_up_s);
    json_t *record =
        s->record ? json_pack("{s:s, s:I}", "path", s->record, "match", (json_int_t)s->match) : json_null();
    const struct web_counts *w = &s->pages;
    json_t *pages = w->places > 0
                        ? json_pack("{s:I, s:I, s:I, s:I, s:I}", "viewers_most", (json_int_t)w->most_viewers, "behind",
                                    (json_int_t)w->behind, "dropped", (json_int_t)w->dropped, "refused",
                                    (json_int_t)w->refused, "turned_away", (json_int_t)w->turned_away)
                        : json_null();
    return json_pack("{s:s, s:s, s:f, s:i, s:o, s:o, s:o, s:o, s:o, s:I, s:f, s:f, s:s?, s:o, s:I, s:I, s:o, s:o}",
                     "event", "summary", "ended_by", ends[s->ended_by].word, "watched_s", s->watched_s, "shots",
                     s->shots, "calls", calls, "frames", frames, "queue", queue, "latency_s",
                     latencies_json(&s->latency, "calls"), "voice_s", latencies_json(&s->voice.first_sound, "spoken"),
                     "voice_waited", (json_int_t)s->voice.waited, "waited_s", s->waited_s, "lost_s", s->source.lost_s,
                     "log", s->log, "record", record, "log_lacks", (json_int_t)s->log_lacks.observations,
                     "record_lacks", (json_int_t)s->record_lacks.observations, "pages", pages, "standing",
                     m ? standing_json(m) : json_null());
}
