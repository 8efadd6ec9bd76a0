/* Inference of a program, in order; then a comparison with inference where uses share no types. */
#include "programs/types/default_types.h"
#include "programs/types/infer.h"
#include "programs/types/infer_internal.h"
#include "programs/types/instance.h"
#include "programs/types/one_type.h"
#include "programs/types/unneeded.h"

static void open_types(struct infer *in)
{
    struct programs_walk walk = {0};
    struct programs_item item;
    while (programs_ast_next(in->ast, &walk, &item)) {
        if (item.input) {
            infer_expr(in, item.input->literal);
            if (item.input->literal->kind == PROGRAMS_EXPR_INT &&
                !item.input->literal->is_bits)
                in->literals.items[in->literals.count - 1].is_needed =
                    item.input->binding->used;
            item.input->binding->type = item.input->literal->type;
        } else if (item.constant) {
            infer_open_names(in, item.constant);
        } else {
            struct programs_function *f = item.function;
            const size_t count = f->param_count;
            f->is_polymorphic = false;
            f->result_type = f->instance ? f->instance[count]
                                         : infer_open_type(in, PROGRAMS_CLASS_ANY);
            for (size_t i = 0; i < count; i++)
                f->params[i]->type = f->instance
                                         ? f->instance[i]
                                         : infer_open_type(in, PROGRAMS_CLASS_ANY);
        }
    }
}

static void infer_item(struct infer *in, const struct programs_item *item)
{
    const struct programs_function *f = in->within = item->function;
    if (item->constant) {
        infer_equation(in, item->constant);
        return;
    }
    infer_expr(in, f->body);
    infer_expect(in, f->body, f->result_type, PLACE_RESULT, "result of `%s`: ", f->name);
    if (!in->is_alone)
        programs_one_type_keep(in, f);
}

/* Marks the types of constants and inputs: all uses of a function share them. */
static void share_constants(const struct programs_ast *ast)
{
    for (size_t i = 0; i < ast->input_count; i++)
        programs_type_share(ast->inputs[i]->binding->type);
    for (size_t i = 0; i < ast->constant_count; i++)
        for (size_t k = 0; k < ast->constants[i]->name_count; k++)
            programs_type_share(ast->constants[i]->names[k]->type);
}

static bool is_needed(const struct programs_item *item)
{
    return item->function ? item->function->used : item->constant->used;
}

/* Infers the code that outputs need. */
static void infer_needed(struct infer *in)
{
    in->needed_first = true;
    open_types(in);
    for (size_t i = 0; i < in->ast->order_count; i++)
        if (is_needed(&in->ast->order[i]))
            infer_item(in, &in->ast->order[i]);
    in->needed_first = false;
}

static void blame(struct infer *in, const struct programs_expr *e)
{
    programs_unneeded_blame(in->unneeded, &in->literals, e, in->item);
}

/* Infers what infer_needed has left, and finds what makes reals of the literals in `unneeded`. */
static void infer_unneeded(struct infer *in, struct programs_unneeded *unneeded)
{
    in->unneeded = unneeded;
    for (size_t i = 0; i < in->put_off.count; i++) {
        const struct programs_equation *q = in->put_off.items[i].equation;
        in->within = in->put_off.items[i].within;
        in->item = q->names[0]->name;
        infer_equation(in, q);
        blame(in, q->value);
    }
    for (size_t i = 0; i < in->ast->order_count; i++) {
        const struct programs_item *item = &in->ast->order[i];
        if (is_needed(item))
            continue;
        in->item = item->function ? item->function->name : item->constant->names[0]->name;
        infer_item(in, item);
        blame(in, item->function ? item->function->body : item->constant->value);
    }
    in->unneeded = NULL;
}

/* Completes types after all items are inferred. */
static void end_items(struct infer *in, size_t errors)
{
    infer_tensors_settle(in);
    infer_settle_doubts(in);
    if (in->diags->errors == errors && !in->is_alone)
        programs_default_types(in->ast, in->diags);
    if (in->diags->errors == errors && !in->is_alone)
        infer_ports_settle(in);
}

/* Whether the next item is in another group of items that name each other. */
static bool ends_component(const struct programs_ast *ast, size_t i)
{
    const struct programs_function *f = ast->order[i].function;
    const struct programs_function *next = i + 1 < ast->order_count
                                               ? ast->order[i + 1].function
                                               : NULL;
    return !f || !next || f->component != next->component;
}

/* Infers all items. If each use of a function has its own types, open types stay open. */
static void infer_items(struct infer *in)
{
    const size_t errors = in->diags->errors;
    open_types(in);
    const bool has_data = in->ast->datatype_count > 0;
    if (in->is_alone || has_data)
        share_constants(in->ast);
    size_t first = 0; /* of the functions that call each other */
    for (size_t i = 0; i < in->ast->order_count; i++) {
        const struct programs_function *f = in->ast->order[i].function;
        infer_item(in, &in->ast->order[i]);
        if (has_data && !in->is_alone && ends_component(in->ast, i)) {
            infer_generalise(in, first, i + 1);
            first = i + 1;
        }
        if (!in->is_alone)
            continue;
        infer_tensors_settle(in);
        if (f)
            programs_function_generalise(f);
    }
    end_items(in, errors);
}

