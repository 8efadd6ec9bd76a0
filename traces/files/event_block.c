/* Each field of each kind of event is a column, with a fixed number of bytes per number. A plane is
 * an array with one byte of each number of a column. Numbers that do not fit are stored separately,
 * with a variable length, as long numbers. */
#include "traces/files/event_block.h"

#include <stddef.h>
#include <string.h>

#define PLANES_INLINE static inline __attribute__((always_inline))

/* --- columns and planes --------------------------------------------------------------------- */

/* Bytes per number of an event's field, by what the field means. */
enum {
    PLANES_SITE = 1,
    PLANES_TAG = 3,
    PLANES_PE = 1,
    PLANES_INSTR = 1,
    PLANES_CYCLE = 1,
    PLANES_COUNT = 1,
    PLANES_STRUCTURE = 1,
    PLANES_VALUE = 1,
    PLANES_NUMBER = 1,
    PLANES_PORT = 1,
    PLANES_OUTCOME = 1,
    PLANES_HOLDER = 1,
    PLANES_PLACE = 1,
    PLANES_END = 1,
};

/* Indexes of the first and last plane of each kind of event, among the planes of all kinds. */
enum {
#define FIELD(member, MEANING, text) PLANES_##MEANING +
#define EVENT(NAME, text, LEVEL, fields, help)                                           \
    PLANES_FIRST_##NAME, PLANES_LAST_##NAME = PLANES_FIRST_##NAME + (fields 0) - 1,
#include "traces/events.def"
#undef FIELD
    PLANES_ALL,
};

/* Bytes from the start of one plane of the encoder to the start of the next plane. 192 is added so
 * that the planes do not all begin in the same set of the processor's cache. */
enum { PLANES_STRIDE = TRACES_EVENT_BLOCK_MAX + 192 };

/* Planes of a kind of event: the start of the first plane, the byte in it for the next event, and
 * the distance in bytes to the same byte of the next plane. */
struct planes_kind {
    uint8_t *bytes, *at;
    size_t stride;
};

/* Position of a number whose bytes are in adjacent planes: its lowest byte, and the distance in
 * bytes to its next byte. */
struct planes_column {
    uint8_t *at;
    size_t stride;
};

/* --- long numbers --------------------------------------------------------------------------- */

/* Buffer of numbers of variable length: the next byte to write or read, and the end. */
struct planes_longs {
    uint8_t *at, *end;
    uint8_t *bytes; /* owned buffer, when writing */
    bool failed;    /* reading failed, as the buffer ended within a number */
};

enum { PLANES_MAX_BYTES = 10 };

static __attribute__((cold, noinline)) void planes_grow(struct planes_longs *longs)
{
    const size_t used = (size_t)(longs->at - longs->bytes);
    const size_t size = used < 2048 ? 4096 : 2 * used;
    longs->bytes = lib_mem_resize(longs->bytes, size);
    longs->at = longs->bytes + used;
    longs->end = longs->bytes + size;
}

static __attribute__((noinline)) void planes_put_long(struct planes_longs *longs,
                                                      uint64_t number)
{
    if (longs->end - longs->at < PLANES_MAX_BYTES)
        planes_grow(longs);
    while (number >= 0x80) {
        *longs->at++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *longs->at++ = (uint8_t)number;
}

static __attribute__((noinline)) uint64_t planes_get_long(struct planes_longs *longs)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && longs->at < longs->end; shift += 7) {
        const uint64_t byte = *longs->at++;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    longs->failed = true;
    return 0;
}

/* --- numbers -------------------------------------------------------------------------------- */

/* Returns the value which means that the number does not fit in `width` bytes and is stored as a
 * long number. */
PLANES_INLINE uint64_t planes_most(unsigned width)
{
    return (UINT64_C(1) << 8 * width) - 1;
}

