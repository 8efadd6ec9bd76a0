#include "programs/optimise/loops.h"
#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

static const char pass[] = "copies";

/* Uses `value` in place of the only result of an entry. */
static void pass_on(struct rewrite *r, const struct form_entry *e, uint32_t value,
                    const char *what)
{
    rewrite_replace(r, e->results.items[0], value);
    rewrite_remove(r, e);
    rewrite_tell(r->form, e->pos, pass, "%s", what);
}

/* --- instructions --------------------------------------------------------------------------- */

/* Instructions that give their other operand if one is `literal`: the second, or with BOTH either.
 * A real is what it was before, also 0.0, -0.0 and NaN. */
enum { SECOND, BOTH };
static const struct neutral {
    enum isa_op op;
    int place;
    enum isa_type type;
    union {
        int64_t whole;
        double real;
    };
} neutrals[] = {
#define INT(OP, place, number)                                                           \
    {                                                                                    \
        ISA_OP_##OP, place, ISA_INT,                                                     \
        {                                                                                \
            .whole = (number)                                                            \
        }                                                                                \
    }
#define REAL(OP, place, number)                                                          \
    {                                                                                    \
        ISA_OP_##OP, place, ISA_REAL,                                                    \
        {                                                                                \
            .real = (number)                                                             \
        }                                                                                \
    }
#define BOOL(OP, place, number)                                                          \
    {                                                                                    \
        ISA_OP_##OP, place, ISA_BOOL,                                                    \
        {                                                                                \
            .whole = (number)                                                            \
        }                                                                                \
    }
    INT(ADD_I, BOTH, 0),          INT(SUB_I, SECOND, 0),
    INT(MUL_I, BOTH, 1),          INT(DIV_I, SECOND, 1),
    INT(POW_I, SECOND, 1),        INT(MIN_I, BOTH, INT64_MAX),
    INT(MAX_I, BOTH, INT64_MIN),  INT(AND_I, BOTH, -1),
    INT(OR_I, BOTH, 0),           INT(XOR_I, BOTH, 0),
    INT(SHIFT_LEFT, SECOND, 0),   INT(SHIFT_RIGHT, SECOND, 0),
    INT(SHIFT_SIGNED, SECOND, 0), INT(ROTATE_LEFT, SECOND, 0),
    INT(ADD_W, BOTH, 0),          INT(SUB_W, SECOND, 0),
    INT(MUL_W, BOTH, 1),          INT(DIV_U, SECOND, 1),
    REAL(ADD_R, BOTH, -0.0),      REAL(SUB_R, SECOND, 0.0),
    REAL(MUL_R, BOTH, 1.0),       REAL(DIV_R, SECOND, 1.0),
    BOOL(EQ_B, BOTH, true),       BOOL(NE_B, BOTH, false),
#undef BOOL
#undef REAL
#undef INT
};

static bool is_neutral(const struct rewrite *r, const struct neutral *n, uint32_t value)
{
    isa_value literal;
    return rewrite_is_literal(r->form, value, &literal) &&
           literal == (n->type == ISA_REAL ? isa_value_of_real(n->real)
                                           : isa_value_of_int(n->whole));
}

/* Instructions of two equal operands that give them. */
static bool is_idempotent(enum isa_op op)
{
    return op == ISA_OP_MIN_I || op == ISA_OP_MAX_I || op == ISA_OP_AND_I ||
           op == ISA_OP_OR_I || op == ISA_OP_MIN_R || op == ISA_OP_MAX_R;
}

/* Instructions that undo themselves. */
static bool is_involution(enum isa_op op)
{
    return op == ISA_OP_NOT_B || op == ISA_OP_NOT_I || op == ISA_OP_NEG_R;
}

static void copy_compute(struct rewrite *r, const struct form_entry *e)
{
    const uint32_t first = rewrite_value(r, e->operands.items[0]);
    const struct form_entry *maker = rewrite_maker(r, first);
    if (e->operands.count == 1) {
        if (is_involution(e->op) && maker && maker->kind == FORM_COMPUTE &&
            maker->op == e->op)
            pass_on(r, e, maker->operands.items[0], "what is undone is not done");
        return;
    }
    const uint32_t second = rewrite_value(r, e->operands.items[1]);
    for (size_t i = 0; i < sizeof neutrals / sizeof *neutrals; i++) {
        const struct neutral *n = &neutrals[i];
        if (e->op != n->op)
            continue;
        if (is_neutral(r, n, second))
            pass_on(r, e, first, "an operand is passed on");
        else if (n->place == BOTH && is_neutral(r, n, first))
            pass_on(r, e, second, "an operand is passed on");
        return;
    }
    if (first == second && is_idempotent(e->op))
        pass_on(r, e, first, "an operand is passed on");
}

