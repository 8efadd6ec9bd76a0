#include "programs/dragnn/compute.h"

#include "programs/dragnn/session.h"

#include <stdlib.h>
#include <string.h>

/* Hidden rows that a component has left: row r of step s is at s * rows + r. */
struct activations {
    int rows, width, steps;
    double *data;
    int64_t *numbers; /* [steps * rows]: number of each row among the rows fed, or -1 */
    int64_t fed;
};

/* Memory for the features of a step. */
struct features {
    int64_t *ids; /* [rows of the step][ids of all channels] */
    double *linked;
    double *scores; /* [rows][actions] */
    int64_t *channel_ids;
    int32_t *indices;
    struct dragnn_link *links;
    struct dragnn_row *rows;
};

struct computation {
    struct dragnn_session *session;
    const struct dragnn_component_spec *spec; /* component that is computed */
    int component, rows, actions;
    int id_count, linked_count;      /* numbers in a row */
    struct activations *activations; /* [components] */
    struct features features;
};

/* --- features --------------------------------------------------------------------------- */

static int32_t *give_indices(void *features, int count)
{
    (void)count;
    return ((struct features *)features)->indices;
}

static int64_t *give_ids(void *features, int count)
{
    (void)count;
    return ((struct features *)features)->channel_ids;
}

/* Returns how many numbers a linked channel adds to a row. */
static int count_numbers(const struct computation *c,
                         const struct dragnn_channel *channel)
{
    return channel->is_number ? channel->count
                              : channel->count * c->activations[channel->source].width;
}

/* Copies the fixed features of a channel after those of previous channels. */
static bool extract_channel(struct computation *c, int channel, int before,
                            struct dragnn_error *error)
{
    const struct dragnn_allocators allocators = {give_indices, give_ids, NULL,
                                                 &c->features};
    const int size = c->spec->fixed[channel].count;
    const int count = dragnn_get_input_features(c->session, c->spec->name, &allocators,
                                                channel, error);
    for (int i = 0; i < count; i++) {
        const int row = c->features.indices[i] / size, f = c->features.indices[i] % size;
        c->features.ids[row * c->id_count + before + f] = c->features.channel_ids[i];
    }
    return count >= 0;
}

/* Returns the index of the source's activation that a link leads to, or -1. */
static int64_t find_activation(const struct computation *c, int source,
                               const struct dragnn_link *link)
{
    const int beam = c->session->components[source].max_beam;
    return link->step < 0 ? -1
                          : (int64_t)link->step * c->activations[source].rows +
                                link->batch * beam + link->beam;
}

/* Copies what a linked channel reads to each row: hidden rows, or zeros; or their numbers, or
 * -1. */
static bool extract_links(struct computation *c, int channel, int ids_before, int before,
                          struct dragnn_error *error)
{
    const struct dragnn_channel *spec = &c->spec->linked[channel];
    const struct activations *a = &c->activations[spec->source];
    const size_t width = (size_t)a->width;
    const int count = dragnn_get_translated_link_features(c->session, c->spec->name,
                                                          channel, c->features.links,
                                                          c->rows * spec->count, error);
    for (int i = 0; i < count; i++) {
        const struct dragnn_link *link = &c->features.links[i];
        const int row = link->index / spec->count, f = link->index % spec->count;
        const int64_t from = find_activation(c, spec->source, link);
        double *to = c->features.linked + (size_t)row * (size_t)c->linked_count + before +
                     (size_t)f * width;
        if (spec->is_number)
            c->features.ids[row * c->id_count + ids_before + f] = from < 0
                                                                      ? -1
                                                                      : a->numbers[from];
        else if (from < 0)
            memset(to, 0, width * sizeof *to);
        else
            memcpy(to, a->data + (size_t)from * width, width * sizeof *to);
    }
    return count >= 0;
}

static bool extract(struct computation *c, struct dragnn_error *error)
{
    int ids = 0, linked = 0;
    for (int i = 0; i < c->spec->fixed_count; ids += c->spec->fixed[i++].count)
        if (!extract_channel(c, i, ids, error))
            return false;
    for (int i = 0; i < c->spec->linked_count; i++) {
        const struct dragnn_channel *channel = &c->spec->linked[i];
        if (!extract_links(c, i, ids, linked, error))
            return false;
        *(channel->is_number ? &ids : &linked) += count_numbers(c, channel);
    }
    return true;
}

/* --- steps ------------------------------------------------------------------------------ */

/* Makes room for a step. Returns the index of its first activation. */
static size_t add_step(struct activations *a)
{
    const size_t rows = (size_t)a->rows, first = (size_t)a->steps++ * rows;
    const size_t count = first + rows, width = (size_t)a->width;
    a->data = dragnn_resize(a->data, count * width * sizeof *a->data);
    a->numbers = dragnn_resize(a->numbers, count * sizeof *a->numbers);
    memset(a->data + first * width, 0, rows * width * sizeof *a->data);
    for (size_t i = first; i < count; i++)
        a->numbers[i] = -1;
    return first;
}

