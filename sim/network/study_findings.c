#include "sim/network/study.h"

#include <math.h>
#include <string.h>

/* --- what is known --------------------------------------------------------------------------- */

/* The switch of a node has the number of the node. */
static const char *router_word(const struct machine_graph *g, uint32_t router)
{
    return router < g->shape.nodes ? "node" : "router";
}

static void write_link(const struct machine_graph *g, uint32_t link, struct lib_text *out)
{
    const struct machine_graph_link *l = &g->links[link];
    const bool is_first = l->kind == MACHINE_LINK_INJECTION;
    const bool is_last = l->kind == MACHINE_LINK_EJECTION;
    const char *from = is_first ? "PE" : router_word(g, l->from);
    const char *to = is_last ? "PE" : router_word(g, l->to);
    if (strcmp(from, to) == 0)
        lib_text_printf(out, "%s %u -> %u", from, l->from, l->to);
    else
        lib_text_printf(out, "%s %u -> %s %u", from, l->from, to, l->to);
}

static const char *link_text(const struct sim_study *s, uint32_t link,
                             struct lib_findings *f)
{
    struct lib_text text = {0};
    write_link(s->graph, link, &text);
    return lib_arena_keep(f->arena, &text);
}

/* Writes "8x8"; or, if its dimensions say more, "4-ary 3-tree". */
static void write_shape(const struct machine_shape *s, struct lib_text *out)
{
    lib_text_puts(out, machine_shape_names[s->kind]);
    if (s->dim_count > 0) {
        lib_text_puts(out, " ");
        machine_graph_write_dims(s->dims, s->dim_count, out);
    }
    if (s->nodes > 0)
        lib_text_printf(out, " of %u nodes with %u PE%s each", s->nodes, s->node_pes,
                        s->node_pes == 1 ? "" : "s");
}

static void add_shape(const struct machine_graph *g, struct lib_findings *f)
{
    struct lib_text dims = {0};
    machine_graph_write_dims(g->shape.dims, g->shape.dim_count, &dims);
    lib_findings_word(f, "topology", machine_shape_names[g->shape.kind], "");
    lib_findings_text(f, "dims", &dims, "its sizes");
    lib_findings_count(f, "concentration", g->shape.concentration, "PEs at a router");
    lib_findings_word(f, "routing", machine_routing_names[g->shape.routing], "");
    lib_findings_count(f, "pes", g->pe_count, "");
    if (g->shape.nodes > 0)
        lib_findings_count(f, "nodes", g->shape.nodes, "of PEs that a switch joins");
    lib_findings_count(f, "routers", g->router_count, "");
    lib_findings_count(f, "links", g->link_count - 2 * g->pe_count, "between routers");
    lib_findings_count(f, "channel_classes", g->channel_classes, "of each link");
}

static void add_proof(const struct sim_study *s, struct lib_findings *f)
{
    struct lib_text help = {0};
    lib_text_puts(&help, s->proof.is_free ? "no channels wait in a circle" : "");
    if (!s->proof.is_free) {
        machine_proof_write(&s->proof, &help);
    } else if (s->proof.judged.pe_count != s->graph->pe_count) {
        lib_text_puts(&help, ", judged by ");
        write_shape(&s->proof.judged, &help);
    }
    lib_findings_flag(f, "deadlock_free", s->proof.is_free,
                      lib_arena_keep(f->arena, &help));
    lib_findings_count(f, "channels", s->proof.channels, "");
    lib_findings_count(f, "dependencies", s->proof.dependencies, "between channels");
}

static void add_bounds(const struct sim_study *s, struct lib_findings *f)
{
    if (s->graph->pe_count <= MACHINE_BOUNDS_MAX_PES) {
        lib_findings_count(f, "diameter", s->distances.diameter,
                           "links between the PEs that are farthest from each other");
        lib_findings_real(f, "mean_distance", s->distances.mean, "links between two PEs")
            ->style = LIB_STYLE_SHORT;
        lib_findings_count(f, "between_halves", s->between_halves,
                           s->between_halves
                               ? "tokens per cycle from one half of the PEs to the other"
                               : "no link limits what goes from one half of the PEs to "
                                 "the other: PEs of both are at one router");
    }
    lib_findings_word(f, "pattern", machine_pattern_names[s->pattern.kind],
                      s->has_bound ? "" : "its load is not known for so many PEs");
    if (!s->has_bound)
        return;
    lib_findings_real(f, "links_per_token", s->bound.mean_hops, "of this pattern")
        ->style = LIB_STYLE_SHORT;
    /* Adaptive routing goes around full links, so no link limits it alone. */
    const bool adapts = s->request.shape.routing == MACHINE_ROUTING_ADAPTIVE;
    lib_findings_real(
        f, adapts ? "escape_load" : "most_load", s->bound.load,
        adapts ? "the same if all tokens took the channels to escape by; more can be "
                 "accepted"
               : "tokens per PE and cycle, with which a link is full")
        ->style = LIB_STYLE_SHORT;
    lib_findings_word(f, "full_link", link_text(s, s->bound.link, f),
                      adapts ? "that link, if all took the channels to escape by"
                             : "that link");
}

/* --- what was measured ----------------------------------------------------------------------- */