/* A field of data that is made in sight is what it was filled with. */
static void copy_field(struct rewrite *r, const struct form_entry *e)
{
    const struct isa_graph *graph = r->form->program->graph;
    const struct form_entry *data = rewrite_maker(r,
                                                  rewrite_value(r, e->operands.items[0]));
    if (!data || data->kind != FORM_CONSTRUCT)
        return;
    const struct isa_constructor *c = &graph->constructors[data->index];
    if (e->index >= c->first && e->index < c->first + c->field_count)
        pass_on(r, e, data->operands.items[e->index - c->first],
                "a field is what it is filled with");
}

/* --- conditionals ---------------------------------------------------------------------------- */

/* Whether an arm is the literal `value`. */
static bool is_bool(struct rewrite *r, uint32_t arm, bool value)
{
    isa_value literal;
    return rewrite_is_literal(r->form, rewrite_value(r, arm), &literal) &&
           (literal != 0) == value;
}

/* Results of a conditional that are its condition, or the same as another result, are not results
 * of it. */
static void copy_branch(struct rewrite *r, struct form_entry *e)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < e->results.count; k++) {
        const uint32_t result = e->results.items[k];
        const uint32_t yes = rewrite_value(r, e->operands.items[2 * k]),
                       no = rewrite_value(r, e->operands.items[2 * k + 1]);
        uint32_t same = 0;
        while (same < left && (e->operands.items[2 * same] != yes ||
                               e->operands.items[2 * same + 1] != no))
            same++;
        if (same < left) {
            rewrite_replace(r, result, e->results.items[same]);
            rewrite_tell(r->form, e->pos, pass, "two results are one");
        } else if (form_type(r->form, result) == ISA_BOOL && is_bool(r, yes, true) &&
                   is_bool(r, no, false)) {
            rewrite_replace(r, result, e->branch->condition);
            rewrite_tell(r->form, e->pos, pass, "the result is the condition");
        } else {
            e->operands.items[2 * left] = yes;
            e->operands.items[2 * left + 1] = no;
            e->results.items[left++] = result;
        }
    }
    e->results.count = left;
    e->operands.count = 2 * left;
}

/* --- loops ----------------------------------------------------------------------------------- */

/* Finds the variables that each iteration passes on unchanged and that are not used after the loop:
 * in the loop they are the values that they begin with. */
static void copy_variables(struct rewrite *r, const struct loops *loops)
{
    for (uint32_t i = 0; i < loops->count; i++) {
        const struct loops_one *one = &loops->items[i];
        struct form_entry *e = one->entry;
        uint32_t remaining = e->results.count;
        for (uint32_t v = 0; v < e->results.count && remaining > 1; v++) {
            const uint32_t next = rewrite_value(r, one->next[v]->operands.items[0]);
            if (next != e->results.items[v] || one->is_taken[v])
                continue;
            rewrite_replace(r, e->results.items[v], e->operands.items[v]);
            loops_drop(loops, i, v);
            remaining--;
            rewrite_tell(r->form, e->pos, pass, "variable %s never changes",
                         e->names[v].text ? e->names[v].text : "of the loop");
        }
    }
}

struct form *optimise_copies(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct rewrite r = rewrite_start(form);
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        if (walk.step == FORM_STEP_END && e->kind == FORM_BRANCH)
            copy_branch(&r, e);
        if (walk.step != FORM_STEP_ENTRY || e->kind != FORM_COMPUTE)
            continue;
        if (e->op == ISA_OP_FIELD)
            copy_field(&r, e);
        else if (e->operands.count <= 2)
            copy_compute(&r, e);
    }
    struct loops loops = loops_find(form, r.arena);
    copy_variables(&r, &loops);
    loops_end(&loops, &r);
    rewrite_end(&r);
    return form;
}
