/* The topologies that have formulas, each with its rules (machine/network/graph_internal.h). A
 * network from a file is in topology_file.c. */
#include "machine/network/graph_internal.h"

#include <assert.h>
#include <stdlib.h>

/* --- dimensions ----------------------------------------------------------------------------- */

void machine_graph_write_dims(const uint32_t *dims, uint32_t count, struct lib_text *out)
{
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%u", i ? "x" : "", dims[i]);
}

/* Sets the number of routers to PEs / concentration, which must be an integer. `usual` is the
 * concentration if the shape has none. */
static bool concentrate(struct machine_graph *g, uint32_t usual, const char *name,
                        struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->concentration == 0)
        s->concentration = usual;
    const uint32_t c = s->concentration, over = s->pe_count % c;
    g->router_count = s->pe_count / c;
    if (over == 0)
        return true;
    lib_text_printf(why,
                    "`%s` with %u PEs per router needs a multiple of %u PEs, such as ",
                    name, c, c);
    if (s->pe_count > c)
        lib_text_printf(why, "%u or ", s->pe_count - over);
    lib_text_printf(why, "%u; found %u", s->pe_count - over + c, s->pe_count);
    return false;
}

/* Sets the dimensions to the two nearest factors of `count`, the greater first. */
static void derive_box(struct machine_shape *s, uint32_t count)
{
    uint32_t least = 1;
    for (uint32_t i = 1; (uint64_t)i * i <= count; i++)
        if (count % i == 0)
            least = i;
    s->dims[0] = count / least;
    s->dims[1] = least;
    s->dim_count = 2;
}

/* Returns the PEs per router of a box, at least 1. */
static uint32_t share_of_dims(const struct machine_shape *s)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < s->dim_count && product <= s->pe_count; i++)
        product *= s->dims[i];
    return product <= s->pe_count ? s->pe_count / (uint32_t)product : 1;
}

/* Returns n if count = k^n with n at least 1, else 0. */
static uint32_t power_of(uint32_t count, uint32_t k)
{
    uint32_t n = 1;
    uint64_t all = k;
    for (; all < count && k > 1; n++)
        all *= k;
    return all == count ? n : 0;
}

/* Returns the least k of which a count is a square, a cube and so on, or 0. Up to 3 PEs are one
 * switch. */
static uint32_t root(uint32_t count)
{
    if (count <= 3)
        return count;
    for (uint32_t k = 2; (uint64_t)k * k <= count; k++)
        if (power_of(count, k))
            return k;
    return 0;
}

static void refuse_power(const struct machine_shape *s, const char *name,
                         struct lib_text *why)
{
    const uint64_t k = s->dim_count > 0 && s->dims[0] > 1 ? s->dims[0] : 2;
    uint64_t above = k;
    while (above <= s->pe_count)
        above *= k;
    lib_text_printf(why, "`%s` needs k^n PEs, such as ", name);
    if (above > k)
        lib_text_printf(why, "%llu or ", (unsigned long long)(above / k));
    lib_text_printf(why, "%llu (k = %llu); found %u", (unsigned long long)above,
                    (unsigned long long)k, s->pe_count);
}

/* Sets the dimensions to k and n, for k^n PEs and k PEs per router. If the shape gives no k, it is
 * `usual` if that fits the number of PEs, else the smallest k that does. */
static bool fit_powers(struct machine_graph *g, uint32_t usual, const char *name,
                       struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    uint32_t k = power_of(s->pe_count, usual) ? usual : root(s->pe_count);
    if (s->dim_count > 0)
        k = s->dims[0];
    const uint32_t n = k > 0 ? power_of(s->pe_count, k) : 0;
    if (n == 0 || s->dim_count > 2 || (s->dim_count == 2 && s->dims[1] != n)) {
        if (n == 0) {
            refuse_power(s, name, why);
        } else {
            lib_text_printf(why, "`%s` of %u PEs is %ux%u (k x n); found ", name,
                            s->pe_count, k, n);
            machine_graph_write_dims(s->dims, s->dim_count, why);
        }
        return false;
    }
    if (s->concentration > 0 && s->concentration != k) {
        lib_text_printf(
            why, "`%s` with k = %u has %u PEs at a switch; found a concentration of %u",
            name, k, k, s->concentration);
        return false;
    }
    s->dims[0] = k;
    s->dims[1] = n;
    s->dim_count = 2;
    s->concentration = k;
    return true;
}

