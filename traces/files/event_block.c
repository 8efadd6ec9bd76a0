#include "traces/files/event_block.h"

#include <stddef.h>
#include <string.h>

enum {
    /* Columns: that of kinds, that of cycles, and those of each kind of event. */
    KINDS,
    CYCLES,
    FIELDS,
    COLUMNS = FIELDS + TRACES_EVENT_COUNT * TRACES_EVENT_MOST_FIELDS,

    MOST_BYTES = 10, /* of a number */
    MOST_TAGS = 2,   /* that an event names */
    ABOUT_BITS = 14,
    KNOWN_BITS = 17,
    LISTS = 64,
};

struct column {
    uint8_t *at, *end; /* where the next byte is put or got, and what it must not reach */
    uint8_t *bytes;    /* of an encoder: owned */
    uint64_t last;     /* the last number */
};

/* What was said last of an activation, or of another one with the same place in the table. */
struct about {
    uint32_t pe, instr;
    uint64_t depth;
};

/* An activation that was named; `rank` is how many others were before it, and 1. */
struct known {
    uint32_t tag, rank, list;
};

/* A number that is free again, and the one that was freed before it. */
struct freed {
    uint32_t tag, before;
};

/* What both directions know: the same, after the same events. */
struct coder {
    const struct isa_graph *graph;
    struct traces_event_bounds bounds; /* of a decoder */
    struct column columns[COLUMNS];
    bool failed; /* of a decoder */
    size_t count;

    /* From here on it is all zero when a block begins. */
    struct traces_event last; /* of each member, what the last event said that has it */
    uint32_t last_rank, ranks, frees;
    uint32_t last_made[LISTS],
        last_freed[LISTS]; /* by list: a number; a place in `freed` */
    struct about about[1 << ABOUT_BITS];
    struct known known[1 << KNOWN_BITS];
    uint32_t ranked[MOST_TAGS * TRACES_EVENT_BLOCK_MOST + 1]; /* numbers, by rank */
    struct freed freed[TRACES_EVENT_BLOCK_MOST + 1];
};

/* What is behind the ranks and frees that there are is never read. */
static void begin(struct coder *k)
{
    memset(&k->last, 0, offsetof(struct coder, ranked) - offsetof(struct coder, last));
    for (size_t i = 0; i < COLUMNS; i++)
        k->columns[i].last = 0;
    k->failed = false;
    k->count = 0;
}

/* --- numbers ------------------------------------------------------------------------------- */

static __attribute__((cold, noinline)) void grow(struct column *c)
{
    const size_t used = (size_t)(c->at - c->bytes);
    const size_t size = used < 2048 ? 4096 : 2 * used;
    c->bytes = lib_mem_resize(c->bytes, size);
    c->at = c->bytes + used;
    c->end = c->bytes + size;
}

static inline void put(struct column *c, uint64_t number)
{
    if (__builtin_expect(c->end - c->at < MOST_BYTES, 0))
        grow(c);
    while (number >= 0x80) {
        *c->at++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *c->at++ = (uint8_t)number;
}

static __attribute__((noinline)) uint64_t get_long(struct coder *k, struct column *c)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        const uint64_t byte = *c->at++;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    k->failed = true;
    return 0;
}

static inline uint64_t get(struct coder *k, struct column *c)
{
    return __builtin_expect(c->at < c->end && *c->at < 0x80, 1) ? *c->at++
                                                                : get_long(k, c);
}

/* A distance with its sign in the lowest bit, and back; of 32 bits the distance wraps around. */
static inline uint64_t fold(uint64_t distance)
{
    return distance << 1 ^ -(distance >> 63);
}

static inline uint32_t fold32(uint32_t distance)
{
    return distance << 1 ^ -(distance >> 31);
}

static inline uint64_t unfold(uint64_t number)
{
    return number >> 1 ^ -(number & 1);
}

/* --- fields ---------------------------------------------------------------------------------
 * Each of these writes a number, or reads it. `reads` is a constant wherever they are called. */

static inline uint64_t code_plain(struct coder *k, struct column *c, bool reads,
                                  uint64_t value)
{
    if (reads)
        return get(k, c);
    put(c, value);
    return value;
}

/* TRACES_NONE is 0. */
static inline uint64_t code_or_none(struct coder *k, struct column *c, bool reads,
                                    uint32_t value)
{
    const uint64_t number = code_plain(k, c, reads, value + 1u);
    return number ? number - 1 : TRACES_NONE;
}

static inline uint64_t code_near(struct coder *k, struct column *c, bool reads,
                                 uint64_t value, uint64_t guess)
{
    if (reads)
        return guess + unfold(get(k, c));
    put(c, fold(value - guess));
    return value;
}

