// SPDX-License-Identifier: MIT
// Situations of play written down as text, fed to the referee as observations, and what he must say.
//
// A file of samples/situations has one command a line; '#' begins a comment. Places are R@DEGREES, X,Y (inches), hole,
// ditch or off.
//
//     situation A01 clean hit, taw stays      begins one: a new match, nothing on the board
//     game NAME; format NAME; sigma IN        of all situations that follow in the file
//     sides Red=blue Blue=green:Ann,Bob       who plays which colour, with which players, of all that follow
//     rules M33 M38                           the rules that it shows
//     cross 1 [turn=DEG] [aside=IN]           the targets of the board on their spots, numbered from there on
//     taw 1 blue [PLACE] [radius=IN]          a taw; target 2 [PLACE]; disc 3 black [PLACE] (any piece but marbles)
//     shot 1 [COLOUR] TO ...                  a whole shot: the piece is put down where it has not been, moves, all
//                                             comes to rest. Behind TO in the order of time: peg, unseen; touches ID;
//                                             hits ID TO (touches and moves); moves ID TO (no contact seen); picked (a
//                                             hand takes it before it rests); from=PLACE; says=WORD[:TEXT] (while it
//                                             runs; '_' in the text is a blank)
//     move ID FROM; hand ID FROM; rest ID TO; contact ID with ID|peg|unseen; gone ID hand|off|ditch|hole|cut; still;
//                                             cut; wait S
//     take ID ...                             a hand takes these pieces away; clear: all of them
//     put ID PLACE                            a hand puts a piece elsewhere
//     say WORD [side=S] [shot=N] [piece=N] [input=N] [value=N[,N]] [text ...]
//     calls WORD ...                          all that was called since the last such line, totals left out; a zone by
//                                             its word ("15", "ditch"), '?' behind what is not firm, '-' before what a
//                                             correction withdrew, '+' before what stands instead; none: "calls -"
//     text ...                                one of those calls has these words
//     score N N; twenties N N; board N N; points N N  of the sides: points, twenties kept, points on the board, of the
//                                             round; games N N: won; player NAME: who of the side to shoot
//     next NAME|nobody; over NAME|draw|no; close yes|no; round N; game-number N; owed none|ID ...; fact NAME N
#include <glob.h>
#include <stdlib.h>

#include "tests/cmocka.h"
#include "tests/referee/script.h"

static struct {
    int count;
    char name[SHOWN_MAX][NAME_MAX];
} played;

static int hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct heard *h = &script.heard;
    (void)self, (void)m, (void)why;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        char zone[ZONE_WORD_MAX];
        zone_word(zone, &c->zone);
        bool is_zone = strcmp(c->what, "zone") == 0 || strcmp(c->what, "ditched") == 0;
        if (h->count == HEARD_MAX)
            complain("more calls than the script can hear");
        snprintf(h->text[h->count], sizeof h->text[0], "%s", c->text);
        snprintf(h->word[h->count++], sizeof h->word[0], "%s%s%s",
                 c->change == CALL_WITHDRAWN ? "-"
                 : c->change == CALL_INSTEAD ? "+"
                                             : "",
                 is_zone && zone[0] ? zone : c->what, c->firm ? "" : "?");
    }
    return 0;
}

static void begin(void)
{
    struct fail why;
    struct board b = *board_builtin(script.game->board);
    if (script.begun)
        return;
    b.line_width_in = b.kind == BOARD_RING ? b.line_width_in : 0.1;
    play_begin(&script.play, script.game, &b, &script.setup);
    script.play.sigma_in = script.sigma_in;
    memset(script.lies, 0, sizeof script.lies);
    script.heard.count = 0;
    script.begun = true;
    if (adjudication_add(&script.play.referee, (struct announcer){ hear, NULL }, &why) < 0)
        complain("%s", why.text);
}

static void come_to_rest(int id, const char *where)
{
    enum piece_place plane;
    struct pt_in at = place(where, &plane);
    if (plane == OFF_BOARD) {
        play_gone(&script.play, id, OFF_BOARD);
        script.lies[id] = false;
        return;
    }
    script.at[id] = at;
    play_rest(&script.play, id, at, plane);
}

