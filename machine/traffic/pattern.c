#include "machine/traffic/pattern.h"

#include "lib/cursor.h"
#include "lib/invisible.h"
#include "lib/memory.h"
#include "machine/network/graph_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const machine_pattern_names[MACHINE_PATTERN_COUNT] = {
#define PATTERN(NAME, name, help) #name,
    MACHINE_PATTERNS(PATTERN)
#undef PATTERN
};

/* --- permutations ---------------------------------------------------------------------------- */

/* Box or line of routers in which `neighbour` and `tornado` move. */
struct box {
    uint32_t dims[MACHINE_MAX_DIMS], count;
    uint32_t per_router;
};

static struct box box_of(const struct machine_graph *g)
{
    const struct machine_shape *s = &g->shape;
    struct box box = {.dims = {g->pe_count}, .count = 1, .per_router = 1};
    if (g->rules->is_box) {
        memcpy(box.dims, s->dims, sizeof box.dims);
        box.count = s->dim_count;
        box.per_router = s->concentration * (s->nodes ? s->node_pes : 1);
    }
    return box;
}

/* Returns the PE one step further in each dimension, or almost half way round. */
static uint32_t shifted(const struct box *box, uint32_t pe, bool is_tornado)
{
    uint32_t rest = pe / box->per_router, weight = box->per_router;
    uint32_t to = pe % box->per_router;
    for (uint32_t d = 0; d < box->count; d++) {
        const uint32_t k = box->dims[d];
        const uint32_t steps = is_tornado ? (k + 1) / 2 - 1 : 1;
        to += (rest % k + steps) % k * weight;
        rest /= k;
        weight *= k;
    }
    return to;
}

static bool refuse(struct lib_diags *diags, enum machine_pattern_kind kind,
                   const char *what, uint32_t pe_count)
{
    lib_diag_plain(diags, LIB_DIAG_USAGE, "`%s` needs %s of PEs; found %u",
                   machine_pattern_names[kind], what, pe_count);
    return false;
}

static bool permute(struct machine_pattern *p, const struct machine_graph *g,
                    struct lib_diags *diags)
{
    const uint32_t n = p->pe_count;
    const struct box box = box_of(g);
    uint32_t side = 1, bits = 0;
    while ((uint64_t)(side + 1) * (side + 1) <= n)
        side++;
    while (UINT64_C(2) << bits <= n)
        bits++;
    if (p->kind == MACHINE_PATTERN_TRANSPOSE && side * side != n)
        return refuse(diags, p->kind, "a square number", n);
    if (p->kind == MACHINE_PATTERN_BITREV && UINT32_C(1) << bits != n)
        return refuse(diags, p->kind, "a power of two", n);
    p->to = lib_mem_new(n * sizeof *p->to);
    for (uint32_t pe = 0; pe < n; pe++) {
        if (p->kind == MACHINE_PATTERN_TRANSPOSE)
            p->to[pe] = pe % side * side + pe / side;
        else if (p->kind != MACHINE_PATTERN_BITREV)
            p->to[pe] = shifted(&box, pe, p->kind == MACHINE_PATTERN_TORNADO);
        else
            for (uint32_t b = 0; b < bits; b++)
                p->to[pe] |= (pe >> b & 1) << (bits - 1 - b);
    }
    return true;
}

#define MAX_TOKENS 1e15 /* per pair, so that sums are finite */

/* --- matrices -------------------------------------------------------------------------------- */

enum { FROM, TO, TOKENS, FIELDS };

/* Order of the fields in a line: order[i] is what field i has. */
struct heads {
    uint8_t order[FIELDS];
    uint32_t *lines; /* line of each pair of PEs that was read, else 0 */
};

static bool read_tokens(struct lib_cursor *c, double *tokens)
{
    char text[40];
    int64_t whole;
    const struct lib_slice word = lib_cursor_until(c, ",\r\n#");
    lib_slice_copy(word, text, sizeof text);
    if (lib_text_to_int(text, &whole))
        *tokens = (double)whole;
    else if (word.length >= sizeof text || !lib_text_to_real(text, tokens))
        *tokens = NAN;
    return (*tokens >= 0 && *tokens <= MAX_TOKENS) ||
           lib_cursor_found(c, word, "how many tokens, a number from 0 to 1e15");
}

static bool read_row(struct machine_pattern *p, struct lib_cursor *c,
                     const struct heads *heads)
{
    uint64_t pe[2] = {0};
    double tokens = 0;
    struct lib_slice row = {.bytes = c->at};
    for (unsigned i = 0; i < FIELDS; i++) {
        const unsigned field = heads->order[i];
        if ((i > 0 && !lib_cursor_expect(c, ",")) ||
            !(field == TOKENS
                  ? read_tokens(c, &tokens)
                  : lib_cursor_number(c, "a PE", 0, p->pe_count - 1, &pe[field])))
            return false;
    }
    row.length = (size_t)(c->at - row.bytes);
    const size_t pair = pe[FROM] * p->pe_count + pe[TO];
    if (heads->lines[pair])
        return lib_cursor_error(c, LIB_DIAG_MEANING, row,
                                "duplicate row from PE %" PRIu64 " to PE %" PRIu64
                                ": expected one row for each pair, found the first in "
                                "line %" PRIu32,
                                pe[FROM], pe[TO], heads->lines[pair]);
    heads->lines[pair] = c->pos.line;
    p->share[pair] = tokens;
    return lib_cursor_expect_end(c);
}

