/* Shared by tests of the front end: reads a program up to a stage, and shows its syntax tree
 * independently of the printer. */
#ifndef TESTS_UNIT_FRONT_END_H
#define TESTS_UNIT_FRONT_END_H

#include "programs/syntax/parse.h"
#include "programs/syntax/print.h"
#include "programs/types/infer.h"
#include "programs/types/resolve.h"
#include "tests/unit/main.h"

#include <string.h>

/* --- a program, read up to a stage ---------------------------------------------------- */

enum stage {
    PARSED,
    NAMED,
    TYPED,
};

struct program {
    struct lib_arena *arena;
    struct lib_source *source;
    struct lib_diags diags;
    struct programs_ast *ast; /* NULL after an error */
};

static inline struct program load_bytes(const char *name, const char *bytes,
                                        size_t length, enum stage stage)
{
    struct program p = {.arena = lib_arena_new()};
    p.source = LIB_ARENA_NEW(p.arena, struct lib_source);
    *p.source = (struct lib_source){name, lib_arena_copy(p.arena, bytes, length), length};
    p.ast = programs_parse(p.arena, p.source, &p.diags);
    if (p.ast && stage >= NAMED && !programs_resolve(p.ast, &p.diags))
        p.ast = NULL;
    if (p.ast && stage >= TYPED && !programs_infer(p.ast, &p.diags))
        p.ast = NULL;
    ck_assert_msg(!p.ast == (p.diags.errors > 0), "%s", bytes);
    return p;
}

static inline struct program load(const char *text, enum stage stage)
{
    return load_bytes("test.df", text, strlen(text), stage);
}

static inline void unload(struct program *p)
{
    lib_diags_free(&p->diags);
    lib_arena_free(p->arena);
}

/* Reads a program, which must have no errors. */
static inline struct program load_good(const char *text, enum stage stage)
{
    struct program p = load(text, stage);
    struct lib_text messages = {0};
    lib_diags_write(&p.diags, &messages);
    ck_assert_msg(p.ast != NULL, "%s\n%s", text, lib_text_get(&messages));
    lib_text_free(&messages);
    return p;
}

/* --- trees ---------------------------------------------------------------------------- */

static inline void show(const struct programs_expr *e, struct lib_text *out);

static inline void show_pattern(const struct programs_pattern *pattern,
                                struct lib_text *out)
{
    if (pattern->literal)
        show(pattern->literal, out);
    else
        lib_text_puts(out, pattern->binding ? pattern->binding->name : "<");
    lib_text_puts(out, pattern->text ? pattern->text : "");
    for (size_t i = 0; i < pattern->part_count; i++) {
        lib_text_puts(out, i ? "," : " ");
        show_pattern(pattern->parts[i], out);
    }
    lib_text_puts(out, pattern->binding || pattern->literal ? "" : ">");
}

static inline void show_annotation(const struct programs_annotation *a,
                                   struct lib_text *out)
{
    lib_text_printf(out, "<%d %s", (int)a->kind, a->text ? a->text : "");
    for (size_t i = 0; i < a->part_count; i++)
        show_annotation(a->parts[i], out);
    lib_text_puts(out, ">");
}

static inline void show_datatype(const struct programs_datatype *d, struct lib_text *out)
{
    lib_text_printf(out, "data %s %u", d->name, (unsigned)d->param_count);
    for (uint32_t i = 0; i < d->constructor_count; i++) {
        const struct programs_constructor *c = &d->constructors[i];
        lib_text_printf(out, " [%s", c->name);
        for (uint32_t k = 0; k < c->field_count; k++) {
            lib_text_printf(out, " %s", c->fields[k].name ? c->fields[k].name : "");
            show_annotation(c->fields[k].type, out);
        }
        lib_text_puts(out, "]");
    }
    lib_text_puts(out, "\n");
}