static void put_down(int id, const char *colour, bool taw, const char *where, double radius_in, double certainty)
{
    struct observation o = { .kind = OBS_SEEN, .id = id };
    o.seen.kind = script.play.referee.match.board.piece;
    o.seen.taw = taw;
    o.seen.certainty = certainty;
    o.seen.radius_in = radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    play_feed(&script.play, o);
    script.lies[id] = true;
    come_to_rest(id, where);
}

static void cross(void)
{
    const struct board *b = &script.play.referee.match.board;
    int id = piece(1);
    double aside_in = option("aside", 2, 0), turn_deg = option("turn", 2, 0);
    for (int i = 0; i <= b->legs * b->on_leg; i++) {
        double r_in = i == 0 ? 0 : ((i - 1) % b->on_leg + 1) * b->leg_step_in;
        double rad = (turn_deg + (i - 1) / b->on_leg * 360.0 / b->legs) * 3.14159265358979323846 / 180;
        char where[40];
        snprintf(where, sizeof where, "%f,%f", aside_in + r_in * cos(rad), r_in * sin(rad));
        put_down(id++, "red", false, where, b->piece_radius_in, 1);
    }
}

static void shot(void)
{
    struct play *p = &script.play;
    int id = piece(1), i = 2;
    const char *to, *from = NULL;
    char edge[32];
    for (int k = 2; k < script.words; k++)
        if (strncmp(script.word[k], "from=", 5) == 0)
            from = script.word[k] + 5;
    if (!script.lies[id]) {
        const char *colour = word(i++);
        bool first = script.setup.seats > 0 && strcmp(script.setup.seat[0].colour, colour) == 0;
        snprintf(edge, sizeof edge, first ? "12@45" : "12@225");
        put_down(id, colour, false, from ? from : edge, script.play.referee.match.board.piece_radius_in, 1);
    } else if (from) {
        come_to_rest(id, from);
    }
    to = word(i++);
    play_move(p, id, MOVED_BY_SHOT, script.at[id]);
    bool picked = false;
    for (; i < script.words; i++) {
        const char *what = word(i);
        struct observation touch = { .kind = OBS_CONTACT, .id = id, .contact = { TOUCHED_PIECE, 0, 0.01, { 5, 0 } } };
        if (strncmp(what, "from=", 5) == 0)
            continue;
        if (strncmp(what, "says=", 5) == 0) {
            char *text = strchr(script.word[i], ':');
            for (char *c = script.word[i]; *c; c++)
                *c = *c == '_' ? ' ' : *c;
            if (text)
                *text = '\0';
            play_say(p, what + 5, text ? text + 1 : "");
        } else if (strcmp(what, "peg") == 0 || strcmp(what, "unseen") == 0) {
            touch.contact.what = what[0] == 'p' ? TOUCHED_PEG : TOUCHED_UNSEEN;
            play_feed(p, touch);
        } else if (strcmp(what, "picked") == 0) {
            picked = true;
        } else if (strcmp(what, "touches") == 0) {
            touch.contact.other = piece(++i);
            play_feed(p, touch);
        } else if (strcmp(what, "hits") == 0 || strcmp(what, "moves") == 0) {
            int other = piece(i + 1);
            touch.contact.other = other;
            if (what[0] == 'h')
                play_feed(p, touch);
            play_move(p, other, MOVED_BY_SHOT, script.at[other]);
            come_to_rest(other, word(i + 2));
            i += 2;
        } else {
            complain("\"%s\" is nothing that a shot does", what);
        }
    }
    if (picked)
        play_gone(p, id, BY_HAND);
    else
        come_to_rest(id, to);
    script.lies[id] = script.lies[id] && !picked;
    play_still(p);
}

static void say(void)
{
    struct observation o = play_input(word(1), "");
    for (int i = 2; i < script.words; i++) {
        char *value = strchr(script.word[i], '=');
        size_t name = value ? (size_t)(value - script.word[i]) : 0;
        if (name == 4 && strncmp(script.word[i], "side", 4) == 0)
            snprintf(o.input.side, sizeof o.input.side, "%s", value + 1);
        else if (name == 4 && strncmp(script.word[i], "shot", 4) == 0)
            o.input.shot = atoi(value + 1);
        else if (name == 5 && strncmp(script.word[i], "piece", 5) == 0)
            o.input.piece = atoi(value + 1);
        else if (name == 5 && strncmp(script.word[i], "input", 5) == 0)
            o.input.input = atoi(value + 1);
        else if (name == 5 && strncmp(script.word[i], "value", 5) == 0)
            o.input.has_value = sscanf(value + 1, "%lf,%lf", &o.input.value[0], &o.input.value[1]) > 0;
        else {
            snprintf(o.input.text, sizeof o.input.text, "%s", script.rest[i]);
            break;
        }
    }
    play_feed(&script.play, o);
}