static struct infer begin_inference(struct programs_ast *ast, struct lib_diags *diags,
                                    bool is_alone)
{
    struct infer in = {
        .ast = ast,
        .diags = diags,
        .arena = ast->arena,
        .of_int = programs_type_new(ast->arena, PROGRAMS_TYPE_INT),
        .of_real = programs_type_new(ast->arena, PROGRAMS_TYPE_REAL),
        .of_bool = programs_type_new(ast->arena, PROGRAMS_TYPE_BOOL),
        .of_error = programs_type_new(ast->arena, PROGRAMS_TYPE_ERROR),
        .of_real32 = programs_type_new(ast->arena, PROGRAMS_TYPE_REAL32),
        .is_alone = is_alone,
        .demands = LIB_ARENA_ARRAY(ast->arena, struct programs_type **,
                                   ast->function_count),
    };
    for (int rank = 0; rank <= PROGRAMS_TENSOR_RANK_MAX; rank++)
        in.of_rank[rank] = programs_type_new(
            ast->arena, (enum programs_type_kind)(PROGRAMS_TYPE_RANK0 + rank));
    return in;
}

static void end_inference(struct infer *in)
{
    LIB_VEC_FREE(&in->equalities, &in->blamed, &in->doubts, &in->waiting, &in->uses,
                 &in->literals, &in->put_off);
}

/* --- ints that become reals ------------------------------------------------------------ */

static bool has_converted_literal(const struct infer *in)
{
    for (size_t i = 0; i < in->literals.count; i++)
        if (infer_is_kind(in->literals.items[i].type, PROGRAMS_TYPE_REAL))
            return true;
    return false;
}

/* Infers again without shared types, and compares; then once more, to restore the tree. */
static void warn_of_converted(struct infer *together)
{
    struct lib_diags muted = {0};
    struct infer alone = begin_inference(together->ast, &muted, true);
    for (size_t i = 0; i < together->uses.count; i++) {
        struct programs_use *use = &together->uses.items[i];
        const size_t count = use->expr->operand_count;
        use->together = LIB_ARENA_ARRAY(alone.arena, struct programs_type *, count);
        for (size_t k = 0; k < count; k++)
            use->together[k] = use->expr->operands[k]->type;
    }
    infer_items(&alone);
    if (muted.errors == 0)
        programs_converted_warn(together->ast, &together->uses, together->diags);
    lib_diags_free(&muted);
    end_inference(&alone);
    struct infer again = begin_inference(together->ast, &muted, false);
    infer_items(&again);
    lib_diags_free(&muted);
    end_inference(&again);
}

/* Whether the program has code that no output needs. */
static bool has_unneeded(const struct infer *in)
{
    bool has = in->has_unneeded;
    for (size_t i = 0; i < in->ast->order_count && !has; i++)
        has = !is_needed(&in->ast->order[i]);
    return has;
}

/* Infers the needed code, and compares; then all, to find causes and to restore the tree. */
static void warn_of_unneeded(struct infer *together)
{
    struct lib_diags muted = {0};
    struct programs_unneeded unneeded = {0};
    struct infer needed = begin_inference(together->ast, &muted, false);
    infer_needed(&needed);
    infer_tensors_settle(&needed);
    if (muted.errors == 0)
        programs_unneeded_find(&unneeded, &together->literals, &needed.literals);
    end_inference(&needed);
    lib_diags_free(&muted);
    struct infer again = begin_inference(together->ast, &muted, false);
    infer_needed(&again);
    infer_unneeded(&again, &unneeded);
    end_items(&again, muted.errors);
    programs_unneeded_warn(&unneeded, &again.literals, &together->uses,
                           together->ast->source, together->diags);
    lib_diags_free(&muted);
    end_inference(&again);
}

bool programs_infer(struct programs_ast *ast, struct lib_diags *diags)
{
    const size_t errors = diags->errors, from = diags->count;
    struct infer in = begin_inference(ast, diags, false);
    infer_items(&in);
    while (ast->datatype_count && diags->errors == errors && infer_specialise(&in)) {
        end_inference(&in);
        in = begin_inference(ast, diags, false);
        infer_items(&in);
    }
    if (diags->errors == errors && has_converted_literal(&in)) {
        if (in.uses.count > 1)
            warn_of_converted(&in);
        if (has_unneeded(&in))
            warn_of_unneeded(&in);
    }
    programs_sort_diags(diags, from);
    end_inference(&in);
    return diags->errors == errors;
}
