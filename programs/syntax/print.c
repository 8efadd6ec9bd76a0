#include "programs/syntax/print.h"

#include <inttypes.h>

#include "lib/memory.h"

/* Text that follows an expression and would become part of it: an operator after an `if`, `let`
 * or `loop`, a `return` after a `loop` without one, or a `,` after a `loop` with one tuple. */
enum behind {
    BEHIND_NOTHING,
    BEHIND_OPERATOR,
    BEHIND_POWER, /* the operator of a power */
    BEHIND_RETURN,
    BEHIND_BAR, /* the `|` of a `case` or comprehension */
    BEHIND_COMMA,
};

/* Prints an expression, in parentheses if it is an operator looser than `level`. */
static void print_expr(const struct programs_expr *e, enum programs_level level,
                       enum behind behind, struct lib_text *out);

void programs_print_expr(const struct programs_expr *e, struct lib_text *out)
{
    print_expr(e, PROGRAMS_LEVEL_OR, BEHIND_NOTHING, out);
}

static void print_list(const char *open, struct programs_expr *const *items, size_t count,
                       const char *close, struct lib_text *out)
{
    lib_text_puts(out, open);
    for (size_t i = 0; i < count; i++) {
        lib_text_puts(out, i ? ", " : "");
        print_expr(items[i], PROGRAMS_LEVEL_OR,
                   i + 1 < count ? BEHIND_COMMA : BEHIND_NOTHING, out);
    }
    lib_text_puts(out, close);
}

void programs_print_pattern(const struct programs_pattern *pattern, struct lib_text *out)
{
    if (pattern->kind == PROGRAMS_PATTERN_NAME)
        lib_text_puts(out, pattern->binding->name);
    else if (pattern->kind == PROGRAMS_PATTERN_LITERAL)
        programs_print_expr(pattern->literal, out);
    else if (pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR)
        lib_text_puts(out, pattern->text);
    for (size_t i = 0; i < pattern->part_count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        programs_print_pattern(pattern->parts[i], out);
    }
    lib_text_puts(out, pattern->part_count ? ")" : "");
}

