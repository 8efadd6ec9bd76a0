#include "programs/dragnn/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dragnn_session *dragnn_session_new(const struct dragnn_spec *spec)
{
    struct dragnn_session *session = dragnn_new(sizeof *session);
    session->spec = spec;
    session->components = dragnn_new((size_t)spec->count * sizeof *session->components);
    session->users = dragnn_new(sizeof *session->users);
    session->runs = dragnn_new((size_t)spec->count * sizeof *session->runs);
    return session;
}

void dragnn_session_reset(struct dragnn_session *session)
{
    for (int c = 0; c < session->spec->count; c++) {
        struct dragnn_component *component = &session->components[c];
        for (int item = 0; component->beams && item < session->batch; item++)
            dragnn_beam_free(&component->beams[item]);
        free(component->beams);
        *component = (struct dragnn_component){.stage = DRAGNN_EMPTY};
    }
    for (int item = 0; item < session->batch; item++)
        dragnn_sentence_free(session->sentences[item]);
    free(session->sentences);
    session->sentences = NULL;
    session->batch = 0;
    session->is_done = false;
}

void dragnn_session_free_runs(struct dragnn_session *session)
{
    for (int c = 0; c < session->spec->count; c++) {
        if (session->runs[c])
            session->free_run(session->runs[c]);
        session->runs[c] = NULL;
    }
}

void dragnn_session_free(struct dragnn_session *session)
{
    if (!session)
        return;
    dragnn_session_reset(session);
    dragnn_session_free_runs(session);
    free(session->runs);
    free(session->components);
    free(session->users);
    free(session);
}

/* --- who may call what, and when -------------------------------------------------------- */

/* Begins a call that reads a session; several threads may do so at once. */
static bool enter_read(const struct dragnn_session *session, const char *call,
                       struct dragnn_error *error)
{
    int users = atomic_load(session->users);
    do {
        if (users < 0)
            return dragnn_fail(error, "%s: another thread changes the session", call);
    } while (!atomic_compare_exchange_weak(session->users, &users, users + 1));
    return true;
}

/* Begins a call that changes a session, which no other call may use. */
static bool enter_change(struct dragnn_session *session, const char *call,
                         struct dragnn_error *error)
{
    int users = 0;
    return atomic_compare_exchange_strong(session->users, &users, -1) ||
           dragnn_fail(error, "%s: another thread uses the session", call);
}

static void leave_read(const struct dragnn_session *session)
{
    atomic_fetch_sub(session->users, 1);
}

static void leave_change(struct dragnn_session *session)
{
    atomic_store(session->users, 0);
}

static int find_component(const struct dragnn_session *session, const char *name)
{
    for (int c = 0; name && c < session->spec->count; c++)
        if (strcmp(session->spec->components[c].name, name) == 0)
            return c;
    return -1;
}

/* Finds a component that a call may extract from or advance. Returns -1 with an error otherwise. */
static int find_running(const struct dragnn_session *session, const char *name,
                        const char *call, struct dragnn_error *error)
{
    const int c = find_component(session, name);
    if (c < 0)
        dragnn_fail(error, "%s: unknown component `%s`", call, name ? name : "NULL");
    else if (session->is_done)
        dragnn_fail(error, "%s: the predictions were serialized; return the session",
                    call);
    else if (session->components[c].stage == DRAGNN_EMPTY)
        dragnn_fail(error,
                    "%s: component `%s` is not initialized; call "
                    "dragnn_initialize_component_data first",
                    call, name);
    else if (session->components[c].stage == DRAGNN_FINALIZED)
        dragnn_fail(error, "%s: component `%s` is finalized already", call, name);
    else
        return c;
    return -1;
}

static bool is_terminal(const struct dragnn_session *session, int c)
{
    for (int item = 0; item < session->batch; item++)
        if (!dragnn_beam_is_terminal(&session->components[c].beams[item]))
            return false;
    return true;
}

/* --- input ------------------------------------------------------------------------------ */

static bool read_batch(struct dragnn_session *session, const char *const *texts,
                       int count, struct dragnn_error *error)
{
    struct dragnn_error found = {.line = 0};
    if (session->is_done)
        return dragnn_fail(
            error,
            "dragnn_set_input_data: the predictions were serialized; return the session");
    if (session->batch > 0)
        return dragnn_fail(error,
                           "dragnn_set_input_data: the session has its input already");
    if (count < 1 || count > 1 << 20 || !texts)
        return dragnn_fail(error,
                           "dragnn_set_input_data: expected 1 to %d sentences; found %d",
                           1 << 20, count);
    session->sentences = dragnn_new((size_t)count * sizeof *session->sentences);
    for (session->batch = 0; session->batch < count; session->batch++) {
        struct dragnn_sentence *sentence = dragnn_sentence_read(
            texts[session->batch], session->spec->lexicon, &found);
        if (!sentence) {
            dragnn_fail_at(error, found.line, found.column,
                           "sentence %d of the batch: %s", session->batch + 1,
                           found.text);
            dragnn_session_reset(session);
            return false;
        }
        session->sentences[session->batch] = sentence;
    }
    return true;
}

