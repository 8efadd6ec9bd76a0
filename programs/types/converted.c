#include "programs/types/converted.h"

enum {
    WARNINGS_MAX = 10,
    SCANS_MAX = 1000 /* for all uses together, so that large programs take no longer */
};

static const struct programs_function *function_of(const struct programs_use *use)
{
    return use->expr->kind == PROGRAMS_EXPR_GRAD ? use->expr->gradient->function
                                                 : use->expr->call->function;
}

static bool is_int(const struct programs_type *type)
{
    return type->kind == PROGRAMS_TYPE_INT ||
           (type->kind == PROGRAMS_TYPE_VAR && type->class >= PROGRAMS_CLASS_NUMERIC &&
            !type->is_generic);
}

/* Whether a type has a real where `alone` has an int and, unless it is NULL, `other` has a real. */
static bool is_converted(struct programs_type *together, struct programs_type *alone,
                         struct programs_type *other)
{
    together = programs_type_find(together);
    alone = programs_type_find(alone);
    other = other ? programs_type_find(other) : NULL;
    if (together->kind == PROGRAMS_TYPE_REAL)
        return is_int(alone) && (!other || other->kind == PROGRAMS_TYPE_REAL);
    bool any = false;
    if (together->kind != alone->kind || together->part_count != alone->part_count ||
        (other && other->part_count != together->part_count))
        return false;
    for (size_t i = 0; i < together->part_count; i++)
        any |= is_converted(together->parts[i], alone->parts[i],
                            other ? other->parts[i] : NULL);
    return any;
}

static bool has_real(struct programs_type *type)
{
    type = programs_type_find(type);
    bool any = type->kind == PROGRAMS_TYPE_REAL;
    for (size_t i = 0; i < type->part_count; i++)
        any |= has_real(type->parts[i]);
    return any;
}

/* Search for the reason why an operand of a use is a real. */
struct search {
    const programs_uses *uses;
    const struct programs_use *use;
    size_t operand;
    uint32_t *seen; /* for each function: last search that saw it */
    uint32_t number;
    unsigned scans;
};

/* Returns a use of the same function with a real there. */
static struct programs_use *find_direct(struct search *s)
{
    struct programs_type *together = s->use->together[s->operand];
    struct programs_type *alone = s->use->expr->operands[s->operand]->type;
    s->scans++;
    for (size_t i = 0; i < s->uses->count; i++) {
        struct programs_use *other = &s->uses->items[i];
        if (other != s->use && function_of(other) == function_of(s->use) &&
            is_converted(together, alone, other->expr->operands[s->operand]->type))
            return other;
    }
    return NULL;
}

/* Returns a use of a function with a real, whatever its other operands are. */
static struct programs_use *find_real(struct search *s, const struct programs_function *f)
{
    s->scans++;
    for (size_t i = 0; i < s->uses->count; i++) {
        struct programs_use *use = &s->uses->items[i];
        for (size_t p = 0; function_of(use) == f && p < f->param_count; p++)
            if (has_real(use->expr->operands[p]->type))
                return use;
    }
    return NULL;
}

/* Returns a use with a real of a function that this one calls, directly or not. */
static struct programs_use *find_within(struct search *s,
                                        const struct programs_function *f)
{
    struct programs_use *found = NULL;
    s->seen[f->index] = s->number;
    s->scans++;
    for (size_t i = 0; i < s->uses->count && !found && s->scans < SCANS_MAX; i++) {
        const struct programs_function *callee = function_of(&s->uses->items[i]);
        if (s->uses->items[i].within != f || s->seen[callee->index] == s->number)
            continue;
        found = find_real(s, callee);
        if (!found)
            found = find_within(s, callee);
    }
    return found;
}

static bool warn_of_use(const struct programs_ast *ast, struct search *s,
                        struct lib_diags *diags)
{
    const struct programs_expr *operand = s->use->expr->operands[s->operand];
    const struct programs_function *f = function_of(s->use);
    struct programs_use *other = find_direct(s);
    if (!other)
        other = find_within(s, f);
    if (!other)
        return false;
    const struct lib_pos pos = other->expr->start;
    other->named = true;
    lib_diag_warning(diags, LIB_DIAG_TYPE, ast->source, operand->start,
                     "argument %zu of `%s`: an int becomes a real, since all uses of a "
                     "function share its types, and in %u:%u `%s` is used with a real",
                     s->operand + 1, f->name, pos.line, pos.column,
                     function_of(other)->name);
    return true;
}

void programs_converted_warn(const struct programs_ast *ast, const programs_uses *uses,
                             struct lib_diags *diags)
{
    bool *met = LIB_ARENA_ARRAY(ast->arena, bool, ast->function_count);
    struct search s = {
        .uses = uses, .seen = LIB_ARENA_ARRAY(ast->arena, uint32_t, ast->function_count)};
    unsigned warnings = 0;
    for (size_t i = 0; i < uses->count; i++) {
        s.use = &uses->items[i];
        const struct programs_function *f = function_of(s.use);
        for (s.operand = 0; s.operand < f->param_count && !met[f->index]; s.operand++) {
            if (!is_converted(s.use->together[s.operand],
                              s.use->expr->operands[s.operand]->type, NULL))
                continue;
            if (warnings == WARNINGS_MAX || s.scans >= SCANS_MAX)
                return;
            met[f->index] = true;
            s.number++;
            warnings += warn_of_use(ast, &s, diags);
        }
    }
}
