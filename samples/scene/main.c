// SPDX-License-Identifier: MIT
// scene: makes the pictures and clips of samples/ again, with their truth.
//
//   scene pictures FOLDER [NAME...]     NAME.jpg and NAME.json of the recipes named, or of all
//   scene clips FOLDER [NAME...]        NAME.mp4 and NAME.json
//   scene nothing FOLDER COUNT [SEED]   pictures without a board: nothing_NNN.jpg and nothing_NNN.json
//   scene boards FOLDER COUNT SEED [plain]
//                                       boards by chance, from above to 80 degrees: board_NNNN.jpg and .json; plain:
//                                       with sharp discs, no polish and, now and then, lines that nobody can see
//   scene games FOLDER COUNT SEED [shaken|knocked|broadcast]
//                                       games by chance, a few shots each: game_NNNN.mp4 and game_NNNN.json; shaken: the
//                                       same through a camera that is held in a hand; knocked: one that is pushed;
//                                       broadcast: cut to a face and back, zoomed, with a score table
//   scene marble-games FOLDER COUNT SEED [slanted|shaken]
//                                       of marbles: marbles_NNNN.mp4 and .json; slanted: from 50 to 66 degrees
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/units.h"
#include "samples/scene/boards.h"
#include "samples/scene/film.h"
#include "samples/scene/nothing.h"
#include "samples/scene/picture.h"

enum { NOTHING_SEED = 1, NOTHING_WIDTH_PX = 960 };

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0;
}

static int make_pictures(const char *folder, int count, char **names)
{
    struct fail why;
    int made = 0;
    for (int i = 0; i < recipes_count; i++) {
        if (!wanted(recipes[i].name, count, names))
            continue;
        if (picture_write(&recipes[i], folder, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
        printf("%s\n", recipes[i].name);
        fflush(stdout);
        made++;
    }
    return made ? 0 : 1;
}

static int make_clips(const char *folder, int count, char **names)
{
    struct fail why;
    int made = 0;
    for (int i = 0; i < clips_count; i++) {
        if (!wanted(clips[i].name, count, names))
            continue;
        if (film_write(&clips[i], folder, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
        printf("%s\n", clips[i].name);
        fflush(stdout);
        made++;
    }
    return made ? 0 : 1;
}

static int make_nothing(const char *folder, int count, uint64_t seed)
{
    struct fail why;
    for (int i = 0; i < count; i++)
        if (nothing_write(folder, i, seed, NOTHING_WIDTH_PX, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
    printf("%d pictures without a board\n", count);
    return 0;
}

static int make_boards(const char *folder, int count, uint64_t seed, bool plain)
{
    struct fail why;
    for (int i = 0; i < count; i++)
        if (board_write(folder, i, i % 4 == 3 ? PLAY_RINGS : PLAY_CROKINOLE, plain, seed, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
    printf("%d pictures of boards\n", count);
    return 0;
}

static int make_games(const char *folder, int count, uint64_t seed, enum filming how)
{
    struct fail why;
    for (int i = 0; i < count; i++)
        if (game_write(folder, i, seed, how, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
    printf("%d games\n", count);
    return 0;
}

static int make_marble_games(const char *folder, int count, uint64_t seed, bool slanted, bool in_a_hand)
{
    struct fail why;
    for (int i = 0; i < count; i++)
        if (marble_game_write(folder, i, seed, slanted, in_a_hand, &why) < 0) {
            fprintf(stderr, "scene: %s\n", why.text);
            return 1;
        }
    printf("%d games\n", count);
    return 0;
}

// Made where there is none; what else is wrong with it the first file tells.
static const char *folder_at(const char *path)
{
    mkdir(path, 0777);
    return path;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "pictures") == 0)
        return make_pictures(folder_at(argv[2]), argc - 3, argv + 3);
    if (argc >= 3 && strcmp(argv[1], "clips") == 0)
        return make_clips(folder_at(argv[2]), argc - 3, argv + 3);
    if (argc >= 4 && argc <= 5 && strcmp(argv[1], "nothing") == 0)
        return make_nothing(folder_at(argv[2]), atoi(argv[3]), argc > 4 ? strtoull(argv[4], NULL, 10) : NOTHING_SEED);
    bool plain = argc == 6 && strcmp(argv[5], "plain") == 0;
    if ((argc == 5 || plain) && strcmp(argv[1], "boards") == 0)
        return make_boards(folder_at(argv[2]), atoi(argv[3]), strtoull(argv[4], NULL, 10), plain);
    static const char *const filmed[] = { "", "shaken", "knocked", "broadcast" };
    for (size_t i = 0; i < countof(filmed) && argc >= 5 && argc <= 6 && strcmp(argv[1], "games") == 0; i++)
        if (strcmp(argc == 6 ? argv[5] : "", filmed[i]) == 0)
            return make_games(folder_at(argv[2]), atoi(argv[3]), strtoull(argv[4], NULL, 10), (enum filming)i);
    bool slanted = argc == 6 && strcmp(argv[5], "slanted") == 0, shaken = argc == 6 && strcmp(argv[5], "shaken") == 0;
    if ((argc == 5 || slanted || shaken) && strcmp(argv[1], "marble-games") == 0)
        return make_marble_games(folder_at(argv[2]), atoi(argv[3]), strtoull(argv[4], NULL, 10), slanted, shaken);
    fprintf(stderr, "usage: scene pictures|clips FOLDER [NAME...]\n"
                    "       scene nothing FOLDER COUNT [SEED]\n"
                    "       scene boards FOLDER COUNT SEED [plain]\n"
                    "       scene games FOLDER COUNT SEED [shaken|knocked|broadcast]\n"
                    "       scene marble-games FOLDER COUNT SEED [slanted|shaken]\n");
    return 2;
}
