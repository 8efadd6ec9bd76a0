/* The DRAGNN host and its callers: order of calls, threads, pools, specifications, sentences. */
#include "tests/unit/dragnn.h"

#include <math.h>
#include <pthread.h>

/* --- misuse ----------------------------------------------------------------------------- */

#define REFUSED(call, words)                                                             \
    do {                                                                                 \
        *error.text = '\0';                                                              \
        ck_assert(!(call));                                                              \
        ck_assert_msg(strstr(error.text, words), "%s", error.text);                      \
    } while (0)

START_TEST(test_order)
{
    const double scores[12] = {0};
    const struct dragnn_allocators none = {NULL, NULL, NULL, NULL};
    const char *text = dogs, *wrong = "1\tdogs\t_\n";
    char *written;
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    struct dragnn_session *session = dragnn_get_session(pool);
    REFUSED(dragnn_initialize_component_data(session, "tagger", 1, &error),
            "the session has no input; call dragnn_set_input_data first");
    REFUSED(dragnn_set_input_data(session, &wrong, 1, &error),
            "sentence 1 of the batch: expected 10 fields, separated by tabs; found 3");
    ck_assert_int_eq(error.line, 1);
    REFUSED(dragnn_set_input_data(session, &text, 0, &error),
            "expected 1 to 1048576 sentences");
    ck_assert(dragnn_set_input_data(session, &text, 1, &error));
    REFUSED(dragnn_set_input_data(session, &text, 1, &error), "has its input already");
    REFUSED(dragnn_initialize_component_data(session, "lexer", 1, &error),
            "unknown component `lexer`");
    REFUSED(dragnn_initialize_component_data(session, "tagger", 0, &error),
            "expected a beam of 1 to 1024 states; found 0");
    REFUSED(dragnn_initialize_component_data(session, "parser", 1, &error),
            "component `tagger`, before `parser`, is not finalized; call "
            "dragnn_finalize_data "
            "first");
    REFUSED(dragnn_advance_from_oracle(session, "tagger", &error),
            "component `tagger` is not initialized; call "
            "dragnn_initialize_component_data first");
    REFUSED(dragnn_is_terminal(session, "tagger", &error) >= 0, "not initialized");
    begin_component(session, "tagger", 1);
    REFUSED(dragnn_initialize_component_data(session, "tagger", 1, &error),
            "initialized already");
    REFUSED(dragnn_get_input_features(session, "tagger", &none, 1, &error) >= 0,
            "component `tagger` has 1 fixed channels; found number 1");
    REFUSED(dragnn_get_translated_link_features(session, "tagger", -1, NULL, 0, &error) >=
                0,
            "component `tagger` has 1 linked channels; found number -1");
    REFUSED(dragnn_advance_from_prediction(session, "tagger", scores, 12, &error),
            "expected 4 scores, 1 items x 1 states x 4 actions; found 12");
    REFUSED(dragnn_finalize_data(session, "tagger", &error),
            "component `tagger` is not terminal");
    REFUSED(dragnn_get_serialized_predictions(session, &written, &error),
            "component `tagger` is not finalized");
    for (int i = 0; i < 4; i++)
        ck_assert(dragnn_advance_from_prediction(session, "tagger", scores, 4, &error));
    REFUSED(dragnn_advance_from_oracle(session, "tagger", &error),
            "component `tagger` is terminal; call dragnn_finalize_data");
    ck_assert(dragnn_finalize_data(session, "tagger", &error));
    REFUSED(dragnn_finalize_data(session, "tagger", &error), "finalized already");
    REFUSED(dragnn_get_input_features(session, "tagger", &none, 0, &error) >= 0,
            "finalized already");
    begin_component(session, "parser", 1);
    finish_by_oracle(session, "parser");
    ck_assert(dragnn_get_serialized_predictions(session, &written, &error));
    free(written);
    REFUSED(dragnn_get_serialized_predictions(session, &written, &error),
            "the predictions were serialized; return the session");
    REFUSED(dragnn_set_input_data(session, &text, 1, &error), "return the session");
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* Oracles and scores that cannot be followed change nothing. */
START_TEST(test_no_oracle)
{
    const double scores[4] = {0, NAN, 0, 0};
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    struct dragnn_session *session = begin_session(
        pool, "1\tdogs\t_\tPART\t_\t_\t_\t_\t_\t_\n");
    begin_component(session, "tagger", 1);
    REFUSED(dragnn_advance_from_oracle(session, "tagger", &error),
            "sentence 1 of the batch has no oracle of component `tagger` in step 0");
    REFUSED(dragnn_advance_from_prediction(session, "tagger", scores, 4, &error),
            "the score of action 1 in row 0 is nan or inf");
    ck_assert_int_eq(dragnn_is_terminal(session, "tagger", &error), 0);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

static bool is_never_legal(const struct dragnn_state *state, int action)
{
    (void)state, (void)action;
    return false;
}

/* Systems that are wrong are refused: without a legal action, and without room for transitions. */
START_TEST(test_wrong_systems)
{
    const double scores[4] = {0};
    struct dragnn_system wrong = dragnn_tagger;
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    spec->components[0].system = &wrong;
    if (_i == 0)
        wrong.is_legal = is_never_legal;
    else
        wrong.steps_per_token = 0;
    struct dragnn_session *session = begin_session(
        pool, "1\tdogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n");
    begin_component(session, "tagger", 1);
    REFUSED(dragnn_advance_from_prediction(session, "tagger", scores, 4, &error),
            _i == 0 ? "no state of system `tagger` has a legal action for item 0"
                    : "is not final after 0 transitions");
    ck_assert_int_eq(dragnn_is_terminal(session, "tagger", &error), 0);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* Calls from within an allocator are those of another thread at that time. */
static struct dragnn_session *shared;

static int64_t *use_session(void *context, int count)
{
    (void)count;
    if (*(int *)context == 0) {
        ck_assert_int_eq(dragnn_is_terminal(shared, "tagger", &error), 0);
        REFUSED(dragnn_advance_from_oracle(shared, "tagger", &error),
                "dragnn_advance_from_oracle: another thread uses the session");
    } else {
        REFUSED(dragnn_is_terminal(shared, "tagger", &error) >= 0,
                "dragnn_is_terminal: another thread changes the session");
    }
    return NULL;
}

START_TEST(test_threads)
{
    static int is_bulk;
    const struct dragnn_allocators allocators = {NULL, use_session, NULL, &is_bulk};
    const struct dragnn_extractor extractor = {allocators, NULL};
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    shared = begin_session(pool, dogs);
    begin_component(shared, "tagger", 1);
    ck_assert_int_eq(dragnn_get_input_features(shared, "tagger", &allocators, 0, &error),
                     3);
    is_bulk = 1;
    ck_assert_int_eq(dragnn_bulk_get_input_features(shared, "tagger", &extractor, &error),
                     4);
    ck_assert(dragnn_finalize_data(shared, "tagger", &error));
    dragnn_return_session(pool, shared);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

static void *use_pool(void *pool)
{
    for (int i = 0; i < 200; i++) {
        struct dragnn_session *session = dragnn_get_session(pool);
        const char *text = dogs;
        char *written = NULL;
        if (!dragnn_set_input_data(session, &text, 1, NULL))
            return (void *)"no input";
        for (int c = 0; c < 2; c++) {
            const char *component = c ? "parser" : "tagger";
            dragnn_initialize_component_data(session, component, 2, NULL);
            while (dragnn_is_terminal(session, component, NULL) == 0)
                dragnn_advance_from_oracle(session, component, NULL);
            dragnn_finalize_data(session, component, NULL);
        }
        if (i % 3 && !dragnn_get_serialized_predictions(session, &written, NULL))
            return (void *)"no output";
        free(written);
        dragnn_return_session(pool, session);
    }
    return NULL;
}

START_TEST(test_pool)
{
    pthread_t threads[8];
    void *fault;
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_pool, pool), 0);
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &fault);
        ck_assert_msg(!fault, "%s", (const char *)fault);
    }
    ck_assert_int_ge(dragnn_pool_made(pool), 1);
    ck_assert_int_le(dragnn_pool_made(pool), 8);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* --- specifications and sentences ------------------------------------------------------- */

#define HEAD "lexicon: {file: dogs.conllu}\n"
#define ONE HEAD "components:\n  - name: a\n    system: tagger\n"

START_TEST(test_specifications)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a: [", "flow sequence without a closing bracket"},
        {"[a]", "expected a mapping with the key `lexicon`"},
        {HEAD, "1:1: missing key `components`"},
        {"components: []\n", "missing key `lexicon`"},
        {"lexicon: {file: dogs.conllu}\nwords: 3\n", "2:1: unknown key `words`"},
        {"lexicon: {file: cats.conllu}\ncomponents:\n  - {name: a, system: tagger}\n",
         "1:17: cannot open"},
        {HEAD "components: []\n", "expected a list of components"},
        {HEAD "components:\n  - system: tagger\n", "3:5: missing key `name`"},
        {HEAD "components:\n  - {name: a, system: lexer}\n",
         "3:23: unknown system `lexer`"},
        {ONE "    beam: 0\n", "5:11: expected an int from 1 to 1024; found `0`"},
        {ONE "  - name: a\n    system: tagger\n", "5:11: duplicate component `a`"},
        {ONE "    fixed: [{name: w, features: [input.word]}]\n",
         "5:34: expected a feature such as `input(0).word`; found `input.word`"},
        {ONE "    fixed: [{name: w, features: [stack(0).word]}]\n",
         "5:34: unknown place `stack` in `stack(0).word` of system tagger"},
        {ONE "    fixed: [{name: w, features: [input(0).lemma]}]\n",
         "5:34: unknown attribute `lemma` in `input(0).lemma` of system tagger"},
        {ONE "    fixed: [{name: w, features: [input(x).word]}]\n",
         "5:34: expected a number from -1000000 to 1000000 and `)` in `input(x).word`"},
        {ONE "    linked: [{name: w, source: a, translator: identity, features: "
             "[input(0).word]}]\n",
         "a linked feature has no attribute; found `input(0).word`"},
        {ONE "    linked: [{name: w, source: b, translator: identity, features: "
             "[input(0)]}]\n",
         "5:32: expected this component or one before it; found `b`"},
        {ONE "    linked: [{name: w, source: a, translator: reduce-step, features: "
             "[input(0)]}]\n",
         "5:47: unknown translator `reduce-step` of system tagger"},
        {ONE
         "    linked: [{name: w, source: a, translator: identity, as: link, features: "
         "[input(0)]}]\n",
         "5:61: expected `row` or `number`"},
        {ONE
         "  - name: b\n    system: tagger\n"
         "    linked: [{name: w, source: a, translator: identity, as: number, features: "
         "[input(0)]}]\n",
         "numbers of rows are those of this component; found `a`"},
        {ONE "    network: [two.df]\n", "5:15: cannot open"},
        {ONE "hyperparameters: {m: 3x}\n", "expected a number; found `3x`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[sizeof error.text + 32];
        struct dragnn_spec *spec = dragnn_spec_read(
            write_file("spec.yaml", cases[i].text), &error);
        ck_assert_msg(spec == NULL, "%s", cases[i].text);
        snprintf(found, sizeof found, "%d:%d: %s", error.line, error.column, error.text);
        ck_assert_msg(strstr(found, cases[i].expected), "%s\n%s", cases[i].text, found);
    }
}
END_TEST

/* A note of a component is added to MISC. */
START_TEST(test_notes)
{
    static const char text[] = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n"
                               "2\tb\t_\t_\t_\t_\t1\t_\t_\tSpaceAfter=No\n";
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_sentence *sentence = dragnn_sentence_read(text, spec->lexicon, &error);
    ck_assert_ptr_nonnull(sentence);
    sentence->tokens[0].note = "Chunk=B";
    sentence->tokens[1].note = "Chunk=I";
    char *written = dragnn_sentence_write(sentence, spec->lexicon);
    ck_assert_str_eq(written, "1\ta\t_\t_\t_\t_\t0\t_\t_\tChunk=B\n"
                              "2\tb\t_\t_\t_\t_\t1\t_\t_\tSpaceAfter=No|Chunk=I\n\n");
    free(written);
    dragnn_sentence_free(sentence);
    dragnn_spec_free(spec);
}
END_TEST

START_TEST(test_sentences)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "1:1: the sentence has no word"},
        {"1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n", "1:1: expected a head from 0 to 1; found 2"},
        {"# x\n2\ta\t_\t_\t_\t_\t0\t_\t_\t_\n", "2:1: expected the ID 1; found `2`"},
        {"1\t\t_\t_\t_\t_\t0\t_\t_\t_\n", "1:3: expected a form; found ``"},
        {"1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n",
         "1:13: expected the ID of the head, or 0, or `_`"},
        {"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n",
         "3:1: expected one sentence; found another one"},
    };
    struct dragnn_spec *spec = read_spec(parse_yaml);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[sizeof error.text + 32];
        ck_assert_ptr_null(dragnn_sentence_read(cases[i].text, spec->lexicon, &error));
        snprintf(found, sizeof found, "%d:%d: %s", error.line, error.column, error.text);
        ck_assert_msg(strstr(found, cases[i].expected), "%s", found);
    }
    dragnn_spec_free(spec);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("dragnn_calls");
    tcase_add_checked_fixture(tcase, begin_folder, end_folder);
    tcase_add_test(tcase, test_order);
    tcase_add_test(tcase, test_no_oracle);
    tcase_add_loop_test(tcase, test_wrong_systems, 0, 2);
    tcase_add_test(tcase, test_threads);
    tcase_add_test(tcase, test_pool);
    tcase_add_test(tcase, test_specifications);
    tcase_add_test(tcase, test_notes);
    tcase_add_test(tcase, test_sentences);
    return test_main("dragnn_calls", tcase);
}
