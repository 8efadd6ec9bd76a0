/* "Tensor units and batches". */
#include "isa/kernel_use.h"
#include "tests/oracle/state.h"

/* A kernel of a batch, with what it costs and reads. */
struct kernel {
    struct token token;
    struct oracle_cost cost;
    struct array *tensors[2]; /* NULL: not a tensor */
    uint64_t came;
    uint64_t made; /* bytes of its result */
};

struct batch {
    LIB_VEC(struct kernel) kernels;
    uint64_t opened;
};

struct bank {
    LIB_VEC(struct batch) batches; /* the oldest first */
    uint64_t *free;                /* cycle when each unit is free */
};

struct batches {
    unsigned count;
    struct bank *banks;
    bool forced; /* batches start, as the machine is idle */
    /* Of a batch that starts: the kernels that have not fired yet. */
    const struct kernel *to_fire;
    size_t to_fire_count;
};

bool oracle_has_batches(const struct oracle *o)
{
    const struct oracle_settings *s = o->s;
    return !s->executor_workers && (s->tensor_units || s->batch_until);
}

static unsigned pes_of_bank(const struct oracle *o)
{
    if (!o->s->unit_of_node)
        return 1;
    if (o->s->nodes)
        return (unsigned)o->s->node_pes;
    const uint32_t machines = o->graph->machine_count;
    return (unsigned)(o->s->pe_count / (machines ? machines : 1));
}

static bool is_full(const struct oracle *o, const struct batch *b)
{
    const uint64_t most = o->s->batch_until == ORACLE_UNTIL_NONE ? 1 : o->s->batch_most;
    return most && b->kernels.count >= most;
}

void oracle_batches_make(struct oracle *o)
{
    if (!oracle_has_batches(o))
        return;
    struct batches *b = o->batches = lib_mem_new(sizeof *b);
    b->count = (unsigned)o->s->pe_count / pes_of_bank(o);
    b->banks = lib_mem_new(b->count * sizeof *b->banks);
    for (unsigned i = 0; i < b->count; i++)
        b->banks[i].free = lib_mem_new((o->s->tensor_units + 1) * sizeof(uint64_t));
}

void oracle_batches_free(struct oracle *o)
{
    struct batches *all = o->batches;
    for (unsigned i = 0; all && i < all->count; i++) {
        struct bank *bank = &all->banks[i];
        for (size_t k = 0; k < bank->batches.count; k++)
            LIB_VEC_FREE(&bank->batches.items[k].kernels);
        LIB_VEC_FREE(&bank->batches);
        lib_mem_free(bank->free);
    }
    if (all)
        lib_mem_free(all->banks);
    lib_mem_free(all);
}

/* --- before a bank -------------------------------------------------------------------- */

static bool has_shape(const struct array *a, const struct array *b)
{
    if (!a || !b)
        return a == b;
    const struct isa_shape *x = &a->tensor->shape, *y = &b->tensor->shape;
    bool same = x->element == y->element && x->rank == y->rank;
    for (int i = 0; same && i < x->rank; i++)
        same = x->extents[i] == y->extents[i];
    for (int i = 0; same && x->element == ISA_ELEMENT_PAIR && i < 2; i++)
        same = isa_shape_equal(&a->tensor->parts[i], &b->tensor->parts[i]);
    return same;
}

static bool are_alike(const struct kernel *a, const struct kernel *b)
{
    return a->token.instr == b->token.instr && has_shape(a->tensors[0], b->tensors[0]) &&
           has_shape(a->tensors[1], b->tensors[1]);
}

static struct batch *batch_for(struct oracle *o, struct bank *bank,
                               const struct kernel *k)
{
    struct batch *newest = NULL;
    for (size_t i = 0; i < bank->batches.count; i++)
        if (are_alike(k, &bank->batches.items[i].kernels.items[0]))
            newest = &bank->batches.items[i];
    if (newest && !is_full(o, newest))
        return newest;
    newest = LIB_VEC_PUSH(&bank->batches);
    *newest = (struct batch){.opened = o->now};
    return newest;
}

