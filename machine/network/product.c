/* Factors of a network that is a Cartesian product of smaller ones. Two links that leave a router
 * in different factors are sides of exactly one square, which has no diagonal, and the sides of a
 * square that face each other are of the same factor. So links are sorted into classes: those that
 * are in no such square together are in one class, and so are facing sides of a square. Whether the
 * classes are factors is then checked. */
#include "lib/memory.h"
#include "machine/network/ways.h"

#include <string.h>

enum { MAX_FACTORS = 32 };
static const uint64_t most_pairs = UINT64_C(1) << 26;

/* The network without parallel links. */
struct simple {
    uint32_t routers;
    uint32_t *first, *to; /* neighbours of each router, ascending */
    uint32_t *mate;       /* the same link from the other end */
    uint32_t *class;      /* union-find: parent of each link */
    uint32_t classes;     /* number of classes */
    uint32_t *square; /* scratch memory for each router: links to it from neighbours */
    uint32_t *sum;    /* scratch memory: sum of the numbers of these neighbours */
};

/* Returns the link between two routers, or UINT32_MAX. */
static uint32_t find_link(const struct simple *s, uint32_t from, uint32_t to)
{
    uint32_t low = s->first[from], high = s->first[from + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->first[from + 1] && s->to[low] == to ? low : UINT32_MAX;
}

/* Makes the lists of neighbours. Returns false if a link leads one way only. */
static bool simplify(struct simple *s, const struct machine_ways_net *net)
{
    const uint32_t n = net->routers, links = net->first[n];
    uint32_t count = 0;
    s->routers = n;
    s->first = lib_mem_new((n + 1) * sizeof *s->first);
    s->to = lib_mem_new((links + 1) * sizeof *s->to);
    s->mate = lib_mem_new((links + 1) * sizeof *s->mate);
    s->class = lib_mem_new((links + 1) * sizeof *s->class);
    s->square = lib_mem_new(n * sizeof *s->square);
    s->sum = lib_mem_new(n * sizeof *s->sum);
    for (uint32_t r = 0; r < n; r++) {
        s->first[r] = count;
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++) {
            uint32_t at = count;
            for (; at > s->first[r] && s->to[at - 1] > net->to[i]; at--)
                ;
            if (at > s->first[r] && s->to[at - 1] == net->to[i])
                continue;
            memmove(s->to + at + 1, s->to + at, (count - at) * sizeof *s->to);
            s->to[at] = net->to[i];
            count++;
        }
    }
    s->first[n] = count;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = s->first[r]; i < s->first[r + 1]; i++) {
            s->mate[i] = find_link(s, s->to[i], r);
            if (s->mate[i] == UINT32_MAX)
                return false;
        }
    return true;
}

static void free_simple(struct simple *s)
{
    LIB_MEM_FREE(s->first, s->to, s->mate, s->class, s->square, s->sum);
}

static uint32_t class_of(struct simple *s, uint32_t link)
{
    while (s->class[link] != link)
        link = s->class[link] = s->class[s->class[link]];
    return link;
}

/* Puts two links into one class: that of the smaller number. */
static void unite(struct simple *s, uint32_t a, uint32_t b)
{
    a = class_of(s, a);
    b = class_of(s, b);
    if (a == b)
        return;
    s->classes--;
    s->class[a < b ? b : a] = a < b ? a : b;
}

/* Sorts the pairs of links that lead from a neighbour of `v` to `v` and to another router. */
static void sort_pairs(struct simple *s, uint32_t v)
{
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++)
        for (uint32_t k = s->first[s->to[i]]; k < s->first[s->to[i] + 1]; k++) {
            s->square[s->to[k]]++;
            s->sum[s->to[k]] += s->to[i];
        }
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++) {
        const uint32_t u = s->to[i];
        for (uint32_t k = s->first[u]; k < s->first[u + 1]; k++) {
            const uint32_t w = s->to[k], x = s->sum[w] - u; /* x: if there are two */
            if (w <= v)
                continue;
            if (s->square[w] != 2 || find_link(s, v, w) != UINT32_MAX ||
                find_link(s, u, x) != UINT32_MAX) {
                unite(s, i, k);
                continue;
            }
            unite(s, i, find_link(s, w, x));
            unite(s, k, find_link(s, v, x));
        }
    }
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++)
        for (uint32_t k = s->first[s->to[i]]; k < s->first[s->to[i] + 1]; k++)
            s->square[s->to[k]] = s->sum[s->to[k]] = 0;
}

