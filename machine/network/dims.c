#include "machine/network/graph_internal.h"

#include <assert.h>

void machine_graph_write_dims(const uint32_t *dims, uint32_t count, struct lib_text *out)
{
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%u", i ? "x" : "", dims[i]);
}

bool machine_graph_concentrate(struct machine_graph *g, uint32_t usual, const char *name,
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
static void derive(struct machine_shape *s, uint32_t count)
{
    uint32_t least = 1;
    for (uint32_t i = 1; (uint64_t)i * i <= count; i++)
        if (count % i == 0)
            least = i;
    s->dims[0] = count / least;
    s->dims[1] = least;
    s->dim_count = 2;
}

uint32_t machine_dims_share(const struct machine_shape *s)
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

bool machine_graph_powers(struct machine_graph *g, uint32_t usual, const char *name,
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

bool machine_graph_box(struct machine_graph *g, const char *name, struct lib_text *why)
{
    struct machine_shape *s = &g->shape;
    if (s->dim_count == 0) {
        derive(s, g->router_count);
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

void machine_graph_coords(struct machine_graph *g)
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

uint32_t machine_graph_step(const struct machine_graph *g, uint32_t router, uint32_t d,
                            int32_t steps)
{
    int64_t width = 1;
    for (uint32_t i = 0; i < d; i++)
        width *= g->shape.dims[i];
    const int64_t to = (int64_t)router + steps * width;
    assert(to >= 0 && to < g->router_count);
    return (uint32_t)to;
}

void machine_dims_shorten(struct machine_shape *s, uint32_t most)
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

void machine_dims_lower(struct machine_shape *s, uint32_t most)
{
    s->dims[0] = s->dims[0] < 32 ? s->dims[0] : 32;
    s->pe_count = s->dims[0];
    uint32_t n = 1;
    for (; n < s->dims[1] && s->pe_count * s->dims[0] <= most; n++)
        s->pe_count *= s->dims[0];
    s->dims[1] = n;
    s->concentration = s->dims[0];
}
