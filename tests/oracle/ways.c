/* "Shapes", `file`: the ways of deterministic routing. */
#include "tests/oracle/ways.h"

#include "lib/memory.h"

#include <string.h>

enum { PASSES = 16 };

enum rule { SHORTEST, BY_DIMENSIONS, UP_DOWN };

/* Factors: for each router its coordinates, and the ways between coordinates. */
struct factor {
    unsigned size, at[WAYS_ROUTERS];
    struct ways_net net;
    struct ways_made made;
};

struct factors {
    unsigned count;
    struct factor *items;
};

/* What a rule says for a goal. */
struct lengths {
    enum rule rule;
    unsigned rank[WAYS_ROUTERS];
    const struct factors *factors;
    unsigned far[WAYS_ROUTERS];
    unsigned down[WAYS_ROUTERS]; /* length of the way that only leads down, or NONE */
    unsigned only[WAYS_ROUTERS]; /* by dimensions: the next router */
};

/* Relaxes all distances, as often as there are routers. */
void oracle_ways_distances(struct ways_net *n)
{
    for (unsigned a = 0; a < n->routers; a++)
        for (unsigned b = 0; b < n->routers; b++)
            n->far[a][b] = a == b ? 0 : NONE;
    for (unsigned round = 0; round < n->routers; round++)
        for (unsigned a = 0; a < n->routers; a++)
            for (unsigned b = 0; b < n->routers; b++)
                for (unsigned p = 0; p < n->count[a]; p++) {
                    const unsigned there = n->far[n->to[a][p]][b];
                    if (there != NONE && there + 1 < n->far[a][b])
                        n->far[a][b] = there + 1;
                }
}

/* --- rules -------------------------------------------------------------------------------- */

/* Relaxes the lengths of ways that lead down, or with `down` known up to one of these. */
static void relax_lengths(const struct ways_net *n, struct lengths *l, unsigned goal)
{
    for (unsigned r = 0; r < n->routers; r++)
        l->down[r] = r == goal ? 0 : NONE;
    for (unsigned round = 0; round < n->routers; round++)
        for (unsigned r = 0; r < n->routers; r++)
            for (unsigned p = 0; p < n->count[r]; p++) {
                const unsigned to = n->to[r][p];
                if (l->rank[to] > l->rank[r] && l->down[to] != NONE &&
                    l->down[to] + 1 < l->down[r])
                    l->down[r] = l->down[to] + 1;
            }
    memcpy(l->far, l->down, sizeof l->far);
    for (unsigned round = 0; round < n->routers; round++)
        for (unsigned r = 0; r < n->routers; r++)
            for (unsigned p = 0; p < n->count[r]; p++) {
                const unsigned to = n->to[r][p];
                if (l->down[r] == NONE && l->rank[to] < l->rank[r] &&
                    l->far[to] != NONE && l->far[to] + 1 < l->far[r])
                    l->far[r] = l->far[to] + 1;
            }
}

/* "one factor after the other" */
static void find_by_dimensions(const struct ways_net *n, struct lengths *l, unsigned goal)
{
    const struct factors *f = l->factors;
    for (unsigned r = 0; r < n->routers; r++) {
        unsigned at[WAYS_ROUTERS], steps = 0, first = NONE;
        for (unsigned k = 0; k < f->count; k++) {
            const struct factor *factor = &f->items[k];
            const unsigned y = factor->at[goal];
            at[k] = factor->at[r];
            for (unsigned x = at[k]; x != y; steps++) {
                x = factor->net.to[x][factor->made.port[y][x]];
                if (first == NONE) {
                    first = k;
                    at[k] = x;
                }
            }
        }
        l->far[r] = steps;
        l->only[r] = r;
        for (unsigned to = 0; to < n->routers && steps; to++) {
            bool same = true;
            for (unsigned k = 0; k < f->count; k++)
                same &= f->items[k].at[to] == at[k];
            if (same)
                l->only[r] = to;
        }
    }
}

static void find_lengths(const struct ways_net *n, struct lengths *l, unsigned goal)
{
    if (l->rule == UP_DOWN)
        relax_lengths(n, l, goal);
    else if (l->rule == BY_DIMENSIONS)
        find_by_dimensions(n, l, goal);
    else
        for (unsigned r = 0; r < n->routers; r++)
            l->far[r] = n->far[r][goal];
}

