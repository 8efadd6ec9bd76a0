#include "sim/training/sentences.h"

#include <inttypes.h>

static const char letters[ISA_TRANSITIONS + 1] = "SLRD";

static void write_transitions(const struct isa_conllu *conllu, int system, size_t s,
                              struct lib_text *out)
{
    const int64_t *t = conllu->transitions[system] + 2 * conllu->first[s];
    lib_text_printf(out, " %6" PRId64 " ", conllu->height[system][s]);
    for (int64_t i = 0; i < 2 * conllu->length[s]; i++)
        lib_text_add(out, &letters[t[i]], 1);
}

static int64_t find_greatest(const int64_t *numbers, size_t count)
{
    int64_t greatest = 0;
    for (size_t i = 0; i < count; i++)
        greatest = numbers[i] > greatest ? numbers[i] : greatest;
    return greatest;
}

void sim_sentences_write(const struct isa_conllu *conllu, struct lib_text *out)
{
    const size_t count = conllu->sentence_count;
    lib_text_puts(out, "sentence words height arc-hybrid, height arc-eager\n");
    for (size_t s = 0; s < count; s++) {
        lib_text_printf(out, "%8zu %5" PRId64, s, conllu->length[s]);
        if (conllu->height[ISA_ARC_HYBRID][s] < 0)
            lib_text_puts(out, "      - not projective");
        else
            for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++)
                write_transitions(conllu, system, s, out);
        lib_text_puts(out, "\n");
    }
    lib_text_printf(out,
                    "%zu sentences, %zu projective; %zu words, %" PRId64
                    " in the longest sentence; at most %" PRId64
                    " in a stack of arc-hybrid, %" PRId64 " of arc-eager\n",
                    count, conllu->projective_count, conllu->count,
                    find_greatest(conllu->length, count),
                    find_greatest(conllu->height[ISA_ARC_HYBRID], count),
                    find_greatest(conllu->height[ISA_ARC_EAGER], count));
}
