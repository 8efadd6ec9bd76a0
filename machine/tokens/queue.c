#include "machine/tokens/queue.h"

/* --- memory of rings ------------------------------------------------------------------------ */

/* Large rings lie in pages: blocks of LIB_MEM_LARGE_PAGE bytes, at a multiple of that. A page is
 * divided into blocks of 2^order tokens, as in a buddy system (Knuth, The Art of Computer
 * Programming, section 2.5): a block is split into two halves, its buddies, and two buddies that
 * are both free become one block. At first a page has one block of each order of `roots`, at
 * multiples of their own sizes. */
enum {
    MIN_ORDER = 8,
    MAX_ORDER = 16,
    PAGE_TOKENS = (1 << 16) + (1 << 14) + (1 << 12) + (1 << 10) + (1 << 8),
};

static const unsigned roots[] = {16, 14, 12, 10, 8};

/* Members of a list of free blocks, in the memory of the block. */
struct free_block {
    struct free_block *next, *before;
};

struct machine_rings {
    unsigned min_order;                     /* rings of smaller order are not in pages */
    struct ring_page *pages;                /* list */
    struct free_block *free[MAX_ORDER + 1]; /* lists of free blocks, by order */
};

/* Description of a page, after its tokens. */
struct ring_page {
    struct machine_rings *rings;
    struct ring_page *next;
    /* for each block of order MIN_ORDER: 1 + the order of the free block that begins there, or 0 */
    unsigned char free[PAGE_TOKENS >> MIN_ORDER];
};

static_assert(PAGE_TOKENS * sizeof(struct isa_token) + sizeof(struct ring_page) <=
                  LIB_MEM_LARGE_PAGE,
              "the description fits after the tokens");

/* Values of `origin` of queues that share memory. Others: 0 if the queue owns a block, else 1 + the
 * index of the queue, if it is in its first ring. */
enum { IN_PAGE = UINT32_MAX, IN_BLOCK = UINT32_MAX - 1 };

/* What is before the tokens of a ring IN_BLOCK. */
struct block_head {
    struct machine_rings *rings;
    uint64_t unused[2];
};

static size_t head_bytes(void)
{
    return (sizeof(struct machine_rings) + 63) / 64 * 64;
}

/* The first rings are not zeroed: a token is read only after it was put, and most rings are never
 * touched in a short run. */
struct machine_rings *machine_rings_new(uint32_t count)
{
    const size_t ring = MACHINE_QUEUE_RING * sizeof(struct isa_token);
    struct machine_rings *rings = lib_mem_resize(NULL, head_bytes() + count * ring);
    *rings = (struct machine_rings){.min_order = MIN_ORDER};
    while (((uint64_t)count * sizeof(struct isa_token) << rings->min_order) <
           LIB_MEM_LARGE)
        rings->min_order++;
    return rings;
}

void machine_rings_free(struct machine_rings *rings)
{
    struct ring_page *next;
    for (struct ring_page *p = rings ? rings->pages : NULL; p; p = next) {
        next = p->next;
        lib_mem_free((char *)p - PAGE_TOKENS * sizeof(struct isa_token));
    }
    lib_mem_free(rings);
}

static char *page_start(const struct isa_token *tokens)
{
    return (char *)((uintptr_t)tokens & -(uintptr_t)LIB_MEM_LARGE_PAGE);
}

static struct ring_page *page_of(const struct isa_token *tokens)
{
    return (struct ring_page *)(void *)(page_start(tokens) +
                                        PAGE_TOKENS * sizeof(struct isa_token));
}

static unsigned char *mark_of(const struct isa_token *block)
{
    const size_t at = (size_t)(block -
                               (const struct isa_token *)(void *)page_start(block));
    return &page_of(block)->free[at >> MIN_ORDER];
}

static void add_free(struct machine_rings *rings, struct isa_token *block, unsigned order)
{
    struct free_block *b = (void *)block;
    *b = (struct free_block){.next = rings->free[order]};
    if (b->next)
        b->next->before = b;
    rings->free[order] = b;
    *mark_of(block) = (unsigned char)(order + 1);
}

static void remove_free(struct machine_rings *rings, struct isa_token *block,
                        unsigned order)
{
    struct free_block *b = (void *)block;
    if (b->next)
        b->next->before = b->before;
    *(b->before ? &b->before->next : &rings->free[order]) = b->next;
    *mark_of(block) = 0;
}

/* Returns whether the host has given one more page. */
static bool add_page(struct machine_rings *rings)
{
    struct isa_token *tokens = lib_mem_new_page();
    if (!tokens)
        return false;
    *page_of(tokens) = (struct ring_page){.rings = rings, .next = rings->pages};
    rings->pages = page_of(tokens);
    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++) {
        add_free(rings, tokens, roots[i]);
        tokens += (size_t)1 << roots[i];
    }
    return true;
}