bool dragnn_set_input_data(struct dragnn_session *session, const char *const *texts,
                           int count, struct dragnn_error *error)
{
    if (!enter_change(session, "dragnn_set_input_data", error))
        return false;
    const bool is_good = read_batch(session, texts, count, error);
    leave_change(session);
    return is_good;
}

static bool begin_component(struct dragnn_session *session, const char *name,
                            int max_beam, struct dragnn_error *error)
{
    static const char call[] = "dragnn_initialize_component_data";
    const int c = find_component(session, name);
    if (c < 0)
        return dragnn_fail(error, "%s: unknown component `%s`", call,
                           name ? name : "NULL");
    if (session->is_done)
        return dragnn_fail(
            error, "%s: the predictions were serialized; return the session", call);
    if (session->batch == 0)
        return dragnn_fail(
            error, "%s: the session has no input; call dragnn_set_input_data first",
            call);
    if (max_beam < 1 || max_beam > 1024)
        return dragnn_fail(error, "%s: expected a beam of 1 to 1024 states; found %d",
                           call, max_beam);
    if (session->components[c].stage != DRAGNN_EMPTY)
        return dragnn_fail(error, "%s: component `%s` is initialized already", call,
                           name);
    if (c > 0 && session->components[c - 1].stage != DRAGNN_FINALIZED)
        return dragnn_fail(error,
                           "%s: component `%s`, before `%s`, is not finalized; call "
                           "dragnn_finalize_data first",
                           call, session->spec->components[c - 1].name, name);
    struct dragnn_component *component = &session->components[c];
    component->stage = DRAGNN_INITIALIZED;
    component->max_beam = max_beam;
    component->beams = dragnn_new((size_t)session->batch * sizeof *component->beams);
    for (int item = 0; item < session->batch; item++)
        dragnn_beam_begin(&component->beams[item], session->spec->components[c].system,
                          session->sentences[item], max_beam,
                          c > 0 ? &session->components[c - 1].beams[item] : NULL);
    return true;
}

bool dragnn_initialize_component_data(struct dragnn_session *session,
                                      const char *component, int max_beam,
                                      struct dragnn_error *error)
{
    if (!enter_change(session, "dragnn_initialize_component_data", error))
        return false;
    const bool is_good = begin_component(session, component, max_beam, error);
    leave_change(session);
    return is_good;
}

int dragnn_batch_size(const struct dragnn_session *session)
{
    return session->batch > 0 ? session->batch : -1;
}

int dragnn_action_count(const struct dragnn_session *session, const char *component)
{
    const int c = find_component(session, component);
    return c < 0 ? -1
                 : session->spec->components[c].system->count_actions(
                       session->spec->lexicon);
}

/* --- features --------------------------------------------------------------------------- */

/* Rows to be computed in the next step, in order. */
struct rows {
    const struct dragnn_session *session;
    int component, item, slot;
    int row;
    const struct dragnn_state *state;
};

/* Moves to the next row with a state that is not final. Returns false after the last one. */
static bool next_row(struct rows *rows)
{
    const struct dragnn_component *component =
        &rows->session->components[rows->component];
    for (; rows->item < rows->session->batch; rows->item++, rows->slot = 0) {
        const struct dragnn_beam *beam = &component->beams[rows->item];
        while (rows->slot < beam->count) {
            rows->state = beam->states[rows->slot];
            rows->row = rows->item * component->max_beam + rows->slot;
            rows->slot++;
            if (!beam->system->is_final(rows->state))
                return true;
        }
    }
    return false;
}

static int count_rows(const struct dragnn_session *session, int c)
{
    struct rows rows = {.session = session, .component = c};
    int count = 0;
    while (next_row(&rows))
        count++;
    return count;
}

