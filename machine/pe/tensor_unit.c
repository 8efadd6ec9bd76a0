#include "machine/pe/tensor_unit.h"

#include "isa/exec/tensors.h"
#include "isa/op_columns.h"
#include "machine/events.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state_table.h"
#include "machine/verify.h"

/* A kernel that waits at a bank of tensor units, and the cycle of its arrival. */
#define MACHINE_KERNEL_FIELDS(F)                                                         \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)
struct machine_kernel {
    MACHINE_KERNEL_FIELDS(LIB_STATE_MEMBER)
};

/* A batch of at least one kernel that waits for a tensor unit. */
#define MACHINE_KERNELS_FIELDS(F)                                                        \
    F(NUMBER, uint64_t, opened) /* cycle in which the first kernel arrived */            \
    F(EACH, machine_kernel, list)
struct machine_kernels {
    MACHINE_KERNELS_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_BANK_FIELDS(F)                                                           \
    /* cycle when each tensor unit is free; NULL: units are unlimited */                 \
    F(ARRAY, uint64_t, free_at, s->free_at ? m->settings.tensor_units : 0)               \
    F(CALL, forget_started(s))                                                           \
    /* waiting batches, oldest first, from index `first` on; empty before it */          \
    F(EACH, machine_kernels, batches)                                                    \
    F(SCRATCH, size_t, first)                                                            \
    F(NUMBER, uint64_t, full) /* number of waiting batches that are full */
struct machine_bank {
    MACHINE_BANK_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_TENSOR_UNITS_FIELDS(F)                                                   \
    F(KEPT, uint32_t, bank_count)                                                        \
    F(KEPT, uint32_t, bank_pes)                                                          \
    F(KEPT, uint64_t, most) /* max kernels per batch */                                  \
    F(STRUCTS, machine_bank, banks, s->bank_count)                                       \
    F(BOOL, forced)         /* deadlock: incomplete batches start in the next cycle */   \
    F(SCRATCH, bool, fires) /* the kernels of a batch are firing now */                  \
    F(SCRATCH, uint64_t, time) /* cycles of the batch that is firing, without launching */
struct machine_tensor_units {
    MACHINE_TENSOR_UNITS_FIELDS(LIB_STATE_MEMBER)
};

/* Whether live firings of an instruction use a tensor unit. */
static bool takes_tensor_unit(const struct isa_instr *instr)
{
    return isa_op_table[instr->op].unit == ISA_UNIT_TENSOR;
}

/* --- batches -------------------------------------------------------------------------------- */

static size_t batches_before(const struct machine_bank *bank)
{
    return bank->batches.count - bank->first;
}

static bool is_full(const struct machine_tensor_units *units,
                    const struct machine_kernels *batch)
{
    return batch->list.count >= units->most;
}

/* Sets the tensors that are operands of a kernel; NULL: the operand is not a tensor. */
static void find_tensors(const struct machine *m, const struct isa_token *t,
                         const struct isa_tensor *tensors[2])
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    isa_value values[2];
    const bool fires = machine_tensor_operands(m, t, instr, &values[0], &values[1]);
    const unsigned count = isa_op_tensors_read((enum isa_op)instr->op);
    assert(fires);
    (void)fires;
    for (unsigned i = 0; i < 2; i++)
        tensors[i] = i < count ? isa_tensors_get(&m->tokens.exec, values[i]) : NULL;
}

static bool has_shape(const struct isa_tensor *a, const struct isa_tensor *b)
{
    if (!a || !b)
        return a == b;
    return isa_shape_equal(&a->shape, &b->shape) &&
           (a->shape.element != ISA_ELEMENT_PAIR ||
            (isa_shape_equal(&a->parts[0], &b->parts[0]) &&
             isa_shape_equal(&a->parts[1], &b->parts[1])));
}

static bool are_alike(const struct machine *m, const struct isa_token *t,
                      const struct isa_token *other)
{
    const struct isa_tensor *mine[2], *theirs[2];
    if (isa_token_instr(t) != isa_token_instr(other))
        return false;
    find_tensors(m, t, mine);
    find_tensors(m, other, theirs);
    return has_shape(mine[0], theirs[0]) && has_shape(mine[1], theirs[1]);
}

static struct machine_kernels *batch_for(const struct machine *m,
                                         const struct machine_tensor_units *units,
                                         struct machine_bank *bank,
                                         const struct isa_token *t)
{
    for (size_t i = bank->batches.count; units->most > 1 && i-- > bank->first;) {
        struct machine_kernels *batch = &bank->batches.items[i];
        if (!are_alike(m, t, &batch->list.items[0].token))
            continue;
        if (!is_full(units, batch))
            return batch;
        break;
    }
    struct machine_kernels *batch = LIB_VEC_PUSH(&bank->batches);
    *batch = (struct machine_kernels){.opened = m->run.cycle};
    return batch;
}

static struct machine_bank *bank_of(const struct machine_tensor_units *units, uint32_t pe)
{
    return &units->banks[pe / units->bank_pes];
}

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return isa_op_is_on_tensors(op);
}

