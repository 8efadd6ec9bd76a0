/* "Shapes", `file`: a network from a file. The reader accepts only valid files: three keys, each
 * with a list of words. */
#include "tests/oracle/routers.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 64 };

struct listed {
    unsigned routers, ends;
    unsigned router_of[4 * MAX_LISTED];  /* of each end */
    unsigned count[MAX_LISTED];          /* ports of each router */
    unsigned to[MAX_LISTED][MAX_LISTED]; /* routers that they lead to */
    bool is_global[MAX_LISTED][MAX_LISTED];
    unsigned far[MAX_LISTED][MAX_LISTED]; /* distances in links */
    unsigned root;
};

/* --- reading ---------------------------------------------------------------------------- */

static unsigned see(struct listed *l, unsigned long router)
{
    if (router >= MAX_LISTED)
        abort();
    l->routers = router >= l->routers ? (unsigned)router + 1 : l->routers;
    return (unsigned)router;
}

static void add_port(struct listed *l, unsigned from, unsigned to, bool is_global)
{
    const unsigned port = l->count[from]++;
    l->to[from][port] = to;
    l->is_global[from][port] = is_global;
}

/* A word is one router, or two. */
static void add_word(struct listed *l, const char *key, const char *word)
{
    char *behind;
    const unsigned a = see(l, strtoul(word, &behind, 10));
    if (strcmp(key, "pes") == 0) {
        l->router_of[l->ends++] = a;
        return;
    }
    const unsigned b = see(l, strtoul(behind + 1, NULL, 10));
    const bool is_global = strcmp(key, "global_links") == 0;
    add_port(l, a, b, is_global);
    add_port(l, b, a, is_global);
}

static void read_all(struct listed *l, const char *text, size_t length)
{
    char key[32] = "", *copy = lib_mem_new(length + 1);
    memcpy(copy, text, length);
    for (char *save, *word = strtok_r(copy, " ,[]\n", &save); word;
         word = strtok_r(NULL, " ,[]\n", &save)) {
        const size_t end = strlen(word) - 1;
        if (word[end] != ':') {
            add_word(l, key, word);
            continue;
        }
        word[end] = '\0';
        if (end >= sizeof key)
            abort();
        memcpy(key, word, end + 1);
    }
    lib_mem_free(copy);
}

/* --- up and down ---------------------------------------------------------------------------- */

/* Relaxes all distances, as often as there are routers. */
static void find_distances(struct listed *l)
{
    for (unsigned a = 0; a < l->routers; a++)
        for (unsigned b = 0; b < l->routers; b++)
            l->far[a][b] = a == b ? 0 : NONE;
    for (unsigned round = 0; round < l->routers; round++)
        for (unsigned a = 0; a < l->routers; a++)
            for (unsigned b = 0; b < l->routers; b++)
                for (unsigned p = 0; p < l->count[a]; p++) {
                    const unsigned there = l->far[l->to[a][p]][b];
                    if (there != NONE && there + 1 < l->far[a][b])
                        l->far[a][b] = there + 1;
                }
}

/* "the router with the smallest sum of distances to all others; of equal ones the first" */
static void find_root(const struct routers *n, struct listed *l)
{
    const bool takes_last = oracle_is_wrong(n->s, ROOT);
    unsigned long best = 0;
    for (unsigned r = 0; r < l->routers; r++) {
        unsigned long sum = 0;
        for (unsigned to = 0; to < l->routers; to++)
            sum += l->far[r][to];
        if (r == 0 || sum < best + takes_last) {
            best = sum;
            l->root = r;
        }
    }
}

/* "nearer to the root than its start, or as near and of a smaller number" */
bool oracle_listed_is_up(const struct routers *n, unsigned from, unsigned to)
{
    const struct listed *l = n->listed;
    const unsigned here = l->far[l->root][from], there = l->far[l->root][to];
    return there < here || (there == here && to < from);
}

/* Links on the shortest way, of at most `left` links, that never goes up after down; NONE: no
 * way. */
static unsigned length_of(const struct routers *n, unsigned router, unsigned goal,
                          bool went_down, unsigned left)
{
    const struct listed *l = n->listed;
    unsigned best = NONE;
    if (router == goal)
        return 0;
    for (unsigned p = 0; p < l->count[router] && left > 0; p++) {
        const unsigned to = l->to[router][p];
        const bool is_up = oracle_listed_is_up(n, router, to);
        if (is_up && went_down)
            continue;
        const unsigned rest = length_of(n, to, goal, !is_up, left - 1);
        if (rest == NONE || rest + 1 >= best)
            continue;
        best = rest + 1;
        left = best - 1;
    }
    return best;
}

struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             bool went_down)
{
    const struct listed *l = n->listed;
    unsigned all = 0;
    while (length_of(n, router, goal, went_down, all) == NONE)
        all++;
    for (unsigned p = 0; p < l->count[router]; p++) {
        const unsigned to = l->to[router][p];
        const bool is_up = oracle_listed_is_up(n, router, to);
        if (!(is_up && went_down) && length_of(n, to, goal, !is_up, all - 1) != NONE)
            return (struct way){p, 0};
    }
    abort();
}

unsigned oracle_listed_ways(const struct routers *n, unsigned router, unsigned goal,
                            struct way *ways)
{
    const struct listed *l = n->listed;
    unsigned count = 0;
    for (unsigned p = 0; p < l->count[router]; p++)
        if (l->far[l->to[router][p]][goal] < l->far[router][goal])
            ways[count++] = (struct way){p, 0};
    return count;
}

/* --- routers and links --- */

void oracle_listed_make(struct routers *n)
{
    struct listed *l = n->listed = lib_mem_new(sizeof *l);
    read_all(l, n->s->file, n->s->file_length);
    if (l->ends != n->ends)
        abort();
    find_distances(l);
    find_root(n, l);
    n->router_count = l->routers;
    n->port_count = 0;
    for (unsigned r = 0; r < l->routers; r++)
        n->port_count = l->count[r] > n->port_count ? l->count[r] : n->port_count;
}

void oracle_listed_free(struct routers *n)
{
    lib_mem_free(n->listed);
}

unsigned oracle_listed_behind(const struct routers *n, unsigned router, unsigned port)
{
    return port < n->listed->count[router] ? n->listed->to[router][port] : NONE;
}

bool oracle_listed_is_global(const struct routers *n, unsigned router, unsigned port)
{
    return n->listed->is_global[router][port];
}

unsigned oracle_listed_router(const struct routers *n, unsigned end)
{
    return n->listed->router_of[end];
}
