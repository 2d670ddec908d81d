// SPDX-License-Identifier: MIT
// robustness: how reading gets worse as pictures do, and whether the program says when it is past its limits.
//
//   robustness RINGSIDE FOLDER     of what hard_pictures made
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/accuracy/hardship.h"
#include "tests/accuracy/score.h"

enum { WORKERS = 2, KINDS = 2, OF_A_KIND = HARDSHIP_PICTURES / KINDS };

static const char *const kinds[KINDS] = { "crokinole", "marbles" };

// One picture to be read.
struct task {
    enum hardship_kind kind;
    int step, picture;
    struct tally *read;
    int rc;
    struct fail why;
};

struct work {
    const char *ringside, *folder;
    int tasks;
    atomic_int next;
    struct task task[HARDSHIPS * HARDSHIP_STEPS * HARDSHIP_PICTURES];
};

static void read_one(const struct work *w, struct task *t)
{
    char name[HARDSHIP_NAME_MAX], path[512], kind[SCORE_WORD];
    double tilt_deg;
    hardship_name(name, t->kind, t->step, t->picture);
    snprintf(path, sizeof path, "%s/%s.json", w->folder, name);
    bool marbles = strstr(name, "marbles") != NULL; // a single circle leaves the lens open: it is given
    t->rc = score_picture(t->read, kind, &tilt_deg, w->ringside, path, marbles, &t->why);
}

static void *read_some(void *work)
{
    struct work *w = work;
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->tasks;)
        read_one(w, &w->task[i]);
    return NULL;
}

static void plan(struct work *w)
{
    for (enum hardship_kind kind = 0; kind < HARDSHIPS; kind++)
        for (int step = 0; step < hardships[kind].steps; step++)
            for (int picture = 0; picture < HARDSHIP_PICTURES; picture++) {
                struct tally *t = calloc(1, sizeof *t);
                if (!t)
                    abort();
                w->task[w->tasks++] = (struct task){ .kind = kind, .step = step, .picture = picture, .read = t };
            }
}

static int read_all(struct work *w)
{
    pthread_t worker[WORKERS];
    json_object_seed(0); // before there are threads
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&worker[i], NULL, read_some, w) != 0)
            abort();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    for (int i = 0; i < w->tasks; i++)
        if (w->task[i].rc < 0) {
            fprintf(stderr, "robustness: %s\n", w->task[i].why.text);
            return 2;
        }
    return 0;
}

// Pieces are only asked for where the program was willing to call.
static void add(struct tally *sum, const struct tally *one)
{
    bool called = one->boards > one->refused;
    sum->pictures += one->pictures;
    sum->boards += one->boards;
    sum->refused += one->refused;
    for (int i = 0; i < SCORE_GRADES; i++)
        sum->graded[i] += one->graded[i];
    sum->warned += one->warned;
    if (one->warned)
        memcpy(sum->says, one->says, sizeof sum->says);
    sum->false_pieces += one->false_pieces;
    if (!called)
        return;
    sum->asked += one->asked;
    sum->found += one->found;
    sum->close += one->close;
    sum->wrong_firm += one->wrong_firm;
    sum->wrong_zone += one->wrong_zone;
    sum->within_2_sigma += one->within_2_sigma;
    for (int i = 0; i < one->errors && sum->errors < SCORE_ERRORS; i++) {
        sum->sigma_in[sum->errors] = one->sigma_in[i];
        sum->error_in[sum->errors++] = one->error_in[i];
    }
}

// A share in percent, "-" of nothing.
static const char *share(char out[16], int part, int of)
{
    if (of > 0)
        snprintf(out, 16, "%.1f", 100.0 * part / of);
    else
        snprintf(out, 16, "-");
    return out;
}

// The median in inches, "-" of nothing.
static const char *middle(char out[16], double *values, int n)
{
    if (n > 0)
        snprintf(out, 16, "%.4f", score_quantile(values, n, 0.5));
    else
        snprintf(out, 16, "-");
    return out;
}

// The grades of the pictures, one letter each, best first.
static void grades_of(char out[HARDSHIP_PICTURES + 1], const struct tally *t)
{
    int n = 0;
    for (int i = 0; i < SCORE_GRADES; i++)
        for (int k = 0; k < t->graded[i] && n < HARDSHIP_PICTURES; k++)
            out[n++] = (char)('A' + i);
    out[n] = '\0';
}

// What the program said, up to what is to be done about it.
static int words_of(const struct tally *t)
{
    return (int)strcspn(t->says, ":");
}

static void print_step(const struct work *w, enum hardship_kind kind, int step, int game)
{
    char recall[16], precision[16], close[16], honest[16], median[16], stated[16], grades[HARDSHIP_PICTURES + 1];
    static struct tally sum;
    sum = (struct tally){ .pictures = 0 };
    for (int i = 0; i < w->tasks; i++)
        if (w->task[i].kind == kind && w->task[i].step == step && w->task[i].picture / OF_A_KIND == game)
            add(&sum, w->task[i].read);
    grades_of(grades, &sum);
    printf("%-10s %6g %2d %5d %7d %5s %6s %9s %6s %6s %7s %6s %6d %4d %5d  %.*s\n", kinds[game],
           hardships[kind].step[step], sum.pictures, sum.boards, sum.refused, grades,
           share(recall, sum.found, sum.asked), share(precision, sum.found, sum.found + sum.false_pieces),
           middle(median, sum.error_in, sum.errors), middle(stated, sum.sigma_in, sum.errors),
           share(honest, sum.within_2_sigma, sum.found), share(close, sum.close, sum.found), sum.wrong_zone,
           sum.wrong_firm - sum.wrong_zone, sum.warned, words_of(&sum), sum.says);
}

static void print_all(const struct work *w)
{
    for (enum hardship_kind kind = 0; kind < HARDSHIPS; kind++) {
        printf("\nRobustness: %s\n%-10s %6s %2s %5s %7s %5s %6s %9s %6s %6s %7s %6s %6s %4s %5s\n",
               hardships[kind].words, "", "step", "n", "found", "refused", "grade", "recall", "precision", "median",
               "stated", "2 sigma", "close", "wrong!", "taw", "told");
        for (int game = 0; game < KINDS; game++)
            for (int step = 0; step < hardships[kind].steps; step++)
                print_step(w, kind, step, game);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: robustness RINGSIDE FOLDER\n");
        return 2;
    }
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->ringside = argv[1];
    w->folder = argv[2];
    plan(w);
    int rc = read_all(w);
    if (rc == 0)
        print_all(w);
    for (int i = 0; i < w->tasks; i++)
        free(w->task[i].read);
    free(w);
    return rc;
}
