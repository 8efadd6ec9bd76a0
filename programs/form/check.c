#include "programs/form/check.h"

#include "lib/memory.h"

#include <stdarg.h>

enum { MANY = -1, SOURCE = 1, ROUTINE = 2, EARLY = 4, LOOPS = 8 };

static const struct kind {
    const char *name;
    int operands, results, blocks;
    unsigned traits;
} kinds[] = {
#define KIND(NAME, text, operands, results, blocks, traits)                              \
    [FORM_##NAME] = {text, operands, results, blocks, traits},
#include "programs/form/kinds.def"
#undef KIND
};

const char *form_kind_name(enum form_entry_kind kind)
{
    return kinds[kind].name;
}

/* A block that is being checked, or a place to return to after it. */
struct frame {
    const struct form_block *block;
    const struct form_entry *entry; /* whose block it is; NULL: the top */
    uint32_t next, scope;
    int index; /* 0 or 1: which of the entry's blocks */
};

/* A scope is a part of the form in which values are visible: the top, one side of a conditional, or
 * a block of another entry. */
struct check {
    const struct form *form;
    struct lib_text *fault;
    const struct form_entry *at; /* entry that is being checked; NULL: the results */
    uint32_t *home;              /* for each value: its scope; FORM_NONE: not made yet */
    bool *is_open;               /* for each scope */
    bool *is_seen;               /* for each entry */
    bool *is_closed;             /* for each LOOP */
    uint32_t *scopes;            /* for each entry: the scope that it is in */
    uint32_t *set; /* for each ARRAY and LOOP: elements or variables that are set */
    LIB_VEC(const struct form_entry *) arrays; /* the ARRAY entries so far */
    LIB_VEC(struct frame) stack;
};

__attribute__((format(printf, 2, 3))) static bool fault(struct check *c,
                                                        const char *format, ...)
{
    va_list arguments;
    if (c->at)
        lib_text_printf(c->fault, "entry %u (%s): ", c->at->id, kinds[c->at->kind].name);
    va_start(arguments, format);
    lib_text_vprintf(c->fault, format, arguments);
    va_end(arguments);
    return false;
}

/* --- values ------------------------------------------------------------------------------ */

static uint32_t side_scope(const struct form_branch *branch, int side)
{
    return 1 + 2 * branch->id + (uint32_t)side;
}

static uint32_t block_scope(const struct check *c, const struct form_entry *e, int index)
{
    return e->kind == FORM_BRANCH
               ? side_scope(e->branch, index)
               : 1 + 2 * c->form->branch_count + 2 * e->id + (uint32_t)index;
}

static bool check_use(struct check *c, uint32_t value)
{
    if (value >= c->form->value_count)
        return fault(c, "value %u does not exist", value);
    if (c->form->values[value].kind != FORM_MADE)
        return true;
    if (c->home[value] == FORM_NONE)
        return fault(c, "value %u is used before it is made", value);
    return c->is_open[c->home[value]] || fault(c, "value %u is not visible here", value);
}

static bool make_value(struct check *c, uint32_t value, uint32_t scope)
{
    if (value >= c->form->value_count)
        return fault(c, "value %u does not exist", value);
    if (c->form->values[value].kind != FORM_MADE)
        return fault(c, "value %u is not made by entries", value);
    if (c->home[value] != FORM_NONE)
        return fault(c, "value %u is made twice", value);
    c->home[value] = scope;
    return true;
}

static enum isa_type type_of(const struct check *c, uint32_t value)
{
    return form_graph_type(c->form->values[value].type);
}

static bool check_type(struct check *c, uint32_t value, enum isa_type type)
{
    type = form_graph_type(type);
    return type_of(c, value) == type ||
           fault(c, "value %u has type %s; expected %s", value,
                 isa_type_name(type_of(c, value)), isa_type_name(type));
}

/* --- kinds ------------------------------------------------------------------------------- */

static bool check_counts(struct check *c, const struct form_entry *e)
{
    const struct kind *kind = &kinds[e->kind];
    if (kind->operands != MANY && e->operands.count != (uint32_t)kind->operands)
        return fault(c, "%u operands; expected %d", e->operands.count, kind->operands);
    if (kind->results != MANY && e->results.count != (uint32_t)kind->results)
        return fault(c, "%u results; expected %d", e->results.count, kind->results);
    if (kind->blocks != MANY && !e->blocks != !kind->blocks)
        return fault(c, e->blocks ? "blocks where none are expected" : "no blocks");
    const bool is_loop = (kind->traits & LOOPS) && c->form->has_loops;
    if ((kind->traits & SOURCE) && !c->form->name && !is_loop)
        return fault(c, "entries of this kind are in forms of the source only");
    const bool is_call = (kind->traits & ROUTINE) ||
                         (e->kind == FORM_TABULATE && !e->blocks);
    if (is_call && e->routine >= c->form->program->routine_count)
        return fault(c, "routine %u does not exist", e->routine);
    if (e->kind == FORM_TABULATE && !e->blocks != !c->form->name)
        return fault(c, "elements are made by a block in forms of the source, else by a "
                        "routine");
    return true;
}

static bool check_early(struct check *c, const struct form_entry *e)
{
    const struct form_entry *early = e->early;
    if (!early)
        return !(kinds[e->kind].traits & EARLY) || fault(c, "it continues no entry");
    bool good = c->is_seen[early->id];
    switch (e->kind) {
    case FORM_LATE:
        good &= early->kind == FORM_APPLY || early->kind == FORM_TABULATE;
        break;
    case FORM_STORE:
        good &= early->kind == FORM_ARRAY || early->kind == FORM_TABULATE ||
                early->kind == FORM_FOLLOW;
        break;
    case FORM_DONE:
        good &= early->kind == FORM_EVERY;
        break;
    case FORM_LOOP:
    case FORM_SUM:
        good &= early->kind == FORM_DECLARE &&
                (early->index == FORM_OF_SUM) == (e->kind == FORM_SUM);
        break;
    default:
        good &= early->kind == FORM_LOOP;
    }
    return good ||
           fault(c, "it continues entry %u (%s)", early->id, kinds[early->kind].name);
}

static bool check_compute(struct check *c, const struct form_entry *e)
{
    const uint32_t count = e->operands.count;
    if (e->op >= ISA_OP_COUNT)
        return fault(c, "opcode %d does not exist", e->op);
    const uint32_t wanted = (uint32_t)isa_op_operands(e->op);
    if (isa_op_outputs(e->op) != 1 || isa_op_has_site(e->op) || count == 0 ||
        count != wanted + (e->op == ISA_OP_COMBINE && count == 3))
        return fault(c, "`%s` of %u operands", isa_op_table[e->op].text, count);
    const enum isa_type type = form_graph_type(e->type);
    for (uint32_t i = 0; i < count && count < 3; i++)
        if (isa_op_table[e->op].in[i] != '?' &&
            !check_type(c, e->operands.items[i],
                        isa_op_operand_type(e->op, (int)i, type)))
            return false;
    return check_type(c, e->results.items[0], isa_op_output_type(e->op, 0, type));
}

static bool check_branch(struct check *c, const struct form_entry *e)
{
    if (e->operands.count != 2 * e->results.count)
        return fault(c, "%u operands; expected two for each result", e->operands.count);
    return check_use(c, e->branch->condition) &&
           check_type(c, e->branch->condition, ISA_BOOL);
}

static bool check_apply(struct check *c, const struct form_entry *e)
{
    const struct form_routine *r = &c->form->program->routines[e->routine];
    if (e->operands.count != r->param_count || e->results.count > r->result_count)
        return fault(c,
                     "a call of `%s` with %u operands and %u results; expected %u and %u",
                     r->name, e->operands.count, e->results.count, r->param_count,
                     r->result_count);
    for (uint32_t i = 0; i < r->param_count; i++)
        if (!check_type(c, e->operands.items[i], r->params[i]))
            return false;
    for (uint32_t k = 0; k < e->results.count; k++)
        if (!check_type(c, e->results.items[k], r->results[k]))
            return false;
    return true;
}

static bool check_arrays(struct check *c, const struct form_ids *arrays)
{
    for (uint32_t k = 0; k < arrays->count; k++)
        if (isa_type_rank(type_of(c, arrays->items[k])) == 0)
            return fault(c, "value %u is not an array", arrays->items[k]);
    return true;
}

/* Checks the elements of a run of STOREs. */
static bool check_run(struct check *c, const struct form_entry *e)
{
    const struct form_entry *array = e->early;
    const uint32_t count = e->operands.count;
    if (array->kind != FORM_ARRAY || array->results.count != 1 || count == 0 ||
        count > c->form->entry_count - e->id)
        return fault(c, "it is no run of elements");
    if (c->set[array->id] != e->index || count > array->index - e->index)
        return fault(c, "element %u comes when element %u is expected", e->index,
                     c->set[array->id]);
    c->set[array->id] += count;
    if (c->scopes[e->id] != c->scopes[array->id])
        return fault(c, "it is not in the block of the elements");
    const enum isa_type type = isa_type_element(type_of(c, array->results.items[0]));
    for (uint32_t k = 0; k < count; k++)
        if (c->form->values[e->operands.items[k]].kind != FORM_LITERAL ||
            !check_type(c, e->operands.items[k], type))
            return fault(c, "element %u is no literal of the type of the array",
                         e->index + k);
    return true;
}

static bool check_store(struct check *c, const struct form_entry *e)
{
    if (e->places)
        return check_run(c, e);
    const struct form_entry *arrays = e->early;
    const bool is_list = arrays->kind == FORM_ARRAY;
    const uint32_t indices = arrays->scatters;
    if (e->operands.count != arrays->results.count + indices)
        return fault(c, "%u operands; expected one for each of %u arrays",
                     e->operands.count, arrays->results.count);
    if (indices && !check_type(c, e->operands.items[0], ISA_INT))
        return false;
    if (c->set[arrays->id]++ != e->index || (is_list && e->index >= arrays->index))
        return fault(c, "element %u comes when element %u is expected", e->index,
                     c->set[arrays->id] - 1);
    if (c->scopes[e->id] != (is_list ? c->scopes[arrays->id] : block_scope(c, arrays, 0)))
        return fault(c, "it is not in the block of the elements");
    for (uint32_t k = 0; k < arrays->results.count; k++)
        if (!check_type(c, e->operands.items[k + indices],
                        isa_type_element(type_of(c, arrays->results.items[k]))))
            return false;
    return true;
}

static bool check_loop_part(struct check *c, const struct form_entry *e)
{
    const struct form_entry *loop = e->early;
    if (c->is_closed[loop->id])
        return fault(c, "it follows the end of its loop");
    if (e->kind == FORM_CLOSE) {
        c->is_closed[loop->id] = true;
        return true;
    }
    if (e->index >= loop->results.count)
        return fault(c, "the loop has no variable %u", e->index);
    if (e->kind == FORM_EXIT)
        return check_type(c, e->results.items[0],
                          type_of(c, loop->results.items[e->index]));
    if (c->set[loop->id]++ != e->index)
        return fault(c, "variable %u comes when variable %u is expected", e->index,
                     c->set[loop->id] - 1);
    if (c->scopes[e->id] != block_scope(c, loop, 1))
        return fault(c, "it is not in the body of its loop");
    return check_type(c, e->operands.items[0], type_of(c, loop->results.items[e->index]));
}

static bool check_index(struct check *c, const struct form_entry *e)
{
    const struct isa_graph *graph = c->form->program->graph;
    const uint32_t limit = e->kind == FORM_READ ? graph->cell_count
                           : e->kind == FORM_LOAD || e->kind == FORM_GIVEN
                               ? graph->constant_count
                           : e->kind == FORM_TENSOR ? c->form->tensor_count
                           : e->kind == FORM_PORT   ? graph->array_count
                                                    : UINT32_MAX;
    return e->index < limit || fault(c, "index %u; there are %u", e->index, limit);
}

static bool check_construct(struct check *c, const struct form_entry *e)
{
    const struct isa_graph *graph = c->form->program->graph;
    if (e->index >= graph->constructor_count)
        return fault(c, "constructor %u; there are %u", e->index,
                     graph->constructor_count);
    const struct isa_constructor *of = &graph->constructors[e->index];
    if (e->operands.count != of->field_count || of->field_count == 0)
        return fault(c, "%u operands; `%s` has %u fields", e->operands.count, of->name,
                     of->field_count);
    for (uint32_t i = 0; i < of->field_count; i++)
        if (!check_type(c, e->operands.items[i], of->fields[i].type))
            return false;
    return check_type(c, e->results.items[0], ISA_DATA);
}

static bool check_done(struct check *c, const struct form_entry *e)
{
    if (e->early->results.count == 0 || c->set[e->early->id]++ ||
        c->scopes[e->id] != block_scope(c, e->early, 0))
        return fault(c,
                     "an answer that none expects, or not in the block of the elements");
    return check_type(c, e->operands.items[0], ISA_INT);
}

static bool check_contribution(struct check *c, const struct form_entry *e)
{
    const uint32_t array = e->operands.items[0];
    if (isa_type_rank(type_of(c, array)) == 0)
        return fault(c, "value %u is not an array", array);
    return check_type(c, e->operands.items[1], ISA_INT) &&
           check_type(c, e->operands.items[2], isa_type_element(type_of(c, array))) &&
           (e->kind == FORM_TOTAL || check_type(c, e->results.items[0], ISA_INT));
}

static bool check_kind(struct check *c, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_COMPUTE:
        return check_compute(c, e);
    case FORM_BRANCH:
        return check_branch(c, e);
    case FORM_APPLY:
        return check_apply(c, e);
    case FORM_FETCH:
    case FORM_SUM:
        return isa_type_rank(type_of(c, e->operands.items[0])) == 0
                   ? fault(c, "value %u is not an array", e->operands.items[0])
                   : check_type(c, e->results.items[0],
                                isa_type_element(type_of(c, e->operands.items[0])));
    case FORM_SIFT:
        return check_type(c, e->operands.items[0], isa_type_array_of(ISA_BOOL)) &&
               check_type(c, e->results.items[0], isa_type_array_of(ISA_INT)) &&
               check_type(c, e->results.items[1], ISA_INT);
    case FORM_EXPAND:
        return check_type(c, e->operands.items[0], isa_type_array_of(ISA_INT)) &&
               check_type(c, e->results.items[0], isa_type_array_of(ISA_INT)) &&
               check_type(c, e->results.items[1], isa_type_array_of(ISA_INT));
    case FORM_CONSTRUCT:
        return check_construct(c, e);
    case FORM_EVERY:
        return check_type(c, e->operands.items[0], ISA_INT) &&
               (e->results.count == 0 ||
                (e->results.count == 1 && check_type(c, e->results.items[0], ISA_INT)) ||
                fault(c, "more than one answer"));
    case FORM_DONE:
        return check_done(c, e);
    case FORM_CONTRIBUTE:
    case FORM_TOTAL:
        return check_contribution(c, e);
    case FORM_TABULATE:
        if (e->scatters && (!e->blocks || e->operands.count != 2 ||
                            !check_type(c, e->operands.items[1], ISA_INT)))
            return fault(c, "no length of what is scattered");
        return e->operands.count == 0 ? fault(c, "no length")
                                      : check_type(c, e->operands.items[0], ISA_INT) &&
                                            check_arrays(c, &e->results);
    case FORM_ARRAY:
        *LIB_VEC_PUSH(&c->arrays) = e;
        return check_arrays(c, &e->results);
    case FORM_LIST:
    case FORM_FOLLOW:
        return check_arrays(c, &e->results);
    case FORM_STORE:
        return check_store(c, e);
    case FORM_LOOP:
        return e->operands.count == e->results.count ||
               fault(c, "%u operands; expected one for each of %u variables",
                     e->operands.count, e->results.count);
    case FORM_NEXT:
    case FORM_EXIT:
    case FORM_CLOSE:
        return check_loop_part(c, e);
    default:
        return check_index(c, e);
    }
}

