/* Networks of routers with unlimited queues do less work without listeners. Under random traffic
 * they deliver the same tokens in the same cycles, with the same counts per link, as with a
 * listener. */
#include "lib/random.h"
#include "machine/network/fabric.h"

#include "machine/owner.h"
#include "tests/unit/networks.h"
#include "tests/unit/support.h"

enum { CYCLES = 150, SEED = 3 };

static const char *const settings_of[] = {
    "",
    "network.latency=1 network.router.latency=3 network.injection.latency=2 "
    "network.ejection.latency=1 cluster.latency=2",
    "network.latency=0 network.injection.latency=0 network.global.latency=9 "
    "cluster.latency=5",
    "network.latency=70 network.ejection.latency=90",
};

enum { SETTINGS = sizeof settings_of / sizeof *settings_of };

/* One network, and what a listener heard. */
struct side {
    struct machine_fabric *f;
    uint64_t
        *out; /* per PE: the number of the token that came out in this cycle; 0: none */
    uint64_t told;
};

struct pair {
    const struct test_sample *sample;
    enum machine_routing_kind routing;
    struct machine_settings settings;
    struct side plain, heard;
    uint64_t now, sent, drawn;
};

static uint64_t draw(struct pair *p, uint64_t below)
{
    const uint64_t drawn = lib_random_draw(SEED, LIB_RANDOM_DESTINATION, p->drawn++, 0);
    return (uint64_t)(((unsigned __int128)drawn * below) >> 64);
}

/* --- what both have ------------------------------------------------------------------- */

static void pack_token(struct lib_pack *pack, void *context, struct isa_token *t)
{
    (void)context;
    LIB_PACK(pack, *t);
}

/* A network as it would be in a checkpoint. */
static struct lib_text bytes_of(struct machine_fabric *f)
{
    struct lib_text text = {0};
    struct lib_pack pack = lib_pack_writer(&text);
    machine_fabric_pack(&pack, f, pack_token, NULL);
    ck_assert(!pack.failed);
    return text;
}

static void check_counts(const struct pair *p)
{
    const struct machine_fabric *a = p->plain.f, *b = p->heard.f;
    ck_assert_ptr_null(machine_fabric_check(a));
    ck_assert_ptr_null(machine_fabric_check(b));
    bool same = machine_fabric_count(a) == machine_fabric_count(b) &&
                machine_fabric_hops(a) == machine_fabric_hops(b) &&
                machine_fabric_waits(a) == machine_fabric_waits(b);
    for (unsigned is_stuck = 0; is_stuck < 2; is_stuck++)
        same &= machine_fabric_next(a, p->now, is_stuck) ==
                machine_fabric_next(b, p->now, is_stuck);
    for (uint32_t i = 0; i < machine_fabric_graph(a)->link_count; i++) {
        const struct traces_link_stats of_a = machine_fabric_measure(a, i, p->now),
                                       of_b = machine_fabric_measure(b, i, p->now);
        same &= memcmp(&of_a, &of_b, sizeof of_a) == 0;
    }
    for (uint32_t pe = 0; pe < machine_fabric_graph(a)->pe_count; pe++)
        same &= machine_fabric_measure(a, pe, 0).tokens ==
                machine_fabric_measure(b, pe, 0).tokens;
    ck_assert(same);
}

/* --- one cycle ------------------------------------------------------------------------ */

static void hear_entered(void *context, enum machine_fabric_place place, uint32_t link,
                         const struct isa_token *t)
{
    uint64_t *heard = context;
    *heard = 31 * *heard + 7 * link + 5 * place + t->value;
}

static void hear_left(void *context, enum machine_fabric_place place, uint32_t link,
                      const struct isa_token *t, uint64_t until)
{
    uint64_t *heard = context;
    hear_entered(context, place, link, t);
    *heard ^= until;
}

static void step_side(struct pair *p, struct side *s, bool is_heard,
                      const struct isa_token *tokens, const uint32_t *from, size_t count)
{
    struct machine_fabric_outside outside = {.context = &s->told};
    const uint32_t pes = machine_fabric_graph(s->f)->pe_count;
    if (is_heard) {
        outside.entered = hear_entered;
        outside.left = hear_left;
    }
    for (size_t i = 0; i < count; i++)
        machine_fabric_inject(s->f, &outside, p->now, from[i],
                              machine_token_pe(&tokens[i]), &tokens[i], 64, 0);
    machine_fabric_step(s->f, &outside, p->now);
    memset(s->out, 0, pes * sizeof *s->out);
    const struct isa_token *t = machine_fabric_delivered(s->f, &count);
    bool is_alone = true;
    for (size_t i = 0; i < count; i++) {
        is_alone &= s->out[machine_token_pe(&t[i])] == 0;
        s->out[machine_token_pe(&t[i])] = t[i].value;
    }
    ck_assert(is_alone);
}

