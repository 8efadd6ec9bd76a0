#include "sim/sweep/job_scripts.h"

#include <inttypes.h>
#include <string.h>

#include "lib/quote.h"

/* --- words of the shell ----------------------------------------------------------------- */

/* Adds the path of the experiment, which must not look like an option. */
static void put_path(struct lib_text *out, const char *path)
{
    LIB_TEXT_OWN word = {0};
    lib_text_printf(&word, "%s%s", *path == '-' ? "./" : "", path);
    lib_quote_shell(out, lib_text_get(&word));
}

static void put_setup(const struct sim_job_scripts *emit, struct lib_text *out)
{
    for (size_t i = 0; i < emit->site->setup.count; i++)
        lib_text_printf(out, "%s\n", emit->site->setup.items[i]);
}

/* Writes the names that scripts use as shell variables. */
static void put_names(const struct sim_job_scripts *emit, struct lib_text *out)
{
    lib_text_puts(out, "hiaton=");
    lib_quote_shell(out, emit->site->hiaton);
    lib_text_puts(out, "\nexperiment=");
    put_path(out, emit->path);
    lib_text_puts(out, "\nname=");
    lib_quote_shell(out, emit->name);
    lib_text_printf(out, "\nshards=%" PRIu64 "\n", emit->site->shards);
}

/* Status 1: some runs failed, which is recorded as a result. */
static const char may_fail[] = "|| [ $? -eq 1 ]";

static void put_merge(const struct sim_job_scripts *emit, const char *indent,
                      struct lib_text *out)
{
    lib_text_printf(
        out,
        "%srm -f \"$name.db.new\"\n"
        "%s\"$hiaton\" sweep merge -o \"$name.db.new\" \"$name\".*-of-$shards.db\n"
        "%smv \"$name.db.new\" \"$name.db\"\n",
        indent, indent, indent);
    if (emit->has_outputs)
        lib_text_printf(out, "%s\"$hiaton\" results all \"$name.db\" -o \"$name\"\n",
                        indent);
}

/* --- Slurm ------------------------------------------------------------------------------ */

static void put_directive(struct lib_text *out, const char *name, const char *value)
{
    if (!value)
        return;
    lib_text_printf(out, "#SBATCH --%s=", name);
    lib_quote_slurm(out, value);
    lib_text_puts(out, "\n");
}

static void put_head(const struct sim_job_scripts *emit, struct lib_text *out)
{
    const struct sim_site *site = emit->site;
    lib_text_puts(out, "#!/bin/sh\n");
    put_directive(out, "job-name", emit->name);
    lib_text_printf(out, "#SBATCH --array=1-%" PRIu64 "\n", site->shards);
    lib_text_printf(out, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%" PRIu64 "\n",
                    site->jobs);
    put_directive(out, "time", site->time);
    put_directive(out, "mem", site->memory);
    put_directive(out, "partition", site->partition);
    put_directive(out, "account", site->account);
    put_directive(out, "qos", site->qos);
    /* %a is the number of the task; a percent sign of the name is doubled. */
    LIB_TEXT_OWN log = {0};
    for (const char *p = emit->name; *p; p++)
        lib_text_printf(&log, *p == '%' ? "%%%%" : "%c", *p);
    lib_text_puts(&log, ".%a.log");
    put_directive(out, "output", lib_text_get(&log));
    put_directive(out, "open-mode", "append");
    for (size_t i = 0; i < site->options.count; i++)
        lib_text_printf(out, "#SBATCH %s\n", site->options.items[i]);
}

/* Adds a diagnostic and returns false if `bad` is a character that an engine cannot have. */
static bool check_character(const char *engine, const char *name, const char *bad,
                            struct lib_diags *diags)
{
    LIB_TEXT_OWN shown = {0};
    if (!bad)
        return true;
    if ((unsigned char)*bad < ' ' || *bad == 0x7f)
        lib_text_printf(&shown, "control character %u", (unsigned char)*bad);
    else
        lib_text_printf(&shown, "`%c`", *bad);
    lib_diag_plain(diags, LIB_DIAG_FILE, "%s cannot use the name `%.*s`, for its %s",
                   engine, (int)strcspn(name, "\n"), name, lib_text_get(&shown));
    return false;
}

static bool check_slurm(const struct sim_job_scripts *emit, struct lib_diags *diags)
{
    const struct sim_site *site = emit->site;
    const char *const values[] = {emit->name,      site->time,    site->memory,
                                  site->partition, site->account, site->qos};
    bool good = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        good &= !values[i] || check_character("Slurm", values[i],
                                              lib_quote_find_bad_slurm(values[i]), diags);
    return good;
}

