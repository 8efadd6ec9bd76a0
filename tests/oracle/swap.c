/* "Memory". */
#include "tests/oracle/state.h"

bool oracle_has_memories(const struct oracle *o)
{
    return o->s->memory_capacity > 0 && !o->s->executor_workers && !o->s->by_reference &&
           !o->nodes_state;
}

/* Whether memories are finite or could be: then their bytes are counted. */
static bool counts_bytes(const struct oracle *o)
{
    return oracle_has_memories(o) ||
           (!o->s->executor_workers && !o->s->by_reference && !o->nodes_state &&
            !o->s->tensor_units && !o->s->batch_until);
}

static unsigned memory_count(const struct oracle *o)
{
    return oracle_memory_of(o, (unsigned)o->s->pe_count - 1) + 1;
}

static struct array *next_tensor(const struct oracle *o, struct array *a, unsigned memory)
{
    for (a = a ? a->next : o->arrays; a; a = a->next)
        if (a->tensor && oracle_memory_of(o, a->pe) == memory)
            return a;
    return NULL;
}

static uint64_t elements_in(const struct oracle *o, unsigned memory, unsigned home,
                            uint64_t length)
{
    const unsigned own = o->s->nodes ? (unsigned)o->s->node_pes : 1;
    const uint64_t holders = oracle_holders_before(o, (unsigned)o->s->pe_count);
    uint64_t elements = 0;
    if (o->s->local_structures)
        return oracle_memory_of(o, home) == memory ? length : 0;
    for (unsigned pe = memory * own; pe < (memory + 1) * own; pe++) {
        const uint64_t before = (oracle_holders_before(o, pe) + holders -
                                 oracle_holders_before(o, home)) %
                                holders;
        if (oracle_holds_elements(o, pe) && before < length)
            elements += (length - before - 1) / holders + 1;
    }
    return elements;
}

static uint64_t bytes_in(const struct oracle *o, unsigned memory)
{
    uint64_t bytes = oracle_wrong(o, RESERVED) ? 0 : oracle_batches_make_in(o, memory);
    for (const struct array *a = o->arrays; a; a = a->next)
        if (a->is_data)
            bytes += oracle_memory_of(o, a->pe) == memory ? 8 * a->length : 0;
        else if (!a->tensor && !oracle_wrong(o, ARRAYS))
            bytes += 8 * elements_in(o, memory, a->pe, a->length);
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (a->swapped.where != IS_OUT &&
            (a->swapped.where != MOVES_OUT || !oracle_wrong(o, ROOMS)) &&
            (a->tensor->shape.element != ISA_ELEMENT_PAIR || !oracle_wrong(o, ROOMLESS)))
            bytes += a->tensor->bytes;
    return bytes;
}

static uint64_t bytes_moving_out(const struct oracle *o, unsigned memory)
{
    uint64_t bytes = 0;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        bytes += a->swapped.where == MOVES_OUT ? a->tensor->bytes : 0;
    return bytes;
}

static bool fits(const struct oracle *o, unsigned memory, uint64_t bytes)
{
    return bytes_in(o, memory) + bytes <= o->s->memory_capacity;
}

static bool fits_elements(const struct oracle *o, unsigned memory, unsigned home,
                          uint64_t length)
{
    const uint64_t elements = elements_in(o, memory, home, length);
    const uint64_t taken = bytes_in(o, memory);
    return elements == 0 || (taken <= o->s->memory_capacity &&
                             elements <= (o->s->memory_capacity - taken) / 8);
}

/* Bytes that a feed adds to the port's array `part`: the element, and a tensor in it. */
static uint64_t fed_bytes_in(const struct oracle *o, unsigned memory,
                             const struct array *a, const struct isa_tensor *tensor)
{
    uint64_t bytes = 8 * (elements_in(o, memory, a->pe, a->length + 1) -
                          elements_in(o, memory, a->pe, a->length));
    if (tensor && oracle_memory_of(o, a->pe) == memory)
        bytes += tensor->bytes;
    return bytes;
}

bool oracle_memory_refuses(const struct oracle *o, const struct oracle_feed *feed)
{
    const struct isa_port *port = &o->graph->ports[feed->port];
    for (unsigned i = 0; oracle_has_memories(o) && i < memory_count(o); i++) {
        uint64_t bytes = 0;
        for (const struct array *a = o->arrays; a; a = a->next) {
            const struct isa_tensor *tensor = NULL;
            bool is_dropped = a->port != feed->port + 1;
            for (uint32_t k = 0; k < port->part_count; k++) {
                if (a != o->port_arrays[port->first + k])
                    continue;
                tensor = feed->parts[k].tensor;
                is_dropped = is_dropped || a->references == 1;
            }
            bytes += is_dropped ? 0 : fed_bytes_in(o, i, a, tensor);
        }
        if (bytes && !oracle_wrong(o, FEASTS) && !fits(o, i, bytes))
            return true;
    }
    return false;
}