/* Sets the dimensions of a box of router_count routers: the given ones, if their product is right;
 * by default the two nearest factors, the greater first. */
static bool fit_box(struct machine_graph *g, const char *name, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count == 0) {
        derive_box(s, g->router_count);
        return true;
    }
    uint64_t product = 1;
    for (uint32_t i = 0; i < s->dim_count; i++)
        product *= s->dims[i];
    if (product == g->router_count)
        return true;
    lib_text_printf(why, "`%s` of ", name);
    machine_graph_write_dims(s->dims, s->dim_count, why);
    lib_text_printf(why, " routers needs %llu PEs; found %u",
                    (unsigned long long)product * s->concentration, s->pe_count);
    return false;
}

/* Sets the coordinates of each router in a box of shape.dims. Dimension 0 varies fastest. */
static void set_coords(struct machine_graph *g)
{
    const struct machine_shape *s = &g->shape;
    g->coords = LIB_ARENA_ARRAY(g->arena, uint16_t,
                                (size_t)g->router_count * s->dim_count);
    for (uint32_t r = 0; r < g->router_count; r++) {
        uint32_t rest = r;
        for (uint32_t d = 0; d < s->dim_count; d++) {
            g->coords[(size_t)r * s->dim_count + d] = (uint16_t)(rest % s->dims[d]);
            rest /= s->dims[d];
        }
    }
}

/* Returns the router `steps` steps further along dimension `d`; it must exist. */
static uint32_t step(const struct machine_graph *g, uint32_t router, uint32_t d,
                     int32_t steps)
{
    int64_t width = 1;
    for (uint32_t i = 0; i < d; i++)
        width *= g->shape.dims[i];
    const int64_t to = (int64_t)router + steps * width;
    assert(to >= 0 && to < g->router_count);
    return (uint32_t)to;
}

/* For a proof: shortens dimensions of a box, which stay odd or even; one PE per router. */
static void shorten_dims(struct machine_shape *s, uint32_t most)
{
    static const uint32_t caps[MACHINE_MAX_DIMS + 1] = {0, 1024, 32, 10};
    (void)most;
    s->concentration = 1;
    s->pe_count = 1;
    for (uint32_t d = 0; d < s->dim_count; d++) {
        const uint32_t cap = caps[s->dim_count];
        if (s->dims[d] > cap)
            s->dims[d] = cap - (s->dims[d] - cap) % 2;
        s->pe_count *= s->dims[d];
    }
}

/* For a proof: limits k to 32 and reduces n, for k^n PEs. */
static void lower_dims(struct machine_shape *s, uint32_t most)
{
    s->dims[0] = s->dims[0] < 32 ? s->dims[0] : 32;
    s->pe_count = s->dims[0];
    uint32_t n = 1;
    for (; n < s->dims[1] && s->pe_count * s->dims[0] <= most; n++)
        s->pe_count *= s->dims[0];
    s->dims[1] = n;
    s->concentration = s->dims[0];
}

/* Fits a box with a port in each direction of each dimension. */
static bool fit_grid(struct machine_graph *g, const char *name, struct lib_text *why)
{
    if (!concentrate(g, 1, name, why) || !fit_box(g, name, why))
        return false;
    g->port_count = 2 * g->shape.dim_count;
    set_coords(g);
    return true;
}

static inline const uint16_t *coords_of(const struct machine_graph *graph,
                                        uint32_t router)
{
    return graph->coords + (size_t)router * graph->shape.dim_count;
}

/* Returns the first dimension in which two routers differ. */
static inline uint32_t first_dim(const uint16_t *here, const uint16_t *there)
{
    uint32_t d = 0;
    while (here[d] == there[d])
        d++;
    return d;
}

/* Returns the number of switches of a stage or level, for k^n PEs. */
static uint32_t width(const struct machine_graph *g)
{
    return g->pe_count / g->shape.dims[0];
}

/* --- mesh ------------------------------------------------------------------------------------ */

/* A mesh of one to three dimensions. With routing by dimension order, dependencies between channels
 * have no cycle (Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
 * section 14.2.3). */

static bool mesh_fit(struct machine_graph *g, struct lib_text *why)
{
    return fit_grid(g, "mesh", why);
}

