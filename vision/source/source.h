// SPDX-License-Identifier: MIT
// source.h: one face for all that give frames: photographs, footage, what watch recorded, cameras, a network's stream.
//
// Times come from the stream itself (container PTS, V4L2 buffer time), or where it has none that can be believed from
// the clock. They never fall. The first frame is at 0 s, but in a recording whose beginning is damaged.
#ifndef RINGSIDE_VISION_SOURCE_SOURCE_H
#define RINGSIDE_VISION_SOURCE_SOURCE_H

#include <stdbool.h>

#include "calibration/atomic_file.h"
#include "calibration/fail.h"
#include "vision/frame.h"

// Seconds. Pieces are followed at 15 pictures a second; one that is missing of those leaves 0.133. Where pictures are
// missing for longer, nobody saw what happened.
#define FRAMES_BRIDGED_S 0.14

struct source_info {
    int width, height;   // of the frames given out, after pixels were made square
    double frames_per_s; // nominal; 0 when unknown
    double duration_s;   // 0 when unknown (camera)
    char name[256];      // file name, or the camera's card name
    char card[32];       // camera: what it calls itself, whole; empty for files
    char bus[96];        // camera: where it is plugged in, or its port and path; empty for files
    char node[256];      // camera: /dev/video0 and the like when it was opened; empty for files
    char mode[400];      // camera: what was agreed with it, in words; empty for files
    bool mode_unwished;  // and that is not what was wished, or too slow for a game
    long dropped;        // frames the source knows it lost so far, or never were recorded in time
    long doubtful;       // frames given out that were decoded from damaged ones
    double lost_s;       // in all so much time of which nothing is known; short_s is not among it
    double short_s; // known at the end: by how much it ended before the time that its header promised; 0: it did not
    double end_s;   // known at the end: so much time before that of which nothing is known, and short_s
};

// What a kind of source does for itself; source.c calls it. Only the kinds look inside a source.
struct source;
struct source_kind {
    int (*next)(struct frame **out, struct source *s, struct fail *why);
    void (*close)(struct source *s); // what the kind added; the source itself is freed for it

    // What a camera can do besides; any thread may call it at any time. NULL: it is no camera.
    void (*hold)(struct source *s);
    bool (*notice)(struct source *s, struct fail *said);
};

// First member of what a kind keeps.
struct source {
    const struct source_kind *kind; // NULL: `first` is all there is
    struct source_info info;
    struct frame *first; // decoded when opened, to be sure that there is one; NULL once it was given out
};

// What is wished from a camera; 0 means "the camera's best".
struct camera_wish {
    int width, height;
    double frames_per_s;
    double board_in;            // diameter of the board that is to be seen; 0: a Crokinole board's
    const char *const *control; // "exposure_time_absolute=80": to be set as long as it is open, so many:
    int controls;
};

struct camera_system;

// Each opens one kind of source. The caller closes *out with source_close, which takes NULL.
// RS_EIO: cannot be read; RS_EINPUT: it is not a picture or video, is cut off or holds no frame; RS_ELIB; RS_ENOMEM.
// photo_begins: it begins like a JPEG or PNG, or photo_open says why that cannot be read. No pipe does, which is read
// only once.
bool photo_begins(const char *path);
int photo_open(struct source **out, const char *path, struct fail *why);   // JPEG or PNG, by content not by name
int footage_open(struct source **out, const char *path, struct fail *why); // a file of a kind that recordings have
// A camera of the system, which is borrowed until the source is closed, by its node (/dev/video0) or by a part of its
// name or plug that only it has; "": the first one. Then RS_EINPUT is for a control that the camera does not have or
// that does not take such a value.
int webcam_open(struct source **out, const struct camera_system *sys, const char *named, const struct camera_wish *wish,
                struct fail *why);

// A folder of segments that were recorded (recorder.h), as one recording with the camera's own times; or one with such
// a folder in it. RS_E... as footage_open.
int recording_open(struct source **out, const char *path, struct fail *why);
int recording_find(char out[ATOMIC_FILE_PATH_MAX], const char *path, struct fail *why); // that folder. RS_E... the same

// A camera in a network, which sends MJPEG or H.264 over HTTP or RTSP (stream.c). What comes too fast is dropped and
// counted; when the connection breaks it is made again. Names and words leave out who logs in, and with which password.
// The first picture is waited for. RS_EIO: none comes; RS_EINPUT: the address is none of a stream; RS_ELIB; RS_ENOMEM.
bool stream_is_address(const char *name);
int stream_open(struct source **out, const char *address, struct fail *why);

enum source_said { SOURCE_ENDED, SOURCE_FRAME, SOURCE_WAITS };

// The next frame: SOURCE_FRAME and *out (the caller frees it with frame_free), SOURCE_ENDED, RS_E... on failure;
// RS_EENDED when a signal asked the program to end (interrupt.h), so that whoever goes through frames ends between two
// of them. SOURCE_WAITS: nothing comes just now, *why says in words for a person why (or nothing yet: too short a
// time), and it may come again; ask again. The frame after that has the time of which nothing is known in lost_s. Only
// what is live waits, and says so at least every half second.
int source_next(struct frame **out, struct source *s, struct fail *why);

// From any thread: the picture is good as it is (the board was found): a camera keeps exposure, gain, white balance and
// focus as they are until it is closed, also when it is plugged in again. Other sources do nothing.
void source_hold_picture(struct source *s);

// From any thread: what a person should know of a camera, each once: true and a sentence in *said->text, the oldest
// first. Ask now and then.
bool source_notice(struct source *s, struct fail *said);

// What is known of the source. Valid until source_close.
const struct source_info *source_info(const struct source *s);
bool source_lost_any(const struct source_info *info); // pictures, or time

// Whether the first frame, where it was decoded when the source was opened, has the bytes it came as: without them
// nothing can be recorded.
bool source_keeps_bytes(const struct source *s);
void source_close(struct source *s);

// For the kinds: gives out a source whose opening came to rc, with its first frame's size if known, or closes it.
int source_opened(struct source **out, struct source *s, int rc);

// For the kinds: puts the last part of a path (or any name) into info.name, cut where it is too long.
void source_set_name(struct source *s, const char *path);

#endif