static enum machine_verdict ask(struct machine *m, void *state, struct machine_passage *p)
{
    struct machine_tensor_units *units = state;
    const struct isa_token *t = p->token;
    const struct isa_instr *instr = p->instr;
    isa_value a, b;
    const bool is_checked = machine_tensors_are_fetched(m) || (m->swap && !p->foresees);
    if (!is_checked && /* else another gate has checked, and marked the slot for this kernel */
        machine_tensor_collides(t, machine_tensor_partner(m, t, instr)))
        return machine_tensor_trap(p);
    if (p->foresees) /* a kernel that waits for a unit has its room already */
        return MACHINE_GATE_OPENS;
    if (!takes_tensor_unit(instr) || !machine_tensor_operands(m, t, instr, &a, &b))
        return MACHINE_GATE_OPENS;
    struct machine_bank *bank = bank_of(units, machine_token_pe(t));
    struct machine_kernels *batch = batch_for(m, units, bank, t);
    *LIB_VEC_PUSH(&batch->list) = (struct machine_kernel){*t, m->run.cycle};
    bank->full += batch->list.count == units->most;
    if (instr->form == ISA_FORM_TWO)
        isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)->info |= ISA_SLOT_SENT;
    p->how = TRACES_OUTCOME_BATCHED;
    return MACHINE_GATE_HOLDS;
}

static const struct machine_gate gate = {MACHINE_GATE_TENSOR_UNIT, concerns, ask,
                                         .is_foreseen = true};

/* Removes the empty batches before `first`. */
static void forget_started(struct machine_bank *bank)
{
    bank->batches.count -= bank->first;
    if (bank->first)
        memmove(bank->batches.items, bank->batches.items + bank->first,
                bank->batches.count * sizeof *bank->batches.items);
    bank->first = 0;
}

static struct machine_kernels take_batch(const struct machine_tensor_units *units,
                                         struct machine_bank *bank, size_t at)
{
    struct machine_kernels *items = bank->batches.items;
    const struct machine_kernels batch = items[at];
    bank->full -= is_full(units, &batch);
    memmove(&items[bank->first + 1], &items[bank->first],
            (at - bank->first) * sizeof *items);
    items[bank->first++] = (struct machine_kernels){0};
    if (bank->first * 2 > bank->batches.count) /* so that a batch is moved few times */
        forget_started(bank);
    return batch;
}

/* --- starting -------------------------------------------------------------------------------- */

static uint32_t first_unit(const struct machine *m, const struct machine_bank *bank)
{
    uint32_t first = 0;
    for (uint32_t u = 1; bank->free_at && u < m->settings.tensor_units; u++)
        first = bank->free_at[u] < bank->free_at[first] ? u : first;
    return first;
}

static uint64_t free_from(const struct machine *m, const struct machine_bank *bank)
{
    return bank->free_at ? bank->free_at[first_unit(m, bank)] : 0;
}

/* Returns the index of the oldest batch that can start now, or SIZE_MAX. */
static size_t find_batch(const struct machine *m,
                         const struct machine_tensor_units *units,
                         const struct machine_bank *bank)
{
    const struct machine_kernels *items = bank->batches.items;
    const uint64_t window = m->settings.batch_window;
    if (batches_before(bank) == 0 || free_from(m, bank) > m->run.cycle)
        return SIZE_MAX;
    if (units->forced || (m->settings.batch_until == MACHINE_BATCH_WINDOW &&
                          m->run.cycle - items[bank->first].opened >= window))
        return bank->first;
    if (bank->full == 0)
        return SIZE_MAX;
    size_t at = bank->first;
    while (!is_full(units, &items[at]))
        at++;
    return at;
}

