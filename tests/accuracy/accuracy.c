// SPDX-License-Identifier: MIT
// accuracy: prints how well the program reads pictures and clips whose truth is known.
//
//   accuracy RINGSIDE FOLDER...     folders of pictures, clips or games by chance with NAME.json beside them; pictures
//                                   without a board have a folder called "nothing"; pictures labelled by eye are read
//                                   as they are and altered (altered.h)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/accuracy/calibration.h"
#include "tests/accuracy/clips.h"
#include "tests/accuracy/games.h"
#include "tests/accuracy/labelled.h"
#include "tests/accuracy/nothing.h"
#include "tests/accuracy/score.h"

enum { FILES = 1024, BANDS = 4, KINDS = 3 };
static const double band_to_deg[BANDS] = { 15, 35, 60, 90 };
static const char *const kinds[KINDS] = { "crokinole", "carrom", "marbles" };

static char paths[FILES][512], labelled[FILES][512];

static double share(int part, int of)
{
    return of > 0 ? 100.0 * part / of : 0;
}

static void print_pieces(const char *kind, int band, struct tally *t)
{
    printf("%-10s %5s %4d %6.1f %7.1f %9.1f %8.4f %8.4f %7.1f %6.1f %6d %9.1f %6.1f\n", kind,
           band == 0   ? "<15"
           : band == 1 ? "<35"
           : band == 2 ? "<60"
                       : ">=60",
           t->pictures, share(t->boards, t->pictures), share(t->found, t->asked),
           share(t->found, t->found + t->false_pieces), score_quantile(t->error_in, t->errors, 0.5),
           score_quantile(t->error_in, t->errors, 0.95), share(t->right, t->found), share(t->close, t->found),
           t->wrong_firm, share(t->within_2_sigma, t->found), share(t->sides_right, t->found));
}

static int run_pictures(const char *ringside, int files, struct tally tally[KINDS][BANDS])
{
    for (int i = 0; i < files; i++) {
        struct tally *one = calloc(1, sizeof *one);
        char kind[SCORE_WORD];
        double tilt_deg;
        struct fail why;
        if (!one)
            abort();
        bool marbles = strstr(paths[i], "marbles") != NULL; // a single circle leaves the lens open: it is given
        int rc = score_picture(one, kind, &tilt_deg, ringside, paths[i], marbles, &why);
        if (rc < 0) {
            fprintf(stderr, "accuracy: %s\n", why.text);
            free(one);
            return 2;
        }
        if (strcmp(kind, "none") == 0)
            printf("%-60s %s\n", paths[i], one->boards ? "FALSE FIND" : "no board found, rightly");
        for (int k = 0; k < KINDS; k++) {
            int band = 0;
            while (band < BANDS - 1 && tilt_deg >= band_to_deg[band])
                band++;
            struct tally *t = &tally[k][band];
            if (strcmp(kind, kinds[k]) != 0)
                continue;
            t->pictures += one->pictures;
            t->boards += one->boards;
            t->asked += one->asked;
            t->found += one->found;
            t->false_pieces += one->false_pieces;
            t->right += one->right;
            t->close += one->close;
            t->wrong_firm += one->wrong_firm;
            t->within_2_sigma += one->within_2_sigma;
            t->sides_right += one->sides_right;
            for (int e = 0; e < one->errors && t->errors < SCORE_ERRORS; e++)
                t->error_in[t->errors++] = one->error_in[e];
        }
        free(one);
    }
    return 0;
}

static void print_tables(struct tally tally[KINDS][BANDS])
{
    printf("\nPieces (%%, inches)\n%-10s %5s %4s %6s %7s %9s %8s %8s %7s %6s %6s %9s %6s\n", "kind", "tilt", "n",
           "board", "recall", "precision", "median", "95 %", "right", "close", "wrong!", "2 sigma", "sides");
    for (int k = 0; k < KINDS; k++)
        for (int b = 0; b < BANDS; b++)
            if (tally[k][b].pictures)
                print_pieces(kinds[k], b, &tally[k][b]);
}

static int run_calibration(int files)
{
    struct fail why;
    int rc = calibration_table((const char(*)[512])paths, files, &why);
    if (rc < 0)
        fprintf(stderr, "accuracy: %s\n", why.text);
    return rc < 0 ? 2 : 0;
}

// Moves the pictures that were labelled by eye out of `paths`; how many there are. *files: how many stay.
static int set_labelled_apart(int *files)
{
    int n = 0, stay = 0;
    for (int i = 0; i < *files; i++)
        if (labelled_is(paths[i]))
            memmove(labelled[n++], paths[i], sizeof *paths);
        else
            memmove(paths[stay++], paths[i], sizeof *paths);
    *files = stay;
    return n;
}

