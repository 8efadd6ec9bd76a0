/* CoNLL-U: what is read, what is said of mistakes; and the transitions that make its trees. */
#include "tests/unit/files.h"

#include "isa/tensor/files/conllu.h"
#include "lib/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct lib_diags diags;

/* --- what is read --------------------------------------------------------------------- */

static void write_numbers(struct lib_text *out, const char *name, const int64_t *numbers,
                          size_t count)
{
    lib_text_printf(out, " %s", name);
    for (size_t i = 0; i < count; i++)
        lib_text_printf(out, " %" PRId64, numbers[i]);
}

static void write_names(struct lib_text *out, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lib_text_printf(out, " %s", names[i] ? names[i] : "-");
}

static void write_conllu(struct lib_text *out, const struct isa_conllu *c)
{
    write_numbers(out, "form", c->form, c->count);
    write_numbers(out, "tag", c->tag, c->count);
    write_numbers(out, "head", c->head, c->count);
    write_numbers(out, "label", c->label, c->count);
    write_numbers(out, "first", c->first, c->sentence_count);
    write_numbers(out, "length", c->length, c->sentence_count);
    write_numbers(out, "hybrid", c->transitions[ISA_ARC_HYBRID], 2 * c->count);
    write_numbers(out, "eager", c->transitions[ISA_ARC_EAGER], 2 * c->count);
    write_numbers(out, "height", c->height[ISA_ARC_EAGER], c->sentence_count);
    write_names(out, c->forms, c->form_count);
    write_names(out, c->tags, c->tag_count);
    write_names(out, c->labels, c->label_count);
}

static void check_options(const char *text, struct isa_conllu_options options,
                          const char *result)
{
    const struct lib_source source = {"test.conllu", text, strlen(text)};
    struct lib_arena *arena = lib_arena_new();
    struct isa_conllu conllu;
    struct lib_text found = {0};
    if (isa_conllu_read(&conllu, arena, &source, &options, &diags))
        write_conllu(&found, &conllu);
    else
        lib_text_puts(&found, test_take_error(&diags));
    ck_assert_str_eq(lib_text_get(&found), result);
    lib_text_free(&found);
    lib_arena_free(arena);
}

static void check(const char *text, const char *result)
{
    check_options(text, (struct isa_conllu_options){.least = 1, .most = 100}, result);
}

/* A line of a word, and the end of a sentence. */
#define W(ID, FORM, UPOS, HEAD, LABEL)                                                   \
    ID "\t" FORM "\t_\t" UPOS "\t_\t_\t" HEAD "\t" LABEL "\t_\t_\n"
#define E "\n"

START_TEST(sentences_are_read)
{
    check("# text = Dogs bark\n" W("1", "Dogs", "NOUN", "2", "nsubj")
              W("2", "bark", "VERB", "0", "root") E
          "# two\n" W("1", "Dogs", "NOUN", "0", "root"),
          " form 1 2 1 tag 0 1 0 head 1 -1 -1 label 0 1 1 first 0 2 length 2 1"
          " hybrid 0 1 0 2 0 2 eager 0 1 2 3 2 3 height 1 1"
          " - Dogs bark NOUN VERB nsubj root");
}
END_TEST

START_TEST(ranges_and_empty_nodes_are_skipped)
{
    check(W("0.1", "e", "X", "_", "_") W("1-2", "du", "_", "_", "_")
              W("1", "de", "ADP", "3", "case") W("2", "le", "DET", "3", "det")
                  W("2.1", "e", "X", "_", "_") W("2.2", "e", "X", "_", "_")
                      W("3", "a b", "NOUN", "0", "root") "\r\n\n\n",
          " form 1 2 3 tag 0 1 2 head 2 2 -1 label 0 1 2 first 0 length 3"
          " hybrid 0 0 1 1 0 2 eager 0 0 1 1 2 3 height 2"
          " - de le a b ADP DET NOUN case det root");
}
END_TEST

