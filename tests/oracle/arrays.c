/* "Constants and cells", "Arrays". */
#include "tests/oracle/state.h"

#include <math.h>

/* --- references --------------------------------------------------------------------- */

void oracle_refer(struct value v)
{
    if (v.array)
        v.array->references++;
}

static void free_array(struct oracle *o, struct array *a)
{
    oracle_forget_copies(o, a);
    if (o->wrote == &a->written)
        o->wrote = NULL;
    isa_tensor_free(&o->tensors, a->tensor);
    *a->link = a->next;
    if (a->next)
        a->next->link = a->link;
    for (uint64_t i = 0; i < a->length; i++) {
        LIB_VEC_FREE(&a->elements[i].reads);
        LIB_VEC_FREE(&a->elements[i].contributions);
    }
    lib_mem_free(a->elements);
    lib_mem_free(a);
}

void oracle_arrays_free(struct oracle *o)
{
    while (o->arrays)
        free_array(o, o->arrays);
    isa_tensor_memory_free(&o->tensors);
}

/* Drops a reference; the last one frees the array, with what its elements refer to. */
void oracle_unrefer(struct oracle *o, struct value v)
{
    struct array *a = v.array;
    if (!a || --a->references > 0)
        return;
    o->structures--;
    o->elements -= a->length;
    o->accumulators -= oracle_accumulators(a);
    for (uint64_t i = 0; i < a->length; i++)
        if (a->elements[i].written)
            oracle_unrefer(o, a->elements[i].value);
    free_array(o, a);
}

/* Makes an array, or data if `is_data`. */
static struct array *make(struct oracle *o, const struct firing *f, uint64_t length,
                          bool is_data)
{
    struct array *a = lib_mem_new(sizeof *a);
    a->next = o->arrays;
    a->link = &o->arrays;
    if (a->next)
        a->next->link = &a->next;
    o->arrays = a;
    a->references = 1;
    a->length = length;
    a->elements = lib_mem_new((length + 1) * sizeof *a->elements);
    a->pe = f->pe;
    a->name = oracle_hash(f->instr, f->tag, length);
    a->is_data = is_data;
    o->structures++;
    o->elements += length;
    oracle_note_room(o, a, false);
    return a;
}

/* The firing refers to the new array until its caller drops that. */
struct value oracle_alloc(struct oracle *o, const struct firing *f, uint64_t length)
{
    struct array *a = make(o, f, length, false);
    return (struct value){oracle_reference_word(a->name, 0), a, 0};
}

/* --- "Accumulating arrays" -------------------------------------------------------------- */

bool oracle_allocates(enum isa_op op)
{
    return op == ISA_OP_ALLOC ||
           (op >= ISA_OP_ACCUMULATE_ADD && op <= ISA_OP_ACCUMULATE_XOR);
}

/* 16 bytes for each accumulator, 288 for each sum of reals, and 16 for the array. */
uint64_t oracle_accumulator_bytes(enum isa_op op, enum isa_type type, uint64_t length)
{
    if (op == ISA_OP_ALLOC || length == 0)
        return 0;
    return 16 + length * (op == ISA_OP_ACCUMULATE_ADD && type == ISA_REAL ? 288 : 16);
}

uint64_t oracle_accumulators(const struct array *a)
{
    return a->open ? oracle_accumulator_bytes(a->accumulates,
                                              a->is_real ? ISA_REAL : ISA_INT, a->length)
                   : 0;
}

void oracle_accumulate(struct oracle *o, struct array *a, const struct isa_node *maker)
{
    if (maker->op == ISA_OP_ALLOC)
        return;
    a->accumulates = maker->op;
    a->is_real = maker->type == ISA_REAL;
    a->open = a->length;
    o->accumulators += oracle_accumulators(a);
}

/* Contributes a value to an element. Returns false if that has its total, or does not
 * accumulate. */
bool oracle_contribute(struct value address, uint64_t word)
{
    struct element *e = &address.array->elements[address.index];
    if (!address.array->accumulates || e->written)
        return false;
    *LIB_VEC_PUSH(&e->contributions) = word;
    return true;
}

