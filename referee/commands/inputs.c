// SPDX-License-Identifier: MIT
#include "referee/commands/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static void add(struct inputs *in, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char **path = realloc(in->path, (size_t)(in->count + 1) * sizeof *path), *text = malloc(size);
    if (!path || !text)
        abort();
    snprintf(text, size, "%s%s%s", folder, folder[0] ? "/" : "", name);
    in->path = path;
    in->path[in->count++] = text;
}

static int is_picture(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || e->d_name[0] == '.' || strstr(e->d_name, ".ringside."))
        return 0;
    return strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 || strcasecmp(dot, ".png") == 0;
}

static int add_folder(struct inputs *in, const char *folder, struct fail *why)
{
    struct dirent **list = NULL;
    int n = scandir(folder, &list, is_picture, alphasort);
    if (n < 0)
        return rs_fail(why, RS_EIO, "cannot read the folder %.300s: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        add(in, folder, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return n > 0 ? 0 : rs_fail(why, RS_EINPUT, "no .jpg, .jpeg or .png in the folder %.300s", folder);
}

int inputs_find(struct inputs *out, char **operand, int operands, struct fail *why)
{
    int rc = 0;
    *out = (struct inputs){ 0, NULL };
    for (int i = 0; i < operands && rc == 0; i++) {
        struct stat st;
        if (stat(operand[i], &st) == 0 && S_ISDIR(st.st_mode))
            rc = add_folder(out, operand[i], why);
        else
            add(out, "", operand[i]);
    }
    return rc;
}

void inputs_finish(struct inputs *in)
{
    for (int i = 0; i < in->count; i++)
        free(in->path[i]);
    free(in->path);
    *in = (struct inputs){ 0, NULL };
}
