#include "programs/gradient/deferred.h"

#include "programs/gradient/arrays.h"
#include "programs/gradient/components.h"

/* --- which params have gradients in deferred form, and in which routines ------------------ */

bool form_may_defer(const struct form_program *program, uint32_t routine)
{
    const struct form_routine *r = &program->routines[routine];
    return program->defers && r->order == 0 &&
           (r->kind == FORM_SOURCE || r->kind == FORM_HELPER);
}

/* Marks the values that a form reads from a cell. */
static bool *reads_of(const struct form *form, struct lib_arena *arena, uint32_t cell)
{
    bool *reads = LIB_ARENA_ARRAY(arena, bool, form->value_count + 1);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        if (e->kind == FORM_READ && e->index == cell)
            reads[e->results.items[0]] = true;
    return reads;
}

/* Returns the form that one instruction allows for a cell, whose values `reads` marks. */
static enum form_deferral deferral_of_use(const struct form_program *program,
                                          const struct form_entry *e, uint32_t cell,
                                          const bool *reads)
{
    if (e->kind != FORM_COMPUTE || e->op != ISA_OP_COMBINE || e->operands.count != 2)
        return FORM_DENSE;
    const bool is_product = isa_use_of(e->index) == ISA_KERNEL_MATMUL &&
                            program->most_products.items[cell];
    if (is_product && reads[e->operands.items[1]])
        return FORM_PRODUCTS;
    if (is_product && isa_use_number(e->index) == FORM_FLAT &&
        reads[e->operands.items[0]])
        return FORM_COLUMNS;
    if (isa_use_of(e->index) == ISA_KERNEL_GATHER && program->most_rows.items[cell] &&
        reads[e->operands.items[0]])
        return FORM_ROWS;
    return FORM_DENSE;
}

/* Returns the form for two uses: a deferred one. The contribution of the other is dense. */
static enum form_deferral first_of(enum form_deferral a, enum form_deferral b)
{
    if (a == FORM_DENSE || b == FORM_DENSE)
        return a == FORM_DENSE ? b : a;
    return a < b ? a : b;
}

static enum form_deferral deferral_in(struct form_program *program, uint32_t routine,
                                      uint32_t cell)
{
    const struct form *form = form_of(program, routine);
    struct lib_arena *scratch = lib_arena_new();
    const bool *reads = reads_of(form, scratch, cell);
    enum form_deferral all = FORM_DENSE;
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        all = first_of(all, deferral_of_use(program, e, cell, reads));
    lib_arena_free(scratch);
    return all;
}

/* Known forms of the gradient by a cell. */
struct form_deferrals {
    uint8_t *items; /* for each component below `count` */
    uint32_t count, capacity;
};

static struct form_deferrals *deferrals_of(struct form_program *program, uint32_t cell)
{
    if (!program->deferrals)
        program->deferrals = LIB_ARENA_ARRAY(program->arena, struct form_deferrals,
                                             program->graph->cell_count);
    return &program->deferrals[cell];
}

/* All routines of a component, a cycle of calls, have the same result, as each reaches all others.
 * The components that it calls have lower numbers. */
static void add_component(struct form_program *program, struct form_deferrals *known,
                          uint32_t cell)
{
    const struct form_component *c = form_component_at(program, FORM_CALLS_DEFERRING,
                                                       known->count);
    enum form_deferral all = FORM_DENSE;
    for (uint32_t i = 0; i < c->members.count; i++)
        all = first_of(all, deferral_in(program, c->members.items[i], cell));
    for (uint32_t i = 0; i < c->callees.count; i++)
        all = first_of(all, (enum form_deferral)known->items[c->callees.items[i]]);
    *LIB_ARENA_PUSH(program->arena, known) = (uint8_t)all;
}

enum form_deferral form_deferral_of(struct form_program *program, uint32_t routine,
                                    uint32_t cell)
{
    const uint32_t component = form_component_of(program, FORM_CALLS_DEFERRING, routine);
    struct form_deferrals *known = deferrals_of(program, cell);
    while (known->count <= component)
        add_component(program, known, cell);
    return (enum form_deferral)known->items[component];
}