static uint32_t mesh_behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                            uint8_t *kind)
{
    (void)kind;
    const uint32_t d = port / 2, x = coords_of(g, router)[d];
    const bool is_up = port % 2 == 0;
    if (is_up ? x + 1 == g->shape.dims[d] : x == 0)
        return MACHINE_NO_LINK;
    return step(g, router, d, is_up ? 1 : -1);
}

static struct machine_way_on mesh_next(const struct machine_graph *g,
                                       const struct machine_at *at)
{
    const uint16_t *here = coords_of(g, at->router);
    const uint16_t *there = coords_of(g, at->target);
    const uint32_t d = first_dim(here, there);
    return (struct machine_way_on){2 * d + (there[d] < here[d]), 0};
}

static unsigned mesh_shortest(const struct machine_graph *g, const struct machine_at *at,
                              uint32_t *ports)
{
    const uint16_t *here = coords_of(g, at->router);
    const uint16_t *there = coords_of(g, at->target);
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        if (here[d] != there[d])
            ports[count++] = 2 * d + (there[d] < here[d]);
    return count;
}

static uint32_t mesh_distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint16_t *a = coords_of(g, from), *b = coords_of(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        sum += (uint32_t)abs((int)a[d] - (int)b[d]);
    return sum;
}

const struct machine_rules machine_mesh_rules = {
    .fit = mesh_fit,
    .behind = mesh_behind,
    .next = mesh_next,
    .shortest = mesh_shortest,
    .distance = mesh_distance,
    .shrink = shorten_dims,
    .classes = 1,
    .has_valiant = true,
    .is_box = true,
};

/* --- torus and ring -------------------------------------------------------------------------- */

/* A torus of one to three dimensions, and the ring, which is one of one dimension
 * (doc/model/network.md, "Shapes"). As the links of a ring depend on each other in a cycle, there
 * are two channel classes: 0 before a token crosses the joined ends (the dateline), 1 after it
 * (Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, IEEE
 * Trans. Computers 36(5), 1987). */

static bool torus_fit(struct machine_graph *g, struct lib_text *why)
{
    return fit_grid(g, "torus", why);
}

static bool ring_fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (!concentrate(g, 1, "ring", why))
        return false;
    if (s->dim_count > 1) {
        lib_text_puts(why, "`ring` has one dimension; expected one number, found ");
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    if (s->dim_count == 0)
        s->dims[0] = g->router_count;
    s->dim_count = 1;
    return fit_grid(g, "ring", why);
}

static uint32_t torus_behind(const struct machine_graph *g, uint32_t router,
                             uint32_t port, uint8_t *kind)
{
    (void)kind;
    const uint32_t d = port / 2, size = g->shape.dims[d];
    const uint32_t x = coords_of(g, router)[d];
    const bool is_up = port % 2 == 0;
    if (size == 1 || (size == 2 && !is_up))
        return MACHINE_NO_LINK;
    const uint32_t to = is_up ? (x + 1 == size ? 0 : x + 1) : (x == 0 ? size - 1 : x - 1);
    return step(g, router, d, (int32_t)to - (int32_t)x);
}

static uint32_t torus_steps_up(uint32_t here, uint32_t there, uint32_t size)
{
    return there >= here ? there - here : there + size - here;
}

static bool torus_goes_up(uint32_t here, uint32_t there, uint32_t size)
{
    const uint32_t up = torus_steps_up(here, there, size);
    return size == 2 || 2 * up < size || (2 * up == size && here % 2 == 0);
}

static struct machine_way_on torus_next(const struct machine_graph *g,
                                        const struct machine_at *at)
{
    const uint16_t *here = coords_of(g, at->router);
    const uint16_t *there = coords_of(g, at->target);
    const uint32_t d = first_dim(here, there);
    const bool is_up = torus_goes_up(here[d], there[d], g->shape.dims[d]);
    const bool is_to_cross = is_up ? there[d] < here[d] : there[d] > here[d];
    return (struct machine_way_on){2 * d + !is_up, !is_to_cross};
}

