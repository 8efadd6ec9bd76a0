/* machine/verify.h finds what is wrong, in any build. */
#include "isa/fire/fire.h"
#include "machine/checkpoint.h"
#include "machine/network/crossbar.h"
#include "machine/state.h"
#include "machine/pe/match.h"
#include "machine/verify.h"
#include "tests/unit/support.h"

/* --- a machine in the middle of a run --------------------------------------------------- */

/* Calls, conditionals, a constant that is read before it is written. */
static const char program[] =
    "result = fib(9) + slow\n"
    "slow = count(5, 1) * count(40, 1)\n"
    "count(n, x) = if n == 0 then x else count(n - 1, x)\n"
    "fib(n) = if n < 2 then n + slow - 1 else fib(n - 1) + fib(n - 2)\n";

struct running {
    struct isa_graph *graph;
    struct isa_code *code;
    struct machine *machine;
};

/* A machine with stores like these, besides. */
enum stores {
    UNLIMITED,
    FINITE_QUEUES,
    HASH,
    FRAMES,
    POOL,
    INTERNED,
    COPIES, /* the expanding strategy */
    STORES_COUNT,
};

static const char *const stores[STORES_COUNT][3][2] = {
    [FINITE_QUEUES] = {{"queue.capacity", "400"}, {"network.capacity", "100"}},
    [HASH] = {{"match.store", "hash"}, {"match.capacity", "2"}, {"match.ways", "1"}},
    [FRAMES] = {{"match.store", "frames"}, {"match.capacity", "300"}},
    [POOL] = {{"tag.scheme", "pool"}, {"tag.pool", "8"}},
    [INTERNED] = {{"tag.scheme", "interned"}, {"tag.bits", "8"}},
    [COPIES] = {{"copy.workers", "1"},
                {"copy.latency", "20"},
                {"copy.placement", "placed"}},
};