static int extract_fixed(const struct dragnn_session *session, int c, int number,
                         const struct dragnn_allocators *allocators)
{
    const struct dragnn_channel *channel = &session->spec->components[c].fixed[number];
    const int count = channel->count * count_rows(session, c);
    void *context = allocators->context;
    int32_t *indices = allocators->indices ? allocators->indices(context, count) : NULL;
    int64_t *ids = allocators->ids ? allocators->ids(context, count) : NULL;
    double *weights = allocators->weights ? allocators->weights(context, count) : NULL;
    struct rows rows = {.session = session, .component = c};
    for (int at = 0; next_row(&rows);)
        for (int f = 0; f < channel->count; f++, at++) {
            const struct dragnn_feature *feature = &channel->features[f];
            const int token = feature->find(rows.state, feature->offset);
            if (indices)
                indices[at] = rows.row * channel->count + f;
            if (ids)
                ids[at] = feature->get(rows.state, token, session->spec->lexicon);
            if (weights)
                weights[at] = 1;
        }
    return count;
}

int dragnn_get_input_features(const struct dragnn_session *session, const char *component,
                              const struct dragnn_allocators *allocators, int channel,
                              struct dragnn_error *error)
{
    static const char call[] = "dragnn_get_input_features";
    if (!enter_read(session, call, error))
        return -1;
    const int c = find_running(session, component, call, error);
    int count = -1;
    if (c >= 0 && (channel < 0 || channel >= session->spec->components[c].fixed_count))
        dragnn_fail(error, "%s: component `%s` has %d fixed channels; found number %d",
                    call, component, session->spec->components[c].fixed_count, channel);
    else if (c >= 0)
        count = extract_fixed(session, c, channel, allocators);
    leave_read(session);
    return count;
}

/* Follows a state back to the final state of an earlier component from which it began. */
static const struct dragnn_state *find_source(const struct dragnn_session *session, int c,
                                              int item, const struct dragnn_state *state,
                                              int source)
{
    for (; c > source; c--)
        state = session->components[c - 1].beams[item].states[state->source];
    return state;
}

static void translate(const struct dragnn_session *session, const struct rows *rows,
                      const struct dragnn_channel *channel, struct dragnn_link *link)
{
    const int item = rows->row / session->components[rows->component].max_beam;
    const struct dragnn_state *state = find_source(session, rows->component, item,
                                                   rows->state, channel->source);
    link->batch = item;
    link->step = channel->translator->find_step(state, link->value);
    link->beam = 0;
    if (link->step < 0 || link->step >= state->steps)
        link->step = DRAGNN_NONE;
    else
        link->beam = state->slots[link->step];
}

static int extract_linked(const struct dragnn_session *session, int c, int number,
                          struct dragnn_link *links, int room)
{
    const struct dragnn_channel *channel = &session->spec->components[c].linked[number];
    struct rows rows = {.session = session, .component = c};
    int at = 0;
    while (next_row(&rows))
        for (int f = 0; f < channel->count; f++, at++) {
            const struct dragnn_feature *feature = &channel->features[f];
            struct dragnn_link link = {
                .index = rows.row * channel->count + f,
                .value = feature->find(rows.state, feature->offset)};
            translate(session, &rows, channel, &link);
            if (links && at < room)
                links[at] = link;
        }
    return at;
}

int dragnn_get_translated_link_features(const struct dragnn_session *session,
                                        const char *component, int channel,
                                        struct dragnn_link *links, int room,
                                        struct dragnn_error *error)
{
    static const char call[] = "dragnn_get_translated_link_features";
    if (!enter_read(session, call, error))
        return -1;
    const int c = find_running(session, component, call, error);
    int count = -1;
    if (c >= 0 && (channel < 0 || channel >= session->spec->components[c].linked_count))
        dragnn_fail(error, "%s: component `%s` has %d linked channels; found number %d",
                    call, component, session->spec->components[c].linked_count, channel);
    else if (c >= 0)
        count = extract_linked(session, c, channel, links, room);
    leave_read(session);
    return count;
}

/* --- advancing -------------------------------------------------------------------------- */

static bool check_not_terminal(const struct dragnn_session *session, int c,
                               const char *call, struct dragnn_error *error)
{
    return !is_terminal(session, c) ||
           dragnn_fail(error, "%s: component `%s` is terminal; call dragnn_finalize_data",
                       call, session->spec->components[c].name);
}

/* Whether all states that are not final have an oracle; else adds an error. */
static bool check_oracles(const struct dragnn_session *session, int c, const char *call,
                          struct dragnn_error *error)
{
    const struct dragnn_system *system = session->spec->components[c].system;
    struct rows rows = {.session = session, .component = c};
    while (next_row(&rows))
        if (system->find_oracle(rows.state) == DRAGNN_NONE)
            return dragnn_fail(
                error,
                "%s: sentence %d of the batch has no oracle of component `%s` in step %d",
                call, rows.row / session->components[c].max_beam + 1,
                session->spec->components[c].name, rows.state->steps);
    return true;
}