static unsigned torus_shortest(const struct machine_graph *g, const struct machine_at *at,
                               uint32_t *ports)
{
    const uint16_t *here = coords_of(g, at->router);
    const uint16_t *there = coords_of(g, at->target);
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        const uint32_t size = g->shape.dims[d];
        if (here[d] == there[d])
            continue;
        const bool is_up = torus_goes_up(here[d], there[d], size);
        ports[count++] = 2 * d + !is_up;
        if (size > 2 && 2 * torus_steps_up(here[d], there[d], size) == size)
            ports[count++] = 2 * d + is_up;
    }
    return count;
}

static uint32_t torus_distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    const uint16_t *a = coords_of(g, from), *b = coords_of(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        const uint32_t up = torus_steps_up(a[d], b[d], g->shape.dims[d]);
        const uint32_t down = g->shape.dims[d] - up;
        sum += up < down ? up : down;
    }
    return sum;
}

#define TORUS_RULES(fits)                                                                \
    {                                                                                    \
        .fit = (fits), .behind = torus_behind, .next = torus_next,                       \
        .shortest = torus_shortest, .distance = torus_distance, .shrink = shorten_dims,  \
        .classes = 2, .has_valiant = true, .is_box = true,                               \
    }
const struct machine_rules machine_torus_rules = TORUS_RULES(torus_fit);
const struct machine_rules machine_ring_rules = TORUS_RULES(ring_fit);

/* --- hypercube ------------------------------------------------------------------------------- */

/* A hypercube. Routing corrects differing bits from the lowest one (e-cube; Dally and Seitz 1987,
 * as in the torus), so paths never return to a lower bit. */

static bool hypercube_fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (!concentrate(g, 1, "hypercube", why))
        return false;
    uint32_t bits = 0;
    while (UINT32_C(2) << bits <= g->router_count)
        bits++;
    const uint32_t below = UINT32_C(1) << bits;
    if (g->router_count != below) {
        lib_text_printf(
            why, "`hypercube` needs a power of two of routers: %u or %u PEs; found %u",
            below * s->concentration, 2 * below * s->concentration, s->pe_count);
        return false;
    }
    if (s->dim_count > 1 || (s->dim_count == 1 && s->dims[0] != bits)) {
        lib_text_printf(why, "`hypercube` of %u routers has %u dimensions; found ",
                        g->router_count, bits);
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    s->dims[0] = bits;
    s->dim_count = 1;
    g->port_count = bits;
    return true;
}

static uint32_t hypercube_behind(const struct machine_graph *g, uint32_t router,
                                 uint32_t port, uint8_t *kind)
{
    (void)g, (void)kind;
    return router ^ (UINT32_C(1) << port);
}

static struct machine_way_on hypercube_next(const struct machine_graph *g,
                                            const struct machine_at *at)
{
    (void)g;
    return (struct machine_way_on){(uint32_t)__builtin_ctz(at->router ^ at->target), 0};
}

static unsigned hypercube_shortest(const struct machine_graph *g,
                                   const struct machine_at *at, uint32_t *ports)
{
    (void)g;
    unsigned count = 0;
    for (uint32_t left = at->router ^ at->target; left; left &= left - 1)
        ports[count++] = (uint32_t)__builtin_ctz(left);
    return count;
}

static uint32_t hypercube_distance(const struct machine_graph *g, uint32_t from,
                                   uint32_t to)
{
    (void)g;
    return (uint32_t)__builtin_popcount(from ^ to);
}

static void hypercube_shrink(struct machine_shape *s, uint32_t most)
{
    (void)most;
    s->dims[0] = s->dims[0] < 10 ? s->dims[0] : 10;
    s->pe_count = UINT32_C(1) << s->dims[0];
    s->concentration = 1;
}

const struct machine_rules machine_hypercube_rules = {
    .fit = hypercube_fit,
    .behind = hypercube_behind,
    .next = hypercube_next,
    .shortest = hypercube_shortest,
    .distance = hypercube_distance,
    .shrink = hypercube_shrink,
    .classes = 1,
    .has_valiant = true,
};

/* --- flattened butterfly --------------------------------------------------------------------- */

/* A flattened butterfly: a box of routers in which each is joined to all others of its line in each
 * dimension (Kim, Dally and Abts, Flattened Butterfly: A Cost-Efficient Topology for High-Radix
 * Networks, ISCA 2007). Routing by dimension order. */

/* Returns the greatest divisor whose cube is at most the number of PEs, so that concentration and
 * dimensions are about equal. */
