/* "Tensors". */
#include "tests/oracle/state.h"

#include "isa/kernel_use.h"
#include "isa/tensor/initialise.h"
#include "isa/tensor/join.h"

bool oracle_is_on_tensors(enum isa_op op)
{
    return strchr(isa_op_table[op].in, 'T') || strchr(isa_op_table[op].out, 'T');
}

bool oracle_takes_unit(const struct oracle *o, enum isa_op op)
{
    return isa_op_table[op].unit == ISA_UNIT_TENSOR ||
           (op == ISA_OP_LOAD && oracle_wrong(o, LAUNCHED)) ||
           (op == ISA_OP_VECTOR && oracle_wrong(o, VECTORS));
}

/* --- kernels ------------------------------------------------------------------------ */

struct task {
    enum isa_kernel kernel;
    const struct isa_tensor *operands[3];
    const struct isa_shape *shapes[3];
    struct isa_tensor parts[2];
    int64_t numbers[64];
    size_t count;
    bool is_fill;
    struct isa_shape result;
};

static void add_numbers(struct task *task, const struct isa_tensor *tensor)
{
    for (uint64_t i = 0; i < tensor->count && task->count < 64; i++)
        task->numbers[task->count++] = isa_tensor_get_int(tensor, i);
}

static void set_axis_out(struct task *task, const struct isa_shape *shape, int axis)
{
    for (int i = 0; i < shape->rank; i++)
        if (i != axis)
            task->numbers[task->count++] = shape->extents[i];
}

static void set_axis_in(struct task *task, const struct isa_shape *shape, int axis)
{
    for (int i = 0; i <= shape->rank; i++) {
        if (i == axis)
            task->numbers[task->count++] = 1;
        if (i < shape->rank)
            task->numbers[task->count++] = shape->extents[i];
    }
}

static void set_fill(struct task *task)
{
    task->is_fill = true;
    add_numbers(task, task->operands[0]);
    task->result = isa_shape_scalar(ISA_ELEMENT_REAL);
    task->result.rank = (uint8_t)task->count;
    for (size_t i = 0; i < task->count; i++)
        task->result.extents[i] = task->numbers[i];
}

/* Returns false if the shapes do not fit. */
static bool plan(struct task *task, const struct isa_node *node, struct value a,
                 struct value b)
{
    const unsigned use = isa_use_of(node->index);
    const int axis = isa_use_axis(node->index);
    const bool two = node->op == ISA_OP_COMBINE;
    struct lib_text why = {0};
    *task = (struct task){.kernel = (enum isa_kernel)use};
    task->operands[0] = a.array->tensor;
    task->operands[1] = two ? b.array->tensor : NULL;
    const bool is_three = use < ISA_KERNEL_COUNT && isa_kernels[use].arity == 3;
    if (is_three || use == ISA_KERNEL_PAD_WITH) {
        if (task->operands[1]->shape.element != ISA_ELEMENT_PAIR)
            return false;
        for (unsigned i = 0; i < 2; i++)
            task->parts[i] = isa_pair_part(b.array->tensor, i);
        task->operands[1] = &task->parts[is_three ? 0 : 1];
        task->operands[2] = is_three ? &task->parts[1] : NULL;
    }
    for (int i = 0; i < 3; i++)
        task->shapes[i] = task->operands[i] ? &task->operands[i]->shape : NULL;
    if (use >= ISA_USE_FILLS && use < ISA_USE_LIFT) {
        set_fill(task);
        return isa_shape_is_legal(&task->result);
    }
    if (use == ISA_USE_LIFT)
        set_axis_in(task, task->shapes[0], axis);
    else if (use == ISA_USE_DROP)
        set_axis_out(task, task->shapes[0], axis);
    else if (axis >= 0)
        task->numbers[task->count++] = axis;
    if (use >= ISA_USE_LIFT)
        task->kernel = ISA_KERNEL_RESHAPE;
    else if (two && isa_kernels[use].arity == 1)
        add_numbers(task, task->operands[1]);
    else if (use == ISA_KERNEL_PAD_WITH)
        add_numbers(task, &task->parts[0]);
    else if (use == ISA_KERNEL_IOTA)
        add_numbers(task, task->operands[0]);
    const bool fits = isa_kernel_shape(task->kernel, task->shapes,
                                       (struct isa_numbers){task->numbers, task->count},
                                       &task->result, &why);
    lib_text_free(&why);
    return fits;
}

