// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "referee/announce/paint.h"
#include "referee/record_stands.h"

// Shots, and close calls, that are drawn: with two dozen pieces each a few megabytes.
enum { SHOTS_DRAWN = 1000 };
static const double PEN = 0.1; // of a piece's rim, in radii

// Everything but clips that are too large is in the one file: no script, no other host.
static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:16px/1.45 system-ui,sans-serif;max-width:64rem;margin:0 "
    "auto;padding:1rem;background:#faf9f6;color:#1c1b19}"
    "h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p{margin:.3rem 0}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid "
    "#d8d3c8}th:first-child,td:first-child{text-align:left}"
    ".wide{overflow-x:auto}.quiet{color:#5f5b54}.close{background:#fff1d6;color:#8a4b00;font-weight:600}"
    ".gone{text-decoration:line-through;color:#5f5b54}"
    ".shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));gap:1rem;list-style:none;"
    "padding:0}"
    ".shots li{border:1px solid #d8d3c8;border-radius:.5rem;padding:.7rem;background:#fff}"
    ".shots h3{font-size:1rem;margin:0 0 "
    ".4rem}svg{display:block;width:100%;height:auto;max-width:30rem}.defs{position:absolute;width:0}"
    "video{display:block;width:100%;margin-top:.5rem;border-radius:.3rem;background:#000}"
    "@media(min-width:40rem){.filmed{grid-column:span 2}}"
    ".turn{display:grid;grid-template-columns:1fr 1fr;gap:.5rem;margin-bottom:.4rem}.turn figcaption{font-weight:400;"
    "font-size:.85rem}img{display:block;width:100%;max-width:30rem;height:auto;border-radius:.3rem}"
    "td.player{padding-left:1.8rem}"
    ".maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem}"
    "figure{margin:0}figcaption{font-weight:600}"
    "@media screen and (prefers-color-scheme:dark){body{background:#14161a;color:#f1efe9}.quiet,.gone{color:#b0aca3}"
    ".shots "
    "li{background:#1f2329;border-color:#3a3f47}th,td{border-color:#3a3f47}.close{background:#3d2d10;color:#ffc670}}"
    "@media print{:root{color-scheme:light}.shots li{break-inside:avoid}body{background:#fff;max-width:none;padding:0}"
    "h2{break-after:avoid}video{display:none}svg,img{print-color-adjust:exact}}";

// Text as a page shows it, whatever stands in it, between what is put as it is.
static void put(FILE *to, const char *before, const char *text, const char *behind)
{
    fputs(before, to);
    for (; *text; text++) {
        const char *as = *text == '<'    ? "&lt;"
                         : *text == '>'  ? "&gt;"
                         : *text == '&'  ? "&amp;"
                         : *text == '"'  ? "&quot;"
                         : *text == '\'' ? "&#39;"
                                         : NULL;
        if (as)
            fputs(as, to);
        else
            fputc(*text, to);
    }
    fputs(behind, to);
}

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static bool is(const json_t *o, const char *key, const char *word)
{
    return strcmp(exported_text(o, key), word) == 0;
}

static double half_of(const struct board *b)
{
    return (b->surface_radius_in > 0 ? b->surface_radius_in : 1.25 * b->circle_in[0]) * 1.08;
}