static void check_calls(void)
{
    char heard[4000] = "", wanted[LINE_MAX_BYTES] = "";
    size_t used = 0;
    for (int i = 0; i < script.heard.count; i++)
        if (!strstr(script.heard.word[i], "total") && used < sizeof heard)
            used += (size_t)snprintf(heard + used, sizeof heard - used, "%s%s", used ? " " : "", script.heard.word[i]);
    used = 0;
    for (int i = 1; i < script.words && strcmp(word(1), "-") != 0; i++)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s", used ? " " : "", script.word[i]);
    if (strcmp(heard, wanted) != 0)
        complain("called \"%s\", wanted \"%s\"%s%s", heard, wanted, script.heard.count ? "; last: " : "",
                 script.heard.count ? script.heard.text[script.heard.count - 1] : "");
}

static void check_text(void)
{
    for (int i = 0; i < script.heard.count; i++)
        if (strstr(script.heard.text[i], script.rest[1]))
            return;
    complain("no call says \"%s\"; the last says \"%s\"", script.rest[1],
             script.heard.count ? script.heard.text[script.heard.count - 1] : "");
}

static void check_side_numbers(const char *what)
{
    const struct match *m = &script.play.referee.match;
    for (int i = 0; i < SIDES; i++) {
        int is = strcmp(what, "score") == 0      ? m->now.side[i].score
                 : strcmp(what, "twenties") == 0 ? m->now.side[i].twenties
                 : strcmp(what, "games") == 0    ? m->now.side[i].games
                 : strcmp(what, "points") == 0   ? standing_round_points(&m->now.side[i]).reads
                                                 : standing_on_board(&m->now, &m->table, &m->board, i).reads;
        if (is != number(1 + i))
            complain("%s of %s is %d, wanted %d", what, standing_name(&m->now, i), is, number(1 + i));
    }
}

static void check_owed(void)
{
    const struct standing *s = &script.play.referee.match.now;
    int wanted = strcmp(word(1), "none") == 0 ? 0 : script.words - 1;
    if (s->owed != wanted)
        complain("%d pieces must come off or go back, wanted %d", s->owed, wanted);
    for (int i = 0; i < wanted; i++)
        if (!standing_owes(s, piece(1 + i)))
            complain("piece %d is not owed", piece(1 + i));
}

static void check_name(const char *what, const char *is)
{
    if (strcmp(is, word(1)) != 0)
        complain("%s is %s, wanted %s", what, is, word(1));
}

static void check_number(const char *what, int is, int wanted)
{
    if (is != wanted)
        complain("%s is %d, wanted %d", what, is, wanted);
}

static bool check(const char *what)
{
    const struct standing *s = &script.play.referee.match.now;
    if (strcmp(what, "calls") == 0)
        check_calls();
    else if (strcmp(what, "text") == 0)
        check_text();
    else if (strcmp(what, "score") == 0 || strcmp(what, "twenties") == 0 || strcmp(what, "board") == 0 ||
             strcmp(what, "points") == 0 || strcmp(what, "games") == 0)
        check_side_numbers(what);
    else if (strcmp(what, "next") == 0)
        check_name("to shoot", s->over ? "nobody" : standing_name(s, s->to_shoot));
    else if (strcmp(what, "player") == 0)
        check_name("player", standing_player(s, s->to_shoot));
    else if (strcmp(what, "over") == 0)
        check_name("winner", !s->over ? "no" : s->winner < 0 ? "draw" : standing_name(s, s->winner));
    else if (strcmp(what, "close") == 0)
        check_name("close", s->close ? "yes" : "no");
    else if (strcmp(what, "round") == 0)
        check_number("round", s->round, number(1));
    else if (strcmp(what, "game-number") == 0)
        check_number("game", s->game, number(1));
    else if (strcmp(what, "owed") == 0)
        check_owed();
    else if (strcmp(what, "fact") == 0)
        check_number(word(1), play_fact(&script.play, word(1)), number(2));
    else
        return false;
    return true;
}

