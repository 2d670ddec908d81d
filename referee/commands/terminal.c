// SPDX-License-Identifier: MIT
#include "referee/commands/terminal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "calibration/foreign.h"
#include "calibration/interrupt.h"

bool output_is_unread(const struct fail *why)
{
    struct pollfd out = { .fd = STDOUT_FILENO };
    return why->code == RS_EIO && strstr(why->text, strerror(EPIPE)) && poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

void keys_open(struct keys *k)
{
    *k = (struct keys){ .raw = false };
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &k->before) != 0)
        return;
    struct termios single = k->before;
    single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    interrupt_keep_terminal(&k->before);
    k->raw = tcsetattr(STDIN_FILENO, TCSANOW, &single) == 0;
}

// What one key sends comes together, at the worst over a network.
enum { REST_OF_KEY_MS = 20 };

// False when no byte comes; the terminal may be gone.
static bool next_byte(unsigned char *out, int within_ms)
{
    struct pollfd typed = { .fd = STDIN_FILENO, .events = POLLIN };
    return poll(&typed, 1, within_ms) > 0 && read(STDIN_FILENO, out, 1) == 1;
}

// Arrows, function keys and Alt send an escape and more, foreign letters several bytes: none of these is a key.
static void skip_rest_of_key(unsigned char first)
{
    unsigned char next = 0;
    int bytes = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0; // of UTF-8, behind the first
    while (bytes-- > 0 && next_byte(&next, REST_OF_KEY_MS))
        ;
    if (first != '\033')
        return;
    bool more = next_byte(&next, REST_OF_KEY_MS);
    while (more && next == '\033') // Alt and an arrow, of some terminals: it begins again
        more = next_byte(&next, REST_OF_KEY_MS);
    if (!more || (next != '[' && next != 'O'))
        return;
    bool ends = false, second = next == '['; // Linux's console puts a second bracket before the letter of F1 to F5
    while (!ends && next_byte(&next, REST_OF_KEY_MS)) {
        ends = next >= '@' && !(second && next == '['); // with a letter or a tilde, behind numbers
        second = false;
    }
}

int keys_next(struct keys *k)
{
    unsigned char key;
    if (interrupt_signal())
        return KEY_END;
    if (!k->raw || !next_byte(&key, 0))
        return KEY_NONE;
    if (key > '~' || key == '\033')
        skip_rest_of_key(key);
    return key;
}

void keys_finish(struct keys *k)
{
    if (k->raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
    interrupt_keep_terminal(NULL);
    k->raw = false;
}

// It can take back what stands on a line.
static bool takes_back(void)
{
    const char *kind = getenv("TERM");
    return isatty(2) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

struct status_line status_line_begin(bool wanted)
{
    return (struct status_line){ .shown = wanted && takes_back() };
}

static int columns_now(void)
{
    struct winsize size;
    return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// How many bytes of plain text fit. Letters beyond those of Europe may be two columns wide, and are taken for that.
static int bytes_that_fit(const char *text, int columns)
{
    int n = 0;
    while (text[n]) {
        unsigned letter = 0;
        int bytes = foreign_character(&letter, text + n);
        columns -= letter >= 0x1000 ? 2 : 1;
        if (columns < 0)
            break;
        n += bytes;
    }
    return n;
}

void status_line_show(struct status_line *l, const char *text)
{
    char plain[STATUS_LINE_MAX];
    int columns = l->shown ? columns_now() : 0;
    snprintf(plain, sizeof plain, "%s", text);
    foreign_make_plain(plain);
    if (!l->shown || (l->columns == columns && strcmp(l->text, plain) == 0))
        return;
    memcpy(l->text, plain, sizeof plain);
    l->columns = columns;
    // The last column stays free: some terminals go on to the next line with it.
    fprintf(stderr, "\r%.*s\033[K", bytes_that_fit(plain, columns - 1), plain);
    fflush(stderr);
}

void status_line_clear(struct status_line *l)
{
    if (l->columns == 0)
        return;
    l->columns = 0;
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

enum { BAR_LETTERS = 30 };

// Seconds between two looks of the line: often enough to live, too seldom to cost.
static const double TELL_EVERY_S = 0.2;

struct progress progress_begin(double whole_s, bool wanted)
{
    return (struct progress){ .line = status_line_begin(wanted), .whole_s = whole_s, .begun_s = clock_s() };
}

void progress_tell(struct progress *p, double done_s)
{
    char text[STATUS_LINE_MAX], bar[BAR_LETTERS + 1] = "";
    if (!p->line.shown || clock_s() - p->told_s < TELL_EVERY_S)
        return;
    p->told_s = clock_s();
    snprintf(text, sizeof text, "%.1f s of footage", done_s);
    if (p->whole_s > 0 && done_s > 0) {
        double part = fmin(done_s / p->whole_s, 1), left_s = (p->told_s - p->begun_s) * (1 - part) / part;
        for (int i = 0; i < BAR_LETTERS; i++)
            bar[i] = i < part * BAR_LETTERS ? '#' : '.';
        long left = lround(fmin(fmax(left_s, 0), 359999));
        snprintf(text, sizeof text, "[%s] %3.0f %%  %02ld:%02ld left", bar, 100 * part, left / 60, left % 60);
    }
    status_line_show(&p->line, text);
}

void progress_clear(struct progress *p)
{
    status_line_clear(&p->line);
    p->told_s = 0;
}