static uint32_t flatfly_usual_concentration(uint32_t pe_count)
{
    uint32_t c = 1;
    for (uint32_t i = 1; (uint64_t)i * i * i <= pe_count; i++)
        if (pe_count % i == 0)
            c = i;
    return c;
}

static bool flatfly_fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    uint32_t usual = flatfly_usual_concentration(s->pe_count);
    if (s->dim_count > 0)
        usual = share_of_dims(s);
    if (!concentrate(g, usual, "flatfly", why) || !fit_box(g, "flatfly", why))
        return false;
    for (uint32_t d = 0; d < s->dim_count; d++)
        g->port_count += s->dims[d] - 1;
    set_coords(g);
    return true;
}

static uint32_t flatfly_behind(const struct machine_graph *g, uint32_t router,
                               uint32_t port, uint8_t *kind)
{
    (void)kind;
    uint32_t d = 0;
    for (; port >= g->shape.dims[d] - 1; d++)
        port -= g->shape.dims[d] - 1;
    const uint32_t x = coords_of(g, router)[d], to = port + (port >= x);
    return step(g, router, d, (int32_t)to - (int32_t)x);
}

static unsigned flatfly_shortest(const struct machine_graph *g,
                                 const struct machine_at *at, uint32_t *ports)
{
    const uint16_t *here = coords_of(g, at->router);
    const uint16_t *there = coords_of(g, at->target);
    uint32_t first = 0;
    unsigned count = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++) {
        if (here[d] != there[d])
            ports[count++] = first + there[d] - (there[d] > here[d]);
        first += g->shape.dims[d] - 1;
    }
    return count;
}

static struct machine_way_on flatfly_next(const struct machine_graph *g,
                                          const struct machine_at *at)
{
    uint32_t ports[MACHINE_MAX_DIMS];
    flatfly_shortest(g, at, ports);
    return (struct machine_way_on){ports[0], 0};
}

static uint32_t flatfly_distance(const struct machine_graph *g, uint32_t from,
                                 uint32_t to)
{
    const uint16_t *a = coords_of(g, from), *b = coords_of(g, to);
    uint32_t sum = 0;
    for (uint32_t d = 0; d < g->shape.dim_count; d++)
        sum += a[d] != b[d];
    return sum;
}

const struct machine_rules machine_flatfly_rules = {
    .fit = flatfly_fit,
    .behind = flatfly_behind,
    .next = flatfly_next,
    .shortest = flatfly_shortest,
    .distance = flatfly_distance,
    .shrink = shorten_dims,
    .classes = 1,
    .has_valiant = true,
    .is_box = true,
};

/* --- bus ------------------------------------------------------------------------------------- */

/* A bus: one link, which all tokens use in turn, from a router to which all PEs send to one from
 * which all receive. */

static bool bus_fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count > 0 || (s->concentration > 0 && s->concentration != s->pe_count)) {
        lib_text_puts(why, "`bus` joins all PEs by one link: it has no dimensions and no "
                           "concentration");
        return false;
    }
    s->concentration = s->pe_count;
    g->router_count = 2;
    g->port_count = 1;
    return true;
}

static uint32_t bus_behind(const struct machine_graph *g, uint32_t router, uint32_t port,
                           uint8_t *kind)
{
    (void)g, (void)port, (void)kind;
    return router == 0 ? 1 : MACHINE_NO_LINK;
}

static uint32_t bus_source(const struct machine_graph *g, uint32_t pe)
{
    (void)g, (void)pe;
    return 0;
}

static uint32_t bus_sink(const struct machine_graph *g, uint32_t pe)
{
    (void)g, (void)pe;
    return 1;
}

static struct machine_way_on bus_next(const struct machine_graph *g,
                                      const struct machine_at *at)
{
    (void)g, (void)at;
    return (struct machine_way_on){0, 0};
}

static uint32_t bus_distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    (void)g;
    return from != to;
}

const struct machine_rules machine_bus_rules = {
    .fit = bus_fit,
    .behind = bus_behind,
    .source = bus_source,
    .sink = bus_sink,
    .next = bus_next,
    .distance = bus_distance,
    .classes = 1,
};

/* --- omega network --------------------------------------------------------------------------- */

