#include "programs/dragnn/network.h"

#include <hiaton.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ports {
    size_t in, out; /* numbers of the input port and output port */
};

/* Receiver of diagnostics, the first of which becomes the error. */
struct listener {
    struct dragnn_error *error;
    /* Component of the program; NULL: none. */
    const struct dragnn_component_spec *component;
};

struct dragnn_networks {
    const struct dragnn_spec *spec;
    struct hiaton_machine *machine;
    struct hiaton_program **programs; /* [components] */
};

struct dragnn_run {
    const struct dragnn_networks *networks;
    const struct dragnn_component_spec *spec;
    struct hiaton_program *program;
    struct hiaton_session *session;
    struct ports ports;
    int actions;
    struct hiaton_value *parts; /* [channels]; parts of the element that is fed */
    struct dragnn_tally tally;
    struct dragnn_error heard; /* first error of the session */
    struct listener listener;  /* receiver of the run's events */
};

/* Returns the name of the file that has a line of a component's program, and sets the line in
 * that file. */
static const char *find_file(const struct dragnn_component_spec *component, int *line)
{
    int i = component->file_count - 1;
    while (i > 0 && *line < component->files[i].first_line)
        i--;
    *line -= component->files[i].first_line - 1;
    return component->files[i].name;
}

/* Whether a diagnostic's file, which may have a folder, is the program of a component. */
static bool is_program(const char *file, const struct dragnn_component_spec *component)
{
    const size_t length = strlen(file), own = strlen(component->network_name);
    return length >= own && strcmp(file + length - own, component->network_name) == 0 &&
           (length == own || file[length - own - 1] == '/');
}

static void copy_diagnostic(void *context, const struct hiaton_diagnostic *diagnostic)
{
    const struct listener *listener = context;
    struct dragnn_error *error = listener->error;
    const char *file = diagnostic->file;
    int line = (int)diagnostic->line;
    if (!error || *error->text)
        return;
    if (file && line && listener->component && is_program(file, listener->component))
        file = find_file(listener->component, &line);
    if (file && line)
        dragnn_fail(error, "%s:%d:%d: %s", file, line, (int)diagnostic->column,
                    diagnostic->text);
    else
        dragnn_fail(error, "%s%s%s", diagnostic->file ? diagnostic->file : "",
                    diagnostic->file ? ": " : "", diagnostic->text);
}

/* --- programs --------------------------------------------------------------------------- */

/* The reference mathematics: a row does not depend on which others are computed with it. */
static struct hiaton_machine *make_machine(const struct dragnn_spec *spec,
                                           const struct hiaton_reporter *reporter)
{
    struct hiaton_machine *machine = hiaton_machine_new(spec->machine, reporter);
    if (machine && hiaton_machine_set(machine, "tensor.math", "reference", reporter)) {
        hiaton_machine_free(machine);
        return NULL;
    }
    return machine;
}

static bool load_component(struct dragnn_networks *networks, int number,
                           struct dragnn_error *error)
{
    const struct dragnn_spec *spec = networks->spec;
    const struct dragnn_component_spec *component = &spec->components[number];
    struct listener listener = {error, component};
    const struct hiaton_reporter reporter = {sizeof reporter, copy_diagnostic, &listener};
    const struct hiaton_program_options program_options = {
        .size = sizeof program_options,
        .name = component->network_name,
        .folder = spec->weights,
        .machine = networks->machine};
    if (!component->network)
        return dragnn_fail(error, "component `%s` has no network", component->name);
    networks->programs[number] = hiaton_program_read(
        component->network, strlen(component->network), &program_options, &reporter);
    return networks->programs[number] != NULL;
}

static bool has_input(const struct hiaton_program *program, const char *name)
{
    struct hiaton_symbol symbol = {.size = sizeof symbol};
    for (size_t i = 0;
         hiaton_program_symbol(program, HIATON_SYMBOL_INPUT, i, &symbol) == HIATON_OK;
         i++)
        if (strcmp(symbol.name, name) == 0)
            return true;
    return false;
}

