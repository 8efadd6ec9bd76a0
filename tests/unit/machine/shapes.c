/* The shapes of networks: every route reaches its PE, those that are shortest are as long as
 * breadth-first search says, links and lists are those of the topology. */
#include "tests/unit/networks.h"

/* Links between routers from the source of a PE to each router, by breadth-first search;
 * UINT32_MAX: no way. */
static uint32_t *search(const struct machine_graph *g, uint32_t pe)
{
    uint32_t *far = lib_mem_new(g->router_count * sizeof *far);
    uint32_t *queue = lib_mem_new(g->router_count * sizeof *queue), head = 0, tail = 0;
    memset(far, 0xff, g->router_count * sizeof *far);
    far[machine_graph_source(g, pe)] = 0;
    queue[tail++] = machine_graph_source(g, pe);
    while (head < tail) {
        const uint32_t r = queue[head++];
        for (uint32_t i = g->out_first[r]; i < g->out_first[r + 1]; i++) {
            const struct machine_graph_link *link = &g->links[g->out[i]];
            if (link->kind == MACHINE_LINK_EJECTION || far[link->to] != UINT32_MAX)
                continue;
            far[link->to] = far[r] + 1;
            queue[tail++] = link->to;
        }
    }
    lib_mem_free(queue);
    return far;
}

/* Follows a token, which takes route `choice` modulo their count, each time. Returns the links
 * between routers. */
static uint32_t follow(const struct machine_graph *g, uint32_t from, uint32_t to,
                       uint32_t via, unsigned choice)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    uint32_t link = from, cls = 0, steps = 0;
    for (;;) {
        const unsigned count = machine_route(g, link, cls, to, via, routes);
        ck_assert_uint_ge(count, 1);
        ck_assert_uint_le(count, MACHINE_MAX_ROUTES);
        ck_assert(routes[count - 1].is_escape);
        if (machine_graph_is_oblivious(g))
            ck_assert_uint_eq(count, 1);
        const struct machine_route *r = &routes[(choice + steps) % count];
        ck_assert_uint_lt(r->channel_class, g->channel_classes);
        ck_assert_uint_eq(g->links[r->link].from, g->links[link].to);
        if (g->links[r->link].kind == MACHINE_LINK_EJECTION) {
            ck_assert_uint_eq(g->links[r->link].to, to);
            ck_assert_uint_eq(r->link, g->pe_count + to);
            ck_assert_uint_eq(r->channel_class, 0);
            return steps;
        }
        link = r->link;
        cls = r->channel_class;
        ck_assert_uint_lt(steps++, 4 * g->router_count + 4);
    }
}

/* --- tests ---------------------------------------------------------------------------- */

START_TEST(test_links)
{
    const struct test_sample at = test_network_at(_i), *s = &at;
    struct machine_graph *g = test_network(s, MACHINE_ROUTING_DETERMINISTIC);
    ck_assert_uint_eq(g->router_count, s->routers);
    ck_assert_uint_eq(g->link_count, 2 * s->pe_count + s->between);
    uint32_t out = 0, in = 0;
    for (uint32_t r = 0; r < g->router_count; r++) {
        for (uint32_t i = g->out_first[r]; i < g->out_first[r + 1]; i++, out++) {
            ck_assert_uint_eq(g->links[g->out[i]].from, r);
            ck_assert(i == g->out_first[r] || g->out[i - 1] < g->out[i]);
        }
        for (uint32_t i = g->in_first[r]; i < g->in_first[r + 1]; i++, in++) {
            ck_assert_uint_eq(g->links[g->in[i]].to, r);
            ck_assert(i == g->in_first[r] || g->in[i - 1] < g->in[i]);
        }
    }
    ck_assert_uint_eq(out, s->between + s->pe_count);
    ck_assert_uint_eq(in, s->between + s->pe_count);
    for (uint32_t i = 2 * g->pe_count + 1; i < g->link_count; i++)
        ck_assert_uint_ge(g->links[i].from, g->links[i - 1].from);
    machine_graph_free(g);
}
END_TEST

/* All ways from a PE. In a dragonfly a way over two global links can be shorter than the one over
 * one that is taken; up*-down* ways can be longer than the shortest. */
static void check_ways(const struct machine_graph *g, uint32_t from)
{
    const bool is_valiant = g->shape.routing == MACHINE_ROUTING_VALIANT;
    const uint32_t first = g->shape.nodes; /* the switches of nodes are never between */
    const bool is_dragonfly = g->shape.kind == MACHINE_SHAPE_DRAGONFLY;
    const bool is_file = g->shape.kind == MACHINE_SHAPE_FILE;
    uint32_t *far = search(g, from);
    for (uint32_t to = 0; to < g->pe_count; to++) {
        const uint32_t least = far[machine_graph_sink(g, to)];
        const uint32_t distance = machine_graph_distance(g, from, to);
        if (is_dragonfly)
            ck_assert(distance >= least && distance <= (first ? 5 : 3));
        else
            ck_assert_uint_eq(distance, least);
        for (unsigned choice = 0; choice < 4; choice++) {
            const uint32_t via = is_valiant ? first + (from + 7 * choice + 3 * to) %
                                                          (g->router_count - first)
                                            : MACHINE_NO_VIA;
            const uint32_t steps = follow(g, from, to, via, choice);
            if (is_valiant || is_file)
                ck_assert_uint_ge(steps, least);
            else
                ck_assert_uint_eq(steps, distance);
        }
    }
    lib_mem_free(far);
}

START_TEST(test_routes)
{
    const struct test_sample s = test_network_at(_i / MACHINE_ROUTING_COUNT);
    struct machine_graph *g = test_network(&s, (unsigned)_i % MACHINE_ROUTING_COUNT);
    if (!g)
        return;
    for (uint32_t from = 0; from < g->pe_count; from += test_network_step(g->pe_count))
        check_ways(g, from);
    machine_graph_free(g);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("shapes");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_links, 0, TEST_NETWORKS);
    tcase_add_loop_test(tcase, test_routes, 0, TEST_NETWORKS * MACHINE_ROUTING_COUNT);
    return test_main("shapes", tcase);
}
