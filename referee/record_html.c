// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "referee/announce/paint.h"
#include "referee/record_stands.h"

// Everything is in the one file: no script, no other host.
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
    ".shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem;list-style:none;padding:0}"
    ".shots li{border:1px solid #d8d3c8;border-radius:.5rem;padding:.7rem;background:#fff}"
    ".shots h3{font-size:1rem;margin:0 0 "
    ".4rem}svg{display:block;width:100%;height:auto;max-width:30rem}.map{max-width:30rem}"
    "@media(prefers-color-scheme:dark){body{background:#14161a;color:#f1efe9}.quiet,.gone{color:#b0aca3}"
    ".shots "
    "li{background:#1f2329;border-color:#3a3f47}th,td{border-color:#3a3f47}.close{background:#3d2d10;color:#ffc670}}"
    "@media print{.shots li{break-inside:avoid}body{background:#fff}}";

// Text as a page shows it, whatever stands in it.
static void put(FILE *to, const char *text)
{
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
}

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static bool is(const json_t *o, const char *key, const char *word)
{
    return strcmp(exported_text(o, key), word) == 0;
}

static void put_board(FILE *to, const struct board *b)
{
    double whole = (b->surface_radius_in > 0 ? b->surface_radius_in : 1.25 * b->circle_in[0]) * 1.08;
    double line = fmax(b->line_width_in, whole / 200);
    fprintf(to, "<svg viewBox=\"%.2f %.2f %.2f %.2f\" role=\"img\"><title>the board from above</title>", -whole, -whole,
            2 * whole, 2 * whole);
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
}

// Inches have y upwards, pages downwards.
static void put_piece(FILE *to, const struct board *b, const json_t *piece, double opacity)
{
    fprintf(to,
            "<circle r=\"%.2f\" cx=\"%.2f\" cy=\"%.2f\" fill=\"%s\" fill-opacity=\"%.2f\" stroke=\"#000\" "
            "stroke-width=\"%.3f\"/>",
            is(piece, "role", "taw") ? b->taw_radius_max_in : b->piece_radius_in, number(piece, "x_in"),
            -number(piece, "y_in"), paint_css(exported_text(piece, "colour")), opacity, b->piece_radius_in / 10);
}

static void put_pieces(FILE *to, const struct board *b, const json_t *shot, double opacity)
{
    const json_t *rest = json_object_get(shot, "at_rest");
    for (size_t i = 0; i < json_array_size(rest); i++)
        put_piece(to, b, json_array_get(rest, i), opacity);
}

static void put_sheet(FILE *to, const struct exported *e)
{
    const struct match *m = &e->end;
    fprintf(to, "<h2>Score sheet</h2><div class=\"wide\"><table><thead><tr><th>round</th>");
    for (int i = 0; i < m->now.sides; i++) {
        fprintf(to, "<th>");
        put(to, standing_name(&m->now, i));
        fprintf(to, "</th><th>20s</th><th>score</th>");
    }
    fprintf(to, "</tr></thead><tbody>");
    for (int k = 0; k < e->sheet.rounds; k++) {
        const struct sheet_round *r = &e->sheet.round[k];
        fprintf(to, "<tr><td>game %d, %d</td>", r->game, r->round);
        for (int i = 0; i < m->now.sides; i++)
            fprintf(to, "<td>%d</td><td>%d</td><td>%d</td>", r->total[i], r->twenties[i], r->score[i]);
        fprintf(to, "</tr>");
    }
    fprintf(to, "</tbody></table></div>");
}

// What each side's shots came to: where its shot pieces lie is told by the calls of its own shots.
static void put_sides(FILE *to, const struct exported *e)
{
    static const struct {
        const char *head, *what;
    } counted[] = { { "ditched", "ditched" }, { "fouls", "foul" } };
    fprintf(to, "<h2>Sides</h2><div class=\"wide\"><table><thead><tr><th>side</th><th>shots</th><th>20s</th>");
    for (size_t k = 0; k < countof(counted); k++)
        fprintf(to, "<th>%s</th>", counted[k].head);
    fprintf(to, "<th>close calls</th></tr></thead><tbody>");
    for (int i = 0; i < e->end.now.sides; i++) {
        const struct seat *seat = &e->end.now.side[i].seat;
        int shots = 0, twenties = 0, of[countof(counted)] = { 0 }, close = 0;
        for (size_t k = 0; k < json_array_size(e->events); k++) {
            const json_t *o = json_array_get(e->events, k);
            bool call = is(o, "event", "call") && is(o, "side", seat->colour);
            shots += is(o, "event", "shot") && is(o, "by", seat->colour);
            twenties += call && is(o, "what", "zone") && is(o, "zone", "20");
            close += call && is(o, "verdict", "close");
            for (size_t n = 0; n < countof(counted); n++)
                of[n] += call && is(o, "what", counted[n].what);
        }
        fprintf(to, "<tr><td>");
        put(to, standing_name(&e->end.now, i));
        fprintf(to, "</td><td>%d</td><td>%d</td>", shots, twenties);
        for (size_t n = 0; n < countof(counted); n++)
            fprintf(to, "<td>%d</td>", of[n]);
        fprintf(to, "<td>%d</td></tr>", close);
    }
    fprintf(to, "</tbody></table></div>");
}

