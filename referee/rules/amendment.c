// SPDX-License-Identifier: MIT
#include "referee/rules/amendment.h"

#include <stddef.h>

static bool retracts(const struct amendment *a)
{
    return a->said.input.what == INPUT_RETRACT || a->said.input.what == INPUT_REDO;
}

int amendments_retracted_by(const struct amendments *list, int number)
{
    for (int i = list->count - 1; i >= 0; i--)
        if (list->item[i].in_force && retracts(&list->item[i]) && list->item[i].said.input.input == number)
            return list->item[i].number;
    return 0;
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

bool amendments_add(struct amendments *list, int number, int shot, const struct observation *said)
{
    if (list->count == AMENDMENTS_MAX)
        return false;
    list->item[list->count++] = (struct amendment){ .number = number, .shot = shot, .said = *said };
    settle(list);
    return true;
}

void amendments_forget_shot(struct amendments *list, int shot, int inputs)
{
    for (int i = 0; i < list->count; i++)
        if (list->item[i].shot == shot && list->item[i].number <= inputs)
            list->item[i].shot = 0;
}

void amendments_drop_last(struct amendments *list)
{
    if (list->count > 0)
        list->count--;
    settle(list);
}

const struct amendment *amendments_find(const struct amendments *list, int number)
{
    for (int i = 0; i < list->count; i++)
        if (list->item[i].number == number)
            return &list->item[i];
    return NULL;
}

bool amendments_confirmed(const struct amendments *list, int shot, int inputs)
{
    for (int i = 0; i < list->count; i++) {
        const struct amendment *a = &list->item[i];
        if (a->in_force && a->shot == shot && a->number > inputs && a->said.input.what == INPUT_CONFIRM)
            return true;
    }
    return false;
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
