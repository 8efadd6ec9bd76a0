/* Tokens between PEs. In a machine of more than MAX_GROUPS PEs, neighbours are counted together. */
#include "analysis/stream/edges.h"

enum { MAX_GROUPS = 2048, GROUPS_FOR_PEOPLE = 8, NODES_FOR_PEOPLE = 16 };

struct traffic {
    const struct analysis_stream_run *run;
    uint32_t shift;  /* a group has 2^shift PEs */
    uint32_t groups; /* number of groups; `matrix`, owned: [from * groups + to] */
    uint64_t *matrix;
    uint32_t nodes;        /* number of cluster nodes; 0 if fewer than 2 or too many */
    uint64_t *node_matrix; /* owned: [from * nodes + to] */
    uint64_t local, network, requests, dead;
    uint64_t messages;
    struct analysis_edges edges;
};

static uint32_t groups_of(const struct traffic *t, uint32_t shift)
{
    return ((t->run->machine.pe_count - 1) >> shift) + 1;
}

static void *traffic_make(const struct analysis_stream_run *run)
{
    struct traffic *t = lib_mem_new(sizeof *t);
    t->run = run;
    while (groups_of(t, t->shift) > MAX_GROUPS)
        t->shift++;
    t->groups = groups_of(t, t->shift);
    analysis_edges_start(&t->edges, run->graph);
    t->matrix = lib_mem_new((size_t)t->groups * t->groups * sizeof *t->matrix);
    if (run->machine.node_pes)
        t->nodes = (run->machine.pe_count - 1) / run->machine.node_pes + 1;
    if (t->nodes < 2 || t->nodes > MAX_GROUPS)
        t->nodes = 0;
    t->node_matrix = lib_mem_new(((size_t)t->nodes * t->nodes + 1) *
                                 sizeof *t->node_matrix);
    return t;
}

static void release(void *state)
{
    struct traffic *t = state;
    analysis_edges_free(&t->edges);
    LIB_MEM_FREE(t->matrix, t->node_matrix, t);
}

static void traffic_take(void *state, const struct traces_event *events, size_t count)
{
    struct traffic *t = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        if (e->kind != TRACES_EVENT_SENT && e->kind != TRACES_EVENT_SENT_DEAD &&
            e->kind != TRACES_EVENT_REQUEST && !traces_event_is_message(e)) {
            analysis_edges_note(&t->edges, e);
            continue;
        }
        analysis_edges_count(&t->edges, e);
        t->dead += e->kind == TRACES_EVENT_SENT_DEAD;
        t->requests += e->kind == TRACES_EVENT_REQUEST &&
                       t->run->graph->nodes[e->instr].op != ISA_OP_APPLY;
        t->messages += traces_event_is_message(e);
        t->local += e->pe == e->to;
        t->network += e->pe != e->to;
        t->matrix[(size_t)(e->pe >> t->shift) * t->groups + (e->to >> t->shift)]++;
        if (t->nodes)
            t->node_matrix[(size_t)(e->pe / t->run->machine.node_pes) * t->nodes +
                           e->to / t->run->machine.node_pes]++;
    }
}

static void report_pairs(const struct traffic *t, struct lib_findings *f)
{
    struct lib_table *table = lib_findings_table(
        f, "matrix", "tokens from PE to PE, where there are any");
    LIB_TABLE_COLUMNS(table, "from", "to", "tokens");
    for (uint32_t from = 0; from < t->groups; from++)
        for (uint32_t to = 0; to < t->groups; to++) {
            const uint64_t tokens = t->matrix[(size_t)from * t->groups + to];
            if (!tokens)
                continue;
            lib_table_count(table, (uint64_t)from << t->shift);
            lib_table_count(table, (uint64_t)to << t->shift);
            lib_table_count(table, tokens);
        }
}

/* Returns the tokens between two groups of 2^`more` groups. */
static uint64_t between(const struct traffic *t, uint32_t more, uint32_t from,
                        uint32_t to)
{
    uint64_t tokens = 0;
    for (uint32_t i = from << more; i >> more == from && i < t->groups; i++)
        for (uint32_t k = to << more; k >> more == to && k < t->groups; k++)
            tokens += t->matrix[(size_t)i * t->groups + k];
    return tokens;
}

static void report_square(const struct traffic *t, struct lib_findings *f)
{
    uint32_t more = 0;
    while (groups_of(t, t->shift + more) > GROUPS_FOR_PEOPLE)
        more++;
    const uint32_t shift = t->shift + more, groups = groups_of(t, shift);
    struct lib_table *table = lib_findings_table(
        f, "matrix",
        shift
            ? lib_arena_printf(f->arena, "tokens from PE (row) to PE, in groups of %llu",
                               1ULL << shift)
            : "tokens from PE (row) to PE");
    lib_table_column(table, "from");
    for (uint32_t to = 0; to < groups; to++)
        lib_table_column(
            table, lib_arena_printf(f->arena, "%llu", (unsigned long long)to << shift));
    for (uint32_t from = 0; from < groups; from++) {
        lib_table_count(table, (uint64_t)from << shift);
        for (uint32_t to = 0; to < groups; to++)
            lib_table_count(table, between(t, more, from, to));
    }
}

static void report_nodes(const struct traffic *t, struct lib_findings *f)
{
    const bool is_square = f->for_people && t->nodes <= NODES_FOR_PEOPLE;
    struct lib_table *table = lib_findings_table(
        f, "nodes",
        is_square ? "tokens from node (row) to node of the cluster"
                  : "tokens from node to node of the cluster, where there are any");
    lib_table_column(table, "from");
    for (uint32_t to = 0; is_square && to < t->nodes; to++)
        lib_table_column(table, lib_arena_printf(f->arena, "%u", to));
    if (!is_square)
        LIB_TABLE_COLUMNS(table, "to", "tokens");
    for (uint32_t from = 0; from < t->nodes; from++) {
        const uint64_t *tokens = &t->node_matrix[(size_t)from * t->nodes];
        if (is_square)
            lib_table_count(table, from);
        for (uint32_t to = 0; to < t->nodes; to++) {
            if (!is_square && tokens[to]) {
                lib_table_count(table, from);
                lib_table_count(table, to);
            }
            if (is_square || tokens[to])
                lib_table_count(table, tokens[to]);
        }
    }
}

static void traffic_report(void *state, struct lib_findings *f)
{
    const struct traffic *t = state;
    const double all = (double)(t->local + t->network);
    lib_findings_count(f, "local_tokens", t->local, "tokens that stayed in their PE");
    lib_findings_count(f, "network_tokens", t->network, "tokens that went to another PE");
    lib_findings_count(f, "element_requests", t->requests,
                       "FETCHes and STOREs that went on to the PE of their element");
    lib_findings_count(f, "tensor_messages", t->messages,
                       "requests for tensors, and copies of them");
    lib_findings_count(f, "hiatons", t->dead, "dead tokens among all");
    lib_findings_real(f, "network_share", lib_ratio((double)t->network, all),
                      "network tokens / all");
    lib_findings_count(f, "pes_per_row", UINT64_C(1) << t->shift,
                       "1: the matrix has a row for each PE");
    if (f->for_people)
        report_square(t, f);
    else
        report_pairs(t, f);
    analysis_edges_tell_functions(&t->edges, f);
    analysis_edges_tell(&t->edges, f);
    if (t->nodes)
        report_nodes(t, f);
}

extern const struct analysis_stream_kind analysis_traffic;
const struct analysis_stream_kind analysis_traffic = {
    traffic_make, traffic_take, traffic_report, release, false, NULL};
