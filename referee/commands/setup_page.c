// SPDX-License-Identifier: MIT
#include "referee/commands/setup_page.h"

#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/clock.h"
#include "calibration/foreign.h"
#include "calibration/json_memory.h"
#include "referee/announce/json.h"
#include "referee/commands/cameras.h"
#include "referee/commands/device.h"
#include "referee/commands/view_words.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "vision/quality.h"

enum {
    LINE_POINTS = 180,    // of a circle: at a thousand pixels' radius a chord lies within 0.2 of it
    LOOKED_AT_DIGITS = 5, // a tenth of a pixel is enough to look at
};

// Asking wakes cameras that sleep, which takes them a while.
static const double LIST_EVERY_S = 5;

// Where the picture shows a line of the board, in its pixels: one list of points for each part that can be seen.
static void append_curve(json_t *lines, const struct camera *c, const struct pt3_in *curve, int n)
{
    json_t *run = NULL;
    for (int i = 0; i < n; i++) {
        struct pt_px at;
        bool seen = camera_project(&at, c, curve[i]);
        if (seen && !run)
            json_array_append_new(lines, run = json_array());
        if (seen)
            json_array_append_new(run, json_pack("[f, f]", at.u, at.v));
        else
            run = NULL;
    }
}

// Each point through the camera's lens: what is straight on the board need not be so in the picture.
static json_t *lines_json(const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    struct pt3_in curve[LINE_POINTS + 1];
    json_t *lines = json_array();
    for (int i = 0; i <= b->circles; i++) {
        bool hole = i == b->circles;
        for (int k = 0; k <= LINE_POINTS; k++) {
            double angle = 2 * PI * k / LINE_POINTS;
            curve[k] = surface_polar(hole ? b->hole_radius_in
                                          : board_line_middle_in(b, i) +
                                                board_line_deviation_in(b->line_deviation_in[i], angle),
                                     angle);
        }
        if (!hole || b->hole_radius_in > 0)
            append_curve(lines, &pose->camera, curve, LINE_POINTS + 1);
    }
    for (int i = 0; i < 4 && b->quadrant_lines && b->circles > 1; i++) {
        double inner = board_line_middle_in(b, 1), outer = board_line_middle_in(b, 0);
        for (int k = 0; k <= LINE_POINTS; k++)
            curve[k] = surface_polar(inner + (outer - inner) * k / LINE_POINTS, i * PI / 2);
        append_curve(lines, &pose->camera, curve, LINE_POINTS + 1);
    }
    return lines;
}

// The board as it is seen, how far its calls can be trusted, and what would better that.
static json_t *view_json(const struct setup_page_view *v)
{
    const struct board_pose *pose = &v->now->pose;
    struct view_quality q;
    struct fail refused = { .text = "" };
    char words[VIEW_WORDS_MAX], advice[QUALITY_ADVICE_MAX][QUALITY_WORDS_MAX],
        limits[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX];
    if (!pose->found)
        return json_null();
    quality_of(&q, pose);
    view_words(words, pose, v->setup);
    quality_suffices(pose, &refused);
    int advices = quality_advise(advice, &q, pose), limited = quality_limits(limits, &q, pose);
    return json_pack("{s:s, s:s#, s:f, s:s, s:f, s:f, s:f, s:o, s:o, s:o}", "words", words, "grade", &q.grade, 1,
                     "close_share", q.close_share, "refused", refused.text, "px_per_in", q.px_per_in_least, "piece_px",
                     q.piece_px, "tilt_deg", q.tilt_rad * 180 / PI, "advice", json_words(advice, advices), "limits",
                     json_words(limits, limited), "lines", lines_json(pose));
}

// As it is agreed now: with the names and colours that the sides have by now.
static struct match_setup match_now(const struct setup_page_view *v)
{
    const struct standing *now = &v->playback->adjudication.match.now;
    struct match_setup m = v->playback->begun ? v->playback->adjudication.setup : v->setup->match;
    for (int i = 0; v->playback->begun && i < now->sides; i++)
        m.seat[i] = now->side[i].seat;
    m.seats = v->playback->begun ? now->sides : m.seats;
    return m;
}

static json_t *formats_json(const struct game *game)
{
    json_t *formats = json_array();
    for (int i = 0; i < game->format_count; i++) {
        const struct format *f = &game->formats[i];
        json_array_append_new(formats,
                              json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", f->name, "players", f->players,
                                        "pieces_each", f->pieces_each, "rounds", f->rounds, "target", f->target));
    }
    return formats;
}

static bool judge_permits(const struct game *game)
{
    return board_builtin(game->board)->kind == BOARD_RING;
}

static json_t *games_json(void)
{
    json_t *games = json_array();
    const struct game *game;
    for (int i = 0; (game = games_at(i)); i++)
        json_array_append_new(games, json_pack("{s:s, s:s, s:b, s:o}", "name", game->name, "title", game->title,
                                               "judge_permits", judge_permits(game), "formats", formats_json(game)));
    return games;
}