START_TEST(heads_are_words_of_the_file)
{
    /* The second sentence is not projective: 1 -> 3 crosses 2 -> 4. */
    check(
        W("1", "a", "A", "0", "r") E W("1", "a", "A", "3", "r") W("2", "a", "A", "4", "r")
            W("3", "a", "A", "0", "r") W("4", "a", "A", "3", "r")
                E W("1", "a", "A", "2", "r") W("2", "a", "A", "0", "r"),
        " form 1 1 1 1 1 1 1 tag 0 0 0 0 0 0 0 head -1 3 4 -1 3 6 -1 label 0 0 0 0 0 0 0"
        " first 0 1 5 length 1 4 2"
        " hybrid 0 2 -1 -1 -1 -1 -1 -1 -1 -1 0 1 0 2"
        " eager 2 3 -1 -1 -1 -1 -1 -1 -1 -1 0 1 2 3 height 1 -1 1 - a A r");
}
END_TEST

START_TEST(forms_are_numbered_from_what_is_not_held_out)
{
    static const char text[] = W("1", "a", "A", "0", "r") E W("1", "b", "B", "0", "r")
        E W("1", "c", "A", "0", "s") E W("1", "a", "A", "0", "t")
            E W("1", "c", "A", "0", "r");
    const char *rest =
        " head -1 -1 -1 -1 -1 label 0 0 1 2 0 first 0 1 2 3 4 length 1 1 1 1 1"
        " hybrid 0 2 0 2 0 2 0 2 0 2 eager 2 3 2 3 2 3 2 3 2 3"
        " height 1 1 1 1 1";
    char result[512];
    snprintf(result, sizeof result, " form 1 0 2 1 2 tag 0 1 0 0 0%s - a c A B r s t",
             rest);
    check_options(text, (struct isa_conllu_options){2, 1, 5}, result);
    snprintf(result, sizeof result, " form 0 0 1 0 1 tag 0 1 0 0 0%s - c A B r s t",
             rest);
    check_options(text, (struct isa_conllu_options){2, 2, 5}, result);
    snprintf(result, sizeof result, " form 1 0 2 1 2 tag 0 1 0 0 0%s - a c A B r s t",
             rest);
    check_options(text, (struct isa_conllu_options){0, 2, 5}, result);
    check_options(text, (struct isa_conllu_options){0, 1, 4},
                  "5 lines of words; 4 are the most");
}
END_TEST

START_TEST(mistakes_have_their_place)
{
    check("", "expected words in ten fields; there is none");
    check("# nothing\n\n", "expected words in ten fields; there is none");
    check("1\ta\n", "1:1: expected 10 fields, separated by tabs; found 2");
    check(W("1", "a", "A", "0", "r\tx"),
          "1:1: expected 10 fields, separated by tabs; found 11");
    check(W("x", "a", "A", "0", "r"), "1:1: expected the ID of a word; found `x`");
    check(W("2", "a", "A", "0", "r"), "1:1: expected the ID 1; found `2`");
    check(W("1x", "a", "A", "0", "r"), "1:1: expected the ID 1; found `1x`");
    check(W("1", "a", "A", "0", "r") W("3", "a", "A", "1", "r"),
          "2:1: expected the ID 2; found `3`");
    check(W("99999999999999999999", "a", "A", "0", "r"),
          "1:1: expected the ID of a word; found `99999999999999999999`");
    check(W("1", "", "A", "0", "r"), "1:3: expected a form; found ``");
    check(W("1", "a", "", "0", "r"), "1:7: expected a part of speech; found ``");
    check(W("1", "a", "A", "0", ""), "1:15: expected a relation to the head; found ``");
    check(W("1", "a", "A", "_", "r"),
          "1:13: expected the ID of the head, or 0; found `_`");
    check(W("1", "a", "A", "-1", "r"),
          "1:13: expected the ID of the head, or 0; found `-1`");
    check(W("1", "a", "A", "2", "r"),
          "1:13: expected a head from 0 to 1, the words of the sentence; found 2");
    check(W("1", "a", "A", "1", "r"),
          "1:13: expected a tree; the heads of word 1 lead back to it");
    check(W("1", "a", "A", "0", "r") W("2", "a", "A", "3", "r")
              W("3", "a", "A", "2", "r"),
          "2:13: expected a tree; the heads of word 2 lead back to it");
    check(W("1-", "a", "A", "0", "r"),
          "1:1: expected the ID of a word, a range or an empty node; found `1-`");
    check(W("2-1", "a", "A", "0", "r"),
          "1:1: expected the ID of a word, a range or an empty node; found `2-1`");
    check(W("2-3", "a", "A", "0", "r"),
          "1:1: expected a range from 1 on, or an empty node "
          "after word 0; found `2-3`");
    check(W("1.1", "a", "A", "0", "r"),
          "1:1: expected a range from 1 on, or an empty node "
          "after word 0; found `1.1`");
    check(W("1-2", "a", "A", "0", "r") W("1", "a", "A", "0", "r"),
          "1:1: expected a range of words that are there; word 1 is the last one");
}
END_TEST