static struct running start(const char *topology, bool propagate, enum stores with)
{
    struct running r;
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set(&settings, "pe.count", "5");
    test_set(&settings, "network.topology", topology);
    test_set(&settings, "deadness", propagate ? "propagate" : "suppress");
    for (int i = 0; i < 3 && stores[with][i][0]; i++)
        test_set(&settings, stores[with][i][0], stores[with][i][1]);
    r.graph = test_compile(program,
                           with == COPIES ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
    r.code = isa_code_make(r.graph, NULL, propagate);
    r.machine = machine_new(r.code, &settings, 0);
    return r;
}

static void finish(struct running *r)
{
    machine_free(r->machine);
    isa_code_free(r->code);
    isa_graph_free(r->graph);
}

/* Tokens that a part holds. */
struct held {
    const struct machine *m;
    const struct isa_token *first;
    size_t count;
    isa_tag *named; /* where a caller names a call that waits, or NULL */
};

static bool see_token(void *context, const struct isa_token *t,
                      enum machine_token_place place)
{
    struct held *held = context;
    const struct isa_instr *instr = &held->m->code->instrs[isa_token_instr(t)];
    (void)place;
    if (held->count++ == 0)
        held->first = t;
    if (held->m->tag_manager && !held->named)
        held->named = isa_fire_child_entry(&held->m->tokens.exec, isa_token_tag(t),
                                           instr);
    return true;
}

static struct held tokens_of(const struct machine *m, const struct machine_part *part)
{
    struct held held = {.m = m};
    part->each(m, machine_part_state(m, part), see_token, &held);
    return held;
}

static isa_tag *named_call(const struct machine *m)
{
    return tokens_of(m, &machine_tag_manager_part).named;
}

/* Matching stores and tag managers as in a checkpoint: mistakes are planted in these bytes. Sets
 * are first, a number for each, then operands in slower stores, or the slots of frames. */
struct stored {
    struct lib_text bytes;
};

enum { SETS = 2 }; /* of each PE, on machines HASH */

static void pack_stores(struct lib_pack *pack, struct machine *m)
{
    if (m->match)
        machine_match_pack(pack, m);
    if (m->tag_manager)
        machine_tag_manager_part.pack(pack, m, m->tag_manager);
}

static struct stored take_stores(struct machine *m)
{
    struct stored stored = {0};
    struct lib_pack pack = lib_pack_writer(&stored.bytes);
    pack_stores(&pack, m);
    return stored;
}

static void put_stores(struct machine *m, struct stored *stored)
{
    struct lib_pack pack = lib_pack_reader(stored->bytes.bytes, stored->bytes.length);
    if (m->tag_manager)
        machine_tag_manager_part.reset(m, m->tag_manager);
    pack_stores(&pack, m);
    ck_assert(lib_pack_is_whole(&pack));
    lib_text_free(&stored->bytes);
}

static uint32_t *sets_of(const struct stored *stored)
{
    return (void *)stored->bytes.bytes;
}

static uint64_t *away_of(const struct machine *m, const struct stored *stored)
{
    return (void *)(stored->bytes.bytes + m->pe_count * SETS * sizeof(uint32_t));
}

static bool is_some_away(struct machine *m)
{
    bool away = !m->has_match_table;
    struct stored stored = take_stores(m);
    for (uint32_t pe = 0; m->has_match_table && pe < m->pe_count; pe++)
        away |= away_of(m, &stored)[pe] > 0;
    lib_text_free(&stored.bytes);
    return away;
}

static bool is_in_the_middle(struct machine *m)
{
    const struct isa_exec *x = &m->tokens.exec;
    if (m->tag_manager && m->settings.tag_scheme == MACHINE_TAGS_INTERNED)
        return tokens_of(m, &machine_tag_manager_part).count > 0;
    if (m->tag_manager)
        return named_call(m) != NULL;
    const struct held held = m->copy ? tokens_of(m, &machine_graph_copy_part)
                                     : (struct held){0};
    if (m->code->expands)
        return held.count > 1 && x->tags.copies_at[1] && x->tags.freed_nodes &&
               m->code->instrs[isa_token_instr(held.first)].tokens;
    return x->tags.free_frames[1] && x->counts.waiting && x->waiting_reads &&
           is_some_away(m);
}

/* To where something is under way, waits, is deferred, has been freed and has children; or
 * CALLs wait, where these are limited. */
static void advance_to_the_middle(struct machine *m)
{
    while (!is_in_the_middle(m))
        ck_assert(machine_advance(m, 1));
}

START_TEST(a_run_is_right_after_every_cycle)
{
    static const char *const topologies[] = {"ideal", "crossbar"};
    for (int i = 0; i < 4 * STORES_COUNT; i++) {
        struct running r = start(topologies[i / 2 % 2], i % 2, i / 4);
        machine_verify(r.machine);
        while (machine_advance(r.machine, 1))
            machine_verify(r.machine);
        ck_assert_int_eq(machine_end(r.machine),
                         i / 4 == POOL ? ISA_END_TAGS_EXHAUSTED : ISA_END_COMPLETED);
        finish(&r);
    }
}
END_TEST

/* --- what is wrong is found ------------------------------------------------------------- */

static struct isa_activation *root(struct machine *m)
{
    return isa_activations_get(&m->tokens.exec.tags, ISA_TAG_ROOT);
}

/* The first token that waits in an input queue. */
static struct isa_token *first_token(struct machine *m)
{
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        struct machine_queue *q = &m->tokens.pes[pe].input;
        if (machine_queue_count(q))
            return &q->tokens[q->head & q->mask];
    }
    ck_abort_msg("no token is in any input queue");
}

/* Any frame of function 1, in use or free. */
static isa_tag some_frame(struct machine *m, bool free)
{
    const struct isa_activations *tags = &m->tokens.exec.tags;
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        if (a->function == 1 && (a->live == 0) == free)
            return (isa_tag)at;
        at += tags->shapes[a->function].units;
    }
    ck_abort_msg("no such frame");
}

static void lose_a_token(struct machine *m)
{
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        if (machine_queue_count(&m->tokens.pes[pe].input) > 1) {
            machine_queue_oldest(&m->tokens.pes[pe].input);
            return;
        }
    ck_abort_msg("no queue is long enough");
}

static void double_a_token(struct machine *m)
{
    struct isa_token t = *first_token(m);
    machine_queue_put(&m->tokens.pes[machine_token_pe(&t)].input, &t);
}

static void set_tag(struct isa_token *t, isa_tag tag)
{
    t->key = isa_token_key(isa_token_dest(t), tag);
}

static void token_of_a_freed_activation(struct machine *m)
{
    set_tag(first_token(m), some_frame(m, true));
}

static void token_of_another_activation(struct machine *m)
{
    set_tag(first_token(m), ISA_TAG_ROOT);
}

static void live_too_high(struct machine *m)
{
    isa_activations_get(&m->tokens.exec.tags, some_frame(m, false))->live++;
}

static void live_too_low(struct machine *m)
{
    root(m)->live--;
}

static void operand_in_a_free_frame(struct machine *m)
{
    struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags,
                                                   some_frame(m, true));
    isa_activation_slots(a)[0].info = ISA_SLOT_WAITING;
}

