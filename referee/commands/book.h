// SPDX-License-Identifier: MIT
// book.h: the record of a command line: where it is, and which of its matches is meant.
#ifndef RINGSIDE_REFEREE_COMMANDS_BOOK_H
#define RINGSIDE_REFEREE_COMMANDS_BOOK_H

#include "referee/commands/options.h"
#include "referee/record_read.h"

// What --book names, usually $XDG_DATA_HOME/ringside/record.db (~/.local/share/ringside/record.db), whose folder is
// made. To be closed with record_close. RS_EINPUT: neither XDG_DATA_HOME nor HOME says where; RS_E... as record_open.
int book_open(struct record **out, const struct options *o, enum record_use use, struct fail *why);

// The record, to be read, and the match whose number is the first operand; without one the last. RS_EINPUT when that is
// no number, or there is none; the caller ends with record_close in any case.
int book_open_match(struct record **out, struct kept_match *m, const struct options *o, struct fail *why);

// By what the record knows footage: a film, or a folder of what watch recorded (recording_find). RS_EIO when it is not
// there, RS_ENOMEM, RS_EINPUT as recording_find.
int book_footage(struct kept_footage *out, const char *path, struct fail *why);

// Whether the match that is to go on has that footage already, all of it or the part at which it was cut short: it
// would count twice. RS_EINPUT, with `how` behind it.
int book_refuse_twice(struct record *r, long match, const struct kept_footage *footage, const char *how,
                      struct fail *why);

// A film that plays a camera is footage, the sample game too (`demo`): from now on the record has it with what is
// played, and borrows *out. RS_E... as both above, where it is in the match `resumed` (0: none) already.
int book_take_film(struct kept_footage *out, struct record *r, const struct options *o, bool demo, long resumed,
                   struct fail *why);

// For a match that is played now: the record that it is kept in, NULL where none is: `kept` says whether it is usually,
// --book, --no-book and --resume what is asked for. With --resume *match is the number of the one that goes on, named
// by the operand behind the first `operands`, or the last; where that has ended, and an operand is footage, the last
// one of that footage that was cut short, if there is one. *o gets its game. Otherwise 0. RS_EINPUT when another game,
// or other sides, are asked for.
int book_begin(struct record **out, long *match, struct options *o, int operands, bool kept, struct fail *why);

#endif