/* Lists the rows that have a state to advance, with memory for their scores and hidden rows. */
static int list_rows(struct computation *c)
{
    struct activations *a = &c->activations[c->component];
    const size_t first = add_step(a);
    const struct dragnn_component *component = &c->session->components[c->component];
    int count = 0;
    for (int row = 0; row < c->rows; row++) {
        const struct dragnn_beam *beam = &component->beams[row / component->max_beam];
        const int slot = row % component->max_beam;
        if (slot >= beam->count || beam->system->is_final(beam->states[slot]))
            continue;
        a->numbers[first + (size_t)row] = a->fed++;
        c->features.rows[count++] = (struct dragnn_row){
            .ids = c->features.ids + row * c->id_count,
            .linked = c->features.linked + (size_t)row * (size_t)c->linked_count,
            .scores = c->features.scores + row * c->actions,
            .hidden = a->data + (first + (size_t)row) * (size_t)a->width,
        };
    }
    return count;
}

static bool compute_step(struct computation *c, struct dragnn_run *run,
                         struct dragnn_error *error)
{
    if (!extract(c, error))
        return false;
    const int count = list_rows(c);
    return dragnn_run_step(run, c->features.rows, count, error) &&
           dragnn_advance_from_prediction(c->session, c->spec->name, c->features.scores,
                                          c->rows * c->actions, error);
}

static bool compute_steps(struct computation *c, struct dragnn_run *run,
                          struct dragnn_error *error)
{
    int is_terminal;
    while ((is_terminal = dragnn_is_terminal(c->session, c->spec->name, error)) == 0)
        if (!compute_step(c, run, error))
            return false;
    return is_terminal == 1;
}

/* --- components ------------------------------------------------------------------------- */

static void begin_features(struct computation *c)
{
    const size_t rows = (size_t)c->rows;
    int most = 1;
    c->id_count = c->linked_count = 0;
    for (int i = 0; i < c->spec->fixed_count; i++) {
        c->id_count += c->spec->fixed[i].count;
        most = c->spec->fixed[i].count > most ? c->spec->fixed[i].count : most;
    }
    for (int i = 0; i < c->spec->linked_count; i++) {
        const struct dragnn_channel *channel = &c->spec->linked[i];
        *(channel->is_number ? &c->id_count : &c->linked_count) += count_numbers(c,
                                                                                 channel);
        most = channel->count > most ? channel->count : most;
    }
    struct features *f = &c->features;
    f->ids = dragnn_new(rows * (size_t)c->id_count * sizeof *f->ids);
    f->linked = dragnn_new(rows * (size_t)c->linked_count * sizeof *f->linked);
    f->scores = dragnn_new(rows * (size_t)c->actions * sizeof *f->scores);
    f->channel_ids = dragnn_new(rows * (size_t)most * sizeof *f->channel_ids);
    f->indices = dragnn_new(rows * (size_t)most * sizeof *f->indices);
    f->links = dragnn_new(rows * (size_t)most * sizeof *f->links);
    f->rows = dragnn_new(rows * sizeof *f->rows);
}

static void free_features(struct features *f)
{
    free(f->ids);
    free(f->linked);
    free(f->scores);
    free(f->channel_ids);
    free(f->indices);
    free(f->links);
    free(f->rows);
}

static void free_run(void *run)
{
    dragnn_run_free(run);
}

/* Returns the run that the session keeps for a component, made the first time. Returns NULL with
 * an error if it cannot be made. */
static struct dragnn_run *find_run(struct computation *c,
                                   const struct dragnn_networks *networks,
                                   struct dragnn_error *error)
{
    struct dragnn_session *session = c->session;
    if (session->runs_of != networks)
        dragnn_session_free_runs(session);
    session->runs_of = networks;
    session->free_run = free_run;
    if (!session->runs[c->component])
        session->runs[c->component] = dragnn_run_new(networks, c->component, error);
    return session->runs[c->component];
}

static bool compute_component(struct computation *c,
                              const struct dragnn_networks *networks, int beam,
                              struct dragnn_tally *tally, struct dragnn_error *error)
{
    c->spec = &c->session->spec->components[c->component];
    beam = beam > 0 ? beam : c->spec->beam;
    if (!dragnn_initialize_component_data(c->session, c->spec->name, beam, error))
        return false;
    c->rows = dragnn_batch_size(c->session) * beam;
    c->actions = dragnn_action_count(c->session, c->spec->name);
    c->activations[c->component] = (struct activations){.rows = c->rows,
                                                        .width = c->spec->width};
    struct dragnn_run *run = find_run(c, networks, error);
    if (!run || !dragnn_run_begin(run, error))
        return false;
    begin_features(c);
    const bool is_good = compute_steps(c, run, error) &&
                         dragnn_run_end(run, tally, error);
    free_features(&c->features);
    return is_good && dragnn_finalize_data(c->session, c->spec->name, error);
}

bool dragnn_compute(struct dragnn_session *session,
                    const struct dragnn_networks *networks, int beam,
                    struct dragnn_tally *tallies, struct dragnn_error *error)
{
    const int count = session->spec->count;
    struct computation c = {.session = session};
    struct dragnn_error unread; /* the caller does not want it */
    bool is_good = true;
    c.activations = dragnn_new((size_t)count * sizeof *c.activations);
    for (c.component = 0; is_good && c.component < count; c.component++)
        is_good = compute_component(&c, networks, beam,
                                    tallies ? &tallies[c.component] : NULL,
                                    error ? error : &unread);
    for (int i = 0; i < count; i++) {
        free(c.activations[i].data);
        free(c.activations[i].numbers);
    }
    free(c.activations);
    return is_good;
}
