/* Firing: makes arrays and data, writes cells, elements and fields once, and lets reads wait for
 * the write. */
#ifndef ISA_FIRE_FIRE_MEMORY_H
#define ISA_FIRE_FIRE_MEMORY_H

#include "isa/exec/tensors.h"
#include "isa/fire/fire_account.h"
#include "isa/op_columns.h"

static inline uint32_t isa_fire_new_deferred(struct isa_exec *x)
{
    const uint32_t free = x->free_deferred;
    if (free == ISA_DEFERRED_END) {
        (void)LIB_VEC_PUSH(&x->deferred);
        return (uint32_t)x->deferred.count - 1;
    }
    x->free_deferred = x->deferred.items[free].next;
    return free;
}

/* Defers a read of an unwritten cell, or of an unwritten element of an array. */
static inline void isa_fire_defer(struct isa_exec *x, struct isa_element *e,
                                  uint32_t structure, isa_tag tag,
                                  const struct isa_instr *instr, uint64_t depth)
{
    const uint32_t at = isa_fire_new_deferred(x);
    uint32_t first = isa_element_first(e);
    x->deferred.items[at] = (struct isa_deferred){isa_fire_number(x, instr), tag, depth,
                                                  ISA_DEFERRED_END, structure};
    if (first == ISA_DEFERRED_END)
        first = at;
    else
        x->deferred.items[isa_element_last(e)].next = at;
    isa_element_set_waiting(e, first, at);
    x->waiting_reads++;
    x->deferred_fetches += structure != ISA_STRUCTURE_NONE;
}

/* Writes a cell or an element. The reads that waited for it are in list exec->released. */
ISA_FIRE_INLINE void isa_fire_write(struct isa_exec *x, struct isa_element *e,
                                    isa_value value, uint64_t depth)
{
    x->released = isa_element_first(e);
    *e = (struct isa_element){value,
                              depth << ISA_ELEMENT_DEPTH_SHIFT | ISA_ELEMENT_WRITTEN};
    x->written = *e;
}

/* Answers a deferred read of exec->written: sends the value. Returns the next read that the same
 * write answers, or ISA_DEFERRED_END. */
ISA_FIRE_INLINE uint32_t isa_fire_answer(struct isa_exec *x, uint32_t deferred,
                                         bool digests, const struct isa_fire_to to)
{
    const struct isa_deferred d = x->deferred.items[deferred];
    const struct isa_instr *instr = &x->code->instrs[d.instr];
    const isa_value value = x->written.value;
    const uint64_t written = isa_element_depth(&x->written);
    const uint64_t depth = d.depth > written ? d.depth : written;
    const bool fetches = d.structure != ISA_STRUCTURE_NONE;
    x->waiting_reads--;
    x->deferred.items[deferred].next = x->free_deferred;
    x->free_deferred = deferred;
    if (digests)
        to.counts->value_digest += isa_fire_hash(
            instr, isa_activations_get(&x->tags, d.tag)->path,
            isa_fire_word(x, instr, instr->op, value));
    isa_fire_put(to, instr, d.tag, value, depth, instr->out[0],
                 fetches ? 0 : ISA_SEND_HOME);
    if (instr->refers & ISA_REFERS_SENT)
        isa_structures_hold(&x->structures, value, instr->out[0].count);
    if (fetches)
        isa_structures_drop(&x->structures, isa_reference(d.structure, 0));
    /* the read kept its activation alive, but was not counted as a token */
    to.counts->live++;
    if (to.divided)
        x->tags.shares->at = x->code->machine_of[d.instr];
    isa_fire_settle(x, to, d.tag, 1, instr->out[0].count);
    return d.next;
}

/* The following functions are the effects of instructions. Each sets *value, which is sent if the
 * function returns ISA_FIRED_LIVE. */

/* Adds a reference if the value that an instruction stores is one. */
ISA_FIRE_INLINE void isa_fire_keep(struct isa_exec *x, const struct isa_instr *instr,
                                   isa_value value)
{
    if (instr->refers & ISA_REFERS_VALUE)
        isa_structures_hold(&x->structures, value, 1);
}

ISA_FIRE_INLINE enum isa_fired
isa_fire_write_cell(struct isa_exec *x, const struct isa_ready *f, isa_value *value)
{
    struct isa_element *cell = &x->cells[f->instr->index];
    if (isa_element_is_written(cell))
        return isa_fire_trap(x, f->tag, f->instr, ISA_TRAP_REWRITE);
    isa_fire_write(x, cell, f->a, f->depth);
    isa_fire_keep(x, f->instr, f->a);
    *value = f->a;
    return ISA_FIRED_LIVE;
}

/* Traps at an instruction that accesses the element at an address. */
static inline enum isa_fired isa_fire_trap_element(struct isa_exec *x, isa_tag tag,
                                                   const struct isa_instr *instr,
                                                   enum isa_trap trap, isa_value address)
{
    return isa_fire_trap_of(x, tag, instr, trap, isa_reference_element(address),
                            (int64_t)address);
}

