#include "programs/training.h"

#include "programs/graph/build_options.h"
#include "programs/syntax/parse.h"
#include "programs/training_inside.h"

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

static bool has_input(const struct programs_ast *ast, const char *name)
{
    for (size_t i = 0; i < ast->input_count; i++)
        if (strcmp(ast->inputs[i]->binding->name, name) == 0)
            return true;
    return false;
}

/* A function of the number of an example. */
static void check_function(const struct programs_ast *ast,
                           const struct programs_function *f, struct lib_diags *diags)
{
    if (f && f->param_count != 1)
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, f->pos,
                       "training calls `%s` with one argument, the number of an example; "
                       "it has %zu parameters",
                       f->name, f->param_count);
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
    const struct programs_function *loss = find_function(ast, "loss"),
                                   *right = find_function(ast, "correct");
    check_function(ast, loss, diags);
    check_function(ast, right, diags);
    if (!loss)
        lib_diag_error(diags, LIB_DIAG_MEANING, source, top,
                       "training needs a function `loss(i)`: the loss of example i, a "
                       "real");
    if (!find_constant(ast, "examples") && !has_input(ast, "examples"))
        lib_diag_error(diags, LIB_DIAG_MEANING, source, top,
                       "training needs `examples`: how many examples there are, an int");
    training->params = LIB_ARENA_ARRAY(arena, const char *, ast->param_count);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->param)
            training->params[training->param_count++] = ast->constants[i]->names[0]->name;
    if (training->param_count == 0)
        lib_diag_error(diags, LIB_DIAG_MEANING, source, top,
                       "training needs a param: `param w : [2, 3] = normal(0.1)`");
    training->has_correct = right != NULL;
    return diags->errors == errors;
}

const char *programs_training_tensor(struct lib_arena *arena, size_t param)
{
    return lib_arena_printf(arena, PROGRAMS_PARAM_TENSOR, param + 1);
}

/* --- another result ---------------------------------------------------------------------- */

/* Whoever finds a mistake there points to the result that the program has. */
static void move(struct programs_expr *e, struct lib_pos pos)
{
    e->pos = e->start = pos;
    for (size_t i = 0; i < e->operand_count; i++)
        move(e->operands[i], pos);
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

bool programs_training_graft(struct programs_ast *ast, const char *result,
                             struct lib_diags *diags)
{
    struct programs_equation *own = find_constant(ast, "result");
    if (!own || own->is_tuple || own->param) {
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, (struct lib_pos){0},
                       "the program has no `result`");
        return false;
    }
    struct lib_source *source = LIB_ARENA_NEW(ast->arena, struct lib_source);
    const char *text = lib_arena_printf(
        ast->arena, "input " PROGRAMS_TRAINING_INPUT " = 0\nresult = %s\n", result);
    *source = (struct lib_source){
        .name = "result", .bytes = text, .length = strlen(text)};
    const struct programs_ast *other = programs_parse(ast->arena, source, diags);
    if (!other)
        return false;
    add_input(ast, other->inputs[0], own->names[0]->pos);
    own->value = other->constants[0]->value;
    move(own->value, own->names[0]->pos);
    return true;
}
