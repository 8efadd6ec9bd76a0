#include "sim/training/training.h"

#include "lib/guard.h"
#include "traces/files/chunks.h"

#include <inttypes.h>
#include <string.h>

static const struct traces_chunks_kind kind = {TRACES_FOUR("TRN1"), SIM_TRAINING_FORMAT,
                                               "a checkpoint of training", 0};

#define HEAD TRACES_FOUR("HEAD")
#define STATE TRACES_FOUR("STAT")

static const struct lib_pos nowhere;

/* Writes what determines the params after each step, a line for each. */
static void write_head(const struct sim_training *t, struct lib_text *out)
{
    const struct sim_training_options *o = &t->options;
    lib_text_puts(out, "program ");
    isa_digest_write(t->model->digest, out);
    lib_text_printf(out, "\nmatrices multiplied by %s\n", t->model->math);
    lib_text_printf(out, "params %zu\n", t->model->size);
    lib_text_printf(out, "examples %" PRIu64 "\n", t->model->examples);
    for (size_t i = 0; i < sim_training_option_count; i++) {
        const struct sim_training_option *option = &sim_training_option_table[i];
        if (option->is_open)
            continue;
        lib_text_printf(out, "%s ", option->field.name);
        sim_training_option_write(o, option, out);
        lib_text_puts(out, "\n");
    }
    lib_text_printf(out, "seed %" PRIu64 "\n", o->seed);
}

static void pack_state(struct lib_pack *p, struct sim_training *t)
{
    LIB_PACK(p, t->taken);
    lib_pack_bytes(p, t->model->params, t->model->size * sizeof(double));
    sim_optimiser_pack(p, &t->optimiser);
    sim_schedule_pack(p, &t->schedule);
    LIB_PACK_VEC(p, &t->rows);
}

bool sim_training_save(struct sim_training *t, const char *path, struct lib_diags *diags)
{
    LIB_TEXT_OWN head = {0}, state = {0};
    struct lib_pack p = lib_pack_writer(&state);
    write_head(t, &head);
    pack_state(&p, t);
    struct traces_chunks_writer *writer = traces_chunks_create(path, &kind, diags);
    bool good = writer != NULL;
    if (writer) {
        traces_chunks_add(writer, HEAD, 0, 0, head.bytes, head.length);
        traces_chunks_add(writer, STATE, 0, t->taken, state.bytes, state.length);
        good = traces_chunks_finish(writer, diags);
    }
    return good;
}

static const char *line_at(const char *text, size_t at, int *length)
{
    *length = (int)strcspn(text + at, "\n");
    return text + at;
}

static bool check_head(const struct sim_training *t, const char *path,
                       const struct lib_text *found, struct lib_diags *diags)
{
    LIB_TEXT_OWN own = {0};
    write_head(t, &own);
    const char *here = lib_text_get(&own), *there = lib_text_get(found);
    const bool same = strcmp(here, there) == 0;
    if (!same) {
        size_t line = 0;
        for (size_t i = 0; here[i] && here[i] == there[i]; i++)
            if (here[i] == '\n')
                line = i + 1;
        int length, others;
        const char *ours = line_at(here, line, &length),
                   *theirs = line_at(there, line, &others);
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "%s is of another training: there `%.*s`, here `%.*s`", path,
                       others, theirs, length, ours);
    }
    return same;
}

static bool read_state(struct sim_training *t, const char *path,
                       const struct lib_text *bytes, struct lib_diags *diags)
{
    struct lib_pack p = lib_pack_reader(lib_text_get(bytes), bytes->length);
    pack_state(&p, t);
    if (lib_pack_is_whole(&p) && t->rows.count == t->taken)
        return true;
    lib_diag_error(diags, LIB_DIAG_FILE, NULL, nowhere,
                   "%s is damaged: its state is not one that training can have", path);
    return false;
}

bool sim_training_restore(struct sim_training *t, const char *path,
                          struct lib_diags *diags)
{
    LIB_TEXT_OWN head = {0}, state = {0};
    /* The training writes it again, so it is no input. */
    struct traces_chunks *chunks = lib_guard_write(path, diags)
                                       ? traces_chunks_open(path, &kind, diags)
                                       : NULL;
    bool good = chunks && traces_chunks_verify(chunks, diags);
    if (good) {
        const size_t all = traces_chunks_count(chunks),
                     first = traces_chunks_find(chunks, 0, HEAD),
                     second = traces_chunks_find(chunks, 0, STATE);
        good = first < all && second < all &&
               traces_chunks_read(chunks, first, &head, diags) &&
               traces_chunks_read(chunks, second, &state, diags);
        if (first >= all || second >= all)
            lib_diag_error(diags, LIB_DIAG_FILE, NULL, nowhere,
                           "%s is damaged: it has no params", path);
    }
    good = good && check_head(t, path, &head, diags) &&
           read_state(t, path, &state, diags);
    traces_chunks_close(chunks);
    return good;
}
