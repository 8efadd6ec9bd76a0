/* "Shapes", `file`: the ways of deterministic routing. */
#include "tests/oracle/ways.h"

#include "lib/memory.h"

#include <string.h>

enum { PASSES = 16 };

enum rule { SHORTEST, BY_DIMENSIONS, UP_DOWN, IN_BOX };

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

/* "Boxes": sizes and forms of the dimensions, and the coordinates of each place. */
enum { MAX_DIMS = 4 };
struct box {
    unsigned dims, size[MAX_DIMS];
    enum { A_LINE, A_RING, ALL } form[MAX_DIMS];
    unsigned sides;
    unsigned of_place[WAYS_ROUTERS][MAX_DIMS];
    unsigned of_router[WAYS_ROUTERS][MAX_DIMS];
};

/* What a rule says for a goal. */
struct lengths {
    enum rule rule;
    const struct box *box;
    unsigned goal;
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

/* "it changes one coordinate, namely the first in which its router differs from the goal, and leads
 * towards the goal in it and not past it" */
static bool leads_in_box(const struct lengths *l, unsigned r, unsigned to)
{
    const unsigned *a = l->box->of_router[r], *b = l->box->of_router[to],
                   *goal = l->box->of_router[l->goal];
    bool is_before = true; /* no coordinate so far differs from the goal */
    bool leads = false;
    for (unsigned k = 0; k < l->box->dims; k++) {
        if (is_before && a[k] != goal[k]) {
            is_before = false;
            leads = (a[k] < b[k] && b[k] <= goal[k]) || (a[k] > b[k] && b[k] >= goal[k]);
        } else if (a[k] != b[k]) {
            return false;
        }
    }
    return leads;
}

static void relax_in_box(const struct ways_net *n, struct lengths *l, unsigned goal)
{
    l->goal = goal;
    for (unsigned r = 0; r < n->routers; r++)
        l->far[r] = r == goal ? 0 : NONE;
    for (unsigned round = 0; round < n->routers; round++)
        for (unsigned r = 0; r < n->routers; r++)
            for (unsigned p = 0; p < n->count[r]; p++) {
                const unsigned to = n->to[r][p];
                if (l->far[to] != NONE && l->far[to] + 1 < l->far[r] &&
                    leads_in_box(l, r, to))
                    l->far[r] = l->far[to] + 1;
            }
}

static void find_lengths(const struct ways_net *n, struct lengths *l, unsigned goal)
{
    if (l->rule == IN_BOX)
        relax_in_box(n, l, goal);
    else if (l->rule == UP_DOWN)
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
    if (l->rule == IN_BOX)
        return leads_in_box(l, r, to);
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

/* --- boxes -------------------------------------------------------------------------------- */

/* The search for a box: the routers on places that are filled, in the order of filling. */
struct hunt {
    const struct ways_net *n;
    bool joined[WAYS_ROUTERS][WAYS_ROUTERS]; /* by links both ways */
    unsigned near[WAYS_ROUTERS];             /* routers that are joined to it */
    unsigned edges;
    bool any_one_way;
    struct box best, box;
    unsigned place[WAYS_ROUTERS],
        router[WAYS_ROUTERS]; /* of each step; router of a place */
    unsigned long trials, limit;
};

static void look_at_links(struct hunt *h)
{
    bool leads[WAYS_ROUTERS][WAYS_ROUTERS] = {{false}};
    const struct ways_net *n = h->n;
    for (unsigned r = 0; r < n->routers; r++)
        for (unsigned p = 0; p < n->count[r]; p++)
            leads[r][n->to[r][p]] = true;
    for (unsigned r = 0; r < n->routers; r++)
        for (unsigned s = 0; s < n->routers; s++) {
            h->joined[r][s] = leads[r][s] && leads[s][r];
            h->any_one_way |= leads[r][s] && !leads[s][r];
            h->near[r] += h->joined[r][s];
            h->edges += h->joined[r][s] && s < r;
        }
}

static bool are_next(const struct box *b, unsigned k, unsigned x, unsigned y)
{
    if (x == y)
        return false;
    if (b->form[k] == ALL || x + 1 == y || y + 1 == x)
        return true;
    return b->form[k] == A_RING && (x == 0 || y == 0) && x + y == b->size[k] - 1;
}

/* Whether places p and q are joined, by which dimension. */
static bool is_side(const struct box *b, unsigned p, unsigned q)
{
    unsigned differ = 0, at = 0;
    for (unsigned k = 0; k < b->dims; k++)
        if (b->of_place[p][k] != b->of_place[q][k]) {
            differ++;
            at = k;
        }
    return differ == 1 && are_next(b, at, b->of_place[p][at], b->of_place[q][at]);
}

static void count_sides(struct box *b, unsigned routers)
{
    b->sides = 0;
    for (unsigned p = 0; p < routers; p++)
        for (unsigned k = 0, rest = p; k < b->dims; rest /= b->size[k++])
            b->of_place[p][k] = rest % b->size[k];
    for (unsigned p = 0; p < routers; p++)
        for (unsigned q = 0; q < p; q++)
            b->sides += is_side(b, p, q);
}

/* Whether box `a` is tried before box `b`. */
static bool is_earlier(const struct box *a, const struct box *b)
{
    if (a->sides != b->sides)
        return a->sides > b->sides;
    if (a->dims != b->dims)
        return a->dims < b->dims;
    for (unsigned k = 0; k < a->dims; k++)
        if (a->size[k] != b->size[k])
            return a->size[k] > b->size[k];
    for (unsigned k = 0; k < a->dims; k++)
        if (a->form[k] != b->form[k])
            return a->form[k] < b->form[k];
    return false;
}

/* Looks at all boxes that begin as `b`; keeps the earliest behind `last`, if that is one. */
static bool find_next_box(struct hunt *h, struct box *b, unsigned rest,
                          const struct box *last, bool found)
{
    if (rest == 1) {
        count_sides(b, h->n->routers);
        const bool is_small = b->sides > h->edges ||
                              (b->sides == h->edges && !h->any_one_way) ||
                              2 * (h->edges - b->sides) > b->sides;
        if (is_small || (last->dims && !is_earlier(last, b)) ||
            (found && !is_earlier(b, &h->best)))
            return found;
        h->best = *b;
        return true;
    }
    const unsigned k = b->dims;
    for (unsigned size = 2; size <= rest; size++)
        for (unsigned form = A_LINE; form <= ALL; form++) {
            const bool is_sorted = k == 0 || size < b->size[k - 1] ||
                                   (size == b->size[k - 1] && form >= b->form[k - 1]);
            if (rest % size || !is_sorted || form + 1 > size ||
                (form == ALL && size < 4) || (form == A_RING && size < 3))
                continue;
            b->size[k] = size;
            b->form[k] = form;
            b->dims = k + 1;
            found = find_next_box(h, b, rest / size, last, found);
            b->dims = k;
        }
    return found;
}

/* "by their greatest coordinate, then by the last dimension that has it, then by number" */
static void order_the_places(struct hunt *h)
{
    const struct box *b = &h->box;
    unsigned count = 0;
    for (unsigned greatest = 0; count < h->n->routers; greatest++)
        for (unsigned dim = 0; dim < b->dims; dim++)
            for (unsigned p = 0; p < h->n->routers; p++) {
                unsigned most = 0, last = 0;
                for (unsigned k = 0; k < b->dims; k++) {
                    most = b->of_place[p][k] > most ? b->of_place[p][k] : most;
                    last = b->of_place[p][k] == most ? k : last;
                }
                if (most == greatest && last == dim)
                    h->place[count++] = p;
            }
}

static bool is_filled(const struct hunt *h, unsigned steps, unsigned p)
{
    for (unsigned i = 0; i < steps; i++)
        if (h->place[i] == p)
            return true;
    return false;
}

/* The first filled place that is joined to place p: by dimension, then by coordinate. */
static unsigned anchor_of(const struct hunt *h, unsigned steps, unsigned p)
{
    const struct box *b = &h->box;
    for (unsigned k = 0; k < b->dims; k++)
        for (unsigned x = 0; x < b->size[k]; x++)
            for (unsigned q = 0; q < h->n->routers; q++)
                if (b->of_place[q][k] == x && b->of_place[p][k] != x &&
                    is_side(b, p, q) && is_filled(h, steps, q))
                    return q;
    return NONE;
}

static bool fits(const struct hunt *h, unsigned steps, unsigned p, unsigned r)
{
    unsigned sides = 0;
    for (unsigned q = 0; q < h->n->routers; q++) {
        sides += is_side(&h->box, p, q);
        if (!is_filled(h, steps, q))
            continue;
        if (h->router[q] == r || (is_side(&h->box, p, q) && !h->joined[r][h->router[q]]))
            return false;
    }
    return h->near[r] >= sides;
}

static bool fill_places(struct hunt *h, unsigned steps)
{
    const unsigned n = h->n->routers;
    if (steps == n)
        return true;
    const unsigned p = h->place[steps], anchor = steps ? anchor_of(h, steps, p) : NONE;
    for (unsigned near = 0; near < n; near++)
        for (unsigned r = 0; r < n; r++) {
            if (steps ? near > 0 || !h->joined[h->router[anchor]][r] : h->near[r] != near)
                continue;
            if (h->trials == h->limit)
                return false;
            h->trials++;
            h->router[p] = r;
            if (fits(h, steps, p, r) && fill_places(h, steps + 1))
                return true;
            h->router[p] = r;
        }
    return false;
}

static bool find_box(const struct ways_net *n, struct box *box)
{
    struct hunt *h = lib_mem_new(sizeof *h);
    struct box start = {0};
    bool found = false;
    h->n = n;
    look_at_links(h);
    while (!found && h->trials < 1UL << 22 &&
           find_next_box(h, &start, n->routers, &h->box, false)) {
        h->box = h->best;
        h->limit = h->trials + (1UL << 18);
        h->limit = h->limit > 1UL << 22 ? 1UL << 22 : h->limit;
        order_the_places(h);
        found = fill_places(h, 0);
    }
    for (unsigned p = 0; p < n->routers && found; p++)
        memcpy(h->box.of_router[h->router[p]], h->box.of_place[p],
               sizeof h->box.of_place[p]);
    *box = h->box;
    lib_mem_free(h);
    return found;
}

static unsigned long greatest_load(const struct ways_net *n, const struct ways_made *m)
{
    unsigned long most = 0;
    for (unsigned r = 0; r < n->routers; r++)
        for (unsigned p = 0; p < n->count[r]; p++)
            most = m->load[r][p] > most ? m->load[r][p] : most;
    return most;
}

/* "the ways that this section defines for the network of which only the sides of the box are
 * left" */
static unsigned long make_without(const struct ways_net *n, const struct box *box,
                                  struct ways_made *made)
{
    struct ways_net *sides = lib_mem_new(sizeof *sides);
    unsigned port[WAYS_ROUTERS][WAYS_ROUTERS];
    unsigned long load = ~0UL;
    *sides = *n;
    for (unsigned r = 0; r < n->routers; r++) {
        sides->count[r] = 0;
        for (unsigned p = 0; p < n->count[r]; p++) {
            const unsigned to = n->to[r][p];
            unsigned differ = 0, k = 0;
            for (unsigned i = 0; i < box->dims; i++)
                if (box->of_router[r][i] != box->of_router[to][i]) {
                    differ++;
                    k = i;
                }
            bool is_back = false;
            for (unsigned q = 0; q < n->count[to]; q++)
                is_back |= n->to[to][q] == r;
            if (differ != 1 || !is_back ||
                !are_next(box, k, box->of_router[r][k], box->of_router[to][k]))
                continue;
            port[r][sides->count[r]] = p;
            sides->to[r][sides->count[r]++] = to;
        }
    }
    oracle_ways_distances(sides);
    if (oracle_ways_make(sides, made))
        load = greatest_load(sides, made);
    for (unsigned goal = 0; goal < n->goals; goal++)
        for (unsigned r = 0; r < n->routers; r++)
            if (r != n->at[goal])
                made->port[goal][r] = port[r][made->port[goal][r]];
    lib_mem_free(sides);
    return load;
}

/* Takes ways in a box in place of `made`, whose greatest load is `load`, if they have less. Returns
 * whether there are ways without a circle. */
static bool try_box(const struct ways_net *n, struct lengths *l, unsigned long load,
                    struct ways_made *made)
{
    struct box box;
    if (load <= n->pe_count || !find_box(n, &box))
        return load != ~0UL;
    struct ways_made *other = lib_mem_new(sizeof *other);
    l->rule = IN_BOX;
    l->box = &box;
    const unsigned long with = balance(n, l, other, PASSES);
    if (with < load && !n->sides_only) {
        load = with;
        *made = *other;
    }
    const unsigned long without = make_without(n, &box, other);
    if (without < load) {
        load = without;
        *made = *other;
    }
    lib_mem_free(other);
    return load != ~0UL;
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
    if (dimensions == ~0UL)
        found = try_box(n, l, found ? greatest_load(n, made) : ~0UL, made);
    lib_mem_free(f.items);
    lib_mem_free(shortest);
    lib_mem_free(l);
    return found;
}