static void frame_not_listed(struct machine *m)
{
    m->tokens.exec.tags.free_frames[1] = ISA_TAG_NONE;
}

static void waiting_miscounted(struct machine *m)
{
    m->tokens.exec.counts.waiting++;
    m->tokens.exec.counts.live++; /* so that this one adds up */
}

static void deferred_miscounted(struct machine *m)
{
    m->tokens.exec.waiting_reads--;
}

static void activations_miscounted(struct machine *m)
{
    m->tokens.exec.tags.count++;
}

static void made_miscounted(struct machine *m)
{
    m->tokens.exec.counts.live++;
}

static void pe_miscounted(struct machine *m)
{
    m->tokens.pes[0].stats.local_tokens++;
}

static void firings_miscounted(struct machine *m)
{
    m->tokens.pes[0].stats.firings++;
    m->tokens.pes[0].stats.busy++;
}

static void pe_not_listed(struct machine *m)
{
    machine_set_remove(&m->tokens.with_input, machine_token_pe(first_token(m)));
}

static void function_miscounted(struct machine *m)
{
    m->tokens.exec.tags.freed[1]++;
}

static void held_miscounted(struct machine *m)
{
    m->tokens.pes[1].came++;
}

static void leaving_miscounted(struct machine *m)
{
    m->tokens.pes[2].stats.network_tokens++;
}

static void coming_miscounted(struct machine *m)
{
    m->network.crossbar->links[machine_link_input(m->network.crossbar, 3)].there--;
}

/* A PE whose output or input port a token waits before; advances to where there is one. */
static uint32_t waiting_link(struct machine *m)
{
    uint32_t link;
    do
        MACHINE_SET_EACH(&m->network.crossbar->waiting, link)
        {
            return link;
        }
    while (machine_advance(m, 1));
    ck_abort_msg("no token waits before a port");
}

static void link_not_listed(struct machine *m)
{
    machine_set_remove(&m->network.crossbar->waiting, waiting_link(m));
}

static void output_miscounted(struct machine *m)
{
    m->network.crossbar->links[1].stats.tokens++;
}

static void input_miscounted(struct machine *m)
{
    m->network.crossbar->links[machine_link_input(m->network.crossbar, 1)].stats.tokens++;
}

static void port_occupied_for_long(struct machine *m)
{
    m->network.crossbar->links[2].free = m->run.cycle + 2;
}

/* All that is on its way between ports goes to the port of another PE. */
static void port_of_another_pe(struct machine *m)
{
    for (uint64_t i = 0; i <= m->network.crossbar->transit.mask; i++)
        for (size_t k = 0; k < m->network.crossbar->transit.ways[i].tokens.count; k++) {
            uint32_t *link = &m->network.crossbar->transit.ways[i].tokens.items[k].link;
            *link = *link == m->pe_count ? m->pe_count + 1 : m->pe_count;
        }
}

static void set_miscounted(struct machine *m)
{
    struct stored stored = take_stores(m);
    sets_of(&stored)[1] ^= 1;
    put_stores(m, &stored);
}

/* As many in all, but one in the wrong place. */
static void operand_put_away(struct machine *m)
{
    struct stored stored = take_stores(m);
    uint32_t i = 0;
    while (sets_of(&stored)[i] == 0)
        i++;
    sets_of(&stored)[i]--;
    away_of(m, &stored)[i / SETS]++;
    put_stores(m, &stored);
}

static void set_overfull(struct machine *m)
{
    struct stored stored = take_stores(m);
    uint32_t pe = 0, *sets = sets_of(&stored);
    while (pe < m->pe_count && !(sets[SETS * pe] && sets[SETS * pe + 1]))
        pe++;
    ck_assert_msg(pe < m->pe_count, "no PE has two operands in its table");
    sets[SETS * pe]--;
    sets[SETS * pe + 1]++;
    put_stores(m, &stored);
}

static void frame_at_another_pe(struct machine *m)
{
    struct stored stored = take_stores(m);
    uint64_t *slots = (void *)stored.bytes.bytes;
    slots[0]++;
    slots[1]--;
    put_stores(m, &stored);
}

/* Adds to a number of tag managers, `before` bytes before the end. The last ones are: CALLs in
 * queues of managers; the first and last CALL of each list; the number of CALLs that wait, and each
 * with its token, the next and two others; the first free entry; and how many CALLs wait. */
static void add_to(struct machine *m, size_t before, uint64_t more)
{
    struct stored stored = take_stores(m);
    uint64_t number;
    char *at = stored.bytes.bytes + stored.bytes.length - before;
    memcpy(&number, at, sizeof number);
    number += more;
    memcpy(at, &number, sizeof number);
    put_stores(m, &stored);
}

