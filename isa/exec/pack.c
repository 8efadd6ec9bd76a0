#include "isa/exec/pack.h"

#include "isa/tensor/join.h"

#include <string.h>

/* A member added to these structures must be packed below, or follow from the code. `first_call` is
 * not packed: runs that follow a function do not resume from checkpoints. */
static_assert(sizeof(void *) != 8 || sizeof(struct isa_activations) == 264,
              "pack all of it");
static_assert(sizeof(void *) != 8 || sizeof(struct isa_exec) == 872, "pack all of it");

/* Whether the memory that was read is a sequence of frames, each as long as its function's. */
static bool frames_fit(const struct isa_activations *tags)
{
    uint64_t at = 1, alive = 0;
    while (at + sizeof(struct isa_activation) / ISA_FRAME_UNIT <= tags->used) {
        const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        if (a->function >= tags->function_count)
            return false;
        alive += a->live > 0;
        at += tags->shapes[a->function].units;
    }
    return at == tags->used && alive == tags->count;
}

static void pack_frames(struct lib_pack *pack, struct isa_activations *tags)
{
    const size_t functions = tags->function_count;
    tags->used = lib_pack_count(pack, tags->used, 1);
    if (lib_pack_reads(pack)) {
        if (!lib_pack_expect(pack, tags->used > ISA_TAG_ROOT &&
                                       tags->used <= tags->limit &&
                                       tags->used <= pack->length / ISA_FRAME_UNIT)) {
            tags->used = 0;
            return;
        }
        if (tags->used > tags->capacity) {
            tags->memory = lib_mem_resize(tags->memory, tags->used * ISA_FRAME_UNIT);
            tags->capacity = tags->used;
        }
        tags->fresh = tags->capacity;
        memset(tags->memory, 0, ISA_FRAME_UNIT);
    }
    lib_pack_bytes(pack, tags->memory + ISA_FRAME_UNIT,
                   (tags->used - 1) * ISA_FRAME_UNIT);
    lib_pack_bytes(pack, tags->free_frames, functions * sizeof *tags->free_frames);
    lib_pack_bytes(pack, tags->made, functions * sizeof *tags->made);
    lib_pack_bytes(pack, tags->freed, functions * sizeof *tags->freed);
    LIB_PACK(pack, tags->copied_nodes, tags->freed_nodes, tags->count, tags->created);
    LIB_PACK(pack, tags->iterations);
    LIB_PACK_VEC(pack, &tags->consumed);
    LIB_PACK(pack, tags->deepest);
    if (lib_pack_reads(pack))
        lib_pack_expect(pack, frames_fit(tags));
}

static void pack_shares(struct lib_pack *pack, struct isa_activations *tags)
{
    struct isa_shares *s = tags->shares;
    const uint64_t most = (tags->used / 2 + 1) * s->machines;
    uint64_t count = s->capacity < most ? s->capacity : most;
    LIB_PACK(pack, s->releases, s->at);
    count = lib_pack_count(pack, count, sizeof *s->held);
    if (lib_pack_reads(pack)) {
        if (!lib_pack_expect(pack, count <= most && s->at < s->machines))
            return;
        s->held = lib_mem_resize(s->held, (count + 1) * sizeof *s->held);
        s->capacity = count;
    }
    if (count)
        lib_pack_bytes(pack, s->held, count * sizeof *s->held);
}

/* Packs a tensor. When reading, checks the shape before anything is allocated. */
static void pack_tensor(struct lib_pack *pack, struct isa_tensor_memory *memory,
                        struct isa_structure *s)
{
    struct isa_shape shape = {0};
    uint64_t word = 0;
    struct isa_shape parts[2] = {{0}};
    if (!lib_pack_reads(pack)) {
        memcpy(parts, s->tensor->parts, sizeof parts);
        shape = s->tensor->shape;
        word = s->tensor->word;
    }
    LIB_PACK(pack, shape.element, shape.rank, shape.extents, word);
    for (int i = 0; shape.element == ISA_ELEMENT_PAIR && i < 2; i++)
        LIB_PACK(pack, parts[i].element, parts[i].rank, parts[i].extents);
    if (lib_pack_reads(pack)) {
        const bool good = shape.element <= ISA_ELEMENT_PAIR &&
                          shape.rank <= ISA_RANK_MAX && isa_shape_is_known(&shape) &&
                          isa_shape_is_legal(&shape) &&
                          isa_shape_bytes(&shape) <= pack->length;
        s->tensor = lib_pack_expect(pack, good) ? isa_tensor_new(memory, &shape) : NULL;
        s->is_tensor = lib_pack_expect(pack, s->tensor != NULL);
        s->is_alive = s->is_tensor;
    }
    if (s->is_tensor && lib_pack_reads(pack))
        memcpy(s->tensor->parts, parts, sizeof parts);
    if (s->is_tensor && s->tensor->bytes)
        lib_pack_bytes(pack, s->tensor->data, s->tensor->bytes);
    if (s->is_tensor)
        lib_pack_expect(pack, s->tensor->shape.element == ISA_ELEMENT_PAIR
                                  ? isa_pair_is_sound(s->tensor)
                                  : isa_tensor_is_sound(s->tensor));
    if (s->is_tensor && lib_pack_reads(pack))
        s->tensor->word = word;
}