/* An omega network: k^n PEs, n stages of k^(n-1) switches, and a perfect shuffle before each stage
 * (Lawrie, Access and Alignment of Data in an Array Processor, IEEE Trans. Computers C-24(12),
 * 1975). A k-ary n-fly is the same network with other numbers. As all links lead to later stages,
 * tokens cannot wait for each other in a cycle. Router s * k^(n-1) + i is switch i of stage s.
 * shape.dims: k and n. */

static bool omega_fit(struct machine_graph *g, struct lib_text *why)
{
    if (!fit_powers(g, 2, "omega", why))
        return false;
    g->router_count = width(g) * g->shape.dims[1];
    g->port_count = g->shape.dims[0];
    return true;
}

static uint32_t omega_shuffle(const struct machine_graph *g, uint32_t line)
{
    const uint32_t k = g->shape.dims[0], first = line / width(g);
    return line % width(g) * k + first;
}

static uint32_t omega_behind(const struct machine_graph *g, uint32_t router,
                             uint32_t port, uint8_t *kind)
{
    (void)kind;
    const uint32_t k = g->shape.dims[0], stage = router / width(g);
    if (stage + 1 == g->shape.dims[1])
        return MACHINE_NO_LINK;
    const uint32_t line = router % width(g) * k + port;
    return (stage + 1) * width(g) + omega_shuffle(g, line) / k;
}

static uint32_t omega_source(const struct machine_graph *g, uint32_t pe)
{
    return omega_shuffle(g, pe) / g->shape.dims[0];
}

static uint32_t omega_sink(const struct machine_graph *g, uint32_t pe)
{
    return (g->shape.dims[1] - 1) * width(g) + pe / g->shape.dims[0];
}

static struct machine_way_on omega_next(const struct machine_graph *g,
                                        const struct machine_at *at)
{
    const uint32_t k = g->shape.dims[0], n = g->shape.dims[1];
    uint32_t rest = at->target % width(g); /* digits 1 ... n-1 of the destination PEs */
    for (uint32_t left = n - 2 - at->router / width(g); left > 0; left--)
        rest /= k;
    return (struct machine_way_on){rest % k, 0};
}

static uint32_t omega_distance(const struct machine_graph *g, uint32_t from, uint32_t to)
{
    return to / width(g) - from / width(g);
}

const struct machine_rules machine_omega_rules = {
    .fit = omega_fit,
    .behind = omega_behind,
    .source = omega_source,
    .sink = omega_sink,
    .next = omega_next,
    .distance = omega_distance,
    .shrink = lower_dims,
    .classes = 1,
};

/* --- fat tree -------------------------------------------------------------------------------- */

/* A fat tree: the k-ary n-tree, which has k^n PEs and n levels of k^(n-1) switches (Petrini and
 * Vanneschi, k-ary n-trees: High Performance Networks for Massively Parallel Architectures, IPPS
 * 1997). Switch w of level l (0: with the PEs) is router l * k^(n-1) + w. It covers the switches of
 * level 0 whose digits l ... n-2 are those of w.
 *
 * A token goes up, by any path, until its switch covers its PE, and then down by the only path, so
 * tokens cannot wait for each other in a cycle. Deterministic routing goes up by digits of the PE's
 * number, so that tokens for one PE meet early and those for others take other switches (Zahavi,
 * D-Mod-K routing, 2010).
 * shape.dims: k and n.
 */

static bool fattree_fit(struct machine_graph *g, struct lib_text *why)
{
    if (!fit_powers(g, 4, "fattree", why))
        return false;
    if (g->shape.dims[0] > MACHINE_MAX_RADIX) {
        lib_text_printf(why, "a switch of `fattree` has %u links up at most; found %u",
                        MACHINE_MAX_RADIX, g->shape.dims[0]);
        return false;
    }
    g->router_count = width(g) * g->shape.dims[1];
    g->port_count = 2 * g->shape.dims[0];
    return true;
}

/* k^level */
static uint32_t fattree_weight(const struct machine_graph *g, uint32_t level)
{
    uint32_t all = 1;
    while (level-- > 0)
        all *= g->shape.dims[0];
    return all;
}

static uint32_t fattree_behind(const struct machine_graph *g, uint32_t router,
                               uint32_t port, uint8_t *kind)
{
    (void)kind;
    const uint32_t k = g->shape.dims[0], level = router / width(g);
    const bool is_up = port >= k;
    if (is_up ? level + 1 == g->shape.dims[1] : level == 0)
        return MACHINE_NO_LINK;
    const uint32_t w = router % width(g);
    const uint32_t unit = fattree_weight(g, is_up ? level : level - 1);
    const uint32_t digit = w / unit % k;
    return (is_up ? level + 1 : level - 1) * width(g) + w + port % k * unit -
           digit * unit;
}

