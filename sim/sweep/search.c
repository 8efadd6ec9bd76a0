#include "sim/sweep/search.h"

#include <string.h>

#include "programs/partition/partition.h"
#include "lib/memory.h"
#include "sim/loading/divide.h"
#include "sim/session/window.h"

enum {
    BATCH = 16,
    CLIMBS = 3,   /* number of starts to climb from */
    RANDOM = 3,   /* number of random starts */
    PATIENCE = 3, /* batches without success before one more change is made at once */
    CHANGES = 8,  /* maximum of changes at once */
};

/* --- the beginning -------------------------------------------------------------------- */

static uint32_t *new_machines(const struct sim_search *s)
{
    return lib_mem_new(((size_t)s->request.image->node_count + 1) * sizeof(uint32_t));
}

static bool begin_with(struct sim_search *s, const char *name,
                       struct programs_partition_choice choice, struct lib_diags *diags)
{
    uint32_t *machine_of = new_machines(s);
    *LIB_VEC_PUSH(&s->starts) = (struct sim_search_candidate){.name = name,
                                                              .machines = choice.machines,
                                                              .seed = choice.seed,
                                                              .machine_of = machine_of};
    return programs_partition_choose(s->request.image, &choice, machine_of, diags);
}

/* Adds partitions by METIS into `machines` parts, perhaps fewer than there are machines. */
static bool begin_with_metis(struct sim_search *s, uint32_t machines,
                             struct lib_diags *diags)
{
    const struct lib_source *weights = sim_divide_weights(s->request.settings);
    struct programs_partition_choice choice = {.by = PROGRAMS_PARTITION_METIS,
                                               .machines = machines};
    if (!programs_partition_has_metis())
        return true;
    const bool good = begin_with(s, "metis", choice, diags);
    if (!good || !weights)
        return good;
    choice.weights = weights;
    return begin_with(s, "metis with a profile", choice, diags);
}

bool sim_search_open(struct sim_search *s, const struct sim_search_request *request,
                     struct lib_diags *diags)
{
    const struct lib_source *map = sim_divide_map(request->settings);
    struct programs_partition_choice choice = {.machines = request->machines};
    *s = (struct sim_search){.request = *request};
    s->moves = programs_partition_moves_new(request->image, request->machines);
    bool good = true;
    if (map) {
        choice.by = PROGRAMS_PARTITION_FILE;
        choice.map = map;
        good = begin_with(s, "partition.file", choice, diags);
    }
    choice.by = PROGRAMS_PARTITION_NONE;
    good = good && begin_with(s, "one machine", choice, diags);
    choice.by = PROGRAMS_PARTITION_FUNCTION;
    good = good && begin_with(s, "function", choice, diags);
    for (uint32_t m = request->machines; good && m > 1; m = (m + 1) / 2)
        good = begin_with_metis(s, m, diags);
    choice.by = PROGRAMS_PARTITION_RANDOM;
    for (; good && choice.seed < RANDOM; choice.seed++)
        good = begin_with(s, "random", choice, diags);
    return good;
}

void sim_search_close(struct sim_search *s)
{
    for (size_t i = 0; i < s->starts.count; i++)
        lib_mem_free(s->starts.items[i].machine_of);
    for (size_t i = 0; i < s->batch.count; i++)
        lib_mem_free(s->batch.items[i].machine_of);
    LIB_VEC_FREE(&s->starts, &s->batch);
    LIB_MEM_FREE(s->here.machine_of, s->best.machine_of);
    programs_partition_moves_free(s->moves);
    lib_text_free(&s->reason);
}

/* --- in a worker ---------------------------------------------------------------------- */

/* Limits the cycles of a run: as many as those of `here` are useless. */
static void set_limit(const struct sim_search *s, struct machine_settings *settings)
{
    const bool is_time = strcmp(s->request.least->key, "cycles") == 0;
    if (is_time && s->here.is_known &&
        (settings->limit_cycles == 0 || settings->limit_cycles > s->here.value))
        settings->limit_cycles = s->here.value;
}