/* --- blocks ------------------------------------------------------------------------------ */

static bool open_block(struct check *c, const struct form_entry *e, int index)
{
    const uint32_t scope = block_scope(c, e, index);
    c->is_open[scope] = true;
    *LIB_VEC_PUSH(&c->stack) = (struct frame){&e->blocks[index], e, 0, scope, index};
    if (index)
        return true;
    for (uint32_t k = 0; e->kind == FORM_LOOP && k < e->results.count; k++)
        if (!make_value(c, e->results.items[k], scope))
            return false;
    return !form_has_elements(e) || make_value(c, e->inner, scope);
}

static bool make_results(struct check *c, const struct form_entry *e, uint32_t scope)
{
    const uint32_t home = e->kind == FORM_EXIT ? c->scopes[e->early->id] : scope;
    for (uint32_t k = 0; k < e->results.count; k++)
        if (!make_value(c, e->results.items[k], home))
            return false;
    return true;
}

/* A side of a conditional sees the values of earlier blocks of the same side. */
static bool check_arms(struct check *c, const struct form_entry *e)
{
    bool good = true;
    for (uint32_t i = 0; good && i < e->operands.count; i++) {
        const uint32_t scope = side_scope(e->branch, (int)(i % 2));
        c->is_open[scope] = true;
        good = check_use(c, e->operands.items[i]);
        c->is_open[scope] = false;
        good = good &&
               check_type(c, e->operands.items[i], type_of(c, e->results.items[i / 2]));
    }
    return good;
}

