// SPDX-License-Identifier: MIT
#include "referee/commands/bundle_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "calibration/atomic_file.h"
#include "calibration/json_file.h"
#include "calibration/units.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"

#define MANIFEST "bundle.json"
#define SCRATCH "ringside-bundle-" // and the process, and what mkdtemp puts behind it

enum { BUNDLE_VERSION = 1, CHUNK_BYTES = 1 << 16 };

static const char *const frames[] = { "frames.mov", "frames.mkv", "frames.nut", BUNDLE_PHOTO };

// In the order in which they are packed: the last one shows that nothing was cut off.
static const char *const members[] = { MANIFEST,     BUNDLE_BOARD, BUNDLE_LENS, "frames.mov", "frames.mkv",
                                       "frames.nut", BUNDLE_PHOTO, BUNDLE_LOG,  BUNDLE_CALLS };

#define AT(member) offsetof(struct bundle, member)
#define TEXT(name, member) name, JSON_TEXT, AT(member), .count = sizeof((struct bundle *)0)->member

static const struct json_field manifest_fields[] = {
    { TEXT("version", version) },
    { TEXT("game", game) },
    { TEXT("frames", frames) },
    { "from_s", JSON_LENGTH, AT(from_s), .high = 1e9 },
    { "to_s", JSON_LENGTH, AT(to_s), .high = 1e9 },
    { "without_board", JSON_YES_NO, .offset = AT(without_board) },
    { TEXT("said", said) },
};

