// SPDX-License-Identifier: MIT
// boards.h: pictures of boards and films of games in any number, for fitting weights, for curves and for counting
// calls: woods, colours, light, camera and shots by chance.
#ifndef RINGSIDE_SAMPLES_SCENE_BOARDS_H
#define RINGSIDE_SAMPLES_SCENE_BOARDS_H

#include "samples/scene/recipes.h"

// What the index-th picture of a seed shows, but for its name, which is "".
void boards_recipe(struct recipe *out, int index, enum game game, bool plain, uint64_t seed);

// Whether a line or a marble of that colour is to be seen on a board or carpet of that stuff.
bool boards_line_shows(const char *line, const char *surface);

// The index-th picture of a seed: FOLDER/board_NNNN.jpg and its truth, from straight above to 80 degrees off the
// vertical. Plain: the same, but with sharp discs, no polish and, now and then, lines that nobody can see. RS_EIO,
// RS_ELIB.
int board_write(const char *folder, int index, enum game game, bool plain, uint64_t seed, struct fail *why);

enum filming {
    FILMED_FROM_TRIPOD,
    FILMED_FROM_HAND,
    FILMED_KNOCKED, // the tripod is pushed three times: by up to an inch and a half of the board, five degrees, 5 % nearer
    FILMED_BROADCAST // twice cut to a face and back, to another tripod or a zoom; a score table comes
};

// The index-th game of a seed: a few shots of crokinole on one of those boards, FOLDER/game_NNNN.mp4 and its truth,
// from straight above to 65 degrees off the vertical. However it is filmed, it is the same game. RS_EIO, RS_ELIB.
int game_write(const char *folder, int index, uint64_t seed, enum filming how, struct fail *why);

// The same of marbles: a few shots at the targets on their X, FOLDER/marbles_NNNN.mp4, to 50 degrees, from a tripod or
// from the hand; slanted: from there to 66, as from a low tripod.
int marble_game_write(const char *folder, int index, uint64_t seed, bool slanted, bool in_a_hand, struct fail *why);

#endif