static void sort_links(struct simple *s)
{
    const uint32_t links = s->first[s->routers];
    s->classes = links;
    for (uint32_t i = 0; i < links; i++)
        s->class[i] = i;
    for (uint32_t i = 0; i < links; i++)
        unite(s, i, s->mate[i]);
    for (uint32_t v = 0; v < s->routers && s->classes > 1; v++)
        sort_pairs(s, v);
}

/* Gives the same coordinate to routers that links of other classes join. Returns the number of
 * coordinates. */
static uint32_t find_coordinates(struct simple *s, uint32_t class, uint32_t *at)
{
    const uint32_t n = s->routers;
    uint32_t count = 0, *queue = lib_mem_new(n * sizeof *queue);
    memset(at, 0xff, n * sizeof *at);
    for (uint32_t start = 0; start < n; start++) {
        uint32_t head = 0, tail = 0;
        if (at[start] != UINT32_MAX)
            continue;
        at[start] = count;
        queue[tail++] = start;
        while (head < tail) {
            const uint32_t r = queue[head++];
            for (uint32_t i = s->first[r]; i < s->first[r + 1]; i++)
                if (at[s->to[i]] == UINT32_MAX && class_of(s, i) != class) {
                    at[s->to[i]] = count;
                    queue[tail++] = s->to[i];
                }
        }
        count++;
    }
    lib_mem_free(queue);
    return count;
}

/* Lists the links between coordinates. Returns false if a link is not there for all values of the
 * other coordinates. */
static bool list_links(struct simple *s, uint32_t class, struct machine_factor *f)
{
    const uint32_t size = f->size, fibres = s->routers / size;
    uint32_t *count = lib_mem_new((size_t)size * size * sizeof *count), links = 0;
    bool good = true;
    for (uint32_t r = 0; r < s->routers; r++)
        for (uint32_t i = s->first[r]; i < s->first[r + 1]; i++)
            if (class_of(s, i) == class)
                links += count[(size_t)f->at[r] * size + f->at[s->to[i]]]++ == 0;
    f->first = lib_mem_new((size + 1) * sizeof *f->first);
    f->to = lib_mem_new((links + 1) * sizeof *f->to);
    links = 0;
    for (uint32_t x = 0; x < size; x++) {
        for (uint32_t y = 0; y < size; y++) {
            const uint32_t here = count[(size_t)x * size + y];
            good &= here == 0 || (here == fibres && x != y);
            if (here)
                f->to[links++] = y;
        }
        f->first[x + 1] = links;
    }
    lib_mem_free(count);
    return good;
}

/* Whether no two routers have the same coordinates, and all combinations exist. */
static bool are_coordinates(const struct machine_product *p, uint32_t routers)
{
    uint64_t all = 1;
    for (uint32_t f = 0; f < p->factors && all <= routers; f++)
        all *= p->factor[f].size;
    if (all != routers)
        return false;
    bool *seen = lib_mem_new(routers), good = true;
    for (uint32_t r = 0; r < routers; r++) {
        uint32_t at = 0;
        for (uint32_t f = 0; f < p->factors; f++)
            at = at * p->factor[f].size + p->factor[f].at[r];
        good &= !seen[at];
        seen[at] = true;
    }
    lib_mem_free(seen);
    return good;
}

