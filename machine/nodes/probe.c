/* Detection of termination: Safra's probe (EWD 998), after Dijkstra, Feijen and van Gasteren
 * (EWD 840). The probe goes from node 0 to the last node, and from each node to the previous
 * one. A node passes it on when it has no work. */
#include "machine/network/network.h"
#include "machine/nodes/nodes_internal.h"

#include <assert.h>

/* Returns the index of the first message in transit or lost (`only_lost`: lost), in the order of
 * sender, receiver and number; NODES_NOBODY if none is. Sets *others to how many more there are. */
static uint32_t find_missing(const struct machine_nodes *n, bool only_lost,
                             uint64_t *others)
{
    uint32_t first = NODES_NOBODY;
    uint64_t count = 0;
    for (uint32_t i = 0; i < n->messages.count; i++) {
        const struct nodes_message *a = &n->messages.items[i];
        const struct nodes_message *b = first == NODES_NOBODY ? a
                                                              : &n->messages.items[first];
        if (!a->is_used || (only_lost && !a->is_lost))
            continue;
        count++;
        if (first == NODES_NOBODY || a->from < b->from ||
            (a->from == b->from &&
             (a->to < b->to || (a->to == b->to && a->number < b->number))))
            first = i;
    }
    *others = count ? count - 1 : 0;
    return first;
}

static void end_missing(struct machine_nodes *n, bool only_lost)
{
    n->wrong = find_missing(n, only_lost, &n->others);
    n->outside.stop_faulted(n->outside.context);
}

bool machine_nodes_miss(struct machine_nodes *n)
{
    uint64_t others;
    if (!n->counts || find_missing(n, true, &others) == NODES_NOBODY)
        return false;
    end_missing(n, true);
    return true;
}

/* Returns for how many cycles messages may be missing that are not lost. */
static uint64_t timeout(const struct machine_nodes *n, uint64_t missing)
{
    const uint64_t set = n->outside.settings->message_timeout;
    if (set)
        return set;
    const uint64_t longer = machine_network_occupied(MACHINE_NODES_PROBE_BITS,
                                                     n->most_bits);
    return n->latest +
           2 * (missing + 1) * n->round * longer * (1 + n->outside.about->credit);
}

/* Decides after a round of the probe whether all work has ended. Returns true if the run ended. */
static bool judge(struct machine_nodes *n)
{
    struct nodes_probe *p = &n->probe;
    const int64_t missing = p->sum + n->nodes[0].surplus;
    const bool is_clean = !p->is_black && !n->nodes[0].is_black;
    if (is_clean && missing == 0) {
        assert(n->is_quiet && n->held.count == 0);
        n->outside.counts->detection_cycles = n->outside.now - n->quiet;
        n->outside.stop_quiet(n->outside.context);
        return true;
    }
    if (!is_clean || !p->waits || p->missing != missing) {
        p->waits = is_clean;
        p->missing = missing;
        p->since = n->outside.now;
    } else if (n->outside.now - p->since >= timeout(n, (uint64_t)missing)) {
        assert(n->outside.settings->message_timeout || n->is_quiet);
        end_missing(n, false);
        return true;
    }
    return false;
}

static void pass(struct machine_nodes *n)
{
    struct nodes_probe *p = &n->probe;
    struct nodes_node *node = &n->nodes[p->at];
    if (p->at == 0) {
        p->sum = 0;
        p->is_black = false;
        p->is_round = true;
    } else {
        p->sum += node->surplus;
        p->is_black |= node->is_black;
    }
    node->is_black = false;
    p->arrives = n->outside.now + n->lone[p->at];
    const uint32_t from = p->at;
    p->at = from ? from - 1 : n->count - 1;
    n->outside.counts->probes++;
    n->outside.tell_probe(n->outside.context, from, p->at, p->arrives);
}

static bool is_passive(const struct machine_nodes *n, uint32_t node)
{
    return !n->nodes[node].inside && n->outside.is_passive(n->outside.context, node);
}

void nodes_pass_probe(struct machine_nodes *n)
{
    const struct nodes_probe *p = &n->probe;
    if (!n->counts || !*n->outside.running || p->arrives > n->outside.now ||
        !is_passive(n, p->at))
        return;
    if (p->at == 0 && (p->is_round || n->count == 1) && judge(n))
        return;
    if (n->count > 1)
        pass(n);
}

uint64_t nodes_next(struct machine_nodes *n, uint64_t next, uint64_t stopped_until)
{
    const struct nodes_probe *p = &n->probe;
    if (!n->counts)
        return next;
    if (next != MACHINE_NEVER)
        n->is_quiet = false;
    else if (!n->is_quiet)
        n->quiet = n->outside.now;
    n->is_quiet |= next == MACHINE_NEVER;
    if (next == n->outside.now + 1)
        return next;
    uint64_t of_probe = p->arrives;
    if (p->arrives <= n->outside.now)
        of_probe = is_passive(n, p->at) ? n->outside.now + 1 : MACHINE_NEVER;
    if (stopped_until && (of_probe == MACHINE_NEVER || of_probe < stopped_until))
        of_probe = stopped_until;
    return of_probe < next ? of_probe : next;
}