/* Of 32 bits; TRACES_NONE is one below 0. */
static inline uint32_t code_near32(struct coder *k, struct column *c, bool reads,
                                   uint32_t value, uint32_t guess)
{
    if (reads)
        return guess + (uint32_t)unfold(get(k, c));
    put(c, fold32(value - guess));
    return value;
}

static inline uint64_t code_column(struct coder *k, struct column *c, bool reads,
                                   uint64_t value)
{
    return c->last = code_near(k, c, reads, value, c->last);
}

/* --- activations ------------------------------------------------------------------------------ */

/* Which free numbers an activation of a site may take: those of its function. In list 0 are those of
 * which the block does not know the function. */
static uint32_t list_of(const struct coder *k, uint32_t site)
{
    return site < k->graph->site_count ? 1 + k->graph->sites[site].callee % (LISTS - 1)
                                       : 0;
}

static inline struct known *known(struct coder *k, uint32_t tag)
{
    return &k->known[tag * UINT32_C(0x9e3779b1) >> (32 - KNOWN_BITS)];
}

/* An activation gets the next rank; tables of blocks that are damaged may be full. */
static void rank(struct coder *k, struct known *place, uint32_t tag, uint32_t list)
{
    assert(k->ranks + 1 < sizeof k->ranked / sizeof k->ranked[0]);
    *place = (struct known){tag, ++k->ranks, list};
    k->ranked[k->ranks] = tag;
}

/* One that is made takes the number that its function has freed last, most often. */
static uint32_t code_made(struct coder *k, struct column *c, bool reads, uint32_t tag,
                          uint32_t site)
{
    const uint32_t list = list_of(k, site);
    uint32_t *freed = &k->last_freed[k->last_freed[list] ? list : 0];
    uint32_t guess = k->last_made[list];
    if (*freed) {
        guess = k->freed[*freed].tag;
        *freed = k->freed[*freed].before;
    }
    tag = code_near32(k, c, reads, tag, guess);
    k->last_made[list] = tag;
    rank(k, known(k, tag), tag, list);
    return tag;
}

/* One of those that the block has named is told by the distance of its rank from the last one's, with
 * a 1 below; one that it has not by that of its number, with a 0. What was made together mostly
 * does the same together. */
static inline uint32_t code_tag(struct coder *k, struct column *c, bool reads,
                                uint32_t tag)
{
    uint64_t number = 0;
    struct known *place = known(k, tag);
    if (reads) {
        number = get(k, c);
        const uint32_t distance = (uint32_t)unfold(number >> 1);
        const uint32_t ranked = k->last_rank + distance;
        k->failed |= (number & 1) && (ranked == 0 || ranked > k->ranks);
        if (k->failed)
            return 0;
        tag = number & 1 ? k->ranked[ranked] : k->last.tag + distance;
        place = known(k, tag);
    } else if (place->rank && place->tag == tag) {
        number = 1;
        put(c, (uint64_t)fold32(place->rank - k->last_rank) << 1 | 1);
    } else {
        put(c, (uint64_t)fold32(tag - k->last.tag) << 1);
    }
    if (!(number & 1))
        rank(k, place, tag, 0);
    k->last_rank = place->rank;
    return tag;
}

static void free_number(struct coder *k, uint32_t tag)
{
    const struct known *place = known(k, tag);
    const uint32_t list = place->tag == tag ? place->list : 0;
    k->freed[++k->frees] = (struct freed){tag, k->last_freed[list]};
    k->last_freed[list] = k->frees;
}

static inline struct about *about(struct coder *k, uint32_t tag)
{
    return &k->about[tag * UINT32_C(0x9e3779b1) >> (32 - ABOUT_BITS)];
}

/* --- events ----------------------------------------------------------------------------------- */

#define IS(member, other)                                                                \
    (offsetof(struct traces_event, member) == offsetof(struct traces_event, other))

/* What a number of each meaning is told against. A token that was sent follows what its firing said;
 * all else that happens in an activation follows what happened there before. */
#define CODE_SITE(member) code_or_none(k, c, reads, e->member)
#define CODE_TAG(member)                                                                 \
    (k->last.tag = makes && IS(member, tag) ? code_made(k, c, reads, e->member, e->site) \
                                            : code_tag(k, c, reads, e->member))
#define CODE_PE(member)                                                                  \
    (a->pe = k->last.pe = code_near32(k, c, reads, e->member,                            \
                                      sends && IS(member, pe) ? k->last.pe : a->pe))
