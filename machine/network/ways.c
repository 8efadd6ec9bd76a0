#include "machine/network/ways.h"

#include "lib/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 16 };
/* Bounds of the time to find ways. The work of a pass is estimated as goals * links * diameter;
 * pairs of links of which one can follow the other are counted. */
static const uint64_t most_orders = UINT64_C(1) << 27, most_passes = UINT64_C(1) << 28,
                      most_pairs = UINT64_C(1) << 26;

uint32_t machine_ways_search(uint32_t routers, const uint32_t *first, const uint32_t *to,
                             uint32_t from, uint16_t *far, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    memset(far, 0xff, routers * sizeof *far);
    far[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        const uint32_t r = queue[head++];
        for (uint32_t i = first[r]; i < first[r + 1]; i++)
            if (far[to[i]] == MACHINE_WAYS_NOWHERE) {
                far[to[i]] = far[r] + 1;
                queue[tail++] = to[i];
            }
    }
    return tail;
}

/* Ways that are being made. */
struct making {
    const struct machine_ways_net *net;
    /* Rule of the ways that may be taken. All NULL: the shortest. */
    const uint32_t *rank;                  /* up, then down: place of each router */
    const uint32_t *at_rank;               /* router at each place */
    const struct machine_product *product; /* by dimensions */
    const struct machine_box *box;         /* in a box */
    uint32_t goal;                         /* in a box: router that the ways lead to */
    bool prefers_last;                     /* of equal ports, takes the last */

    uint16_t *next;              /* as in machine_ways_find */
    uint64_t *load;              /* of each link */
    uint16_t *far;               /* length of the way of each router to the goal */
    bool *goes_down;             /* the router has a way that only leads down */
    uint32_t *only;              /* by dimensions: the next router */
    uint32_t *order;             /* routers, the nearest first */
    uint32_t *across;            /* in a box: steps from place to place to the goal */
    uint32_t *count;             /* number of routers at each distance */
    uint32_t *back_first, *back; /* routers with a link to each router */
};

/* --- lengths of ways to a goal ---------------------------------------------------------------- */

/* Finds the lengths of ways up, then down. A router that can go down all the way does. Returns
 * false if a router has no way. */
static bool find_up_down(struct making *m, uint32_t goal)
{
    const struct machine_ways_net *net = m->net;
    const uint32_t n = net->routers;
    uint32_t *queue = m->order, head = 0, tail = 0;
    bool all = true;
    memset(m->far, 0xff, n * sizeof *m->far);
    memset(m->goes_down, 0, n);
    m->far[goal] = 0;
    m->goes_down[goal] = true;
    queue[tail++] = goal;
    while (head < tail) {
        const uint32_t r = queue[head++];
        for (uint32_t i = m->back_first[r]; i < m->back_first[r + 1]; i++) {
            const uint32_t from = m->back[i];
            if (m->rank[from] > m->rank[r] || m->goes_down[from])
                continue;
            m->far[from] = m->far[r] + 1;
            m->goes_down[from] = true;
            queue[tail++] = from;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t r = m->at_rank[k];
        for (uint32_t i = net->first[r]; i < net->first[r + 1] && !m->goes_down[r]; i++) {
            const uint32_t to = net->to[i];
            if (m->rank[to] < k && m->far[to] + 1u < m->far[r])
                m->far[r] = m->far[to] + 1;
        }
        all &= m->far[r] != MACHINE_WAYS_NOWHERE;
    }
    return all;
}

/* Whether a link is on a way in the box: it changes the first coordinate in which its router
 * differs from the goal, towards the goal and not past it. */
static bool leads_in_box(const struct making *m, uint32_t r, uint32_t i)
{
    const struct machine_box *box = m->box;
    const uint16_t *at = box->at + r * box->dims, *goal = box->at + m->goal * box->dims;
    uint32_t k = 0;
    while (k < box->dims && at[k] == goal[k])
        k++;
    if (box->dim[i] != k)
        return false;
    const uint16_t to = box->at[m->net->to[i] * box->dims + k];
    return at[k] < goal[k] ? to > at[k] && to <= goal[k] : to < at[k] && to >= goal[k];
}

static void order_by(struct making *m, const uint32_t *key);

/* Finds the lengths of ways in the box. Each step of a way leads nearer to the goal, counted in
 * steps from place to place. */
static void find_in_box(struct making *m, uint32_t goal)
{
    const struct machine_ways_net *net = m->net;
    const struct machine_box *box = m->box;
    m->goal = goal;
    for (uint32_t r = 0; r < net->routers; r++) {
        m->across[r] = 0;
        for (uint32_t k = 0; k < box->dims; k++)
            m->across[r] += (uint32_t)abs(box->at[r * box->dims + k] -
                                          box->at[goal * box->dims + k]);
    }
    order_by(m, m->across);
    memset(m->far, 0xff, net->routers * sizeof *m->far);
    m->far[goal] = 0;
    for (uint32_t k = 1; k < net->routers; k++) {
        const uint32_t r = m->order[k];
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++)
            if (m->far[net->to[i]] + 1u < m->far[r] && leads_in_box(m, r, i))
                m->far[r] = m->far[net->to[i]] + 1;
    }
}