static struct isa_kernel_cost cost_of(const struct task *task)
{
    if (task->is_fill)
        return (struct isa_kernel_cost){0, isa_shape_bytes(&task->result)};
    return isa_kernel_cost(task->kernel, task->shapes, &task->result);
}

static uint64_t cycles_of(uint64_t amount, uint64_t rate)
{
    return rate ? (amount + rate - 1) / rate : 0;
}

bool oracle_is_of_two(const struct isa_node *node)
{
    const unsigned use = isa_use_of(node->index);
    return node->op == ISA_OP_COMBINE && use < ISA_KERNEL_COUNT &&
           isa_kernels[use].arity == 2 && use != ISA_KERNEL_PAD_WITH;
}

struct oracle_cost oracle_kernel_cost(const struct isa_node *node, struct value a,
                                      struct value b)
{
    struct isa_kernel_cost cost = {0, 0};
    struct task task;
    if ((node->op == ISA_OP_MAP || node->op == ISA_OP_COMBINE) && plan(&task, node, a, b))
        cost = cost_of(&task);
    return (struct oracle_cost){cost.flops, cost.bytes};
}

uint64_t oracle_cycles_of_cost(const struct oracle *o, struct oracle_cost cost)
{
    const uint64_t flops = cycles_of(cost.flops, o->s->tensor_flops);
    const uint64_t bytes = cycles_of(cost.bytes, o->s->tensor_bytes);
    return o->s->tensor_launch + (flops > bytes ? flops : bytes);
}

uint64_t oracle_cycles_of_bytes(const struct oracle *o, uint64_t bytes)
{
    return cycles_of(bytes, o->s->tensor_bytes);
}

uint64_t oracle_kernel_time(struct oracle *o, const struct isa_node *node, struct value a,
                            struct value b)
{
    o->kernel_time = 0;
    if (!oracle_takes_unit(o, node->op))
        return 0;
    if (o->batch_fires)
        return o->batch_time;
    const uint64_t time = oracle_cycles_of_cost(o, oracle_kernel_cost(node, a, b));
    o->kernel_time = time * (o->s->scale ? o->s->scale : 1) + o->s->tensor_start;
    return o->s->scale ? time * o->s->scale : time;
}

static bool can_join(const struct isa_node *node, const struct isa_tensor *a,
                     const struct isa_tensor *b)
{
    if (node->op == ISA_OP_PAIR)
        return a->shape.element != ISA_ELEMENT_PAIR &&
               b->shape.element != ISA_ELEMENT_PAIR && a->bytes + b->bytes <= 2147483647;
    return a->shape.rank <= 1 && b->shape.rank <= 1 &&
           a->shape.element == b->shape.element && a->count + b->count <= 2147483647;
}

static struct isa_tensor *join(struct oracle *o, const struct isa_node *node,
                               const struct isa_tensor *a, const struct isa_tensor *b)
{
    if (node->op == ISA_OP_PAIR)
        return isa_pair_new(&o->tensors, a, b);
    struct isa_shape shape = {a->shape.element, 1, {0}};
    shape.extents[0] = (int64_t)(a->count + b->count);
    struct isa_tensor *made = isa_tensor_new(&o->tensors, &shape);
    for (uint64_t i = 0; i < made->count; i++) {
        const struct isa_tensor *from = i < a->count ? a : b;
        const uint64_t at = i < a->count ? i : i - a->count;
        if (shape.element == ISA_ELEMENT_INT)
            made->ints[i] = from->ints[at];
        else
            isa_tensor_set(made, i, isa_tensor_get(from, at));
    }
    return made;
}