static void print_names(struct programs_binding *const *names, size_t count,
                        struct lib_text *out)
{
    lib_text_puts(out, "(");
    for (size_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%s", i ? ", " : "", names[i]->name);
    lib_text_puts(out, ")");
}

static void print_param(const struct programs_equation *q, struct lib_text *out)
{
    const struct programs_param *param = q->param;
    lib_text_printf(out, "param %s : ", q->names[0]->name);
    print_list("[", q->value->operands, param->rank, "]", out);
    lib_text_printf(out, " = %s", programs_initialiser_text(param->initialiser));
    if (param->data)
        lib_text_printf(out, "(\"%s\")", param->data->path);
    else if (param->argument_count)
        print_list("(", q->value->operands + param->rank, param->argument_count, ")",
                   out);
}

static void print_type(const struct programs_annotation *a, struct lib_text *out)
{
    static const char *const names[] = {
        [PROGRAMS_ANNOTATION_INT] = "int",
        [PROGRAMS_ANNOTATION_REAL] = "real",
        [PROGRAMS_ANNOTATION_BOOL] = "bool",
    };
    if (a->kind == PROGRAMS_ANNOTATION_TENSOR) {
        lib_text_printf(out, "tensor(%s, %" PRIu32 ")", isa_element_name(a->element),
                        a->rank);
        return;
    }
    if (a->text)
        lib_text_puts(out, a->text);
    else if (a->part_count == 0)
        lib_text_puts(out, names[a->kind]);
    const bool is_array = a->kind == PROGRAMS_ANNOTATION_ARRAY;
    for (size_t i = 0; i < a->part_count; i++) {
        lib_text_puts(out, i ? ", " : is_array ? "[" : "(");
        print_type(a->parts[i], out);
    }
    if (a->part_count)
        lib_text_puts(out, is_array ? "]" : ")");
}

static void print_given(const struct programs_equation *q, struct lib_text *out)
{
    const struct programs_given *given = q->given;
    lib_text_printf(out, "%s%s", given->is_input ? "input " : "", q->names[0]->name);
    if (given->is_annotated) {
        lib_text_puts(out, " : ");
        print_type(given->type, out);
    }
    lib_text_puts(out, given->makes_tensor ? " = tensor(" : " = ");
    if (given->literal)
        programs_print_expr(given->literal, out);
    else
        lib_text_printf(out, "file(\"%s\")", given->data->path);
    lib_text_puts(out, given->makes_tensor ? ")" : "");
}

static void print_equation(const struct programs_equation *q, enum behind behind,
                           struct lib_text *out)
{
    if (q->given) {
        print_given(q, out);
        return;
    }
    if (q->port)
        lib_text_puts(out, q->port->is_input ? "port in " : "port out ");
    if (q->port && q->port->is_input) {
        lib_text_printf(out, "%s : ", q->names[0]->name);
        print_type(q->port->type, out);
        return;
    }
    if (q->param) {
        print_param(q, out);
        return;
    }
    if (q->pattern)
        programs_print_pattern(q->pattern, out);
    else if (q->is_tuple)
        print_names(q->names, q->name_count, out);
    else
        lib_text_puts(out, q->names[0]->name);
    lib_text_puts(out, " = ");
    print_expr(q->value, PROGRAMS_LEVEL_OR, behind, out);
}

/* --- operators ---------------------------------------------------------------------- */

static bool is_number(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL;
}

static bool is_power(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_BINARY && e->op == PROGRAMS_POW;
}

static const struct programs_expr *leftmost(const struct programs_expr *e)
{
    if (is_power(e)) /* a power as its base is in parentheses */
        e = e->operands[0];
    while (e->kind == PROGRAMS_EXPR_INDEX)
        e = e->operands[0];
    return e;
}

static bool starts_with_minus(const struct programs_expr *e)
{
    LIB_TEXT_OWN text = {0};
    if (e->kind == PROGRAMS_EXPR_UNARY)
        return e->op == PROGRAMS_NEG;
    e = leftmost(e); /* an operation is in parentheses */
    if (!is_number(e))
        return false;
    programs_print_expr(e, &text);
    return lib_text_get(&text)[0] == '-';
}

static void print_unary(const struct programs_expr *e, enum behind behind,
                        struct lib_text *out)
{
    const struct programs_expr *a = e->operands[0];
    /* In `-2 ** 2` the minus does not belong to the literal, but in `-2[0] ** 2` it does. */
    const bool is_plain_power = is_power(a) && is_number(a->operands[0]);
    if (e->op == PROGRAMS_NOT) {
        lib_text_puts(out, "not ");
        print_expr(a, PROGRAMS_LEVEL_NOT, behind, out);
    } else if (!is_plain_power && starts_with_minus(a)) {
        lib_text_puts(out, "- "); /* `--` would be a comment */
        print_expr(a, PROGRAMS_LEVEL_NEG, behind, out);
    } else if (!is_plain_power && is_number(leftmost(a))) { /* `-1` would be a literal */
        lib_text_puts(out, "-(");
        programs_print_expr(a, out);
        lib_text_puts(out, ")");
    } else {
        lib_text_puts(out, "-");
        print_expr(a, PROGRAMS_LEVEL_NEG, behind, out);
    }
}

/* --- expressions -------------------------------------------------------------------- */

static void print_let(const struct programs_expr *e, enum behind behind,
                      struct lib_text *out)
{
    lib_text_puts(out, "let ");
    for (size_t i = 0; i < e->let->count; i++) {
        lib_text_puts(out, i ? "; " : "");
        print_equation(e->let->equations[i], BEHIND_NOTHING, out);
    }
    lib_text_puts(out, " in ");
    print_expr(e->let->body, PROGRAMS_LEVEL_OR, behind, out);
}

static void print_loop(const struct programs_expr *e, enum behind behind,
                       struct lib_text *out)
{
    const struct programs_loop *loop = e->loop;
    if (loop->bound && out->length && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
    if (loop->bound)
        lib_text_printf(out, "\n  --# bound %" PRIu32 "\n  ", loop->bound);
    for (size_t k = 0; k < loop->count; k++) {
        lib_text_printf(out, "%s%s = ", k ? ", " : "loop ", loop->names[k]->name);
        print_expr(programs_loop_initial(e, k), PROGRAMS_LEVEL_OR, BEHIND_COMMA, out);
    }
    lib_text_puts(out, " while ");
    programs_print_expr(programs_loop_condition(e), out);
    for (size_t k = 0; k < programs_loop_next_count(e); k++) {
        bool last = k + 1 == programs_loop_next_count(e);
        lib_text_puts(out, k ? ", " : " do ");
        print_expr(programs_loop_next(e, k), PROGRAMS_LEVEL_OR,
                   !last           ? BEHIND_COMMA
                   : loop->returns ? BEHIND_RETURN
                                   : behind,
                   out);
    }
    if (loop->returns) {
        lib_text_puts(out, " return ");
        print_expr(programs_loop_result(e), PROGRAMS_LEVEL_OR, behind, out);
    }
}

static void print_generator(const struct programs_expr *e, struct lib_text *out)
{
    const bool is_over = programs_is_over_array(e);
    lib_text_printf(out, "%s <- ", is_over ? e->element->name : e->index->name);
    print_expr(e->operands[1], PROGRAMS_LEVEL_OR, BEHIND_COMMA, out);
    if (!is_over) {
        lib_text_puts(out, " .. ");
        print_expr(e->operands[2], PROGRAMS_LEVEL_OR, BEHIND_COMMA, out);
    } else if (e->index) {
        lib_text_printf(out, " at %s", e->index->name);
    }
    if (e->operand_count == 4) {
        lib_text_puts(out, " by ");
        print_expr(e->operands[3], PROGRAMS_LEVEL_OR, BEHIND_COMMA, out);
    }
}

/* Goes to the next qualifier of a JOINED from `e`, the last one or the JOINED. Returns NULL, and
 * sets *element, after the last. */
static const struct programs_expr *next_qualifier(const struct programs_expr *e,
                                                  const struct programs_expr **element)
{
    const bool is_last = e->kind == PROGRAMS_EXPR_COMPREHENSION;
    e = e->kind == PROGRAMS_EXPR_LET      ? e->let->body
        : e->kind == PROGRAMS_EXPR_IF     ? e->operands[1]
        : e->kind == PROGRAMS_EXPR_JOINED ? e->operands[0]->operands[0]
                                          : e;
    if (!is_last && e->kind != PROGRAMS_EXPR_ARRAY)
        return e;
    *element = e->operands[0];
    return NULL;
}

static void print_qualifier(const struct programs_expr *e, struct lib_text *out)
{
    if (e->kind == PROGRAMS_EXPR_LET)
        print_equation(e->let->equations[0], BEHIND_COMMA, out);
    else if (e->kind == PROGRAMS_EXPR_IF)
        print_expr(e->operands[0], PROGRAMS_LEVEL_OR, BEHIND_COMMA, out);
    else
        print_generator(e->kind == PROGRAMS_EXPR_JOINED ? e->operands[0] : e, out);
}

/* Prints a COMPREHENSION or a JOINED. */
static void print_comprehension(const struct programs_expr *e, struct lib_text *out)
{
    const struct programs_expr *element = NULL;
    const bool has_arrow = e->has_arrow;
    if (has_arrow && e->operands[0]->kind == PROGRAMS_EXPR_NAME)
        e = e->operands[1]; /* a JOINED of pairs */
    for (const struct programs_expr *q = e; q;)
        q = next_qualifier(q, &element);
    lib_text_puts(out, "[");
    if (has_arrow) {
        print_expr(element->operands[0], PROGRAMS_LEVEL_OR, BEHIND_BAR, out);
        lib_text_puts(out, " -> ");
        element = element->operands[1];
    }
    print_expr(element, PROGRAMS_LEVEL_OR, BEHIND_BAR, out);
    for (const struct programs_expr *q = e; q; q = next_qualifier(q, &element)) {
        lib_text_puts(out, q == e ? " | " : ", ");
        print_qualifier(q, out);
    }
    lib_text_puts(out, "]");
}

static void print_case(const struct programs_expr *e, enum behind behind,
                       struct lib_text *out)
{
    lib_text_puts(out, "case ");
    programs_print_expr(e->operands[0], out);
    for (size_t i = 0; i < e->match->arm_count; i++) {
        const struct programs_arm *arm = &e->match->arms[i];
        lib_text_puts(out, i ? " | " : " of ");
        programs_print_pattern(arm->pattern, out);
        if (arm->guard) {
            lib_text_puts(out, " if ");
            programs_print_expr(arm->guard, out);
        }
        lib_text_puts(out, " -> ");
        print_expr(arm->body, PROGRAMS_LEVEL_OR,
                   i + 1 < e->match->arm_count ? BEHIND_BAR : behind, out);
    }
}

static void print_operand(const struct programs_expr *e, struct lib_text *out)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_CONSTRUCT:
        lib_text_puts(out, e->construct->text);
        if (e->operand_count)
            print_list("(", e->operands, e->operand_count, ")", out);
        break;
    case PROGRAMS_EXPR_FIELD:
        print_expr(e->operands[0], PROGRAMS_LEVEL_OPERAND, BEHIND_OPERATOR, out);
        lib_text_printf(out, ".%s", e->selection->text);
        break;
    case PROGRAMS_EXPR_INT:
        lib_text_printf(out, e->is_bits ? "0x%" PRIx64 : "%" PRId64, e->integer);
        break;
    case PROGRAMS_EXPR_REAL:
        lib_text_real(out, e->real);
        break;
    case PROGRAMS_EXPR_BOOL:
        lib_text_puts(out, e->boolean ? "true" : "false");
        break;
    case PROGRAMS_EXPR_NAME:
        lib_text_puts(out, e->name.text);
        break;
    case PROGRAMS_EXPR_TEXT:
        lib_text_printf(out, "\"%s\"", e->data->path);
        break;
    case PROGRAMS_EXPR_CALL:
        lib_text_puts(out, e->call->text);
        print_list("(", e->operands, e->call->own ? e->call->own : e->operand_count,
                   e->call->own       ? "; "
                   : e->call->element ? ""
                                      : ")",
                   out);
        if (e->call->element)
            lib_text_printf(out, ", %s)", e->call->element);
        if (e->call->own)
            print_list("", e->operands + e->call->own, e->operand_count - e->call->own,
                       ")", out);
        break;
    case PROGRAMS_EXPR_ARRAY:
        print_list("[", e->operands, e->operand_count, "]", out);
        break;
    case PROGRAMS_EXPR_COMPREHENSION:
    case PROGRAMS_EXPR_JOINED:
        print_comprehension(e, out);
        break;
    case PROGRAMS_EXPR_SCATTER:
        print_list("scatter(", e->operands, e->operand_count, ")", out);
        break;
    case PROGRAMS_EXPR_ACCUMULATE:
        lib_text_printf(out, "accumulate(%s, ", programs_fold_text(e->fold));
        print_list("", e->operands, e->operand_count, ")", out);
        break;
    default:
        print_list("(", e->operands, e->operand_count, ")", out); /* a tuple */
    }
}