static bool can_take(const struct ways_net *n, const struct lengths *l, unsigned r,
                     unsigned port)
{
    const unsigned to = n->to[r][port];
    if (l->far[to] == NONE || l->far[to] + 1 != l->far[r])
        return false;
    if (l->rule == BY_DIMENSIONS)
        return to == l->only[r];
    if (l->rule == SHORTEST)
        return true;
    return l->down[r] == NONE ? l->rank[to] < l->rank[r]
                              : l->rank[to] > l->rank[r] && l->down[to] != NONE;
}

/* --- balance ------------------------------------------------------------------------------ */

/* The greatest load and the sum of loads on a way; adds `more` to each. */
static void walk(const struct ways_net *n, struct ways_made *m, unsigned r, unsigned port,
                 unsigned goal, unsigned long more, unsigned long *most,
                 unsigned long *sum)
{
    *most = *sum = 0;
    for (;;) {
        unsigned long *load = &m->load[r][port];
        *load += more;
        *most = *load > *most ? *load : *most;
        *sum += *load;
        r = n->to[r][port];
        if (r == n->at[goal])
            return;
        port = m->port[goal][r];
    }
}

static void make_goal(const struct ways_net *n, struct lengths *l, struct ways_made *m,
                      unsigned goal, unsigned pass)
{
    const bool takes_last = pass % 4 >= 2;
    unsigned long most, sum;
    find_lengths(n, l, n->at[goal]);
    for (unsigned r = 0; r < n->routers; r++)
        if (pass > 0 && r != n->at[goal])
            walk(n, m, r, m->port[goal][r], goal, -(n->pes[r] * n->weight[goal]), &most,
                 &sum);
    for (unsigned far = 1; far < n->routers; far++)
        for (unsigned r = 0; r < n->routers; r++) {
            unsigned long least = 0, least_sum = 0;
            unsigned best = NONE;
            for (unsigned p = 0; p < n->count[r] && l->far[r] == far; p++) {
                if (!can_take(n, l, r, p) || (n->first_port && best != NONE))
                    continue;
                walk(n, m, r, p, goal, 0, &most, &sum);
                const bool is_equal = best != NONE && most == least && sum == least_sum;
                const bool is_less = best == NONE || most < least ||
                                     (most == least && sum < least_sum);
                if (!is_less && !(is_equal && takes_last))
                    continue;
                best = p;
                least = most;
                least_sum = sum;
            }
            if (best == NONE)
                continue;
            m->port[goal][r] = best;
            walk(n, m, r, best, goal, n->pes[r] * n->weight[goal], &most, &sum);
        }
}

static bool all_reach(const struct ways_net *n, struct lengths *l)
{
    bool all = true;
    for (unsigned goal = 0; goal < n->goals; goal++) {
        find_lengths(n, l, n->at[goal]);
        for (unsigned r = 0; r < n->routers; r++)
            all &= l->far[r] != NONE;
    }
    return all;
}

/* Returns the greatest load of a link; ~0 if there are no such ways. */
static unsigned long balance(const struct ways_net *n, struct lengths *l,
                             struct ways_made *best, unsigned passes)
{
    struct ways_made *m = lib_mem_new(sizeof *m);
    unsigned long least = ~0UL;
    for (unsigned pass = 0; pass < passes && least > n->pe_count && all_reach(n, l);
         pass++) {
        unsigned long most = 0;
        for (unsigned i = 0; i < n->goals; i++)
            make_goal(n, l, m, pass % 2 ? n->goals - 1 - i : i, pass);
        for (unsigned r = 0; r < n->routers; r++)
            for (unsigned p = 0; p < n->count[r]; p++)
                most = m->load[r][p] > most ? m->load[r][p] : most;
        if (most >= least)
            continue;
        least = most;
        *best = *m;
    }
    lib_mem_free(m);
    return least;
}

/* Whether links wait for each other in a circle: links are left out while they wait for none that
 * is left. */
static bool has_circle(const struct ways_net *n, const struct ways_made *m)
{
    bool left[WAYS_ROUTERS][WAYS_ROUTERS], changes = true, any = false;
    memset(left, true, sizeof left);
    while (changes) {
        changes = any = false;
        for (unsigned r = 0; r < n->routers; r++)
            for (unsigned p = 0; p < n->count[r]; p++) {
                const unsigned to = n->to[r][p];
                bool waits = false;
                for (unsigned goal = 0; goal < n->goals && left[r][p]; goal++)
                    waits |= n->at[goal] != r && n->at[goal] != to &&
                             m->port[goal][r] == p && left[to][m->port[goal][to]];
                changes |= left[r][p] && !waits;
                left[r][p] = waits;
                any |= waits;
            }
    }
    return any;
}