uint64_t oracle_made_bytes(struct oracle *o, const struct isa_node *node, struct value a,
                           struct value b)
{
    struct task task;
    switch (node->op) {
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_I:
    case ISA_OP_NUMBER:
        return 8;
    case ISA_OP_SCALAR_B:
        return 1;
    case ISA_OP_SCALAR_F:
        return 4;
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
        return can_join(node, a.array->tensor, b.array->tensor)
                   ? a.array->tensor->bytes + b.array->tensor->bytes
                   : 0;
    case ISA_OP_SHAPE:
        return a.array->tensor->shape.element == ISA_ELEMENT_PAIR
                   ? 0
                   : 8u * a.array->tensor->shape.rank;
    case ISA_OP_LOAD:
        return o->constants[node->index]->bytes;
    case ISA_OP_MAP:
    case ISA_OP_COMBINE:
        return plan(&task, node, a, b) ? isa_shape_bytes(&task.result) : 0;
    default:
        return 0;
    }
}

/* --- "Where tensors are" --------------------------------------------------------------- */

unsigned oracle_memory_of(const struct oracle *o, unsigned pe)
{
    return o->s->nodes ? pe / (unsigned)o->s->node_pes : pe;
}

static struct copy *copy_of(struct array *a, unsigned memory)
{
    for (size_t i = 0; i < a->copies.count; i++)
        if (a->copies.items[i].memory == memory)
            return &a->copies.items[i];
    return NULL;
}

static bool is_away(const struct oracle *o, struct array *a, unsigned pe)
{
    const unsigned memory = oracle_memory_of(o, pe);
    const struct copy *copy = copy_of(a, memory);
    return oracle_memory_of(o, a->pe) != memory && !(copy && copy->here);
}

struct array *oracle_operand(struct oracle *o, const struct token *t,
                             const struct token *partner, unsigned port)
{
    if (t->port == port)
        return t->value.array;
    if (t->instr->held == port)
        return oracle_constant(o, t->instr, t->tag)->value.array;
    return partner->value.array;
}

unsigned oracle_read_count(const struct isa_node *node)
{
    const enum isa_op op = node->op;
    return op == ISA_OP_COMBINE || op == ISA_OP_VECTOR || op == ISA_OP_PAIR
               ? 2
               : op == ISA_OP_MAP || op == ISA_OP_ITEM || op == ISA_OP_ITEM_I ||
                     op == ISA_OP_ITEM_B || op == ISA_OP_ROW;
}

static unsigned reads(const struct oracle *o, const struct token *t)
{
    if (!o->s->by_reference || o->s->executor_workers || t->dead)
        return 0;
    if (t->instr->node->op == ISA_OP_ROW && oracle_wrong(o, UNFETCHED))
        return 0;
    if (t->instr->node->op == ISA_OP_PAIR && oracle_wrong(o, PAIRS))
        return 1;
    return oracle_read_count(t->instr->node);
}

bool oracle_kernel_would_wait(struct oracle *o, const struct token *t,
                              const struct token *partner)
{
    for (unsigned port = 0; port < reads(o, t); port++)
        if (is_away(o, oracle_operand(o, t, partner, port),
                    oracle_pe_on(o, t->instr, t->tag->place)))
            return true;
    return false;
}

static uint64_t stages(const struct oracle *o, unsigned pe)
{
    const uint64_t all = oracle_stages(o, pe);
    const uint64_t least = o->s->scale ? o->s->scale : 1;
    return all > least ? all : least;
}

static void ask(struct oracle *o, unsigned pe, const struct token *t, unsigned port,
                struct array *a)
{
    struct token message = {.instr = t->instr,
                            .port = port,
                            .tag = t->tag,
                            .value = {a->tensor->word, a, 0},
                            .from = pe,
                            .to = a->pe,
                            .message = ASKS};
    oracle_refer(message.value);
    t->tag->live++;
    o->live_tokens++;
    o->outcome->stats.tensor_fetches++;
    oracle_route(o, &message, o->now + stages(o, pe), false);
}