static bool needs_parentheses(const struct programs_expr *e, enum programs_level level,
                              enum behind behind)
{
    const bool is_before = behind == BEHIND_OPERATOR || behind == BEHIND_POWER;
    if (e->kind == PROGRAMS_EXPR_IF || e->kind == PROGRAMS_EXPR_LET)
        return is_before;
    if (e->kind == PROGRAMS_EXPR_CASE)
        return is_before || behind == BEHIND_BAR;
    if (e->kind == PROGRAMS_EXPR_LOOP)
        return is_before || (behind == BEHIND_RETURN && !e->loop->returns) ||
               (behind == BEHIND_COMMA && !e->loop->returns && e->loop->takes_tuple);
    if (is_number(e))
        return behind == BEHIND_POWER && starts_with_minus(e);
    bool operation = e->kind == PROGRAMS_EXPR_UNARY || e->kind == PROGRAMS_EXPR_BINARY;
    return operation && programs_operator_level(e->op) < level;
}

/* Prints an expression that does not continue a chain, inside the parentheses that it needs. */
static void print_end(const struct programs_expr *e, enum behind behind,
                      struct lib_text *out)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_UNARY:
        print_unary(e, behind, out);
        break;
    case PROGRAMS_EXPR_LET:
        print_let(e, behind, out);
        break;
    case PROGRAMS_EXPR_LOOP:
        print_loop(e, behind, out);
        break;
    case PROGRAMS_EXPR_CASE:
        print_case(e, behind, out);
        break;
    default:
        print_operand(e, out);
    }
}

