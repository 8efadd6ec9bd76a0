/* Tables of the members of a state. A struct is described once, by a macro FIELDS(F) that calls
 * F(KIND, ...) for each member, in the order of their bytes in a checkpoint:
 *
 *     #define LOOPS_FIELDS(F) \
 *         F(OWNED, uint32_t, of_site) \
 *         F(EACH, waiting, waiting) \
 *         F(BOOL, exceeds)
 *     struct loops {
 *         LOOPS_FIELDS(LIB_STATE_MEMBER)
 *     };
 *     LIB_STATE(struct machine, loops, LOOPS_FIELDS)
 *
 * LIB_STATE defines three functions: loops_fields_pack writes or reads the struct (lib/pack.h),
 * loops_fields_clear resets it for another run, and loops_fields_free frees what its members own.
 * So no member can be forgotten by one of them. `m` is the context, of the type given, and `s` the
 * struct, in these functions and in the expressions of rows.
 *
 * Each kind below says how its member is declared, packed, cleared and freed:
 *
 *     packed      NUMBER INITIAL BOOL ARRAY VEC EACH LIST STRUCTS STRUCT OTHER
 *     not packed  KEPT OWNED MADE (not cleared either), APART (packed by another state),
 *                 SCRATCH FRESH SCRATCH_VEC (empty between cycles, or follow from other state) */
#ifndef LIB_STATE_TABLE_H
#define LIB_STATE_TABLE_H

#include "lib/pack.h"

#include <string.h>

#define LIB_STATE_MEMBER(KIND, ...) LIB_STATE_##KIND(LIB_STATE_FIRST, __VA_ARGS__)
#define LIB_STATE_PACK(KIND, ...) LIB_STATE_##KIND(LIB_STATE_SECOND, __VA_ARGS__)
#define LIB_STATE_CLEAR(KIND, ...) LIB_STATE_##KIND(LIB_STATE_THIRD, __VA_ARGS__)
#define LIB_STATE_FREE(KIND, ...) LIB_STATE_##KIND(LIB_STATE_FOURTH, __VA_ARGS__)
#define LIB_STATE_FIRST(member, pack, clear, free) member
#define LIB_STATE_SECOND(member, pack, clear, free) pack
#define LIB_STATE_THIRD(member, pack, clear, free) clear
#define LIB_STATE_FOURTH(member, pack, clear, free) free

/* Set when the struct is made, and the same in every run, or what the comment of the row says;
 * OWNED: a block, freed at the end; MADE: freed by function `release`. */
#define LIB_STATE_KEPT(DO, type, name) DO(type name;, , , )
#define LIB_STATE_OWNED(DO, type, name) DO(type *name;, , , lib_mem_free(s->name);)
#define LIB_STATE_MADE(DO, type, name, release) DO(type name;, , , release(s->name);)

/* Number, or struct of numbers without padding; INITIAL: `first` at the start of a run, else 0. */
#define LIB_STATE_NUMBER(DO, type, name)                                                 \
    DO(type name;, LIB_PACK(pack, s->name);, s->name = (type){0};, )
#define LIB_STATE_INITIAL(DO, type, name, first)                                         \
    DO(type name;, LIB_PACK(pack, s->name);, s->name = (first);, )
#define LIB_STATE_BOOL(DO, name)                                                         \
    DO(bool name;, lib_pack_bool(pack, &s->name);, s->name = false;, )

/* Block of `length` numbers, which is allocated when the struct is made. */
#define LIB_STATE_ARRAY(DO, type, name, length)                                          \
    DO(type *name;, lib_pack_bytes(pack, s->name, (size_t)(length) * sizeof *s->name);   \
       , if (s->name) memset(s->name, 0, (size_t)(length) * sizeof *s->name);            \
       , lib_mem_free(s->name);)

/* LIB_VEC of numbers. Its memory is kept between runs. */
#define LIB_STATE_VEC(DO, type, name)                                                    \
    DO(LIB_VEC(type) name;, LIB_PACK_VEC(pack, &s->name);, s->name.count = 0;            \
       , LIB_VEC_FREE(&s->name);)

/* LIB_VEC of structs that have a table, or a struct `list` like a LIB_VEC; a block of `length` such
 * structs; and one of them. */
