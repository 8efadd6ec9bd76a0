#include "sim/commands/cmd_sweep.h"

#include <inttypes.h>
#include <string.h>

#include "sim/sweep/job_scripts.h"

struct own {
    const char *site;
    uint64_t shards, jobs; /* 0: the site's value */
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    SIM_OPTION("site", 0, TEXT, "NAME", OF(site),
               "Of the experiment's sites; without it, the only one"),
    SIM_NUMBER("shards", 0, U64, OF(shards), 1, 100000,
               "Shards, instead of what the site says"),
    SIM_NUMBER("jobs", 'j', U64, OF(jobs), 1, SIM_MAX_JOBS,
               "Processes of one shard, instead of what the site says"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments = "slurm|make|parallel EXPERIMENT.yaml",
    .help = "Print an experiment as work for an engine that runs its shards: a job array "
            "for Slurm, a Makefile, a script for GNU parallel."
            "\vWhat the engine needs to know stands under `sites' in the experiment.",
    .least = 2,
    .most = 2,
    .missing = "slurm, make or parallel, and EXPERIMENT.yaml",
    .options = own_options,
};

static const char *const engines[] = {"slurm", "make", "parallel"};
enum { SLURM, MAKE, PARALLEL, ENGINES };

static const char *engine_name(size_t i, const void *context)
{
    (void)context;
    return engines[i];
}

static size_t find_engine(const char *word, const char *command)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (strcmp(engines[i], word) == 0)
            return i;
    const char *near = lib_text_nearest(word, ENGINES, engine_name, NULL);
    sim_options_wrong(command, "expected slurm, make or parallel, found `%s`%s%s%s", word,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

static const char *site_name(size_t i, const void *context)
{
    return ((const struct sim_sites *)context)->list.items[i].name;
}

/* Returns the chosen site, changed by options. Lists remain the experiment's. */
static struct sim_site choose_site(const struct sim_sites *sites, const struct own *own,
                                   const char *command)
{
    const struct sim_site *named = own->site ? sim_sites_find(sites, own->site) : NULL;
    if (own->site && !named) {
        const char *near = lib_text_nearest(own->site, sites->list.count, site_name,
                                            sites);
        sim_options_wrong(command, "the experiment has no site `%s`%s%s%s", own->site,
                          near ? "; did you mean `" : "", near ? near : "",
                          near ? "`?" : "");
    }
    if (!named && sites->list.count > 1)
        sim_options_wrong(command,
                          "the experiment has several sites; name one with --site");
    if (!named && sites->list.count == 1)
        named = &sites->list.items[0];
    struct sim_site site = named ? *named : sim_site_default();
    site.shards = own->shards ? own->shards : site.shards;
    site.jobs = own->jobs ? own->jobs : site.jobs;
    return site;
}

static bool is_file(const char *name)
{
    return strchr(name, '.') || strchr(name, '/');
}

/* A file may be several programs with different names. */
static bool is_repeated(const struct sim_experiment *x, size_t program)
{
    for (size_t i = 0; i < program; i++)
        if (strcmp(x->programs.items[i].path, x->programs.items[program].path) == 0)
            return true;
    return false;
}

/* Lists the files that the experiment reads; the list is in the arena. */
static void list_inputs(const struct sim_sweep *sweep, struct sim_job_scripts *emit)
{
    const struct sim_experiment *x = &sweep->experiment;
    size_t most = x->programs.count + x->machines.count;
    const char **inputs = LIB_ARENA_ARRAY(sweep->arena, const char *, most + 1);
    for (size_t i = 0; i < x->programs.count; i++)
        if (!is_repeated(x, i))
            inputs[emit->input_count++] = lib_arena_printf(
                sweep->arena, "%s%s", x->folder, x->programs.items[i].path);
    for (size_t i = 0; i < x->machines.count; i++)
        if (is_file(x->machines.items[i].name))
            inputs[emit->input_count++] = lib_arena_printf(
                sweep->arena, "%s%s", x->folder, x->machines.items[i].name);
    emit->inputs = inputs;
}

static enum sim_status write(const struct sim_options *options, const struct own *own,
                             const struct sim_sweep *sweep, size_t engine)
{
    const struct sim_experiment *x = &sweep->experiment;
    struct sim_site site = choose_site(&x->sites, own, options->printer.command);
    struct sim_job_scripts emit = {
        .path = options->arguments[1],
        .name = x->name,
        .site = &site,
        .has_outputs = x->outputs.tables.count + x->outputs.figures.count > 0,
    };
    struct lib_diags diags = {0};
    LIB_TEXT_OWN text = {0};
    list_inputs(sweep, &emit);
    if (engine == SLURM)
        sim_job_scripts_slurm(&emit, &text, &diags);
    else if (engine == PARALLEL)
        sim_job_scripts_parallel(&emit, &text);
    else
        sim_job_scripts_make(&emit, &text, &diags);
    enum sim_status status = sim_tell(&options->printer, &diags);
    if (status == SIM_DONE)
        status = sim_put(&options->printer, options->output, &text);
    return status;
}

int sim_sweep_emit(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {0};
    struct sim_sweep sweep;
    sim_options_parse(&options, &usage, &own, argc, argv);
    size_t engine = find_engine(options.arguments[0], argv[0]);
    enum sim_status status = sim_sweep_open(&sweep, options.arguments[1], NULL,
                                            &options.printer);
    if (status == SIM_DONE)
        status = write(&options, &own, &sweep, engine);
    sim_sweep_close(&sweep);
    sim_options_free(&options);
    return status;
}