static bool fattree_covers(const struct machine_graph *g, uint32_t router, uint32_t leaf)
{
    const uint32_t unit = fattree_weight(g, router / width(g));
    return router % width(g) / unit == leaf / unit;
}

static uint32_t fattree_down(const struct machine_graph *g, const struct machine_at *at)
{
    return at->target / fattree_weight(g, at->router / width(g) - 1) % g->shape.dims[0];
}

static struct machine_way_on fattree_next(const struct machine_graph *g,
                                          const struct machine_at *at)
{
    if (fattree_covers(g, at->router, at->target))
        return (struct machine_way_on){fattree_down(g, at), 0};
    const uint32_t k = g->shape.dims[0];
    return (struct machine_way_on){
        k + at->to / fattree_weight(g, at->router / width(g)) % k, 0};
}

static unsigned fattree_shortest(const struct machine_graph *g,
                                 const struct machine_at *at, uint32_t *ports)
{
    const uint32_t k = g->shape.dims[0];
    if (fattree_covers(g, at->router, at->target)) {
        *ports = fattree_down(g, at);
        return 1;
    }
    /* Begin with the port of deterministic routing, so that tokens choose different ones of equal
     * ports. */
    const uint32_t first = at->to / fattree_weight(g, at->router / width(g)) % k;
    for (uint32_t i = 0; i < k; i++)
        ports[i] = k + (first + i) % k;
    return k;
}

static uint32_t fattree_distance(const struct machine_graph *g, uint32_t from,
                                 uint32_t to)
{
    uint32_t level = 0;
    while (!fattree_covers(g, level * width(g) + from, to))
        level++;
    return 2 * level;
}

const struct machine_rules machine_fattree_rules = {
    .fit = fattree_fit,
    .behind = fattree_behind,
    .next = fattree_next,
    .shortest = fattree_shortest,
    .distance = fattree_distance,
    .shrink = lower_dims,
    .classes = 1,
    .adapts_free = true,
    .by_pe = true,
};

/* --- dragonfly ------------------------------------------------------------------------------- */

/* A dragonfly: groups of routers; the routers of a group are joined all to all, and so are the
 * groups (Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA
 * 2008). There are g groups of a routers with p PEs and h global ports each; the largest for p has
 * a = 2p, h = p, g = a h + 1. A token takes at most a local link in class 0, a global link in class
 * 0, and a local link in class 1. */

/* shape.dims: a, g and then h */
static uint32_t globals(uint64_t a, uint64_t g)
{
    return (uint32_t)((g - 1 + a - 1) / a);
}

/* Returns the distance of a shape from the balance a = 2p, h = p. */
static uint64_t imbalance(uint64_t p, uint64_t a, uint64_t g)
{
    const uint64_t h = globals(a, g);
    const uint64_t x = a > 2 * p ? a - 2 * p : 2 * p - a, y = h > p ? h - p : p - h;
    return x * x + y * y;
}

/* Sets the shape to the best balanced product p a g; of equal ones that with the fewest PEs per
 * router, then with the fewest routers per group. */
static void dragonfly_derive(struct machine_shape *s)
{
    const uint32_t n = s->pe_count, given = s->concentration;
    uint64_t best = UINT64_MAX;
    for (uint32_t p = given ? given : 1; p <= (given ? given : n); p++)
        for (uint32_t a = 1; n % p == 0 && a <= n / p; a++) {
            if (n / p % a != 0 || imbalance(p, a, n / p / a) >= best)
                continue;
            best = imbalance(p, a, n / p / a);
            s->concentration = p;
            s->dims[0] = a;
            s->dims[1] = n / p / a;
        }
    s->dim_count = 2;
}

