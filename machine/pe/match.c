#include "machine/pe/match.h"

#include "isa/op_columns.h"
#include "lib/hash.h"
#include "machine/state.h"
#include "machine/state_table.h"

/* A bank of an overflow store: the last cycle in which accesses began, and how many did. */
struct machine_match_bank {
    uint64_t cycle, begun;
};

/* Size of the hash table and overflow store of a PE, and their places in all arrays. Read for
 * each operand: 32 bytes. */
struct machine_match_store {
    size_t first_set, first_bank;
    uint32_t set_count, ways;
    uint32_t overflow_capacity; /* in operands; 0: unlimited */
    uint16_t bandwidth,
        bank_count; /* bandwidth of each bank; 0: unlimited, without banks */
};

#define MACHINE_MATCH_FIELDS(F)                                                          \
    F(KEPT, bool, is_hash)                       /* kind of all matching stores: */      \
    F(KEPT, bool, is_frames)                     /* one of the two is true */            \
    F(KEPT, size_t, set_count)                   /* of all PEs */                        \
    F(KEPT, size_t, bank_count)                  /* of all PEs */                        \
    F(OWNED, struct machine_match_store, stores) /* if is_hash: of each PE */            \
    F(OWNED, uint64_t, capacity)                 /* if is_frames: slots of each PE */    \
    /* if is_hash: number of operands in each set of each PE */                          \
    F(ARRAY, uint32_t, in_set, s->set_count)                                             \
    /* if is_hash: operands in the (slower) overflow store of each PE */                 \
    F(ARRAY, uint64_t, in_overflow, s->is_hash ? m->pe_count : 0)                        \
    /* banks of overflow stores with a bandwidth */                                      \
    F(ARRAY, struct machine_match_bank, banks, s->bank_count)                            \
    /* if is_frames: number of slots in use at each PE */                                \
    F(ARRAY, uint64_t, slots, s->is_frames ? m->pe_count : 0)                            \
    F(NUMBER, uint64_t, overflows) /* operands that ever went to an overflow store */    \
    /* divided programs with is_frames, else NULL: slots of functions on each machine */ \
    F(OWNED, uint32_t, slots_on)                                                         \
    F(OWNED, uint32_t, slots_of_call)
struct machine_match {
    MACHINE_MATCH_FIELDS(LIB_STATE_MEMBER)
};

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

size_t machine_match_set_of(const struct machine_match *match, uint32_t pe, uint64_t key)
{
    const struct machine_match_store *store = &match->stores[pe];
    return store->first_set + number_of_set(store, key);
}