static void make_candidate(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_search *s = context;
    const struct sim_search_request *r = &s->request;
    static const bool keeps[TRACES_DETAIL_COUNT] = {false};
    struct machine_settings settings = *r->settings;
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_partition_split(
        r->image, s->batch.items[run].machine_of, r->machines, r->schedules, &diags);
    const struct sim_simulation_config config = {.graph = graph,
                                                 .inputs = r->inputs,
                                                 .settings = &settings,
                                                 .seed = r->run_seed,
                                                 .engine = SIM_ENGINE_MACHINE};
    struct sim_ending ending;
    *outcome = (struct sim_outcome){0};
    set_limit(s, &settings);
    if (graph && sim_simulate(&config, &ending, &diags)) {
        sim_outcome_take(outcome, &ending, r->title, NULL, keeps);
        sim_ending_free(&ending);
    } else {
        outcome->crashed = true;
        lib_text_puts(&outcome->reason, diags.items[0].text);
    }
    lib_diags_free(&diags);
    isa_graph_free(graph);
}

/* --- batches -------------------------------------------------------------------------- */

struct running {
    struct sim_search *search;
    const struct sim_runs_watch *watch;
    bool goes_on;
};

static void take_outcome(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct sim_search *s = ((struct running *)context)->search;
    struct sim_search_candidate *c = &s->batch.items[run];
    s->done++;
    if (!outcome->crashed && outcome->end == ISA_END_COMPLETED) {
        c->is_known = true;
        c->value = traces_stat_integer(&outcome->stats, s->request.least);
    } else if (!outcome->crashed && outcome->end == ISA_END_LIMIT && s->here.is_known) {
        c->is_over = true;
    } else {
        s->failed++;
        if (s->reason.length == 0)
            lib_text_puts(&s->reason, lib_text_get(&outcome->reason));
    }
}

static bool goes_on(void *context)
{
    struct running *r = context;
    r->goes_on = r->watch->look(r->search->done, r->search->failed,
                                r->search->request.runs, r->watch->context);
    return r->goes_on;
}

/* Whether `a` is better; neither of two equal ones is. */
static bool is_better(const struct sim_search_candidate *a,
                      const struct sim_search_candidate *b)
{
    return a->is_known && (!b->is_known || a->value < b->value);
}

static void copy_candidate(const struct sim_search *s, struct sim_search_candidate *to,
                           const struct sim_search_candidate *from)
{
    uint32_t *machine_of = to->machine_of ? to->machine_of : new_machines(s);
    memcpy(machine_of, from->machine_of,
           s->request.image->node_count * sizeof *machine_of);
    *to = *from;
    to->machine_of = machine_of;
}

static void forget_batch(struct sim_search *s)
{
    for (size_t i = 0; i < s->batch.count; i++)
        lib_mem_free(s->batch.items[i].machine_of);
    s->batch.count = 0;
}

static bool run_batch(struct sim_search *s, unsigned jobs, struct running *r,
                      struct lib_diags *diags)
{
    const struct sim_work work = {make_candidate, s};
    const struct sim_work_taker taker = {take_outcome, goes_on, r};
    return sim_workers_make_all(&work, s->batch.count, jobs, &taker, diags);
}

static size_t runs_left(const struct sim_search *s)
{
    return s->request.runs > s->done ? s->request.runs - s->done : 0;
}

/* --- climbing ------------------------------------------------------------------------- */

static bool run_starts(struct sim_search *s, unsigned jobs, struct running *r,
                       struct lib_diags *diags)
{
    const size_t count = s->starts.count < runs_left(s) ? s->starts.count : runs_left(s);
    for (size_t i = 0; i < count; i++) {
        struct sim_search_candidate c = {0};
        copy_candidate(s, &c, &s->starts.items[i]);
        *LIB_VEC_PUSH(&s->batch) = c;
    }
    const bool good = run_batch(s, jobs, r, diags);
    for (size_t i = 0; i < count; i++)
        copy_candidate(s, &s->starts.items[i], &s->batch.items[i]);
    forget_batch(s);
    return good;
}