static void note_bytes(struct oracle *o, unsigned memory)
{
    uint64_t *const most = &o->outcome->stats.peak_resident;
    const uint64_t bytes = bytes_in(o, memory);
    *most = bytes > *most ? bytes : *most;
}

/* Called when an array has elements, or a tensor is there; `end`: at the end of a cycle. */
void oracle_note_room(struct oracle *o, const struct array *a, bool end)
{
    for (unsigned i = 0; counts_bytes(o) && i < memory_count(o); i++)
        if (oracle_wrong(o, LATER)    ? end
            : end                     ? false
            : a->tensor || a->is_data ? oracle_memory_of(o, a->pe) == i
                                      : elements_in(o, i, a->pe, a->length) > 0)
            note_bytes(o, i);
}

/* --- operands that wait --------------------------------------------------------------- */

static struct array *tensor_of(const struct oracle *o, const struct token *t)
{
    if (!oracle_has_memories(o) || t->dead || t->instr->node->op == ISA_OP_APPLY)
        return NULL;
    return t->value.array && t->value.array->tensor ? t->value.array : NULL;
}

void oracle_memory_wait(struct oracle *o, const struct token *t)
{
    struct array *a = tensor_of(o, t);
    if (a && a->swapped.waiting++ == 0)
        a->swapped.since = ++o->stamps;
}

static unsigned count_ahead(const struct oracle *o, unsigned memory)
{
    unsigned count = 0;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        count += a->swapped.ahead;
    return count;
}

static bool is_out_unasked(const struct array *a)
{
    return a->swapped.where == IS_OUT && !a->swapped.asked;
}

static bool goes_on_fetching(const struct oracle *o, unsigned memory)
{
    if (count_ahead(o, memory) >= o->s->swap_prefetch)
        return false;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (is_out_unasked(a))
            return true;
    return false;
}

void oracle_memory_leave(struct oracle *o, const struct token *t)
{
    struct array *a = tensor_of(o, t);
    if (!a)
        return;
    const unsigned memory = oracle_memory_of(o, a->pe);
    a->swapped.waiting--;
    if (!a->swapped.moved)
        return;
    a->swapped.ahead = false;
    if (a->swapped.where == MOVES_OUT)
        a->swapped.where = IN_MEMORY;
    else if (a->swapped.where == IS_OUT && !a->swapped.asked)
        a->swapped.asked = ++o->stamps;
    o->memories[memory].fetches = goes_on_fetching(o, memory);
}

/* --- kernels ---------------------------------------------------------------------------- */

static struct value value_of(struct oracle *o, const struct token *t,
                             const struct token *partner, unsigned port)
{
    const bool has_shape = t->instr->node->op == ISA_OP_SHAPE && port == 0;
    if (!has_shape && port >= oracle_read_count(t->instr->node))
        return (struct value){0};
    return (struct value){.array = oracle_operand(o, t, partner, port)};
}

static bool makes_array(const struct token *t)
{
    const enum isa_op op = t->instr->node->op;
    return oracle_allocates(op) || op == ISA_OP_ROW || op == ISA_OP_OPEN ||
           op == ISA_OP_GIVEN;
}

/* Length of the array that an ALLOC, ROW or OPEN makes; 0 for others and for traps. */
static uint64_t length_of(struct oracle *o, const struct token *t,
                          const struct token *partner)
{
    const struct isa_node *node = t->instr->node;
    if (!makes_array(t))
        return 0;
    if (node->op == ISA_OP_GIVEN)
        return o->constants[node->index]->count;
    if (node->op == ISA_OP_OPEN)
        return oracle_port_length(o, node->index);
    const struct token *operands[2] = {NULL, NULL};
    const struct firing f = {.instr = t->instr, .tag = t->tag};
    if (t->instr->tokens)
        operands[t->port] = t;
    if (partner)
        operands[partner->port] = partner;
    const struct value a = oracle_operand_of(o, &f, 0, operands);
    uint64_t length = a.word;
    if (node->op == ISA_OP_ROW)
        oracle_row_length(node, a, oracle_operand_of(o, &f, 1, operands), &length);
    return (int64_t)length < 0 ? 0 : length;
}

