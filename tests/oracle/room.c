/* "Room": whether queues have room for all that a turn can make. */
#include "tests/oracle/state.h"

/* Tokens that a turn can make, and their PE. */
struct makes {
    uint64_t count;
    unsigned to;
};

static uint64_t all_lists(const struct oracle *o, const struct instr *i)
{
    uint64_t count = 0;
    for (uint32_t l = 0; l < i->node->output_count; l++)
        count += oracle_list_length(o, i->node, l);
    return count;
}

static unsigned place_of(const struct oracle *o, const struct activation *a)
{
    if (a->place != NONE)
        return a->place;
    return oracle_would_be_at(o, a->function, a->site, oracle_place_wanted(o, a));
}

static unsigned pe_of(const struct oracle *o, const struct token *t,
                      const struct activation *a)
{
    return oracle_pe_on(o, t->instr, place_of(o, a));
}

static unsigned pe_of_receive(const struct oracle *o, const struct token *t)
{
    return oracle_pe_on(o, oracle_receive(o, t->instr), place_of(o, t->tag));
}

/* Place of the activation that a CALL, ENTER or NEXT sends to. */
static unsigned place_of_child(const struct oracle *o, const struct token *t)
{
    const struct isa_node *node = t->instr->node;
    const struct child *c = oracle_child(t->tag, node->site);
    struct activation a = {
        .place = NONE,
        .function = o->graph->sites[node->site].callee,
        .site = node->site,
        .parent = oracle_made_as(t->instr) == ISA_OP_NEXT ? t->tag->parent : t->tag};
    if (c && c->activation)
        return place_of(o, c->activation);
    if (oracle_made_as(t->instr) == ISA_OP_CALL)
        a.path = oracle_path(t->tag->path, node->site);
    else if (oracle_made_as(t->instr) == ISA_OP_ENTER)
        a.path = oracle_path_iteration(oracle_path(t->tag->path, node->site), 0);
    else
        a.path = oracle_path_iteration(oracle_path(t->tag->parent->path, node->site),
                                       t->tag->iteration + 1);
    return place_of(o, &a);
}

/* A token that is dead, or has a dead partner. */
static struct makes makes_dead(const struct oracle *o, unsigned pe, const struct token *t)
{
    const struct isa_node *node = t->instr->node;
    const struct makes all = {all_lists(o, t->instr), pe};
    if (node->op == ISA_OP_SEND)
        return (struct makes){1, pe_of_receive(o, t)};
    switch (node->op) {
    case ISA_OP_CALL:
    case ISA_OP_ENTER:
        return (struct makes){oracle_callee(o, node->site)->result_count, pe};
    case ISA_OP_NEXT:
    case ISA_OP_TRACK_CALL:
    case ISA_OP_TRACK_ENTER:
    case ISA_OP_TRACK_NEXT:
        return (struct makes){0, pe};
    case ISA_OP_EXIT:
        return oracle_is_skipped(t) ? all : (struct makes){0, pe};
    case ISA_OP_RETURN:
        return oracle_is_skipped(t)
                   ? all
                   : (struct makes){all.count, pe_of(o, t, t->tag->parent)};
    case ISA_OP_RESULT:
        return (struct makes){oracle_result_list(o, t), pe_of(o, t, t->tag->parent)};
    default:
        return all;
    }
}

static struct makes makes_access(const struct oracle *o, unsigned pe,
                                 const struct token *t, const struct token *partner)
{
    const struct value address = t->port == 0 ? t->value : partner->value;
    const unsigned at = oracle_element_pe(o, address);
    if (!t->request && at != pe)
        return (struct makes){1, at};
    return (struct makes){all_lists(o, t->instr), pe_of(o, t, t->tag)};
}

/* A token that would make its instruction fire, live. */
static struct makes makes_live(const struct oracle *o, unsigned pe, const struct token *t,
                               const struct token *partner)
{
    const struct isa_node *node = t->instr->node;
    const uint64_t all = all_lists(o, t->instr);
    switch (node->op) {
    case ISA_OP_SEND:
        return (struct makes){1, pe_of_receive(o, t)};
    case ISA_OP_SWITCH:
        if (!o->s->propagate) {
            const uint64_t yes = oracle_list_length(o, node, 0),
                           no = oracle_list_length(o, node, 1);
            return (struct makes){yes > no ? yes : no, pe};
        }
        return (struct makes){all, pe};
    case ISA_OP_CALL:
    case ISA_OP_ENTER:
    case ISA_OP_NEXT:
    case ISA_OP_TRACK_CALL:
    case ISA_OP_TRACK_ENTER:
    case ISA_OP_TRACK_NEXT:
        return (struct makes){all, oracle_pe_on(o, t->instr, place_of_child(o, t))};
    case ISA_OP_RETURN:
    case ISA_OP_EXIT:
        return (struct makes){all, pe_of(o, t, t->tag->parent)};
    case ISA_OP_APPLY:
        if (oracle_has_coordinator(o) && !t->chosen)
            return (struct makes){pe != oracle_coordinator_at(o),
                                  oracle_coordinator_at(o)};
        return (struct makes){node->operand_count, oracle_copy_place(o, pe, t)};
    case ISA_OP_RESULT:
        return (struct makes){oracle_result_list(o, t), pe_of(o, t, t->tag->parent)};
    case ISA_OP_FETCH:
    case ISA_OP_STORE:
    case ISA_OP_CONTRIBUTE:
    case ISA_OP_TOTAL:
    case ISA_OP_FIELD:
    case ISA_OP_FILL:
        return makes_access(o, pe, t, partner);
    default:
        return (struct makes){all, pe};
    }
}