bool sim_job_scripts_slurm(const struct sim_job_scripts *emit, struct lib_text *out,
                           struct lib_diags *diags)
{
    if (!check_slurm(emit, diags))
        return false;
    put_head(emit, out);
    lib_text_puts(
        out,
        "#\n"
        "# Task I runs shard I of the experiment, and task 0 puts the shards together.\n"
        "# With this file as FILE:\n"
        "#\n"
        "#   id=$(sbatch --parsable FILE)\n"
        "#   sbatch --dependency=afterok:$id --array=0 FILE\n"
        "#\n"
        "# A task that ended early goes on where it was: sbatch --array=I FILE.\n"
        "set -eu\n");
    put_setup(emit, out);
    put_names(emit, out);
    lib_text_puts(out, "if [ \"$SLURM_ARRAY_TASK_ID\" -eq 0 ]; then\n");
    put_merge(emit, "    ", out);
    lib_text_printf(out,
                    "else\n"
                    "    \"$hiaton\" sweep run -j %" PRIu64
                    " --shard \"$SLURM_ARRAY_TASK_ID/$shards\" \\\n"
                    "        -o \"$name.$SLURM_ARRAY_TASK_ID-of-$shards.db\" "
                    "\"$experiment\" %s\n"
                    "fi\n",
                    emit->site->jobs, may_fail);
    return true;
}

/* --- GNU parallel ----------------------------------------------------------------------- */

void sim_job_scripts_parallel(const struct sim_job_scripts *emit, struct lib_text *out)
{
    lib_text_puts(
        out,
        "#!/bin/sh\n"
        "# Runs the shards of the experiment with GNU parallel, and puts them together.\n"
        "# What was done before is not done again. More options of parallel may be\n"
        "# given: --jobs 4, --sshloginfile HOSTS --wd .\n"
        "set -eu\n");
    put_setup(emit, out);
    put_names(emit, out);
    lib_text_printf(
        out,
        "export hiaton experiment name shards\n"
        "seq \"$shards\" | parallel \"$@\" '\"$hiaton\" sweep run -q -j %" PRIu64
        " --shard {}/\"$shards\" -o \"$name\".{}-of-\"$shards\".db \"$experiment\" "
        "%s'\n",
        emit->site->jobs, may_fail);
    put_merge(emit, "", out);
}

/* --- make ------------------------------------------------------------------------------- */

static bool check_name(const char *name, struct lib_diags *diags)
{
    return check_character("make", name, lib_quote_find_bad_make(name), diags);
}

static void put_variables(const struct sim_job_scripts *emit, struct lib_text *out)
{
    LIB_TEXT_OWN hiaton = {0};
    lib_quote_shell(&hiaton, emit->site->hiaton);
    lib_text_puts(out, "HIATON = ");
    lib_quote_make(out, hiaton.bytes);
    lib_text_printf(
        out, "\nEXPERIMENT = %s\nNAME = %s\nSHARDS = %" PRIu64 "\nJOBS = %" PRIu64 "\n",
        emit->path, emit->name, emit->site->shards, emit->site->jobs);
    lib_text_puts(out, "INPUTS =");
    for (size_t i = 0; i < emit->input_count; i++)
        lib_text_printf(out, " %s", emit->inputs[i]);
    lib_text_puts(out, "\n\n");
}

/* A separate file marks a shard as done, as an incomplete database exists, too. */
static const char rules[] =
    "numbers := $(shell seq $(SHARDS))\n"
    "marks := $(numbers:%=$(NAME).%-of-$(SHARDS).done)\n"
    "results := $(marks:.done=.db)\n"
    "\n"
    ".PHONY: all clean\n"
    "\n"
    "$(NAME).db: $(marks)\n"
    "\trm -f $@.new\n"
    "\t$(HIATON) sweep merge -o $@.new $(results)\n"
    "\tmv $@.new $@\n"
    "\n"
    "$(marks): $(NAME).%-of-$(SHARDS).done: $(EXPERIMENT) $(INPUTS)\n"
    "\t$(HIATON) sweep run -q -j $(JOBS) --shard $*/$(SHARDS) -o $(@:.done=.db) \\\n"
    "\t  $(EXPERIMENT) || [ $$? -eq 1 ]\n"
    "\ttouch $@\n"
    "\n"
    "clean:\n"
    "\trm -f $(marks) $(results)\n";

bool sim_job_scripts_make(const struct sim_job_scripts *emit, struct lib_text *out,
                          struct lib_diags *diags)
{
    bool good = check_name(emit->path, diags) && check_name(emit->name, diags);
    for (size_t i = 0; i < emit->input_count; i++)
        good &= check_name(emit->inputs[i], diags);
    if (!good)
        return false;
    lib_text_puts(
        out, "# The shards of an experiment: make -j4 runs four at once, and puts all "
             "together.\n"
             "# A run that is there already is not run again.\n");
    put_variables(emit, out);
    lib_text_puts(out, emit->has_outputs ? "all: $(NAME).db\n"
                                           "\t$(HIATON) results all $< -o $(NAME)\n\n"
                                         : "all: $(NAME).db\n\n");
    lib_text_puts(out, rules);
    return true;
}
