// SPDX-License-Identifier: MIT
// disc_hypotheses.h: the places that may hold a disc or ring, and what speaks for each.
#ifndef RINGSIDE_VISION_PIECES_DISC_HYPOTHESES_H
#define RINGSIDE_VISION_PIECES_DISC_HYPOTHESES_H

#include "vision/detection.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/disc_score.h"
#include "vision/pieces/ditch.h"
#include "vision/pieces/hole.h"

struct disc_hypothesis {
    struct pt_in at;
    double measure[HYPOTHESIS_MEASURES];
    double lab[3];           // of what is there, CIE L*a*b*
    double glance;           // probability by the place's measures alone
    bool fitted;             // by `glance` it was worth a fit, and that stayed near
    struct cylinder_fit fit; // of a fitted one
    double probability;      // by all measures; 0: not worth a fit
};

struct disc_hypotheses {
    int count;
    struct disc_hypothesis item[DISC_PLACES];
    double scale;                // of the pieces' size, to the board's nominal one
    struct hole_hypothesis hole; // beside those that are told
    struct ditch_hypotheses ditch;
};

// What a glance at its place shows, and how probable a piece is there by that: one that is seen whole, or behind something, whichever
// is likelier. False where nothing can be seen.
bool disc_hypothesis_look(struct disc_hypothesis *h, const struct disc_evidence *e, const struct evidence_tuning *t);

// One more place, unless the list has one so near, or is full.
void disc_hypotheses_add(struct disc_hypotheses *all, struct pt_in at, double same_place_in);

// The most probable first.
void disc_hypotheses_sort(struct disc_hypotheses *all);

// Of a sorted list those of so much probability at a glance, none of them so near to a likelier one: how many.
int disc_hypotheses_likely(struct disc_hypothesis *out[MAX_PIECES], struct disc_hypotheses *all, double least,
                           double apart_in);

#endif