// Once in the file, and used by every drawing.
static void define_board(FILE *to, const struct board *b)
{
    double whole = half_of(b), line = fmax(b->line_width_in, whole / 200);
    fprintf(to, "<svg width=\"0\" height=\"0\" class=\"defs\"><defs><g id=\"board\">");
    if (b->surface_radius_in > 0)
        fprintf(to, "<circle r=\"%.2f\" fill=\"#33291c\"/><circle r=\"%.2f\" fill=\"#e2bd85\"/>", whole,
                b->surface_radius_in);
    else
        fprintf(to, "<circle r=\"%.2f\" fill=\"#d8d3c8\"/>", whole);
    for (int i = 0; i < b->circles; i++)
        fprintf(to, "<circle r=\"%.2f\" fill=\"none\" stroke=\"#55401f\" stroke-width=\"%.3f\"/>",
                board_line_middle_in(b, i), line);
    for (int i = 0; b->quadrant_lines && b->circles > 1 && i < 4; i++)
        fprintf(to, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#55401f\" stroke-width=\"%.3f\"/>",
                b->circle_in[1] * cos(i * PI / 2), b->circle_in[1] * sin(i * PI / 2), b->circle_in[0] * cos(i * PI / 2),
                b->circle_in[0] * sin(i * PI / 2), line);
    for (int i = 0; i < b->pegs; i++)
        fprintf(to, "<circle r=\"%.2f\" cx=\"%.2f\" cy=\"%.2f\" fill=\"#8d8d92\"/>", b->peg_radius_in,
                b->circle_in[b->circles - 1] * cos((i + 0.5) * 2 * PI / b->pegs),
                b->circle_in[b->circles - 1] * sin((i + 0.5) * 2 * PI / b->pegs));
    if (b->hole_radius_in > 0)
        fprintf(to, "<circle r=\"%.2f\" fill=\"#5b4425\"/>", b->hole_radius_in);
    fprintf(to, "</g></defs></svg>");
}

// The part of it that is so many inches to each side of a place, y downwards.
static void begin_drawing(FILE *to, double u, double v, double half_in, const char *title)
{
    fprintf(to, "<svg viewBox=\"%.3f %.3f %.3f %.3f\" role=\"img\"><title>", u - half_in, v - half_in, 2 * half_in,
            2 * half_in);
    put(to, "", title, "</title><use href=\"#board\"/>");
}

// Inches have y upwards, pages downwards. `pen`: of the rim, in radii.
static void put_piece(FILE *to, const struct board *b, const json_t *piece, double opacity, double pen)
{
    fprintf(to,
            "<circle r=\"%.2f\" cx=\"%.2f\" cy=\"%.2f\" fill=\"%s\" fill-opacity=\"%.2f\" stroke=\"#000\" "
            "stroke-width=\"%.3f\"/>",
            is(piece, "role", "taw") ? b->taw_radius_max_in : b->piece_radius_in, number(piece, "x_in"),
            -number(piece, "y_in"), paint_css(exported_text(piece, "colour")), opacity, pen * b->piece_radius_in);
}

// The board when a shot began; what was moved is pale, with a line to where it went, but for what left the board.
static void put_before(FILE *to, const struct board *b, const json_t *before)
{
    size_t i;
    json_t *p;
    begin_drawing(to, 0, 0, half_of(b), "the board before the shot");
    json_array_foreach(before, i, p)
    {
        bool moved = json_is_true(json_object_get(p, "moved"));
        put_piece(to, b, p, moved ? 0.5 : 1, PEN);
        if (moved && !json_is_true(json_object_get(p, "left")))
            fprintf(to, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#0b5c8a\" stroke-width=\"%.3f\"/>",
                    number(p, "x_in"), -number(p, "y_in"), number(p, "to_x_in"), -number(p, "to_y_in"),
                    b->piece_radius_in / 3);
    }
    fprintf(to, "</svg>");
}

static void put_points(FILE *to, struct points points)
{
    char words[POINTS_WORDS_MAX];
    points_words(words, points);
    fprintf(to, "<td%s>%s</td>", points.least < points.most ? " class=\"close\"" : "", words);
}

