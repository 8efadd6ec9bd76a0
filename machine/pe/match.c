#include "machine/pe/match.h"

#include "isa/op_columns.h"
#include "lib/hash.h"
#include "machine/classes.h"
#include "machine/state.h"

/* Counts the slots of each function on each machine, for a divided program. */
static void divide(struct machine_match *match, const struct isa_code *code)
{
    const struct isa_graph *graph = code->graph;
    const uint32_t machines = code->machines;
    uint32_t *on = lib_mem_new((size_t)graph->function_count * machines * sizeof *on);
    uint32_t *call = lib_mem_new(graph->function_count * sizeof *call);
    for (uint32_t f = 0; f < graph->function_count; f++)
        call[f] = code->frames[f].slots;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        const bool is_of_call = n->op == ISA_OP_JOIN || n->op == ISA_OP_RETURN;
        const bool waits = code->instrs[i].tokens == 2 ||
                           (code->propagate && isa_op_chooses(n->op));
        if (!is_of_call && waits) {
            on[(size_t)n->function * machines + n->machine]++;
            call[n->function]--;
        }
    }
    for (uint32_t s = 0; s < graph->site_count; s++) {
        const struct isa_site *site = &graph->sites[s];
        if (!graph->functions[site->callee].is_loop)
            continue;
        const uint32_t count = 1 + graph->functions[site->callee].held_count;
        on[(size_t)site->caller * machines + code->home_of_site[s]] += count;
        call[site->caller] -= count;
    }
    match->slots_on = on;
    match->slots_of_call = call;
}

uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr)
{
    return lib_hash_mix(isa_activations_get(&exec->tags, tag)->path ^ instr->key);
}

/* Returns the number of the set for a key in a store. */
static uint32_t number_of_set(const struct machine_match_store *store, uint64_t key)
{
    return (uint32_t)(((key >> 32) * store->set_count) >> 32);
}

size_t machine_match_place(const struct machine_match *match, uint32_t pe, uint64_t key)
{
    const struct machine_match_store *store = &match->stores[pe];
    return store->first_set + number_of_set(store, key);
}

static uint32_t *set_of(const struct machine_match *match, uint32_t pe, uint64_t key)
{
    return &match->in_set[machine_match_place(match, pe, key)];
}

bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away)
{
    const struct machine_match_store *store = &match->stores[pe];
    uint32_t *in_set = set_of(match, pe, key);
    *away = *in_set == store->ways;
    if (!*away) {
        ++*in_set;
        return true;
    }
    if (store->overflow_capacity && match->in_overflow[pe] == store->overflow_capacity)
        return false;
    match->in_overflow[pe]++;
    match->overflows++;
    return true;
}

void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away)
{
    if (away)
        match->in_overflow[pe]--;
    else
        --*set_of(match, pe, key);
}

uint64_t machine_match_access(struct machine *m, struct machine_match *match, uint32_t pe,
                              uint64_t key)
{
    const struct machine_match_store *store = &match->stores[pe];
    if (store->bandwidth == 0)
        return 0;
    struct machine_match_bank *bank =
        &match->banks[store->first_bank + number_of_set(store, key) % store->bank_count];
    if (bank->cycle < m->run.cycle)
        *bank = (struct machine_match_bank){m->run.cycle, 0};
    if (bank->begun == store->bandwidth)
        *bank = (struct machine_match_bank){bank->cycle + 1, 0};
    bank->begun++;
    m->watch.counts.overflow_accesses++;
    m->watch.counts.overflow_wait_cycles += bank->cycle - m->run.cycle;
    return bank->cycle - m->run.cycle;
}

/* --- the part -------------------------------------------------------------------------------- */

static void set_frames(void *context, uint32_t first, uint32_t last,
                       const struct machine_settings *s)
{
    const struct machine_match *match = context;
    for (uint32_t pe = first; pe <= last; pe++)
        match->capacity[pe] = s->match_capacity ? s->match_capacity : UINT64_MAX;
}

static void make_frames(struct machine *m, struct machine_match *match)
{
    struct isa_activations *tags = &m->tokens.exec.tags;
    match->is_frames = true;
    match->capacity = lib_mem_new(m->pe_count * sizeof *match->capacity);
    machine_class_each(&m->settings, m->pe_count, set_frames, match);
    match->slots = lib_mem_new(m->pe_count * sizeof *match->slots);
    tags->slots_at = match->slots;
    tags->is_watched = true;
    if (!m->code->machines)
        return;
    divide(match, m->code);
    tags->shares->slots_on = match->slots_on;
    tags->shares->slots_of_call = match->slots_of_call;
    tags->shares->homes = m->code->home_of_site;
}

/* Sets the stores of a range of PEs, except their places. A hash table without bound is a set of as
 * many ways as are needed. */
