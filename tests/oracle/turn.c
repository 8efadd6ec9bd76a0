/* A turn: "One PE". */
#include "tests/oracle/state.h"

struct firing oracle_firing(const struct oracle *o, const struct token *t, unsigned pe)
{
    const struct oracle_settings *s = oracle_at(o, pe);
    const uint64_t own = oracle_stages(o, pe) +
                         s->unit_latency[isa_op_table[t->instr->node->op].unit];
    const uint64_t delay = (s->scale && !s->executor_workers
                                ? s->latency[t->instr->node - o->graph->nodes]
                                : own) +
                           t->later;
    return (struct firing){.instr = t->instr, .tag = t->tag, .pe = pe, .delay = delay};
}

/* "Deadness": MERGEIF fires with its live token, or if both are dead. */
static void turn_mergeif(struct oracle *o, unsigned pe, const struct token *t)
{
    if (oracle_mergeif_fires(o, t) && oracle_queues_for_unit(o, pe, t, NULL))
        return;
    struct firing f = oracle_firing(o, t, pe);
    struct child *c = oracle_child(t->tag, o->graph->site_count + t->instr->number);
    const struct token *const operands[2] = {t, NULL};
    oracle_deliver(o, t, pe);
    if (!t->dead && c && !c->dead)
        oracle_trap(o);
    else if (!t->dead)
        oracle_fire(o, &f, operands);
    else if (c && c->dead)
        oracle_fire_dead(o, &f, false);
    if (c)
        oracle_child_remove(t->tag, c->site);
    else
        *LIB_VEC_PUSH(&t->tag->children) = (struct child){.site = o->graph->site_count +
                                                                  t->instr->number,
                                                          .to_come = 1,
                                                          .dead = t->dead};
    oracle_consume(o, t);
}

bool oracle_mergeif_fires(struct oracle *o, const struct token *t)
{
    const struct child *c = oracle_child(t->tag, o->graph->site_count + t->instr->number);
    return !t->dead || (c && c->dead);
}

/* Whether a FETCH, STORE, FIELD or FILL with its operands only sends a request, as its element is
 * elsewhere. */
static bool turn_request(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner)
{
    if (!oracle_accesses(t->instr->node) || t->request)
        return false;
    const struct token *address = t->port == 0 || !partner ? t : &partner->token;
    if (o->s->executor_workers) {
        oracle_executor_requests(o, pe, t, address);
        return false;
    }
    const unsigned to = oracle_element_pe(o, address->value);
    if (to == pe)
        return false;
    const uint64_t delay = oracle_stages(o, pe);
    struct token request = *t;
    request.request = true;
    request.issued = false;
    request.from = pe;
    request.to = to;
    if (partner)
        partner->away = true;
    o->outcome->stats.element_requests++;
    const uint64_t least = o->s->scale ? o->s->scale : 1;
    oracle_route(o, &request, o->now + (delay > least ? delay : least), false);
    return true;
}

/* All token operands have come: the instruction fires, or waits for something else. */
static void complete(struct oracle *o, unsigned pe, struct token *t,
                     struct waiting *partner)
{
    const bool dead = t->dead || (partner && partner->token.dead);
    if (!dead && t->instr->held != NONE && !oracle_constant(o, t->instr, t->tag)->here) {
        oracle_park(o, t);
        return;
    }
    if (!dead &&
        ((!t->issued && oracle_kernel_waits(o, pe, t, partner)) ||
         oracle_queues_for_unit(o, pe, t, partner) || turn_request(o, pe, t, partner) ||
         oracle_memory_waits(o, pe, t, partner) ||
         oracle_kernel_gathers(o, pe, t, partner) || oracle_tag_waits(o, pe, t)))
        return;
    if (dead && oracle_queues_for_unit(o, pe, t, partner))
        return;
    struct firing f = oracle_firing(o, t, pe);
    oracle_deliver(o, t, pe);
    struct token other = {0};
    if (partner) {
        other = partner->token;
        const uint64_t slower = oracle_unwait(o, t->tag, partner, &f.waited);
        oracle_why_meets(o, t, oracle_why_stamp(o, &other), other.port);
        oracle_why_slower(o, slower);
        f.delay += slower;
        f.late = f.waited > 1024;
    }
    const struct token *operands[2] = {NULL, NULL};
    operands[t->port] = t;
    if (partner)
        operands[other.port] = &other;
    if (isa_op_tracks(t->instr->node->op))
        oracle_track_fire(o, &f, operands, dead);
    else if (oracle_carries(t->instr))
        oracle_carry(o, &f, t->instr->tokens == 2 ? operands[1] : t);
    else if (dead)
        oracle_fire_dead(o, &f, oracle_is_skipped(t));
    else
        oracle_fire(o, &f, operands);
    if (o->trapped)
        return;
    if (partner)
        oracle_consume(o, &other);
    oracle_consume(o, t);
}

static void turn_start(struct oracle *o, unsigned pe, struct token *t)
{
    static const struct token *const none[2];
    if (oracle_queues_for_unit(o, pe, t, NULL) ||
        turn_request(o, pe, t, NULL) || /* a field of a literal */
        oracle_memory_waits(o, pe, t, NULL) || oracle_kernel_gathers(o, pe, t, NULL) ||
        oracle_tag_waits(o, pe, t))
        return;
    struct firing f = oracle_firing(o, t, pe);
    if (isa_op_tracks(t->instr->node->op))
        oracle_track_fire(o, &f, none, false);
    else
        oracle_fire(o, &f, none);
}

static void turn(struct oracle *o, unsigned pe, struct token *t)
{
    if (t->message) {
        oracle_message(o, t);
        return;
    }
    if (t->instr->node->op == ISA_OP_APPLY) {
        oracle_apply(o, pe, t);
        return;
    }
    if (t->start) {
        turn_start(o, pe, t);
        return;
    }
    if (t->instr->node->op == ISA_OP_MERGEIF && o->s->propagate) {
        turn_mergeif(o, pe, t);
        return;
    }
    struct waiting *partner = NULL;
    if (t->instr->tokens == 2 && !oracle_is_skipped(t)) {
        partner = oracle_partner(t->tag, t->instr);
        if (!partner) {
            oracle_deliver(o, t, pe);
            o->outcome->stats.early_receives += t->instr->node->op == ISA_OP_AWAIT &&
                                                t->port == 1;
            oracle_wait(o, t, t->tag, pe);
            return;
        }
        if (partner->token.port == t->port || partner->away != t->request) {
            oracle_deliver(o, t, pe);
            o->waiting -= !partner->away; /* what meets no longer waits */
            oracle_trap(o);
            return;
        }
    }
    complete(o, pe, t, partner);
}

/* "Matching stores": without room for a frame, the run ends after the turn. */
void oracle_end_turn(struct oracle *o)
{
    if (o->no_frame)
        oracle_end(o, ORACLE_STORE_FULL, "match.capacity");
}

void oracle_turn(struct oracle *o, unsigned pe, struct token t)
{
    oracle_why_step(o, &t);
    turn(o, pe, &t);
    oracle_consume_answered(o);
    oracle_send_releases(o);
    oracle_tokens_fit(o);
    oracle_end_turn(o);
}
