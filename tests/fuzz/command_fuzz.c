// SPDX-License-Identifier: MIT
// A command line from a stranger: verbs, flags and values by chance, in a folder with one file of each kind.
//
// The program's main runs here under another name (Makefile). No word names a place outside of the folder.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/commands/verbs.h"
#include "referee/games/games.h"
#include "referee/log.h"
#include "referee/match_setup.h"
#include "tests/fuzz/fuzz.h"

int ringside_main(int argc, char **argv);

enum { WORDS_MAX = 12, RAW_MAX = 24, TOLD_BYTES = 1 << 20 };

static const char match_text[] = "{\"sides\": [{\"name\": \"Anna\", \"colour\": \"black\"}, {\"name\": \"Ben\"}]}\n";
static const char inputs_text[] =
    "{\"t_s\": 0, \"kind\": \"input\", \"by\": \"judge\", \"what\": \"slips\", \"text\": \"\"}\n";

static const char *const words[] = {
    "bundle",
    "calibrate",
    "board",
    "check",
    "lens",
    "target",
    "games",
    "judge",
    "look",
    "record",
    "list",
    "show",
    "correct",
    "export",
    "review",
    "rules",
    "watch",
    "help",
    "--help",
    "-h",
    "--version",
    "--",
    "-",
    "",
    "--board",
    "--board=b.json",
    "--book",
    "--book=r.db",
    "--camera",
    "--camera=missing", // nor demo, which plays a whole game: demo_test does
    "--check",
    "--coverage",
    "--debug-video",
    "--explain",
    "--format",
    "--format=json",
    "--from",
    "--game",
    "--game=crokinole",
    "--game=american-marbles",
    "--game=crokinole-rings",
    "--hint",
    "--hint=box:1,1,40,40",
    "--inputs",
    "--inputs=i.jsonl",
    "--json",
    "--judge",
    "--lens",
    "--lens=l.json",
    "--match",
    "--match=m.json",
    "--no-book",
    "--no-voice",
    "--out",
    "--out=o",
    "--players",
    "--players=Anna,Ben",
    "--quiet",
    "--resume",
    "--side",
    "--side=black=Anna",
    "--size",
    "--size=64x48",
    "--to",
    "--tune",
    "--tune=l.json",
    "--video",
    "p.png",
    "l.jsonl",
    "b.json",
    "l.json",
    "m.json",
    "i.jsonl",
    "r.db",
    "1",
    "0",
    "-1",
    "1e308",
    "nan",
    "csv",
    "text",
    "cmn",
    "log",
    "crokinole",
    "letter",
    "a4",
    "none",
    "shot=1",
    "piece=1",
    "side=Anna",
    "value=4",
    "value=1,2",
    "undo",
    "foul",
    "crokinole-nca",
    "ring-7ft",
    ".",
    "missing",
    "%s%n",
};

static void put(const char *name, const void *bytes, size_t size)
{
    struct fail why;
    fuzz_must(whole_file_write(name, bytes, size, &why) == 0, "there is room for a file");
}

static void put_log(void)
{
    const struct game *game = games_find("crokinole");
    struct log_header h = { .game = "crokinole", .source = "x", .board = *board_builtin(game->board) };
    struct observation o = { .kind = OBS_SEEN,
                             .id = 1,
                             .seen = { PIECE_DISC, "black", false, 1, 0.625, false, { 0 } } };
    struct log_writer *w = NULL;
    struct fail why;
    h.setup = match_setup_usual(game);
    fuzz_must(log_writer_create(&w, "l.jsonl", &h, &why) == 0 && log_write(w, &o, &why) == 0, "a log can be written");
    o = (struct observation){ .kind = OBS_MOVE, .id = 1, .t_s = 1, .move = { MOVED_BY_SHOT, { 11, 0 } } };
    fuzz_must(log_write(w, &o, &why) == 0, "and goes on");
    o = (struct observation){
        .kind = OBS_REST, .id = 1, .t_s = 2, .rest = { { 5, 1 }, { 1e-4, 0, 1e-4 }, ON_SURFACE, 0 }
    };
    fuzz_must(log_write(w, &o, &why) == 0, "and goes on");
    o = (struct observation){ .kind = OBS_STILL, .t_s = 3 };
    fuzz_must(log_write(w, &o, &why) == 0, "and ends");
    log_writer_free(w);
}

