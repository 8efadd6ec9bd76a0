/* Fuzz target: sentences in CoNLL-U. Heads of what is accepted are trees, and transitions make
 * them, or there are none in either system; and what is written of the arrays reads back to the
 * same. */
#include "tests/fuzz/fuzz.h"

#include "isa/tensor/files/conllu.h"
#include "lib/memory.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 1000 };

/* Replays the transitions of sentence `s`, and compares heads. */
static void check_transitions(const struct isa_conllu *conllu, int system, size_t s)
{
    const int64_t length = conllu->length[s], first = conllu->first[s];
    const int64_t *transitions = conllu->transitions[system] + 2 * first;
    int64_t *memory = lib_mem_new(2 * (size_t)length * sizeof *memory), height = 0;
    struct isa_configuration c;
    isa_configuration_begin(&c, (enum isa_transition_system)system, length, memory,
                            memory + length);
    for (int64_t i = 0; i < 2 * length; i++) {
        if (transitions[i] < 0 || transitions[i] >= ISA_TRANSITIONS ||
            !isa_transition_is_legal(&c, (enum isa_transition)transitions[i]))
            fuzz_fail("transition %" PRId64 " of sentence %zu is not legal", i, s);
        isa_transition_apply(&c, (enum isa_transition)transitions[i]);
        height = c.height > height ? c.height : height;
    }
    if (!isa_configuration_is_final(&c) || height != conllu->height[system][s])
        fuzz_fail("the transitions of sentence %zu do not end a parse", s);
    for (int64_t k = 0; k < length; k++) {
        const int64_t head = conllu->head[first + k];
        if (c.head[k] != (head < 0 ? ISA_ROOT : head - first))
            fuzz_fail("word %" PRId64 " of sentence %zu has another head", k, s);
    }
    lib_mem_free(memory);
}

static void check_sentence(const struct isa_conllu *conllu, size_t s)
{
    const int64_t length = conllu->length[s], first = conllu->first[s];
    const bool is_projective = conllu->height[ISA_ARC_HYBRID][s] >= 0;
    if (length < 1 || is_projective != (conllu->height[ISA_ARC_EAGER][s] >= 0))
        fuzz_fail("sentence %zu is empty, or projective for one system only", s);
    for (int64_t k = first; k < first + length; k++) {
        int64_t above = k, steps = 0;
        for (; above >= first && above < first + length && steps <= length; steps++)
            above = conllu->head[above];
        if (above != -1)
            fuzz_fail("word %" PRId64 " is not below the root", k);
        if ((size_t)conllu->form[k] >= conllu->form_count ||
            (size_t)conllu->tag[k] >= conllu->tag_count ||
            (size_t)conllu->label[k] >= conllu->label_count)
            fuzz_fail("word %" PRId64 " has a number without a name", k);
    }
    for (int system = 0; is_projective && system < ISA_TRANSITION_SYSTEMS; system++)
        check_transitions(conllu, system, s);
}

static void write_sentence(const struct isa_conllu *conllu, size_t s,
                           struct lib_text *out)
{
    for (int64_t k = 0; k < conllu->length[s]; k++) {
        const int64_t word = conllu->first[s] + k, head = conllu->head[word];
        lib_text_printf(out, "%" PRId64 "\t%s\t_\t%s\t_\t_\t%" PRId64 "\t%s\t_\t_\n",
                        k + 1, conllu->forms[conllu->form[word]],
                        conllu->tags[conllu->tag[word]],
                        head < 0 ? 0 : head - conllu->first[s] + 1,
                        conllu->labels[conllu->label[word]]);
    }
    lib_text_puts(out, "\n");
}

static bool same(const int64_t *a, const int64_t *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct isa_conllu_options all = {.held = 0, .least = 1, .most = MOST},
                                           some = {.held = 2, .least = 2, .most = MOST};
    struct lib_arena *arena = lib_arena_new();
    const struct lib_source *source = fuzz_source(arena, "fuzz.conllu", data, size);
    struct lib_diags diags = {0}, none = {0};
    struct isa_conllu conllu, again;
    const bool good = isa_conllu_read(&conllu, arena, source, &all, &diags);
    fuzz_diags(&diags, !good);
    if (good) {
        struct lib_text text = {0};
        size_t next = 0;
        for (size_t s = 0; s < conllu.sentence_count; s++) {
            if (conllu.first[s] != (int64_t)next)
                fuzz_fail("sentence %zu does not begin where the last one ended", s);
            next += (size_t)conllu.length[s];
            check_sentence(&conllu, s);
            write_sentence(&conllu, s, &text);
        }
        if (next == 0 || next > MOST || next != conllu.count)
            fuzz_fail("%zu words, and %zu in sentences", conllu.count, next);
        if (!isa_conllu_read(&again, arena,
                             fuzz_source(arena, "again.conllu", text.bytes, text.length),
                             &all, &none) ||
            again.count != conllu.count ||
            again.sentence_count != conllu.sentence_count ||
            !same(again.form, conllu.form, conllu.count) ||
            !same(again.tag, conllu.tag, conllu.count) ||
            !same(again.head, conllu.head, conllu.count) ||
            !same(again.label, conllu.label, conllu.count))
            fuzz_fail("what was written is other sentences:\n%s", lib_text_get(&text));
        if (!isa_conllu_read(&again, arena, source, &some, &none) ||
            again.form_count > conllu.form_count)
            fuzz_fail("with sentences held out there are more forms");
        for (size_t s = 0; s < again.sentence_count; s++)
            check_sentence(&again, s);
        lib_text_free(&text);
    }
    lib_arena_free(arena);
    return 0;
}
