#include "programs/training.h"

#include "programs/graph/build.h"
#include "programs/syntax/parse.h"
#include "programs/training_internal.h"

#include <string.h>

static const struct programs_function *find_function(const struct programs_ast *ast,
                                                     const char *name)
{
    for (size_t i = 0; i < ast->function_count; i++)
        if (strcmp(ast->functions[i]->name, name) == 0)
            return ast->functions[i];
    return NULL;
}

static struct programs_equation *find_constant(const struct programs_ast *ast,
                                               const char *name)
{
    for (size_t i = 0; i < ast->constant_count; i++)
        for (size_t k = 0; k < ast->constants[i]->name_count; k++)
            if (strcmp(ast->constants[i]->names[k]->name, name) == 0)
                return ast->constants[i];
    return NULL;
}

/* Returns the position of a constant or input; line 0: not defined. */
static struct lib_pos find_value(const struct programs_ast *ast, const char *name)
{
    const struct programs_equation *constant = find_constant(ast, name);
    for (size_t k = 0; constant && k < constant->name_count; k++)
        if (strcmp(constant->names[k]->name, name) == 0)
            return constant->names[k]->pos;
    for (size_t i = 0; i < ast->input_count; i++)
        if (strcmp(ast->inputs[i]->binding->name, name) == 0)
            return ast->inputs[i]->binding->pos;
    return (struct lib_pos){0};
}

/* Checks the parameters of a function. Returns true if a second one is the number of the
 * training step, which needs `may_take_step`. */
static bool check_function(const struct programs_ast *ast,
                           const struct programs_function *f, const char *what,
                           bool may_take_step, struct lib_diags *diags)
{
    if (!f)
        return false;
    const bool takes_step = may_take_step && f->param_count == 2;
    if (f->param_count != 1 && !takes_step)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, ast->source, f->pos,
            "training calls `%s` with one argument, %s%s; it has %zu parameters", f->name,
            what, may_take_step ? ", or also with the number of the step" : "",
            f->param_count);
    return takes_step;
}

bool programs_training_find(struct programs_training *training, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    const struct programs_ast *ast = programs_parse(arena, source, diags);
    const struct lib_pos top = {0};
    *training = (struct programs_training){0};
    if (!ast || diags->errors > errors)
        return false;
    static const char number[] = "the number of an example";
    const struct programs_function *loss = find_function(ast, "loss"),
                                   *losses = find_function(ast, "losses"),
                                   *right = find_function(ast, "correct");
    training->loss_takes_step = check_function(ast, loss, number, true, diags);
    training->losses_take_step = check_function(
        ast, losses, "an array of numbers of examples", true, diags);
    check_function(ast, right, number, false, diags);
    if (!loss && !losses)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, source, top,
            "training needs a function `loss(i)`: the loss of example i, a real; or "
            "`losses(is)`: the sum of the losses of the examples of an array");
    training->examples_pos = find_value(ast, "examples");
    if (!training->examples_pos.line)
        lib_diag_error(diags, LIB_DIAG_MEANING, source, top,
                       "training needs `examples`: how many examples there are, an int");
    training->params = LIB_ARENA_ARRAY(arena, const char *, ast->param_count);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->port)
            lib_diag_error(
                diags, LIB_DIAG_MEANING, source, ast->constants[i]->names[0]->pos,
                "a program with ports cannot be trained: nobody would feed them");
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->param)
            training->params[training->param_count++] = ast->constants[i]->names[0]->name;
    if (training->param_count == 0)
        lib_diag_error(diags, LIB_DIAG_MEANING, source, top,
                       "training needs a param: `param w : [2, 3] = normal(0.1)`");
    training->has_loss = loss != NULL;
    training->has_losses = losses != NULL;
    training->has_correct = right != NULL;
    training->loss_pos = loss ? loss->pos : top;
    training->losses_pos = losses ? losses->pos : top;
    training->correct_pos = right ? right->pos : top;
    return diags->errors == errors;
}

const char *programs_training_tensor(struct lib_arena *arena, size_t param)
{
    return lib_arena_printf(arena, PROGRAMS_PARAM_TENSOR, param + 1);
}

/* --- another result ---------------------------------------------------------------------- */

/* Sets the positions for errors in the result of training: the function that an expression
 * calls, such as `loss`, its parameter, or `examples`. */