bool oracle_kernel_waits(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner)
{
    const unsigned memory = oracle_memory_of(o, pe);
    struct copy *first = NULL;
    struct array *wanted = NULL;
    for (unsigned port = 0; port < reads(o, t); port++) {
        struct array *a = oracle_operand(o, t, partner ? &partner->token : NULL, port);
        if (!is_away(o, a, pe))
            continue;
        const bool asked = copy_of(a, memory) != NULL;
        if (!asked)
            *LIB_VEC_PUSH(&a->copies) = (struct copy){.memory = memory};
        if (!asked || oracle_wrong(o, AGAIN))
            ask(o, pe, t, port, a);
        wanted = wanted ? wanted : a;
    }
    if (partner && o->s->by_reference)
        partner->away = wanted != NULL;
    if (!wanted)
        return false;
    first = copy_of(wanted, memory);
    struct token parked = *t;
    parked.request = partner != NULL;
    oracle_put(&first->parked, &parked);
    o->waiting++;
    return true;
}

void oracle_message(struct oracle *o, struct token *t)
{
    if (t->message == RELEASES) {
        oracle_consume(o, t);
        return;
    }
    struct array *a = t->value.array;
    if (t->message == ASKS) {
        struct token copy = *t;
        copy.message = BRINGS;
        copy.from = a->pe;
        copy.to = oracle_pe_on(o, t->instr, t->tag->place);
        oracle_route(o, &copy,
                     o->now + oracle_stages(o, a->pe) +
                         oracle_at(o, a->pe)->unit_latency[ISA_UNIT_MEMORY],
                     false);
        return;
    }
    struct copy *copy = copy_of(
        a, oracle_memory_of(o, oracle_pe_on(o, t->instr, t->tag->place)));
    o->copied += copy->here ? 0 : a->tensor->bytes;
    copy->here = !oracle_wrong(o, FORGETS);
    for (size_t i = 0; i < copy->parked.count; i++) {
        struct token *kernel = &copy->parked.items[i];
        o->waiting--;
        o->pes[kernel->to].coming++;
        oracle_why_fetches(o, kernel, o->now + stages(o, kernel->to));
        oracle_put_event(o, FORMED, o->now + stages(o, kernel->to), kernel);
    }
    copy->parked.count = 0;
    oracle_consume(o, t);
}

void oracle_forget_copies(struct oracle *o, struct array *a)
{
    for (size_t i = 0; i < a->copies.count; i++) {
        o->copied -= a->copies.items[i].here ? a->tensor->bytes : 0;
        LIB_VEC_FREE(&a->copies.items[i].parked);
    }
    LIB_VEC_FREE(&a->copies);
}

/* --- firings ------------------------------------------------------------------------ */

static void fill(struct isa_tensor *tensor, const struct isa_node *node,
                 const struct task *task, uint64_t seed)
{
    double arguments[ISA_INITIALISER_ARGUMENTS] = {0};
    for (uint64_t i = 0; task->operands[1] && i < task->operands[1]->count; i++)
        arguments[i] = isa_tensor_get(task->operands[1], i);
    isa_tensor_initialise(tensor, isa_initialiser_find(isa_use_text(node->index)),
                          arguments, seed, isa_use_number(node->index));
}

