/* The checker: tag tracking in graphs that are divided among machines. */
#include "isa/check/rules.h"
#include "isa/op_columns.h"
#include "isa/parts.h"
#include "lib/key_map.h"
#include "lib/memory.h"

struct tracking {
    uint32_t *home;            /* per site: its machine, plus one */
    struct lib_key_map copies; /* per machine, site and opcode */
    struct lib_key_map told;   /* per MERGE and maker of tags */
    uint32_t *arrivals;        /* per node and operand 0 or 1 */
};

static bool is_tracked(const struct isa_node *n)
{
    return isa_op_tracks(n->op) || n->op == ISA_OP_AWAIT;
}

/* Adds a key to a map. Returns false if the map has it already. */
static bool add_key(struct lib_key_map *map, uint64_t key)
{
    if (lib_key_map_find(map, key))
        return false;
    lib_key_map_put(map, key, 1);
    return true;
}

static uint64_t copy_key(const struct isa_node *n, enum isa_op op)
{
    const uint64_t kind = (uint64_t)op - ISA_OP_TRACK_MERGE;
    return 1 + ((uint64_t)n->machine << 40 | (uint64_t)n->site << 4 | kind);
}

static void check_copy(struct isa_check *c, struct tracking *t, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const bool is_loop = g->functions[g->sites[n->site].callee].is_loop;
    if (is_loop != (n->op != ISA_OP_TRACK_CALL))
        isa_check_say(c, LIB_DIAG_MEANING, node, "site %u calls a %s", n->site,
                      is_loop ? "loop" : "function");
    if (t->home[n->site] == n->machine + 1)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "is on machine %u, where site %u is at home and makes its tags",
                      n->machine, n->site);
    if (!add_key(&t->copies, copy_key(n, n->op)))
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "machine %u follows the tags of site %u twice", n->machine,
                      n->site);
}

/* Checks that a machine with copies of a loop's NEXTs has one of its ENTERs, and the reverse. */
static void check_pair(struct isa_check *c, struct tracking *t, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    const enum isa_op other = n->op == ISA_OP_TRACK_ENTER ? ISA_OP_TRACK_NEXT
                                                          : ISA_OP_TRACK_ENTER;
    if ((n->op == ISA_OP_TRACK_ENTER || n->op == ISA_OP_TRACK_NEXT) &&
        !lib_key_map_find(&t->copies, copy_key(n, other)))
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "machine %u has a copy of the %ss of site %u, and none of its %ss",
                      n->machine, n->op == ISA_OP_TRACK_ENTER ? "enter" : "next", n->site,
                      n->op == ISA_OP_TRACK_ENTER ? "next" : "enter");
}

/* Checks an arc that announces tags to a MERGE of tag tracking: it comes, once, from a CALL, ENTER
 * or NEXT of parameter 0, or from a copy of one. */
static void check_announced(struct isa_check *c, struct tracking *t, uint32_t from,
                            uint32_t output, uint32_t merge)
{
    const struct isa_node *n = &c->graph->nodes[from];
    if (!isa_op_makes_tag(n->op) || n->index > 0 || output > 0) {
        isa_check_say(c, LIB_DIAG_MEANING, from,
                      "leads to %s, but makes no tags: expected what call, enter or next "
                      "of parameter 0 sends, or their copies",
                      isa_check_name(c, merge).text);
        return;
    }
    const uint64_t maker = (uint64_t)n->site << 1 |
                           (isa_op_does[n->op].tag == ISA_UNDER_NEXT);
    if (!add_key(&t->told, 1 + ((uint64_t)merge << 32 | maker)))
        isa_check_say(c, LIB_DIAG_MEANING, merge, "is told twice of the tags of site %u",
                      n->site);
}

static void check_arc(struct isa_check *c, struct tracking *t, uint32_t from,
                      uint32_t output, struct isa_dest to)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[from], *d = &g->nodes[to.node];
    if (isa_node_output_frame(g, n) != d->function)
        isa_check_say(
            c, LIB_DIAG_MEANING, from, "its output has a tag of %s, but %s fires in %s",
            isa_check_function(c, isa_node_output_frame(g, n)).text,
            isa_check_name(c, to.node).text, isa_check_function(c, d->function).text);
    t->arrivals[2 * to.node + to.port]++;
    if (d->op == ISA_OP_TRACK_MERGE)
        check_announced(c, t, from, output, to.node);
    else if (isa_node_output_is_control(n, output) ||
             isa_node_output_type(g, n, output) != ISA_BOOL)
        isa_check_say(c, LIB_DIAG_TYPE, from, "sends %s, but operand %u of %s takes bool",
                      isa_node_output_is_control(n, output)
                          ? "control"
                          : isa_type_name(isa_node_output_type(g, n, output)),
                      to.port, isa_check_name(c, to.node).text);
}

static void check_arrivals(struct isa_check *c, const struct tracking *t, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const uint32_t found = t->arrivals[2 * node + port];
        const bool token = n->operands[port].kind == ISA_OPERAND_TOKEN;
        const bool many = n->op == ISA_OP_TRACK_MERGE && token && found > 0;
        if (!token && port == 0 && n->op != ISA_OP_TRACK_MERGE)
            isa_check_say(c, LIB_DIAG_MEANING, node, "operand 0: must be a token");
        else if (found != token && !many)
            isa_check_say(c, LIB_DIAG_MEANING, node,
                          "operand %u is reached by %u arcs, not %s %d", port, found,
                          n->op == ISA_OP_TRACK_MERGE && token ? "at least" : "by",
                          token);
    }
}

/* Checks that an arc from tag tracking does not lead to an instruction of the program. */
static void check_kept(struct isa_check *c, uint32_t from, uint32_t to)
{
    const struct isa_node *n = &c->graph->nodes[from], *d = &c->graph->nodes[to];
    if (isa_op_tracks(n->op) && !isa_op_tracks(d->op) && d->op != ISA_OP_AWAIT &&
        d->op != ISA_OP_SEND)
        isa_check_say(c, LIB_DIAG_MEANING, from,
                      "leads to %s, but only what tracks tags takes that",
                      isa_check_name(c, to).text);
}

void isa_check_tracking(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    const uint32_t whole = isa_parts_whole(g);
    struct tracking t = {
        .home = lib_mem_new(((size_t)g->site_count + 1) * sizeof *t.home),
        .arrivals = lib_mem_new(2 * (size_t)g->node_count * sizeof *t.arrivals),
    };
    for (uint32_t i = 0; i < whole; i++)
        if (isa_op_has_site(g->nodes[i].op))
            t.home[g->nodes[i].site] = g->nodes[i].machine + 1;
    for (uint32_t i = whole; i < g->node_count; i++)
        if (isa_op_tracks(g->nodes[i].op) && isa_op_has_site(g->nodes[i].op))
            check_copy(c, &t, i);
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t o = 0; o < g->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < g->nodes[i].outputs[o].count; k++) {
                const struct isa_dest to = g->nodes[i].outputs[o].items[k];
                if (is_tracked(&g->nodes[to.node]))
                    check_arc(c, &t, i, o, to);
                check_kept(c, i, to.node);
            }
    for (uint32_t i = whole; i < g->node_count; i++) {
        if (is_tracked(&g->nodes[i]))
            check_arrivals(c, &t, i);
        check_pair(c, &t, i);
    }
    LIB_MEM_FREE(t.home, t.arrivals);
    lib_key_map_free(&t.copies);
    lib_key_map_free(&t.told);
}
