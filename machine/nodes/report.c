/* Describes the message that was lost or arrived twice when a run ended as faulted. */
#include "isa/op_columns.h"
#include "machine/nodes/nodes_internal.h"
#include "machine/state.h"

#include <inttypes.h>

static void write_node(const struct machine *m, uint32_t number, struct lib_text *out)
{
    const struct isa_node *node = &m->code->graph->nodes[number];
    isa_graph_write_label(m->code->graph, number, out);
    lib_text_printf(out, " %s", isa_op_table[node->op].text);
    isa_node_write_place(node, out);
}

/* Whether instruction `number` may have sent a token to operand `port` of `to`. A RETURN gets
 * what the called function returns. An instruction that makes an activation sends under the new
 * tag, whose first label is `site`; NODES_NOBODY: unknown, for a hiaton. */
static bool sends(const struct machine *m, uint32_t number, uint32_t to, uint32_t port,
                  uint32_t site)
{
    const struct isa_graph *graph = m->code->graph;
    const struct isa_node *from = &graph->nodes[number], *node = &graph->nodes[to];
    if (isa_op_makes_tag(from->op) && site != NODES_NOBODY && from->site != site)
        return false;
    for (uint32_t list = 0; list < from->output_count; list++)
        for (uint32_t i = 0; i < from->outputs[list].count; i++) {
            const struct isa_dest *dest = &from->outputs[list].items[i];
            if (dest->node == to && dest->port == port)
                return true;
            if (dest->node == ISA_TO_RETURN && node->op == ISA_OP_RETURN && port == 0 &&
                dest->port == node->index &&
                from->function == graph->sites[node->site].callee)
                return true;
        }
    return node->op == ISA_OP_PARAM && from->op == ISA_OP_APPLY &&
           graph->sites[from->site].callee == node->function;
}

/* Writes the instructions that may have sent the token. */
static void write_senders(const struct machine *m, uint32_t to, uint32_t port,
                          uint32_t site, struct lib_text *out)
{
    enum { SHOWN = 4 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->code->graph->node_count; i++) {
        if (!sends(m, i, to, port, site))
            continue;
        if (count < SHOWN) {
            lib_text_puts(out, count ? " or " : " from ");
            write_node(m, i, out);
        }
        count++;
    }
    if (count > SHOWN)
        lib_text_printf(out, " or %" PRIu32 " others", count - SHOWN);
}

void machine_write_fault(const struct machine *m, struct lib_text *out,
                         struct lib_pos *pos)
{
    const struct machine_nodes *n = m->nodes;
    if (n->wrong == NODES_NOBODY) {
        *pos = (struct lib_pos){0};
        lib_text_printf(out,
                        "no message is missing any more: those that the probe counted as "
                        "missing for %" PRIu64
                        " cycles came before node 0 ended the run; "
                        "a greater cluster.timeout waits for them",
                        m->settings.message_timeout);
        return;
    }
    const struct nodes_message *message = &n->messages.items[n->wrong];
    const struct isa_token t = {.key = message->key};
    const uint32_t instr = isa_token_instr(&t), node = isa_code_node(m->code, instr);
    const uint32_t port = m->code->instrs[instr].op == ISA_OP_APPLY
                              ? m->code->instrs[instr].index
                              : isa_token_port(&t);
    *pos = m->code->graph->nodes[node].pos;
    lib_text_printf(
        out, "message %" PRIu32 " from node %" PRIu32 " to node %" PRIu32 " %s: a %s",
        message->number, message->from, message->to,
        n->came_twice ? "came twice" : "was lost",
        message->is_release     ? "release"
        : isa_token_is_dead(&t) ? "hiaton"
                                : "token");
    if (!message->is_release) {
        write_senders(
            m, node, port,
            isa_token_is_dead(&t)
                ? NODES_NOBODY
                : isa_activations_get(&m->tokens.exec.tags, isa_token_tag(&t))->site,
            out);
        lib_text_printf(out, " to operand %" PRIu32 " of ", port);
        write_node(m, node, out);
    }
    lib_text_puts(out, " under tag ");
    isa_tag_write(&m->tokens.exec.tags, isa_token_tag(&t), out);
    if (message->tokens > 1)
        lib_text_printf(out, ", and %" PRIu64 " more in it", message->tokens - 1);
    if (n->others)
        lib_text_printf(out, "; %" PRIu64 " more message%s missing", n->others,
                        n->others == 1 ? " is" : "s are");
}

void machine_write_unused_faults(const struct machine *m, struct lib_text *out)
{
    static const char *const names[] = {
        [MACHINE_FAULT_LOSS] = "lose",
        [MACHINE_FAULT_DUPLICATE] = "duplicate",
        [MACHINE_FAULT_DELAY] = "delay",
        [MACHINE_FAULT_REORDER] = "reorder",
    };
    const struct machine_nodes *n = m->nodes;
    for (size_t i = 0; n && i < n->list.entries.count; i++) {
        const struct machine_fault_entry *e = &n->list.entries.items[i];
        const uint32_t sent = nodes_pair(n, e->from, e->to)->sent;
        if (e->number < sent)
            continue;
        lib_text_printf(out,
                        "%s:%" PRIu32 "-%" PRIu32 ":%" PRIu32 ": node %" PRIu32
                        " sent %" PRIu32 " message%s to node %" PRIu32 "\n",
                        names[e->kind], e->from, e->to, e->number, e->from, sent,
                        sent == 1 ? "" : "s", e->to);
    }
}
