/* Boxes that a network contains. A box is a product of lines, rings and full networks; its places
 * are numbered as the routers of a mesh are. A search puts a router on one place after the other,
 * in an order in which most places close a square with earlier ones, so that a wrong router is
 * found out at once. doc/model/network.md, "Shapes", defines the order and the limits. */
#include "lib/memory.h"
#include "machine/network/ways.h"

#include <stdlib.h>
#include <string.h>

enum { LINE, RING, FULL, FORMS };
/* Limits of the search: routers that are tried on places, for one box and for all. */
enum { MAX_TRIALS_OF_BOX = 1 << 18, MAX_TRIALS = 1 << 22 };

/* Sizes and forms of the dimensions of a box, the greatest size first. */
struct form {
    uint32_t dims, size[MACHINE_BOX_MAX_DIMS], form[MACHINE_BOX_MAX_DIMS];
    uint64_t edges;
};

struct search {
    uint32_t routers;
    /* Neighbours of each router by links both ways, ascending, each once. */
    uint32_t *first, *to;
    uint8_t *are_joined; /* a bit for each pair of routers */
    uint32_t edges;
    bool has_one_way;

    LIB_VEC(struct form) forms;
    uint32_t *roots; /* routers by the number of their neighbours, then by number */
    uint64_t trials;

    /* The search for one box. Places are given by their position in the order of the search. */
    uint32_t *place; /* number of each place in the box */
    uint32_t
        *joined_first; /* earlier neighbours of place p: joined[joined_first[p]] ... */
    uint32_t *joined;
    uint32_t *degree; /* number of neighbours of each place, earlier and later */
    uint32_t *router; /* router on each place */
    uint32_t *cursor; /* candidate that comes next on each place */
    bool *is_used;    /* the router is on a place */
};

/* --- the network ------------------------------------------------------------------------------ */

static bool is_joined(const struct search *s, uint32_t a, uint32_t b)
{
    const size_t bit = (size_t)a * s->routers + b;
    return s->are_joined[bit / 8] >> bit % 8 & 1;
}

static void read_network(struct search *s, const struct machine_ways_net *net)
{
    const uint32_t n = net->routers;
    uint8_t *leads = lib_mem_new((size_t)n * n / 8 + 1);
    s->routers = n;
    s->are_joined = lib_mem_new((size_t)n * n / 8 + 1);
    s->first = lib_mem_new((n + 1) * sizeof *s->first);
    s->to = lib_mem_new((net->first[n] + 1) * sizeof *s->to);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++) {
            const size_t bit = (size_t)r * n + net->to[i];
            leads[bit / 8] |= (uint8_t)(1u << bit % 8);
        }
    uint32_t count = 0;
    for (uint32_t r = 0; r < n; r++) {
        s->first[r] = count;
        for (uint32_t to = 0; to < n; to++) {
            const size_t bit = (size_t)r * n + to, back = (size_t)to * n + r;
            if (!(leads[bit / 8] >> bit % 8 & 1))
                continue;
            if (!(leads[back / 8] >> back % 8 & 1)) {
                s->has_one_way = true;
                continue;
            }
            s->are_joined[bit / 8] |= (uint8_t)(1u << bit % 8);
            s->to[count++] = to;
        }
    }
    s->first[n] = count;
    s->edges = count / 2;
    lib_mem_free(leads);
}

static uint32_t degree_of(const struct search *s, uint32_t router)
{
    return s->first[router + 1] - s->first[router];
}

static void list_roots(struct search *s)
{
    uint32_t count = 0;
    s->roots = lib_mem_new(s->routers * sizeof *s->roots);
    for (uint32_t degree = 0; count < s->routers; degree++)
        for (uint32_t r = 0; r < s->routers; r++)
            if (degree_of(s, r) == degree)
                s->roots[count++] = r;
}

/* --- forms of boxes --------------------------------------------------------------------------- */

/* Returns the edges of a line, ring or full network of `size` routers. */
static uint64_t edges_of(uint32_t form, uint64_t size)
{
    return form == LINE ? size - 1 : form == RING ? size : size * (size - 1) / 2;
}

