/* Parses params. `param w : [E, ...] = INITIALISER` is a constant whose value is a PARAM. */
#include "programs/syntax/parser.h"

#include <string.h>

/* Initialisers, and how many arguments each takes; FILE takes a path. */
static const struct {
    const char *text;
    size_t arguments;
} initialisers[] = {
    [PROGRAMS_INIT_ZEROS] = {"zeros", 0},   [PROGRAMS_INIT_ONES] = {"ones", 0},
    [PROGRAMS_INIT_NORMAL] = {"normal", 1}, [PROGRAMS_INIT_UNIFORM] = {"uniform", 2},
    [PROGRAMS_INIT_FILE] = {"file", 0},
};

enum { INITIALISERS = sizeof initialisers / sizeof *initialisers };

const char *programs_initialiser_text(enum programs_initialiser initialiser)
{
    return initialisers[initialiser].text;
}

bool programs_parse_colon(struct programs_parser *p)
{
    if (p->cursor.failed || !programs_parser_is_sign(p, programs_parser_peek(p), ':'))
        return false;
    p->cursor.at++;
    return true;
}

struct programs_data *programs_parse_path(struct programs_parser *p,
                                          enum programs_data_kind kind)
{
    const struct programs_token *path = programs_parser_take(p);
    struct programs_data *data = LIB_ARENA_NEW(p->arena, struct programs_data);
    data->path = path->text;
    data->pos = path->pos;
    data->kind = kind;
    data->least = 1;
    data->part_count = kind == PROGRAMS_DATA_TREES    ? PROGRAMS_TREES_PARTS
                       : kind == PROGRAMS_DATA_CONLLU ? PROGRAMS_CONLLU_PARTS
                                                      : 1;
    *LIB_VEC_PUSH(&p->data) = data;
    return data;
}

static void parse_extents(struct programs_parser *p, struct programs_param *param,
                          struct programs_expr_list *operands)
{
    const struct programs_token *open = programs_parser_peek(p);
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_LEFT_SQUARE)) {
        programs_parser_unexpected(p, "the shape of the param, `[n, m]`");
        return;
    }
    while (!p->cursor.failed && !programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT_SQUARE)) {
        programs_parse_item(p, operands);
        if (!programs_parser_accept(p, PROGRAMS_TOKEN_COMMA))
            break;
    }
    programs_cursor_close(&p->cursor, open);
    param->rank = operands->count;
    if (param->rank > PROGRAMS_PARAM_RANK_MAX)
        PROGRAMS_PARSER_FAIL(p, programs_parser_stretch(p, open->pos),
                             "a tensor has a rank of at most %d, found %zu",
                             PROGRAMS_PARAM_RANK_MAX, param->rank);
}

static bool find_initialiser(struct programs_parser *p, struct programs_param *param)
{
    const struct programs_token *name = programs_parser_peek(p);
    for (int i = 0; name->kind == PROGRAMS_TOKEN_NAME && i < INITIALISERS; i++)
        if (strcmp(name->text, initialisers[i].text) == 0) {
            param->initialiser = (enum programs_initialiser)i;
            param->pos = programs_parser_take(p)->pos;
            return !p->cursor.failed;
        }
    programs_parser_unexpected(
        p,
        "`zeros`, `ones`, `normal(DEVIATION)`, `uniform(FROM, TO)` or `file(\"PATH\")`");
    return false;
}

static void parse_arguments(struct programs_parser *p, struct programs_param *param,
                            struct programs_expr_list *operands)
{
    const size_t wanted = initialisers[param->initialiser].arguments;
    const bool is_file = param->initialiser == PROGRAMS_INIT_FILE;
    const struct programs_token *open = programs_parser_peek(p);
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_LEFT)) {
        if (wanted || is_file)
            programs_parser_unexpected(p, "`(`");
        return;
    }
    if (is_file) {
        if (programs_parser_sees(p, PROGRAMS_TOKEN_STRING)) {
            param->data = programs_parse_path(p, PROGRAMS_DATA_FILE);
            param->data->is_vector = param->rank == 1;
        } else {
            programs_parser_unexpected(p, "a path in quotes");
        }
    } else {
        do
            programs_parse_item(p, operands);
        while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
        param->argument_count = operands->count - param->rank;
    }
    programs_cursor_close(&p->cursor, open);
    if (param->argument_count != wanted)
        PROGRAMS_PARSER_FAIL(p, param->pos, "`%s` takes %zu argument%s, found %zu",
                             initialisers[param->initialiser].text, wanted,
                             wanted == 1 ? "" : "s", param->argument_count);
}

struct programs_equation *programs_parse_param(struct programs_parser *p)
{
    struct programs_equation *q = LIB_ARENA_NEW(p->arena, struct programs_equation);
    struct programs_param *param = LIB_ARENA_NEW(p->arena, struct programs_param);
    struct programs_binding_list names = {0};
    struct programs_expr_list operands = {0};
    programs_parser_take(p);
    const struct programs_token *name = programs_parse_name(p, "the name of a param");
    *LIB_VEC_PUSH(&names) = programs_parser_binding(p, PROGRAMS_BIND_CONST, name, 0);
    PROGRAMS_PARSER_KEEP(p, &names, q->names, q->name_count);
    q->names[0]->equation = q;
    param->number = (uint32_t)++p->ast->param_count;
    if (p->ast->param_count > PROGRAMS_PARAMS_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, name->pos,
                             "a program has at most %d params", PROGRAMS_PARAMS_MAX);
    q->param = param;
    q->value = programs_parser_expr(p, PROGRAMS_EXPR_PARAM, name->pos);
    q->value->param = param;
    if (!programs_parse_colon(p))
        programs_parser_unexpected(p, "`:` and the shape of the param, `: [n, m]`");
    parse_extents(p, param, &operands);
    programs_parse_define(p);
    if (find_initialiser(p, param))
        parse_arguments(p, param, &operands);
    programs_parser_operands(p, q->value, &operands);
    return q;
}