static void set_stores(void *context, uint32_t first, uint32_t last,
                       const struct machine_settings *s)
{
    const struct machine_match *match = context;
    const uint64_t capacity = s->match_capacity ? s->match_capacity : UINT32_MAX;
    const uint64_t ways = s->match_ways < capacity && s->match_capacity ? s->match_ways
                                                                        : capacity;
    const struct machine_match_store store = {
        .ways = (uint32_t)ways,
        .set_count = (uint32_t)(capacity / ways),
        .overflow_capacity = (uint32_t)s->overflow_capacity,
        .bandwidth = (uint16_t)s->overflow_bandwidth,
        .bank_count = s->overflow_bandwidth ? (uint16_t)s->overflow_banks : 0};
    for (uint32_t pe = first; pe <= last; pe++)
        match->stores[pe] = store;
}

static void make_hash(struct machine *m, struct machine_match *match)
{
    match->is_hash = m->has_match_table = true;
    match->stores = lib_mem_new(m->pe_count * sizeof *match->stores);
    machine_class_each(&m->settings, m->pe_count, set_stores, match);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        struct machine_match_store *store = &match->stores[pe];
        store->first_set = match->set_count;
        store->first_bank = match->bank_count;
        match->set_count += store->set_count;
        match->bank_count += store->bank_count;
    }
    match->in_set = lib_mem_new(match->set_count * sizeof *match->in_set);
    match->in_overflow = lib_mem_new(m->pe_count * sizeof *match->in_overflow);
    match->banks = lib_mem_new((match->bank_count + 1) * sizeof *match->banks);
}

static bool make(struct machine *m, void *state)
{
    const struct machine_settings *s = &m->settings;
    struct machine_match *match = state;
    if (s->match_capacity == 0)
        return false;
    if (s->match_store == MACHINE_MATCH_FRAMES)
        make_frames(m, match);
    else
        make_hash(m, match);
    return true;
}

LIB_STATE(struct machine, machine_match, MACHINE_MATCH_FIELDS)

/* A completed run has left no operand in a store of sets. */
static void reset(struct machine *m, void *state)
{
    struct machine_match *match = state;
    if (!match->is_hash || m->run.running || m->run.end != ISA_END_COMPLETED) {
        machine_match_fields_clear(m, match);
        return;
    }
    match->overflows = 0;
    memset(match->banks, 0, match->bank_count * sizeof *match->banks);
}

static bool begins(const struct machine *m, const void *state, enum isa_op op)
{
    const struct machine_match *match = state;
    (void)m, (void)op;
    return match->bank_count > 0;
}

/* Returns how long a firing waits for its operand in the overflow store. */
static uint64_t begin_firing(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    if (!machine_is_of_two(t, instr))
        return 0;
    const struct isa_slot *slot = isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr);
    if (!(slot->info & ISA_SLOT_OVERFLOW) || isa_slot_port(slot) == isa_token_port(t))
        return 0;
    return machine_match_access(
        m, state, machine_pe_on(m, isa_token_tag(t), isa_token_instr(t)),
        machine_match_key(&m->tokens.exec, isa_token_tag(t), instr));
}

static void measure(const struct machine *m, const void *state,
                    struct traces_stats *stats)
{
    const struct machine_match *match = state;
    (void)m;
    stats->match_overflows = match->overflows;
}

static uint64_t delay(const struct machine *m, const void *state)
{
    (void)state;
    return m->about.overflow;
}

void machine_match_pack(struct lib_pack *pack, struct machine *m)
{
    struct machine_match none = {0};
    machine_match_fields_pack(pack, m, m->match ? m->match : &none);
    lib_pack_bool(pack, &m->run.is_match_full);
}

/* All PEs have such a store, or none: a class then says how large its own are. */
bool machine_match_fits(const struct machine_settings *s, struct lib_diags *diags)
{
    const struct {
        const char *key;
        uint64_t value;
    } rows[] = {{"match.capacity", s->match_capacity},
                {"match.overflow.bandwidth", s->overflow_bandwidth}};
    for (const struct machine_class *of = s->classes; of->name[0]; of++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (rows[i].value == 0 && machine_class_value(of, rows[i].key)) {
                lib_diag_plain(diags, LIB_DIAG_USAGE,
                               "class.%s.%s: expected %s=N, for PEs of other classes",
                               of->name, rows[i].key, rows[i].key);
                return false;
            }
    return true;
}

const struct machine_part machine_match_part = {
    MACHINE_PART_STATE(match),
    .make = make,
    .delay = delay,
    .free = machine_match_fields_free,
    .reset = reset,
    .measure = measure,
    .begins = begins,
    .begin_firing = begin_firing,
};