static void put_calls(FILE *to, const struct exported *e, int shot)
{
    for (size_t k = 0; k < json_array_size(e->events); k++) {
        const json_t *o = json_array_get(e->events, k);
        if (!is(o, "event", "call") || exported_number(o, "shot") != shot)
            continue;
        fprintf(to, "<p%s>", is(o, "verdict", "close") ? " class=\"close\"" : "");
        put(to, exported_text(o, "text"));
        fprintf(to, "</p>");
    }
}

static void put_shots(FILE *to, const struct exported *e)
{
    const struct board *b = &e->end.board;
    char time[16];
    fprintf(to, "<h2>Where shots came to rest</h2><div class=\"map\">");
    put_board(to, b);
    json_t *shots = exported_events(e, "shot");
    for (size_t i = 0; i < json_array_size(shots); i++)
        put_pieces(to, b, json_array_get(shots, i), 0.35);
    fprintf(to, "</svg></div><h2>Shot by shot</h2><ol class=\"shots\">");
    for (size_t i = 0; i < json_array_size(shots); i++) {
        const json_t *shot = json_array_get(shots, i);
        int side = standing_named(&e->end.now, exported_text(shot, "by"));
        call_time_words(time, sizeof time, number(shot, "rest_s"));
        fprintf(to, "<li><h3>%d. ", exported_number(shot, "shot"));
        put(to, side < 0 ? exported_text(shot, "by") : standing_name(&e->end.now, side));
        fprintf(to, " <span class=\"quiet\">%s</span></h3>", time);
        put_board(to, b);
        put_pieces(to, b, shot, 1);
        fprintf(to, "</svg>");
        put_calls(to, e, exported_number(shot, "shot"));
        fprintf(to, "</li>");
    }
    fprintf(to, "</ol>");
    json_decref(shots);
}

static void put_close(FILE *to, const struct exported *e)
{
    fprintf(to, "<h2>Close calls</h2><div class=\"wide\"><table><thead><tr><th>call</th><th>shot</th><th>rule</th>"
                "<th>margin, in</th><th>1 sigma, in</th></tr></thead><tbody>");
    int close = 0;
    for (size_t k = 0; k < json_array_size(e->events); k++) {
        const json_t *o = json_array_get(e->events, k);
        if (!is(o, "event", "call") || !is(o, "verdict", "close"))
            continue;
        close++;
        fprintf(to, "<tr><td>");
        put(to, exported_text(o, "text"));
        fprintf(to, "</td><td>%d</td><td>", exported_number(o, "shot"));
        put(to, exported_text(o, "rule"));
        if (json_is_number(json_object_get(o, "margin_in")))
            fprintf(to, "</td><td>%.3f</td><td>%.3f</td></tr>", number(o, "margin_in"), number(o, "sigma_in"));
        else
            fprintf(to, "</td><td></td><td></td></tr>");
    }
    fprintf(to, "</tbody></table></div>%s", close ? "" : "<p class=\"quiet\">None.</p>");
}

static void put_said(FILE *to, const struct exported *e)
{
    fprintf(to, "<h2>Said by people, and what changed by it</h2>%s",
            json_array_size(e->inputs) ? "" : "<p class=\"quiet\">Nothing.</p>");
    for (size_t i = 0; i < json_array_size(e->inputs); i++) {
        const json_t *input = json_array_get(e->inputs, i);
        char time[16];
        call_time_words(time, sizeof time, number(input, "t_s"));
        fprintf(to, "<p>%s ", time);
        put(to, exported_text(input, "by"));
        fprintf(to, ": ");
        put(to, exported_text(input, "word"));
        fprintf(to, " ");
        put(to, exported_text(input, "text"));
        fprintf(to, "</p>");
        for (size_t k = 0; k < json_array_size(e->changed); k++) {
            const json_t *c = json_array_get(e->changed, k);
            if (exported_number(c, "input") != exported_number(input, "input"))
                continue;
            fprintf(to, "<p class=\"%s\">shot %d: ", is(c, "change", "withdrawn") ? "gone" : "quiet",
                    exported_number(c, "shot"));
            put(to, exported_text(c, "text"));
            fprintf(to, "</p>");
        }
    }
}

void exported_print_html(FILE *to, const struct exported *e, const char *software)
{
    const struct kept_match *m = e->kept;
    const struct standing *now = &e->end.now;
    fprintf(to, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                "content=\"width=device-width, initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>");
    put(to, m->score[0] ? m->score : e->end.game->title);
    fprintf(to, "</title><style>%s</style></head><body><main><h1>", style);
    put(to, m->score[0] ? m->score : "nobody has shot yet");
    fprintf(to, "</h1><p class=\"quiet\">");
    put(to, e->end.game->title);
    fprintf(to, ", format ");
    put(to, m->format);
    fprintf(to, ". Match %ld, begun %.10s %.5s UTC, from ", m->match, m->begun, m->begun + 11);
    put(to, m->source);
    fprintf(to, ".%s</p>", now->over ? "" : " Not over.");
    for (int i = 0; i < now->sides; i++) {
        const struct seat *seat = &now->side[i].seat;
        fprintf(to, "<p><strong>");
        put(to, standing_name(now, i));
        fprintf(to, "</strong> ");
        put(to, seat->colour);
        for (int k = 0; k < PLAYERS_MAX && seat->player[k][0]; k++) {
            fprintf(to, ", ");
            put(to, seat->player[k]);
        }
        fprintf(to, "</p>");
    }
    put_sheet(to, e);
    put_sides(to, e);
    put_close(to, e);
    put_said(to, e);
    put_shots(to, e);
    fprintf(to, "<p class=\"quiet\">ringside ");
    put(to, software);
    fprintf(to, "</p></main></body></html>\n");
}