/* Returns the loosest operators without parentheses in the operand that continues a chain. The
 * next function returns the text after that operand, if `behind` follows the whole. */
static enum programs_level level_of_next(const struct programs_expr *e)
{
    if (e->kind == PROGRAMS_EXPR_IF)
        return PROGRAMS_LEVEL_OR;
    if (e->kind == PROGRAMS_EXPR_INDEX)
        return PROGRAMS_LEVEL_OPERAND;
    enum programs_level level = programs_operator_level(e->op);
    /* Comparisons do not chain, powers do to the right. */
    return level == PROGRAMS_LEVEL_COMPARISON || level == PROGRAMS_LEVEL_POWER ? level + 1
                                                                               : level;
}

static enum behind behind_next(const struct programs_expr *e, enum behind behind)
{
    return e->kind == PROGRAMS_EXPR_IF ? behind
           : is_power(e)               ? BEHIND_POWER
                                       : BEHIND_OPERATOR;
}

static void print_before_next(const struct programs_expr *e, struct lib_text *out)
{
    if (e->kind != PROGRAMS_EXPR_IF)
        return;
    lib_text_puts(out, "if ");
    programs_print_expr(e->operands[0], out);
    lib_text_puts(out, " then ");
    programs_print_expr(e->operands[1], out);
    lib_text_puts(out, " else ");
}

static enum programs_level level_behind(enum programs_operator op)
{
    const enum programs_level level = programs_operator_level(op);
    return level == PROGRAMS_LEVEL_POWER ? PROGRAMS_LEVEL_NEG : level + 1;
}

