// SPDX-License-Identifier: MIT
// container.h: the file that a recording is in, opened with FFmpeg; for the files of this folder that read recordings.
#ifndef RINGSIDE_VISION_SOURCE_CONTAINER_H
#define RINGSIDE_VISION_SOURCE_CONTAINER_H

#include <stdbool.h>

#include <libavformat/avformat.h>

#include "calibration/fail.h"

// Opens the file and picks the stream of its picture, the only one whose packets will be read. The caller ends with
// avformat_close_input(in), which takes a pointer to NULL, also after a failure. RS_EIO when it cannot be read;
// RS_EINPUT when it is not a video or there is no picture in it; RS_ENOMEM.
int container_open(AVFormatContext **in, AVStream **stream, const char *path, struct fail *why);

// Whether one of FFmpeg's codes says that the system failed or has no memory, and nothing about what was read.
bool container_system_failed(int code);

// The code of a call before which errno was set to 0, but AVERROR(ENOMEM) wherever this thread was refused memory
// meanwhile: some decoders take that for damage or leave out a slice, some muxers the index, and say nothing.
int container_result(int code);

// RS_ENOMEM where one of FFmpeg's codes says that there is no memory, else `otherwise`.
int container_code(int code, int otherwise);

#endif
