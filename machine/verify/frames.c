/* Activations, and the contents of their frames. */
#include "isa/exec/loop_constant.h"
#include "isa/op_columns.h"
#include "machine/pe/match.h"
#include "machine/placement/capability.h"
#include "machine/verify/verify_counts.h"

/* --- where frames stand ----------------------------------------------------------------------- */

struct isa_activation *machine_audit_activation(struct machine_audit *f, isa_tag tag)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    const bool is_one = tag < tags->used && f->frames[tag] == MACHINE_FRAME_ALIVE;
    if (!machine_must(f, is_one, "a token or child belongs to an activation that lives"))
        return NULL;
    return isa_activations_get(tags, tag);
}

bool machine_audit_fires(const struct machine_audit *f, uint32_t instr,
                         const struct isa_activation *a)
{
    const struct isa_graph *graph = f->m->code->graph;
    const struct isa_node *n = &graph->nodes[isa_code_node(f->m->code, instr)];
    return isa_node_frame(graph, n) == a->function &&
           (!isa_op_takes_control(n->op) || n->site == a->site);
}

static void find_frames(struct machine_audit *f)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    const uint64_t header = sizeof(struct isa_activation) / ISA_FRAME_UNIT;
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        if (!machine_must(f,
                          at + header <= tags->used &&
                              a->function < tags->function_count &&
                              at + tags->shapes[a->function].units <= tags->used,
                          "an activation is of a function"))
            return;
        f->frames[at] = a->live > 0 ? MACHINE_FRAME_ALIVE : MACHINE_FRAME_FREE;
        f->alive += a->live > 0;
        f->freed += a->live == 0;
        f->of_function[a->function] += a->live > 0;
        at += tags->shapes[a->function].units;
    }
}

/* Returns the index of a slot's unit of memory. */
static size_t unit_of(const struct machine_audit *f, const struct isa_slot *slot)
{
    return (size_t)((const unsigned char *)slot - f->m->tokens.exec.tags.memory) /
           ISA_FRAME_UNIT;
}

static void find_parent(struct machine_audit *f, isa_tag tag, struct isa_activation *a)
{
    const struct machine *m = f->m;
    const struct isa_activations *tags = &m->tokens.exec.tags;
    const struct isa_activation *parent = machine_audit_activation(f, a->parent);
    if (!parent ||
        !machine_must(f,
                      a->site < m->code->graph->site_count &&
                          m->code->sites[a->site].callee == a->function &&
                          m->code->sites[a->site].caller == parent->function,
                      "an activation is of a site of its parent") ||
        !machine_must(f, a->depth == parent->depth + 1,
                      "a tag is one longer than its parent's"))
        return;
    const bool is_loop = tags->shapes[a->function].is_loop;
    uint64_t path = isa_tag_path(parent->path, a->site);
    if (is_loop)
        path = isa_tag_iteration_path(path, isa_iteration_number(a));
    machine_must(f, a->path == path, "the path is that of the tag");
    f->held[a->parent]++;
    if (is_loop)
        f->in_flight[unit_of(f, isa_activations_flight(tags, a->parent, a->site))]++;
    (void)tag;
}

static void find_slots(struct machine_audit *f, const struct isa_activation *a)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    const struct isa_shares *s = tags->shares && tags->shares->slots_on ? tags->shares
                                                                        : NULL;
    if (!s)
        f->rooms[machine_place_of(a)].slots += tags->shapes[a->function].slots;
    else if (machine_must(f, machine_place_of(a) < s->owners,
                          "an activation has a place"))
        for (uint32_t i = 0; i < s->machines; i++)
            f->rooms[i * s->owners + machine_place_of(a)].slots += isa_shares_slots(
                s, a->function, a->site, i);
}

static bool is_capable(const struct machine *m, const struct isa_activation *a)
{
    return !m->capability ||
           machine_capability_has(m->capability, a->function, machine_place_of(a));
}

