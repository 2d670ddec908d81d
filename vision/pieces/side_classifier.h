// SPDX-License-Identifier: MIT
// side_classifier.h: whose piece is whose, by colour alone, without the colours being given.
//
// What a face of one paint sends out is a share of the light (the face lies in more or less of it) and, where it is
// glossy, some of the lamp's own light on top (the dichromatic model: Shafer, "Using color to separate reflection
// components", 1985). So a red disc may be dark red or pinkish, but a grey one is a black one under a lamp and never a
// red one in the shade. Pieces of one frame are put together by that (agglomerative clustering, average linkage); in a
// game they keep their names.
#ifndef RINGSIDE_VISION_PIECES_SIDE_CLASSIFIER_H
#define RINGSIDE_VISION_PIECES_SIDE_CLASSIFIER_H

#include "vision/detection.h"
#include "vision/tuning.h"

enum { DISC_SIDES = 2, SIDES_MOST = 4 }; // discs are played in two colours, rings in up to four

// How far two colours (CIE L*a*b*) are apart as paints, in sigmas of what light, gloss and noise do to one paint.
double side_paints_apart(const double a[3], const double b[3], const struct appearance_tuning *tuning);

// Which pieces have the same paint: side[i] is that of the i-th piece, 0 .. result - 1. How many sides there are, at
// most DISC_SIDES of discs and SIDES_MOST of rings: then the most alike are one, a doubtful piece and another first.
int sides_group(int side[MAX_PIECES], const struct detection_list *list, const struct appearance_tuning *tuning);

// Gives all pieces of a side the same colour name, and no two sides the same. Where ground_l is known, white is no
// darker than that.
void sides_tell_apart(struct detection_list *list, const struct appearance_tuning *tuning);

// The colours that a game's pieces were seen to have: the above names those of one frame, of a whole game they have to
// stay the same.
enum { SIDE_COLOURS_MAX = 8 };

struct side_colours {
    int count;
    struct {
        char name[COLOUR_NAME_MAX];
        double lab[3];
        double ground_l;      // of what it lay on there, CIE L*; 0: unknown
        bool certain;         // measured of a piece that surely is one
        double taws, targets; // certainty of the marble that was the surest to be one; 0: none was
    } colour[SIDE_COLOURS_MAX];
};

// Gives the piece the name that its colour is nearest to, if one is nearer than `same_lab` (CIE76).
void side_colours_name(const struct side_colours *known, struct detection *p, double same_lab);

// A marble that was shot is a taw where all that were seen of its name were, when that is surer than what it is by
// itself. A target's name proves nothing: names are few, and a target is not shot.
void side_colours_take_taw(const struct side_colours *known, struct detection *p);

// The name of a piece that ran, and its role: its colour mixes its paint and what it ran over, `clean_lab`. The less of
// it is paint, the nearer it has to be; but its way spreads all of its paint over no more than so many of its areas
// (INFINITY: unknown). No marble that ran takes a name that only targets have; on a carpet, which is one colour,
// `clean_lab` tells the light.
void side_colours_name_mixed(const struct side_colours *known, struct detection *p, const double clean_lab[3],
                             double areas, double same_lab);

// The newest of a name counts, of discs and rings the newest that surely is one (its certainty is `certain_least` or
// more): between fingers a paint looks otherwise. Where there is no room it is not remembered: twice as many as sides
// fit.
void side_colours_remember(struct side_colours *known, const struct detection *p, double certain_least);

#endif
