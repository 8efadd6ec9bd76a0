#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

static const char pass[] = "fold";

/* Uses a literal in place of the only result of an entry. */
static void set_literal(struct rewrite *r, const struct form_entry *e, isa_value value)
{
    const uint32_t result = e->results.items[0];
    const enum isa_type type = form_type(r->form, result);
    LIB_TEXT_OWN text = {0};
    isa_value_write(&text, type, value);
    rewrite_replace(r, result, form_literal(r->form, type, value));
    rewrite_remove(r, e);
    rewrite_tell(r->form, e->pos, pass, "%s is %s", rewrite_op_label(e),
                 lib_text_get(&text));
}

static void fold_compute(struct rewrite *r, const struct form_entry *e)
{
    isa_value in[2] = {0}, value;
    if (e->operands.count > 2)
        return;
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (!rewrite_is_literal(r->form, rewrite_value(r, e->operands.items[i]), &in[i]))
            return;
    if (rewrite_compute(e->op, in[0], in[1], &value))
        set_literal(r, e, value);
}

/* The length of an array that is written out, which is known before its elements. */
static void fold_length(struct rewrite *r, const struct form_entry *e)
{
    const struct form_entry *array = rewrite_maker(
        r, rewrite_value(r, e->operands.items[0]));
    if (array && array->kind == FORM_ARRAY)
        set_literal(r, e, isa_value_of_int(array->index));
}

/* The constructor of data that is made in sight. */
static void fold_constructor(struct rewrite *r, const struct form_entry *e)
{
    const struct isa_graph *graph = r->form->program->graph;
    const uint32_t data = rewrite_value(r, e->operands.items[0]);
    const struct form_entry *maker = rewrite_maker(r, data);
    isa_value literal;
    if (rewrite_is_literal(r->form, data, &literal))
        set_literal(r, e, isa_value_of_int(graph->constructors[literal].number));
    else if (maker && maker->kind == FORM_CONSTRUCT)
        set_literal(r, e, isa_value_of_int(graph->constructors[maker->index].number));
}

/* A constant whose form was folded to a literal before is that literal wherever it is read. */
static void fold_read(struct rewrite *r, const struct form_entry *e)
{
    const struct form_program *program = r->form->program;
    if (e->index < program->known.count && program->known.items[e->index].is_literal)
        set_literal(r, e, program->known.items[e->index].value);
}

static void know_written(struct rewrite *r, const struct form_entry *e)
{
    struct form_program *program = r->form->program;
    isa_value value;
    if (e->op != ISA_OP_WRITE ||
        !rewrite_is_literal(r->form, rewrite_value(r, e->operands.items[0]), &value))
        return;
    while (program->known.count <= e->index)
        *LIB_ARENA_PUSH(program->arena, &program->known) = (struct form_known){0};
    program->known.items[e->index] = (struct form_known){true, value};
}

static void fold_entry(struct rewrite *r, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_COMPUTE:
        if (e->op == ISA_OP_LENGTH)
            fold_length(r, e);
        else if (e->op == ISA_OP_CONSTRUCTOR)
            fold_constructor(r, e);
        else
            fold_compute(r, e);
        return;
    case FORM_READ:
        fold_read(r, e);
        return;
    case FORM_WRITE:
        know_written(r, e);
        return;
    default:
        return;
    }
}

/* Ends a conditional: if its condition is a literal, the block that is taken replaces it. */
static void fold_branch(struct rewrite *r, const struct form_entry *e)
{
    isa_value condition;
    if (!rewrite_is_literal(r->form, rewrite_value(r, e->branch->condition), &condition))
        return;
    const uint32_t side = condition == 0;
    for (uint32_t k = 0; k < e->results.count; k++)
        rewrite_replace(r, e->results.items[k], e->operands.items[2 * k + side]);
    rewrite_open(r, e, side);
    rewrite_tell(r->form, e->pos, pass, "the condition is %s", side ? "false" : "true");
}

struct form *optimise_fold(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct rewrite r = rewrite_start(form);
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_step(&walk)) {
        if (walk.step == FORM_STEP_ENTRY)
            fold_entry(&r, walk.entry);
        else if (walk.step == FORM_STEP_END && walk.entry->kind == FORM_BRANCH)
            fold_branch(&r, walk.entry);
    }
    rewrite_end(&r);
    return form;
}