static void put_sheet(FILE *to, const struct exported *e)
{
    const struct match *m = &e->end;
    bool ring = m->board.kind == BOARD_RING;
    fprintf(to, "<h2>Score sheet</h2>");
    if (e->sheet.rounds == 0) {
        fprintf(to, "<p>No %s has ended yet.</p>", ring ? "inning" : "round");
        return;
    }
    fprintf(to, "<div class=\"wide\"><table><thead><tr><th>%s</th>", ring ? "inning" : "round");
    for (int i = 0; i < m->now.sides; i++)
        put(to, "<th>", standing_name(&m->now, i), ring ? "</th><th>score</th>" : "</th><th>20s</th><th>score</th>");
    fprintf(to, "</tr></thead><tbody>");
    for (int k = 0; k < e->sheet.rounds; k++) {
        const struct sheet_round *r = &e->sheet.round[k];
        fprintf(to, "<tr><td>game %d, %d</td>", r->game, r->round);
        for (int i = 0; i < m->now.sides; i++) {
            put_points(to, ring ? r->points[i] : r->total[i]);
            if (!ring)
                put_points(to, r->twenties[i]);
            put_points(to, r->score[i]);
        }
        fprintf(to, "</tr>");
    }
    fprintf(to, "</tbody></table></div>");
}

// Whether a piece of that colour lay there after the shot before.
static bool lay_there(const json_t *shots, size_t shot, const json_t *piece)
{
    static const double SAME_IN = 0.05; // a piece that nothing touched is measured anew within less
    const json_t *rest = shot > 0 ? json_object_get(json_array_get(shots, shot - 1), "at_rest") : NULL;
    for (size_t i = 0; i < json_array_size(rest); i++) {
        const json_t *p = json_array_get(rest, i);
        if (is(p, "colour", exported_text(piece, "colour")) &&
            hypot(number(p, "x_in") - number(piece, "x_in"), number(p, "y_in") - number(piece, "y_in")) < SAME_IN)
            return true;
    }
    return false;
}

// Whose shots and calls are counted.
struct counted {
    const char *colour, *player; // player NULL: of the side, whoever shot
};

static bool is_players(const struct exported *e, const struct counted *of, size_t event)
{
    const char *player = json_string_value(json_array_get(e->players, event));
    return !of->player || (player && strcmp(player, of->player) == 0);
}

// The shots that are meant, and those of them that left one of the side's pieces in play.
static int count_shots(int *in_play, const struct exported *e, const struct counted *of)
{
    int n = 0;
    json_t *shots = exported_events(e, "shot");
    *in_play = 0;
    for (size_t k = 0, i = 0; k < json_array_size(e->events); k++) {
        const json_t *shot = json_array_get(e->events, k), *rest = json_object_get(shot, "at_rest");
        bool left = false, meant = is(shot, "event", "shot") && is(shot, "by", of->colour) && is_players(e, of, k);
        for (size_t p = 0; meant && p < json_array_size(rest); p++) {
            const json_t *piece = json_array_get(rest, p);
            left |= is(piece, "colour", of->colour) && !is(piece, "zone", "ditch") && !lay_there(shots, i, piece);
        }
        n += meant;
        *in_play += left;
        i += is(shot, "event", "shot");
    }
    json_decref(shots);
    return n;
}

// Whether the measure alone leaves it open.
static bool is_close(const json_t *call)
{
    bool measured = json_is_number(json_object_get(call, "margin_in"));
    return is(call, "event", "call") &&
           (is(call, "verdict", "close") ||
            (measured && fabs(number(call, "margin_in")) <= FIRM_SIGMAS * number(call, "sigma_in")));
}

// Calls about a side's pieces, of a player those of his own shots: what they say, and in which zone; NULL: whatever
// that is. Without either: close ones.
static int count_calls(const struct exported *e, const struct counted *of, const char *what, const char *zone)
{
    int calls = 0;
    for (size_t k = 0; k < json_array_size(e->events); k++) {
        const json_t *o = json_array_get(e->events, k);
        calls += is(o, "event", "call") && is(o, "side", of->colour) && is_players(e, of, k) &&
                 (!what || is(o, "what", what)) && (!zone || is(o, "zone", zone)) && (what || is_close(o));
    }
    return calls;
}