/* Returns the bytes of operands that a kernel shares with the one before it in a batch. */
static uint64_t shared_bytes(const struct isa_instr *instr,
                             const struct isa_tensor *const mine[2],
                             const struct isa_tensor *const before[2])
{
    const unsigned use = isa_use_of(instr->index);
    uint64_t bytes = 0;
    if (instr->op != ISA_OP_COMBINE || use >= ISA_KERNEL_COUNT ||
        isa_kernels[use].arity != 2)
        return 0;
    for (unsigned i = 0; i < 2; i++)
        bytes += mine[i] == before[i] ? mine[i]->bytes : 0;
    return bytes;
}

/* Costs of a batch (doc/model.md, "Tensor units and batches"). */
struct batch_cost {
    struct isa_kernel_cost work; /* F and B */
    uint64_t tensor_bytes;       /* the part of B that `tensor_bytes` counts as well */
    uint64_t copied; /* G: bytes read and written to put tensors together and apart */
};

static bool is_of_tensors(const struct isa_instr *instr)
{
    return instr->op == ISA_OP_MAP || instr->op == ISA_OP_COMBINE;
}

/* Returns how many operands of a kernel a batch must gather in memory: none of a fill; not a second
 * operand of integers, such as an axis. */
static unsigned count_gathered(const struct isa_instr *instr)
{
    const unsigned use = isa_use_of(instr->index);
    if (!is_of_tensors(instr) || (use >= ISA_USE_FILLS && use < ISA_USE_LIFT))
        return 0;
    return instr->op == ISA_OP_COMBINE && isa_kernels[use].arity == 2 &&
                   !isa_kernel_has_numbers((enum isa_kernel)use)
               ? 2
               : 1;
}

/* Returns the bytes of one operand of all kernels of a batch, or 0 if it is the same tensor in
 * all. */
static uint64_t scattered_bytes(const struct machine *m,
                                const struct machine_kernels *batch, unsigned operand)
{
    const struct isa_tensor *first[2], *tensors[2];
    find_tensors(m, &batch->list.items[0].token, first);
    for (size_t i = 1; i < batch->list.count; i++) {
        find_tensors(m, &batch->list.items[i].token, tensors);
        if (tensors[operand] != first[operand]) /* are_alike: of equal size */
            return batch->list.count * first[operand]->bytes;
    }
    return 0;
}

/* G: each byte that is copied is read and written. */
static uint64_t copied_bytes(const struct machine *m, const struct machine_kernels *batch)
{
    const struct isa_instr *instr =
        &m->code->instrs[isa_token_instr(&batch->list.items[0].token)];
    const unsigned count = count_gathered(instr);
    uint64_t bytes = 0;
    if (m->settings.batch_gather == MACHINE_GATHER_OFF || batch->list.count < 2 || !count)
        return 0;
    for (unsigned operand = 0; operand < count; operand++)
        bytes += scattered_bytes(m, batch, operand);
    for (size_t i = 0; i < batch->list.count; i++) {
        isa_value a, b;
        machine_tensor_operands(m, &batch->list.items[i].token, instr, &a, &b);
        bytes += isa_tensors_made_bytes(&m->tokens.exec, instr, a, b);
    }
    return 2 * bytes;
}

static struct batch_cost cost_of(const struct machine *m,
                                 const struct machine_kernels *batch)
{
    struct batch_cost all = {.copied = copied_bytes(m, batch)};
    const struct isa_tensor *tensors[2][2] = {{0}};
    for (size_t i = 0; i < batch->list.count; i++) {
        const struct isa_token *t = &batch->list.items[i].token;
        const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
        isa_value a, b;
        machine_tensor_operands(m, t, instr, &a, &b);
        const struct isa_kernel_cost cost = isa_tensors_cost(&m->tokens.exec, instr, a,
                                                             b);
        find_tensors(m, t, tensors[i % 2]);
        const uint64_t shared = i > 0 ? shared_bytes(instr, tensors[i % 2],
                                                     tensors[(i + 1) % 2])
                                      : 0;
        const uint64_t bytes = cost.bytes - (shared < cost.bytes ? shared : cost.bytes);
        all.work.flops += cost.flops;
        all.work.bytes += bytes;
        all.tensor_bytes += is_of_tensors(instr) ? bytes : 0;
    }
    return all;
}