/* --- transitions ---------------------------------------------------------------------- */

enum { LENGTH_MAX = 12 };

static uint64_t state_of_draws;

static int64_t draw(int64_t below)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state_of_draws >> 33) % (uint64_t)below);
}

/* Whether a word is some other one, or below it. */
static bool is_below(const int64_t *head, int64_t word, int64_t other)
{
    for (; word != ISA_ROOT; word = head[word])
        if (word == other)
            return true;
    return other == ISA_ROOT;
}

/* By the definition: every word between a word and its head is below the head. */
static bool is_projective(const int64_t *head, int64_t length)
{
    for (int64_t word = 0; word < length; word++) {
        const int64_t low = word < head[word] ? word : head[word],
                      high = word < head[word] ? head[word] : word;
        for (int64_t between = low + 1; between < high; between++)
            if (!is_below(head, between, head[word]))
                return false;
    }
    return true;
}

/* Replays transitions by lists of their own, as the papers write them, with effects of table 1. */
static void check_replay(enum isa_transition_system system, const int64_t *head,
                         int64_t length, const int64_t *transitions, int64_t height)
{
    int64_t stack[LENGTH_MAX + 1] = {ISA_ROOT}, found[LENGTH_MAX], top = 0, next = 0,
                               greatest = 0;
    bool is_good = true;
    for (int64_t word = 0; word < length; word++)
        found[word] = ISA_NO_HEAD;
    for (int64_t i = 0; i < 2 * length; i++) {
        const int64_t tops = top, nexts = next;
        if (transitions[i] == ISA_LEFT_ARC)
            found[stack[top--]] = next;
        else if (transitions[i] == ISA_RIGHT_ARC && system == ISA_ARC_HYBRID) {
            found[stack[top]] = stack[top - 1];
            top--;
        } else if (transitions[i] == ISA_RIGHT_ARC) {
            found[next] = stack[top];
            stack[++top] = next++;
        } else if (transitions[i] == ISA_REDUCE)
            top--;
        else
            stack[++top] = next++;
        const struct isa_transition_effect effect = isa_transition_effect(
            system, (enum isa_transition)transitions[i]);
        is_good &= effect.stack == top - tops && effect.buffer == nexts - next &&
                   top >= 0 && next <= length;
        greatest = top > greatest ? top : greatest;
    }
    ck_assert(is_good && top == 0 && next == length && greatest == height);
    ck_assert_mem_eq(found, head, (size_t)length * sizeof *head);
}

static void check_tree(const int64_t *head, int64_t length)
{
    int64_t transitions[2 * LENGTH_MAX], memory[3 * LENGTH_MAX];
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++) {
        const int64_t height = isa_transitions_find((enum isa_transition_system)system,
                                                    head, length, transitions, memory);
        ck_assert_int_eq(height >= 0, is_projective(head, length));
        if (height >= 0)
            check_replay((enum isa_transition_system)system, head, length, transitions,
                         height);
    }
}