PLANES_INLINE void planes_put(struct planes_longs *longs, struct planes_column c,
                              unsigned width, uint64_t number)
{
    const bool is_long = number >= planes_most(width);
    const uint64_t bytes = is_long ? planes_most(width) : number;
    for (unsigned i = 0; i < width; i++)
        /* cppcheck-suppress unreadVariable ; cppcheck misses that the buffer is read later */
        c.at[i * c.stride] = (uint8_t)(bytes >> 8 * i);
    if (__builtin_expect(is_long, 0))
        planes_put_long(longs, number);
}

PLANES_INLINE uint64_t planes_get(struct planes_longs *longs, struct planes_column c,
                                  unsigned width)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number |= (uint64_t)c.at[i * c.stride] << 8 * i;
    return __builtin_expect(number == planes_most(width), 0) ? planes_get_long(longs)
                                                             : number;
}

/* Convert a signed distance to an unsigned number with the sign in the lowest bit, and back. 32-bit
 * distances wrap around. */
PLANES_INLINE uint64_t planes_fold(uint64_t distance)
{
    return distance << 1 ^ -(distance >> 63);
}

PLANES_INLINE uint32_t planes_fold32(uint32_t distance)
{
    return distance << 1 ^ -(distance >> 31);
}

PLANES_INLINE uint64_t planes_unfold(uint64_t number)
{
    return number >> 1 ^ -(number & 1);
}

/* --- the state of a coder ----------------------------------------------------------------- */

enum {
    MAX_TAGS = 2,  /* tags in an event */
    KIND_BITS = 6, /* lower bits of an event's first byte; the others are for the cycle */
    FAR = 3,       /* min cycles since the event before that are a long number */
    PLACE_BITS = 17,
    STEPS = 256,
    LISTS = 64,
    AHEAD = 8, /* events ahead whose activations are prefetched */
};

static_assert(TRACES_EVENT_COUNT <= 1 << KIND_BITS, "a kind has its bits");

static const uint8_t first_plane[TRACES_EVENT_COUNT + 1] = {
#define EVENT(NAME, ...) [TRACES_EVENT_##NAME] = PLANES_FIRST_##NAME,
#include "traces/events.def"
    [TRACES_EVENT_COUNT] = PLANES_ALL,
};

static_assert(PLANES_ALL <= UINT8_MAX, "first_plane");

/* Last known node, and lowest bits of PE and depth, of an activation (or of another one with the
 * same hash). Activations get ranks in the order in which events first name them, across all
 * blocks. Ranks from first_rank on were named in the current block. */
struct place {
    uint32_t tag, rank, instr;
    uint16_t pe, depth;
};

/* Members of the last event of a kind at a node of the same number modulo STEPS. `depth` is
 * relative to the depth before, `formed` to the event's cycle. */
struct step {
    uint32_t next; /* node of the next event in the activation */
    uint16_t depth, formed;
};

/* Activation of a rank, and the list that gets its number when it is freed. */
struct ranked {
    uint32_t tag, list;
};

/* Number of a freed activation, and the previous one in its list. */
struct freed {
    uint32_t tag, before;
};

/* State of an encoder or decoder. After the same events of a block, both have the same state. */
struct coder {
    const struct isa_graph *graph;
    struct traces_event_bounds bounds; /* for the decoder */
    uint8_t *bytes, *next, *end;       /* first byte of each event */
    struct planes_kind kinds[TRACES_EVENT_COUNT];
    struct planes_longs longs;

    struct traces_event last; /* latest value of each member */
    uint64_t last_of[PLANES_ALL];
    uint32_t last_rank, ranks, frees;
    uint32_t first_rank;                          /* of the block */
    uint32_t last_made[LISTS], last_freed[LISTS]; /* latest number; index in `freed` */
    struct step steps[TRACES_EVENT_COUNT][STEPS];
    struct place places[1 << PLACE_BITS];
    struct ranked ranked[MAX_TAGS * TRACES_EVENT_BLOCK_MAX + 1];
    struct freed freed[TRACES_EVENT_BLOCK_MAX + 1];
};