/* Returns an integer that is unknown for a saturated network. */
static struct lib_value unless_saturated(const struct sim_study_point *p, uint64_t number)
{
    return p->is_saturated ? lib_none() : lib_count(number);
}

static void add_point(const struct sim_study *s, const struct sim_study_point *p,
                      struct lib_findings *f, struct lib_table *t)
{
    lib_row(t, "load", lib_real(p->load))->hidden = LIB_NOT_IN_TEXT;
    lib_row(t, "offered", lib_real(p->offered))->style = LIB_STYLE_SHORT;
    lib_row(t, "accepted", lib_real(p->accepted))->style = LIB_STYLE_SHORT;
    lib_row(t, "saturated", lib_flag(p->is_saturated));
    lib_row(t, "latency", lib_real(p->latency))->label = "mean";
    lib_row(t, "latency_low", lib_real(p->low))->label = "low";
    lib_row(t, "latency_high", lib_real(p->high))->label = "high";
    lib_row(t, "latency_median", unless_saturated(p, p->median))->label = "median";
    lib_row(t, "latency_99", unless_saturated(p, p->most))->label = "99%";
    struct lib_column *links = lib_row(t, "links_per_token", lib_real(p->hops));
    links->style = LIB_STYLE_SHORT;
    links->label = "links";
    lib_row(t, "busiest", lib_real(p->busiest))->style = LIB_STYLE_SHORT;
    lib_row(t, "busiest_link", lib_word(link_text(s, p->busiest_link, f)))->hidden =
        LIB_NOT_IN_TEXT | LIB_NOT_IN_CSV;
    lib_row(t, "least_share", lib_real(p->least_share))->style = LIB_STYLE_SHORT;
    lib_row(t, "cycles", lib_count(p->cycles))->hidden = LIB_NOT_IN_TEXT;
}

static void add_points(const struct sim_study *s, struct lib_findings *f)
{
    static const char *const over[] = {NULL,
                                       "tokens/PE/cycle",
                                       "",
                                       NULL,
                                       "latency in cycles",
                                       "",
                                       "",
                                       "",
                                       "",
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL};
    const double most = sim_study_greatest(s);
    const char *help = "tokens per PE and cycle";
    if (s->has_bound)
        help = lib_arena_printf(f->arena, "%s, %.0f %% of the most load", help,
                                100 * most / s->bound.load);
    lib_findings_real(f, "most_accepted", most, help)->style = LIB_STYLE_SHORT;
    struct lib_table *t = lib_findings_table(f, "points", "measured");
    t->levels = over;
    t->level_count = 1;
    t->note = "low and high: 95 % interval of the mean; links: between routers, per "
              "token; busiest: load of the busiest link; least_share: of its fair rate, "
              "what is accepted from the PE with the least";
    for (size_t i = 0; i < s->points.count; i++)
        add_point(s, &s->points.items[i], f, t);
}

void sim_study_write(const struct sim_study *s, enum lib_form form, struct lib_text *out)
{
    struct lib_findings f;
    lib_findings_start(&f, NULL, form == LIB_FORM_TEXT);
    f.untitled = true;
    add_shape(s->graph, &f);
    add_proof(s, &f);
    add_bounds(s, &f);
    if (s->points.count > 0)
        add_points(s, &f);
    lib_findings_write(&f, form, form == LIB_FORM_CSV ? "points" : NULL, out);
    lib_findings_free(&f);
}

/* --- loads of links -------------------------------------------------------------------------- */

struct loads {
    const struct sim_study *study;
    const double *expected; /* NULL: unknown */
};

static void make_load(void *context, size_t row, struct lib_value *cells)
{
    static const char *const kinds[MACHINE_LINK_KINDS] = {
        "injection", "ejection", "local", "global", "up", "down"};
    const struct loads *l = context;
    const size_t count = l->study->graph->link_count, k = row % count;
    const struct sim_study_point *p = &l->study->points.items[row / count];
    const struct machine_graph_link *link = &l->study->graph->links[k];
    const struct lib_value made[] = {
        lib_real(p->load),
        lib_count(k),
        lib_word(kinds[link->kind]),
        lib_count(link->from),
        lib_count(link->to),
        lib_real(l->expected ? p->load * l->expected[k] : NAN),
        lib_real(p->link_loads[k]),
    };
    memcpy(cells, made, sizeof made);
}

void sim_study_write_links(const struct sim_study *s, struct lib_text *out)
{
    struct lib_findings f;
    double *expected = lib_mem_new(s->graph->link_count * sizeof *expected);
    const bool is_known = machine_graph_loads(s->graph, &s->pattern, expected);
    struct loads loads = {s, is_known ? expected : NULL};
    lib_findings_start(&f, NULL, false);
    f.untitled = true;
    struct lib_table *t = lib_findings_table(&f, "links", "");
    LIB_TABLE_COLUMNS(t, "load", "link", "kind", "from", "to", "expected", "measured");
    lib_table_make(&f, t, s->points.count * s->graph->link_count, make_load, &loads);
    lib_findings_write(&f, LIB_FORM_CSV, NULL, out);
    lib_findings_free(&f);
    lib_mem_free(expected);
}
