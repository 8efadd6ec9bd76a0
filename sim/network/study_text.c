#include "sim/network/study.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/json.h"
#include "lib/memory.h"

/* --- what is known --------------------------------------------------------------------------- */

/* Returns the word for a router; the switch of a node has its number. */
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

/* Writes "8x8", or "4-ary 3-tree" if dimensions say less. */
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

static void write_row(struct lib_text *out, const char *name)
{
    lib_text_printf(out, "%-18s", name);
}

static void write_proof(const struct sim_study *s, struct lib_text *out)
{
    write_row(out, "deadlock");
    if (s->proof.is_free) {
        lib_text_printf(out,
                        "none: %" PRIu64 " channels, %" PRIu64 " dependencies, no circle",
                        s->proof.channels, s->proof.dependencies);
        if (s->proof.judged.pe_count != s->graph->pe_count) {
            lib_text_puts(out, ", of ");
            write_shape(&s->proof.judged, out);
        }
    } else {
        lib_text_puts(out, "can happen: ");
        machine_proof_write(&s->proof, out);
    }
    lib_text_puts(out, "\n");
}

static void write_bound(const struct sim_study *s, struct lib_text *out)
{
    write_row(out, "most load");
    if (s->has_bound) {
        lib_text_printf(
            out, "%.4g tokens per PE and cycle; then this link is full: ", s->bound.load);
        write_link(s->graph, s->bound.link, out);
        if (s->request.shape.routing == MACHINE_ROUTING_ADAPTIVE)
            lib_text_puts(out, " (if all took the channels to escape by)");
    } else {
        lib_text_printf(out, "unknown above %u PEs", MACHINE_BOUNDS_MAX_PES);
    }
    lib_text_puts(out, "\n");
}

static void write_known(const struct sim_study *s, struct lib_text *out)
{
    const struct machine_graph *g = s->graph;
    write_row(out, "network");
    write_shape(&g->shape, out);
    lib_text_printf(out, ": %u PEs, %u routers, %u links between them\n", g->pe_count,
                    g->router_count, g->link_count - 2 * g->pe_count);
    write_row(out, "routing");
    lib_text_printf(out, "%s, %u class%s of channels\n",
                    machine_routing_names[g->shape.routing], g->channel_classes,
                    g->channel_classes == 1 ? "" : "es");
    write_proof(s, out);
    if (g->pe_count <= MACHINE_BOUNDS_MAX_PES) {
        write_row(out, "distance");
        lib_text_printf(out, "%.4g links on average, %u at most\n", s->distances.mean,
                        s->distances.diameter);
        write_row(out, "between halves");
        if (s->between_halves)
            lib_text_printf(out, "%u token%s per cycle\n", s->between_halves,
                            s->between_halves == 1 ? "" : "s");
        else
            lib_text_puts(out, "no link limits them: PEs of both are at one router\n");
    }
    write_row(out, "pattern");
    lib_text_printf(out, "%s", machine_pattern_names[s->pattern.kind]);
    if (s->has_bound)
        lib_text_printf(out, ", %.4g links per token", s->bound.mean_hops);
    lib_text_puts(out, "\n");
    write_bound(s, out);
}

/* --- what was measured ----------------------------------------------------------------------- */

static void write_points(const struct sim_study *s, struct lib_text *out)
{
    lib_text_printf(out, "\n%9s %9s %9s %7s %7s %7s %7s %8s\n", "offered", "accepted",
                    "latency", "+-", "median", "99 %", "links", "busiest");
    for (size_t i = 0; i < s->points.count; i++) {
        const struct sim_study_point *p = &s->points.items[i];
        lib_text_printf(out, "%9.4f %9.4f ", p->offered, p->accepted);
        if (p->is_saturated)
            lib_text_printf(out, "%9s %7s %7s %7s", "saturated", "", "", "");
        else
            lib_text_printf(out, "%9.2f %7.2f %7" PRIu64 " %7" PRIu64, p->latency,
                            isfinite(p->high) ? p->high - p->latency : 0, p->median,
                            p->most);
        lib_text_printf(out, " %7.3f %8.4f\n", p->hops, p->busiest);
    }
    lib_text_printf(out, "\n");
    write_row(out, "most accepted");
    lib_text_printf(out, "%.4f tokens per PE and cycle", sim_study_greatest(s));
    if (s->has_bound)
        lib_text_printf(out, ", %.0f %% of the most load",
                        100 * sim_study_greatest(s) / s->bound.load);
    lib_text_puts(out, "\n");
}