enum form_deferral form_given_as(struct form_program *program, enum form_giving giving,
                                 uint32_t routine, uint32_t cell)
{
    if (giving == FORM_GIVES_DENSE)
        return FORM_DENSE;
    const enum form_deferral kind = form_deferral_of(program, routine, cell);
    return giving == FORM_GIVES_ALL || kind == FORM_ROWS ? kind : FORM_DENSE;
}

bool form_is_often(struct form_program *program, const struct form_entry *e)
{
    return e->kind == FORM_TABULATE || form_is_recursive(program, e->routine);
}

bool form_calls_deferred(struct form_program *program, uint32_t routine, uint32_t cell)
{
    bool found = false;
    struct form_walk walk = form_walk_of(&form_of(program, routine)->top);
    for (const struct form_entry *e; !found && (e = form_walk_next(&walk));)
        found = e->routine != FORM_NONE && form_may_defer(program, e->routine) &&
                form_is_often(program, e) &&
                form_deferral_of(program, e->routine, cell) != FORM_DENSE;
    form_walk_end(&walk);
    return found;
}

/* --- instructions ----------------------------------------------------------------------------- */

static uint32_t read_cell(struct form_place p, uint32_t cell)
{
    return form_read(p, cell, (enum isa_type)p.program->cell_types.items[cell]);
}

static uint32_t count_rows(struct form_place p, enum form_deferral kind, uint32_t rows)
{
    return form_extent(p, rows, kind == FORM_COLUMNS);
}

/* The tensor has one or two axes; its first extent is given. */
static uint32_t as_columns(struct form_place p, uint32_t tensor, uint32_t height)
{
    const uint32_t first = form_number(p, height);
    const uint32_t all = form_number(p, form_integer(p, -1));
    return form_join(p, ISA_KERNEL_RESHAPE, tensor, form_vector(p, first, all));
}

/* The tensor has any rank; its last extent is given. */
static uint32_t as_rows(struct form_place p, uint32_t tensor, uint32_t width)
{
    const uint32_t all = form_number(p, form_integer(p, -1));
    const uint32_t last = form_number(p, width);
    return form_join(p, ISA_KERNEL_RESHAPE, tensor, form_vector(p, all, last));
}

uint32_t form_nothing(struct form_place p, enum form_deferral kind, unsigned part)
{
    static const char *const names[FORM_EMPTIES] = {"no.rows", "no.indices",
                                                    "no.columns"};
    const enum form_empty which = part == 0 || kind == FORM_PRODUCTS ? FORM_NO_ROWS
                                  : kind == FORM_COLUMNS             ? FORM_NO_COLUMNS
                                  : part == 1                        ? FORM_NO_INDICES
                                                                     : FORM_NO_ROWS;
    struct isa_graph *graph = p.program->graph;
    uint32_t *constant = &p.program->nothings[which];
    if (*constant == FORM_NONE) {
        const struct isa_shape shape = {which == FORM_NO_INDICES ? ISA_ELEMENT_INT
                                                                 : ISA_ELEMENT_REAL,
                                        which == FORM_NO_COLUMNS ? 2 : 1,
                                        {0}};
        struct isa_tensor *tensor = isa_tensor_new(&graph->tensors, &shape);
        isa_tensor_seal(tensor, true);
        *constant = isa_graph_add_constant(graph, names[which], tensor);
    }
    return form_convert(p, FORM_LOAD, FORM_NONE, *constant, deferred_type(kind, part));
}

static struct form_entry *if_empty(struct form_place p, uint32_t tensor)
{
    return form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, form_extent(p, tensor, 0), form_integer(p, 0)));
}

/* --- sums ------------------------------------------------------------------------------------- */