/* Checks that each hyperparameter is an input of some program. */
static bool check_hyperparameters(const struct dragnn_networks *networks,
                                  struct dragnn_error *error)
{
    const struct dragnn_spec *spec = networks->spec;
    for (int i = 0; i < spec->hyperparameter_count; i++) {
        bool is_known = false;
        for (int c = 0; c < spec->count; c++)
            is_known |= has_input(networks->programs[c], spec->hyperparameters[i].name);
        if (!is_known)
            return dragnn_fail(error, "no network has the input `%s`, a hyperparameter",
                               spec->hyperparameters[i].name);
    }
    return true;
}

struct dragnn_networks *dragnn_networks_new(const struct dragnn_spec *spec,
                                            struct dragnn_error *error)
{
    struct dragnn_networks *networks = dragnn_new(sizeof *networks);
    struct listener listener = {error, NULL};
    const struct hiaton_reporter reporter = {sizeof reporter, copy_diagnostic, &listener};
    if (error)
        *error->text = '\0';
    networks->spec = spec;
    networks->programs = dragnn_new((size_t)spec->count * sizeof *networks->programs);
    networks->machine = make_machine(spec, &reporter);
    bool is_good = networks->machine != NULL;
    for (int c = 0; is_good && c < spec->count; c++)
        is_good = load_component(networks, c, error);
    is_good = is_good && check_hyperparameters(networks, error);
    if (is_good)
        return networks;
    dragnn_networks_free(networks);
    return NULL;
}

void dragnn_networks_free(struct dragnn_networks *networks)
{
    if (!networks)
        return;
    for (int c = 0; c < networks->spec->count; c++)
        hiaton_program_free(networks->programs[c]);
    hiaton_machine_free(networks->machine);
    free(networks->programs);
    free(networks);
}

/* --- runs ------------------------------------------------------------------------------- */

/* Finds the first input port and the first output port of a program. */
static bool find_ports(struct dragnn_run *run, struct dragnn_error *error)
{
    struct hiaton_port port = {.size = sizeof port};
    bool has_in = false, has_out = false;
    for (size_t i = 0; hiaton_session_port(run->session, i, &port) == HIATON_OK; i++) {
        if (port.is_input && !has_in)
            run->ports.in = i;
        if (!port.is_input && !has_out)
            run->ports.out = i;
        has_in |= port.is_input != 0;
        has_out |= port.is_input == 0;
    }
    return (has_in && has_out) || dragnn_fail(error, "the network of `%s` has no port %s",
                                              run->spec->name, has_in ? "out" : "in");
}

/* Sets the inputs of the program to hyperparameters. */
static bool set_hyperparameters(struct dragnn_run *run, struct dragnn_error *error)
{
    const struct dragnn_spec *spec = run->networks->spec;
    for (int i = 0; i < spec->hyperparameter_count; i++) {
        const struct dragnn_hyperparameter *h = &spec->hyperparameters[i];
        if (!has_input(run->program, h->name))
            continue;
        if (hiaton_session_input(run->session, h->name,
                                 h->is_int ? HIATON_INT : HIATON_REAL, 0, NULL,
                                 h->is_int ? (const void *)&h->integer : &h->real))
            return dragnn_fail(
                error, "hyperparameter `%s` has the wrong type for the input of `%s`",
                h->name, run->spec->name);
    }
    return true;
}

/* Sets the shapes of the parts that are fed: vectors, one for each channel. */
static void set_parts(struct dragnn_run *run)
{
    const struct dragnn_spec *spec = run->networks->spec;
    const int fixed = run->spec->fixed_count, linked = run->spec->linked_count;
    run->parts = dragnn_new((size_t)(fixed + linked) * sizeof *run->parts);
    for (int i = 0; i < fixed + linked; i++) {
        struct hiaton_value *part = &run->parts[i];
        const struct dragnn_channel *channel = i < fixed ? &run->spec->fixed[i]
                                                         : &run->spec->linked[i - fixed];
        const bool is_int = !channel->translator || channel->is_number;
        *part = (struct hiaton_value){
            .size = sizeof *part, .type = is_int ? HIATON_INT : HIATON_REAL, .rank = 1};
        part->extents[0] = (uint64_t)channel->count;
        if (!is_int)
            part->extents[0] *= (uint64_t)spec->components[channel->source].width;
        part->bytes = part->extents[0] * 8; /* bytes of ints or reals */
    }
}

