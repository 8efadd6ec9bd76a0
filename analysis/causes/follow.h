/* Functions shared by the files that read the stream of events. */
#ifndef ANALYSIS_CAUSES_FOLLOW_H
#define ANALYSIS_CAUSES_FOLLOW_H

#include "analysis/causes/causes_internal.h"

/* --- queues.c ------------------------------------------------------------------------------ */

struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind);

/* Makes a node follow the arrival of its token, after which it waited for `cause`. */
void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause);

/* Makes a node follow the node `before`, which it waited for. */
void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause);

/* As causes_waited, if `before` is not earlier than the arrival of the token; else causes_came. */
void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause);
void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node);
struct causes_last_event causes_served_before(const struct causes_server *s,
                                              uint64_t now);
bool causes_lacked(const struct causes_token *t, struct causes_last_event served);

/* Makes a node follow the step that made room in a place, if that was not before `since`; else the
 * arrival of its token. */
void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since);
struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place);
struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where);

/* Returns a token that was sent to this PE and arrives there in the cycle of the event, or NULL. */
struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe);
void causes_enter(struct analysis_causes *c, const struct traces_event *e);
void causes_leave(struct analysis_causes *c, const struct traces_event *e);
void causes_lack(struct analysis_causes *c, const struct traces_event *e);

/* Returns the cycle in which a token that enters a link with the event `e` is behind it. */
uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t);

/* --- routers.c: networks of finite buffers ------------------------------------------------- */

void causes_pass(struct analysis_causes *c, const struct traces_event *e);

/* Moves a token that leaves a buffer, or goes over an injection. */
void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e);
void causes_blocked(struct analysis_causes *c, const struct traces_event *e);

/* Notes the turn that takes a token out of an input queue. */
void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number);
void causes_routers_start(struct analysis_causes *c);
void causes_routers_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_routers_release(struct analysis_causes *c);

/* --- release.c: tokens that are let go ------------------------------------------------------ */

struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t);

/* Notes that a tensor unit starts a batch, whose kernels are let go next. */
void causes_batch(struct analysis_causes *c, const struct traces_event *e);
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe);
void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until,
                   uint64_t node);

/* --- follow.c ------------------------------------------------------------------------------ */

/* Returns a node, to be changed, or NULL if the node is not kept. */
struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node);

/* Notes an event that does not fit the machine. */
void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e);

/* Returns true if `stamp` is not before `when`. A resource given back in a cycle is free from the
 * next one on; so of equal cycles, the stamp counts as later. */
static inline bool causes_is_after(struct causes_last_event stamp, uint64_t when)
{
    return stamp.node != CAUSES_NOTHING && stamp.time >= when;
}

#endif
