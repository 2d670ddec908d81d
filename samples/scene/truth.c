// SPDX-License-Identifier: MIT
#include "samples/scene/truth.h"

#include <string.h>

#include "samples/scene/render.h"

static const double HOLE_MARGIN_IN = 0.05; // a piece in the hole is in; there is no boundary to measure from

static const char *points_word(int points)
{
    static const char *const word[] = { [2] = "2", [3] = "3", [5] = "5", [10] = "10", [15] = "15", [20] = "20" };
    return word[points];
}

static const char *circles_zone(double *margin_in, const struct scene *s, const struct solid *o)
{
    const struct board *b = s->board;
    double r = hypot(o->at.x, o->at.y);
    const char *zone = "ditch";
    if (o->at.z < 0 && r < b->hole_radius_in) {
        *margin_in = HOLE_MARGIN_IN;
        return points_word(b->hole_points);
    }
    if (o->at.z < 0) {
        *margin_in = r - b->surface_radius_in;
        return zone;
    }
    *margin_in = 1e9;
    for (int i = 0; i < b->circles; i++) {
        double margin = b->circle_in[i] - 0.5 * s->line_width_in - o->radius_in - r;
        if (margin > 0)
            zone = points_word(b->zone_points[i]);
        if (fabs(margin) < fabs(*margin_in))
            *margin_in = margin;
    }
    return zone;
}

const char *truth_zone(double *margin_in, const struct scene *s, const struct solid *o)
{
    if (s->ground == GROUND_BOARD)
        return circles_zone(margin_in, s, o);
    *margin_in = s->board->circle_in[0] - hypot(o->at.x, o->at.y);
    return *margin_in > 0 || (*margin_in == 0 && o->taw) ? "in" : "out";
}

const char *truth_kind(const struct scene *s)
{
    if (!s->board)
        return "none";
    if (s->ground == GROUND_CARPET)
        return "marbles";
    return s->board->piece == PIECE_RING ? "carrom" : "crokinole";
}

static json_t *row3(double a, double b, double c)
{
    return json_pack("[fff]", a, b, c);
}

json_t *truth_camera(const struct scene *s)
{
    const struct lens *l = &s->camera.lens;
    const double(*R)[3] = s->camera.pose.R, *t = s->camera.pose.t_in;
    double H[3][3]; // the plane z = 0 to the picture without distortion
    for (int i = 0; i < 3; i++) {
        double column[3] = { i < 2 ? R[0][i] : t[0], i < 2 ? R[1][i] : t[1], i < 2 ? R[2][i] : t[2] };
        H[0][i] = (l->f_px * column[0] + l->centre.u * column[2]) / t[2];
        H[1][i] = (l->f_px * column[1] + l->centre.v * column[2]) / t[2];
        H[2][i] = column[2] / t[2];
    }
    return json_pack("{si si sf sf sf sf sf sf s[ooo] s[fff] s[ooo] sf}", "width", l->width, "height", l->height, "fx",
                     l->f_px, "fy", l->f_px, "cx", l->centre.u, "cy", l->centre.v, "k1", l->k1, "k2", l->k2, "R",
                     row3(R[0][0], R[0][1], R[0][2]), row3(R[1][0], R[1][1], R[1][2]), row3(R[2][0], R[2][1], R[2][2]),
                     "t", t[0], t[1], t[2], "H_board_to_ideal_px", row3(H[0][0], H[0][1], H[0][2]),
                     row3(H[1][0], H[1][1], H[1][2]), row3(H[2][0], H[2][1], H[2][2]), "tilt_deg",
                     camera_tilt_rad(&s->camera) * 180 / PI);
}

json_t *truth_board(const struct scene *s)
{
    const struct board *b = s->board;
    if (s->ground == GROUND_CARPET)
        return json_pack("{sf sf sf}", "ring_radius_in", b->circle_in[0], "line_width_in", s->line_width_in,
                         "target_radius_in", b->piece_radius_in);
    json_t *pegs = json_array(), *circles = json_array();
    for (int i = 0; i < b->circles; i++)
        json_array_append_new(circles, json_real(b->circle_in[i]));
    for (int i = s->pieces; i < s->solids; i++)
        json_array_append_new(pegs, json_pack("[ff]", s->solid[i].at.x, s->solid[i].at.y));
    return json_pack("{so sf sf sf sf so sf sf}", "circles_in", circles, "line_width_in", s->line_width_in,
                     "hole_radius_in", b->hole_radius_in, "surface_radius_in", b->surface_radius_in, "outer_radius_in",
                     s->rail_outer_in, "pegs_in", pegs, "peg_radius_in", s->peg_radius_in, "quadrant_deg",
                     s->quadrant_rad * 180 / PI);
}

static json_t *image_of(const struct scene *s, const struct solid *o, double height_in)
{
    struct pt_px p;
    if (!camera_project(&p, &s->camera, (struct pt3_in){ o->at.x, o->at.y, o->at.z + height_in }))
        return json_null();
    return json_pack("[ff]", p.u, p.v);
}

static json_t *truth_piece(const struct scene *s, const struct solid *o, double visible)
{
    double margin_in;
    const char *zone = truth_zone(&margin_in, s, o);
    bool marble = o->shape == SHAPE_MARBLE, low = o->at.z < 0;
    json_t *p = json_pack("{ss ss sf sf sf sf sf so ss sf sf}", "kind",
                          marble                   ? "marble"
                          : o->shape == SHAPE_RING ? "ring"
                                                   : "disc",
                          "colour", o->name, "x_in", o->at.x, "y_in", o->at.y, "z_base_in", o->at.z, "radius_in",
                          o->radius_in, "height_in", o->height_in, "base_px", image_of(s, o, 0), "zone", zone,
                          "margin_in", margin_in, "visible", visible);
    if (marble) {
        json_object_set_new(p, "role", json_string(o->taw ? "taw" : "target"));
        json_object_set_new(p, "glass", json_boolean(o->look == LOOK_GLASS));
        json_object_set_new(p, "centre_px", image_of(s, o, o->radius_in));
    } else {
        json_object_set_new(p, "top_px", image_of(s, o, o->height_in));
        json_object_set_new(p, "place", json_string(!low ? "on" : strcmp(zone, "ditch") == 0 ? "ditch" : "20"));
        if (o->edge_in > 0)
            json_object_set_new(p, "edge_in", json_real(o->edge_in));
    }
    return p;
}

json_t *truth_pieces(const struct scene *s)
{
    double visible[SCENE_SOLIDS];
    render_visible(visible, s);
    json_t *list = json_array();
    for (int i = 0; i < s->pieces; i++)
        json_array_append_new(list, truth_piece(s, &s->solid[i], visible[i]));
    return list;
}
