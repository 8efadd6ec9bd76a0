#include "sim/sweep/job_scripts.h"

#include <inttypes.h>
#include <string.h>

/* --- words of the shell ----------------------------------------------------------------- */

static void put_word(struct lib_text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./,:+@%-";
    if (*word && word[strspn(word, plain)] == '\0') {
        lib_text_puts(out, word);
        return;
    }
    lib_text_puts(out, "'");
    for (const char *p = word; *p; p++)
        lib_text_printf(out, *p == '\'' ? "'\\''" : "%c", *p);
    lib_text_puts(out, "'");
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
    put_word(out, emit->site->hiaton);
    lib_text_puts(out, "\nexperiment=");
    put_word(out, emit->path);
    lib_text_puts(out, "\nname=");
    put_word(out, emit->name);
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
    if (value)
        lib_text_printf(out, "#SBATCH --%s=%s\n", name, value);
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
    lib_text_printf(out, "#SBATCH --output=%s.%%a.log\n#SBATCH --open-mode=append\n",
                    emit->name);
    for (size_t i = 0; i < site->options.count; i++)
        lib_text_printf(out, "#SBATCH %s\n", site->options.items[i]);
}

void sim_job_scripts_slurm(const struct sim_job_scripts *emit, struct lib_text *out)
{
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
    const char *wrong = strpbrk(name, " \t\n#$%:;=\\*?[]~'\"&|<>()`!");
    if (wrong)
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "make cannot use the name `%s`, for its `%c`", name, *wrong);
    return !wrong;
}

static void put_value(struct lib_text *out, const char *value)
{
    for (const char *p = value; *p; p++)
        lib_text_printf(out, *p == '$' ? "$$" : *p == '#' ? "\\#" : "%c", *p);
}

static void put_variables(const struct sim_job_scripts *emit, struct lib_text *out)
{
    LIB_TEXT_OWN hiaton = {0};
    put_word(&hiaton, emit->site->hiaton);
    lib_text_puts(out, "HIATON = ");
    put_value(out, hiaton.bytes);
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