static struct isa_tensor *compute(struct oracle *o, const struct isa_node *node,
                                  struct value a, struct value b)
{
    struct isa_shape one = {ISA_ELEMENT_REAL, node->op == ISA_OP_NUMBER, {0}};
    const struct isa_tensor *constant;
    struct isa_tensor *made;
    struct lib_text why = {0};
    struct task task;
    bool done = true;
    switch (node->op) {
    case ISA_OP_SCALAR_I:
        one.element = ISA_ELEMENT_INT;
        made = isa_tensor_new(&o->tensors, &one);
        made->ints[0] = (int64_t)a.word;
        return made;
    case ISA_OP_SCALAR_B:
        one.element = ISA_ELEMENT_BOOL;
        made = isa_tensor_new(&o->tensors, &one);
        made->bools[0] = (uint8_t)a.word;
        return made;
    case ISA_OP_SCALAR_F:
        one.element = ISA_ELEMENT_REAL32;
        made = isa_tensor_new(&o->tensors, &one);
        made->reals32[0] = (float)isa_value_real(a.word);
        return made;
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
        return can_join(node, a.array->tensor, b.array->tensor)
                   ? join(o, node, a.array->tensor, b.array->tensor)
                   : NULL;
    case ISA_OP_SCALAR:
    case ISA_OP_NUMBER:
        one.extents[0] = one.rank;
        made = isa_tensor_new(&o->tensors, &one);
        made->reals[0] = node->op == ISA_OP_SCALAR ? isa_value_real(a.word)
                                                   : (double)(int64_t)a.word;
        return made;
    case ISA_OP_SHAPE:
        if (a.array->tensor->shape.element == ISA_ELEMENT_PAIR)
            return NULL;
        one = (struct isa_shape){ISA_ELEMENT_INT, 1, {a.array->tensor->shape.rank}};
        made = isa_tensor_new(&o->tensors, &one);
        for (uint64_t i = 0; i < made->count; i++)
            made->ints[i] = a.array->tensor->shape.extents[i];
        return made;
    case ISA_OP_LOAD:
        constant = o->constants[node->index];
        made = isa_tensor_new(&o->tensors, &constant->shape);
        for (uint64_t i = 0; i < constant->count; i++)
            if (constant->shape.element == ISA_ELEMENT_INT)
                made->ints[i] = constant->ints[i];
            else
                isa_tensor_set(made, i, isa_tensor_get(constant, i));
        return made;
    default:
        if (!plan(&task, node, a, b))
            return NULL;
        made = isa_tensor_new(&o->tensors, &task.result);
        if (task.is_fill)
            fill(made, node, &task, o->seed);
        else
            done = isa_kernel_run(NULL, task.kernel, task.operands,
                                  (struct isa_numbers){task.numbers, task.count}, made,
                                  &why);
        lib_text_free(&why);
        const struct isa_kernel_cost cost = cost_of(&task);
        o->outcome->stats.tensor_flops += cost.flops;
        o->outcome->stats.tensor_bytes += cost.bytes;
        if (done)
            return made;
        isa_tensor_free(&o->tensors, made);
        return NULL;
    }
}

/* A kernel that changes rows copies the tensor, unless only the token of the firing refers to
 * it. */
static void count_update(struct oracle *o, const struct instr *instr, struct value a)
{
    const unsigned use = isa_use_of(instr->node->index);
    if (use != ISA_KERNEL_UPDATE && use != ISA_KERNEL_SCATTER_ADD)
        return;
    o->outcome->stats.tensor_updates++;
    if (a.array->references == 1 && instr->held == NONE && !oracle_wrong(o, COPIES))
        return;
    o->outcome->stats.update_copies++;
    o->outcome->stats.update_copy_bytes += a.array->tensor->bytes;
}

/* Returns false if there is no such element or extent, or it has another type. */
static bool look_up(const struct isa_tensor *tensor, enum isa_op op, uint64_t i,
                    uint64_t *word)
{
    if (i >= (op == ISA_OP_DIM ? tensor->shape.rank : tensor->count) ||
        tensor->shape.element == ISA_ELEMENT_PAIR)
        return false;
    switch (op) {
    case ISA_OP_DIM:
        *word = (uint64_t)tensor->shape.extents[i];
        return true;
    case ISA_OP_ITEM_I:
        *word = (uint64_t)isa_tensor_get_int(tensor, i);
        return tensor->shape.element == ISA_ELEMENT_INT;
    case ISA_OP_ITEM_B:
        *word = isa_tensor_get(tensor, i) != 0;
        return tensor->shape.element == ISA_ELEMENT_BOOL;
    default:
        *word = isa_value_of_real(isa_tensor_get(tensor, i));
        return true;
    }
}