static int run_nothing(int files)
{
    struct fail why;
    int rc = nothing_table((const char(*)[512])paths, files, &why);
    if (rc < 0)
        fprintf(stderr, "accuracy: %s\n", why.text);
    return rc < 0 ? 2 : 0;
}

static int run_games(const char *ringside, int files)
{
    struct fail why;
    int rc = games_table(ringside, (const char(*)[512])paths, files, &why);
    if (rc < 0)
        fprintf(stderr, "accuracy: %s\n", why.text);
    return rc < 0 ? 2 : 0;
}

// Few pictures are labelled, and what is told of one should not hang on the light in which it was taken.
static int run_labelled(int files)
{
    printf("\nPictures labelled by eye, and altered copies of them (pieces: on the boards found)\n%-12s %4s %6s %6s "
           "%6s %6s %6s %6s\n",
           "", "n", "boards", "right", "pieces", "found", "false", "firm");
    for (enum alteration how = 0; how < ALTERATIONS; how++) {
        struct labelled_tally t = { .pictures = 0 };
        struct fail why;
        for (int i = 0; i < files; i++)
            if (labelled_read(&t, labelled[i], how, &why) < 0) {
                fprintf(stderr, "accuracy: %s\n", why.text);
                return 2;
            }
        printf("%-12s %4d %6d %6d %6d %6d %6d %6d\n", altered_name(how), t.pictures, t.boards, t.boards_right, t.asked,
               t.found, t.false_pieces, t.firm_false_pieces);
        fflush(stdout);
    }
    return 0;
}

static void print_clip(const char *path, enum clip_rate rate, const struct clip_tally *t)
{
    const char *slash = strrchr(path, '/');
    char outcomes[16] = "-"; // a game without any
    if (t->outcomes)
        snprintf(outcomes, sizeof outcomes, "%d", t->outcomes_right);
    printf("%-22s %-13s %5d %5d %7d %5d %6.3f %7d %6d %6d %5d %7d %7d %8s %6.1f %6.1f\n", slash ? slash + 1 : path,
           clip_rate_name(rate), t->shots, t->found, t->shooter_right, t->false_shots, t->start_late_s, t->pieces,
           t->pieces_found, t->zones_right, t->false_pieces, t->contacts_right, t->contacts_in_time, outcomes, t->run_s,
           t->clip_s);
}

static int run_clips(const char *ringside, int files)
{
    printf("\nClips, and copies of them with fewer frames\n%-22s %-13s %5s %5s %7s %5s %6s %7s %6s %6s %5s %7s %7s %8s "
           "%6s %6s\n",
           "clip", "frames", "shots", "found", "shooter", "false", "late s", "pieces", "found", "zones", "extra",
           "contact", "in time", "outcomes", "run s", "clip s");
    for (int i = 0; i < files; i++)
        for (enum clip_rate rate = 0; rate < CLIP_RATES; rate++) {
            struct clip_tally t = { 0 };
            struct fail why;
            if (clip_score(&t, ringside, paths[i], rate, &why) < 0) {
                fprintf(stderr, "accuracy: %s\n", why.text);
                return 2;
            }
            print_clip(paths[i], rate, &t);
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: accuracy RINGSIDE FOLDER...\n");
        return 2;
    }
    int rc = 0;
    for (int i = 2; i < argc && rc == 0; i++) {
        struct tally(*tally)[BANDS] = calloc(KINDS, sizeof *tally);
        int files = score_list(paths, FILES, argv[i]);
        enum score_contents contents = SCORE_PICTURES;
        struct fail why;
        if (!tally)
            abort();
        if (files == 0)
            rc = rs_fail(&why, RS_EINPUT, "no pictures or films with truth beside them (NAME.json) in %s", argv[i]);
        else
            rc = score_contents_of(&contents, paths[0], argv[i], &why);
        if (rc < 0) {
            fprintf(stderr, "accuracy: %s\n", why.text);
            free(tally);
            return 2;
        }
        printf("== %s: %d files, taken for %s\n", argv[i], files, score_contents_words(contents));
        if (contents == SCORE_CLIPS) {
            rc = run_clips(argv[1], files);
        } else if (contents == SCORE_GAMES) {
            rc = run_games(argv[1], files);
        } else if (contents == SCORE_NOTHING) {
            rc = run_nothing(files);
        } else {
            int by_eye = set_labelled_apart(&files);
            if (files > 0) {
                rc = run_pictures(argv[1], files, tally);
                print_tables(tally);
                rc = rc == 0 ? run_calibration(files) : rc;
                rc = rc == 0 ? run_nothing(files) : rc;
            }
            rc = rc == 0 && by_eye > 0 ? run_labelled(by_eye) : rc;
        }
        free(tally);
    }
    return rc;
}
