// SPDX-License-Identifier: MIT
// outputs.h: the files that a command reads and those it will write, held against one another before work begins.
//
// Files are told apart by device and inode, so that a hard link, a symbolic link or another way of writing a path hides
// nothing; a file that is not there yet by its folder and its name in it. Nothing that is read is written, standard
// output and what was redirected into it among it, and no two results get one name: both are refused, for a number
// behind a name would depend on what else happened to be named.
#ifndef RINGSIDE_REFEREE_COMMANDS_OUTPUTS_H
#define RINGSIDE_REFEREE_COMMANDS_OUTPUTS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "calibration/fail.h"
#include "referee/commands/options.h"

struct named_file {
    char *path;
    const char *from;      // written: what it is made of; borrowed. Read: NULL
    bool there, in_folder; // what follows is known
    dev_t device, folder_device;
    ino_t inode, folder_inode;
};

// { 0 } has none. The caller ends with outputs_finish.
struct outputs {
    int count, room;
    struct named_file *file;
};

// What the command line names: operands, --board, --lens, --match, --inputs, --tune, --book, --camera and
// --voice-lines, as far as they are files; and where standard output goes. RS_EINPUT: that is one of them; RS_ENOMEM.
int outputs_options(struct outputs *list, const struct options *o, struct fail *why);

// One more file that is read. RS_E... the same.
int outputs_reads(struct outputs *list, const char *path, struct fail *why);

// A file that will be made of `from`; its folder is cleared of what killed programs left there (atomic_file.h).
// RS_EINPUT when it is a file that is read, or the same as one made of something else, with both names; RS_EIO as
// atomic_file_check, and when nothing can be written into that folder; RS_ENOMEM.
int outputs_writes(struct outputs *list, const char *path, const char *from, struct fail *why);

void outputs_finish(struct outputs *list);

#endif