static json_t *setup_page_json(struct setup_page *s, const struct setup_page_view *v)
{
    const struct game *game = v->setup->game;
    struct source_info source = *v->source; // its words may be anything
    const struct camera_wish wish = device_wish(v->options);
    const struct match_setup match = match_now(v);
    if (!s->cameras || clock_s() - s->listed_s > LIST_EVERY_S) {
        json_decref(s->cameras);
        s->cameras = cameras_json(&camera_system_own, &wish);
        s->listed_s = clock_s();
    }
    foreign_make_plain(source.name);
    foreign_make_plain(source.mode);
    json_t *camera =
        json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:b, s:b}", "name", source.name, "device", source.node, "mode",
                  source.mode, "width", source.width, "height", source.height, "lens_kept", v->setup->lens_is_saved,
                  "board_kept", v->setup->board_is_saved, "hint_kept", v->setup->hint_is_saved);
    bool begun = v->playback->begun;
    return json_pack("{s:i, s:s?, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:i, s:b, s:s, s:o}", "ringside",
                     JSON_VERSION, "game", s->asks_game ? NULL : game->name, "title", game->title, "judge_permits",
                     judge_permits(game), "camera", camera, "cameras", json_incref(s->cameras), "view",
                     s->asks_game ? json_null() : view_json(v), "formats", formats_json(game), "match",
                     match_setup_to_json(&match), "begun", begun, "shots",
                     begun ? v->playback->adjudication.match.shot.number : 0, "kept", v->playback->record != NULL,
                     "refused", s->refused.text, "games", games_json());
}

// The camera that is wished; NULL: as it is, for which the page has no node where an address or a film plays it.
static const char *wished_camera(const json_t *wish)
{
    const char *camera = json_string_value(json_object_get(wish, "camera"));
    return camera && camera[0] ? camera : NULL;
}

// A camera that is there, by its node; a film or an address is named on the command line alone.
static int read_camera(struct setup_page *out, const json_t *wish, struct fail *why)
{
    const char *camera = wished_camera(wish);
    const json_t *size = json_object_get(wish, "size"), *rate = json_object_get(wish, "rate");
    if (camera && stream_is_address(camera)) // which is not told again: a password may stand in it
        return rs_fail(why, RS_EINPUT,
                       "camera: an address is named where the watch is begun, with --camera; here those that are "
                       "plugged in can be chosen");
    struct camera_node *node = camera ? malloc(CAMERA_NODES_MAX * sizeof *node) : NULL;
    if (camera && !node)
        return rs_fail(why, RS_ENOMEM, "no memory for a list of cameras");
    int count = camera ? camera_nodes_list(node, &camera_system_own) : 0, i = 0;
    while (i < count && strcmp(node[i].path, camera) != 0)
        i++;
    if (i < count)
        snprintf(out->camera, sizeof out->camera, "%s", camera);
    free(node);
    if (camera && i == count)
        return rs_fail(why, RS_EINPUT, "camera: there is none at %.80s; plug it in, or choose another", camera);
    json_int_t width = json_integer_value(json_array_get(size, 0)),
               height = json_integer_value(json_array_get(size, 1));
    double per_s = json_number_value(rate);
    if (size && (width < 16 || height < 16 || width > 16384 || height > 16384))
        return rs_fail(why, RS_EINPUT, "size: write it as [1280, 720], each side from 16 to 16384");
    if (rate && !(per_s >= 1 && per_s <= 1000))
        return rs_fail(why, RS_EINPUT, "rate: pictures a second, from 1 to 1000");
    out->size = size     ? (struct wished_size){ (int)width, (int)height }
                : camera ? (struct wished_size){ 0, 0 }
                         : out->size;
    out->rate = rate ? per_s : camera ? 0 : out->rate;
    return 0;
}

// The game that is wished, and whether it is another than now.
static int read_game(const struct game **out, bool *other, const json_t *wish, const struct setup_page_view *v,
                     struct fail *why)
{
    const json_t *named = json_object_get(wish, "game");
    const char *name = json_string_value(named);
    *out = !named ? v->setup->game : name ? games_find(name) : NULL;
    if (!*out)
        return rs_fail(why, RS_EINPUT, "game: there is none called %.40s", name ? name : "so");
    *other = *out != v->setup->game;
    return *other && v->options->board ? match_setup_fits(*out, &v->setup->board, why) : 0; // --board is of one kind
}