static int zones_of(char zone[BOARD_MAX_CIRCLES + 1][ZONE_WORD_MAX], const struct board *b)
{
    int zones = 0;
    if (b->kind == BOARD_CIRCLES && b->hole_radius_in > 0)
        zone_word(zone[zones++], &(struct zone){ .area = ZONE_HOLE, .points = b->hole_points });
    for (int i = b->circles - 1; i >= 0 && b->kind == BOARD_CIRCLES; i--)
        zone_word(zone[zones++], &(struct zone){ .area = ZONE_CIRCLE, .points = b->zone_points[i] });
    return zones;
}

static void put_counted(FILE *to, const struct exported *e, const struct counted *of, const char *name)
{
    char zone[BOARD_MAX_CIRCLES + 1][ZONE_WORD_MAX];
    int zones = zones_of(zone, &e->end.board), in_play, shots = count_shots(&in_play, e, of);
    put(to, of->player ? "<tr><td class=\"player\">" : "<tr><td>", name, "</td>");
    fprintf(to, "<td>%d</td>", shots);
    for (int k = 0; k < zones; k++)
        fprintf(to, "<td>%d</td>", count_calls(e, of, "zone", zone[k]));
    fprintf(to, "<td>%d</td><td>%d</td><td>%d</td>", count_calls(e, of, zones ? "ditched" : "out", NULL),
            count_calls(e, of, zones ? "foul" : "forfeited", NULL), count_calls(e, of, NULL, NULL));
    if (zones && shots > 0)
        fprintf(to, "<td>%d of %d, %.0f %%</td>", in_play, shots, 100.0 * in_play / shots);
    else if (zones)
        fprintf(to, "<td></td>");
    fprintf(to, "</tr>");
}

// What each side's shots came to, and each player's where two play a side: the calls tell where pieces came to lie.
static void put_sides(FILE *to, const struct exported *e)
{
    char zone[BOARD_MAX_CIRCLES + 1][ZONE_WORD_MAX];
    int zones = zones_of(zone, &e->end.board);
    bool pairs = false;
    fprintf(to, "<h2>Sides</h2><div class=\"wide\"><table><thead><tr><th>side</th><th>shots</th>");
    for (int k = 0; k < zones; k++)
        fprintf(to, "<th>%s</th>", zone[k]);
    fprintf(to, "<th>%s</th><th>fouls</th><th>close calls</th>%s</tr></thead><tbody>",
            zones ? "ditched" : "knocked out", zones ? "<th>left a disc in play</th>" : "");
    for (int i = 0; i < e->end.now.sides; i++) {
        const struct seat *seat = &e->end.now.side[i].seat;
        put_counted(to, e, &(struct counted){ seat->colour, NULL }, standing_name(&e->end.now, i));
        bool pair = seat->player[0][0] && seat->player[1][0];
        for (int k = 0; pair && k < PLAYERS_MAX; k++)
            put_counted(to, e, &(struct counted){ seat->colour, seat->player[k] }, seat->player[k]);
        pairs |= pair;
    }
    fprintf(to, "</tbody></table></div><p class=\"quiet\">%s%s</p>",
            zones ? "Zones and ditched: how often a disc of that side was called there, whoever moved it. Left a disc "
                    "in play: "
                    "shots behind which a disc of the shooter&#39;s lay in play where none of that side&#39;s had lain "
                    "before."
                  : "Knocked out: targets that were called out.",
            pairs ? " Of a player only what came of his or her own shots." : "");
}