/* Bytes of the data that a CONSTRUCT makes; 0 for others. */
static uint64_t data_bytes(const struct oracle *o, const struct isa_node *node)
{
    return node->op == ISA_OP_CONSTRUCT
               ? 8 * (uint64_t)o->graph->constructors[node->index].field_count
               : 0;
}

static bool lacks_room_in(const struct oracle *o, unsigned pe, uint64_t bytes,
                          uint64_t length, unsigned memory)
{
    return !fits_elements(o, memory, pe, length) ||
           (bytes && oracle_memory_of(o, pe) == memory && !fits(o, memory, bytes));
}

/* Whether a kernel with its operands can fire; `memory`: the one whose room counts, or -1: all. */
static bool can_fire(struct oracle *o, const struct token *t, const struct token *partner,
                     unsigned pe, int memory, bool *lacks_room)
{
    const struct isa_node *node = t->instr->node;
    const struct value a = value_of(o, t, partner, 0), b = value_of(o, t, partner, 1);
    const uint64_t bytes = data_bytes(o, node) + oracle_made_bytes(o, node, a, b),
                   length = length_of(o, t, partner);
    bool all = true;
    for (unsigned i = 0; i < oracle_read_count(node); i++) {
        const struct array *read = i ? b.array : a.array;
        all = all &&
              (read->swapped.where == IN_MEMORY || read->swapped.where == MOVES_OUT);
    }
    *lacks_room = false;
    for (unsigned i = 0; i < memory_count(o); i++)
        *lacks_room = *lacks_room || (lacks_room_in(o, pe, bytes, length, i) &&
                                      (memory < 0 || (unsigned)memory == i));
    return all && !*lacks_room;
}

bool oracle_memory_waits(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner)
{
    bool lacks;
    if (!oracle_has_memories(o) || t->roomed ||
        (!oracle_is_on_tensors(t->instr->node->op) && !makes_array(t) &&
         !data_bytes(o, t->instr->node)) ||
        can_fire(o, t, partner ? &partner->token : NULL, pe, -1, &lacks))
        return false;
    struct token kernel = *t;
    kernel.to = pe;
    kernel.request = partner != NULL;
    kernel.roomed = true;
    kernel.stood = o->now;
    oracle_put(&o->waiting_kernels, &kernel);
    o->outcome->stats.memory_stalls++;
    if (partner) {
        partner->away = true;
        oracle_memory_leave(o, &partner->token);
    }
    return true;
}

static bool stands(struct oracle *o, const struct token *t, int memory, bool *lacks_room)
{
    const struct waiting *partner = t->request ? oracle_partner(t->tag, t->instr) : NULL;
    return !can_fire(o, t, partner ? &partner->token : NULL, t->to, memory, lacks_room);
}

/* The tensor of an operand that a waiting kernel has in its token or partner, or NULL. */
static struct array *own_operand(const struct token *t, unsigned operand)
{
    if (operand >= oracle_read_count(t->instr->node))
        return NULL;
    if (t->port == operand)
        return t->value.array;
    return t->request ? oracle_partner(t->tag, t->instr)->token.value.array : NULL;
}

bool oracle_kernel_could_go_on(struct oracle *o)
{
    bool lacks;
    for (size_t i = 0; i < o->waiting_kernels.count; i++)
        if (!stands(o, &o->waiting_kernels.items[i], -1, &lacks))
            return true;
    return false;
}

/* Step 7. */
void oracle_kernels_go_on(struct oracle *o)
{
    bool lacks;
    for (size_t i = 0; i < o->waiting_kernels.count && !o->ended;) {
        if (stands(o, &o->waiting_kernels.items[i], -1, &lacks)) {
            i++;
            continue;
        }
        for (unsigned operand = 0; operand < 2; operand++) {
            struct array *a = own_operand(&o->waiting_kernels.items[i], operand);
            if (a && a->swapped.where == MOVES_OUT)
                a->swapped.where = IN_MEMORY;
        }
        o->served = o->served == i + 1 ? 0 : o->served - (o->served > i);
        struct token t = oracle_take(&o->waiting_kernels, i);
        oracle_why_roomed(o, &t);
        o->outcome->stats.memory_stall_cycles += o->now - t.stood;
        o->moved = true;
        oracle_turn(o, t.to, t);
    }
}

/* --- the kernel that is served --------------------------------------------------------- */

static unsigned operands_of(const struct token *t, const struct array *a)
{
    return (own_operand(t, 0) == a) + (own_operand(t, 1) == a);
}

static unsigned operands_of_waiting(const struct oracle *o, const struct array *a)
{
    unsigned count = 0;
    for (size_t i = 0; i < o->waiting_kernels.count; i++)
        count += operands_of(&o->waiting_kernels.items[i], a);
    return count;
}