/* Whether each state that is not final has a transition left; else adds an error, as the system
 * is faulty. */
static bool check_steps(const struct dragnn_session *session, int c, const char *call,
                        struct dragnn_error *error)
{
    const struct dragnn_system *system = session->spec->components[c].system;
    struct rows rows = {.session = session, .component = c};
    while (next_row(&rows)) {
        const int most = system->steps_per_token * rows.state->sentence->length;
        if (rows.state->steps >= most)
            return dragnn_fail(error,
                               "%s: a state of system `%s` is not final after %d "
                               "transitions, which steps_per_token = %d allows",
                               call, system->name, most, system->steps_per_token);
    }
    return true;
}

static bool has_legal_action(const struct dragnn_system *system,
                             const struct dragnn_state *state, int actions)
{
    for (int action = 0; action < actions; action++)
        if (system->is_legal(state, action))
            return true;
    return false;
}

/* Whether each beam has a state that can be advanced; else adds an error, as the system is
 * faulty. */
static bool check_legal(const struct dragnn_session *session, int c, int actions,
                        const char *call, struct dragnn_error *error)
{
    const struct dragnn_system *system = session->spec->components[c].system;
    for (int item = 0; item < session->batch; item++) {
        const struct dragnn_beam *beam = &session->components[c].beams[item];
        bool is_good = beam->count == 0;
        for (int slot = 0; slot < beam->count && !is_good; slot++)
            is_good = system->is_final(beam->states[slot]) ||
                      has_legal_action(system, beam->states[slot], actions);
        if (!is_good)
            return dragnn_fail(
                error,
                "%s: no state of system `%s` has a legal action for item %d of the batch",
                call, system->name, item);
    }
    return true;
}

static bool advance_by_oracle(struct dragnn_session *session, int c, const char *call,
                              struct dragnn_error *error)
{
    if (!check_not_terminal(session, c, call, error) ||
        !check_steps(session, c, call, error) || !check_oracles(session, c, call, error))
        return false;
    for (int item = 0; item < session->batch; item++)
        dragnn_beam_advance_by_oracle(&session->components[c].beams[item]);
    return true;
}

bool dragnn_advance_from_oracle(struct dragnn_session *session, const char *component,
                                struct dragnn_error *error)
{
    static const char call[] = "dragnn_advance_from_oracle";
    if (!enter_change(session, call, error))
        return false;
    const int c = find_running(session, component, call, error);
    const bool is_good = c >= 0 && advance_by_oracle(session, c, call, error);
    leave_change(session);
    return is_good;
}

static int extract_all(struct dragnn_session *session, int c,
                       const struct dragnn_extractor *extractor, const char *call,
                       struct dragnn_error *error)
{
    int step = 0;
    for (; !is_terminal(session, c); step++) {
        for (int channel = 0; channel < session->spec->components[c].fixed_count;
             channel++) {
            const int count = extract_fixed(session, c, channel, &extractor->allocators);
            if (extractor->take &&
                !extractor->take(extractor->allocators.context, step, channel, count)) {
                dragnn_fail(error, "%s: the extractor refused channel %d of step %d",
                            call, channel, step);
                return -1;
            }
        }
        if (!advance_by_oracle(session, c, call, error))
            return -1;
    }
    return step;
}

int dragnn_bulk_get_input_features(struct dragnn_session *session, const char *component,
                                   const struct dragnn_extractor *extractor,
                                   struct dragnn_error *error)
{
    static const char call[] = "dragnn_bulk_get_input_features";
    if (!enter_change(session, call, error))
        return -1;
    const int c = find_running(session, component, call, error);
    const int count = c >= 0 ? extract_all(session, c, extractor, call, error) : -1;
    leave_change(session);
    return count;
}

/* Whether the scores of all states are numbers or -inf; else adds an error. */
static bool check_scores(const struct dragnn_session *session, int c,
                         const double *scores, int actions, const char *call,
                         struct dragnn_error *error)
{
    struct rows rows = {.session = session, .component = c};
    while (next_row(&rows))
        for (int action = 0; action < actions; action++)
            if (!(scores[(size_t)rows.row * (size_t)actions + (size_t)action] < INFINITY))
                return dragnn_fail(error,
                                   "%s: the score of action %d in row %d is nan or inf",
                                   call, action, rows.row);
    return true;
}