// Where a side's shots left its pieces: those that lie elsewhere than before.
static void put_map(FILE *to, const struct exported *e, const json_t *shots, int side)
{
    const struct board *b = &e->end.board;
    const char *colour = e->end.now.side[side].seat.colour;
    put(to, "<figure><figcaption>", standing_name(&e->end.now, side), "</figcaption>");
    begin_drawing(to, 0, 0, half_of(b), "where that side's pieces came to rest");
    for (size_t i = 0; i < json_array_size(shots); i++) {
        const json_t *shot = json_array_get(shots, i), *rest = json_object_get(shot, "at_rest");
        for (size_t k = 0; k < json_array_size(rest) && is(shot, "by", colour); k++) {
            const json_t *piece = json_array_get(rest, k);
            if (is(piece, "colour", colour) && !lay_there(shots, i, piece))
                put_piece(to, b, piece, 0.6, PEN);
        }
    }
    fprintf(to, "</svg></figure>");
}

static void put_calls(FILE *to, const struct exported *e, int shot)
{
    for (size_t k = 0; k < json_array_size(e->events); k++) {
        const json_t *o = json_array_get(e->events, k);
        if (is(o, "event", "call") && exported_number(o, "shot") == shot)
            put(to, is(o, "verdict", "close") ? "<p class=\"close\">" : "<p>", exported_text(o, "text"), "</p>");
    }
}

static void put_shots(FILE *to, const struct exported *e)
{
    const struct board *b = &e->end.board;
    char time[16];
    fprintf(to, "<h2>Where shots came to rest</h2><div class=\"maps\">");
    json_t *shots = exported_events(e, "shot");
    for (int i = 0; i < e->end.now.sides; i++)
        put_map(to, e, shots, i);
    size_t all = json_array_size(shots), first = all > SHOTS_DRAWN ? all - SHOTS_DRAWN : 0;
    fprintf(to, "</div><h2>Shot by shot</h2>");
    if (first > 0)
        fprintf(to, "<p class=\"quiet\">The last %d of %zu shots, so that the page can be opened anywhere.</p>",
                SHOTS_DRAWN, all);
    fprintf(to, "<ol class=\"shots\">");
    for (size_t i = first, at = 0; i < all; i++) {
        const json_t *shot = json_array_get(shots, i);
        const char *player;
        while (json_array_get(e->events, at) != shot)
            at++;
        player = json_string_value(json_array_get(e->players, at));
        int side = standing_named(&e->end.now, exported_text(shot, "by"));
        call_time_words(time, sizeof time, number(shot, "rest_s"));
        fprintf(to, "<li><h3>%d. ", exported_number(shot, "shot"));
        put(to, "", side < 0 ? exported_text(shot, "by") : standing_name(&e->end.now, side), "");
        if (player && side >= 0 && strcmp(player, standing_name(&e->end.now, side)) != 0)
            put(to, ", ", player, "");
        fprintf(to, " <span class=\"quiet\">%s</span></h3>", time);
        fprintf(to, "<div class=\"turn\"><figure>");
        put_before(to, b, json_array_get(e->before, i));
        fprintf(to, "<figcaption>before</figcaption></figure><figure>");
        begin_drawing(to, 0, 0, half_of(b), "the board after the shot");
        const json_t *rest = json_object_get(shot, "at_rest");
        for (size_t k = 0; k < json_array_size(rest); k++)
            put_piece(to, b, json_array_get(rest, k), 1, PEN);
        fprintf(to, "</svg><figcaption>after</figcaption></figure></div>");
        put_calls(to, e, exported_number(shot, "shot"));
        fprintf(to, "</li>");
    }
    fprintf(to, "</ol>");
    json_decref(shots);
}

// The piece of a call, among those that lay when its shot had ended; NULL when there is none.
static const json_t *piece_of(const json_t *shots, const json_t *call)
{
    for (size_t i = 0; i < json_array_size(shots); i++) {
        const json_t *shot = json_array_get(shots, i), *rest = json_object_get(shot, "at_rest");
        for (size_t k = 0; k < json_array_size(rest) && exported_number(shot, "shot") == exported_number(call, "shot");
             k++) {
            const json_t *p = json_array_get(rest, k);
            if (number(p, "margin_in") == number(call, "margin_in") &&
                number(p, "sigma_in") == number(call, "sigma_in"))
                return p;
        }
    }
    return NULL;
}