/* Writes an expression with all brackets, independently of the printer. */
static inline void show(const struct programs_expr *e, struct lib_text *out)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT:
        lib_text_printf(out, "%lld", (long long)e->integer);
        return;
    case PROGRAMS_EXPR_REAL:
        lib_text_real(out, e->real);
        return;
    case PROGRAMS_EXPR_BOOL:
        lib_text_puts(out, e->boolean ? "true" : "false");
        return;
    case PROGRAMS_EXPR_NAME:
        lib_text_puts(out, e->name.text);
        return;
    case PROGRAMS_EXPR_CALL:
        lib_text_printf(out, "[%s", e->call->text);
        break;
    case PROGRAMS_EXPR_GRAD:
        lib_text_printf(out, "[grad %s", e->operands[-1]->name.text);
        break;
    case PROGRAMS_EXPR_UNARY:
        lib_text_puts(out, e->op == PROGRAMS_NEG ? "[neg" : "[not");
        break;
    case PROGRAMS_EXPR_BINARY:
        lib_text_printf(out, "[%s", programs_operator_text(e->op));
        break;
    case PROGRAMS_EXPR_IF:
        lib_text_puts(out, "[if");
        break;
    case PROGRAMS_EXPR_TUPLE:
        lib_text_puts(out, "[tuple");
        break;
    case PROGRAMS_EXPR_ARRAY:
        lib_text_puts(out, "[array");
        break;
    case PROGRAMS_EXPR_INDEX:
        lib_text_puts(out, "[index");
        break;
    case PROGRAMS_EXPR_JOINED:
        lib_text_puts(out, "[joined");
        break;
    case PROGRAMS_EXPR_SCATTER:
        lib_text_puts(out, "[scatter");
        break;
    case PROGRAMS_EXPR_ACCUMULATE:
        lib_text_printf(out, "[accumulate %s", programs_fold_text(e->fold));
        break;
    case PROGRAMS_EXPR_COMPREHENSION:
        if (e->element)
            lib_text_printf(out, "[over %s", e->element->name);
        else
            lib_text_puts(out, "[each");
        if (e->index)
            lib_text_printf(out, " %s", e->index->name);
        break;
    case PROGRAMS_EXPR_PORT:
        lib_text_puts(out, "[port");
        break;
    case PROGRAMS_EXPR_GIVEN:
        lib_text_puts(out, "[given");
        break;
    case PROGRAMS_EXPR_LOOP:
        lib_text_puts(out, e->loop->returns ? "[loop" : "[values");
        for (size_t i = 0; i < e->loop->count; i++)
            lib_text_printf(out, "%s%s", i ? "," : " ", e->loop->names[i]->name);
        if (e->loop->bound)
            lib_text_printf(out, " <= %u", e->loop->bound);
        break;
    case PROGRAMS_EXPR_PARAM:
        lib_text_printf(out, "[param %s %zu",
                        programs_initialiser_text(e->param->initialiser), e->param->rank);
        if (e->param->data)
            lib_text_printf(out, " \"%s\"", e->param->data->path);
        break;
    case PROGRAMS_EXPR_TEXT:
        lib_text_printf(out, "[text %s", e->data->path);
        break;
    case PROGRAMS_EXPR_CONSTRUCT:
        lib_text_printf(out, "[%s", e->construct->text);
        break;
    case PROGRAMS_EXPR_FIELD:
        lib_text_printf(out, "[.%s", e->selection->text);
        break;
    case PROGRAMS_EXPR_NUMBER:
        lib_text_puts(out, "[number");
        break;
    case PROGRAMS_EXPR_CASE:
        lib_text_puts(out, "[case");
        for (size_t i = 0; i < e->match->arm_count; i++) {
            const struct programs_arm *arm = &e->match->arms[i];
            lib_text_puts(out, " ");
            show_pattern(arm->pattern, out);
            lib_text_puts(out, arm->guard ? " if " : " -> ");
            if (arm->guard)
                show(arm->guard, out);
            show(arm->body, out);
        }
        break;
    case PROGRAMS_EXPR_LET:
        lib_text_puts(out, "[let");
        for (size_t i = 0; i < e->let->count; i++) {
            const struct programs_equation *q = e->let->equations[i];
            for (size_t k = 0; k < q->name_count; k++)
                lib_text_printf(out, "%s%s", k ? "," : " ", q->names[k]->name);
            if (q->pattern)
                show_pattern(q->pattern, out);
            lib_text_puts(out, "=");
            show(q->value, out);
        }
        lib_text_puts(out, " ");
        show(e->let->body, out);
        break;
    }
    for (size_t i = 0; i < e->operand_count; i++) {
        lib_text_puts(out, " ");
        show(e->operands[i], out);
    }
    lib_text_puts(out, "]");
}