/* Returns the cycles of a batch, without unit.tensor.latency. */
static uint64_t time_of(const struct machine *m, const struct machine_kernels *batch,
                        const struct batch_cost *cost)
{
    const uint64_t count = batch->list.count;
    return traces_machine_kernel(&m->about, cost->work.flops, cost->work.bytes) +
           traces_machine_cycles(cost->copied, m->about.bytes) +
           (count > 1 ? count * m->settings.batch_grouping : 0);
}

static bool fire_all(struct machine *m, const struct machine_kernels *batch)
{
    for (size_t i = 0; i < batch->list.count; i++) {
        const struct isa_token t = batch->list.items[i].token;
        m->watch.counts.batch_waits += m->run.cycle - batch->list.items[i].came;
        m->watch.counts.batched_kernels++;
        machine_emit_released(m, TRACES_HOLDER_UNIT, &t);
        if (!m->kind->pass(m, &t, MACHINE_GATE_TENSOR_UNIT, 0))
            return false;
    }
    return true;
}

static bool start(struct machine *m, struct machine_tensor_units *units, uint32_t number,
                  size_t at)
{
    struct machine_bank *bank = &units->banks[number];
    const uint32_t unit = first_unit(m, bank);
    struct machine_kernels batch = take_batch(units, bank, at);
    const struct batch_cost cost = cost_of(m, &batch);
    const uint64_t work = time_of(m, &batch, &cost);
    const uint64_t all = m->settings.latency[ISA_UNIT_TENSOR] + work;
    const uint64_t until = m->run.cycle + (all ? all : 1);
    if (bank->free_at)
        bank->free_at[unit] = until;
    m->watch.counts.tensor_batches++;
    m->watch.counts.tensor_batch_bytes += cost.tensor_bytes;
    m->watch.counts.tensor_unit_busy += until - m->run.cycle;
    m->run.moved = true;
    if (m->watch.events)
        machine_emit_batch(m, number, unit, &batch.list.items[0].token, batch.list.count,
                           until);
    units->time = work;
    units->fires = true;
    const bool goes_on = fire_all(m, &batch);
    units->fires = false;
    LIB_VEC_FREE(&batch.list);
    return goes_on;
}

static bool finish(struct machine *m, void *state)
{
    struct machine_tensor_units *units = state;
    for (uint32_t i = 0; i < units->bank_count; i++) {
        size_t at;
        while ((at = find_batch(m, units, &units->banks[i])) != SIZE_MAX)
            if (!start(m, units, i, at))
                return false;
    }
    units->forced = false;
    return true;
}

bool machine_tensor_units_fire(const struct machine_tensor_units *units, uint64_t *time)
{
    *time = units->time;
    return units->fires;
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    const struct machine_settings *s = &m->settings;
    struct machine_tensor_units *units = state;
    if (!m->code->has_tensors ||
        (!s->tensor_units && s->batch_until == MACHINE_BATCH_NONE))
        return false;
    assert(!m->about.timing); /* machine_timing_fits */
    m->kernels_wait = true;
    units->bank_pes = s->tensor_unit_of == MACHINE_TENSOR_UNIT_PE ? 1
                      : m->node_pes                               ? m->node_pes
                                                                  : m->machine_pes;
    units->bank_count = (m->pe_count + units->bank_pes - 1) / units->bank_pes;
    units->most = s->batch_until == MACHINE_BATCH_NONE ? 1
                  : s->batch_most                      ? s->batch_most
                                                       : UINT64_MAX;
    units->banks = lib_mem_new(units->bank_count * sizeof *units->banks);
    for (uint32_t i = 0; s->tensor_units && i < units->bank_count; i++)
        units->banks[i].free_at = lib_mem_new(s->tensor_units * sizeof(uint64_t));
    return true;
}

LIB_STATE(struct machine, machine_kernel, MACHINE_KERNEL_FIELDS)
LIB_STATE(struct machine, machine_kernels, MACHINE_KERNELS_FIELDS)
LIB_STATE(struct machine, machine_bank, MACHINE_BANK_FIELDS)
LIB_STATE(struct machine, machine_tensor_units, MACHINE_TENSOR_UNITS_FIELDS)