static int compare_forms(const void *left, const void *right)
{
    const struct form *a = left, *b = right;
    if (a->edges != b->edges)
        return a->edges > b->edges ? -1 : 1;
    if (a->dims != b->dims)
        return a->dims < b->dims ? -1 : 1;
    for (uint32_t k = 0; k < a->dims; k++)
        if (a->size[k] != b->size[k])
            return a->size[k] > b->size[k] ? -1 : 1;
    for (uint32_t k = 0; k < a->dims; k++)
        if (a->form[k] != b->form[k])
            return a->form[k] < b->form[k] ? -1 : 1;
    return 0;
}

/* Whether the network can contain the box, and has some but not many other links. */
static bool has_room(const struct search *s, const struct form *f)
{
    return f->edges <= s->edges && (f->edges < s->edges || s->has_one_way) &&
           s->edges - f->edges <= f->edges / 2;
}

/* Lists the boxes that continue `f` with dimensions for `rest` routers. */
static void list_forms(struct search *s, struct form *f, uint32_t rest)
{
    const uint32_t k = f->dims, n = s->routers;
    if (rest == 1) {
        f->edges = 0;
        for (uint32_t i = 0; i < k; i++)
            f->edges += edges_of(f->form[i], f->size[i]) * (n / f->size[i]);
        if (has_room(s, f))
            *LIB_VEC_PUSH(&s->forms) = *f;
        return;
    }
    for (uint32_t size = 2; size <= rest && k < MACHINE_BOX_MAX_DIMS; size++) {
        if (rest % size || (k > 0 && size > f->size[k - 1]))
            continue;
        const bool is_same = k > 0 && size == f->size[k - 1];
        /* A ring of two is a line, and a full network of two or three is a line or ring. */
        const uint32_t forms = size == 2 ? 1 : size == 3 ? 2 : FORMS;
        for (uint32_t form = is_same ? f->form[k - 1] : LINE; form < forms; form++) {
            f->size[k] = size;
            f->form[k] = form;
            f->dims = k + 1;
            list_forms(s, f, rest / size);
            f->dims = k;
        }
    }
}

/* --- places ----------------------------------------------------------------------------------- */

