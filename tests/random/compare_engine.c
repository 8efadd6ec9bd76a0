/* What the run of an engine must have in common with that of the interpreter. */
#include "tests/random/compare_engine.h"

#include <inttypes.h>
#include <string.h>

const char *compare_end_text(enum isa_end end)
{
    static const char *const texts[] = {
        [ISA_END_COMPLETED] = "completed",
        [ISA_END_TRAPPED] = "trapped",
        [ISA_END_DEADLOCKED] = "deadlocked",
        [ISA_END_LIMIT] = "limit",
        [ISA_END_STORE_FULL] = "store full",
        [ISA_END_TAGS_EXHAUSTED] = "tags exhausted",
        [ISA_END_INTERRUPTED] = "interrupted",
    };
    return texts[end];
}

bool compare_count(struct comparison *cmp, const struct compare_outcome *o,
                   const char *what, uint64_t found, uint64_t expected)
{
    if (found == expected)
        return true;
    return compare_found(cmp->report, COMPARE_COUNTS,
                         "%s: %s %" PRIu64 ", expected %" PRIu64, o->who, what, found,
                         expected);
}

/* Tokens of SENDs and RECVs that are none of the program's own: the value that a list sends to
 * another machine is one for each of both, and one for each operand there. */
static uint64_t carried(const struct traces_stats *s)
{
    return s->sends + s->receives;
}

static bool check_pe_sums(struct comparison *cmp, const struct compare_outcome *o)
{
    const struct traces_stats *s = &o->stats;
    struct traces_pe_stats sum = {0};
    for (size_t i = 0; i < s->pe_count; i++) {
        sum.firings += s->pe[i].firings;
        sum.dead_firings += s->pe[i].dead_firings;
        sum.tokens += s->pe[i].tokens;
        sum.busy += s->pe[i].busy;
        sum.turns += s->pe[i].turns;
    }
    return compare_count(cmp, o, "firings of PEs", sum.firings, s->firings) &&
           compare_count(cmp, o, "dead firings of PEs", sum.dead_firings,
                         s->dead_firings) &&
           compare_count(cmp, o, "tokens of PEs", sum.tokens, s->tokens) &&
           compare_count(cmp, o, "busy cycles", sum.busy,
                         o->executes
                             ? s->busy_cycles
                             : s->firings + s->dead_firings + carried(s) + s->dead_sends +
                                   s->dead_receives + s->tag_sends + s->tag_receives +
                                   s->tag_steps) &&
           compare_count(cmp, o, "local and network tokens",
                         s->local_tokens + s->network_tokens,
                         s->tokens + s->element_requests + s->copy_messages + o->told +
                             2 * s->tensor_fetches) &&
           compare_count(cmp, o, "turns of PEs", sum.turns, s->turns);
}

/* A turn of each token, each request and each instruction of the start; and, where a loop has
 * constants or a tensor is fetched, of each token that was parked. */
static bool check_turns(struct comparison *cmp, const struct compare_outcome *o)
{
    const struct isa_code *code = cmp->code[o->propagate];
    const struct traces_stats *s = &o->stats;
    const uint64_t least = s->tokens + s->element_requests + s->copy_messages +
                           code->start_count + o->told + 2 * s->tensor_fetches;
    if (o->executes)
        return compare_count(cmp, o, "turns", s->turns, 0);
    if ((code->has_held || s->tensor_fetches) && s->turns > least &&
        s->turns <= least + s->tokens)
        return true;
    return compare_count(cmp, o, "turns", s->turns, least);
}

/* What a completed run must have in common with the interpreter's. */
static bool check_identities(struct comparison *cmp, const struct compare_outcome *o)
{
    const struct traces_stats *s = &o->stats, *r = &cmp->reference[0].stats;
    const struct traces_stats *same_deadness = &cmp->reference[o->propagate].stats;
    if (strcmp(lib_text_get(&o->result), lib_text_get(&cmp->reference[0].result)) != 0)
        return compare_found(cmp->report, COMPARE_RESULT, "%s: %s, interp: %s", o->who,
                             lib_text_get(&o->result),
                             lib_text_get(&cmp->reference[0].result));
    return compare_count(cmp, o, "calls", s->calls, r->calls) &&
           compare_count(cmp, o, "iterations", s->loop_iterations, r->loop_iterations) &&
           compare_count(cmp, o, "firings", s->firings, r->firings) &&
           compare_count(cmp, o, "span", s->span, r->span) &&
           compare_count(cmp, o, "value digest", s->value_digest, r->value_digest) &&
           compare_count(cmp, o, "one-operand firings", s->one_operand, r->one_operand) &&
           compare_count(cmp, o, "tag depth", s->peak_tag_depth, r->peak_tag_depth) &&
           compare_count(cmp, o, "tokens",
                         s->tokens - carried(s) - s->dead_sends - s->dead_receives -
                             s->tag_tokens,
                         same_deadness->tokens) &&
           (s->tag_tokens > 0 || /* there are hiatons among these */
            compare_count(cmp, o, "dead tokens",
                          s->dead_tokens - s->dead_sends - s->dead_receives,
                          same_deadness->dead_tokens)) &&
           compare_count(cmp, o, "decisions received", s->tag_receives, s->tag_sends) &&
           compare_count(cmp, o, "releases", s->tag_tokens ? s->releases : 0, 0) &&
           compare_count(cmp, o, "receives", s->receives, s->sends) &&
           compare_count(cmp, o, "dead receives", s->dead_receives, s->dead_sends) &&
           compare_count(cmp, o, "dead firings", s->dead_firings,
                         same_deadness->dead_firings) &&
           compare_count(cmp, o, "tokens not consumed", o->live, 0);
}

/* What is known of copies. */
static bool check_copies(struct comparison *cmp, const struct compare_outcome *o)
{
    const struct traces_stats *s = &o->stats;
    const bool expands = cmp->image->stage == ISA_STAGE_EXPANDING;
    const uint64_t copied = cmp->reference[0].stats.copied_nodes;
    return compare_count(cmp, o, "copies", s->copies, expands ? s->calls : 0) &&
           compare_count(cmp, o, "copied nodes", s->copied_nodes, copied) &&
           (expands ||
            compare_count(cmp, o, "nodes", s->peak_graph_nodes, s->graph_nodes)) &&
           (s->peak_graph_nodes <= s->graph_nodes + copied ||
            compare_count(cmp, o, "nodes", s->peak_graph_nodes, s->graph_nodes + copied));
}

bool compare_engine(struct comparison *cmp, const struct compare_outcome *o)
{
    const enum isa_end expected = cmp->reference[0].end;
    if (o->end != expected)
        return compare_found(cmp->report, COMPARE_END, "%s: %s, interp: %s", o->who,
                             compare_end_text(o->end), compare_end_text(expected));
    if (expected != ISA_END_COMPLETED)
        return true;
    if (!check_identities(cmp, o))
        return false;
    if (!o->stats.pe)
        return true;
    if (!check_pe_sums(cmp, o) || !check_turns(cmp, o) || !check_copies(cmp, o))
        return false;
    if ((o->executes || o->stats.cycles >= o->stats.span) &&
        o->stats.result_cycle <= o->stats.cycles)
        return true;
    return compare_count(cmp, o, "cycles", o->stats.cycles, o->stats.span);
}
