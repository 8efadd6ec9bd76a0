#include "programs/optimise/rewrite.h"

#include "isa/exec/eval.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* --- values and entries ------------------------------------------------------------------- */

struct rewrite rewrite_start(struct form *form)
{
    struct lib_arena *arena = lib_arena_new();
    struct rewrite r = {
        .form = form,
        .arena = arena,
        .value_count = form->value_count,
        .entry_count = form->entry_count,
        .to = LIB_ARENA_ARRAY(arena, uint32_t, form->value_count),
        .makers = LIB_ARENA_ARRAY(arena, const struct form_entry *, form->value_count),
        .places = LIB_ARENA_ARRAY(arena, uint32_t, form->value_count),
        .walked = LIB_ARENA_ARRAY(arena, uint32_t, form->entry_count),
        .fate = LIB_ARENA_ARRAY(arena, uint8_t, form->entry_count),
    };
    for (uint32_t v = 0; v < form->value_count; v++)
        r.to[v] = v;
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; k < e->results.count; k++) {
            r.makers[e->results.items[k]] = e;
            r.places[e->results.items[k]] = k;
        }
    return r;
}

uint32_t rewrite_value(struct rewrite *r, uint32_t value)
{
    uint32_t last = value;
    while (last < r->value_count && r->to[last] != last)
        last = r->to[last];
    while (value < r->value_count && r->to[value] != value) {
        const uint32_t next = r->to[value];
        r->to[value] = last;
        value = next;
    }
    return last;
}

void rewrite_replace(struct rewrite *r, uint32_t value, uint32_t to)
{
    r->to[value] = rewrite_value(r, to);
    r->is_changed = true;
}

void rewrite_remove(struct rewrite *r, const struct form_entry *e)
{
    r->fate[e->id] = REWRITE_REMOVED;
    r->is_changed = true;
}

void rewrite_open(struct rewrite *r, const struct form_entry *e, unsigned side)
{
    r->fate[e->id] = (uint8_t)(REWRITE_FIRST_BLOCK + side);
    r->is_changed = true;
}

const struct form_entry *rewrite_maker(const struct rewrite *r, uint32_t value)
{
    return value < r->value_count ? r->makers[value] : NULL;
}

bool rewrite_is_literal(const struct form *form, uint32_t value, isa_value *literal)
{
    const struct form_value *v = &form->values[value];
    if (v->kind == FORM_LITERAL)
        *literal = v->literal;
    return v->kind == FORM_LITERAL;
}

static void replace_ids(struct rewrite *r, struct form_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++)
        ids->items[i] = rewrite_value(r, ids->items[i]);
}

/* Adds the EXITs in a block that is left out: they belong to loops outside of it, and others may
 * use their values. */
static void add_exits(struct rewrite *r, struct form_block *to,
                      const struct form_block *from)
{
    struct form_walk walk = form_walk_of(from);
    r->walks++;
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (e->kind == FORM_LOOP)
            r->walked[e->id] = r->walks;
        else if (e->kind == FORM_EXIT && r->walked[e->early->id] != r->walks)
            form_add_to_block(to, e);
    }
}

/* Makes the list of a block anew. Blocks within it have theirs already. */
static void renew_block(struct rewrite *r, struct form_block *block)
{
    bool same = true;
    for (uint32_t i = 0; i < block->count && same; i++)
        same = block->items[i]->id >= r->entry_count ||
               r->fate[block->items[i]->id] == REWRITE_REMAINS;
    if (same)
        return;
    struct form_block old = *block;
    *block = (struct form_block){.form = old.form};
    for (uint32_t i = 0; i < old.count; i++) {
        struct form_entry *e = old.items[i];
        const uint8_t fate = e->id < r->entry_count ? r->fate[e->id] : REWRITE_REMAINS;
        if (fate == REWRITE_REMAINS) {
            form_add_to_block(block, e);
        } else if (fate >= REWRITE_FIRST_BLOCK) {
            const struct form_block *in = &e->blocks[fate - REWRITE_FIRST_BLOCK];
            add_exits(r, block, &e->blocks[fate == REWRITE_FIRST_BLOCK]);
            for (uint32_t k = 0; k < in->count; k++)
                form_add_to_block(block, in->items[k]);
        }
    }
}

void rewrite_end(struct rewrite *r)
{
    LIB_VEC(struct form_block *) blocks = {0};
    struct form_walk walk = form_walk_of(&r->form->top);
    while (r->is_changed && form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_END)
            continue;
        replace_ids(r, &e->operands);
        if (e->kind == FORM_BRANCH)
            e->branch->condition = rewrite_value(r, e->branch->condition);
        if (e->kind == FORM_LOOP)
            e->inner = rewrite_value(r, e->inner);
        for (int i = 0; e->blocks && i < 2; i++)
            *LIB_VEC_PUSH(&blocks) = &e->blocks[i];
    }
    if (r->is_changed) {
        replace_ids(r, &r->form->results);
        for (size_t i = blocks.count; i-- > 0;)
            renew_block(r, blocks.items[i]);
        renew_block(r, &r->form->top);
    }
    LIB_VEC_FREE(&blocks);
    lib_arena_free(r->arena);
}

/* --- scopes ------------------------------------------------------------------------------- */

struct scopes scopes_start(const struct form *form, struct lib_arena *arena)
{
    struct scopes s = {.form = form,
                       .is_open = LIB_ARENA_ARRAY(
                           arena, bool, 1 + 2 * (form->branch_count + form->entry_count)),
                       .arena = arena};
    *LIB_ARENA_PUSH(arena, &s.stack) = 0;
    s.is_open[0] = true;
    return s;
}