/* Whether coordinates `a` and `b` of a dimension are joined. */
static bool are_neighbours(uint32_t form, uint32_t size, uint32_t a, uint32_t b)
{
    const uint32_t apart = a > b ? a - b : b - a;
    return apart == 1 || (form == FULL && apart > 0) ||
           (form == RING && apart == size - 1 && apart > 0);
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Orders places by their greatest coordinate, then by the last dimension that has it, then by
 * number. */
static void order_places(struct search *s, const struct form *f, uint32_t *position)
{
    uint64_t *key = lib_mem_new(s->routers * sizeof *key);
    for (uint32_t p = 0; p < s->routers; p++) {
        uint64_t most = 0, last = 0;
        for (uint32_t k = 0, rest = p; k < f->dims; rest /= f->size[k++])
            if (rest % f->size[k] >= most) {
                most = rest % f->size[k];
                last = k;
            }
        key[p] = most << 48 | last << 32 | p;
    }
    qsort(key, s->routers, sizeof *key, compare_keys);
    for (uint32_t i = 0; i < s->routers; i++) {
        s->place[i] = (uint32_t)key[i];
        position[s->place[i]] = i;
    }
    lib_mem_free(key);
}

/* Makes the order of places, and lists the neighbours that come before each of them. */
static void make_places(struct search *s, const struct form *f)
{
    uint32_t *position = lib_mem_new(s->routers * sizeof *position), count = 0;
    order_places(s, f, position);
    s->joined = lib_mem_resize(s->joined, (f->edges + 1) * sizeof *s->joined);
    for (uint32_t i = 0; i < s->routers; i++) {
        const uint32_t p = s->place[i];
        s->joined_first[i] = count;
        s->degree[i] = 0;
        for (uint32_t k = 0, width = 1; k < f->dims; width *= f->size[k++]) {
            const uint32_t x = p / width % f->size[k];
            for (uint32_t y = 0; y < f->size[k]; y++) {
                if (!are_neighbours(f->form[k], f->size[k], x, y))
                    continue;
                const uint32_t other = position[p + y * width - x * width];
                s->degree[i]++;
                if (other < i)
                    s->joined[count++] = other;
            }
        }
    }
    s->joined_first[s->routers] = count;
    lib_mem_free(position);
}

/* Puts the next router that fits on a place. The candidates are the neighbours of the router on
 * the first neighbouring place. Returns false if there are no more. */
static bool fill_place(struct search *s, uint32_t i, uint64_t limit)
{
    const uint32_t first = s->joined_first[i], end = s->joined_first[i + 1];
    const uint32_t anchor = i ? s->router[s->joined[first]] : 0;
    const uint32_t *candidates = i ? s->to + s->first[anchor] : s->roots;
    const uint32_t count = i ? degree_of(s, anchor) : s->routers;
    while (s->cursor[i] < count && s->trials < limit) {
        const uint32_t r = candidates[s->cursor[i]++];
        s->trials++;
        bool fits = !s->is_used[r] && degree_of(s, r) >= s->degree[i];
        for (uint32_t j = first; j < end && fits; j++)
            fits = is_joined(s, r, s->router[s->joined[j]]);
        if (!fits)
            continue;
        s->router[i] = r;
        s->is_used[r] = true;
        return true;
    }
    return false;
}

/* Finds the first routers, in the order of candidates, that form the box. */
static bool fill_places(struct search *s)
{
    const uint64_t limit = s->trials + MAX_TRIALS_OF_BOX;
    uint32_t i = 0;
    memset(s->is_used, 0, s->routers * sizeof *s->is_used);
    s->cursor[0] = 0;
    while (i < s->routers) {
        if (fill_place(s, i, limit < MAX_TRIALS ? limit : MAX_TRIALS)) {
            if (++i < s->routers)
                s->cursor[i] = 0;
        } else if (i == 0) {
            return false;
        } else {
            s->is_used[s->router[--i]] = false;
        }
    }
    return true;
}

/* --- the box ---------------------------------------------------------------------------------- */

/* Sets the coordinates of routers, and the dimension and kind of each link. */
static void describe_box(const struct search *s, const struct machine_ways_net *net,
                         const struct form *f, struct machine_box *box)
{
    const uint32_t n = net->routers;
    box->dims = f->dims;
    box->at = lib_mem_new((size_t)n * f->dims * sizeof *box->at);
    box->dim = lib_mem_new(net->first[n] + 1);
    box->is_side = lib_mem_new((net->first[n] + 1) * sizeof *box->is_side);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0, rest = s->place[i]; k < f->dims; rest /= f->size[k++])
            box->at[s->router[i] * f->dims + k] = (uint16_t)(rest % f->size[k]);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = net->first[r]; i < net->first[r + 1]; i++) {
            const uint16_t *a = box->at + r * f->dims,
                           *b = box->at + net->to[i] * f->dims;
            uint32_t changes = 0, dim = 0;
            for (uint32_t k = 0; k < f->dims; k++)
                if (a[k] != b[k]) {
                    changes++;
                    dim = k;
                }
            box->dim[i] = changes == 1 ? (uint8_t)dim : MACHINE_BOX_NO_DIM;
            box->is_side[i] = changes == 1 && is_joined(s, r, net->to[i]) &&
                              are_neighbours(f->form[dim], f->size[dim], a[dim], b[dim]);
        }
}

bool machine_box_find(const struct machine_ways_net *net, struct machine_box *box)
{
    const uint32_t n = net->routers;
    struct search s = {0};
    struct form start = {0};
    bool found = false;
    *box = (struct machine_box){0};
    read_network(&s, net);
    list_forms(&s, &start, n);
    if (s.forms.count > 0) {
        qsort(s.forms.items, s.forms.count, sizeof *s.forms.items, compare_forms);
        list_roots(&s);
        s.place = lib_mem_new(n * sizeof *s.place);
        s.joined_first = lib_mem_new((n + 1) * sizeof *s.joined_first);
        s.degree = lib_mem_new(n * sizeof *s.degree);
        s.router = lib_mem_new(n * sizeof *s.router);
        s.cursor = lib_mem_new(n * sizeof *s.cursor);
        s.is_used = lib_mem_new(n * sizeof *s.is_used);
    }
    for (size_t i = 0; i < s.forms.count && !found && s.trials < MAX_TRIALS; i++) {
        make_places(&s, &s.forms.items[i]);
        found = fill_places(&s);
        if (found)
            describe_box(&s, net, &s.forms.items[i], box);
    }
    LIB_VEC_FREE(&s.forms);
    LIB_MEM_FREE(s.first, s.to, s.are_joined, s.roots, s.place, s.joined_first);
    LIB_MEM_FREE(s.joined, s.degree, s.router, s.cursor, s.is_used);
    return found;
}

void machine_box_free(struct machine_box *box)
{
    LIB_MEM_FREE(box->at, box->dim, box->is_side);
}