static int take_wish(struct setup_page *s, const json_t *wish, const struct setup_page_view *v, struct fail *why)
{
    struct setup_page chosen = *s;
    const struct playback *p = v->playback;
    const struct game *game = NULL;
    const json_t *match = json_object_get(wish, "match");
    bool camera = wished_camera(wish) || json_object_get(wish, "size") || json_object_get(wish, "rate");
    bool named = json_object_get(wish, "game"), other = false;
    int shots = p->begun ? p->adjudication.match.shot.number : 0;
    if (!match && !camera && !named)
        return rs_fail(why, RS_EINPUT,
                       json_object_get(wish, "camera")
                           ? "the camera is as it is already: choose another, or another size or rate"
                           : "nothing is chosen: game, match, camera, size and rate can be");
    int rc = read_camera(&chosen, wish, why);
    if (rc == 0)
        rc = read_game(&game, &other, wish, v, why);
    if (rc == 0 && s->asks_game && match && !named)
        rc = rs_fail(why, RS_EINPUT, "which game? choose it first");
    if (rc == 0 && match)
        rc = match_setup_from_json(&chosen.match, match, game, why);
    match_setup_seen_colours(&chosen.match);
    if (rc == 0 && match && (chosen.match.format.pieces_each > 0) != (game->formats[0].pieces_each > 0))
        rc = rs_fail(why, RS_EINPUT, "%s is not played in that format", game->title);
    if (rc == 0 && match)
        rc = match_setup_check_names(&chosen.match, why);
    if (rc == 0 && match)
        rc = match_setup_check_players(&chosen.match, why);
    if (rc == 0 && match && chosen.match.permit_needed && !judge_permits(game))
        rc = rs_fail(why, RS_EINPUT, "no judge gives permission for shots in %s", game->title);
    if (rc != 0)
        return rc;
    bool goes_on = !match && !other && p->record && shots > 0; // the match, with another camera
    bool anew = json_is_true(json_object_get(wish, "anew")), film = !device_is_camera(v->options);
    bool same_film = film && chosen.camera[0] == '\0'; // on the page a camera can be named, but no film
    if (goes_on && same_film && !anew)
        return rs_fail(why, RS_EINPUT,
                       "a film is played: its shots would count twice; say that a new match is to begin");
    goes_on &= !same_film && !(film && anew);
    if (shots > 0 && !goes_on && !anew)
        return rs_fail(why, RS_EINPUT, "a match is being played, %d shot%s so far: say that a new one is to begin",
                       shots, shots == 1 ? "" : "s");
    if (!match && other)
        chosen.match = match_setup_usual(game);
    else if (!match && p->begun && (!goes_on || film))
        chosen.match = match_now(v);
    chosen.has_match = match || other || chosen.has_match || (p->begun && (!goes_on || film));
    chosen.left_film = goes_on && film;
    chosen.resumed[0] = '\0';
    if (goes_on)
        snprintf(chosen.resumed, sizeof chosen.resumed, "%ld", p->record->match);
    chosen.game = s->asks_game && !named ? NULL : game->name;
    chosen.again = p->begun || camera || other || (s->asks_game && named);
    chosen.refused.text[0] = '\0';
    *s = chosen;
    if (!s->again)
        v->setup->match = s->match;
    return 0;
}

bool setup_page_asks_game(const struct options *o)
{
    bool hangs = o->board || o->match || o->format || o->players || o->judge || o->sides > 0;
    return !o->game && !hangs && !o->no_web && !o->quiet;
}

int setup_page_listen(struct setup_page *s, struct web *web, const struct setup_page_view *v, struct fail *why)
{
    char text[WEB_SET_UP_MAX];
    struct fail cause = { .text = "" };
    json_t *wish = NULL;
    if (!web || s->again || !web_set_up(text, web))
        return s->again;
    if (text[0] == '\0') {
        json_t *o = setup_page_json(s, v);
        char *given = o ? json_memory_text(o, JSON_COMPACT | JSON_REAL_PRECISION(LOOKED_AT_DIGITS)) : NULL;
        json_decref(o);
        web_give(web, given);
        return json_memory_check("the set-up page", why);
    }
    int rc = log_object_read(&wish, text, &cause);
    if (rc == 0)
        rc = take_wish(s, wish, v, &cause);
    json_decref(wish);
    web_answer(web, rc < 0 ? &cause : NULL);
    rc = json_memory_check("the set-up page", why);
    return rc < 0 ? rc : s->again;
}

void setup_page_apply(struct options *o, struct setup_page *s)
{
    o->camera = s->camera[0] ? s->camera : o->camera;
    o->size = s->size.width > 0 ? s->size : o->size;
    o->rate = s->rate > 0 ? s->rate : o->rate;
    o->game = s->game ? s->game : o->game;
    if (!s->has_match && !s->resumed[0])
        return;
    o->match = o->players = o->format = o->inputs = NULL;
    o->sides = 0;
    o->judge = false;
    o->resume = s->resumed[0] != '\0';
    s->operand = s->resumed;
    o->operand = &s->operand;
    o->operands = o->resume;
}

void setup_page_go_back(struct setup_page *s, const struct setup_page *before, const char *first_game,
                        const struct fail *why)
{
    const char *game = before->game ? before->game : first_game, *chosen = s->game ? s->game : first_game;
    bool other = chosen && (!game || strcmp(chosen, game) != 0);
    foreign_tell(stderr, "ringside: %s; the watch goes on with %s", why->text,
                 other ? "camera and game as they were" : "the camera as it was");
    if (other) { // what is kept for this camera may be one game's alone, and so is what was agreed
        s->game = before->game;
        s->match = before->match;
        s->has_match = before->has_match;
    }
    if (s->left_film) // it is played from its beginning: its shots would count twice in the match that has them
        s->resumed[0] = '\0';
    memcpy(s->camera, before->camera, sizeof s->camera);
    s->size = before->size;
    s->rate = before->rate;
    s->refused = *why;
    s->again = true;
}
