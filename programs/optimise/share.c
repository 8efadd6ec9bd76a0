#include "isa/op_columns.h"
#include "lib/hash.h"
#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

static const char pass[] = "share";

/* An entry whose results may be used again, in a list of those with the same hash. */
struct known {
    const struct form_entry *entry;
    uint32_t scope;
    struct known *next;
};

struct share {
    struct rewrite r;
    struct scopes scopes;
    struct known **table;
    uint32_t mask;
};

/* Max entries with the same hash that are compared: most of them may be in blocks that ended. */
enum { COMPARED_MAX = 32 };

/* Whether the operands of an entry may be swapped. */
static bool is_symmetric(const struct form_entry *e)
{
    return e->kind == FORM_COMPUTE && e->operands.count == 2 &&
           isa_op_table[e->op].effect == ISA_EFFECT_PURE &&
           isa_op_does[e->op].takes == ISA_TAKES_ANY;
}

/* Two values that are the same literal are one operand. */
static uint64_t name_of(struct share *s, uint32_t value)
{
    value = rewrite_value(&s->r, value);
    const struct form_value *v = &s->r.form->values[value];
    if (v->kind == FORM_LITERAL)
        return lib_hash_mix(v->literal ^ (uint64_t)v->type << 56 ^ UINT64_C(0x5bd1e995));
    if (v->kind == FORM_INPUT || v->kind == FORM_PARAM)
        return lib_hash_mix((uint64_t)v->kind << 32 | v->index);
    return value;
}

static bool is_same_value(struct share *s, uint32_t a, uint32_t b)
{
    a = rewrite_value(&s->r, a);
    b = rewrite_value(&s->r, b);
    const struct form_value *v = &s->r.form->values[a], *w = &s->r.form->values[b];
    if (a == b)
        return true;
    if (v->kind != w->kind || v->type != w->type)
        return false;
    return v->kind == FORM_LITERAL                          ? v->literal == w->literal
           : v->kind == FORM_INPUT || v->kind == FORM_PARAM ? v->index == w->index
                                                            : false;
}

static uint64_t hash_of(struct share *s, const struct form_entry *e)
{
    uint64_t hash = lib_hash_mix((uint64_t)e->kind << 48 | (uint64_t)e->op << 32 |
                                 (uint64_t)e->type << 16);
    hash = lib_hash_mix(hash ^ e->index ^ (uint64_t)e->routine << 32);
    uint64_t operands = 0;
    for (uint32_t i = 0; i < e->operands.count; i++) {
        const uint64_t name = name_of(s, e->operands.items[i]);
        operands = is_symmetric(e) ? operands + lib_hash_mix(name)
                                   : lib_hash_mix(operands ^ name) + i;
    }
    return lib_hash_mix(hash ^ operands);
}

static bool is_same(struct share *s, const struct form_entry *a,
                    const struct form_entry *b)
{
    const uint32_t *x = a->operands.items, *y = b->operands.items;
    if (a->kind != b->kind || a->op != b->op || a->type != b->type ||
        a->index != b->index || a->routine != b->routine ||
        a->operands.count != b->operands.count || a->results.count != b->results.count)
        return false;
    bool same = true;
    for (uint32_t i = 0; i < a->operands.count && same; i++)
        same = is_same_value(s, x[i], y[i]);
    return same || (is_symmetric(a) && is_same_value(s, x[0], y[1]) &&
                    is_same_value(s, x[1], y[0]));
}

/* A call for which a gradient comes later, and an array read whose adjoint leaves a gradient there,
 * are themselves. */
static bool is_shared(const struct form_entry *e)
{
    return (rewrite_is_repeatable(e) || e->kind == FORM_APPLY) && !rewrite_stays(e) &&
           !e->is_kept && !e->site && e->pair == FORM_NONE;
}

static void visit(struct share *s, const struct form_entry *e, uint32_t scope)
{
    struct rewrite *r = &s->r;
    if (!is_shared(e))
        return;
    struct known **list = &s->table[hash_of(s, e) & s->mask];
    unsigned compared = 0;
    for (struct known *k = *list; k && compared < COMPARED_MAX; k = k->next, compared++) {
        if (!s->scopes.is_open[k->scope] || !is_same(s, k->entry, e))
            continue;
        for (uint32_t i = 0; i < e->results.count; i++)
            rewrite_replace(r, e->results.items[i], k->entry->results.items[i]);
        rewrite_remove(r, e);
        rewrite_tell(r->form, e->pos, pass, "%s of line %u, column %u is used again",
                     e->kind == FORM_APPLY ? "the call" : rewrite_op_label(e),
                     k->entry->pos.line, k->entry->pos.column);
        return;
    }
    struct known *known = LIB_ARENA_NEW(r->arena, struct known);
    *known = (struct known){e, scope, *list};
    *list = known;
}

struct form *optimise_share(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct share s = {.r = rewrite_start(form)};
    uint32_t size = 16;
    while (size < form->entry_count)
        size *= 2;
    s.mask = size - 1;
    s.table = LIB_ARENA_ARRAY(s.r.arena, struct known *, size);
    s.scopes = scopes_start(form, s.r.arena);
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_step(&walk)) {
        const uint32_t scope = scopes_at(&s.scopes, &walk);
        if (walk.step == FORM_STEP_ENTRY)
            visit(&s, walk.entry, scope);
    }
    rewrite_end(&s.r);
    return form;
}
