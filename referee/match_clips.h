// SPDX-License-Identifier: MIT
// match_clips.h: the clips of one match among the files of a folder: which name says so, and what a page calls them.
#ifndef RINGSIDE_REFEREE_MATCH_CLIPS_H
#define RINGSIDE_REFEREE_MATCH_CLIPS_H

#include <stdbool.h>

#include "referee/record_read.h"

enum {
    MATCH_CLIPS_NAME_MAX = 32,
    MATCH_CLIPS_MAX = 4096,             // of one match; more than anybody looks at
    MATCH_CLIPS_EMBED_BYTES = 16000000, // a page that most mail takes, some forty clips
};

// The part of a clip's name that says of which match it is: "-match-1a2b3c4d", by its id, which no two records share.
void match_clips_name(char out[MATCH_CLIPS_NAME_MAX], const struct kept_match *m);

struct match_clip {
    int shot;
    char *url;     // of NAME.mp4, relative to the page's folder, as in an attribute of HTML but for what that escapes
    char *picture; // of NAME.jpg; NULL: there is none
    char *path;    // of NAME.mp4, whole
};

// All zero: none.
struct match_clips {
    int count, room;
    bool embedded;           // url and picture are no way to the files but hold them
    double bytes;            // of all, with their pictures
    struct match_clip *clip; // by their names
};

// Those of `m` in `folder`, for a page at `page`. The caller ends with match_clips_finish. RS_EIO when either folder
// cannot be read; RS_EINPUT when there are more than MATCH_CLIPS_MAX; RS_ENOMEM.
int match_clips_find(struct match_clips *out, const struct kept_match *m, const char *folder, const char *page,
                     struct fail *why);

// From now on url and picture hold the files themselves ("data:video/mp4;base64,..."), so that one file is the whole
// page; of more than MATCH_CLIPS_EMBED_BYTES they stay as they are. RS_EIO when one cannot be read; RS_EINPUT when it
// is empty; RS_ENOMEM.
int match_clips_embed(struct match_clips *c, struct fail *why);
void match_clips_finish(struct match_clips *c);

#endif