/* All trees of up to 5 words, several roots included, and many of more. */
START_TEST(transitions_make_the_tree_if_it_is_projective)
{
    static const int64_t counts[] = {0, 1, 3, 16, 125, 1296};
    int64_t head[LENGTH_MAX];
    for (int64_t length = 1; length <= 5; length++) {
        int64_t all = 1, trees = 0;
        for (int64_t word = 0; word < length; word++)
            all *= length + 1;
        for (int64_t number = 0; number < all; number++) {
            int64_t rest = number;
            bool is_tree = true;
            for (int64_t word = 0; word < length; word++, rest /= length + 1)
                head[word] = rest % (length + 1) - 1;
            for (int64_t word = 0; word < length; word++) {
                int64_t above = head[word];
                for (int64_t steps = 0; above != ISA_ROOT && steps < length; steps++)
                    above = head[above];
                is_tree &= above == ISA_ROOT;
            }
            if (is_tree)
                check_tree(head, length);
            trees += is_tree;
        }
        ck_assert_int_eq(trees, counts[length]); /* Cayley's formula */
    }
}
END_TEST

/* A walk of legal transitions makes a projective tree, whatever they are. */
START_TEST(walks_of_legal_transitions_make_trees)
{
    int64_t stack[LENGTH_MAX], head[LENGTH_MAX];
    state_of_draws = 1;
    for (unsigned i = 0; i < test_part(20000, 3000); i++) {
        const enum isa_transition_system system = i % 2 ? ISA_ARC_EAGER : ISA_ARC_HYBRID;
        const int64_t length = 1 + draw(LENGTH_MAX);
        int64_t count = 0;
        struct isa_configuration c;
        isa_configuration_begin(&c, system, length, stack, head);
        for (; !isa_configuration_is_final(&c); count++) {
            enum isa_transition legal[ISA_TRANSITIONS];
            int legals = 0;
            for (int t = 0; t < ISA_TRANSITIONS; t++)
                if (isa_transition_is_legal(&c, (enum isa_transition)t))
                    legal[legals++] = (enum isa_transition)t;
            if (legals == 0)
                ck_abort_msg("no transition is legal");
            isa_transition_apply(&c, legal[draw(legals)]);
        }
        ck_assert_int_eq(count, 2 * length);
        ck_assert(is_projective(head, length));
        check_tree(head, length);
    }
}
END_TEST

START_TEST(trees_may_be_long)
{
    enum { LONG = 100000 };
    int64_t *numbers = lib_mem_new(6 * LONG * sizeof *numbers), *head = numbers;
    for (int64_t word = 0; word < LONG; word++)
        head[word] = word + 1 < LONG ? LONG - 1 : ISA_ROOT;
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++)
        ck_assert_int_eq(isa_transitions_find((enum isa_transition_system)system, head,
                                              LONG, numbers + LONG, numbers + 3 * LONG),
                         LONG - 1);
    lib_mem_free(numbers);
}
END_TEST

START_TEST(transitions_have_effects)
{
    ck_assert_int_eq(ISA_PUSH, 1);
    ck_assert_int_eq(ISA_POP, -1);
    ck_assert_int_eq(ISA_HOLD, 0);
}
END_TEST

static void start(void)
{
    diags = (struct lib_diags){0};
}

static void finish(void)
{
    ck_assert_uint_eq(diags.count, 0);
}

int main(void)
{
    TCase *tcase = tcase_create("conllu");
    tcase_add_checked_fixture(tcase, start, finish);
    tcase_add_test(tcase, sentences_are_read);
    tcase_add_test(tcase, ranges_and_empty_nodes_are_skipped);
    tcase_add_test(tcase, heads_are_words_of_the_file);
    tcase_add_test(tcase, forms_are_numbered_from_what_is_not_held_out);
    tcase_add_test(tcase, mistakes_have_their_place);
    tcase_add_test(tcase, transitions_make_the_tree_if_it_is_projective);
    tcase_add_test(tcase, walks_of_legal_transitions_make_trees);
    tcase_add_test(tcase, trees_may_be_long);
    tcase_add_test(tcase, transitions_have_effects);
    return test_main("conllu", tcase);
}
