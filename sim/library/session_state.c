/* States of sessions as bytes: a head with digests, seed and inputs; then the state of the machine
 * (machine/checkpoint.h). */
#include "sim/library/library_internal.h"

#include <string.h>

#include "machine/checkpoint.h"
#include "machine/machine.h"
#include "sim/loading/model.h"

enum { STATE_FORMAT = 1 };

static const char magic[8] = "\x89HIS\r\n\x1a\n";

/* All numbers are little-endian. */
struct head {
    char magic[8];
    struct isa_digest of;    /* of program, machine and versions */
    struct isa_digest state; /* of the bytes after the head */
    uint64_t seed, input_count;
};

/* Returns a digest of program, settings and versions. A state continues only if it is equal. */
static struct isa_digest identify_state(const struct hiaton_session *s)
{
    const struct sim_settings *settings = &s->session.setup.settings;
    LIB_TEXT_OWN text = {0};
    LIB_WORLD_OWN();
    lib_text_printf(&text, "%d %d %d %d\n", STATE_FORMAT, MACHINE_CHECKPOINT_FORMAT,
                    SIM_MODEL_VERSION, SIM_TENSOR_MODEL_VERSION);
    isa_digest_write(s->session.image_digest, &text);
    struct machine_class_row made;
    const struct lib_setting *setting;
    for (size_t i = 0; (setting = sim_setting_of(settings, i, &made)); i++) {
        lib_text_printf(&text, "\n%s ", setting->key);
        lib_setting_identify(settings, setting, &text);
    }
    return isa_digest_of(text.bytes, text.length);
}

static bool is_digest(struct isa_digest a, struct isa_digest b)
{
    return a.high == b.high && a.low == b.low;
}

/* Appends whether an input was given, and its value: a word; or if it is an array or a tensor that
 * was given, for each part its shape and elements. */
static void save_input(const struct hiaton_session *s, uint32_t i, struct lib_text *out)
{
    const struct isa_input *input = &s->session.program.graph->inputs[i];
    const struct sim_inputs *inputs = &s->session.inputs;
    const uint64_t saved[2] = {inputs->given[i],
                               input->part_count ? 0 : inputs->values[i]};
    lib_text_add(out, (const char *)saved, sizeof saved);
    for (uint32_t k = 0; inputs->given[i] && k < input->part_count; k++) {
        const struct isa_tensor *part = isa_value_given(inputs->values[i])->parts[k];
        uint64_t shape[2 + ISA_RANK_MAX] = {part->shape.element, part->shape.rank};
        for (int axis = 0; axis < ISA_RANK_MAX; axis++)
            shape[2 + axis] = (uint64_t)part->shape.extents[axis];
        lib_text_add(out, (const char *)shape, sizeof shape);
        lib_text_add(out, part->data, part->bytes);
    }
}

enum hiaton_status hiaton_session_save(struct hiaton_session *s, const void **bytes,
                                       size_t *length)
{
    if (!s || !bytes || !length)
        return HIATON_MISUSE;
    const uint32_t inputs = s->session.program.graph->input_count;
    if (!s->has_begun || s->has_ended || s->engine == SIM_ENGINE_INTERPRETER ||
        !machine_can_be_saved(&s->session.setup.settings.machine)) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             "only a run on a machine that goes on has a state, and none "
                             "with a platform of SimGrid");
        return HIATON_MISUSE;
    }
    struct head head = {
        .of = identify_state(s), .seed = s->session.seed, .input_count = inputs};
    struct lib_text *out = &s->saved;
    memcpy(head.magic, magic, sizeof magic);
    lib_text_clear(out);
    lib_text_add(out, (const char *)&head, sizeof head);
    for (uint32_t i = 0; i < inputs; i++)
        save_input(s, i, out);
    sim_simulation_save(s->simulation, out);
    head.state = isa_digest_of(out->bytes + sizeof head, out->length - sizeof head);
    memcpy(out->bytes, &head, sizeof head);
    *bytes = out->bytes;
    *length = out->length;
    return HIATON_OK;
}