static bool find_lengths(struct making *m, uint32_t goal)
{
    const uint32_t n = m->net->routers;
    if (m->rank)
        return find_up_down(m, goal);
    if (m->box)
        find_in_box(m, goal);
    else if (m->product)
        machine_product_ways(m->product, n, goal, m->only, m->far);
    else
        for (uint32_t r = 0; r < n; r++)
            m->far[r] = m->net->far[(size_t)r * n + goal];
    return true;
}

/* Whether link `i` of router `r` begins a way of the length that was found. */
static bool can_take(const struct making *m, uint32_t r, uint32_t i)
{
    const uint32_t to = m->net->to[i];
    if (m->far[to] + 1 != m->far[r])
        return false;
    if (m->product)
        return to == m->only[r];
    if (m->box)
        return leads_in_box(m, r, i);
    if (!m->rank)
        return true;
    return m->goes_down[r] ? m->rank[to] > m->rank[r] && m->goes_down[to]
                           : m->rank[to] < m->rank[r];
}

/* Orders routers by a key of at most their number, those of one key by number. */
static void order_by(struct making *m, const uint32_t *key)
{
    const uint32_t n = m->net->routers;
    uint32_t before = 0;
    memset(m->count, 0, (n + 1) * sizeof *m->count);
    for (uint32_t r = 0; r < n; r++)
        m->count[key[r]]++;
    for (uint32_t d = 0; d <= n; d++) {
        const uint32_t here = m->count[d];
        m->count[d] = before;
        before += here;
    }
    for (uint32_t r = 0; r < n; r++)
        m->order[m->count[key[r]]++] = r;
}

/* Orders routers by the length of their ways. */
static void order_routers(struct making *m)
{
    for (uint32_t r = 0; r < m->net->routers; r++)
        m->across[r] = m->far[r];
    order_by(m, m->across);
}

/* --- balance ---------------------------------------------------------------------------------- */

/* Returns the link of a router on its way. */
static uint32_t link_of(const struct making *m, uint32_t r, const uint16_t *next)
{
    return m->net->first[r] + next[r];
}

/* Adds `tokens` to all links on the way of a router; to take them off, their complement. */
static void add_load(struct making *m, uint32_t r, uint32_t goal, const uint16_t *next,
                     uint64_t tokens)
{
    while (r != goal) {
        const uint32_t link = link_of(m, r, next);
        m->load[link] += tokens;
        r = m->net->to[link];
    }
}

/* Returns the link of a router whose way has the lowest greatest load, of equal ones the lowest sum
 * of loads. The ways of nearer routers are known. */