ISA_FIRE_INLINE enum isa_fired isa_fire_store(struct isa_exec *x,
                                              const struct isa_ready *f, isa_value *value)
{
    struct isa_element *e = isa_structures_element(&x->structures, f->a);
    if (isa_element_is_written(e))
        return isa_fire_trap_element(x, f->tag, f->instr, ISA_TRAP_SECOND_STORE, f->a);
    x->array = isa_reference_structure(f->a);
    isa_fire_write(x, e, f->b, f->depth);
    isa_fire_keep(x, f->instr, f->b);
    *value = f->b;
    return ISA_FIRED_LIVE;
}

/* Contributes to an accumulator. A function that is not inlined must not get `f`, which then would
 * be in memory in every firing. */
static __attribute__((noinline)) enum isa_fired
isa_fire_add_to(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
                isa_value address, isa_value value)
{
    if (!isa_structures_get(&x->structures, address)->fold ||
        isa_element_is_written(isa_structures_element(&x->structures, address)))
        return isa_fire_trap_element(x, tag, instr, ISA_TRAP_CONTRIBUTION, address);
    isa_structures_contribute(&x->structures, address, value);
    x->released = ISA_DEFERRED_END;
    return ISA_FIRED_LIVE;
}

static __attribute__((noinline)) enum isa_fired
isa_fire_write_total(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
                     isa_value address, isa_value last, uint64_t depth)
{
    isa_value total;
    if (isa_fire_add_to(x, tag, instr, address, last) == ISA_FIRED_STOPPED)
        return ISA_FIRED_STOPPED;
    if (!isa_structures_total(&x->structures, address, &total))
        return isa_fire_trap_element(x, tag, instr, ISA_TRAP_TOTAL, address);
    x->array = isa_reference_structure(address);
    isa_fire_write(x, isa_structures_element(&x->structures, address), total, depth);
    return ISA_FIRED_LIVE;
}

/* Fires a TOTAL. */
ISA_FIRE_INLINE enum isa_fired isa_fire_total(struct isa_exec *x,
                                              const struct isa_ready *f, isa_value *value)
{
    const enum isa_fired fired = isa_fire_write_total(x, f->tag, f->instr, f->a, f->b,
                                                      f->depth);
    *value = x->written.value;
    return fired;
}

ISA_FIRE_INLINE struct isa_element *isa_fire_element(const struct isa_exec *x,
                                                     const struct isa_fire_as as,
                                                     const struct isa_ready *f)
{
    if (isa_op_accesses_field(as.op))
        return isa_structures_field(&x->structures, f->a, f->instr->index);
    return isa_op_accesses_element(as.op) ? isa_structures_element(&x->structures, f->a)
                                          : &x->cells[f->instr->index];
}

/* Whether operand 0 of a FILL or FIELD has the constructor whose field it names. */
ISA_FIRE_INLINE bool isa_fire_constructor_fits(const struct isa_ready *f)
{
    return isa_reference_element(f->a) == f->instr->constructor;
}

ISA_FIRE_INLINE enum isa_fired isa_fire_trap_constructor(struct isa_exec *x,
                                                         const struct isa_ready *f)
{
    return isa_fire_trap_of(x, f->tag, f->instr, ISA_TRAP_CONSTRUCTOR,
                            isa_reference_element(f->a), 0);
}

ISA_FIRE_INLINE enum isa_fired isa_fire_fill(struct isa_exec *x,
                                             const struct isa_ready *f, isa_value *value)
{
    if (!isa_fire_constructor_fits(f))
        return isa_fire_trap_constructor(x, f);
    struct isa_element *e = isa_structures_field(&x->structures, f->a, f->instr->index);
    if (isa_element_is_written(e))
        return isa_fire_trap_of(x, f->tag, f->instr, ISA_TRAP_SECOND_FILL, -1, 0);
    x->array = isa_reference_structure(f->a);
    isa_fire_write(x, e, f->b, f->depth);
    isa_fire_keep(x, f->instr, f->b);
    *value = f->b;
    return ISA_FIRED_LIVE;
}

/* Fires a READ, FETCH or FIELD of an unwritten cell, element or field: defers it. */
ISA_FIRE_INLINE enum isa_fired isa_fire_wait_for(struct isa_exec *x,
                                                 const struct isa_fire_as as,
                                                 const struct isa_fire_to to,
                                                 const struct isa_ready *f,
                                                 struct isa_element *e)
{
    const struct isa_instr *instr = f->instr;
    const bool fetches = isa_op_accesses_element(as.op);
    isa_fire_count(x, f->tag, instr, as, to, f->depth, 0, false);
    isa_fire_defer(x, e, fetches ? isa_reference_structure(f->a) : ISA_STRUCTURE_NONE,
                   f->tag, instr, f->depth);
    if (!fetches && instr->refers)
        isa_exec_refer(x, instr, f->a, f->b, 0, 0);
    isa_fire_settle(x, to, f->tag, f->taken, 1);
    /* the read keeps its activation alive, but is not counted as a token */
    to.counts->live--;
    return ISA_FIRED_LIVE;
}