static void find_place(struct machine_audit *f, isa_tag tag,
                       const struct isa_activation *a)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    if (!machine_must(f, machine_place_of(a) < f->m->pe_count || !machine_has_place(a),
                      "an activation is at a PE"))
        return;
    const bool is_copy = isa_activations_is_copy(tags, tag);
    if (machine_has_place(a)) {
        machine_must(f, is_capable(f->m, a), "an activation is where it can be");
        find_slots(f, a);
        f->rooms[machine_place_of(a)].copied += is_copy ? tags->copy_nodes[a->function]
                                                        : 0;
    } else {
        machine_must(f, !is_copy || !tags->copies_at, "a copy is at a PE");
    }
}

static void each_frame(struct machine_audit *f,
                       void (*visit)(struct machine_audit *f, isa_tag tag,
                                     struct isa_activation *a))
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used && !f->broken;) {
        struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        visit(f, (isa_tag)at, a);
        at += tags->shapes[a->function].units;
    }
}

static void find_activation(struct machine_audit *f, isa_tag tag,
                            struct isa_activation *a)
{
    if (a->live == 0)
        return;
    find_place(f, tag, a);
    if (tag != ISA_TAG_ROOT)
        find_parent(f, tag, a);
}

void machine_audit_frames(struct machine_audit *f)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    find_frames(f);
    if (f->broken || !machine_audit_activation(f, ISA_TAG_ROOT))
        return;
    const struct isa_activation *root = isa_activations_get(tags, ISA_TAG_ROOT);
    machine_must(f, root->function == 0 && root->site == ISA_SITE_NONE && !root->depth,
                 "the first activation is the root");
    machine_must(f, tags->consumed.count == 0, "what was consumed is given up");
    f->held[ISA_TAG_ROOT]++; /* the run keeps the root alive */
    each_frame(f, find_activation);
}

/* --- what waits in slots ---------------------------------------------------------------------- */

/* Checks a token that waits for a loop constant, with slots in this frame. */
static bool check_parked(struct machine_audit *f, const struct isa_activation *a,
                         const struct isa_slot *constant, const struct isa_token *t)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    const uint32_t instr = isa_token_instr(t);
    if (!machine_must(f,
                      instr < x->code->instr_count && !isa_token_is_dead(t) &&
                          x->code->instrs[instr].form == ISA_FORM_HELD,
                      "what is parked wants a constant"))
        return false;
    const struct isa_node *n = &x->code->graph->nodes[isa_code_node(x->code, instr)];
    const uint32_t port = isa_token_port(t);
    const struct isa_activation *own = machine_audit_activation(f, isa_token_tag(t));
    return own &&
           machine_must(f,
                        machine_audit_fires(f, instr, own) &&
                            isa_token_tag(t) != ISA_TAG_ROOT && port < n->operand_count &&
                            n->operands[port].kind == ISA_OPERAND_TOKEN &&
                            isa_activations_get(&x->tags, own->parent) == a &&
                            isa_loop_constant_slot(x, isa_token_tag(t),
                                                   &x->code->instrs[instr]) == constant,
                        "a token is parked for a constant of its loop") &&
           machine_must(f, machine_token_pe(t) < f->m->pe_count, "a token is at a PE") &&
           machine_audit_operand(f, instr, port, t->value);
}

static void find_parked(struct machine_audit *f, const struct isa_activation *a,
                        const struct isa_slot *constant)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    uint32_t last = ISA_PARKED_END;
    for (uint32_t i = isa_loop_constant_first(constant); i != ISA_PARKED_END;
         i = x->parked.items[i].next) {
        if (!machine_must(f, i < x->parked.count && !f->parked_seen[i]++,
                          "a token is parked once") ||
            !check_parked(f, a, constant, &x->parked.items[i].token))
            return;
        f->held[isa_token_tag(&x->parked.items[i].token)]++;
        f->parked++;
        last = i;
    }
    machine_must(f, last == (uint32_t)constant->value,
                 "the last token that is parked is known");
}

/* Returns the instruction whose operands meet in a slot. */
static uint32_t pair_instr(const struct machine_audit *f, const struct isa_activation *a,
                           const struct machine_audit_use *use, uint32_t slot)
{
    if (use->of != UINT32_MAX)
        return use->of;
    return a->site == ISA_SITE_NONE ? UINT32_MAX : f->of_site[a->site][slot];
}