/* Whether a kernel that could fire goes before its bank. */
bool oracle_kernel_gathers(struct oracle *o, unsigned pe, const struct token *t,
                           struct waiting *partner)
{
    const struct isa_node *node = t->instr->node;
    struct kernel k = {.token = *t, .came = o->now};
    struct value values[2] = {{0}};
    const struct token *operands[2] = {NULL, NULL};
    const struct firing f = oracle_firing(o, t, pe);
    if (!oracle_has_batches(o) || t->starting || !oracle_takes_unit(o, node->op))
        return false;
    if (!t->start)
        operands[t->port] = t;
    if (partner)
        operands[partner->token.port] = &partner->token;
    for (unsigned port = 0; port < 2; port++)
        values[port] = oracle_operand_of(o, &f, port, operands);
    const unsigned tensors = oracle_read_count(node);
    for (unsigned i = 0; i < tensors; i++)
        k.tensors[i] = values[i].array;
    k.cost = oracle_kernel_cost(node, values[0], values[1]);
    k.made = oracle_made_bytes(o, node, values[0], values[1]);
    k.token.to = pe;
    k.token.starting = true;
    k.token.request = partner != NULL;
    k.token.roomed = true;
    if (partner && !partner->away && !oracle_wrong(o, MOVABLE))
        oracle_memory_leave(o, &partner->token);
    if (partner)
        partner->away = true;
    struct bank *bank = &o->batches->banks[pe / pes_of_bank(o)];
    struct batch *batch = batch_for(o, bank, &k);
    *LIB_VEC_PUSH(&batch->kernels) = k;
    return true;
}

/* --- starting ------------------------------------------------------------------------- */

static unsigned first_unit(const struct oracle *o, const struct bank *bank)
{
    unsigned first = 0;
    for (unsigned u = 1; u < o->s->tensor_units; u++)
        first = bank->free[u] < bank->free[first] ? u : first;
    return first;
}

static uint64_t free_from(const struct oracle *o, const struct bank *bank)
{
    return o->s->tensor_units ? bank->free[first_unit(o, bank)] : 0;
}

static uint64_t over(const struct oracle *o, const struct batch *b)
{
    const uint64_t window = o->s->batch_window;
    return b->opened + window - (window && oracle_wrong(o, OVER));
}

static bool may_start(const struct oracle *o, const struct batch *b)
{
    if (is_full(o, b) || o->batches->forced)
        return true;
    return o->s->batch_until == ORACLE_UNTIL_WINDOW && over(o, b) <= o->now;
}

static bool is_fill(const struct isa_node *node)
{
    const unsigned use = isa_use_of(node->index);
    return use >= ISA_USE_FILLS && use < ISA_USE_LIFT;
}

static bool makes_of_tensors(const struct isa_node *node)
{
    return node->op == ISA_OP_MAP || node->op == ISA_OP_COMBINE;
}

/* "Copies": G. */
static uint64_t copied_bytes(const struct oracle *o, const struct batch *b)
{
    const struct kernel *k = b->kernels.items;
    const size_t count = b->kernels.count;
    const struct isa_node *node = k->token.instr->node;
    uint64_t bytes = 0;
    if (!o->s->batch_gather || count == 1 || !makes_of_tensors(node) || is_fill(node))
        return 0;
    for (unsigned port = 0; port < (oracle_is_of_two(node) ? 2 : 1); port++) {
        bool is_same = true;
        for (size_t i = 1; i < count; i++)
            is_same &= k[i].tensors[port] == k[i - 1].tensors[port];
        for (size_t i = 0; i < count && !is_same && !oracle_wrong(o, JOINED); i++)
            bytes += k[i].tensors[port]->tensor->bytes;
    }
    for (size_t i = 0; i < count && !oracle_wrong(o, APART); i++)
        bytes += k[i].made;
    return 2 * bytes;
}

/* "The time of a batch". */
static uint64_t time_of(const struct oracle *o, const struct batch *b)
{
    struct oracle_cost all = {0, 0};
    const size_t count = b->kernels.count;
    uint64_t shared = 0;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *k = &b->kernels.items[i];
        all.flops += k->cost.flops;
        all.bytes += k->cost.bytes;
        if (i == 0 || !oracle_is_of_two(k->token.instr->node) || k->cost.bytes == 0)
            continue;
        for (unsigned port = 0; port < 2; port++)
            if (k->tensors[port] == k[-1].tensors[port] && !oracle_wrong(o, WEIGHTS))
                shared += k->tensors[port]->tensor->bytes;
    }
    if (makes_of_tensors(b->kernels.items[0].token.instr->node))
        o->outcome->stats.tensor_batch_bytes += all.bytes - shared;
    all.bytes -= shared;
    const uint64_t grouping = count > 1 && !oracle_wrong(o, GROUPS)
                                  ? count * o->s->batch_grouping
                                  : 0;
    return oracle_cycles_of_cost(o, all) + oracle_cycles_of_bytes(o, copied_bytes(o, b)) +
           grouping;
}