/* Finds the ways in a factor, each of whose coordinates is a goal with one PE. */
static bool find_ways(struct machine_factor *f)
{
    const uint32_t n = f->size;
    const size_t bytes = (size_t)n * n * sizeof *f->far;
    uint32_t *one = lib_mem_new(n * sizeof *one), *goals = lib_mem_new(n * sizeof *goals);
    uint32_t *queue = lib_mem_new(n * sizeof *queue);
    uint16_t *far = lib_mem_new(bytes);
    f->next = lib_mem_new(bytes);
    f->far = lib_mem_new(bytes);
    for (uint32_t x = 0; x < n; x++) {
        one[x] = 1;
        goals[x] = x;
        machine_ways_search(n, f->first, f->to, x, far + (size_t)x * n, queue);
    }
    const struct machine_ways_net net = {n, f->first, f->to, one, far, n, goals, one, n};
    const bool found = machine_ways_find(&net, f->next);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t r = x; r != y; f->far[(size_t)y * n + x]++)
                r = f->to[f->first[r] + f->next[(size_t)y * n + r]];
    LIB_MEM_FREE(one, goals, queue, far);
    return found;
}

static bool find_factors(struct simple *s, struct machine_product *p)
{
    /* Each class has a link at router 0. */
    uint32_t class[MAX_FACTORS];
    for (uint32_t i = s->first[0]; i < s->first[1]; i++) {
        uint32_t k = 0;
        while (k < p->factors && class[k] != class_of(s, i))
            k++;
        if (k == MAX_FACTORS)
            return false;
        class[k] = class_of(s, i);
        p->factors += k == p->factors;
    }
    if (p->factors != s->classes)
        return false;
    p->factor = lib_mem_new(p->factors * sizeof *p->factor);
    for (uint32_t k = 0; k < p->factors; k++) {
        p->factor[k].at = lib_mem_new(s->routers * sizeof *p->factor[k].at);
        p->factor[k].size = find_coordinates(s, class[k], p -> factor[k].at);
    }
    bool good = are_coordinates(p, s->routers);
    for (uint32_t k = 0; k < p->factors && good; k++)
        good = list_links(s, class[k], &p -> factor[k]) && find_ways(&p->factor[k]);
    return good;
}

bool machine_product_find(const struct machine_ways_net *net, struct machine_product *p)
{
    uint64_t pairs = 0;
    *p = (struct machine_product){0};
    for (uint32_t i = 0; i < net->first[net->routers]; i++)
        pairs += net->first[net->to[i] + 1] - net->first[net->to[i]];
    if (pairs > most_pairs)
        return false;
    struct simple s = {0};
    bool found = simplify(&s, net);
    if (found)
        sort_links(&s);
    found = found && s.classes > 1 && find_factors(&s, p);
    free_simple(&s);
    return found;
}

void machine_product_free(struct machine_product *p)
{
    for (uint32_t k = 0; p->factor && k < p->factors; k++) {
        struct machine_factor *f = &p->factor[k];
        LIB_MEM_FREE(f->at, f->first, f->to, f->next, f->far);
    }
    lib_mem_free(p->factor);
}

void machine_product_ways(const struct machine_product *p, uint32_t routers,
                          uint32_t goal, uint32_t *only, uint16_t *far)
{
    uint32_t width[MAX_FACTORS], all = 1;
    uint32_t *router = lib_mem_new(routers * sizeof *router); /* by coordinates */
    for (uint32_t k = 0; k < p->factors; k++) {
        width[k] = all;
        all *= p->factor[k].size;
    }
    for (uint32_t r = 0; r < routers; r++) {
        uint32_t at = 0;
        for (uint32_t k = 0; k < p->factors; k++)
            at += p->factor[k].at[r] * width[k];
        router[at] = r;
        only[r] = at; /* for now */
    }
    for (uint32_t r = 0; r < routers; r++) {
        bool is_next = false;
        far[r] = 0;
        for (uint32_t k = 0; k < p->factors; k++) {
            const struct machine_factor *f = &p->factor[k];
            const uint32_t x = f->at[r], y = f->at[goal];
            if (x == y)
                continue;
            const uint32_t i = y * f->size + x;
            far[r] = (uint16_t)(far[r] + f->far[i]);
            if (!is_next)
                only[r] += (f->to[f->first[x] + f->next[i]] - x) * width[k];
            is_next = true;
        }
    }
    for (uint32_t r = 0; r < routers; r++)
        only[r] = router[only[r]];
    lib_mem_free(router);
}