/* The exact sum of reals, as digits of base 2^32 of multiples of 2^-1126, rounded to the nearest
 * real, of two to the even one. */
static double sum_of_reals(const uint64_t *words, size_t count, bool rounds)
{
    enum { DIGITS = 72, UNIT = -1126 };
    int64_t digits[DIGITS] = {0}, carry = 0;
    double special = 0;
    bool is_special = false, is_minus_zero = true;
    for (size_t k = 0; rounds && k < count; k++)
        special += isa_value_real(words[k]);
    if (rounds)
        return special;
    for (size_t k = 0; k < count; k++) {
        const double r = isa_value_real(words[k]);
        int exponent;
        is_minus_zero &= words[k] == UINT64_C(1) << 63;
        if (!isfinite(r)) {
            special = is_special ? special + r : r;
            is_special = true;
            continue;
        }
        const double scaled = ldexp(frexp(r, &exponent), 53);
        const unsigned shift = r == 0 ? 0 : (unsigned)(exponent - 53 - UNIT);
        unsigned __int128 rest = (unsigned __int128)(uint64_t)fabs(scaled) << shift % 32;
        for (unsigned at = shift / 32; rest; at++, rest >>= 32)
            digits[at] += (int64_t)(uint32_t)rest * (scaled < 0 ? -1 : 1);
    }
    if (is_special)
        return special;
    int top = DIGITS - 1;
    for (int pass = 0; pass < 2; pass++) { /* the second one makes digits of one sign */
        for (int i = 0; i < DIGITS; i++) {
            const int64_t whole = digits[i] + carry;
            digits[i] = whole & UINT32_MAX;
            carry = (whole - digits[i]) / (INT64_C(1) << 32);
        }
        if (pass == 0 && carry == 0)
            break;
        for (int i = 0; pass == 0 && i < DIGITS; i++)
            digits[i] = -digits[i];
        carry = pass == 0 ? 0 : -1;
    }
    while (top > 0 && digits[top] == 0)
        top--;
    const double sign = carry < 0 ? -1 : 1;
    if (digits[top] == 0)
        return is_minus_zero ? -0.0 : 0.0;
    int lowest = top * 32 + (31 - __builtin_clz((unsigned)digits[top])) - 52;
    uint64_t bits = 0;
    bool is_half = false, is_more = false;
    for (int at = top * 32 + 31; at >= 0; at--) {
        const bool bit = digits[at / 32] >> at % 32 & 1;
        if (at >= lowest)
            bits = 2 * bits + bit;
        else if (at == lowest - 1)
            is_half = bit;
        else
            is_more |= bit;
    }
    bits += is_half && (is_more || (bits & 1));
    return sign * ldexp((double)bits, lowest + UNIT);
}