static void find_room(struct machine_audit *f, isa_tag tag, const struct isa_slot *s,
                      const struct isa_instr *instr)
{
    const uint32_t pe = machine_pe_at(f->m,
                                      machine_place_of_tag(&f->m->tokens.exec.tags, tag),
                                      (uint32_t)(instr - f->m->code->instrs));
    if (f->m->executor ||
        !machine_must(f, pe < f->m->pe_count, "an operand waits at a PE"))
        return;
    if (s->info & ISA_SLOT_OVERFLOW) {
        f->rooms[pe].away++;
        return;
    }
    f->rooms[pe].matched++;
    if (f->m->has_match_table)
        f->in_set[machine_match_set_of(
            f->m->match, pe, machine_match_key(&f->m->tokens.exec, tag, instr))]++;
}

static void find_pair(struct machine_audit *f, isa_tag tag, const struct isa_slot *s,
                      uint32_t number)
{
    const struct isa_code *code = f->m->code;
    const uint64_t marks = s->info & ((1 << ISA_SLOT_DEPTH_SHIFT) - 1);
    if (!machine_must(f, number < code->graph->node_count,
                      "an instruction has this slot"))
        return;
    const struct isa_instr *instr = &code->instrs[number];
    const bool sent = isa_op_accesses_element(instr->op) || f->m->counted ||
                      (f->m->kernels_wait && isa_op_is_on_tensors(instr->op));
    const uint64_t allowed = ISA_SLOT_WAITING | ISA_SLOT_PORT | ISA_SLOT_OVERFLOW |
                             (code->propagate ? ISA_SLOT_DEAD : 0) |
                             (sent ? ISA_SLOT_SENT : 0);
    if (!machine_must(f, (marks & ISA_SLOT_WAITING) && !(marks & ~allowed),
                      "an operand waits in a slot of two"))
        return;
    f->held[tag]++;
    f->waiting++;
    find_room(f, tag, s, instr);
    if (!isa_slot_is_dead(s))
        machine_audit_operand(f, number, isa_slot_port(s), s->value);
}

static void find_constant(struct machine_audit *f, isa_tag tag,
                          const struct isa_activation *a, const struct isa_slot *s,
                          uint32_t hold)
{
    const uint64_t marks = s->info & ((1 << ISA_SLOT_DEPTH_SHIFT) - 1);
    if (s->info == ISA_SLOT_WANTED) {
        find_parked(f, a, s);
        return;
    }
    if (!machine_must(f, hold < f->m->code->graph->node_count, "a HOLD brings it"))
        return;
    const bool refers = f->m->code->instrs[hold].refers & ISA_REFERS_FIRST;
    if (!machine_must(f, marks == (ISA_SLOT_HELD | (refers ? ISA_SLOT_REFERS : 0)),
                      "a constant is held, or wanted"))
        return;
    f->held[tag]++;
    machine_audit_operand(f, hold, false, s->value);
}

/* Finds the counters of a loop, in the frame around it. */
static void find_flight(struct machine_audit *f, isa_tag tag, const struct isa_slot *s,
                        uint32_t site)
{
    uint64_t come = 0;
    for (uint32_t i = 1; i <= f->m->code->held_of_site[site]; i++)
        come += isa_slot_is_held(&s[i]);
    const uint64_t marks = s->info & ((1 << ISA_SLOT_DEPTH_SHIFT) - 1);
    f->held[tag] += isa_slot_is_held(s);
    machine_must(f, (marks & ~(uint64_t)ISA_SLOT_HELD) == 0, "a loop counts");
    machine_must(f, isa_loop_alive(s) == f->in_flight[unit_of(f, s)],
                 "the iterations of a loop are counted");
    machine_must(f, s->value >> ISA_LOOP_HELD_SHIFT == come,
                 "the constants of a loop are counted");
    machine_must(f, s->info >> ISA_SLOT_DEPTH_SHIFT == f->nexts[unit_of(f, s)],
                 "NEXTs that are held back are counted");
}