static uint32_t choose_link(const struct making *m, uint32_t r, uint32_t goal,
                            const uint16_t *next)
{
    const struct machine_ways_net *net = m->net;
    uint64_t least = UINT64_MAX, least_sum = UINT64_MAX;
    uint32_t best = 0;
    for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++) {
        if (!can_take(m, r, i))
            continue;
        uint64_t most = m->load[i], sum = m->load[i];
        for (uint32_t at = net->to[i]; at != goal && most <= least;) {
            const uint32_t link = link_of(m, at, next);
            most = m->load[link] > most ? m->load[link] : most;
            sum += m->load[link];
            at = net->to[link];
        }
        if (most > least || (most == least && sum > least_sum) ||
            (most == least && sum == least_sum && !m->prefers_last))
            continue;
        least = most;
        least_sum = sum;
        best = i;
    }
    return best;
}

/* Chooses the ports towards a goal; `again`: in place of those that it has. Returns false if a
 * router has no way. */
static bool make_goal(struct making *m, uint32_t goal, bool again)
{
    const struct machine_ways_net *net = m->net;
    const uint32_t n = net->routers, at = net->goal_at[goal];
    uint16_t *next = m->next + (size_t)goal * n;
    if (!find_lengths(m, at))
        return false;
    order_routers(m);
    for (uint32_t r = 0; r < n && again; r++)
        if (net->pes[r])
            add_load(m, r, at, next, -((uint64_t)net->pes[r] * net->goal_pes[goal]));
    for (uint32_t k = 1; k < n; k++) {
        const uint32_t r = m->order[k];
        next[r] = (uint16_t)(choose_link(m, r, at, next) - net->first[r]);
        if (net->pes[r])
            add_load(m, r, at, next, (uint64_t)net->pes[r] * net->goal_pes[goal]);
    }
    return true;
}

static uint64_t count_links(const struct machine_ways_net *net)
{
    return net->first[net->routers];
}

static uint64_t greatest_load(const struct making *m)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < count_links(m->net); i++)
        most = m->load[i] > most ? m->load[i] : most;
    return most;
}

/* Makes ways by the rule in up to `passes` passes, and keeps those of the best. Returns its
 * greatest load of a link; UINT64_MAX if a router has no way. */
static uint64_t balance(struct making *m, uint64_t passes)
{
    const struct machine_ways_net *net = m->net;
    const size_t bytes = (size_t)net->goals * net->routers * sizeof *m->next;
    uint64_t best = UINT64_MAX;
    uint16_t *kept = passes > 1 ? lib_mem_new(bytes) : NULL;
    memset(m->load, 0, count_links(net) * sizeof *m->load);
    for (uint64_t pass = 0; pass < passes && best > net->pe_count; pass++) {
        m->prefers_last = pass / 2 % 2;
        for (uint32_t i = 0; i < net->goals; i++)
            if (!make_goal(m, pass % 2 ? net->goals - 1 - i : i, pass > 0)) {
                lib_mem_free(kept);
                return UINT64_MAX;
            }
        const uint64_t most = greatest_load(m);
        if (most >= best)
            continue;
        best = most;
        if (kept)
            memcpy(kept, m->next, bytes);
    }
    if (kept)
        memcpy(m->next, kept, bytes);
    lib_mem_free(kept);
    return best;
}

/* --- circles ---------------------------------------------------------------------------------- */

/* Whether links wait for each other in a circle, if tokens begin at any router. Links are taken
 * away that wait for none which is left. */
