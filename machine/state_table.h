/* Tables of members (lib/state_table.h) of the states of parts: rows for tokens, and the queues,
 * wheels and sets that a table may hold as structs. Their context is the machine. */
#ifndef MACHINE_STATE_TABLE_H
#define MACHINE_STATE_TABLE_H

#include "lib/state_table.h"
#include "machine/tokens/queue.h"
#include "machine/tokens/set.h"
#include "machine/tokens/wheel.h"

/* A token of a live activation; SOME_TOKEN: only if `condition` holds. */
#define LIB_STATE_TOKEN(DO, name) LIB_STATE_SOME_TOKEN(DO, name, true)
#define LIB_STATE_SOME_TOKEN(DO, name, condition)                                        \
    DO(struct isa_token name;                                                            \
       , if (condition) isa_exec_pack_tokens(pack, &m->tokens.exec, &s->name, 1);, , )

#define isa_token_fields_pack(pack, m, t)                                                \
    isa_exec_pack_tokens(pack, &(m)->tokens.exec, t, 1)
#define isa_token_fields_free(m, t) ((void)(t))

#define machine_queue_fields_pack(pack, m, queue)                                        \
    machine_queue_pack(pack, &(m)->tokens.exec, queue)
#define machine_queue_fields_clear(m, queue) machine_queue_clear(queue)
#define machine_queue_fields_free(m, queue) machine_queue_free(queue)

#define machine_wheel_fields_pack(pack, m, wheel)                                        \
    machine_wheel_pack(pack, &(m)->tokens.exec, wheel)
#define machine_wheel_fields_clear(m, wheel) machine_wheel_clear(wheel)
#define machine_wheel_fields_free(m, wheel) machine_wheel_free(wheel)

#define machine_wheel_slot_fields_pack(pack, m, slot)                                    \
    machine_wheel_slot_pack(pack, &(m)->tokens.exec, slot)
#define machine_wheel_slot_fields_clear(m, slot) ((slot)->count = 0)
#define machine_wheel_slot_fields_free(m, slot) lib_mem_free((slot)->tokens)

#define machine_set_fields_pack(pack, m, set) machine_set_pack(pack, set)
#define machine_set_fields_clear(m, set) machine_set_clear(set)
#define machine_set_fields_free(m, set) machine_set_free(set)

#endif
