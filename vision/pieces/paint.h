// SPDX-License-Identifier: MIT
// paint.h: may two colours be one paint in other light?
//
// What a face of one paint sends out is a share of the light (the face lies in more or less of it) and, where it is glossy,
// some of the lamp's own light on top (the dichromatic model: Shafer, "Using color to separate reflection components", 1985).
// So a red disc may be dark red or pinkish, but a grey one is a black one under a lamp and never a red one in the shade.
#ifndef RINGSIDE_VISION_PIECES_PAINT_H
#define RINGSIDE_VISION_PIECES_PAINT_H

// How far two colours (CIE L*a*b*) are apart as paints, in sigmas of what light, gloss and noise do to one paint.
double paint_apart(const double a[3], const double b[3]);

#endif