static bool has_circle(const struct making *m)
{
    const struct machine_ways_net *net = m->net;
    const size_t n = net->routers, links = count_links(net);
    uint64_t *place = lib_mem_new((links + 1) * sizeof *place); /* of link i in `waits` */
    for (size_t i = 0; i < links; i++)
        place[i + 1] = place[i] + net->first[net->to[i] + 1] - net->first[net->to[i]];
    bool *waits = lib_mem_new(place[links] + 1);
    uint32_t *waited = lib_mem_new((links + 1) *
                                   sizeof *waited); /* how many links wait for it */
    uint32_t *queue = lib_mem_new((links + 1) * sizeof *queue);
    for (uint32_t goal = 0; goal < net->goals; goal++)
        for (uint32_t r = 0; r < n; r++) {
            const uint16_t *next = m->next + goal * n;
            const uint32_t at = net->goal_at[goal];
            if (r == at)
                continue;
            const uint32_t link = link_of(m, r, next), to = net->to[link];
            if (to == at)
                continue;
            waited[link_of(m, to, next)] += !waits[place[link] + next[to]];
            waits[place[link] + next[to]] = true;
        }
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < links; i++)
        if (waited[i] == 0)
            queue[tail++] = (uint32_t)i;
    for (; head < tail; head++) {
        const uint32_t link = queue[head], first = net->first[net->to[link]];
        for (uint64_t p = place[link]; p < place[link + 1]; p++)
            if (waits[p] && --waited[first + (p - place[link])] == 0)
                queue[tail++] = first + (uint32_t)(p - place[link]);
    }
    LIB_MEM_FREE(place, waits, waited, queue);
    return tail < links;
}

static uint64_t count_pairs(const struct machine_ways_net *net)
{
    uint64_t pairs = 0;
    for (uint64_t i = 0; i < count_links(net); i++)
        pairs += net->first[net->to[i] + 1] - net->first[net->to[i]];
    return pairs;
}

/* --- orders of routers ------------------------------------------------------------------------ */

/* Orders routers from a root on: next comes the router to which the most links of earlier ones
 * lead; of equal ones the one nearest to the root, or with `prefers_far` the farthest; of equal
 * ones the one with the smallest number. `links` is scratch memory for each router. */
static void make_order(const struct machine_ways_net *net, uint32_t root,
                       bool prefers_far, uint32_t *rank, uint32_t *at_rank,
                       uint32_t *links)
{
    const uint32_t n = net->routers;
    const uint16_t *far = net->far + (size_t)root * n;
    memset(links, 0, n * sizeof *links);
    memset(rank, 0xff, n * sizeof *rank);
    for (uint32_t k = 0, r = root; k < n; k++) {
        rank[r] = k;
        at_rank[k] = r;
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++)
            links[net->to[i]]++;
        uint32_t best = UINT32_MAX;
        for (uint32_t x = 0; x < n; x++) {
            if (rank[x] != UINT32_MAX)
                continue;
            if (best != UINT32_MAX &&
                (links[x] < links[best] ||
                 (links[x] == links[best] &&
                  (prefers_far ? far[x] <= far[best] : far[x] >= far[best]))))
                continue;
            best = x;
        }
        r = best;
    }
}

/* Returns the routers by their sum of distances to all others, the smallest first, of equal ones by
 * number. Free with lib_mem_free. */
static uint32_t *list_roots(const struct machine_ways_net *net)
{
    const uint32_t n = net->routers;
    uint32_t *roots = lib_mem_new(n * sizeof *roots);
    uint64_t *sum = lib_mem_new(n * sizeof *sum);
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t to = 0; to < n; to++)
            sum[r] += net->far[(size_t)r * n + to];
        uint32_t i = r;
        for (; i > 0 && sum[roots[i - 1]] > sum[r]; i--)
            roots[i] = roots[i - 1];
        roots[i] = r;
    }
    lib_mem_free(sum);
    return roots;
}

/* --- choice ----------------------------------------------------------------------------------- */

static uint64_t passes_within(const struct machine_ways_net *net, uint64_t most,
                              uint64_t limit)
{
    const uint32_t n = net->routers;
    uint64_t diameter = 1;
    for (size_t i = 0; i < (size_t)n * n; i++)
        diameter = net->far[i] > diameter ? net->far[i] : diameter;
    const uint64_t work = net->goals * (count_links(net) + 1) * diameter;
    const uint64_t passes = work ? most / work : limit;
    return passes < 1 ? 1 : passes > limit ? limit : passes;
}

