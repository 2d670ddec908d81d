// SPDX-License-Identifier: MIT
#include "referee/rules/amendment.h"

#include <stdlib.h>
#include <string.h>

static bool retracts(const struct amendment *a)
{
    return a->said.input.what == INPUT_RETRACT || a->said.input.what == INPUT_REDO;
}

bool amendments_retract(const struct amendments *list, int number)
{
    for (int i = 0; i < list->count; i++)
        if (list->item[i].in_force && retracts(&list->item[i]) && list->item[i].said.input.input == number)
            return true;
    return false;
}

// From the last one backwards: what retracts one stands behind it.
static void settle(struct amendments *list)
{
    for (int i = 0; i < list->count; i++)
        list->item[i].in_force = true;
    for (int i = list->count - 1; i >= 0; i--) {
        const struct amendment *a = &list->item[i];
        for (int k = 0; k < i && a->in_force && retracts(a); k++)
            if (list->item[k].number == a->said.input.input)
                list->item[k].in_force = false;
    }
}

static int make_room(struct amendments *list, int count, struct fail *why)
{
    if (count <= list->room)
        return 0;
    int room = 2 * count;
    struct amendment *item = realloc(list->item, (size_t)room * sizeof *item);
    if (!item)
        return rs_fail(why, RS_ENOMEM, "no memory for one more correction");
    list->item = item;
    list->room = room;
    return 0;
}

int amendments_add(struct amendments *list, int number, int shot, const struct observation *said, struct fail *why)
{
    int rc = make_room(list, list->count + 1, why);
    if (rc < 0)
        return rc;
    list->item[list->count++] = (struct amendment){ .number = number, .shot = shot, .said = *said };
    settle(list);
    return 0;
}

int amendments_copy(struct amendments *out, const struct amendments *from, int count, struct fail *why)
{
    int rc = make_room(out, count, why);
    if (rc < 0)
        return rc;
    if (count > 0)
        memcpy(out->item, from->item, (size_t)count * sizeof *out->item);
    out->count = count;
    settle(out);
    return 0;
}

void amendments_free(struct amendments *list)
{
    free(list->item);
    *list = (struct amendments){ .count = 0 };
}

const struct amendment *amendments_find(const struct amendments *list, int number)
{
    for (int i = 0; i < list->count; i++)
        if (list->item[i].number == number)
            return &list->item[i];
    return NULL;
}

bool amendments_undo(const struct amendments *list, int shot)
{
    for (int i = 0; i < list->count; i++) {
        const struct amendment *a = &list->item[i];
        if (a->in_force && a->shot == shot && a->said.input.what == INPUT_UNDO)
            return true;
    }
    return false;
}

int amendments_last_undone(const struct amendments *list)
{
    for (int i = list->count - 1; i >= 0; i--) {
        const struct amendment *a = &list->item[i];
        bool undoes = a->said.input.what == INPUT_UNDO || a->said.input.what == INPUT_RETRACT;
        if (a->in_force && undoes)
            return a->number;
    }
    return 0;
}