static uint32_t add_dense(struct form_place p, uint32_t a, uint32_t b)
{
    if (a == FORM_NONE || b == FORM_NONE)
        return a == FORM_NONE ? b : a;
    struct form_entry *no_a = if_empty(p, a);
    const struct form_place some_a = form_side(p, no_a, 1);
    struct form_entry *no_b = if_empty(some_a, b);
    const struct form_place both = form_side(some_a, no_b, 1);
    return form_merge(p, no_a, b, form_merge(some_a, no_b, a, form_add(both, a, b)));
}

/* Whether rows were made by an instruction, not by a call or conditional. Their number may be 0,
 * but their width is known, as concatenation needs. */
static bool are_there(struct form_place p, uint32_t rows)
{
    return p.form->values[rows].kind == FORM_MADE &&
           p.form->values[rows].index == ISA_OP_COMBINE;
}

static struct deferred concat(struct form_place p, enum form_deferral kind,
                              struct deferred a, struct deferred b)
{
    struct deferred both = {FORM_NONE, FORM_NONE, FORM_NONE};
    const int axis = kind == FORM_COLUMNS;
    both.left = kind == FORM_ROWS
                    ? form_vector(p, a.left, b.left)
                    : form_join_at(p, ISA_KERNEL_CONCAT, axis, a.left, b.left);
    both.right = form_join_at(p, ISA_KERNEL_CONCAT, axis, a.right, b.right);
    return both;
}

/* Concatenates a and b; if `tested` has no rows, returns `other`. */
static struct deferred concat_unless(struct form_place p, enum form_deferral kind,
                                     struct deferred tested, struct deferred other,
                                     bool is_other_there, struct deferred a,
                                     struct deferred b)
{
    struct form_entry *none = if_empty(p, tested.left);
    const struct form_place some = form_side(p, none, 1);
    struct deferred both = is_other_there
                               ? concat(some, kind, a, b)
                               : concat_unless(some, kind, other, tested, true, a, b);
    both.left = form_merge(p, none, other.left, both.left);
    both.right = form_merge(p, none, other.right, both.right);
    return both;
}

struct deferred deferred_add(struct form_place p, enum form_deferral kind,
                             struct deferred a, struct deferred b)
{
    struct deferred both;
    if (a.left == FORM_NONE)
        both = b;
    else if (b.left == FORM_NONE)
        both = a;
    else if (are_there(p, a.left) && are_there(p, b.left))
        both = concat(p, kind, a, b);
    else if (are_there(p, b.left))
        both = concat_unless(p, kind, a, b, true, a, b);
    else
        both = concat_unless(p, kind, b, a, are_there(p, a.left), a, b);
    both.dense = add_dense(p, a.dense, b.dense);
    return both;
}

/* --- from rows to a tensor -------------------------------------------------------------------- */

static uint32_t zeros_of(struct form_place p, uint32_t cell)
{
    return form_zero(p, read_cell(p, cell));
}

/* Returns the tensor of a gradient, which may be empty, in the shape of the param. */
static uint32_t dense_or_zeros(struct form_place p, uint32_t cell, uint32_t dense)
{
    if (dense == FORM_NONE)
        return zeros_of(p, cell);
    struct form_entry *none = if_empty(p, dense);
    return form_merge(p, none, zeros_of(form_side(p, none, 0), cell), dense);
}

/* Returns the tensor of existing rows, with `dense` added. */
static uint32_t absorb(struct form_place p, enum form_deferral kind, uint32_t cell,
                       struct deferred a)
{
    if (kind != FORM_ROWS) {
        const uint32_t product = form_join(
            p, kind == FORM_COLUMNS ? ISA_KERNEL_MATMUL_LEFT : ISA_KERNEL_MATMUL_RIGHT,
            a.left, a.right);
        if (a.dense == FORM_NONE)
            return product;
        struct form_entry *none = if_empty(p, a.dense);
        return form_merge(p, none, product,
                          form_add(form_side(p, none, 1), a.dense, product));
    }
    return form_join_three(p, ISA_KERNEL_SCATTER_ADD, dense_or_zeros(p, cell, a.dense),
                           a.left, a.right);
}

