#include "sim/commands/cmd_sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/leftovers.h"
#include "sim/cli/output_options.h"
#include "sim/outputs/database_file.h"
#include "traces/results/merge.h"
#include "traces/results/seal.h"

static const struct lib_field own_options[] = {
    SIM_PUBLISH_OPTIONS(0),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments = "RESULTS.db...",
    .help = "Put the results of shards of one experiment together."
            "\vRuns that several of them hold must have the same results.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "RESULTS.db",
    .options = own_options,
};

struct merging {
    const struct sim_options *options;
    const struct sim_publish *publish;
    struct lib_diags diags;
    struct traces_database store;
    int64_t differing;
};

/* Copies the first shard to `path`. */
static enum sim_status begin(struct merging *m, const char *path)
{
    struct traces_database first;
    struct traces_query query = {0};
    bool good = traces_database_open(&first, m->options->arguments[0],
                                     TRACES_DATABASE_READ, &m->diags) &&
                traces_merge_check(&first);
    first.source = m->options->arguments[0];
    first.label = m->options->output; /* an error of the host is about this file */
    good = good && traces_query_new(&query, &first, "VACUUM INTO ?1") &&
           traces_query_bind(&query, 1, traces_cell_text(path)) &&
           traces_query_do(&query);
    traces_query_free(&query);
    enum sim_status status = good ? SIM_DONE : sim_status_of(first.fault);
    traces_database_close(&first);
    return status;
}

static enum sim_status add_all(struct merging *m)
{
    for (size_t i = 1; i < m->options->argument_count; i++) {
        int64_t differing = 0;
        if (!traces_merge_add(&m->store, m->options->arguments[i], &differing))
            return sim_status_of(m->store.fault);
        if (differing)
            sim_say(&m->options->printer,
                    "%s: %" PRId64 " runs have other results than the files before",
                    m->options->arguments[i], differing);
        m->differing += differing;
    }
    const bool good = traces_database_do(
                          &m->store,
                          "UPDATE experiment SET value = '' WHERE key = 'shard'") &&
                      traces_seal_write(&m->store);
    return good ? SIM_DONE : sim_status_of(m->store.fault);
}

static enum sim_status sum_up(struct merging *m)
{
    const struct sim_printer *printer = &m->options->printer;
    int64_t all = traces_database_ask(&m->store, "SELECT count(*) FROM points", 0);
    int64_t there = traces_database_ask(&m->store, "SELECT count(*) FROM results", 0);
    if (m->store.fault != LIB_FAULT_NONE)
        return sim_status_of(m->store.fault);
    if (there < all)
        sim_say(printer, "warning: %" PRId64 " of %" PRId64 " runs are missing",
                all - there, all);
    return sim_publish_write(m->publish, &m->store, printer);
}

static enum sim_status merge_into(struct merging *m, const char *path)
{
    enum sim_status status = begin(m, path);
    if (status != SIM_DONE)
        return status;
    const bool good = traces_database_open(&m->store, path, TRACES_DATABASE_WRITE,
                                           &m->diags);
    m->store.label = m->options->output;
    m->store.is_thrown_away = true;
    status = good ? add_all(m) : sim_status_of(m->store.fault);
    if (status == SIM_DONE && !m->differing)
        status = sum_up(m);
    traces_database_close(&m->store);
    return status == SIM_DONE && m->differing ? SIM_DIFFERS : status;
}

/* Writes a file beside the output, and renames it when it is complete. */
static enum sim_status merge(struct merging *m)
{
    LIB_TEXT_OWN aside = {0}, journal = {0};
    const char *output = m->options->output;
    lib_text_printf(&aside, "%s.%ld.tmp", output, (long)getpid());
    lib_text_printf(&journal, "%s-journal", aside.bytes);
    lib_leftovers_add(aside.bytes);
    lib_leftovers_add(journal.bytes);
    enum sim_status status = merge_into(m, aside.bytes);
    if (status == SIM_DONE && rename(aside.bytes, output) != 0) {
        const int error = errno;
        lib_diag_plain(&m->diags, lib_file_write_code(error), "cannot write %s: %s",
                       output, strerror(error));
        status = sim_status_of(lib_file_fault(error));
    }
    if (status != SIM_DONE) {
        unlink(aside.bytes);
        unlink(journal.bytes);
    }
    lib_leftovers_forget(aside.bytes);
    lib_leftovers_forget(journal.bytes);
    sim_tell(&m->options->printer, &m->diags);
    return status;
}

int sim_sweep_merge(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_publish publish = {0};
    sim_options_parse(&options, &usage, &publish, argc, argv);
    if (!options.output)
        sim_options_wrong(argv[0], "--output is missing: where the results go");
    if (access(options.output, F_OK) == 0)
        sim_options_wrong(argv[0], "%s is there already; name another file",
                          options.output);
    struct merging m = {.options = &options, .publish = &publish};
    for (size_t i = 0; i < options.argument_count; i++)
        sim_database_file_check(options.arguments[i], &m.diags);
    enum sim_status status = sim_tell(&options.printer, &m.diags);
    if (status == SIM_DONE)
        status = sim_check_writable(&options.printer, options.output);
    if (status == SIM_DONE)
        status = sim_publish_check(&publish, &options.printer);
    if (status == SIM_DONE)
        status = merge(&m);
    sim_options_free(&options);
    return status;
}
