#include "sim/outputs/edited.h"

#include <string.h>
#include <unistd.h>

#include "lib/file.h"

/* --- the same, but for layout and comments? ------------------------------------------------- */

static bool is_output(const struct lib_yaml_entry *e)
{
    return e->depth == 0 &&
           (strcmp(e->key, "labels") == 0 || strcmp(e->key, "tables") == 0 ||
            strcmp(e->key, "figures") == 0);
}

/* Keeps only the entries of labels, tables and figures. */
static void keep_outputs(struct lib_yaml *yaml)
{
    size_t count = 0;
    for (size_t i = 0, next; i < yaml->count; i = next) {
        next = lib_yaml_behind(yaml, i);
        const bool is_kept = is_output(&yaml->items[i]);
        for (size_t k = i; is_kept && k < next; k++)
            yaml->items[count++] = yaml->items[k];
    }
    yaml->count = count;
}

static bool is_same(const struct lib_yaml_entry *a, const struct lib_yaml_entry *b)
{
    return strcmp(a->key, b->key) == 0 && a->is_item == b->is_item &&
           a->kind == b->kind && a->depth == b->depth &&
           strcmp(a->value ? a->value : "", b->value ? b->value : "") == 0;
}

static bool are_same(const struct lib_yaml *a, const struct lib_yaml *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = is_same(&a->items[i], &b->items[i]);
    return same;
}

static bool is_experiment(const struct lib_yaml *yaml)
{
    for (size_t i = 0; i < yaml->count; i++)
        if (yaml->items[i].depth == 0 && strcmp(yaml->items[i].key, "program") == 0)
            return true;
    return false;
}

/* --- the file ----------------------------------------------------------------------------- */

/* Returns "dir/speedup.yaml" for "dir/x.db" with results of speedup.yaml. */
static const char *path_beside(const struct traces_reader *frame)
{
    const char *path = frame->store.path, *slash = strrchr(path, '/');
    return lib_arena_printf(frame->arena, "%.*s%s.yaml",
                            slash ? (int)(slash - path) + 1 : 0, path, frame->name);
}

static void take(struct traces_reader *frame, const struct lib_source *source)
{
    frame->text = source->bytes;
    frame->text_name = source->name;
}

/* Sets *edited: whether a file is an experiment whose labels, tables or figures differ from those
 * in the database. Returns false and adds a diagnostic if the file or the stored text is
 * invalid. */
static bool is_edited(struct traces_reader *frame, const struct lib_source *source,
                      bool *edited, struct lib_diags *diags)
{
    const struct lib_source kept = {frame->text_name, frame->text, strlen(frame->text)};
    struct lib_yaml there = {0}, then = {0};
    bool good = lib_yaml_read(&there, frame->arena, source, diags);
    *edited = false;
    if (good && is_experiment(&there) &&
        (good = lib_yaml_read(&then, frame->arena, &kept, diags))) {
        keep_outputs(&there);
        keep_outputs(&then);
        *edited = !are_same(&there, &then);
    }
    lib_yaml_free(&there);
    lib_yaml_free(&then);
    return good;
}

bool sim_edited_take(struct traces_reader *frame, const char *path,
                     const struct sim_printer *printer, struct lib_diags *diags)
{
    const char *beside = path ? path : path_beside(frame);
    bool edited = true;
    if (!path && (!*frame->name || access(beside, F_OK) != 0))
        return true;
    const struct lib_source *source = lib_file_read(frame->arena, beside, diags);
    if (!source || (!path && !is_edited(frame, source, &edited, diags)))
        return false;
    if (edited)
        take(frame, source);
    if (edited && !path && !printer->quiet)
        sim_say(printer,
                "the tables and figures of %s are not those that %s keeps; they are "
                "taken as they are there now",
                beside, frame->store.path);
    return true;
}

const char *sim_edited_kept(const char *experiment)
{
    const char *dot = experiment ? strrchr(experiment, '.') : NULL;
    const bool is_file = !experiment || strchr(experiment, '/') ||
                         (dot && strcmp(dot, ".yaml") == 0) ||
                         access(experiment, F_OK) == 0;
    return is_file ? NULL : experiment;
}
