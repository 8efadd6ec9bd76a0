/* "Shapes", `file`: a network from a file. The reader accepts only valid files: three keys, each
 * with a list of words. */
#include "tests/oracle/routers.h"
#include "tests/oracle/ways.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = WAYS_ROUTERS };

struct listed {
    unsigned ends;
    unsigned router_of[4 * MAX_LISTED]; /* of each end */
    bool is_global[MAX_LISTED][MAX_LISTED];
    /* of the link's own, or 0 */
    uint64_t latency[MAX_LISTED][MAX_LISTED], bandwidth[MAX_LISTED][MAX_LISTED];
    unsigned last[2][2];          /* routers and ports of the link that was read last */
    unsigned goal_of[MAX_LISTED]; /* of tokens for a router */
    struct ways_net net;
    struct ways_made made;
};

/* --- reading ---------------------------------------------------------------------------- */

static unsigned see(struct listed *l, unsigned long router)
{
    if (router >= MAX_LISTED)
        abort();
    if (router >= l->net.routers)
        l->net.routers = (unsigned)router + 1;
    return (unsigned)router;
}

static void add_port(struct listed *l, unsigned from, unsigned to, bool is_global)
{
    const unsigned port = l->net.count[from]++;
    l->net.to[from][port] = to;
    l->is_global[from][port] = is_global;
}

/* Words behind a link: its own latency or bandwidth, both ways. */
static void add_own(struct listed *l, const char *word)
{
    const uint64_t number = strtoul(strchr(word, '=') + 1, NULL, 10);
    for (unsigned i = 0; i < 2; i++)
        (*word == 'l' ? l->latency : l->bandwidth)[l->last[i][0]][l->last[i][1]] = number;
}

/* A word is one router, or two. */
static void add_word(struct listed *l, const char *key, const char *word)
{
    char *behind;
    if (strchr(word, '=')) {
        add_own(l, word);
        return;
    }
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
    l->last[0][0] = l->last[1][0] = a;
    l->last[0][1] = l->last[1][1] = l->net.count[a] - 1;
    if (*behind == '-') {
        l->last[1][0] = b;
        l->last[1][1] = l->net.count[b] - 1;
    }
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

/* --- ways ----------------------------------------------------------------------------------- */

/* "Each PE is a goal"; of Valiant's routing each router without PEs, too. */
static void list_goals(const struct routers *n, struct listed *l)
{
    struct ways_net *net = &l->net;
    net->goals = net->pe_count = l->ends;
    for (unsigned r = 0; r < MAX_LISTED; r++)
        l->goal_of[r] = NONE;
    for (unsigned end = 0; end < l->ends; end++) {
        const unsigned r = l->router_of[end];
        net->at[end] = r;
        net->weight[end] = 1;
        net->pes[r]++;
        if (l->goal_of[r] == NONE)
            l->goal_of[r] = end;
    }
    for (unsigned r = 0; r < net->routers; r++) {
        if (n->s->routing != ORACLE_VALIANT || l->goal_of[r] != NONE)
            continue;
        net->at[net->goals] = r;
        net->weight[net->goals] = 1;
        l->goal_of[r] = net->goals++;
    }
}

struct way oracle_listed_way(const struct routers *n, unsigned router, unsigned goal,
                             unsigned end)
{
    const struct listed *l = n->listed;
    return (struct way){l->made.port[end == NONE ? l->goal_of[goal] : end][router], 0};
}

unsigned oracle_listed_ways(const struct routers *n, unsigned router, unsigned goal,
                            struct way *ways)
{
    const struct ways_net *net = &n->listed->net;
    unsigned count = 0;
    for (unsigned p = 0; p < net->count[router]; p++)
        if (net->far[net->to[router][p]][goal] < net->far[router][goal])
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
    l->net.last_root = oracle_is_wrong(n->s, ROOT);
    l->net.first_port = oracle_is_wrong(n->s, BALANCE);
    l->net.sides_only = oracle_is_wrong(n->s, EXPRESS);
    list_goals(n, l);
    oracle_ways_distances(&l->net);
    oracle_ways_make(&l->net, &l->made);
    n->router_count = l->net.routers;
    n->port_count = 0;
    for (unsigned r = 0; r < n->router_count; r++)
        n->port_count = l->net.count[r] > n->port_count ? l->net.count[r] : n->port_count;
}

void oracle_listed_free(struct routers *n)
{
    lib_mem_free(n->listed);
}

unsigned oracle_listed_behind(const struct routers *n, unsigned router, unsigned port)
{
    const struct ways_net *net = &n->listed->net;
    return port < net->count[router] ? net->to[router][port] : NONE;
}

bool oracle_listed_is_global(const struct routers *n, unsigned router, unsigned port)
{
    return n->listed->is_global[router][port];
}

unsigned oracle_listed_router(const struct routers *n, unsigned end)
{
    return n->listed->router_of[end];
}

void oracle_listed_measure(const struct routers *n, unsigned router, unsigned port,
                           struct link *link)
{
    link->latency = n->listed->latency[router][port];
    link->bandwidth = n->listed->bandwidth[router][port];
}