static void put_files(void)
{
    struct fail why;
    struct lens l = { .width = 16, .height = 16, .f_px = 20, .centre = { 7.5, 7.5 } };
    put_log();
    fuzz_honest_record("r.db");
    put("m.json", match_text, sizeof match_text - 1);
    put("i.jsonl", inputs_text, sizeof inputs_text - 1);
    fuzz_must(lens_file_write("l.json", &l, 0.5, &why) == 0, "a lens can be written");
    fuzz_must(board_file_write("b.json", board_builtin_at(0), &why) == 0, "a board can be written");
    put("p.png", "\x89PNG\r\n\x1a\n",
        8); // looking for a board takes a second; whatever a picture holds, picture_fuzz.c asks
}

// A word of the table, or one of the bytes' own, in which nothing leads out of the folder.
static char *any_word(struct fuzz_choices *c)
{
    char raw[RAW_MAX + 40] = "";
    uint32_t kind = fuzz_below(c, 256);
    if (kind < countof(words))
        return strdup(words[kind]);
    if (kind % 2) // a flag with a value of the bytes' own
        snprintf(raw, sizeof raw, "%s=", words[fuzz_below(c, countof(words))]);
    size_t used = strlen(raw), length = fuzz_below(c, RAW_MAX);
    for (size_t i = 0; i < length; i++) {
        char letter = (char)fuzz_below(c, 256);
        if (letter == '\0')
            break;
        raw[used++] = letter == '/' ? '_' : letter;
    }
    raw[used] = '\0';
    // A folder that it asks for by the name of our scratch ones would be taken for something left half made.
    bool like_ours = strstr(raw, "ringside-") || strstr(raw, ".part");
    return strdup(strcmp(raw, "..") == 0 || like_ours ? "" : raw);
}

static void read_told(int file, char *text)
{
    ssize_t n = pread(file, text, TOLD_BYTES - 1, 0);
    text[n > 0 ? n : 0] = '\0';
}

static void check_told(const char *out, const char *err, int status)
{
    fuzz_must_be_plain(err, strlen(err));
    fuzz_must_be_plain(out, strlen(out));
    fuzz_must(status >= ENDED_WELL && status <= ENDED_OTHERWISE, "it ends in one of five ways");
    fuzz_must(status == ENDED_WELL || out[0] || err[0], "whoever is refused is told why");
    fuzz_must(status != ENDED_BAD_INPUT || strstr(err, "ringside: ") != NULL, "and by whom");
}

// Runs with its words kept, as a person would run it in this folder.
static void run(int argc, char **argv)
{
    static char out[TOLD_BYTES], err[TOLD_BYTES];
    char out_path[FUZZ_PATH_MAX], err_path[FUZZ_PATH_MAX];
    int kept[3] = { dup(0), dup(1), dup(2) }, nothing = open("/dev/null", O_RDONLY);
    int to_out = fuzz_open(out_path, "", 0), to_err = fuzz_open(err_path, "", 0);
    fflush(stdout);
    dup2(nothing, 0);
    dup2(to_out, 1);
    dup2(to_err, 2);
    int status = ringside_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    clearerr(stdout);
    for (int i = 0; i < 3; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
    read_told(to_out, out);
    read_told(to_err, err);
    close(nothing);
    fuzz_close(to_out);
    fuzz_close(to_err);
    check_told(out, err, status);
}

void fuzz_command(const uint8_t *data, size_t size)
{
    struct fuzz_choices c = { data, data + size };
    char *argv[WORDS_MAX + 4] = { NULL }, *given[WORDS_MAX + 2];
    char here[4096];
    int argc = 0;
    static const char *const given_files[] = { "l.jsonl", "m.json", "i.jsonl", "l.json", "b.json", "p.png", "r.db" };
    fuzz_must(getcwd(here, sizeof here) && chdir(fuzz_folder()) == 0, "the folder is there");
    setenv("TMPDIR", fuzz_folder(), 1);
    setenv("HOME", fuzz_folder(), 1);
    setenv("XDG_DATA_HOME", fuzz_folder(), 1);
    setenv("XDG_CONFIG_HOME", fuzz_folder(), 1);
    setenv("PATH", "", 1);
    setenv("ALSA_CONFIG_PATH", "missing", 1); // no sound card
    put_files();
    argv[argc++] = strdup("ringside");
    for (uint32_t n = 1 + fuzz_below(&c, WORDS_MAX); n > 0 && c.at < c.end; n--)
        argv[argc++] = any_word(&c);
    memcpy(given, argv, (size_t)argc * sizeof *argv);
    run(argc, argv);
    for (int i = 0; i < argc; i++)
        free(given[i]);
    fuzz_must(fuzz_folder_count(".part") == 0 && fuzz_folder_count("ringside-") == 0, "nothing is left half made");
    for (size_t i = 0; i < countof(given_files); i++)
        fuzz_must(access(given_files[i], F_OK) == 0, "nothing is lost of what it was given");
    fuzz_folder_clear();
    fuzz_must(chdir(here) == 0, "the way back is there");
}