/* --- factors ------------------------------------------------------------------------------ */

/* Links without direction: the class of each, or 0. */
struct classes {
    unsigned of[WAYS_ROUTERS][WAYS_ROUTERS];
};

static void unite(const struct ways_net *n, struct classes *c, unsigned a, unsigned b)
{
    for (unsigned r = 0; r < n->routers && a != b; r++)
        for (unsigned s = 0; s < n->routers; s++)
            if (c->of[r][s] == b)
                c->of[r][s] = a;
}

/* Links u-v and u-w. */
static void compare_links(const struct ways_net *n, struct classes *c, unsigned u,
                          unsigned v, unsigned w)
{
    unsigned common = 0, x = NONE;
    for (unsigned r = 0; r < n->routers; r++) {
        const bool is_common = c->of[v][r] && c->of[w][r];
        common += is_common;
        if (is_common && r != u)
            x = r;
    }
    if (c->of[v][w] || common != 2 || c->of[u][x]) {
        unite(n, c, c->of[u][v], c->of[u][w]);
        return;
    }
    unite(n, c, c->of[u][v], c->of[w][x]);
    unite(n, c, c->of[u][w], c->of[v][x]);
}

/* Returns false if a link leads one way only. */
static bool sort_links(const struct ways_net *n, struct classes *c)
{
    unsigned count = 0;
    memset(c, 0, sizeof *c);
    for (unsigned r = 0; r < n->routers; r++)
        for (unsigned p = 0; p < n->count[r]; p++)
            c->of[r][n->to[r][p]] = 1;
    for (unsigned r = 0; r < n->routers; r++)
        for (unsigned s = 0; s < r; s++) {
            if (c->of[r][s] != c->of[s][r])
                return false;
            if (c->of[r][s])
                c->of[r][s] = c->of[s][r] = ++count;
        }
    for (unsigned u = 0; u < n->routers; u++)
        for (unsigned v = 0; v < n->routers; v++)
            for (unsigned w = 0; w < v; w++)
                if (c->of[u][v] && c->of[u][w])
                    compare_links(n, c, u, v, w);
    return true;
}

/* "The same coordinate have routers that links of other classes join", by the least router. */
static void find_coordinates(const struct ways_net *n, const struct classes *c,
                             unsigned class, struct factor *f)
{
    for (unsigned r = 0; r < n->routers; r++)
        f->at[r] = NONE;
    for (unsigned start = 0; start < n->routers; start++) {
        if (f->at[start] != NONE)
            continue;
        f->at[start] = f->size;
        for (unsigned round = 0; round < n->routers; round++)
            for (unsigned r = 0; r < n->routers; r++)
                for (unsigned s = 0; s < n->routers; s++)
                    if (f->at[r] == f->size && c->of[r][s] && c->of[r][s] != class)
                        f->at[s] = f->size;
        f->size++;
    }
}

/* Makes the network of coordinates. Returns false if a link is not there for all values of the
 * other coordinates. */
static bool make_factor(const struct ways_net *n, const struct classes *c, unsigned class,
                        struct factor *f)
{
    struct ways_net *net = &f->net;
    find_coordinates(n, c, class, f);
    *net = (struct ways_net){.routers = f->size, .goals = f->size, .pe_count = f->size};
    for (unsigned x = 0; x < f->size; x++) {
        net->pes[x] = net->weight[x] = 1;
        net->at[x] = x;
        for (unsigned y = 0; y < f->size; y++) {
            unsigned count = 0;
            for (unsigned r = 0; r < n->routers; r++)
                for (unsigned s = 0; s < n->routers; s++)
                    count += f->at[r] == x && f->at[s] == y && c->of[r][s] == class;
            if (count && (count != n->routers / f->size || x == y))
                return false;
            if (count)
                net->to[x][net->count[x]++] = y;
        }
    }
    oracle_ways_distances(net);
    return oracle_ways_make(net, &f->made);
}

static bool differ(const struct factors *f, unsigned r, unsigned s)
{
    for (unsigned k = 0; k < f->count; k++)
        if (f->items[k].at[r] != f->items[k].at[s])
            return true;
    return false;
}