PLANES_INLINE struct place *place_of(struct coder *k, uint32_t tag)
{
    return &k->places[tag * UINT32_C(0x9e3779b1) >> (32 - PLACE_BITS)];
}

/* Forgets earlier blocks: ranks below first_rank are unknown. Entries of `ranked` and `freed`
 * beyond `ranks` and `frees` are never read. */
static void begin_block(struct coder *k)
{
    k->first_rank += k->ranks;
    if (k->first_rank > UINT32_MAX / 2) {
        k->first_rank = 0;
        memset(k->places, 0, sizeof k->places);
    }
    memset(&k->last, 0, sizeof k->last);
    memset(k->last_of, 0, sizeof k->last_of);
    memset(k->last_made, 0, sizeof k->last_made);
    memset(k->last_freed, 0, sizeof k->last_freed);
    memset(k->steps, 0, sizeof k->steps);
    /* Entry for a first event without tag. */
    *place_of(k, k->last.tag) = (struct place){0};
    k->last_rank = k->ranks = k->frees = 0;
    k->longs.failed = false;
    k->next = k->bytes;
}

/* --- fields --------------------------------------------------------------------------------- Each
 * function writes a number, or reads it. `reads` is constant at every call. */

PLANES_INLINE uint64_t code_plain(struct coder *k, struct planes_column c, bool reads,
                                  uint64_t value)
{
    if (reads)
        return planes_get(&k->longs, c, 1);
    planes_put(&k->longs, c, 1, value);
    return value;
}

PLANES_INLINE uint64_t code_or_none(struct coder *k, struct planes_column c, bool reads,
                                    uint32_t value)
{
    const uint64_t number = code_plain(k, c, reads, value + 1u);
    return number ? number - 1 : TRACES_NONE;
}

PLANES_INLINE uint64_t code_near(struct coder *k, struct planes_column c, bool reads,
                                 uint64_t value, uint64_t guess)
{
    if (reads)
        return guess + planes_unfold(planes_get(&k->longs, c, 1));
    planes_put(&k->longs, c, 1, planes_fold(value - guess));
    return value;
}

/* Codes a 32-bit number as its distance from a guess; TRACES_NONE is one below 0. */
PLANES_INLINE uint32_t code_near32(struct coder *k, struct planes_column c,
                                   unsigned width, bool reads, uint32_t value,
                                   uint32_t guess)
{
    if (reads)
        return guess + (uint32_t)planes_unfold(planes_get(&k->longs, c, width));
    planes_put(&k->longs, c, width, planes_fold32(value - guess));
    return value;
}

PLANES_INLINE uint64_t code_column(struct coder *k, struct planes_column c, size_t plane,
                                   bool reads, uint64_t value)
{
    return k->last_of[plane] = code_near(k, c, reads, value, k->last_of[plane]);
}

/* --- activations ------------------------------------------------------------------------------ */

/* Returns the list of freed numbers for the function of a site. List 0 is for numbers whose
 * function the block does not know. */
static uint32_t list_of(const struct coder *k, uint32_t site)
{
    return site < k->graph->site_count ? 1 + k->graph->sites[site].callee % (LISTS - 1)
                                       : 0;
}

/* Whether the entry belongs to this activation and was named in the current block. */
PLANES_INLINE bool is_named(const struct coder *k, const struct place *place,
                            uint32_t tag)
{
    return place->tag == tag && place->rank > k->first_rank;
}

static void rank(struct coder *k, struct place *place, uint32_t tag, uint32_t list)
{
    assert(k->ranks + 1 < sizeof k->ranked / sizeof k->ranked[0]);
    if (place->rank <= k->first_rank)
        *place = (struct place){0};
    k->ranked[++k->ranks] = (struct ranked){tag, list};
    place->tag = tag;
    place->rank = k->first_rank + k->ranks;
}

/* Codes the tag of a new activation, mostly the number that an activation of the same function
 * freed last. The new activation begins at its site, with the depth of the event that makes it. */
