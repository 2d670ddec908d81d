// SPDX-License-Identifier: MIT
// record_rows.h: what an observation brought, as rows of the record's tables, of the match that is written (record.h).
#ifndef RINGSIDE_REFEREE_RECORD_ROWS_H
#define RINGSIDE_REFEREE_RECORD_ROWS_H

#include "referee/record_db.h"
#include "referee/rules/match.h"

// All of them within a transaction. RS_E... as record_query; RS_EINPUT as record_told.
int record_add_input(struct record *r, const struct observation *o, struct fail *why);
int record_add_call(struct record *r, const struct call *c, struct fail *why);
int record_add_shot(struct record *r, const struct match *m, const struct ruling *ruling, struct fail *why);
int record_set_standing(struct record *r, const struct match *m, struct fail *why);

// Whether all was put into words, `told` as far as anybody saw. RS_ENOMEM, RS_EINPUT.
int record_told(bool told, struct fail *why);

#endif
