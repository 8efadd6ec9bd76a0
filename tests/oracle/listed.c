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
    bool is_one_way; /* a link has no link back */
    /* Ports of the way that is taken: for tokens that are free, and for those that went down. */
    unsigned port[2][MAX_LISTED][MAX_LISTED];
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
    if (*behind == '-')
        add_port(l, b, a, is_global);
    else
        l->is_one_way = true;
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

/* --- the deterministic way ------------------------------------------------------------------ */

enum kind { NEAREST, FARTHEST, BALANCED, UP_DOWN, KINDS };

/* One of the ways: ports, and what each link carries. */
struct made {
    unsigned port[2][MAX_LISTED][MAX_LISTED];
    unsigned long load[MAX_LISTED][MAX_LISTED];
    unsigned far[2][MAX_LISTED]; /* from the goal */
};

/* "A token never goes up again after it went down": whether it can take a port; `then`: whether it
 * has gone down behind it. */
static bool can_take(const struct routers *n, enum kind kind, unsigned router,
                     unsigned port, bool went_down, bool *then)
{
    const struct listed *l = n->listed;
    const bool up = oracle_listed_is_up(n, router, l->to[router][port]);
    *then = kind == UP_DOWN && !up;
    return kind != UP_DOWN || !went_down || !up;
}

/* Relaxes the distances to a goal, as often as there are routers and twice. */
static void find_lengths(const struct routers *n, struct made *m, enum kind kind,
                         unsigned goal)
{
    const struct listed *l = n->listed;
    for (unsigned down = 0; down < 2; down++)
        for (unsigned r = 0; r < l->routers; r++)
            m->far[down][r] = r == goal ? 0 : NONE;
    for (unsigned round = 0; round < 2 * l->routers; round++)
        for (unsigned down = 0; down < 2; down++)
            for (unsigned r = 0; r < l->routers; r++)
                for (unsigned p = 0; p < l->count[r]; p++) {
                    bool then;
                    if (!can_take(n, kind, r, p, down, &then))
                        continue;
                    const unsigned there = m->far[then][l->to[r][p]];
                    if (there != NONE && there + 1 < m->far[down][r])
                        m->far[down][r] = there + 1;
                }
}

static bool is_preferred(const struct listed *l, const struct made *m, enum kind kind,
                         unsigned router, unsigned port, unsigned best)
{
    const long a = labs((long)l->to[router][port] - (long)router);
    const long b = labs((long)l->to[router][best] - (long)router);
    if (kind == NEAREST && a != b)
        return a < b;
    if (kind == FARTHEST && a != b)
        return a > b;
    return m->load[router][port] < m->load[router][best];
}

static void find_goal(const struct routers *n, struct made *m, enum kind kind,
                      unsigned goal, const unsigned long *pes)
{
    const struct listed *l = n->listed;
    unsigned long tokens[2][MAX_LISTED] = {{0}};
    memcpy(tokens[0], pes, sizeof tokens[0]);
    find_lengths(n, m, kind, goal);
    for (unsigned far = 2 * MAX_LISTED; far > 0; far--)
        for (unsigned down = 0; down < 2; down++)
            for (unsigned r = 0; r < l->routers; r++) {
                unsigned best = NONE;
                bool then, best_then = false;
                if (m->far[down][r] != far)
                    continue;
                for (unsigned p = 0; p < l->count[r]; p++)
                    if (can_take(n, kind, r, p, down, &then) &&
                        m->far[then][l->to[r][p]] == far - 1 &&
                        (best == NONE || is_preferred(l, m, kind, r, p, best))) {
                        best = p;
                        best_then = then;
                    }
                m->port[down][r][goal] = best;
                if (down && kind != UP_DOWN) /* no token is there */
                    continue;
                m->load[r][best] += tokens[down][r] * pes[goal];
                tokens[best_then][l->to[r][best]] += tokens[down][r];
            }
}

/* Whether link (r, p) waits for one that waits for itself: links are left out while they wait for
 * none that is left. */
static bool has_circle(const struct listed *l, const struct made *m)
{
    bool left[MAX_LISTED][MAX_LISTED], changes = true, any = false;
    memset(left, true, sizeof left);
    while (changes) {
        changes = any = false;
        for (unsigned r = 0; r < l->routers; r++)
            for (unsigned p = 0; p < l->count[r]; p++) {
                const unsigned to = l->to[r][p];
                bool waits = false;
                for (unsigned goal = 0; goal < l->routers && left[r][p]; goal++)
                    waits |= goal != r && goal != to && m->port[0][r][goal] == p &&
                             left[to][m->port[0][to][goal]];
                changes |= left[r][p] && !waits;
                left[r][p] = waits;
                any |= waits;
            }
    }
    return any;
}

/* "The deterministic way is the one of four whose fullest link carries least". */
static void find_way(const struct routers *n, struct listed *l)
{
    unsigned long pes[MAX_LISTED] = {0}, best = 0;
    struct made *m = lib_mem_new(sizeof *m);
    bool found = false;
    for (unsigned end = 0; end < l->ends; end++)
        pes[l->router_of[end]]++;
    for (enum kind kind = NEAREST; kind < KINDS; kind++) {
        unsigned long most = 0;
        memset(m, 0, sizeof *m);
        if (kind == UP_DOWN && l->is_one_way)
            continue;
        for (unsigned goal = 0; goal < l->routers; goal++)
            find_goal(n, m, kind, goal, pes);
        for (unsigned r = 0; r < l->routers; r++)
            for (unsigned p = 0; p < l->count[r]; p++)
                most = m->load[r][p] > most ? m->load[r][p] : most;
        const bool is_free = kind == UP_DOWN || !has_circle(l, m);
        if (is_free ? found && most >= best + oracle_is_wrong(n->s, BALANCE)
                    : found || kind != BALANCED)
            continue;
        found |= is_free;
        best = most;
        memcpy(l->port, m->port, sizeof l->port);
    }
    lib_mem_free(m);
}

struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             bool went_down)
{
    return (struct way){n->listed->port[went_down][router][goal], 0};
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
    find_way(n, l);
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