static inline enum isa_fired isa_fire_alloc(struct isa_exec *x, isa_tag tag,
                                            const struct isa_instr *instr, int64_t length,
                                            isa_value *value)
{
    if (length < 0)
        return isa_fire_trap_of(x, tag, instr, ISA_TRAP_LENGTH, length, 0);
    const struct isa_activation *a = isa_activations_get(&x->tags, tag);
    const uint32_t made_by = isa_fire_number(x, instr);
    const enum isa_type element = x->code->graph->nodes[made_by].type;
    const struct isa_structure made = {
        .hash = isa_fire_hash(instr, a->path, (uint64_t)length),
        .instr = made_by,
        .owner = isa_activations_owner(&x->tags, a),
        .holds_references = isa_type_is_reference(element),
        .fold = instr->op == ISA_OP_ALLOC
                    ? ISA_FOLD_NONE
                    : (uint8_t)isa_fold_of((enum isa_op)instr->op, element),
    };
    const uint32_t number = isa_structures_make(&x->structures, (uint64_t)length, &made);
    x->array = number;
    *value = isa_reference(number, 0);
    x->out_of_memory |= number == ISA_STRUCTURE_NONE;
    return number == ISA_STRUCTURE_NONE ? ISA_FIRED_STOPPED : ISA_FIRED_LIVE;
}

/* Fires a CONSTRUCT: makes data with one reference. */
static inline enum isa_fired isa_fire_construct(struct isa_exec *x, isa_tag tag,
                                                const struct isa_instr *instr,
                                                isa_value *value)
{
    const struct isa_activation *a = isa_activations_get(&x->tags, tag);
    const struct isa_constructor *c = &x->structures.constructors[instr->index];
    const struct isa_structure made = {
        .hash = isa_fire_hash(instr, a->path, c->field_count),
        .instr = isa_fire_number(x, instr),
        .owner = isa_activations_owner(&x->tags, a),
        .holds_references = c->has_references,
        .is_data = true,
        .constructor = instr->index,
    };
    const uint32_t number = isa_structures_make(&x->structures, c->field_count, &made);
    x->array = number;
    *value = isa_reference(number, instr->index);
    x->out_of_memory |= number == ISA_STRUCTURE_NONE;
    return number == ISA_STRUCTURE_NONE ? ISA_FIRED_STOPPED : ISA_FIRED_LIVE;
}

/* Fires a ROW: makes an array with one reference, whose elements are written at the depth of the
 * firing. */
static inline enum isa_fired isa_fire_row(struct isa_exec *x, const struct isa_ready *f,
                                          isa_value *value)
{
    const struct isa_activation *a = isa_activations_get(&x->tags, f->tag);
    const uint64_t word = isa_tensors_get(x, f->a)->word + f->b;
    const struct isa_structure made = {
        .hash = isa_fire_hash(f->instr, a->path, word),
        .instr = isa_fire_number(x, f->instr),
        .owner = isa_activations_owner(&x->tags, a),
    };
    if (isa_tensors_fire_row(x, f->instr, f->tag, f->a, f->b, f->depth, &made) ==
        ISA_TENSORS_TRAPPED)
        return ISA_FIRED_STOPPED;
    *value = isa_reference(x->array, 0);
    return ISA_FIRED_LIVE;
}

static __attribute__((noinline, cold)) enum isa_fired
isa_fire_make_given(struct isa_exec *x, isa_tag tag, const struct isa_instr *instr,
                    uint64_t depth)
{
    const struct isa_activation *a = isa_activations_get(&x->tags, tag);
    const struct isa_structure made = {
        .hash = isa_fire_hash(instr, a->path, x->code->constants[instr->index]->count),
        .instr = isa_fire_number(x, instr),
        .owner = isa_activations_owner(&x->tags, a),
    };
    return isa_tensors_fire_given(x, instr, depth, &made) == ISA_TENSORS_TRAPPED
               ? ISA_FIRED_STOPPED
               : ISA_FIRED_LIVE;
}

/* Fires a GIVEN: makes an array with one reference, whose elements are written at the depth of the
 * firing. */
ISA_FIRE_INLINE enum isa_fired isa_fire_given(struct isa_exec *x,
                                              const struct isa_ready *f, isa_value *value)
{
    const enum isa_fired fired = isa_fire_make_given(x, f->tag, f->instr, f->depth);
    *value = isa_reference(x->array, 0);
    return fired;
}

/* Fires an OUTPUT: stores a part of the result. A second value for the same part traps. */
ISA_FIRE_INLINE enum isa_fired
isa_fire_output(struct isa_exec *x, const struct isa_ready *f, isa_value *value)
{
    const uint32_t part = f->instr->index;
    if (x->has_result[part])
        return isa_fire_trap_of(x, f->tag, f->instr, ISA_TRAP_SECOND_OUTPUT, part, 0);
    isa_fire_keep(x, f->instr, f->a);
    x->results[part] = f->a;
    x->results_missing--;
    x->has_result[part] = true;
    *value = f->a;
    return ISA_FIRED_LIVE;
}

#endif