#define CODE_INSTR(member)                                                               \
    (a->instr = k->last.instr = code_near32(k, c, reads, e->member,                      \
                                            sends ? k->last.instr : a->instr))
#define CODE_CYCLE(member) code_near(k, c, reads, e->member, e->cycle)
#define CODE_COUNT(member)                                                               \
    (fires ? (a->depth = code_near(k, c, reads, e->member, a->depth))                    \
           : code_column(k, c, reads, e->member))
#define CODE_STRUCTURE(member) code_column(k, c, reads, e->member)
#define CODE_NUMBER(member) code_column(k, c, reads, e->member)
#define CODE_PORT(member) code_or_none(k, c, reads, e->member)
#define CODE_OUTCOME(member) code_plain(k, c, reads, e->member)
#define CODE_HOLDER(member) code_plain(k, c, reads, e->member)
#define CODE_PLACE(member) code_plain(k, c, reads, e->member)
#define CODE_END(member) code_plain(k, c, reads, e->member)

/* Whether what was read can be. The root has no site, and an end that is no trap no instruction;
 * what happens to activations and arrays is at no PE before these are placed, nor is a NEXT that an
 * executor holds. */
#define FITS_SITE (value < k->graph->site_count || (has_no_site && value == TRACES_NONE))
#define FITS_TAG (value <= UINT32_MAX)
#define FITS_PE (value < k->bounds.pes || (has_no_pe && value == TRACES_NONE))
#define FITS_INSTR                                                                       \
    (value < k->graph->node_count || (has_no_instr && value == TRACES_NONE))
#define FITS_CYCLE true
#define FITS_COUNT true
#define FITS_STRUCTURE true
#define FITS_NUMBER (value < k->bounds.places)
#define FITS_PORT (value <= UINT32_MAX)
#define FITS_OUTCOME (value < TRACES_OUTCOME_COUNT)
#define FITS_HOLDER (value < TRACES_HOLDER_COUNT)
#define FITS_PLACE (value < TRACES_PLACE_COUNT)
#define FITS_END (value < k->bounds.ends)

/* Sites come first, then tags: the rest is told against what is known of an activation. */
enum { SITES, TAGS, REST };
#define TURN(MEANING)                                                                    \
    (TRACES_MEANS_##MEANING == TRACES_MEANS_SITE  ? SITES                                \
     : TRACES_MEANS_##MEANING == TRACES_MEANS_TAG ? TAGS                                 \
                                                  : REST)

#define FIELD(member, MEANING, text)                                                     \
    if (turn == (int)TURN(MEANING)) {                                                    \
        const uint64_t value = CODE_##MEANING(member);                                   \
        if (reads) {                                                                     \
            k->failed |= !(FITS_##MEANING);                                              \
            e->member = (__typeof__(e->member))value;                                    \
        }                                                                                \
    }                                                                                    \
    c++;

#define IN_TURN(TURN, fields)                                                            \
    {                                                                                    \
        const int turn = TURN;                                                           \
        c = first;                                                                       \
        fields                                                                           \
    }

#define KIND(NAME, OTHER) (TRACES_EVENT_##NAME == TRACES_EVENT_##OTHER)

#define EVENT(NAME, text, LEVEL, fields, help)                                           \
    case TRACES_EVENT_##NAME: {                                                          \
        enum {                                                                           \
            makes = KIND(NAME, CALL) || KIND(NAME, ITERATION) || KIND(NAME, GATHER),     \
            sends = KIND(NAME, SENT) || KIND(NAME, SENT_DEAD),                           \
            fires = KIND(NAME, FIRED),                                                   \
            has_no_site = KIND(NAME, PRESENT),                                           \
            has_no_pe = TRACES_LEVEL_##LEVEL == TRACES_LEVEL_SUMMARY ||                  \
                        KIND(NAME, LET_GO) || KIND(NAME, STALLED),                       \
            has_no_instr = KIND(NAME, END),                                              \
        };                                                                               \
        IN_TURN(SITES, fields)                                                           \
        IN_TURN(TAGS, fields)                                                            \
        a = about(k, k->last.tag);                                                       \
        IN_TURN(REST, fields)                                                            \
        break;                                                                           \
    }

static inline void code_event(struct coder *k, struct traces_event *e, bool reads)
{
    struct column *const first = &k->columns[FIELDS + e->kind * TRACES_EVENT_MOST_FIELDS];
    struct column *c;
    struct about *a = k->about;
    switch (e->kind) {
#include "traces/events.def"
    }
    if (e->kind == TRACES_EVENT_GONE)
        free_number(k, e->tag);
    k->last.cycle = e->cycle;
    k->count++;
}

