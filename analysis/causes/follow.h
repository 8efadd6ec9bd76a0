/* Functions that follow the events of a run to find causes. A "node" is a step of the run (struct
 * causes_node), not of the graph. */
#ifndef ANALYSIS_CAUSES_FOLLOW_H
#define ANALYSIS_CAUSES_FOLLOW_H

#include "analysis/causes/causes_internal.h"

/* --- queues.c ------------------------------------------------------------------------------ */

struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind);

/* Records that a step follows the last step of its token, and waited for `cause` since the token
 * arrived. */
void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause);

/* Records that a step waited for `cause` until the step `before` ended. */
void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause);

/* Calls causes_waited if `before` did not end before the token arrived, else causes_came. */
void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause);
void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node);
struct causes_last_event causes_served_before(const struct causes_server *s,
                                              uint64_t now);
bool causes_lacked(const struct causes_token *t, struct causes_last_event served);

/* Records that a step waited for room in a place: until another step made room, if that was not
 * before cycle `since`; else since its token arrived. */
void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since);
struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place);
struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where);

/* Returns a token that was sent to a PE and arrives there in the cycle of the event, or NULL. */
struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe);
void causes_enter(struct analysis_causes *c, const struct traces_event *e);
void causes_leave(struct analysis_causes *c, const struct traces_event *e);
void causes_lack(struct analysis_causes *c, const struct traces_event *e);

/* Returns the cycle at which a token that enters link `at` with event `e` has passed the link. */
uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t);

/* --- routers.c: networks of finite buffers ------------------------------------------------- */

void causes_pass(struct analysis_causes *c, const struct traces_event *e);

/* Handles the event that a token leaves a router's buffer, or the link from a PE into the
 * network. */
void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e);
void causes_blocked(struct analysis_causes *c, const struct traces_event *e);

/* Notes that PE `pe` took a token out of its input queue, which made room. */
void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number);
void causes_routers_start(struct analysis_causes *c);
void causes_routers_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_routers_release(struct analysis_causes *c);

/* --- release.c: tokens that are released --------------------------------------------------- */

struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t);

/* Notes that a tensor unit starts a batch, whose kernels the next events release. */
void causes_batch(struct analysis_causes *c, const struct traces_event *e);
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe);
void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until,
                   uint64_t node);

/* --- follow.c ------------------------------------------------------------------------------ */

/* Returns a step that can be changed, or NULL if it is no longer kept. */
struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node);

/* Notes an event that the described machine cannot emit. */
void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e);

/* Whether `stamp` is not before cycle `when`. A resource freed in a cycle is free from the next one
 * on; so for equal cycles the answer is true. */
static inline bool causes_is_after(struct causes_last_event stamp, uint64_t when)
{
    return stamp.node != CAUSES_NOTHING && stamp.time >= when;
}

#endif