static void print_behind_next(const struct programs_expr *e, enum behind behind,
                              struct lib_text *out)
{
    if (e->kind == PROGRAMS_EXPR_INDEX) {
        print_list("[", &e->operands[1], 1, "]", out);
    } else if (e->kind == PROGRAMS_EXPR_BINARY) {
        lib_text_printf(out, " %s ", programs_operator_text(e->op));
        print_expr(e->operands[1], level_behind(e->op), behind, out);
    }
}

/* Open expressions of a chain, the outermost first. */
struct open {
    bool is_enclosed;
    enum behind behind; /* within the parentheses */
};

static struct open open_expr(const struct programs_expr *e, enum programs_level level,
                             enum behind behind, struct lib_text *out)
{
    bool enclosed = needs_parentheses(e, level, behind);
    if (enclosed)
        lib_text_puts(out, "(");
    return (struct open){enclosed, enclosed ? BEHIND_NOTHING : behind};
}

static void print_expr(const struct programs_expr *e, enum programs_level level,
                       enum behind behind, struct lib_text *out)
{
    LIB_VEC(struct open) opened = {0};
    const struct programs_expr *at = e;
    for (;; at = programs_chain_down(at)) {
        struct open o = open_expr(at, level, behind, out);
        *LIB_VEC_PUSH(&opened) = o;
        if (!programs_chain_goes_on(at))
            break;
        print_before_next(at, out);
        level = level_of_next(at);
        behind = behind_next(at, o.behind);
    }
    print_end(at, opened.items[opened.count - 1].behind, out);
    for (;; at = at->above) {
        struct open o = opened.items[--opened.count];
        print_behind_next(at, o.behind, out);
        lib_text_puts(out, o.is_enclosed ? ")" : "");
        if (at == e)
            break;
    }
    LIB_VEC_FREE(&opened);
}

/* Prints the machine or class of PEs of an equation, or of the previous one on the same line.
 * Directives for other lines are not printed, as those lines no longer exist. */
static void print_placing(const struct programs_ast *ast,
                          const struct programs_item *item, struct lib_text *out)
{
    const struct lib_pos pos = item->input      ? item->input->binding->pos
                               : item->function ? item->function->pos
                                                : item->constant->names[0]->pos;
    for (size_t i = 0; i < ast->placing_count; i++) {
        const struct isa_placing *p = &ast->placings[i].lines;
        if (p->pos.line >= p->first || pos.line < p->first || p->last < pos.line)
            continue;
        if (ast->placings[i].class)
            lib_text_printf(out, "--# on %s\n", ast->placings[i].class);
        else
            lib_text_printf(out, "--# machine %" PRIu32 "\n", p->machine);
    }
}

static void print_constructor(const struct programs_constructor *c, struct lib_text *out)
{
    lib_text_puts(out, c->name);
    for (uint32_t i = 0; i < c->field_count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        if (c->fields[i].name)
            lib_text_printf(out, "%s: ", c->fields[i].name);
        print_type(c->fields[i].type, out);
    }
    lib_text_puts(out, c->field_count ? ")" : "");
}

static void print_datatype(const struct programs_datatype *d, struct lib_text *out)
{
    lib_text_printf(out, "data %s", d->name);
    for (uint32_t i = 0; i < d->param_count; i++)
        lib_text_printf(out, "%s%s%s", i ? ", " : "(", d->params[i],
                        i + 1 < d->param_count ? "" : ")");
    for (uint32_t i = 0; i < d->constructor_count; i++) {
        lib_text_puts(out, i ? " | " : " = ");
        print_constructor(&d->constructors[i], out);
    }
    lib_text_puts(out, "\n");
}

void programs_print(const struct programs_ast *ast, struct lib_text *out)
{
    for (size_t i = 0; i < ast->datatype_count; i++)
        if (!ast->datatypes[i]->is_predefined)
            print_datatype(ast->datatypes[i], out);
    struct programs_walk walk = {0};
    struct programs_item item;
    while (programs_ast_next(ast, &walk, &item)) {
        print_placing(ast, &item, out);
        if (item.input) {
            lib_text_printf(out, "input %s = ", item.input->binding->name);
            programs_print_expr(item.input->literal, out);
        } else if (item.function) {
            lib_text_puts(out, item.function->name);
            print_names(item.function->params, item.function->param_count, out);
            lib_text_puts(out, " = ");
            programs_print_expr(programs_function_value(item.function), out);
        } else {
            print_equation(item.constant, BEHIND_NOTHING, out);
        }
        lib_text_puts(out, "\n");
    }
}