/* --- encoding ----------------------------------------------------------------------------------- */

struct traces_event_encoder {
    struct coder coder;
    struct column lengths;
};

struct traces_event_encoder *traces_event_encoder_new(const struct isa_graph *graph)
{
    struct traces_event_encoder *encoder = lib_mem_new(sizeof *encoder);
    encoder->coder.graph = graph;
    return encoder;
}

void traces_event_encoder_free(struct traces_event_encoder *encoder)
{
    for (size_t i = 0; i < COLUMNS; i++)
        lib_mem_free(encoder->coder.columns[i].bytes);
    lib_mem_free(encoder->lengths.bytes);
    lib_mem_free(encoder);
}

size_t traces_event_encoder_add(struct traces_event_encoder *encoder,
                                const struct traces_event *events, size_t count)
{
    struct coder *k = &encoder->coder;
    const size_t room = TRACES_EVENT_BLOCK_MOST - k->count;
    count = count < room ? count : room;
    for (size_t i = 0; i < count; i++) {
        struct traces_event e = events[i];
        put(&k->columns[KINDS], e.kind);
        put(&k->columns[CYCLES], e.cycle - k->last.cycle);
        code_event(k, &e, false);
    }
    return count;
}

void traces_event_encoder_end(struct traces_event_encoder *encoder,
                              struct lib_text *bytes)
{
    struct coder *k = &encoder->coder;
    struct column *lengths = &encoder->lengths;
    lengths->at = lengths->bytes;
    for (size_t i = 0; i < COLUMNS; i++)
        put(lengths, (uint64_t)(k->columns[i].at - k->columns[i].bytes));
    lib_text_clear(bytes);
    lib_text_add(bytes, (const char *)lengths->bytes,
                 (size_t)(lengths->at - lengths->bytes));
    for (size_t i = 0; i < COLUMNS; i++) {
        struct column *c = &k->columns[i];
        if (c->at != c->bytes)
            lib_text_add(bytes, (const char *)c->bytes, (size_t)(c->at - c->bytes));
        c->at = c->bytes;
    }
    begin(k);
}

/* --- decoding ----------------------------------------------------------------------------------- */

static_assert(TRACES_EVENT_COUNT < 0x80, "a kind is a byte");

struct traces_event_decoder {
    struct coder coder;
};

struct traces_event_decoder *
traces_event_decoder_new(const struct isa_graph *graph,
                         const struct traces_event_bounds *bounds)
{
    struct traces_event_decoder *decoder = lib_mem_new(sizeof *decoder);
    decoder->coder.graph = graph;
    decoder->coder.bounds = *bounds;
    return decoder;
}

void traces_event_decoder_free(struct traces_event_decoder *decoder)
{
    lib_mem_free(decoder);
}

/* Columns are only read. */
void traces_event_decoder_start(struct traces_event_decoder *decoder,
                                const struct lib_text *bytes)
{
    struct coder *k = &decoder->coder;
    uint8_t *const start = (uint8_t *)bytes->bytes;
    struct column lengths = {.at = start, .end = start + bytes->length};
    begin(k);
    uint64_t length[COLUMNS], sum = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        length[i] = get(k, &lengths);
        k->failed |= length[i] > bytes->length;
        sum += length[i];
    }
    k->failed |= sum != (uint64_t)(lengths.end - lengths.at) ||
                 length[KINDS] > TRACES_EVENT_BLOCK_MOST;
    uint8_t *at = lengths.at;
    for (size_t i = 0; i < COLUMNS; i++) {
        k->columns[i].at = at;
        k->columns[i].end = at += k->failed ? 0 : length[i];
    }
}

/* Nothing is left over. */
static bool is_over(const struct coder *k)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (k->columns[i].at != k->columns[i].end)
            return false;
    return true;
}

size_t traces_event_decoder_next(struct traces_event_decoder *decoder,
                                 struct traces_event *events, size_t most)
{
    struct coder *k = &decoder->coder;
    struct column *kinds = &k->columns[KINDS];
    size_t count = 0;
    while (count < most && kinds->at < kinds->end && !k->failed) {
        struct traces_event e = {.kind = *kinds->at++};
        e.cycle = k->last.cycle + get(k, &k->columns[CYCLES]);
        k->failed |= e.kind >= TRACES_EVENT_COUNT || e.cycle < k->last.cycle;
        if (!k->failed)
            code_event(k, &e, true);
        events[count++] = e;
    }
    k->failed |= count == 0 && !is_over(k);
    return k->failed ? 0 : count;
}

bool traces_event_decoder_failed(const struct traces_event_decoder *decoder)
{
    return decoder->coder.failed;
}