enum { LISTS_AT = 8, LIST_BYTES = 8, CALL_BYTES = sizeof(struct isa_token) + 12 };

static uint32_t *list_of(const struct stored *stored, uint32_t list)
{
    return (void *)(stored->bytes.bytes + LISTS_AT + list * LIST_BYTES);
}

static void waiting_call_lost(struct machine *m)
{
    struct stored stored = take_stores(m);
    for (uint32_t list = 0; list < 2 * m->code->graph->function_count; list++)
        *list_of(&stored, list) = UINT32_MAX;
    put_stores(m, &stored);
}

static void calls_miscounted(struct machine *m)
{
    add_to(m, sizeof(uint64_t), 1);
}

static void waiting_call_not_named(struct machine *m)
{
    *named_call(m) = ISA_TAG_NONE;
}

static void another_call_named(struct machine *m)
{
    *named_call(m) += 1;
}

static void tag_units_miscounted(struct machine *m)
{
    add_to(m, sizeof(uint64_t) + LIST_BYTES + 2 * sizeof(uint64_t) + sizeof(uint32_t),
           (uint64_t)-1);
}

static void waiting_apply_of_no_call(struct machine *m)
{
    struct isa_token *t =
        (struct isa_token *)tokens_of(m, &machine_graph_copy_part).first;
    uint32_t other = 0;
    while (m->code->instrs[other].op == ISA_OP_APPLY || !m->code->instrs[other].tokens ||
           m->code->instrs[other].function !=
               m->code->instrs[isa_token_instr(t)].function)
        other++;
    t->key = isa_token_key(other << 1, isa_token_tag(t));
}

static void copy_at_another_pe(struct machine *m)
{
    m->tokens.exec.tags.copies_at[0]++;
    m->tokens.exec.tags.copies_at[1]--;
}

static void copy_never_freed(struct machine *m)
{
    m->tokens.exec.tags.freed_nodes--;
}

static void token_of_no_instruction(struct machine *m)
{
    struct isa_token *t = first_token(m);
    t->key = isa_token_key(m->code->instr_count << 1, isa_token_tag(t));
}

static void token_of_another_function(struct machine *m)
{
    struct isa_token *t = first_token(m);
    const uint32_t own =
        isa_activations_get(&m->tokens.exec.tags, isa_token_tag(t))->function;
    uint32_t i = 0;
    while (m->code->graph->nodes[i].function == own)
        i++;
    t->key = isa_token_key(i << 1, isa_token_tag(t));
}

static void tag_within_a_frame(struct machine *m)
{
    set_tag(first_token(m), isa_token_tag(first_token(m)) + 1);
}

static void parent_is_another(struct machine *m)
{
    isa_activations_get(&m->tokens.exec.tags, some_frame(m, false))->parent = UINT32_MAX;
}

static void site_is_none(struct machine *m)
{
    isa_activations_get(&m->tokens.exec.tags, some_frame(m, false))->site = ISA_SITE_NONE;
}

static void free_frames_in_a_ring(struct machine *m)
{
    const isa_tag first = m->tokens.exec.tags.free_frames[1];
    isa_activations_get(&m->tokens.exec.tags, first)->parent = first;
}

static void reads_in_a_ring(struct machine *m)
{
    struct isa_exec *x = &m->tokens.exec;
    x->deferred.items[isa_element_first(&x->cells[0])].next = isa_element_first(
        &x->cells[0]);
}

static void read_of_another_cell(struct machine *m)
{
    struct isa_exec *x = &m->tokens.exec;
    x->deferred.items[isa_element_first(&x->cells[0])].instr = 0;
}

static void mark_where_none_belongs(struct machine *m)
{
    struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags,
                                                   some_frame(m, false));
    isa_activation_slots(a)[0].info = ISA_SLOT_HELD;
}

static void pe_beyond_the_last(struct machine *m)
{
    machine_token_move_to(first_token(m), m->pe_count);
}

static void waiting_calls_in_a_ring(struct machine *m)
{
    struct stored stored = take_stores(m);
    const uint32_t lists = 2 * m->code->graph->function_count;
    char *calls = (char *)list_of(&stored, lists) + sizeof(uint64_t);
    for (uint32_t list = 0; list < lists; list++) {
        const uint32_t first = *list_of(&stored, list);
        if (first != UINT32_MAX)
            memcpy(calls + first * CALL_BYTES + sizeof(struct isa_token), &first,
                   sizeof first);
    }
    put_stores(m, &stored);
}

