/* Work and span of Gurd, Kirkham and Watson, The Manchester prototype dataflow computer (CACM
 * 28(1), 1985), from the firings of the run. */
#include "analysis/stream/stream.h"
#include "traces/event_counts.h"

struct summary {
    bool *is_bypass; /* owned; per node, whether it has one token operand */
    uint64_t firings, dead_firings, span, bypass, calls, iterations, cycles;
};

/* Constants held by a loop are operands. A MERGE, or a node with several arcs into one operand, has
 * one operand. */
static bool has_one_operand(const struct isa_node *node)
{
    uint32_t tokens = 0;
    for (uint32_t p = 0; p < node->operand_count; p++) {
        if (node->operands[p].kind == ISA_OPERAND_HELD)
            return false;
        tokens += node->operands[p].kind == ISA_OPERAND_TOKEN;
    }
    return tokens == 1 || node->op == ISA_OP_MERGE || node->op == ISA_OP_MERGEIF ||
           node->op == ISA_OP_PARAM;
}

static void *summary_make(const struct analysis_stream_run *run)
{
    struct summary *s = lib_mem_new(sizeof *s);
    s->is_bypass = lib_mem_new(run->graph->node_count * sizeof *s->is_bypass);
    for (uint32_t n = 0; n < run->graph->node_count; n++)
        s->is_bypass[n] = has_one_operand(&run->graph->nodes[n]);
    return s;
}

static void release(void *state)
{
    struct summary *s = state;
    LIB_MEM_FREE(s->is_bypass, s);
}

static void summary_take(void *state, const struct traces_event *events, size_t count)
{
    struct summary *s = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        if (e->kind == TRACES_EVENT_FIRED) {
            s->firings++;
            s->bypass += s->is_bypass[e->instr];
            s->span = e->a > s->span ? e->a : s->span;
        } else if (e->kind == TRACES_EVENT_END) {
            s->cycles = e->a;
        } else {
            s->dead_firings += e->kind == TRACES_EVENT_DEAD;
            s->calls += traces_event_is_call(e);
            s->iterations += traces_event_is_iteration(e);
        }
    }
}

static void summary_report(void *state, struct lib_findings *f)
{
    const struct summary *s = state;
    const double firings = (double)s->firings;
    lib_findings_count(f, "firings", s->firings, "instructions executed: S1");
    lib_findings_count(f, "span", s->span, "the critical path: S_inf");
    lib_findings_real(f, "parallelism", lib_ratio(firings, (double)s->span),
                      "S1 / S_inf: pi");
    lib_findings_real(f, "bypass_ratio", lib_ratio((double)s->bypass, firings),
                      "firings with one token operand / S1: Pby");
    lib_findings_count(f, "dead_firings", s->dead_firings,
                       "instructions that only passed a hiaton on");
    lib_findings_count(f, "calls", s->calls, "activations of functions");
    lib_findings_count(f, "loop_iterations", s->iterations, "iterations of loops");
    lib_findings_count(f, "cycles", s->cycles, "simulated time");
    lib_findings_real(f, "firings_per_cycle", lib_ratio(firings, (double)s->cycles),
                      "the parallelism that the machine reached");
}

extern const struct analysis_stream_kind analysis_summary;
const struct analysis_stream_kind analysis_summary = {
    summary_make, summary_take, summary_report, release, false, NULL};
