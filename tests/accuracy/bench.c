// SPDX-License-Identifier: MIT
// bench: processor time of the steps on one picture, and how long a whole review takes.
//
//   bench RINGSIDE CLIP PICTURE...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibration/algebra.h"
#include "vision/board/find.h"
#include "vision/board/refit.h"
#include "vision/pieces/pieces.h"
#include "vision/source/source.h"

enum { RUNS = 7, REFITS = 20 };

// Of the processor, so that what else the machine does is not counted.
static double busy_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static const char *board_of(const char *path)
{
    if (strstr(path, "marbles"))
        return "ring-7ft";
    return strstr(path, "rings") || strstr(path, "carrom") ? "crokinole-rings-24" : "crokinole-nca";
}

static int bench_picture(const char *path, struct fail *why)
{
    struct source *s;
    struct frame *f;
    struct board_pose board;
    struct detection_list pieces;
    struct refit refit;
    double find_ms[RUNS], pieces_ms[RUNS], started;
    int rc = photo_open(&s, path, why);
    if (rc < 0)
        return rc;
    rc = source_next(&f, s, why);
    source_close(s);
    if (rc < 0)
        return rc;
    for (int i = 0; i < RUNS && rc >= 0; i++) {
        started = busy_ms();
        rc = board_find(&board, f, board_builtin(board_of(path)), NULL, &tuning_defaults, why);
        find_ms[i] = busy_ms() - started;
        started = busy_ms();
        rc = rc < 0 ? rc : pieces_find(&pieces, f, &board, &tuning_defaults, why);
        pieces_ms[i] = busy_ms() - started;
    }
    started = busy_ms();
    for (int i = 0; i < REFITS && rc >= 0; i++)
        rc = board_refit(&refit, &board, f, &tuning_defaults, why);
    double refit_ms = (busy_ms() - started) / REFITS;
    if (rc >= 0)
        printf("%-40s %5d x %-5d %9.0f %9.2f %9.0f %7d\n", path, f->width, f->height, median_of(find_ms, RUNS),
               refit_ms, median_of(pieces_ms, RUNS), pieces.count);
    frame_free(f);
    return rc < 0 ? rc : 0;
}

static int bench_review(const char *ringside, const char *clip)
{
    char command[2048];
    snprintf(command, sizeof command, "'%s' review --json --game %s '%s' > /dev/null", ringside,
             strstr(clip, "marbles") ? "american-marbles" : "crokinole", clip);
    double started = now_ms();
    int rc = system(command);
    printf("review %s: %.1f s\n", clip, (now_ms() - started) / 1e3);
    return rc;
}

int main(int argc, char **argv)
{
    struct fail why = { 0 };
    if (argc < 4) {
        fprintf(stderr, "usage: bench RINGSIDE CLIP PICTURE...\n");
        return 2;
    }
    printf("%-40s %13s %9s %9s %9s %7s\n", "picture", "size", "board ms", "refit ms", "pieces ms", "pieces");
    for (int i = 3; i < argc; i++)
        if (bench_picture(argv[i], &why) < 0) {
            fprintf(stderr, "bench: %s\n", why.text);
            return 1;
        }
    return bench_review(argv[1], argv[2]) == 0 ? 0 : 1;
}
