/* Faults of messages, drawn at random or listed in the setting fault.list. */
#include "machine/nodes/nodes_internal.h"

#include "lib/cursor.h"
#include "lib/order.h"
#include "lib/random.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "machine/network/shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000 };

/* --- settings --------------------------------------------------------------------------------- */

static bool is_listed(const struct machine_settings *s)
{
    return strcmp(s->fault_list, "none") != 0;
}

const char *machine_nodes_asked_by(const struct machine_settings *s)
{
    if (s->fault_loss)
        return "fault.loss";
    if (s->fault_duplicate)
        return "fault.duplicate";
    if (s->fault_delay)
        return "fault.delay";
    if (s->fault_reorder)
        return "fault.reorder";
    if (is_listed(s))
        return "fault.list";
    if (s->fault_stop_cycles)
        return "fault.stop.cycles";
    return s->cluster_termination == MACHINE_TERMINATION_COUNTED ? "cluster.termination"
                                                                 : NULL;
}

bool machine_nodes_are_asked(const struct machine_settings *s)
{
    return machine_nodes_asked_by(s) != NULL;
}

const char *machine_counted_by(const struct machine_settings *s)
{
    const bool lists = is_listed(s) && (strstr(s->fault_list, "lose") ||
                                        strstr(s->fault_list, "duplicate"));
    return s->cluster_termination == MACHINE_TERMINATION_COUNTED ? "cluster.termination"
           : s->fault_loss                                       ? "fault.loss"
           : s->fault_duplicate                                  ? "fault.duplicate"
           : lists                                               ? "fault.list"
                                                                 : NULL;
}

bool machine_counts_messages(const struct machine_settings *s)
{
    return machine_counted_by(s) != NULL;
}

static bool refuse(struct lib_diags *diags, const char *key, const char *text)
{
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s: %s", key, text);
    return false;
}

bool machine_nodes_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    const char *const key = machine_nodes_asked_by(s);
    const uint32_t nodes = machine_network_nodes(s);
    struct machine_fault_list list = {0};
    LIB_TEXT_OWN why = {0};
    if (!key)
        return true;
    if (machine_has_workers(s))
        return refuse(diags, key,
                      "an executor has no nodes: expected executor.workers=0");
    if (nodes == 0)
        return refuse(diags, key,
                      "needs a machine of nodes, which messages go between: give "
                      "cluster.nodes=N, or network.topology=simgrid");
    if (nodes > MACHINE_NODES_MAX)
        return refuse(
            diags, key,
            "there is a count for each pair of nodes: expected up to 1024 nodes");
    if (s->fault_loss + s->fault_duplicate + s->fault_delay + s->fault_reorder > MILLION)
        return refuse(diags, key,
                      "a message has one fault: expected fault.loss, fault.duplicate, "
                      "fault.delay and fault.reorder to add up to at most 1000000");
    if (s->fault_stop_cycles && s->fault_stop_node >= nodes)
        return refuse(diags, "fault.stop.node",
                      "there is no such node: nodes are numbered from 0");
    const bool fits = machine_fault_list_read(s->fault_list, nodes, &list, &why);
    if (!fits)
        refuse(diags, "fault.list", lib_text_get(&why));
    machine_fault_list_free(&list);
    return fits;
}

/* --- faults one by one ------------------------------------------------------------------------ */

static const struct word {
    const char *text;
    enum machine_fault kind;
} words[] = {{"lose", MACHINE_FAULT_LOSS},
             {"duplicate", MACHINE_FAULT_DUPLICATE},
             {"reorder", MACHINE_FAULT_REORDER},
             {"delay", MACHINE_FAULT_DELAY}};

