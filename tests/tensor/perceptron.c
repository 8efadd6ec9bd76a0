/* An averaged perceptron that parses greedily, in plain C: the baseline of
 * programs/training/parser.df. It uses Hiaton's reader of CoNLL-U and its transitions, and nothing
 * of its language, gradients or kernels.
 *
 *     perceptron FILE EPOCHS        of forms and tags
 *     perceptron FILE EPOCHS words  of forms alone
 *
 * Every tenth sentence of FILE is held out. The perceptron is trained on the arc-hybrid transitions
 * of the others whose trees are projective, in an order that is shuffled anew in each epoch. For
 * each transition that it guesses wrongly, among those that are legal, weights change by 1; then
 * the right one is applied. In the end weights are their means over all transitions (Collins,
 * Discriminative Training Methods for Hidden Markov Models, 2002). It prints how many words the
 * sentences that are held out have, and for how many of them the head is found. */
#include "isa/tensor/files/conllu.h"
#include "isa/tensor/files/transitions.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = 10, CLASSES = ISA_RIGHT_ARC + 1, FEATURES = 64, BUCKETS = 1 << 20 };

enum { NO_WORD = -2 }; /* as the number of a word: a place without one */

struct weight {
    int64_t total; /* sum of the values after each transition, up to `since` */
    int64_t since; /* count of transitions at the last change */
    int64_t value;
};

/* A bucket for each hash of a feature; features that meet in one share it. */
static struct weight weights[BUCKETS][CLASSES];

struct parser {
    struct isa_conllu conllu;
    bool has_tags;
    int64_t transitions;                          /* trained on so far */
    int64_t *stack, *head, *leftmost, *rightmost; /* [longest sentence] */
    uint32_t features[FEATURES];
    size_t feature_count;
};

/* A parse of one sentence. */
struct parse {
    struct isa_configuration c;
    int64_t first; /* the number of its word 0 among all words */
};

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "perceptron: expected %s\n", what);
        exit(2);
    }
}

/* --- features ------------------------------------------------------------------------------ */

static int64_t get_form(const struct parser *p, const struct parse *parse, int64_t word)
{
    return word < 0 ? word : p->conllu.form[parse->first + word];
}

static int64_t get_tag(const struct parser *p, const struct parse *parse, int64_t word)
{
    return word < 0 ? word : p->conllu.tag[parse->first + word];
}

static void add_feature(struct parser *p, uint64_t kind, int64_t a, int64_t b, int64_t c)
{
    uint64_t hash = lib_hash_mix(kind);
    hash = lib_hash_mix(hash ^ (uint64_t)(a + 3));
    hash = lib_hash_mix(hash ^ (uint64_t)(b + 3));
    hash = lib_hash_mix(hash ^ (uint64_t)(c + 3));
    p->features[p->feature_count++] = (uint32_t)(hash % BUCKETS);
}

static int64_t get_child(const int64_t *children, int64_t word)
{
    return word < 0 ? NO_WORD : children[word];
}

/* Finds the features of a configuration: the words s0, s1 and s2 on the stack, b0, b1 and b2 of the
 * buffer, children of s0, s1 and b0, alone and together. */