static bool may_move(const struct oracle *o, const struct array *a)
{
    return a->swapped.where == IN_MEMORY && a->tensor->bytes >= o->s->swap_smallest &&
           a->references == a->swapped.waiting + operands_of_waiting(o, a);
}

/* Bytes that a memory needs for a kernel: its result, and its tensors that are out. */
static uint64_t bytes_needed(struct oracle *o, unsigned memory, const struct token *t)
{
    const struct waiting *partner = t->request ? oracle_partner(t->tag, t->instr) : NULL;
    const struct token *other = partner ? &partner->token : NULL;
    uint64_t bytes = 0;
    if (makes_array(t)) {
        const uint64_t elements = elements_in(o, memory, t->to, length_of(o, t, other));
        bytes = elements > UINT64_MAX / 16 ? UINT64_MAX / 2 : 8 * elements;
    } else if (oracle_memory_of(o, t->to) == memory) {
        bytes = data_bytes(o, t->instr->node) +
                oracle_made_bytes(o, t->instr->node, value_of(o, t, other, 0),
                                  value_of(o, t, other, 1));
    }
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (operands_of(t, a) && a->swapped.where == IS_OUT)
            bytes += a->tensor->bytes;
    return bytes;
}

static bool can_be_served(struct oracle *o, const struct token *t)
{
    for (unsigned i = 0; i < memory_count(o); i++) {
        uint64_t bytes = bytes_in(o, i) + bytes_needed(o, i, t);
        for (struct array *a = NULL; (a = next_tensor(o, a, i));)
            bytes -= may_move(o, a) && !operands_of(t, a) ? a->tensor->bytes : 0;
        if (bytes > o->s->memory_capacity)
            return false;
    }
    return true;
}

bool oracle_memory_insists(struct oracle *o)
{
    if (!oracle_has_memories(o) || o->s->swap_threshold == 0 || oracle_wrong(o, STUCK))
        return false;
    for (size_t i = 0; i < o->waiting_kernels.count; i++)
        if (can_be_served(o, &o->waiting_kernels.items[i])) {
            o->served = i + 1;
            return true;
        }
    return false;
}

static struct array *served_back(const struct oracle *o, unsigned memory)
{
    const struct token *t = &o->waiting_kernels.items[o->served - 1];
    for (unsigned operand = 0; operand < 2; operand++) {
        struct array *a = own_operand(t, operand);
        if (a && oracle_memory_of(o, a->pe) == memory && a->swapped.where == IS_OUT)
            return fits(o, memory, a->tensor->bytes) ? a : NULL;
    }
    return NULL;
}

static struct array *served_out(struct oracle *o, unsigned memory)
{
    const struct token *t = &o->waiting_kernels.items[o->served - 1];
    struct array *found = NULL;
    if (bytes_in(o, memory) - bytes_moving_out(o, memory) + bytes_needed(o, memory, t) <=
        o->s->memory_capacity)
        return NULL;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (may_move(o, a) && operands_of_waiting(o, a) == 0 &&
            (!found || a->swapped.since < found->swapped.since))
            found = a;
    for (size_t i = o->waiting_kernels.count; i-- > 0 && !found;)
        for (unsigned operand = 0; operand < 2 && !found; operand++) {
            struct array *a = own_operand(&o->waiting_kernels.items[i], operand);
            if (a && oracle_memory_of(o, a->pe) == memory && may_move(o, a) &&
                !operands_of(t, a))
                found = a;
        }
    return found;
}

/* --- moves ------------------------------------------------------------------------------ */

static struct array *asked_first(const struct oracle *o, unsigned memory)
{
    struct array *first = NULL;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (a->swapped.where == IS_OUT && a->swapped.asked &&
            (!first || a->swapped.asked < first->swapped.asked))
            first = a;
    return first;
}

static struct array *next_back(const struct oracle *o, unsigned memory)
{
    struct array *found = asked_first(o, memory);
    if (o->served)
        return served_back(o, memory);
    if (found)
        return fits(o, memory, found->tensor->bytes) ? found : NULL;
    if (!o->memories[memory].fetches)
        return NULL;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (is_out_unasked(a) && (!found || a->swapped.moved > found->swapped.moved))
            found = a;
    if (!found || bytes_in(o, memory) + found->tensor->bytes > o->s->swap_threshold)
        return NULL;
    return found;
}