static int64_t fold_ints(enum isa_op op, int64_t a, int64_t b)
{
    switch (op) {
    case ISA_OP_ACCUMULATE_MIN:
        return a < b ? a : b;
    case ISA_OP_ACCUMULATE_MAX:
        return a > b ? a : b;
    case ISA_OP_ACCUMULATE_AND:
        return a & b;
    case ISA_OP_ACCUMULATE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Sets *total to that of the contributions to an element. Returns false if it is no int. */
bool oracle_total(struct oracle *o, struct value address, uint64_t *total)
{
    struct array *a = address.array;
    struct element *e = &a->elements[address.index];
    const size_t count = e->contributions.count;
    const uint64_t *words = e->contributions.items;
    const bool is_sum = a->accumulates == ISA_OP_ACCUMULATE_ADD;
    __int128 sum = 0;
    *total = words[0];
    for (size_t i = 0; i < count; i++)
        sum += (int64_t)words[i];
    if (is_sum && !a->is_real && sum != (int64_t)sum)
        return false;
    if (is_sum)
        *total = a->is_real ? isa_value_of_real(
                                  sum_of_reals(words, count, oracle_wrong(o, ROUNDS)))
                            : (uint64_t)sum;
    for (size_t i = 1; !is_sum && i < count; i++) {
        const enum isa_op op = a->accumulates == ISA_OP_ACCUMULATE_MIN ? ISA_OP_MIN_R
                                                                       : ISA_OP_MAX_R;
        if (a->is_real)
            oracle_evaluate(op, *total, words[i], o->s->reference, total);
        else
            *total = (uint64_t)fold_ints(a->accumulates, (int64_t)*total,
                                         (int64_t)words[i]);
    }
    const uint64_t bytes = oracle_accumulators(a);
    if (--a->open == 0)
        o->accumulators -= bytes;
    return true;
}

/* --- data ----------------------------------------------------------------------------- */

/* "Data": the index of a reference is that of the constructor. */
struct value oracle_construct(struct oracle *o, const struct firing *f)
{
    const uint32_t constructor = f->instr->node->index;
    struct array *a = make(o, f, o->graph->constructors[constructor].field_count, true);
    return (struct value){oracle_reference_word(a->name, constructor), a, constructor};
}

/* A literal of data is a constructor without fields. */
struct value oracle_literal(const struct oracle *o, const struct isa_node *node,
                            unsigned port)
{
    const uint64_t word = node->operands[port].value;
    if (isa_node_operand_type(o->graph, node, port) != ISA_DATA)
        return (struct value){.word = word};
    return (struct value){oracle_reference_word(0, word), NULL, word};
}

bool oracle_accesses(const struct isa_node *node)
{
    return node->op == ISA_OP_FETCH || node->op == ISA_OP_FIELD || oracle_stores(node);
}

bool oracle_stores(const struct isa_node *node)
{
    return node->op == ISA_OP_STORE || node->op == ISA_OP_FILL ||
           node->op == ISA_OP_CONTRIBUTE || node->op == ISA_OP_TOTAL;
}

/* The element or field that an instruction accesses; NULL: data of another constructor. */
struct element *oracle_accessed(const struct oracle *o, const struct isa_node *node,
                                struct value address)
{
    if (node->op != ISA_OP_FIELD && node->op != ISA_OP_FILL)
        return &address.array->elements[address.index];
    const struct isa_constructor *c = &o->graph->constructors[address.index];
    if (node->index < c->first || node->index >= c->first + c->field_count)
        return NULL;
    return &address.array->elements[node->index - c->first];
}

/* "Where elements lie": at PEs with memory units. */
bool oracle_holds_elements(const struct oracle *o, unsigned pe)
{
    return !oracle_at(o, pe)->lacks[ISA_UNIT_MEMORY] || oracle_wrong(o, STRIDE);
}

/* Counts once per run how many PEs before each hold elements, as that is asked often. */
void oracle_holders_count(struct oracle *o)
{
    if (!o->of_pes)
        return;
    o->holders_before = lib_mem_new((o->s->pe_count + 1) * sizeof *o->holders_before);
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        o->holders_before[pe + 1] = o->holders_before[pe] + oracle_holds_elements(o, pe);
}

/* How many of the PEs before number `pe` hold elements: all, if no PE is of a class. */
uint64_t oracle_holders_before(const struct oracle *o, unsigned pe)
{
    return o->holders_before ? o->holders_before[pe] : pe;
}

static unsigned first_holder(const struct oracle *o)
{
    unsigned pe = 0;
    while (o->of_pes && pe + 1 < o->s->pe_count && !oracle_holds_elements(o, pe))
        pe++;
    return pe;
}

unsigned oracle_element_pe(const struct oracle *o, struct value address)
{
    if (!address.array)
        return first_holder(o); /* data without fields */
    if (address.array->is_data && !oracle_wrong(o, SPREAD))
        return address.array->pe;
    const uint64_t first = oracle_wrong(o, ELEMENT) ? 1 : 0;
    const uint64_t away = o->s->local_structures ? 0 : address.index + first;
    const unsigned home = address.array->pe;
    const uint64_t holders = oracle_holders_before(o, (unsigned)o->s->pe_count);
    unsigned at = home;
    if (!o->holders_before)
        return (unsigned)((home + away) % holders);
    for (uint64_t left = away % holders; left > 0; left -= oracle_holds_elements(o, at))
        at = (at + 1) % (unsigned)o->s->pe_count;
    return at;
}

/* --- reading and writing ------------------------------------------------------------ */

static void answer(struct oracle *o, const struct deferred *d, const struct element *e,
                   uint64_t delay)
{
    const uint64_t depth = d->depth > e->depth ? d->depth : e->depth;
    const struct firing f = {d->instr, d->tag, d->pe, delay, depth, false, 0};
    oracle_account_value(o, &f, e->value);
    oracle_send_list(o, &f, 0, d->tag, e->value, false);
}

void oracle_read(struct oracle *o, const struct firing *f, struct element *e,
                 struct value address)
{
    const struct deferred d = {f->instr, f->tag, f->depth, f->pe, address};
    if (e->written) {
        answer(o, &d, e, f->delay);
        return;
    }
    *LIB_VEC_PUSH(&e->reads) = d;
    d.tag->live++;
    oracle_share(o, d.tag, d.instr->node->machine, 1);
    oracle_refer(address);
    o->deferred++;
    if (address.array)
        o->outcome->stats.deferred_fetches++;
}

/* Fires a WRITE, STORE or FILL. Returns false if it is the second. Answers the reads in order, each
 * from where it is, when a result would be formed. */
bool oracle_write(struct oracle *o, const struct firing *f, struct element *e,
                  struct value v)
{
    if (e->written)
        return false;
    e->written = true;
    e->value = v;
    e->depth = f->depth;
    oracle_refer(v);
    for (size_t i = 0; i < e->reads.count; i++) {
        const size_t at = oracle_wrong(o, ANSWERS) ? e->reads.count - 1 - i : i;
        const struct deferred d = e->reads.items[at];
        oracle_nodes_wake(o, f->pe, d.pe);
        oracle_why_answers(o, d.tag);
        answer(o, &d, e, f->delay);
        o->deferred--;
        oracle_unrefer(o, d.address);
        *LIB_VEC_PUSH(&o->answered) = d;
    }
    e->reads.count = 0;
    return true;
}

/* Called after the operands of the WRITE or STORE are consumed. */
void oracle_consume_answered(struct oracle *o)
{
    for (size_t i = 0; i < o->answered.count; i++)
        oracle_release(o, o->answered.items[i].tag,
                       o->answered.items[i].instr->node->machine);
    o->answered.count = 0;
}

bool oracle_result_written(const struct oracle *o, struct value v)
{
    if (!v.array)
        return true;
    for (uint64_t i = 0; i < v.array->length; i++)
        if (!v.array->elements[i].written ||
            !oracle_result_written(o, v.array->elements[i].value))
            return false;
    return true;
}

/* --- the end of the result: "Why: one cause for each cycle" ----------------------------- */

void oracle_wrote(struct oracle *o, uint64_t time)
{
    struct written *w = o->wrote;
    o->writes++;
    if (w && (w->number == 0 || time > w->time))
        *w = (struct written){time, o->writes, oracle_why_fired(o)};
    o->wrote = NULL;
}

static void find_last(const struct array *a, struct written *last)
{
    const struct written *w = &a->written;
    if (w->number && (last->number == 0 || w->time > last->time ||
                      (w->time == last->time && w->number < last->number)))
        *last = *w;
    for (uint64_t i = 0; i < a->length; i++)
        if (a->elements[i].written && a->elements[i].value.array)
            find_last(a->elements[i].value.array, last);
}

struct written oracle_result_end(const struct oracle *o)
{
    struct written last = o->output;
    for (uint32_t p = 0; p < oracle_result_parts(o); p++)
        if (o->results[p].here && o->results[p].value.array && !oracle_wrong(o, HANDLE))
            find_last(o->results[p].value.array, &last);
    return last;
}