static void find_features(struct parser *p, const struct parse *parse)
{
    enum { S0, S1, S2, B0, B1, B2, S0L, S0R, S1L, S1R, B0L, WORDS };
    static const unsigned char form_pairs[][2] = {{S0, B0},  {S1, S0},  {S0, B1},
                                                  {B0, B1},  {S0, S0L}, {S0, S0R},
                                                  {B0, B0L}, {S1, B0}};
    static const unsigned char tag_triples[][3] = {
        {S0, B0, B1},  {S1, S0, B0},  {S2, S1, S0},  {B0, B1, B2},  {S0, S0L, B0},
        {S0, S0R, B0}, {S0, B0, B0L}, {S1, S1R, S0}, {S1, S1L, S0}, {S0L, S0, S0R}};
    const struct isa_configuration *const c = &parse->c;
    int64_t word[WORDS], form[WORDS], tag[WORDS];
    for (int64_t i = 0; i < 3; i++) {
        word[S0 + i] = c->height > i ? c->stack[c->height - 1 - i] : ISA_ROOT;
        word[B0 + i] = c->next + i < c->length ? c->next + i : NO_WORD;
    }
    word[S0L] = get_child(p->leftmost, word[S0]);
    word[S0R] = get_child(p->rightmost, word[S0]);
    word[S1L] = get_child(p->leftmost, word[S1]);
    word[S1R] = get_child(p->rightmost, word[S1]);
    word[B0L] = get_child(p->leftmost, word[B0]);
    for (int i = 0; i < WORDS; i++) {
        form[i] = get_form(p, parse, word[i]);
        tag[i] = p->has_tags ? get_tag(p, parse, word[i]) : 0;
    }
    const int64_t far = word[S0] < 0 || word[B0] < 0 ? 0 : word[B0] - word[S0];
    const int64_t distance = far > 5 ? 5 : far;

    p->feature_count = 0;
    add_feature(p, 0, 0, 0, 0);
    for (uint64_t i = 0; i < WORDS; i++)
        add_feature(p, 1 + i, form[i], 0, 0);
    for (uint64_t i = 0; i < sizeof form_pairs / sizeof *form_pairs; i++)
        add_feature(p, 100 + i, form[form_pairs[i][0]], form[form_pairs[i][1]], 0);
    add_feature(p, 200, form[S0], distance, 0);
    add_feature(p, 201, form[B0], distance, 0);
    add_feature(p, 202, form[S0], form[B0], distance);
    if (!p->has_tags)
        return;
    for (uint64_t i = 0; i < WORDS; i++) {
        add_feature(p, 300 + i, tag[i], 0, 0);
        if (i <= B2)
            add_feature(p, 320 + i, form[i], tag[i], 0);
    }
    for (uint64_t i = 0; i < sizeof tag_triples / sizeof *tag_triples; i++)
        add_feature(p, 400 + i, tag[tag_triples[i][0]], tag[tag_triples[i][1]],
                    tag[tag_triples[i][2]]);
    add_feature(p, 500, tag[S0], tag[B0], distance);
    add_feature(p, 501, tag[S0], tag[B0], 9);
    add_feature(p, 502, tag[S1], tag[S0], 0);
    add_feature(p, 503, form[S0], tag[B0], 0);
    add_feature(p, 504, tag[S0], form[B0], 0);
    add_feature(p, 505, tag[S1], form[S0], 0);
    add_feature(p, 506, form[S1], tag[S0], 0);
    add_feature(p, 507, tag[S0], distance, 0);
    add_feature(p, 508, tag[B0], distance, 0);
    add_feature(p, 509, tag[B0], tag[B1], 0);
}

/* --- weights ------------------------------------------------------------------------------- */

/* Returns the legal transition with the greatest score, the first one of several. */
static enum isa_transition guess(const struct parser *p, const struct parse *parse)
{
    enum isa_transition best = ISA_TRANSITIONS;
    int64_t best_score = 0;
    for (int t = 0; t < CLASSES; t++) {
        if (!isa_transition_is_legal(&parse->c, (enum isa_transition)t))
            continue;
        int64_t score = 0;
        for (size_t i = 0; i < p->feature_count; i++)
            score += weights[p->features[i]][t].value;
        if (best == ISA_TRANSITIONS || score > best_score) {
            best = (enum isa_transition)t;
            best_score = score;
        }
    }
    return best;
}

static void change_weight(struct weight *weight, int64_t now, int64_t by)
{
    weight->total += (now - weight->since) * weight->value;
    weight->since = now;
    weight->value += by;
}

static void change_weights(const struct parser *p, enum isa_transition t, int64_t by)
{
    for (size_t i = 0; i < p->feature_count; i++)
        change_weight(&weights[p->features[i]][t], p->transitions, by);
}

/* The mean of a weight times the count of transitions: a factor changes no guess. */
static void average_weights(const struct parser *p)
{
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        for (int t = 0; t < CLASSES; t++) {
            struct weight *const weight = &weights[bucket][t];
            change_weight(weight, p->transitions, 0);
            weight->value = weight->total;
        }
}

/* --- sentences ----------------------------------------------------------------------------- */

static void begin_parse(struct parser *p, struct parse *parse, size_t sentence)
{
    const int64_t length = p->conllu.length[sentence];
    parse->first = p->conllu.first[sentence];
    isa_configuration_begin(&parse->c, ISA_ARC_HYBRID, length, p->stack, p->head);
    for (int64_t word = 0; word < length; word++)
        p->leftmost[word] = p->rightmost[word] = NO_WORD;
}