/* --- rows --------------------------------------------------------------------------- */

/* Element `i` of the row; returns false if there is none. Rows follow each other. */
static bool element_of_row(const struct isa_node *node, const struct isa_tensor *tensor,
                           uint64_t row, uint64_t i, uint64_t *word)
{
    const uint64_t length = (uint64_t)tensor->shape.extents[tensor->shape.rank - 1];
    const double x = isa_tensor_get(tensor, row * length + i);
    const enum isa_element_kind element = tensor->shape.element;
    *word = node->type == ISA_BOOL ? x != 0 : isa_value_of_real(x);
    if (node->type != ISA_INT)
        return node->type == ISA_REAL || element == ISA_ELEMENT_BOOL;
    *word = 0;
    if (element != ISA_ELEMENT_INT &&
        !(x >= -9223372036854775808.0 && x < 9223372036854775808.0))
        return false;
    *word = (uint64_t)isa_tensor_get_int(tensor, row * length + i);
    return true;
}

bool oracle_row_length(const struct isa_node *node, struct value a, struct value b,
                       uint64_t *length)
{
    const struct isa_tensor *tensor = a.array->tensor;
    const struct isa_shape *shape = &tensor->shape;
    uint64_t rows = 1, word;
    *length = 0;
    if (shape->rank == 0 || shape->element == ISA_ELEMENT_PAIR)
        return false;
    for (int i = 0; i < shape->rank - 1; i++)
        rows *= (uint64_t)shape->extents[i];
    if ((int64_t)b.word < 0 || b.word >= rows)
        return false;
    const uint64_t count = (uint64_t)shape->extents[shape->rank - 1];
    for (uint64_t i = 0; i < count; i++)
        if (!element_of_row(node, tensor, b.word, i, &word))
            return false;
    *length = count;
    return true;
}

/* The elements are written in the firing that makes the array. */
static bool fire_row(struct oracle *o, const struct firing *f, struct value a,
                     struct value b)
{
    uint64_t length;
    if (!oracle_row_length(f->instr->node, a, b, &length) ||
        !oracle_array_fits(o, length))
        return false;
    struct value sent = oracle_alloc(o, f, length);
    sent.array->name = oracle_hash(f->instr, f->tag, a.array->tensor->word + b.word);
    sent.word = oracle_reference_word(sent.array->name, 0);
    for (uint64_t i = 0; i < length; i++) {
        struct element *e = &sent.array->elements[i];
        e->written = true;
        e->depth = f->depth;
        element_of_row(f->instr->node, a.array->tensor, b.word, i, &e->value.word);
    }
    oracle_send_list(o, f, 0, f->tag, sent, false);
    oracle_account_value(o, f, sent);
    o->wrote = &sent.array->written;
    oracle_unrefer(o, sent);
    return true;
}

bool oracle_fire_tensor(struct oracle *o, const struct firing *f, struct value a,
                        struct value b)
{
    const struct isa_node *node = f->instr->node;
    if (node->op == ISA_OP_ROW)
        return fire_row(o, f, a, b);
    if (isa_op_table[node->op].out[0] != 'T') {
        struct value sent = {0};
        if (!look_up(a.array->tensor, node->op, b.word, &sent.word))
            return false;
        oracle_send_list(o, f, 0, f->tag, sent, false);
        oracle_account_value(o, f, sent);
        return true;
    }
    struct isa_tensor *made = compute(o, node, a, b);
    if (!made)
        return false;
    if (node->op == ISA_OP_COMBINE)
        count_update(o, f->instr, a);
    if (!oracle_array_fits(o, 0)) {
        isa_tensor_free(&o->tensors, made);
        return false;
    }
    isa_tensor_seal(made, true);
    struct value sent = oracle_alloc(o, f, 0);
    sent.array->tensor = made;
    oracle_note_room(o, sent.array, false);
    sent.word = made->word;
    oracle_send_list(o, f, 0, f->tag, sent, false);
    oracle_account_value(o, f, sent);
    oracle_unrefer(o, sent);
    return true;
}
