/* "Machines": graphs divided among several, and shares of activations. */
#include "tests/oracle/state.h"

#include <assert.h>

/* The machine of the instructions that name a site. */
uint32_t oracle_home_of_site(const struct oracle *o, uint32_t site)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (isa_op_has_site(o->graph->nodes[n].op) &&
            !isa_op_tracks(o->graph->nodes[n].op) && o->graph->nodes[n].site == site)
            return o->graph->nodes[n].machine;
    return 0;
}

/* "Tag tracking": RECVs are scheduled. */
static bool is_scheduled(const struct oracle *o)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (o->graph->nodes[n].op == ISA_OP_AWAIT)
            return true;
    return false;
}

static uint32_t home(const struct oracle *o, const struct activation *a)
{
    return a->parent ? oracle_home_of_site(o, a->site) : 0;
}

static const struct instr *first_of_site(const struct oracle *o, uint32_t site)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (isa_op_has_site(o->graph->nodes[n].op) && o->graph->nodes[n].site == site)
            return &o->instrs[n];
    return NULL;
}

/* A machine has nothing left of an activation: its home will be told. */
static void send_release(struct oracle *o, struct activation *a, uint32_t machine)
{
    if (!a->parent)
        return;
    const unsigned pes = (unsigned)(o->s->pe_count / o->graph->machine_count);
    const struct instr *instr = first_of_site(o, a->site);
    const struct token t = {.instr = instr,
                            .tag = a,
                            .from = machine * pes + a->place,
                            .to = oracle_pe_on(o, instr, a->place),
                            .message = RELEASES};
    o->outcome->stats.releases++;
    if (oracle_wrong(o, TOLD))
        return;
    a->live++;
    o->live_tokens++;
    oracle_put(&o->left, &t);
}

/* After all else that a turn sends. */
void oracle_send_releases(struct oracle *o)
{
    for (size_t i = 0; i < o->left.count; i++) {
        const uint64_t stages = oracle_stages(o, o->left.items[i].from);
        oracle_route(o, &o->left.items[i], o->now + (stages ? stages : 1), false);
    }
    o->left.count = 0;
}

/* Changes what a machine (NONE: no machine) has of an activation; when nothing is left, tells the
 * home. */
void oracle_share(struct oracle *o, struct activation *a, uint32_t machine, int more)
{
    if (o->graph->stage != ISA_STAGE_PARTITIONED || machine == NONE || is_scheduled(o))
        return;
    if (!a->shares)
        a->shares = lib_mem_new(o->graph->machine_count * sizeof *a->shares);
    assert(more > 0 || a->shares[machine] > 0);
    a->shares[machine] += (uint32_t)more;
    if (more > 0 || a->shares[machine] > 0 ||
        (machine == home(o, a) && !oracle_wrong(o, RELEASES)))
        return;
    if (o->s->tells_releases)
        send_release(o, a, machine);
    else
        o->outcome->stats.releases++;
}

unsigned oracle_pe_on(const struct oracle *o, const struct instr *instr, unsigned place)
{
    if (o->graph->stage != ISA_STAGE_PARTITIONED)
        return place;
    return (unsigned)(instr->node->machine * (o->s->pe_count / o->graph->machine_count)) +
           place;
}

bool oracle_carries(const struct instr *instr)
{
    return instr->node->op == ISA_OP_SEND || isa_op_receives(instr->node->op);
}

const struct instr *oracle_receive(const struct oracle *o, const struct instr *send)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (isa_op_receives(o->graph->nodes[n].op) &&
            o->graph->nodes[n].index == send->node->index)
            return &o->instrs[n];
    return NULL;
}

/* The part of a function's result that an arc leads to RETURNs, directly or over a channel; NONE:
 * another arc. */
static uint32_t part_of(const struct oracle *o, struct isa_dest to)
{
    const struct instr *i = &o->instrs[to.node];
    if (i->node->op == ISA_OP_SEND) {
        to = oracle_receive(o, i)->node->outputs[0].items[0];
        i = &o->instrs[to.node];
    }
    return i->node->op == ISA_OP_RETURN && to.port == 0 ? i->node->index : NONE;
}

static bool is_known(const struct oracle *o, const struct isa_dests *dests, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (part_of(o, dests->items[i]) == part_of(o, dests->items[at]))
            return true;
    return false;
}

/* Tokens sent to a list: all arcs to the RETURNs of a part are one. */
uint64_t oracle_list_length(const struct oracle *o, const struct isa_node *node,
                            uint32_t list)
{
    const struct isa_dests *dests = &node->outputs[list];
    uint64_t length = 0;
    if (o->graph->stage != ISA_STAGE_PARTITIONED)
        return dests->count;
    for (uint32_t i = 0; i < dests->count; i++)
        length += part_of(o, dests->items[i]) == NONE || !is_known(o, dests, i);
    return length;
}

/* Where a part of the result goes: to the RETURN that the tag names, or to the SEND that leads
 * there. */
