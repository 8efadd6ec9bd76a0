#include "machine/reverse.h"

#include <stdlib.h>

/* An issue: those of one PE are numbered on and on. */
struct issue {
    uint64_t cycle;
    uint32_t pe, number;
};

/* Tokens that were put at once. */
struct group {
    struct issue issue;
    struct issue deferred; /* of the READ that they answer; or all 0 */
    uint32_t number;       /* those of one issue stay in order */
    struct machine_wheel_slot *slot;
    size_t first; /* in `tokens` */
    uint32_t count;
};

struct machine_reverse {
    LIB_VEC(struct group) groups; /* of the issues of one kind in this cycle */
    LIB_VEC(struct isa_token) tokens;
    LIB_VEC(struct issue)
    deferred;                     /* as exec.deferred: who deferred it, and when;
                                      old where an entry is free or of an element */
    struct issue issue, answered; /* what is sent now */
};

void machine_reverse_host(struct machine *m)
{
    m->reverse = lib_mem_new(sizeof *m->reverse);
    m->is_plain = false;
    if (m->network.kind && m->network.kind->reverse)
        m->network.kind->reverse(m);
}

void machine_reverse_free(struct machine_reverse *r)
{
    if (!r)
        return;
    LIB_VEC_FREE(&r->groups);
    LIB_VEC_FREE(&r->tokens);
    LIB_VEC_FREE(&r->deferred);
    lib_mem_free(r);
}

void machine_reverse_issue(struct machine *m, uint32_t pe)
{
    struct machine_reverse *r = m->reverse;
    r->issue = (struct issue){m->cycle, pe, r->issue.number + 1};
    r->answered = (struct issue){0};
    m->exec.newest_deferred = ISA_DEFERRED_END;
}

void machine_reverse_fired(struct machine *m)
{
    struct machine_reverse *r = m->reverse;
    const uint32_t deferred = m->exec.newest_deferred;
    if (deferred == ISA_DEFERRED_END)
        return;
    while (r->deferred.count <= deferred)
        *LIB_VEC_PUSH(&r->deferred) = (struct issue){0};
    r->deferred.items[deferred] = r->issue;
}

void machine_reverse_answer(struct machine *m, uint32_t deferred)
{
    m->reverse->answered = m->reverse->deferred.items[deferred];
}

struct isa_token *machine_reverse_put(struct machine *m, struct machine_wheel_slot *slot,
                                      uint32_t count)
{
    struct machine_reverse *r = m->reverse;
    size_t first = r->tokens.count;
    uint32_t number = (uint32_t)r->groups.count;
    *LIB_VEC_PUSH(&r->groups) = (struct group){r->issue, r->answered, number,
                                               slot,     first,       count};
    for (uint32_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&r->tokens) = (struct isa_token){0};
    return &r->tokens.items[first];
}

static int compare_issues(const struct issue *a, const struct issue *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->pe != b->pe)
        return a->pe < b->pe ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    int issues = compare_issues(&a->issue, &b->issue);
    int answers = compare_issues(&a->deferred, &b->deferred);
    return issues ? issues : answers ? answers : a->number < b->number ? -1 : 1;
}

void machine_reverse_flush(struct machine *m)
{
    struct machine_reverse *r = m->reverse;
    if (r->groups.count)
        qsort(r->groups.items, r->groups.count, sizeof *r->groups.items, compare);
    for (size_t i = 0; i < r->groups.count; i++) {
        const struct group *g = &r->groups.items[i];
        memcpy(machine_wheel_put(g->slot, g->count), &r->tokens.items[g->first],
               g->count * sizeof(struct isa_token));
    }
    r->groups.count = r->tokens.count = 0;
}
