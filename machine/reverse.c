#include "machine/reverse.h"

#include <stdlib.h>

/* A place in the order of a cycle. */
struct key {
    uint32_t pe, turn; /* turns count on and on: of one PE, they are in order */
    bool after;        /* among what a WRITE answers, reads of this cycle come last */
};

struct reversed_token {
    struct key key;
    uint64_t number; /* those of one key stay in order */
    struct machine_wheel *wheel;
    uint64_t when;
    struct isa_token token;
};

/* Who deferred a read, or wrote a cell, and when. */
struct mark {
    uint64_t cycle;
    uint32_t pe, turn;
};

struct machine_reverse {
    LIB_VEC(struct reversed_token) tokens; /* of this cycle */
    LIB_VEC(struct mark) deferred;         /* as exec.deferred */
    struct mark *written;                  /* per cell; turn 0: not written */
    struct mark now;
    struct key key; /* of what is sent now */
};

void machine_reverse_host(struct machine *m)
{
    m->reverse = lib_mem_new(sizeof *m->reverse);
    m->reverse->written = lib_mem_new(m->code->graph->cell_count *
                                      sizeof *m->reverse->written);
}

void machine_reverse_free(struct machine_reverse *r)
{
    if (!r)
        return;
    LIB_VEC_FREE(&r->tokens);
    LIB_VEC_FREE(&r->deferred);
    lib_mem_free(r->written);
    lib_mem_free(r);
}

void machine_reverse_turn(struct machine *m, uint32_t pe)
{
    struct machine_reverse *r = m->reverse;
    r->now = (struct mark){m->cycle, pe, r->now.turn + 1};
    r->key = (struct key){pe, r->now.turn, false};
}

/* In the order of the PEs a READ sees what a lower PE has written in the same cycle, and
 * does not see what a higher one will write; walked backwards, it is the other way round.
 * Reads and writes take the same time, so that only the place in the order differs: the
 * turn of the READ in the first case, of the WRITE in the second. */
void machine_reverse_fired(struct machine *m, const struct isa_instr *instr)
{
    struct machine_reverse *r = m->reverse;
    if (instr->op == ISA_OP_WRITE)
        r->written[instr->index] = r->now;
    if (instr->op != ISA_OP_READ)
        return;
    const struct mark *w = &r->written[instr->index];
    while (r->deferred.count < m->exec.deferred.count)
        *LIB_VEC_PUSH(&r->deferred) = r->now;
    if (w->turn && w->cycle == m->cycle && w->pe > r->now.pe)
        r->key = (struct key){w->pe, w->turn, true};
}

void machine_reverse_answer(struct machine *m, uint32_t deferred)
{
    struct machine_reverse *r = m->reverse;
    const struct mark *d = &r->deferred.items[deferred];
    bool seen = d->cycle == m->cycle && d->pe > r->now.pe;
    r->key = seen ? (struct key){d->pe, d->turn, false}
                  : (struct key){r->now.pe, r->now.turn, false};
}

struct isa_token *machine_reverse_put(struct machine *m, struct machine_wheel *wheel,
                                      uint64_t when)
{
    struct machine_reverse *r = m->reverse;
    uint64_t number = r->tokens.count;
    struct reversed_token *t = LIB_VEC_PUSH(&r->tokens);
    *t = (struct reversed_token){
        .key = r->key, .number = number, .wheel = wheel, .when = when};
    return &t->token;
}

static int compare(const void *left, const void *right)
{
    const struct reversed_token *a = left, *b = right;
    if (a->key.pe != b->key.pe)
        return a->key.pe < b->key.pe ? -1 : 1;
    if (a->key.turn != b->key.turn)
        return a->key.turn < b->key.turn ? -1 : 1;
    if (a->key.after != b->key.after)
        return a->key.after ? 1 : -1;
    return a->number < b->number ? -1 : 1;
}

void machine_reverse_flush(struct machine *m)
{
    struct machine_reverse *r = m->reverse;
    if (r->tokens.count)
        qsort(r->tokens.items, r->tokens.count, sizeof *r->tokens.items, compare);
    for (size_t i = 0; i < r->tokens.count; i++) {
        const struct reversed_token *t = &r->tokens.items[i];
        *machine_wheel_put(t->wheel, t->when) = t->token;
    }
    r->tokens.count = 0;
}