static uint32_t code_made(struct coder *k, struct planes_column c, bool reads,
                          uint32_t tag, uint32_t site)
{
    const uint32_t list = list_of(k, site);
    uint32_t *freed = &k->last_freed[k->last_freed[list] ? list : 0];
    uint32_t guess = k->last_made[list];
    if (*freed) {
        guess = k->freed[*freed].tag;
        *freed = k->freed[*freed].before;
    }
    tag = code_near32(k, c, PLANES_TAG, reads, tag, guess);
    k->last_made[list] = tag;
    struct place *place = place_of(k, tag);
    rank(k, place, tag, list);
    place->instr = ~site;
    place->depth = (uint16_t)k->last.a;
    return tag;
}

/* Codes a tag. The lowest bit is 1 if the block has named the activation: the distance of its rank
 * from the last rank follows, which is small because activations made together mostly act together.
 * Otherwise the distance of its number from the last tag follows. */
PLANES_INLINE uint32_t code_tag(struct coder *k, struct planes_column c, bool reads,
                                uint32_t tag)
{
    bool named;
    struct place *place = place_of(k, tag);
    if (reads) {
        const uint64_t number = planes_get(&k->longs, c, PLANES_TAG);
        const uint32_t distance = (uint32_t)planes_unfold(number >> 1);
        const uint32_t ranked = k->last_rank + distance;
        named = number & 1;
        k->longs.failed |= named && (ranked == 0 || ranked > k->ranks);
        if (k->longs.failed)
            return 0;
        tag = named ? k->ranked[ranked].tag : k->last.tag + distance;
        place = place_of(k, tag);
    } else {
        named = is_named(k, place, tag);
        const uint32_t distance = named ? place->rank - k->first_rank - k->last_rank
                                        : tag - k->last.tag;
        planes_put(&k->longs, c, PLANES_TAG,
                   (uint64_t)planes_fold32(distance) << 1 | named);
    }
    if (!named)
        rank(k, place, tag, 0);
    k->last_rank = place->rank - k->first_rank;
    return tag;
}

static void free_number(struct coder *k, uint32_t tag)
{
    const struct place *place = place_of(k, tag);
    const uint32_t list = is_named(k, place, tag)
                              ? k->ranked[place->rank - k->first_rank].list
                              : 0;
    k->freed[++k->frees] = (struct freed){tag, k->last_freed[list]};
    k->last_freed[list] = k->frees;
}

/* --- guesses ---------------------------------------------------------------------------------- */

PLANES_INLINE uint32_t guess_pe(const struct place *a)
{
    return a->pe == UINT16_MAX ? TRACES_NONE : a->pe;
}

/* Returns the depth closest to the last one with these lower 16 bits. */
PLANES_INLINE uint64_t guess_depth(const struct coder *k, uint16_t depth)
{
    return k->last.a + (uint64_t)(int16_t)(depth - (uint16_t)k->last.a);
}

PLANES_INLINE uint32_t code_pe(struct coder *k, struct planes_column c, bool reads,
                               uint32_t value, uint32_t guess, struct place *at)
{
    value = code_near32(k, c, PLANES_PE, reads, value, guess);
    at->pe = (uint16_t)value;
    return k->last.pe = value;
}

PLANES_INLINE uint32_t code_instr(struct coder *k, struct planes_column c, bool reads,
                                  uint32_t value, struct place *a, struct step *steps,
                                  bool sends)
{
    struct step *step = &steps[(sends ? k->last.instr : a->instr) % STEPS];
    value = code_near32(k, c, PLANES_INSTR, reads, value, step->next);
    return a->instr = k->last.instr = step->next = value;
}

PLANES_INLINE uint64_t code_depth(struct coder *k, struct planes_column c, bool reads,
                                  uint64_t value, struct place *a, struct step *step)
{
    const uint64_t guess = guess_depth(k, (uint16_t)(a->depth + step->depth));
    value = code_near(k, c, reads, value, guess);
    step->depth = (uint16_t)(value - a->depth);
    a->depth = (uint16_t)value;
    return k->last.a = value;
}