static bool dragonfly_fit(struct machine_graph *g, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count != 0 && s->dim_count != 2) {
        lib_text_puts(
            why, "`dragonfly` has two dimensions, routers per group and groups; found ");
        machine_graph_write_dims(s->dims, s->dim_count, why);
        return false;
    }
    const uint32_t usual = s->dim_count > 0 ? share_of_dims(s) : 1;
    if (s->concentration > 0 || s->dim_count > 0) {
        if (!concentrate(g, usual, "dragonfly", why) ||
            (s->dim_count > 0 && !fit_box(g, "dragonfly", why)))
            return false;
    }
    if (s->dim_count == 0)
        dragonfly_derive(s);
    s->dims[2] = globals(s->dims[0], s->dims[1]);
    g->router_count = s->dims[0] * s->dims[1];
    g->port_count = s->dims[0] - 1 + s->dims[2];
    return true;
}

static uint32_t port_to_group(uint32_t from, uint32_t to)
{
    return to - (to > from);
}

static uint32_t dragonfly_behind(const struct machine_graph *g, uint32_t router,
                                 uint32_t port, uint8_t *kind)
{
    const uint32_t a = g->shape.dims[0], groups = g->shape.dims[1], h = g->shape.dims[2];
    const uint32_t group = router / a, r = router % a;
    if (port < a - 1)
        return group * a + port + (port >= r);
    const uint32_t q = r * h + port - (a - 1);
    if (q >= groups - 1)
        return MACHINE_NO_LINK;
    *kind = MACHINE_LINK_GLOBAL;
    const uint32_t to = q + (q >= group);
    return to * a + port_to_group(to, group) / h;
}

static struct machine_way_on dragonfly_next(const struct machine_graph *g,
                                            const struct machine_at *at)
{
    const uint32_t a = g->shape.dims[0], h = g->shape.dims[2];
    const uint32_t group = at->router / a, to_group = at->target / a;
    const uint32_t r = at->router % a;
    uint32_t to = at->target % a;
    if (group != to_group) {
        const uint32_t q = port_to_group(group, to_group);
        to = q / h;
        if (to == r)
            return (struct machine_way_on){a - 1 + q % h, 0};
    }
    return (struct machine_way_on){to - (to > r), group == to_group};
}

static uint32_t dragonfly_distance(const struct machine_graph *g, uint32_t from,
                                   uint32_t to)
{
    const uint32_t a = g->shape.dims[0], h = g->shape.dims[2];
    const uint32_t f = from / a, t = to / a;
    if (f == t)
        return from != to;
    return (port_to_group(f, t) / h != from % a) + 1u +
           (port_to_group(t, f) / h != to % a);
}

static void dragonfly_shrink(struct machine_shape *s, uint32_t most)
{
    s->dims[0] = s->dims[0] < 32 ? s->dims[0] : 32;
    s->dims[1] = s->dims[1] < most / s->dims[0] ? s->dims[1] : most / s->dims[0];
    s->pe_count = s->dims[0] * s->dims[1];
    s->concentration = 1;
}

const struct machine_rules machine_dragonfly_rules = {
    .fit = dragonfly_fit,
    .behind = dragonfly_behind,
    .next = dragonfly_next,
    .distance = dragonfly_distance,
    .shrink = dragonfly_shrink,
    .classes = 2,
    .has_valiant = true,
};

/* --- crossbar of nodes ----------------------------------------------------------------------- */

/* The crossbar between the nodes of a cluster: one router. A crossbar between PEs has none
 * (machine/network/crossbar.c). */

static bool crossbar_fit(struct machine_graph *g, struct lib_text *why)
{
    (void)why;
    g->shape.dim_count = 0;
    g->shape.concentration = g->pe_count;
    g->router_count = 1;
    return true;
}

static uint32_t crossbar_behind(const struct machine_graph *g, uint32_t router,
                                uint32_t port, uint8_t *kind)
{
    (void)g, (void)router, (void)port, (void)kind;
    return MACHINE_NO_LINK;
}

static struct machine_way_on crossbar_next(const struct machine_graph *g,
                                           const struct machine_at *at)
{
    (void)g, (void)at;
    assert(false); /* every node is at the router */
    return (struct machine_way_on){0, 0};
}

static uint32_t crossbar_distance(const struct machine_graph *g, uint32_t from,
                                  uint32_t to)
{
    (void)g, (void)from, (void)to;
    return 0;
}

const struct machine_rules machine_crossbar_rules = {
    .fit = crossbar_fit,
    .behind = crossbar_behind,
    .next = crossbar_next,
    .distance = crossbar_distance,
    .classes = 1,
    .is_free = true,
};