/* Makes random changes of `here`; skips those that change nothing. */
static void make_batch(struct sim_search *s, uint64_t number, size_t most)
{
    const size_t bytes = s->request.image->node_count * sizeof(uint32_t);
    const size_t more = s->idle / PATIENCE, changes = more < CHANGES ? 1 + more : CHANGES;
    for (uint64_t i = 0; i < 4 * BATCH && s->batch.count < most; i++) {
        struct sim_search_candidate c = {0};
        copy_candidate(s, &c, &s->here);
        programs_partition_move(s->moves, c.machine_of, s->request.seed, number + i,
                                (uint32_t)changes);
        if (memcmp(c.machine_of, s->here.machine_of, bytes) == 0) {
            lib_mem_free(c.machine_of);
            continue;
        }
        c.is_known = c.is_over = false;
        *LIB_VEC_PUSH(&s->batch) = c;
    }
}

static void take_best(struct sim_search *s)
{
    const struct sim_search_candidate *first = &s->batch.items[0];
    for (size_t i = 1; i < s->batch.count; i++)
        if (is_better(&s->batch.items[i], first))
            first = &s->batch.items[i];
    s->idle++;
    if (is_better(first, &s->here)) {
        copy_candidate(s, &s->here, first);
        s->idle = 0;
    }
}

static bool climb_from(struct sim_search *s, size_t start, size_t runs, unsigned jobs,
                       struct running *r, struct lib_diags *diags)
{
    const size_t end = s->done + runs;
    bool good = true;
    copy_candidate(s, &s->here, &s->starts.items[start]);
    s->idle = 0;
    while (good && r->goes_on && s->done < end) {
        make_batch(s, (uint64_t)s->done * 4 * BATCH,
                   end - s->done < BATCH ? end - s->done : BATCH);
        if (s->batch.count == 0)
            break; /* nothing can be changed */
        good = run_batch(s, jobs, r, diags);
        take_best(s);
        forget_batch(s);
        if (is_better(&s->here, &s->best)) {
            copy_candidate(s, &s->best, &s->here);
            s->from = start;
        }
    }
    return good;
}

/* Returns the best start not in `climbed`, and adds it; SIZE_MAX if there is none. */
static size_t next_start(const struct sim_search *s, bool *climbed)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->starts.count; i++)
        if (s->starts.items[i].is_known && !climbed[i] &&
            (best == SIZE_MAX || is_better(&s->starts.items[i], &s->starts.items[best])))
            best = i;
    if (best < SIZE_MAX)
        climbed[best] = true;
    return best;
}

bool sim_search_run(struct sim_search *s, unsigned jobs,
                    const struct sim_runs_watch *watch, struct lib_diags *diags)
{
    struct running r = {.search = s, .watch = watch, .goes_on = true};
    bool *climbed = lib_mem_new((s->starts.count + 1) * sizeof *climbed);
    bool good = run_starts(s, jobs, &r, diags);
    for (size_t left = CLIMBS; good && r.goes_on && left > 0; left--) {
        const size_t start = next_start(s, climbed);
        if (start == SIZE_MAX)
            break;
        if (is_better(&s->starts.items[start], &s->best)) {
            copy_candidate(s, &s->best, &s->starts.items[start]);
            s->from = start;
        }
        good = climb_from(s, start, runs_left(s) / left, jobs, &r, diags);
    }
    lib_mem_free(climbed);
    return good;
}

void sim_search_write(const struct sim_search *s, struct lib_text *out)
{
    programs_partition_write_map(s->request.image, s->best.machine_of,
                                 s->request.machines, out);
}