/* Makes ways up, then down, in the best of the orders. Returns their greatest load; UINT64_MAX if
 * no order gives ways. */
static uint64_t balance_orders(struct making *m)
{
    const struct machine_ways_net *net = m->net;
    const uint32_t n = net->routers;
    uint32_t *roots = list_roots(net), *rank = lib_mem_new(n * sizeof *rank);
    uint32_t *at_rank = lib_mem_new(n * sizeof *at_rank);
    uint32_t *links = lib_mem_new(n * sizeof *links);
    const uint64_t tried = passes_within(net, most_orders, n);
    uint64_t best = UINT64_MAX;
    uint32_t root = 0;
    bool is_far = false;
    m->rank = rank;
    m->at_rank = at_rank;
    for (uint64_t i = 0; i < 2 * tried; i++) {
        make_order(net, roots[i / 2], i % 2, rank, at_rank, links);
        const uint64_t load = balance(m, 1);
        if (load >= best)
            continue;
        best = load;
        root = roots[i / 2];
        is_far = i % 2;
    }
    if (best != UINT64_MAX) {
        make_order(net, root, is_far, rank, at_rank, links);
        best = balance(m, passes_within(net, most_passes, PASSES));
    }
    m->rank = m->at_rank = NULL;
    LIB_MEM_FREE(roots, rank, at_rank, links);
    return best;
}

/* Makes ways by dimensions, if the network is a product. Returns their greatest load. */
static uint64_t balance_product(struct making *m)
{
    struct machine_product product;
    uint64_t load = UINT64_MAX;
    if (machine_product_find(m->net, &product)) {
        m->product = &product;
        load = balance(m, 1);
        m->product = NULL;
    }
    machine_product_free(&product);
    return load;
}

/* Makes ways by dimensions, shortest ones, or ways up, then down. Returns their greatest load;
 * UINT64_MAX if all have a circle, and the ways are then the shortest. */
static uint64_t choose_plain(struct making *m, bool *is_product)
{
    const struct machine_ways_net *net = m->net;
    const size_t bytes = (size_t)net->goals * net->routers * sizeof *m->next;
    const uint64_t by_dimensions = balance_product(m);
    uint16_t *kept = lib_mem_new(bytes);
    memcpy(kept, m->next, bytes);
    uint64_t load = balance(m, passes_within(net, most_passes, PASSES));
    const bool is_free = count_pairs(net) <= most_pairs && !has_circle(m);
    *is_product = by_dimensions != UINT64_MAX;
    if (*is_product && (!is_free || by_dimensions <= load)) {
        memcpy(m->next, kept, bytes);
        load = by_dimensions;
    } else if (!is_free) {
        memcpy(kept, m->next, bytes);
        load = balance_orders(m);
        if (load == UINT64_MAX)
            memcpy(m->next, kept, bytes);
    }
    lib_mem_free(kept);
    return load;
}

/* Makes the ways of machine_ways_find. Returns their greatest load, or UINT64_MAX for false. */
static uint64_t find_ways(const struct machine_ways_net *net, uint16_t *next);

/* --- boxes ------------------------------------------------------------------------------------ */

/* Makes the ways of the box without other links, as if it were the network. Returns their greatest
 * load, or UINT64_MAX. */