static bool wants_room(struct oracle *o, unsigned memory)
{
    const struct array *first = asked_first(o, memory);
    bool lacks = first && !fits(o, memory, first->tensor->bytes);
    for (size_t i = 0; i < o->waiting_kernels.count && !lacks; i++) {
        const struct token *t = &o->waiting_kernels.items[i];
        stands(o, t, (int)memory, &lacks);
    }
    return lacks && bytes_moving_out(o, memory) == 0;
}

static struct array *next_out(struct oracle *o, unsigned memory)
{
    const struct oracle_settings *s = o->s;
    struct array *found = NULL;
    if (o->served)
        return served_out(o, memory);
    if (s->swap_threshold == 0 ||
        (bytes_in(o, memory) -
                 (oracle_wrong(o, ROOMS) ? 0 : bytes_moving_out(o, memory)) <=
             s->swap_threshold &&
         !wants_room(o, memory)))
        return NULL;
    for (struct array *a = NULL; (a = next_tensor(o, a, memory));)
        if (a->swapped.waiting > 0 && a->swapped.waiting == a->references &&
            !a->swapped.moved && a->tensor->bytes >= s->swap_smallest &&
            (!found ||
             (a->swapped.since < found->swapped.since) != oracle_wrong(o, NEWEST)))
            found = a;
    return found;
}

static void begin_move(struct oracle *o, struct array *a, uint64_t *free)
{
    const struct oracle_settings *s = o->s;
    const uint64_t occupied = s->swap_bandwidth
                                  ? (a->tensor->bytes + s->swap_bandwidth - 1) /
                                        s->swap_bandwidth
                                  : 0;
    *free = o->now + occupied;
    a->swapped.end = *free + s->swap_latency;
    if (a->swapped.end == o->now)
        a->swapped.end++;
}

static void begin_back(struct oracle *o, unsigned memory, struct array *a)
{
    a->swapped.where = MOVES_BACK;
    a->swapped.ahead = !a->swapped.asked;
    if (a->swapped.ahead)
        o->memories[memory].fetches = goes_on_fetching(o, memory);
    a->swapped.asked = 0;
    o->outcome->stats.swap_in_bytes += a->tensor->bytes;
    note_bytes(o, memory);
    begin_move(o, a, &o->memories[memory].back_free);
}

static void begin_out(struct oracle *o, unsigned memory, struct array *a)
{
    a->swapped.where = MOVES_OUT;
    a->swapped.ahead = false;
    a->swapped.moved = ++o->stamps;
    o->outcome->stats.swap_out_bytes += a->tensor->bytes;
    begin_move(o, a, &o->memories[memory].out_free);
}

static bool is_moving(const struct array *a)
{
    return a->swapped.where == MOVES_OUT || a->swapped.where == MOVES_BACK;
}

/* The first move that has ended, of moves out the one that began first; or NULL. */
static struct array *next_end(const struct oracle *o)
{
    struct array *found = NULL;
    for (struct array *a = o->arrays; a; a = a->next)
        if (a->tensor && is_moving(a) && a->swapped.end <= o->now &&
            (!found || a->swapped.moved < found->swapped.moved))
            found = a;
    return found;
}

/* The end of step 3. */
void oracle_memory_moves(struct oracle *o)
{
    if (!oracle_has_memories(o))
        return;
    for (struct array *a; (a = next_end(o));) {
        const bool out = a->swapped.where == MOVES_OUT;
        a->swapped.where = out ? IS_OUT : IN_MEMORY;
        if (out && operands_of_waiting(o, a))
            a->swapped.asked = ++o->stamps;
    }
    for (unsigned i = 0; i < memory_count(o); i++) {
        struct memory *memory = &o->memories[i];
        struct array *a;
        while (memory->back_free <= o->now && (a = next_back(o, i)))
            begin_back(o, i, a);
        while (memory->out_free <= o->now && (a = next_out(o, i)))
            begin_out(o, i, a);
    }
}

static void sooner(uint64_t *cycle, uint64_t other)
{
    if (other < *cycle)
        *cycle = other;
}

void oracle_next_move(struct oracle *o, uint64_t *cycle)
{
    if (!oracle_has_memories(o))
        return;
    for (struct array *a = o->arrays; a; a = a->next)
        if (a->tensor && is_moving(a))
            sooner(cycle, a->swapped.end);
    for (unsigned i = 0; i < memory_count(o); i++) {
        const struct memory *memory = &o->memories[i];
        const uint64_t soon = o->now + 1;
        if (next_back(o, i))
            sooner(cycle, memory->back_free > soon ? memory->back_free : soon);
        if (next_out(o, i))
            sooner(cycle, memory->out_free > soon ? memory->out_free : soon);
    }
}