/* Whether the network is a product of more than one factor. */
static bool find_factors(const struct ways_net *n, struct factors *f)
{
    struct classes *c = lib_mem_new(sizeof *c);
    unsigned class[WAYS_ROUTERS];
    unsigned all = 1;
    bool good = sort_links(n, c);
    for (unsigned to = 0; to < n->routers && good; to++) {
        unsigned k = 0;
        while (k < f->count && class[k] != c->of[0][to])
            k++;
        if (c->of[0][to] && k == f->count)
            class[f->count++] = c->of[0][to];
    }
    f->items = lib_mem_new((f->count + 1) * sizeof *f->items);
    for (unsigned r = 0; r < n->routers && good; r++)
        for (unsigned s = 0; s < n->routers; s++) {
            unsigned k = 0;
            while (k < f->count && class[k] != c->of[r][s])
                k++;
            good &= !c->of[r][s] || k < f->count;
        }
    good = good && f->count > 1;
    for (unsigned k = 0; k < f->count && good; k++) {
        good = make_factor(n, c, class[k], &f -> items[k]);
        all *= f->items[k].size;
    }
    good = good && all == n->routers;
    for (unsigned r = 0; r < n->routers && good; r++)
        for (unsigned s = 0; s < r; s++)
            good &= differ(f, r, s);
    lib_mem_free(c);
    return good;
}

/* --- orders ------------------------------------------------------------------------------- */

static void make_order(const struct ways_net *n, unsigned root, bool prefers_far,
                       unsigned *rank)
{
    for (unsigned r = 0; r < n->routers; r++)
        rank[r] = NONE;
    rank[root] = 0;
    for (unsigned k = 1; k < n->routers; k++) {
        unsigned best = NONE, best_links = 0;
        for (unsigned r = 0; r < n->routers; r++) {
            unsigned links = 0;
            for (unsigned s = 0; s < n->routers; s++)
                for (unsigned p = 0; p < n->count[s]; p++)
                    links += rank[s] != NONE && n->to[s][p] == r;
            if (rank[r] != NONE)
                continue;
            const bool is_first = best == NONE;
            const unsigned far = n->far[root][r];
            const unsigned there = is_first ? 0 : n->far[root][best];
            if (is_first || links > best_links ||
                (links == best_links && (prefers_far ? far > there : far < there))) {
                best = r;
                best_links = links;
            }
        }
        rank[best] = k;
    }
}

static unsigned long sum_of(const struct ways_net *n, unsigned r)
{
    unsigned long sum = 0;
    for (unsigned to = 0; to < n->routers; to++)
        sum += n->far[r][to];
    return sum;
}

/* Returns false if no order gives ways. */
static bool balance_orders(const struct ways_net *n, struct lengths *l,
                           struct ways_made *made)
{
    unsigned best_rank[WAYS_ROUTERS];
    unsigned long least = ~0UL;
    bool done[WAYS_ROUTERS] = {false};
    l->rule = UP_DOWN;
    for (unsigned i = 0; i < n->routers; i++) {
        unsigned root = NONE;
        for (unsigned r = 0; r < n->routers; r++)
            if (!done[r] &&
                (root == NONE || sum_of(n, r) < sum_of(n, root) + n->last_root))
                root = r;
        done[root] = true;
        for (unsigned prefers_far = 0; prefers_far < 2; prefers_far++) {
            make_order(n, root, prefers_far, l->rank);
            const unsigned long most = balance(n, l, made, 1);
            if (most >= least)
                continue;
            least = most;
            memcpy(best_rank, l->rank, sizeof best_rank);
        }
    }
    memcpy(l->rank, best_rank, sizeof l->rank);
    return least != ~0UL && balance(n, l, made, PASSES) != ~0UL;
}

bool oracle_ways_make(const struct ways_net *n, struct ways_made *made)
{
    struct lengths *l = lib_mem_new(sizeof *l);
    struct ways_made *shortest = lib_mem_new(sizeof *shortest);
    struct factors f = {0};
    unsigned long dimensions = ~0UL;
    bool found = true;
    if (find_factors(n, &f)) {
        l->rule = BY_DIMENSIONS;
        l->factors = &f;
        dimensions = balance(n, l, made, 1);
    }
    l->rule = SHORTEST;
    const unsigned long least = balance(n, l, shortest, PASSES);
    const bool is_free = !has_circle(n, shortest);
    const bool is_taken = dimensions == ~0UL || (is_free && least < dimensions);
    if (is_taken)
        *made = *shortest;
    if (is_taken && !is_free) {
        found = balance_orders(n, l, made);
        if (!found)
            *made = *shortest;
    }
    lib_mem_free(f.items);
    lib_mem_free(shortest);
    lib_mem_free(l);
    return found;
}