static uint32_t scope_of(const struct form *form, const struct form_entry *of,
                         uint32_t side)
{
    return !of                       ? 0
           : of->kind == FORM_BRANCH ? 1 + 2 * of->branch->id + side
                                     : 1 + 2 * (form->branch_count + of->id) + side;
}

uint32_t scopes_at(struct scopes *s, const struct form_walk *walk)
{
    const struct form_entry *of = walk->at.of;
    const uint32_t scope = scope_of(s->form, of, walk->at.side);
    /* The body of a loop sees the values of its header; the other side of a conditional does not
     * see those of the first. */
    const uint32_t other = of && of->kind == FORM_BRANCH && walk->at.side == 1
                               ? scope_of(s->form, of, 0)
                               : UINT32_MAX;
    while (s->stack.items[s->stack.count - 1] != scope &&
           (s->is_open[scope] || s->stack.items[s->stack.count - 1] == other))
        s->is_open[s->stack.items[--s->stack.count]] = false;
    if (!s->is_open[scope]) {
        *LIB_ARENA_PUSH(s->arena, &s->stack) = scope;
        s->is_open[scope] = true;
    }
    return scope;
}

/* --- what entries do ---------------------------------------------------------------------- */

/* Whether the second operand of an instruction, a literal, keeps it from trapping. */
static bool is_saved_by(enum isa_op op, int64_t second)
{
    switch (op) {
    case ISA_OP_DIV_I:
        return second != 0 && second != -1;
    case ISA_OP_REM_I:
    case ISA_OP_DIV_U:
    case ISA_OP_REM_U:
        return second != 0;
    case ISA_OP_SHIFT_LEFT:
    case ISA_OP_SHIFT_RIGHT:
    case ISA_OP_SHIFT_SIGNED:
    case ISA_OP_ROTATE_LEFT:
        return second >= 0 && second <= 63;
    default:
        return false;
    }
}

/* Whether a pure instruction traps for some operands. */
static bool may_trap(enum isa_op op)
{
    switch (op) {
    case ISA_OP_ADD_I:
    case ISA_OP_SUB_I:
    case ISA_OP_MUL_I:
    case ISA_OP_DIV_I:
    case ISA_OP_REM_I:
    case ISA_OP_POW_I:
    case ISA_OP_NEG_I:
    case ISA_OP_ABS_I:
    case ISA_OP_EXTENT:
    case ISA_OP_SHIFT_LEFT:
    case ISA_OP_SHIFT_RIGHT:
    case ISA_OP_SHIFT_SIGNED:
    case ISA_OP_ROTATE_LEFT:
    case ISA_OP_DIV_U:
    case ISA_OP_REM_U:
    case ISA_OP_INT_R:
        return true;
    default:
        return false;
    }
}

bool rewrite_stays(const struct form_entry *e)
{
    return e->kind == FORM_COMPUTE &&
           (e->op == ISA_OP_SCALAR || e->op == ISA_OP_SCALAR_F);
}

bool rewrite_is_total(const struct form *form, const struct form_entry *e)
{
    isa_value second;
    if (e->kind != FORM_COMPUTE)
        return false;
    switch (e->op) {
    case ISA_OP_CONST:
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_I:
    case ISA_OP_SCALAR_B:
    case ISA_OP_SCALAR_F:
    case ISA_OP_NUMBER:
    case ISA_OP_CONSTRUCTOR:
        return true;
    default:
        return isa_op_table[e->op].effect == ISA_EFFECT_PURE &&
               (!may_trap(e->op) ||
                (e->operands.count == 2 &&
                 rewrite_is_literal(form, e->operands.items[1], &second) &&
                 is_saved_by(e->op, isa_value_int(second))));
    }
}

bool rewrite_is_repeatable(const struct form_entry *e)
{
    if (e->kind == FORM_COMPUTE)
        return !isa_op_accumulates(e->op); /* contributions are made to each array */
    return e->kind == FORM_FETCH || e->kind == FORM_READ;
}

bool rewrite_compute(enum isa_op op, isa_value first, isa_value second, isa_value *result)
{
    const struct {
        const struct isa_eval_functions *functions;
    } own = {&isa_eval_own}, *const x = &own;
    isa_value value = 0;
    const int64_t ia = isa_value_int(first), ib = isa_value_int(second);
    const double ra = isa_value_real(first), rb = isa_value_real(second);
    const bool ba = first != 0, bb = second != 0;
    switch (op) {
    /* A machine may compute these with functions of its own (tensor.math). */
    case ISA_OP_EXP_R:
    case ISA_OP_LOG_R:
    case ISA_OP_SIN_R:
    case ISA_OP_COS_R:
    case ISA_OP_TANH_R:
    case ISA_OP_ATAN_R:
    case ISA_OP_ERF_R:
    case ISA_OP_POW_R:
    case ISA_OP_ATAN2_R:
    case ISA_OP_HYPOT_R:
        return false;
    default:
        break;
    }
    switch (op) {
#define TRAP(kind) return false
#include "isa/exec/eval.def"
#undef TRAP
    default:
        return false;
    }
    *result = value;
    return true;
}

/* --- reports -------------------------------------------------------------------------------- */

void rewrite_tell(const struct form *form, struct lib_pos pos, const char *pass,
                  const char *format, ...)
{
    struct lib_text *report = form->program->report;
    if (!report)
        return;
    va_list arguments;
    LIB_TEXT_OWN text = {0};
    va_start(arguments, format);
    lib_text_vprintf(&text, format, arguments);
    va_end(arguments);
    lib_text_printf(report, "%u:%u: %s: %s\n", pos.line, pos.column, pass,
                    lib_text_get(&text));
}

const char *rewrite_op_label(const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_FETCH:
        return "fetch";
    case FORM_READ:
        return "read";
    default:
        return isa_op_table[e->op].text;
    }
}
