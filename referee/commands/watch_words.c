// SPDX-License-Identifier: MIT
#include "referee/commands/watch_words.h"

#include <ctype.h>
#include <stdio.h>

#include "calibration/interrupt.h"
#include "referee/commands/terminal.h"

static const char *waited_for(const struct match *m, const struct tracked_frame *now)
{
    if (now->trouble == PICTURE_BLACK || now->trouble == PICTURE_COVERED)
        return now->trouble == PICTURE_BLACK ? "the picture is black" : "the lens is covered";
    if (!m || now->state == TRACKER_SEARCHING)
        return m ? "looking for the board again, calls are held" : "looking for the board";
    if (m->paused)
        return "paused: z goes on";
    if (now->hand)
        return "a hand is over the board";
    if (now->state != TRACKER_LOCKED)
        return m->board.piece == PIECE_MARBLE ? "waiting for the marbles to come to rest"
               : m->board.piece == PIECE_RING ? "waiting for the ring to come to rest"
                                              : "waiting for the disc to come to rest";
    if (m->asked > 0)
        return "close call: c lets it stand, v overrules it";
    if (m->now.over)
        return "the game is over: g begins the next one";
    if (m->now.owed > 0)
        return m->now.owe[0].what == OWED_OFF ? "waiting for what must come off the board"
                                              : "waiting for what must be put back";
    return m->now.permit_needed && !m->now.permitted ? "waiting for permission to shoot (p)" : "ready for the shot";
}

void watch_standing_words(char *out, size_t size, const struct match *m, const struct tracked_frame *now,
                          const char *waits)
{
    char score[2 * CALL_TEXT_MAX] = "", shoots[OBS_WORD_MAX + 32] = "";
    if (m)
        summary_score_words(score, sizeof score, m);
    if (m && m->now.over)
        snprintf(shoots, sizeof shoots, "%s%s%s | ", m->now.winner < 0 ? "drawn" : "game to ",
                 m->now.winner < 0 ? "" : standing_name(&m->now, m->now.winner), m->now.close ? " (close)" : "");
    else if (m && m->now.to_shoot >= 0)
        snprintf(shoots, sizeof shoots, "%s to shoot | ", standing_player(&m->now, m->now.to_shoot));
    snprintf(out, size, "%s%s%s%s", score, m ? " | " : "", shoots, waits ? waits : waited_for(m, now));
}

const char *watch_help_words(const struct tracked_frame *now, const struct fail *refused)
{
    bool unseen = now->state == TRACKER_SEARCHING;
    bool covered = now->trouble == PICTURE_BLACK || now->trouble == PICTURE_COVERED;
    if (covered || ((unseen || refused->text[0]) && now->trouble != PICTURE_FINE))
        return picture_trouble_words(now->trouble);
    return unseen ? now->unfound.text : refused->text;
}

static bool same_but_numbers(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isdigit((unsigned char)*a) || *a == '.')
            a++;
        while (isdigit((unsigned char)*b) || *b == '.')
            b++;
        if (*a != *b || !*a)
            return *a == *b;
    }
}

bool told_is_news(struct told *t, const char *text, double now_s, double lasts_s, double apart_s)
{
    if (!same_but_numbers(t->next, text)) {
        t->since_s = now_s;
        snprintf(t->next, sizeof t->next, "%s", text);
    }
    bool first = t->text[0] == '\0', well = text[0] == '\0';
    if (same_but_numbers(t->text, text) || (!well && now_s - t->since_s < lasts_s) ||
        (!well && !first && now_s - t->at_s < apart_s))
        return false;
    snprintf(t->text, sizeof t->text, "%s", text);
    t->at_s = now_s;
    return true;
}

// A loss begins. True: it is the one by which they are many.
static bool begin_loss(struct camera_losses *l, double now_s)
{
    enum { MANY = 3 };
    static const double APART_S = 60; // by more: they have nothing to do with one another
    if (!l->many && (l->near_count == 0 || now_s - l->over_s > APART_S)) {
        l->near_count = 0;
        l->near_lost_s = 0;
        l->first_s = now_s;
    }
    bool were = l->many;
    l->count++;
    l->many = ++l->near_count >= MANY;
    l->since_s = now_s;
    l->told_long = false;
    return l->many && !were;
}

bool camera_losses_say(char *out, size_t size, struct camera_losses *l, const char *waits_for, double now_s)
{
    static const double LONG_S = 10, WELL_S = 60; // so long it lasts, or all is well, and is told
    bool waited = l->told.text[0] != '\0', waits = waits_for[0] != '\0';
    bool news = told_is_news(&l->told, waits_for, now_s, 0, 0);
    if (waits && !waited && begin_loss(l, now_s)) {
        snprintf(out, size,
                 "%s; it is lost again and again, %ld times in %.0f s: see to its plug, its cable or the Wi-Fi; the "
                 "match goes on, without what happens meanwhile",
                 waits_for, l->near_count, now_s - l->first_s);
        return true;
    }
    bool lasts = waits && l->many && !l->told_long && now_s - l->since_s >= LONG_S;
    l->told_long |= lasts;
    snprintf(out, size, "%s", waits_for);
    if (waits)
        return lasts || (news && !l->many);
    if (waited) {
        l->over_s = now_s;
        l->lost_s += now_s - l->since_s;
        l->near_lost_s += now_s - l->since_s;
        snprintf(out, size, "the camera is back after %.1f s", now_s - l->since_s);
        return !l->many || l->told_long;
    }
    bool well = l->many && now_s - l->over_s >= WELL_S;
    if (well)
        snprintf(out, size, "the camera's pictures have come for a minute again; it was lost %ld times, %.1f s in all",
                 l->near_count, l->near_lost_s);
    l->many &= !well;
    return well;
}

bool drops_are_news(struct drops *d, long count, bool board_known, double now_s)
{
    static const double OVER_S = 60; // without one: each shot may bring some
    bool more = count > d->count && board_known, were = d->go_on;
    if (more && !were)
        d->before = d->count;
    if (more)
        d->last_s = now_s;
    d->go_on = more || (were && now_s - d->last_s < OVER_S);
    d->count = count;
    return d->go_on != were;
}

const char *drops_words(bool of_address)
{
#define TOO_SLOW                                                                                                       \
    "this computer is too slow for all pictures: some are dropped, and what is called across a gap is close; "         \
    "end other programs, or "
    return of_address ? TOO_SLOW "have the camera send smaller pictures or fewer"
                      : TOO_SLOW "take a smaller --size or --rate";
#undef TOO_SLOW
}

const char *watch_key_words(char out[WATCH_KEY_WORDS_MAX], int key)
{
    bool shows = key > ' ' && key <= '~';
    snprintf(out, WATCH_KEY_WORDS_MAX, shows ? "the key %c" : "that key", key);
    return out;
}

enum summary_end watch_ended_by(int rc, const struct fail *why)
{
    if (interrupt_signal())
        return ENDED_BY_A_SIGNAL;
    if (rc < 0)
        return output_is_unread(why) ? ENDED_BY_READER : ENDED_BY_FAILURE;
    return ENDED_BY_SOURCE;
}