/* Reads the head. Returns NULL if the bytes are a state of such a session, else the reason. */
static const char *check_head(const struct hiaton_session *s, struct head *head,
                              const char *bytes, size_t length)
{
    const uint32_t inputs = s->session.program.graph->input_count;
    if (length < sizeof *head)
        return "they are too few";
    memcpy(head, bytes, sizeof *head);
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return "they begin otherwise";
    if (!is_digest(head->of, identify_state(s)))
        return "they are of another program, machine or version";
    if (!is_digest(head->state,
                   isa_digest_of(bytes + sizeof *head, length - sizeof *head)) ||
        head->input_count != inputs ||
        (length - sizeof *head) / (2 * sizeof(uint64_t)) < inputs)
        return "they are damaged";
    return NULL;
}

/* Takes the parts of an array or a tensor. The digest of the state has shown that they are all
 * there. */
static const char *take_parts(struct hiaton_session *s, uint32_t i, const char *at)
{
    const struct isa_input *input = &s->session.program.graph->inputs[i];
    struct isa_tensor_memory memory = {0};
    struct isa_tensor **parts = lib_mem_new(input->part_count * sizeof *parts);
    for (uint32_t k = 0; k < input->part_count; k++) {
        uint64_t saved[2 + ISA_RANK_MAX];
        memcpy(saved, at, sizeof saved);
        at += sizeof saved;
        struct isa_shape shape = {(uint8_t)saved[0], (uint8_t)saved[1], {0}};
        for (int axis = 0; axis < ISA_RANK_MAX; axis++)
            shape.extents[axis] = (int64_t)saved[2 + axis];
        parts[k] = isa_tensor_new(&memory, &shape);
        if (parts[k]->bytes)
            memcpy(parts[k]->data, at, parts[k]->bytes);
        at += parts[k]->bytes;
        isa_tensor_seal(parts[k], true);
    }
    const struct isa_given given = {
        .part_count = input->part_count,
        .parts = (const struct isa_tensor *const *)parts,
    };
    sim_library_set_input(s, i, isa_value_of_given(&given));
    for (uint32_t k = 0; k < input->part_count; k++)
        isa_tensor_free(&memory, parts[k]);
    lib_mem_free(parts);
    isa_tensor_memory_free(&memory);
    return at;
}

static const char *take_inputs(struct hiaton_session *s, const char *at)
{
    const struct isa_graph *graph = s->session.program.graph;
    s->has_inputs = false;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        uint64_t input[2];
        memcpy(input, at, sizeof input);
        at += sizeof input;
        s->session.inputs.given[i] = false;
        s->session.inputs.values[i] = graph->inputs[i].value;
        if (input[0] && graph->inputs[i].part_count)
            at = take_parts(s, i, at);
        else if (input[0])
            sim_library_set_input(s, i, input[1]);
    }
    return at;
}

enum hiaton_status hiaton_session_restore(struct hiaton_session *s, const void *bytes,
                                          size_t length)
{
    struct head head;
    if (!s || !bytes)
        return HIATON_MISUSE;
    if (s->recorder || s->engine == SIM_ENGINE_INTERPRETER ||
        !machine_can_be_saved(&s->session.setup.settings.machine)) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             "a session that is recorded or untimed, or has a platform "
                             "of SimGrid, has no state to go to");
        return HIATON_MISUSE;
    }
    const char *wrong = check_head(s, &head, bytes, length);
    sim_library_end_run(s);
    sim_library_cool(s);
    if (!wrong) {
        const char *at = take_inputs(s, (const char *)bytes + sizeof head);
        s->session.seed = head.seed;
        if (!sim_library_begin(s))
            return HIATON_REJECTED;
        if (sim_simulation_restore(s->simulation, at,
                                   (size_t)((const char *)bytes + length - at)))
            return HIATON_OK;
        sim_simulation_mute(s->simulation);
        sim_library_end_run(s);
        sim_library_cool(s);
        wrong = "no run has that state";
    }
    sim_library_complain(&s->reporter, LIB_DIAG_FILE,
                         "the bytes are not a state of the session: %s", wrong);
    return HIATON_REJECTED;
}