static uint32_t *set_of(const struct machine_match *match, uint32_t pe, uint64_t key)
{
    return &match->in_set[machine_match_set_of(match, pe, key)];
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

uint64_t machine_match_access(struct machine_match *match, uint32_t pe, uint64_t key,
                              uint64_t now, struct traces_part_counts *counts)
{
    const struct machine_match_store *store = &match->stores[pe];
    if (store->bandwidth == 0)
        return 0;
    struct machine_match_bank *bank =
        &match->banks[store->first_bank + number_of_set(store, key) % store->bank_count];
    if (bank->cycle < now)
        *bank = (struct machine_match_bank){now, 0};
    if (bank->begun == store->bandwidth)
        *bank = (struct machine_match_bank){bank->cycle + 1, 0};
    bank->begun++;
    counts->overflow_accesses++;
    counts->overflow_wait_cycles += bank->cycle - now;
    return bank->cycle - now;
}

/* --- frames ---------------------------------------------------------------------------------- */

bool machine_match_has_frames(const struct machine_match *match)
{
    return match && match->is_frames;
}

bool machine_match_has_room(const struct machine_match *match,
                            const struct isa_activations *tags, uint32_t function,
                            uint32_t site, uint32_t place)
{
    const struct isa_shares *s = tags->shares;
    if (!match->slots_on)
        return match->slots[place] + tags->shapes[function].slots <=
               match->capacity[place];
    for (uint32_t i = 0; i < s->machines; i++)
        if (match->slots[i * s->owners + place] + isa_shares_slots(s, function, site, i) >
            match->capacity[i * s->owners + place])
            return false;
    return true;
}

bool machine_match_take(struct machine_match *match, const struct isa_activations *tags,
                        const struct isa_activation *a)
{
    const struct isa_shares *s = match->slots_on ? tags->shares : NULL;
    const uint32_t place = machine_place_of(a);
    const bool has_room = machine_match_has_room(match, tags, a->function, a->site,
                                                 place);
    for (uint32_t i = 0; s && i < s->machines; i++)
        match->slots[i * s->owners + place] += isa_shares_slots(s, a->function, a->site,
                                                                i);
    if (!s)
        match->slots[place] += tags->shapes[a->function].slots;
    return has_room;
}

/* --- invariants ------------------------------------------------------------------------------ */

size_t machine_match_sets(const struct machine_match *match)
{
    return match ? match->set_count : 0;
}

const char *machine_match_broken(const struct machine_match *match, uint32_t pe,
                                 const struct machine_match_found *found)
{
    if (match->is_frames)
        return match->slots[pe] == found->slots ? NULL : "slots of frames are counted";
    const struct machine_match_store *store = &match->stores[pe];
    bool agrees = match->in_overflow[pe] == found->away;
    for (size_t set = store->first_set; set < store->first_set + store->set_count;
         set++) {
        if (match->in_set[set] > store->ways)
            return "no more lie in a set than fit";
        agrees &= match->in_set[set] == found->in_set[set];
    }
    return agrees ? NULL : "operands that wait are in the table or the slower store";
}

uint64_t machine_match_overflow(const struct machine *m, const struct isa_token *t)
{
    return traces_machine_pe(&m->about, machine_pe_of_token(m, t))->overflow;
}

/* --- the part -------------------------------------------------------------------------------- */

static void make_frames(struct machine *m, struct machine_match *match)
{
    struct isa_activations *tags = &m->tokens.exec.tags;
    match->is_frames = true;
    match->capacity = lib_mem_new(m->pe_count * sizeof *match->capacity);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const uint64_t capacity = machine_settings_at(m, pe)->match_capacity;
        match->capacity[pe] = capacity ? capacity : UINT64_MAX;
    }
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

/* Returns the store of a PE with these settings, except its places. A hash table without bound is a
 * set of as many ways as are needed. */
static struct machine_match_store store_of(const struct machine_settings *s)
{
    const uint64_t capacity = s->match_capacity ? s->match_capacity : UINT32_MAX;
    const uint64_t ways = s->match_ways < capacity && s->match_capacity ? s->match_ways
                                                                        : capacity;
    return (struct machine_match_store){
        .ways = (uint32_t)ways,
        .set_count = (uint32_t)(capacity / ways),
        .overflow_capacity = (uint32_t)s->overflow_capacity,
        .bandwidth = (uint16_t)s->overflow_bandwidth,
        .bank_count = s->overflow_bandwidth ? (uint16_t)s->overflow_banks : 0};
}

static void make_hash(struct machine *m, struct machine_match *match)
{
    match->is_hash = m->has_match_table = true;
    match->stores = lib_mem_new(m->pe_count * sizeof *match->stores);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        struct machine_match_store *store = &match->stores[pe];
        *store = store_of(machine_settings_at(m, pe));
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
    bool is_finite = false;
    for (uint32_t i = 0; i <= m->about.class_count; i++)
        is_finite |= machine_settings_of(m, i)->match_capacity > 0;
    if (!is_finite)
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
        state, machine_pe_on(m, isa_token_tag(t), isa_token_instr(t)),
        machine_match_key(&m->tokens.exec, isa_token_tag(t), instr), m->run.cycle,
        &m->watch.counts);
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
    return traces_machine_max_overflow(&m->about);
}

void machine_match_pack(struct lib_pack *pack, struct machine *m)
{
    struct machine_match none = {0};
    machine_match_fields_pack(pack, m, m->match ? m->match : &none);
    lib_pack_bool(pack, &m->run.is_match_full);
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