uint32_t deferred_dense(struct form_place p, enum form_deferral kind, uint32_t cell,
                        struct deferred a)
{
    if (a.left == FORM_NONE)
        return dense_or_zeros(p, cell, a.dense);
    struct form_entry *no_rows = if_empty(p, a.left);
    const uint32_t dense = dense_or_zeros(form_side(p, no_rows, 0), cell, a.dense);
    return form_merge(p, no_rows, dense, absorb(form_side(p, no_rows, 1), kind, cell, a));
}

/* Returns a condition: the rows are too many, and become a tensor; if `grad` takes rows in the
 * end, only if the table has fewer. */
static uint32_t are_many(struct form_place p, enum form_deferral kind, uint32_t cell,
                         uint32_t rows)
{
    const struct form_ids *most = kind == FORM_ROWS ? &p.program->most_rows
                                                    : &p.program->most_products;
    const uint32_t count = count_rows(p, kind, rows);
    const uint32_t limit = kind == FORM_ROWS && p.program->given_rows
                               ? form_extent(p, read_cell(p, cell), 0)
                               : form_integer(p, most->items[cell]);
    return form_compute_2(p, ISA_OP_GT_I, count, limit);
}

struct deferred deferred_compact(struct form_place p, enum form_deferral kind,
                                 uint32_t cell, struct deferred a, bool joined)
{
    if (a.left == FORM_NONE || !joined) {
        uint32_t *parts[] = {&a.dense, &a.left, &a.right};
        for (unsigned part = 0; part < 3; part++)
            if (*parts[part] == FORM_NONE)
                *parts[part] = form_nothing(p, kind, part);
        return a;
    }
    struct form_entry *many = form_split(p, are_many(p, kind, cell, a.left));
    const struct form_place yes = form_side(p, many, 0), no = form_side(p, many, 1);
    const uint32_t dense = absorb(yes, kind, cell, a);
    const uint32_t no_left = form_nothing(yes, kind, 1);
    const uint32_t no_right = form_nothing(yes, kind, 2);
    if (a.dense == FORM_NONE)
        a.dense = form_nothing(no, kind, 0);
    a.dense = form_merge(p, many, dense, a.dense);
    a.left = form_merge(p, many, no_left, a.left);
    a.right = form_merge(p, many, no_right, a.right);
    return a;
}

/* --- sums over arrays ------------------------------------------------------------------------ */

/* Returns a routine that sums elements [low, high), at least one, of three arrays; its
 * parameters are these, low and high. */
static uint32_t totals_routine(struct form_program *program, enum form_deferral kind,
                               uint32_t cell)
{
    struct form_ids *known = &program->row_totals; /* cell, kind, routine */
    enum isa_type types[5];
    for (uint32_t i = 0; i < known->count; i += 3)
        if (known->items[i] == cell && known->items[i + 1] == kind)
            return known->items[i + 2];
    for (unsigned part = 0; part < 3; part++)
        types[part] = isa_type_array_of(deferred_type(kind, part));
    types[3] = types[4] = ISA_INT;
    const struct form_halves h = form_make_halves(program, "total.rows", types, 3);
    form_push_id(program->arena, known, cell);
    form_push_id(program->arena, known, kind);
    form_push_id(program->arena, known, h.m.routine);
    struct deferred all = deferred_add(
        h.more, kind, (struct deferred){h.low[0], h.low[1], h.low[2]},
        (struct deferred){h.high[0], h.high[1], h.high[2]});
    all = deferred_compact(h.more, kind, cell, all, true);
    form_end_halves(&h, (const uint32_t[]){all.dense, all.left, all.right}, 3);
    return h.m.routine;
}

void deferred_total(struct form_place p, enum form_deferral kind, uint32_t cell,
                    const uint32_t arrays[3], uint32_t totals[3])
{
    const uint32_t length = form_length(p, arrays[0]);
    struct form_entry *is_none = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, length, form_integer(p, 0)));
    const struct form_place none = form_side(p, is_none, 0),
                            some = form_side(p, is_none, 1);
    const uint32_t arguments[] = {arrays[0], arrays[1], arrays[2], form_integer(some, 0),
                                  length};
    const struct form_entry *all = form_apply(some, totals_routine(p.program, kind, cell),
                                              arguments, 5);
    for (unsigned part = 0; part < 3; part++)
        totals[part] = form_merge(p, is_none, form_nothing(none, kind, part),
                                  all->results.items[part]);
}