static void apply(struct parser *p, struct parse *parse, enum isa_transition t)
{
    const int64_t top = parse->c.height ? p->stack[parse->c.height - 1] : ISA_ROOT;
    isa_transition_apply(&parse->c, t);
    if (t == ISA_SHIFT || p->head[top] < 0)
        return;
    *(t == ISA_LEFT_ARC ? &p->leftmost[p->head[top]] : &p->rightmost[p->head[top]]) = top;
}

static void learn(struct parser *p, size_t sentence)
{
    struct parse parse;
    const int64_t *const transitions = p->conllu.transitions[ISA_ARC_HYBRID] +
                                       2 * p->conllu.first[sentence];
    begin_parse(p, &parse, sentence);
    for (int64_t i = 0; !isa_configuration_is_final(&parse.c); i++) {
        const enum isa_transition right = (enum isa_transition)transitions[i];
        find_features(p, &parse);
        const enum isa_transition guessed = guess(p, &parse);
        p->transitions++;
        if (guessed != right) {
            change_weights(p, right, 1);
            change_weights(p, guessed, -1);
        }
        apply(p, &parse, right);
    }
}

/* Returns how many heads of a sentence are found. */
static int64_t judge(struct parser *p, size_t sentence)
{
    struct parse parse;
    int64_t found = 0;
    begin_parse(p, &parse, sentence);
    while (!isa_configuration_is_final(&parse.c)) {
        find_features(p, &parse);
        apply(p, &parse, guess(p, &parse));
    }
    for (int64_t word = 0; word < parse.c.length; word++) {
        const int64_t head = p->conllu.head[parse.first + word];
        found += p->head[word] == (head < 0 ? ISA_ROOT : head - parse.first);
    }
    return found;
}

/* --- the whole ----------------------------------------------------------------------------- */

static void train(struct parser *p, struct lib_arena *arena, int epochs)
{
    size_t *const order = LIB_ARENA_ARRAY(arena, size_t, p->conllu.sentence_count);
    size_t count = 0;
    for (size_t s = 0; s < p->conllu.sentence_count; s++)
        if (s % HELD != HELD - 1 && p->conllu.height[ISA_ARC_HYBRID][s] >= 0)
            order[count++] = s;
    for (int epoch = 0; epoch < epochs; epoch++) {
        for (size_t i = count; i-- > 1;) {
            const size_t other = lib_hash_mix((uint64_t)epoch << 32 | i) % (i + 1);
            const size_t kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        for (size_t i = 0; i < count; i++)
            learn(p, order[i]);
    }
    average_weights(p);
}

static void read_sentences(struct parser *p, struct lib_arena *arena, const char *path)
{
    const struct isa_conllu_options options = {
        .held = HELD, .least = 1, .most = SIZE_MAX};
    struct lib_diags diags = {0};
    struct lib_text out = {0};
    const struct lib_source *const source = lib_file_read(arena, path, &diags);
    if (!source || !isa_conllu_read(&p->conllu, arena, source, &options, &diags)) {
        lib_diags_write(&diags, &out);
        fputs(lib_text_get(&out), stderr);
        exit(2);
    }
    int64_t longest = 0;
    for (size_t s = 0; s < p->conllu.sentence_count; s++)
        if (p->conllu.length[s] > longest)
            longest = p->conllu.length[s];
    p->stack = LIB_ARENA_ARRAY(arena, int64_t, (size_t)longest);
    p->head = LIB_ARENA_ARRAY(arena, int64_t, (size_t)longest);
    p->leftmost = LIB_ARENA_ARRAY(arena, int64_t, (size_t)longest);
    p->rightmost = LIB_ARENA_ARRAY(arena, int64_t, (size_t)longest);
}

int main(int argc, char **argv)
{
    struct lib_arena *const arena = lib_arena_new();
    struct parser parser = {0};
    int64_t words = 0, found = 0;
    expect(argc == 3 || (argc == 4 && strcmp(argv[3], "words") == 0),
           "FILE EPOCHS [words]");
    parser.has_tags = argc == 3;
    read_sentences(&parser, arena, argv[1]);
    train(&parser, arena, atoi(argv[2]));
    for (size_t s = HELD - 1; s < parser.conllu.sentence_count; s += HELD) {
        words += parser.conllu.length[s];
        found += judge(&parser, s);
    }
    printf("%" PRId64 " %" PRId64 "\n", words, found);
    lib_arena_free(arena);
    return 0;
}