// As it was measured: the piece, and around its line the band in which that may lie with 2 sigma. The line is told by
// how far from it the piece lies.
static void put_enlarged(FILE *to, const struct board *b, const json_t *p)
{
    static const double SEEN = 1.7; // radii of the piece to each side
    double x = number(p, "x_in"), y = number(p, "y_in"), from_centre = hypot(x, y);
    double radius = is(p, "role", "taw") ? b->taw_radius_max_in : b->piece_radius_in, nearest = INFINITY, line = 0;
    double edge = from_centre + (b->kind == BOARD_CIRCLES ? radius : 0), sigma = number(p, "sigma_in");
    for (int i = 0; i < b->circles; i++) {
        struct line_rule rule = b->kind == BOARD_RING ? line_of_ring(b, is(p, "role", "taw")) : line_of_circle(b, i);
        double off = fabs(fabs(rule.radius_in - edge) - fabs(number(p, "margin_in")));
        line = off < nearest ? rule.radius_in : line;
        nearest = fmin(nearest, off);
    }
    begin_drawing(to, x, -y, SEEN * radius, "the piece and the line, as measured");
    put_piece(to, b, p, 0.7, PEN / 8);
    fprintf(to,
            "<circle r=\"%.4f\" fill=\"none\" stroke=\"#ffaa00\" stroke-opacity=\".45\" stroke-width=\"%.4f\"/>"
            "<circle r=\"%.4f\" fill=\"none\" stroke=\"#0b5c8a\" stroke-width=\"%.4f\"/></svg>",
            line, 4 * sigma, line, radius / 60);
}

// What was filmed of the shot: of each clip the first close call, enlarged.
static void put_pictures(FILE *to, const struct match_clips *clips, int shot)
{
    for (int i = 0; i < clips->count; i++) {
        if (clips->clip[i].shot != shot || !clips->clip[i].picture)
            continue;
        fprintf(to, "<img alt=\"a close call of shot %d, enlarged from the camera&#39;s picture\" src=\"", shot);
        put(to, "", clips->clip[i].picture, "\">");
    }
}

// Of a clip that is a file of its own nothing is fetched before somebody plays it.
static void put_clips(FILE *to, const struct match_clips *clips, int shot)
{
    for (int i = 0; i < clips->count; i++) {
        if (clips->clip[i].shot != shot)
            continue;
        fprintf(to, "<video controls preload=\"none\" aria-label=\"the clip of shot %d\" src=\"", shot);
        put(to, "", clips->clip[i].url, "\">");
        fprintf(to, "the clip of shot %d</video>", shot);
    }
}

// What was filmed stands at the first one of a shot.
static void put_close_call(FILE *to, const struct exported *e, const json_t *shots, const json_t *call, bool first)
{
    bool measured = json_is_number(json_object_get(call, "margin_in")), decided = !is(call, "verdict", "close");
    const json_t *p = measured ? piece_of(shots, call) : NULL;
    int shot = exported_number(call, "shot");
    bool filmed = false;
    for (int i = 0; i < e->clips->count && first; i++)
        filmed |= e->clips->clip[i].shot == shot;
    fprintf(to, "<li%s><h3>shot %d <span class=\"quiet\">", filmed ? " class=\"filmed\"" : "", shot);
    put(to, "", exported_text(call, "rule"), "</span></h3><div class=\"turn\">");
    if (p)
        put_enlarged(to, &e->end.board, p);
    if (filmed)
        put_pictures(to, e->clips, shot);
    put(to, "</div><p class=\"close\">", exported_text(call, "text"), "</p>");
    if (measured)
        fprintf(to, "<p class=\"quiet\">margin %.3f in, 1 sigma %.3f in%s</p>", number(call, "margin_in"),
                number(call, "sigma_in"), p ? "; the band is 2 sigma to each side" : "");
    fprintf(to, "%s", decided ? "<p class=\"quiet\">a person decided it</p>" : "");
    if (filmed)
        put_clips(to, e->clips, shot);
    fprintf(to, "</li>");
}