static bool advance_by_scores(struct dragnn_session *session, int c, const double *scores,
                              int count, const char *call, struct dragnn_error *error)
{
    const struct dragnn_component *component = &session->components[c];
    const int actions = session->spec->components[c].system->count_actions(
        session->spec->lexicon);
    const size_t rows = (size_t)session->batch * (size_t)component->max_beam;
    if (!check_not_terminal(session, c, call, error))
        return false;
    if (!scores || count < 0 || (size_t)count != rows * (size_t)actions)
        return dragnn_fail(
            error, "%s: expected %zu scores, %d items x %d states x %d actions; found %d",
            call, rows * (size_t)actions, session->batch, component->max_beam, actions,
            count);
    if (!check_scores(session, c, scores, actions, call, error) ||
        !check_steps(session, c, call, error) ||
        !check_legal(session, c, actions, call, error))
        return false;
    for (int item = 0; item < session->batch; item++)
        if (!dragnn_beam_is_terminal(&component->beams[item]))
            dragnn_beam_advance_by_scores(
                &component->beams[item],
                scores + (size_t)item * (size_t)component->max_beam * (size_t)actions,
                actions);
    return true;
}

bool dragnn_advance_from_prediction(struct dragnn_session *session, const char *component,
                                    const double *scores, int count,
                                    struct dragnn_error *error)
{
    static const char call[] = "dragnn_advance_from_prediction";
    if (!enter_change(session, call, error))
        return false;
    const int c = find_running(session, component, call, error);
    const bool is_good = c >= 0 &&
                         advance_by_scores(session, c, scores, count, call, error);
    leave_change(session);
    return is_good;
}

int dragnn_is_terminal(const struct dragnn_session *session, const char *component,
                       struct dragnn_error *error)
{
    static const char call[] = "dragnn_is_terminal";
    if (!enter_read(session, call, error))
        return -1;
    const int c = find_running(session, component, call, error);
    const int answer = c < 0 ? -1 : is_terminal(session, c);
    leave_read(session);
    return answer;
}

/* --- output ----------------------------------------------------------------------------- */

static bool finalize(struct dragnn_session *session, int c, struct dragnn_error *error)
{
    if (!is_terminal(session, c))
        return dragnn_fail(error, "dragnn_finalize_data: component `%s` is not terminal",
                           session->spec->components[c].name);
    for (int item = 0; item < session->batch; item++)
        session->spec->components[c].system->write(
            session->components[c].beams[item].states[0], session->sentences[item]);
    session->components[c].stage = DRAGNN_FINALIZED;
    return true;
}

bool dragnn_finalize_data(struct dragnn_session *session, const char *component,
                          struct dragnn_error *error)
{
    static const char call[] = "dragnn_finalize_data";
    if (!enter_change(session, call, error))
        return false;
    const int c = find_running(session, component, call, error);
    const bool is_good = c >= 0 && finalize(session, c, error);
    leave_change(session);
    return is_good;
}

static bool serialize(struct dragnn_session *session, char **texts,
                      struct dragnn_error *error)
{
    static const char call[] = "dragnn_get_serialized_predictions";
    if (session->is_done)
        return dragnn_fail(
            error, "%s: the predictions were serialized; return the session", call);
    for (int c = 0; c < session->spec->count; c++)
        if (session->components[c].stage != DRAGNN_FINALIZED)
            return dragnn_fail(error, "%s: component `%s` is not finalized", call,
                               session->spec->components[c].name);
    for (int item = 0; item < session->batch; item++)
        texts[item] = dragnn_sentence_write(session->sentences[item],
                                            session->spec->lexicon);
    session->is_done = true;
    return true;
}

bool dragnn_get_serialized_predictions(struct dragnn_session *session, char **texts,
                                       struct dragnn_error *error)
{
    if (!enter_change(session, "dragnn_get_serialized_predictions", error))
        return false;
    const bool is_good = serialize(session, texts, error);
    leave_change(session);
    return is_good;
}

int dragnn_get_best(const struct dragnn_session *session, const char *component, int item,
                    int *actions, int room, double *score, struct dragnn_error *error)
{
    static const char call[] = "dragnn_get_best";
    const int c = find_component(session, component);
    int count = -1;
    if (!enter_read(session, call, error))
        return -1;
    if (c < 0 || session->components[c].stage == DRAGNN_EMPTY || item < 0 ||
        item >= session->batch) {
        dragnn_fail(error, "%s: component `%s` is not initialized, or has no item %d",
                    call, component ? component : "NULL", item);
    } else {
        const struct dragnn_state *state = session->components[c].beams[item].states[0];
        count = state->steps;
        for (int i = 0; actions && i < count && i < room; i++)
            actions[i] = state->actions[i];
        if (score)
            *score = state->score;
    }
    leave_read(session);
    return count;
}