static uint64_t make_without(const struct making *m, uint16_t *next)
{
    const struct machine_ways_net *net = m->net;
    const uint32_t n = net->routers;
    uint32_t *first = lib_mem_new((n + 1) * sizeof *first), count = 0;
    uint32_t *to = lib_mem_new((count_links(net) + 1) * sizeof *to);
    uint32_t *link = lib_mem_new((count_links(net) + 1) *
                                 sizeof *link); /* in the network */
    uint32_t *queue = lib_mem_new(n * sizeof *queue);
    uint16_t *far = lib_mem_new((size_t)n * n * sizeof *far);
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++)
            if (m->box->is_side[i]) {
                link[count] = i;
                to[count++] = net->to[i];
            }
        first[r + 1] = count;
    }
    for (uint32_t r = 0; r < n; r++)
        machine_ways_search(n, first, to, r, far + (size_t)r * n, queue);
    struct machine_ways_net box = *net;
    box.first = first;
    box.to = to;
    box.far = far;
    const uint64_t load = find_ways(&box, next);
    for (uint32_t goal = 0; goal < net->goals; goal++)
        for (uint32_t r = 0; r < n; r++) {
            uint16_t *port = next + (size_t)goal * n + r;
            if (r != net->goal_at[goal])
                *port = (uint16_t)(link[first[r] + *port] - net->first[r]);
        }
    LIB_MEM_FREE(first, to, link, queue, far);
    return load;
}

/* Makes the ways in a box, if the network has one, in place of those whose greatest load is
 * `load`: with all links if these are better, without the others if these are better still.
 * Returns the greatest load. */
static uint64_t choose_in_box(struct making *m, uint64_t load)
{
    const struct machine_ways_net *net = m->net;
    const size_t bytes = (size_t)net->goals * net->routers * sizeof *m->next;
    struct machine_box box;
    if (load > net->pe_count && machine_box_find(net, &box)) {
        uint16_t *kept = lib_mem_new(bytes);
        memcpy(kept, m->next, bytes);
        m->box = &box;
        const uint64_t with = balance(m, passes_within(net, most_passes, PASSES));
        if (with < load)
            memcpy(kept, m->next, bytes);
        load = with < load ? with : load;
        const uint64_t without = make_without(m, m->next);
        if (without >= load)
            memcpy(m->next, kept, bytes);
        load = without < load ? without : load;
        m->box = NULL;
        lib_mem_free(kept);
        machine_box_free(&box);
    }
    return load;
}

/* Lists the routers with a link to each router. */
static void list_back(struct making *m)
{
    const struct machine_ways_net *net = m->net;
    const uint32_t n = net->routers;
    m->back_first = lib_mem_new((n + 2) * sizeof *m->back_first);
    m->back = lib_mem_new((count_links(net) + 1) * sizeof *m->back);
    for (uint64_t i = 0; i < count_links(net); i++)
        m->back_first[net->to[i] + 2]++;
    for (uint32_t r = 0; r < n; r++)
        m->back_first[r + 2] += m->back_first[r + 1];
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++)
            m->back[m->back_first[net->to[i] + 1]++] = r;
}

static uint64_t find_ways(const struct machine_ways_net *net, uint16_t *next)
{
    const uint32_t n = net->routers;
    struct making m = {.net = net,
                       .next = next,
                       .load = lib_mem_new((count_links(net) + 1) * sizeof *m.load),
                       .far = lib_mem_new(n * sizeof *m.far),
                       .goes_down = lib_mem_new(n),
                       .only = lib_mem_new(n * sizeof *m.only),
                       .order = lib_mem_new(n * sizeof *m.order),
                       .across = lib_mem_new(n * sizeof *m.across),
                       .count = lib_mem_new((n + 1) * sizeof *m.count)};
    bool is_product;
    list_back(&m);
    uint64_t load = choose_plain(&m, &is_product);
    if (!is_product)
        load = choose_in_box(&m, load);
    LIB_MEM_FREE(m.load, m.far, m.goes_down, m.only, m.order);
    LIB_MEM_FREE(m.across, m.count, m.back_first, m.back);
    return load;
}

bool machine_ways_find(const struct machine_ways_net *net, uint16_t *next)
{
    return find_ways(net, next) != UINT64_MAX;
}