PLANES_INLINE uint64_t code_formed(struct coder *k, struct planes_column c, bool reads,
                                   uint64_t value, uint64_t cycle, struct step *step)
{
    value = code_near(k, c, reads, value, cycle + step->formed);
    step->formed = (uint16_t)(value - cycle);
    return k->last.b = value;
}

/* --- events ----------------------------------------------------------------------------------- */

#define IS(member, other)                                                                \
    (offsetof(struct traces_event, member) == offsetof(struct traces_event, other))

/* Codes a number of each meaning, mostly as the distance from a guess. The guess for a sent token
 * comes from its firing, for other events from the event before in the same activation. */
#define CODE_SITE(member) code_or_none(k, c, reads, e->member)
#define CODE_TAG(member)                                                                 \
    (k->last.tag = makes && IS(member, tag) ? code_made(k, c, reads, e->member, e->site) \
                                            : code_tag(k, c, reads, e->member))
#define CODE_PE(member)                                                                  \
    code_pe(k, c, reads, e->member, sends &&IS(member, pe) ? k->last.pe : guess_pe(a),   \
            makes ? place_of(k, e->tag) : a)
#define CODE_INSTR(member) code_instr(k, c, reads, e->member, a, steps, sends)
#define CODE_CYCLE(member)                                                               \
    (sends                                                                               \
         ? code_near(k, c, reads, e->member, k->last.b)                                  \
         : code_formed(k, c, reads, e->member, e->cycle, &steps[k->last.instr % STEPS]))
#define CODE_COUNT(member)                                                               \
    (fires ? code_depth(k, c, reads, e->member, a, &steps[k->last.instr % STEPS])        \
           : code_column(k, c, plane, reads, e->member))
#define CODE_STRUCTURE(member) code_column(k, c, plane, reads, e->member)
#define CODE_VALUE(member) code_column(k, c, plane, reads, e->member)
#define CODE_NUMBER(member)                                                              \
    (e->how == TRACES_PLACE_INPUT                                                        \
         ? code_near32(k, c, PLANES_NUMBER, reads, e->member, guess_pe(a))               \
         : code_column(k, c, plane, reads, e->member))
#define CODE_PORT(member) code_or_none(k, c, reads, e->member)
#define CODE_OUTCOME(member) code_plain(k, c, reads, e->member)
#define CODE_HOLDER(member) code_plain(k, c, reads, e->member)
#define CODE_PLACE(member) code_plain(k, c, reads, e->member)
#define CODE_END(member) code_plain(k, c, reads, e->member)

/* Conditions for a value that was read. The root has no site; an end without a trap has no
 * instruction. Activations and arrays have no PE before they are placed, nor has a NEXT that an
 * executor holds. */
#define FITS_SITE (value < k->graph->site_count || (has_no_site && value == TRACES_NONE))
#define FITS_TAG (value <= UINT32_MAX)
#define FITS_PE (value < k->bounds.pes || (has_no_pe && value == TRACES_NONE))
#define FITS_INSTR                                                                       \
    (value < k->graph->node_count || (has_no_instr && value == TRACES_NONE))
#define FITS_CYCLE true
#define FITS_COUNT true
#define FITS_STRUCTURE true
#define FITS_VALUE true
#define FITS_NUMBER (value < k->bounds.places)
#define FITS_PORT (value <= UINT32_MAX)
#define FITS_OUTCOME (value < TRACES_OUTCOME_COUNT)
#define FITS_HOLDER (value < TRACES_HOLDER_COUNT)
#define FITS_PLACE (value < TRACES_PLACE_COUNT)
#define FITS_END (value < k->bounds.ends)

/* Order of the fields of an event: sites, then tags, because the guesses for the rest depend on the
 * activation. */