static bool check_entry(struct check *c, const struct form_entry *e, uint32_t scope)
{
    c->at = e;
    if (e->kind >= FORM_ENTRY_KINDS || e->id >= c->form->entry_count || c->is_seen[e->id])
        return fault(c, "an unknown kind, or a second entry with this id");
    c->is_seen[e->id] = true;
    c->scopes[e->id] = scope;
    /* Elements of arrays may read the arrays themselves. */
    const bool is_own = e->kind == FORM_TABULATE || e->kind == FORM_LATE;
    if (!check_counts(c, e) || !check_early(c, e) ||
        (is_own && !make_results(c, e, scope)))
        return false;
    for (uint32_t i = 0; e->kind != FORM_BRANCH && i < e->operands.count; i++)
        if (!check_use(c, e->operands.items[i]))
            return false;
    for (uint32_t k = 0; k < e->results.count; k++)
        if (e->results.items[k] >= c->form->value_count)
            return fault(c, "value %u does not exist", e->results.items[k]);
    if (!check_kind(c, e))
        return false;
    if (e->kind != FORM_BRANCH && e->kind != FORM_LOOP && !is_own &&
        !make_results(c, e, scope))
        return false;
    return !e->blocks || open_block(c, e, 0);
}

/* Ends a block. Returns false after a fault. */
static bool end_block(struct check *c, struct frame done)
{
    const struct form_entry *e = done.entry;
    if (!e)
        return true;
    c->at = e;
    if (e->kind == FORM_LOOP && done.index == 0) {
        if (!check_use(c, e->inner) || !check_type(c, e->inner, ISA_BOOL))
            return false;
        return open_block(c, e, 1);
    }
    c->is_open[done.scope] = false;
    if (e->kind == FORM_BRANCH && done.index == 0)
        return open_block(c, e, 1);
    if (e->kind == FORM_BRANCH)
        return check_arms(c, e) &&
               make_results(c, e, c->stack.items[c->stack.count - 1].scope);
    if (e->kind == FORM_LOOP) {
        c->is_open[block_scope(c, e, 0)] = false;
        return c->set[e->id] == e->results.count ||
               fault(c, "%u of %u variables have a next value", c->set[e->id],
                     e->results.count);
    }
    if (e->kind == FORM_EVERY)
        return c->set[e->id] == e->results.count || fault(c, "its block has no answer");
    return c->set[e->id] == 1 || fault(c, "its block stores no element");
}