static void start(struct oracle *o, unsigned number, size_t at)
{
    struct bank *bank = &o->batches->banks[number];
    struct oracle_stats *stats = &o->outcome->stats;
    struct batch b = bank->batches.items[at];
    const unsigned unit = first_unit(o, bank);
    const uint64_t work = time_of(o, &b);
    const uint64_t all = o->s->unit_latency[ISA_UNIT_TENSOR] + work;
    const uint64_t free = bank->free[unit], until = o->now + (all ? all : 1);
    memmove(&bank->batches.items[at], &bank->batches.items[at + 1],
            (--bank->batches.count - at) * sizeof b);
    if (o->s->tensor_units)
        bank->free[unit] = until;
    stats->tensor_batches++;
    stats->tensor_unit_busy += until - o->now;
    o->moved = true;
    oracle_why_batch(o, number, unit, free);
    for (size_t i = 0; i < b.kernels.count && !o->ended; i++) {
        struct kernel *k = &b.kernels.items[i];
        o->batches->to_fire = k + 1;
        o->batches->to_fire_count = b.kernels.count - i - 1;
        stats->batched_kernels++;
        stats->batch_waits += o->now - k->came;
        o->batch_time = work;
        o->batch_fires = true;
        oracle_why_started(o, &k->token);
        oracle_turn(o, k->token.to, k->token);
        o->batch_fires = false;
    }
    o->batches->to_fire_count = 0;
    LIB_VEC_FREE(&b.kernels);
}

/* Step 11. */
void oracle_batches_start(struct oracle *o)
{
    for (unsigned i = 0; o->batches && i < o->batches->count; i++) {
        const struct bank *bank = &o->batches->banks[i];
        size_t at = 0;
        while (at < bank->batches.count && !o->ended && free_from(o, bank) <= o->now) {
            if (!may_start(o, &bank->batches.items[at])) {
                at++;
                continue;
            }
            start(o, i, at);
            at = 0;
        }
    }
    if (o->batches)
        o->batches->forced = false;
}

static uint64_t made_in(const struct oracle *o, const struct kernel *kernels,
                        size_t count, unsigned memory)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += oracle_memory_of(o, kernels[i].token.to) == memory ? kernels[i].made : 0;
    return bytes;
}

/* Bytes in a memory of what kernels before banks will make. */
uint64_t oracle_batches_make_in(const struct oracle *o, unsigned memory)
{
    const struct batches *all = o->batches;
    uint64_t bytes = all ? made_in(o, all->to_fire, all->to_fire_count, memory) : 0;
    for (unsigned i = 0; all && i < all->count; i++)
        for (size_t k = 0; k < all->banks[i].batches.count; k++) {
            const struct batch *b = &all->banks[i].batches.items[k];
            bytes += made_in(o, b->kernels.items, b->kernels.count, memory);
        }
    return bytes;
}

/* --- "How time goes on" --- */

void oracle_next_batch(const struct oracle *o, uint64_t *cycle)
{
    for (unsigned i = 0; o->batches && i < o->batches->count; i++) {
        const struct bank *bank = &o->batches->banks[i];
        const uint64_t unit = free_from(o, bank);
        for (size_t k = 0; k < bank->batches.count; k++) {
            const struct batch *b = &bank->batches.items[k];
            uint64_t when = unit > o->now ? unit : o->now + 1;
            if (!is_full(o, b) && o->s->batch_until == ORACLE_UNTIL_WINDOW) {
                when = over(o, b) > when ? over(o, b) : when;
            } else if (!is_full(o, b) && unit <= o->now) {
                continue;
            }
            *cycle = when < *cycle ? when : *cycle;
        }
    }
}

bool oracle_batches_insist(struct oracle *o)
{
    for (unsigned i = 0; o->batches && i < o->batches->count; i++)
        o->batches->forced |= o->batches->banks[i].batches.count > 0;
    return o->batches && o->batches->forced;
}

bool oracle_batches_before(const struct oracle *o, unsigned node)
{
    const unsigned of_bank = pes_of_bank(o), pes = (unsigned)o->s->node_pes;
    for (unsigned i = 0; o->batches && i < o->batches->count; i++)
        if (i * of_bank / pes == node && o->batches->banks[i].batches.count)
            return true;
    return false;
}