enum { SITES, TAGS, REST };
#define TURN(MEANING)                                                                    \
    (TRACES_MEANS_##MEANING == TRACES_MEANS_SITE  ? SITES                                \
     : TRACES_MEANS_##MEANING == TRACES_MEANS_TAG ? TAGS                                 \
                                                  : REST)

#define FIELD(member, MEANING, text)                                                     \
    if (turn == (int)TURN(MEANING)) {                                                    \
        const struct planes_column c = {at + (plane - first) * stride, stride};          \
        const uint64_t value = CODE_##MEANING(member);                                   \
        if (reads) {                                                                     \
            k->longs.failed |= !(FITS_##MEANING);                                        \
            read->member = (__typeof__(read->member))value;                              \
        }                                                                                \
    }                                                                                    \
    plane += PLANES_##MEANING;

#define IN_TURN(TURN, ...)                                                               \
    {                                                                                    \
        const int turn = TURN;                                                           \
        size_t plane = first;                                                            \
        __VA_ARGS__                                                                      \
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
                        KIND(NAME, RELEASED) || KIND(NAME, STALLED),                     \
            has_no_instr = KIND(NAME, END),                                              \
            first = PLANES_FIRST_##NAME,                                                 \
        };                                                                               \
        struct step *const steps = k->steps[TRACES_EVENT_##NAME];                        \
        (void)steps;                                                                     \
        IN_TURN(SITES, fields)                                                           \
        IN_TURN(TAGS, fields)                                                            \
        a = place_of(k, k->last.tag);                                                    \
        IN_TURN(REST, fields)                                                            \
        break;                                                                           \
    }

/* Writes event `e`, or completes it, if `read` is `e`, from its kind and cycle. */
PLANES_INLINE void code_event(struct coder *k, const struct traces_event *e,
                              struct traces_event *read)
{
    const bool reads = read;
    struct planes_kind *kind = &k->kinds[e->kind];
    uint8_t *const at = kind->at++;
    const size_t stride = reads ? kind->stride : PLANES_STRIDE;
    struct place *a = k->places;
    switch (e->kind) {
#include "traces/events.def"
    }
    if (e->kind == TRACES_EVENT_GONE)
        free_number(k, e->tag);
    k->last.cycle = e->cycle;
}

/* --- encoding ----------------------------------------------------------------------- */

struct traces_event_encoder {
    struct coder coder;
    uint8_t *planes;
};

struct traces_event_encoder *traces_event_encoder_new(const struct isa_graph *graph)
{
    struct traces_event_encoder *encoder = lib_mem_new(sizeof *encoder);
    struct coder *k = &encoder->coder;
    k->graph = graph;
    k->bytes = k->next = lib_mem_new(TRACES_EVENT_BLOCK_MAX);
    k->end = k->bytes + TRACES_EVENT_BLOCK_MAX;
    encoder->planes = lib_mem_new((size_t)PLANES_ALL * PLANES_STRIDE);
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++)
        k->kinds[i].bytes = k->kinds[i].at = encoder->planes +
                                             (size_t)first_plane[i] * PLANES_STRIDE;
    return encoder;
}

void traces_event_encoder_free(struct traces_event_encoder *encoder)
{
    LIB_MEM_FREE(encoder->coder.bytes, encoder->coder.longs.bytes, encoder->planes);
    lib_mem_free(encoder);
}

size_t traces_event_encoder_add(struct traces_event_encoder *encoder,
                                const struct traces_event *events, size_t count)
{
    struct coder *k = &encoder->coder;
    const size_t room = (size_t)(k->end - k->next);
    count = count < room ? count : room;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        __builtin_prefetch(e + 4 * AHEAD);
        if (i + AHEAD < count)
            __builtin_prefetch(place_of(k, events[i + AHEAD].tag), 1);
        const uint64_t cycles = e->cycle - k->last.cycle;
        *k->next++ = (uint8_t)(e->kind | (cycles < FAR ? cycles : FAR) << KIND_BITS);
        if (cycles >= FAR)
            planes_put_long(&k->longs, cycles);
        code_event(k, e, NULL);
    }
    return count;
}