/* STOREs may be in any later block of the side of a conditional in which their ARRAY is. */
static bool check_elements(struct check *c)
{
    for (size_t i = 0; i < c->arrays.count; i++) {
        c->at = c->arrays.items[i];
        if (c->set[c->at->id] != c->at->index)
            return fault(c, "%u of %u elements are set", c->set[c->at->id], c->at->index);
    }
    return true;
}

static bool check_all(struct check *c)
{
    c->is_open[0] = true;
    *LIB_VEC_PUSH(&c->stack) = (struct frame){.block = &c->form->top};
    while (c->stack.count) {
        struct frame *f = &c->stack.items[c->stack.count - 1];
        if (f->next < f->block->count) {
            const struct form_entry *e = f->block->items[f->next++];
            if (!check_entry(c, e, f->scope))
                return false;
            continue;
        }
        const struct frame done = *f;
        c->stack.count--;
        if (!end_block(c, done))
            return false;
    }
    if (!check_elements(c))
        return false;
    c->at = NULL;
    for (uint32_t k = 0; k < c->form->results.count; k++)
        if (!check_use(c, c->form->results.items[k]))
            return false;
    return true;
}

bool form_check(const struct form *form, struct lib_text *why)
{
    struct lib_arena *arena = lib_arena_new();
    const uint32_t scopes = 1 + 2 * (form->branch_count + form->entry_count);
    struct check c = {
        .form = form,
        .fault = why,
        .home = LIB_ARENA_ARRAY(arena, uint32_t, form->value_count),
        .is_open = LIB_ARENA_ARRAY(arena, bool, scopes),
        .is_seen = LIB_ARENA_ARRAY(arena, bool, form->entry_count),
        .is_closed = LIB_ARENA_ARRAY(arena, bool, form->entry_count),
        .scopes = LIB_ARENA_ARRAY(arena, uint32_t, form->entry_count),
        .set = LIB_ARENA_ARRAY(arena, uint32_t, form->entry_count),
    };
    for (uint32_t v = 0; v < form->value_count; v++)
        c.home[v] = FORM_NONE;
    const bool good = check_all(&c);
    LIB_VEC_FREE(&c.stack, &c.arrays);
    lib_arena_free(arena);
    return good;
}