static bool read_entry(struct lib_cursor *c, uint32_t nodes,
                       struct machine_fault_entry *entry)
{
    uint64_t from, to, number, cycles = 0;
    const struct lib_slice kind = lib_cursor_next(c);
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !lib_slice_is(kind, words[i].text))
        i++;
    if (i == sizeof words / sizeof *words)
        return lib_cursor_found(c, kind, "lose, duplicate, reorder or delay");
    lib_cursor_move(c, kind.bytes + kind.length);
    if (!lib_cursor_expect(c, ":") ||
        !lib_cursor_number(c, "a node", 0, nodes - 1, &from) ||
        !lib_cursor_expect(c, "-"))
        return false;
    const struct lib_slice second = lib_cursor_next(c);
    if (!lib_cursor_number(c, "a node", 0, nodes - 1, &to))
        return false;
    if (from == to)
        return lib_cursor_found(c, second, "another node");
    if (!lib_cursor_expect(c, ":") ||
        !lib_cursor_number(c, "the number of a message", 0, UINT32_MAX, &number))
        return false;
    if (words[i].kind == MACHINE_FAULT_DELAY && lib_cursor_accept(c, ":") &&
        !lib_cursor_number(c, "cycles", 0, 1000000000, &cycles))
        return false;
    *entry = (struct machine_fault_entry){words[i].kind, (uint32_t)from, (uint32_t)to,
                                          (uint32_t)number, cycles};
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct machine_fault_entry *x = a, *y = b;
    return LIB_ORDER(x->from, y->from) ?: LIB_ORDER(x->to, y->to)
           ?: LIB_ORDER(x->number, y->number);
}

bool machine_fault_list_read(const char *text, uint32_t nodes,
                             struct machine_fault_list *list, struct lib_text *why)
{
    struct lib_cursor c;
    if (strcmp(text, "none") == 0)
        return true;
    lib_cursor_on(&c, text, NULL, why);
    do {
        if (!read_entry(&c, nodes, LIB_VEC_PUSH(&list->entries)))
            return false;
    } while (lib_cursor_accept(&c, ","));
    if (!lib_cursor_expect_end(&c))
        return false;
    qsort(list->entries.items, list->entries.count, sizeof *list->entries.items, compare);
    for (size_t i = 1; i < list->entries.count; i++) {
        const struct machine_fault_entry *e = &list->entries.items[i];
        if (compare(e - 1, e) == 0) {
            lib_text_printf(why,
                            "a message has one fault; found two of message %" PRIu32
                            " from node %" PRIu32 " to node %" PRIu32,
                            e->number, e->from, e->to);
            return false;
        }
    }
    return true;
}

void machine_fault_list_free(struct machine_fault_list *list)
{
    LIB_VEC_FREE(&list->entries);
}

/* --- which message has which ------------------------------------------------------------------ */

static enum machine_fault drawn(const struct machine_nodes *n,
                                const struct nodes_message *message, uint64_t *cycles)
{
    const struct machine_settings *s = n->outside.settings;
    const uint64_t pair = (uint64_t)message->from << 32 | message->to;
    if (s->fault_loss + s->fault_duplicate + s->fault_delay + s->fault_reorder == 0)
        return MACHINE_FAULT_NONE;
    const uint64_t w = lib_random_draw(n->seed, LIB_RANDOM_FAULT, pair, message->number);
    uint64_t at = (uint64_t)(((unsigned __int128)w * MILLION) >> 64);
    if (at < s->fault_loss)
        return MACHINE_FAULT_LOSS;
    at -= s->fault_loss;
    if (at < s->fault_duplicate)
        return MACHINE_FAULT_DUPLICATE;
    at -= s->fault_duplicate;
    if (at >= s->fault_delay)
        return at - s->fault_delay < s->fault_reorder ? MACHINE_FAULT_REORDER
                                                      : MACHINE_FAULT_NONE;
    const uint64_t late = lib_random_draw(n->seed, LIB_RANDOM_LATENESS, pair,
                                          message->number);
    const uint64_t most = s->fault_delay_cycles;
    *cycles = most ? 1 + (uint64_t)(((unsigned __int128)late * most) >> 64) : 0;
    return MACHINE_FAULT_DELAY;
}

enum machine_fault nodes_fault(const struct machine_nodes *n,
                               const struct nodes_message *message, uint64_t *cycles)
{
    const struct machine_fault_list *list = &n->list;
    const struct machine_fault_entry wanted = {
        .from = message->from, .to = message->to, .number = message->number};
    *cycles = 0;
    if (list->entries.count) {
        const struct machine_fault_entry *found = bsearch(
            &wanted, list->entries.items, list->entries.count,
            sizeof *list->entries.items, compare);
        if (found) {
            *cycles = found->cycles;
            return found->kind;
        }
    }
    return drawn(n, message, cycles);
}