struct dragnn_run *dragnn_run_new(const struct dragnn_networks *networks, int component,
                                  struct dragnn_error *error)
{
    const struct hiaton_session_options options = {.size = sizeof options,
                                                   .untimed = !networks->spec->machine};
    struct dragnn_run *run = dragnn_new(sizeof *run);
    const struct hiaton_reporter reporter = {sizeof reporter, copy_diagnostic,
                                             &run->listener};
    run->networks = networks;
    run->spec = &networks->spec->components[component];
    run->listener = (struct listener){&run->heard, run->spec};
    run->program = networks->programs[component];
    run->actions = run->spec->system->count_actions(networks->spec->lexicon);
    run->session = hiaton_session_new(run->program, networks->machine, &options,
                                      &reporter);
    set_parts(run);
    if (!run->session)
        dragnn_fail(error, "%s", run->heard.text);
    else if (find_ports(run, error))
        return run;
    dragnn_run_free(run);
    return NULL;
}

void dragnn_run_free(struct dragnn_run *run)
{
    if (!run)
        return;
    hiaton_session_free(run->session);
    free(run->parts);
    free(run);
}

bool dragnn_run_begin(struct dragnn_run *run, struct dragnn_error *error)
{
    hiaton_session_reset(run->session, 0);
    *run->heard.text = '\0';
    run->tally = (struct dragnn_tally){.runs = 0};
    return set_hyperparameters(run, error);
}

/* Reports why a run did not do what it should have done. */
static bool fail_run(struct dragnn_run *run, const char *what, enum hiaton_status status,
                     struct dragnn_error *error)
{
    struct hiaton_ending ending = {.size = sizeof ending, .end = HIATON_END_NOT_YET};
    hiaton_session_ending(run->session, &ending);
    if (ending.end != HIATON_END_NOT_YET && ending.reason && ending.line) {
        int line = (int)ending.line;
        const char *file = find_file(run->spec, &line);
        return dragnn_fail(error, "the network of `%s` ended in %s:%d:%d: %s",
                           run->spec->name, file, line, (int)ending.column,
                           ending.reason);
    }
    if (ending.end != HIATON_END_NOT_YET && ending.reason)
        return dragnn_fail(error, "the network of `%s` ended: %s", run->spec->name,
                           ending.reason);
    return dragnn_fail(error, "the network of `%s` %s: %s", run->spec->name, what,
                       *run->heard.text ? run->heard.text : hiaton_status_text(status));
}

static bool feed_row(struct dragnn_run *run, const struct dragnn_row *row,
                     struct dragnn_error *error)
{
    const int count = run->spec->fixed_count + run->spec->linked_count;
    const int64_t *ids = row->ids;
    const double *linked = row->linked;
    for (int i = 0; i < count; i++) {
        struct hiaton_value *part = &run->parts[i];
        /* The library does not change what is fed. */
        part->data = part->type == HIATON_INT ? (void *)ids : (void *)linked;
        if (part->type == HIATON_INT)
            ids += part->extents[0];
        else
            linked += part->extents[0];
        run->tally.numbers_in += part->extents[0];
    }
    const enum hiaton_status status = hiaton_session_feed(
        run->session, run->ports.in, run->parts, (size_t)count, HIATON_NONE);
    run->tally.rows++;
    return status == HIATON_OK || fail_run(run, "refuses a row", status, error);
}

/* Whether a value is a vector of a given length. */
static bool is_vector(const struct hiaton_value *value, uint64_t length)
{
    return value->type == HIATON_REAL && value->rank == 1 && value->extents[0] == length;
}

