/* Reading the stream: what its files share. */
#ifndef ANALYSIS_CAUSES_FOLLOW_H
#define ANALYSIS_CAUSES_FOLLOW_H

#include "analysis/causes/causes_internal.h"

/* queues.c */
struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind);
/* The token came, and then waited. */
void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause);
/* It waited for what happened at another node. */
void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause);
/* The same, if that was not before it came. */
void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause);
void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node);
struct causes_last_event causes_served_before(const struct causes_server *s,
                                              uint64_t now);
bool causes_lacked(const struct causes_token *t, struct causes_last_event served);
/* Room came last: with what left the place, if that was not before `since`. */
void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since);
struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place);
struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where);
/* A token that was sent to this PE, and comes there now. */
struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe);
void causes_enter(struct analysis_causes *c, const struct traces_event *e);
void causes_leave(struct analysis_causes *c, const struct traces_event *e);
void causes_lack(struct analysis_causes *c, const struct traces_event *e);
/* When a token that goes through a link now will be behind it. */
uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t);

/* routers.c: networks of finite buffers */
void causes_pass(struct analysis_causes *c, const struct traces_event *e);
/* Out of a buffer, or over an injection. */
void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e);
void causes_blocked(struct analysis_causes *c, const struct traces_event *e);
/* A turn takes a token out of an input queue. */
void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number);
void causes_routers_start(struct analysis_causes *c);
void causes_routers_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_routers_release(struct analysis_causes *c);

/* let_go.c */
struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t);
/* A tensor unit starts a batch, whose kernels are let go next. */
void causes_batch(struct analysis_causes *c, const struct traces_event *e);
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe);
void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until,
                   uint64_t node);

/* follow.c: a node, to be changed; NULL: it is not remembered. */
struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node);
/* This event cannot be. */
void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e);

/* What was given back in a cycle can be had from the next one on; so of equal cycles it is the
 * later. */
static inline bool causes_is_after(struct causes_last_event stamp, uint64_t when)
{
    return stamp.node != CAUSES_NOTHING && stamp.time >= when;
}

#endif