/* Packs the elements of an array. An open array gets its spare memory again. */
static void pack_elements(struct lib_pack *pack, struct isa_structure *s)
{
    s->length = (uint32_t)lib_pack_count(pack, s->length, sizeof *s->elements);
    if (lib_pack_reads(pack) && s->is_alive)
        s->elements = lib_mem_new((size_t)isa_structure_room(s, s->length) *
                                  sizeof *s->elements);
    if (s->is_alive)
        lib_pack_bytes(pack, s->elements, s->length * sizeof *s->elements);
}

static void pack_structure(struct lib_pack *pack, struct isa_structures *all,
                           struct isa_structure *s, bool has_tensors)
{
    LIB_PACK(pack, s->references, s->hash, s->instr, s->owner);
    uint32_t next = s->is_alive ? 0 : s->next;
    LIB_PACK(pack, next);
    lib_pack_bool(pack, &s->is_alive);
    lib_pack_bool(pack, &s->holds_references);
    if (has_tensors) {
        lib_pack_bool(pack, &s->is_tensor);
        if (s->is_alive && s->is_tensor) {
            pack_tensor(pack, &all->tensors, s);
            return;
        }
    }
    if (all->ports)
        lib_pack_bool(pack, &s->is_open);
    pack_elements(pack, s);
    if (lib_pack_reads(pack)) /* what an INDEX can reach of an open one is found again */
        s->reach = !s->is_alive                                ? next
                   : s->is_open && isa_ports_count(all->ports) ? 0
                                                               : s->length;
}

/* Sets the members of data that follow from the instructions that made it. Structure 0 is that of
 * data without fields. */
static void restore_data(struct lib_pack *pack, struct isa_structures *s,
                         const struct isa_graph *graph)
{
    struct isa_structure *const all = s->all.items;
    if (!graph->constructor_count)
        return;
    for (size_t i = 1; i < s->all.count; i++) {
        const bool is_made = all[i].is_alive && !all[i].is_tensor &&
                             all[i].instr < graph->node_count;
        const struct isa_node *n = &graph->nodes[is_made ? all[i].instr : 0];
        if (!is_made || n->op != ISA_OP_CONSTRUCT)
            continue;
        all[i].is_data = true;
        all[i].constructor = n->index;
        lib_pack_expect(pack, all[i].length == graph->constructors[n->index].field_count);
    }
    if (lib_pack_expect(pack, s->all.count && all[0].is_alive && !all[0].is_tensor &&
                                  all[0].length == 0 &&
                                  all[0].references > ISA_STRUCTURE_FOREVER / 2))
        all[0].is_data = true;
}

static void pack_structures(struct lib_pack *pack, struct isa_structures *s,
                            const struct isa_graph *graph, bool has_tensors)
{
    for (size_t i = 0; lib_pack_reads(pack) && i < s->all.count; i++)
        lib_mem_free(s->all.items[i].elements); /* the arrays of ports, at the start */
    if (lib_pack_reads(pack))
        s->all.count = 0;
    LIB_PACK_EACH(pack, &s->all, structure,
                  { pack_structure(pack, s, structure, has_tensors); });
    if (lib_pack_reads(pack))
        restore_data(pack, s, graph);
    LIB_PACK(pack, s->free, s->count, s->elements, s->bytes);
}

bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag)
{
    return tag != ISA_TAG_NONE &&
           tag + sizeof(struct isa_activation) / ISA_FRAME_UNIT <= exec->tags.used &&
           isa_activations_get(&exec->tags, tag)->live > 0 &&
           isa_activations_get(&exec->tags, tag)->function < exec->tags.function_count;
}

void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count)
{
    if (count)
        lib_pack_bytes(pack, tokens, count * sizeof *tokens);
    for (size_t i = 0; lib_pack_reads(pack) && i < count; i++)
        lib_pack_expect(pack, isa_token_instr(&tokens[i]) < exec->code->instr_count &&
                                  isa_exec_has_tag(exec, isa_token_tag(&tokens[i])));
}

void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec)
{
    const struct isa_graph *graph = exec->code->graph;
    const size_t parts = graph->functions[0].result_count;
    pack_frames(pack, &exec->tags);
    if (graph->cell_count)
        lib_pack_bytes(pack, exec->cells, graph->cell_count * sizeof *exec->cells);
    pack_structures(pack, &exec->structures, graph, exec->code->has_tensors);
    if (exec->code->has_tensors) { /* else all of it is zeros */
        LIB_PACK(pack, exec->tensor.firings, exec->tensor.flops, exec->tensor.bytes);
        LIB_PACK(pack, exec->tensor.updates, exec->tensor.copies, exec->tensor.copied);
    }
    if (exec->tags.shares) {
        pack_shares(pack, &exec->tags);
        LIB_PACK(pack, exec->carried);
    }
    isa_ports_pack(pack, exec);
    LIB_PACK_VEC(pack, &exec->deferred);
    LIB_PACK(pack, exec->free_deferred);
    lib_pack_bytes(pack, exec->results, parts * sizeof *exec->results);
    for (size_t part = 0; part < parts; part++)
        lib_pack_bool(pack, &exec->has_result[part]);
    LIB_PACK(pack, exec->results_missing, exec->waiting_reads, exec->deferred_fetches);
    LIB_PACK(pack, exec->counts, exec->written, exec->released);
    LIB_PACK_EACH(pack, &exec->parked, parked,
                  { LIB_PACK(pack, parked->token, parked->next); });
    LIB_PACK(pack, exec->parked_free, exec->woken);
}
