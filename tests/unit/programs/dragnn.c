/* The DRAGNN host without networks: oracles, features, links and beams. */
#include "tests/unit/dragnn.h"

#include "isa/tensor/files/transitions.h"

#include <math.h>

/* --- oracles ---------------------------------------------------------------------------- */

/* What the oracles predict is what the file says; ranges and comments stay. */
START_TEST(test_oracle)
{
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    struct dragnn_session *session = begin_session(pool, dogs);
    char *text;
    begin_component(session, "tagger", 1);
    finish_by_oracle(session, "tagger");
    begin_component(session, "parser", 1);
    finish_by_oracle(session, "parser");
    ck_assert(dragnn_get_serialized_predictions(session, &text, &error));
    ck_assert_str_eq(text, "# a comment\n"
                           "1\tOld\told\tADJ\t_\t_\t2\tdep\t_\t_\n"
                           "2-3\tdogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "2\tdogs\tdog\tNOUN\t_\t_\t3\tdep\t_\t_\n"
                           "3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
                           "4\tloudly\tloudly\tADV\t_\t_\t3\tdep\t_\t_\n"
                           "\n");
    free(text);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* Draws a number from 0 to 32767. */
static int draw(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return (int)(*seed >> 16 & 32767);
}

/* Draws heads of a random tree, often a projective one. */
static void draw_tree(int64_t *head, int length, unsigned *seed)
{
    const int root = draw(seed) % length;
    for (int i = 0; i < length; i++)
        head[i] = i == root ? ISA_ROOT : i < root ? i + 1 : i - 1;
    for (int tries = draw(seed) % 4; tries > 0; tries--) {
        const int child = draw(seed) % length, parent = draw(seed) % length;
        int64_t above = parent;
        while (above != ISA_ROOT && above != child)
            above = head[above];
        if (child != root && above == ISA_ROOT)
            head[child] = parent;
    }
}

/* Finds the oracle's transitions of a tree; returns -1 if it has none. */
static int find_transitions(const int64_t *head, int length, int64_t *transitions)
{
    struct dragnn_token tokens[12];
    for (int i = 0; i < length; i++)
        tokens[i] = (struct dragnn_token){.gold_head = (int)head[i]};
    const struct dragnn_sentence sentence = {length, tokens, NULL};
    struct dragnn_state *state = dragnn_state_new(&dragnn_arc_hybrid, &sentence);
    int count = 0;
    while (count >= 0 && !dragnn_arc_hybrid.is_final(state)) {
        const int action = dragnn_arc_hybrid.find_oracle(state);
        if (action == DRAGNN_NONE)
            count = -1;
        else
            transitions[count++] = action;
        if (count >= 0)
            dragnn_state_advance(state, &dragnn_arc_hybrid, action, 0);
    }
    dragnn_state_free(state);
    return count;
}

/* The oracle of arc-hybrid is that of conllu() of the language. */
START_TEST(test_same_oracle)
{
    int64_t head[12], expected[24], found[24], memory[36];
    unsigned seed = 1, projective = 0, others = 0;
    for (int i = 0; i < 20000; i++) {
        const int length = 1 + draw(&seed) % 12;
        draw_tree(head, length, &seed);
        const int64_t height = isa_transitions_find(ISA_ARC_HYBRID, head, length,
                                                    expected, memory);
        const int count = find_transitions(head, length, found);
        ck_assert_int_eq(count, height < 0 ? -1 : 2 * length);
        if (height >= 0)
            ck_assert_mem_eq(found, expected, (size_t)count * sizeof *found);
        *(height < 0 ? &others : &projective) += 1;
    }
    ck_assert_uint_gt(projective, 1000);
    ck_assert_uint_gt(others, 1000);
}
END_TEST

/* --- features --------------------------------------------------------------------------- */

struct numbers {
    int count;
    int32_t indices[256];
    int64_t ids[256];
    double weights[256];
    char text[1024]; /* of bulk extraction */
};

static int32_t *give_indices(void *context, int count)
{
    ((struct numbers *)context)->count = count;
    return ((struct numbers *)context)->indices;
}

static int64_t *give_ids(void *context, int count)
{
    ck_assert_int_le(count, 256);
    return ((struct numbers *)context)->ids;
}

static double *give_weights(void *context, int count)
{
    ck_assert_int_le(count, 256);
    return ((struct numbers *)context)->weights;
}

/* Appends the features of a step to the text. */
static bool take_features(void *context, int step, int channel, int count)
{
    struct numbers *numbers = context;
    char *end = numbers->text + strlen(numbers->text);
    end += sprintf(end, "%d.%d:", step, channel);
    for (int i = 0; i < count; i++)
        end += sprintf(end, " %d", (int)numbers->ids[i]);
    strcpy(end, "\n");
    return true;
}

START_TEST(test_fixed_features)
{
    static struct numbers numbers;
    const struct dragnn_allocators allocators = {give_indices, give_ids, give_weights,
                                                 &numbers};
    const struct dragnn_extractor extractor = {allocators, take_features};
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    const char *texts[] = {
        dogs, "1\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsing\t_\t_\t_\t_\t_\t_\t_\t_"};
    struct dragnn_session *session = dragnn_get_session(pool);
    ck_assert(dragnn_set_input_data(session, texts, 2, &error));
    begin_component(session, "tagger", 3);
    ck_assert_int_eq(dragnn_get_input_features(session, "tagger", &allocators, 0, &error),
                     6);
    /* Rows 0 and 3 have a state: item 0 and 1, slot 0 of 3. Five is no word, and zero unknown. */
    ck_assert_int_eq(numbers.indices[0], 0);
    ck_assert_int_eq(numbers.indices[2], 2);
    ck_assert_int_eq(numbers.indices[3], 9);
    ck_assert_int_eq(numbers.indices[5], 11);
    ck_assert_int_eq(numbers.ids[0], 5);
    ck_assert_int_eq(numbers.ids[1], 1);
    ck_assert_int_eq(numbers.ids[2], 2);
    ck_assert_int_eq(numbers.ids[3], 5);
    ck_assert_int_eq(numbers.ids[4], 2);
    ck_assert_int_eq(numbers.ids[5], 0);
    ck_assert_double_eq(numbers.weights[5], 1);
    dragnn_return_session(pool, session);

    session = begin_session(pool, dogs);
    begin_component(session, "tagger", 1);
    ck_assert_int_eq(
        dragnn_bulk_get_input_features(session, "tagger", &extractor, &error), 4);
    ck_assert_str_eq(numbers.text, "0.0: 5 1 2\n1.0: 1 2 3\n2.0: 2 3 4\n3.0: 3 4 5\n");
    ck_assert(dragnn_finalize_data(session, "tagger", &error));
    begin_component(session, "parser", 1);
    *numbers.text = '\0';
    ck_assert_int_eq(
        dragnn_bulk_get_input_features(session, "parser", &extractor, &error), 8);
    /* Tags: 0 ADJ, 1 NOUN, 2 VERB, 3 ADV, 4 none. */
    ck_assert_str_eq(numbers.text, "0.0: 4 0\n1.0: 0 1\n2.0: 4 1\n3.0: 1 2\n"
                                   "4.0: 4 2\n5.0: 2 3\n6.0: 3 4\n7.0: 2 4\n");
    ck_assert_int_eq(dragnn_pool_made(pool), 1);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* Links of all channels of a component as text: steps, `-` where there is no data. */
static const char *write_links(const struct dragnn_session *session,
                               const char *component, int channels)
{
    static char text[256];
    struct dragnn_link links[8];
    char *end = text;
    for (int channel = 0; channel < channels; channel++) {
        const int count = dragnn_get_translated_link_features(session, component, channel,
                                                              links, 8, &error);
        for (int i = 0; i < count; i++) {
            if (links[i].step < 0)
                end += sprintf(end, "-");
            else
                end += sprintf(end, "%d", links[i].step);
            end += sprintf(end, i + 1 < count ? " " : channel + 1 < channels ? "; " : "");
        }
    }
    return text;
}

/* Old dogs bark loudly: SHIFT LEFT SHIFT LEFT SHIFT SHIFT RIGHT RIGHT. */
START_TEST(test_translators)
{
    static const char *const steps[] = {
        /* tokens; trees; arcs; heads; before */
        "- 0; - -; -; -; -", "0 1; 0 -; -; -; 0", "- 1; - 1; 1; 1; 1",
        "1 2; 2 -; -; 2; 2", /* dogs was shifted in step 2: heads follow it */
        "- 2; - 3; 3; 3; 3", "2 3; 4 -; -; 4; 4", "3 -; 5 -; -; 4; 5",
        "2 -; 6 -; -; 6; 6", /* bark has loudly since step 6 */
    };
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    struct dragnn_session *session = begin_session(pool, dogs);
    begin_component(session, "tagger", 1);
    ck_assert_str_eq(write_links(session, "tagger", 1), "-");
    ck_assert(dragnn_advance_from_oracle(session, "tagger", &error));
    ck_assert_str_eq(write_links(session, "tagger", 1), "0");
    finish_by_oracle(session, "tagger");
    begin_component(session, "parser", 1);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ck_assert_str_eq(write_links(session, "parser", 5), steps[i]);
        ck_assert(dragnn_advance_from_oracle(session, "parser", &error));
    }
    ck_assert_int_eq(dragnn_is_terminal(session, "parser", &error), 1);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* --- beams ------------------------------------------------------------------------------ */

/* The score of an action, from the actions before it: a network without one. */
static double draw_score(const int *actions, int count, int action)
{
    uint64_t z = 0x9e3779b97f4a7c15 * (uint64_t)(action + 1);
    for (int i = 0; i < count; i++)
        z = (z ^ (uint64_t)(actions[i] + 7)) * 0xbf58476d1ce4e5b9 ^ z >> 29;
    return -(double)(z * 0x94d049bb133111eb >> 40) / 1000;
}

/* The best score from a state on, by trying everything. */
static double search(const struct dragnn_system *system, const struct dragnn_state *state,
                     int actions)
{
    double best = -INFINITY;
    if (system->is_final(state))
        return state->score;
    for (int action = 0; action < actions; action++) {
        if (!system->is_legal(state, action))
            continue;
        struct dragnn_state *next = dragnn_state_clone(state);
        next->score += draw_score(state->actions, state->steps, action);
        dragnn_state_advance(next, system, action, 0);
        const double found = search(system, next, actions);
        best = found > best ? found : best;
        dragnn_state_free(next);
    }
    return best;
}

/* Scores for all rows of a component. */
static void score_rows(const struct dragnn_session *session, int c, double *scores,
                       int actions)
{
    const struct dragnn_beam *beam = &session->components[c].beams[0];
    for (int slot = 0; slot < beam->count; slot++)
        for (int action = 0; action < actions; action++)
            scores[slot * actions + action] = draw_score(
                beam->states[slot]->actions, beam->states[slot]->steps, action);
}

/* Checks that each link leads to a step in this state's own past: the actions of the state that was
 * in that slot are a prefix of this state's. ways[step][slot] has the actions before that step. */
static void check_ways(const struct dragnn_session *session, char ways[16][64][16])
{
    const struct dragnn_beam *beam = &session->components[1].beams[0];
    struct dragnn_link links[64];
    const int step = beam->states[0]->steps;
    const int count = dragnn_get_translated_link_features(session, "parser", 4, links, 64,
                                                          NULL);
    ck_assert_int_eq(count, beam->count);
    for (int slot = 0; slot < beam->count; slot++) {
        const struct dragnn_state *state = beam->states[slot];
        for (int i = 0; i < step; i++)
            ways[step][slot][i] = (char)('0' + state->actions[i]);
        ways[step][slot][step] = '\0';
        if (step == 0)
            continue;
        ck_assert_int_eq(links[slot].index, slot);
        ck_assert_int_eq(links[slot].step, step - 1);
        ck_assert_mem_eq(ways[step - 1][links[slot].beam], ways[step][slot],
                         (size_t)step - 1);
    }
}

START_TEST(test_beam)
{
    static char ways[16][64][16];
    double scores[64 * 4], best = 0, last = -INFINITY;
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    for (int beam = 1; beam <= 64; beam *= 2) {
        struct dragnn_session *session = begin_session(pool, dogs);
        begin_component(session, "tagger", 1);
        finish_by_oracle(session, "tagger");
        begin_component(session, "parser", beam);
        best = search(&dragnn_arc_hybrid, session->components[1].beams[0].states[0], 3);
        while (!dragnn_is_terminal(session, "parser", NULL)) {
            check_ways(session, ways);
            score_rows(session, 1, scores, 3);
            ck_assert_msg(dragnn_advance_from_prediction(session, "parser", scores,
                                                         3 * beam, &error),
                          "%s", error.text);
        }
        ck_assert_int_eq(dragnn_get_best(session, "parser", 0, NULL, 0, &last, &error),
                         8);
        ck_assert_double_le(last, best);
        dragnn_return_session(pool, session);
    }
    ck_assert_double_eq(last, best); /* 64 states are all */
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

/* States of the parser begin from those of the tagger's beam, with their scores, and links lead
 * to the rows of that state. */
START_TEST(test_beams_in_a_row)
{
    /* Rows of the tagger's slots; 4 tags. The first step has one state. */
    const double first[] = {-1, -2, -9, -9, 0, 0, 0, 0};
    const double later[] = {-5, -9, -9, -9, -1, -9, -9, -9};
    const double still[] = {0, -9, -9, -9, 0, -9, -9, -9};
    struct dragnn_link links[8];
    int actions[4];
    double score;
    struct dragnn_spec *spec = read_spec(parse_yaml);
    struct dragnn_pool *pool = dragnn_pool_new(spec);
    struct dragnn_session *session = begin_session(pool, dogs);
    begin_component(session, "tagger", 2);
    ck_assert(dragnn_advance_from_prediction(session, "tagger", first, 8, &error));
    for (int i = 0; i < 3; i++)
        ck_assert(dragnn_advance_from_prediction(session, "tagger", i ? still : later, 8,
                                                 &error));
    ck_assert_int_eq(dragnn_get_best(session, "tagger", 0, actions, 4, &score, &error),
                     4);
    ck_assert_int_eq(actions[0], 1); /* -2 - 1 beats -1 - 5 */
    ck_assert_double_eq(score, -3);
    ck_assert(dragnn_finalize_data(session, "tagger", &error));
    begin_component(session, "parser", 4);
    ck_assert_int_eq(session->components[1].beams[0].count, 2);
    ck_assert_int_eq(
        dragnn_get_translated_link_features(session, "parser", 0, links, 8, &error), 4);
    /* Feature 1 is token 0. Both states of the tagger were in slot 0 in step 0. */
    ck_assert_int_eq(links[1].step, 0);
    ck_assert_int_eq(links[1].beam, 0);
    ck_assert_int_eq(links[3].index, 3);
    ck_assert_double_eq(session->components[1].beams[0].states[0]->inherited, -3);
    ck_assert_double_eq(session->components[1].beams[0].states[1]->inherited, -6);
    dragnn_return_session(pool, session);
    dragnn_pool_free(pool);
    dragnn_spec_free(spec);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("dragnn");
    tcase_add_checked_fixture(tcase, begin_folder, end_folder);
    tcase_add_test(tcase, test_oracle);
    tcase_add_test(tcase, test_same_oracle);
    tcase_add_test(tcase, test_fixed_features);
    tcase_add_test(tcase, test_translators);
    tcase_add_test(tcase, test_beam);
    tcase_add_test(tcase, test_beams_in_a_row);
    return test_main("dragnn", tcase);
}
