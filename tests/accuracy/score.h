// SPDX-License-Identifier: MIT
// score.h: the program's reading of pictures against their truth, run as a user would run it.
//
// A round board has no marked north, so a reading is turned about the centre to fit the truth best. A piece counts as
// found within 0.4 in. Pieces under half visible and those in the ditch are neither asked for nor held against it.
#ifndef RINGSIDE_TESTS_ACCURACY_SCORE_H
#define RINGSIDE_TESTS_ACCURACY_SCORE_H

#include <stdbool.h>

#include "calibration/fail.h"

enum { SCORE_ERRORS = 8192, SCORE_WORD = 64, SCORE_SAYS = 160, SCORE_GRADES = 6 }; // grades: 'A' .. 'F'

struct tally {
    int pictures, boards;           // how many, and in how many a board was found
    int refused;                    // of those: not well enough to call
    int graded[SCORE_GRADES];       // of those: as good as that
    int warned;                     // pictures of which the program itself said what is wrong with them, ...
    char says[SCORE_SAYS];          // ... the last time in these words
    int asked, found, false_pieces; // pieces; false ones are found where there is none
    int right, close, wrong_firm;   // calls on the found ones
    int wrong_zone; // of the wrong firm ones; in the others the taw and a target are taken for each other
    int within_2_sigma, sides_right;
    int errors;
    double error_in[SCORE_ERRORS]; // of the pieces' places
    double sigma_in[SCORE_ERRORS]; // what was stated of each
};

// `truth_path`: NAME.json with the picture beside it. With `lens` the true lens is given to the program. `kind`
// receives "crokinole", "carrom", "marbles" or "none". RS_EIO, RS_EINPUT when the files are not what they should be.
int score_picture(struct tally *out, char kind[SCORE_WORD], double *tilt_deg, const char *ringside,
                  const char *truth_path, bool lens, struct fail *why);

// The truth files (NAME.json) of a folder, sorted; how many. `paths` are written one after the other.
int score_list(char paths[][512], int most, const char *folder);

enum score_contents { SCORE_PICTURES, SCORE_NOTHING, SCORE_CLIPS, SCORE_GAMES };

// What a folder with that truth file in it is taken for: by the file itself where its film has a name that `scene`
// gives, and else by the folder's name. RS_EINPUT when the truth cannot be read.
int score_contents_of(enum score_contents *out, const char *truth_path, const char *folder, struct fail *why);

// "pictures", "games by chance": for people.
const char *score_contents_words(enum score_contents contents);

// The q-th part (0 .. 1) of the values, which are reordered; 0 when there are none.
double score_quantile(double *values, int n, double q);

#endif