// Those that stand, and those that a person decided.
static void put_close(FILE *to, const struct exported *e)
{
    json_t *shots = exported_events(e, "shot");
    int close = 0, before = 0;
    fprintf(to, "<h2>Close calls</h2><ol class=\"shots\">");
    for (size_t k = 0; k < json_array_size(e->events) && close < SHOTS_DRAWN; k++) {
        const json_t *o = json_array_get(e->events, k);
        if (!is_close(o))
            continue;
        close++;
        put_close_call(to, e, shots, o, exported_number(o, "shot") != before);
        before = exported_number(o, "shot");
    }
    fprintf(to, "</ol>%s", close ? "" : "<p class=\"quiet\">None.</p>");
    json_decref(shots);
}

static void put_said(FILE *to, const struct exported *e)
{
    fprintf(to, "<h2>Said by people, and what changed by it</h2>%s",
            json_array_size(e->inputs) ? "" : "<p class=\"quiet\">Nothing.</p>");
    for (size_t i = 0; i < json_array_size(e->inputs); i++) {
        const json_t *input = json_array_get(e->inputs, i);
        char time[16], said[INPUT_WORDS_MAX];
        call_time_words(time, sizeof time, number(input, "t_s"));
        exported_said(said, input);
        fprintf(to, "<p>%s ", time);
        put(to, "", exported_text(input, "by"), ": ");
        put(to, "", said, "</p>");
        for (size_t k = 0; k < json_array_size(e->changed); k++) {
            const json_t *c = json_array_get(e->changed, k);
            if (exported_number(c, "input") != exported_number(input, "input"))
                continue;
            fprintf(to, "<p class=\"%s\">shot %d: ", is(c, "change", "withdrawn") ? "gone" : "quiet",
                    exported_number(c, "shot"));
            put(to, "", exported_text(c, "text"), "</p>");
        }
    }
}

void exported_print_html(FILE *to, const struct exported *e, const char *software)
{
    const struct kept_match *m = e->kept;
    const struct standing *now = &e->end.now;
    fprintf(to,
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" "
            "content=\"default-src 'none'; style-src 'unsafe-inline'%s\"><title>",
            !e->clips->count     ? ""
            : e->clips->embedded ? "; media-src data:; img-src data:"
                                 : "; media-src 'self'; img-src 'self'");
    put(to, "", e->end.now.sides > 0 ? m->score : e->end.game->title, "</title>");
    fprintf(to, "<style>%s</style></head><body><main>", style);
    put(to, "<h1>", m->score, "</h1>");
    put(to, "<p class=\"quiet\">", e->end.game->title, ", format ");
    put(to, "", m->format, ". ");
    fprintf(to, "Match %ld, begun %.10s %.5s UTC, from ", m->match, m->begun, m->begun + 11);
    put(to, "", m->source, now->over ? ".</p>" : ". Not over.</p>");
    for (int i = 0; i < now->sides; i++) {
        const struct seat *seat = &now->side[i].seat;
        bool named = strcmp(standing_name(now, i), seat->colour) != 0; // otherwise than by its colour
        if (!named && !seat->player[0][0])
            continue;
        put(to, "<p><strong>", standing_name(now, i), "</strong> ");
        put(to, "", named ? seat->colour : "", "");
        for (int k = 0; k < PLAYERS_MAX && seat->player[k][0]; k++)
            put(to, k > 0 || named ? ", " : "", seat->player[k], "");
        fprintf(to, "</p>");
    }
    define_board(to, &e->end.board);
    put_sheet(to, e);
    put_sides(to, e);
    put_close(to, e);
    put_said(to, e);
    put_shots(to, e);
    put(to, "<p class=\"quiet\">ringside ", software, "</p></main></body></html>\n");
}