/* --- what instructions leave ------------------------------------------------------------------ */

static bool find_cell(const struct differ *d, uint32_t value, enum form_deferral kind,
                      uint32_t *wanted)
{
    if (value >= d->count || d->cell_of[value] == FORM_NONE)
        return false;
    *wanted = d->cell_of[value];
    return d->kinds[*wanted] == kind;
}

bool differ_defer_product(struct differ *d, enum form_deferral kind, uint32_t w,
                          uint32_t x, uint32_t y)
{
    const struct form_place p = d->p;
    const bool is_columns = kind == FORM_COLUMNS;
    uint32_t (*const part)(struct form_place, uint32_t,
                           uint32_t) = is_columns ? as_columns : as_rows;
    uint32_t wanted;
    if (!find_cell(d, w, kind, &wanted))
        return false;
    const uint32_t left = part(p, is_columns ? y : x, form_extent(p, w, 0));
    const uint32_t right = part(p, is_columns ? x : y, form_extent(p, w, 1));
    differ_add_deferred(d, wanted, (struct deferred){FORM_NONE, left, right});
    return true;
}

static uint32_t indices_of(struct form_place p, uint32_t rows)
{
    const uint32_t nothing = form_nothing(p, FORM_ROWS, 1);
    const struct form_entry *maker = form_find_maker(p.form, rows);
    if (form_type(p.form, rows) == FORM_WHOLES)
        return form_vector(p, rows, nothing);
    if (maker && maker->op == ISA_OP_NUMBER)
        return form_vector(
            p, form_compute_1(p, ISA_OP_SCALAR_I, maker->operands.items[0]), nothing);
    return form_map(p, ISA_KERNEL_TO_INT, rows);
}

bool differ_defer_rows(struct differ *d, uint32_t w, uint32_t rows, uint32_t y)
{
    uint32_t wanted;
    if (!find_cell(d, w, FORM_ROWS, &wanted))
        return false;
    const struct deferred all = {FORM_NONE, indices_of(d->p, rows), y};
    differ_add_deferred(d, wanted, all);
    return true;
}

/* --- while a gradient is made ----------------------------------------------------------------- */

static void find_cells(struct differ *d, const struct form_block *block)
{
    struct form_walk walk = form_walk_of(block);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        if (e->kind == FORM_READ)
            d->cell_of[e->results.items[0]] = form_find_id(d->wanted, e->index);
}

void differ_find_deferred(struct differ *d)
{
    struct form_program *program = d->program;
    d->kinds = LIB_ARENA_ARRAY(program->arena, uint8_t, d->wanted->count + 1);
    d->joined = LIB_ARENA_ARRAY(program->arena, bool, d->wanted->count + 1);
    d->cell_of = LIB_ARENA_ARRAY(program->arena, uint32_t, d->count);
    for (uint32_t v = 0; v < d->count; v++)
        d->cell_of[v] = FORM_NONE;
    find_cells(d, &d->form->top);
    for (uint32_t i = 0; i < d->wanted->count; i++) {
        const uint32_t cell = d->wanted->items[i];
        if (!form_may_defer(program, d->of))
            continue;
        d->kinds[i] = form_given_as(program, d->giving, d->of, cell);
        if (d->kinds[i] == FORM_DENSE && form_calls_deferred(program, d->of, cell))
            d->kinds[i] = form_deferral_of(program, d->of, cell);
    }
}