static void by_hand(const char *what)
{
    struct play *p = &script.play;
    for (int i = 1; i < script.words && strcmp(what, "take") == 0; i++) {
        play_gone(p, piece(i), BY_HAND);
        script.lies[piece(i)] = false;
    }
    for (int id = 1; id < PIECES_MAX && strcmp(what, "clear") == 0; id++) {
        if (script.lies[id])
            play_gone(p, id, BY_HAND);
        script.lies[id] = false;
    }
    if (strcmp(what, "put") == 0) {
        play_move(p, piece(1), MOVED_BY_HAND, script.at[piece(1)]);
        come_to_rest(piece(1), word(2));
        play_still(p);
    }
}

static void gone(void)
{
    static const char *const where[] = {
        [IN_HOLE] = "hole", [IN_DITCH] = "ditch", [OFF_BOARD] = "off", [BY_HAND] = "hand", [IN_CUT] = "cut"
    };
    for (int i = IN_HOLE; i <= IN_CUT; i++)
        if (strcmp(word(2), where[i]) == 0) {
            play_gone(&script.play, piece(1), (enum piece_place)i);
            script.lies[piece(1)] = false;
            return;
        }
    complain("\"%s\" is nowhere", word(2));
}

static void contact(void)
{
    struct observation o = { .kind = OBS_CONTACT, .id = piece(1), .contact = { TOUCHED_PIECE, 0, 0.01, { 5, 0 } } };
    const char *with = word(3);
    if (strcmp(with, "peg") == 0)
        o.contact.what = TOUCHED_PEG;
    else if (strcmp(with, "unseen") == 0)
        o.contact.what = TOUCHED_UNSEEN;
    else
        o.contact.other = piece(3);
    play_feed(&script.play, o);
}

static bool act(const char *what)
{
    struct play *p = &script.play;
    enum piece_place plane;
    const struct board *b = &p->referee.match.board;
    if (strcmp(what, "taw") == 0)
        put_down(piece(1), word(2), true, script.words > 3 && !strchr(word(3), '=') ? word(3) : "-43,0",
                 option("radius", 3, 0.35), option("certainty", 3, 1));
    else if (strcmp(what, "target") == 0)
        put_down(piece(1), "red", false, script.words > 2 && !strchr(word(2), '=') ? word(2) : "0,1",
                 option("radius", 2, 0.3125), option("certainty", 2, 1));
    else if (strcmp(what, "disc") == 0)
        put_down(piece(1), word(2), false, script.words > 3 ? word(3) : "12@0", b->piece_radius_in,
                 option("certainty", 3, 1));
    else if (strcmp(what, "cross") == 0)
        cross();
    else if (strcmp(what, "shot") == 0)
        shot();
    else if (strcmp(what, "move") == 0 || strcmp(what, "hand") == 0)
        play_move(p, piece(1), what[0] == 'm' ? MOVED_BY_SHOT : MOVED_BY_HAND,
                  script.words > 2 ? place(word(2), &plane) : script.at[piece(1)]);
    else if (strcmp(what, "rest") == 0)
        come_to_rest(piece(1), word(2));
    else if (strcmp(what, "contact") == 0)
        contact();
    else if (strcmp(what, "gone") == 0)
        gone();
    else if (strcmp(what, "still") == 0)
        play_still(p);
    else if (strcmp(what, "wait") == 0)
        p->t_s += strtod(word(1), NULL);
    else if (strcmp(what, "cut") == 0)
        play_feed(p, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_CUT, 0 } });
    else if (strcmp(what, "say") == 0)
        say();
    else if (strcmp(what, "take") == 0 || strcmp(what, "clear") == 0 || strcmp(what, "put") == 0)
        by_hand(what);
    else
        return false;
    return true;
}