static void find_arg(struct machine_audit *f, isa_tag tag, const struct isa_activation *a,
                     const struct isa_slot *s, uint32_t k)
{
    const struct isa_code *code = f->m->code;
    const uint64_t marks = s->info & ((1 << ISA_SLOT_DEPTH_SHIFT) - 1);
    if (!machine_must(f,
                      marks == ISA_SLOT_WAITING && a->site != ISA_SITE_NONE &&
                          k < code->sites[a->site].args &&
                          code->args[code->sites[a->site].first_arg + k].is_token,
                      "an argument waits"))
        return;
    f->held[tag]++;
    f->waiting++;
    machine_audit_operand(f, code->args[code->sites[a->site].first_arg + k].instr, false,
                          s->value);
}

/* Checks the number of waiting arguments of a call. */
static void find_call(struct machine_audit *f, const struct isa_activation *a,
                      const struct isa_slot *own)
{
    const uint32_t args = f->m->code->graph->functions[a->function].param_count;
    uint64_t has = 0;
    for (uint32_t k = 0; k < args; k++)
        has += isa_slot_is_waiting(&own[1 + k]);
    if (own->info & ISA_SLOT_COPIED)
        machine_must(f, own->info == ISA_SLOT_COPIED && has == 0,
                     "nothing waits for a call that was made");
    else
        machine_must(f,
                     own->info == has << ISA_SLOT_DEPTH_SHIFT &&
                         a->site != ISA_SITE_NONE &&
                         (has < f->m->code->sites[a->site].expects),
                     "arguments that came are counted");
}

static void find_absent(struct machine_audit *f, isa_tag tag, const struct isa_slot *s,
                        uint32_t apply)
{
    const struct isa_code *code = f->m->code;
    if (!machine_must(f,
                      s->info == ISA_SLOT_ABSENT && s->value &&
                          s->value < code->sites[code->instrs[apply].site].expects,
                      "arguments that are hiatons are counted"))
        return;
    f->held[tag] += (uint32_t)s->value;
    f->waiting += s->value;
}

static void find_slot(struct machine_audit *f, isa_tag tag, struct isa_activation *a,
                      uint32_t i)
{
    const struct machine_audit_use *use = &f->uses[a->function][i];
    struct isa_slot *s = &isa_activation_slots(a)[i];
    if (use->use == MACHINE_SLOT_FLIGHT)
        find_flight(f, tag, s, use->of);
    else if (use->use == MACHINE_SLOT_CALL)
        find_call(f, a, s);
    else if (use->use == MACHINE_SLOT_ITERATION)
        f->held[tag] += isa_iteration_expects(a);
    if (use->use == MACHINE_SLOT_ITERATION)
        machine_must(f,
                     s->info % (1 << ISA_SLOT_DEPTH_SHIFT) == 0 &&
                         s->info >> ISA_SLOT_DEPTH_SHIFT <=
                             f->m->code->sites[a->site].variables,
                     "an iteration expects its variables");
    if (s->info == ISA_SLOT_EMPTY)
        return;
    switch (use->use) {
    case MACHINE_SLOT_PAIR:
        find_pair(f, tag, s, pair_instr(f, a, use, i));
        break;
    case MACHINE_SLOT_CHOICE:
        machine_must(f, s->info == isa_slot_seen(false) || s->info == isa_slot_seen(true),
                     "a MERGEIF has seen a token");
        break;
    case MACHINE_SLOT_CONSTANT:
        find_constant(f, tag, a, s, use->of);
        break;
    case MACHINE_SLOT_ARG:
        find_arg(f, tag, a, s, use->of);
        break;
    case MACHINE_SLOT_ABSENT:
        find_absent(f, tag, s, use->of);
        break;
    case MACHINE_SLOT_UNUSED:
        machine_must(f, false, "nothing waits in a slot that nothing uses");
        break;
    case MACHINE_SLOT_FLIGHT:
    case MACHINE_SLOT_ITERATION:
    case MACHINE_SLOT_CALL:
        break;
    }
}

/* Checks a slot of a freed activation. What may remain is cleared when its frame is reused. */
static void check_free_slot(struct machine_audit *f, struct isa_activation *a, uint32_t i)
{
    const enum machine_slot_use use = f->uses[a->function][i].use;
    const struct isa_slot *s = &isa_activation_slots(a)[i];
    const bool is_cleared = use == MACHINE_SLOT_CHOICE || use == MACHINE_SLOT_ITERATION ||
                            use == MACHINE_SLOT_CALL;
    machine_must(f, is_cleared || isa_slot_is_empty(s),
                 "nothing waits in the frame of a freed activation");
    machine_must(f, use != MACHINE_SLOT_FLIGHT || s->value == 0,
                 "no loop goes on in the frame of a freed activation");
}