enum form_giving differ_giving_of_call(struct differ *d, const struct form_entry *e,
                                       uint32_t routine, const struct form_ids *wanted)
{
    struct form_program *program = d->program;
    if (!form_may_defer(program, d->of) || !form_may_defer(program, routine))
        return FORM_GIVES_DENSE;
    const enum form_giving giving = form_is_often(program, e) ? FORM_GIVES_ALL
                                                              : d->giving;
    for (uint32_t i = 0; i < wanted->count; i++)
        if (form_given_as(program, giving, routine, wanted->items[i]) != FORM_DENSE)
            return giving;
    return FORM_GIVES_DENSE;
}

static uint32_t *place_of(struct differ *d, struct adjoints *a, uint32_t wanted,
                          unsigned part)
{
    return differ_adjoint(
        d, a, part ? d->first_part + 2 * wanted + part - 1 : d->first_cell + wanted);
}

static struct deferred so_far(struct differ *d, struct adjoints *a, uint32_t wanted)
{
    return (struct deferred){*place_of(d, a, wanted, 0), *place_of(d, a, wanted, 1),
                             *place_of(d, a, wanted, 2)};
}

void differ_add_deferred(struct differ *d, uint32_t wanted, struct deferred contribution)
{
    struct adjoints *a = d->a;
    const struct deferred before = so_far(d, a, wanted);
    const struct deferred all = deferred_add(d->p, d->kinds[wanted], before,
                                             contribution);
    d->joined[wanted] |= before.left != FORM_NONE && contribution.left != FORM_NONE;
    *place_of(d, a, wanted, 0) = all.dense;
    *place_of(d, a, wanted, 1) = all.left;
    *place_of(d, a, wanted, 2) = all.right;
}

uint32_t differ_add_called(struct differ *d, uint32_t wanted, uint32_t routine,
                           enum form_giving giving, const uint32_t *results)
{
    const uint32_t cell = d->wanted->items[wanted];
    const enum form_deferral kind = form_given_as(d->program, giving, routine, cell);
    if (kind == FORM_DENSE) {
        differ_add(d, d->first_cell + wanted, results[0]);
        return 1;
    }
    const struct deferred given = {results[0], results[1], results[2]};
    if (kind == d->kinds[wanted])
        differ_add_deferred(d, wanted, given);
    else
        differ_add(d, d->first_cell + wanted, deferred_dense(d->p, kind, cell, given));
    return 3;
}

void differ_leave_deferred(struct differ *d, struct form_entry *now,
                           struct adjoints sides[2], uint32_t wanted)
{
    uint32_t left[3];
    for (unsigned part = 0; part < 3; part++) {
        uint32_t arms[2];
        for (unsigned side = 0; side < 2; side++) {
            uint32_t *place = place_of(d, &sides[side], wanted, part);
            arms[side] = *place;
            *place = FORM_NONE;
        }
        const bool any = arms[0] != FORM_NONE || arms[1] != FORM_NONE;
        for (unsigned side = 0; any && side < 2; side++)
            if (arms[side] == FORM_NONE)
                arms[side] = form_nothing(form_side(d->p, now, side), d->kinds[wanted],
                                          part);
        left[part] = any ? form_merge(d->p, now, arms[0], arms[1]) : FORM_NONE;
    }
    const struct deferred all = {left[0], left[1], left[2]};
    differ_add_deferred(d, wanted, all);
}

void differ_give_deferred(struct differ *d, uint32_t wanted)
{
    const uint32_t cell = d->wanted->items[wanted];
    const enum form_deferral kind = d->kinds[wanted];
    struct form_ids *results = &d->form->results;
    struct deferred all = so_far(d, d->a, wanted);
    if (form_given_as(d->program, d->giving, d->of, cell) == FORM_DENSE) {
        form_push_id(d->program->arena, results, deferred_dense(d->p, kind, cell, all));
        return;
    }
    /* A routine that is not called often passes all rows on. */
    const bool may_be_many = d->joined[wanted] && d->giving == FORM_GIVES_ALL;
    all = deferred_compact(d->p, kind, cell, all, may_be_many);
    form_push_id(d->program->arena, results, all.dense);
    form_push_id(d->program->arena, results, all.left);
    form_push_id(d->program->arena, results, all.right);
}