static bool take_row(struct dragnn_run *run, const struct dragnn_row *row,
                     struct dragnn_error *error)
{
    const uint64_t actions = (uint64_t)run->actions, width = (uint64_t)run->spec->width;
    struct hiaton_value parts[2] = {
        {.size = sizeof *parts, .data = row->scores, .bytes = actions * sizeof(double)},
        {.size = sizeof *parts, .data = row->hidden, .bytes = width * sizeof(double)}};
    const enum hiaton_status status = hiaton_session_take(run->session, run->ports.out,
                                                          parts, 2);
    if (status != HIATON_OK && status != HIATON_NO_ROOM)
        return fail_run(run, "has no scores", status, error);
    run->tally.numbers_out += actions + width;
    if (status == HIATON_OK && is_vector(&parts[0], actions) &&
        is_vector(&parts[1], width))
        return true;
    return dragnn_fail(error,
                       "the network of `%s` gives %llu scores and a hidden row of %llu; "
                       "expected vectors of %d and %d reals",
                       run->spec->name, (unsigned long long)parts[0].extents[0],
                       (unsigned long long)parts[1].extents[0], run->actions,
                       run->spec->width);
}

bool dragnn_run_step(struct dragnn_run *run, const struct dragnn_row *rows, int count,
                     struct dragnn_error *error)
{
    for (int i = 0; i < count; i++)
        if (!feed_row(run, &rows[i], error))
            return false;
    const enum hiaton_status status = hiaton_session_advance(run->session, NULL);
    if (status != HIATON_WAITING)
        return fail_run(run, "does not wait for the next row", status, error);
    for (int i = 0; i < count; i++)
        if (!take_row(run, &rows[i], error))
            return false;
    return true;
}

static uint64_t get_statistic(const struct dragnn_run *run, const char *key)
{
    struct hiaton_number number = {.size = sizeof number};
    return hiaton_session_statistic(run->session, key, &number) == HIATON_OK
               ? number.count
               : 0;
}

static uint64_t max_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void dragnn_tally_add(struct dragnn_tally *sum, const struct dragnn_tally *tally)
{
    sum->runs += tally->runs;
    sum->rows += tally->rows;
    sum->numbers_in += tally->numbers_in;
    sum->numbers_out += tally->numbers_out;
    sum->cycles += tally->cycles;
    sum->firings += tally->firings;
    sum->peak_tokens = max_of(sum->peak_tokens, tally->peak_tokens);
    sum->peak_tags = max_of(sum->peak_tags, tally->peak_tags);
    sum->peak_bytes = max_of(sum->peak_bytes, tally->peak_bytes);
}

static void add_run(struct dragnn_run *run, struct dragnn_tally *sum)
{
    run->tally.runs = 1;
    run->tally.cycles = get_statistic(run, "cycles");
    run->tally.firings = get_statistic(run, "firings");
    run->tally.peak_tokens = get_statistic(run, "peak_live_tokens");
    run->tally.peak_tags = get_statistic(run, "peak_tags");
    run->tally.peak_bytes = get_statistic(run, "peak_tensor_bytes");
    dragnn_tally_add(sum, &run->tally);
}

static bool finish_run(struct dragnn_run *run, struct dragnn_error *error)
{
    struct hiaton_ending ending = {.size = sizeof ending, .end = HIATON_END_NOT_YET};
    enum hiaton_status status = hiaton_session_close(run->session, run->ports.in,
                                                     HIATON_NONE);
    if (status == HIATON_OK)
        status = hiaton_session_advance(run->session, NULL);
    hiaton_session_ending(run->session, &ending);
    return (status == HIATON_ENDED && ending.end == HIATON_END_COMPLETED) ||
           fail_run(run, "does not end", status, error);
}

bool dragnn_run_end(struct dragnn_run *run, struct dragnn_tally *tally,
                    struct dragnn_error *error)
{
    const bool is_good = finish_run(run, error);
    if (is_good && tally)
        add_run(run, tally);
    return is_good;
}