const char *bundle_path(char path[BUNDLE_PATH_MAX], const char *folder, const char *name)
{
    snprintf(path, BUNDLE_PATH_MAX, "%s/%s", folder, name);
    return path;
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Only by the names of members: a folder with anything else in it stays.
static void remove_scratch(const char *path, int folder)
{
    char again[64];
    for (size_t i = 0; i < countof(members); i++) {
        snprintf(again, sizeof again, "%s%s", BUNDLE_AGAIN, members[i]);
        unlinkat(folder, members[i], 0);
        unlinkat(folder, again, 0);
    }
    close(folder);
    rmdir(path);
}

static void clear_scratch(const char *where)
{
    char path[BUNDLE_PATH_MAX];
    DIR *d = opendir(where);
    for (struct dirent *e; d && (e = readdir(d));) {
        int pid = 0, end = 0;
        if (sscanf(e->d_name, SCRATCH "%9d-%*6[a-zA-Z0-9]%n", &pid, &end) != 1 || end == 0 || e->d_name[end])
            continue;
        int folder = open_folder(bundle_path(path, where, e->d_name));
        if (folder >= 0 && atomic_file_is_abandoned(folder, pid)) {
            atomic_file_clear(path);
            remove_scratch(path, folder);
        } else if (folder >= 0)
            close(folder);
    }
    if (d)
        closedir(d);
}

int bundle_scratch_make(struct bundle_scratch *out, struct fail *why)
{
    const char *told = getenv("TMPDIR"), *where = told && told[0] ? told : "/tmp";
    clear_scratch(where);
    snprintf(out->path, sizeof out->path, "%.3000s/" SCRATCH "%ld-XXXXXX", where, (long)getpid());
    bool made = mkdtemp(out->path) != NULL;
    out->folder = made ? open_folder(out->path) : -1;
    if (out->folder >= 0) {
        flock(out->folder, LOCK_EX | LOCK_NB);
        return 0;
    }
    rs_fail(why, RS_EIO, "cannot make the folder %.300s: %s", out->path, strerror(errno));
    if (made)
        rmdir(out->path);
    return RS_EIO;
}

void bundle_scratch_remove(struct bundle_scratch *s)
{
    remove_scratch(s->path, s->folder);
}

static int archive_fail(struct fail *why, int code, const char *path, const char *what, struct archive *a)
{
    // Of a file that cannot be written its words name the one that is not there yet: the system's own say enough.
    const char *words = code == RS_EIO && archive_errno(a) > 0 ? strerror(archive_errno(a)) : archive_error_string(a);
    return rs_fail(why, archive_errno(a) == ENOMEM ? RS_ENOMEM : code, "%.300s: %s%s%s", path, what, words ? ": " : "",
                   words ? words : "");
}

// Owner, group and date are nobody's business, and without them the same bundle is the same bytes.
static int add_member(struct archive *a, const char *folder, const char *name, const char *path, struct fail *why)
{
    char from[BUNDLE_PATH_MAX], chunk[CHUNK_BYTES];
    struct stat st;
    FILE *in = fopen(bundle_path(from, folder, name), "rb");
    if (!in || fstat(fileno(in), &st) != 0) {
        if (in)
            fclose(in);
        return rs_fail(why, RS_EIO, "cannot read %.300s: %s", from, strerror(errno));
    }
    struct archive_entry *e = archive_entry_new();
    if (!e) {
        fclose(in);
        return rs_fail(why, RS_ENOMEM, "no memory for %.300s", path);
    }
    archive_entry_set_pathname(e, name);
    archive_entry_set_size(e, st.st_size);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_mtime(e, 0, 0);
    bool written = archive_write_header(a, e) == ARCHIVE_OK;
    for (size_t n; written && (n = fread(chunk, 1, sizeof chunk, in)) > 0;)
        written = archive_write_data(a, chunk, n) == (la_ssize_t)n;
    int rc = 0;
    if (!written)
        rc = archive_fail(why, RS_EIO, path, "cannot be written", a);
    else if (ferror(in))
        rc = rs_fail(why, RS_EIO, "cannot read back what goes into %.300s", path);
    archive_entry_free(e);
    fclose(in);
    return rc;
}

int bundle_pack(const char *path, const char *folder, const struct bundle *b, struct fail *why)
{
    char member[BUNDLE_PATH_MAX];
    struct atomic_file f = { .fd = -1 };
    struct archive *a = archive_write_new();
    if (!a)
        return rs_fail(why, RS_ENOMEM, "no memory for %.300s", path);
    json_t *match = b->match.format.players > 0 ? match_setup_to_json(&b->match) : NULL; // a log has its own
    json_t *o = json_pack("{s:i, s:o*}", "ringside_bundle", BUNDLE_VERSION, "match", match);
    int rc = json_fields_write(o, b, manifest_fields, countof(manifest_fields)) == 0
                 ? json_file_write(bundle_path(member, folder, MANIFEST), o, why)
                 : rs_fail(why, RS_EINPUT, "a name that is not UTF-8 cannot be put into a bundle");
    json_decref(o);
    if (rc == 0 &&
        (archive_write_set_format_pax_restricted(a) != ARCHIVE_OK || archive_write_add_filter_none(a) != ARCHIVE_OK))
        rc = archive_fail(why, RS_ELIB, path, "libarchive cannot make it", a);
    if (rc == 0)
        rc = atomic_file_begin(&f, path, why);
    if (rc == 0 && archive_write_open_fd(a, f.fd) != ARCHIVE_OK)
        rc = archive_fail(why, RS_EIO, path, "cannot be written", a);
    for (size_t i = 0; i < countof(members) && rc == 0; i++)
        if (access(bundle_path(member, folder, members[i]), F_OK) == 0)
            rc = add_member(a, folder, members[i], path, why);
    if (rc == 0 && archive_write_close(a) != ARCHIVE_OK) // a full disk may be told only here
        rc = archive_fail(why, RS_EIO, path, "cannot be written", a);
    archive_write_free(a);
    if (rc == 0)
        rc = atomic_file_finish(&f, why);
    atomic_file_drop(&f);
    return rc;
}

static bool is_one_of(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

// Plain files under their own names, nothing else: no folder, no link, no way out of the folder. A tar archive packs
// nothing: whatever becomes longer than the archive, `most` bytes, was meant to fill the disk.
static int unpack_member(struct archive *a, struct archive_entry *e, const char *folder, long long most,
                         const char *path, struct fail *why)
{
    char to[BUNDLE_PATH_MAX], name[64];
    const char *given = archive_entry_pathname(e);
    const void *block;
    size_t size;
    la_int64_t at, written = 0;
    snprintf(name, sizeof name, "%s", given ? given : "");
    if (!given || !is_one_of(members, countof(members), given))
        return rs_fail(why, RS_EINPUT, "%.300s holds \"%s\", which no bundle does: it is not unpacked", path, name);
    if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e) || archive_entry_symlink(e))
        return rs_fail(why, RS_EINPUT, "%.300s: %s in it is not a plain file: it is not unpacked", path, name);
    if (!archive_entry_size_is_set(e) || archive_entry_size(e) < 0 || archive_entry_size(e) > most)
        return rs_fail(why, RS_EINPUT, "%.300s: %s in it claims to be larger than the bundle; it is damaged or cut off",
                       path, name);
    int fd = open(bundle_path(to, folder, given), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), rc = 0, read;
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!out && errno == EEXIST)
        return rs_fail(why, RS_EINPUT, "%.300s holds %s twice: it is not unpacked", path, name);
    if (!out)
        return rs_fail(why, RS_EIO, "cannot unpack %.300s: %s", path, strerror(errno));
    while (rc == 0 && (read = archive_read_data_block(a, &block, &size, &at)) != ARCHIVE_EOF) {
        if (read != ARCHIVE_OK)
            rc = archive_fail(why, RS_EINPUT, path, "the bundle is damaged or cut off", a);
        else if (at != written || (long long)size > most - written)
            rc = rs_fail(why, RS_EINPUT, "%.300s: a file in it has holes or no end: it is not unpacked", path);
        else if (fwrite(block, 1, size, out) != size)
            rc = rs_fail(why, RS_EIO, "cannot unpack %.300s: %s", path, strerror(errno));
        written += (la_int64_t)size;
    }
    if (fclose(out) != 0 && rc == 0)
        rc = rs_fail(why, RS_EIO, "cannot unpack %.300s: %s", path, strerror(errno));
    return rc;
}