/* Returns the cycle in which the next batch of a bank can start, if nothing else happens. */
static uint64_t next_of(const struct machine *m, const struct machine_bank *bank)
{
    const uint64_t unit = free_from(m, bank);
    uint64_t least = m->run.cycle + 1;
    if (batches_before(bank) == 0)
        return MACHINE_NEVER;
    if (bank->full == 0 && m->settings.batch_until == MACHINE_BATCH_IDLE && unit < least)
        return MACHINE_NEVER; /* then `insist` starts it */
    if (bank->full == 0 && m->settings.batch_until == MACHINE_BATCH_WINDOW) {
        const uint64_t over = bank->batches.items[bank->first].opened +
                              m->settings.batch_window;
        least = over > least ? over : least;
    }
    return unit > least ? unit : least;
}

static uint64_t next(struct machine *m, void *state)
{
    const struct machine_tensor_units *units = state;
    uint64_t next = MACHINE_NEVER;
    for (uint32_t i = 0; i < units->bank_count; i++) {
        const uint64_t of_bank = next_of(m, &units->banks[i]);
        next = of_bank < next ? of_bank : next;
    }
    return next;
}

static bool insist(struct machine *m, void *state)
{
    struct machine_tensor_units *units = state;
    (void)m;
    for (uint32_t i = 0; i < units->bank_count; i++)
        units->forced |= batches_before(&units->banks[i]) > 0;
    return units->forced;
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_tensor_units *units = state;
    (void)m;
    for (uint32_t i = 0; i < units->bank_count; i++)
        for (size_t b = units->banks[i].first; b < units->banks[i].batches.count; b++) {
            const struct machine_kernels *batch = &units->banks[i].batches.items[b];
            for (size_t k = 0; k < batch->list.count; k++)
                if (!visit(context, &batch->list.items[k].token, MACHINE_TOKEN_WAITS))
                    return false;
        }
    return true;
}

/* Whether a token's kernel waits at its bank and will fire. */
static bool is_kernel(const struct machine *m, const struct machine_tensor_units *units,
                      struct machine_audit *f, uint32_t bank, const struct isa_token *t)
{
    isa_value a, b;
    if (!machine_audit_token(f, t) || !machine_audit_at_its_place(f, t))
        return false;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const struct isa_slot *slot = instr->form == ISA_FORM_TWO
                                      ? isa_exec_slot(&m->tokens.exec, isa_token_tag(t),
                                                      instr)
                                      : NULL;
    return machine_must(f,
                        takes_tensor_unit(instr) && !machine_token_mark(t) &&
                            machine_token_pe(t) / units->bank_pes == bank &&
                            (!slot || slot->info & ISA_SLOT_SENT) &&
                            machine_tensor_operands(m, t, instr, &a, &b),
                        "a kernel before a tensor unit has its operands");
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_tensor_units *units = state;
    for (uint32_t i = 0; i < units->bank_count; i++) {
        const struct machine_bank *bank = &units->banks[i];
        uint64_t full = 0;
        for (size_t k = bank->first; k < bank->batches.count; k++) {
            const struct machine_kernels *batch = &bank->batches.items[k];
            if (!machine_must(f,
                              batch->list.count > 0 && batch->list.count <= units->most &&
                                  batch->opened <= m->run.cycle,
                              "a batch has a kernel, and no more than it may"))
                return;
            full += is_full(units, batch);
            for (size_t j = 0; j < batch->list.count; j++)
                if (!is_kernel(m, units, f, i, &batch->list.items[j].token) ||
                    !machine_must(f,
                                  isa_token_instr(&batch->list.items[j].token) ==
                                          isa_token_instr(&batch->list.items[0].token) &&
                                      batch->list.items[j].came <= m->run.cycle,
                                  "a batch is of one instruction"))
                    return;
        }
        machine_must(f, full == bank->full, "batches that are full are counted");
    }
}

const struct machine_part machine_tensor_unit_part = {
    MACHINE_PART_STATE(units),
    MACHINE_PART_FIELDS(machine_tensor_units),
    .make = make,
    .gates = {&gate},
    .finish = finish,
    .next = next,
    .insist = insist,
    .each = each,
    .show = show,
};