static void point(const struct programs_ast *ast, struct programs_expr *e,
                  struct lib_pos pos)
{
    const bool is_grad = e->kind == PROGRAMS_EXPR_CALL &&
                         strcmp(e->call->text, "grad") == 0;
    const struct programs_function *f = NULL;
    if (e->kind == PROGRAMS_EXPR_CALL)
        f = find_function(ast, is_grad ? e->operands[0]->name.text : e->call->text);
    const bool is_examples = e->kind == PROGRAMS_EXPR_NAME &&
                             strcmp(e->name.text, "examples") == 0;
    e->start = f ? f->pos : is_examples ? find_value(ast, "examples") : pos;
    for (size_t i = 0; i < e->operand_count; i++) {
        const size_t param = i - is_grad; /* name of the function: beyond all */
        if (is_grad && e->call->own && i >= e->call->own)
            e->operands[i]->start = e->start; /* a param, which `loss` fails to reach */
        else
            point(ast, e->operands[i],
                  f && param < f->param_count ? f->params[param]->pos : e->start);
    }
}

/* Moves an expression to a position in the program, so that errors point there. */
static void move(struct programs_expr *e, struct lib_pos pos)
{
    e->pos = e->start = pos;
    if (e->kind == PROGRAMS_EXPR_COMPREHENSION && e->index)
        e->index->pos = pos;
    if (e->kind == PROGRAMS_EXPR_COMPREHENSION && e->element)
        e->element->pos = pos;
    if (e->kind == PROGRAMS_EXPR_PARAM)
        e->param->pos = pos;
    for (size_t i = 0; i < e->operand_count; i++)
        move(e->operands[i], pos);
}

/* Marks the gradients in the result whose params may get rows. */
static void ask_for_rows(struct programs_expr *result)
{
    for (size_t i = 0; i < result->operand_count; i++) {
        struct programs_expr *part = result->operands[i];
        if (part->kind == PROGRAMS_EXPR_CALL && strcmp(part->call->text, "grad") == 0)
            part->call->gives_rows = true;
    }
}

static void add_input(struct programs_ast *ast, struct programs_input *input,
                      struct lib_pos pos)
{
    struct programs_input **inputs = LIB_ARENA_ARRAY(ast->arena, struct programs_input *,
                                                     ast->input_count + 1);
    if (ast->input_count)
        memcpy(inputs, ast->inputs, ast->input_count * sizeof *inputs);
    inputs[ast->input_count] = input;
    ast->inputs = inputs;
    input->index = input->binding->index = (uint32_t)ast->input_count++;
    input->binding->pos = pos;
    move(input->literal, pos);
}

/* Inserts the constants of a text before constant `at`, whose position they get. */
static void add_constants(struct programs_ast *ast, size_t at,
                          struct programs_equation *const *added, size_t count)
{
    struct programs_equation **all = LIB_ARENA_ARRAY(
        ast->arena, struct programs_equation *, ast->constant_count + count);
    memcpy(all, ast->constants, at * sizeof *all);
    memcpy(all + at + count, ast->constants + at,
           (ast->constant_count - at) * sizeof *all);
    const struct lib_pos pos = ast->constants[at]->names[0]->pos;
    for (size_t i = 0; i < count; i++) {
        struct programs_equation *q = all[at + i] = added[i];
        q->names[0]->pos = pos;
        move(q->value, pos);
        if (q->param)
            q->param->number = (uint32_t)++ast->param_count;
    }
    ast->constants = all;
    ast->constant_count += count;
    for (size_t i = at; i < ast->constant_count; i++)
        all[i]->index = (uint32_t)i;
}

bool programs_training_graft(struct programs_ast *ast, const char *text, bool gives_rows,
                             struct lib_diags *diags)
{
    struct programs_equation *own = find_constant(ast, "result");
    if (!own || own->is_tuple || own->param) {
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, (struct lib_pos){0},
                       "the program has no `result`");
        return false;
    }
    struct lib_source *source = LIB_ARENA_NEW(ast->arena, struct lib_source);
    text = lib_arena_copy(ast->arena, text, strlen(text));
    *source = (struct lib_source){
        .name = "result", .bytes = text, .length = strlen(text)};
    const struct programs_ast *other = programs_parse(ast->arena, source, diags);
    if (!other)
        return false;
    const struct lib_pos pos = own->names[0]->pos;
    for (size_t i = 0; i < other->input_count; i++)
        add_input(ast, other->inputs[i], pos);
    const size_t before = other->constant_count - 1; /* the last is `result` */
    own->value = other->constants[before]->value;
    move(own->value, pos);
    point(ast, own->value, pos);
    if (gives_rows)
        ask_for_rows(own->value);
    add_constants(ast, own->index, other->constants, before);
    return true;
}