/* Some PEs send: a few of them two, and some to one that is hot. */
static void step(struct pair *p, bool sends)
{
    const uint32_t pes = machine_fabric_graph(p->plain.f)->pe_count;
    LIB_VEC(struct isa_token) tokens = {0};
    LIB_VEC(uint32_t) from = {0};
    for (uint32_t pe = 0; sends && pe < pes; pe++)
        for (uint64_t left = draw(p, 5) ? draw(p, 2) : 2; left > 0; left--) {
            const uint32_t to = draw(p, 8) ? (uint32_t)draw(p, pes) : pes / 2;
            *LIB_VEC_PUSH(&tokens) = (struct isa_token){++p->sent, 0, to};
            *LIB_VEC_PUSH(&from) = pe;
        }
    step_side(p, &p->plain, p->now / 8 % 6 == 4, tokens.items, from.items, tokens.count);
    step_side(p, &p->heard, true, tokens.items, from.items, tokens.count);
    ck_assert_mem_eq(p->plain.out, p->heard.out, pes * sizeof *p->plain.out);
    LIB_VEC_FREE(&tokens);
    LIB_VEC_FREE(&from);
}

/* --- pairs ---------------------------------------------------------------------------- */

static struct machine_fabric *make_fabric(const struct pair *p)
{
    return machine_fabric_new(test_network(p->sample, p->routing), &p->settings, SEED);
}

/* The network goes on from a checkpoint. */
static void read_again(struct pair *p, struct side *s)
{
    struct lib_text text = bytes_of(s->f);
    struct lib_pack pack = lib_pack_reader(text.bytes, text.length);
    machine_fabric_free(s->f);
    s->f = make_fabric(p);
    machine_fabric_pack(&pack, s->f, pack_token, NULL);
    ck_assert(!pack.failed && pack.at == pack.length);
    lib_text_free(&text);
}

static void compare(struct pair *p)
{
    const bool is_large = machine_fabric_graph(p->plain.f)->link_count > 1000;
    for (; p->now < CYCLES || machine_fabric_count(p->heard.f) > 0; p->now++) {
        if (p->now % 37 == 36) {
            read_again(p, &p->plain);
            read_again(p, &p->heard);
        }
        step(p, p->now < CYCLES);
        if (!is_large || p->now % 16 == 15)
            check_counts(p);
    }
    ck_assert_uint_gt(p->sent, 0);
    check_counts(p);
}

static void compare_on(const struct test_sample *sample,
                       enum machine_routing_kind routing, const char *settings)
{
    struct pair p = {.sample = sample, .routing = routing};
    struct machine_graph *g = test_network(sample, routing);
    if (!g)
        return;
    machine_settings_default(&p.settings);
    test_set_all(&p.settings, settings);
    p.plain.out = lib_mem_new(g->pe_count * sizeof *p.plain.out);
    p.heard.out = lib_mem_new(g->pe_count * sizeof *p.heard.out);
    p.plain.f = machine_fabric_new(g, &p.settings, SEED);
    p.heard.f = make_fabric(&p);
    compare(&p);
    machine_fabric_free(p.plain.f);
    machine_fabric_free(p.heard.f);
    lib_mem_free(p.plain.out);
    lib_mem_free(p.heard.out);
}

/* Each network, with each routing. */
START_TEST(test_plain_as_heard)
{
    const struct test_sample sample = test_network_at(_i);
    for (unsigned routing = 0; routing < MACHINE_ROUTING_COUNT; routing++)
        for (size_t i = 0; i < SETTINGS; i++)
            if ((i + routing + (size_t)_i) % SETTINGS < test_part(SETTINGS, 1))
                compare_on(&sample, routing, settings_of[i]);
}
END_TEST

/* Networks of more links than a first cache holds, and than any does. */
static const struct test_sample large[] = {
    {.kind = MACHINE_SHAPE_MESH, .pe_count = 256, .dims = {8, 8, 4}, .dim_count = 3},
    {.kind = MACHINE_SHAPE_TORUS, .pe_count = 1600},
};

enum { LARGE = sizeof large / sizeof *large };

START_TEST(test_large_networks)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if ((i + (size_t)_i) % SETTINGS < test_part(2, 1))
            compare_on(&large[_i], MACHINE_ROUTING_DETERMINISTIC, settings_of[i]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("fabric_plain");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_plain_as_heard, 0, TEST_NETWORKS);
    tcase_add_loop_test(tcase, test_large_networks, 0, LARGE);
    return test_main("fabric_plain", tcase);
}