/* A partner that was issued before the token in this cycle, or NULL. */
static const struct token *taken_before(const struct oracle *o, const struct token *t)
{
    for (size_t i = 0; i < o->taken.count; i++) {
        const struct token *other = &o->taken.items[i];
        if (other->instr == t->instr && other->tag == t->tag && !other->start &&
            other->port != t->port && !other->request && !other->message)
            return other;
    }
    return NULL;
}

static struct makes makes_two(struct oracle *o, unsigned pe, const struct token *t)
{
    const struct waiting *w = oracle_partner(t->tag, t->instr);
    const struct token *partner = w ? &w->token : taken_before(o, t);
    const bool collides = partner &&
                          (partner->port == t->port || (w && w->away != t->request));
    if (!partner || (!w && oracle_stores(t->instr->node)) || collides)
        return (struct makes){0, pe}; /* two for one operand are a trap */
    if (t->dead || partner->dead)
        return makes_dead(o, pe, t);
    if (w && oracle_kernel_would_wait(o, t, partner))
        return (struct makes){0, pe};
    return makes_live(o, pe, t, partner);
}

static struct makes makes(struct oracle *o, unsigned pe, const struct token *t)
{
    if (t->message)
        return (struct makes){0, pe};
    if (t->instr->node->op == ISA_OP_APPLY) {
        if (!oracle_apply_is_last(t))
            return (struct makes){0, pe};
        return oracle_apply_is_dead(t) ? makes_dead(o, pe, t)
                                       : makes_live(o, pe, t, NULL);
    }
    if (t->instr->tokens == 2 && !oracle_is_skipped(t))
        return makes_two(o, pe, t);
    if (t->dead)
        return makes_dead(o, pe, t);
    if (t->instr->held != NONE && !oracle_constant(o, t->instr, t->tag)->here)
        return (struct makes){0, pe}; /* it will be parked */
    if (oracle_kernel_would_wait(o, t, NULL))
        return (struct makes){0, pe};
    return makes_live(o, pe, t, NULL);
}

static bool fits(uint64_t used, uint64_t more, uint64_t capacity)
{
    return capacity == 0 || used == 0 || used + more <= capacity;
}

/* The capacity of the input queue of a PE. */
static uint64_t capacity_of(const struct oracle *o, unsigned pe)
{
    return (oracle_wrong(o, QUEUES) ? o->s : oracle_at(o, pe))->queue_capacity;
}

/* Whether the input queue of some PE is finite. */
bool oracle_has_input_bounds(const struct oracle *o)
{
    bool has = o->s->queue_capacity > 0;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        has |= !o->s->executor_workers && oracle_at(o, pe)->queue_capacity > 0;
    return has;
}

bool oracle_has_bounds(const struct oracle *o)
{
    return oracle_has_input_bounds(o) || o->s->network_capacity;
}

/* Whether a PE has room for what a token makes. `queued`: the token is in its input queue. */
static bool has_room(struct oracle *o, unsigned pe, struct makes m, bool queued)
{
    const struct pe *from = &o->pes[pe], *to = &o->pes[m.to];
    o->lack_is_port = o->s->topology && m.to != pe;
    o->lack = o->lack_is_port ? pe : m.to;
    if (o->s->topology && m.to != pe)
        return fits(from->output.count + from->leaving + from->promised_output, m.count,
                    o->s->network_capacity);
    uint64_t used = to->input.count + to->coming + to->promised_input;
    if (m.to == pe && queued && !oracle_wrong(o, ITSELF))
        used--;
    return fits(used, m.count, capacity_of(o, m.to));
}

/* Reserves room for what a token makes, except for what the start makes at its own PE. */
static bool promise(struct oracle *o, unsigned pe, const struct token *t, bool queued)
{
    struct makes m = makes(o, pe, t);
    if (queued && !t->message && oracle_makes_later(o, pe, t))
        m.count = 0;
    const bool exempt = m.count == 0 || (t->start && m.to == pe);
    if (!exempt && !has_room(o, pe, m, queued))
        return false;
    if (oracle_wrong(o, PROMISES))
        return true;
    if (o->s->topology && m.to != pe)
        o->pes[pe].promised_output += m.count;
    else
        o->pes[m.to].promised_input += m.count;
    return true;
}

bool oracle_room_for_turn(struct oracle *o, unsigned pe, const struct token *t)
{
    return promise(o, pe, t, true);
}

/* For what continues after waiting. */
bool oracle_room_to_go_on(struct oracle *o, const struct token *t)
{
    return promise(o, t->to, t, false);
}

bool oracle_room_in_port(const struct oracle *o, unsigned pe)
{
    const struct pe *p = &o->pes[pe];
    return o->s->network_capacity == 0 || oracle_wrong(o, PORT) ||
           p->port.count + p->arriving < o->s->network_capacity;
}

bool oracle_room_in_queue(const struct oracle *o, unsigned pe)
{
    const struct pe *p = &o->pes[pe];
    const uint64_t capacity = capacity_of(o, pe);
    const uint64_t keep = o->longest < capacity / 2 ? o->longest : capacity / 2;
    const uint64_t used = p->input.count + p->coming;
    return capacity == 0 || used == 0 || used + 1 + keep <= capacity;
}