static void mark_without_numbers(struct machine *m)
{
    *LIB_VEC_PUSH(&m->watch.marks) = (struct machine_mark){1, 1};
}

static const struct {
    const char *name;
    void (*spoil)(struct machine *m);
    enum stores with;
} spoils[] = {
#define SPOIL(function, with)                                                            \
    {                                                                                    \
#function, function, with                                                        \
    }
    SPOIL(lose_a_token, UNLIMITED),
    SPOIL(double_a_token, UNLIMITED),
    SPOIL(token_of_a_freed_activation, UNLIMITED),
    SPOIL(token_of_another_activation, UNLIMITED),
    SPOIL(live_too_high, UNLIMITED),
    SPOIL(live_too_low, UNLIMITED),
    SPOIL(operand_in_a_free_frame, UNLIMITED),
    SPOIL(frame_not_listed, UNLIMITED),
    SPOIL(waiting_miscounted, UNLIMITED),
    SPOIL(deferred_miscounted, UNLIMITED),
    SPOIL(activations_miscounted, UNLIMITED),
    SPOIL(made_miscounted, UNLIMITED),
    SPOIL(pe_miscounted, UNLIMITED),
    SPOIL(firings_miscounted, UNLIMITED),
    SPOIL(pe_not_listed, UNLIMITED),
    SPOIL(function_miscounted, UNLIMITED),
    SPOIL(token_of_no_instruction, UNLIMITED),
    SPOIL(token_of_another_function, UNLIMITED),
    SPOIL(tag_within_a_frame, UNLIMITED),
    SPOIL(parent_is_another, UNLIMITED),
    SPOIL(site_is_none, UNLIMITED),
    SPOIL(free_frames_in_a_ring, UNLIMITED),
    SPOIL(reads_in_a_ring, UNLIMITED),
    SPOIL(read_of_another_cell, UNLIMITED),
    SPOIL(mark_where_none_belongs, UNLIMITED),
    SPOIL(mark_without_numbers, UNLIMITED),
    SPOIL(pe_beyond_the_last, UNLIMITED),
    SPOIL(waiting_calls_in_a_ring, POOL),
    SPOIL(held_miscounted, FINITE_QUEUES),
    SPOIL(leaving_miscounted, FINITE_QUEUES),
    SPOIL(coming_miscounted, FINITE_QUEUES),
    SPOIL(link_not_listed, FINITE_QUEUES),
    SPOIL(output_miscounted, UNLIMITED),
    SPOIL(input_miscounted, UNLIMITED),
    SPOIL(port_occupied_for_long, UNLIMITED),
    SPOIL(port_of_another_pe, FINITE_QUEUES),
    SPOIL(set_miscounted, HASH),
    SPOIL(operand_put_away, HASH),
    SPOIL(set_overfull, HASH),
    SPOIL(frame_at_another_pe, FRAMES),
    SPOIL(waiting_call_lost, POOL),
    SPOIL(calls_miscounted, POOL),
    SPOIL(waiting_call_not_named, POOL),
    SPOIL(another_call_named, POOL),
    SPOIL(tag_units_miscounted, INTERNED),
    SPOIL(waiting_apply_of_no_call, COPIES),
    SPOIL(copy_at_another_pe, COPIES),
    SPOIL(copy_never_freed, COPIES),
#undef SPOIL
};

/* Whether a checkpoint of a machine is refused by one of the same code. */
static bool is_refused(const struct running *r, enum stores with)
{
    struct lib_text bytes = {0};
    struct lib_pack pack = lib_pack_writer(&bytes);
    machine_checkpoint_pack(&pack, r->machine);
    struct running other = start("crossbar", false, with);
    pack = lib_pack_reader(bytes.bytes, bytes.length);
    machine_checkpoint_pack(&pack, other.machine);
    const bool is_whole = lib_pack_is_whole(&pack);
    finish(&other);
    lib_text_free(&bytes);
    return !is_whole;
}

START_TEST(what_is_wrong_is_found)
{
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct running r = start("crossbar", false, spoils[i].with);
        advance_to_the_middle(r.machine);
        ck_assert_ptr_null(machine_broken(r.machine));
        ck_assert_msg(!is_refused(&r, spoils[i].with), "%s: refused", spoils[i].name);
        spoils[i].spoil(r.machine);
        ck_assert_msg(machine_broken(r.machine), "%s: not found", spoils[i].name);
        ck_assert_msg(is_refused(&r, spoils[i].with), "%s: not refused", spoils[i].name);
        finish(&r);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("verify");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, a_run_is_right_after_every_cycle);
    tcase_add_test(tcase, what_is_wrong_is_found);
    return test_main("verify", tcase);
}