static inline void show_program(const struct programs_ast *ast, struct lib_text *out)
{
    struct programs_walk walk = {0};
    struct programs_item item;
    for (size_t i = 0; i < ast->datatype_count; i++)
        show_datatype(ast->datatypes[i], out);
    while (programs_ast_next(ast, &walk, &item)) {
        if (item.input) {
            lib_text_printf(out, "input %s=", item.input->binding->name);
            show(item.input->literal, out);
        } else if (item.function) {
            lib_text_printf(out, "%s", item.function->name);
            for (size_t i = 0; i < item.function->param_count; i++)
                lib_text_printf(out, "%s%s", i ? "," : " ",
                                item.function->params[i]->name);
            lib_text_puts(out, "=");
            show(item.function->body, out);
        } else {
            for (size_t i = 0; i < item.constant->name_count; i++)
                lib_text_printf(out, "%s%s", i ? "," : "", item.constant->names[i]->name);
            if (item.constant->pattern)
                show_pattern(item.constant->pattern, out);
            lib_text_puts(out, "=");
            show(item.constant->value, out);
        }
        lib_text_puts(out, "\n");
    }
}

/* --- the printer ---------------------------------------------------------------------- */

static inline void check_needed(const struct lib_text *printed, const char *tree)
{
    struct lib_text less = {0}, other = {0};
    bool is_input = false;
    for (size_t open = 0; open < printed->length; open++) {
        size_t close = open, depth = 0;
        if (open == 0 || printed->bytes[open - 1] == '\n')
            is_input = strncmp(printed->bytes + open, "input ", 6) == 0;
        if (printed->bytes[open] != '(' || is_input)
            continue; /* the tree does not have the values of inputs */
        do {
            depth += printed->bytes[close] == '(';
            depth -= printed->bytes[close] == ')';
            close++;
        } while (depth);
        lib_text_clear(&less);
        lib_text_clear(&other);
        lib_text_add(&less, printed->bytes, printed->length);
        less.bytes[open] = less.bytes[close - 1] = ' ';
        struct program p = load(less.bytes, PARSED);
        if (p.ast)
            show_program(p.ast, &other);
        ck_assert_msg(!p.ast || strcmp(lib_text_get(&other), tree) != 0,
                      "parentheses at %zu are not needed:\n%s", open, printed->bytes);
        unload(&p);
    }
    lib_text_free(&less);
    lib_text_free(&other);
}

/* Prints a program, reads it back, compares, and prints again. */
static inline void check_print(const struct programs_ast *ast)
{
    struct lib_text first = {0}, second = {0}, tree = {0}, again = {0};
    programs_print(ast, &first);
    show_program(ast, &tree);
    struct program p = load_good(lib_text_get(&first), PARSED);
    show_program(p.ast, &again);
    programs_print(p.ast, &second);
    ck_assert_str_eq(lib_text_get(&again), lib_text_get(&tree));
    ck_assert_str_eq(lib_text_get(&second), lib_text_get(&first));
    check_needed(&first, lib_text_get(&tree));
    unload(&p);
    lib_text_free(&first);
    lib_text_free(&second);
    lib_text_free(&tree);
    lib_text_free(&again);
}

#endif