static void read_sides(void)
{
    script.setup.seats = 0;
    for (int i = 1; i < script.words && i <= SIDES; i++) {
        struct seat *seat = &script.setup.seat[script.setup.seats++];
        char *sign = strchr(script.word[i], '=');
        *seat = (struct seat){ .name = "" };
        if (sign)
            *sign = '\0';
        snprintf(seat->name, sizeof seat->name, "%.31s", sign ? script.word[i] : "");
        char *colour = sign ? sign + 1 : script.word[i], *players = strchr(colour, ':');
        snprintf(seat->colour, sizeof seat->colour, "%.*s", (int)strcspn(colour, ":"), colour);
        for (int k = 0; k < PLAYERS_MAX && players; k++, players = strchr(players + 1, ','))
            snprintf(seat->player[k], OBS_WORD_MAX, "%.*s", (int)strcspn(players + 1, ","), players + 1);
    }
    script.setup.first = script.setup.seats > 0 ? 0 : -1;
}

static bool set_up(const char *what)
{
    if (strcmp(what, "situation") == 0) {
        snprintf(script.situation, sizeof script.situation, "%s", script.rest[1]);
        snprintf(script.name, sizeof script.name, "%.15s", word(1));
        for (int i = 0; i < played.count; i++)
            if (strcmp(played.name[i], script.name) == 0)
                complain("there is another situation of that name");
        snprintf(played.name[played.count++], NAME_MAX, "%s", script.name);
        script.begun = false;
    } else if (strcmp(what, "game") == 0) {
        script.game = games_find(word(1));
        if (!script.game)
            complain("no game %s", word(1));
        script.setup = match_setup_usual(script.game);
    } else if (strcmp(what, "format") == 0) {
        const struct format *f = game_format(script.game, word(1));
        if (!f)
            complain("no format %s", word(1));
        script.setup.format = *f;
    } else if (strcmp(what, "sides") == 0) {
        read_sides();
    } else if (strcmp(what, "sigma") == 0) {
        script.sigma_in = strtod(word(1), NULL);
    } else if (strcmp(what, "rules") == 0) {
        for (int i = 1; i < script.words; i++)
            shown_add(script.game, script.name, script.word[i]);
    } else {
        return false;
    }
    return true;
}

static void play_line(char *line)
{
    static char whole[LINE_MAX_BYTES];
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    line[strcspn(line, "\n")] = '\0';
    snprintf(whole, sizeof whole, "%s", line);
    script.words = 0;
    for (char *w = strtok(line, " \t"); w && script.words < WORDS_MAX; w = strtok(NULL, " \t")) {
        script.rest[script.words] = whole + (w - line);
        script.word[script.words++] = w;
    }
    if (script.words == 0 || set_up(script.word[0]))
        return;
    if (!script.game || !script.name[0])
        complain("first a game and a situation");
    begin();
    if (!act(script.word[0]) && !check(script.word[0]))
        complain("\"%s\" is no command", script.word[0]);
}

// A line that does something: behind one that looked at the calls, what was called before is heard no more.
static bool acts_next(const char *line)
{
    static const char *const checks[] = { "calls",  "text", "score", "twenties",    "board", "next", "points", "games",
                                          "player", "over", "close", "game-number", "round", "owed", "fact" };
    for (size_t i = 0; i < countof(checks); i++)
        if (strncmp(line, checks[i], strlen(checks[i])) == 0)
            return false;
    return line[0] != '#' && line[0] != '\n' && line[0] != '\0';
}

static void play_file(const char *path)
{
    char line[LINE_MAX_BYTES];
    bool checked = false;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    script.path = path;
    script.line = 0;
    script.game = NULL;
    script.name[0] = script.situation[0] = '\0';
    script.sigma_in = 0.005;
    script.begun = false;
    while (fgets(line, sizeof line, f)) {
        const char *start = line + strspn(line, " \t");
        script.line++;
        if (acts_next(start) && checked) {
            script.heard.count = 0;
            checked = false;
        }
        checked |= strncmp(start, "calls", 5) == 0;
        play_line(line);
    }
    fclose(f);
    play_end(&script.play);
}

static void every_situation(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("samples/situations/*.txt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        play_file(found.gl_pathv[i]);
    globfree(&found);
    printf("%d situations\n", played.count);
    assert_true(played.count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_situation),
        cmocka_unit_test(every_rule_is_shown), // of those that were played
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