/* --- children --------------------------------------------------------------------------------- */

/* Checks an activation that a frame names: its next iteration, or a call. */
static void find_child(struct machine_audit *f, isa_tag tag, struct isa_activation *a,
                       uint32_t i, isa_tag named)
{
    const struct isa_code *code = f->m->code;
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    const struct isa_function *function = &code->graph->functions[a->function];
    const bool next = function->is_loop && code->sites[a->site].variables > 1 &&
                      i == ISA_LOOP_CHILD;
    struct isa_activation *child = machine_audit_activation(f, named);
    if (!child ||
        !machine_must(f,
                      named != ISA_TAG_ROOT && child->parent == (next ? a->parent : tag),
                      "a child has its parent, the next iteration that of this one") ||
        !machine_must(f, !f->named[named]++, "a child is named once") ||
        !machine_must(f,
                      next ? child->site == a->site : code->sites[child->site].child == i,
                      "a child is named at its place"))
        return;
    if (tags->shapes[child->function].is_loop)
        machine_must(f,
                     isa_iteration_expects(child) > 0 &&
                         isa_iteration_number(child) ==
                             (next ? isa_iteration_number(a) + 1 : 0),
                     "an iteration is named while variables are to come");
}

static void find_children(struct machine_audit *f, isa_tag tag, struct isa_activation *a)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    const isa_tag *children = isa_activations_children(tags, a);
    for (uint32_t i = 0; i < tags->shapes[a->function].children && !f->broken; i++) {
        if (children[i] == ISA_TAG_NONE)
            continue;
        if (!machine_must(f, a->live > 0, "a freed activation has no children"))
            return;
        if (children[i] >= ISA_TAG_LIMIT)
            f->calls_named++; /* a call that waits for an identifier */
        else
            find_child(f, tag, a, i, children[i]);
    }
}

static void find_frame(struct machine_audit *f, isa_tag tag, struct isa_activation *a)
{
    for (uint32_t i = 0;
         i < f->m->tokens.exec.tags.shapes[a->function].slots && !f->broken; i++)
        if (a->live > 0)
            find_slot(f, tag, a, i);
        else
            check_free_slot(f, a, i);
    find_children(f, tag, a);
}

void machine_audit_slots(struct machine_audit *f)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    each_frame(f, find_frame);
    for (uint32_t i = x->parked_free; i != ISA_PARKED_END && !f->broken;
         i = x->parked.items[i].next)
        if (!machine_must(f, i < x->parked.count && !f->parked_seen[i]++,
                          "a place for tokens is free, or in use"))
            return;
    machine_must(f, x->woken == ISA_PARKED_END, "who was woken has gone on");
}

/* --- lives ------------------------------------------------------------------------------------ */

static void check_live(struct machine_audit *f, isa_tag tag, struct isa_activation *a)
{
    machine_must(
        f, a->live == f->held[tag],
        "`live` counts the tokens, deferred reads and children of an activation, the "
        "variables that an iteration expects, and the constants that are held");
}

static void check_free_frames(struct machine_audit *f)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    uint64_t listed = 0;
    for (uint32_t function = 0; function < tags->function_count; function++)
        for (isa_tag tag = tags->free_frames[function]; tag != ISA_TAG_NONE;
             tag = isa_activations_get(tags, tag)->parent) {
            if (!machine_must(f,
                              tag < tags->used && f->frames[tag] == MACHINE_FRAME_FREE &&
                                  listed++ < f->freed,
                              "a free frame is not in use") ||
                !machine_must(f, isa_activations_get(tags, tag)->function == function,
                              "a free frame is listed under its function"))
                return;
        }
    machine_must(f, listed == f->freed, "every free frame is listed, once");
}

void machine_audit_lives(struct machine_audit *f)
{
    each_frame(f, check_live);
    if (!f->broken)
        check_free_frames(f);
}
