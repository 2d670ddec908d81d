// SPDX-License-Identifier: MIT
#include "referee/record_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibration/json_memory.h"
#include "referee/announce/json.h"
#include "referee/rules/input.h"

int record_told(bool told, struct fail *why)
{
    int rc = json_memory_check("the record", why);
    return rc < 0 || told ? rc : rs_fail(why, RS_EINPUT, "the record: a number is not finite, or a text is not UTF-8");
}

static struct cell cell_named(int number) // NULL where none is named
{
    return number ? cell_number(number) : cell_text(NULL);
}

int record_add_input(struct record *r, const struct observation *o, struct fail *why)
{
    char now[RECORD_TIME_MAX], value[64];
    record_time(now);
    snprintf(value, sizeof value, "%.17g,%.17g", o->input.value[0], o->input.value[1]);
    return record_put(r,
                      "INSERT INTO inputs (match, input, observation, t_s, by, word, shot, piece, about, side, value,"
                      " text, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      CELLS(cell_number(r->match), cell_number(++r->inputs), cell_number(r->observation),
                            cell_real(o->t_s), cell_text(o->input.by), cell_text(input_word(o)),
                            cell_named(o->input.shot), cell_named(o->input.piece), cell_named(o->input.input),
                            cell_text(o->input.side[0] ? o->input.side : NULL),
                            cell_text(o->input.has_value ? value : NULL), cell_text(o->input.text), cell_text(now)),
                      why);
}

int record_add_call(struct record *r, const struct call *c, struct fail *why)
{
    static const char *const changes[] = {
        [CALL_MADE] = "made", [CALL_WITHDRAWN] = "withdrawn", [CALL_INSTEAD] = "instead"
    };
    char zone[ZONE_WORD_MAX];
    zone_word(zone, &c->zone);
    return record_put(
        r,
        "INSERT INTO calls (match, observation, part, t_s, shot, rule, what, side, piece, zone, margin_in,"
        " sigma_in, firm, text, change, input) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        CELLS(cell_number(r->match), cell_number(r->observation), cell_number(++r->part), cell_real(c->t_s),
              cell_number(c->shot), cell_text(c->rule), cell_text(c->what), cell_text(c->side[0] ? c->side : NULL),
              cell_named(c->piece), cell_text(zone[0] ? zone : NULL),
              cell_real(c->measured ? c->zone.verdict.margin_in : NAN),
              cell_real(c->measured ? c->zone.verdict.sigma_in : NAN), cell_number(c->firm), cell_text(c->text),
              cell_text(changes[c->change]), cell_named(c->input)),
        why);
}

int record_add_shot(struct record *r, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    char *event = json_text(json_shot(m, ruling));
    int rc = record_told(event != NULL, why);
    if (rc == 0)
        rc = record_put(r,
                        "INSERT INTO shots (match, observation, part, shot, by, start_s, rest_s, event)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        CELLS(cell_number(r->match), cell_number(r->observation), cell_number(++r->part),
                              cell_number(m->shot.number), cell_text(m->shot.by), cell_real(m->shot.start_s),
                              cell_real(m->shot.rest_s), cell_text(event)),
                        why);
    free(event);
    return rc;
}

int record_set_standing(struct record *r, const struct match *m, struct fail *why)
{
    char *standing = json_text(standing_json(m));
    int rc = record_told(standing != NULL, why);
    if (rc == 0)
        rc = record_put(r, "UPDATE matches SET standing = ? WHERE match = ?",
                        CELLS(cell_text(standing), cell_number(r->match)), why);
    free(standing);
    for (int i = 0; i < m->now.sides; i++) {
        const struct seat *seat = &m->now.side[i].seat;
        const char *name = standing_name(&m->now, i), *colour = seat->colour[0] ? seat->colour : NULL;
        for (int k = 0; k < PLAYERS_MAX && rc == 0 && (k == 0 || seat->player[k][0]); k++)
            rc = record_put(r,
                            "INSERT OR REPLACE INTO players (match, side, place, name, side_name, colour)"
                            " VALUES (?, ?, ?, ?, ?, ?)",
                            CELLS(cell_number(r->match), cell_number(i), cell_number(k),
                                  cell_text(seat->player[k][0] ? seat->player[k] : name), cell_text(name),
                                  cell_text(colour)),
                            why);
    }
    return rc;
}
