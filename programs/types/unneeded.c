#include "programs/types/unneeded.h"

static bool is_real(const struct infer_literal *literal)
{
    return programs_type_find(literal->type)->kind == PROGRAMS_TYPE_REAL;
}

/* Both inferences met the literals of needed code in the same order. */
void programs_unneeded_find(struct programs_unneeded *unneeded,
                            const infer_literals *together, const infer_literals *needed)
{
    for (size_t i = 0, k = 0;
         k < needed->count && unneeded->count < PROGRAMS_UNNEEDED_MAX; k++, i++) {
        while (i < together->count && together->items[i].expr != needed->items[k].expr)
            i++;
        if (i == together->count)
            return;
        if (needed->items[k].is_needed && is_real(&together->items[i]) &&
            !is_real(&needed->items[k]))
            unneeded->literals[unneeded->count++] = k;
    }
}

void programs_unneeded_blame(struct programs_unneeded *unneeded,
                             const infer_literals *literals,
                             const struct programs_expr *e, const char *within)
{
    for (size_t i = 0; i < unneeded->count; i++)
        if (!unneeded->cause[i] && is_real(&literals->items[unneeded->literals[i]])) {
            unneeded->cause[i] = e;
            unneeded->within[i] = within;
        }
}

static bool is_at(struct lib_pos a, struct lib_pos b)
{
    return a.line == b.line && a.column == b.column;
}

static bool is_named(const struct programs_unneeded *u, size_t i,
                     const programs_uses *uses)
{
    bool named = false;
    for (size_t k = 0; k < i && !named; k++)
        named = u->cause[k] == u->cause[i];
    for (size_t k = 0; k < uses->count && !named; k++)
        named = uses->items[k].named &&
                is_at(uses->items[k].expr->start, u->cause[i]->start);
    return named;
}

void programs_unneeded_warn(const struct programs_unneeded *unneeded,
                            const infer_literals *literals, const programs_uses *uses,
                            const struct lib_source *source, struct lib_diags *diags)
{
    for (size_t i = 0; i < unneeded->count; i++) {
        const struct programs_expr *cause = unneeded->cause[i];
        if (cause && !is_named(unneeded, i, uses))
            lib_diag_warning(
                diags, LIB_DIAG_TYPE, source,
                literals->items[unneeded->literals[i]].expr->start,
                "an int becomes a real, since in %u:%u `%s` uses it as a real, though no "
                "output needs that",
                cause->start.line, cause->start.column, unneeded->within[i]);
    }
}