static void add_bytes(struct lib_text *bytes, const uint8_t *from, size_t count)
{
    lib_text_add(bytes, (const char *)from, count);
}

void traces_event_encoder_end(struct traces_event_encoder *encoder,
                              struct lib_text *bytes)
{
    struct coder *k = &encoder->coder;
    const size_t count = (size_t)(k->next - k->bytes);
    struct planes_longs *longs = &k->longs;
    lib_text_clear(bytes);
    for (size_t left = count, more = 1; more; left >>= 7) {
        more = left >= 0x80;
        const uint8_t byte = (uint8_t)(left | more << 7);
        add_bytes(bytes, &byte, 1);
    }
    add_bytes(bytes, k->bytes, count);
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++) {
        struct planes_kind *kind = &k->kinds[i];
        const size_t events = (size_t)(kind->at - kind->bytes);
        const size_t planes = (size_t)(first_plane[i + 1] - first_plane[i]);
        for (size_t p = 0; events && p < planes; p++)
            add_bytes(bytes, kind->bytes + p * PLANES_STRIDE, events);
        kind->at = kind->bytes;
    }
    if (longs->at != longs->bytes)
        add_bytes(bytes, longs->bytes, (size_t)(longs->at - longs->bytes));
    longs->at = longs->bytes;
    begin_block(k);
}

/* --- decoding ----------------------------------------------------------------------- */

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

static uint8_t kind_of(uint8_t byte)
{
    return byte & ((1 << KIND_BITS) - 1);
}

/* Finds the start of every plane by counting the events of each kind. Does not change bytes. */
static bool find_planes(struct coder *k, uint8_t *at, const uint8_t *end)
{
    size_t counts[1 << KIND_BITS] = {0};
    k->longs = (struct planes_longs){.at = at, .end = (uint8_t *)end};
    uint64_t count = planes_get_long(&k->longs);
    at = k->longs.at;
    if (k->longs.failed || count > TRACES_EVENT_BLOCK_MAX || count > (size_t)(end - at))
        return false;
    k->bytes = k->next = at;
    k->end = at += count;
    for (const uint8_t *event = k->bytes; event < k->end; event++)
        counts[kind_of(*event)]++;
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++) {
        const size_t planes = (size_t)(first_plane[i + 1] - first_plane[i]);
        if (planes * counts[i] > (size_t)(end - at))
            return false;
        k->kinds[i] = (struct planes_kind){at, at, counts[i]};
        at += planes * counts[i];
        count -= counts[i];
    }
    k->longs.at = at;
    return count == 0;
}

void traces_event_decoder_start(struct traces_event_decoder *decoder,
                                const struct lib_text *bytes)
{
    struct coder *k = &decoder->coder;
    uint8_t *const at = (uint8_t *)bytes->bytes;
    begin_block(k);
    if (!find_planes(k, at, at + bytes->length)) {
        k->longs.failed = true;
        k->next = k->end = at;
    }
}

size_t traces_event_decoder_next(struct traces_event_decoder *decoder,
                                 struct traces_event *events, size_t most)
{
    struct coder *k = &decoder->coder;
    size_t count = 0;
    while (count < most && k->next < k->end && !k->longs.failed) {
        const uint8_t byte = *k->next++;
        const uint64_t cycles = byte >> KIND_BITS;
        struct traces_event e = {.kind = kind_of(byte)};
        e.cycle = k->last.cycle + (cycles < FAR ? cycles : planes_get_long(&k->longs));
        /* A run may end before the requested window begins. */
        k->longs.failed |= e.cycle < k->last.cycle && e.kind != TRACES_EVENT_END;
        code_event(k, &e, &e);
        events[count++] = e;
    }
    k->longs.failed |= count == 0 && k->longs.at != k->longs.end;
    return k->longs.failed ? 0 : count;
}

bool traces_event_decoder_failed(const struct traces_event_decoder *decoder)
{
    return decoder->coder.longs.failed;
}