/* Reads the line that names the fields, in any order. */
static bool read_heads(struct lib_cursor *c, struct heads *heads)
{
    static const char *const names[] = {
        [FROM] = "from", [TO] = "to", [TOKENS] = "tokens"};
    const struct lib_slice line = lib_cursor_until(c, "\r\n#");
    struct lib_cursor rest = *c;
    unsigned seen = 0;
    rest.at = line.bytes;
    for (unsigned i = 0; i < FIELDS; i++) {
        const struct lib_slice name = lib_cursor_until(&rest, ",\r\n#");
        uint8_t field = 0;
        while (field < FIELDS && !lib_slice_is(name, names[field]))
            field++;
        if (field == FIELDS || seen & 1u << field ||
            (i + 1 < FIELDS && !lib_cursor_accept(&rest, ",")))
            return lib_cursor_found(c, line, "the names from,to,tokens in some order");
        seen |= 1u << field;
        heads->order[i] = field;
    }
    return rest.at == line.bytes + line.length ||
           lib_cursor_found(c, line, "the names from,to,tokens in some order");
}

static bool begins_name(const struct lib_cursor *c)
{
    return isalpha((unsigned char)*c->at) || *c->at == '"' || *c->at == '_';
}

/* Skips comments and empty lines. A first line may name the fields. */
static bool read_rows(struct machine_pattern *p, const struct lib_source *source,
                      uint32_t *lines, struct lib_diags *diags)
{
    struct heads heads = {{FROM, TO, TOKENS}, lines};
    struct lib_cursor c;
    if (!lib_source_is_text(source, diags))
        return false;
    lib_cursor_start(&c, source, diags);
    c.blanks = "\r";
    for (bool is_first = true; lib_cursor_find_line(&c); is_first = false) {
        if (!(is_first && begins_name(&c) ? read_heads(&c, &heads)
                                          : read_row(p, &c, &heads)))
            return false;
        lib_cursor_skip_line(&c);
    }
    return true;
}

static bool read_matrix(struct machine_pattern *p, const struct lib_source *source,
                        struct lib_diags *diags)
{
    const size_t n = p->pe_count;
    if (n > MACHINE_MATRIX_MAX_PES)
        return refuse(diags, p->kind, "at most 2048", p->pe_count);
    p->share = lib_mem_new(n * n * sizeof *p->share);
    p->rate = lib_mem_new(n * sizeof *p->rate);
    uint32_t *lines = lib_mem_new(n * n * sizeof *lines);
    const bool is_read = read_rows(p, source, lines, diags);
    lib_mem_free(lines);
    if (!is_read)
        return false;
    double all = 0;
    for (size_t from = 0; from < n; from++) {
        double *row = p->share + from * n, sum = 0;
        for (size_t to = 0; to < n; to++)
            row[to] = sum += row[to];
        for (size_t to = 0; to < n && sum > 0; to++)
            row[to] /= sum;
        p->rate[from] = sum;
        all += sum;
    }
    for (size_t from = 0; from < n && all > 0; from++)
        p->rate[from] *= (double)n / all;
    if (all > 0)
        return true;
    lib_diag_error(diags, LIB_DIAG_SYNTAX, source, (struct lib_pos){1, 1, 1},
                   "expected a matrix with tokens in it, from,to,tokens");
    return false;
}

/* --- all ------------------------------------------------------------------------------------- */

bool machine_pattern_make(struct machine_pattern *p,
                          const struct machine_pattern_request *q,
                          const struct machine_graph *g, struct lib_diags *diags)
{
    *p = (struct machine_pattern){.kind = q->kind,
                                  .pe_count = g->pe_count,
                                  .hot_pe = q->hot_pe,
                                  .hot_share = q->hot_share};
    switch (q->kind) {
    case MACHINE_PATTERN_UNIFORM:
        return true;
    case MACHINE_PATTERN_HOTSPOT:
        if (q->hot_pe < g->pe_count)
            return true;
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "expected a PE below %u to be the hotspot, found %u", g->pe_count,
                       q->hot_pe);
        return false;
    case MACHINE_PATTERN_MATRIX:
        return read_matrix(p, q->matrix, diags);
    default:
        return permute(p, g, diags);
    }
}

void machine_pattern_free(struct machine_pattern *p)
{
    LIB_MEM_FREE(p->to, p->rate, p->share);
    *p = (struct machine_pattern){0};
}

double machine_pattern_rate(const struct machine_pattern *p, uint32_t from)
{
    return p->rate ? p->rate[from] : 1;
}

double machine_pattern_share(const struct machine_pattern *p, uint32_t from, uint32_t to)
{
    const double n = p->pe_count;
    if (p->to)
        return p->to[from] == to;
    if (p->share) {
        const double *row = p->share + (size_t)from * p->pe_count;
        return row[to] - (to > 0 ? row[to - 1] : 0);
    }
    if (p->kind == MACHINE_PATTERN_HOTSPOT)
        return (1 - p->hot_share) / n + (to == p->hot_pe ? p->hot_share : 0);
    return 1 / n;
}

static uint32_t any(const struct machine_pattern *p, uint64_t drawn)
{
    return (uint32_t)(((unsigned __int128)drawn * p->pe_count) >> 64);
}

/* Returns the first PE whose cumulative share exceeds `x`. */
static uint32_t draw_of_row(const struct machine_pattern *p, uint32_t from, double x)
{
    const double *row = p->share + (size_t)from * p->pe_count;
    uint32_t low = 0, high = p->pe_count - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (row[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t machine_pattern_draw(const struct machine_pattern *p, uint32_t from,
                              uint64_t drawn)
{
    if (p->to)
        return p->to[from];
    const double x = (double)(drawn >> 11) * 0x1p-53;
    if (p->share)
        return draw_of_row(p, from, x);
    if (p->kind == MACHINE_PATTERN_HOTSPOT) {
        if (x < p->hot_share)
            return p->hot_pe;
        return (uint32_t)((x - p->hot_share) / (1 - p->hot_share) * p->pe_count) %
               p->pe_count;
    }
    return any(p, drawn);
}