/* Takes a ring of 2^order tokens from a page. Returns NULL if the host has no pages. */
static struct isa_token *take_block(struct machine_rings *rings, unsigned order)
{
    unsigned at = order;
    while (at <= MAX_ORDER && !rings->free[at])
        at++;
    if (at > MAX_ORDER && !add_page(rings))
        return NULL;
    for (at = order; !rings->free[at];)
        at++;
    struct isa_token *block = (void *)rings->free[at];
    remove_free(rings, block, at);
    for (; at > order; at--)
        add_free(rings, block + ((size_t)1 << (at - 1)), at - 1);
    return block;
}

static void give_block(struct isa_token *block, unsigned order)
{
    struct machine_rings *rings = page_of(block)->rings;
    struct isa_token *start = (void *)page_start(block);
    for (; order < MAX_ORDER; order++) {
        const size_t at = (size_t)(block - start), other = at ^ (size_t)1 << order;
        if (other >= PAGE_TOKENS || *mark_of(start + other) != order + 1)
            break;
        remove_free(rings, start + other, order);
        block = start + (at & other);
    }
    add_free(rings, block, order);
}

/* --- queues --------------------------------------------------------------------------------- */

void machine_queue_init(struct machine_queue *queue)
{
    *queue = (struct machine_queue){
        .tokens = lib_mem_new(MACHINE_QUEUE_RING * sizeof *queue->tokens),
        .mask = MACHINE_QUEUE_RING - 1,
    };
}

void machine_queue_init_in(struct machine_queue *queue, struct machine_rings *rings,
                           uint32_t index)
{
    *queue = (struct machine_queue){
        .tokens = (struct isa_token *)(void *)((char *)rings + head_bytes()) +
                  (size_t)index * MACHINE_QUEUE_RING,
        .mask = MACHINE_QUEUE_RING - 1,
        .origin = index + 1,
    };
}

/* Returns the memory that a queue shares with others, or NULL. */
static struct machine_rings *rings_of(const struct machine_queue *queue)
{
    switch (queue->origin) {
    case 0:
        return NULL;
    case IN_PAGE:
        return page_of(queue->tokens)->rings;
    case IN_BLOCK:
        return ((struct block_head *)(void *)queue->tokens - 1)->rings;
    default: {
        const size_t before = (queue->origin - 1) * (size_t)MACHINE_QUEUE_RING;
        return (void *)((char *)(queue->tokens - before) - head_bytes());
    }
    }
}

static unsigned order_of(const struct machine_queue *queue)
{
    return (unsigned)__builtin_ctz(queue->mask + 1);
}

void machine_queue_free(struct machine_queue *queue)
{
    if (queue->origin == 0)
        lib_mem_free(queue->tokens);
    else if (queue->origin == IN_BLOCK)
        lib_mem_free((struct block_head *)(void *)queue->tokens - 1);
    else if (queue->origin == IN_PAGE)
        give_block(queue->tokens, order_of(queue));
}

static struct isa_token *new_ring(struct machine_rings *rings, unsigned order,
                                  uint32_t *origin)
{
    const size_t needed = sizeof(struct isa_token) << order;
    struct isa_token *tokens = NULL;
    size_t bytes = 0;
    *origin = IN_PAGE;
    if (rings && order >= rings->min_order && order <= MAX_ORDER)
        tokens = take_block(rings, order);
    if (tokens)
        return tokens;
    *origin = rings ? IN_BLOCK : 0;
    if (!rings)
        return lib_mem_extend(NULL, &bytes, needed);
    struct block_head *head = lib_mem_extend(NULL, &bytes, sizeof *head + needed);
    head->rings = rings;
    return (void *)(head + 1);
}

void machine_queue_grow(struct machine_queue *queue)
{
    const uint32_t count = machine_queue_count(queue), room = queue->mask + 1;
    const uint32_t head = queue->head & queue->mask;
    const uint32_t first = count < room - head ? count : room - head;
    uint32_t origin;
    struct isa_token *tokens = new_ring(rings_of(queue), order_of(queue) + 1, &origin);
    memcpy(tokens, queue->tokens + head, first * sizeof *tokens);
    memcpy(tokens + first, queue->tokens, (count - first) * sizeof *tokens);
    machine_queue_free(queue);
    *queue = (struct machine_queue){tokens, 0, count, 2 * room - 1, origin};
}

void machine_queue_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_queue *queue)
{
    const uint64_t count = lib_pack_count(pack, machine_queue_count(queue),
                                          sizeof *queue->tokens);
    struct isa_token t;
    if (lib_pack_reads(pack))
        queue->head = queue->tail = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!lib_pack_reads(pack))
            t = queue->tokens[(queue->head + i) & queue->mask];
        isa_exec_pack_tokens(pack, exec, &t, 1);
        if (lib_pack_reads(pack))
            machine_queue_put(queue, &t);
    }
}
