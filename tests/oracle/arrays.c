/* "Constants and cells", "Arrays". */
#include "tests/oracle/state.h"

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
    for (uint64_t i = 0; i < a->length; i++)
        LIB_VEC_FREE(&a->elements[i].reads);
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
    return node->op == ISA_OP_STORE || node->op == ISA_OP_FILL;
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