#define LIB_STATE_EACH(DO, tag, name)                                                    \
    DO(LIB_VEC(struct tag) name;, LIB_STATE_PACK_EACH(tag, name),                        \
                                LIB_STATE_CLEAR_EACH(tag, name),                         \
                                LIB_STATE_FREE_EACH(tag, name))
#define LIB_STATE_LIST(DO, list, tag, name)                                              \
    DO(struct list name;, LIB_STATE_PACK_EACH(tag, name),                                \
                        LIB_STATE_CLEAR_EACH(tag, name), LIB_STATE_FREE_EACH(tag, name))
#define LIB_STATE_PACK_EACH(tag, name)                                                   \
    LIB_PACK_EACH(pack, &s->name, item, tag##_fields_pack(pack, m, item););
#define LIB_STATE_CLEAR_EACH(tag, name)                                                  \
    LIB_STATE_ALL(tag##_fields_free, s->name.items, s->name.count) s->name.count = 0;
#define LIB_STATE_FREE_EACH(tag, name)                                                   \
    LIB_STATE_ALL(tag##_fields_free, s->name.items, s->name.count) LIB_VEC_FREE(&s->name);
#define LIB_STATE_STRUCTS(DO, tag, name, length)                                         \
    DO(struct tag *name;, for (size_t i_ = 0; s->name && i_ < (length) && !pack->failed; \
                               i_++) tag##_fields_pack(pack, m, &s->name[i_]);           \
       , LIB_STATE_ALL(tag##_fields_clear, s->name, length),                             \
       LIB_STATE_ALL(tag##_fields_free, s->name, length) lib_mem_free(s->name);)
#define LIB_STATE_STRUCT(DO, tag, name)                                                  \
    DO(struct tag name;, tag##_fields_pack(pack, m, &s->name);                           \
       , tag##_fields_clear(m, &s->name);, tag##_fields_free(m, &s->name);)
/* A struct that has a table and is packed by its owner at another place. */
#define LIB_STATE_APART(DO, tag, name)                                                   \
    DO(struct tag name;, , tag##_fields_clear(m, &s->name);                              \
       , tag##_fields_free(m, &s->name);)
#define LIB_STATE_ALL(function, items, length)                                           \
    for (size_t i_ = 0; (items) && i_ < (length); i_++)                                  \
        function(m, &(items)[i_]);

/* A member that no other kind describes: its declaration, and statements that pack, clear and free
 * it. */
#define LIB_STATE_OTHER(DO, declaration, pack, clear, free)                              \
    DO(declaration;, pack;, clear;, free;)

/* Number or LIB_VEC that is not packed, as it is 0 or empty between two cycles or follows from
 * other state; FRESH: `first` instead of 0. */
#define LIB_STATE_SCRATCH(DO, type, name) DO(type name;, , s->name = (type){0};, )
#define LIB_STATE_FRESH(DO, type, name, first) DO(type name;, , s->name = (first);, )
#define LIB_STATE_SCRATCH_VEC(DO, type, name)                                            \
    DO(LIB_VEC(type) name;, , s->name.count = 0;, LIB_VEC_FREE(&s->name);)

/* Not members: a condition on what was packed so far, with which reading fails if it does not hold;
 * and a statement that is executed at this place when the struct is packed. */
#define LIB_STATE_CHECK(DO, condition) DO(, lib_pack_expect(pack, condition);, , )
#define LIB_STATE_CALL(DO, statement) DO(, statement;, , )

#define LIB_STATE(context, tag, FIELDS)                                                  \
    __attribute__((unused)) static void tag##_fields_pack(struct lib_pack *pack,         \
                                                          context *m, void *state)       \
    {                                                                                    \
        struct tag *const s = state;                                                     \
        (void)pack, (void)m, (void)s;                                                    \
        FIELDS(LIB_STATE_PACK)                                                           \
    }                                                                                    \
    __attribute__((unused)) static void tag##_fields_clear(context *m, void *state)      \
    {                                                                                    \
        struct tag *const s = state;                                                     \
        (void)m, (void)s;                                                                \
        FIELDS(LIB_STATE_CLEAR)                                                          \
    }                                                                                    \
    __attribute__((unused)) static void tag##_fields_free(context *m, void *state)       \
    {                                                                                    \
        struct tag *const s = state;                                                     \
        (void)m, (void)s;                                                                \
        FIELDS(LIB_STATE_FREE)                                                           \
    }

#endif