void sim_study_write(const struct sim_study *s, struct lib_text *out)
{
    write_known(s, out);
    if (s->points.count > 0)
        write_points(s, out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void write_json_link(struct lib_json *json, const char *key,
                            const struct machine_graph *g, uint32_t link)
{
    struct lib_text text = {0};
    write_link(g, link, &text);
    lib_json_string(json, key, lib_text_get(&text));
    lib_text_free(&text);
}

static void write_json_known(const struct sim_study *s, struct lib_json *json)
{
    const struct machine_graph *g = s->graph;
    struct lib_text dims = {0};
    machine_graph_write_dims(g->shape.dims, g->shape.dim_count, &dims);
    lib_json_string(json, "topology", machine_shape_names[g->shape.kind]);
    lib_json_string(json, "dims", lib_text_get(&dims));
    lib_json_uint(json, "concentration", g->shape.concentration);
    lib_json_string(json, "routing", machine_routing_names[g->shape.routing]);
    lib_json_uint(json, "pes", g->pe_count);
    if (g->shape.nodes > 0)
        lib_json_uint(json, "nodes", g->shape.nodes);
    lib_json_uint(json, "routers", g->router_count);
    lib_json_uint(json, "links", g->link_count - 2 * g->pe_count);
    lib_json_uint(json, "channel_classes", g->channel_classes);
    lib_json_bool(json, "deadlock_free", s->proof.is_free);
    lib_json_uint(json, "channels", s->proof.channels);
    lib_json_uint(json, "dependencies", s->proof.dependencies);
    if (g->pe_count <= MACHINE_BOUNDS_MAX_PES) {
        lib_json_uint(json, "diameter", s->distances.diameter);
        lib_json_real(json, "mean_distance", s->distances.mean);
        lib_json_uint(json, "between_halves", s->between_halves);
    }
    lib_json_string(json, "pattern", machine_pattern_names[s->pattern.kind]);
    if (s->has_bound) {
        lib_json_real(json, "links_per_token", s->bound.mean_hops);
        lib_json_real(json, "most_load", s->bound.load);
        write_json_link(json, "full_link", g, s->bound.link);
    }
    lib_text_free(&dims);
}

static void write_json_point(const struct sim_study *s, const struct sim_study_point *p,
                             struct lib_json *json)
{
    lib_json_open(json, NULL, '{');
    lib_json_real(json, "load", p->load);
    lib_json_real(json, "offered", p->offered);
    lib_json_real(json, "accepted", p->accepted);
    lib_json_bool(json, "saturated", p->is_saturated);
    lib_json_real(json, "latency", p->latency);
    lib_json_real(json, "latency_low", p->low);
    lib_json_real(json, "latency_high", p->high);
    if (!p->is_saturated) {
        lib_json_uint(json, "latency_median", p->median);
        lib_json_uint(json, "latency_99", p->most);
    } else {
        lib_json_null(json, "latency_median");
        lib_json_null(json, "latency_99");
    }
    lib_json_real(json, "links_per_token", p->hops);
    lib_json_real(json, "busiest", p->busiest);
    write_json_link(json, "busiest_link", s->graph, p->busiest_link);
    lib_json_real(json, "least_share", p->least_share);
    lib_json_uint(json, "cycles", p->cycles);
    lib_json_close(json);
}

void sim_study_write_json(const struct sim_study *s, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    write_json_known(s, &json);
    if (s->points.count > 0) {
        lib_json_real(&json, "most_accepted", sim_study_greatest(s));
        lib_json_open(&json, "points", '[');
        for (size_t i = 0; i < s->points.count; i++)
            write_json_point(s, &s->points.items[i], &json);
        lib_json_close(&json);
    }
    lib_json_close(&json);
}

/* --- comma-separated values ------------------------------------------------------------------ */

/* Writes a number; nothing if it is unknown. */
static void write_real(double value, struct lib_text *out)
{
    lib_text_puts(out, ",");
    if (isfinite(value))
        lib_text_real(out, value);
}

void sim_study_write_csv(const struct sim_study *s, struct lib_text *out)
{
    lib_text_puts(
        out, "load,offered,accepted,saturated,latency,latency_low,latency_high,"
             "latency_median,latency_99,links_per_token,busiest,least_share,cycles\n");
    for (size_t i = 0; i < s->points.count; i++) {
        const struct sim_study_point *p = &s->points.items[i];
        lib_text_real(out, p->load);
        write_real(p->offered, out);
        write_real(p->accepted, out);
        lib_text_printf(out, ",%s", p->is_saturated ? "true" : "false");
        write_real(p->latency, out);
        write_real(p->low, out);
        write_real(p->high, out);
        if (p->is_saturated)
            lib_text_puts(out, ",,");
        else
            lib_text_printf(out, ",%" PRIu64 ",%" PRIu64, p->median, p->most);
        write_real(p->hops, out);
        write_real(p->busiest, out);
        write_real(p->least_share, out);
        lib_text_printf(out, ",%" PRIu64 "\n", p->cycles);
    }
}

void sim_study_write_links(const struct sim_study *s, struct lib_text *out)
{
    static const char *const kinds[MACHINE_LINK_KINDS] = {
        "injection", "ejection", "local", "global", "up", "down"};
    const struct machine_graph *g = s->graph;
    double *expected = lib_mem_new(g->link_count * sizeof *expected);
    const bool is_known = machine_graph_loads(g, &s->pattern, expected);
    lib_text_puts(out, "load,link,kind,from,to,expected,measured\n");
    for (size_t i = 0; i < s->points.count; i++) {
        const struct sim_study_point *p = &s->points.items[i];
        for (uint32_t k = 0; k < g->link_count && p->link_loads; k++) {
            const struct machine_graph_link *l = &g->links[k];
            lib_text_real(out, p->load);
            lib_text_printf(out, ",%u,%s,%u,%u", k, kinds[l->kind], l->from, l->to);
            write_real(is_known ? p->load * expected[k] : NAN, out);
            write_real(p->link_loads[k], out);
            lib_text_puts(out, "\n");
        }
    }
    lib_mem_free(expected);
}