static const struct instr *way_back(const struct oracle *o, const struct isa_dests *dests,
                                    uint32_t part, const struct activation *tag)
{
    const struct instr *back = oracle_find(o, ISA_OP_RETURN, tag->site, part);
    for (uint32_t i = 0; i < dests->count; i++) {
        const struct instr *to = &o->instrs[dests->items[i].node];
        if (to == back && dests->items[i].port == 0)
            return to;
        if (to->node->op != ISA_OP_SEND)
            continue;
        const struct isa_dests *far = &oracle_receive(o, to)->node->outputs[0];
        for (uint32_t k = 0; k < far->count; k++)
            if (&o->instrs[far->items[k].node] == back && far->items[k].port == 0)
                return to;
    }
    return NULL;
}

void oracle_send_parts(struct oracle *o, const struct firing *f, unsigned list,
                       struct activation *tag, struct value value, bool dead)
{
    const struct isa_dests *dests = &f->instr->node->outputs[list];
    for (uint32_t i = 0; i < dests->count; i++) {
        const uint32_t part = part_of(o, dests->items[i]);
        if (part == NONE)
            oracle_send(o, f, &o->instrs[dests->items[i].node], dests->items[i].port, tag,
                        value, dead);
        else if (!is_known(o, dests, i))
            oracle_send(o, f, way_back(o, dests, part, tag), 0, tag, value, dead);
    }
}

/* Whether a channel leads only to instructions that track tags. */
static bool decides(const struct oracle *o, const struct instr *instr)
{
    const struct isa_dests *to = &oracle_receive(o, instr)->node->outputs[0];
    for (uint32_t i = 0; i < to->count; i++)
        if (!isa_op_tracks(o->graph->nodes[to->items[i].node].op))
            return false;
    return true;
}

static void step(struct oracle *o, const struct firing *f, bool dead)
{
    oracle_why_fires(o, f->instr, f->pe, o->now + f->delay);
    o->fired.instr = f->instr;
    o->fired.dead = dead;
    o->fired.has_frame = oracle_has_frame(o, f->tag);
    if (o->s->executor_workers)
        return; /* the worker counts it */
    o->pes[f->pe].stats.busy++;
    if (o->now + f->delay > o->outcome->stats.cycles)
        o->outcome->stats.cycles = o->now + f->delay;
}

/* A SEND or RECV passes on a token, live or dead, without firing. */
void oracle_carry(struct oracle *o, struct firing *f, const struct token *t)
{
    struct oracle_stats *stats = &o->outcome->stats;
    const bool sends = f->instr->node->op == ISA_OP_SEND;
    if (decides(o, f->instr)) {
        ++*(sends ? &stats->tag_sends : &stats->tag_receives);
        stats->tag_tokens++;
    } else if (sends) {
        ++*(t->dead ? &stats->dead_sends : &stats->sends);
    } else {
        ++*(t->dead ? &stats->dead_receives : &stats->receives);
    }
    stats->tag_tokens += f->instr->node->op == ISA_OP_AWAIT;
    step(o, f, t->dead);
    f->depth = t->depth + oracle_wrong(o, CARRIED);
    if (sends) {
        const struct instr *to = oracle_receive(o, f->instr);
        oracle_send(o, f, to, to->node->op == ISA_OP_AWAIT, f->tag, t->value, t->dead);
    } else {
        oracle_send_parts(o, f, 0, f->tag, t->value, t->dead);
    }
}

uint32_t oracle_followers(const struct oracle *o, uint32_t site)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        count += (o->graph->nodes[n].op == ISA_OP_TRACK_CALL ||
                  o->graph->nodes[n].op == ISA_OP_TRACK_ENTER) &&
                 o->graph->nodes[n].site == site;
    return count;
}

/* A turn of an instruction that tracks tags, whose operand 1 is `decision`; it took `taken`
 * tokens. */
void oracle_track(struct oracle *o, struct firing *f, bool dead, bool decision,
                  unsigned taken)
{
    struct oracle_stats *stats = &o->outcome->stats;
    const struct value dummy = {.word = 1};
    stats->tag_tokens += taken;
    const bool switches = f->instr->node->op == ISA_OP_TRACK_SWITCH;
    const bool follows = !switches && f->instr->node->op != ISA_OP_TRACK_MERGE;
    if (dead && follows)
        return; /* absorbed */
    f->depth = 0;
    stats->tag_steps++;
    if (follows && !oracle_finds_room(o, f)) {
        oracle_trap(o);
        return;
    }
    step(o, f, dead);
    if (follows) {
        stats->tags_followed++;
        oracle_follow(o, f, dummy);
    } else if (!switches) {
        oracle_send_list(o, f, 0, f->tag, dummy, false);
    } else if (dead) {
        oracle_send_list(o, f, 0, f->tag, dummy, true);
        oracle_send_list(o, f, 1, f->tag, dummy, true);
    } else {
        const unsigned list = decision == oracle_wrong(o, DECIDED);
        o->fired.taken = list;
        oracle_send_list(o, f, list, f->tag, dummy, false);
        oracle_send_list(o, f, !list, f->tag, dummy, true);
    }
}
