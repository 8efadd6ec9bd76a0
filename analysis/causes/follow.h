/* Follows the steps of a run by its events, and finds what each step waited for. A "node" is a step
 * of the run (struct causes_node), not of the graph. */
#ifndef ANALYSIS_CAUSES_FOLLOW_H
#define ANALYSIS_CAUSES_FOLLOW_H

#include "analysis/causes/causes_internal.h"

/* --- queues.c ------------------------------------------------------------------------------ */

struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind);

/* Records that `node` depends on the last step of its token `t`, and that `cause` is the cause of
 * the time since `t` arrived. */
void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause);

/* Records that `node` depends on the step `before`, and that `cause` is the cause of the time since
 * then. */
void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause);

/* Records which was later: the arrival of token `t` (causes_came) or the step `before`
 * (causes_waited). */
void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause);
void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node);
struct causes_last_event causes_served_before(const struct causes_server *s,
                                              uint64_t now);
bool causes_lacked(const struct causes_token *t, struct causes_last_event served);

/* Records that `node` waited for room in `place`, whose kind is `kind`. `node` then depends on the
 * step that made room, if that was in cycle `since` or later; else on the last step of token
 * `t`. */
void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since);
struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place);
struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where);

/* Returns a token that was sent to PE `pe` and arrives in the cycle of event `e`; or NULL. */
struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe);
void causes_enter(struct analysis_causes *c, const struct traces_event *e);
void causes_leave(struct analysis_causes *c, const struct traces_event *e);
void causes_lack(struct analysis_causes *c, const struct traces_event *e);

/* Returns the cycle in which token `t` will leave link `at`, which it enters by event `e`. */
uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t);

/* --- routers.c: networks of finite buffers ------------------------------------------------- */

void causes_pass(struct analysis_causes *c, const struct traces_event *e);

/* Handles that a token leaves the buffer of a router, or the queue before a PE's link into the
 * network. */
void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e);
void causes_blocked(struct analysis_causes *c, const struct traces_event *e);

/* Notes that step `number` took a token out of the input queue of PE `pe`. If a token from the
 * network was blocked by the full queue in this cycle, this step made room for it. */
void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number);
void causes_routers_start(struct analysis_causes *c);
void causes_routers_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_routers_release(struct analysis_causes *c);

/* --- release.c: tokens that are released --------------------------------------------------- */

struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t);

/* Notes that a tensor unit starts a batch of kernels. The events after `e` release these
 * kernels. */
void causes_batch(struct analysis_causes *c, const struct traces_event *e);
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe);
void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until,
                   uint64_t node);

/* --- follow.c ------------------------------------------------------------------------------ */

/* Returns the step with number `node`, to change it; NULL if it is not in memory. */
struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node);

/* Notes that event `e` is one that the machine cannot emit. */
void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e);

/* Whether step `stamp` is in cycle `when` or later. The same cycle counts, as a resource freed in a
 * cycle is usable from the next one on. */
static inline bool causes_is_after(struct causes_last_event stamp, uint64_t when)
{
    return stamp.node != CAUSES_NOTHING && stamp.time >= when;
}

#endif