static int read_fields(struct bundle *b, const json_t *o, struct fail *why)
{
    int rc = json_version_check(o, "ringside_bundle", BUNDLE_VERSION, why);
    if (rc == 0)
        rc = json_fields_read(b, o, manifest_fields, countof(manifest_fields), why);
    const json_t *match = json_object_get(o, "match"),
                 *colours = json_object_get(o, "players"); // as older ones have it
    b->match = match_setup_usual(games_find(b->game));
    if (rc == 0 && match)
        rc = match_setup_from_json(&b->match, match, games_find(b->game), why);
    else if (rc == 0 && colours)
        rc = match_setup_from_colours(&b->match, colours, games_find(b->game), why);
    return rc;
}

static int need(const char *folder, const char *name, const char *path, struct fail *why)
{
    char member[BUNDLE_PATH_MAX];
    if (access(bundle_path(member, folder, name), F_OK) == 0)
        return 0;
    return rs_fail(why, RS_EINPUT, "%.300s: %s is missing: the bundle is cut off, or none", path, name);
}

int bundle_unpack(struct bundle *out, const char *folder, const char *path, struct fail *why)
{
    char manifest[BUNDLE_PATH_MAX];
    json_t *o = NULL;
    struct fail cause;
    struct archive_entry *e;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) // a pipe would be waited for
        return rs_fail(why, RS_EINPUT, "%.300s is not a file", path);
    FILE *in = fopen(path, "rb");
    if (!in)
        return rs_fail(why, RS_EIO, "%.300s: %s", path, strerror(errno));
    struct archive *a = archive_read_new();
    int rc = a ? 0 : rs_fail(why, RS_ENOMEM, "no memory for %.300s", path), header = ARCHIVE_OK;
    if (rc == 0) {
        archive_read_support_format_tar(a);
        header = archive_read_open_FILE(a, in);
    }
    while (rc == 0 && header == ARCHIVE_OK && (header = archive_read_next_header(a, &e)) == ARCHIVE_OK)
        rc = unpack_member(a, e, folder, st.st_size, path, why);
    if (ferror(in)) // which libarchive takes for the end
        rc = rs_fail(why, RS_EIO, "%.300s: reading broke off", path);
    else if (rc == 0 && header != ARCHIVE_EOF)
        rc = archive_fail(why, RS_EINPUT, path, "not a bundle, damaged or cut off", a);
    archive_read_free(a);
    fclose(in);
    if (rc == 0)
        rc = need(folder, MANIFEST, path, why);
    if (rc < 0)
        return rc;
    *out = (struct bundle){ .game = "" };
    rc = json_file_read(&o, bundle_path(manifest, folder, MANIFEST), &cause);
    if (rc == 0)
        rc = read_fields(out, o, &cause);
    json_decref(o);
    if (rc < 0)
        return rs_fail(why, rc, "%.200s: %s: %.200s", path, MANIFEST, cause.text);
    if (out->frames[0] && !is_one_of(frames, countof(frames), out->frames))
        return rs_fail(why, RS_EINPUT,
                       "%.200s: %s: \"frames\" is \"%s\"; that is no name of a picture or recording in a bundle", path,
                       MANIFEST, out->frames);
    if (out->frames[0])
        rc = need(folder, out->frames, path, why);
    if (rc == 0 && out->frames[0])
        rc = need(folder, BUNDLE_BOARD, path, why);
    if (rc == 0 && (!out->frames[0] || (!out->without_board && strcmp(out->frames, BUNDLE_PHOTO) != 0)))
        rc = need(folder, BUNDLE_LOG, path, why);
    return rc == 0 ? need(folder, BUNDLE_CALLS, path, why) : rc;
}
